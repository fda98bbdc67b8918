// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Reads all memory of a dump through the program's reader:
 *
 *	pages [-l] [-u BYTES] FILE...	how many pages are there, how many of these cannot be read,
 *and a sum over numbers and contents; -l: a line for each, PFN and CRC; -u: reads of so many bytes
 *(4096); time of it on standard error
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include <zlib.h>

#include "file/vmcore.h"

#define PAGE 4096

static double seconds(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return t.tv_sec + t.tv_nsec / 1e9;
}

struct count {
	uint64_t pages, unreadable, corrupt, sum;
};

static void read_page(struct vmcore *v, uint64_t phys, size_t unit, bool list, struct count *c)
{
	static uint8_t page[PAGE];
	enum status st = ST_OK;
	uint32_t crc;

	for (size_t at = 0; at < PAGE && st == ST_OK; at += unit)
		st = vmcore_read(v, phys + at, page + at, unit);
	c->pages++;
	c->unreadable += st == ST_UNREADABLE;
	c->corrupt += st == ST_CORRUPT;
	if (st != ST_OK) {
		if (list)
			printf("%" PRIx64 " %s\n", phys / PAGE,
			       st == ST_CORRUPT ? "corrupt" : "unreadable");
		return;
	}
	/* Of a third of a second for each GiB: left out where time is what is asked for. */
	crc = getenv("NO_CRC") ? page[0] : crc32(0, page, PAGE);
	c->sum += (phys / PAGE + 1) * (crc + 0x9e3779b97f4a7c15ULL);
	if (list)
		printf("%" PRIx64 " %08x\n", phys / PAGE, crc);
}

int main(int argc, char **argv)
{
	static struct arena arena;
	struct dump d;
	struct vmcore *v;
	struct count c = { 0 };
	uint64_t phys = 0, end;
	size_t unit = PAGE;
	bool list = false;
	double cpu, wall;
	int opt;

	while ((opt = getopt(argc, argv, "lu:")) != -1) {
		if (opt == 'l')
			list = true;
		else
			unit = strtoul(optarg, NULL, 0);
	}
	if (optind == argc || !unit || PAGE % unit)
		return 2;
	dump_init(&d, NULL, NULL, &arena);
	if (vmcore_open(&d, (const char *const *)argv + optind, argc - optind, &v) != ST_OK) {
		fprintf(stderr, "pages: %s\n", d.error);
		arena_reset(&arena);
		return 1;
	}
	cpu = seconds(CLOCK_PROCESS_CPUTIME_ID);
	wall = seconds(CLOCK_MONOTONIC);
	while (vmcore_next(v, &phys, &end))
		for (; phys < end; phys += PAGE)
			read_page(v, phys, unit, list, &c);
	printf("%" PRIu64 " pages, %" PRIu64 " unreadable, %" PRIu64 " corrupt, sum %016" PRIx64
	       "\n",
	       c.pages, c.unreadable, c.corrupt, c.sum);
	cpu = seconds(CLOCK_PROCESS_CPUTIME_ID) - cpu;
	wall = seconds(CLOCK_MONOTONIC) - wall;
	fprintf(stderr, "%.0f MiB per CPU second (%.3f s of CPU, %.3f s)\n", c.pages / 256. / cpu,
		cpu, wall);
	arena_reset(&arena);
	return 0;
}
