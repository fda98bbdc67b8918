// SPDX-License-Identifier: GPL-2.0-or-later
/* memowner vmalloc: areas of the kernel's vmalloc space, by the function that made them. */
#include "pageowner/class_counters.h"
#include "vm/kstacks.h"
#include "pageowner/view.h"

struct module_areas {
	const struct modules *modules;
	uint64_t start, end; /* what memory of all modules of the list lies in */
	/* The same since boot, where a module of the list is missing; else both are 0. */
	uint64_t bounds_start, bounds_end;
};

static void module_areas_open(struct dump *d, const struct symbolizer *s, struct module_areas *ret)
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

/* Several modules share an area of execmem_alloc() (6.10 and later). */
static bool module_areas_have(const struct module_areas *m, const struct vm_area *area)
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

/* An area of vmalloc() may be memory of a module that is missing from the list. */
static bool module_areas_may_have(const struct module_areas *m, const struct vm_area *area)
{
	return m->bounds_end && area->flags & VM_ALLOC && area->address <= m->bounds_end &&
	       area->address + area->size > m->bounds_start;
}

#define FLAGS_BYTES 64 /* names of the flags of one area */

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

/* Members: areas, with what is looked up of them. */
struct area {
	const char *caller, *symbol, *flags; /* NULL: none */
	const char *module, *kind;	     /* NULL: unknown */
	struct address_span at;
	uint64_t phys, size, pages;
	bool has_pages; /* false: a page table of it is not in this dump */
};

#define AREA struct area

/* What was freed, or is of vm_map_ram(), has no vm_struct, and so no caller and no flags. */
CAN_HAVE(has_caller, AREA, void, r->caller)
CELL_FROM(at_cell, AREA, cell_span(&r->at))

static const struct view_column members[] = {
	{ COLUMN_caller, OR_NONE, TEXT_OF(AREA, caller) },
	{ COLUMN_module, 0, .can_have = has_caller, TEXT_OF(AREA, module) },
	{ COLUMN_kind, 0, TEXT_OF(AREA, kind) },
	{ COLUMN_address, 0, CELL_BY(at_cell) },
	{ COLUMN_vm_flags, OR_NONE, TEXT_OF(AREA, flags) },
	{ COLUMN_phys, OR_NONE, HEX_NONZERO(AREA, phys) },
	{ COLUMN_symbol, OR_NONE, TEXT_OF(AREA, symbol) },
	{ COLUMN_pages, 0, UINT_IF(AREA, pages, has_pages) },
	{ COLUMN_bytes, 0, PAGES_IF(AREA, pages, has_pages) },
	{ COLUMN_space_bytes, 0, UINT_OF(AREA, size) },
};

#define IF_ALL "if all areas of the group have the same"

static const struct view_column columns[] = {
	{ COLUMN_pages, IN_BOTH, "that belong to the areas", SUM_OF(COLUMN_pages) },
	{ COLUMN_bytes, IN_BOTH, "of these pages", SUM_OF(COLUMN_bytes) },
	{ COLUMN_ram_percent, IN_TEXT, SUM_SHARE_OF(COLUMN_pages) },
	{ COLUMN_areas, IN_BOTH | KNOWN, MEMBERS },
	{ COLUMN_largest_bytes, IN_BOTH | KNOWN, MOST_OF(COLUMN_space_bytes) },
	{ COLUMN_space_bytes, IN_JSON | KNOWN, SUM_OF(COLUMN_space_bytes) },
	{ COLUMN_kind, IN_BOTH, IF_ALL, .width = 10, .choices = kind_names,
	  COMMON_OF(COLUMN_kind) },
	{ COLUMN_vm_flags, IN_JSON, IF_ALL, COMMON_OF(COLUMN_vm_flags) },
	{ COLUMN_address, IN_JSON, "of the area, in a group of one", COMMON_OF(COLUMN_address) },
	{ COLUMN_phys, IN_JSON, "of ioremap(), " IF_ALL, COMMON_OF(COLUMN_phys) },
	{ COLUMN_module, IN_JSON, "of the caller; " IF_ALL, COMMON_OF(COLUMN_module) },
	{ COLUMN_symbol, IN_JSON, "of the caller; " IF_ALL, COMMON_OF(COLUMN_symbol) },
	{ COLUMN_caller, IN_BOTH, "noted in the area; " IF_ALL, COMMON_OF(COLUMN_caller) },
	BASIS(derived),
};

#define TOTAL struct class_total

static const struct view_column total_columns[] = {
	{ COLUMN_name, IN_BOTH | KNOWN, TEXT_OF(TOTAL, name) },
	{ COLUMN_pages, IN_BOTH, UINT_IF(TOTAL, pages, has_pages) },
	{ COLUMN_counted_pages, IN_BOTH | SIGNED, INT_IF(TOTAL, count.pages, count.known) },
	{ COLUMN_difference_pages, IN_BOTH, INT_IF(TOTAL, difference, has_difference) },
	{ COLUMN_cause, IN_BOTH, TEXT_OF(TOTAL, count.cause) },
	BASIS(derived),
};

#define BOTH (KEY_FILTERS | KEY_GROUPS)

enum { BY_CALLER, BY_MODULE, BY_KIND, BY_ADDRESS };

static const struct key area_keys[] = {
	[BY_CALLER] = { COLUMN_caller, "function that the area notes as its caller", BOTH,
			.is_function = true },
	[BY_MODULE] = { COLUMN_module, "module of the caller, vmlinux without one", BOTH },
	[BY_KIND] = { COLUMN_kind, "use of the area", BOTH, .choices = kind_names },
	[BY_ADDRESS] = { COLUMN_address,
			 "address of the area, for -f any in it: one row for each area", BOTH },
	{ COLUMN_bytes, "bytes of all pages of the group", KEY_OF_GROUP },
};

static void prepare(struct cmdline *in)
{
	bool by_caller = !in->ngroups, by_kind = by_caller;

	for (size_t i = 0; i < in->ngroups; i++) {
		by_caller |= in->groups[i] == BY_CALLER || in->groups[i] == BY_ADDRESS;
		by_kind |= in->groups[i] != BY_MODULE && in->groups[i] != BY_CALLER;
	}
	if (!in->opts.json) {
		rows_hide(in, (const enum column_id[]){ COLUMN_caller,
							by_kind ? COLUMN_NONE : COLUMN_kind,
							COLUMN_NONE });
		rows_show_groups(in,
				 (const enum column_id[]){ by_caller ? COLUMN_caller : COLUMN_NONE,
							   COLUMN_NONE });
	}
	if (in->ngroups)
		return;
	in->groups[in->ngroups++] = BY_CALLER;
	in->groups[in->ngroups++] = BY_KIND;
}

static const struct view total_view = { "vmalloc-total", "", COLUMNS_OF(total_columns) };

struct view_areas {
	struct owner_view *v;
	struct vm_layout layout;
	struct kstacks stacks;
	struct percpu_pages percpu;
	struct module_areas modules;
	struct pfnset stack_pages, percpu_pages;
	uint64_t used;		 /* pages that VmallocUsed counts */
	uint64_t tags;		 /* vm_struct of the alloc tags of modules, or 0 */
	uint64_t tag_pages;	 /* its pages */
	uint64_t filled;	 /* pages of areas that are being filled */
	uint64_t nfilled;	 /* these areas */
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

static void set_caller(struct view_areas *a, uint64_t caller, struct area *ret)
{
	const struct frame *frame = caller ? symbolize(&a->v->stacks.symbols, caller) : NULL;
	struct hash_bytes *texts = &a->v->texts;
	char text[640];

	if (!frame)
		return;
	ret->caller = intern(texts, function_text(frame, text, sizeof(text)));
	ret->symbol = intern(texts, frame_text(frame, text, sizeof(text)));
	if (frame->label == LABEL_GONE)
		ret->module = intern(texts, "[gone]");
	else if (frame->label != LABEL_UNKNOWN)
		ret->module = intern(texts, frame->module ?: "vmlinux");
}

static struct area describe(struct view_areas *a, const struct vm_area *area, enum area_kind kind)
{
	struct area ret = { .kind = kind == AREA_UNKNOWN ? NULL : kind_names[kind],
			    .at = { area->address, area->address + area->size - !!area->size },
			    .phys = area->phys };
	struct strbuf s = STRBUF_OF(FLAGS_BYTES);

	for (size_t i = 0; i < ARRAY_SIZE(flag_words); i++)
		if (area->flags & flag_words[i].flag)
			strbuf_add(&s, "%s%s", strbuf_between(&s, ","), flag_words[i].text);
	ret.flags = area->vm ? intern(&a->v->texts, s.buf) : NULL;
	set_caller(a, area->caller, &ret);
	return ret;
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
			a->percpu_problem = dump_why(a->v->dump);
		return false;
	}
	*ret = a->percpu_pages.n - before;
	return true;
}

static enum status add_area(void *arg, const struct vm_area *area)
{
	struct view_areas *a = arg;
	enum area_kind kind = kind_of(a, area);
	uint64_t pages, filled;
	bool known = count_pages(a, area, kind, &pages);
	struct area member;

	a->unknown_kinds += kind == AREA_UNKNOWN;
	if (area->vm && area->vm == a->tags)
		a->tag_pages = pages;
	if (vm_area_filled(a->v->dump, area, &filled) == ST_OK)
		a->filled += filled;
	a->nfilled += area->flags & VM_ALLOC && !area->nr_pages && kind == AREA_VMALLOC;
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
	member = describe(a, area, kind);
	member.size = area->size;
	member.pages = pages;
	member.has_pages = known;
	rows_add(a->v->in, &member, a);
	return ST_OK;
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

static struct class_total total_of(const struct view_areas *a, const char *name, bool known,
				   enum page_class class, uint64_t pages)
{
	struct class_pages found = { 0 };
	struct class_total total;

	found.pages[class] = pages;
	total = class_total(a->v, &found, class, name, known);
	if (total.has_difference && total.difference && class == CLASS_VMALLOC)
		total.count.cause = vmalloc_cause(a, total.difference);
	return total;
}

static void put_totals(struct view_areas *a)
{
	bool known = !a->problem, has_percpu = known && a->percpu.maker && !a->unknown_percpu;
	const struct class_total totals[] = {
		total_of(a, "VmallocUsed", known, CLASS_VMALLOC, a->used),
		total_of(a, "Percpu", has_percpu, CLASS_PERCPU, a->percpu_pages.n),
	};

	rows_put_below(&a->v->report, a->v->in, &total_view, totals, a->percpu.has_areas ? 2 : 1,
		       sizeof(totals[0]), a);
}

static void put_end(struct view_areas *a, enum status st)
{
	struct owner_view *v = a->v;
	struct report *r = &v->report;
	bool of_task = a->stacks.problem.text;
	const struct gap gaps[] = {
		GAP_WHY("areas of vmalloc are missing: %s", a->problem),
		{ of_task ? "%s a stack of a thread or not: unknown, tasks are missing: %s"
			  : "%s memory of a module or not: unknown, modules are missing",
		  a->unknown_kinds, "area is", "areas are", a->stacks.problem.text,
		  .keeps_sizes = true },
		{ "pages of %s of per-CPU memory are unknown: %s", a->unknown_percpu, "area",
		  "areas", a->percpu_problem, .keeps_sizes = true },
	};

	rows_put_kept(r, v->in);
	for (unsigned int i = 0; i < v->in->filters.n; i++)
		if (v->in->filters.filters[i].key == BY_MODULE &&
		    filter_lacks(&v->in->filters.filters[i], NULL))
			report_warn(r, "module is that of the caller: memory that modules "
				       "themselves are in is of kind exec");
	if (!v->in->opts.json && a->ram_areas)
		sink_printf(v->out, "%s of vm_map_ram() with %s: mapped pages of others\n",
			    COUNT_OF(a->ram_areas, "area"), SIZE_TEXT(a->ram_bytes));
	if (!v->in->opts.json && a->unpurged)
		sink_printf(v->out, "%s with %s not unmapped yet: their pages are free\n",
			    COUNT_OF(a->unpurged, "freed area"), SIZE_TEXT(a->unpurged_bytes));
	if (!v->in->opts.json && a->nfilled)
		sink_printf(v->out, "%s of vmalloc() without pages: not filled yet, or freed\n",
			    COUNT_OF(a->nfilled, "area"));
	if (!v->in->opts.json && v->in->ngroups)
		sink_text(v->out,
			  "when areas were made is not recorded: no vm_struct has a time\n");
	REPORT_GAPS(r, gaps);
	report_end(r, NULL, st == ST_OK && !v->stacks.symbols.problem && !v->owner.ram.derived);
}

static enum status open_view(void *arg, enum availability *why)
{
	struct owner_view *v = arg;
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
	percpu_pages_open(d, &a->percpu);
	module_areas_open(a->v->dump, &a->v->stacks.symbols, &a->modules);
	/* It is filled by hand, and not counted in nr_vmalloc_pages (lib/alloc_tag.c, 6.13). */
	if (dump_has_symbol(d, "vm_module_tags") &&
	    dump_symbol(d, "vm_module_tags", &variable) == ST_OK)
		dump_u64(d, variable, &a->tags, "vm_module_tags");
	return kstacks_open(&a->layout, &a->stack_pages, &a->stacks);
}

static enum status show(void *arg)
{
	struct owner_view *v = arg;
	struct view_areas *a = dump_alloc(v->dump, sizeof(*a));
	enum status st;

	a->v = v;
	v->in->table.whole = ram_base(&v->owner.ram);
	st = open_areas(a);
	if (st == ST_STOPPED)
		return st;
	if (st != ST_OK) {
		report_no_data(&v->report, availability_of(st));
		return ST_OK;
	}
	owner_view_counters(v);
	st = vm_areas_walk(&a->layout, add_area, a);
	if (st != ST_OK)
		a->problem = dump_why(v->dump);
	rows_show(&v->report, v->in);
	put_totals(a);
	put_end(a, st);
	return st == ST_STOPPED ? st : ST_OK;
}

const struct view owner_areas_view = {
	"vmalloc",
	"",
	COLUMNS_OF(columns),
	KEYS_OF(area_keys),
	.has_groups = true,
	.prepare = prepare,
	.below = &total_view,
	ROWS_ARE("group", "groups", "pages,space_bytes,caller", 10),
	MEMBERS_ARE("area", "areas"),
	SUMS_UP(members),
	.open = open_view,
	.show = show,
};
