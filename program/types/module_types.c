// SPDX-License-Identifier: GPL-2.0-or-later
#include "types/module_types.h"

#include "modules/module.h"
#include "symbols/debug_file.h"
#include "types/dwarf_graph.h"

/* Modules with types that are asked one behind the other. */
#define MOST_MODULES 256

struct module_types {
	struct dump *dump;
	struct type_source kernel;
	struct module_places places;
	bool opened;
	struct type_source *sources;
	const char **names; /* of the module that each is of; NULL: BTF of all */
	unsigned int n;
};

static bool open_file(struct module_types *m, const struct debug_image *image, const char *path)
{
	struct debug_file file;

	return debug_file_open(m->dump, path, image, NULL, &file) == ST_OK &&
	       types_of_dwarf(m->dump, path, file.lines.dwarf, &m->sources[m->n]) == ST_OK;
}

static void open_module(struct module_types *m, const struct module *mod)
{
	struct debug_image *image = dump_alloc(m->dump, sizeof(*image));
	const char *path = m->places.object(m->places.arg, mod->name, 0);

	if (!path || debug_image_of_module(m->dump, mod->address, image) != ST_OK)
		return;
	for (unsigned int i = 0; path; path = m->places.object(m->places.arg, mod->name, ++i)) {
		if (!open_file(m, image, path))
			continue;
		m->names[m->n++] = mod->name;
		return;
	}
}

static void open_files(struct module_types *m)
{
	struct modules modules;
	enum status st = modules_open(m->dump, &modules);

	if (st != ST_OK && st != ST_UNREADABLE && st != ST_CORRUPT)
		return;
	for (struct module *mod = modules.first;
	     mod && m->n < MOST_MODULES && !dump_stopped(m->dump); mod = mod->next)
		open_module(m, mod);
}

/* It is not looked for where no symbol leads to it. */
static void open_btf(struct module_types *m)
{
	struct dump *d = m->dump;
	struct type_source *s = &m->sources[m->n];
	uint64_t start;

	if (dump_symbol(d, "__start_BTF", &start) != ST_OK ||
	    types_from_btf(d, m->places.symbols, s) != ST_OK)
		return;
	s->modules(s->priv);
	m->n++;
}

/*
 * What the list of modules asks of types is of the kernel: these are not asked meanwhile. Why one has none is
 * no answer to what was asked.
 */
static void open_all(struct module_types *m)
{
	struct dump *d = m->dump;
	char *error;

	if (m->opened)
		return;
	m->opened = true;
	error = arena_strdup(d->arena, d->error);
	m->sources = dump_alloc(d, (MOST_MODULES + 1) * sizeof(*m->sources));
	m->names = dump_alloc(d, (MOST_MODULES + 1) * sizeof(*m->names));
	if (m->places.object)
		open_files(m);
	if (m->places.has_btf)
		open_btf(m);
	snprintf(d->error, sizeof(d->error), "%s", error);
}

static bool is_of_kernel(const struct module_types *m, const char *type)
{
	uint64_t bytes;

	return m->kernel.type_size(m->kernel.priv, type, &bytes) == ST_OK;
}

/*
 * Whom to ask what s has not: places of modules behind the kernel, NULL behind the last. A type that the kernel
 * has is the kernel's, whatever a module calls so; NULL: what is asked is of no type.
 */
static const struct type_source *behind(struct module_types *m, const struct type_source *s,
					const char *type)
{
	const struct type_source *next = s + 1;

	if (s == &m->kernel) {
		if (type && is_of_kernel(m, type))
			return NULL;
		open_all(m);
		next = m->sources;
	}
	return next < m->sources + m->n ? next : NULL;
}

/* What the kernel says, else the first module that does; type as above. */
#define ASK(priv, type, OP, ...)                                     \
	({                                                           \
		struct module_types *m = priv;                       \
		const struct type_source *s = &m->kernel;            \
		enum status st;                                      \
                                                                     \
		do                                                   \
			st = s->OP(s->priv, __VA_ARGS__);            \
		while (st == ST_ABSENT && (s = behind(m, s, type))); \
		st;                                                  \
	})

static enum status find_size(void *priv, const char *type, uint64_t *ret)
{
	return ASK(priv, NULL, type_size, type, ret);
}

static enum status find_variable(void *priv, const char *name, struct field *ret)
{
	return ASK(priv, NULL, variable, name, ret);
}

static enum status find_member(void *priv, const char *type, const char *name, struct field *ret)
{
	return ASK(priv, type, member, type, name, ret);
}

static enum status find_bits(void *priv, const char *type, const char *name, struct field *ret)
{
	return ASK(priv, type, bits, type, name, ret);
}

static enum status find_text(void *priv, const char *type, char *buf, size_t size)
{
	return ASK(priv, NULL, type_text, type, buf, size);
}

static enum status find_enumerator(void *priv, const char *name, int64_t *ret)
{
	return ASK(priv, NULL, enumerator, name, ret);
}

/* Numbers of the types of a source have its place, plus one, in them. */
#define SOURCE_SHIFT 48
#define SOURCE_MASK (0x1ffULL << SOURCE_SHIFT)

/* What a file of a module has of the kernel is the kernel's. */
static void name_module(struct module_types *m, const char *module, struct typed *t)
{
	if (t->name && !strchr(t->name, '*') && is_of_kernel(m, t->name))
		t->module = NULL;
	else if (module)
		t->module = module;
}

static enum status typed_of(struct module_types *m, unsigned int i, const struct type_query *q,
			    struct typed *ret)
{
	struct type_query of = *q;
	enum status st;

	of.base = (i + 1ULL) << SOURCE_SHIFT;
	if (q->by != TYPE_BY_ORDER)
		of.number = q->number;
	else
		of.number = q->number & ~SOURCE_MASK;
	st = m->sources[i].typed(m->sources[i].priv, &of, ret);
	if (st == ST_OK) {
		name_module(m, m->names[i], ret);
		ret->next |= of.base;
	}
	return st;
}

static bool is_asked(const struct module_types *m, unsigned int i, const struct type_query *q)
{
	return !q->module || !m->names[i] || !strcmp(m->names[i], q->module);
}

static enum status find_typed(void *priv, const struct type_query *q, struct typed *ret)
{
	struct module_types *m = priv;
	unsigned int at = (q->number & SOURCE_MASK) >> SOURCE_SHIFT;
	struct type_query next = *q;
	enum status st = ST_ABSENT;

	/* 0: of the kernel. */
	if (q->by == TYPE_BY_NUMBER && at)
		return at <= m->n ? typed_of(m, at - 1, q, ret) : ST_ABSENT;
	if ((!at && !q->module) || q->by == TYPE_BY_NUMBER)
		st = m->kernel.typed(m->kernel.priv, q, ret);
	if (st == ST_OK || (q->by != TYPE_BY_ORDER && !q->module))
		return st;
	open_all(m);
	if (q->by == TYPE_BY_ORDER) {
		next.number = at ? q->number : 0;
		for (unsigned int i = at ? at - 1 : 0; i < m->n && st == ST_ABSENT; i++) {
			if (is_asked(m, i, q))
				st = typed_of(m, i, &next, ret);
			next.number = 0;
		}
		return st;
	}
	for (unsigned int i = 0; i < m->n && st == ST_ABSENT; i++)
		if (is_asked(m, i, q))
			st = typed_of(m, i, q, ret);
	return st;
}

static bool enumerates(void *priv, const char *type, const char *name)
{
	struct module_types *m = priv;
	const struct type_source *s = &m->kernel;
	bool ret;

	do
		ret = s->enumerates(s->priv, type, name);
	while (!ret && (s = behind(m, s, NULL)));
	return ret;
}

static void modules_readable(void *priv)
{
	struct module_types *m = priv;

	if (m->kernel.modules)
		m->kernel.modules(m->kernel.priv);
}

void module_types_behind(struct dump *d, const struct type_source *types,
			 const struct module_places *places, struct type_source *ret)
{
	struct module_types *m = dump_alloc(d, sizeof(*m));

	*m = (struct module_types){ .dump = d, .kernel = *types, .places = *places };
	*ret = (struct type_source){
		.what = types->what,
		.variable = find_variable,
		.type_size = find_size,
		.member = find_member,
		.bits = find_bits,
		.typed = find_typed,
		.type_text = find_text,
		.enumerator = find_enumerator,
		.enumerates = enumerates,
		.modules = modules_readable,
		.priv = m,
	};
}
