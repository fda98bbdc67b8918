// SPDX-License-Identifier: GPL-2.0-or-later
#include "dump/memory_parts.h"

#define AT_ONCE 512 /* pointers that are read at once */

enum status memory_parts_array(struct dump *d, uint64_t array, uint64_t n, uint64_t bytes,
			       const char *what, const struct memory_parts *v)
{
	uint8_t raw[AT_ONCE * 8];
	enum status st = ST_OK;

	for (uint64_t i = 0; st == ST_OK && i < n; i++) {
		uint64_t k = i % AT_ONCE, left = n - i, address;

		if (!k && dump_stopped(d))
			return ST_STOPPED;
		if (!k)
			st = dump_read(d, array + i * 8, raw, 8 * (left < AT_ONCE ? left : AT_ONCE),
				       what);
		address = st == ST_OK ? le64(raw + k * 8) : 0;
		if (st == ST_OK)
			st = bytes ? v->part(v->arg, address, bytes) : v->page(v->arg, address);
	}
	return st;
}
