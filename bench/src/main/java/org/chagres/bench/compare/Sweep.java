package org.chagres.bench.compare;

import java.util.stream.LongStream;
import org.chagres.bench.UsageException;

/** The sizes to compare, in bytes. */
record Sweep(long first, long last, int factor) {
    Sweep {
        if (first < Float.BYTES || first % Float.BYTES != 0 || first > last || factor < 2) {
            throw new UsageException("-b " + first + " -e " + last + " -f " + factor
                    + ": sizes run from a multiple of 4 bytes up to -e, by a factor of 2 or more");
        }
    }

    long[] sizes() {
        return LongStream.iterate(first, size -> size <= last, size -> size * factor).toArray();
    }
}
