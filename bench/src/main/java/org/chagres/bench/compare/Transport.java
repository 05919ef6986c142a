package org.chagres.bench.compare;

import java.util.Locale;
import java.util.Map;

/** What the contenders move their data through. */
enum Transport {
    /** Shared memory, which Chagres chooses by itself on one host. */
    SHM("shared memory"),
    /** TCP on loopback. */
    TCP("TCP on loopback");

    private final String title;

    Transport(final String title) {
        this.title = title;
    }

    /** For a table's heading. */
    String title() {
        return title;
    }

    /** The word in JSON. */
    String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** What tells Chagres to use it, where it would not by itself. */
    Map<String, String> environment() {
        return this == TCP ? Map.of("CHAGRES_TRANSPORT", label()) : Map.of();
    }
}
