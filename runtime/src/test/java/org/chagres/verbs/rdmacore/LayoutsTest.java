package org.chagres.verbs.rdmacore;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
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
        return MemorySegment.ofAddress(table.at(slot)).reinterpret(ibv_send_wr.sizeof());
    }

    private static MemorySegment entry(final MemorySegment list, final int index) {
        return list.reinterpret(ibv_sge.sizeof() * (index + 1)).asSlice(ibv_sge.sizeof() * index);
    }

    @Test
    void sendRequestsAreWhatTheHeaderSays() {
        try (Arena arena = Arena.ofConfined()) {
            final SendTable table = new SendTable(arena, 3, 2);
            final long at = table.fill(1, SendTable.RDMA_WRITE_WITH_IMM, 0x1122334455667788L, 0x99aabbccddeeff00L,
                    0x12345678, -2, 0x01020304, 10);
            SendTable.remote(at, 0xfedcba9876543210L, 0x0badcafe);
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
            SendTable.atomic(at, 5, 6, 7, 8);
            final MemorySegment atomic = ibv_send_wr.wr.atomic(ibv_send_wr.wr(wr));
            assertEquals(5, ibv_send_wr.wr.atomic.remote_addr(atomic));
            assertEquals(6, ibv_send_wr.wr.atomic.rkey(atomic));
            assertEquals(7, ibv_send_wr.wr.atomic.compare_add(atomic));
            assertEquals(8, ibv_send_wr.wr.atomic.swap(atomic));
            SendTable.destination(at, 9, 10, 11);
            final MemorySegment ud = ibv_send_wr.wr.ud(ibv_send_wr.wr(wr));
            assertEquals(9, ibv_send_wr.wr.ud.ah(ud).address());
            assertEquals(10, ibv_send_wr.wr.ud.remote_qpn(ud));
            assertEquals(11, ibv_send_wr.wr.ud.remote_qkey(ud));
        }
    }

    /** The slots that a list from {@code first} on goes through. */
    private static List<Integer> walk(final SendTable table, final int first) {
        final List<Integer> slots = new ArrayList<>();
        long at = table.at(first);
        while (at != 0 && slots.size() <= table.slots()) {
            slots.add((int) ((at - table.at(0)) / ibv_send_wr.sizeof()));
            at = ibv_send_wr.next(MemorySegment.ofAddress(at).reinterpret(ibv_send_wr.sizeof())).address();
        }
        return slots;
    }

    /** Ranges of any start and length, one after the other: each list goes through exactly its slots, around the ring. */
    @Test
    void anyRangeIsAList() {
        final Random random = new Random(8);
        try (Arena arena = Arena.ofConfined()) {
            for (int size = 1; size <= 9; size++) {
                final SendTable table = new SendTable(arena, size, 1);
                for (int i = 0; i < 500; i++) {
                    final int first = random.nextInt(size);
                    final int count = 1 + random.nextInt(size);
                    table.cut(first, count);
                    final List<Integer> expected = new ArrayList<>();
                    for (int slot = 0; slot < count; slot++) {
                        expected.add((first + slot) % size);
                    }
                    assertEquals(expected, walk(table, first));
                }
            }
        }
    }

    @Test
    void refusesRangesAndSlotsThatDoNotExist() {
        try (Arena arena = Arena.ofConfined()) {
            final SendTable table = new SendTable(arena, 4, 1);
            for (final int[] bad : new int[][]{{-1, 1 }, {4, 1 }, {0, 0 }, {0, 5 }, {0, Integer.MAX_VALUE },
                    {Integer.MAX_VALUE, 1 } }) {
                assertThrows(IndexOutOfBoundsException.class, () -> table.cut(bad[0], bad[1]));
            }
            assertThrows(IndexOutOfBoundsException.class, () -> table.at(4));
            assertThrows(IndexOutOfBoundsException.class, () -> table.at(-1));
            assertThrows(IndexOutOfBoundsException.class, () -> table.entry(0, 1, 0, 0, 0));
            assertEquals(List.of(0, 1, 2, 3), walk(table, 0));
            table.retire();
            assertThrows(IllegalStateException.class, () -> table.cut(0, 1));
            assertThrows(IllegalStateException.class, () -> table.fillEmpty(0, 0, 0, 0, 0));
            assertThrows(IllegalStateException.class, () -> table.entry(0, 0, 0, 0, 0));
        }
    }

    @Test
    void countsWhatWasPostedBeforeTheBadOne() {
        try (Arena arena = Arena.ofConfined()) {
            final SendTable table = new SendTable(arena, 4, 1);
            final MemorySegment bad = MemorySegment.ofAddress(table.bad()).reinterpret(Long.BYTES);
            bad.set(ValueLayout.JAVA_LONG, 0, table.at(1));
            assertEquals(3, table.posted(2));
            assertEquals(0, table.posted(1));
            for (final long nowhere : new long[]{0, -1, table.at(0) - 1, table.at(3) + 10_000 }) {
                bad.set(ValueLayout.JAVA_LONG, 0, nowhere);
                assertEquals(0, table.posted(2));
            }
        }
        assertEquals(12, Slots.errno(-12));
        assertEquals(12, Slots.errno(12));
    }

    @Test
    void receiveRequestsAreWhatTheHeaderSays() {
        try (Arena arena = Arena.ofConfined()) {
            final ReceiveTable table = new ReceiveTable(arena, 3, 2);
            table.fill(2, -9);
            final MemorySegment wr = MemorySegment.ofAddress(table.at(2)).reinterpret(ibv_recv_wr.sizeof());
            assertEquals(-9, ibv_recv_wr.wr_id(wr));
            assertEquals(0, ibv_recv_wr.num_sge(wr));
            table.entry(2, 1, 77, 88, 99);
            assertEquals(2, ibv_recv_wr.num_sge(wr));
            assertEquals(77, ibv_sge.addr(entry(ibv_recv_wr.sg_list(wr), 1)));
            table.cut(1, 2);
            final MemorySegment before = MemorySegment.ofAddress(table.at(1)).reinterpret(ibv_recv_wr.sizeof());
            assertEquals(table.at(2), ibv_recv_wr.next(before).address());
            assertEquals(0, ibv_recv_wr.next(wr).address());
            final ReceiveTable none = new ReceiveTable(arena, 1, 0);
            assertThrows(IndexOutOfBoundsException.class, () -> none.entry(0, 0, 0, 0, 0));
        }
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
