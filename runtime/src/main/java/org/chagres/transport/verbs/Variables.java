package org.chagres.transport.verbs;

import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * The variables of the verbs transport: each has a name of ours, {@code CHAGRES_IB_X}, and NCCL's, {@code NCCL_IB_X}; ours counts if both are set. A
 * blank variable counts as unset. Whatever is wrong is an {@link IllegalArgumentException} with the variable, its value and the rule.
 */
record Variables(Map<String, String> environment) {
    private static final String OURS = "CHAGRES_IB_";
    private static final String NCCLS = "NCCL_IB_";

    /** The value of the variable that ends with {@code suffix}, without surrounding blanks. */
    Optional<Asked<String>> text(final String suffix) {
        for (final String prefix : new String[]{OURS, NCCLS }) {
            final String value = environment.getOrDefault(prefix + suffix, "").strip();
            if (!value.isEmpty()) {
                return Optional.of(new Asked<>(prefix + suffix + "=" + value, value));
            }
        }
        return Optional.empty();
    }

    /** The number, decimal or with 0x in hexadecimal as NCCL reads it. */
    Optional<Asked<Integer>> number(final String suffix, final int least, final int most) {
        return text(suffix).map(set -> new Asked<>(set.text(), number(set, least, most)));
    }

    int number(final String suffix, final int least, final int most, final int otherwise) {
        return number(suffix, least, most).map(Asked::value).orElse(otherwise);
    }

    /** One of a few words, which stand in the order of {@code values}. */
    <E> Optional<Asked<E>> word(final String suffix, final E[] values, final Function<E, String> word) {
        return text(suffix).map(set -> new Asked<>(set.text(), Arrays.stream(values)
                .filter(value -> word.apply(value).equals(set.value().toUpperCase(Locale.ROOT)))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(set.text() + " is unknown: use "
                        + String.join(" or ", Arrays.stream(values).map(word).toList())))));
    }

    private static int number(final Asked<String> set, final int least, final int most) {
        final String range = least + ".." + most;
        final long value;
        try {
            value = Long.decode(set.value());
        } catch (final NumberFormatException e) {
            throw new IllegalArgumentException(set.text() + " is not a number: it must be " + range, e);
        }
        if (value < least || value > most) {
            throw new IllegalArgumentException(set.text() + " is out of range: it must be " + range);
        }
        return (int) value;
    }
}
