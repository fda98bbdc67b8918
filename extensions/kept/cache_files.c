// SPDX-License-Identifier: GPL-2.0-or-later
/* Open files, each with an object of filp: by the descriptors of processes. */
#include "cache_owners.h"

/* "of open files, 110,000 timerfds,": of the process that has most. */
static const char *files_text(struct dump *d, const struct open_count *most)
{
	uint64_t kind = 0;

	for (size_t i = 0; i < OPEN_KINDS; i++)
		kind = most->of_kind[i] > kind ? most->of_kind[i] : kind;
	return units_tenths(kind, most->n) >= OWNERS_MOST
		       ? dump_text(d, "of open files (%s)", open_kinds_text(d, most, 1))
		       : "of open files";
}

/* What several processes share counts for each: more than there are objects says nothing. */
static void ask(struct asked_cache *a, bool dentries)
{
	struct dump *d = a->s->dump;
	struct cache_owners o = { .place = "of " };
	const struct open_count *most = NULL;

	if (!a->open_counts) {
		a->open_counts = dump_alloc(d, sizeof(*a->open_counts));
		if (open_counts_read(d, false, a->open_counts) != ST_OK)
			a->open_counts->problem = dump_why(d);
	}
	o.problem = a->open_counts->problem;
	hash_bytes_for_each(const struct open_count, c, &a->open_counts->all) {
		const uint64_t n = dentries ? open_counts_dentries(c) : c->n;

		most = n > o.most ? c : most;
		cache_owners_add_user(a, &o, n, file_user_new(d, c->tgid, c->comm));
	}
	if (!most || o.most > slab_use_most(a->use))
		return;
	o.n = o.n < slab_use_most(a->use) ? o.n : slab_use_most(a->use);
	o.what = files_text(d, most);
	o.command = "memowner processes -s open_files -n 5 -o pid,comm,open_files,open_kinds";
	cache_owners_put(a, &o);
}

void cache_ask_files(struct asked_cache *a)
{
	ask(a, false);
}

/* A file without a path has a dentry of its own. */
void cache_ask_dentries(struct asked_cache *a)
{
	ask(a, true);
}
