package org.chagres.collectives;

import java.util.Locale;
import java.util.Map;

/** When ranks compare what they call, {@code CHAGRES_CHECK}; all ranks must choose alike. */
enum Check {
    /** No collective ends before all ranks are seen to have called the same. */
    ALL,
    /**
     * Each rank compares with those whose data it needs. The root of a broadcast, say, may run ahead of ranks that have not called it yet, and a difference may
     * show only later.
     */
    PARTNERS;

    static final String VARIABLE = "CHAGRES_CHECK";

    static Check of(final Map<String, String> environment) {
        final String set = environment.getOrDefault(VARIABLE, "all").strip().toLowerCase(Locale.ROOT);
        return switch (set) {
            case "", "all" -> ALL;
            case "partners" -> PARTNERS;
            default -> throw new IllegalArgumentException(VARIABLE + "=" + set + " is unknown: use all or partners");
        };
    }
}
