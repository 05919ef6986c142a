package org.chagres.bootstrap;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.chagres.bindings.CallState;
import org.chagres.bindings.LibC;
import org.chagres.bindings.SocketIo;
import org.chagres.bindings.Sockets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(value = 60, unit = TimeUnit.SECONDS)
class DataConnectionsTest {
    private static final Duration LONG = Duration.ofSeconds(20);
    private static final Duration SHORT = Duration.ofMillis(100);
    private static final long TOPIC = 0x7001;

    private static <T> CompletableFuture<T> inThread(final Supplier<T> task) {
        return CompletableFuture.supplyAsync(task, run -> Thread.ofPlatform().daemon().start(run));
    }

    /** Sends a number through one end and expects it at the other, both ways. */
    private static void checkPair(final int one, final int other) {
        for (final int[] way : new int[][]{{one, other }, {other, one } }) {
            try (Arena arena = Arena.ofConfined()) {
                final MemorySegment word = arena.allocateFrom(ValueLayout.JAVA_LONG, 0x1234_5678_9ABCL + way[0]);
                final MemorySegment got = arena.allocate(ValueLayout.JAVA_LONG);
                final MemorySegment state = CallState.segment();
                assertEquals(Long.BYTES, SocketIo.send(state, way[0], word.address(), Long.BYTES));
                long received;
                do {
                    received = SocketIo.recv(state, way[1], got.address(), Long.BYTES);
                } while (received == SocketIo.AGAIN);
                assertEquals(Long.BYTES, received);
                assertEquals(word.get(ValueLayout.JAVA_LONG, 0), got.get(ValueLayout.JAVA_LONG, 0));
            }
        }
        assertEquals(1, Sockets.option(one, Sockets.IPPROTO_TCP, Sockets.TCP_NODELAY));
        assertEquals(1, Sockets.option(other, Sockets.IPPROTO_TCP, Sockets.TCP_NODELAY));
    }

    static long openSockets() throws IOException {
        try (Stream<Path> fds = Files.list(Path.of("/proc/self/fd"))) {
            return fds.filter(fd -> {
                try {
                    final String target = Files.readSymbolicLink(fd).toString();
                    return target.startsWith("socket:") || target.startsWith("anon_inode:");
                } catch (final IOException e) {
                    return false;
                }
            }).count();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 3, 7 })
    void everyPairGetsEveryOneOfItsConnections(final int size) throws IOException {
        final long before = openSockets();
        final List<LocalMembership> world = LocalMembership.world(size);
        final int each = 3;
        for (int a = 0; a < size; a++) {
            for (int b = 0; b < a; b++) {
                final DataConnections from = world.get(a).connections();
                final DataConnections to = world.get(b).connections();
                final int me = a;
                final int peer = b;
                final List<CompletableFuture<Integer>> accepted = new ArrayList<>();
                final List<Integer> connected = new ArrayList<>();
                for (int i = 0; i < each; i++) {
                    final int index = i;
                    // The first is awaited before it is made, the others after.
                    if (i == 0) {
                        accepted.add(inThread(() -> to.accept(me, TOPIC, index, LONG)));
                    }
                    connected.add(from.connect(to.address(), peer, TOPIC, index, LONG));
                    if (i != 0) {
                        accepted.add(inThread(() -> to.accept(me, TOPIC, index, LONG)));
                    }
                }
                for (int i = 0; i < each; i++) {
                    checkPair(connected.get(i), accepted.get(i).join());
                    LibC.close(connected.get(i));
                    LibC.close(accepted.get(i).join());
                }
            }
        }
        world.forEach(LocalMembership::close);
        assertEquals(before, openSockets());
    }

    @Test
    void topicsAndIndicesKeepConnectionsApart() {
        final List<LocalMembership> world = LocalMembership.world(2);
        final DataConnections zero = world.get(0).connections();
        final DataConnections one = world.get(1).connections();
        final int a = one.connect(zero.address(), 0, TOPIC, 0, LONG);
        final int b = one.connect(zero.address(), 0, TOPIC, 1, LONG);
        final int c = one.connect(zero.address(), 0, -TOPIC, 0, LONG);
        final int ofC = zero.accept(1, -TOPIC, 0, LONG);
        final int ofB = zero.accept(1, TOPIC, 1, LONG);
        final int ofA = zero.accept(1, TOPIC, 0, LONG);
        checkPair(a, ofA);
        checkPair(b, ofB);
        checkPair(c, ofC);
        List.of(a, b, c, ofA, ofB, ofC).forEach(LibC::close);
        world.forEach(LocalMembership::close);
    }

    @Test
    void aConnectionThatDoesNotComeIsNamed() {
        final List<LocalMembership> world = LocalMembership.world(2);
        final String message = assertThrows(JoinException.class,
                () -> world.get(0).connections().accept(1, TOPIC, 0, SHORT)).getMessage();
        assertTrue(message.contains("rank 1") && message.contains("100 ms"), message);
        // It may still come later, for the next who asks.
        final int fd = world.get(1)
                .connections()
                .connect(world.get(0).connections().address(), 0, TOPIC, 0, LONG);
        final int accepted = world.get(0).connections().accept(1, TOPIC, 0, LONG);
        checkPair(fd, accepted);
        LibC.close(fd);
        LibC.close(accepted);
        world.forEach(LocalMembership::close);
    }

    @Test
    void theSameConnectionTwiceIsRefused() throws IOException {
        final long before = openSockets();
        final List<LocalMembership> world = LocalMembership.world(2);
        final DataConnections zero = world.get(0).connections();
        final DataConnections one = world.get(1).connections();
        final int first = one.connect(zero.address(), 0, TOPIC, 0, LONG);
        final String message = assertThrows(JoinException.class,
                () -> one.connect(zero.address(), 0, TOPIC, 0, LONG)).getMessage();
        assertTrue(message.contains("came twice"), message);
        LibC.close(first);
        world.forEach(LocalMembership::close);
        assertEquals(before, openSockets());
    }

    @Test
    void aConnectionForAnotherRankIsRefused() {
        final List<LocalMembership> world = LocalMembership.world(3);
        final DataConnections one = world.get(1).connections();
        final String message = assertThrows(JoinException.class,
                () -> one.connect(world.get(0).connections().address(), 2, TOPIC, 0, LONG)).getMessage();
        assertTrue(message.contains("rank 1 to rank 2 came to rank 0"), message);
        assertThrows(IllegalArgumentException.class, () -> one.accept(1, TOPIC, 0, LONG));
        assertThrows(IllegalArgumentException.class, () -> one.accept(3, TOPIC, 0, LONG));
        world.forEach(LocalMembership::close);
    }

    @Test
    void theWorldsDoNotMix() {
        final List<LocalMembership> world = LocalMembership.world(2);
        final List<LocalMembership> other = LocalMembership.world(2);
        final String message = assertThrows(JoinException.class,
                () -> world.get(1).connections().connect(other.get(0).connections().address(), 0, TOPIC, 0, LONG))
                .getMessage();
        assertTrue(message.contains("secret"), message);
        world.forEach(LocalMembership::close);
        other.forEach(LocalMembership::close);
    }

    @Test
    void aPeerThatFailsEndsTheWait() throws Exception {
        final List<LocalMembership> world = LocalMembership.world(2);
        final CompletableFuture<Integer> waiting = inThread(
                () -> world.get(0).connections().accept(1, TOPIC, 0, LONG));
        Thread.sleep(50);
        final long start = System.nanoTime();
        world.get(1).fail(new IllegalStateException("broke"));
        final Throwable why = assertThrows(java.util.concurrent.ExecutionException.class,
                () -> waiting.get(10, TimeUnit.SECONDS)).getCause();
        assertTrue(why instanceof JoinException && why.getMessage().contains("broke"), why.toString());
        assertTrue(System.nanoTime() - start < 2_000_000_000L);
        world.forEach(LocalMembership::close);
    }

    /** Nobody gets in who does not know the secret, and it disturbs nobody. */
    @Test
    void strangersAreRefused() throws Exception {
        final List<LocalMembership> world = LocalMembership.world(2);
        final DataConnections zero = world.get(0).connections();
        final List<Socket> strangers = new ArrayList<>();
        for (int i = 0; i < 400; i++) {
            final Socket stranger = new Socket(zero.address().getAddress(), zero.address().getPort());
            strangers.add(stranger);
            if (i % 2 == 0) {
                stranger.getOutputStream().write(new byte[100]);
            }
        }
        final int fd = world.get(1).connections().connect(zero.address(), 0, TOPIC, 0, LONG);
        final int accepted = zero.accept(1, TOPIC, 0, LONG);
        checkPair(fd, accepted);
        assertNotEquals(fd, accepted);
        LibC.close(fd);
        LibC.close(accepted);
        for (final Socket stranger : strangers) {
            stranger.close();
        }
        world.forEach(LocalMembership::close);
    }
}
