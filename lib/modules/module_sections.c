// SPDX-License-Identifier: GPL-2.0-or-later
#include "modules/module_sections.h"

#include "dump/layout.h"
#include "modules/module.h"

#define MAX_SECTIONS 512     /* of one module: 30 to 80, more with -ffunction-sections */
#define MAX_SECTION_NAME 128 /* ".text." and a function, at the longest */
#define MAX_ELEMENT 256	     /* bytes of one attribute */

enum { M_ATTRS, A_COUNT, A_FIRST, A_LIST, A_FIELDS };

static const struct layout_row attrs_rows[A_FIELDS] = {
	[M_ATTRS] = FIELD_ROW("struct module", OPTIONAL, "CONFIG_KALLSYMS, CONFIG_SYSFS",
			      "sect_attrs"),
	[A_COUNT] = FIELD_ROW("struct module_sect_attrs", OPTIONAL, "up to 6.13", "nsections"),
	[A_FIRST] = FIELD_ROW("struct module_sect_attrs", OPTIONAL, "all", "attrs"),
	[A_LIST] = FIELD_ROW("struct module_sect_attrs", OPTIONAL, "5.8", "grp.bin_attrs"),
};

enum { S_NAME, S_ADDRESS, S_FIELDS };

/* One array of attributes with its own type, or, since 6.14, of plain attributes. */
static const struct layout_row own_rows[S_FIELDS] = {
	[S_NAME] = FIELD_ROW("struct module_sect_attr", REQUIRED, "5.8, before", "battr.attr.name",
			     "name"),
	[S_ADDRESS] = FIELD_ROW("struct module_sect_attr", REQUIRED, "up to 6.13", "address"),
};

static const struct layout_row plain_rows[S_FIELDS] = {
	[S_NAME] = { "struct bin_attribute", { "attr.name" }, REQUIRED, "all" },
	[S_ADDRESS] = { "struct bin_attribute", { "private" }, REQUIRED, "all" },
};

struct reader {
	struct dump *dump;
	struct field attrs[A_FIELDS];
	struct field f[S_FIELDS];
	uint64_t element; /* bytes */
	uint64_t first;	  /* address of the array */
};

static enum status open_reader(struct reader *r)
{
	struct dump *d = r->dump;
	const struct layout_row *rows;
	enum status st = layout_resolve(d, attrs_rows, A_FIELDS, r->attrs);

	if (st != ST_OK)
		return st;
	if (!r->attrs[M_ATTRS].present)
		return dump_absent(d, "this kernel keeps no addresses of sections");
	if (!r->attrs[A_FIRST].present)
		return dump_unknown(d, "struct module_sect_attrs has no member attrs");
	rows = r->attrs[A_COUNT].present ? own_rows : plain_rows;
	st = layout_resolve(d, rows, S_FIELDS, r->f);
	if (st == ST_OK && dump_ask(d, type_size, rows->type, &r->element) != ST_OK)
		st = dump_unknown(d, "no size of %s", rows->type);
	if (st == ST_OK && (r->element > MAX_ELEMENT || layout_span(r->f, S_FIELDS) > r->element))
		st = dump_unknown(d, "%s spans %lu bytes", rows->type, r->element);
	return st;
}

/* How many attributes: their number, or the list of pointers that ends with NULL. */
static enum status count(struct reader *r, uint64_t attrs, uint64_t *ret)
{
	struct dump *d = r->dump;
	const struct field *list = &r->attrs[A_LIST];
	uint64_t at, pointer, n;
	enum status st;

	if (r->attrs[A_COUNT].present) {
		uint32_t number;

		st = dump_u32(d, attrs + r->attrs[A_COUNT].offset, &number, "sections of a module");
		if (st == ST_OK && number > MAX_SECTIONS)
			st = dump_corrupt(d, "a module has %u sections", number);
		return RESULT(st, ret, number);
	}
	if (!list->present)
		return dump_unknown(d, "sections without a number");
	st = dump_u64(d, attrs + list->offset, &at, "sections of a module");
	for (n = 0; st == ST_OK; n++) {
		st = dump_u64(d, at + 8 * n, &pointer, "sections of a module");
		if (st != ST_OK || !pointer)
			break;
		/* Each pointer is to the next of the array. */
		if (n == MAX_SECTIONS || pointer != r->first + n * r->element)
			return dump_corrupt(d, "the list of a module's sections");
	}
	return RESULT(st, ret, n);
}

static enum status read_section(struct reader *r, uint64_t addr, struct module_section *ret)
{
	struct dump *d = r->dump;
	uint8_t raw[MAX_ELEMENT];
	char name[MAX_SECTION_NAME];
	enum status st = dump_read(d, addr, raw, r->element, "a section of a module")
				 ?: dump_string(d, field_get(&r->f[S_NAME], raw), name,
						sizeof(name), "the name of a section");

	if (st != ST_OK)
		return st;
	ret->name = dump_strdup(d, name);
	ret->address = field_get(&r->f[S_ADDRESS], raw);
	return ST_OK;
}

enum status module_sections_read(struct dump *d, uint64_t module, struct module_sections *ret)
{
	struct reader r = { .dump = d };
	struct module_sections s = { 0 };
	uint64_t attrs, n = 0;
	enum status st = open_reader(&r)
				 ?: dump_u64(d, module + r.attrs[M_ATTRS].offset, &attrs,
					     "struct module");

	if (st == ST_OK && !attrs)
		st = dump_absent(d, "this kernel kept no addresses of its sections");
	if (st != ST_OK)
		return st;
	r.first = attrs + r.attrs[A_FIRST].offset;
	st = count(&r, attrs, &n);
	if (st != ST_OK)
		return st;
	s.sections = dump_alloc(d, (n + 1) * sizeof(*s.sections));
	for (; st == ST_OK && s.n < n; s.n++)
		st = read_section(&r, r.first + s.n * r.element, &s.sections[s.n]);
	return RESULT(st, ret, s);
}

bool module_section_find(const struct module_sections *s, const char *name, uint64_t *ret)
{
	for (unsigned int i = 0; i < s->n; i++)
		if (!strcmp(s->sections[i].name, name)) {
			*ret = s->sections[i].address;
			return true;
		}
	return false;
}

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
			       ? dump_absent(d, "%s is not in vmlinux, module %s is not loaded",
					     name, module)
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
	if (dump_type_bytes(d, type))
		return ST_OK;
	if (!d->load_module)
		return dump_fail(d, ST_UNKNOWN, "the types of module %s are not known%s%s%s",
				 module, d->module_types ? ": " : "", d->module_types ?: "",
				 d->module_types ? " gives them" : "");
	return dump_fail(d, ST_UNKNOWN, "the types of module %s are not loaded%s", module,
			 dump_load_module(d, module));
}
