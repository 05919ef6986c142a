package org.chagres.collectives;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a person asks to see with {@code CHAGRES_DEBUG} or {@code NCCL_DEBUG}: a few lines on stderr about topology, transports and choices, with or without
 * a logging framework. The same goes to SLF4J at debug level.
 */
final class DebugLog {
    static final String VARIABLE = "CHAGRES_DEBUG";
    static final String NCCL_VARIABLE = "NCCL_DEBUG";
    private static final Logger LOG = LoggerFactory.getLogger("org.chagres.collectives");
    private static final List<String> LEVELS = List.of("VERSION", "WARN", "INFO", "TRACE");

    private final boolean info;
    private final String prefix;

    private DebugLog(final boolean info, final String prefix) {
        this.info = info;
        this.prefix = prefix;
    }

    /**
     * The log of one rank; ranks other than 0 say only what differs from rank to rank.
     *
     * @throws IllegalArgumentException if the level is unknown
     */
    static DebugLog of(final Map<String, String> environment, final int rank) {
        final String name = environment.containsKey(VARIABLE) ? VARIABLE : NCCL_VARIABLE;
        final String set = environment.getOrDefault(name, "").strip().toUpperCase(Locale.ROOT);
        if (!set.isEmpty() && !LEVELS.contains(set)) {
            throw new IllegalArgumentException(name + "=" + set + " is unknown: use one of " + LEVELS);
        }
        return new DebugLog("INFO".equals(set) || "TRACE".equals(set), "chagres INFO rank " + rank + ": ");
    }

    /** Whether a person wants to read {@link #info}. */
    boolean wanted() {
        return info || LOG.isDebugEnabled();
    }

    /** Says something; the line is made only if it is wanted. */
    void info(final Supplier<String> line) {
        if (wanted()) {
            final String text = line.get();
            LOG.debug(text);
            if (info) {
                System.err.println(prefix + text);
            }
        }
    }
}
