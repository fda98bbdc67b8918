// SPDX-License-Identifier: GPL-2.0-or-later
#include "symbols/dwarf_lines.h"

#include <dwarf.h>
#include <stdlib.h>

#define MAX_INLINES 64 /* that are inlined in each other */

struct inline_call {
	const char *symbol; /* of the function put in line; NULL: unknown */
	uint64_t file;	    /* of the call, an index in the table of its unit */
	uint64_t line;	    /* of the call; 0: unknown */
};

#define MAX_DIES 1000000 /* looked at for one address */
#define MAX_DEPTH 512	 /* blocks in each other */

static bool is_scope(int tag)
{
	switch (tag) {
	case DW_TAG_inlined_subroutine:
	case DW_TAG_lexical_block:
	case DW_TAG_try_block:
	case DW_TAG_catch_block:
		return true;
	default:
		return false;
	}
}

static uint64_t number(Dwarf_Die *die, unsigned int name)
{
	Dwarf_Attribute attr;
	Dwarf_Word v;

	return !dwarf_attr(die, name, &attr) || dwarf_formudata(&attr, &v) ? 0 : v;
}

/* The scope among the children that has pc; *dies is what may still be looked at. */
static bool descend(Dwarf_Die *die, uint64_t pc, unsigned int *dies)
{
	Dwarf_Die child;

	if (dwarf_child(die, &child))
		return false;
	do {
		if (!*dies)
			return false;
		--*dies;
		if (is_scope(dwarf_tag(&child)) && dwarf_haspc(&child, pc) == 1) {
			*die = child;
			return true;
		}
	} while (!dwarf_siblingof(&child, &child));
	return false;
}

/* Outermost first; returns how many. ST_CORRUPT: the tree of DIEs does not end. */
static enum status inlines_find(struct dump *d, Dwarf_Die *function, uint64_t pc,
				struct inline_call ret[static MAX_INLINES], unsigned int *n)
{
	Dwarf_Die die = *function;
	unsigned int dies = MAX_DIES, found = 0;

	for (unsigned int depth = 0; descend(&die, pc, &dies); depth++) {
		if (depth == MAX_DEPTH || found == MAX_INLINES)
			return dump_corrupt(d, "functions in line without end");
		if (dwarf_tag(&die) != DW_TAG_inlined_subroutine)
			continue;
		ret[found++] = (struct inline_call){
			.symbol = dwarf_diename(&die),
			.file = number(&die, DW_AT_call_file),
			.line = number(&die, DW_AT_call_line),
		};
	}
	if (!dies)
		return dump_corrupt(d, "a function of more than %d DIEs", MAX_DIES);
	*n = found;
	return ST_OK;
}

#define MAX_UNITS 1000000      /* a kernel has some thousands */
#define MAX_UNIT_DIES 20000000 /* of one unit; with LTO there is one for all */
#define MAX_NAMESPACES 16      /* Rust nests them */
#define POLL 65536
#define MAX_KEPT ((size_t)24 << 20) /* bytes of lines that libdw keeps, about */
#define LINE_BYTES 32		    /* of libdw's for one line */
#define FILE_BYTES 128		    /* and for the name of a file */

static enum status add_ranges(struct dump *d, struct addr_ranges *s, Dwarf_Die *die)
{
	Dwarf_Addr base, low, high;
	ptrdiff_t at = 0;

	while ((at = dwarf_ranges(die, at, &base, &low, &high)) > 0) {
		enum status st = addr_ranges_add(d, s, low, high, dwarf_dieoffset(die));

		if (st != ST_OK)
			return st;
	}
	return ST_OK;
}

static const char *text_of(Dwarf_Die *die, unsigned int name)
{
	Dwarf_Attribute attr;

	return dwarf_attr(die, name, &attr) ? dwarf_formstring(&attr) : NULL;
}

static void look_for_root(struct dwarf_lines *l, Dwarf_Die *unit)
{
	const char *name = dwarf_diename(unit), *base = name ? strrchr(name, '/') : NULL;
	char path[SOURCE_PATH_BYTES], root[SOURCE_PATH_BYTES];

	if (!base || strcmp(base, "/main.c"))
		return;
	if (source_path(text_of(unit, DW_AT_comp_dir), name, path) && source_root(path, root))
		l->root = dump_strdup(l->dump, root);
}

enum status dwarf_lines_open(struct dump *d, Dwarf *dwarf, const char *root,
			     struct dwarf_lines *ret)
{
	struct dwarf_lines l = { .dump = d, .dwarf = dwarf, .root = root };
	Dwarf_CU *cu = NULL;
	Dwarf_Die unit;
	uint8_t type;

	hash_u64_init(&l.functions, d->arena, sizeof(struct addr_ranges));
	hash_u64_init(&l.files, d->arena, sizeof(const char *));
	hash_u64_init(&l.decoded, d->arena, 0);
	for (size_t n = 0; !dwarf_get_units(dwarf, cu, &cu, NULL, &type, &unit, NULL); n++) {
		enum status st;

		if (n == MAX_UNITS)
			return dump_corrupt(d, "more than %d units", MAX_UNITS);
		if (n % 1024 == 0 && dump_stopped(d))
			return dump_fail(d, ST_STOPPED, "interrupted");
		if (type != DW_UT_compile && type != DW_UT_skeleton)
			continue;
		/* Before DWARF 5 a partial unit is one by its tag alone. */
		if (dwarf_tag(&unit) == DW_TAG_partial_unit)
			continue;
		st = add_ranges(d, &l.units, &unit);
		if (st != ST_OK)
			return st;
		if (!l.root)
			look_for_root(&l, &unit);
	}
	if (!l.units.n)
		return dump_absent(d, "no debug information");
	addr_ranges_sort(&l.units);
	*ret = l;
	return ST_OK;
}

/* dies: how many may still be looked at. */
static enum status add_functions(struct dump *d, struct addr_ranges *s, Dwarf_Die *parent,
				 unsigned int depth, size_t *dies)
{
	enum status st = ST_OK;
	Dwarf_Die die;

	if (dwarf_child(parent, &die))
		return ST_OK;
	do {
		int tag = dwarf_tag(&die);

		if (!--*dies)
			return dump_corrupt(d, "a unit of more than %d DIEs", MAX_UNIT_DIES);
		if (*dies % POLL == 0 && dump_stopped(d))
			return dump_fail(d, ST_STOPPED, "interrupted");
		if (tag == DW_TAG_subprogram)
			st = add_ranges(d, s, &die);
		else if (tag == DW_TAG_namespace && depth < MAX_NAMESPACES)
			st = add_functions(d, s, &die, depth + 1, dies);
	} while (st == ST_OK && !dwarf_siblingof(&die, &die));
	return st;
}

/* Functions of a unit, read once; what was read counts even if it ended early. */
static const struct addr_ranges *functions_of(struct dwarf_lines *l, Dwarf_Die *unit)
{
	size_t dies = MAX_UNIT_DIES;
	bool is_new;
	struct addr_ranges *s = hash_u64_get(&l->functions, dwarf_dieoffset(unit), &is_new);

	if (is_new) {
		add_functions(l->dump, s, unit, 0, &dies);
		addr_ranges_sort(s);
	}
	return s;
}

/* A name of libdw's as we show it; NULL: unknown. */
static const char *show_file(struct dwarf_lines *l, Dwarf_Die *unit, const char *name)
{
	char path[SOURCE_PATH_BYTES], dir[SOURCE_PATH_BYTES];
	const char *comp_dir = text_of(unit, DW_AT_comp_dir), *shown, **known;
	bool is_new;

	if (!name)
		return NULL;
	known = hash_u64_get(&l->files, (uintptr_t)name, &is_new);
	if (!is_new)
		return *known;
	if (!source_path(NULL, name, path))
		return NULL;
	shown = source_below(path, l->root);
	if (shown == path && comp_dir && source_path(NULL, comp_dir, dir))
		shown = source_below(path, dir);
	*known = dump_strdup(l->dump, shown);
	return *known;
}

/* Before a unit's lines are decoded: are there too many already? False: the file is gone. */
static bool make_room(struct dwarf_lines *l)
{
	if (l->kept < MAX_KEPT || !l->renew)
		return true;
	l->dwarf = l->renew(l->arg);
	l->kept = 0;
	hash_u64_init(&l->files, l->dump->arena, sizeof(const char *));
	hash_u64_init(&l->decoded, l->dump->arena, 0);
	return l->dwarf;
}

static void count_lines(struct dwarf_lines *l, Dwarf_Die *unit)
{
	size_t nlines = 0, nfiles = 0;
	Dwarf_Lines *lines;
	Dwarf_Files *files;

	if (!hash_u64_add(&l->decoded, dwarf_dieoffset(unit)))
		return;
	if (!dwarf_getsrclines(unit, &lines, &nlines) && !dwarf_getsrcfiles(unit, &files, &nfiles))
		l->kept += nlines * LINE_BYTES + nfiles * FILE_BYTES;
}

static struct src_loc line_at(struct dwarf_lines *l, Dwarf_Die *unit, uint64_t pc)
{
	Dwarf_Line *line = dwarf_getsrc_die(unit, pc);
	struct src_loc p = { 0 };
	int number;

	if (!line)
		return p;
	p.file = show_file(l, unit, dwarf_linesrc(line, NULL, NULL));
	if (p.file && !dwarf_lineno(line, &number) && number > 0)
		p.line = number;
	return p;
}

static struct src_loc call_at(struct dwarf_lines *l, Dwarf_Die *unit, const struct inline_call *c)
{
	struct src_loc p = { 0 };
	Dwarf_Files *files;
	size_t n;

	if (dwarf_getsrcfiles(unit, &files, &n) || c->file >= n || !c->line || c->line > INT32_MAX)
		return p;
	p.file = show_file(l, unit, dwarf_filesrc(files, c->file, NULL, NULL));
	if (p.file)
		p.line = c->line;
	return p;
}

static const char *keep(struct dump *d, const char *name)
{
	return name ? dump_strdup(d, name) : NULL;
}

/* Each call is where the function around it has got to. */
static void put_inlined(struct dwarf_lines *l, Dwarf_Die *unit, const struct inline_call *calls,
			unsigned int n, struct src_lines *ret)
{
	struct src_loc *locs = dump_alloc(l->dump, n * sizeof(*locs)), at = ret->at;

	for (unsigned int i = 0; i < n; i++) {
		const struct inline_call *c = &calls[n - 1 - i];

		locs[i] = at;
		locs[i].symbol = keep(l->dump, c->symbol);
		at = call_at(l, unit, c);
	}
	ret->at = at;
	ret->inlined = locs;
	ret->ninlined = n;
}

static bool is_assembler(Dwarf_Die *unit)
{
	int language = dwarf_srclang(unit);

	return language == DW_LANG_Mips_Assembler;
}

enum status dwarf_lines_find(struct dwarf_lines *l, uint64_t pc, struct src_lines *ret)
{
	struct dump *d = l->dump;
	const struct addr_range *unit_span = addr_ranges_find(&l->units, pc), *span;
	const struct addr_ranges *functions;
	struct inline_call calls[MAX_INLINES];
	struct src_lines s = { 0 };
	Dwarf_Die unit, function;
	enum status st = ST_OK;
	unsigned int n = 0;

	if (!l->dwarf || !unit_span || !make_room(l) ||
	    !dwarf_offdie(l->dwarf, unit_span->what, &unit))
		return dump_absent(d, "no unit has %#lx", pc);
	count_lines(l, &unit);
	s.at = line_at(l, &unit, pc);
	functions = functions_of(l, &unit);
	span = functions ? addr_ranges_find(functions, pc) : NULL;
	if (span && dwarf_offdie(l->dwarf, span->what, &function)) {
		st = inlines_find(d, &function, pc, calls, &n);
		if (st == ST_OK && n)
			put_inlined(l, &unit, calls, n, &s);
		s.knows_inlined = st == ST_OK;
		s.at.symbol = keep(d, dwarf_diename(&function));
	} else {
		s.knows_inlined = is_assembler(&unit);
	}
	*ret = s;
	return ST_OK;
}

#define MAX_SPANS 1000000 /* functions and units with debug information */
#define MAX_OVERLAPS 64	  /* that are looked back through */

enum status addr_ranges_add(struct dump *d, struct addr_ranges *s, uint64_t low, uint64_t high,
			    uint64_t what)
{
	if (low >= high)
		return ST_OK;
	if (s->n >= MAX_SPANS)
		return dump_corrupt(d, "more than %d ranges of addresses", MAX_SPANS);
	s->spans = arena_more(d->arena, s->spans, s->n, sizeof(*s->spans));
	s->spans[s->n++] = (struct addr_range){ low, high, what };
	return ST_OK;
}

ORDER_BY(by_low, struct addr_range, COMPARE(x->low, y->low) ?: COMPARE(x->what, y->what))

void addr_ranges_sort(struct addr_ranges *s)
{
	if (s->n)
		qsort(s->spans, s->n, sizeof(*s->spans), by_low);
}

const struct addr_range *addr_ranges_find(const struct addr_ranges *s, uint64_t addr)
{
	size_t low = COUNT_FRONT(i, s->n, s->spans[i].low <= addr);

	for (unsigned int i = 0; i < MAX_OVERLAPS && low; i++)
		if (addr < s->spans[--low].high)
			return &s->spans[low];
	return NULL;
}

struct path {
	char *buf;
	size_t len;
	bool absolute;
};

/* Where the last component begins. */
static size_t last_component(const struct path *p)
{
	size_t at = p->len;

	while (at && p->buf[at - 1] != '/')
		at--;
	return at;
}

static void drop_last(struct path *p)
{
	p->len = last_component(p);
	/* The slash before it too, but for the root's. */
	if (p->len > (p->absolute ? 1 : 0))
		p->len--;
}

static bool ends_in_parent(const struct path *p)
{
	size_t at = last_component(p);

	return p->len - at == 2 && p->buf[at] == '.' && p->buf[at + 1] == '.';
}

static bool append(struct path *p, const char *name, size_t len)
{
	if (p->len + len + 2 > SOURCE_PATH_BYTES)
		return false;
	if (p->len && p->buf[p->len - 1] != '/')
		p->buf[p->len++] = '/';
	for (size_t i = 0; i < len; i++) {
		unsigned char c = name[i];

		p->buf[p->len++] = c < 0x20 || c == 0x7f ? '?' : c;
	}
	return true;
}

static bool add(struct path *p, const char *text)
{
	while (*text) {
		size_t len = strcspn(text, "/");

		if (len == 2 && !memcmp(text, "..", 2)) {
			if (p->len > (p->absolute ? 1 : 0) && !ends_in_parent(p))
				drop_last(p);
			else if (!p->absolute && !append(p, text, len))
				return false;
		} else if (len && !(len == 1 && *text == '.') && !append(p, text, len)) {
			return false;
		}
		text += len + strspn(text + len, "/");
	}
	return true;
}

bool source_path(const char *dir, const char *name, char buf[static SOURCE_PATH_BYTES])
{
	struct path p = { .buf = buf };

	if (*name == '/')
		dir = NULL;
	p.absolute = dir ? *dir == '/' : *name == '/';
	if (p.absolute)
		buf[p.len++] = '/';
	if ((dir && !add(&p, dir)) || !add(&p, name))
		return false;
	buf[p.len] = '\0';
	return true;
}

const char *source_below(const char *path, const char *dir)
{
	size_t len = dir ? strlen(dir) : 0;

	if (!len || strncmp(path, dir, len))
		return path;
	if (dir[len - 1] == '/')
		return path[len] ? path + len : path;
	return path[len] == '/' && path[len + 1] ? path + len + 1 : path;
}

bool source_root(const char *path, char buf[static SOURCE_PATH_BYTES])
{
	static const char tail[] = "/init/main.c";
	size_t len = strlen(path);

	if (len < strlen(tail) || len >= SOURCE_PATH_BYTES ||
	    strcmp(path + len - strlen(tail), tail))
		return false;
	len -= strlen(tail);
	memcpy(buf, path, len);
	buf[len] = '\0';
	return true;
}
