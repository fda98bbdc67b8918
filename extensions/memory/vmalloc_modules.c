// SPDX-License-Identifier: GPL-2.0-or-later
#include "vmalloc_modules.h"

#include "modules/module_tree.h"

void module_areas_open(struct dump *d, const struct symbolizer *s, struct module_areas *ret)
{
	struct module_areas m = { .modules = &s->modules, .start = UINT64_MAX };

	for (const struct module *mod = s->modules.first; mod; mod = mod->next) {
		for (unsigned int i = 0; i < mod->nranges; i++) {
			uint64_t end = mod->ranges[i].base + mod->ranges[i].size;

			if (mod->ranges[i].base < m.start)
				m.start = mod->ranges[i].base;
			if (end > m.end)
				m.end = end;
		}
	}
	if (!s->knows_modules && module_tree_bounds(d, &m.bounds_start, &m.bounds_end) != ST_OK)
		m.bounds_end = UINT64_MAX;
	*ret = m;
}

bool module_areas_have(const struct module_areas *m, const struct vm_area *area)
{
	if (area->address >= m->end || area->address + area->size <= m->start)
		return false;
	for (const struct module *mod = m->modules->first; mod; mod = mod->next)
		for (unsigned int i = 0; i < mod->nranges; i++)
			if (mod->ranges[i].base >= area->address &&
			    mod->ranges[i].base - area->address < area->size)
				return true;
	return false;
}

bool module_areas_may_have(const struct module_areas *m, const struct vm_area *area)
{
	return m->bounds_end && area->flags & VM_ALLOC && area->address <= m->bounds_end &&
	       area->address + area->size > m->bounds_start;
}
