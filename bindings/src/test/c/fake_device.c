/*
 * A device that records what it is asked: the functions that an ibv_context and a verbs_context point at in the tests.
 * Prototypes are those of verbs.h, so that the C compiler says what arrives.
 */
#include <errno.h>
#include <infiniband/verbs.h>
#include <stdint.h>
#include <string.h>

/* The last call: which function, and its arguments as 64-bit words. */
struct record {
	uint64_t function;
	uint64_t arguments[4];
};

struct record last;

enum { POLL_CQ = 1, REQ_NOTIFY_CQ, POST_SRQ_RECV, POST_SEND, POST_RECV, QUERY_PORT, QUERY_DEVICE_EX, CREATE_CQ_EX, CREATE_QP_EX,
       CREATE_SRQ_EX, QUERY_RT_VALUES, MODIFY_CQ };

static void note(uint64_t function, uint64_t a, uint64_t b, uint64_t c, uint64_t d)
{
	last = (struct record){ function, { a, b, c, d } };
}

int fake_poll_cq(struct ibv_cq *cq, int max, struct ibv_wc *wc)
{
	note(POLL_CQ, (uintptr_t)cq, max, (uintptr_t)wc, 0);
	for (int i = 0; i < max; i++) {
		wc[i].wr_id = 1000 + i;
		wc[i].status = IBV_WC_RETRY_EXC_ERR;
		wc[i].qp_num = 77;
		wc[i].vendor_err = 129;
	}
	return max;
}

int fake_req_notify_cq(struct ibv_cq *cq, int solicited_only)
{
	note(REQ_NOTIFY_CQ, (uintptr_t)cq, solicited_only, 0, 0);
	return 0;
}

int fake_post_srq_recv(struct ibv_srq *srq, struct ibv_recv_wr *wr, struct ibv_recv_wr **bad)
{
	note(POST_SRQ_RECV, (uintptr_t)srq, (uintptr_t)wr, (uintptr_t)bad, 0);
	return 0;
}

/* Refuses the second request of a list. */
int fake_post_send(struct ibv_qp *qp, struct ibv_send_wr *wr, struct ibv_send_wr **bad)
{
	note(POST_SEND, (uintptr_t)qp, (uintptr_t)wr, (uintptr_t)bad, wr->wr.rdma.remote_addr);
	if (!wr->next)
		return 0;
	*bad = wr->next;
	return ENOMEM;
}

int fake_post_recv(struct ibv_qp *qp, struct ibv_recv_wr *wr, struct ibv_recv_wr **bad)
{
	note(POST_RECV, (uintptr_t)qp, (uintptr_t)wr, (uintptr_t)bad, wr->sg_list[0].lkey);
	return 0;
}

int fake_query_port(struct ibv_context *context, uint8_t port, struct ibv_port_attr *attr, size_t size)
{
	note(QUERY_PORT, (uintptr_t)context, port, (uintptr_t)attr, size);
	memset(attr, 0, size);
	attr->state = IBV_PORT_ACTIVE;
	attr->port_cap_flags2 = 0x1234;
	return 0;
}

int fake_query_device_ex(struct ibv_context *context, const struct ibv_query_device_ex_input *input,
			 struct ibv_device_attr_ex *attr, size_t size)
{
	note(QUERY_DEVICE_EX, (uintptr_t)context, (uintptr_t)input, (uintptr_t)attr, size);
	attr->orig_attr.max_qp = 4711;
	return 0;
}

struct ibv_cq_ex *fake_create_cq_ex(struct ibv_context *context, struct ibv_cq_init_attr_ex *attr)
{
	note(CREATE_CQ_EX, (uintptr_t)context, (uintptr_t)attr, attr->cqe, 0);
	errno = ENOSPC;
	return NULL;
}

struct ibv_qp *fake_create_qp_ex(struct ibv_context *context, struct ibv_qp_init_attr_ex *attr)
{
	note(CREATE_QP_EX, (uintptr_t)context, (uintptr_t)attr, attr->send_ops_flags, 0);
	return (struct ibv_qp *)0x7000;
}

struct ibv_srq *fake_create_srq_ex(struct ibv_context *context, struct ibv_srq_init_attr_ex *attr)
{
	note(CREATE_SRQ_EX, (uintptr_t)context, (uintptr_t)attr, attr->srq_type, 0);
	return (struct ibv_srq *)0x8000;
}

int fake_query_rt_values(struct ibv_context *context, struct ibv_values_ex *values)
{
	note(QUERY_RT_VALUES, (uintptr_t)context, (uintptr_t)values, 0, 0);
	errno = EACCES;
	return -1;
}

int fake_modify_cq(struct ibv_cq *cq, struct ibv_modify_cq_attr *attr)
{
	note(MODIFY_CQ, (uintptr_t)cq, (uintptr_t)attr, attr->moderate.cq_count, 0);
	return -EBUSY;
}
