package org.chagres.collectives.planner;

import java.util.List;
import java.util.Locale;
import org.chagres.collectives.plan.Limits;
import org.chagres.collectives.plan.Planner;
import org.chagres.collectives.plan.Shape;

/** The registry of algorithms. */
public final class Planners {
    /** All algorithms. Where two are priced about equal, the earlier one is chosen. */
    public static final List<Planner> ALL = List.of(new OneShot(), new Direct(), new Ring(), new DoubleBinaryTree(),
            new RecursiveDoubling(),
            new HalvingDoubling(), new Dissemination(), Hierarchical.ring(), Hierarchical.direct());

    /** Their names, in the same order, by which fingerprints number them. */
    public static final List<String> NAMES = ALL.stream().map(Planner::name).toList();

    private Planners() {
    }

    /**
     * The algorithm of this name, in any case.
     *
     * @throws IllegalArgumentException if there is none; the message lists the names
     */
    public static Planner byName(final String name) {
        final StringBuilder legal = new StringBuilder();
        for (final Planner planner : ALL) {
            if (planner.name().equals(name.toLowerCase(Locale.ROOT))) {
                return planner;
            }
            legal.append(legal.isEmpty() ? "" : ", ").append(planner.name());
        }
        throw new IllegalArgumentException("unknown algorithm '" + name + "': use one of " + legal);
    }

    static void requireSupported(final Planner planner, final Shape shape, final Limits limits) {
        if (!planner.supports(shape, limits)) {
            throw new IllegalArgumentException(planner.name() + " cannot carry out " + shape + " within " + limits
                    + ": ask supports() first, or choose another algorithm");
        }
    }
}
