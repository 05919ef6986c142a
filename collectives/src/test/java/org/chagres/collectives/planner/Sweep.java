package org.chagres.collectives.planner;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.chagres.collectives.plan.Collective;
import org.chagres.collectives.plan.Limits;
import org.chagres.collectives.plan.Plan;
import org.chagres.collectives.plan.Planner;
import org.chagres.collectives.plan.Shape;

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
                    + shape.root() + ", " + (limits.equals(TIGHT) ? "tight" : "roomy");
        }
    }

    private Sweep() {
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
