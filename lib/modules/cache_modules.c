// SPDX-License-Identifier: GPL-2.0-or-later
#include "modules/cache_modules.h"

#include "dump/structure.h"
#include "modules/module.h"

#define CHUNK 4096u /* bytes that are read at once: a page that is missing is no other's loss */
#define MAX_DATA \
	(256u    \
	 << 20) /* of a range: the modules of x86_64 have 1.5 GiB together, the kernel's data some MiB */
#define MAX_LOST 64u /* chunks of a range that cannot be read, before the rest is left */

static const char vmlinux[] = "vmlinux";

/* Where variables of the kernel are; those that are written once, as pointers to caches, stand apart (4.6). */
static const char *const sections[][2] = {
	{ "__start_ro_after_init", "__end_ro_after_init" },
	{ "_sdata", "_edata" },
	{ "__bss_start", "__bss_stop" },
};

struct search {
	struct cache_modules *x;
	struct modules modules;
	struct field constructor;
	struct first_problem problem;
};

static const struct layout_row rows[] = {
	FINDS(struct search, constructor, "struct kmem_cache", OPTIONAL, "all", "ctor"),
};

void cache_modules_init(struct dump *d, struct cache_modules *ret)
{
	*ret = (struct cache_modules){ .dump = d };
	hash_u64_init(&ret->caches, d->arena, sizeof(struct cache_module));
}

void cache_modules_want(struct cache_modules *x, uint64_t cache)
{
	hash_u64_get(&x->caches, cache, NULL);
}

const struct cache_module *cache_module_of(const struct cache_modules *x, uint64_t cache)
{
	return hash_u64_find(&x->caches, cache);
}

static struct cache_module *found(const struct cache_modules *x, uint64_t word)
{
	return word ? (struct cache_module *)hash_u64_find(&x->caches, word) : NULL;
}

/* The kernel is looked at first: what it has a variable of is not a module's that has a copy. */
static void take(struct cache_module *c, const char *module)
{
	if (c->from == CACHE_BY_CONSTRUCTOR || c->name == vmlinux || c->has_several)
		return;
	c->has_several = c->name && c->name != module;
	c->name = c->has_several ? NULL : module;
	c->from = c->has_several ? CACHE_MODULE_UNKNOWN : CACHE_BY_VARIABLE;
}

static enum status search_range(struct search *s, uint64_t start, uint64_t end, const char *module)
{
	struct cache_modules *x = s->x;
	uint64_t words[CHUNK / sizeof(uint64_t)];
	unsigned int lost = 0;

	if (end < start || end - start > MAX_DATA) {
		first_problem_keep(
			x->dump, &s->problem,
			dump_corrupt(x->dump, "data of %s has %lu bytes", module, end - start));
		return ST_OK;
	}
	for (uint64_t at = start & ~7ULL; at < end && lost < MAX_LOST;) {
		const uint64_t next = at - at % CHUNK + CHUNK;
		const uint64_t page = next > at ? next : end; /* at the end of addresses */
		const size_t n = (size_t)((page < end ? page : end) - at) / sizeof(*words);

		if (dump_stopped(x->dump))
			return ST_STOPPED;
		if (n && dump_read(x->dump, at, words, n * sizeof(*words), module) != ST_OK) {
			first_problem_keep(x->dump, &s->problem, ST_UNREADABLE);
			lost++;
		} else {
			for (size_t i = 0; i < n; i++) {
				struct cache_module *c = found(x, words[i]);

				if (c)
					take(c, module);
			}
		}
		at = page;
	}
	return ST_OK;
}

static enum status search_kernel(struct search *s)
{
	struct dump *d = s->x->dump;
	enum status st = ST_OK;

	for (size_t i = 0; i < ARRAY_SIZE(sections) && st == ST_OK; i++) {
		uint64_t start, end;

		st = dump_symbol(d, sections[i][0], &start) ?: dump_symbol(d, sections[i][1], &end);
		first_problem_keep(d, &s->problem, st);
		st = st == ST_OK ? search_range(s, start, end, vmlinux) : ST_OK;
	}
	return st;
}

static enum status search_modules(struct search *s)
{
	enum status st = ST_OK;

	for (const struct module *m = s->modules.first; m && st == ST_OK; m = m->next)
		for (unsigned int i = 0; i < m->nranges && st == ST_OK; i++)
			if (!m->ranges[i].is_init)
				st = search_range(s, m->ranges[i].base,
						  m->ranges[i].base + m->ranges[i].size, m->name);
	return st;
}

/* A constructor of vmlinux says as much. */
static void take_constructors(struct search *s)
{
	struct dump *d = s->x->dump;
	uint64_t text = 0, end = 0;
	const bool has_text = dump_symbol(d, "_stext", &text) == ST_OK &&
			      dump_symbol(d, "_etext", &end) == ST_OK;

	for (struct hash_u64_entry *e = s->x->caches.first; e; e = e->next) {
		struct cache_module *c = (struct cache_module *)e->value;
		const struct module *m;
		uint64_t function = 0;

		if (s->constructor.present)
			first_problem_keep(d, &s->problem,
					   dump_u64(d, e->key + s->constructor.offset, &function,
						    "kmem_cache.ctor"));
		if (!function)
			continue;
		m = modules_find(&s->modules, function);
		if (!m && !(has_text && function >= text && function < end))
			continue;
		*c = (struct cache_module){ .name = m ? m->name : vmlinux,
					    .from = CACHE_BY_CONSTRUCTOR };
	}
}

enum status cache_modules_find(struct cache_modules *x)
{
	struct dump *d = x->dump;
	struct search *s = dump_alloc(d, sizeof(*s));
	enum status st = STRUCTS_OPEN(d, rows, s);

	s->x = x;
	first_problem_keep(d, &s->problem, st);
	st = modules_open(d, &s->modules);
	first_problem_keep(d, &s->problem, st == ST_ABSENT ? ST_OK : st);
	take_constructors(s);
	st = search_kernel(s) ?: search_modules(s);
	x->problem = s->problem.text;
	d->error[0] = '\0';
	return st;
}
