package org.chagres.collectives.planner;

import java.util.ArrayList;
import java.util.List;
import org.chagres.collectives.plan.Collective;
import org.chagres.collectives.plan.Cost;
import org.chagres.collectives.plan.Limits;
import org.chagres.collectives.plan.Plan;
import org.chagres.collectives.plan.Planner;
import org.chagres.collectives.plan.Scratch;
import org.chagres.collectives.plan.Shape;
import org.chagres.collectives.plan.Step;

/**
 * For several hosts with several ranks each: the ranks of a host combine and share among themselves, and each piece of data leaves a host once, as if
 * there were one rank a host. Between hosts it goes round a ring ({@code hierarchical}) or straight to whom it concerns
 * ({@code hierarchical_direct}), over as many connections side by side as the smallest host has ranks.
 *
 * <p>
 * Between hosts an all_reduce of N bytes on H hosts moves 2 (H-1) N bytes in the ring, as evenly spread as there (Patarasuk and Yuan, 2009), and H (H-1) N
 * directly, which for two hosts is the same in one hop instead of two; each other collective moves the same either way.
 *
 * <p>
 * A reduction adds the ranks of a host in order, then host by host as {@link Ring} adds ranks, or directly in the order of hosts; it rounds once a host, or
 * directly twice.
 */
public final class Hierarchical implements Planner {
    private final HostPattern pattern;

    private Hierarchical(final HostPattern pattern) {
        this.pattern = pattern;
    }

    static Hierarchical ring() {
        return new Hierarchical(HostPattern.RING);
    }

    static Hierarchical direct() {
        return new Hierarchical(HostPattern.DIRECT);
    }

    @Override
    public String name() {
        return pattern == HostPattern.RING ? "hierarchical" : "hierarchical_direct";
    }

    @Override
    public boolean supports(final Shape shape, final Limits limits) {
        final int hosts = limits.topology().hosts();
        if (hosts < 2 || hosts == shape.size() || !limits.topology().describes(shape.size())) {
            return false;
        }
        return switch (shape.collective()) {
            case ALL_REDUCE, REDUCE, REDUCE_SCATTER -> shape.count() > 0 && fits(shape, limits);
            case BROADCAST, ALL_GATHER -> shape.count() > 0;
            case BARRIER -> true;
            case ALL_TO_ALL, GATHER, SCATTER, SEND_RECV -> false;
        };
    }

    private boolean fits(final Shape shape, final Limits limits) {
        final Lanes lanes = new Lanes(shape, limits.topology());
        if (Slots.operands(lanes, pattern) > Limits.MAX_OPERANDS) {
            return false;
        }
        final long[] most = Slots.most(shape, lanes, pattern, limits);
        return most[most.length - 1] > 0;
    }

    @Override
    public Plan plan(final Shape shape, final int rank, final Limits limits) {
        Planners.requireSupported(this, shape, limits);
        final Lanes lanes = new Lanes(shape, limits.topology());
        if (shape.collective() == Collective.BARRIER) {
            final List<Step> steps = HostBarrier.steps(lanes, pattern, shape.size(), rank);
            return new Plan(name(), shape, rank, Scratch.HEAP, 0, true, List.of(steps));
        }
        final List<Cargo> cargos = cargos(shape, lanes, limits);
        if (!shape.collective().reduces()) {
            final List<Step> steps = HostMove.steps(shape, pattern, lanes, cargos.getFirst(), rank);
            return new Plan(name(), shape, rank, Scratch.HEAP, 0, synchronizing(shape), List.of(steps));
        }
        final Slots slots = Slots.of(shape, lanes, pattern, limits, cargos);
        final List<List<Step>> channels = new ArrayList<>();
        for (int channel = 0; channel < cargos.size(); channel++) {
            final Cargo cargo = cargos.get(channel);
            channels.add(exchanges(shape)
                    ? new HostExchange(shape, lanes, cargo, slots, rank).steps()
                    : new HostReduction(shape, pattern, lanes, cargo, slots, channel, rank).steps());
        }
        return new Plan(name(), shape, rank, Scratch.HEAP, slots.count() * cargos.size(), synchronizing(shape),
                channels);
    }

    private List<Cargo> cargos(final Shape shape, final Lanes lanes, final Limits limits) {
        final long[] most = shape.collective().reduces()
                ? Slots.most(shape, lanes, pattern, limits)
                : new long[]{shape.count() };
        return Cargo.of(shape, lanes, pattern, limits, most);
    }

    /** Whether every host combines everything for itself. */
    private boolean exchanges(final Shape shape) {
        return pattern == HostPattern.DIRECT && shape.collective() == Collective.ALL_REDUCE;
    }

    /** Whose end needs data of all ranks knows that all have begun. */
    private static boolean synchronizing(final Shape shape) {
        return !shape.collective().rooted();
    }

    @Override
    public Cost cost(final Shape shape, final Limits limits) {
        final Lanes lanes = new Lanes(shape, limits.topology());
        if (shape.collective() == Collective.BARRIER) {
            return HostBarrier.cost(lanes, pattern);
        }
        final List<Cargo> cargos = cargos(shape, lanes, limits);
        if (!shape.collective().reduces()) {
            return new HostMoveCost(shape, pattern, lanes, cargos.getFirst()).cost();
        }
        return new HostReductionCost(shape, pattern, lanes, cargos, Slots.of(shape, lanes, pattern, limits, cargos))
                .cost();
    }
}
