package org.chagres.collectives.plan;

import java.util.Map;
import java.util.TreeMap;

/** A set of elements as ranges that do not touch, so that its size is that of its gaps. */
final class Ranges {
    /** By start: the end, excluded. */
    private final TreeMap<Long, Long> ends = new TreeMap<>();

    void add(final long start, final long count) {
        long from = start;
        long to = start + count;
        // Every range swallowed here was added once, so that all additions together take n log n.
        for (Map.Entry<Long, Long> last = ends.floorEntry(to); last != null && last.getValue() >= from; last = ends
                .floorEntry(to)) {
            from = Math.min(from, last.getKey());
            to = Math.max(to, last.getValue());
            ends.remove(last.getKey());
        }
        ends.put(from, to);
    }

    boolean intersects(final long start, final long count) {
        final Map.Entry<Long, Long> last = ends.lowerEntry(start + count);
        return last != null && last.getValue() > start;
    }

    void clear() {
        ends.clear();
    }
}
