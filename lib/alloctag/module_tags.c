// SPDX-License-Identifier: GPL-2.0-or-later
#include "alloctag/module_tags.h"

enum { START, STOP, BOUNDS };

enum status module_tags_walk(struct dump *d,
			     enum status (*visit)(void *arg, uint64_t start, uint64_t stop),
			     void *arg)
{
	static const char *const names[BOUNDS] = { "__start_alloc_tags", "__stop_alloc_tags" };
	struct modules modules;
	enum status st = modules_open(d, &modules);
	bool whole = st == ST_OK;

	for (struct module *m = modules.first; m; m = m->next) {
		uint64_t bounds[BOUNDS];

		st = modules_symbols(&modules, m, names, BOUNDS, bounds);
		if (st == ST_OK && bounds[START] && bounds[STOP])
			st = bounds[START] < bounds[STOP] ? visit(arg, bounds[START], bounds[STOP])
							  : ST_OK;
		else
			whole = false;
		if (st == ST_STOPPED)
			return st;
		whole &= st == ST_OK;
	}
	return whole ? ST_OK
		     : dump_fail(d, ST_UNREADABLE, "the alloc tags of some modules are unknown");
}
