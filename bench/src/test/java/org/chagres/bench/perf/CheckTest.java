package org.chagres.bench.perf;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.chagres.collectives.Communicator;
import org.chagres.collectives.DataType;
import org.chagres.collectives.ReduceOp;
import org.chagres.collectives.World;
import org.chagres.collectives.plan.Collective;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The check is no rubber stamp: right results pass, and each kind of damage is counted. */
class CheckTest {
    private static final int RANKS = 3;
    private static final int ROOT = 1;
    private static final long SIZE = 3000;

    @FunctionalInterface
    private interface Damage {
        void to(Placement place);
    }

    /** Runs the collective, damages each rank's memory afterwards, and returns what each rank counts. */
    private static long[] counted(final Collective collective, final boolean inPlace, final Damage damage) {
        final long[] counted = new long[RANKS];
        try (World world = World.threads(RANKS)) {
            world.run(comm -> counted[comm.rank()] = counted(comm, collective, inPlace, damage));
        }
        return counted;
    }

    private static long counted(final Communicator comm, final Collective collective, final boolean inPlace,
            final Damage damage) {
        final Case row = Case.of(collective, DataType.FLOAT32, ReduceOp.SUM, ROOT, RANKS, SIZE);
        try (GuardedBuffer send = new GuardedBuffer(comm, SIZE); GuardedBuffer recv = new GuardedBuffer(comm, SIZE)) {
            final Placement place = inPlace
                    ? Placement.inPlace(row, comm.rank(), recv)
                    : Placement.outOfPlace(row, send, recv);
            final Check check = new Check(row, comm.rank(), place, 7);
            check.prepare();
            comm.barrier();
            Operation.of(comm, row, place.send(), place.recv()).run();
            comm.barrier();
            damage.to(place);
            final long wrong = check.wrong();
            comm.barrier();
            return wrong;
        }
    }

    private static void flip(final MemorySegment segment, final long at) {
        segment.set(ValueLayout.JAVA_BYTE, at, (byte) ~segment.get(ValueLayout.JAVA_BYTE, at));
    }

    @ParameterizedTest
    @EnumSource(Collective.class)
    void rightResultsPass(final Collective collective) {
        for (final long wrong : counted(collective, false, place -> {
        })) {
            assertEquals(0, wrong);
        }
    }

    @ParameterizedTest
    @EnumSource(value = Collective.class, mode = EnumSource.Mode.EXCLUDE, names = {"ALL_TO_ALL", "SEND_RECV",
            "BARRIER" })
    void rightResultsPassInPlace(final Collective collective) {
        for (final long wrong : counted(collective, true, place -> {
        })) {
            assertEquals(0, wrong);
        }
    }

    @ParameterizedTest
    @EnumSource(value = Collective.class, mode = EnumSource.Mode.EXCLUDE, names = "BARRIER")
    void oneFlippedByteOfTheResultIsCounted(final Collective collective) {
        for (final long wrong : counted(collective, false, place -> flip(place.recv(), place.recv().byteSize() - 1))) {
            assertEquals(1, wrong);
        }
    }

    @ParameterizedTest
    @EnumSource(value = Collective.class, mode = EnumSource.Mode.EXCLUDE, names = "BARRIER")
    void aResultThatNeverArrivedIsCounted(final Collective collective) {
        final long[] counted = counted(collective, false, place -> place.recv().fill((byte) 0x11));
        for (final long wrong : counted) {
            assertTrue(wrong > 100, collective + ": " + wrong);
        }
    }

    @ParameterizedTest
    @EnumSource(value = Collective.class, names = {"ALL_REDUCE", "ALL_GATHER", "REDUCE_SCATTER", "ALL_TO_ALL" })
    void aChangedInputIsCounted(final Collective collective) {
        for (final long wrong : counted(collective, false, place -> flip(place.send(), 0))) {
            assertEquals(1, wrong);
        }
    }

    @ParameterizedTest
    @EnumSource(value = Collective.class, names = {"ALL_REDUCE", "BROADCAST", "ALL_GATHER" })
    void bytesOutsideTheBufferAreCounted(final Collective collective) {
        final Damage outside = place -> {
            final MemorySegment whole = MemorySegment.ofAddress(place.recv().address() - 1)
                    .reinterpret(place.recv().byteSize() + 2);
            flip(whole, 0);
            flip(whole, whole.byteSize() - 1);
        };
        for (final long wrong : counted(collective, false, outside)) {
            assertEquals(2, wrong);
        }
    }
}
