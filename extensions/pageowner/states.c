// SPDX-License-Identifier: GPL-2.0-or-later
/* System RAM, the memory map and struct page: what views of pages begin with, and who keeps them. */
#include "view.h"

enum status owner_view_open_memmap(struct owner_view *v)
{
	enum status st;

	memset(&v->owner, 0, sizeof(v->owner));
	v->owner.dump = v->dump;
	st = ram_open(v->dump, &v->owner.ram) ?: memmap_open(v->dump, &v->owner.ext.memmap);
	if (st == ST_OK)
		memmap_find_offline(&v->owner.ext.memmap, &v->owner.ram);
	return st;
}

enum status owner_view_open_states(struct owner_view *v)
{
	enum status st = owner_view_open_memmap(v)
				 ?: page_types_open(v->dump, &v->owner.ext.memmap, &v->states);

	v->has_states = st == ST_OK;
	return st;
}
