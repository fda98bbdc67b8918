// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * floor_walk FILE PAGES: what an answer about the owners of the synthetic memory of tests/tools/fill takes at least,
 * not compressed: each record of the page_ext table is looked at, pages, allocations and times are counted for each
 * stack, and the record of a stack is read once, for its caller.  It knows all layouts and looks nothing up.  Prints
 * the caller that has most.  scripts/bench measures the whole process.
 */
#include <fcntl.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "huge.h"

#define LIVE 3	     /* PAGE_EXT_OWNER, PAGE_EXT_OWNER_ALLOCATED */
#define AT_ONCE 910  /* entries, of 72 bytes: near 64 KiB, the fastest */
#define SLOTS 65536  /* a power of two, more than stacks */
#define CALLERS 64   /* more than addresses in frames */
#define BLOCK 4096UL /* of the pools, kept once read */
#define BLOCKS 2048

struct sum {
	uint64_t pages, ts_min, ts_max;
};

struct walk {
	int fd;
	uint64_t pages;
	uint32_t handles[SLOTS];
	uint8_t callers[SLOTS]; /* of these */
	struct sum sums[CALLERS];
	bool has_block[BLOCKS];
	char blocks[BLOCKS][BLOCK];
};

static void fail(const char *what)
{
	fprintf(stderr, "floor_walk: %s\n", what);
	exit(1);
}

static void read_at(const struct walk *w, void *to, size_t len, uint64_t at)
{
	if (pread(w->fd, to, len, (off_t)at) != (ssize_t)len)
		fail("the file ends early");
}

/* A record may go on in the next block. */
static void copy(struct walk *w, void *to, size_t len, uint64_t at)
{
	uint64_t first = huge_record_at(w->pages, 0, 0) / BLOCK;

	while (len) {
		uint64_t i = at / BLOCK - first;
		size_t part = BLOCK - at % BLOCK < len ? BLOCK - at % BLOCK : len;

		if (i >= BLOCKS)
			fail("more stacks than there is room for");
		if (!w->has_block[i])
			read_at(w, w->blocks[i], BLOCK, at - at % BLOCK);
		w->has_block[i] = true;
		memcpy(to, w->blocks[i] + at % BLOCK, part);
		to = (char *)to + part;
		at += part;
		len -= part;
	}
}

static uint8_t caller_of(struct walk *w, uint32_t handle)
{
	struct huge_record r;

	copy(w, &r, sizeof(r), huge_record_of(w->pages, handle));
	if (r.handle != handle || r.entries[0] - HUGE_TEXT >= CALLERS)
		fail("no such stack");
	return (uint8_t)(r.entries[0] - HUGE_TEXT);
}

static struct sum *sum_of(struct walk *w, uint32_t handle)
{
	uint32_t i = handle * 0x9e3779b1U >> 16;

	while (w->handles[i] && w->handles[i] != handle)
		i = (i + 1) % SLOTS;
	if (!w->handles[i])
		w->callers[i] = caller_of(w, handle);
	w->handles[i] = handle;
	return &w->sums[w->callers[i]];
}

static void count(struct sum *sum, uint64_t ts)
{
	sum->ts_min = !sum->pages || ts < sum->ts_min ? ts : sum->ts_min;
	sum->ts_max = ts > sum->ts_max ? ts : sum->ts_max;
	sum->pages++;
}

static void walk(struct walk *w)
{
	static struct huge_entry all[AT_ONCE];
	struct sum *sum = NULL;
	uint32_t last = 0;

	for (uint64_t pfn = 0; pfn < w->pages; pfn += AT_ONCE) {
		uint64_t n = w->pages - pfn < AT_ONCE ? w->pages - pfn : AT_ONCE;

		read_at(w, all, n * sizeof(*all), HUGE_TABLE + pfn * sizeof(*all));
		for (uint64_t i = 0; i < n; i++) {
			if ((all[i].flags & LIVE) != LIVE || all[i].order || !all[i].handle)
				continue;
			if (!sum || all[i].handle != last)
				sum = sum_of(w, all[i].handle);
			last = all[i].handle;
			count(sum, all[i].ts);
		}
	}
}

int main(int argc, char **argv)
{
	static struct walk w;
	unsigned int most = 0;

	w.fd = argc == 3 ? open(argv[1], O_RDONLY) : -1;
	if (w.fd < 0)
		fail("usage: floor_walk FILE PAGES");
	w.pages = strtoull(argv[2], NULL, 0);
	walk(&w);
	for (unsigned int i = 1; i < CALLERS; i++)
		most = w.sums[i].pages > w.sums[most].pages ? i : most;
	printf("+%u has %" PRIu64 " pages\n", most, w.sums[most].pages);
	return 0;
}
