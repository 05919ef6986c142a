package org.chagres.verbs.device;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.chagres.verbs.Access;
import org.chagres.verbs.AddressHandle;
import org.chagres.verbs.Completion;
import org.chagres.verbs.CompletionOpcode;
import org.chagres.verbs.Destination;
import org.chagres.verbs.QueuePairType;
import org.chagres.verbs.ReceiveRequest;
import org.chagres.verbs.RemoteMemory;
import org.chagres.verbs.SendFlag;
import org.chagres.verbs.SendRequest;
import org.chagres.verbs.Slice;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Every kind of request, over every transport that knows it, with every flag, in several sizes and numbers of entries, in both ways of posting. */
@Tag("rdma")
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class RequestTypesTest {
    private static final int INLINE = 64;
    private static final int IMMEDIATE = 0x01020384;
    /** Where the peer's part begins; a multiple of 8. */
    private static final int REMOTE = 2048;
    private static final int MAX_DATAGRAM = 1000;
    /** Around the inline size and the MTU, and several packets. */
    private static final int[] SIZES = {0, 1, INLINE, INLINE + 1, 4096, 4097, 20_000 };

    private final Random random = new Random(4);

    private enum Kind {
        SEND, SEND_IMM, WRITE, WRITE_IMM, READ, FETCH_ADD, COMP_SWAP;

        boolean atomic() {
            return this == FETCH_ADD || this == COMP_SWAP;
        }

        boolean fetches() {
            return this == READ || atomic();
        }

        boolean receives() {
            return this == SEND || this == SEND_IMM || this == WRITE_IMM;
        }

        boolean known(final QueuePairType type) {
            return switch (type) {
                case RC -> true;
                case UC -> !fetches();
                case UD -> this == SEND || this == SEND_IMM;
            };
        }

        CompletionOpcode opcode() {
            return switch (this) {
                case SEND, SEND_IMM -> CompletionOpcode.SEND;
                case WRITE, WRITE_IMM -> CompletionOpcode.RDMA_WRITE;
                case READ -> CompletionOpcode.RDMA_READ;
                case FETCH_ADD -> CompletionOpcode.FETCH_ADD;
                case COMP_SWAP -> CompletionOpcode.COMP_SWAP;
            };
        }
    }

    private static Stream<Arguments> known() {
        return Stream.of(QueuePairType.values())
                .flatMap(type -> Stream.of(Kind.values())
                        .filter(kind -> kind.known(type))
                        .flatMap(kind -> Stream.of(Way.values()).map(way -> Arguments.of(type, kind, way))));
    }

    @ParameterizedTest
    @MethodSource("known")
    void arrivesAsItWasSent(final QueuePairType type, final Kind kind, final Way way) {
        try (Couple couple = Couple.of(type, o -> o.inline(INLINE), Access.ALL)) {
            final Optional<Destination> to = type == QueuePairType.UD ? Optional.of(couple.toB()) : Optional.empty();
            for (final int size : kind.atomic() ? new int[]{Long.BYTES } : SIZES) {
                for (int entries = 1; entries <= (kind.atomic() ? 1 : Way.MOST_ENTRIES - 1); entries += 2) {
                    for (final Set<SendFlag> flags : flags(type, kind, size)) {
                        if (type != QueuePairType.UD || size <= MAX_DATAGRAM) {
                            new Case(couple, kind, way, to, size, entries, flags).run();
                        }
                    }
                }
            }
        }
    }

    private static List<Set<SendFlag>> flags(final QueuePairType type, final Kind kind, final int size) {
        final List<Set<SendFlag>> all = new ArrayList<>();
        all.add(Set.of());
        all.add(EnumSet.of(SendFlag.SIGNALED));
        if (kind.receives()) {
            all.add(EnumSet.of(SendFlag.SIGNALED, SendFlag.SOLICITED));
        }
        if (type == QueuePairType.RC) {
            all.add(EnumSet.of(SendFlag.SIGNALED, SendFlag.FENCE));
        }
        if (!kind.fetches() && size <= INLINE) {
            all.add(EnumSet.of(SendFlag.SIGNALED, SendFlag.INLINE));
            all.add(EnumSet.of(SendFlag.INLINE));
        }
        return all;
    }

    /** One request, with the images that both memories must have before and after. */
    private final class Case {
        private final Couple couple;
        private final Kind kind;
        private final Way way;
        private final Optional<Destination> to;
        private final int size;
        private final int entries;
        private final Set<SendFlag> flags;
        private final byte[] near = new byte[Couple.BYTES];
        private final byte[] far = new byte[Couple.BYTES];
        private final long id = random.nextLong();

        Case(final Couple couple, final Kind kind, final Way way, final Optional<Destination> to, final int size,
                final int entries, final Set<SendFlag> flags) {
            this.couple = couple;
            this.kind = kind;
            this.way = way;
            this.to = to;
            this.size = size;
            this.entries = entries;
            this.flags = flags;
        }

        void run() {
            fill(near, couple.a.memory());
            fill(far, couple.b.memory());
            if (kind.receives()) {
                // Two entries, so that the message is scattered where there is one; a write with immediate must leave them alone.
                way.receive(couple.b.pair(), new ReceiveRequest(~id, landing()));
            }
            final SendRequest request = request();
            way.post(couple.a.pair(), request);
            if (flags.contains(SendFlag.INLINE)) {
                spoilSource();
            }
            if (kind.receives()) {
                checkReceived(Rdma.success(couple.b.queue(), ~id));
            }
            if (flags.contains(SendFlag.SIGNALED)) {
                checkSent(Rdma.success(couple.a.queue(), id));
            }
            // What is unreliable completes when it has left, not when it has arrived.
            if (!flags.contains(SendFlag.SIGNALED)
                    || kind == Kind.WRITE && couple.a.pair().type() == QueuePairType.UC) {
                flushByAnother();
            }
            model(request);
            assertArrayEquals(near, couple.a.bytes(0, Couple.BYTES), this::toString);
            assertArrayEquals(far, couple.b.bytes(0, Couple.BYTES), this::toString);
        }

        private void fill(final byte[] image, final MemorySegment memory) {
            random.nextBytes(image);
            MemorySegment.copy(image, 0, memory, ValueLayout.JAVA_BYTE, 0, image.length);
        }

        /** Parts of the near memory with gaps between them. */
        private List<Slice> parts() {
            final List<Slice> parts = new ArrayList<>();
            int left = size;
            for (int i = 0; i < entries; i++) {
                final int length = i == entries - 1 ? left : size / entries;
                parts.add(couple.a.region().slice(64 + (long) i * 21_000 / entries + 8L * i, length));
                left -= length;
            }
            return parts;
        }

        private List<Slice> landing() {
            final int header = to.isPresent() ? AddressHandle.ROUTING_HEADER_BYTES : 0;
            final int first = header + size / 3;
            return List.of(couple.b.region().slice(REMOTE, first),
                    couple.b.region().slice(REMOTE + first + 100, size - size / 3));
        }

        private SendRequest request() {
            final RemoteMemory remote = couple.b.region().remote(REMOTE);
            return switch (kind) {
                case SEND -> new SendRequest.Send(id, parts(), to, flags);
                case SEND_IMM -> new SendRequest.SendWithImmediate(id, parts(), IMMEDIATE, to, flags);
                case WRITE -> new SendRequest.Write(id, parts(), remote, flags);
                case WRITE_IMM -> new SendRequest.WriteWithImmediate(id, parts(), remote, IMMEDIATE, flags);
                case READ -> new SendRequest.Read(id, parts(), remote, flags);
                case FETCH_ADD ->
                    new SendRequest.FetchAndAdd(id, parts().getFirst(), remote, 0x1_0000_0001L, flags);
                // Every other one fails to compare.
                case COMP_SWAP -> new SendRequest.CompareAndSwap(id, parts().getFirst(), remote,
                        longs(far).getLong(REMOTE) + (flags.isEmpty() ? 1 : 0), 42, flags);
            };
        }

        /** Inline data are taken while posting. */
        private void spoilSource() {
            for (final Slice part : parts()) {
                final long offset = part.address() - couple.a.region().address();
                couple.a.memory().asSlice(offset, part.length()).fill((byte) 0x55);
            }
        }

        private void checkReceived(final Completion.Success received) {
            final int header = to.isPresent() ? AddressHandle.ROUTING_HEADER_BYTES : 0;
            assertEquals(kind == Kind.WRITE_IMM ? CompletionOpcode.RECV_RDMA_WITH_IMM : CompletionOpcode.RECV,
                    received.opcode(), this::toString);
            assertEquals(size + header, received.byteLength(), this::toString);
            assertEquals(kind == Kind.SEND ? OptionalInt.empty() : OptionalInt.of(IMMEDIATE), received.immediate(),
                    this::toString);
            assertEquals(couple.b.pair().number(), received.queuePairNumber());
            if (to.isPresent()) {
                assertEquals(couple.a.pair().number(), received.sourceQueuePair());
            }
        }

        private void checkSent(final Completion.Success sent) {
            assertEquals(kind.opcode(), sent.opcode(), this::toString);
            assertEquals(couple.a.pair().number(), sent.queuePairNumber());
        }

        /** An unsignalled request has completed when a later one has; it makes no completion itself. */
        private void flushByAnother() {
            final Slice none = couple.a.region().slice(0, 0);
            if (couple.a.pair().type() == QueuePairType.RC) {
                way.post(couple.a.pair(), SendRequest.write(1, none, couple.b.region().remote(0)));
            } else {
                final int header = to.isPresent() ? AddressHandle.ROUTING_HEADER_BYTES : 0;
                couple.b.receive(2, 0, header);
                way.post(couple.a.pair(), new SendRequest.Send(1, List.of(none), to, SendRequest.DEFAULT_FLAGS));
                Rdma.success(couple.b.queue(), 2);
                System.arraycopy(couple.b.bytes(0, header), 0, far, 0, header);
            }
            Rdma.success(couple.a.queue(), 1);
        }

        /** What the request does to both images. */
        private void model(final SendRequest request) {
            switch (kind) {
                case READ -> scatter(far, REMOTE, near, couple.a, parts());
                case FETCH_ADD, COMP_SWAP -> modelAtomic(request);
                case WRITE, WRITE_IMM -> System.arraycopy(gathered(), 0, far, REMOTE, size);
                case SEND, SEND_IMM -> modelSend();
            }
            if (flags.contains(SendFlag.INLINE)) {
                for (final Slice part : parts()) {
                    final int offset = (int) (part.address() - couple.a.region().address());
                    java.util.Arrays.fill(near, offset, offset + (int) part.length(), (byte) 0x55);
                }
            }
        }

        private void modelSend() {
            final int header = to.isPresent() ? AddressHandle.ROUTING_HEADER_BYTES : 0;
            final byte[] message = new byte[header + size];
            System.arraycopy(couple.b.bytes(REMOTE, header), 0, message, 0, header);
            System.arraycopy(gathered(), 0, message, header, size);
            scatter(message, 0, far, couple.b, landing());
        }

        private void modelAtomic(final SendRequest request) {
            final long before = longs(far).getLong(REMOTE);
            final long offset = parts().getFirst().address() - couple.a.region().address();
            longs(near).putLong((int) offset, before);
            longs(far).putLong(REMOTE, switch (request) {
                case SendRequest.FetchAndAdd f -> before + f.add();
                case SendRequest.CompareAndSwap c -> before == c.compare() ? c.swap() : before;
                default -> throw new AssertionError(request);
            });
        }

        private byte[] gathered() {
            final byte[] message = new byte[size];
            int at = 0;
            for (final Slice part : parts()) {
                System.arraycopy(near, (int) (part.address() - couple.a.region().address()), message, at,
                        (int) part.length());
                at += (int) part.length();
            }
            return message;
        }

        private void scatter(final byte[] from, final int offset, final byte[] into, final Couple.End end,
                final List<Slice> parts) {
            int at = offset;
            for (final Slice part : parts) {
                System.arraycopy(from, at, into, (int) (part.address() - end.region().address()),
                        (int) part.length());
                at += (int) part.length();
            }
        }

        private ByteBuffer longs(final byte[] image) {
            return ByteBuffer.wrap(image).order(ByteOrder.nativeOrder());
        }

        @Override
        public String toString() {
            return couple.a.pair().type() + " " + kind + " " + way + " of " + size + " bytes in " + entries
                    + " entries with " + flags;
        }
    }

    /** What a transport does not know is refused before the device sees it. */
    @ParameterizedTest
    @EnumSource(QueuePairType.class)
    void isRefusedWhereTheTransportDoesNotKnowIt(final QueuePairType type) {
        try (Couple couple = Couple.of(type)) {
            for (final Kind kind : Kind.values()) {
                if (!kind.known(type)) {
                    final Case unknown = new Case(couple, kind, Way.OBJECTS, Optional.empty(), Long.BYTES, 1,
                            Set.of(SendFlag.SIGNALED));
                    final SendRequest request = unknown.request();
                    final String words = assertThrows(IllegalArgumentException.class,
                            () -> couple.a.pair().post(request),
                            unknown::toString).getMessage();
                    assertTrue(words.contains(type.name()), words);
                }
            }
        }
    }
}
