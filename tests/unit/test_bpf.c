// SPDX-License-Identifier: GPL-2.0-or-later
/* BPF maps by map_idr: their forms, and what a map takes. Sizes are computed by hand of htab_map_mem_usage(). */
#include "bpf/bpf_map.h"
#include "stub.h"
#include "test.h"

#define AT(i) (0xffff888000100000ULL + (i)*0x1000)
#define CPU(i) (0x100000ULL * (i))

/* A struct bpf_map that begins a structure of its type. */
struct map {
	uint32_t id, type, key, value, entries, flags;
	uint64_t references, pages;
	char name[16];
};
static struct {
	struct map map;
	uint64_t extra;
	uint32_t elem_size, buckets;
	int32_t count;
	bool uses_counter;
	struct {
		int64_t count;
		uint64_t counters;
	} pcount;
} hash;
static struct map other;
static struct {
	uint8_t shift, unused[7];
	uint64_t slots[64];
} node;
static struct {
	uint64_t unused, head;
} idr;
static int32_t counts[2] = { 5, -2 };
static uint64_t offsets[2] = { CPU(1), CPU(2) };
static uint64_t possible = 3;

static uint64_t sockets[100]; /* of an xskmap */

static const struct stub_memory memory[] = {
	{ AT(0), &idr, sizeof(idr) },
	{ AT(1), &node, sizeof(node) },
	{ AT(2), &hash, sizeof(hash) },
	{ AT(3), &other, sizeof(other) },
	{ AT(4), offsets, sizeof(offsets) },
	{ AT(5), &possible, sizeof(possible) },
	{ AT(2) + 0x100, sockets, sizeof(sockets) },
	{ AT(6) + CPU(1), &counts[0], 4 },
	{ AT(6) + CPU(2), &counts[1], 4 },
	{ 0 },
};
static const struct stub_symbol symbols[] = {
	{ "map_idr", AT(0), FIELD(0, 16) },
	{ "__per_cpu_offset", AT(4), KINDED(KIND_ARRAY, 0, 16) },
	{ "__cpu_possible_mask", AT(5), FIELD(0, 8) },
	{ 0 },
};
#define MEMBER(STRUCT, NAME, OF, PART)                                           \
	{                                                                        \
		STRUCT, NAME, FIELD(offsetof(OF, PART), sizeof(((OF *)0)->PART)) \
	}
#define MAP_MEMBERS                                                           \
	MEMBER("struct bpf_map", "id", struct map, id),                       \
		MEMBER("struct bpf_map", "map_type", struct map, type),       \
		MEMBER("struct bpf_map", "key_size", struct map, key),        \
		MEMBER("struct bpf_map", "value_size", struct map, value),    \
		MEMBER("struct bpf_map", "max_entries", struct map, entries), \
		MEMBER("struct bpf_map", "map_flags", struct map, flags),     \
		MEMBER("struct bpf_map", "refcnt.counter", struct map, references)
static const struct stub_member new_members[] = {
	MAP_MEMBERS,
	{ "struct bpf_map", "name", KINDED(KIND_ARRAY, offsetof(struct map, name), 16) },
	MEMBER("struct bpf_htab", "elem_size", __typeof__(hash), elem_size),
	MEMBER("struct bpf_htab", "n_buckets", __typeof__(hash), buckets),
	MEMBER("struct bpf_htab", "count.counter", __typeof__(hash), count),
	MEMBER("struct bpf_htab", "use_percpu_counter", __typeof__(hash), uses_counter),
	MEMBER("struct bpf_htab", "extra_elems", __typeof__(hash), extra),
	MEMBER("struct bpf_htab", "pcount", __typeof__(hash), pcount),
	{ "struct bpf_htab", "map_locked", KINDED(KIND_ARRAY, 0, 64) },
	{ "struct percpu_counter", "count", FIELD(0, 8) },
	{ "struct percpu_counter", "counters", KINDED(KIND_POINTER, 8, 8) },
	{ "struct xa_node", "shift", FIELD(0, 1) },
	{ "struct xa_node", "slots", KINDED(KIND_ARRAY, 8, 512) },
	{ "struct idr", "idr_rt.xa_head", KINDED(KIND_POINTER, 8, 8) },
	{ 0 },
};
/* Of 7.3: what has its size in a structure of its own. */
static const struct stub_member late_members[] = {
	MAP_MEMBERS,
	MEMBER("struct bpf_htab", "elem_size", __typeof__(hash), elem_size),
	MEMBER("struct bpf_rhtab", "elem_size", __typeof__(hash), elem_size),
	MEMBER("struct bpf_rhtab", "ht.nelems.counter", __typeof__(hash), count),
	MEMBER("struct bpf_arena", "nr_pages", __typeof__(hash), extra),
	{ "struct xa_node", "shift", FIELD(0, 1) },
	{ "struct xa_node", "slots", KINDED(KIND_ARRAY, 8, 512) },
	{ "struct idr", "idr_rt.xa_head", KINDED(KIND_POINTER, 8, 8) },
	{ 0 },
};
/* Of 6.4: nodes are counted. Before they are as many as pointers that are not NULL. */
static const struct stub_member counting_members[] = {
	MAP_MEMBERS,
	MEMBER("struct xsk_map", "count.counter", __typeof__(hash), count),
	{ "struct xsk_map", "xsk_map", KINDED(KIND_ARRAY, 0x100, 0) },
	{ "struct xa_node", "shift", FIELD(0, 1) },
	{ "struct xa_node", "slots", KINDED(KIND_ARRAY, 8, 512) },
	{ "struct idr", "idr_rt.xa_head", KINDED(KIND_POINTER, 8, 8) },
	{ 0 },
};
static const struct stub_member uncounted_members[] = {
	MAP_MEMBERS,
	{ "struct xsk_map", "xsk_map", KINDED(KIND_ARRAY, 0x100, 0) },
	{ "struct xa_node", "shift", FIELD(0, 1) },
	{ "struct xa_node", "slots", KINDED(KIND_ARRAY, 8, 512) },
	{ "struct idr", "idr_rt.xa_head", KINDED(KIND_POINTER, 8, 8) },
	{ 0 },
};
static const struct stub_member old_members[] = {
	MAP_MEMBERS,
	MEMBER("struct bpf_map", "pages", struct map, pages),
	{ "struct radix_tree_node", "shift", FIELD(0, 1) },
	{ "struct radix_tree_node", "slots", KINDED(KIND_ARRAY, 8, 512) },
	{ "struct idr", "idr_rt.rnode", KINDED(KIND_POINTER, 8, 8) },
	{ 0 },
};
static const struct stub_number sizes[] = {
	{ "struct bpf_map", sizeof(struct map) },
	{ "struct bpf_htab", sizeof(hash) },
	{ "struct bpf_rhtab", sizeof(hash) },
	{ "struct bpf_arena", sizeof(hash) },
	{ "struct bpf_insn_array", 300 },
	{ "struct xsk_map", 0x100 },
	{ "struct xsk_map_node", 40 },
	{ "struct bpf_insn_array_value", 16 },
	{ "struct bucket", 16 },
	{ "struct percpu_counter", 16 },
	{ "struct xa_node", sizeof(node) },
	{ "struct radix_tree_node", sizeof(node) },
	{ "struct idr", sizeof(idr) },
	{ 0 },
};
static const struct stub_number enumerators[] = {
	{ "BPF_MAP_TYPE_HASH", 1 },
	{ "BPF_MAP_TYPE_PERCPU_HASH", 5 },
	{ "BPF_MAP_TYPE_LRU_HASH", 9 },
	{ "BPF_MAP_TYPE_HASH_OF_MAPS", 13 },
	{ "BPF_MAP_TYPE_XSKMAP", 17 },
	{ "BPF_MAP_TYPE_ARENA", 33 },
	{ "BPF_MAP_TYPE_INSN_ARRAY", 34 },
	{ "BPF_MAP_TYPE_RHASH", 35 },
	{ 0 },
};

struct seen {
	unsigned int n;
	struct bpf_map maps[4];
};

static enum status walk(const struct stub_member *members, struct seen *seen)
{
	STUB(s, .memory = memory, .symbols = symbols, .members = members, .sizes = sizes,
	     .enumerators = enumerators);
	struct bpf_maps maps = { 0 };
	struct xa_entries x;
	enum status st;

	memset(seen, 0, sizeof(*seen));
	st = bpf_maps_open(&s.dump, &maps);
	xa_begin(&x, &s.dump, maps.idr);
	while (st == ST_OK && bpf_maps_next(&maps, &x, &seen->maps[seen->n & 3]))
		seen->n++;
	st = st ?: xa_end(&x);
	/* What is compared behind it must not be of the arena. */
	for (unsigned int i = 0; i < 4; i++)
		seen->maps[i].problem = seen->maps[i].problem ? "told" : NULL;
	return st;
}

static void fill(void)
{
	memset(&node, 0, sizeof(node));
	memset(&hash, 0, sizeof(hash));
	memset(&other, 0, sizeof(other));
	node.slots[7] = AT(2);
	node.slots[9] = AT(3);
	idr.head = AT(1) + 2;
	hash.map = (struct map){ 7, 1, 8, 20, 100, 0, 3, 0, "flows" };
	hash.elem_size = 72;
	hash.buckets = 128;
	hash.extra = AT(6);
	hash.pcount.count = 40;
	hash.pcount.counters = AT(6);
	other = (struct map){ 9, 33, 0, 0, 10, 0, 1, 0, "" };
}

static bool is(const struct maybe_u64 *bytes, uint64_t n)
{
	return bytes->known && bytes->n == n;
}

static void hashes(void)
{
	const uint64_t fixed = sizeof(hash) + 128 * 16 + 4 * 2 * 8;
	struct seen seen;

	fill();
	CHECK(walk(new_members, &seen) == ST_OK && seen.n == 2);
	CHECK(seen.maps[0].id == 7 && !strcmp(seen.maps[0].name, "flows") &&
	      seen.maps[0].references == 3);
	/* An element more for each CPU, and the array that has them. */
	CHECK(is(&seen.maps[0].bytes, fixed + 72 * (100 + 2) + 8 * 2));
	/* Since 7.3 a hash of maps has none, and the kernel counts the array all the same. */
	hash.extra = 0;
	hash.map.type = 13;
	CHECK(walk(new_members, &seen) == ST_OK &&
	      is(&seen.maps[0].bytes, fixed + 72 * 100 + 8 * 2));
	hash.map.type = 9;
	CHECK(walk(new_members, &seen) == ST_OK && is(&seen.maps[0].bytes, fixed + 72 * 100));
	hash.map.type = 5;
	CHECK(walk(new_members, &seen) == ST_OK &&
	      is(&seen.maps[0].bytes, fixed + (72 + 24 * 2) * 100));
	/* Elements that were added one by one, by either counter. */
	hash.map.type = 1;
	hash.map.flags = 1;
	hash.count = 6;
	CHECK(walk(new_members, &seen) == ST_OK && is(&seen.maps[0].bytes, fixed + 80 * 6));
	hash.uses_counter = true;
	CHECK(walk(new_members, &seen) == ST_OK &&
	      is(&seen.maps[0].bytes, fixed + 80 * (40 + 5 - 2)));
	hash.map.type = 5;
	CHECK(walk(new_members, &seen) == ST_OK &&
	      is(&seen.maps[0].bytes, fixed + (80 + 16 + 24 * 2) * 43));
	hash.pcount.counters = AT(9);
	CHECK(walk(new_members, &seen) == ST_OK && !seen.maps[0].bytes.known &&
	      seen.maps[0].problem);
}

static void late_types(void)
{
	struct seen seen;

	fill();
	hash.map.type = 33;
	hash.extra = 5;
	CHECK(walk(late_members, &seen) == ST_OK && is(&seen.maps[0].bytes, 5 << 12));
	hash.map.type = 34;
	CHECK(walk(late_members, &seen) == ST_OK && is(&seen.maps[0].bytes, 300 + 24 * 100));
	hash.map.type = 35;
	hash.count = 6;
	CHECK(walk(late_members, &seen) == ST_OK && is(&seen.maps[0].bytes, sizeof(hash) + 72 * 6));
	hash.count = -6;
	CHECK(walk(late_members, &seen) == ST_OK && !seen.maps[0].bytes.known);
}

static void xskmaps(void)
{
	struct seen seen;

	fill();
	hash.map.type = 17;
	hash.count = 3;
	CHECK(walk(counting_members, &seen) == ST_OK &&
	      is(&seen.maps[0].bytes, 0x100 + 8 * 100 + 40 * 3));
	memset(sockets, 0, sizeof(sockets));
	sockets[0] = sockets[64] = sockets[99] = sockets[98] = AT(9);
	CHECK(walk(uncounted_members, &seen) == ST_OK &&
	      is(&seen.maps[0].bytes, 0x100 + 8 * 100 + 40 * 4));
	hash.map.entries = 101;
	CHECK(walk(uncounted_members, &seen) == ST_OK && !seen.maps[0].bytes.known &&
	      seen.maps[0].problem);
}

static void damage(void)
{
	struct seen seen;

	fill();
	/* Of an arena the kernel counts nothing: that is not 0. */
	CHECK(walk(new_members, &seen) == ST_OK && !seen.maps[1].bytes.known &&
	      seen.maps[1].problem);
	other.type = 60;
	CHECK(walk(new_members, &seen) == ST_OK && !seen.maps[1].type_name &&
	      !seen.maps[1].bytes.known);
	hash.elem_size = 0xffffffff;
	hash.map.entries = 0xffffffff;
	CHECK(walk(new_members, &seen) == ST_OK && !seen.maps[0].bytes.known);
	/* A map with the ID of another is none; the others are told. */
	hash.map.id = 8;
	CHECK(walk(new_members, &seen) == ST_CORRUPT && seen.n == 1 && seen.maps[0].id == 9);
	node.slots[7] = AT(20);
	CHECK(walk(new_members, &seen) == ST_UNREADABLE && seen.n == 1);
	idr.head = 0;
	CHECK(walk(new_members, &seen) == ST_OK && !seen.n);
}

static void radix_tree(void)
{
	struct seen seen;

	fill();
	idr.head = AT(1) + 1;
	hash.map.pages = 17;
	CHECK(walk(old_members, &seen) == ST_OK && seen.n == 2);
	CHECK(is(&seen.maps[0].bytes, 17 << 12) && is(&seen.maps[1].bytes, 0));
}

/* Up to 5.10 a map is charged for all elements that it may have. */
static void charged(void)
{
	struct stub_member both[1 + sizeof(new_members) / sizeof(new_members[0])] = { MEMBER(
		"struct bpf_map", "memory.pages", struct map, pages) };
	struct seen seen;

	fill();
	memcpy(both + 1, new_members, sizeof(new_members));
	hash.map.pages = 1700;
	hash.map.flags = 1;
	hash.count = 6;
	other.pages = 3;
	CHECK(walk(both, &seen) == ST_OK &&
	      is(&seen.maps[0].bytes, sizeof(hash) + 128 * 16 + 4 * 2 * 8 + 80 * 6));
	CHECK(is(&seen.maps[1].bytes, 3 << 12));
	hash.uses_counter = true;
	hash.pcount.counters = AT(9);
	CHECK(walk(both, &seen) == ST_OK && !seen.maps[0].bytes.known && seen.maps[0].problem);
}

TESTS({ "hashes by their elements", hashes }, { "types of maps since 6.9", late_types },
      { "xskmaps with their nodes", xskmaps }, { "damaged maps, types without a size", damage },
      { "maps of 4.18: a radix tree, and pages", radix_tree },
      { "maps of 5.10: what they have, not what they may have", charged })
