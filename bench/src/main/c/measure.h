/*
 * The two ways of measuring, the same for every program that perf is compared with:
 *   nccl   operations back to back on unchanged input, average of the ranks (as nccl-tests)
 *   fresh  (rewrite of the input + operation) - rewrite alone, slowest rank
 * A program supplies the functions marked "supplied". Each line printed is: way, bytes, microseconds.
 */
#ifndef CHAGRES_MEASURE_H
#define CHAGRES_MEASURE_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static const long LEAST_OPERATIONS = 20, MOST_OPERATIONS = 500000;
#define SECONDS_A_ROW 0.1
#define SECONDS_OF_WARM_UP 0.02

static void all_reduce(const float *send, float *recv, size_t count); /* supplied */
static void barrier(void);                                            /* supplied */
static long from_root(long value);                                    /* supplied */
static double average(double value);                                  /* supplied */
static double slowest(double value);                                  /* supplied */

typedef struct {
    size_t first, last;
    int factor;
} sizes_t;

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double) t.tv_sec + 1e-9 * (double) t.tv_nsec;
}

/* Ordinary stores of another value each time, as perf's rewrite. */
static void rewrite(float *input, size_t bytes, long i) {
    const unsigned char byte = (unsigned char) (0x3c | (i & 3));
    uint64_t word = byte * 0x0101010101010101u;
    uint64_t *words = (uint64_t *) input;
    for (size_t w = 0; w < bytes / 8; w++) {
        words[w] = word;
    }
    for (size_t b = bytes & ~(size_t) 7; b < bytes; b++) {
        ((unsigned char *) input)[b] = byte;
    }
    __asm__ volatile("" ::: "memory"); /* the compiler may not merge two rewrites */
}

static double operations(float *send, float *recv, size_t bytes, long n, int fresh) {
    const double start = now();
    for (long i = 0; i < n; i++) {
        if (fresh) {
            rewrite(send, bytes, i);
        }
        all_reduce(send, recv, bytes / sizeof(float));
    }
    return now() - start;
}

static double rewrites(float *send, size_t bytes, long n) {
    const double start = now();
    for (long i = 0; i < n; i++) {
        rewrite(send, bytes, i);
    }
    return now() - start;
}

/* Warms up, and agrees on how many operations fit into a row's time. */
static long fitting(float *send, float *recv, size_t bytes, int fresh) {
    double spent = 0, each = 0;
    long batch = 1;
    while (batch > 0) {
        const double elapsed = operations(send, recv, bytes, batch, fresh);
        spent += elapsed;
        each = elapsed / (double) batch;
        batch = from_root(spent < SECONDS_OF_WARM_UP ? 2 * batch : 0);
    }
    long n = (long) (SECONDS_A_ROW / each);
    n = n < LEAST_OPERATIONS ? LEAST_OPERATIONS : n > MOST_OPERATIONS ? MOST_OPERATIONS : n;
    return from_root(n);
}

static void check(int rank, int size, float *send, float *recv, size_t count) {
    for (size_t i = 0; i < count; i++) {
        send[i] = (float) (i % 1021 + (size_t) rank);
        recv[i] = -1;
    }
    barrier();
    all_reduce(send, recv, count);
    for (size_t i = 0; i < count; i++) {
        const float expected = (float) ((i % 1021) * (size_t) size + (size_t) (size * (size - 1) / 2));
        if (recv[i] != expected) {
            fprintf(stderr, "rank %d: element %zu of %zu is %g, not %g\n", rank, i, count, recv[i], expected);
            exit(1);
        }
    }
}

static void measure(int rank, int size, float *send, float *recv, sizes_t sizes) {
    for (size_t bytes = sizes.first; bytes <= sizes.last; bytes *= (size_t) sizes.factor) {
        check(rank, size, send, recv, bytes / sizeof(float));
        for (int fresh = 0; fresh <= 1; fresh++) {
            const long n = fitting(send, recv, bytes, fresh);
            const double alone = fresh ? rewrites(send, bytes, n) : 0;
            barrier();
            const double mine = (operations(send, recv, bytes, n, fresh) - alone) / (double) n;
            const double time = fresh ? slowest(mine) : average(mine);
            if (rank == 0) {
                printf("%s %zu %.4f\n", fresh ? "fresh" : "nccl", bytes, 1e6 * time);
            }
            barrier();
        }
    }
}

static sizes_t sizes_from(int argc, char **argv) {
    if (argc != 4) {
        fprintf(stderr, "usage: %s FIRST_BYTES LAST_BYTES FACTOR\n", argv[0]);
        exit(2);
    }
    const sizes_t sizes = {strtoull(argv[1], NULL, 10), strtoull(argv[2], NULL, 10), atoi(argv[3])};
    if (sizes.first < sizeof(float) || sizes.first > sizes.last || sizes.factor < 2) {
        fprintf(stderr, "%s: sizes run from 4 bytes or more up to LAST_BYTES, by a factor of 2 or more\n", argv[0]);
        exit(2);
    }
    return sizes;
}

#endif
