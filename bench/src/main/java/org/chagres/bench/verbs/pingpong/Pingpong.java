package org.chagres.bench.verbs.pingpong;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.IntStream;
import org.chagres.bench.UsageException;
import org.chagres.bench.verbs.LocalPort;
import org.chagres.bench.verbs.PeerLostException;
import org.chagres.bench.verbs.Stall;
import org.chagres.verbs.Access;
import org.chagres.verbs.CompletionBatch;
import org.chagres.verbs.CompletionChannel;
import org.chagres.verbs.CompletionQueue;
import org.chagres.verbs.ConnectionOptions;
import org.chagres.verbs.Context;
import org.chagres.verbs.Endpoint;
import org.chagres.verbs.LinkLayer;
import org.chagres.verbs.MemoryRegion;
import org.chagres.verbs.PreparedReceives;
import org.chagres.verbs.PreparedSends;
import org.chagres.verbs.ProtectionDomain;
import org.chagres.verbs.QueuePair;
import org.chagres.verbs.QueuePairOptions;
import org.chagres.verbs.VerbsException;

/**
 * One end of {@code ibv_rc_pingpong}: sends a message and receives one, in turns, over a reliable connection with the C program's parameters. Owned by its
 * user; everything that it makes belongs to the context.
 */
final class Pingpong {
    private static final int PAGE = 4096;
    /** What the C program fills its memory with, and the first byte of every page that its {@code -c} sends and expects. */
    private static final byte FILLER = 0x7b;
    private static final byte CHECKED = 0;
    private static final long RECEIVED = 1;
    private static final long SENT = 2;
    private static final int BOTH = (int) (RECEIVED | SENT);
    private static final int BATCH = 16;
    private static final int PATIENCE_SECONDS = 10;

    private final PingpongSettings settings;
    private final LocalPort port;
    private final Optional<CompletionChannel> channel;
    private final CompletionQueue queue;
    private final CompletionBatch batch;
    private final MemorySegment memory;
    private final QueuePair queuePair;
    private final PreparedSends sends;
    private final PreparedReceives receives;
    private final ConnectionOptions options;
    private final PingpongAddress own;
    private int posted;
    private int sent;
    private int received;
    private int pending = (int) RECEIVED;

    /** @param arena lives longer than the context */
    Pingpong(final Context context, final LocalPort port, final PingpongSettings settings, final Arena arena) {
        this.settings = settings;
        this.port = port;
        this.options = options(port, settings);
        channel = settings.events() ? Optional.of(context.createCompletionChannel()) : Optional.empty();
        queue = channel.isPresent()
                ? context.createCompletionQueue(settings.rxDepth() + 1, channel.get())
                : context.createCompletionQueue(settings.rxDepth() + 1);
        batch = queue.prepareBatch(BATCH);
        final ProtectionDomain domain = context.allocateProtectionDomain();
        memory = arena.allocate(settings.size(), PAGE).fill(FILLER);
        if (settings.pattern()) {
            pages().forEach(page -> memory.set(ValueLayout.JAVA_BYTE, (long) page * PAGE, CHECKED));
        }
        final MemoryRegion region = domain.register(memory, Access.LOCAL);
        queuePair = domain.createQueuePair(QueuePairOptions.rc(queue).sends(1, 1).receives(settings.rxDepth(), 1));
        queuePair.initialize(options);
        final boolean inline = queuePair.capacities().maxInlineData() >= settings.size();
        sends = queuePair.prepareSends(1, 1);
        sends.send(0, SENT, region.address(), region.localKey(), settings.size(),
                PreparedSends.SIGNALED | (inline ? PreparedSends.INLINE : 0));
        receives = queuePair.prepareReceives(settings.rxDepth(), 1);
        for (int slot = 0; slot < settings.rxDepth(); slot++) {
            receives.receive(slot, RECEIVED, region.address(), region.localKey(), settings.size());
        }
        postReceives();
        channel.ifPresent(_ -> queue.requestNotification(false));
        own = new PingpongAddress(port.attributes().lid(), queuePair.number(),
                ThreadLocalRandom.current().nextInt(1 << 24), port.address());
    }

    /** The C program's parameters. */
    private static ConnectionOptions options(final LocalPort port, final PingpongSettings settings) {
        if (settings.mtu().bytes() > port.attributes().activeMtu().bytes()) {
            throw new UsageException("-m " + settings.mtu().bytes() + " is above the port's active MTU of "
                    + port.attributes().activeMtu().bytes() + ": use a smaller one, at both ends");
        }
        if (settings.size() > port.attributes().maxMessageBytes()) {
            throw new UsageException("-s " + settings.size() + " is above the port's longest message of "
                    + port.attributes().maxMessageBytes() + " bytes");
        }
        return port.connection()
                .mtu(settings.mtu())
                .serviceLevel(settings.serviceLevel())
                .timeout(14)
                .retryCount(7)
                .rnrRetry(7)
                .minRnrTimer(12)
                .maxRdAtomic(1)
                .access(Access.LOCAL);
    }

    /** What the peer must know. */
    PingpongAddress address() {
        return own;
    }

    /**
     * Makes the queue pair ready to receive and to send.
     *
     * @throws UsageException if it cannot be reached from this port
     */
    void connect(final PingpongAddress remote) {
        final ConnectionOptions way = way(remote);
        final Endpoint end = new Endpoint(remote.queuePairNumber(), remote.packetSequenceNumber(), remote.lid(),
                remote.gid(), settings.mtu());
        queuePair.readyToReceive(end, way);
        queuePair.readyToSend(own.packetSequenceNumber(), way);
    }

    /** A peer that sends no GID wants to be reached by its LID, which only InfiniBand can. */
    private ConnectionOptions way(final PingpongAddress remote) {
        if (remote.gid().interfaceId() != 0) {
            if (port.gid().isEmpty()) {
                throw new UsageException("the peer uses GID " + remote.gid() + ", this end none: choose one with -g");
            }
            return options;
        }
        if (port.attributes().linkLayer() == LinkLayer.ETHERNET || port.attributes().grhRequired()) {
            throw new UsageException("the peer sent no GID, which " + port.attributes().linkLayer().text()
                    + " needs: start it with -g and the index of a GID");
        }
        return options.gidIndex(ConnectionOptions.AUTOMATIC);
    }

    /**
     * All exchanges; the client begins.
     *
     * @return how long they took, in nanoseconds
     */
    long run(final boolean client) throws InterruptedException {
        final Stall stall = new Stall(PATIENCE_SECONDS, () -> settings.iterations() + " messages", () -> false);
        final long start = System.nanoTime();
        if (client) {
            send();
        }
        while (received < settings.iterations() || sent < settings.iterations()) {
            if (channel.isPresent()) {
                sleep(channel.get());
            }
            if (!drain() && channel.isEmpty()) {
                stall.idle(received);
            }
        }
        return System.nanoTime() - start;
    }

    /** The pages of what was received last that do not begin as the client's {@code -c} makes them. */
    List<Integer> wrongPages() {
        return pages().filter(page -> memory.get(ValueLayout.JAVA_BYTE, (long) page * PAGE) != CHECKED)
                .boxed()
                .toList();
    }

    private IntStream pages() {
        return IntStream.rangeClosed(0, (settings.size() - 1) / PAGE);
    }

    private void sleep(final CompletionChannel sleeper) throws InterruptedException {
        if (sleeper.awaitEvent(Duration.ofSeconds(PATIENCE_SECONDS)).isEmpty()) {
            throw new PeerLostException("nothing came for " + PATIENCE_SECONDS + " s, after " + received + " of the "
                    + settings.iterations() + " messages: has the peer ended, does the network drop its packets?");
        }
        queue.requestNotification(false);
    }

    /** Takes everything off the completion queue. */
    private boolean drain() {
        boolean any = false;
        int count = queue.poll(batch);
        while (count != 0) {
            if (count < 0) {
                throw new VerbsException("the completion queue broke: its " + queue.entries() + " entries overran");
            }
            any = true;
            for (int i = 0; i < count; i++) {
                complete(i);
            }
            count = queue.poll(batch);
        }
        return any;
    }

    private void complete(final int index) {
        if (batch.status(index) != 0) {
            batch.completion(index).orThrow();
        }
        final long id = batch.id(index);
        if (id == SENT) {
            sent++;
        } else {
            received++;
            posted--;
            if (posted <= 1) {
                postReceives();
            }
        }
        pending &= (int) ~id;
        if (sent < settings.iterations() && pending == 0) {
            send();
        }
    }

    private void send() {
        check("send", sends.post(0, 1));
        pending = BOTH;
    }

    private void postReceives() {
        check("receive", receives.post(0, settings.rxDepth() - posted));
        posted = settings.rxDepth();
    }

    private static void check(final String what, final int errno) {
        if (errno != 0) {
            throw new VerbsException("a " + what + " request was not posted, errno " + errno, "ibv_post_" + what,
                    errno);
        }
    }
}
