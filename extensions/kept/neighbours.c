// SPDX-License-Identifier: GPL-2.0-or-later
/* Of memory that a table of neighbours leads to: how many entries it has, and how many of these no limit ends. */
#include "memowner/summary.h"
#include "memowner/verdict_words.h"

#define MOST_ENTRIES \
	(1U          \
	 << 28) /* an entry has more than 256 bytes, and such a machine less than 64 GiB of them */

static const struct {
	const char *symbol, *name;
} tables[] = { { "arp_tbl", "IPv4 neighbours (ARP)" }, { "nd_tbl", "IPv6 neighbours" } };

static bool read_count(struct dump *d, uint64_t table, const char *member, uint32_t *ret)
{
	struct field f;

	return dump_ask(d, member, "struct neigh_table", member, &f) == ST_OK && f.size == 4 &&
	       dump_u32(d, table + f.offset, ret, "neigh_table") == ST_OK && *ret <= MOST_ENTRIES;
}

/* neigh_alloc(): permanent ones, and since 5.0 those that another system learned, are not in gc_entries. */
const char *summary_neighbours(struct summary *s, const char *root)
{
	struct dump *d = s->dump;
	const char *text = NULL;
	uint32_t entries, collected;
	uint64_t table;

	for (size_t i = 0; i < ARRAY_SIZE(tables); i++) {
		const size_t n = strlen(tables[i].symbol);

		if (strncmp(root, tables[i].symbol, n) != 0 || (root[n] && root[n] != ' ') ||
		    dump_symbol(d, tables[i].symbol, &table) != ST_OK ||
		    !read_count(d, table, "entries", &entries) || !entries)
			continue;
		text = dump_text(d, "%s %s", COUNT_TEXT(entries), tables[i].name);
		if (!read_count(d, table, "gc_entries", &collected) || collected >= entries)
			continue;
		text = dump_text(d,
				 "%s, %s%swhich gc_thresh3 does not limit (permanent, or learned "
				 "elsewhere)",
				 text, collected ? COUNT_TEXT(entries - collected) : "",
				 collected ? " of " : "");
	}
	d->error[0] = '\0';
	return text;
}
