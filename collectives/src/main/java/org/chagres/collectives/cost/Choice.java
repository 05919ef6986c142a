package org.chagres.collectives.cost;

import java.util.List;
import org.chagres.collectives.plan.Cost;
import org.chagres.collectives.plan.Planner;

/**
 * The algorithm for a shape, and why.
 *
 * @param planner the algorithm
 * @param reason why this one, in words
 * @param fallback whether the user's setting allows no algorithm that can do it, so that another had to be taken
 * @param alternatives all algorithms that could have done it, with their prices, the chosen one included, cheapest first
 */
public record Choice(Planner planner, String reason, boolean fallback, List<Alternative> alternatives) {
    /**
     * An algorithm with its price.
     *
     * @param nanoseconds what the model estimates
     * @param allowed whether the user's setting allows it
     */
    public record Alternative(Planner planner, Cost cost, double nanoseconds, boolean allowed) {}

    public Choice {
        alternatives = List.copyOf(alternatives);
    }
}
