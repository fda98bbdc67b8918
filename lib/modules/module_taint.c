// SPDX-License-Identifier: GPL-2.0-or-later
#include "modules/module_taint.h"

#include "dump/layout.h"
#include "modules/module.h"

static const struct layout_row taints_row = { "struct module", { "taints" }, REQUIRED, "all" };

enum status tainting_modules_read(struct dump *d, const struct taint_letters *letters,
				  struct tainting_modules *ret)
{
	struct tainting_module **last = &ret->first;
	char text[TAINT_LETTERS + 1];
	struct modules modules = { 0 };
	struct field taints;
	enum status st = layout_resolve(d, &taints_row, 1, &taints) ?: modules_open(d, &modules);

	*ret = (struct tainting_modules){ 0 };
	if (st == ST_STOPPED || st == ST_ABSENT || (st != ST_OK && !modules.first))
		return st;
	if (st != ST_OK)
		ret->problem = dump_why(d);
	for (const struct module *m = modules.first; m; m = m->next) {
		struct tainting_module *t;
		uint8_t raw[8];

		if (dump_read(d, m->address + taints.offset, raw, sizeof(raw),
			      "taints of a module") != ST_OK) {
			ret->problem = dump_why(d);
			continue;
		}
		if (!le64(raw))
			continue;
		t = dump_alloc(d, sizeof(*t));
		t->name = m->name;
		t->mask = le64(raw);
		t->letters = dump_strdup(d, taint_text(letters, t->mask, text));
		*last = t;
		last = &t->next;
		ret->n++;
	}
	return ST_OK;
}

bool tainting_module_is_foreign(const struct tainting_module *m)
{
	return strpbrk(m->letters, "OP") != NULL;
}
