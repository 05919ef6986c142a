/*
 * A libibverbs with one device, stub0, that does the least work that posting and polling can mean: a posted request is copied to a slot of a
 * ring, as drivers copy it to their queue, and a poll turns slots into completions. Nothing is sent. It measures the caller: measure_posts()
 * is that caller in C, over the function pointers of the very queue pair that Java made.
 *
 * One queue pair and one completion queue at a time, used by one thread.
 */
#include <errno.h>
#include <infiniband/verbs.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <time.h>
#include <unistd.h>

/* verbs.h turns these names into others; they are exported under their own here. */
#undef ibv_query_port
#undef ibv_reg_mr
#undef ibv_reg_mr_iova

enum { SLOTS = 64 };

/* A request as a driver writes it: one cache line. */
struct slot {
    uint64_t id, address, remote_address;
    uint32_t length, lkey, rkey, opcode, signaled, immediate;
} __attribute__((aligned(64)));

static struct slot ring[SLOTS];
static uint64_t posted, completed;
static struct ibv_qp *queue_pair;
static struct ibv_cq *completion_queue;

static int post_send(struct ibv_qp *qp, struct ibv_send_wr *wr, struct ibv_send_wr **bad) {
    (void) qp;
    for (; wr != NULL; wr = wr->next) {
        if (posted - completed == SLOTS) {
            *bad = wr;
            return ENOMEM;
        }
        struct slot *slot = &ring[posted % SLOTS];
        slot->id = wr->wr_id;
        slot->opcode = wr->opcode;
        slot->signaled = wr->send_flags & IBV_SEND_SIGNALED;
        slot->immediate = wr->imm_data;
        slot->remote_address = wr->wr.rdma.remote_addr;
        slot->rkey = wr->wr.rdma.rkey;
        slot->length = 0;
        for (int i = 0; i < wr->num_sge; i++) {
            slot->address = wr->sg_list[i].addr;
            slot->lkey = wr->sg_list[i].lkey;
            slot->length += wr->sg_list[i].length;
        }
        posted++;
    }
    return 0;
}

static int poll_cq(struct ibv_cq *cq, int max, struct ibv_wc *wc) {
    (void) cq;
    int n = 0;
    while (n < max && completed < posted) {
        const struct slot *slot = &ring[completed++ % SLOTS];
        if (slot->signaled) {
            wc[n].wr_id = slot->id;
            wc[n].status = IBV_WC_SUCCESS;
            wc[n].opcode = IBV_WC_RDMA_WRITE;
            wc[n].byte_len = slot->length;
            wc[n].wc_flags = 0;
            wc[n].qp_num = 1;
            n++;
        }
    }
    return n;
}

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return 1e9 * (double) t.tv_sec + (double) t.tv_nsec;
}

/* Everything that differs from one request to the next, and what a general function would set with it. */
static void fill(struct ibv_send_wr *wr, uint64_t id, uint64_t local, uint32_t lkey, uint32_t length, uint64_t remote, uint32_t rkey,
                 unsigned flags) {
    struct ibv_sge *entry = wr->sg_list;
    entry->addr = local;
    entry->length = length;
    entry->lkey = lkey;
    wr->wr_id = id;
    wr->num_sge = 1;
    wr->opcode = IBV_WR_RDMA_WRITE;
    wr->send_flags = flags;
    wr->wr.rdma.remote_addr = remote;
    wr->wr.rdma.rkey = rkey;
}

/*
 * Fills `batch` writes, posts them in one call, the last one signalled, and polls until it has completed; so on until `posts` are posted.
 * Returns the nanoseconds of all, or -1 if anything went wrong.
 */
double measure_posts(long posts, int batch, uint64_t local, uint32_t lkey, uint64_t remote, uint32_t rkey) {
    static struct ibv_send_wr requests[SLOTS];
    static struct ibv_sge entries[SLOTS];
    struct ibv_send_wr *bad;
    struct ibv_wc wc[SLOTS];

    if (queue_pair == NULL || completion_queue == NULL || batch < 1 || batch > SLOTS) {
        return -1;
    }
    for (int i = 0; i < batch; i++) {
        requests[i].sg_list = &entries[i];
        requests[i].next = i + 1 < batch ? &requests[i + 1] : NULL;
    }
    const double start = now();
    for (long done = 0; done < posts; done += batch) {
        for (int i = 0; i < batch; i++) {
            fill(&requests[i], (uint64_t) (done + i), local, lkey, 64, remote + 64 * (uint64_t) i, rkey,
                 i + 1 < batch ? 0 : IBV_SEND_SIGNALED);
        }
        if (ibv_post_send(queue_pair, requests, &bad) != 0) {
            return -1;
        }
        int n;
        while ((n = ibv_poll_cq(completion_queue, SLOTS, wc)) == 0) {
            /* It has completed by the first poll, but a caller cannot know. */
        }
        if (n != 1 || wc[0].status != IBV_WC_SUCCESS || wc[0].wr_id != (uint64_t) (done + batch - 1)) {
            return -1;
        }
    }
    return now() - start;
}

/* The rest is what makes a program believe in the device. */

static struct ibv_device device = {.node_type = IBV_NODE_CA, .transport_type = IBV_TRANSPORT_IB, .name = "stub0"};

struct ibv_device **ibv_get_device_list(int *count) {
    struct ibv_device **list = calloc(2, sizeof(*list));
    list[0] = &device;
    if (count != NULL) {
        *count = 1;
    }
    return list;
}

void ibv_free_device_list(struct ibv_device **list) {
    free(list);
}

const char *ibv_get_device_name(struct ibv_device *d) {
    return d->name;
}

__be64 ibv_get_device_guid(struct ibv_device *d) {
    (void) d;
    return 0;
}

struct ibv_context *ibv_open_device(struct ibv_device *d) {
    struct ibv_context *context = calloc(1, sizeof(*context));
    context->device = d;
    context->num_comp_vectors = 1;
    context->cmd_fd = -1;
    context->async_fd = eventfd(0, EFD_CLOEXEC);
    context->ops.post_send = post_send;
    context->ops.poll_cq = poll_cq;
    return context;
}

int ibv_close_device(struct ibv_context *context) {
    close(context->async_fd);
    free(context);
    return 0;
}

int ibv_query_device(struct ibv_context *context, struct ibv_device_attr *attr) {
    (void) context;
    memset(attr, 0, sizeof(*attr));
    attr->max_mr_size = UINT64_MAX;
    attr->max_qp = attr->max_cq = attr->max_mr = attr->max_pd = 1;
    attr->max_qp_wr = attr->max_cqe = SLOTS;
    attr->max_sge = attr->max_sge_rd = 1;
    attr->max_qp_rd_atom = attr->max_qp_init_rd_atom = attr->max_res_rd_atom = 1;
    attr->max_pkeys = 1;
    attr->phys_port_cnt = 1;
    return 0;
}

/* InfiniBand, where a local identifier is address enough. The structure is the first, short version of ibv_port_attr. */
int ibv_query_port(struct ibv_context *context, uint8_t port, struct _compat_ibv_port_attr *attr) {
    (void) context;
    (void) port;
    struct ibv_port_attr *full = (struct ibv_port_attr *) attr;
    full->state = IBV_PORT_ACTIVE;
    full->max_mtu = full->active_mtu = IBV_MTU_4096;
    full->max_msg_sz = 1u << 30;
    full->lid = 1;
    full->pkey_tbl_len = 1;
    full->active_width = 1;
    full->active_speed = 1;
    full->phys_state = 5;
    full->link_layer = IBV_LINK_LAYER_INFINIBAND;
    return 0;
}

struct ibv_pd *ibv_alloc_pd(struct ibv_context *context) {
    struct ibv_pd *pd = calloc(1, sizeof(*pd));
    pd->context = context;
    return pd;
}

int ibv_dealloc_pd(struct ibv_pd *pd) {
    free(pd);
    return 0;
}

struct ibv_mr *ibv_reg_mr(struct ibv_pd *pd, void *address, size_t length, int access) {
    (void) access;
    struct ibv_mr *mr = calloc(1, sizeof(*mr));
    *mr = (struct ibv_mr){.context = pd->context, .pd = pd, .addr = address, .length = length, .lkey = 1, .rkey = 2};
    return mr;
}

struct ibv_mr *ibv_reg_mr_iova2(struct ibv_pd *pd, void *address, size_t length, uint64_t iova, unsigned access) {
    (void) iova;
    return ibv_reg_mr(pd, address, length, (int) access);
}

int ibv_dereg_mr(struct ibv_mr *mr) {
    free(mr);
    return 0;
}

struct ibv_cq *ibv_create_cq(struct ibv_context *context, int cqe, void *cq_context, struct ibv_comp_channel *channel, int vector) {
    (void) vector;
    struct ibv_cq *cq = calloc(1, sizeof(*cq));
    cq->context = context;
    cq->channel = channel;
    cq->cq_context = cq_context;
    cq->cqe = cqe;
    completion_queue = cq;
    return cq;
}

int ibv_destroy_cq(struct ibv_cq *cq) {
    completion_queue = NULL;
    free(cq);
    return 0;
}

struct ibv_qp *ibv_create_qp(struct ibv_pd *pd, struct ibv_qp_init_attr *attr) {
    struct ibv_qp *qp = calloc(1, sizeof(*qp));
    qp->context = pd->context;
    qp->pd = pd;
    qp->send_cq = attr->send_cq;
    qp->recv_cq = attr->recv_cq;
    qp->qp_num = 1;
    qp->qp_type = attr->qp_type;
    queue_pair = qp;
    posted = completed = 0;
    return qp;
}

int ibv_modify_qp(struct ibv_qp *qp, struct ibv_qp_attr *attr, int mask) {
    if (mask & IBV_QP_STATE) {
        qp->state = attr->qp_state;
    }
    return 0;
}

int ibv_query_qp(struct ibv_qp *qp, struct ibv_qp_attr *attr, int mask, struct ibv_qp_init_attr *init) {
    (void) mask;
    memset(attr, 0, sizeof(*attr));
    memset(init, 0, sizeof(*init));
    attr->qp_state = attr->cur_qp_state = qp->state;
    attr->path_mtu = IBV_MTU_4096;
    init->qp_type = qp->qp_type;
    return 0;
}

int ibv_destroy_qp(struct ibv_qp *qp) {
    queue_pair = NULL;
    free(qp);
    return 0;
}

/* No event ever comes. */
int ibv_get_async_event(struct ibv_context *context, struct ibv_async_event *event) {
    (void) context;
    (void) event;
    errno = EAGAIN;
    return -1;
}
