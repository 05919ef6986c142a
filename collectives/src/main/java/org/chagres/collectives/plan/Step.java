package org.chagres.collectives.plan;

import java.util.List;

/**
 * One action of one rank. Counts and offsets are in elements. Steps of a channel happen in order; steps of different channels only as their
 * signals order them.
 */
public sealed interface Step {
    /**
     * Writes {@code count} elements of mine into a peer's {@link Space#RECV} or {@link Space#SCRATCH}, then, if {@code signal}, raises the
     * signal of this step's channel there by one. Raising it publishes this and every earlier put of mine to that peer.
     */
    record Put(int peer, Ref from, Ref to, long count, boolean signal) implements Step {}

    /** Raises the signal of this step's channel at a peer by one, without data. */
    record Signal(int peer) implements Step {}

    /** Waits until {@code peer} has raised the signal of this step's channel {@code ordinal} times since the plan began; 1 is the first. */
    record Wait(int peer, int ordinal) implements Step {}

    /** Copies {@code count} elements within this rank; a copy onto itself (in place) does nothing. */
    record Copy(Ref from, Ref to, long count) implements Step {}

    /**
     * Combines the operands from left to right into {@code to}, which may be one of them.
     *
     * @param operands at least one, at most {@link Limits#MAX_OPERANDS}; with one operand this scales ({@code finish} or a raw operand) or copies
     * @param finish whether {@code to} then holds the result over all ranks, so that an average is divided here
     */
    record Reduce(List<Operand> operands, Ref to, long count, boolean finish) implements Step {
        public Reduce {
            operands = List.copyOf(operands);
            if (operands.size() > Limits.MAX_OPERANDS) {
                throw new IllegalArgumentException(
                        "a step cannot combine " + operands.size() + " operands: give it 1 to "
                                + Limits.MAX_OPERANDS);
            }
        }
    }

    /**
     * An input of a {@link Reduce}.
     *
     * @param raw whether it is one rank's untouched contribution, so that a pre-multiplied sum scales it here, or a partial result
     */
    record Operand(Ref at, boolean raw) {}
}
