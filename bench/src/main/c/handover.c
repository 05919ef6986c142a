/*
 * The time that one cache line takes from one process to another, in nanoseconds: half a round trip of a counter that both write. With two
 * arguments, the processes are pinned to those cores.
 */
#define _GNU_SOURCE
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

enum { WARM_UP = 100000, ROUND_TRIPS = 1000000 };

static void pin(int core) {
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(core, &set);
    if (sched_setaffinity(0, sizeof(set), &set) != 0) {
        perror("sched_setaffinity");
        exit(1);
    }
}

static void ping(_Atomic uint64_t *line, uint64_t from, uint64_t trips, uint64_t side) {
    for (uint64_t i = from; i < from + trips; i++) {
        while (atomic_load_explicit(line, memory_order_acquire) != 2 * i + side) {
            /* Spin: the other side's turn. */
        }
        atomic_store_explicit(line, 2 * i + side + 1, memory_order_release);
    }
}

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return 1e9 * (double) t.tv_sec + (double) t.tv_nsec;
}

int main(int argc, char **argv) {
    _Atomic uint64_t *line = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (line == MAP_FAILED) {
        perror("mmap");
        return 1;
    }
    const pid_t child = fork();
    if (child == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
    }
    if (argc == 3) {
        pin(atoi(argv[child == 0 ? 2 : 1]));
    }
    const uint64_t side = child == 0;
    ping(line, 0, WARM_UP, side);
    const double start = now();
    ping(line, WARM_UP, ROUND_TRIPS, side);
    if (side == 0) {
        printf("%.1f\n", (now() - start) / (2.0 * ROUND_TRIPS));
    }
    return 0;
}
