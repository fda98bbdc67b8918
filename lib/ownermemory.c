// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Where all memory is: every page of System RAM by its class, beside each the kernel's own
 * counter from the dump, and who owns the pages that are nobody's.
 */
#include <string.h>

#include "counters.h"
#include "ownerview.h"
#include "percpu.h"
#include "units.h"

#define DEFAULT_ROWS 10
#define PROGRESS_PAGES 65536

enum { M_CLASS, M_PAGES, M_BYTES, M_RAM, M_COUNTED, M_DIFF, M_COUNTER, M_CAUSE, M_COLUMNS };

static const struct column columns[M_COLUMNS] = {
	[M_CLASS] = { "class", "CLASS", FORMAT_TEXT, IN_BOTH, .help = "what the pages are" },
	[M_PAGES] = { "pages", "PAGES", .shown = IN_BOTH, .help = "pages of System RAM" },
	[M_BYTES] = { "bytes", "SIZE", FORMAT_SIZE, IN_BOTH, .alias = "size",
		      .help = "the same in bytes" },
	[M_RAM] = { "ram_percent", "RAM%", FORMAT_PERCENT, IN_TEXT, .help = "share of System RAM" },
	[M_COUNTED] = { "counted_pages", "COUNTED", .shown = IN_BOTH,
			.help = "by the kernel's counter" },
	[M_DIFF] = { "difference_pages", "DIFF", .shown = IN_BOTH,
		     .help = "pages - counted_pages" },
	[M_COUNTER] = { "counter", "COUNTER", FORMAT_TEXT, IN_JSON, .help = "which counter" },
	[M_CAUSE] = { "cause", "BECAUSE", FORMAT_TEXT, IN_BOTH,
		      .help = "where a difference comes from" },
};

const struct view owner_memory_view = { "memory", "agfkwRdl", columns, M_COLUMNS,
					.has_groups = false };

struct memory {
	struct owner_view *v;
	uint64_t pages[PAGE_CLASSES];
	uint64_t unreadable; /* without a struct page in this dump */
	struct pfnset live;
	struct coverage cov;
	struct dict callers; /* uint64_t pages by the word of the caller, of direct pages */
};

/* The kernel's counter of a class: a sum of names of /proc/vmstat, or a function. */
struct counted_by {
	const char *plus[2], *minus[2];
	bool (*special)(const struct owner_view *v, int64_t *pages);
	const char *counter;
	/* Whether a difference of that many pages is what cause says; NULL: it has none. */
	bool (*explains)(const struct memory *m, int64_t diff);
	const char *cause;
};

static bool value(const struct owner_view *v, const char *name, int64_t *ret)
{
	struct dump *d = v->dump;
	uint64_t n;

	if (!dump_has_symbol(d, name) || dump_value(d, name, &n) != DUMP_OK)
		return false;
	*ret = (int64_t)n;
	return true;
}

/* atomic_long_t is a structure: its bytes are those of a long. */
static bool atomic(const struct owner_view *v, const char *name, int64_t *ret)
{
	uint64_t addr, n;

	if (dump_symbol(v->dump, name, &addr) != DUMP_OK ||
	    dump_u64(v->dump, addr, &n, name) != DUMP_OK)
		return false;
	*ret = (int64_t)n;
	return true;
}

/* Up to 6.18 a variable of its own (mm/vmalloc.c), then an item of zones' statistics. */
static bool vmalloc_pages(const struct owner_view *v, int64_t *ret)
{
	return atomic(v, "nr_vmalloc_pages", ret) ||
	       counter_read(v->counters, "nr_vmalloc", ret) == DUMP_OK;
}

static bool percpu_pages(const struct owner_view *v, int64_t *ret)
{
	int64_t populated, units;

	if (!value(v, "pcpu_nr_populated", &populated) || !value(v, "pcpu_nr_units", &units) ||
	    __builtin_mul_overflow(populated, units, ret))
		return false;
	return true;
}

/* In KiB. */
static bool stack_pages(const struct owner_view *v, int64_t *ret)
{
	int64_t kib;

	if (counter_read(v->counters, "nr_kernel_stack", &kib) != DUMP_OK)
		return false;
	*ret = (kib << 10) >> v->page_shift;
	return true;
}

static bool reserved_pages(const struct owner_view *v, int64_t *ret)
{
	int64_t managed;

	/* What is derived from the zones cannot be held against them. */
	if (v->owner.ram.derived || !atomic(v, "_totalram_pages", &managed))
		return false;
	*ret = (int64_t)v->owner.ram.pages - managed;
	return true;
}

/* Without a page type of its own large kmalloc is direct. */
static bool is_large_kmalloc(const struct memory *m, int64_t diff)
{
	return diff < 0 && !m->v->states.types.mask[STATE_LARGE_KMALLOC];
}

/* The area of alloc tags is made by hand, and not counted. */
#define TAG_AREA_PAGES 64

static bool is_stacks(const struct memory *m, int64_t diff)
{
	int64_t rest = diff + (int64_t)m->pages[CLASS_KSTACK];

	return rest >= 0 && rest <= TAG_AREA_PAGES;
}

static bool is_swap_cache(const struct memory *m, int64_t diff)
{
	int64_t cached;

	return diff && counter_read(m->v->counters, "nr_swapcached", &cached) == DUMP_OK &&
	       diff >= -cached && diff <= cached;
}

/* It has as many pages of each unit as the kernel could need at boot. */
static bool is_first_chunk(const struct memory *m, int64_t diff)
{
	int64_t units, unit_pages;

	return diff < 0 && value(m->v, "pcpu_nr_units", &units) && units > 0 &&
	       value(m->v, "pcpu_unit_pages", &unit_pages) && unit_pages >= 0 &&
	       -diff % units == 0 && -diff / units <= unit_pages;
}

#define KEPT_STACKS 2  /* NR_CACHED_STACKS in kernel/fork.c, for each CPU */
#define STACK_PAGES 16 /* no thread has more */

static bool is_kept_stacks(const struct memory *m, int64_t diff)
{
	struct percpu cpus;

	return diff > 0 && percpu_open(m->v->dump, &cpus) == DUMP_OK &&
	       diff <= (int64_t)cpus.n * KEPT_STACKS * STACK_PAGES;
}

static const struct counted_by sources[PAGE_CLASSES] = {
	[CLASS_SLAB] = { { "nr_slab_reclaimable", "nr_slab_unreclaimable" },
			 .counter = "Slab",
			 .explains = is_large_kmalloc,
			 .cause = "large kmalloc is direct here: this kernel does not mark it" },
	[CLASS_VMALLOC] = { .special = vmalloc_pages,
			    .counter = "VmallocUsed",
			    .explains = is_stacks,
			    .cause = "for the kernel, stacks of threads are in it" },
	[CLASS_PGTABLE] = { { "nr_page_table_pages", "nr_sec_page_table_pages" },
			    .counter = "PageTables" },
	[CLASS_ANON] = { { "nr_anon_pages" },
			 .counter = "AnonPages",
			 .explains = is_swap_cache,
			 .cause = "the swap cache: for the kernel in file, unless mapped" },
	[CLASS_FILE] = { { "nr_file_pages" },
			 { "nr_shmem", "nr_swapcached" },
			 .counter = "Cached + Buffers - Shmem",
			 .explains = is_swap_cache,
			 .cause = "the swap cache" },
	[CLASS_SHMEM] = { { "nr_shmem" },
			  .counter = "Shmem",
			  .explains = is_swap_cache,
			  .cause = "the swap cache" },
	[CLASS_PERCPU] = { .special = percpu_pages,
			   .counter = "Percpu",
			   .explains = is_first_chunk,
			   .cause = "the first chunk is early memory: reserved" },
	[CLASS_KSTACK] = { .special = stack_pages,
			   .counter = "KernelStack",
			   .explains = is_kept_stacks,
			   .cause = "stacks that CPUs keep for the next thread" },
	[CLASS_ZSMALLOC] = { { "nr_zspages" }, .counter = "Zswapped pool" },
	[CLASS_BUDDY] = { { "nr_free_pages" }, .counter = "MemFree" },
	[CLASS_RESERVED] = { .special = reserved_pages, .counter = "System RAM - MemTotal" },
};

/* The first of each must be there; the others are 0 where a kernel has none. */
static bool count(const struct owner_view *v, const struct counted_by *s, int64_t *ret)
{
	int64_t sum = 0, n;

	if (s->special)
		return s->special(v, ret);
	for (unsigned int i = 0; i < 2; i++) {
		if (s->plus[i] && counter_read(v->counters, s->plus[i], &n) == DUMP_OK)
			sum += n;
		else if (!i)
			return false;
		if (s->minus[i] && counter_read(v->counters, s->minus[i], &n) == DUMP_OK)
			sum -= n;
	}
	*ret = sum;
	return true;
}

static enum status add_live(void *arg, const struct owner_page *page)
{
	struct memory *m = arg;
	enum page_class class;
	struct owner_fact f;
	struct page_info info;
	struct dict_entry *e;
	uint64_t word;
	bool is_new;

	if (page_state_at(&m->v->states, page->pfn, &info) != DUMP_OK)
		return DUMP_OK;
	if (!pfnset_add(&m->live, page->pfn))
		return dump_fail(m->v->dump, DUMP_NOMEM, "out of memory");
	class = page_class_at(m->v->classes, &info, page->pfn, RECORD_LIVE, page->handle);
	m->pages[class]++;
	if (class != CLASS_DIRECT)
		return DUMP_OK;
	owner_fact_init(m->v, page, &f);
	word = owner_word(&f, KEY_CALLER);
	e = dict_get(&m->callers, &word, sizeof(word), &is_new);
	if (!e)
		return dump_fail(m->v->dump, DUMP_NOMEM, "out of memory");
	++*(uint64_t *)e->value;
	return DUMP_OK;
}

/* All others. */
static enum status add_rest(struct memory *m)
{
	struct owner_view *v = m->v;
	const struct ram *ram = &v->owner.ram;
	uint64_t done = 0;

	for (size_t i = 0; i < ram->n; i++)
		for (uint64_t pfn = ram->ranges[i].start; pfn < ram->ranges[i].end; pfn++) {
			struct page_info info;

			if (!(++done & (PROGRESS_PAGES - 1))) {
				if (dump_stopped(v->dump))
					return DUMP_STOPPED;
				if (v->dump->ops->progress)
					v->dump->ops->progress(v->dump->priv, done, ram->pages);
			}
			if (pfnset_has(&m->live, pfn))
				continue;
			if (page_state_at(&v->states, pfn, &info) != DUMP_OK)
				m->unreadable++;
			else
				m->pages[page_class_at(v->classes, &info, pfn, RECORD_NONE, 0)]++;
		}
	return DUMP_OK;
}

static const char *cause_of(const struct memory *m, const struct counted_by *s, int64_t diff)
{
	if (m->v->classes->problem && s->special)
		return "not all that lists its pages is in this dump";
	return s->explains && s->explains(m, diff) ? s->cause : "not known";
}

static enum status add_row(struct memory *m, enum page_class class, const char *name,
			   uint64_t pages)
{
	struct owner_view *v = m->v;
	const struct counted_by *s = &sources[class];
	struct cell *row = table_add(&v->in->table);
	int64_t counted;

	if (!row)
		return DUMP_NOMEM;
	row[M_CLASS] = cell_text(name);
	row[M_PAGES] = cell_uint(pages);
	row[M_BYTES] = cell_uint(pages << v->page_shift);
	row[M_RAM] = cell_uint(units_tenths(pages, v->owner.ram.pages));
	row[M_COUNTER] = cell_text(s->counter);
	if (!s->counter || !v->counters || !count(v, s, &counted))
		return DUMP_OK;
	row[M_COUNTED] = cell_int(counted);
	row[M_DIFF] = cell_int((int64_t)pages - counted);
	if ((int64_t)pages != counted)
		row[M_CAUSE] = cell_text(cause_of(m, s, (int64_t)pages - counted));
	return DUMP_OK;
}

static enum status fill_table(struct memory *m)
{
	const struct opts *o = &m->v->in->opts;
	struct table *t = &m->v->in->table;
	enum status st = DUMP_OK;

	for (unsigned int i = 1; i < PAGE_CLASSES && st == DUMP_OK; i++)
		if (m->pages[i])
			st = add_row(m, i, page_class_names[i], m->pages[i]);
	if (st == DUMP_OK && m->pages[CLASS_UNKNOWN])
		st = add_row(m, CLASS_UNKNOWN, "unknown", m->pages[CLASS_UNKNOWN]);
	if (st == DUMP_OK && m->unreadable)
		st = add_row(m, CLASS_UNKNOWN, "unreadable", m->unreadable);
	return st == DUMP_OK ? table_sort(t, o->sort ? o->sort : "pages", o->reverse) : st;
}

enum { W_PAGES, W_BYTES, W_RAM, W_CALLER, W_COLUMNS };

static const struct column caller_columns[W_COLUMNS] = {
	[W_PAGES] = { "pages", "PAGES", .shown = IN_BOTH, .help = "pages" },
	[W_BYTES] = { "bytes", "SIZE", FORMAT_SIZE, IN_BOTH, .help = "bytes" },
	[W_RAM] = { "ram_percent", "RAM%", FORMAT_PERCENT, IN_TEXT, .help = "share of RAM" },
	[W_CALLER] = { "caller", "DIRECT PAGES ARE ALLOCATED BY", FORMAT_TEXT, IN_BOTH,
		       .help = "function" },
};

/* Who allocated what is nobody's, the biggest first. */
static enum status put_callers(struct memory *m)
{
	struct owner_view *v = m->v;
	struct table t;
	size_t shown;
	enum status st;

	table_init(&t, v->dump, caller_columns, W_COLUMNS, v->in->opts.json);
	for (struct dict_entry *e = m->callers.first; e; e = e->next) {
		struct cell *row = table_add(&t);
		uint64_t pages = *(uint64_t *)e->value, word;

		if (!row)
			return DUMP_NOMEM;
		memcpy(&word, e->key, sizeof(word));
		row[W_PAGES] = cell_uint(pages);
		row[W_BYTES] = cell_uint(pages << v->page_shift);
		row[W_RAM] = cell_uint(units_tenths(pages, v->owner.ram.pages));
		row[W_CALLER] = owner_word_cell(v, KEY_CALLER, word);
	}
	st = table_sort(&t, "pages", false);
	shown = opts_rows(&v->in->opts, DEFAULT_ROWS, t.n);
	if (v->in->opts.json) {
		for (size_t i = 0; i < shown; i++)
			table_json_record(&t, v->out, "direct", t.rows[i]);
		return st;
	}
	sink_text(v->out, t.n ? "\n" : "");
	table_text(&t, v->out, shown);
	if (shown < t.n)
		sink_printf(v->out, "... %zu more (-n 0 shows all)\n", t.n - shown);
	return st;
}

static void open_counters(struct owner_view *v)
{
	struct counters *c = dump_alloc(v->dump, sizeof(*c));

	if (c && counters_open(v->dump, c) == DUMP_OK)
		v->counters = c;
	else
		report_warn(&v->report, "the kernel's counters: %s", v->dump->error);
}

/* Every page was looked at, whether page_owner knows it or not. */
static void put_end(struct memory *m, enum status st)
{
	struct owner_view *v = m->v;
	uint64_t sum = m->unreadable;
	char n[UNITS_BYTES], ram[UNITS_BYTES];

	for (unsigned int i = 0; i < PAGE_CLASSES; i++)
		sum += m->pages[i];
	units_count(n, sum);
	units_count(ram, v->owner.ram.pages);
	if (m->unreadable)
		report_warn(&v->report, "struct page of %llu pages is not in this dump",
			    (unsigned long long)m->unreadable);
	if (!v->has_owner)
		report_warn(&v->report, "who owns the direct pages is not known: %s",
			    v->owner_problem);
	if (!v->in->opts.json)
		sink_printf(v->out, "the classes have %s of %s pages of System RAM\n", n, ram);
	if (v->has_owner) {
		owner_view_end(v, &m->cov, NULL);
		return;
	}
	report_end(&v->report, NULL, st == DUMP_OK && !m->unreadable && !v->classes->problem);
}

enum status owner_memory(struct owner_view *v)
{
	struct memory *m = dump_alloc(v->dump, sizeof(*m));
	uint64_t end = v->owner.ram.ranges[v->owner.ram.n - 1].end;
	enum status st = DUMP_OK, filled;

	if (!m)
		return DUMP_NOMEM;
	if (!v->classes) {
		report_no_data(&v->report, UNKNOWN_LAYOUT);
		return DUMP_OK;
	}
	m->v = v;
	m->cov.ram_pages = v->owner.ram.pages;
	pfnset_init(&m->live, v->dump->arena, end);
	dict_init(&m->callers, v->dump->arena, sizeof(uint64_t));
	open_counters(v);
	if (v->has_owner)
		st = page_owner_scan(&v->owner, false, &m->cov, add_live, m);
	if (st == DUMP_OK)
		st = add_rest(m);
	if (st != DUMP_OK && st != DUMP_STOPPED)
		return st;
	filled = fill_table(m);
	if (filled != DUMP_OK)
		return filled;
	report_table(&v->report, &v->in->table);
	v->report.rows_shown = v->report.rows_total = v->in->table.n;
	filled = put_callers(m);
	if (filled != DUMP_OK)
		return filled;
	put_end(m, st);
	return st;
}
