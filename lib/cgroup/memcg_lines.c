// SPDX-License-Identifier: GPL-2.0-or-later
#include "cgroup/memcg_lines.h"

/* Its end has no mark: 7.3 has 51 lines. */
#define MAX_LINES 128
#define MAX_NAME 48 /* of a line of memory.stat; the longest has 24 */

bool memcg_lines_have(struct dump *d, const char *name)
{
	char line[MAX_NAME];
	uint64_t addr, bytes, text;
	struct field f;

	if (!dump_knows_symbol(d, "memory_stats") ||
	    dump_symbol(d, "memory_stats", &addr) != ST_OK ||
	    dump_ask(d, member, "struct memory_stat", "name", &f) != ST_OK ||
	    dump_ask(d, type_size, "struct memory_stat", &bytes) != ST_OK || !bytes)
		return false;
	for (unsigned int i = 0; i < MAX_LINES; i++) {
		if (dump_u64(d, addr + i * bytes + f.offset, &text, "memory_stats") != ST_OK ||
		    dump_string(d, text, line, sizeof(line), "memory_stats") != ST_OK)
			return false;
		if (!strcmp(line, name))
			return true;
	}
	return false;
}
