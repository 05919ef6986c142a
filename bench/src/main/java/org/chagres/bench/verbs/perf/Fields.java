package org.chagres.bench.verbs.perf;

import com.fasterxml.jackson.jr.ob.JSON;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A message of the exchange: a JSON object whose fields are read with their types and bounds checked. */
record Fields(Map<String, Object> values) {

    /** @throws ProtocolException if the text is no JSON object */
    static Fields parse(final String text) throws ProtocolException {
        try {
            return new Fields(JSON.std.mapFrom(text));
        } catch (final IOException e) {
            throw new ProtocolException("it sent broken JSON: " + e.getMessage().lines().findFirst().orElse(""), e);
        }
    }

    String text() {
        try {
            return JSON.std.asString(values);
        } catch (final IOException e) {
            throw new IllegalStateException("a message cannot be written: " + e.getMessage(), e);
        }
    }

    boolean has(final String name) {
        return values.get(name) != null;
    }

    int integer(final String name, final int min, final int max) throws ProtocolException {
        final long value = number(name);
        if (value < min || value > max) {
            throw new ProtocolException("its " + name + " is " + value + ", not " + min + " to " + max);
        }
        return (int) value;
    }

    long number(final String name) throws ProtocolException {
        return number(name, values.get(name));
    }

    private static long number(final String name, final Object value) throws ProtocolException {
        if (value instanceof Integer || value instanceof Long) {
            return ((Number) value).longValue();
        }
        throw new ProtocolException("its " + name + " is no number but " + value);
    }

    String string(final String name) throws ProtocolException {
        if (values.get(name) instanceof final String text) {
            return text;
        }
        throw new ProtocolException("its " + name + " is no text but " + values.get(name));
    }

    boolean truth(final String name) throws ProtocolException {
        if (values.get(name) instanceof final Boolean truth) {
            return truth;
        }
        throw new ProtocolException("its " + name + " is neither true nor false but " + values.get(name));
    }

    List<Integer> integers(final String name) throws ProtocolException {
        final List<Integer> numbers = new ArrayList<>();
        for (final Object value : list(name)) {
            final long number = number(name, value);
            if (number != (int) number) {
                throw new ProtocolException("a number of its " + name + " is " + number);
            }
            numbers.add((int) number);
        }
        return numbers;
    }

    List<Fields> objects(final String name) throws ProtocolException {
        final List<Fields> objects = new ArrayList<>();
        for (final Object value : list(name)) {
            if (!(value instanceof final Map<?, ?> map)) {
                throw new ProtocolException("its " + name + " holds " + value);
            }
            final Map<String, Object> object = new HashMap<>();
            map.forEach((key, entry) -> object.put(String.valueOf(key), entry));
            objects.add(new Fields(object));
        }
        return objects;
    }

    private List<?> list(final String name) throws ProtocolException {
        if (values.get(name) instanceof final List<?> list) {
            return list;
        }
        throw new ProtocolException("its " + name + " is no list but " + values.get(name));
    }
}
