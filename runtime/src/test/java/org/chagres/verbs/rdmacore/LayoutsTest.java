package org.chagres.verbs.rdmacore;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.Optional;
import java.util.Random;
import org.chagres.bindings.verbs.ibv_ah_attr;
import org.chagres.bindings.verbs.ibv_qp_attr;
import org.chagres.bindings.verbs.ibv_recv_wr;
import org.chagres.bindings.verbs.ibv_send_wr;
import org.chagres.bindings.verbs.ibv_sge;
import org.chagres.verbs.Access;
import org.chagres.verbs.AddressVector;
import org.chagres.verbs.Gid;
import org.chagres.verbs.GidType;
import org.chagres.verbs.Mtu;
import org.chagres.verbs.QueuePairAttributes;
import org.chagres.verbs.QueuePairState;
import org.chagres.verbs.QueuePairType;
import org.junit.jupiter.api.Test;

/** What is written by constant offsets is what the generated accessors read, and what is written can be read back. */
class LayoutsTest {
    private static MemorySegment request(final SendTable table, final int slot) {
        return MemorySegment.ofAddress(table.address(slot)).reinterpret(ibv_send_wr.sizeof());
    }

    private static MemorySegment entry(final MemorySegment list, final int index) {
        return list.reinterpret(ibv_sge.sizeof() * (index + 1)).asSlice(ibv_sge.sizeof() * index);
    }

    @Test
    void sendRequestsAreWhatTheHeaderSays() {
        try (Arena arena = Arena.ofConfined()) {
            final SendTable table = new SendTable(arena, 3, 2);
            table.fill(1, SendTable.RDMA_WRITE_WITH_IMM, 0x1122334455667788L, 0x99aabbccddeeff00L, 0x12345678, -2, 10);
            table.remote(1, 0xfedcba9876543210L, 0x0badcafe);
            table.immediate(1, 0x01020304);
            table.entry(1, 1, 77, 88, 99);
            final MemorySegment wr = request(table, 1);
            assertEquals(0x1122334455667788L, ibv_send_wr.wr_id(wr));
            assertEquals(1, ibv_send_wr.opcode(wr));
            assertEquals(10, ibv_send_wr.send_flags(wr));
            assertEquals(2, ibv_send_wr.num_sge(wr));
            assertEquals(0x04030201, ibv_send_wr.imm_data(wr));
            final MemorySegment rdma = ibv_send_wr.wr.rdma(ibv_send_wr.wr(wr));
            assertEquals(0xfedcba9876543210L, ibv_send_wr.wr.rdma.remote_addr(rdma));
            assertEquals(0x0badcafe, ibv_send_wr.wr.rdma.rkey(rdma));
            final MemorySegment first = entry(ibv_send_wr.sg_list(wr), 0);
            assertEquals(0x99aabbccddeeff00L, ibv_sge.addr(first));
            assertEquals(-2, ibv_sge.length(first));
            assertEquals(0x12345678, ibv_sge.lkey(first));
            final MemorySegment second = entry(ibv_send_wr.sg_list(wr), 1);
            assertEquals(77, ibv_sge.addr(second));
            assertEquals(88, ibv_sge.lkey(second));
            assertEquals(99, ibv_sge.length(second));
            table.atomic(1, 5, 6, 7, 8);
            final MemorySegment atomic = ibv_send_wr.wr.atomic(ibv_send_wr.wr(wr));
            assertEquals(5, ibv_send_wr.wr.atomic.remote_addr(atomic));
            assertEquals(6, ibv_send_wr.wr.atomic.rkey(atomic));
            assertEquals(7, ibv_send_wr.wr.atomic.compare_add(atomic));
            assertEquals(8, ibv_send_wr.wr.atomic.swap(atomic));
            table.destination(1, 9, 10, 11);
            final MemorySegment ud = ibv_send_wr.wr.ud(ibv_send_wr.wr(wr));
            assertEquals(9, ibv_send_wr.wr.ud.ah(ud).address());
            assertEquals(10, ibv_send_wr.wr.ud.remote_qpn(ud));
            assertEquals(11, ibv_send_wr.wr.ud.remote_qkey(ud));
        }
    }

    @Test
    void tablesAreRingsThatEndInOnePlace() {
        try (Arena arena = Arena.ofConfined()) {
            final SendTable sends = new SendTable(arena, 3, 1);
            final ReceiveTable receives = new ReceiveTable(arena, 3, 0);
            for (final int end : new int[]{2, 0, 0, 1, 2, 1, 0}) {
                sends.end(end);
                receives.end(end);
                for (int slot = 0; slot < 3; slot++) {
                    final int next = (slot + 1) % 3;
                    assertEquals(slot == end ? 0 : sends.address(next),
                            ibv_send_wr.next(request(sends, slot)).address());
                    assertEquals(slot == end ? 0 : receives.address(next),
                            ibv_recv_wr.next(receive(receives, slot)).address());
                }
            }
        }
    }

    @Test
    void receivesMayHaveNoMemory() {
        try (Arena arena = Arena.ofConfined()) {
            final ReceiveTable receives = new ReceiveTable(arena, 3, 0);
            receives.fill(1, 41);
            assertEquals(41, ibv_recv_wr.wr_id(receive(receives, 1)));
            assertEquals(0, ibv_recv_wr.num_sge(receive(receives, 1)));
            assertThrows(IndexOutOfBoundsException.class, () -> receives.entry(0, 0, 0, 0, 0));
        }
    }

    private static MemorySegment receive(final ReceiveTable table, final int slot) {
        return MemorySegment.ofAddress(table.address(slot)).reinterpret(ibv_recv_wr.sizeof());
    }

    @Test
    void rangesGoAroundTheRing() {
        assertEquals(0, Slots.last(3, 2, 4));
        assertEquals(3, Slots.last(0, 4, 4));
        assertEquals(2, Slots.last(3, 4, 4));
        for (final int[] bad : new int[][]{{-1, 1 }, {4, 1 }, {0, 0 }, {0, 5 }, {0, Integer.MAX_VALUE },
                {Integer.MAX_VALUE, 1 } }) {
            assertThrows(IndexOutOfBoundsException.class, () -> Slots.last(bad[0], bad[1], 4));
        }
        assertEquals(3, Slots.before(1, 2, 4));
        assertEquals(0, Slots.before(2, 2, 4));
        assertEquals(0, Slots.before(-1, 2, 4));
        assertEquals(12, Slots.errno(-12));
        assertEquals(12, Slots.errno(12));
    }

    @Test
    void addressesComeBack() {
        final Random random = new Random(5);
        try (Arena arena = Arena.ofConfined()) {
            for (int i = 0; i < 1000; i++) {
                final AddressVector vector = address(random);
                final MemorySegment fields = arena.allocate(ibv_ah_attr.layout());
                AddressLayout.write(fields, vector);
                assertEquals(Optional.of(vector), AddressLayout.read(fields));
            }
            assertEquals(Optional.empty(), AddressLayout.read(arena.allocate(ibv_ah_attr.layout())));
        }
    }

    private static AddressVector address(final Random random) {
        final var route = new AddressVector.GlobalRoute(new Gid(random.nextLong(), random.nextLong()),
                random.nextInt(256), random.nextInt(256),
                random.nextInt(256), random.nextInt(1 << 20));
        return new AddressVector(1 + random.nextInt(255), random.nextInt(1 << 16), random.nextInt(16),
                random.nextInt(128), random.nextInt(256),
                random.nextBoolean() ? Optional.of(route) : Optional.empty());
    }

    @Test
    void attributesComeBack() {
        final Random random = new Random(6);
        try (Arena arena = Arena.ofConfined()) {
            for (int i = 0; i < 1000; i++) {
                final QueuePairAttributes common = QueuePairAttributes.to(QueuePairState.of(random.nextInt(7)))
                        .pkeyIndex(random.nextInt(1 << 16))
                        .sqPsn(random.nextInt(1 << 24))
                        .port(1 + random.nextInt(255));
                final QueuePairAttributes connected = common.accessFlags(Access.of(random.nextInt(16)))
                        .rqPsn(random.nextInt(1 << 24))
                        .destQpn(random.nextInt(1 << 24))
                        .pathMtu(Mtu.of(1 + random.nextInt(5)))
                        .addressVector(address(random));
                final QueuePairAttributes reliable = connected.timeout(random.nextInt(32))
                        .retryCount(random.nextInt(8))
                        .rnrRetry(random.nextInt(8))
                        .minRnrTimer(random.nextInt(32))
                        .maxRdAtomic(random.nextInt(256))
                        .maxDestRdAtomic(random.nextInt(256));
                assertBack(arena, common.qkey(random.nextInt()), QueuePairType.UD);
                assertBack(arena, connected, QueuePairType.UC);
                assertBack(arena, reliable, QueuePairType.RC);
            }
        }
    }

    private static void assertBack(final Arena arena, final QueuePairAttributes attributes, final QueuePairType type) {
        final MemorySegment fields = arena.allocate(ibv_qp_attr.layout());
        QueuePairLayout.write(fields, attributes);
        assertEquals(attributes, QueuePairLayout.read(fields, type));
    }

    @Test
    void socketAddressesComeBack() throws UnknownHostException {
        try (Arena arena = Arena.ofConfined()) {
            for (final String host : new String[]{"0.0.0.0", "192.0.2.255", "::1", "2001:db8::ff", "fe80::1" }) {
                for (final int port : new int[]{0, 1, 0x1234, 65_535 }) {
                    final InetSocketAddress address = new InetSocketAddress(InetAddress.getByName(host), port);
                    assertEquals(Optional.of(address),
                            SocketAddresses.read(SocketAddresses.write(arena, address).reinterpret(128)));
                }
            }
            assertEquals(Optional.empty(), SocketAddresses.read(arena.allocate(128)));
            assertThrows(IllegalArgumentException.class,
                    () -> SocketAddresses.write(arena, InetSocketAddress.createUnresolved("x", 1)));
        }
    }

    @Test
    void oldKernelsTellTypesInWords() {
        assertEquals(GidType.ROCE_V1, GidTable.type(Optional.of("IB/RoCE v1")));
        assertEquals(GidType.ROCE_V2, GidTable.type(Optional.of("RoCE v2")));
        assertEquals(GidType.INFINIBAND, GidTable.type(Optional.empty()));
    }
}
