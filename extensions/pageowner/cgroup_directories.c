// SPDX-License-Identifier: GPL-2.0-or-later
/* Memory cgroups: page directories of processes, whose second page does not say that it is charged. */
#include "cgroups.h"

#include "tasks/mm_struct.h"

struct cgroup_directory {
	struct cgroup_directory *next;
	uint64_t mm;
};

enum status cgroups_note_mm(struct cgroups_view *c, uint64_t mm)
{
	struct cgroup_directory *d = dump_alloc(c->v->dump, sizeof(*d));

	if (!d)
		return ST_NOMEM;
	*d = (struct cgroup_directory){ c->directories, mm };
	c->directories = d;
	return ST_OK;
}

static enum status add_directory(struct cgroups_view *c, uint64_t pgd)
{
	struct dump *d = c->v->dump;
	struct page_info first, second;
	uint64_t phys, pfn;

	if (d->ops->virt_to_phys(d->priv, pgd, &phys) != ST_OK)
		return ST_OK;
	pfn = phys >> c->v->page_shift;
	if (page_type_at(&c->v->states, pfn, &first) != ST_OK ||
	    page_type_at(&c->v->states, pfn + 1, &second) != ST_OK)
		return ST_OK;
	return memcg_charges_add_directory(&c->charges, pfn, &first, &second);
}

/* What cannot be read stays without a name. */
enum status cgroups_add_directories(struct cgroups_view *c)
{
	struct dump *d = c->v->dump;
	struct hash_u64 seen;
	struct mm_structs mms;
	struct mm_struct mm;
	enum status st = mm_structs_open(d, &mms);
	bool is_new;

	hash_u64_init(&seen, d->arena, 0);
	if (st == ST_NOMEM || st != ST_OK || !d->ops->virt_to_phys)
		return st == ST_NOMEM ? st : ST_OK;
	for (const struct cgroup_directory *at = c->directories; at && st == ST_OK; at = at->next) {
		if (mm_struct_read(&mms, at->mm, &mm) != ST_OK)
			continue;
		if (!hash_u64_get(&seen, mm.pgd, &is_new))
			return dump_no_memory(d);
		if (is_new)
			st = add_directory(c, mm.pgd);
	}
	return st;
}
