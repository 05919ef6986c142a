package org.chagres.collectives.cost;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import org.chagres.collectives.plan.Cost;
import org.chagres.collectives.plan.Limits;
import org.chagres.collectives.plan.Planner;
import org.chagres.collectives.plan.Shape;
import org.chagres.collectives.planner.Planners;

/**
 * Chooses the algorithm: a pure function of what all ranks agree on, so that all choose the same. The setting is among it: ranks with
 * different settings plan differently, which the fingerprint that they compare before they start must show.
 */
public final class Selector {
    /** How much faster an algorithm must be to be worth further roundings of a type with few bits. */
    private static final double ROUNDING_HANDICAP = 2;

    /** Prices that differ by less are equal, as far as the model knows: then the order of the registry decides. */
    private static final double PRECISION = 1.05;

    private Selector() {
    }

    /**
     * Chooses the cheapest algorithm that can carry {@code shape} out and that {@code setting} allows; if it allows none of those, the cheapest
     * of all, and the reason says so.
     *
     * @param limits what plans may use, and which ranks share a host
     * @param narrow whether the data type is a floating-point type of 16 bits or less, which loses accuracy with every rounding: an algorithm
     *        that rounds more often than another must be twice as fast to be chosen
     * @throws IllegalStateException if no algorithm can carry {@code shape} out within {@code limits}
     */
    public static Choice choose(final Shape shape, final boolean narrow, final Limits limits, final Wires wires,
            final AlgorithmSetting setting) {
        final List<Choice.Alternative> all = price(shape, limits, wires, setting);
        if (all.isEmpty()) {
            throw new IllegalStateException("no algorithm can carry out " + shape + " within " + limits
                    + ": give the communicator more scratch");
        }
        final List<Choice.Alternative> allowed = all.stream().filter(Choice.Alternative::allowed).toList();
        final boolean fallback = allowed.isEmpty();
        final List<Choice.Alternative> candidates = fallback ? all : allowed;
        final Choice.Alternative best = best(candidates, narrow);
        final boolean cheapest = best.nanoseconds() <= candidates.getFirst().nanoseconds() * PRECISION;
        return new Choice(best.planner(),
                because(shape, setting, fallback) + merit(best, all.size(), cheapest, wires.label(limits.topology())),
                fallback, all);
    }

    private static List<Choice.Alternative> price(final Shape shape, final Limits limits, final Wires wires,
            final AlgorithmSetting setting) {
        final List<Choice.Alternative> all = new ArrayList<>();
        for (final Planner planner : Planners.ALL) {
            if (planner.supports(shape, limits)) {
                final Cost cost = Wires.placed(planner.cost(shape, limits), limits.topology());
                all.add(new Choice.Alternative(planner, cost, wires.nanoseconds(cost),
                        setting.allows(shape.collective(), planner)));
            }
        }
        all.sort(Comparator.comparingDouble(Choice.Alternative::nanoseconds));
        return all;
    }

    private static Choice.Alternative best(final List<Choice.Alternative> candidates, final boolean narrow) {
        int fewest = Integer.MAX_VALUE;
        for (final Choice.Alternative candidate : candidates) {
            fewest = Math.min(fewest, candidate.cost().roundings());
        }
        final double[] prices = new double[candidates.size()];
        double lowest = Double.POSITIVE_INFINITY;
        for (int i = 0; i < prices.length; i++) {
            final boolean handicap = narrow && candidates.get(i).cost().roundings() > fewest;
            prices[i] = candidates.get(i).nanoseconds() * (handicap ? ROUNDING_HANDICAP : 1);
            lowest = Math.min(lowest, prices[i]);
        }
        Choice.Alternative best = null;
        for (int i = 0; i < prices.length; i++) {
            final boolean near = prices[i] <= lowest * PRECISION;
            if (near && (best == null || order(candidates.get(i)) < order(best))) {
                best = candidates.get(i);
            }
        }
        return best;
    }

    private static int order(final Choice.Alternative alternative) {
        return Planners.ALL.indexOf(alternative.planner());
    }

    private static String because(final Shape shape, final AlgorithmSetting setting, final boolean fallback) {
        if (fallback) {
            return setting + " allows no algorithm that can carry out " + shape.collective().label() + " of "
                    + shape.count()
                    + " elements over " + shape.size() + " ranks; fallen back to ";
        }
        return setting.restricts(shape.collective()) ? setting + "; of what it allows " : "";
    }

    private static String merit(final Choice.Alternative best, final int alternatives, final boolean cheapest,
            final String wires) {
        if (alternatives == 1) {
            return "the only one that can";
        }
        final String rank = cheapest ? "the cheapest" : "the cheapest that rounds a narrow type no more than needed";
        return String.format(Locale.ROOT, "%s over %s, an estimated %.2f us", rank, wires,
                best.nanoseconds() / 1000);
    }
}
