package org.chagres.transport;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.ValueLayout;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.LongConsumer;
import org.agrona.concurrent.YieldingIdleStrategy;
import org.chagres.bindings.CallState;
import org.chagres.bindings.LibC;
import org.chagres.bindings.SocketIo;
import org.chagres.bindings.Sockets;
import org.chagres.memory.Memory;
import org.chagres.memory.MemoryDomain;
import org.chagres.memory.PageSize;
import org.chagres.memory.Region;
import org.junit.jupiter.api.Test;

class TcpLinkTest extends LinkContract {
    private static final long SEED = 20261130;

    @Override
    String transport() {
        return "tcp";
    }

    @Override
    boolean refusesAtOnce() {
        return false;
    }

    @Override
    Pair connect() {
        final ControlLayout layout = new ControlLayout(12_288, 2, CHANNELS, INBOX_BYTES, SCRATCH_BYTES);
        final MemoryDomain[] domains = {new MemoryDomain(Map.of()), new MemoryDomain(Map.of()) };
        final Region[] controls = new Region[2];
        for (int r = 0; r < 2; r++) {
            controls[r] = domains[r].allocate(layout.end(), PageSize.BASE);
        }
        final int[] sockets = sockets();
        final TcpTransport[] transports = {new TcpTransport(domains[0]), new TcpTransport(domains[1]) };
        final Link[] links = new Link[2];
        for (int r = 0; r < 2; r++) {
            links[r] = new TcpLink(transports[r].connection(sockets[r], 1 - r), 3, layout, r, controls[r],
                    controls[1 - r].token());
        }
        return new Pair(domains, controls, links, transports, () -> {
            List.of(transports).forEach(TcpTransport::close);
            List.of(domains).forEach(MemoryDomain::close);
        });
    }

    /** The two ends of a connection on loopback, both non-blocking. */
    private static int[] sockets() {
        final InetAddress here = InetAddress.getLoopbackAddress();
        final int listener = Sockets.open(here);
        Sockets.bind(listener, new InetSocketAddress(here, 0));
        Sockets.listen(listener, 1);
        final int one = Sockets.open(here);
        Sockets.connect(one, Sockets.localAddress(listener));
        int other = Sockets.accept(listener);
        while (other < 0) {
            YieldingIdleStrategy.INSTANCE.idle();
            other = Sockets.accept(listener);
        }
        LibC.close(listener);
        return new int[]{one, other };
    }

    @Test
    void aPeerThatClosedItsMemoryBreaksTheConnectionAndNothingElse() {
        pair().domains()[1].close();
        try (Region source = pair().domains()[0].allocate(INBOX_BYTES, PageSize.BASE)) {
            up().deliver(1, source.address(), INBOX_BYTES, 5);
            assertThrows(LinkException.class, () -> await(() -> down().delivered(1)));
        }
    }

    @Test
    void takesNoMoreThanAWindowUntilThePeerReads() {
        try (Region source = pair().domains()[0].allocate(1 << 20, PageSize.BASE);
                Region target = pair().domains()[1].allocate(1 << 20, PageSize.BASE)) {
            int puts = 0;
            while (up().writable()) {
                up().put(source.address(), target.token(), 0, 1 << 20);
                assertTrue(++puts < 1000, "nothing bounds what is pending");
            }
            assertFalse(up().flushed());
            await(up()::flushed);
            assertTrue(up().writable());
            up().signal(1, 0, puts);
            final long all = puts;
            await(() -> down().raised(1, 0) == all);
        }
    }

    /** Waits of a minute, which end at once. */
    @Test
    void aSleeperWakesWhenDataComeOrThereIsRoomToSend() {
        final long minute = 60_000_000_000L;
        final long start = System.nanoTime();
        final Transport sending = pair().transports()[0];
        final Transport receiving = pair().transports()[1];
        final LongConsumer reader = receiving.sleeper();
        final LongConsumer writer = sending.sleeper();
        reader.accept(1_000_000);
        assertFalse(receiving.poll(), "nothing was sent");
        up().signal(1, 0, 3);
        reader.accept(minute);
        assertTrue(receiving.poll());
        assertEquals(3, down().raised(1, 0));
        try (Region source = pair().domains()[0].allocate(1 << 20, PageSize.BASE);
                Region target = pair().domains()[1].allocate(1 << 20, PageSize.BASE)) {
            up().put(source.address(), target.token(), 0, 1 << 20);
            while (!up().flushed()) {
                writer.accept(minute);
                sending.poll();
                reader.accept(minute);
                receiving.poll();
            }
        }
        assertTrue(System.nanoTime() - start < minute, "nothing woke it");
    }

    @Test
    void whatWasSentBeforeAnOrderlyEndArrives() {
        try (Region source = pair().domains()[0].allocate(1 << 20, PageSize.BASE);
                Region target = pair().domains()[1].allocate(1 << 20, PageSize.BASE)) {
            source.segment().fill((byte) 42);
            // The peer has something unread too: closing must not make the kernel drop what goes the other way.
            down().signal(1, 2, 5);
            up().put(source.address(), target.token(), 0, 1 << 20);
            up().signal(1, 0, 9);
            final Thread closing = Thread.ofPlatform().start(pair().transports()[0]::close);
            while (down().raised(1, 0) != 9) {
                pair().transports()[1].poll();
            }
            while (closing.isAlive()) {
                YieldingIdleStrategy.INSTANCE.idle();
            }
            for (int i = 0; i < 1 << 20; i += 1021) {
                assertEquals(42, target.segment().get(ValueLayout.JAVA_BYTE, i));
            }
            // A goodbye is no failure, and nobody minds what is said to someone who has left.
            for (int i = 0; i < 1000; i++) {
                pair().transports()[1].poll();
                down().signal(1, 2, i);
            }
        }
    }

    @Test
    void anEndWithoutAGoodbyeIsAFailure() {
        final int[] sockets = sockets();
        try (MemoryDomain domain = new MemoryDomain(Map.of()); TcpTransport transport = new TcpTransport(domain)) {
            transport.connection(sockets[0], 7);
            LibC.close(sockets[1]);
            final LinkException broken = assertThrows(LinkException.class, () -> {
                while (true) {
                    transport.poll();
                }
            });
            assertEquals(7, broken.peer());
            assertTrue(broken.getMessage().contains("rank 7 broke"), broken.getMessage());
        }
    }

    /** Valid headers with fields gone wrong, cut anywhere, and plain noise: refused or taken, but never beyond this rank's memory, and no other exception. */
    @Test
    void noInputDoesAnythingButBreakTheConnection() {
        final Random random = new Random(SEED);
        final ControlLayout layout = new ControlLayout(0, 2, CHANNELS, INBOX_BYTES, SCRATCH_BYTES);
        try (MemoryDomain domain = new MemoryDomain(Map.of());
                Region control = domain.allocate(layout.end(), PageSize.BASE);
                Region bait = domain.allocate(4096, PageSize.BASE);
                Region junk = domain.allocate(1 << 16, PageSize.BASE)) {
            int frames = 0;
            int refused = 0;
            while (frames < 400_000) {
                final int[] sockets = sockets();
                try (TcpTransport transport = new TcpTransport(domain)) {
                    final TcpLink link = new TcpLink(transport.connection(sockets[0], 1), 0, layout, 0, control, 1);
                    boolean open = true;
                    while (open && frames < 400_000) {
                        final int many = 1 + random.nextInt(20);
                        final long bytes = junk(random, junk.address(), many, bait.token());
                        frames += many;
                        SocketIo.send(CallState.segment(), sockets[1], junk.address(), bytes);
                        open = survives(transport);
                        assertTrue(link.deliveredBytes(1) <= INBOX_BYTES);
                    }
                    refused += open ? 0 : 1;
                }
                LibC.close(sockets[1]);
            }
            assertTrue(refused > 100, "only " + refused + " connections were refused");
        }
    }

    private static boolean survives(final TcpTransport transport) {
        try {
            boolean moved = true;
            while (moved) {
                moved = transport.poll();
            }
            return true;
        } catch (final LinkException e) {
            return false;
        }
    }

    private static long junk(final Random random, final long at, final int frames, final long token) {
        long end = at;
        for (int i = 0; i < frames; i++) {
            final int kind = 1 + random.nextInt(5);
            TcpFrame.write(end, kind, 0, random.nextInt(CHANNELS), random.nextInt(100));
            TcpFrame.operation(end, random.nextInt(10), random.nextLong());
            TcpFrame.place(end, token, random.nextInt(4096));
            final int data = kind == TcpFrame.PUT || kind == TcpFrame.DELIVER ? random.nextInt(200) : 0;
            TcpFrame.length(end, data);
            if (random.nextInt(60) == 0) {
                final long field = end + random.nextInt(TcpFrame.BYTES / 8) * 8L;
                Memory.putLong(field, random.nextInt(3) == 0 ? random.nextLong() : random.nextInt(300) - 50);
            }
            end += TcpFrame.BYTES;
            for (int b = 0; b < data; b++) {
                Memory.ALL.set(ValueLayout.JAVA_BYTE, end + b, (byte) random.nextInt());
            }
            end += data;
        }
        return end - at - (random.nextInt(40) == 0 ? random.nextInt(30) : 0);
    }
}
