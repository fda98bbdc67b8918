// SPDX-License-Identifier: GPL-2.0-or-later
/* Users of the stack depot: objects of kmemleak, references of ref_tracker, metadata of KASAN. */
#include "kernel/ref_tracker.h"
#include "slab/kasan.h"
#include "slab/kmemleak.h"
#include "stub.h"
#include "test.h"

#define AT(i) (0xffff888000000000ULL + (i)*0x1000)

struct list {
	uint64_t next, prev;
};

/* kmemleak: two objects and one that is being deleted. */
struct leak {
	struct list list;
	uint64_t pointer, size, jiffies;
	uint32_t flags, handle, pid;
	char comm[16];
	int32_t least, count;
	uint32_t pad;
};

static struct list leak_head;
static struct leak leaks[3];
static uint32_t leaks_on;
static uint64_t now = 1000;
static uint32_t clock_mult[2] = { 1000000U << 8, 8 };

#define LEAK(name, o, s)                                    \
	{                                                   \
		"struct kmemleak_object", name, FIELD(o, s) \
	}
static const struct stub_member leak_members[] = {
	LEAK("object_list", 0, 16),
	LEAK("pointer", 16, 8),
	LEAK("size", 24, 8),
	LEAK("jiffies", 32, 8),
	LEAK("flags", 40, 4),
	LEAK("trace_handle", 44, 4),
	LEAK("pid", 48, 4),
	LEAK("comm", 52, 16),
	LEAK("min_count", 68, 4),
	LEAK("count", 72, 4),
	{ "struct clocksource", "mult", FIELD(0, 4) },
	{ "struct clocksource", "shift", FIELD(4, 4) },
	{ 0 },
};
static const struct stub_member frame_members[] = {
	LEAK("object_list", 0, 16),
	LEAK("pointer", 16, 8),
	LEAK("size", 24, 8),
	LEAK("jiffies", 32, 8),
	LEAK("flags", 40, 4),
	LEAK("trace", 44, 128),
	LEAK("pid", 48, 4),
	LEAK("comm", 52, 16),
	LEAK("min_count", 68, 4),
	LEAK("count", 72, 4),
	{ 0 },
};
static const struct stub_symbol leak_symbols[] = {
	{ "kmemleak_alloc", AT(9), { 0 } },	    { "object_list", AT(0), { 0 } },
	{ "kmemleak_enabled", AT(1), FIELD(0, 4) }, { "jiffies", AT(2), FIELD(0, 8) },
	{ "clocksource_jiffies", AT(3), { 0 } },    { 0 },
};
static const struct stub_memory leak_memory[] = {
	{ AT(0), &leak_head, sizeof(leak_head) },
	{ AT(1), &leaks_on, sizeof(leaks_on) },
	{ AT(2), &now, sizeof(now) },
	{ AT(3), clock_mult, sizeof(clock_mult) },
	{ AT(4), &leaks[0], sizeof(leaks[0]) },
	{ AT(5), &leaks[1], sizeof(leaks[1]) },
	{ AT(6), &leaks[2], sizeof(leaks[2]) },
	{ 0 },
};

struct leaks_seen {
	unsigned int n;
	struct kmemleak_object o[4];
};

static enum status see_leak(void *arg, const struct kmemleak_object *o)
{
	struct leaks_seen *seen = arg;

	seen->o[seen->n++ & 3] = *o;
	return ST_OK;
}

static enum status walk_leaks(const struct stub_symbol *symbols, const struct stub_member *members,
			      bool *has_frames, struct leaks_seen *seen)
{
	STUB(s, .memory = leak_memory, .symbols = symbols, .members = members);

	seen->n = 0;
	return kmemleak_walk(&s.dump, has_frames, see_leak, seen);
}

static void lay_leaks(void)
{
	leak_head = (struct list){ AT(4), AT(6) };
	leaks[0] = (struct leak){ { AT(5), AT(0) }, 0x1111, 64, 750, 1 | 2, 0x70001, 12,
				  "forgetd",	    1,	    0,	0 };
	leaks[1] =
		(struct leak){ { AT(6), AT(4) }, 0x2222, 32, 10, 0, 0x70002, 13, "gone", 1, 0, 0 };
	leaks[2] = (struct leak){ { AT(0), AT(5) }, 0x3333, 96, 2000, 1, 0x70003, 0, "", 1, 0, 0 };
	memset(leaks[2].comm, 'x', sizeof(leaks[2].comm));
	leaks_on = 1;
}

static void kmemleak(void)
{
	static const struct stub_symbol none[] = { { 0 } };
	struct leaks_seen seen;
	bool has_frames;

	lay_leaks();
	CHECK(walk_leaks(leak_symbols, leak_members, &has_frames, &seen) == ST_OK && seen.n == 2);
	CHECK(seen.o[0].pointer == 0x1111 && seen.o[0].bytes == 64 && seen.o[0].handle == 0x70001);
	CHECK(seen.o[0].pid == 12 && !strcmp(seen.o[0].comm, "forgetd") && seen.o[0].is_reported);
	CHECK(seen.o[0].has_age && seen.o[0].age_ns == 250 * 1000000ULL && !has_frames);
	leaks[0].comm[2] = '\033';
	CHECK(walk_leaks(leak_symbols, leak_members, &has_frames, &seen) == ST_OK);
	CHECK_TEXT(seen.o[0].comm, "fo?getd");
	/* Of a time after the panic there is no age; a name may fill its array. */
	CHECK(!seen.o[1].has_age && !seen.o[1].is_reported && strlen(seen.o[1].comm) == 16);
	clock_mult[1] = 40;
	CHECK(walk_leaks(leak_symbols, leak_members, &has_frames, &seen) == ST_OK);
	CHECK(!seen.o[0].has_age);
	clock_mult[1] = 8;
	/* A later scan found a pointer. */
	leaks[0].count = 1;
	CHECK(walk_leaks(leak_symbols, leak_members, &has_frames, &seen) == ST_OK);
	CHECK(!seen.o[0].is_reported);
	/* It is no leak, whatever scans find. */
	leaks[0].count = -1;
	CHECK(walk_leaks(leak_symbols, leak_members, &has_frames, &seen) == ST_OK);
	CHECK(!seen.o[0].is_reported);
	CHECK(walk_leaks(none, leak_members, &has_frames, &seen) == ST_ABSENT && !seen.n);
	/* To 6.1, objects have the frames. */
	CHECK(walk_leaks(leak_symbols, frame_members, &has_frames, &seen) == ST_UNKNOWN);
	CHECK(has_frames && !seen.n);
	leaks_on = 0;
	CHECK(walk_leaks(leak_symbols, leak_members, &has_frames, &seen) == ST_ABSENT && !seen.n);
}

static void broken_lists(void)
{
	struct leaks_seen seen;
	bool has_frames;

	lay_leaks();
	leaks[2].list.next = AT(5);
	CHECK(walk_leaks(leak_symbols, leak_members, &has_frames, &seen) == ST_CORRUPT);
	CHECK(seen.n == 2);
	/* What is behind the defect is found from the end of the list. */
	lay_leaks();
	leaks[0].list.next = AT(77);
	CHECK(walk_leaks(leak_symbols, leak_members, &has_frames, &seen) == ST_UNREADABLE);
	CHECK(seen.n == 2);
	lay_leaks();
	leaks[1].list.prev = AT(0);
	CHECK(walk_leaks(leak_symbols, leak_members, &has_frames, &seen) == ST_CORRUPT);
	CHECK(seen.n == 2);
}

/* ref_tracker: a namespace with one device, two references held and one released. */
struct tracker {
	struct list head;
	uint32_t dead, taken, released, pad;
};
struct directory {
	struct list list, quarantine;
};
struct net {
	struct list list, devices;
	struct directory refs, notrefs;
};
struct device {
	struct list list;
	struct directory refs;
};

static struct list nets;
static struct net net;
static struct device device;
static struct tracker trackers[3];

#define MEMBER(type, name, o, s)        \
	{                               \
		type, name, FIELD(o, s) \
	}
static const struct stub_member ref_members[] = {
	MEMBER("struct ref_tracker", "head", 0, 16),
	MEMBER("struct ref_tracker", "alloc_stack_handle", 20, 4),
	MEMBER("struct ref_tracker", "free_stack_handle", 24, 4),
	MEMBER("struct ref_tracker_dir", "list", 0, 16),
	MEMBER("struct ref_tracker_dir", "quarantine", 16, 16),
	MEMBER("struct net", "list", 0, 16),
	MEMBER("struct net", "dev_base_head", 16, 16),
	MEMBER("struct net", "refcnt_tracker", 32, 32),
	MEMBER("struct net", "notrefcnt_tracker", 64, 32),
	MEMBER("struct net_device", "dev_list", 0, 16),
	MEMBER("struct net_device", "refcnt_tracker", 16, 32),
	{ 0 },
};
static const struct stub_symbol ref_symbols[] = {
	{ "ref_tracker_alloc", AT(9), { 0 } },
	{ "net_namespace_list", AT(0), { 0 } },
	{ 0 },
};
static const struct stub_memory ref_memory[] = {
	{ AT(0), &nets, sizeof(nets) },
	{ AT(1), &net, sizeof(net) },
	{ AT(2), &device, sizeof(device) },
	{ AT(3), &trackers[0], sizeof(trackers[0]) },
	{ AT(4), &trackers[1], sizeof(trackers[1]) },
	{ AT(5), &trackers[2], sizeof(trackers[2]) },
	{ 0 },
};

static struct list empty_at(uint64_t at)
{
	return (struct list){ at, at };
}

static void lay_references(void)
{
	nets = empty_at(AT(1));
	net.list = empty_at(AT(0));
	net.devices = empty_at(AT(2));
	device.list = empty_at(AT(1) + 16);
	net.refs.list = empty_at(AT(1) + 32);
	net.refs.quarantine = empty_at(AT(1) + 48);
	net.notrefs.list = empty_at(AT(1) + 64);
	net.notrefs.quarantine = empty_at(AT(1) + 80);
	device.refs.list = (struct list){ AT(3), AT(4) };
	device.refs.quarantine = empty_at(AT(5));
	trackers[0] = (struct tracker){ { AT(4), AT(2) + 16 }, 0, 0x10, 0, 0 };
	trackers[1] = (struct tracker){ { AT(2) + 16, AT(3) }, 0, 0x11, 0, 0 };
	trackers[2] = (struct tracker){ empty_at(AT(2) + 32), 1, 0x10, 0x20, 0 };
}

struct refs_seen {
	unsigned int n;
	struct ref_tracker t[4];
};

static enum status see_reference(void *arg, const struct ref_tracker *t)
{
	struct refs_seen *seen = arg;

	seen->t[seen->n++ & 3] = *t;
	return ST_OK;
}

static enum status walk_references(const struct stub_symbol *symbols, struct ref_trackers *ret,
				   struct refs_seen *seen)
{
	STUB(s, .memory = ref_memory, .symbols = symbols, .members = ref_members);

	seen->n = 0;
	return ref_trackers_walk(&s.dump, ret, see_reference, seen);
}

static void references(void)
{
	static const struct stub_symbol none[] = { { 0 } }, unreachable[] = {
		{ "ref_tracker_alloc", AT(9), { 0 } },
		{ 0 },
	};
	struct ref_trackers found;
	struct refs_seen seen;

	lay_references();
	CHECK(walk_references(ref_symbols, &found, &seen) == ST_OK && seen.n == 3);
	/* Other directories cannot be found without debugfs_dentries: what was not seen is not none. */
	CHECK(found.directories == 3 && !found.broken && !found.complete);
	CHECK(seen.t[0].taken == 0x10 && !seen.t[0].is_released && seen.t[0].address == AT(3));
	CHECK(seen.t[1].taken == 0x11 && seen.t[2].is_released && seen.t[2].released == 0x20);
	CHECK(walk_references(none, &found, &seen) == ST_ABSENT);
	CHECK(walk_references(unreachable, &found, &seen) == ST_UNKNOWN && !seen.n);
	/* The rest of a list that is not whole is found from its end, and then the rest of the directory. */
	trackers[0].head.next = AT(66);
	CHECK(walk_references(ref_symbols, &found, &seen) == ST_OK && seen.n == 3);
	CHECK(found.broken == 1 && seen.t[2].is_released);
}

/* KASAN: objects of 64 bytes in slots of 96, the shadow of each, and what lies behind them. */
#define SLAB 0xffff888000100000ULL
#define SHADOW(a) (((a) >> 3) + 0xdffffc0000000000ULL)

static uint8_t objects[5 * 96], shadow[5 * 96 / 8], task_shadow;
static uint32_t kasan_info[2];

static const struct stub_member kasan_members[] = {
	MEMBER("struct kmem_cache", "kasan_info.alloc_meta_offset", 0, 4),
	MEMBER("struct kmem_cache", "kasan_info.free_meta_offset", 4, 4),
	MEMBER("struct kasan_alloc_meta", "alloc_track.stack", 4, 4),
	MEMBER("struct kasan_alloc_meta", "aux_stack", 8, 8),
	MEMBER("struct kasan_free_meta", "free_track.stack", 12, 4),
	{ 0 },
};
static const struct stub_number kasan_sizes[] = { { "struct kasan_alloc_meta", 16 },
						  { "struct kasan_free_meta", 16 },
						  { 0 } };
static const struct stub_symbol kasan_symbols[] = { { "kasan_report", AT(9), { 0 } },
						    { "init_task", AT(8), { 0 } },
						    { 0 } };
static const struct stub_memory kasan_memory[] = {
	{ SLAB, objects, sizeof(objects) },
	{ SHADOW(SLAB), shadow, sizeof(shadow) },
	{ SHADOW(AT(8)), &task_shadow, 1 },
	{ AT(1), kasan_info, sizeof(kasan_info) },
	{ 0 },
};

static void put(unsigned int object, unsigned int at, uint32_t value)
{
	memcpy(objects + object * 96 + at, &value, sizeof(value));
}

static void lay_objects(void)
{
	static const uint8_t first[] = { 0, 0xfa, 0xfb, 0xfc, 5 };

	kasan_info[0] = 64;
	kasan_info[1] = 0;
	for (unsigned int i = 0; i < 5; i++) {
		shadow[i * 12] = first[i];
		put(i, 64 + 4, 0x100 + i);
		put(i, 64 + 8, i == 1 ? 0x200 : 0);
		put(i, 12, 0x300 + i);
	}
}

static void kasan(void)
{
	STUB(s, .memory = kasan_memory, .symbols = kasan_symbols, .members = kasan_members,
	     .sizes = kasan_sizes);
	struct slab_cache cache = { .address = AT(1), .size = 96, .bytes = 64 };
	const struct slab slab = { .cache = &cache, .address = SLAB, .objects = 5 };
	struct kasan_object o;
	struct kasan k;

	lay_objects();
	/* The stub translates all addresses. */
	s.dump.map = dump_alloc(&s.dump, 1);
	s.dump.arch = "x86_64";
	CHECK(kasan_open(&s.dump, &k) == ST_OK);
	CHECK(kasan_object_at(&k, &slab, 0, &o) == ST_OK && o.state == KASAN_IN_USE);
	CHECK(o.allocated == 0x100 && !o.freed && !o.aux[0]);
	CHECK(kasan_object_at(&k, &slab, 1, &o) == ST_OK && o.state == KASAN_QUARANTINED);
	CHECK(o.allocated == 0x101 && o.freed == 0x301 && o.aux[0] == 0x200 && !o.aux[1]);
	/* Metadata of an object that left the quarantine is of the past. */
	CHECK(kasan_object_at(&k, &slab, 2, &o) == ST_OK && o.state == KASAN_FREED);
	CHECK(!o.allocated && !o.freed);
	CHECK(kasan_object_at(&k, &slab, 3, &o) == ST_OK && o.state == KASAN_POISONED);
	CHECK(kasan_object_at(&k, &slab, 4, &o) == ST_OK && o.state == KASAN_IN_USE);
	task_shadow = 0xf9;
	CHECK(kasan_open(&s.dump, &k) == ST_UNKNOWN);
	task_shadow = 0;
	s.dump.arch = "aarch64";
	CHECK(kasan_open(&s.dump, &k) == ST_UNKNOWN);
	s.dump.arch = "x86_64";
	kasan_info[0] = 81;
	CHECK(kasan_open(&s.dump, &k) == ST_OK);
	CHECK(kasan_object_at(&k, &slab, 0, &o) == ST_CORRUPT);
	kasan_info[0] = 0;
	CHECK(kasan_open(&s.dump, &k) == ST_OK);
	CHECK(kasan_object_at(&k, &slab, 0, &o) == ST_ABSENT);
}

TESTS({ "kmemleak: objects", kmemleak }, { "kmemleak: a list that is not whole", broken_lists },
      { "ref_tracker: references held and released", references },
      { "KASAN: metadata by shadow", kasan })
