// SPDX-License-Identifier: GPL-2.0-or-later
#include "kernel/place.h"

#include "kernel/percpu_counter.h"

enum status place_read(struct dump *d, const struct place p[2], uint64_t *ret)
{
	for (unsigned int i = 0; i < 2 && p[i].symbol; i++) {
		struct field f = { .present = true, .size = p[i].bytes };
		uint64_t at = 0, n = 0;
		uint32_t half = 0;
		enum status st;

		if (!dump_has_symbol(d, p[i].symbol) ||
		    (p[i].type && dump_ask(d, member, p[i].type, p[i].member, &f) != ST_OK))
			continue;
		if (p[i].type && !strcmp(p[i].type, PLACE_COUNTER))
			/* alloc_empty_file() asks for that before it refuses. */
			return percpu_counter_value(d, p[i].symbol, ret);
		st = dump_symbol(d, p[i].symbol, &at);
		at += f.offset;
		if (st == ST_OK && f.size == 4)
			st = dump_u32(d, at, &half, p[i].symbol)
				     ?: dump_check(d, at, &half, 4, p[i].symbol);
		else if (st == ST_OK)
			st = dump_u64(d, at, &n, p[i].symbol)
				     ?: dump_check(d, at, &n, 8, p[i].symbol);
		return RESULT(st, ret, f.size == 4 ? (uint64_t)(int32_t)half : n);
	}
	return ST_ABSENT;
}
