package org.chagres.bench.verbs.perf;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import org.chagres.bench.Machine;
import org.chagres.bench.UsageException;

/**
 * One test, checked; the server gets it from the client.
 *
 * @param latency whether latency is measured; else bandwidth
 * @param compareAndSwap whether atomics are compare-and-swap instead of fetch-and-add
 * @param sizes bytes of a message, in this order
 * @param iterations operations of each queue pair and size
 * @param queuePairs how many
 * @param txDepth operations in flight a queue pair
 * @param cqModeration how many operations make one completion; 0 is perftest's choice by size
 * @param postList operations that are posted in one call
 */
record PerfSettings(Verb verb, boolean latency, boolean compareAndSwap, List<Integer> sizes, int iterations,
        int queuePairs, int txDepth, int cqModeration, int postList) {
    static final int LATENCY_ITERATIONS = 1000;
    static final int LATENCY_SIZE = 2;
    static final int BANDWIDTH_SIZE = 65536;
    static final int ATOMIC_SIZE = 8;
    static final int TX_DEPTH = 128;
    /** Of {@code -a}: powers of 2 up to 2^23. */
    static final List<Integer> ALL_SIZES = IntStream.rangeClosed(1, 23).mapToObj(shift -> 1 << shift).toList();

    private static final int MIN_ITERATIONS = 5;
    private static final int MAX_OPERATIONS = 50_000_000;
    private static final int MAX_SIZES = 1000;
    private static final int MAX_QUEUE_PAIRS = 16384;
    private static final int MAX_DEPTH = 32768;
    private static final int SMALL = 8192;
    private static final int SMALL_MODERATION = 100;
    private static final int CACHE_LINE = 64;

    PerfSettings {
        sizes = List.copyOf(sizes);
        refuse("-n", iterations, MIN_ITERATIONS, MAX_OPERATIONS);
        refuse("-q", queuePairs, 1, MAX_QUEUE_PAIRS);
        refuse("-t", txDepth, 1, MAX_DEPTH);
        refuse("-Q", cqModeration, 0, txDepth);
        refuse("-l", postList, 1, txDepth);
        if (sizes.isEmpty() || sizes.size() > MAX_SIZES) {
            throw new UsageException(sizes.size() + " sizes: use 1 to " + MAX_SIZES);
        }
        for (final int size : sizes) {
            refuse("-s", size, 1, Integer.MAX_VALUE);
            if (verb == Verb.ATOMIC && size != ATOMIC_SIZE) {
                throw new UsageException("-s " + size + ": atomics always change 8 bytes");
            }
        }
        if (latency && queuePairs > 1) {
            throw new UsageException("-q " + queuePairs + ": latency is measured with one queue pair");
        }
        if (latency && postList > 1) {
            throw new UsageException("-l " + postList + ": latency is measured with one operation at a time");
        }
        if ((long) iterations * queuePairs > MAX_OPERATIONS) {
            throw new UsageException("-n " + iterations + " with -q " + queuePairs + ": together at most "
                    + MAX_OPERATIONS + " operations");
        }
        if (memoryBytes(sizes, queuePairs) > Machine.availableMemory() / 2) {
            throw new UsageException("-s with -q needs " + (memoryBytes(sizes, queuePairs) >> 20)
                    + " MiB of registered memory, more than half of what is free here");
        }
    }

    private static void refuse(final String option, final int value, final int min, final int max) {
        if (value < min || value > max) {
            throw new UsageException(option + " " + value + ": use " + min + " to " + max);
        }
    }

    private static long stride(final List<Integer> sizes) {
        return Math.ceilDiv((long) Collections.max(sizes), CACHE_LINE) * CACHE_LINE;
    }

    private static long memoryBytes(final List<Integer> sizes, final int queuePairs) {
        return 2L * queuePairs * stride(sizes);
    }

    /** Bytes of an area that holds any message, in whole cache lines. Each queue pair has one to send from, and behind it one to receive in. */
    long stride() {
        return stride(sizes);
    }

    /** Bytes of registered memory of each end. */
    long memoryBytes() {
        return memoryBytes(sizes, queuePairs);
    }

    /** Where the area begins that a queue pair sends from. */
    long sendOffset(final int queuePair) {
        return 2L * queuePair * stride();
    }

    /** Where the area begins that a queue pair receives in. */
    long receiveOffset(final int queuePair) {
        return sendOffset(queuePair) + stride();
    }

    /** How many operations make one completion, as perftest chooses unless told: 100 if small, else 1; never more than are in flight. */
    int moderation(final int size) {
        final int wanted = cqModeration > 0 ? cqModeration : size <= SMALL ? SMALL_MODERATION : 1;
        return latency ? 1 : Math.min(wanted, txDepth);
    }

    /** The test's name, as perftest's programs are called. */
    String name() {
        return verb.label() + (latency ? "_lat" : "_bw");
    }

    /** The sizes that a user asks for. */
    static List<Integer> sizes(final Verb verb, final boolean latency, final boolean all, final Integer size) {
        if (all && size != null) {
            throw new UsageException("-a and -s " + size + " exclude each other");
        }
        if (all) {
            return new ArrayList<>(ALL_SIZES);
        }
        if (size != null) {
            return List.of(size);
        }
        return List.of(verb == Verb.ATOMIC ? ATOMIC_SIZE : latency ? LATENCY_SIZE : BANDWIDTH_SIZE);
    }
}
