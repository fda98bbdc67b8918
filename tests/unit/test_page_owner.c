// SPDX-License-Identifier: GPL-2.0-or-later
/* A scan of page_owner whose pages are visited one by one, and one that counts runs of them. */
#include <string.h>

#include "page_owner/page_owner.h"
#include "stub.h"
#include "test.h"

#define PAGES 4096 /* their table ends with a page */
#define TABLE 0x100000ULL
#define HANDLES 4
#define RECORDED 1
#define ALLOCATED 2

/* struct page_ext, and struct page_owner behind it. */
struct entry {
	uint64_t flags;
	uint16_t order, pad;
	uint32_t handle;
	uint64_t ts;
};

static struct entry entries[PAGES];

#define MEMBER(name)                                                       \
	{                                                                  \
		.present = true, .kind = KIND_INT,                         \
		.offset = offsetof(struct entry, name) - sizeof(uint64_t), \
		.size = sizeof(((struct entry *)0)->name)                  \
	}

/* Pages of a handle, as both scans find them. */
struct sums {
	uint32_t last;
	struct {
		uint64_t pages, heads, ts_min, ts_max;
	} of[HANDLES];
};

static void add(struct sums *s, uint64_t n, uint64_t heads, uint64_t ts_min, uint64_t ts_max)
{
	if (!s->of[s->last].pages || ts_min < s->of[s->last].ts_min)
		s->of[s->last].ts_min = ts_min;
	if (ts_max > s->of[s->last].ts_max)
		s->of[s->last].ts_max = ts_max;
	s->of[s->last].pages += n;
	s->of[s->last].heads += heads;
}

static enum status add_page(void *arg, const struct owner_page *p)
{
	struct sums *s = arg;

	s->last = p->handle;
	add(s, 1, p->head, p->ts_ns, p->ts_ns);
	return ST_OK;
}

static void add_run(void *arg, const struct owner_run *run)
{
	const struct owner_page *first = &run->first;
	const struct sums *s = arg;

	CHECK(first->allocated && first->head && !first->order && first->handle == s->last);
	for (uint64_t i = 0; i < run->pages; i++)
		CHECK(!memcmp(first->raw + i * run->stride, &entries[first->pfn + i].order,
			      sizeof(struct entry) - sizeof(uint64_t)));
	add(arg, run->pages, run->pages, run->ts_min, run->ts_max);
}

/* Of a handle that is told ahead: no more than that a record has it. */
static void see_soon(void *arg NOT_USED, uint32_t handle)
{
	CHECK(handle && handle < HANDLES);
}

static void open_owner(struct stub *s, struct page_owner *po, struct ram_range *ram)
{
	const struct field flags = { .present = true, .kind = KIND_INT, .size = sizeof(uint64_t) };
	const struct field order = MEMBER(order), handle = MEMBER(handle), ts = MEMBER(ts);
	const size_t room = sizeof(struct entry) - sizeof(uint64_t);

	stub_open(s);
	*ram = (struct ram_range){ 0, PAGES };
	*po = (struct page_owner){
		.dump = &s->dump,
		.ram = { .ranges = ram, .n = 1, .pages = PAGES },
		.ext = { .dump = &s->dump,
			 .entry_size = sizeof(struct entry),
			 .base = TABLE,
			 .end = PAGES },
		.offset = sizeof(uint64_t),
		.record_bytes = room,
		.recorded_bit = RECORDED,
		.allocated_bit = ALLOCATED,
		.every_page = true,
	};
	CHECK(field_quick(&flags, sizeof(struct entry), &po->quick.flags) &&
	      field_quick(&order, room, &po->quick.order) &&
	      field_quick(&handle, room, &po->quick.handle) &&
	      field_quick(&ts, room, &po->quick.ts));
	read_window_init(&po->ext.window, &s->dump);
	read_window_table(&po->ext.window, TABLE + sizeof(entries));
}

/* Both scans, which must agree; of is what they found. */
static void scan_both_ways(struct sums *of)
{
	static const struct stub_memory memory[] = { { TABLE, entries, sizeof(entries) }, { 0 } };
	struct stub s = { .memory = memory };
	struct sums one = { 0 }, runs = { 0 };
	const struct owner_visitor visitor = {
		.page = add_page, .alike = add_run, .soon = see_soon, .arg = &runs
	};
	struct scan_stats of_one, of_runs;
	struct page_owner po;
	struct ram_range ram;

	open_owner(&s, &po, &ram);
	CHECK(page_owner_scan(&po, SCAN_LIVE, &of_one, add_page, &one) == ST_OK);
	CHECK(page_owner_scan_runs(&po, SCAN_LIVE, &of_runs, &visitor) == ST_OK);
	CHECK(!memcmp(one.of, runs.of, sizeof(one.of)));
	CHECK(of_one.live == of_runs.live && of_one.scanned == of_runs.scanned &&
	      of_one.scanned == PAGES && of_one.freed == of_runs.freed &&
	      of_one.empty == of_runs.empty);
	*of = runs;
	stub_close(&s);
}

static void one_stack(void)
{
	struct sums of;

	for (size_t i = 0; i < PAGES; i++)
		entries[i] = (struct entry){ RECORDED | ALLOCATED, 0, 0, 1, 1000 + i * 7919 % 997 };
	scan_both_ways(&of);
	CHECK(of.of[1].pages == PAGES && of.of[1].heads == PAGES && of.of[1].ts_min == 1000 &&
	      of.of[1].ts_max == 1996);
}

/* Another handle, a free page, one without a record and one of a larger order end a run. */
static void neighbours_that_differ(void)
{
	struct sums of;

	for (size_t i = 0; i < PAGES; i++)
		entries[i] = (struct entry){ RECORDED | ALLOCATED, 0, 0, 1 + i / 20 % 3, i };
	for (size_t i = 5; i < PAGES; i += 31)
		entries[i].flags = i % 2 ? RECORDED : 0;
	for (size_t i = 8; i + 4 <= PAGES; i += 52)
		for (size_t k = 0; k < 4; k++)
			entries[i + k].order = 2;
	/* Damaged: within an allocation a page by itself, then one that is no tail of it any more. */
	entries[100] = (struct entry){ RECORDED | ALLOCATED, 2, 0, 1, 100 };
	entries[101] = (struct entry){ RECORDED | ALLOCATED, 0, 0, 1, 101 };
	entries[102] = (struct entry){ RECORDED | ALLOCATED, 2, 0, 2, 102 };
	scan_both_ways(&of);
	CHECK(of.of[1].pages && of.of[2].pages && of.of[3].pages);
	CHECK(of.of[1].heads < of.of[1].pages);
}

TESTS({ "pages of one stack are a run", one_stack }, { "what ends a run", neighbours_that_differ })
