// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A command for "make bench": the CPU time of a full "pageowner -t top" against
 * that of reading the same bytes through crash and dropping them, and the time
 * of "memowner" against that of the scan, in turns: of each the least.
 */
#include <stdlib.h>
#include <time.h>

#include "crash/page_cache.h"
#include "dump/commands.h"
#include "page_owner/page_owner.h"

#define ROUNDS 7
/* Of much memory, where each takes long and differs less from the next. */
#define FEW_ROUNDS 3
#define MANY_PAGES (2 << 20)

extern const struct command pageowner_command, memowner_command;

static char *help[] = { "memowner_bench", "times a scan against reading its bytes", "", NULL };

static double now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &ts);
	return ts.tv_sec + ts.tv_nsec / 1e9;
}

static bool discard(void *priv NOT_USED, const char *s NOT_USED, size_t n NOT_USED)
{
	return true;
}

/* A command itself, in an arena of its own, which the caller resets. */
static enum status run(struct dump *d, const struct command *command, int argc, char **argv,
		       struct arena *arena, double *seconds)
{
	static struct sink out;
	struct dump own = *d;
	double start;
	enum status st;

	page_cache_close(); /* as in a session that has read nothing yet */
	start = now();
	sink_init(&out, discard, NULL);
	dump_init(&own, d->ops, d->priv, arena);
	own.page_shift = d->page_shift;
	own.arch = d->arch;
	own.linear_only = d->linear_only;
	st = command->run(&own, &out, argc, argv);
	*seconds = now() - start;
	if (st != ST_OK)
		dump_fail(d, st, "%s", own.error);
	return st;
}

static enum status scan(struct dump *d, struct arena *arena, double *seconds, size_t *bytes)
{
	static char name[] = "pageowner", option[] = "-t", view[] = "top";
	char *argv[] = { name, option, view, NULL };
	enum status st = run(d, &pageowner_command, 3, argv, arena, seconds);

	*bytes = arena->bytes;
	arena_reset(arena);
	return st;
}

static enum status sum_up(struct dump *d, struct arena *arena, double *seconds)
{
	static char name[] = "memowner";
	char *argv[] = { name, NULL };
	enum status st = run(d, &memowner_command, 1, argv, arena, seconds);

	arena_reset(arena);
	return st;
}

/* Every table of page_ext entries of System RAM, chunk bytes at a time. */
static void read_tables(struct dump *d, struct page_owner *po, size_t chunk, char *buf,
			double *seconds)
{
	struct page_ext *x = &po->ext;
	double start;

	page_cache_close();
	start = now();
	for (size_t i = 0; i < po->ram.n; i++) {
		uint64_t pfn = po->ram.ranges[i].start, end = po->ram.ranges[i].end, next;

		for (; pfn < end; pfn = next) {
			uint64_t nr = pfn >> x->memmap.sections.shift, section, base, at, stop;

			next = (nr + 1) << x->memmap.sections.shift;
			next = next < end ? next : end;
			if (sections_find(&x->memmap.sections, nr, &section) != ST_OK ||
			    dump_u64(d, section + x->memmap.sections.page_ext.offset, &base, "") !=
				    ST_OK ||
			    !base)
				continue;
			stop = base + x->entry_size * next;
			for (at = base + x->entry_size * pfn; at < stop; at += chunk)
				d->ops->read(d->priv, at, buf,
					     stop - at < chunk ? stop - at : chunk);
		}
	}
	*seconds = now() - start;
}

static double least(const double *v, int rounds)
{
	double ret = v[0];

	for (int i = 1; i < rounds; i++)
		ret = v[i] < ret ? v[i] : ret;
	return ret;
}

static enum status bench(struct dump *d, struct sink *out, int argc NOT_USED, char **argv NOT_USED)
{
	static const size_t chunks[] = { 4096, 16384, 65536, 262144, 1048576 };
	double scans[ROUNDS], sums[ROUNDS], reads[5][ROUNDS], best = 1e9, whole, summary;
	struct arena arena = { 0 };
	struct page_owner po;
	enum availability why;
	size_t bytes = 0, fastest = 0;
	char *buf = dump_alloc(d, chunks[4]);
	enum status st = page_owner_open(d, &po, &why);
	int rounds = st == ST_OK && po.ram.pages > MANY_PAGES ? FEW_ROUNDS : ROUNDS;
	const char *runs = getenv("BENCH_RUNS");

	if (runs && atoi(runs) > 0 && atoi(runs) < rounds)
		rounds = atoi(runs);

	for (int round = 0; round < rounds && st == ST_OK; round++) {
		st = scan(d, &arena, &scans[round], &bytes);
		if (st == ST_OK)
			st = sum_up(d, &arena, &sums[round]);
		for (int c = 0; c < 5 && st == ST_OK; c++)
			read_tables(d, &po, chunks[c], buf, &reads[c][round]);
	}
	if (st != ST_OK)
		return st;
	whole = least(scans, rounds);
	summary = least(sums, rounds);
	for (int c = 0; c < 5; c++) {
		double m = least(reads[c], rounds);

		if (m < best) {
			best = m;
			fastest = chunks[c];
		}
	}
	sink_printf(out,
		    "%llu pages: scan %.0f ms, reading alone %.1f ms in chunks of %zu; ratio %.2f; "
		    "%.1f million pages a second; %zu KiB of memory\n",
		    (unsigned long long)po.ram.pages, whole * 1e3, best * 1e3, fastest,
		    whole / best, po.ram.pages / whole / 1e6, bytes >> 10);
	sink_printf(out, "memowner: %.0f ms, ratio to the scan %.2f\n", summary * 1e3,
		    summary / whole);
	return ST_OK;
}

extern const struct command bench_command;
const struct command bench_command = { "memowner_bench", bench, help };
