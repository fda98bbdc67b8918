// SPDX-License-Identifier: GPL-2.0-or-later
/* Releases that rows of lib/ tell, held against the kernels of tests/facts. */
#include <stdio.h>
#include <string.h>

#include "facts.h"
#include "test.h"

static struct facts_table table;
static struct arena arena;

static bool table_ready(void)
{
	size_t size;
	char *text;

	if (table.n)
		return true;
	text = facts_file(&arena, "tests/facts/kernels.facts.xz", &size);
	CHECK(text && !facts_table_read(&table, &arena, text) && table.n > 50);
	return table.n > 50;
}

/*
 * Releases that a row tells (-D): those that an audit found wrong. The string before the member is what the row
 * says; vendors take changes back, so the kernels are those of Debian, Ubuntu and the samples.
 */
static const struct told {
	const char *source, *type, *member, *since;
	unsigned int first, gone, again; /* releases: major * 1000 + minor */
} told[] = {
	{ "lib/net/sock.c", "struct sock", "sk_type", "all", 0, 0, 0 },
	{ "lib/net/sock.c", "struct sock", "sk_protocol", "all", 0, 0, 0 },
	{ "lib/vm/vmalloc.c", "struct vmap_area", "flags", "to 5.3, 6.3", 0, 5004, 6003 },
	{ "lib/cgroup/memcg_stats.c", "struct mem_cgroup", "vmstats", "5.2", 5002, 0, 0 },
	{ "lib/vm/mm_holders.c", "struct proc_maps_private", "lock_ctx.mm", "7.2, all", 7002, 0,
	  0 },
};

static unsigned int release_of(const char *name)
{
	unsigned int major, minor;

	if (strncmp(name, "debian-", 7) && strncmp(name, "ubuntu-", 7) &&
	    strncmp(name, "memowner-", 9))
		return 0;
	for (const char *p = strchr(name, '-'); p; p = strchr(p + 1, '-'))
		if (sscanf(p, "-%u.%u", &major, &minor) == 2)
			return major * 1000 + minor;
	return 0;
}

static bool row_says(const struct told *t)
{
	const char *name = arena_text(&arena, "\"%s\"", t->member);
	const char *since = arena_text(&arena, "\"%s\"", t->since);
	size_t size;
	char *text = facts_file(&arena, t->source, &size);

	/* On the row's line, or on the next one where it breaks. */
	for (const char *p = text; p && (p = strstr(p, since)); p++) {
		const char *member = strstr(p, name), *end = strchr(p, '\n');
		const char *start = p;

		while (start > text && start[-1] != '\n')
			start--;
		end = end ? strchr(end + 1, '\n') : NULL;
		if ((member && end && member < end) ||
		    ((member = strstr(start, name)) && member < p))
			return true;
	}
	return false;
}

static void releases_that_rows_tell(void)
{
	for (size_t i = 0; table_ready() && i < sizeof(told) / sizeof(*told); i++) {
		const struct told *t = &told[i];
		unsigned int with = 0, without = 0;

		CHECK(row_says(t));
		for (unsigned int k = 0; k < table.n; k++) {
			unsigned int release = release_of(table.kernels[k].name);
			struct blank b = { 0 };
			struct field f;
			bool has;

			blank_open(&b, &table.kernels[k]);
			if (release && dump_type_bytes(&b.dump, t->type)) {
				has = dump_ask(&b.dump, member, t->type, t->member, &f) == ST_OK;
				with += has;
				without += !has;
				if (has != (release >= t->first &&
					    !(t->gone && release >= t->gone && release < t->again)))
					CHECK_TEXT(t->member, table.kernels[k].name);
			}
			blank_close(&b);
		}
		CHECK(with && (without > 0) == (t->first || t->gone));
	}
}

TESTS({ "releases that rows tell are those of kernels", releases_that_rows_tell })
