// SPDX-License-Identifier: GPL-2.0-or-later
#include "files/io_requests.h"

#include "kernel/list.h"
#include "kernel/object_bytes.h"

#define MAX_REQUESTS (1U << 26) /* each is an object of its cache */
#define MAX_ARRAY 1024		/* of the array that a ring has to 5.15: IO_REQ_CACHE_SIZE is 32 */

struct ring {
	uint64_t free, locked;			   /* the first of a chain, 5.16 and later */
	uint64_t free_list, locked_list, overflow; /* addresses of list_heads */
	uint32_t nfree;
};

struct uring_task {
	int32_t cached;
};

static const struct layout_row rows[] = {
	FINDS(struct io_requests, tctx, "struct task_struct", REQUIRED, "5.10", "io_uring"),
	FINDS(struct io_requests, inflight, "struct io_uring_task", REQUIRED, "5.10", "inflight"),
	/* 5.16: io_uring: split slow path of io_queue_sqe, and others of that series; 5.15; 5.11. */
	FINDS(struct io_requests, node, "struct io_kiocb", OPTIONAL, "5.16, 5.15, 5.11",
	      "comp_list", "inflight_entry", "compl.list"),
	STRUCTURE(struct io_requests, task, "struct io_uring_task"),
	READS(struct uring_task, cached, OPTIONAL, "5.14", "cached_refs"),
	STRUCTURE(struct io_requests, ctx, "struct io_ring_ctx"),
	LINKS(struct ring, free, OPTIONAL, "5.15", "submit_state.free_list"),
	PLACES(struct ring, free_list, OPTIONAL, "5.15", "submit_state.free_list"),
	LINKS(struct ring, locked, OPTIONAL, "5.12 to 6.10", "locked_free_list"),
	PLACES(struct ring, locked_list, OPTIONAL, "5.12 to 6.10", "locked_free_list"),
	READS(struct ring, nfree, OPTIONAL, "5.12 to 5.15", "submit_state.free_reqs"),
	PLACES(struct ring, overflow, REQUIRED, "all", "cq_overflow_list"),
};

enum status io_requests_find(struct dump *d, struct io_requests *ret)
{
	struct io_requests r = { .dump = d };
	enum status st = dump_built_with(d, "CONFIG_IO_URING", "io_uring_fops",
					 "struct io_mapped_ubuf");

	st = st ?: STRUCTS_OPEN(d, rows, &r) ?: percpu_counters_open(d, &r.counters) ?:
		object_bytes(d, "struct io_kiocb", "req_cachep", &r.request_bytes);
	if (st != ST_OK)
		return st;
	r.overflow_bytes = dump_type_bytes(d, "struct io_overflow_cqe");
	r.has_free = r.node.present && STRUCT_HAS(&r.ctx, struct ring, free);
	*ret = r;
	return ST_OK;
}

/* References are taken in advance, many at once: those that are left are of no request. */
enum status io_requests_in_flight(const struct io_requests *r, uint64_t task, uint64_t *ret)
{
	struct uring_task of = { 0 };
	uint64_t tctx;
	int64_t sum;
	enum status st = dump_u64(r->dump, task + r->tctx.offset, &tctx, "task_struct");

	*ret = 0;
	if (st != ST_OK || !tctx)
		return st;
	st = struct_read(&r->task, tctx, &of)
		     ?: percpu_counter_sum(&r->counters, tctx + r->inflight.offset, &sum);
	if (st != ST_OK)
		return st;
	if (of.cached < 0 || sum < 0 || sum > MAX_REQUESTS)
		return dump_corrupt(r->dump,
				    "the io_uring_task at %#lx has %ld requests, %d of them ahead",
				    tctx, (long)sum, of.cached);
	*ret = sum > of.cached ? (uint64_t)sum - (uint64_t)of.cached : 0;
	return ST_OK;
}

/* A chain of struct io_wq_work_node. */
static enum status count_chain(const struct io_requests *r, uint64_t at, uint64_t *n)
{
	for (uint64_t i = 0; at; i++) {
		enum status st = dump_u64(r->dump, at, &at, "io_wq_work_node");

		if (st != ST_OK)
			return st;
		if (i == MAX_REQUESTS)
			return dump_corrupt(r->dump, "free requests of io_uring are in a circle");
		if (dump_stopped(r->dump))
			return ST_STOPPED;
		++*n;
	}
	return ST_OK;
}

static enum status count_list(const struct io_requests *r, uint64_t head, uint64_t *n)
{
	struct list_nodes l = list_of(r->dump, head, "free requests");
	uint64_t node;

	if (!head)
		return ST_OK;
	while (list_next(&l, &node))
		++*n;
	return list_end(&l);
}

static enum status count_free(const struct io_requests *r, const struct ring *ring, uint64_t *n)
{
	if (r->node.size == sizeof(uint64_t))
		return count_chain(r, ring->free, n) ?: count_chain(r, ring->locked, n);
	if (ring->nfree > MAX_ARRAY)
		return dump_corrupt(r->dump, "%u free requests in an array of io_uring",
				    ring->nfree);
	*n += ring->nfree;
	return count_list(r, ring->free_list, n) ?: count_list(r, ring->locked_list, n);
}

static enum status count_overflow(const struct io_requests *r, uint64_t head,
				  struct io_ring_lists *ret)
{
	struct list_nodes l = list_of(r->dump, head, "cq_overflow_list");

	while (list_next(&l, &ret->completion))
		ret->overflow++;
	return list_end(&l);
}

enum status io_requests_of_ring(const struct io_requests *r, uint64_t ctx,
				struct io_ring_lists *ret)
{
	struct ring ring = { 0 };
	enum status st = struct_read(&r->ctx, ctx, &ring);

	*ret = (struct io_ring_lists){ 0 };
	if (st == ST_OK && r->has_free)
		st = count_free(r, &ring, &ret->free);
	return st ?: count_overflow(r, ring.overflow, ret);
}
