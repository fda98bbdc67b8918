// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * fill RAM PAGES STACKS: writes the page_ext table and the stack pools of the
 * synthetic kernel "huge": every page is allocated, by one of STACKS stacks.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TABLE (32UL << 20)
#define POOL_BYTES 16384
#define RECORD_BYTES 160
#define PER_POOL (POOL_BYTES / RECORD_BYTES)
#define TEXT 0xffffffff81000000UL

struct entry {
	uint64_t flags;
	uint16_t order;
	int16_t reason;
	uint32_t gfp, handle, free_handle;
	uint64_t ts, free_ts;
	char comm[16];
	int32_t pid, tgid, free_pid, free_tgid;
};

struct record {
	uint64_t list[2];
	uint32_t hash, size, handle, count;
	uint64_t entries[16];
};

_Static_assert(sizeof(struct entry) == 72 && sizeof(struct record) == RECORD_BYTES, "as in huge.c");

static uint32_t handle_of(uint64_t stack)
{
	return (stack / PER_POOL + 1) | (uint32_t)(stack % PER_POOL * RECORD_BYTES / 16) << 17;
}

static void write_pages(FILE *f, uint64_t pages, uint64_t stacks)
{
	fseek(f, TABLE, SEEK_SET);
	for (uint64_t pfn = 0; pfn < pages; pfn++) {
		struct entry e = { .flags = 3,
				   .reason = -1,
				   .gfp = 0xcc0,
				   .ts = pfn,
				   .pid = pfn % 999,
				   .tgid = pfn % 99,
				   .comm = "filler",
				   .handle = handle_of(pfn * 7919 % stacks) };

		fwrite(&e, sizeof(e), 1, f);
	}
}

static void write_stacks(FILE *f, uint64_t pages, uint64_t stacks)
{
	for (uint64_t i = 0; i < stacks; i++) {
		struct record r = { .size = 16, .handle = handle_of(i), .count = 2 };

		for (int k = 0; k < 16; k++)
			r.entries[k] = TEXT + (i * 31 + k) % 32;
		fseek(f,
		      TABLE + pages * sizeof(struct entry) + i / PER_POOL * POOL_BYTES +
			      i % PER_POOL * RECORD_BYTES,
		      SEEK_SET);
		fwrite(&r, sizeof(r), 1, f);
	}
}

int main(int argc, char **argv)
{
	uint64_t pages, stacks;
	FILE *f;

	if (argc != 4 || !(f = fopen(argv[1], "r+"))) {
		fprintf(stderr, "usage: fill RAM PAGES STACKS\n");
		return 1;
	}
	pages = strtoull(argv[2], NULL, 0);
	stacks = strtoull(argv[3], NULL, 0);
	write_pages(f, pages, stacks);
	write_stacks(f, pages, stacks);
	return fclose(f) != 0;
}
