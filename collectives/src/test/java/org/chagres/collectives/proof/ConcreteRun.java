package org.chagres.collectives.proof;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import org.chagres.collectives.plan.FlushPoints;
import org.chagres.collectives.plan.Plan;
import org.chagres.collectives.plan.Ref;
import org.chagres.collectives.plan.Shape;
import org.chagres.collectives.plan.Space;
import org.chagres.collectives.plan.Step;

/**
 * Runs plans on numbers, in a random order of steps and of arrivals, with some ranks in place, through links that read what they are given at
 * once or as late as they may: a check on the prover that shares nothing with it. The raw input of a rank is scaled by 3 as a pre-multiplied sum would, so that a wrong raw flag shows; a finish adds 1.
 */
final class ConcreteRun {
    private static final int SCALE = 3;

    /** A put, or a signal alone, on its way. */
    private static final class Message {
        /** Null for a signal. */
        private final Step.Put put;
        private final boolean signal;
        /** Null until the link has read it. */
        private long[] data;

        Message(final Step.Put put, final boolean signal) {
            this.put = put;
            this.signal = signal;
        }
    }

    private final List<Plan> plans;
    private final Shape shape;
    private final int channels;
    private final Random random;
    private final long[][] user;
    private final int[] sendAt;
    private final int[] recvAt;
    private final long[][] scratch;
    private final int[][] next;
    /** By source, destination and channel. */
    private final List<Queue<Message>> lines = new ArrayList<>();
    private final int[] signals;
    private final List<List<BitSet>> flushPoints;

    ConcreteRun(final List<Plan> plans, final List<List<BitSet>> flushPoints, final boolean[] inPlace,
            final long seed) {
        this.plans = plans;
        this.flushPoints = flushPoints;
        shape = plans.getFirst().shape();
        channels = plans.getFirst().channels().size();
        random = new Random(seed);
        final int n = shape.size();
        user = new long[n][];
        scratch = new long[n][];
        sendAt = new int[n];
        recvAt = new int[n];
        next = new int[n][channels];
        signals = new int[n * n * channels];
        for (int i = 0; i < signals.length; i++) {
            lines.add(new ArrayDeque<>());
        }
        for (int rank = 0; rank < n; rank++) {
            allocate(rank, inPlace[rank]);
        }
    }

    private void allocate(final int rank, final boolean wanted) {
        final int sendCount = (int) shape.sendCount(rank);
        final int recvCount = (int) shape.recvCount(rank);
        final boolean inPlace = wanted && sendCount > 0 && recvCount > 0
                && shape.inPlaceOffset(rank) != Shape.NOT_IN_PLACE;
        final int offset = inPlace ? (int) shape.inPlaceOffset(rank) : recvCount;
        sendAt[rank] = Math.max(0, offset);
        recvAt[rank] = inPlace ? Math.max(0, -offset) : 0;
        user[rank] = new long[Math.max(sendAt[rank] + sendCount, recvAt[rank] + recvCount)];
        scratch[rank] = new long[(int) plans.get(rank).scratchCount()];
        Arrays.fill(user[rank], -1);
        Arrays.fill(scratch[rank], -1);
        for (int i = 0; i < sendCount; i++) {
            user[rank][sendAt[rank] + i] = input(rank, i);
        }
    }

    private static long input(final int rank, final long index) {
        return 1_000_003L * (rank + 1) * (rank + 1) + 7919L * index;
    }

    /** Whether every rank ends with the right output. */
    boolean run() {
        final List<int[]> ready = new ArrayList<>();
        while (true) {
            ready.clear();
            for (int i = 0; i < lines.size(); i++) {
                if (!lines.get(i).isEmpty()) {
                    ready.add(new int[]{-1, i });
                }
            }
            for (int rank = 0; rank < shape.size(); rank++) {
                for (int channel = 0; channel < channels; channel++) {
                    if (runnable(rank, channel)) {
                        ready.add(new int[]{rank, channel });
                    }
                }
            }
            if (ready.isEmpty()) {
                return ended() && right();
            }
            final int[] event = ready.get(random.nextInt(ready.size()));
            if (event[0] < 0) {
                arrive(event[1]);
            } else {
                step(event[0], event[1]);
            }
        }
    }

    private boolean runnable(final int rank, final int channel) {
        final List<Step> steps = plans.get(rank).channels().get(channel);
        if (next[rank][channel] == steps.size()) {
            return false;
        }
        return !(steps.get(next[rank][channel]) instanceof final Step.Wait wait)
                || signals[line(wait.peer(), rank, channel)] >= wait.ordinal();
    }

    private void flush(final int rank) {
        final int outgoing = shape.size() * channels;
        lines.subList(rank * outgoing, (rank + 1) * outgoing)
                .forEach(line -> line.forEach(message -> read(rank, message)));
    }

    private void read(final int rank, final Message message) {
        if (message.put != null && message.data == null) {
            message.data = read(rank, message.put.from(), message.put.count());
        }
    }

    private boolean ended() {
        for (int rank = 0; rank < shape.size(); rank++) {
            for (int channel = 0; channel < channels; channel++) {
                if (next[rank][channel] < plans.get(rank).channels().get(channel).size()) {
                    return false;
                }
            }
        }
        return true;
    }

    private int line(final int source, final int destination, final int channel) {
        return (source * shape.size() + destination) * channels + channel;
    }

    private void arrive(final int line) {
        final Message message = lines.get(line).remove();
        read(line / channels / shape.size(), message);
        if (message.put != null) {
            write(line / channels % shape.size(), message.put.to(), message.data);
        }
        signals[line] += message.signal ? 1 : 0;
    }

    private void step(final int rank, final int channel) {
        if (flushPoints.get(rank).get(channel).get(next[rank][channel])) {
            flush(rank);
        }
        switch (plans.get(rank).channels().get(channel).get(next[rank][channel]++)) {
            case final Step.Put put -> {
                final Message message = new Message(put, put.signal());
                if (random.nextBoolean()) {
                    read(rank, message);
                }
                lines.get(line(rank, put.peer(), channel)).add(message);
            }
            case final Step.Signal signal ->
                lines.get(line(rank, signal.peer(), channel)).add(new Message(null, true));
            case final Step.Wait _ -> {
                // It was runnable, so the signal is there.
            }
            case final Step.Copy copy -> write(rank, copy.to(), read(rank, copy.from(), copy.count()));
            case final Step.Reduce reduce -> {
                final long[] sum = new long[(int) reduce.count()];
                for (final Step.Operand operand : reduce.operands()) {
                    final long[] values = read(rank, operand.at(), reduce.count());
                    for (int i = 0; i < sum.length; i++) {
                        sum[i] += values[i] * (operand.raw() ? SCALE : 1);
                    }
                }
                for (int i = 0; reduce.finish() && i < sum.length; i++) {
                    sum[i]++;
                }
                write(rank, reduce.to(), sum);
            }
        }
    }

    private long[] array(final int rank, final Space space) {
        return space == Space.SCRATCH ? scratch[rank] : user[rank];
    }

    private int at(final int rank, final Ref ref) {
        return (int) ref.offset() + switch (ref.space()) {
            case SEND -> sendAt[rank];
            case RECV -> recvAt[rank];
            case SCRATCH -> 0;
        };
    }

    private long[] read(final int rank, final Ref from, final long count) {
        final int at = at(rank, from);
        return Arrays.copyOfRange(array(rank, from.space()), at, at + (int) count);
    }

    private void write(final int rank, final Ref to, final long[] data) {
        System.arraycopy(data, 0, array(rank, to.space()), at(rank, to), data.length);
    }

    private boolean right() {
        for (int rank = 0; rank < shape.size(); rank++) {
            for (int i = 0; i < shape.recvCount(rank); i++) {
                if (user[rank][recvAt[rank] + i] != expected(rank, i)) {
                    return false;
                }
            }
        }
        return true;
    }

    private long expected(final int rank, final int i) {
        final long count = shape.count();
        return switch (shape.collective()) {
            case ALL_REDUCE, REDUCE -> sum(i);
            case REDUCE_SCATTER -> sum(rank * count + i);
            case BROADCAST -> input(shape.root(), i);
            case SCATTER -> input(shape.root(), rank * count + i);
            case ALL_GATHER, GATHER -> input((int) (i / count), i % count);
            case ALL_TO_ALL -> input((int) (i / count), rank * count + i % count);
            case SEND_RECV -> input(0, i);
            case BARRIER -> throw new IllegalStateException("a barrier has no output");
        };
    }

    private long sum(final long index) {
        long sum = 1;
        for (int rank = 0; rank < shape.size(); rank++) {
            sum += SCALE * input(rank, index);
        }
        return sum;
    }

    /** Whether the plans come to the right output in each of {@code runs} random orders, with none, all and random ranks in place. */
    static boolean isRight(final List<Plan> plans, final int runs, final long seed) {
        return isRight(plans, plans.stream().map(FlushPoints::of).toList(), runs, seed);
    }

    /** The same with these flush points, by rank and channel. */
    static boolean isRight(final List<Plan> plans, final List<List<BitSet>> flushPoints, final int runs,
            final long seed) {
        final Random random = new Random(seed);
        for (int run = 0; run < runs; run++) {
            final boolean[] inPlace = new boolean[plans.size()];
            for (int rank = 0; rank < inPlace.length; rank++) {
                inPlace[rank] = run == 0 || (run > 1 && random.nextBoolean());
            }
            if (!new ConcreteRun(plans, flushPoints, inPlace, random.nextLong()).run()) {
                return false;
            }
        }
        return true;
    }
}
