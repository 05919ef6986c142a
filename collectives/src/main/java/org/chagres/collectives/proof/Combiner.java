package org.chagres.collectives.proof;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.chagres.collectives.plan.Step;

/** Applies reductions to symbolic values and refuses those that no sum of all ranks contains. */
final class Combiner {
    private final int size;
    private final Map<List<Value.Term>, Value.Term> terms = new HashMap<>();

    Combiner(final int size) {
        this.size = size;
    }

    /** Element by element: the combination of what the operands of {@code reduce} hold. */
    List<Memory.Run> combine(final Place place, final Step.Reduce reduce, final List<List<Memory.Run>> inputs) {
        final List<Memory.Run> out = new ArrayList<>();
        final int[] at = new int[inputs.size()];
        final long[] used = new long[inputs.size()];
        for (long done = 0; done < reduce.count();) {
            long length = reduce.count() - done;
            for (int i = 0; i < at.length; i++) {
                length = Math.min(length, inputs.get(i).get(at[i]).length() - used[i]);
            }
            out.add(combine(place, reduce, inputs, at, used, length));
            for (int i = 0; i < at.length; i++) {
                used[i] += length;
                if (used[i] == inputs.get(i).get(at[i]).length()) {
                    at[i]++;
                    used[i] = 0;
                }
            }
            done += length;
        }
        return out;
    }

    private Memory.Run combine(final Place place, final Step.Reduce reduce, final List<List<Memory.Run>> inputs,
            final int[] at, final long[] used, final long length) {
        final List<Value.Term> operands = new ArrayList<>(at.length);
        int depth = 0;
        final BitSet ranks = new BitSet(size);
        final long index = inputs.getFirst().get(at[0]).index() + used[0];
        for (int i = 0; i < at.length; i++) {
            final Memory.Run run = inputs.get(i).get(at[i]);
            final Step.Operand operand = reduce.operands().get(i);
            requireKind(place, operand, run.value());
            if (run.index() + used[i] != index) {
                throw new ProofException(place, "combines element " + index + " of the input with element "
                        + (run.index() + used[i]) + " (operand " + operand.at() + ")");
            }
            if (ranks.intersects(run.value().term().ranks())) {
                throw new ProofException(place, "counts ranks twice: " + operand.at() + " holds " + run.value()
                        + ", and ranks " + ranks + " are already in");
            }
            ranks.or(run.value().term().ranks());
            operands.add(run.value().term());
            depth = Math.max(depth, run.value().term().depth());
        }
        if (reduce.finish() && ranks.cardinality() < size) {
            throw new ProofException(place, "finishes with ranks " + ranks + " only, of " + size);
        }
        final Value.Term term = operands.size() == 1 ? operands.getFirst() : intern(operands, ranks, depth + 1);
        return new Memory.Run(length, new Value(reduce.finish() ? Value.Kind.FINAL : Value.Kind.PARTIAL, term), index);
    }

    private Value.Term intern(final List<Value.Term> operands, final BitSet ranks, final int depth) {
        return terms.computeIfAbsent(operands, key -> new Value.Term(ranks, depth));
    }

    private static void requireKind(final Place place, final Step.Operand operand, final Value value) {
        final Value.Kind expected = operand.raw() ? Value.Kind.RAW : Value.Kind.PARTIAL;
        if (value.kind() != expected) {
            throw new ProofException(place, "operand " + operand.at() + " is said to be "
                    + (operand.raw() ? "one rank's input" : "a partial result") + " but holds " + value);
        }
    }
}
