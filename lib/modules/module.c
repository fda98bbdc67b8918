// SPDX-License-Identifier: GPL-2.0-or-later
#include "modules/module.h"

#include <elf.h>
#include <stdlib.h>

#include "dump/layout.h"
#include "kernel/rb_tree.h"
#include "util/hash_u64.h"

#define MAX_MODULES 4096	    /* a machine has 50 to 300 */
#define MAX_MODULE_SYMBOLS 2000000  /* of one module; the largest drivers have tens of thousands */
#define MAX_NAME 512		    /* KSYM_NAME_LEN since 6.1 */
#define MAX_MODULE_NAMES (64 << 20) /* bytes */

enum {
	M_STATE,
	M_LIST,
	M_NAME,
	M_MEM,
	M_CORE,
	M_INIT,
	M_KALLSYMS,
	K_SYMTAB,
	K_NUM,
	K_STRTAB,
	M_FIELDS
};

static const struct layout_row rows[M_FIELDS] = {
	[M_STATE] = { "struct module", { "state" }, REQUIRED, "all" },
	[M_LIST] = { "struct module", { "list" }, REQUIRED, "all" },
	[M_NAME] = { "struct module", { "name" }, REQUIRED, "all" },
	[M_MEM] = { "struct module", { "mem" }, OPTIONAL, "6.4" },
	[M_CORE] = { "struct module", { "core_layout" }, OPTIONAL, "4.5 to 6.3" },
	[M_INIT] = { "struct module", { "init_layout" }, OPTIONAL, "4.5 to 6.3" },
	[M_KALLSYMS] = { "struct module", { "kallsyms" }, OPTIONAL, "CONFIG_KALLSYMS" },
	[K_SYMTAB] = { "struct mod_kallsyms", { "symtab" }, OPTIONAL, "CONFIG_KALLSYMS" },
	[K_NUM] = { "struct mod_kallsyms", { "num_symtab" }, OPTIONAL, "CONFIG_KALLSYMS" },
	[K_STRTAB] = { "struct mod_kallsyms", { "strtab" }, OPTIONAL, "CONFIG_KALLSYMS" },
};

/* Where the memory of a module is. */
enum { MEMORY_TYPES, MEMORY_LAYOUTS, MEMORY_FORKS };

static const struct fork memory_forks[MEMORY_FORKS] = {
	[MEMORY_TYPES] = { "module.mem[], a struct module_memory of each type",
			   "6.4: module: replace module_layout with module_memory",
			   .members = { { "struct module", "mem" } } },
	[MEMORY_LAYOUTS] = { "module.core_layout and init_layout",
			     "4.5: module: use a structure to encapsulate layout",
			     .members = { { "struct module", "core_layout" } } },
};

static const char *const memory_types[MEMORY_FORKS] = {
	[MEMORY_TYPES] = "struct module_memory",
	[MEMORY_LAYOUTS] = "struct module_layout",
};

struct reader {
	struct dump *dump;
	struct field f[M_FIELDS];
	struct field base, size;  /* in struct module_memory or struct module_layout */
	struct field text_size;	  /* in the latter */
	uint64_t text, init_text; /* indexes of mem[]; what is of init begins with its text */
	uint64_t range_bytes;	  /* size of an element of mem[] */
	int64_t unformed;	  /* MODULE_STATE_UNFORMED */
	size_t span;
	uint8_t *buf;
};

static enum status open_reader(struct dump *d, struct reader *r)
{
	enum status st = layout_resolve(d, rows, M_FIELDS, r->f);
	size_t fork = fork_find(d, "memory of a module", memory_forks, MEMORY_FORKS);
	const char *type = memory_types[fork < MEMORY_FORKS ? fork : MEMORY_LAYOUTS];
	const struct layout_row range[3] = {
		{ type, { "base" }, REQUIRED, "6.4, 4.5" },
		{ type, { "size" }, REQUIRED, "6.4, 4.5" },
		{ type, { "text_size" }, OPTIONAL, "4.5 to 6.3" },
	};
	const size_t n = fork == MEMORY_TYPES ? 2 : 3;
	struct layout_buffer copy;
	struct field found[3] = { 0 };

	st = st ?: layout_resolve(d, range, n, found);
	if (st == ST_OK && dump_ask(d, type_size, type, &r->range_bytes) != ST_OK)
		st = dump_unknown(d, "no size of %s", type);
	if (st != ST_OK)
		return st;
	r->base = found[0];
	r->size = found[1];
	r->text_size = found[2];
	r->text = dump_enumerator_or(d, "MOD_TEXT", 0);
	r->init_text = dump_enumerator_or(d, "MOD_INIT_TEXT", MODULE_RANGES);
	r->unformed = dump_enumerator_or(d, "MODULE_STATE_UNFORMED", -1);
	r->span = layout_span(r->f, M_KALLSYMS + 1);
	if (!r->range_bytes)
		return dump_unknown(d, "no size of %s", type);
	st = layout_buffer(d, "struct module", r->span, &copy);
	return RESULT(st, &r->buf, copy.raw);
}

static void add_range(const struct reader *r, struct module *mod, size_t offset, bool is_init)
{
	struct module_range *range = &mod->ranges[mod->nranges];

	if (mod->nranges == MODULE_RANGES || offset + r->range_bytes > r->span)
		return;
	range->base = field_get(&r->base, r->buf + offset);
	range->size = field_get(&r->size, r->buf + offset);
	range->is_init = is_init;
	if (range->base && range->size)
		mod->nranges++;
}

static uint64_t end_of(const struct reader *r, size_t offset, const struct field *size)
{
	if (!size->present || offset + r->range_bytes > r->span)
		return 0;
	return field_get(&r->base, r->buf + offset) + field_get(size, r->buf + offset);
}

static void add_ranges(const struct reader *r, struct module *mod)
{
	const struct field *mem = &r->f[M_MEM];
	static const unsigned int layouts[] = { M_CORE, M_INIT };

	for (uint64_t i = 0; mem->present && (i + 1) * r->range_bytes <= mem->size; i++) {
		size_t at = mem->offset + i * r->range_bytes;

		add_range(r, mod, at, i >= r->init_text);
		if (i == r->text || i == r->init_text)
			mod->text_end[i == r->init_text] = end_of(r, at, &r->size);
	}
	for (unsigned int i = 0; i < 2; i++) {
		const struct field *layout = &r->f[layouts[i]];

		if (!layout->present)
			continue;
		add_range(r, mod, layout->offset, i);
		mod->text_end[i] = end_of(r, layout->offset, &r->text_size);
	}
}

/* Where its symbols are; a module without them stays in the list. */
static void find_symbols(const struct reader *r, struct module *mod)
{
	uint64_t addr = field_get(&r->f[M_KALLSYMS], r->buf);
	uint8_t buf[64];
	size_t span = layout_span(&r->f[K_SYMTAB], 3);

	if (!addr || !r->f[K_SYMTAB].present || !r->f[K_NUM].present || !r->f[K_STRTAB].present ||
	    span > sizeof(buf) ||
	    dump_read(r->dump, addr, buf, span, "struct mod_kallsyms") != ST_OK)
		return;
	mod->symtab = field_get(&r->f[K_SYMTAB], buf);
	mod->strtab = field_get(&r->f[K_STRTAB], buf);
	mod->nsymtab = field_get(&r->f[K_NUM], buf);
}

static enum status read_module(struct reader *r, uint64_t addr, struct module **ret)
{
	struct dump *d = r->dump;
	const struct field *name = &r->f[M_NAME];
	enum status st = dump_read(d, addr, r->buf, r->span, "struct module");
	struct module *mod;

	if (st != ST_OK)
		return st;
	if (!memchr(r->buf + name->offset, '\0', name->size))
		return dump_corrupt(d, "struct module at %#lx has no name", addr);
	mod = dump_alloc(d, sizeof(*mod));
	mod->name = dump_strdup(d, (char *)r->buf + name->offset);
	mod->address = addr;
	add_ranges(r, mod);
	find_symbols(r, mod);
	*ret = mod;
	return ST_OK;
}

/* The modules that were found so far. */
struct finder {
	struct reader reader;
	struct modules *modules;
	struct module **last;
	struct hash_u64 seen; /* addresses of struct module */
	enum status problem;  /* of the list: the first */
	const char *text;
};

static enum status find_module(struct finder *f, uint64_t addr, unsigned int link, uint64_t *next)
{
	struct reader *r = &f->reader;
	struct module *mod = NULL;
	enum status st;

	if (!hash_u64_add(&f->seen, addr) || f->seen.n > MAX_MODULES)
		return dump_corrupt(r->dump, "the list of modules loops");
	st = read_module(r, addr, &mod);
	if (st != ST_OK)
		return st;
	*next = le64(r->buf + r->f[M_LIST].offset + link);
	if ((int64_t)field_get(&r->f[M_STATE], r->buf) == r->unformed)
		return ST_OK;
	*f->last = mod;
	f->last = &mod->next;
	f->modules->n++;
	decoder_trace(r->dump, "module %s: %u ranges, %u symbols", mod->name, mod->nranges,
		      mod->nsymtab);
	return ST_OK;
}

/* Forward or, with link 8, backward: up to the end, a hole or a module that is known. */
static enum status walk_modules(struct finder *f, uint64_t head, unsigned int link)
{
	struct dump *d = f->reader.dump;
	uint64_t next, addr;
	enum status st = dump_u64(d, head + link, &next, "modules");

	while (st == ST_OK && next != head) {
		addr = next - f->reader.f[M_LIST].offset;
		if (link && hash_u64_has(&f->seen, addr))
			break;
		st = find_module(f, addr, link, &next);
	}
	return st;
}

static enum status add_of_tree(void *arg, uint64_t module)
{
	struct finder *f = arg;
	uint64_t next;

	if (!module || hash_u64_has(&f->seen, module) || f->seen.n >= MAX_MODULES)
		return ST_OK;
	find_module(f, module, 0, &next);
	return ST_OK;
}

/* What is behind a module that cannot be read. */
static enum status find_behind(struct finder *f, uint64_t head)
{
	struct dump *d = f->reader.dump;

	f->text = dump_why(d);
	walk_modules(f, head, 8);
	module_tree_walk(d, add_of_tree, f);
	return dump_fail(d, f->problem, "%s", f->text);
}

enum status modules_open(struct dump *d, struct modules *ret)
{
	struct modules m = { .dump = d };
	struct finder f = { .reader.dump = d, .modules = &m, .last = &m.first };
	uint64_t head;
	enum status st;

	*ret = m;
	hash_u64_init(&f.seen, d->arena, 0);
	/* Others name struct module without CONFIG_MODULES, too: 6.17 and later. */
	st = dump_has_both(d, "modules", "struct load_info") ?:
		open_reader(d, &f.reader) ?:
		dump_symbol(d, "modules", &head);
	if (st != ST_OK)
		return st;
	if (f.reader.f[M_KALLSYMS].present &&
	    (!f.reader.f[K_SYMTAB].present || !f.reader.f[K_NUM].present ||
	     !f.reader.f[K_STRTAB].present))
		dump_lacks(d, "names of functions of modules", ST_UNKNOWN,
			   "unknown layout: struct mod_kallsyms");
	st = f.problem = walk_modules(&f, head, 0);
	if (st == ST_UNREADABLE || st == ST_CORRUPT)
		st = find_behind(&f, head);
	*ret = m;
	return st;
}

struct module *modules_find(const struct modules *m, uint64_t addr)
{
	struct module *mod = m->first;

	while (mod && !module_has(mod, addr))
		mod = mod->next;
	return mod;
}

ORDER_BY(by_value, struct module_symbol, COMPARE(x->value, y->value) ?: COMPARE(x->index, y->index))

static enum status load_symbols(struct dump *d, struct module *mod)
{
	Elf64_Sym *raw;
	enum status st;

	if (!mod->nsymtab || mod->nsymtab > MAX_MODULE_SYMBOLS)
		return dump_corrupt(d, "module %s has %u symbols", mod->name, mod->nsymtab);
	raw = dump_alloc(d, mod->nsymtab * sizeof(*raw));
	mod->symbols = dump_alloc(d, mod->nsymtab * sizeof(*mod->symbols));
	st = dump_read(d, mod->symtab, raw, mod->nsymtab * sizeof(*raw), "a module's symbols");
	if (st != ST_OK)
		return st;
	/* The first symbol is ELF's null. */
	for (uint32_t i = 1; i < mod->nsymtab; i++) {
		if (raw[i].st_shndx == SHN_UNDEF)
			continue;
		mod->symbols[mod->n++] = (struct module_symbol){ .value = raw[i].st_value,
								 .name = raw[i].st_name,
								 .size = (uint32_t)raw[i].st_size,
								 .index = i };
	}
	qsort(mod->symbols, mod->n, sizeof(*mod->symbols), by_value);
	mod->loaded = true;
	return ST_OK;
}

/* Unnamed and mapping symbols are not printed (include/linux/module_symbol.h). */
static bool is_printed(const char *name)
{
	return *name && *name != '$' && strncmp(name, ".L", 2) && strncmp(name, "L0", 2);
}

static enum status symbol_name(struct dump *d, const struct module *mod, uint32_t i, char *name)
{
	return dump_string(d, mod->strtab + mod->symbols[i].name, name, MAX_NAME,
			   "a module's symbol name");
}

/*
 * End of the symbol at index i: the next printed one, else the end of the text, where the kernel ends
 * the last symbol of data as well (find_kallsyms_symbol() in kernel/module/kallsyms.c).
 */
static uint64_t symbol_end(struct dump *d, const struct module *mod, uint32_t i, uint64_t addr)
{
	char name[MAX_NAME];
	uint64_t end = addr;

	for (unsigned int r = 0; r < mod->nranges; r++) {
		const struct module_range *range = &mod->ranges[r];
		uint64_t text_end = mod->text_end[range->is_init];

		if (addr - range->base < range->size)
			end = text_end ? text_end : range->base + range->size;
	}
	for (uint32_t next = i + 1; next < mod->n && mod->symbols[next].value < end; next++)
		if (mod->symbols[next].value > addr && symbol_name(d, mod, next, name) == ST_OK &&
		    is_printed(name))
			return mod->symbols[next].value;
	return end;
}

enum status modules_lookup(struct modules *m, struct module *mod, uint64_t addr, struct symbol *ret)
{
	struct dump *d = m->dump;
	char name[MAX_NAME];
	uint32_t low, best = 0;
	bool found = false;
	enum status st;

	if (!mod->loaded) {
		st = load_symbols(d, mod);
		if (st != ST_OK)
			return st;
	}
	low = COUNT_FRONT(i, mod->n, mod->symbols[i].value <= addr);
	/* The highest value counts, and of equals the one that comes first in the table. */
	while (low--) {
		if (found && mod->symbols[low].value != mod->symbols[best].value)
			break;
		st = symbol_name(d, mod, low, name);
		if (st != ST_OK)
			return st;
		if (!is_printed(name))
			continue;
		best = low;
		found = true;
	}
	if (!found)
		return dump_absent(d, "no symbol at %#lx", addr);
	st = symbol_name(d, mod, best, name);
	if (st != ST_OK)
		return st;
	ret->name = dump_strdup(d, name);
	ret->address = mod->symbols[best].value;
	ret->size = symbol_end(d, mod, best, addr) - ret->address;
	return ST_OK;
}

enum status modules_variable(struct modules *m, struct module *mod, uint64_t addr,
			     struct symbol *ret)
{
	char name[MAX_NAME];
	enum status st = modules_lookup(m, mod, addr, ret);

	for (uint32_t i = 0; st == ST_OK && i < mod->n; i++) {
		if (mod->symbols[i].value != ret->address || !mod->symbols[i].size ||
		    symbol_name(m->dump, mod, i, name) != ST_OK || !is_printed(name))
			continue;
		ret->name = dump_strdup(m->dump, name);
		break;
	}
	return st;
}

uint32_t module_symbol_bytes(const struct module *mod, uint64_t addr)
{
	size_t at = COUNT_FRONT(i, mod->n, mod->symbols[i].value < addr);
	uint32_t ret = 0;

	for (; at < mod->n && mod->symbols[at].value == addr; at++)
		ret = mod->symbols[at].size > ret ? mod->symbols[at].size : ret;
	return ret;
}

/*
 * All names of a module as one block; a page of it that is missing stays 0. Where the
 * string table ends is not said: at the last name.
 */
static enum status read_names(struct dump *d, const struct module *mod, char **ret, size_t *size,
			      bool *complete)
{
	uint64_t page = dump_page_size(d), len;
	size_t n = 0;
	char *names;

	for (uint32_t i = 0; i < mod->n; i++)
		if (mod->symbols[i].name > n)
			n = mod->symbols[i].name;
	if (n > MAX_MODULE_NAMES)
		return dump_corrupt(d, "module %s has a symbol name at %zu", mod->name, n);
	n += MAX_NAME;
	names = dump_alloc(d, n);
	*complete = true;
	for (uint64_t at = 0; at < n; at += len) {
		len = page - ((mod->strtab + at) & (page - 1));
		if (len > n - at)
			len = n - at;
		if (dump_try(d, mod->strtab + at, names + at, len) == ST_OK)
			continue;
		memset(names + at, 0, len);
		/* Behind the last name there may be no page. */
		*complete &= at >= n - MAX_NAME + 1;
	}
	*ret = names;
	*size = n;
	return ST_OK;
}

static void match_symbols(const struct module *mod, const char *table, size_t size,
			  const char *const *names, size_t n, uint64_t *ret)
{
	for (uint32_t i = 0; i < mod->n; i++) {
		const char *name = table + mod->symbols[i].name;
		size_t room = size - mod->symbols[i].name;

		for (size_t k = 0; k < n; k++)
			if (!ret[k] && !strncmp(name, names[k], room) && strlen(names[k]) < room)
				ret[k] = mod->symbols[i].value;
	}
}

enum status modules_symbols(struct modules *m, struct module *mod, const char *const *names,
			    size_t n, uint64_t *ret)
{
	struct dump *d = m->dump;
	bool complete = false;
	char *table = NULL;
	size_t size = 0;
	enum status st;

	memset(ret, 0, n * sizeof(*ret));
	if (!mod->symtab || !mod->strtab || !mod->nsymtab)
		return dump_absent(d, "the kernel keeps no symbols of module %s", mod->name);
	st = mod->loaded ? ST_OK : load_symbols(d, mod);
	st = st ?: read_names(d, mod, &table, &size, &complete);
	if (st != ST_OK)
		return st;
	match_symbols(mod, table, size, names, n, ret);
	if (!complete)
		return dump_unreadable(d,
				       "names of symbols of module %s are not in "
				       "this dump",
				       mod->name);
	return ST_OK;
}

enum status modules_last_unloaded(struct dump *d, char name[MODULE_NAME])
{
	uint64_t addr;
	enum status st = dump_has_both(d, "last_unloaded_module", "struct load_info") ?:
		dump_symbol(d, "last_unloaded_module", &addr) ?:
		dump_string(d, addr, name, MODULE_NAME, "last_unloaded_module");

	if (st == ST_OK && !*name)
		st = dump_absent(d, "no module was unloaded");
	return st;
}

enum { T_TREE, N_MODULE, N_NODES, T_FIELDS };

static const struct layout_row module_tree_rows[T_FIELDS] = {
	[T_TREE] = { "struct mod_tree_root", { "root.tree" }, OPTIONAL, "4.2" },
	[N_MODULE] = { "struct mod_tree_node", { "mod" }, OPTIONAL, "4.2" },
	[N_NODES] = { "struct mod_tree_node", { "node.node" }, OPTIONAL, "4.2" },
};

/* One copy of the tree; node: offset of its rb_nodes in mod_tree_node. Modules that are missing are not told. */
static enum status walk_copy(struct dump *d, const struct rb_types *types, const struct field *f,
			     uint64_t root, uint32_t node,
			     enum status (*visit)(void *arg, uint64_t module), void *arg)
{
	struct rb_nodes n;
	enum status st = ST_OK;
	uint64_t at, module;

	rb_begin(&n, d, types, root, "mod_tree");
	while (st == ST_OK && rb_next(&n, &at))
		if (dump_try(d, at - node + f[N_MODULE].offset, &module, 8) == ST_OK)
			st = visit(arg, module);
	return st;
}

enum status module_tree_walk(struct dump *d, enum status (*visit)(void *arg, uint64_t module),
			     void *arg)
{
	struct rb_types types;
	struct field f[T_FIELDS];
	uint64_t tree, root, node_bytes;
	enum status st = layout_resolve(d, module_tree_rows, T_FIELDS, f)
				 ?: rb_types_open(d, &types);

	if (st == ST_OK && (!dump_has_symbol(d, "mod_tree") || !f[T_TREE].present ||
			    !f[N_MODULE].present || !f[N_NODES].present))
		st = dump_absent(d, "this kernel has no tree of modules");
	st = st ?: dump_symbol(d, "mod_tree", &tree);
	if (st != ST_OK)
		return st;
	/* A latch tree has two copies: a reader uses one while the other changes. */
	node_bytes = f[N_NODES].size / 2;
	if (types.bytes > node_bytes || f[T_TREE].size < 16 || f[N_MODULE].size != 8)
		return dump_unknown(d, "struct mod_tree_node");
	for (unsigned int copy = 0; st == ST_OK && copy < 2; copy++)
		if (dump_try(d, tree + f[T_TREE].offset + copy * 8, &root, 8) == ST_OK)
			st = walk_copy(d, &types, f, root, f[N_NODES].offset + copy * node_bytes,
				       visit, arg);
	return st;
}

enum status module_tree_bounds(struct dump *d, uint64_t *start, uint64_t *end)
{
	static const struct layout_row bounds[2] = {
		{ "struct mod_tree_root", { "addr_min" }, OPTIONAL, "4.2" },
		{ "struct mod_tree_root", { "addr_max" }, OPTIONAL, "4.2" },
	};
	uint64_t tree, first, last;
	struct field f[2];
	enum status st = layout_resolve(d, bounds, 2, f);

	if (st == ST_OK && (!f[0].present || !f[1].present))
		st = dump_absent(d, "this kernel keeps no bounds of modules");
	st = st ?: dump_symbol(d, "mod_tree", &tree) ?:
			dump_u64(d, tree + f[0].offset, &first, "mod_tree") ?:
			dump_u64(d, tree + f[1].offset, &last, "mod_tree");
	if (st != ST_OK)
		return st;
	*start = first;
	*end = last;
	return ST_OK;
}
