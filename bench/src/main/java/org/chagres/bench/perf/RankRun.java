package org.chagres.bench.perf;

import java.util.OptionalLong;
import net.openhft.chronicle.core.util.Histogram;
import org.chagres.bench.UsageException;
import org.chagres.collectives.Communicator;
import org.chagres.collectives.DataType;
import org.chagres.collectives.ReduceOp;
import org.chagres.collectives.plan.Collective;

/** What each rank does: all rows in order, each warmed up, timed and checked, in step with the other ranks. */
final class RankRun implements AutoCloseable {
    /** Without {@code -n}, the median of so many batches counts, so that one interruption does not. */
    private static final int BATCHES = 5;

    private final Communicator comm;
    private final PerfOptions options;
    private final Report report;
    private final Agreement agreement;
    private final GuardedBuffer send;
    private final GuardedBuffer recv;
    private final Pace pace;
    private long wrongPlaces;
    private long checksDone;

    /** @param report where rank 0's results go */
    RankRun(final Communicator comm, final PerfOptions options, final Report report) {
        if (comm.size() != options.ranks()) {
            throw new UsageException("--ranks " + options.ranks() + " contradicts the environment's world of "
                    + comm.size() + " ranks: give the same number, or leave --ranks out");
        }
        this.comm = comm;
        this.options = options;
        this.report = report;
        final long bytes = options.bufferBytes();
        this.agreement = new Agreement(comm);
        this.send = new GuardedBuffer(comm, bytes);
        this.recv = new GuardedBuffer(comm, bytes);
        this.pace = new Pace(agreement, options, comm::barrier);
    }

    /** Measures everything and returns how many results had wrong data. */
    long run() {
        if (comm.rank() == 0) {
            report.start(options, comm.transports());
        }
        for (final DataType type : options.types()) {
            for (final ReduceOp op : options.ops()) {
                for (final int root : options.roots()) {
                    sweep(type, op, root);
                }
            }
        }
        if (comm.rank() == 0) {
            report.finish();
        }
        return wrongPlaces;
    }

    private void sweep(final DataType type, final ReduceOp op, final int root) {
        final long[] sizes = options.sizesInBytes();
        for (final long size : sizes) {
            final Case row = Case.of(options.collective(), type, op, root, comm.size(), size);
            pace.warmUp(measured(row, outOfPlace(row)));
        }
        pace.settle();
        for (final long size : sizes) {
            final RowResult result = measure(Case.of(options.collective(), type, op, root, comm.size(), size));
            wrongPlaces += result.wrongPlaces();
            if (comm.rank() == 0) {
                report.row(result);
            }
        }
    }

    private RowResult measure(final Case row) {
        final PlaceResult outOfPlace = measure(row, outOfPlace(row));
        final PlaceResult inPlace = row.hasInPlace() ? measure(row, Placement.inPlace(row, comm.rank(), recv)) : null;
        return new RowResult(row, algorithm(row), outOfPlace, inPlace);
    }

    /** A ring of messages is no collective with a choice of algorithms. */
    private String algorithm(final Case row) {
        return row.collective() == Collective.SEND_RECV
                ? "messages"
                : comm.algorithm(row.collective(), row.count(), row.type(), row.root());
    }

    private Placement outOfPlace(final Case row) {
        return Placement.outOfPlace(row, send, recv);
    }

    private Measured measured(final Case row, final Placement place) {
        final Operation operation = Operation.of(comm, row, place.send(), place.recv());
        final boolean rewrites = options.fresh() && row.sends(comm.rank());
        return new Measured(operation, rewrites ? place.send() : place.send().asSlice(0, 0), options.fresh());
    }

    private PlaceResult measure(final Case row, final Placement place) {
        new Check(row, comm.rank(), place, 0).prepare();
        final Measured measured = measured(row, place);
        final OptionalLong fitting = pace.warmUp(measured);
        final long n = options.iterations().orElseGet(fitting::getAsLong);
        comm.barrier();
        final int batches = options.iterations().isPresent() ? 1 : BATCHES;
        final double nanos = measured.median(n, batches, comm::barrier);
        final double seconds = agreement.report(nanos, options.fresh() ? Average.MAXIMUM : options.average()) / 1e9;
        final Histogram histogram = measured.histogram(Math.max(1, n / 2), comm::barrier);
        final double p50 = agreement.over(histogram.percentile(0.5), ReduceOp.MAX);
        final double p99 = agreement.over(histogram.percentile(0.99), ReduceOp.MAX);
        return new PlaceResult(seconds * 1e6, p50 / 1e3, p99 / 1e3, row.algorithmBandwidth(seconds),
                row.busBandwidth(seconds), wrong(row, place, measured.operation()));
    }

    private long wrong(final Case row, final Placement place, final Operation operation) {
        double wrong = options.checks() == 0 ? -1 : 0;
        for (int i = 0; i < options.checks() && wrong == 0; i++) {
            final Check check = new Check(row, comm.rank(), place, ++checksDone);
            check.prepare();
            comm.barrier();
            operation.run();
            wrong = agreement.over((double) check.wrong(), ReduceOp.SUM);
        }
        return (long) wrong;
    }

    @Override
    public void close() {
        recv.close();
        send.close();
        agreement.close();
    }
}
