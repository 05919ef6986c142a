package org.chagres.collectives.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.chagres.collectives.planner.Sweep;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 30, unit = TimeUnit.SECONDS)
class FlushPointsTest {
    private static final long COUNT = 100;

    /** The points of rank 1 of 3. */
    private static String points(final Collective collective, final Step... steps) {
        final Shape shape = new Shape(collective, 3, 0, COUNT, 4);
        return FlushPoints.of(new Plan("by hand", shape, 1, Scratch.HEAP, 10 * COUNT, false, List.of(List.of(steps))))
                .toString();
    }

    private static Step.Put put(final int peer, final Ref from) {
        return new Step.Put(peer, from, Ref.scratch(0), 10, true);
    }

    private static Step.Copy copy(final Ref from, final Ref to) {
        return new Step.Copy(from, to, 10);
    }

    private static Step.Reduce reduce(final Ref to) {
        return new Step.Reduce(List.of(new Step.Operand(Ref.scratch(900), true)), to, 10, false);
    }

    @Test
    void onlyAnOverlapNeedsAFlush() {
        final Ref elsewhere = Ref.scratch(500);
        for (int at = 0; at < 40; at++) {
            final String expected = at > 10 && at < 30 ? "[{1}]" : "[{}]";
            assertEquals(expected, points(Collective.ALL_REDUCE, put(0, Ref.scratch(20)), reduce(Ref.scratch(at))));
            assertEquals(expected,
                    points(Collective.ALL_REDUCE, put(0, Ref.recv(20)), copy(elsewhere, Ref.recv(at))));
        }
        assertEquals("[{}]", points(Collective.ALL_REDUCE, put(0, Ref.scratch(20)), reduce(Ref.recv(20))));
    }

    @Test
    void aFlushCoversAllBeforeIt() {
        assertEquals("[{2, 5}]", points(Collective.ALL_REDUCE, put(0, Ref.scratch(0)), put(2, Ref.scratch(10)),
                reduce(Ref.scratch(0)), reduce(Ref.scratch(10)), put(0, Ref.scratch(0)), reduce(Ref.scratch(5))));
    }

    @Test
    void theOutputOverlapsTheInputAsInPlace() {
        assertEquals("[{1}]", points(Collective.ALL_REDUCE, put(0, Ref.send(20)), reduce(Ref.recv(29))));
        assertEquals("[{}]", points(Collective.ALL_REDUCE, put(0, Ref.send(20)), reduce(Ref.recv(30))));
        // Rank 1's input is the second block of its output in an all_gather; its output is that of its input in a reduce_scatter.
        assertEquals("[{1}]", points(Collective.ALL_GATHER, put(0, Ref.send(20)),
                copy(Ref.scratch(0), Ref.recv(COUNT + 20))));
        assertEquals("[{}]", points(Collective.ALL_GATHER, put(0, Ref.send(20)), copy(Ref.scratch(0), Ref.recv(20))));
        assertEquals("[{1}]", points(Collective.REDUCE_SCATTER, put(0, Ref.send(COUNT + 20)), reduce(Ref.recv(20))));
        assertEquals("[{}]", points(Collective.REDUCE_SCATTER, put(0, Ref.send(20)), reduce(Ref.recv(20))));
        assertEquals("[{}]", points(Collective.ALL_TO_ALL, put(0, Ref.send(20)), copy(Ref.scratch(0), Ref.recv(20))));
    }

    @Test
    void aCopyOntoItselfInPlaceWritesNothing() {
        assertEquals("[{}]",
                points(Collective.ALL_GATHER, put(0, Ref.send(20)), copy(Ref.send(20), Ref.recv(COUNT + 20))));
        assertEquals("[{1}]", points(Collective.ALL_GATHER, put(0, Ref.recv(COUNT + 20)),
                copy(Ref.send(20), Ref.recv(COUNT + 20))));
    }

    @Test
    void aSignalToAnotherPeerMayFreeAPlaceThatIsBeingRead() {
        final Step.Signal free = new Step.Signal(2);
        assertEquals("[{1}]", points(Collective.ALL_REDUCE, put(0, Ref.scratch(0)), free, free));
        assertEquals("[{2}]", points(Collective.ALL_REDUCE, put(0, Ref.scratch(0)), put(2, Ref.scratch(0)), free));
        assertEquals("[{}]", points(Collective.ALL_REDUCE, put(2, Ref.scratch(0)), free));
        assertEquals("[{}]", points(Collective.ALL_REDUCE, put(0, Ref.send(0)), put(0, Ref.recv(0)), free));
    }

    /** The planners that should need none, need none: there a flush would be a step back. */
    @Test
    void plansThatReuseNothingHaveNoFlushPoints() {
        final Set<String> flushing = new TreeSet<>();
        final Set<String> all = new TreeSet<>();
        for (final int size : new int[]{2, 3, 4, 8 }) {
            for (final Limits limits : List.of(Sweep.ROOMY, Sweep.TIGHT)) {
                for (final Sweep.Case each : Sweep.cases(size, limits, 1, 301, 4099)) {
                    final String name = each.planner().name() + " " + each.shape().collective().label();
                    all.add(name);
                    each.plans().forEach(plan -> FlushPoints.of(plan).forEach(points -> {
                        if (!points.isEmpty()) {
                            flushing.add(name);
                        }
                    }));
                }
            }
        }
        assertEquals(Set.of("direct reduce", "oneshot all_reduce", "recursive_doubling all_reduce", "ring all_reduce",
                "ring reduce", "ring reduce_scatter", "tree all_reduce", "tree reduce"), flushing);
        assertEquals(32, all.size(), all::toString);
    }

    /** Puts from everywhere, in any order, without a flush in between: the worst for the search. */
    @Test
    void longPlansAreQuick() {
        final int puts = 200_000;
        final List<Step> steps = new ArrayList<>();
        final Random random = new Random(1);
        final List<Integer> places = new ArrayList<>(IntStream.range(0, puts).boxed().toList());
        java.util.Collections.shuffle(places, random);
        for (final int place : places) {
            steps.add(put(0, Ref.scratch(20L * place)));
            steps.add(reduce(Ref.scratch(20L * random.nextInt(puts) + 10)));
        }
        steps.add(reduce(Ref.scratch(20)));
        final Shape shape = new Shape(Collective.ALL_REDUCE, 3, 0, 10, 4);
        final Plan plan = new Plan("by hand", shape, 1, Scratch.HEAP, 20L * puts, false, List.of(steps));
        final BitSet expected = new BitSet();
        expected.set(2 * puts);
        assertEquals(List.of(expected), FlushPoints.of(plan));
    }
}
