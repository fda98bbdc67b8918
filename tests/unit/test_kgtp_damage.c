// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Every entry of a ring damaged in every way that a word can be wrong: a frame that is not what
 * was written has a mark. Of the good ones those beside the damage alone have one, where what is
 * left does not tell which of two is wrong, or whether the first of them went on.
 */
#include <stdlib.h>

#include "kgtp_ring.h"

#define FRAMES 64
#define ENTRIES 512
#define NUMBERS 4

struct seen {
	uint64_t id, number, digest;
	unsigned int defects;
};

static struct seen whole[FRAMES], damaged[FRAMES];
static size_t nwhole, ndamaged;
static struct kgtp_entry entries[ENTRIES];
static size_t nentries;
static char kept[PAGES][4096];

static struct kgtp_tracepoint points[NUMBERS] = {
	{ .number = 1 }, { .number = 2 }, { .number = 3 }, { .number = 4 }
};

static uint64_t digest(uint64_t before, const void *bytes, size_t size)
{
	const uint8_t *p = bytes;

	for (size_t i = 0; i < size; i++)
		before = (before ^ p[i]) * 0x100000001b3;
	return before;
}

/* Of all that a frame has. */
static uint64_t digest_of(const struct kgtp_frame *f)
{
	struct kgtp_content c = { 0 };
	uint64_t d = 0xcbf29ce484222325;

	CHECK(kgtp_frame_content(&w.reader, f, &c) == ST_OK);
	if (c.has_regs)
		d = digest(d, c.regs, REGS);
	for (size_t i = 0; i < c.nvariables; i++) {
		d = digest(d, &c.variables[i].number, sizeof(c.variables[i].number));
		d = digest(d, &c.variables[i].value, sizeof(c.variables[i].value));
	}
	for (size_t i = 0; i < c.nmemory; i++) {
		d = digest(d, &c.memory[i].address, sizeof(c.memory[i].address));
		d = digest(d, c.memory[i].bytes, c.memory[i].size);
	}
	return d;
}

static size_t see_all(struct seen *to)
{
	CHECK(w.frames.n <= FRAMES);
	for (size_t i = 0; i < w.frames.n && i < FRAMES; i++) {
		const struct kgtp_frame *f = &w.frames.f[i];

		to[i] = (struct seen){ f->id, f->number, digest_of(f), f->defects };
	}
	return w.frames.n;
}

static bool keep_entry(void *arg NOT_USED, const struct kgtp_entry *e)
{
	CHECK(nentries < ENTRIES);
	if (nentries < ENTRIES)
		entries[nentries++] = *e;
	return true;
}

/* A ring that is whole, and where each of its entries is. */
static void write_ring(bool circular)
{
	static const size_t sizes[] = { 10, 3000, 0, 5000, 30, 700, 4040, 12, 1500, 64, 8 };

	start(circular);
	w.tracepoints = (struct kgtp_tracepoints){ .t = points, .n = NUMBERS, .known = true };
	for (unsigned int i = 0; i < (circular ? 40 : 11); i++)
		write_frame(i % NUMBERS + 1, sizes[i % 11]);
	look();
	nwhole = see_all(whole);
	nentries = 0;
	kgtp_entries_walk(&w.reader, &w.ring, kgtp_entries_start(&w.stub.dump, &w.ring), keep_entry,
			  NULL);
	end();
	memcpy(kept, memory, sizeof(kept));
}

static char *entry_at(const struct kgtp_entry *e)
{
	return memory[(e->address - BASE) / 4096] + e->offset;
}

/* Ways of damage: false if it is none of that entry. */
static bool of_no_tracepoint(const struct kgtp_entry *e)
{
	ring_u64(entry_at(e) + FID_SIZE + 8, 77);
	return e->kind == KGTP_HEAD;
}

static bool into_page_end(const struct kgtp_entry *e)
{
	ring_u32(entry_at(e), FID_PAGE_END);
	return true;
}

static bool into_head(const struct kgtp_entry *e)
{
	ring_u32(entry_at(e), FID_HEAD);
	return e->kind != KGTP_HEAD;
}

static bool into_nothing(const struct kgtp_entry *e)
{
	ring_u32(entry_at(e), 77);
	return true;
}

static bool into_variable(const struct kgtp_entry *e)
{
	ring_u32(entry_at(e), FID_VAR);
	return e->kind != KGTP_VAR;
}

static bool into_registers(const struct kgtp_entry *e)
{
	ring_u32(entry_at(e), FID_REG);
	return e->kind != KGTP_REG;
}

static bool id_zero(const struct kgtp_entry *e)
{
	ring_u64(entry_at(e) + FID_SIZE, 0);
	return e->kind == KGTP_HEAD || e->kind == KGTP_PAGE_BEGIN;
}

static bool id_huge(const struct kgtp_entry *e)
{
	ring_u64(entry_at(e) + FID_SIZE, e->id | 1ULL << 40);
	return e->kind == KGTP_HEAD || e->kind == KGTP_PAGE_BEGIN;
}

static bool id_before(const struct kgtp_entry *e)
{
	ring_u64(entry_at(e) + FID_SIZE, e->id - 1);
	return e->kind == KGTP_HEAD || e->kind == KGTP_PAGE_BEGIN;
}

static bool id_later(const struct kgtp_entry *e)
{
	ring_u64(entry_at(e) + FID_SIZE, e->id + 3);
	return e->kind == KGTP_HEAD || e->kind == KGTP_PAGE_BEGIN;
}

static bool link_wild(const struct kgtp_entry *e)
{
	ring_u64(entry_at(e) + FID_SIZE + 16, e->previous ^ 0x40);
	return e->kind == KGTP_HEAD;
}

static bool size_huge(const struct kgtp_entry *e)
{
	ring_u64(entry_at(e) + FID_SIZE + 8, 1 << 20);
	return e->kind == KGTP_MEM;
}

static bool page_of_zeros(const struct kgtp_entry *e)
{
	memset(memory[(e->address - BASE) / 4096] + WORD, 0, 4096 - 2 * WORD);
	return e->offset == KGTP_WORD;
}

static bool zeros_from_there(const struct kgtp_entry *e)
{
	memset(entry_at(e), 0, 4096 - WORD - e->offset);
	return true;
}

static const struct {
	const char *name;
	bool (*apply)(const struct kgtp_entry *e);
	unsigned int good; /* frames with a mark, at most */
} ways[] = {
	{ "a number that no tracepoint has", of_no_tracepoint, 1 },
	{ "PAGE_END", into_page_end, 1 },
	{ "a head", into_head, 1 },
	{ "no entry", into_nothing, 1 },
	{ "a variable", into_variable, 0 },
	{ "registers", into_registers, 1 },
	{ "id 0", id_zero, 1 },
	{ "an id that was never given", id_huge, 1 },
	{ "the id before", id_before, 1 },
	{ "an id of a later frame", id_later, 2 },
	{ "a link to no head", link_wild, 1 },
	{ "a size that leads out of the page", size_huge, 0 },
	{ "a page of zeros", page_of_zeros, 0 },
	{ "zeros up to the end of the page", zeros_from_there, 1 },
};

static bool is_written(const struct seen *f)
{
	for (size_t i = 0; i < nwhole; i++)
		if (whole[i].id == f->id && whole[i].number == f->number &&
		    whole[i].digest == f->digest)
			return true;
	return false;
}

static const struct seen *seen_as(uint64_t id, const struct seen *all, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (all[i].id == id)
			return &all[i];
	return NULL;
}

struct verdict {
	unsigned int silent;  /* other than written, without a mark */
	unsigned int accused; /* as written, with a mark that is new */
	unsigned int missing; /* written, and no more there */
	unsigned int marks;   /* that are new */
};

/* A frame after which the ring was full may be the last one that is left. */
static struct verdict judge(void)
{
	struct verdict v = { 0 };

	for (size_t i = 0; i < ndamaged; i++) {
		const struct seen *f = &damaged[i], *was = seen_as(f->id, whole, nwhole);
		bool good = is_written(f);
		unsigned int fresh = f->defects & ~(KGTP_RING_FULL | (was ? was->defects : 0));

		v.silent += !good && !(f->defects & ~KGTP_RING_FULL);
		v.accused += good && fresh;
		v.marks += fresh != 0;
	}
	for (size_t i = 0; i < nwhole; i++)
		v.missing += !seen_as(whole[i].id, damaged, ndamaged);
	return v;
}

static void damage_one(size_t way, size_t place, unsigned int *variants)
{
	struct verdict v;

	memcpy(memory, kept, sizeof(kept));
	if (!ways[way].apply(&entries[place]))
		return;
	++*variants;
	memset(&w.ring, 0, sizeof(w.ring));
	look();
	ndamaged = see_all(damaged);
	end();
	v = judge();
	if (!v.silent && v.accused <= ways[way].good && (!v.missing || v.marks))
		return;
	printf("# %s at %zu of page %zu: %u changed and %u missing, %u marks, %u of good frames\n",
	       ways[way].name, entries[place].offset, entries[place].page, v.silent, v.missing,
	       v.marks, v.accused);
	test_failed = true;
}

static void damage_all(bool circular)
{
	unsigned int variants = 0;

	write_ring(circular);
	CHECK(nwhole > 8);
	/* Of the frame that was overwritten only the tail is left. */
	for (size_t i = 0; i < nwhole; i++)
		CHECK(!(whole[i].defects & ~(KGTP_HEAD_LOST | KGTP_RING_FULL)));
	for (size_t way = 0; way < sizeof(ways) / sizeof(ways[0]); way++)
		for (size_t place = 0; place < nentries; place++)
			damage_one(way, place, &variants);
	CHECK(variants > 400);
}

static void a_ring_that_is_full(void)
{
	damage_all(false);
}

static void a_ring_that_went_round(void)
{
	damage_all(true);
}

/* Releases up to 2014-05 begin a page with a value that is larger than what is left of one. */
static void values_that_are_never_cut(void)
{
	start(false);
	for (unsigned int i = 1; i < 5; i++) {
		u64 id = ring_head(&w.state, &w.rb, i);
		char *p = ring_alloc(&w.state, &w.rb, MEM_HEAD + 3000, id);

		ring_u32(p, FID_MEM);
		ring_u64(p + FID_SIZE, 0xffff999900000000ULL);
		ring_u64(p + FID_SIZE + 8, 3000);
	}
	look();
	CHECK(w.ring.n > 2 && w.frames.n == 4);
	for (size_t i = 0; i < w.frames.n; i++)
		CHECK(!w.frames.f[i].defects && w.frames.f[i].bytes == 3000);
	end();
}

TESTS({ "each entry of a ring in each way", a_ring_that_is_full },
      { "each entry of a ring that went round", a_ring_that_went_round },
      { "values that are never cut", values_that_are_never_cut })
