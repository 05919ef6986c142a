package org.chagres.verbs.rdmacore;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Optional;
import java.util.function.ToIntFunction;
import org.chagres.bindings.Errno;
import org.chagres.bindings.RdmaCm;
import org.chagres.bindings.RdmaCmConnection;
import org.chagres.bindings.rdmacm.rdma_addr;
import org.chagres.bindings.rdmacm.rdma_cm_id;
import org.chagres.bindings.rdmacm.rdma_cma_h;
import org.chagres.bindings.rdmacm.rdma_conn_param;
import org.chagres.bindings.rdmacm.rdma_route;
import org.chagres.verbs.CmId;
import org.chagres.verbs.CmParameters;
import org.chagres.verbs.PortSpace;
import org.chagres.verbs.ProtectionDomain;
import org.chagres.verbs.QueuePair;
import org.chagres.verbs.QueuePairOptions;
import org.chagres.verbs.QueuePairType;

/** An {@code rdma_cm_id}. */
final class NativeCmId extends NativeObject implements CmId {
    /** What a service request of the protocol has room for, after its header. */
    private static final int MAX_DATAGRAM_CONNECT_DATA = 180;

    private final NativeCmEventChannel channel;
    private final long address;
    private final PortSpace space;
    private final MemorySegment fields;
    private boolean hasQueuePair;

    NativeCmId(final NativeCmEventChannel channel, final long address, final PortSpace space) {
        super(channel);
        this.channel = channel;
        this.address = address;
        this.space = space;
        this.fields = MemorySegment.ofAddress(address).reinterpret(rdma_cm_id.sizeof());
        adopted();
    }

    @Override
    public NativeCmEventChannel channel() {
        return channel;
    }

    @Override
    public PortSpace portSpace() {
        return space;
    }

    @Override
    public void bind(final InetSocketAddress local) {
        withAddress(local, at -> RdmaCmConnection.bindAddr(address, at.address()), "cannot be bound to " + local,
                "rdma_bind_addr");
    }

    @Override
    public void resolveAddress(final InetSocketAddress destination, final Duration timeout) {
        withAddress(destination, at -> RdmaCmConnection.resolveAddr(address, 0, at.address(), millis(timeout)),
                "cannot resolve " + destination,
                "rdma_resolve_addr");
    }

    private void withAddress(final InetSocketAddress given, final ToIntFunction<MemorySegment> call, final String what,
            final String name) {
        locked(() -> {
            try (Arena arena = Arena.ofConfined()) {
                check(call.applyAsInt(SocketAddresses.write(arena, given)), what, name);
            }
            return null;
        });
    }

    @Override
    public void resolveRoute(final Duration timeout) {
        call(() -> RdmaCmConnection.resolveRoute(address, millis(timeout)), "cannot resolve its route",
                "rdma_resolve_route");
    }

    private static int millis(final Duration timeout) {
        if (timeout.isNegative()) {
            throw new IllegalArgumentException("a timeout of " + timeout + ": it cannot be negative");
        }
        return (int) Math.min(Integer.MAX_VALUE, timeout.toMillis());
    }

    @Override
    public void listen(final int backlog) {
        call(() -> RdmaCmConnection.listen(address, backlog), "cannot listen", "rdma_listen");
    }

    @Override
    public NativeContext context() {
        return locked(() -> {
            final long verbs = rdma_cm_id.verbs(fields).address();
            if (verbs == 0) {
                throw new IllegalStateException(
                        this + " has no device yet: resolve an address first, or bind to one that is not the wildcard");
            }
            return channel.context(verbs);
        });
    }

    @Override
    public int devicePort() {
        return locked(() -> Byte.toUnsignedInt(rdma_cm_id.port_num(fields)));
    }

    @Override
    public QueuePair createQueuePair(final ProtectionDomain domain, final QueuePairOptions options) {
        return locked(() -> {
            final NativeProtectionDomain mine = Family.member(domain, NativeProtectionDomain.class,
                    "protection domain");
            Family.same(mine, mine.context(), context());
            final QueuePairType type = space == PortSpace.UDP ? QueuePairType.UD : QueuePairType.RC;
            if (options.type() != type) {
                throw new IllegalArgumentException(
                        "a queue pair of type " + options.type() + " for " + this + ": its port space takes " + type);
            }
            if (hasQueuePair) {
                throw new IllegalStateException(this + " has a queue pair already: close that first");
            }
            return QueuePairMaker.create(mine, options, this, init -> createQueuePair(mine, options, init));
        });
    }

    private long createQueuePair(final NativeProtectionDomain domain, final QueuePairOptions options,
            final MemorySegment init) {
        final int errno = RdmaCmConnection.createQp(address, domain.address(), init.address());
        if (errno != 0) {
            throw QueuePairMaker.failure("rdma_create_qp", errno, domain, options);
        }
        hasQueuePair = true;
        return rdma_cm_id.qp(fields).address();
    }

    void destroyQueuePair() {
        RdmaCmConnection.destroyQp(address);
        hasQueuePair = false;
    }

    @Override
    public void connect(final CmParameters parameters) {
        withParameters(parameters, space == PortSpace.UDP ? MAX_DATAGRAM_CONNECT_DATA : CmParameters.MAX_CONNECT_DATA,
                p -> RdmaCmConnection.connect(address, p.address()), "cannot connect", "rdma_connect");
    }

    @Override
    public void accept(final CmParameters parameters) {
        withParameters(parameters, CmParameters.MAX_ACCEPT_DATA, p -> RdmaCmConnection.accept(address, p.address()),
                "cannot accept", "rdma_accept");
    }

    private void withParameters(final CmParameters parameters, final int mostData,
            final ToIntFunction<MemorySegment> call, final String what,
            final String name) {
        locked(() -> {
            if (!hasQueuePair) {
                throw new IllegalStateException(this + " has no queue pair yet: createQueuePair makes it");
            }
            checkData(parameters.privateData().byteSize(), mostData, what);
            try (Arena arena = Arena.ofConfined()) {
                check(call.applyAsInt(write(arena, parameters)), what, name);
            }
            return null;
        });
    }

    private static MemorySegment write(final Arena arena, final CmParameters from) {
        final MemorySegment to = arena.allocate(rdma_conn_param.layout());
        final long length = from.privateData().byteSize();
        if (length > 0) {
            rdma_conn_param.private_data(to, arena.allocate(length).copyFrom(from.privateData()));
            rdma_conn_param.private_data_len(to, (byte) length);
        }
        rdma_conn_param.responder_resources(to, (byte) from.responderResources());
        rdma_conn_param.initiator_depth(to, (byte) from.initiatorDepth());
        rdma_conn_param.retry_count(to, (byte) from.retryCount());
        rdma_conn_param.rnr_retry_count(to, (byte) from.rnrRetryCount());
        return to;
    }

    @Override
    public void reject(final byte[] privateData) {
        locked(() -> {
            checkData(privateData.length, CmParameters.MAX_REJECT_DATA, "cannot reject");
            try (Arena arena = Arena.ofConfined()) {
                final MemorySegment data = arena.allocate(Math.max(1, privateData.length));
                MemorySegment.copy(privateData, 0, data, ValueLayout.JAVA_BYTE, 0, privateData.length);
                check(RdmaCmConnection.reject(address, data.address(), privateData.length), "cannot reject",
                        "rdma_reject");
            }
            return null;
        });
    }

    private void checkData(final long length, final int most, final String what) {
        if (length > most) {
            throw new IllegalArgumentException(this + " " + what + " with " + length
                    + " bytes of private data: the protocol has room for " + most);
        }
    }

    @Override
    public void disconnect() {
        call(() -> RdmaCmConnection.disconnect(address), "cannot disconnect", "rdma_disconnect");
    }

    @Override
    public InetSocketAddress localAddress() {
        return locked(() -> SocketAddresses.read(rdma_addr.src_storage(rdma_route.addr(rdma_cm_id.route(fields)))))
                .orElseGet(() -> new InetSocketAddress(0));
    }

    @Override
    public InetSocketAddress remoteAddress() {
        final Optional<InetSocketAddress> remote = locked(
                () -> SocketAddresses.read(rdma_addr.dst_storage(rdma_route.addr(rdma_cm_id.route(fields)))));
        return remote
                .orElseThrow(() -> new IllegalStateException(this + " has no peer yet: resolve its address first"));
    }

    @Override
    public void typeOfService(final int value) {
        if (value < 0 || value > 255) {
            throw new IllegalArgumentException("a type of service of " + value + ": 0 to 255 exist");
        }
        option(rdma_cma_h.RDMA_OPTION_ID_TOS(), Byte.BYTES, value);
    }

    @Override
    public void reuseAddress(final boolean reuse) {
        option(rdma_cma_h.RDMA_OPTION_ID_REUSEADDR(), Integer.BYTES, reuse ? 1 : 0);
    }

    private void option(final int option, final int bytes, final int value) {
        locked(() -> {
            try (Arena arena = Arena.ofConfined()) {
                // Little-endian: the first byte is the value of a one-byte option.
                final MemorySegment at = arena.allocateFrom(ValueLayout.JAVA_INT, value);
                check(RdmaCm.setOption(address, rdma_cma_h.RDMA_OPTION_ID(), option, at.address(), bytes),
                        "refuses option " + option, "rdma_set_option");
            }
            return null;
        });
    }

    private void call(final java.util.function.IntSupplier call, final String what, final String name) {
        locked(() -> {
            check(call.getAsInt(), what, name);
            return null;
        });
    }

    private void check(final int errno, final String what, final String call) {
        if (errno != 0) {
            throw Failures.of(this + " " + what, call, errno, hint(errno));
        }
    }

    private static String hint(final int errno) {
        return switch (errno) {
            case Errno.EINVAL ->
                "Most likely it is not the step's turn: resolve the address, then the route, make the queue pair, connect; or bind, listen,"
                        + " and accept with the identifier that came with the request. Or more reads in flight are asked for than the device has.";
            case Errno.EADDRINUSE -> "Another identifier has this port: take another, or port 0.";
            case Errno.EADDRNOTAVAIL, Errno.ENODEV ->
                "No RDMA device has this address: 'rdma link' and 'ip address' show which have one.";
            case Errno.ENETUNREACH, Errno.EHOSTUNREACH ->
                "There is no route to it by an RDMA device: look at 'ip route get'.";
            default -> "";
        };
    }

    @Override
    void destroy() {
        Failures.check(RdmaCm.destroyId(address), this + " cannot be closed", "rdma_destroy_id");
        channel.remove(address);
    }

    @Override
    public String toString() {
        return "connection identifier 0x" + Long.toHexString(address) + " (" + space + ")";
    }
}
