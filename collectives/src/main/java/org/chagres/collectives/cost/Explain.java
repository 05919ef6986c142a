package org.chagres.collectives.cost;

import java.util.BitSet;
import java.util.List;
import java.util.Locale;
import org.chagres.collectives.plan.Cost;
import org.chagres.collectives.plan.FlushPoints;
import org.chagres.collectives.plan.Plan;
import org.chagres.collectives.plan.Ref;
import org.chagres.collectives.plan.Shape;
import org.chagres.collectives.plan.Step;

/** Prints a plan so that a person can read what a rank will do and why. All ranges are in bytes, the end excluded. */
public final class Explain {
    private Explain() {
    }

    /**
     * One rank's plan: a header, the steps by channel, and the priced alternatives.
     *
     * @param type the data type's name
     */
    public static String explain(final Plan plan, final Choice choice, final String type) {
        final StringBuilder text = new StringBuilder();
        header(text, plan, choice, type);
        final List<BitSet> flushPoints = FlushPoints.of(plan);
        for (int channel = 0; channel < plan.channels().size(); channel++) {
            text.append("channel ").append(channel).append('\n');
            final List<Step> steps = plan.channels().get(channel);
            for (int i = 0; i < steps.size(); i++) {
                if (flushPoints.get(channel).get(i)) {
                    text.append(String.format(Locale.ROOT, "        flush%n"));
                }
                text.append(String.format(Locale.ROOT, "%6d  %s%n", i, step(steps.get(i), plan.shape().elementSize())));
            }
        }
        alternatives(text, choice);
        return text.toString();
    }

    private static void header(final StringBuilder text, final Plan plan, final Choice choice, final String type) {
        final Shape shape = plan.shape();
        text.append(shape.collective().label())
                .append(" of ")
                .append(shape.count())
                .append(" x ")
                .append(type)
                .append(" (")
                .append(shape.bytes())
                .append(" B) over ")
                .append(shape.size())
                .append(" ranks");
        if (shape.collective().rooted()) {
            text.append(", root ").append(shape.root());
        }
        text.append(", rank ")
                .append(plan.rank())
                .append(": ")
                .append(plan.algorithm())
                .append(", ")
                .append(choice.reason());
        text.append(String.format(Locale.ROOT, "%nscratch: %s of %d B; %s%n",
                plan.scratch().name().toLowerCase(Locale.ROOT),
                plan.scratchCount() * shape.elementSize(), plan.synchronizing()
                        ? "synchronizes all ranks"
                        : "does not synchronize all ranks"));
    }

    private static String step(final Step step, final int size) {
        return switch (step) {
            case final Step.Put put ->
                "put     " + range(put.from(), put.count(), size) + " -> rank " + put.peer() + " "
                        + range(put.to(), put.count(), size) + (put.signal() ? ", signal" : "");
            case final Step.Signal signal -> "signal  rank " + signal.peer();
            case final Step.Wait wait -> "wait    rank " + wait.peer() + ", signal " + wait.ordinal();
            case final Step.Copy copy -> "copy    " + range(copy.from(), copy.count(), size) + " -> "
                    + range(copy.to(), copy.count(), size);
            case final Step.Reduce reduce -> "reduce  " + operands(reduce, size) + " -> "
                    + range(reduce.to(), reduce.count(), size) + (reduce.finish() ? ", finish" : "");
        };
    }

    private static String operands(final Step.Reduce reduce, final int size) {
        final StringBuilder text = new StringBuilder();
        for (final Step.Operand operand : reduce.operands()) {
            text.append(text.isEmpty() ? "" : " + ")
                    .append(range(operand.at(), reduce.count(), size))
                    .append(operand.raw() ? "" : " (partial)");
        }
        return text.toString();
    }

    private static String range(final Ref ref, final long count, final int size) {
        return ref.space().name().toLowerCase(Locale.ROOT) + "[" + ref.offset() * size + ".."
                + (ref.offset() + count) * size + ")";
    }

    private static void alternatives(final StringBuilder text, final Choice choice) {
        text.append(String.format(Locale.ROOT, "%-20s %5s %9s %14s %14s %14s %10s %12s%n", "algorithm", "hops",
                "messages", "sent B",
                "reduced B", "copied B", "roundings", "estimate us"));
        for (final Choice.Alternative alternative : choice.alternatives()) {
            final Cost cost = alternative.cost();
            final String mark = alternative.planner() == choice.planner()
                    ? "  <- chosen"
                    : alternative.allowed() ? "" : "  (not allowed)";
            text.append(String.format(Locale.ROOT, "%-20s %5d %9d %14d %14d %14d %10d %12.2f%s%n",
                    alternative.planner().name(),
                    cost.hops(), cost.messages(), cost.bytesSent(), cost.bytesReduced(), cost.bytesCopied(),
                    cost.roundings(),
                    alternative.nanoseconds() / 1000, mark));
        }
    }
}
