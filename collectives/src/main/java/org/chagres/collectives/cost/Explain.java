package org.chagres.collectives.cost;

import java.util.BitSet;
import java.util.List;
import java.util.Locale;
import org.chagres.collectives.plan.Cost;
import org.chagres.collectives.plan.FlushPoints;
import org.chagres.collectives.plan.Limits;
import org.chagres.collectives.plan.Plan;
import org.chagres.collectives.plan.Planner;
import org.chagres.collectives.plan.Ref;
import org.chagres.collectives.plan.Shape;
import org.chagres.collectives.plan.Step;
import org.chagres.collectives.plan.Topology;

/** Prints a plan so that a person can read what a rank will do and why. All ranges are in bytes, the end excluded. */
public final class Explain {
    private Explain() {
    }

    /**
     * One rank's plan: a header, what leaves the host if there are several, the steps by channel, and the priced alternatives.
     *
     * @param limits within which the plan was made
     * @param type the data type's name
     */
    public static String explain(final Plan plan, final Choice choice, final Limits limits, final String type) {
        final StringBuilder text = new StringBuilder();
        final Topology topology = limits.topology();
        header(text, plan, choice, type);
        if (topology.hosts() > 1) {
            hosts(text, plan, choice.planner(), limits);
        }
        final List<BitSet> flushPoints = FlushPoints.of(plan);
        for (int channel = 0; channel < plan.channels().size(); channel++) {
            text.append("channel ").append(channel).append('\n');
            final List<Step> steps = plan.channels().get(channel);
            for (int i = 0; i < steps.size(); i++) {
                if (flushPoints.get(channel).get(i)) {
                    text.append(String.format(Locale.ROOT, "        flush%n"));
                }
                text.append(String.format(Locale.ROOT, "%6d  %s%n", i, step(steps.get(i), plan.shape().elementSize())
                        + crossing(steps.get(i), plan.rank(), topology)));
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

    private static void hosts(final StringBuilder text, final Plan plan, final Planner planner, final Limits limits) {
        final Topology topology = limits.topology();
        final int host = topology.host(plan.rank());
        long all = 0;
        long leaving = 0;
        for (int rank = 0; rank < plan.shape().size(); rank++) {
            final long bytes = bytesAcross(planner.plan(plan.shape(), rank, limits), topology);
            all += bytes;
            leaving += topology.host(rank) == host ? bytes : 0;
        }
        text.append(String.format(Locale.ROOT,
                "%d hosts, this rank on host %d; bytes to other hosts: %d of this rank, %d of its host, %d in all%n",
                topology.hosts(), host, bytesAcross(plan, topology), leaving, all));
    }

    private static long bytesAcross(final Plan plan, final Topology topology) {
        long count = 0;
        for (final List<Step> steps : plan.channels()) {
            for (final Step step : steps) {
                count += step instanceof final Step.Put put && topology.crosses(plan.rank(), put.peer())
                        ? put.count()
                        : 0;
            }
        }
        return count * plan.shape().elementSize();
    }

    private static String crossing(final Step step, final int rank, final Topology topology) {
        return switch (step) {
            case final Step.Put put -> crossing(", to host ", rank, put.peer(), topology);
            case final Step.Signal signal -> crossing(", to host ", rank, signal.peer(), topology);
            case final Step.Wait wait -> crossing(", from host ", rank, wait.peer(), topology);
            case final Step.Copy _,final Step.Reduce _ -> "";
        };
    }

    private static String crossing(final String way, final int rank, final int peer, final Topology topology) {
        return topology.crosses(rank, peer) ? way + topology.host(peer) : "";
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
        text.append(String.format(Locale.ROOT, "%-20s %5s %9s %14s %14s %14s %14s %10s %12s%n", "algorithm", "hops",
                "messages", "sent B", "across B", "reduced B", "copied B", "roundings", "estimate us"));
        for (final Choice.Alternative alternative : choice.alternatives()) {
            final Cost cost = alternative.cost();
            final String mark = alternative.planner() == choice.planner()
                    ? "  <- chosen"
                    : alternative.allowed() ? "" : "  (not allowed)";
            text.append(String.format(Locale.ROOT, "%-20s %5d %9d %14d %14d %14d %14d %10d %12.2f%s%n",
                    alternative.planner().name(), cost.hops(), cost.messages(), cost.bytesSent(),
                    cost.across().bytesSent(), cost.bytesReduced(), cost.bytesCopied(), cost.roundings(),
                    alternative.nanoseconds() / 1000, mark));
        }
    }
}
