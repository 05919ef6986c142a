package org.chagres.collectives;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.HashMap;
import java.util.Map;

/** What the tests of this package share. */
final class Worlds {
    private Worlds() {
    }

    /** A new world. Its ranks yield to each other, for the machine may be busy with more than this test, unless {@code environment} says otherwise. */
    static World open(final int size, final Map<String, String> environment) {
        final Map<String, String> settings = new HashMap<>(Map.of("CHAGRES_IDLE", "yield"));
        settings.putAll(environment);
        return World.threads(size, settings);
    }

    /** Runs {@code task} on every rank of a new world with the default settings. */
    static void run(final int size, final RankTask task) {
        run(size, Map.of(), task);
    }

    static void run(final int size, final Map<String, String> environment, final RankTask task) {
        try (World world = open(size, environment)) {
            world.run(task);
        }
    }

    static void fill(final Buffer buffer, final int value) {
        for (long i = 0; i < buffer.count(); i++) {
            Elements.set(buffer.segment(), buffer.type(), i, value);
        }
    }

    static void assertFilled(final int expected, final Buffer buffer) {
        final MemorySegment one = MemorySegment.ofArray(new byte[buffer.type().size()]);
        Elements.set(one, buffer.type(), 0, expected);
        for (long i = 0; i < buffer.count(); i++) {
            final MemorySegment element = buffer.segment().asSlice(i * one.byteSize(), one.byteSize());
            final long at = i;
            assertEquals(-1, element.mismatch(one), () -> "element " + at + " is not " + expected + " but "
                    + java.util.Arrays.toString(element.toArray(ValueLayout.JAVA_BYTE)));
        }
    }

    /** One all_reduce of known values: the communicator works. */
    static void assertUsable(final Communicator c) {
        try (Buffer buffer = c.allocate(DataType.INT32, 5)) {
            fill(buffer, c.rank() + 1);
            c.allReduce(buffer, ReduceOp.SUM);
            assertFilled(c.size() * (c.size() + 1) / 2, buffer);
        }
    }
}
