/* MPI_Allreduce of float32 sums, measured as perf measures: the peer that Chagres is compared with. */
#include "measure.h"
#include <mpi.h>
#include <string.h>

static void all_reduce(const float *send, float *recv, size_t count) {
    MPI_Allreduce(send, recv, (int) count, MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD);
}

static void barrier(void) {
    MPI_Barrier(MPI_COMM_WORLD);
}

static long from_root(long value) {
    MPI_Bcast(&value, 1, MPI_LONG, 0, MPI_COMM_WORLD);
    return value;
}

static double over_ranks(double value, MPI_Op op) {
    MPI_Allreduce(MPI_IN_PLACE, &value, 1, MPI_DOUBLE, op, MPI_COMM_WORLD);
    return value;
}

static double average(double value) {
    int size;
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    return over_ranks(value, MPI_SUM) / size;
}

static double slowest(double value) {
    return over_ranks(value, MPI_MAX);
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    int rank, size;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    const sizes_t sizes = sizes_from(argc, argv);
    float *send = NULL, *recv = NULL;
    if (posix_memalign((void **) &send, 4096, sizes.last) || posix_memalign((void **) &recv, 4096, sizes.last)) {
        fprintf(stderr, "no memory for two buffers of %zu bytes\n", sizes.last);
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    memset(send, 0, sizes.last);
    memset(recv, 0, sizes.last);
    measure(rank, size, send, recv, sizes);
    MPI_Finalize();
    return 0;
}
