package org.chagres.transport.fake;

import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import org.chagres.transport.fake.FakeNetwork.FakeRegion;
import org.chagres.transport.verbs.GidChoice;
import org.chagres.transport.verbs.PortName;
import org.chagres.transport.verbs.UsablePort;
import org.chagres.verbs.Access;
import org.chagres.verbs.AsyncEvent;
import org.chagres.verbs.AsyncEventType;
import org.chagres.verbs.AtomicCapability;
import org.chagres.verbs.CompletionQueue;
import org.chagres.verbs.Context;
import org.chagres.verbs.Device;
import org.chagres.verbs.DeviceAttributes;
import org.chagres.verbs.Gid;
import org.chagres.verbs.GidEntry;
import org.chagres.verbs.GidType;
import org.chagres.verbs.LinkLayer;
import org.chagres.verbs.MemoryRegion;
import org.chagres.verbs.Mtu;
import org.chagres.verbs.PortAttributes;
import org.chagres.verbs.PortState;
import org.chagres.verbs.ProtectionDomain;
import org.chagres.verbs.QueuePair;
import org.chagres.verbs.QueuePairOptions;

/** A device that exists in memory only, to try transports where there is none, and in ways that a real one hardly ever shows. */
public final class FakeDevice {
    private static final Gid ADDRESS = Gid.parse("::ffff:192.0.2.9");
    private static final int EVENTS = 16;

    private final String name;
    private final int inline;
    private final FakeNetwork network;
    private final GidEntry gid = new GidEntry(1, 0, ADDRESS, GidType.ROCE_V2, Optional.of("eth9"));
    private final BlockingQueue<AsyncEvent> events = new ArrayBlockingQueue<>(EVENTS);
    private final Context context = Partial.of(Context.class, new FakeContext());

    /**
     * @param seed of the order of everything
     * @param inline the most bytes that travel in a request
     */
    public FakeDevice(final long seed, final int inline) {
        this.name = "fake" + seed;
        this.inline = inline;
        this.network = new FakeNetwork(seed);
    }

    /** Its only port, which can write as many bytes at a time. */
    public UsablePort port(final long maxMessageBytes) {
        return new UsablePort(Partial.of(Device.class, this), new PortName(name, 1), attributes(maxMessageBytes),
                new GidChoice(gid, List.of(), List.of()), OptionalInt.empty());
    }

    private static PortAttributes attributes(final long maxMessageBytes) {
        return new PortAttributes(1, PortState.ACTIVE, Mtu.MTU_4096, Mtu.MTU_1024, 1, 1, maxMessageBytes, 0, 0, 0,
                LinkLayer.ETHERNET, 1, 1, 5, 0,
                false);
    }

    /** The wire stops, or goes on. */
    public void stop(final boolean wanted) {
        network.stop(wanted);
    }

    /** Data arrive, but nobody is told before {@link #tell}. */
    public void silence() {
        network.silence();
    }

    /** Everybody is told what has arrived. */
    public void tell() {
        network.tell();
    }

    /** Moves requests. */
    public void move(final int most) {
        network.move(most);
    }

    /** Memory cannot be registered any more; null lets it be again. */
    public void refuseMemory(final RuntimeException why) {
        network.refuse(why);
    }

    /** An event comes. */
    public void happens(final AsyncEventType type, final int port) {
        events.add(new AsyncEvent(type, type.code(), context, port));
    }

    /** What is open: queue pairs and registered regions. */
    public int held() {
        synchronized (network) {
            return network.pairs.size() + network.byLocalKey.size();
        }
    }

    String name() {
        return name;
    }

    OptionalInt numaNode() {
        return OptionalInt.empty();
    }

    @SuppressWarnings("unused") // through the interface
    Context open() {
        return context;
    }

    /** The open device. */
    final class FakeContext {
        Device device() {
            return Partial.of(Device.class, FakeDevice.this);
        }

        DeviceAttributes attributes() {
            return new DeviceAttributes("1", 0, 0, 0, 0, 0, 1, 1L << 40, 4096, 99, 9999, 9, 9, 99, 99_999, 9999, 9, 1,
                    1, AtomicCapability.NONE, 9, 0, 0,
                    0, 1, 0, 0);
        }

        PortAttributes port(final int port) {
            return FakeDevice.attributes(1 << 20);
        }

        List<GidEntry> gids(final int port) {
            return List.of(gid);
        }

        ProtectionDomain allocateProtectionDomain() {
            return Partial.of(ProtectionDomain.class, new FakeDomain());
        }

        CompletionQueue createCompletionQueue(final int entries) {
            return Partial.of(CompletionQueue.class, new FakeQueue(network, entries));
        }

        Optional<AsyncEvent> awaitEvent(final Duration timeout) throws InterruptedException {
            return Optional.ofNullable(events.poll(timeout.toNanos(), TimeUnit.NANOSECONDS));
        }

        void close() {
            // Nothing is held.
        }
    }

    /** Its protection domain. */
    final class FakeDomain {
        Context context() {
            return context;
        }

        MemoryRegion register(final MemorySegment segment, final Set<Access> access) {
            final FakeRegion region = network.register(segment.address(), segment.byteSize(), access);
            return Partial.of(MemoryRegion.class, new Registered(region));
        }

        QueuePair createQueuePair(final QueuePairOptions options) {
            return Partial.of(QueuePair.class,
                    network.pair(this, Partial.implementation(options.sendQueue(), FakeQueue.class),
                            options.capacities(), inline));
        }
    }

    /** A registered region. */
    final class Registered {
        private final FakeRegion region;

        Registered(final FakeRegion region) {
            this.region = region;
        }

        long address() {
            return region.address();
        }

        long length() {
            return region.length();
        }

        int localKey() {
            return region.localKey();
        }

        int remoteKey() {
            return region.remoteKey();
        }

        void close() {
            network.deregister(region);
        }
    }
}
