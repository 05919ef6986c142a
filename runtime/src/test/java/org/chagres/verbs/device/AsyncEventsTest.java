package org.chagres.verbs.device;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.chagres.verbs.AsyncEvent;
import org.chagres.verbs.AsyncEventType;
import org.chagres.verbs.CompletionStatus;
import org.chagres.verbs.ConnectionOptions;
import org.chagres.verbs.Context;
import org.chagres.verbs.Mtu;
import org.chagres.verbs.PortState;
import org.chagres.verbs.QueuePairAttributes;
import org.chagres.verbs.QueuePairState;
import org.chagres.verbs.QueuePairType;
import org.chagres.verbs.SendRequest;
import org.chagres.verbs.VerbsException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What happens to a port and to queues outside of any request. Changes the network device beneath, and changes it back. */
@Tag("rdma")
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class AsyncEventsTest {
    private static final String NETDEV = "dummy0";

    /** The next event of this type; others, such as those that follow from it, are passed over. */
    private static AsyncEvent event(final Context context, final AsyncEventType type) throws InterruptedException {
        final long end = System.nanoTime() + Rdma.PATIENCE.toNanos();
        while (System.nanoTime() < end) {
            final Optional<AsyncEvent> event = context.awaitEvent(Duration.ofSeconds(1));
            if (event.isPresent() && event.get().type() == type) {
                return event.get();
            }
        }
        return fail("no event " + type);
    }

    private static void awaitState(final Context context, final PortState state) throws InterruptedException {
        final long end = System.nanoTime() + Rdma.PATIENCE.toNanos();
        while (context.port(1).state() != state) {
            assertTrue(System.nanoTime() < end, () -> "the port is " + context.port(1).state() + ", not " + state);
            Thread.sleep(10);
        }
    }

    @Test
    void aPortThatGoesDownAndComesUpAgain() throws InterruptedException {
        Rdma.provider();
        Machine.assumeMayBeChanged();
        try (Couple couple = Couple.hasty(o -> o)) {
            couple.a.pair().post(SendRequest.write(1, couple.a.region().slice(0, 8), couple.b.region().remote(0)));
            Rdma.success(couple.a.queue(), 1);
            Machine.command("ip", "link", "set", NETDEV, "down");
            try {
                final AsyncEvent down = event(couple.context, AsyncEventType.PORT_ERR);
                assertEquals(1, down.port());
                assertSame(couple.context, down.source());
                assertTrue(down.type().isFailure());
                awaitState(couple.context, PortState.DOWN);
                couple.a.pair().post(SendRequest.write(2, couple.a.region().slice(0, 8), couple.b.region().remote(0)));
                final var failure = Rdma.next(couple.a.queue());
                assertEquals(2, failure.id());
                assertTrue(failure.status() != CompletionStatus.SUCCESS, failure::toString);
                final String words = assertThrows(VerbsException.class, failure::orThrow).getMessage();
                assertTrue(words.contains(failure.status().name()), words);
            } finally {
                Machine.command("ip", "link", "set", NETDEV, "up");
            }
            assertEquals(1, event(couple.context, AsyncEventType.PORT_ACTIVE).port());
            awaitState(couple.context, PortState.ACTIVE);
            couple.a.pair().reset();
            couple.b.pair().reset();
            couple.connect(ConnectionOptions.defaults());
            couple.a.pair().post(SendRequest.write(3, couple.a.region().slice(0, 8), couple.b.region().remote(0)));
            Rdma.success(couple.a.queue(), 3);
        }
    }

    /** Connecting over a port that is down says so, in the refusal or in the completion. */
    @Test
    void connectingOverAPortThatIsDown() throws InterruptedException {
        Rdma.provider();
        Machine.assumeMayBeChanged();
        try (Couple couple = Couple.unconnected(QueuePairType.RC, o -> o)) {
            Machine.command("ip", "link", "set", NETDEV, "down");
            try {
                awaitState(couple.context, PortState.DOWN);
                final VerbsException refusal = assertThrows(VerbsException.class, () -> {
                    couple.connect(ConnectionOptions.defaults().timeout(8).retryCount(1));
                    couple.a.pair()
                            .post(SendRequest.write(1, couple.a.region().slice(0, 8), couple.b.region().remote(0)));
                    Rdma.next(couple.a.queue()).orThrow();
                });
                assertTrue(refusal.getMessage().toLowerCase(java.util.Locale.ROOT).contains("down"),
                        refusal.getMessage());
            } finally {
                Machine.command("ip", "link", "set", NETDEV, "up");
            }
            awaitState(couple.context, PortState.ACTIVE);
        }
    }

    @Test
    void anAddressThatComesAndGoes() throws InterruptedException {
        Rdma.provider();
        Machine.assumeMayBeChanged();
        try (Context context = Rdma.open()) {
            final int rows = context.gids(1).size();
            Machine.command("ip", "addr", "add", "198.51.100.7/24", "dev", NETDEV);
            try {
                assertEquals(1, event(context, AsyncEventType.GID_CHANGE).port());
                final var row = context.gids(1)
                        .stream()
                        .filter(e -> e.gid().toString().equals("::ffff:198.51.100.7"))
                        .findFirst()
                        .orElseThrow();
                assertEquals(Optional.of(NETDEV), row.networkDevice());
                assertEquals(rows + 1, context.gids(1).size());
            } finally {
                Machine.command("ip", "addr", "del", "198.51.100.7/24", "dev", NETDEV);
            }
            event(context, AsyncEventType.GID_CHANGE);
            assertEquals(rows, context.gids(1).size());
        }
    }

    @Test
    void anMtuThatThePortDoesNotHave() throws InterruptedException {
        Rdma.provider();
        Machine.assumeMayBeChanged();
        final String full = Machine.command("cat", "/sys/class/net/" + NETDEV + "/mtu").strip();
        Machine.command("ip", "link", "set", NETDEV, "mtu", "1500");
        try (Couple couple = Couple.unconnected(QueuePairType.RC, o -> o)) {
            assertEquals(Mtu.MTU_1024, couple.context.port(1).activeMtu());
            final ConnectionOptions large = ConnectionOptions.defaults().mtu(Mtu.MTU_4096);
            final VerbsException refusal = assertThrows(VerbsException.class, () -> couple.connect(large));
            assertTrue(refusal.getMessage().contains("MTU") && refusal.getMessage().contains("1024")
                    && refusal.getMessage().contains("4096"), refusal.getMessage());
            couple.a.pair().reset();
            couple.b.pair().reset();
            couple.connect(ConnectionOptions.defaults());
            assertEquals(Mtu.MTU_1024, couple.a.pair().query().pathMtu());
            couple.a.pair().post(SendRequest.write(1, couple.a.region().slice(0, 5000), couple.b.region().remote(0)));
            Rdma.success(couple.a.queue(), 1);
        } finally {
            Machine.command("ip", "link", "set", NETDEV, "mtu", full);
        }
    }

    @Test
    void aSendQueueThatHasDrained() throws InterruptedException {
        try (Couple couple = Couple.of(QueuePairType.RC)) {
            couple.a.pair().modify(QueuePairAttributes.to(QueuePairState.SQD).sqdNotify(true));
            final AsyncEvent drained = event(couple.context, AsyncEventType.SQ_DRAINED);
            assertSame(couple.a.pair(), drained.source());
            couple.a.pair().modify(QueuePairAttributes.to(QueuePairState.RTS));
            couple.a.pair().post(SendRequest.write(1, couple.a.region().slice(0, 8), couple.b.region().remote(0)));
            Rdma.success(couple.a.queue(), 1);
        }
    }

    @Test
    void noEventIsNoEvent() throws InterruptedException {
        try (Context context = Rdma.open()) {
            assertEquals(Optional.empty(), context.pollEvent());
            final long start = System.nanoTime();
            assertEquals(Optional.empty(), context.awaitEvent(Rdma.MOMENT));
            assertTrue(System.nanoTime() - start >= Rdma.MOMENT.toNanos());
            assertEquals(Optional.empty(), context.awaitEvent(Duration.ZERO));
        }
    }
}
