package org.chagres.bench.perf;

import java.util.stream.Stream;

/**
 * One row of the table.
 *
 * @param inPlace null where the collective has no in-place form
 */
record RowResult(Case row, String algorithm, PlaceResult outOfPlace, PlaceResult inPlace) {
    Stream<PlaceResult> places() {
        return Stream.of(outOfPlace, inPlace).filter(place -> place != null);
    }

    /** How many of the places had wrong data. */
    long wrongPlaces() {
        return places().filter(place -> place.wrong() > 0).count();
    }
}
