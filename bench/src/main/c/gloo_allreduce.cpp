/*
 * Gloo's all_reduce of float32 sums over TCP on loopback, measured as perf measures: the peer that Chagres over TCP is compared with.
 *   ring, bcube                       gloo::allreduce, which PyTorch calls, from one buffer to another
 *   ring_chunked, halving_doubling    the older classes, which reduce in place, so that the input is copied first; with "busy" the caller
 *                                     polls its sockets itself instead of waiting for Gloo's thread
 */
#include "measure.h"
#include <gloo/allreduce.h>
#include <gloo/allreduce_halving_doubling.h>
#include <gloo/allreduce_ring_chunked.h>
#include <gloo/barrier.h>
#include <gloo/broadcast.h>
#include <gloo/math.h>
#include <gloo/rendezvous/context.h>
#include <gloo/rendezvous/file_store.h>
#include <gloo/rendezvous/prefix_store.h>
#include <gloo/transport/tcp/device.h>

#include <csignal>
#include <cstring>
#include <exception>
#include <filesystem>
#include <memory>
#include <new>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace {

using Context = std::shared_ptr<gloo::rendezvous::Context>;

/* An all_reduce of given buffers; made once for each size, as a training loop would. */
class Operation {
public:
    virtual ~Operation() noexcept(false) = default;
    virtual void run() = 0;
};

class OutOfPlace : public Operation {
public:
    OutOfPlace(const Context &context, gloo::AllreduceOptions::Algorithm algorithm, const float *send, float *recv, size_t count)
        : options(context) {
        options.setAlgorithm(algorithm);
        options.setInput(const_cast<float *>(send), count);
        options.setOutput(recv, count);
        options.setReduceFunction(
            static_cast<void (*)(void *, const void *, const void *, size_t)>(&gloo::sum<float>));
    }

    void run() override {
        gloo::allreduce(options);
    }

private:
    gloo::AllreduceOptions options;
};

template <typename Algorithm>
class InPlace : public Operation {
public:
    InPlace(const Context &context, const float *send, float *recv, size_t count)
        : from(send), to(recv), bytes(count * sizeof(float)),
          algorithm(context, std::vector<float *>{recv}, static_cast<int>(count)) {
    }

    void run() override {
        std::memcpy(to, from, bytes);
        algorithm.run();
    }

private:
    const float *from;
    float *to;
    size_t bytes;
    Algorithm algorithm;
};

struct Rank {
    int rank, size;
    std::string algorithm;
    Context data;
    /* Apart from the other, because busy polling excludes what barriers and broadcasts are made of. */
    Context control;
    std::unique_ptr<Operation> operation;
    size_t prepared = 0;
};

std::optional<Rank> self;

std::unique_ptr<Operation> operation(const float *send, float *recv, size_t count) {
    const std::string &algorithm = self->algorithm;
    if (algorithm == "ring") {
        return std::make_unique<OutOfPlace>(self->data, gloo::AllreduceOptions::Algorithm::RING, send, recv, count);
    }
    if (algorithm == "bcube") {
        return std::make_unique<OutOfPlace>(self->data, gloo::AllreduceOptions::Algorithm::BCUBE, send, recv, count);
    }
    if (algorithm == "ring_chunked") {
        return std::make_unique<InPlace<gloo::AllreduceRingChunked<float>>>(self->data, send, recv, count);
    }
    if (algorithm == "halving_doubling") {
        return std::make_unique<InPlace<gloo::AllreduceHalvingDoubling<float>>>(self->data, send, recv, count);
    }
    throw std::invalid_argument("no algorithm " + algorithm);
}

double over_ranks(double value, void (*combine)(void *, const void *, const void *, size_t)) {
    gloo::AllreduceOptions options(self->control);
    options.setOutput(&value, 1);
    options.setReduceFunction(combine);
    gloo::allreduce(options);
    return value;
}

Context connect(gloo::rendezvous::Store &store, std::shared_ptr<gloo::transport::Device> device, const char *name) {
    gloo::rendezvous::PrefixStore own(name, store);
    auto context = std::make_shared<gloo::rendezvous::Context>(self->rank, self->size);
    context->connectFullMesh(own, device);
    return context;
}

void join(const std::filesystem::path &folder, bool busy) {
    gloo::rendezvous::FileStore store(folder);
    const auto device = gloo::transport::tcp::CreateDevice("127.0.0.1");
    self->data = connect(store, device, "data");
    self->control = connect(store, device, "control");
    for (int peer = 0; busy && peer < self->size; peer++) {
        if (peer != self->rank) {
            self->data->getPair(peer)->setSync(true, true);
        }
    }
}

std::unique_ptr<float[], decltype(&std::free)> buffer(size_t bytes) {
    void *memory = nullptr;
    if (posix_memalign(&memory, 4096, bytes)) {
        throw std::bad_alloc();
    }
    std::memset(memory, 0, bytes);
    return {static_cast<float *>(memory), &std::free};
}

/* This process becomes rank 0 and forks the others, which end with it. */
int fork_ranks(int size) {
    for (int rank = 1; rank < size; rank++) {
        const pid_t child = fork();
        if (child < 0) {
            throw std::runtime_error("cannot fork");
        }
        if (child == 0) {
            prctl(PR_SET_PDEATHSIG, SIGKILL);
            return rank;
        }
    }
    return 0;
}

std::filesystem::path new_folder() {
    std::string name = std::filesystem::temp_directory_path() / "chagres-gloo-XXXXXX";
    if (!mkdtemp(name.data())) {
        throw std::runtime_error("cannot make " + name);
    }
    return name;
}

int run(int argc, char **argv) {
    if (argc != 7) {
        std::fprintf(stderr, "usage: %s RANKS ALGORITHM busy|thread FIRST_BYTES LAST_BYTES FACTOR\n", argv[0]);
        return 2;
    }
    const bool busy = std::string(argv[3]) == "busy";
    argv[3] = argv[0];
    const sizes_t sizes = sizes_from(argc - 3, argv + 3);
    const std::filesystem::path folder = new_folder();
    self.emplace();
    self->size = std::stoi(argv[1]);
    self->algorithm = argv[2];
    self->rank = fork_ranks(self->size);
    join(folder, busy);
    barrier();
    if (self->rank == 0) {
        std::filesystem::remove_all(folder);
    }
    const auto send = buffer(sizes.last), recv = buffer(sizes.last);
    measure(self->rank, self->size, send.get(), recv.get(), sizes);
    self->operation.reset();
    barrier();
    self.reset();
    return 0;
}

} // namespace

static void all_reduce(const float *send, float *recv, size_t count) {
    if (self->prepared != count) {
        self->operation.reset();
        self->operation = operation(send, recv, count);
        self->prepared = count;
    }
    self->operation->run();
}

static void barrier() {
    gloo::BarrierOptions options(self->control);
    gloo::barrier(options);
}

static long from_root(long value) {
    gloo::BroadcastOptions options(self->control);
    options.setOutput(&value, 1);
    options.setRoot(0);
    gloo::broadcast(options);
    return value;
}

static double average(double value) {
    return over_ranks(value, &gloo::sum<double>) / self->size;
}

static double slowest(double value) {
    return over_ranks(value, &gloo::max<double>);
}

int main(int argc, char **argv) {
    try {
        return run(argc, argv);
    } catch (const std::exception &e) {
        std::fprintf(stderr, "%s\n", e.what());
        return 1;
    }
}
