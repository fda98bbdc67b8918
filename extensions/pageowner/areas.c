// SPDX-License-Identifier: GPL-2.0-or-later
/* pageowner -t vmalloc: areas of the kernel's vmalloc space, by the function that made them. */
#include <string.h>

#include "class_counters.h"
#include "cli/rows.h"
#include "vm/kstacks.h"
#include "vm/percpu_pages.h"
#include "vm/vmalloc.h"
#include "zones/vmstat.h"
#include "module_areas.h"
#include "util/strbuf.h"
#include "util/units.h"
#include "view.h"

#define FLAGS_BYTES 64

static const char *const kind_names[] = { "vmalloc",  "kstack",	 "percpu", "exec",
					  "vmap",     "ioremap", "sparse", "vm_map_ram",
					  "unpurged", "other",	 NULL };

enum area_kind {
	AREA_VMALLOC,
	AREA_KSTACK,
	AREA_PERCPU,
	AREA_EXEC,
	AREA_VMAP,
	AREA_IOREMAP,
	AREA_SPARSE,
	AREA_RAM,
	AREA_UNPURGED, /* as /proc/vmallocinfo calls it: freed, and not unmapped yet */
	AREA_OTHER,
	AREA_UNKNOWN, /* vmalloc, or kstack or exec */
	AREA_KINDS
};

/* Keys that all areas of a group may have in common: those before WORD_FLAGS make groups. */
enum { BY_CALLER, BY_MODULE, BY_KIND, BY_ADDRESS, WORD_FLAGS, WORD_PHYS, WORD_SYMBOL, WORDS };
#define BY_SIZE WORD_FLAGS

struct group {
	uint64_t areas, pages, space, largest;
	bool has_pages; /* false: the page tables of an area are not in this dump */
	uint64_t words[WORDS];
};

static const char *word_text(uint64_t word)
{
	return word == VALUE_UNKNOWN ? NULL : (const char *)(uintptr_t)word;
}

#define ROW struct group

CELL_FROM(kind_cell, ROW, cell_text(word_text(r->words[BY_KIND])))
CELL_FROM(flags_cell, ROW, cell_text(word_text(r->words[WORD_FLAGS])))
CELL_FROM(module_cell, ROW, cell_text(word_text(r->words[BY_MODULE])))
CELL_FROM(symbol_cell, ROW, cell_text(word_text(r->words[WORD_SYMBOL])))
CELL_FROM(caller_cell, ROW, cell_text(word_text(r->words[BY_CALLER])))
CELL_FROM(address_cell, ROW, cell_if(r->areas == 1, cell_hex(r->words[BY_ADDRESS])))
CELL_FROM(phys_cell, ROW,
	  cell_if(r->words[WORD_PHYS] != VALUE_UNKNOWN, cell_hex(r->words[WORD_PHYS])))

#define IF_ALL "if all areas of the group have the same"

static const struct view_column columns[] = {
	{ COLUMN_pages, IN_BOTH, "that belong to the areas", UINT_IF(ROW, pages, has_pages) },
	{ COLUMN_bytes, IN_BOTH, "of these pages", PAGES_IF(ROW, pages, has_pages) },
	{ COLUMN_ram_percent, IN_TEXT, SHARE_IF(ROW, pages, has_pages) },
	{ COLUMN_areas, IN_BOTH | KNOWN, UINT_OF(ROW, areas) },
	{ COLUMN_largest_bytes, IN_BOTH | KNOWN, UINT_OF(ROW, largest) },
	{ COLUMN_space_bytes, IN_JSON | KNOWN, UINT_OF(ROW, space) },
	{ COLUMN_kind, IN_BOTH, IF_ALL, .width = 10, .choices = kind_names, CELL_BY(kind_cell) },
	{ COLUMN_vm_flags, IN_JSON, IF_ALL, CELL_BY(flags_cell) },
	{ COLUMN_address, IN_JSON, "of the area, in a group of one", CELL_BY(address_cell) },
	{ COLUMN_phys, IN_JSON, "of ioremap(), " IF_ALL, CELL_BY(phys_cell) },
	{ COLUMN_module, IN_JSON, "of the caller; " IF_ALL, CELL_BY(module_cell) },
	{ COLUMN_symbol, IN_JSON, "of the caller; " IF_ALL, CELL_BY(symbol_cell) },
	{ COLUMN_caller, IN_BOTH, "noted in the area; " IF_ALL, CELL_BY(caller_cell) },
};

struct area_total {
	const char *name, *cause;
	uint64_t pages;
	int64_t counted, difference;
	bool has_pages, has_counted, has_both;
};

#define TOTAL struct area_total

static const struct view_column total_columns[] = {
	{ COLUMN_name, IN_BOTH | KNOWN, TEXT_OF(TOTAL, name) },
	{ COLUMN_pages, IN_BOTH, UINT_IF(TOTAL, pages, has_pages) },
	{ COLUMN_counted_pages, IN_BOTH | SIGNED, INT_IF(TOTAL, counted, has_counted) },
	{ COLUMN_difference_pages, IN_BOTH, INT_IF(TOTAL, difference, has_both) },
	{ COLUMN_cause, IN_BOTH, TEXT_OF(TOTAL, cause) },
};

#define BOTH (KEY_FILTERS | KEY_GROUPS)

static const struct key area_keys[] = {
	[BY_CALLER] = { COLUMN_caller, "function that the area notes as its caller", BOTH,
			.is_text = true },
	[BY_MODULE] = { COLUMN_module, "module of the caller, vmlinux without one", BOTH,
			.is_text = true },
	[BY_KIND] = { COLUMN_kind, "use of the area", BOTH, .is_text = true,
		      .choices = kind_names },
	[BY_ADDRESS] = { COLUMN_address, "address of the area: one row for each area", BOTH,
			 .quantity = RANGE_HEX },
	[BY_SIZE] = { COLUMN_bytes, "bytes of all pages of the group", KEY_OF_GROUP,
		      .quantity = RANGE_SIZE },
};

static void prepare(struct cmdline *in)
{
	bool by_caller = !in->ngroups, by_kind = by_caller;

	for (size_t i = 0; i < in->ngroups; i++) {
		by_caller |= in->groups[i] == BY_CALLER || in->groups[i] == BY_ADDRESS;
		by_kind |= in->groups[i] != BY_MODULE && in->groups[i] != BY_CALLER;
	}
	if (in->opts.json)
		return;
	table_hide(&in->table, table_index(&in->table, COLUMN_caller));
	if (!by_kind)
		table_hide(&in->table, table_index(&in->table, COLUMN_kind));
	rows_show_groups(in, (const enum column_id[]){ by_caller ? COLUMN_caller : COLUMN_NONE,
						       COLUMN_NONE });
}

static const struct view total_view = { "vmalloc-total", "-t vmalloc", COLUMNS_OF(total_columns) };

const struct view owner_areas_view = {
	"vmalloc",
	"-t vmalloc",
	COLUMNS_OF(columns),
	KEYS_OF(area_keys),
	.has_groups = true,
	.prepare = prepare,
	.below = &total_view,
	.filters_rows = true,
	ROWS_ARE("group", "groups", "pages,space_bytes,caller", 10),
};

struct view_areas {
	struct owner_view *v;
	struct vm_layout layout;
	struct kstacks stacks;
	struct percpu_pages percpu;
	struct module_areas modules;
	struct pfnset stack_pages, percpu_pages;
	size_t keys[GROUP_KEYS], nkeys;
	struct hash_bytes groups; /* of struct group */
	uint64_t areas, kept;
	uint64_t used;		 /* pages that VmallocUsed counts */
	uint64_t tags;		 /* vm_struct of the alloc tags of modules, or 0 */
	uint64_t tag_pages;	 /* its pages */
	uint64_t filled;	 /* pages of areas that are being filled */
	uint64_t unknown_kinds;	 /* areas that are vmalloc, or kstack or exec */
	uint64_t unknown_percpu; /* areas of per-CPU memory with an unreadable page table */
	const char *percpu_problem;
	uint64_t ram_areas, ram_bytes; /* of vm_map_ram() */
	uint64_t unpurged, unpurged_bytes;
	const char *problem; /* why areas are missing; NULL: none is */
};

static const struct {
	uint64_t flag;
	const char *text;
} flag_words[] = {
	/* As /proc/vmallocinfo has them, in its order. */
	{ VM_IOREMAP, "ioremap" }, { VM_SPARSE, "sparse" }, { VM_ALLOC, "vmalloc" },
	{ VM_MAP, "vmap" },	   { VM_USERMAP, "user" },  { VM_DMA_COHERENT, "dma-coherent" },
};

static uint64_t text_word(struct view_areas *a, const char *text)
{
	text = intern(&a->v->texts, text);
	return text ? (uint64_t)(uintptr_t)text : VALUE_UNKNOWN;
}

static enum area_kind kind_of(const struct view_areas *a, const struct vm_area *area)
{
	if (area->is_lazy)
		return AREA_UNPURGED;
	if (!area->vm)
		return AREA_RAM;
	if (percpu_pages_have(&a->percpu, area))
		return AREA_PERCPU;
	if (area->flags & VM_ALLOC && kstacks_have(&a->stacks, area))
		return AREA_KSTACK;
	if (area->flags & VM_FLUSH_RESET_PERMS ||
	    (area->flags & VM_ALLOC && module_areas_have(&a->modules, area)))
		return AREA_EXEC;
	if (vm_area_owns(area) && kstacks_may_have(&a->stacks, area))
		return AREA_UNKNOWN;
	if (module_areas_may_have(&a->modules, area))
		return AREA_UNKNOWN;
	if (area->flags & VM_ALLOC)
		return AREA_VMALLOC;
	if (area->flags & VM_MAP)
		return AREA_VMAP;
	if (area->flags & VM_IOREMAP)
		return AREA_IOREMAP;
	return area->flags & VM_SPARSE ? AREA_SPARSE : AREA_OTHER;
}

static void set_caller(struct view_areas *a, uint64_t caller, uint64_t words[WORDS])
{
	const struct frame *frame = caller ? symbolize(&a->v->stacks.symbols, caller) : NULL;
	char text[640];

	words[BY_CALLER] = words[BY_MODULE] = words[WORD_SYMBOL] = VALUE_UNKNOWN;
	if (!frame)
		return;
	words[BY_CALLER] = text_word(a, function_text(frame, text, sizeof(text)));
	words[WORD_SYMBOL] = text_word(a, frame_text(frame, text, sizeof(text)));
	if (frame->label == LABEL_GONE)
		words[BY_MODULE] = text_word(a, "[gone]");
	else if (frame->label != LABEL_UNKNOWN)
		words[BY_MODULE] = text_word(a, frame->module ? frame->module : "vmlinux");
}

static void set_words(struct view_areas *a, const struct vm_area *area, enum area_kind kind,
		      uint64_t words[WORDS])
{
	char text[FLAGS_BYTES];
	struct strbuf s;

	strbuf_init(&s, text, sizeof(text));
	for (size_t i = 0; i < sizeof(flag_words) / sizeof(flag_words[0]); i++)
		if (area->flags & flag_words[i].flag)
			strbuf_add(&s, "%s%s", strbuf_between(&s, ","), flag_words[i].text);
	set_caller(a, area->caller, words);
	words[BY_KIND] = kind == AREA_UNKNOWN ? VALUE_UNKNOWN : text_word(a, kind_names[kind]);
	words[BY_ADDRESS] = area->address;
	words[WORD_FLAGS] = area->vm ? text_word(a, text) : VALUE_UNKNOWN;
	words[WORD_PHYS] = area->phys ? area->phys : VALUE_UNKNOWN;
}

static bool keeps_area(const struct view_areas *a, const uint64_t words[WORDS])
{
	const struct filters *filters = &a->v->in->filters;

	for (unsigned int i = 0; i < filters->n; i++) {
		const struct filter *f = &filters->filters[i];
		bool keeps = true;

		if (f->key == BY_CALLER)
			keeps = owner_keeps_caller(f, word_text(words[BY_CALLER]));
		else if (f->key == BY_ADDRESS)
			keeps = filter_keeps_number(f, words[BY_ADDRESS]);
		else if (f->key != BY_SIZE)
			keeps = filter_keeps_text(f, word_text(words[f->key]));
		if (!keeps)
			return false;
	}
	return true;
}

/* False: they are unknown. */
static bool count_pages(struct view_areas *a, const struct vm_area *area, enum area_kind kind,
			uint64_t *ret)
{
	uint64_t before = a->percpu_pages.n;

	*ret = vm_area_owns(area) ? area->nr_pages : 0;
	if (kind != AREA_PERCPU)
		return true;
	if (percpu_pages_add(&a->percpu, area, &a->percpu_pages) != ST_OK) {
		if (!a->unknown_percpu++)
			a->percpu_problem = arena_strdup(a->v->dump->arena, a->v->dump->error);
		return false;
	}
	*ret = a->percpu_pages.n - before;
	return true;
}

static enum status add_to_group(struct view_areas *a, const struct vm_area *area, bool known,
				uint64_t pages, const uint64_t words[WORDS])
{
	uint64_t key[GROUP_KEYS] = { 0 };
	struct hash_bytes_entry *e;
	struct group *g;
	bool is_new;

	for (size_t i = 0; i < a->nkeys; i++)
		key[i] = words[a->keys[i]];
	e = hash_bytes_get(&a->groups, key, a->nkeys * sizeof(key[0]), &is_new);
	if (!e)
		return dump_no_memory(a->v->dump);
	g = e->value;
	g->has_pages = known && (is_new || g->has_pages);
	for (size_t i = 0; i < WORDS; i++) {
		if (is_new)
			g->words[i] = words[i];
		else if (g->words[i] != words[i])
			g->words[i] = VALUE_UNKNOWN;
	}
	g->areas++;
	g->space += area->size;
	g->pages += pages;
	if (area->size > g->largest)
		g->largest = area->size;
	return ST_OK;
}

static enum status add_area(void *arg, const struct vm_area *area)
{
	struct view_areas *a = arg;
	enum area_kind kind = kind_of(a, area);
	uint64_t words[WORDS], pages, filled;
	bool known = count_pages(a, area, kind, &pages);

	a->areas++;
	a->unknown_kinds += kind == AREA_UNKNOWN;
	if (area->vm && area->vm == a->tags)
		a->tag_pages = pages;
	if (vm_area_filled(a->v->dump, area, &filled) == ST_OK)
		a->filled += filled;
	/* What vmap() was given for good was not allocated by vmalloc(). */
	if (area->flags & VM_ALLOC && !(area->flags & VM_MAP_PUT_PAGES) && kind != AREA_PERCPU)
		a->used += pages;
	if (kind == AREA_RAM) {
		a->ram_areas++;
		a->ram_bytes += area->size;
	}
	if (kind == AREA_UNPURGED) {
		a->unpurged++;
		a->unpurged_bytes += area->size;
	}
	set_words(a, area, kind, words);
	if (!keeps_area(a, words))
		return ST_OK;
	a->kept++;
	return add_to_group(a, area, known, pages, words);
}

static const char *vmalloc_cause(const struct view_areas *a, int64_t diff)
{
	if (diff == (int64_t)a->tag_pages)
		return "VmallocUsed does not include the alloc tags of modules";
	if (diff == -(int64_t)a->filled)
		return "VmallocUsed includes an area that was being filled";
	if (diff == (int64_t)(a->tag_pages - a->filled))
		return "an area that was being filled, less the alloc tags of modules";
	return "unknown";
}

static struct area_total total_of(const struct view_areas *a, const char *name, bool known,
				  enum page_class class, uint64_t pages)
{
	struct class_pages found = { 0 };
	struct class_count count;
	struct area_total total = { name, .pages = pages, .has_pages = known };

	found.pages[class] = pages;
	class_count(a->v, &found, class, &count);
	total.has_counted = count.known;
	total.counted = count.pages;
	total.has_both = known && count.known;
	total.difference = (int64_t)pages - count.pages;
	if (total.has_both)
		total.cause = total.difference && class == CLASS_VMALLOC
				      ? vmalloc_cause(a, total.difference)
				      : count.cause;
	return total;
}

static enum status put_totals(struct view_areas *a)
{
	bool known = !a->problem, has_percpu = known && a->percpu.maker && !a->unknown_percpu;
	const struct area_total totals[] = {
		total_of(a, "VmallocUsed", known, CLASS_VMALLOC, a->used),
		total_of(a, "Percpu", has_percpu, CLASS_PERCPU, a->percpu_pages.n),
	};

	return rows_put_below(&a->v->report, a->v->in, &total_view, totals,
			      a->percpu.has_areas ? 2 : 1, sizeof(totals[0]), a);
}

static void put_end(struct view_areas *a, enum status st)
{
	struct owner_view *v = a->v;
	struct report *r = &v->report;
	char n[UNITS_PLURAL], size[UNITS_BYTES];
	bool of_task = a->stacks.problem;
	const struct gap gaps[] = {
		GAP_WHY("areas of vmalloc are missing: %s", a->problem),
		{ of_task ? "%s a stack of a thread or not: unknown, tasks are missing: %s"
			  : "%s memory of a module or not: unknown, modules are missing",
		  a->unknown_kinds, "area is", "areas are", a->stacks.problem },
		{ "pages of %s of per-CPU memory are unknown: %s", a->unknown_percpu, "area",
		  "areas", a->percpu_problem },
	};

	report_kept(r, &v->in->filters, a->kept, a->areas, "area", "areas");
	if (!v->in->opts.json && a->ram_areas) {
		units_size(size, a->ram_bytes);
		sink_printf(v->out, "%s of vm_map_ram() with %s: mapped pages of others\n",
			    units_plural(n, a->ram_areas, "area", "areas"), size);
	}
	if (!v->in->opts.json && a->unpurged) {
		units_size(size, a->unpurged_bytes);
		sink_printf(v->out, "%s with %s not unmapped yet: their pages are free\n",
			    units_plural(n, a->unpurged, "freed area", "freed areas"), size);
	}
	REPORT_GAPS(r, gaps);
	report_end(r, NULL, st == ST_OK && !v->stacks.symbols.problem && !v->owner.ram.derived);
}

enum status owner_areas_open(struct owner_view *v, enum availability *why)
{
	enum status st;

	owner_view_init(v);
	v->owner.dump = v->dump;
	st = ram_open(v->dump, &v->owner.ram);
	*why = availability_of(st);
	if (v->owner.ram.derived)
		report_warn(&v->report, "%s", v->owner.ram.derived);
	if (st == ST_OK)
		symbolizer_open(v->dump, &v->stacks.symbols);
	return st;
}

/* Any status but ST_OK: no area can be read, dump->error says why. */
static enum status open_areas(struct view_areas *a)
{
	struct owner_view *v = a->v;
	struct dump *d = v->dump;
	uint64_t end = v->owner.ram.ranges[v->owner.ram.n - 1].end, variable;
	enum status st = vm_layout_open(d, &a->layout);

	if (st != ST_OK)
		return st;
	a->layout.visits_ram = true;
	pfnset_init(&a->stack_pages, d->arena, end);
	pfnset_init(&a->percpu_pages, d->arena, end);
	hash_bytes_init(&a->groups, d->arena, sizeof(struct group));
	percpu_pages_open(d, &a->percpu);
	module_areas_open(a->v->dump, &a->v->stacks.symbols, &a->modules);
	/* It is filled by hand, and not counted in nr_vmalloc_pages (lib/alloc_tag.c, 6.13). */
	if (dump_has_symbol(d, "vm_module_tags") &&
	    dump_symbol(d, "vm_module_tags", &variable) == ST_OK)
		dump_u64(d, variable, &a->tags, "vm_module_tags");
	memcpy(a->keys, v->in->groups, sizeof(a->keys));
	a->nkeys = v->in->ngroups;
	if (!a->nkeys) {
		a->keys[a->nkeys++] = BY_CALLER;
		a->keys[a->nkeys++] = BY_KIND;
	}
	return kstacks_open(&a->layout, &a->stack_pages, &a->stacks);
}

enum status owner_areas(struct owner_view *v)
{
	struct view_areas *a = dump_alloc(v->dump, sizeof(*a));
	enum status st, filled = ST_OK;

	if (!a)
		return ST_NOMEM;
	a->v = v;
	v->in->table.whole = v->owner.ram.pages;
	st = open_areas(a);
	if (st == ST_NOMEM || st == ST_STOPPED)
		return st;
	if (st != ST_OK) {
		report_no_data(&v->report, availability_of(st));
		return ST_OK;
	}
	owner_view_counters(v);
	st = vm_areas_walk(&a->layout, add_area, a);
	if (st == ST_NOMEM)
		return st;
	if (st != ST_OK)
		a->problem = arena_strdup(v->dump->arena, v->dump->error);
	for (struct hash_bytes_entry *e = a->groups.first; e && filled == ST_OK; e = e->next)
		if (rows_keep_group(v->in, e->value, a) && !row_add(&v->in->table, e->value, a))
			filled = ST_NOMEM;
	if (filled == ST_OK)
		filled = rows_show(&v->report, v->in);
	if (filled == ST_OK)
		filled = put_totals(a);
	if (filled != ST_OK)
		return filled;
	put_end(a, st);
	return st == ST_STOPPED ? st : ST_OK;
}
