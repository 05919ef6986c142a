package org.chagres.collectives.proof;

import java.util.ArrayList;
import java.util.List;

/** When the strands of one rank waited until all links of the rank had read what they were given. */
final class Flushes {
    private static final class Flush {
        /** Of the strand that waited. */
        final long time;
        /** What it knew to have been given to the links by then. */
        final long[] clock;

        Flush(final long time, final long[] clock) {
            this.time = time;
            this.clock = clock;
        }
    }

    private final int firstStrand;
    private final List<List<Flush>> byChannel = new ArrayList<>();

    Flushes(final int rank, final int channels) {
        firstStrand = rank * channels;
        for (int channel = 0; channel < channels; channel++) {
            byChannel.add(new ArrayList<>());
        }
    }

    void add(final Strand strand) {
        byChannel.get(strand.channel).add(new Flush(strand.time(), strand.clock.clone()));
    }

    /** Whether who has this clock knows of a flush after {@code reading} of the rank's memory began. */
    boolean knowEnd(final long[] clock, final Reading reading) {
        for (int channel = 0; channel < byChannel.size(); channel++) {
            final Flush last = lastKnown(byChannel.get(channel), clock[firstStrand + channel]);
            if (last != null && last.clock[firstStrand + reading.channel()] >= reading.time()) {
                return true;
            }
        }
        return false;
    }

    /** A strand's later flush covers whatever its earlier ones did. */
    private static Flush lastKnown(final List<Flush> flushes, final long time) {
        int low = 0;
        int high = flushes.size();
        while (low < high) {
            final int middle = (low + high) >>> 1;
            if (flushes.get(middle).time <= time) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low == 0 ? null : flushes.get(low - 1);
    }
}
