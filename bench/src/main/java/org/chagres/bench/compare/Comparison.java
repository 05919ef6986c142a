package org.chagres.bench.compare;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Consumer;

/** All contenders' times over all rounds. */
final class Comparison {
    private final int ranks;
    private final Sweep sweep;
    private final List<Contender> peers;
    private final Optional<Contender> baseline;
    private final Contender chagres;
    private final Optional<String> handover;
    private final Map<Contender, Samples> samples = new LinkedHashMap<>();
    private final List<Double> handovers = new ArrayList<>();

    Comparison(final Workshop workshop, final int ranks, final Sweep sweep) {
        this.ranks = ranks;
        this.sweep = sweep;
        this.peers = workshop.peers(ranks, sweep);
        this.baseline = workshop.baseline(ranks, sweep);
        this.chagres = new ChagresRun(ranks, sweep, workshop.folder());
        this.handover = workshop.handover();
        peers.forEach(peer -> samples.put(peer, new Samples()));
        baseline.ifPresent(program -> samples.put(program, new Samples()));
        samples.put(chagres, new Samples());
    }

    /** Runs every contender once. */
    void round(final Consumer<String> progress) {
        for (final Contender contender : List.copyOf(samples.keySet())) {
            progress.accept(contender.name());
            if (!contender.tryRound(samples.get(contender), System.err::println)) {
                samples.remove(contender);
            }
        }
        handover.ifPresent(program -> handovers.add(Double.parseDouble(Tool.run(List.of(program)).getFirst()) / 1e3));
    }

    int ranks() {
        return ranks;
    }

    /** Microseconds of a cache line's handover from one process to another, if that could be measured. */
    OptionalDouble handover() {
        return handovers.isEmpty() ? OptionalDouble.empty() : OptionalDouble.of(Samples.median(handovers));
    }

    List<ComparisonRow> rows(final Way way) {
        final List<ComparisonRow> rows = new ArrayList<>();
        for (final long bytes : sweep.sizes()) {
            rows.add(row(way, bytes));
        }
        return rows;
    }

    private ComparisonRow row(final Way way, final long bytes) {
        String best = null;
        OptionalDouble least = OptionalDouble.empty();
        for (final Contender peer : peers) {
            final OptionalDouble median = median(peer, way, bytes);
            if (median.isPresent() && (best == null || median.getAsDouble() < least.getAsDouble())) {
                best = peer.name();
                least = median;
            }
        }
        return new ComparisonRow(bytes, best, least, median(chagres, way, bytes), Target.ofBestPeer(way, ranks, bytes),
                baseline.map(program -> median(program, way, bytes)).orElse(OptionalDouble.empty()));
    }

    private OptionalDouble median(final Contender contender, final Way way, final long bytes) {
        final Samples of = samples.get(contender);
        return of == null ? OptionalDouble.empty() : of.median(way, bytes);
    }

    /** The median of every contender, in the order of the runs. */
    Map<String, OptionalDouble> medians(final Way way, final long bytes) {
        final Map<String, OptionalDouble> medians = new LinkedHashMap<>();
        samples.forEach((contender, of) -> medians.put(contender.name(), of.median(way, bytes)));
        return medians;
    }
}
