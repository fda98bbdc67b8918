// SPDX-License-Identifier: GPL-2.0-or-later
#include "cgroup/io_throttle.h"

#include "util/strbuf.h"

#define MOST_BIOS 1000000 /* what is more at one cgroup is damage */
#define LIMITS 4	  /* up to 6.9 each way had io.low in front of io.max */

/* struct throtl_grp: what blk-throttle has of a cgroup at a disk. */
struct group {
	uint32_t queued[IO_WAYS], queued_iops[IO_WAYS];
	uint64_t bps[LIMITS];
	uint32_t iops[LIMITS];
};

/* struct blkcg_gq: what policies have of it. */
struct link {
	uint64_t blkcg;
};

static const struct layout_row rows[] = {
	FINDS(struct io_throttles, throttle, "struct request_queue", REQUIRED,
	      "CONFIG_BLK_DEV_THROTTLING", "td"),
	FINDS(struct io_throttles, list, "struct request_queue", REQUIRED, "CONFIG_BLK_CGROUP",
	      "blkg_list"),
	STRUCTURE(struct io_throttles, group, "struct throtl_grp"),
	/* 6.16: "blk-throttle: Split the service queue" */
	READS(struct group, queued, REQUIRED, "6.16", "service_queue.nr_queued_bps",
	      "service_queue.nr_queued"),
	READS(struct group, queued_iops, OPTIONAL, "6.16", "service_queue.nr_queued_iops"),
	READS(struct group, bps, REQUIRED, "all", "bps"),
	READS(struct group, iops, REQUIRED, "all", "iops"),
	FINDS(struct io_throttles, bps, "struct throtl_grp", REQUIRED, "all", "bps"),
	FINDS(struct io_throttles, data, "struct throtl_grp", REQUIRED, "all", "pd"),
	STRUCTURE(struct io_throttles, link, "struct blkcg_gq"),
	POINTS(struct link, blkcg, REQUIRED, "all", "blkcg"),
	FINDS(struct io_throttles, policies, "struct blkcg_gq", REQUIRED, "all", "pd"),
	FINDS(struct io_throttles, node, "struct blkcg_gq", REQUIRED, "all", "q_node"),
	FINDS(struct io_throttles, number, "struct blkcg_policy", REQUIRED, "all", "plid"),
	FINDS(struct io_throttles, cgroup, "struct blkcg", REQUIRED, "all", "css.cgroup"),
	FINDS(struct io_throttles, root, "struct cgroup", OPTIONAL, "all", "root"),
};

/* Its number was given to it when it was registered. */
static enum status find_policy(struct io_throttles *x)
{
	struct dump *d = x->dump;
	uint64_t at;
	uint32_t number;
	enum status st = dump_symbol(d, "blkcg_policy_throtl", &at)
				 ?: dump_u32(d, at + x->number.offset, &number, "blkcg_policy");

	if (st == ST_OK && number >= x->policies.size / 8)
		return dump_corrupt(d, "blkcg_policy_throtl has the number %u", number);
	if (st == ST_OK)
		x->policy = x->policies.offset + number * 8;
	return st;
}

enum status io_throttles_open(struct dump *d, struct io_throttles *x)
{
	enum status st;

	*x = (struct io_throttles){ .dump = d };
	st = STRUCTS_OPEN(d, rows, x);
	if (st == ST_OK && x->bps.size != IO_WAYS * 8 && x->bps.size != LIMITS * 8)
		st = dump_unknown(d, "struct throtl_grp.bps has %u bytes", x->bps.size);
	return st ?: cgroups_open(d, &x->cgroups);
}

struct each {
	void (*fn)(void *arg, const struct io_limit *limit);
	void *arg;
};

/* What both are without a limit: U64_MAX, UINT_MAX. */
static bool take_limits(const struct io_throttles *x, const struct group *g, struct io_limit *ret)
{
	const unsigned int each = x->bps.size / 8 / IO_WAYS;
	bool has_any = false;

	for (unsigned int i = 0; i < IO_WAYS; i++) {
		const unsigned int at = i * each + each - 1;

		ret->bps[i] = g->bps[at];
		ret->iops[i] = g->iops[at] == UINT32_MAX ? IO_NO_LIMIT : g->iops[at];
		has_any |= ret->bps[i] != IO_NO_LIMIT || ret->iops[i] != IO_NO_LIMIT;
	}
	return has_any;
}

static enum status name_group(struct io_throttles *x, uint64_t blkg, struct io_limit *ret)
{
	struct link link = { 0 };
	uint64_t root = 0, v2;
	enum status st = struct_read(&x->link, blkg, &link)
				 ?: dump_u64(x->dump, link.blkcg + x->cgroup.offset, &ret->cgroup,
					     "cgroup of a limit of io");

	if (st != ST_OK)
		return st;
	ret->path = cgroups_path(&x->cgroups, ret->cgroup);
	ret->is_v1 = x->root.present && dump_symbol(x->dump, "cgrp_dfl_root", &v2) == ST_OK &&
		     dump_u64(x->dump, ret->cgroup + x->root.offset, &root, "root of a cgroup") ==
			     ST_OK &&
		     root != v2;
	return ret->path ? ST_OK
			 : dump_fail(x->dump, ST_UNKNOWN, "the name of a cgroup is unknown");
}

static enum status add_group(struct io_throttles *x, uint64_t blkg, const struct each *each)
{
	struct io_limit limit = { 0 };
	struct group g = { 0 };
	uint64_t at;
	enum status st = dump_u64(x->dump, blkg + x->policy, &at, "blkcg_gq.pd");

	/* The policy is off for it. */
	if (st == ST_OK && !at)
		return ST_OK;
	st = st ?: struct_read(&x->group, at - x->data.offset, &g);
	for (unsigned int i = 0; st == ST_OK && i < IO_WAYS; i++) {
		limit.bios[i] = (uint64_t)g.queued[i] + g.queued_iops[i];
		if (limit.bios[i] > MOST_BIOS)
			st = dump_corrupt(x->dump, "%lu bios wait at one cgroup", limit.bios[i]);
	}
	if (st != ST_OK)
		return st;
	if (!take_limits(x, &g, &limit) && !(limit.bios[IO_READ] + limit.bios[IO_WRITE]))
		return ST_OK;
	st = name_group(x, blkg, &limit);
	each->fn(each->arg, &limit);
	return st;
}

enum status io_limits_each(struct dump *d, uint64_t queue,
			   void (*fn)(void *arg, const struct io_limit *limit), void *arg,
			   bool *partial)
{
	const struct each each = { fn, arg };
	struct io_throttles *x = dump_alloc(d, sizeof(*x));
	struct list_nodes l;
	uint64_t throttle, node;
	enum status st = io_throttles_open(d, x);

	*partial = false;
	st = st ?: dump_u64(d, queue + x->throttle.offset, &throttle, "request_queue");
	if (st == ST_OK && !throttle)
		return dump_absent(d, "no cgroup has a limit at this disk");
	st = st ?: find_policy(x);
	if (st != ST_OK)
		return st;
	l = list_of(d, queue + x->list.offset, "cgroups at a disk");
	while (list_next(&l, &node))
		first_problem_keep(d, &x->problem, add_group(x, node - x->node.offset, &each));
	first_problem_keep(d, &x->problem, list_end(&l));
	*partial = first_problem_end(d, &x->problem) != ST_OK;
	return dump_stopped(d) ? ST_STOPPED : ST_OK;
}

static void keep_most(void *arg, const struct io_limit *limit)
{
	struct io_throttle *t = arg;
	const uint64_t n = limit->bios[IO_READ] + limit->bios[IO_WRITE];

	t->groups += n != 0;
	if (n > t->most.bios[IO_READ] + t->most.bios[IO_WRITE])
		t->most = *limit;
}

enum status io_throttle_find(struct dump *d, uint64_t queue, struct io_throttle *ret)
{
	*ret = (struct io_throttle){ 0 };
	return io_limits_each(d, queue, keep_most, ret, &ret->partial);
}

void io_limit_text(const struct io_limit *l, bool waited, struct strbuf *b)
{
	static const char *const names[2][2][IO_WAYS] = {
		{ { "rbps=%lu", "wbps=%lu" }, { "riops=%lu", "wiops=%lu" } },
		{ { "read_bps_device %lu", "write_bps_device %lu" },
		  { "read_iops_device %lu", "write_iops_device %lu" } },
	};
	bool has_any = false;

	for (unsigned int i = 0; i < IO_WAYS; i++) {
		const uint64_t limits[2] = { l->bps[i], l->iops[i] };

		for (unsigned int k = 0; (l->bios[i] || !waited) && k < 2; k++) {
			if (limits[k] == IO_NO_LIMIT)
				continue;
			strbuf_add(b, "%s", has_any ? " " : "");
			strbuf_add(b, names[l->is_v1][k][i], limits[k]);
			has_any = true;
		}
	}
}

void io_throttle_text(const struct io_throttle *t, struct strbuf *b)
{
	struct strbuf limits = STRBUF_OF(128);

	io_limit_text(&t->most, true, &limits);
	strbuf_add(b, "%s of %.200s", t->most.is_v1 ? "blkio.throttle" : "io.max",
		   t->most.path ?: "a cgroup of unknown name");
	if (limits.len)
		strbuf_add(b, " (%s)", limits.buf);
}
