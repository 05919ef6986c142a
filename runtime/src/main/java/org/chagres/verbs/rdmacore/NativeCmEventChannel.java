package org.chagres.verbs.rdmacore;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.chagres.bindings.CallState;
import org.chagres.bindings.Descriptors;
import org.chagres.bindings.Errno;
import org.chagres.bindings.RdmaCm;
import org.chagres.bindings.rdmacm.rdma_cm_event;
import org.chagres.bindings.rdmacm.rdma_event_channel;
import org.chagres.bindings.verbs.ibv_context;
import org.chagres.verbs.CmEvent;
import org.chagres.verbs.CmEventChannel;
import org.chagres.verbs.CmEventType;
import org.chagres.verbs.CmId;
import org.chagres.verbs.PortSpace;
import org.chagres.verbs.VerbsException;

/** An {@code rdma_event_channel}. */
final class NativeCmEventChannel extends NativeObject implements CmEventChannel {
    private static final Path FILE = Path.of("/dev/infiniband/rdma_cm");

    private final long address;
    private final int fd;
    /** By native address; guarded by the tree's lock. */
    private final Map<Long, NativeCmId> ids = new HashMap<>();
    /** What librdmacm lends, by native address; guarded by the tree's lock. */
    private final Map<Long, NativeContext> contexts = new HashMap<>();

    private NativeCmEventChannel(final long address) {
        this.address = address;
        this.fd = rdma_event_channel.fd(MemorySegment.ofAddress(address).reinterpret(rdma_event_channel.sizeof()));
        Descriptors.nonBlocking(fd);
    }

    /** Why there are no channels on this machine. */
    static Optional<String> unavailable() {
        try {
            open().close();
            return Optional.empty();
        } catch (final VerbsException failure) {
            return Optional.of(failure.getMessage());
        }
    }

    static NativeCmEventChannel open() {
        if (!RdmaCm.LIBRARY.available()) {
            throw new VerbsException(RdmaCm.LIBRARY.reason());
        }
        final long channel = RdmaCm.createEventChannel();
        if (channel == 0) {
            final int errno = CallState.errno();
            throw Failures.of("there is no connection manager", "rdma_create_event_channel", errno, hint(errno));
        }
        return new NativeCmEventChannel(channel);
    }

    private static String hint(final int errno) {
        return switch (errno) {
            case Errno.ENODEV, Errno.ENOSYS -> "There is no RDMA device.";
            // The library says ENOENT where it may not open the file, too.
            case Errno.EACCES, Errno.EPERM, Errno.ENOENT -> Files.exists(FILE)
                    ? DeviceFile.advice(Optional.of(FILE))
                    : FILE + " does not exist: load the kernel module rdma_ucm; in a container, pass the file in (docker run --device "
                            + FILE + ").";
            default -> "";
        };
    }

    @Override
    public CmId createId(final PortSpace space) {
        return locked(() -> {
            try (Arena call = Arena.ofConfined()) {
                final MemorySegment out = call.allocate(ValueLayout.JAVA_LONG);
                Failures.check(RdmaCm.createId(address, out.address(), 0, space.code()), "an identifier of " + this,
                        "rdma_create_id");
                return adopt(out.get(ValueLayout.JAVA_LONG, 0), space);
            }
        });
    }

    private NativeCmId adopt(final long id, final PortSpace space) {
        final NativeCmId object = new NativeCmId(this, id, space);
        ids.put(id, object);
        return object;
    }

    @Override
    public Optional<CmEvent> pollEvent() {
        return locked(this::takeEvent);
    }

    @Override
    public Optional<CmEvent> awaitEvent(final Duration timeout) throws InterruptedException {
        return Waiting.await(fd, timeout, this::pollEvent);
    }

    private Optional<CmEvent> takeEvent() {
        try (Arena call = Arena.ofConfined()) {
            final MemorySegment out = call.allocate(ValueLayout.JAVA_LONG);
            final int status = RdmaCm.getCmEvent(address, out.address());
            if (status == Errno.EAGAIN || status == Errno.EINTR) {
                return Optional.empty();
            }
            Failures.check(status, "the next event of " + this, "rdma_get_cm_event");
            final long event = out.get(ValueLayout.JAVA_LONG, 0);
            try {
                return event(MemorySegment.ofAddress(event).reinterpret(rdma_cm_event.sizeof()));
            } finally {
                // Closing an identifier waits for this.
                RdmaCm.ackCmEvent(event);
            }
        }
    }

    private Optional<CmEvent> event(final MemorySegment event) {
        final long id = rdma_cm_event.id(event).address();
        if (CmEventType.of(rdma_cm_event.event(event)) == CmEventType.CONNECT_REQUEST) {
            final NativeCmId listener = ids.get(rdma_cm_event.listen_id(event).address());
            return Optional.of(CmEvents.read(event, adopt(id, listener.portSpace()), Optional.of(listener)));
        }
        return Optional.ofNullable(ids.get(id)).map(known -> CmEvents.read(event, known, Optional.empty()));
    }

    /** The device that librdmacm opened for an identifier. */
    NativeContext context(final long verbs) {
        final NativeContext known = contexts.get(verbs);
        if (known != null && !known.isClosed()) {
            return known;
        }
        final MemorySegment fields = MemorySegment.ofAddress(verbs).reinterpret(ibv_context.sizeof());
        final NativeContext lent = NativeContext.lent(NativeDevice.of(ibv_context.device(fields).address()), verbs,
                this);
        contexts.put(verbs, lent);
        return lent;
    }

    void remove(final long id) {
        ids.remove(id);
    }

    @Override
    void destroy() {
        RdmaCm.destroyEventChannel(address);
    }

    @Override
    public String toString() {
        return "connection manager's event channel " + fd;
    }
}
