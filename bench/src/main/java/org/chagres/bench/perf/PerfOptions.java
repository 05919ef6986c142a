package org.chagres.bench.perf;

import java.nio.file.Path;
import java.util.List;
import java.util.OptionalLong;
import org.chagres.bench.UsageException;
import org.chagres.collectives.DataType;
import org.chagres.collectives.ReduceOp;
import org.chagres.collectives.plan.Collective;

/**
 * What to measure, checked.
 *
 * @param ops the reduce ops to go through; one, that is ignored, where the collective has none
 * @param roots the roots to go through; one, that is ignored, where the collective has none
 * @param iterations timed operations a row, or empty: as many as fit into a fixed time
 * @param warmUp operations before them, or empty: as many as the JIT may need
 * @param checks checked operations a row
 * @param fresh whether each rank rewrites its input before each operation
 * @param percentiles whether the table shows them
 * @param quiet whether there is no table
 * @param json the file to write, or null
 */
record PerfOptions(Collective collective, int ranks, boolean threads, Sizes sizes, List<DataType> types,
        List<ReduceOp> ops, List<Integer> roots, OptionalLong iterations, OptionalLong warmUp, int checks,
        Average average, boolean fresh, boolean percentiles, boolean quiet, Path json) {
    PerfOptions {
        if (ranks < 1) {
            throw new UsageException("--ranks " + ranks + ": a world has at least 1 rank");
        }
        for (final int root : roots) {
            if (root < 0 || root >= ranks) {
                throw new UsageException("-r " + root + " is out of range: ranks are 0.." + (ranks - 1));
            }
        }
        refuseBelow("-n", iterations, 1);
        refuseBelow("-w", warmUp, 0);
        if (checks < 0) {
            throw new UsageException("-c " + checks + ": check 0 or more operations a row");
        }
    }

    private static void refuseBelow(final String option, final OptionalLong value, final long least) {
        if (value.isPresent() && value.getAsLong() < least) {
            throw new UsageException(option + " " + value.getAsLong() + ": use " + least + " or more");
        }
    }

    /** The sizes to go through; a barrier has none. */
    long[] sizesInBytes() {
        return collective == Collective.BARRIER ? new long[1] : sizes.toArray();
    }

    /** Bytes of the largest tensor. */
    long bufferBytes() {
        return collective == Collective.BARRIER ? 0 : sizes.last();
    }

    /** Bytes of registered memory that one rank needs: two buffers with guards. */
    long bytesPerRank() {
        return 2 * (bufferBytes() + 2 * GuardedBuffer.GUARD);
    }
}
