package org.chagres.verbs.rdmacore;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.chagres.bindings.ContextOps;
import org.chagres.bindings.Descriptors;
import org.chagres.bindings.Errno;
import org.chagres.bindings.Verbs;
import org.chagres.bindings.VerbsContext;
import org.chagres.bindings.VerbsMemory;
import org.chagres.bindings.verbs.ibv_async_event;
import org.chagres.bindings.verbs.ibv_context;
import org.chagres.verbs.AsyncEvent;
import org.chagres.verbs.AsyncEventType;
import org.chagres.verbs.CompletionChannel;
import org.chagres.verbs.CompletionQueue;
import org.chagres.verbs.Context;
import org.chagres.verbs.Device;
import org.chagres.verbs.DeviceAttributes;
import org.chagres.verbs.GidEntry;
import org.chagres.verbs.PortAttributes;
import org.chagres.verbs.ProtectionDomain;
import org.chagres.verbs.VerbsObject;

/** An {@code ibv_context}: opened here, or lent by librdmacm. */
final class NativeContext extends NativeObject implements Context {
    private static final ValueLayout.OfShort BIG_ENDIAN_SHORT = ValueLayout.JAVA_SHORT_UNALIGNED
            .withOrder(ByteOrder.BIG_ENDIAN);

    private final Device device;
    private final long address;
    private final boolean owned;
    private final int eventFd;
    private final VerbsContext extended;
    private final ContextOps ops;
    private final DeviceAttributes attributes;
    /** Queues by native address, for events. */
    private final Map<Long, VerbsObject> eventSources = new ConcurrentHashMap<>();

    private NativeContext(final Device device, final long address, final boolean owned, final NativeObject... owners) {
        super(owners);
        this.device = device;
        this.address = address;
        this.owned = owned;
        this.eventFd = ibv_context.async_fd(MemorySegment.ofAddress(address).reinterpret(ibv_context.sizeof()));
        this.extended = VerbsContext.of(address);
        this.ops = ContextOps.of(address);
        Descriptors.nonBlocking(eventFd);
        this.attributes = Attributes.device(extended, device);
    }

    /** A context that was opened for this object, which closes it, even if this fails. */
    static NativeContext owned(final Device device, final long address) {
        try {
            return new NativeContext(device, address, true);
        } catch (final RuntimeException failure) {
            Verbs.closeDevice(address);
            throw failure;
        }
    }

    /** A context that the connection manager opened, and keeps. */
    static NativeContext lent(final Device device, final long address, final NativeObject owner) {
        final NativeContext context = new NativeContext(device, address, false, owner);
        context.adopted();
        return context;
    }

    @Override
    public Device device() {
        return device;
    }

    @Override
    public DeviceAttributes attributes() {
        checkOpen();
        return attributes;
    }

    @Override
    public PortAttributes port(final int port) {
        checkPort(port);
        return locked(() -> Attributes.port(extended, device, port));
    }

    @Override
    public List<GidEntry> gids(final int port) {
        checkPort(port);
        return locked(() -> GidTable.read(address, device, attributes.ports(), port, longestGidTable()));
    }

    private int longestGidTable() {
        int longest = 0;
        for (int port = 1; port <= attributes.ports(); port++) {
            longest = Math.max(longest, Attributes.port(extended, device, port).gidTableLength());
        }
        return longest;
    }

    @Override
    public List<Integer> pkeys(final int port) {
        checkPort(port);
        return locked(() -> readPkeys(port, Attributes.port(extended, device, port).pkeyTableLength()));
    }

    private List<Integer> readPkeys(final int port, final int rows) {
        final List<Integer> keys = new ArrayList<>(rows);
        try (Arena call = Arena.ofConfined()) {
            final MemorySegment key = call.allocate(Short.BYTES);
            for (int i = 0; i < rows; i++) {
                Failures.check(Verbs.queryPkey(address, port, i, key.address()),
                        "row " + i + " of the partition key table of " + this + " port " + port,
                        "ibv_query_pkey");
                keys.add(Short.toUnsignedInt(key.get(BIG_ENDIAN_SHORT, 0)));
            }
        }
        return List.copyOf(keys);
    }

    private void checkPort(final int port) {
        checkOpen();
        if (port < 1 || port > attributes.ports()) {
            throw new IllegalArgumentException(
                    device.name() + " has no port " + port + ": its ports are 1 to " + attributes.ports());
        }
    }

    @Override
    public ProtectionDomain allocateProtectionDomain() {
        return locked(() -> {
            final long pd = Failures.checked(VerbsMemory.allocPd(address), "a protection domain of " + this,
                    "ibv_alloc_pd");
            return new NativeProtectionDomain(this, pd);
        });
    }

    @Override
    public CompletionChannel createCompletionChannel() {
        return locked(() -> NativeCompletionChannel.create(this));
    }

    @Override
    public CompletionQueue createCompletionQueue(final int entries) {
        return locked(() -> NativeCompletionQueue.create(this, entries, null));
    }

    @Override
    public CompletionQueue createCompletionQueue(final int entries, final CompletionChannel channel) {
        final NativeCompletionChannel mine = Family.member(channel, NativeCompletionChannel.class,
                "completion channel");
        Family.same(mine, mine.context(), this);
        return locked(() -> NativeCompletionQueue.create(this, entries, mine));
    }

    @Override
    public Optional<AsyncEvent> pollEvent() {
        return locked(this::takeEvent);
    }

    @Override
    public Optional<AsyncEvent> awaitEvent(final Duration timeout) throws InterruptedException {
        return Waiting.await(eventFd, timeout, this::pollEvent);
    }

    private Optional<AsyncEvent> takeEvent() {
        try (Arena call = Arena.ofConfined()) {
            final MemorySegment event = call.allocate(ibv_async_event.layout());
            final int status = Verbs.getAsyncEvent(address, event.address());
            if (status == Errno.EAGAIN || status == Errno.EINTR) {
                return Optional.empty();
            }
            Failures.check(status, "the next event of " + this, "ibv_get_async_event");
            try {
                return Optional.of(event(event));
            } finally {
                Verbs.ackAsyncEvent(event.address());
            }
        }
    }

    private AsyncEvent event(final MemorySegment event) {
        final int code = ibv_async_event.event_type(event);
        final AsyncEventType type = AsyncEventType.of(code);
        final MemorySegment element = ibv_async_event.element(event);
        return switch (type) {
            case PORT_ACTIVE, PORT_ERR, LID_CHANGE, PKEY_CHANGE, SM_CHANGE, CLIENT_REREGISTER, GID_CHANGE ->
                new AsyncEvent(type, code, this, ibv_async_event.element.port_num(element));
            case DEVICE_FATAL, WQ_FATAL, UNKNOWN -> new AsyncEvent(type, code, this, 0);
            default -> new AsyncEvent(type, code,
                    eventSources.getOrDefault(ibv_async_event.element.qp(element).address(), this), 0);
        };
    }

    void eventSource(final long queue, final VerbsObject source) {
        eventSources.put(queue, source);
    }

    void noEventSource(final long queue) {
        eventSources.remove(queue);
    }

    long address() {
        return address;
    }

    ContextOps ops() {
        return ops;
    }

    @Override
    void destroy() {
        if (owned) {
            Failures.check(Verbs.closeDevice(address), this + " cannot be closed", "ibv_close_device");
        }
    }

    @Override
    public String toString() {
        return "context of " + device.name();
    }
}
