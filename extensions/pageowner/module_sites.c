// SPDX-License-Identifier: GPL-2.0-or-later
#include "module_sites.h"

/* Pages with a module in their stack, by whose allocation site they have. */
struct module_pages {
	uint64_t own, vmlinux, others;
};

struct module_sites {
	struct owner_view *v;
	struct tag_names tags;
	struct hash_u64 modules; /* of struct module_pages, by the word of the module */
	uint64_t head;		 /* first page of the allocation that was looked at last */
	const struct site *site; /* of that allocation; NULL: unknown */
};

/* One site for all pages of an allocation: that of the first. */
static const struct site *site_of(struct module_sites *m, const struct owner_page *page)
{
	uint64_t head = owner_page_head(page), tag;
	struct page_info info;

	if (head == m->head)
		return m->site;
	m->head = head;
	m->site = NULL;
	if (page_type_at(&m->tags.states, head, &info) == ST_OK &&
	    page_tags_at(&m->tags.pages, head, &info, &tag) == ST_OK && tag > TAG_EMPTY)
		m->site = site_of_tag(&m->tags.sites, tag);
	return m->site;
}

static enum status add_page(void *arg, const struct owner_page *page)
{
	struct module_sites *m = arg;
	struct module_pages *pages;
	const struct site *site;
	struct page_facts f;
	uint64_t module;

	page_facts_init(m->v, page, &f);
	module = owner_value(&f, KEY_MODULE);
	if (module == VALUE_UNKNOWN || !strcmp((const char *)(uintptr_t)module, "vmlinux"))
		return ST_OK;
	pages = hash_u64_get(&m->modules, module, NULL);
	site = site_of(m, page);
	if (site && !site->in_module)
		pages->vmlinux++;
	else if (site && site->module && !strcmp(site->module, (const char *)(uintptr_t)module))
		pages->own++;
	else
		pages->others++;
	return ST_OK;
}

/* Bytes at the sites of a module; false: it has none. */
static bool count_sites(const struct codetags *tags, const char *module, int64_t *ret)
{
	bool any = false;

	*ret = 0;
	for (size_t i = 0; i < tags->n; i++) {
		const struct site *s = &tags->sites[i];

		if (!s->in_module || !s->module || strcmp(s->module, module))
			continue;
		any = true;
		*ret = (int64_t)((uint64_t)*ret + s->bytes);
	}
	return any;
}

static void put_module(struct module_sites *m, const char *name, const struct module_pages *p)
{
	struct owner_view *v = m->v;
	uint64_t own = p->own << v->page_shift;
	char mine[UNITS_BYTES];
	int64_t bytes;

	if (!count_sites(&m->tags.tags, name, &bytes))
		return;
	units_size(mine, own);
	sink_printf(v->out,
		    "%s: of %s, %s are of its own allocation sites, %s of sites of vmlinux "
		    "(as slabs are)",
		    name, SIZE_TEXT((p->own + p->vmlinux + p->others) << v->page_shift), mine,
		    SIZE_TEXT(p->vmlinux << v->page_shift));
	if (p->others)
		sink_printf(v->out, ", %s of unknown sites", SIZE_TEXT(p->others << v->page_shift));
	sink_printf(v->out, "\n%*s  allocprof has %s at its sites", (int)strlen(name), "",
		    SIZE_TEXT(bytes));
	if (bytes >= (int64_t)own)
		sink_printf(v->out, ": these %s, and %s elsewhere (objects, per-CPU memory)", mine,
			    SIZE_TEXT((uint64_t)bytes - own));
	sink_text(v->out, "\n");
}

enum status owner_module_sites(struct owner_view *v, size_t shown)
{
	struct module_sites *m = dump_alloc(v->dump, sizeof(*m));
	const struct table *t = &v->in->table;
	size_t column = table_index(t, COLUMN_module);
	struct scan_stats cov;
	enum status st;

	m->v = v;
	m->head = UINT64_MAX;
	hash_u64_init(&m->modules, v->dump->arena, sizeof(struct module_pages));
	st = tag_names_open(v->dump, &v->owner.ext.memmap, &m->tags);
	if (st == ST_STOPPED)
		return st;
	if (st != ST_OK || !m->tags.tags.on || m->tags.tags.problem || m->tags.tags.unreadable)
		return ST_OK;
	st = page_owner_scan(&v->owner, SCAN_LIVE, &cov, add_page, m);
	if (st != ST_OK || cov.unreadable || cov.undecodable)
		return st;
	for (size_t i = 0; i < shown; i++) {
		const struct cell *module = &t->rows[i][column];
		const struct module_pages *p =
			module->kind != CELL_TEXT
				? NULL
				: hash_u64_find(&m->modules, (uint64_t)(uintptr_t)module->text);

		if (p)
			put_module(m, module->text, p);
	}
	return ST_OK;
}
