package org.chagres.bench.perf;

import java.lang.foreign.MemorySegment;

/**
 * A tensor that repeats with a period, so that a gigabyte of it is filled and compared at memory speed. The period is a prime: a chunk that
 * arrives at the place of another one never looks right.
 */
final class Pattern {
    /** Elements after which a pattern repeats. */
    static final int PERIOD = 4093;

    private final MemorySegment elements;
    private final int elementSize;

    /** @param elements {@link #PERIOD} elements */
    Pattern(final MemorySegment elements, final int elementSize) {
        this.elements = elements;
        this.elementSize = elementSize;
    }

    /** Writes elements {@code first} .. {@code first + count} of the tensor to the start of {@code to}. */
    void fill(final MemorySegment to, final long first, final long count) {
        long done = 0;
        while (done < count) {
            final long phase = (first + done) % PERIOD;
            final long run = Math.min(PERIOD - phase, count - done);
            MemorySegment.copy(elements, phase * elementSize, to, done * elementSize, run * elementSize);
            done += run;
        }
    }

    /** Counts the elements of {@code actual} that differ from elements {@code first} .. {@code first + count} of the tensor. */
    long wrong(final MemorySegment actual, final long first, final long count) {
        long done = 0;
        long wrong = 0;
        while (done < count) {
            final long phase = (first + done) % PERIOD;
            final long run = Math.min(PERIOD - phase, count - done);
            wrong += wrongInRun(actual, done, phase, run);
            done += run;
        }
        return wrong;
    }

    private long wrongInRun(final MemorySegment actual, final long from, final long phase, final long run) {
        long wrong = 0;
        long at = 0;
        while (at < run) {
            final long byteAt = MemorySegment.mismatch(actual, (from + at) * elementSize, (from + run) * elementSize,
                    elements, (phase + at) * elementSize, (phase + run) * elementSize);
            if (byteAt < 0) {
                break;
            }
            wrong++;
            at += byteAt / elementSize + 1;
        }
        return wrong;
    }
}
