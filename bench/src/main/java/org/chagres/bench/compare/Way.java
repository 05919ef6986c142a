package org.chagres.bench.compare;

import java.util.Locale;

/** The two ways of measuring. */
enum Way {
    NCCL("as nccl-tests measures: input unchanged between operations"), FRESH(
            "fresh: every rank rewrites its input before each operation; the rewrite's own time is subtracted");

    private final String title;

    Way(final String title) {
        this.title = title;
    }

    /** For a table's heading. */
    String title() {
        return title;
    }

    /** The word in the C programs' lines and in JSON. */
    String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
