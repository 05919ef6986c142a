package org.chagres.collectives.proof;

import org.chagres.collectives.plan.Plan;
import org.chagres.collectives.plan.Step;

/**
 * Where in the plans of all ranks something happens.
 *
 * @param index of the step in its channel, from 0; the number of steps for the channel's end
 * @param step the step, or null at the channel's end
 */
public record Place(int rank, int channel, int index, Step step) {
    static Place end(final Plan plan) {
        return new Place(plan.rank(), 0, plan.channels().getFirst().size(), null);
    }

    @Override
    public String toString() {
        return "rank " + rank + ", channel " + channel + ", step " + index + " (" + (step == null ? "end" : step) + ")";
    }
}
