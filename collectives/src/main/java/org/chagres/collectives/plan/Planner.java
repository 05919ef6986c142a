package org.chagres.collectives.plan;

/**
 * A collective algorithm: a pure function from what all ranks agree on to each rank's plan.
 */
public interface Planner {
    /** The name by which settings, {@code explain} and benchmarks know it: {@code ring}, {@code tree}, ... */
    String name();

    /** Whether this algorithm can carry out {@code shape} within {@code limits}. */
    boolean supports(Shape shape, Limits limits);

    /**
     * Makes rank {@code rank}'s plan.
     *
     * @throws IllegalArgumentException if {@link #supports} says no
     */
    Plan plan(Shape shape, int rank, Limits limits);

    /** The cost that this algorithm claims for its slowest rank; tests compare it with the plans. */
    Cost cost(Shape shape, Limits limits);
}
