package org.chagres.bench.compare;

import java.util.Map;
import java.util.OptionalDouble;

/**
 * One size of the comparison; medians, in microseconds.
 *
 * @param bestPeer the fastest peer's name, or null if there is none
 * @param peer its time
 * @param libraries the best time of each peers' library
 * @param baseline the C program's time
 */
record ComparisonRow(long bytes, String bestPeer, OptionalDouble peer, Map<String, OptionalDouble> libraries,
        OptionalDouble chagres, OptionalDouble target, OptionalDouble baseline) {
    /** Chagres' time by the best peer's. */
    OptionalDouble ratio() {
        return ratio(chagres, peer);
    }

    /** Chagres' time by the C program's. */
    OptionalDouble baselineRatio() {
        return ratio(chagres, baseline);
    }

    /** Whether the target is missed; false where there is nothing to compare. */
    boolean misses() {
        return target.isPresent() && ratio().isPresent() && ratio().getAsDouble() > target.getAsDouble();
    }

    private static OptionalDouble ratio(final OptionalDouble a, final OptionalDouble b) {
        return a.isPresent() && b.isPresent() && b.getAsDouble() > 0
                ? OptionalDouble.of(a.getAsDouble() / b.getAsDouble())
                : OptionalDouble.empty();
    }
}
