// SPDX-License-Identifier: GPL-2.0-or-later
/* xarray, the printk ring, addresses, gfp names. */
#include "vm/address.h"
#include "kernel/gfp_flags.h"
#include "log/printk.h"
#include "stub.h"
#include "test.h"
#include "kernel/list.h"
#include "kernel/xarray.h"

/* An XArray of two levels with four slots a node. */
#define ROOT 0x10000ULL
#define LEAF 0x20000ULL
#define AT(i) (0x30000ULL + (i)*0x100)

struct xa_node {
	uint8_t shift, pad[7];
	uint64_t slots[4];
};

static const struct stub_member xa_members[] = {
	{ "struct xa_node", "shift", FIELD(0, 1) },
	{ "struct xa_node", "slots", KINDED(KIND_ARRAY, 8, 32) },
	{ 0 },
};

struct seen {
	unsigned int n;
	uint64_t index[8], entry[8];
};

static enum status walk(struct stub *s, uint64_t head, struct seen *seen)
{
	struct xa_entries x;

	xa_begin(&x, &s->dump, head);
	for (seen->n = 0; seen->n < 8; seen->n++)
		if (!xa_next(&x, &seen->index[seen->n], &seen->entry[seen->n]))
			break;
	return xa_end(&x);
}

static void xarray_of_two_levels(void)
{
	/* Numbers (bit 0) and internal entries such as retries are no pointers. */
	static const struct xa_node leaf = { 0, { 0 }, { 0x7000, 0, 0x13, 0x7100 } };
	static const struct xa_node root = { 2, { 0 }, { LEAF + 2, 0x402, 0, LEAF + 2 } };
	static const struct stub_memory memory[] = { { ROOT, &root, sizeof(root) },
						     { LEAF, &leaf, sizeof(leaf) },
						     { 0 } };
	STUB(s, .memory = memory, .members = xa_members);
	struct seen seen = { 0 };

	CHECK(walk(&s, ROOT + 2, &seen) == ST_OK && seen.n == 4);
	CHECK(seen.index[0] == 0 && seen.index[1] == 3 && seen.index[2] == 12 &&
	      seen.index[3] == 15);
	CHECK(seen.entry[0] == 0x7000 && seen.entry[3] == 0x7100);
}

/* Up to 4.19: nodes are marked with 1, and 2 is a number. */
static void radix_tree(void)
{
	static const struct stub_member members[] = {
		{ "struct radix_tree_node", "shift", FIELD(0, 1) },
		{ "struct radix_tree_node", "slots", KINDED(KIND_ARRAY, 8, 32) },
		{ 0 },
	};
	static const struct xa_node leaf = { 0, { 0 }, { 0x7000, 0, 0x16, 0x7100 } };
	static const struct xa_node root = { 2, { 0 }, { LEAF + 1, LEAF + 2, 0, LEAF + 1 } };
	static const struct stub_memory memory[] = { { ROOT, &root, sizeof(root) },
						     { LEAF, &leaf, sizeof(leaf) },
						     { 0 } };
	STUB(s, .memory = memory, .members = members);
	struct seen seen = { 0 };

	CHECK(walk(&s, ROOT + 1, &seen) == ST_OK && seen.n == 4);
	CHECK(seen.index[1] == 3 && seen.index[3] == 15 && seen.entry[3] == 0x7100);
	seen.n = 0;
	CHECK(walk(&s, 0x7000, &seen) == ST_OK && seen.n == 1);
	CHECK(walk(&s, ROOT + 2, &seen) == ST_OK && seen.n == 0);
}

static void xarray_of_one_entry_or_none(void)
{
	STUB(s, .members = xa_members);
	struct seen seen = { 0 };

	CHECK(walk(&s, 0, &seen) == ST_OK && seen.n == 0);
	CHECK(walk(&s, 0x7000, &seen) == ST_OK && seen.n == 1 && !seen.index[0]);
	CHECK(walk(&s, ROOT + 2, &seen) == ST_UNREADABLE);
}

static void xarray_that_bites_its_tail(void)
{
	static const struct xa_node root = { 2, { 0 }, { ROOT + 2, 0, 0, LEAF + 2 } };
	static const struct xa_node leaf = { 0, { 0 }, { 0x7000, 0, 0, 0 } };
	static const struct stub_memory memory[] = { { ROOT, &root, sizeof(root) },
						     { LEAF, &leaf, sizeof(leaf) },
						     { 0 } };
	STUB(s, .memory = memory, .members = xa_members);
	struct seen seen = { 0 };

	/* What is behind the defect is given. */
	CHECK(walk(&s, ROOT + 2, &seen) == ST_CORRUPT && seen.n == 1 && seen.index[0] == 12);
}

/* hlist_head and hlist_node: each names the pointer that leads to it; the second leads back to the first. */
static void hlist_that_bites_its_tail(void)
{
	static const uint64_t head = AT(1), first[2] = { AT(2), AT(0) }, good[2] = { 0, AT(1) },
			      bad[2] = { AT(1), AT(1) };
	struct stub_memory memory[] = {
		{ AT(0), &head, 8 }, { AT(1), first, 16 }, { AT(2), good, 16 }, { 0 }
	};
	STUB(s, .memory = memory);
	struct list_nodes l;
	unsigned int n = 0;
	uint64_t node;

	for (l = hlist_of(&s.dump, AT(0), "a list"); list_next(&l, &node);)
		n++;
	CHECK(n == 2 && node == AT(2) && list_end(&l) == ST_OK);
	memory[2].bytes = bad;
	for (l = hlist_of(&s.dump, AT(0), "a list"); n < 9 && list_next(&l, &node);)
		n++;
	CHECK(n == 4 && list_end(&l) == ST_CORRUPT);
}

/* A list_head whose link leads past others: the other end has them. */
static void list_that_ends_too_early(void)
{
	uint64_t head[2] = { AT(1), AT(3) }, first[2] = { AT(2), AT(0) },
		 second[2] = { AT(3), AT(1) }, third[2] = { AT(0), AT(2) };
	struct stub_memory memory[] = { { AT(0), head, 16 },
					{ AT(1), first, 16 },
					{ AT(2), second, 16 },
					{ AT(3), third, 16 },
					{ 0 } };
	STUB(s, .memory = memory);
	struct list_nodes l;
	unsigned int n = 0;
	uint64_t node;

	for (l = list_of(&s.dump, AT(0), "a list"); list_next(&l, &node);)
		n++;
	CHECK(n == 3 && node == AT(3) && list_end(&l) == ST_OK);
	head[0] = AT(0);
	for (n = 0, l = list_of(&s.dump, AT(0), "a list"); list_next(&l, &node);)
		n++;
	CHECK(n == 3 && node == AT(1) && list_end(&l) == ST_CORRUPT);
	head[0] = AT(1);
	first[0] = AT(0);
	for (n = 0, l = list_of(&s.dump, AT(0), "a list"); list_next(&l, &node);)
		n++;
	CHECK(n == 3 && node == AT(2) && list_end(&l) == ST_CORRUPT);
	/* Both ends say so. */
	head[0] = head[1] = AT(0);
	for (n = 0, l = list_of(&s.dump, AT(0), "a list"); list_next(&l, &node);)
		n++;
	CHECK(!n && list_end(&l) == ST_OK);
}

/* A printk ring of four records and 256 bytes of text. */
#define PRB 0x1000ULL
#define DESCS 0x2000ULL
#define INFOS 0x3000ULL
#define DATA 0x4000ULL
#define STATE(state, id) ((uint64_t)(state) << 62 | (id))

static struct {
	uint32_t count_bits, pad;
	uint64_t descs, infos, head, tail;
	uint32_t size_bits, pad2;
	uint64_t data;
} prb = { 2, 0, DESCS, INFOS, 6, 3, 8, 0, DATA };
static const uint64_t prb_pointer = PRB;
static struct {
	uint64_t state, begin, next;
} descs[4] = {
	[3] = { STATE(2, 3), 16, 48 },
	[0] = { STATE(2, 4), 48, 96 },
	/* Wraps: its text is at the start. */
	[1] = { STATE(1, 5), 0xe8, 0x110 },
	/* Reserved, not readable. */
	[2] = { STATE(0, 6), 0x110, 0x120 },
};
static struct {
	uint64_t seq, ts;
	uint16_t len, pad[3];
} infos[4] = { [3] = { 7, 300, 5, { 0 } },
	       [0] = { 8, 400, 33, { 0 } },
	       [1] = { 9, 500, 4, { 0 } },
	       [2] = { 10, 600, 9, { 0 } } };
static char ring[256];

static const struct stub_member prb_members[] = {
	{ "struct printk_ringbuffer", "desc_ring.count_bits", FIELD(0, 4) },
	{ "struct printk_ringbuffer", "desc_ring.descs", FIELD(8, 8) },
	{ "struct printk_ringbuffer", "desc_ring.infos", FIELD(16, 8) },
	{ "struct printk_ringbuffer", "desc_ring.head_id", FIELD(24, 8) },
	{ "struct printk_ringbuffer", "desc_ring.tail_id", FIELD(32, 8) },
	{ "struct printk_ringbuffer", "text_data_ring.size_bits", FIELD(40, 4) },
	{ "struct printk_ringbuffer", "text_data_ring.data", FIELD(48, 8) },
	{ "struct prb_desc", "state_var", FIELD(0, 8) },
	{ "struct prb_desc", "text_blk_lpos.begin", FIELD(8, 8) },
	{ "struct prb_desc", "text_blk_lpos.next", FIELD(16, 8) },
	{ "struct printk_info", "seq", FIELD(0, 8) },
	{ "struct printk_info", "ts_nsec", FIELD(8, 8) },
	{ "struct printk_info", "text_len", FIELD(16, 2) },
	{ 0 },
};
static const struct stub_number prb_sizes[] = { { "struct prb_desc", 24 },
						{ "struct printk_info", 24 },
						{ 0 } };
static const struct stub_symbol prb_symbols[] = {
	{ "prb", 0x500, FIELD(0, 8) },
	{ 0 },
};
static const struct stub_memory prb_memory[] = {
	{ 0x500, &prb_pointer, 8 },	 { PRB, &prb, sizeof(prb) },
	{ DESCS, descs, sizeof(descs) }, { INFOS, infos, sizeof(infos) },
	{ DATA, ring, sizeof(ring) },	 { 0 },
};

struct texts {
	unsigned int n, torn;
	uint64_t seq[8];
	char text[8][64];
};

static enum status keep(void *arg, const struct log_record *r)
{
	struct texts *t = arg;

	t->torn += r->is_torn;
	t->seq[t->n] = r->seq;
	snprintf(t->text[t->n++], sizeof(t->text[0]), "%s", r->text);
	return ST_OK;
}

static void fill_ring(void)
{
	memset(ring, 0, sizeof(ring));
	ring[48] = 4;
	memcpy(ring + 48 + 8, "Kernel panic - not syncing: pages", 33);
	ring[16] = 3;
	memcpy(ring + 16 + 8, "first", 5);
	/* The block of record 5 would cross the end, so it starts at 0. */
	ring[0] = 5;
	memcpy(ring + 8, "wrap", 4);
}

static void open_ring(struct stub *s)
{
	*s = (struct stub){ .memory = prb_memory,
			    .symbols = prb_symbols,
			    .members = prb_members,
			    .sizes = prb_sizes };
	fill_ring();
	stub_open(s);
}

static void printk_newest_first(void)
{
	struct stub s;
	struct texts t = { 0 };

	open_ring(&s);
	CHECK(printk_walk(&s.dump, keep, &t) == ST_OK && t.n == 3);
	CHECK(t.seq[0] == 9 && t.seq[1] == 8 && t.seq[2] == 7);
	CHECK_TEXT(t.text[0], "wrap");
	CHECK_TEXT(t.text[1], "Kernel panic - not syncing: pages");
	stub_close(&s);
}

/* printk("\n") reserves a block, and then the kernel takes the newline away: nothing is missing. */
static void printk_empty_line(void)
{
	struct stub s;
	struct texts t = { 0 };

	open_ring(&s);
	infos[0].len = 0;
	CHECK(printk_walk(&s.dump, keep, &t) == ST_OK && t.n == 3 && !t.torn);
	CHECK_TEXT(t.text[1], "");
	infos[0].len = 33;
	stub_close(&s);
}

/* Each block of text, and each printk_info, has the number of its descriptor: in a page of zeros, or beside it, none has. */
static void printk_of_another_record(void)
{
	struct stub s;
	struct texts t = { 0 };
	bool is_panic, is_whole;
	uint64_t ns = 0;

	open_ring(&s);
	ring[48] = 0;
	CHECK(printk_walk(&s.dump, keep, &t) == ST_OK && t.n == 3 && t.torn == 1);
	CHECK_TEXT(t.text[1], "");
	fill_ring();
	t = (struct texts){ 0 };
	infos[1].seq = 13;
	CHECK(printk_walk(&s.dump, keep, &t) == ST_CORRUPT && t.n == 2 && t.seq[0] == 8);
	CHECK(printk_panic_time(&s.dump, &ns, &is_panic, &is_whole) == ST_OK && ns == 400);
	infos[1].seq = 9;
	t = (struct texts){ 0 };
	prb.head += 16;
	CHECK(printk_walk(&s.dump, keep, &t) == ST_CORRUPT && !t.n);
	prb.head -= 16;
	stub_close(&s);
}

/* Beside each piece of text stands a record. */
static void printk_buffers(void)
{
	struct stub s;
	uint64_t text = 0, all = 0;

	fill_ring();
	open_ring(&s);
	CHECK(printk_bytes(&s.dump, &text, &all) == ST_OK);
	CHECK(text == 1ULL << prb.size_bits && all == text + (24 + 24) * (1ULL << prb.count_bits));
	const uint32_t bits = prb.count_bits;
	prb.count_bits = 60;
	all = 7;
	CHECK(printk_bytes(&s.dump, &text, &all) == ST_CORRUPT && all == 7);
	prb.count_bits = bits;
	stub_close(&s);
}

/* Until it wraps, its tail is a record that was never used: the page of its printk_info may be of zeros alone. */
static void printk_never_used(void)
{
	struct stub_memory memory[sizeof(prb_memory) / sizeof(prb_memory[0])];
	struct stub s = {
		.memory = memory, .symbols = prb_symbols, .members = prb_members, .sizes = prb_sizes
	};
	struct texts t = { 0 };

	memcpy(memory, prb_memory, sizeof(memory));
	memory[3].len = 3 * sizeof(infos[0]);
	descs[3].state = 0;
	fill_ring();
	stub_open(&s);
	CHECK(printk_walk(&s.dump, keep, &t) == ST_OK && t.n == 2 && !t.torn);
	descs[3].state = STATE(2, 3);
	CHECK(printk_walk(&s.dump, keep, &t) == ST_UNREADABLE);
	stub_close(&s);
}

static void panic_time_or_newest(void)
{
	STUB(s, .memory = prb_memory, .symbols = prb_symbols, .members = prb_members,
	     .sizes = prb_sizes);
	bool is_panic, is_whole;
	uint64_t ns;

	fill_ring();
	CHECK(printk_panic_time(&s.dump, &ns, &is_panic, &is_whole) == ST_OK && ns == 400);
	CHECK(is_panic);
	ring[48 + 8] = 'k';
	CHECK(printk_panic_time(&s.dump, &ns, &is_panic, &is_whole) == ST_OK && ns == 500);
	CHECK(!is_panic);
}

static void printk_ring_gone_wild(void)
{
	STUB(s, .memory = prb_memory, .symbols = prb_symbols, .members = prb_members,
	     .sizes = prb_sizes);
	struct texts t = { 0 };

	prb.count_bits = 60;
	CHECK(printk_walk(&s.dump, keep, &t) == ST_CORRUPT);
	prb.count_bits = 2;
	infos[0].len = 65535;
	descs[0].begin = UINT64_MAX - 1;
	CHECK(printk_walk(&s.dump, keep, &t) == ST_OK && t.n == 3);
	CHECK_TEXT(t.text[1], "");
	CHECK(t.torn == 1);
	infos[0].len = 33;
	descs[0].begin = 48;
}

static void addresses(void)
{
	static const char *const bad[] = {
		"",	 "x",  "pfn:", "pfn:0y",   "phys:q",
		"foo:1", ":1", "pfn",  "phys:1:2", "virt:12345678901234567890"
	};
	STUB(s);
	struct address a;

	CHECK(address_parse(&s.dump, "pfn:10", &a) == ST_OK && a.kind == ADDRESS_PFN &&
	      a.value == 10);
	CHECK(address_parse(&s.dump, "pfn:0x10", &a) == ST_OK && a.value == 16);
	CHECK(address_parse(&s.dump, "phys:10", &a) == ST_OK && a.kind == ADDRESS_PHYS &&
	      a.value == 16);
	CHECK(address_parse(&s.dump, "page:ffffea0000000040", &a) == ST_OK &&
	      a.kind == ADDRESS_PAGE);
	CHECK(address_parse(&s.dump, "virt:0xffff888000000000", &a) == ST_OK &&
	      a.kind == ADDRESS_VIRT);
	CHECK(address_parse(&s.dump, "ffffea0000000040", &a) == ST_OK && a.kind == ADDRESS_KERNEL);
	CHECK(address_parse(&s.dump, "18446612682070000064", &a) == ST_OK &&
	      a.value == 0xffff887fffff81c0);
	CHECK(address_parse(&s.dump, "1000", &a) == ST_USAGE);
	CHECK_TEXT(s.dump.error,
		   "'1000' can be pfn:1000 (decimal), pfn:0x1000 or phys:1000: say which");
	CHECK(address_parse(&s.dump, "1f", &a) == ST_USAGE);
	CHECK_TEXT(s.dump.error, "'1f' can be pfn:0x1f or phys:1f: say which");
	CHECK(address_parse(&s.dump, "pfn:0x104-0x100", &a) == ST_USAGE);
	CHECK_TEXT(s.dump.error, "the range 'pfn:0x104-0x100' ends before it starts");
	CHECK(address_parse(&s.dump, "pfn:3-3", &a) == ST_OK && a.pages == 1);
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		CHECK(address_parse(&s.dump, bad[i], &a) == ST_USAGE);
}

static void gfp_names_are_matched_in_order(void)
{
	static struct {
		uint64_t mask, name;
	} flags[] = { { 0xcc0, 0x2000 }, { 0x400, 0x2010 }, { 0x100, 0x2020 }, { 0, 0 } };
	static const char text[256] = "GFP_KERNEL\0     DIRECT_RECLAIM\0 ZERO";
	static const struct stub_memory memory[] = { { 0x1000, flags, sizeof(flags) },
						     { 0x2000, text, sizeof(text) },
						     { 0 } };
	static const struct stub_symbol symbols[] = { { .name = "gfpflag_names", .addr = 0x1000 },
						      { 0 } };
	static const struct stub_member members[] = {
		{ "struct trace_print_flags", "mask", FIELD(0, 8) },
		{ "struct trace_print_flags", "name", FIELD(8, 8) },
		{ 0 },
	};
	static const struct stub_number sizes[] = { { "struct trace_print_flags", 16 }, { 0 } };
	STUB(s, .memory = memory, .symbols = symbols, .members = members, .sizes = sizes);
	struct names n;

	names_open(&s.dump, &n);
	CHECK(n.gfp.n == 3);
	CHECK_TEXT(names_gfp(&n, 0xdc0), "GFP_KERNEL|ZERO");
	CHECK_TEXT(names_gfp(&n, 0x401), "DIRECT_RECLAIM|0x1");
	CHECK_TEXT(names_gfp(&n, 0), "");
	CHECK_TEXT(names_gfp_word(&n, 0), "0");
	CHECK_TEXT(names_gfp_word(&n, 0xdc0), "GFP_KERNEL|ZERO");
	CHECK(!names_gfp_migratetype(&n, 8));
}

TESTS({ "printk: its buffers", printk_buffers }, { "xarray: two levels", xarray_of_two_levels },
      { "a radix tree of before 4.20", radix_tree },
      { "xarray: one entry, or none", xarray_of_one_entry_or_none },
      { "xarray: a loop", xarray_that_bites_its_tail },
      { "an hlist that is a circle", hlist_that_bites_its_tail },
      { "a list that ends too early", list_that_ends_too_early },
      { "printk: newest first, wrapped text", printk_newest_first },
      { "printk: a record without text", printk_empty_line },
      { "printk: a block, or a record, of another number", printk_of_another_record },
      { "printk: a record that was never used", printk_never_used },
      { "printk: time of the panic", panic_time_or_newest },
      { "printk: wild values", printk_ring_gone_wild }, { "addresses", addresses },
      { "gfp names", gfp_names_are_matched_in_order })
