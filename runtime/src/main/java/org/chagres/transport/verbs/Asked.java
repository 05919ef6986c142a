package org.chagres.transport.verbs;

import java.util.Objects;

/**
 * What somebody asked for, and how: messages repeat it in the asker's own words.
 *
 * @param text the variable and its value, such as {@code NCCL_IB_GID_INDEX=3}
 * @param value what it means
 */
public record Asked<T>(String text, T value) {
    /** Checks that both are there. */
    public Asked {
        Objects.requireNonNull(text, "text");
        Objects.requireNonNull(value, "value");
    }
}
