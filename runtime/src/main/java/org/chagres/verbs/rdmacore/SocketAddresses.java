package org.chagres.verbs.rdmacore;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.ByteOrder;
import java.util.Optional;
import org.chagres.bindings.rdmacm.rdma_cma_h;
import org.chagres.bindings.rdmacm.sockaddr_in;
import org.chagres.bindings.rdmacm.sockaddr_in6;

/** {@link InetSocketAddress} as {@code sockaddr_in} or {@code sockaddr_in6}. */
final class SocketAddresses {
    private static final ValueLayout.OfShort NETWORK_SHORT = ValueLayout.JAVA_SHORT_UNALIGNED
            .withOrder(ByteOrder.BIG_ENDIAN);
    private static final int IPV4_BYTES = 4;
    private static final int IPV6_BYTES = 16;

    private SocketAddresses() {
    }

    static MemorySegment write(final Arena arena, final InetSocketAddress address) {
        if (address.isUnresolved()) {
            throw new IllegalArgumentException(address + " is a name that could not be resolved");
        }
        final MemorySegment bytes = MemorySegment.ofArray(address.getAddress().getAddress());
        if (bytes.byteSize() == IPV4_BYTES) {
            final MemorySegment to = arena.allocate(sockaddr_in.layout());
            sockaddr_in.sin_family(to, (short) rdma_cma_h.AF_INET());
            to.set(NETWORK_SHORT, sockaddr_in.sin_port$offset(), (short) address.getPort());
            sockaddr_in.sin_addr(to).copyFrom(bytes);
            return to;
        }
        final MemorySegment to = arena.allocate(sockaddr_in6.layout());
        sockaddr_in6.sin6_family(to, (short) rdma_cma_h.AF_INET6());
        to.set(NETWORK_SHORT, sockaddr_in6.sin6_port$offset(), (short) address.getPort());
        sockaddr_in6.sin6_addr(to).copyFrom(bytes);
        sockaddr_in6.sin6_scope_id(to, ((Inet6Address) address.getAddress()).getScopeId());
        return to;
    }

    /** Empty if there is no IP address, as before anything is bound. */
    static Optional<InetSocketAddress> read(final MemorySegment from) {
        final int family = sockaddr_in.sin_family(from);
        if (family == rdma_cma_h.AF_INET()) {
            return Optional.of(socketAddress(sockaddr_in.sin_addr(from).asSlice(0, IPV4_BYTES),
                    from.get(NETWORK_SHORT, sockaddr_in.sin_port$offset())));
        }
        if (family == rdma_cma_h.AF_INET6()) {
            return Optional
                    .of(socketAddress(sockaddr_in6.sin6_addr(from).asSlice(0, IPV6_BYTES),
                            from.get(NETWORK_SHORT, sockaddr_in6.sin6_port$offset())));
        }
        return Optional.empty();
    }

    private static InetSocketAddress socketAddress(final MemorySegment address, final short port) {
        try {
            return new InetSocketAddress(InetAddress.getByAddress(address.toArray(ValueLayout.JAVA_BYTE)),
                    Short.toUnsignedInt(port));
        } catch (final UnknownHostException e) {
            throw new AssertionError("4 or 16 bytes are an address", e);
        }
    }
}
