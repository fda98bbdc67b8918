// SPDX-License-Identifier: GPL-2.0-or-later
/* What io.max of cgroups holds back at a disk, and whose limit that is. */
#include "cgroup/io_throttle.h"
#include "stub.h"
#include "test.h"
#include "util/strbuf.h"

#define AT(i) (0xffff888000100000ULL + (i)*0x1000)
#define QUEUE AT(0)
#define LINK(i) AT(1 + (i))
#define GROUP(i) AT(4 + (i))
#define BLKCG(i) AT(7 + (i))
#define CGROUP(i) AT(10 + (i))
#define NODE(i) AT(13 + (i))
#define NAME(i) AT(16 + (i))
#define POLICY AT(19)
#define THROTTLE AT(20)
#define ROOT_V2 AT(21)
#define ROOT_V1 AT(22)
#define NUMBER 1u
#define NO_BPS UINT64_MAX
#define NO_IOPS UINT32_MAX

static struct {
	uint64_t throttle;
	uint64_t list[2];
} queue;
static struct {
	uint64_t node[2];
	uint64_t blkcg;
	uint64_t policies[3];
} links[3];
static struct {
	uint64_t unused; /* in front of what the policy has */
	uint32_t data[4];
	uint32_t queued[2];
	uint32_t iops[2];
	uint64_t bps[2];
	uint32_t queued_iops[2];
	uint64_t low_bps[4]; /* of each way io.low, io.max */
	uint32_t low_iops[4];
} groups[3];
static uint64_t blkcgs[3], kernfs[3][3];
static struct {
	uint64_t node, root;
} cgroups[3];
static char names[3][256];
static uint32_t policy;

#define MEMORY(at, what)                  \
	{                                 \
		at, &(what), sizeof(what) \
	}
static const struct stub_memory memory[] = {
	MEMORY(QUEUE, queue),	       MEMORY(LINK(0), links[0]),     MEMORY(LINK(1), links[1]),
	MEMORY(LINK(2), links[2]),     MEMORY(GROUP(0), groups[0]),   MEMORY(GROUP(1), groups[1]),
	MEMORY(GROUP(2), groups[2]),   MEMORY(BLKCG(0), blkcgs[0]),   MEMORY(BLKCG(1), blkcgs[1]),
	MEMORY(BLKCG(2), blkcgs[2]),   MEMORY(CGROUP(0), cgroups[0]), MEMORY(CGROUP(1), cgroups[1]),
	MEMORY(CGROUP(2), cgroups[2]), MEMORY(NODE(0), kernfs[0]),    MEMORY(NODE(1), kernfs[1]),
	MEMORY(NODE(2), kernfs[2]),    MEMORY(NAME(0), names[0]),     MEMORY(NAME(1), names[1]),
	MEMORY(NAME(2), names[2]),     MEMORY(POLICY, policy),	      { 0 }
};
static const struct stub_symbol symbols[] = {
	{ "blkcg_policy_throtl", POLICY },
	{ "cgrp_dfl_root", ROOT_V2 },
	{ 0 },
};

#define MEMBERS                                                                 \
	{ "struct request_queue", "td", KINDED(KIND_POINTER, 0, 8) },           \
		{ "struct request_queue", "blkg_list", FIELD(8, 16) },          \
		{ "struct blkcg_gq", "q_node", FIELD(0, 16) },                  \
		{ "struct blkcg_gq", "blkcg", KINDED(KIND_POINTER, 16, 8) },    \
		{ "struct blkcg_gq", "pd", KINDED(KIND_ARRAY, 24, 24) },        \
		{ "struct blkcg_policy", "plid", FIELD(0, 4) },                 \
		{ "struct throtl_grp", "pd", FIELD(8, 16) },                    \
		{ "struct blkcg", "css.cgroup", KINDED(KIND_POINTER, 0, 8) },   \
		{ "struct cgroup", "kn", KINDED(KIND_POINTER, 0, 8) },          \
		{ "struct cgroup", "root", KINDED(KIND_POINTER, 8, 8) },        \
		{ "struct kernfs_node", "parent", KINDED(KIND_POINTER, 0, 8) }, \
	{                                                                       \
		"struct kernfs_node", "name", KINDED(KIND_POINTER, 8, 8)        \
	}

static const struct stub_member members[] = {
	MEMBERS,
	{ "struct throtl_grp", "iops", KINDED(KIND_ARRAY, 32, 8) },
	{ "struct throtl_grp", "bps", KINDED(KIND_ARRAY, 40, 16) },
	{ "struct throtl_grp", "service_queue.nr_queued", KINDED(KIND_ARRAY, 24, 8) },
	{ 0 },
};
/* Up to 6.9, with CONFIG_BLK_DEV_THROTTLING_LOW or not. */
static const struct stub_member with_low[] = {
	MEMBERS,
	{ "struct throtl_grp", "bps", KINDED(KIND_ARRAY, 64, 32) },
	{ "struct throtl_grp", "iops", KINDED(KIND_ARRAY, 96, 16) },
	{ "struct throtl_grp", "service_queue.nr_queued", KINDED(KIND_ARRAY, 24, 8) },
	{ 0 },
};
/* 6.16 */
static const struct stub_member split[] = {
	MEMBERS,
	{ "struct throtl_grp", "iops", KINDED(KIND_ARRAY, 32, 8) },
	{ "struct throtl_grp", "bps", KINDED(KIND_ARRAY, 40, 16) },
	{ "struct throtl_grp", "service_queue.nr_queued_bps", KINDED(KIND_ARRAY, 24, 8) },
	{ "struct throtl_grp", "service_queue.nr_queued_iops", KINDED(KIND_ARRAY, 56, 8) },
	{ 0 },
};

/* "/", "/batch" and "/batch/a", the last without a limit of its own. */
static void fill(void)
{
	static const char *const of[] = { "", "batch", "a" };

	memset(&queue, 0, sizeof(queue));
	memset(links, 0, sizeof(links));
	memset(groups, 0, sizeof(groups));
	policy = NUMBER;
	queue.throttle = THROTTLE;
	queue.list[0] = LINK(0);
	queue.list[1] = LINK(2);
	for (unsigned int i = 0; i < 3; i++) {
		links[i].node[0] = i < 2 ? LINK(i + 1) : QUEUE + 8;
		links[i].node[1] = i ? LINK(i - 1) : QUEUE + 8;
		links[i].blkcg = BLKCG(i);
		links[i].policies[NUMBER] = GROUP(i) + 8;
		groups[i].bps[0] = groups[i].bps[1] = NO_BPS;
		groups[i].iops[0] = groups[i].iops[1] = NO_IOPS;
		blkcgs[i] = CGROUP(i);
		cgroups[i].node = NODE(i);
		cgroups[i].root = ROOT_V2;
		kernfs[i][0] = i ? NODE(i - 1) : 0;
		kernfs[i][1] = NAME(i);
		snprintf(names[i], sizeof(names[i]), "%s", of[i]);
	}
	groups[1].queued[1] = 28;
	groups[1].bps[1] = 24576;
	groups[1].iops[0] = 7; /* of reads, of which none waits */
}

static enum status find(const struct stub_member *of, struct io_throttle *ret, char text[512])
{
	STUB(s, .memory = memory, .members = of, .symbols = symbols);
	enum status st = io_throttle_find(&s.dump, QUEUE, ret);
	struct strbuf b = strbuf_in(text, 512);

	text[0] = '\0';
	if (st == ST_OK && ret->groups)
		io_throttle_text(ret, &b);
	return st;
}

static void whose_limit(void)
{
	struct io_throttle t;
	char text[512];

	fill();
	CHECK(find(members, &t, text) == ST_OK && t.groups == 1 && !t.partial && !t.most.is_v1);
	CHECK(t.most.bios[IO_WRITE] == 28 && !t.most.bios[IO_READ] &&
	      t.most.bps[IO_READ] == IO_NO_LIMIT);
	CHECK_TEXT(text, "io.max of /batch (wbps=24576)");
	groups[2].queued[0] = 30;
	groups[2].iops[0] = 5;
	CHECK(find(members, &t, text) == ST_OK && t.groups == 2);
	CHECK_TEXT(text, "io.max of /batch/a (riops=5)");
	cgroups[2].root = ROOT_V1;
	CHECK(find(members, &t, text) == ST_OK && t.most.is_v1);
	CHECK_TEXT(text, "blkio.throttle of /batch/a (read_iops_device 5)");
}

static void of_split_queues(void)
{
	struct io_throttle t;
	char text[512];

	fill();
	groups[1].queued[1] = 0;
	groups[1].queued_iops[1] = 3;
	groups[1].iops[1] = 9;
	CHECK(find(split, &t, text) == ST_OK && t.groups == 1 && t.most.bios[IO_WRITE] == 3);
	CHECK_TEXT(text, "io.max of /batch (wbps=24576 wiops=9)");
}

static void of_two_limits(void)
{
	struct io_throttle t;
	char text[512];

	fill();
	for (unsigned int i = 0; i < 4; i++) {
		groups[1].low_bps[i] = 1000 + i;
		groups[1].low_iops[i] = NO_IOPS;
	}
	CHECK(find(with_low, &t, text) == ST_OK && t.most.bps[IO_READ] == 1001);
	CHECK_TEXT(text, "io.max of /batch (wbps=1003)");
}

static void add_text(void *arg, const struct io_limit *limit)
{
	struct strbuf *b = arg;

	strbuf_add(b, "%s%s ", b->len ? "; " : "", limit->path);
	io_limit_text(limit, false, b);
}

/* Of the others too, at which none waits. */
static void each_limit(void)
{
	STUB(s, .memory = memory, .members = members, .symbols = symbols);
	struct strbuf b = STRBUF_OF(512);
	bool partial;

	fill();
	groups[2].bps[0] = 5;
	CHECK(io_limits_each(&s.dump, QUEUE, add_text, &b, &partial) == ST_OK && !partial);
	CHECK_TEXT(b.buf, "/batch riops=7 wbps=24576; /batch/a rbps=5");
}

static void none_or_unknown(void)
{
	struct io_throttle t;
	char text[512];

	fill();
	queue.throttle = 0;
	CHECK(find(members, &t, text) == ST_ABSENT);
	fill();
	groups[1].queued[1] = 0;
	CHECK(find(members, &t, text) == ST_OK && !t.groups && !t.partial);
	fill();
	links[1].policies[NUMBER] = AT(40) + 8; /* what is not in the dump */
	CHECK(find(members, &t, text) == ST_OK && !t.groups && t.partial);
	fill();
	groups[1].queued[1] = UINT32_MAX;
	CHECK(find(members, &t, text) == ST_OK && !t.groups && t.partial);
	fill();
	policy = 3;
	CHECK(find(members, &t, text) == ST_CORRUPT);
	fill();
	links[1].node[0] = LINK(0); /* a circle */
	CHECK(find(members, &t, text) == ST_OK && t.groups == 1 && t.partial);
	fill();
	links[1].policies[NUMBER] = 0;
	CHECK(find(members, &t, text) == ST_OK && !t.groups && !t.partial);
}

TESTS({ "whose limit", whose_limit }, { "of split queues", of_split_queues },
      { "of two limits each way", of_two_limits }, { "each limit", each_limit },
      { "none, or unknown", none_or_unknown })
