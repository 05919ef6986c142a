package org.chagres.bootstrap;

import java.util.Map;

/**
 * The variables of a process, read with checks. Whatever is wrong is an {@link IllegalArgumentException} with the variable's name, its value and the
 * rule. A blank variable counts as unset.
 */
record Environment(Map<String, String> variables) {
    static final String MASTER_ADDR = "MASTER_ADDR";
    static final String MASTER_PORT = "MASTER_PORT";
    static final String WORLD_SIZE = "WORLD_SIZE";
    private static final int MAX_PORT = 65535;

    boolean has(final String name) {
        return get(name) != null;
    }

    /** The value without surrounding blanks, or null if unset. */
    String get(final String name) {
        final String value = variables.get(name);
        return value == null || value.isBlank() ? null : value.strip();
    }

    /** The first of the variables that is set. */
    String first(final String... names) {
        for (final String name : names) {
            if (has(name)) {
                return name;
            }
        }
        throw new IllegalArgumentException(String.join(", ", names) + ": none of these is set");
    }

    /** @param remedy who sets the variable, for the message if it is unset */
    String required(final String name, final String remedy) {
        final String value = get(name);
        if (value == null) {
            throw new IllegalArgumentException(name + " is not set: " + remedy);
        }
        return value;
    }

    int number(final String name, final int least, final String remedy) {
        return (int) number(name, least, Integer.MAX_VALUE, remedy);
    }

    /** The number, or -1 if unset. */
    int optional(final String name, final int least) {
        return has(name) ? number(name, least, "") : -1;
    }

    int masterPort(final String remedy) {
        return (int) number(MASTER_PORT, 1, MAX_PORT, remedy);
    }

    long number(final String name, final long least, final long most, final String remedy) {
        final String text = required(name, remedy);
        final String range = least + ".." + most;
        final long value;
        try {
            value = Long.parseLong(text);
        } catch (final NumberFormatException e) {
            throw new IllegalArgumentException(name + "=" + text + " is not a number: it must be " + range, e);
        }
        if (value < least || value > most) {
            throw new IllegalArgumentException(name + "=" + text + " is out of range: it must be " + range);
        }
        return value;
    }
}
