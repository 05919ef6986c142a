package org.chagres.collectives.proof;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.List;
import org.chagres.collectives.plan.Collective;
import org.chagres.collectives.plan.Limits;
import org.chagres.collectives.plan.Plan;
import org.chagres.collectives.plan.Ref;
import org.chagres.collectives.plan.Scratch;
import org.chagres.collectives.plan.Shape;
import org.chagres.collectives.plan.Step;
import org.chagres.collectives.planner.RecursiveDoubling;
import org.chagres.collectives.planner.Sweep;
import org.junit.jupiter.api.Test;

/** Rules of the prover, each on plans made by hand. */
class ProverTest {
    private static final Limits LIMITS = new Limits(64, 1024, 64, 2);

    /** Plans whose channels are given rank by rank. */
    private static List<Plan> plans(final Collective collective, final int count, final int scratch,
            final List<List<List<Step>>> ranks) {
        final Shape shape = new Shape(collective, ranks.size(), 0, count, 4);
        final List<Plan> plans = new ArrayList<>();
        for (int rank = 0; rank < ranks.size(); rank++) {
            plans.add(new Plan("by hand", shape, rank, Scratch.HEAP, scratch, false, ranks.get(rank)));
        }
        return plans;
    }

    private static Step put(final int peer, final Ref from, final Ref to, final boolean signal) {
        return new Step.Put(peer, from, to, 1, signal);
    }

    private static ProofException refuse(final List<Plan> plans, final String reason) {
        final ProofException e = assertThrows(ProofException.class, () -> Prover.prove(plans, LIMITS));
        assertTrue(e.reason().contains(reason), e::getMessage);
        return e;
    }

    /** That a put has come is known by a signal of who put it, not by that of another who knows of it. */
    @Test
    void anotherRanksSignalPublishesNothing() {
        final Step ready = new Step.Signal(0);
        final List<Step> root = List.of(new Step.Wait(1, 1), new Step.Wait(2, 1),
                put(1, Ref.send(0), Ref.recv(0), false),
                put(2, Ref.send(0), Ref.recv(0), true), put(1, Ref.send(0), Ref.scratch(0), true),
                new Step.Copy(Ref.send(0), Ref.recv(0), 1));
        final List<Step> first = List.of(ready, new Step.Wait(2, 1), new Step.Copy(Ref.recv(0), Ref.scratch(1), 1),
                new Step.Wait(0, 1));
        final List<Step> second = List.of(ready, new Step.Wait(0, 1), new Step.Signal(1));
        final ProofException e = refuse(
                plans(Collective.BROADCAST, 1, 2, List.of(List.of(root), List.of(first), List.of(second))),
                "without a signal that orders it");
        assertEquals(new Place(1, 0, 2, first.get(2)), e.place());
    }

    @Test
    void channelsAreNotOrderedByPosition() {
        final List<Step> receive = List.of(new Step.Signal(0), new Step.Wait(0, 1));
        final List<Step> send = List.of(new Step.Wait(1, 1), put(1, Ref.send(0), Ref.recv(0), true));
        final List<Step> copy = List.of(new Step.Copy(Ref.recv(0), Ref.scratch(0), 1));
        refuse(plans(Collective.SEND_RECV, 1, 1, List.of(List.of(send, List.of()), List.of(receive, copy))), "recv+0");
    }

    @Test
    void unpublishedPutIsRefused() {
        final List<Step> send = List.of(new Step.Wait(1, 1), put(1, Ref.send(0), Ref.recv(0), true),
                put(1, Ref.send(0), Ref.scratch(0), false));
        final List<Step> receive = List.of(new Step.Signal(0), new Step.Wait(0, 1));
        refuse(plans(Collective.SEND_RECV, 1, 1, List.of(List.of(send), List.of(receive))), "publishes this put");
    }

    @Test
    void overwritingWhatMayStillBeReadIsRefused() {
        final List<Step> send = List.of(new Step.Wait(1, 1), put(1, Ref.send(0), Ref.scratch(0), true),
                put(1, Ref.send(0), Ref.scratch(0), true));
        final List<Step> receive = List.of(new Step.Signal(0), new Step.Wait(0, 1),
                new Step.Copy(Ref.scratch(0), Ref.recv(0), 1),
                new Step.Wait(0, 2));
        refuse(plans(Collective.SEND_RECV, 1, 1, List.of(List.of(send), List.of(receive))),
                "without a signal that orders it");
        final List<Step> late = List.of(new Step.Signal(0), new Step.Wait(0, 2),
                new Step.Copy(Ref.scratch(0), Ref.recv(0), 1));
        Prover.prove(plans(Collective.SEND_RECV, 1, 1, List.of(List.of(send), List.of(late))), LIMITS);
    }

    /**
     * The root puts what it has in scratch to rank 1, then has it overwritten, by {@code rest} or because of it. Rank 1 does {@code first}, rank 2
     * {@code second}; both may have their outputs written.
     */
    private static List<Plan> lending(final List<Step> rest, final List<Step> first, final List<Step> second) {
        final List<Step> root = new ArrayList<>(List.of(new Step.Copy(Ref.send(0), Ref.recv(0), 1),
                new Step.Copy(Ref.send(0), Ref.scratch(0), 1), new Step.Wait(1, 1), new Step.Wait(2, 1),
                put(1, Ref.scratch(0), Ref.recv(0), true)));
        root.addAll(rest);
        final List<List<List<Step>>> ranks = new ArrayList<>(List.of(List.of(root)));
        for (final List<Step> each : List.of(first, second)) {
            final List<Step> steps = new ArrayList<>(List.of(new Step.Signal(0)));
            steps.addAll(each);
            ranks.add(List.of(steps));
        }
        return plans(Collective.BROADCAST, 1, 1, ranks);
    }

    private static final Step OVERWRITE = new Step.Copy(Ref.send(0), Ref.scratch(0), 1);
    private static final Step TO_SECOND = put(2, Ref.send(0), Ref.recv(0), true);
    private static final Step FROM_ROOT = new Step.Wait(0, 1);

    @Test
    void overwritingThePutsSourceNeedsAFlush() {
        final List<Plan> plans = lending(List.of(TO_SECOND, OVERWRITE), List.of(FROM_ROOT), List.of(FROM_ROOT));
        Prover.prove(plans, LIMITS);
        final ProofException e = assertThrows(ProofException.class,
                () -> Prover.prove(plans, Collections.nCopies(3, List.of(new BitSet()))));
        assertTrue(e.reason().contains("its link to rank 1 may still read it"), e::getMessage);
        assertEquals(new Place(0, 0, 6, OVERWRITE), e.place());
    }

    /** What rank 2 may know of the source that the link to rank 1 reads. */
    @Test
    void peersOverwriteThePutsSourceOnlyOnceTheyKnowItIsRead() {
        final Step back = put(0, Ref.recv(0), Ref.scratch(0), true);
        final List<Step> both = List.of(TO_SECOND, new Step.Wait(2, 2));
        // Rank 2 has heard of the put, but not of its end.
        final ProofException e = refuse(lending(both, List.of(FROM_ROOT), List.of(FROM_ROOT, back)),
                "its link to rank 1 may still read it");
        assertEquals(new Place(2, 0, 2, back), e.place());
        // Rank 1 has told it that the put has come.
        Prover.prove(
                lending(both, List.of(FROM_ROOT, new Step.Signal(2)), List.of(FROM_ROOT, new Step.Wait(1, 1), back)),
                LIMITS);
        // Rank 1's earlier signal tells nothing.
        refuse(lending(both, List.of(new Step.Signal(2), FROM_ROOT), List.of(FROM_ROOT, new Step.Wait(1, 1), back)),
                "its link to rank 1 may still read it");
        // The root flushes before it signals.
        final List<Step> free = List.of(TO_SECOND, new Step.Signal(2), new Step.Wait(2, 2));
        Prover.prove(lending(free, List.of(FROM_ROOT), List.of(FROM_ROOT, new Step.Wait(0, 2), back)), LIMITS);
        // The one who got the put overwrites its source, which it knows to be read.
        Prover.prove(lending(List.of(TO_SECOND, new Step.Wait(1, 2)), List.of(FROM_ROOT, back), List.of(FROM_ROOT)),
                LIMITS);
    }

    /** A flush after a signal is not known to who got the signal. */
    @Test
    void aLaterFlushIsNotKnown() {
        final List<Step> root = List.of(new Step.Copy(Ref.send(0), Ref.recv(0), 1),
                new Step.Copy(Ref.send(0), Ref.scratch(0), 1), new Step.Copy(Ref.send(0), Ref.scratch(1), 1),
                new Step.Wait(1, 1), new Step.Wait(2, 1), put(1, Ref.scratch(0), Ref.recv(0), true),
                put(2, Ref.send(0), Ref.recv(0), true), new Step.Copy(Ref.send(0), Ref.scratch(1), 1),
                new Step.Wait(2, 2));
        final List<Step> first = List.of(new Step.Signal(0), FROM_ROOT);
        final List<Step> second = List.of(new Step.Signal(0), FROM_ROOT, put(0, Ref.recv(0), Ref.scratch(0), true));
        final List<Plan> plans = plans(Collective.BROADCAST, 1, 2,
                List.of(List.of(root), List.of(first), List.of(second)));
        for (int at = 0; at <= root.size(); at++) {
            final BitSet points = new BitSet();
            points.set(at);
            final List<List<BitSet>> all = List.of(List.of(points), List.of(new BitSet()), List.of(new BitSet()));
            if (at == 6) {
                Prover.prove(plans, all);
            } else {
                final ProofException e = assertThrows(ProofException.class, () -> Prover.prove(plans, all));
                assertEquals(new Place(2, 0, 2, second.get(2)), e.place());
            }
        }
    }

    @Test
    void inPlaceInputIsNotReadAfterItsOutput() {
        final List<List<List<Step>>> ranks = new ArrayList<>();
        for (int rank = 0; rank < 2; rank++) {
            final int peer = 1 - rank;
            final Step.Reduce scale = new Step.Reduce(List.of(new Step.Operand(Ref.send(0), true)), Ref.recv(0), 1,
                    false);
            final Step.Reduce add = new Step.Reduce(
                    List.of(new Step.Operand(Ref.recv(0), false), new Step.Operand(Ref.scratch(0), true)), Ref.recv(0),
                    1, true);
            ranks.add(
                    List.of(List.of(scale, put(peer, Ref.send(0), Ref.scratch(0), true), new Step.Wait(peer, 1), add)));
        }
        refuse(plans(Collective.ALL_REDUCE, 1, 1, ranks), "in place");
    }

    @Test
    void ranksThatAddInDifferentOrdersAreRefused() {
        final Shape shape = new Shape(Collective.ALL_REDUCE, 2, 0, 3, 4);
        final List<Plan> plans = new Sweep.Case(new RecursiveDoubling(), shape, Sweep.ROOMY).plans();
        final List<Step> steps = new ArrayList<>(plans.get(1).channels().getFirst());
        final Step.Reduce last = (Step.Reduce) steps.removeLast();
        steps.add(new Step.Reduce(last.operands().reversed(), last.to(), last.count(), true));
        final ProofException e = assertThrows(ProofException.class,
                () -> Prover.prove(Mutants.with(plans, 1, 0, steps), Sweep.ROOMY));
        assertTrue(e.reason().contains("another order"), e::getMessage);
    }

    @Test
    void deadlockNamesAllWhoWait() {
        final List<Step> one = List.of(new Step.Wait(1, 1), new Step.Signal(1));
        final List<Step> two = List.of(new Step.Wait(0, 1), new Step.Signal(0));
        final ProofException e = refuse(plans(Collective.BARRIER, 0, 0, List.of(List.of(one), List.of(two))),
                "deadlock");
        assertTrue(e.reason().contains("rank 0, channel 0, step 0") && e.reason().contains("rank 1, channel 0, step 0"),
                e::getMessage);
    }

    @Test
    void barrierThatDoesNotMeetIsRefused() {
        refuse(plans(Collective.BARRIER, 0, 0, List.of(List.of(List.of()), List.of(List.of()))), "do not synchronize");
    }

    @Test
    void badStepsAreRefused() {
        badStep(new Step.Signal(0), "no peer");
        badStep(new Step.Signal(2), "no peer");
        badStep(new Step.Wait(1, 0), "counted from 1");
        badStep(new Step.Copy(Ref.send(0), Ref.recv(0), 0), "moves 0 elements");
        badStep(new Step.Copy(Ref.send(2), Ref.recv(0), 2), "leave the buffer");
        badStep(new Step.Copy(Ref.send(-1), Ref.recv(0), 2), "leave the buffer");
        badStep(new Step.Copy(Ref.scratch(0), Ref.scratch(1), Long.MAX_VALUE), "leave the buffer");
        badStep(new Step.Copy(Ref.recv(0), Ref.send(0), 1), "writes the input");
        badStep(new Step.Copy(Ref.send(0), Ref.recv(1), 2), "overlap partly when in place");
        badStep(new Step.Reduce(List.of(), Ref.recv(0), 1, true), "reduces nothing");
        badStep(new Step.Copy(Ref.scratch(0), Ref.recv(0), 1), "nothing has written");
    }

    private static void badStep(final Step step, final String reason) {
        final ProofException e = refuse(
                plans(Collective.ALL_REDUCE, 3, 4, List.of(List.of(List.of(step)), List.of(List.of()))), reason);
        assertEquals(new Place(0, 0, 0, step), e.place());
    }
}
