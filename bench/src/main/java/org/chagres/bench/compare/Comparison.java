package org.chagres.bench.compare;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Consumer;

/** All contenders' times over all rounds. */
final class Comparison {
    private final Transport transport;
    private final int ranks;
    private final Sweep sweep;
    private final List<Contender> peers;
    private final Optional<Contender> baseline;
    private final Contender chagres;
    private final Optional<String> handover;
    private final Map<Contender, Samples> samples = new LinkedHashMap<>();
    private final List<Double> handovers = new ArrayList<>();

    Comparison(final Workshop workshop, final Transport transport, final int ranks, final Sweep sweep) {
        this.transport = transport;
        this.ranks = ranks;
        this.sweep = sweep;
        this.peers = workshop.peers(transport, ranks, sweep);
        this.baseline = workshop.baseline(transport, ranks, sweep);
        this.chagres = new ChagresRun(transport, ranks, sweep, workshop.folder());
        this.handover = workshop.handover();
        peers.forEach(peer -> samples.put(peer, new Samples()));
        baseline.ifPresent(program -> samples.put(program, new Samples()));
        samples.put(chagres, new Samples());
    }

    /** Runs every contender once, then looks how fast the machine was meanwhile. */
    void round(final Consumer<String> progress) {
        for (final Contender contender : List.copyOf(samples.keySet())) {
            progress.accept(contender.name());
            if (!contender.tryRound(samples.get(contender), System.err::println)) {
                samples.remove(contender);
            }
        }
        handover.ifPresent(program -> {
            handovers.add(Double.parseDouble(Tool.run(List.of(program)).getFirst()) / 1e3);
            progress.accept(String.format(Locale.ROOT, "a cache line's handover takes %.3f µs", handovers.getLast()));
        });
    }

    Transport transport() {
        return transport;
    }

    int ranks() {
        return ranks;
    }

    /** Microseconds of a cache line's handover from one process to another, if that could be measured. */
    OptionalDouble handover() {
        return handovers.isEmpty() ? OptionalDouble.empty() : OptionalDouble.of(Samples.median(handovers));
    }

    /** The same of each round: where they differ, so did the machine's state. */
    List<Double> handovers() {
        return Collections.unmodifiableList(handovers);
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
        return new ComparisonRow(bytes, best, least, libraries(way, bytes), median(chagres, way, bytes),
                Target.ofBestPeer(transport, way, ranks, bytes),
                baseline.map(program -> median(program, way, bytes)).orElse(OptionalDouble.empty()));
    }

    /** The best median of each peers' library, in the order of the runs; without those that failed. */
    private Map<String, OptionalDouble> libraries(final Way way, final long bytes) {
        final Map<String, OptionalDouble> best = new LinkedHashMap<>();
        for (final Contender peer : peers) {
            if (samples.containsKey(peer)) {
                best.merge(peer.library(), median(peer, way, bytes), Comparison::least);
            }
        }
        return best;
    }

    private static OptionalDouble least(final OptionalDouble a, final OptionalDouble b) {
        return a.isEmpty() || (b.isPresent() && b.getAsDouble() < a.getAsDouble()) ? b : a;
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
