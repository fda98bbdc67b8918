// SPDX-License-Identifier: GPL-2.0-or-later
/* Blocks that a second thread uncompresses: they are as they are, and what it does not have is read. */
#include <sched.h>

#include "dump_file.h"
#include "file/ahead.h"
#include "test.h"

#define ROUNDS 200u

struct opened {
	struct arena arena;
	struct dump d;
	struct ahead *a; /* NULL: this machine has one CPU */
};

static void open_ahead(struct opened *o)
{
	memset(o, 0, sizeof(*o));
	dump_init(&o->d, NULL, NULL, &o->arena);
	CHECK(ahead_open(&o->d, BLOCK, &o->a) == ST_OK);
}

static bool put(struct ahead *a, unsigned int i, bool is_damaged)
{
	uint8_t block[BLOCK], packed[2 * BLOCK];
	size_t n;

	block_content(i, block);
	n = compress_block(CODEC_ZLIB, block, packed, sizeof(packed));
	if (is_damaged)
		memset(packed, 0xff, n);
	return n && ahead_put(a, i, CODEC_ZLIB, packed, n);
}

/* False: it is to be read, as what the thread has begun and does not end soon. */
static bool takes(struct ahead *a, unsigned int i)
{
	uint8_t expected[BLOCK], got[BLOCK];

	if (!ahead_take(a, i, got))
		return false;
	block_content(i, expected);
	CHECK(!memcmp(expected, got, BLOCK));
	return true;
}

static void as_they_are(void)
{
	unsigned int taken = 0;
	struct opened o;

	open_ahead(&o);
	for (unsigned int round = 0; o.a && round < ROUNDS; round++) {
		for (unsigned int i = 0; i < BLOCKS; i++) {
			put(o.a, i, false);
			if (i % 8 == 7)
				ahead_go(o.a);
		}
		for (unsigned int i = round % 3; i < BLOCKS; i++)
			taken += takes(o.a, i);
		CHECK(!takes(o.a, BLOCKS));
	}
	CHECK(!o.a || taken > ROUNDS * BLOCKS / 2);
	arena_reset(&o.arena);
}

static void those_that_nobody_takes_make_room(void)
{
	unsigned int puts = 0, taken = 0;
	struct opened o;

	open_ahead(&o);
	for (unsigned int round = 0; o.a && round < ROUNDS; round++) {
		for (unsigned int i = 0; i < BLOCKS; i++)
			puts += put(o.a, i, false);
		ahead_go(o.a);
	}
	for (unsigned int i = 0; o.a && i < BLOCKS; i++)
		taken += takes(o.a, i);
	CHECK(!o.a || (puts > ROUNDS && taken));
	arena_reset(&o.arena);
}

static void what_does_not_uncompress_is_read(void)
{
	uint8_t got[BLOCK];
	struct opened o;

	open_ahead(&o);
	for (unsigned int i = 0; o.a && i < BLOCKS; i++)
		put(o.a, i, i % 2);
	if (o.a)
		ahead_go(o.a);
	for (unsigned int i = 1; o.a && i < BLOCKS; i += 2)
		CHECK(!ahead_take(o.a, i, got));
	CHECK(!o.a || !ahead_put(o.a, BLOCKS, CODEC_ZLIB, got, BLOCK + 1));
	arena_reset(&o.arena);
}

static void of_few_blocks_none_is_told(void)
{
	uint64_t from = 0;
	struct opened o;

	open_ahead(&o);
	for (uint64_t i = 0; o.a && i < AHEAD_FROM; i++)
		CHECK(!ahead_next(o.a, i, &from));
	CHECK(!o.a || ahead_next(o.a, AHEAD_FROM, &from));
	arena_reset(&o.arena);
}

static void a_run_is_told(void)
{
	uint64_t from = 0, told = 0;
	struct opened o;

	open_ahead(&o);
	for (uint64_t i = 0; o.a && i < AHEAD_FROM; i++)
		ahead_next(o.a, 10000000 + i, &from);
	for (uint64_t i = 0; o.a && i < 100; i++)
		CHECK(!ahead_next(o.a, i * 1000, &from));
	/* Two of them by turns, each block once. */
	for (uint64_t i = 0; o.a && i < 100; i++) {
		uint64_t end = ahead_next(o.a, 1000000 + i, &from);

		CHECK(i >= 7 || !end);
		CHECK(!end || (from > 1000000 + i && from >= told && end <= 1000000 + i + 40));
		told = end ? end : told;
		ahead_next(o.a, 2000000 + i, &from);
	}
	CHECK(!o.a || told > 1000100);
	arena_reset(&o.arena);
}

static void without_a_second_cpu_there_is_none(void)
{
	cpu_set_t all, one;
	struct opened o;

	if (sched_getaffinity(0, sizeof(all), &all))
		return;
	CPU_ZERO(&one);
	for (int i = 0; i < CPU_SETSIZE && !CPU_COUNT(&one); i++)
		if (CPU_ISSET(i, &all))
			CPU_SET(i, &one);
	if (sched_setaffinity(0, sizeof(one), &one))
		return;
	open_ahead(&o);
	CHECK(!o.a);
	arena_reset(&o.arena);
	CHECK(!sched_setaffinity(0, sizeof(all), &all));
}

TESTS({ "blocks are as they are", as_they_are },
      { "those that nobody takes make room", those_that_nobody_takes_make_room },
      { "what does not uncompress is to be read", what_does_not_uncompress_is_read },
      { "of few blocks none is told: a thread would not pay", of_few_blocks_none_is_told },
      { "a run is told, each block of it once", a_run_is_told },
      { "with one CPU there is no thread", without_a_second_cpu_there_is_none })
