package org.chagres.collectives.planner;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.chagres.collectives.plan.Collective;
import org.chagres.collectives.plan.Limits;
import org.chagres.collectives.plan.Plan;
import org.chagres.collectives.plan.Planner;
import org.chagres.collectives.plan.Shape;
import org.chagres.collectives.plan.Topology;

/** The cases that tests run through. */
public final class Sweep {
    /** Most messages fit in one piece. */
    public static final Limits ROOMY = new Limits(4096, 1 << 17, 4096, 2);
    /** Many pieces, and scratch for few of them at a time. */
    public static final Limits TIGHT = new Limits(64, 512, 0, 2);
    /** Bytes of an element in the sweep: few, so that pieces have odd counts. */
    public static final int ELEMENT_SIZE = 2;

    /** A planner with a shape that it supports. */
    public record Case(Planner planner, Shape shape, Limits limits) {
        public List<Plan> plans() {
            final List<Plan> plans = new ArrayList<>();
            for (int rank = 0; rank < shape.size(); rank++) {
                plans.add(planner.plan(shape, rank, limits));
            }
            return plans;
        }

        @Override
        public String toString() {
            return planner.name() + " " + shape.collective().label() + " of " + shape.count() + ", " + shape.size()
                    + " ranks, root "
                    + shape.root() + ", " + limits;
        }
    }

    private Sweep() {
    }

    /** Placements of ranks on hosts: 2 to 4 hosts with 1 to 3 ranks each, alike or not, in blocks or mixed, and a few larger ones. */
    public static List<Placement> placements() {
        final List<Placement> all = new ArrayList<>();
        for (final int[] hosts : new int[][]{{2, 1 }, {1, 2 }, {2, 2 }, {3, 1 }, {2, 3 }, {3, 3 }, {2, 1, 1 },
                {1, 1, 3 },
                {2, 2, 2 }, {1, 2, 3 }, {3, 2, 3 }, {1, 2, 1, 1 }, {2, 2, 2, 2 }, {1, 3, 2, 3 }, {3, 3, 3, 3 },
                {2, 2, 2, 2, 2, 2, 2 }, {5, 4, 6 } }) {
            all.add(new Placement(Topology.blocks(hosts), Arrays.stream(hosts).sum()));
        }
        for (final int[] mixed : new int[][]{{0, 1, 0 }, {0, 1, 0, 1 }, {0, 1, 1, 0 }, {0, 1, 1, 0, 1 },
                {0, 1, 2, 0, 1, 2 },
                {0, 1, 2, 2, 0, 0 }, {0, 1, 2, 3, 3, 2, 1, 0 }, {0, 1, 2, 3, 0, 1, 0 },
                {0, 1, 2, 3, 4, 4, 2, 2, 0, 1 } }) {
            all.add(new Placement(Topology.of(mixed), mixed.length));
        }
        return all;
    }

    /** Ranks on hosts. */
    public record Placement(Topology topology, int size) {
        /** Whether all hosts have equally many. */
        boolean even() {
            final int[] ranks = new int[topology.hosts()];
            for (int rank = 0; rank < size; rank++) {
                ranks[topology.host(rank)]++;
            }
            return Arrays.stream(ranks).allMatch(n -> n == ranks[0]);
        }
    }

    /** The cases of algorithms that look at hosts. */
    public static List<Case> hierarchical(final Placement placement, final Limits limits, final long... counts) {
        final List<Case> cases = cases(placement.size(), limits.on(placement.topology()), counts);
        cases.removeIf(each -> !(each.planner() instanceof Hierarchical));
        return cases;
    }

    /** All cases with {@code size} ranks and each of {@code counts}. */
    public static List<Case> cases(final int size, final Limits limits, final long... counts) {
        final List<Case> cases = new ArrayList<>();
        for (final Collective collective : Collective.values()) {
            for (final int root : roots(collective, size)) {
                for (final long count : counts) {
                    final Shape shape = new Shape(collective, size, root, count, ELEMENT_SIZE);
                    for (final Planner planner : Planners.ALL) {
                        if (planner.supports(shape, limits)) {
                            cases.add(new Case(planner, shape, limits));
                        }
                    }
                }
            }
        }
        return cases;
    }

    private static Set<Integer> roots(final Collective collective, final int size) {
        final Set<Integer> roots = new LinkedHashSet<>(List.of(0));
        if (collective.rooted()) {
            roots.add(size / 2);
            roots.add(size - 1);
        }
        return roots;
    }
}
