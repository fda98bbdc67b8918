// SPDX-License-Identifier: GPL-2.0-or-later
#include "modules/module_object.h"

#include "modules/module.h"

static struct module *find_module(const struct modules *m, const char *name)
{
	struct module *mod = m->first;

	while (mod && strcmp(mod->name, name))
		mod = mod->next;
	return mod;
}

/* Of a module: the reader of the dump has not loaded its object file. */
static enum status find_in_module(struct dump *d, const char *module, const char *name,
				  uint64_t *ret)
{
	struct modules modules = { 0 };
	enum status st = modules_open(d, &modules), found;
	struct module *mod = find_module(&modules, module);
	uint64_t address = 0;

	if (!mod)
		return st == ST_OK || st == ST_ABSENT
			       ? dump_fail(d, ST_ABSENT,
					   "%s is not in vmlinux, module %s is not loaded", name,
					   module)
			       : st;
	found = modules_symbols(&modules, mod, &name, 1, &address);
	if (found == ST_STOPPED)
		return found;
	if (!address)
		return dump_fail(d, ST_UNKNOWN, "the symbols of module %s are not loaded%s", module,
				 dump_load_module(d, module));
	*ret = address;
	return ST_OK;
}

enum status module_object_symbol(struct dump *d, const char *module, const char *name,
				 uint64_t *ret)
{
	if (dump_has_symbol(d, name))
		return dump_symbol(d, name, ret);
	if (d->ops->object_symbol && dump_ask(d, object_symbol, name, ret) == ST_OK)
		return ST_OK;
	return find_in_module(d, module, name, ret);
}

enum status module_object_type(struct dump *d, const char *module, const char *type)
{
	uint64_t size;

	if (dump_ask(d, type_size, type, &size) == ST_OK)
		return ST_OK;
	if (!d->load_module)
		return dump_fail(d, ST_UNKNOWN, "the types of module %s are not known%s%s%s",
				 module, d->module_types ? ": " : "", d->module_types ?: "",
				 d->module_types ? " gives them" : "");
	return dump_fail(d, ST_UNKNOWN, "the types of module %s are not loaded%s", module,
			 dump_load_module(d, module));
}
