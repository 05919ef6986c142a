/*
 * All_reduce of float32 sums between two processes over shared memory with no runtime at all: what the same algorithms cost in plain C.
 * Small: each rank writes its data into the other's slot, every cache line with its own flag. Large: each rank owns one half; the other
 * half goes to its owner's inbox piece by piece, the owner adds its own and writes the sum into both results.
 */
#define _GNU_SOURCE
#include "measure.h"
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
    LINE_FLOATS = 14, /* 56 bytes of data and 8 of flag in a line */
    SMALL_LINES = 64,
    SMALL_FLOATS = LINE_FLOATS * SMALL_LINES,
    PIECE_FLOATS = 8192,
    SMALLEST_PIECE_FLOATS = 256,
    PIECES = 8
};

typedef struct {
    _Alignas(64) float data[LINE_FLOATS];
    _Atomic uint64_t flag;
} line_t;

typedef struct {
    _Alignas(128) _Atomic uint64_t value;
} counter_t;

/* What the other rank writes and this rank reads. */
typedef struct {
    line_t slots[2][SMALL_LINES];
    counter_t arrived; /* pieces that lie in the inbox, ever */
    counter_t freed;   /* pieces of mine that the other rank has consumed, ever */
    counter_t summed;  /* pieces of sums that lie in my result, ever */
    counter_t entered; /* barriers */
    double number;
    _Alignas(4096) float inbox[PIECES][PIECE_FLOATS];
} mailbox_t;

static mailbox_t *mine, *theirs;
static float *my_recv, *their_recv; /* the results, both in shared memory */
static int rank;
static uint64_t small_sequence, sent_pieces, reduced_pieces, summed_pieces, barriers;

static void wait_for(_Atomic uint64_t *counter, uint64_t value) {
    while (atomic_load_explicit(counter, memory_order_acquire) < value) {
        /* Spin: there is a core for each rank. */
    }
}

static void raise_to(_Atomic uint64_t *counter, uint64_t value) {
    atomic_store_explicit(counter, value, memory_order_release);
}

/* Two slots take turns: a rank that sends operation k has read k - 1, so its slot of k - 1 is free for k + 1. */
static void one_shot(const float *send, float *recv, size_t count) {
    const uint64_t sequence = ++small_sequence;
    line_t *out = theirs->slots[sequence & 1], *in = mine->slots[sequence & 1];
    size_t done = 0;
    for (int l = 0; done < count; l++, done += LINE_FLOATS) {
        const size_t n = count - done < LINE_FLOATS ? count - done : LINE_FLOATS;
        memcpy(out[l].data, send + done, n * sizeof(float));
        raise_to(&out[l].flag, sequence);
    }
    done = 0;
    for (int l = 0; done < count; l++, done += LINE_FLOATS) {
        const size_t n = count - done < LINE_FLOATS ? count - done : LINE_FLOATS;
        wait_for(&in[l].flag, sequence);
        for (size_t i = 0; i < n; i++) {
            recv[done + i] = send[done + i] + in[l].data[i];
        }
    }
}

static size_t length(size_t total, size_t done, size_t piece) {
    return total - done < piece ? total - done : piece;
}

static void add_and_push(const float *own, const float *other, size_t at, size_t n) {
    float *restrict sum = my_recv + at;
    for (size_t i = 0; i < n; i++) {
        sum[i] = own[i] + other[i];
    }
    memcpy(their_recv + at, sum, n * sizeof(float));
}

static void halves(const float *send, size_t count) {
    const size_t first_half = (count / 2 + 15) & ~(size_t) 15;
    const size_t own_at = rank == 0 ? 0 : first_half, own = rank == 0 ? first_half : count - first_half;
    const size_t other_at = rank == 0 ? first_half : 0, other = count - own;
    size_t piece = (first_half / 4 + 15) & ~(size_t) 15;
    piece = piece < SMALLEST_PIECE_FLOATS ? SMALLEST_PIECE_FLOATS : piece > PIECE_FLOATS ? PIECE_FLOATS : piece;
    size_t sent = 0, reduced = 0;
    while (sent < other || reduced < own) {
        if (sent < other
            && sent_pieces - atomic_load_explicit(&mine->freed.value, memory_order_acquire) < PIECES) {
            const size_t n = length(other, sent, piece);
            memcpy(theirs->inbox[sent_pieces % PIECES], send + other_at + sent, n * sizeof(float));
            raise_to(&theirs->arrived.value, ++sent_pieces);
            summed_pieces++;
            sent += n;
        }
        if (reduced < own
            && atomic_load_explicit(&mine->arrived.value, memory_order_acquire) > reduced_pieces) {
            const size_t n = length(own, reduced, piece);
            add_and_push(send + own_at + reduced, mine->inbox[reduced_pieces % PIECES], own_at + reduced, n);
            reduced_pieces++;
            raise_to(&theirs->freed.value, reduced_pieces);
            raise_to(&theirs->summed.value, reduced_pieces);
            reduced += n;
        }
    }
    wait_for(&mine->summed.value, summed_pieces);
}

static void all_reduce(const float *send, float *recv, size_t count) {
    if (count <= SMALL_FLOATS) {
        one_shot(send, recv, count);
    } else {
        halves(send, count);
    }
}

static void barrier(void) {
    raise_to(&theirs->entered.value, ++barriers);
    wait_for(&mine->entered.value, barriers);
}

/* The other rank's number; both call it at the same place. */
static double exchange(double value) {
    theirs->number = value;
    barrier();
    const double other = mine->number;
    barrier();
    return other;
}

static long from_root(long value) {
    const double other = exchange((double) value);
    return rank == 0 ? value : (long) other;
}

static double average(double value) {
    return (value + exchange(value)) / 2;
}

static double slowest(double value) {
    const double other = exchange(value);
    return value > other ? value : other;
}

static void *shared(size_t bytes) {
    void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) {
        perror("mmap");
        exit(1);
    }
    memset(memory, 0, bytes);
    return memory;
}

int main(int argc, char **argv) {
    const sizes_t sizes = sizes_from(argc, argv);
    mailbox_t *mailboxes[2] = {shared(sizeof(mailbox_t)), shared(sizeof(mailbox_t))};
    float *send[2] = {shared(sizes.last), shared(sizes.last)}, *recv[2] = {shared(sizes.last), shared(sizes.last)};
    const pid_t child = fork();
    if (child < 0) {
        perror("fork");
        return 1;
    }
    rank = child == 0;
    if (rank == 1) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
    }
    mine = mailboxes[rank];
    theirs = mailboxes[1 - rank];
    my_recv = recv[rank];
    their_recv = recv[1 - rank];
    measure(rank, 2, send[rank], recv[rank], sizes);
    int status = 0;
    if (rank == 0) {
        waitpid(child, &status, 0);
    }
    return status != 0;
}
