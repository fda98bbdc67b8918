// SPDX-License-Identifier: GPL-2.0-or-later
/* Look-up of single pages: the last allocation and the last free, with stacks. */

#include "vm/address.h"
#include "vm/address_kind.h"
#include "list.h"
#include "object_lookup.h"
#include "pages/page_flags.h"
#include "references.h"

/* " 14.2s before the panic"; empty where this kernel does not record it. */
static const char *when(const struct owner_view *v, enum owner_field field, uint64_t ts, char *buf,
			size_t size)
{
	char age[AGE_TEXT];

	if (!v->owner.f[field].present)
		return "";
	if (age_text(&v->report.info, ts, age))
		snprintf(buf, size, " %s", age);
	else
		snprintf(buf, size, " at %lu.%06lu", ts / 1000000000, ts % 1000000000 / 1000);
	return buf;
}

static void put_task(const struct owner_view *v, enum owner_field pid, int32_t value,
		     const char *comm)
{
	if (v->owner.f[pid].present)
		sink_printf(v->out, " by pid %d%s%s%s", value, *comm ? " (" : "", comm,
			    *comm ? ")" : "");
}

/* What of an allocation or a free this kernel does not record. */
static void put_unrecorded(const struct owner_view *v, enum owner_field ts, enum owner_field pid)
{
	bool has_time = v->owner.f[ts].present, has_task = v->owner.f[pid].present;

	if (!has_time || !has_task)
		sink_printf(v->out, " (%s not recorded by this kernel)",
			    has_task   ? "time"
			    : has_time ? "task"
				       : "time and task");
}

static void put_stack(struct owner_view *v, struct cached_stack *k)
{
	const struct stack *stack = stack_cache_frames(&v->stacks, k);

	if (!stack) {
		sink_text(v->out, "    no usable stack\n");
		return;
	}
	for (unsigned int i = 0; i < stack->n; i++)
		frame_put(stack->frames[i], v->out);
	if (stack->cut)
		sink_printf(v->out, "    [truncated at %u]\n", stack->cut);
}

/* "  phys 0x1149000, struct page 0xffffea0000045240, node 0, zone DMA" */
static void put_place(struct owner_view *v, uint64_t pfn)
{
	const struct zone *zone = zones_find(&v->zones, pfn);
	uint64_t page;

	if (pfn << v->page_shift >> v->page_shift == pfn)
		sink_printf(v->out, "  phys 0x%lx", pfn << v->page_shift);
	else
		sink_text(v->out, "  beyond all physical addresses");
	if (memmap_page(&v->owner.ext.memmap, pfn, &page) == ST_OK)
		sink_printf(v->out, ", struct page 0x%lx", page);
	/* A zone spans the blocks of memory in it that are offline. */
	if (zone && !memmap_is_removed(&v->owner.ext.memmap, pfn))
		sink_printf(v->out, ", node %u, zone %s", zone->node, zone->name);
	sink_text(v->out, "\n");
}

/* " of /tmp/hog (deleted)" */
static void put_file(struct owner_view *v, const struct page_info *info)
{
	struct cached_file *file;
	const char *name;

	if (!v->files || !info->mapping)
		return;
	file = cached_file_at(v->files, info->mapping);
	name = file ? cached_file_name(v->files, file) : NULL;
	sink_printf(v->out, " of %s", name ?: "an unknown file");
}

static void put_flags(struct owner_view *v, uint64_t flags)
{
	char text[PAGEFLAGS_TEXT];
	struct pageflags names;

	sink_printf(v->out, "flags 0x%lx", flags);
	if (pageflags_open(v->dump, &names) != ST_OK)
		return;
	pageflags_text(&names, flags, text);
	sink_printf(v->out, " %s", text);
}

static const char *why_no_page(enum status st)
{
	return st == ST_UNREADABLE ? "is not in this dump"
	       : st == ST_CORRUPT  ? "is corrupt"
	       : st == ST_ABSENT   ? "does not exist"
				   : "has an unknown layout";
}

/* "  mapped by 55(postgres) at 0x7f0bc000, mapcount 1": the count of a page that is no compound one. */
static void put_mappers(struct owner_view *v, uint64_t pfn, const struct page_info *info)
{
	struct page_mappers found = { 0 };
	struct page_users users;

	if (!v->mappers || mappers_find(v->mappers, pfn, &found) != ST_OK)
		return;
	mappers_put(v->mappers, &found, v->out);
	if (info->head == pfn && !(info->head_flags & page_flag_mask(v->dump, "PG_head")) &&
	    page_type_users(&v->states, pfn, &users) == ST_OK)
		sink_printf(v->out, "%s mapcount %d", found.mappings ? "," : ";",
			    users.mapcount + 1);
	sink_text(v->out, "\n");
}

#define SLAB_CGROUPS 8 /* that are named on a terminal */

/* ", 3 objects charged to /web, 1 to /db" */
static void put_charged_objects(struct owner_view *v, uint64_t head)
{
	struct object_lookup *l = v->own;
	struct hash_u64 found; /* objects by address of the interned path; 0: unknown */
	uint64_t n = 0, more = 0;
	const uint64_t *objcgs;
	struct slab slab;
	enum status st;

	if (object_lookup_slab(l, head, "what is charged", &slab) != ST_OK)
		return;
	st = slab_objcgs(&l->slabs, &slab, &objcgs);
	if (st != ST_OK) {
		sink_text(v->out, st == ST_ABSENT ? "" : ", cgroups of its objects unknown");
		return;
	}
	hash_u64_init(&found, v->dump->arena, sizeof(uint64_t));
	for (uint32_t i = 0; i < slab.objects; i++) {
		const char *path = objcgs[i] ? memcgs_path(&v->memcgs, objcgs[i]) : NULL;

		if (objcgs[i])
			++*(uint64_t *)hash_u64_get(&found, (uint64_t)(uintptr_t)path, NULL);
	}
	for (const struct hash_u64_entry *e = found.first; e; e = e->next) {
		const char *path = (const char *)(uintptr_t)e->key;
		uint64_t objects = *(const uint64_t *)e->value;

		if (v->out->columns && n >= SLAB_CGROUPS) {
			more += objects;
			continue;
		}
		sink_printf(v->out, n++ ? ", %lu to %s" : ", objects charged: %lu to %s", objects,
			    path ?: "an unknown cgroup");
	}
	if (more)
		sink_printf(v->out, ", %lu to others", more);
}

/* The cgroup that a page is charged to; nothing of one that is not charged. */
static void put_charge(struct owner_view *v, const struct page_info *info, const char *memcg)
{
	struct object_lookup *l = v->own;
	const struct slab_cache *cache;

	if (memcg && !strcmp(memcg, MEMCG_BY_OBJECT)) {
		/* A page of KFENCE has no cache before its first object. */
		if (info->state != PAGE_TYPE_KFENCE ||
		    (!l->no_slabs.text && slab_cache_at(&l->slabs, info->head, &cache) == ST_OK))
			put_charged_objects(v, info->head);
	} else if (memcg && strcmp(memcg, MEMCG_NOT_CHARGED)) {
		sink_printf(v->out, ", charged to %s", memcg);
	} else if (!memcg && v->has_memcgs) {
		sink_text(v->out, ", charged to an unknown cgroup");
	}
}

/* Whose stack it is. */
static void put_thread(struct owner_view *v, const struct list_row *row, const char *class)
{
	struct address_info info;

	if (!row->address || !class || strcmp(class, "kstack") != 0 ||
	    address_classify(v->dump, row->address, &info) != ST_OK || info.kind != AT_STACK)
		return;
	sink_printf(v->out, "  kernel stack of %s (%d)\n", info.comm, info.pid);
}

/*
 * "  now shmem of /tmp/hog, flags ...",
 * "  now slab, flags 0x40 workingset|zone=1, charged to /web".  Flags of a compound page are those
 * of its first page: the word of the second contains the order (struct folio._flags_1, 6.6).
 */
static void put_now(struct owner_view *v, const struct list_row *row)
{
	const struct cell class = owner_fact_cell(row, v, KEY_CLASS);
	const struct cell memcg = owner_fact_cell(row, v, KEY_MEMCG);
	uint64_t pfn = row->facts.page->pfn;
	struct page_info info;
	enum status st = v->has_states ? page_type_at(&v->states, pfn, &info) : ST_UNKNOWN;

	/* No struct page is what is expected of what is no RAM. */
	if (st == ST_ABSENT && !ram_has(&v->owner.ram, pfn))
		return;
	if (st != ST_OK) {
		sink_printf(v->out, "  now unknown: struct page %s\n", why_no_page(st));
		return;
	}
	sink_printf(v->out, "  now %s", cell_words(&class) ? cell_words(&class) : "of unknown use");
	if (info.state == PAGE_TYPE_SLAB)
		object_lookup_put_cache(v->own, info.head);
	put_file(v, &info);
	if (info.head != pfn)
		sink_printf(v->out, ", in the compound page at pfn 0x%lx with ", info.head);
	else
		sink_text(v->out, ", ");
	put_flags(v, info.head_flags);
	put_charge(v, &info, cell_words(&memcg));
	sink_text(v->out, "\n");
	put_mappers(v, pfn, &info);
	put_thread(v, row, cell_words(&class));
	if (row->symbol)
		sink_printf(v->out, "  symbol %s\n", row->symbol);
}

/* Whether the arguments ask for several pages. */
static bool is_span(const struct opts *o)
{
	bool span = o->has_near;

	for (unsigned int i = 0; i < o->nargs; i++)
		span |= !strncmp(o->args[i], "pfn:", 4) && strchr(o->args[i], '-');
	return span;
}

static bool is_table(const struct owner_view *v)
{
	return is_span(&v->in->opts) || !opts_sentences(&v->in->opts);
}

/* Columns that "-o +a" adds to the sentences. */
static void put_added(struct owner_view *v, const struct list_row *row)
{
	struct cell cells[VIEW_COLUMNS];

	if (!v->in->opts.columns)
		return;
	row_fill(&v->in->table, row, v, cells);
	table_named(&v->in->table, v->in->opts.columns, v->out, cells);
}

static void put_record(struct owner_view *v, const struct list_row *row)
{
	const struct owner_record *r = &row->facts.record;
	const char *gfp = names_gfp_word(&v->names, r->gfp_mask);
	uint64_t head = r->page.pfn & ~((1ULL << r->page.order) - 1);
	const char *tag = v->tags && r->page.allocated
				  ? tag_names_page(v->tags, head, r->page.handle,
						   stack_cache_frames(&v->stacks, row->stack))
				  : NULL;
	bool is_early = stack_is_early(stack_cache_frames(&v->stacks, row->stack));
	char buf[AGE_TEXT + 8];

	sink_printf(v->out, "pfn 0x%lx is %s", r->page.pfn,
		    r->page.allocated ? "allocated" : "free");
	if (r->page.allocated && !r->page.head)
		sink_printf(v->out, ", page %lu of the allocation at pfn 0x%lx",
			    (r->page.pfn - head), head);
	sink_text(v->out, "\n");
	put_place(v, r->page.pfn);
	put_now(v, row);
	/* The record of such a page has the start of page_owner, and no task. */
	sink_printf(v->out, "  allocated%s%s", is_early ? " before page_owner started," : "",
		    when(v, OWNER_TS, r->page.ts_ns, buf, sizeof(buf)));
	if (!is_early)
		put_task(v, OWNER_PID, r->pid, r->comm);
	put_unrecorded(v, OWNER_TS, OWNER_PID);
	sink_printf(v->out, ", order %u, gfp 0x%x%s%s\n", r->page.order, r->gfp_mask,
		    gfp && r->gfp_mask ? " " : "", gfp && r->gfp_mask ? gfp : "");
	if (tag)
		sink_printf(v->out, "  at %s\n", tag);
	put_added(v, row);
	put_stack(v, row->stack);
	if (!row->freed)
		return;
	sink_printf(v->out, "  %s%s", r->page.allocated ? "previously freed" : "freed",
		    when(v, OWNER_FREE_TS, r->free_ts_ns, buf, sizeof(buf)));
	put_task(v, OWNER_FREE_PID, r->free_pid, "");
	put_unrecorded(v, OWNER_FREE_TS, OWNER_FREE_PID);
	sink_text(v->out, "\n");
	put_stack(v, row->freed);
}

static enum status fail_no_ram(struct owner_view *v, const char *asked, uint64_t pfn)
{
	char text[REPORT_NO_RAM];

	return dump_absent(v->dump, "%s", report_no_ram_text(text, asked, pfn));
}

/* A page's state is known on kernels without page_owner too. */
static enum status look_up(struct owner_view *v, uint64_t pfn, struct owner_record *ret)
{
	if (v->has_owner)
		return page_owner_look_up(&v->owner, pfn, ret);
	return dump_fail(v->dump, v->records_unknown ? ST_UNREADABLE : ST_ABSENT,
			 "the page_owner record of pfn %#lx is not available: %s", pfn,
			 v->owner_problem);
}

/* What an argument asks for. */
struct asked {
	const char *text;
	struct first_problem problem;
	struct address address;
	uint64_t pfn;
	const char *symbol; /* of the variable or function there; NULL: none, or not known */
	uint64_t kernel;    /* virtual address of the byte, or of the page; 0: none */
};

/* r NULL: it has no record or, if that is unknown, one that cannot be read: reason says so in text. */
static void put_page(struct owner_view *v, uint64_t pfn, const struct owner_record *r, bool unknown,
		     const struct asked *asked, const char *reason)
{
	const struct owner_page bare = { .pfn = pfn, .unknown = unknown };
	struct list_row row = { .has_record = r,
				.address = asked ? asked->kernel : 0,
				.symbol = asked ? asked->symbol : NULL };

	page_facts_init(v, r ? &r->page : &bare, &row.facts);
	if (r) {
		row.facts.record = *r;
		row.facts.has_record = true;
		row.stack = stack_cache_get(&v->stacks, r->page.handle);
		row.freed = r->free_handle ? stack_cache_get(&v->stacks, r->free_handle) : NULL;
	}
	v->report.rows_shown++;
	v->report.rows_total++;
	if (v->in->opts.json || is_table(v)) {
		list_row_put(v, &row);
	} else if (r) {
		put_record(v, &row);
	} else {
		sink_printf(v->out, "%s\n", reason);
		put_place(v, pfn);
		put_now(v, &row);
		put_added(v, &row);
	}
}

/* For a range, the class of each page is shown by default. */
static void prepare(struct cmdline *in)
{
	struct table *t = &in->table;

	if (in->opts.json)
		return;
	table_hide(t, COLUMN_gfp);
	table_show(t, COLUMN_allocated);
	table_show(t, COLUMN_class);
	table_show(t, COLUMN_memcg);
}

struct lookup {
	struct owner_view *v;
	uint64_t end; /* the first pfn behind System RAM */
	struct asked *asked;
	uint64_t unreadable, corrupt; /* records */
};

static void count_missing(struct lookup *m, enum status st)
{
	m->unreadable += m->v->has_owner && st == ST_UNREADABLE;
	m->corrupt += st == ST_CORRUPT;
}

/* The pages from first on, one row each. */
static enum status put_span(struct lookup *l, const char *text, uint64_t first, uint64_t pages)
{
	struct owner_view *v = l->v;
	uint64_t n = 0, outside = 0, first_outside = 0;
	enum status st = ST_OK;

	for (; n < pages && first + n < l->end; n++) {
		uint64_t pfn = first + n;
		struct owner_record r;
		bool in_ram = ram_has(&v->owner.ram, pfn);

		if (v->out->closed || dump_stopped(v->dump)) {
			st = ST_STOPPED;
			break;
		}
		if (!in_ram && !outside++)
			first_outside = pfn;
		st = look_up(v, pfn, &r);
		count_missing(l, st);
		put_page(v, pfn, st == ST_OK ? &r : NULL, st != ST_ABSENT, NULL, NULL);
		st = ST_OK;
	}
	report_no_ram(&v->report, text, outside, n, first_outside);
	return st;
}

/* One page: its state at the panic, and its record if it has one. */
static enum status put_one(struct lookup *l, const struct asked *a)
{
	struct owner_view *v = l->v;
	uint64_t pfn = a->pfn;
	struct owner_record r;
	const char *reason = NULL;
	bool in_ram = ram_has(&v->owner.ram, pfn);
	enum status st = in_ram ? look_up(v, pfn, &r) : fail_no_ram(v, a->text, pfn);

	if (st == ST_STOPPED)
		return st;
	v->report.rows_nowhere += !in_ram;
	count_missing(l, st);
	if (st != ST_OK)
		reason = dump_why(v->dump);
	/* In text it is the first line of the answer. */
	if (reason && (v->has_owner || !in_ram) && (v->in->opts.json || is_table(v)))
		report_warn(&v->report, "%s", reason);
	put_page(v, pfn, st == ST_OK ? &r : NULL, st != ST_ABSENT, a, reason);
	return ST_OK;
}

static uint64_t kernel_address(const struct lookup *k, const struct asked *a)
{
	struct owner_view *v = k->v;
	struct object_lookup *l = v->own;
	uint64_t byte = dump_page_size(v->dump) - 1;
	struct page_info info;
	bool has_byte;

	if (a->problem.text || a->address.pages != 1 || a->address.kind == ADDRESS_USER ||
	    !v->has_states || l->no_slabs.text)
		return 0;
	has_byte = address_is_byte(&v->owner.ext.memmap, &a->address, k->end);
	if (has_byte && a->address.kind != ADDRESS_PHYS)
		return a->address.value;
	/* A slab has no references, its objects have. */
	if (!has_byte && (page_type_at(&v->states, a->pfn, &info) != ST_OK ||
			  info.state == PAGE_TYPE_SLAB || info.state == PAGE_TYPE_KFENCE))
		return 0;
	return l->slabs.linear + (a->pfn << v->page_shift) +
	       (has_byte ? a->address.value & byte : 0);
}

/* Of the kernel's image or of a module; the direct map has none. */
static const char *symbol_at(struct owner_view *v, const struct address *address)
{
	const struct frame *f;
	char text[256];

	if (address->kind == ADDRESS_USER || address->kind == ADDRESS_PHYS)
		return NULL;
	f = symbolize(&v->stacks.symbols, address->value);
	if (!f->symbol || f->label)
		return NULL;
	return dump_strdup(v->dump, f->offset ? frame_text(f, text, sizeof(text))
					      : function_text(f, text, sizeof(text)));
}

static void find_pages(struct lookup *l)
{
	struct owner_view *v = l->v;
	const struct opts *o = &v->in->opts;

	for (unsigned int i = 0; i < o->nargs; i++) {
		struct asked *a = &l->asked[i];
		enum status st;

		a->text = o->args[i];
		st = address_parse(v->dump, a->text, &a->address)
			     ?: address_to_pfn(v->dump, &v->owner.ext.memmap, l->end, &a->address,
					       &a->pfn);
		a->problem = problem_of_part(v->dump, st);
		a->kernel = kernel_address(l, a);
		if (a->kernel && a->kernel == a->address.value)
			a->symbol = symbol_at(v, &a->address);
	}
}

static void open_references(struct lookup *l)
{
	struct owner_view *v = l->v;
	const struct opts *o = &v->in->opts;
	uint64_t *all = dump_alloc(v->dump, o->nargs * sizeof(*all) + 1);
	size_t n = 0;

	for (unsigned int i = 0; v->shows_references && !o->has_near && i < o->nargs; i++)
		if (l->asked[i].kernel)
			all[n++] = l->asked[i].kernel;
	if (n)
		v->references = references_open(v, all, n);
}

static enum status put_address(struct lookup *l, const struct asked *a)
{
	struct owner_view *v = l->v;
	const struct opts *o = &v->in->opts;
	const struct address *address = &a->address;
	uint64_t pfn = a->pfn, before;
	enum status st;

	if (a->problem.text)
		return first_problem_end(v->dump, &a->problem);
	if (address->pages == 1 && !o->has_near) {
		st = put_one(l, a);
		if (st != ST_OK || (!o->json && is_table(v)))
			return st;
		object_lookup_put(v->own, pfn,
				  address_is_byte(&v->owner.ext.memmap, address, l->end),
				  address->value & (dump_page_size(v->dump) - 1));
		if (v->references && a->kernel)
			references_put(v->references, a->kernel);
		return st;
	}
	if (pfn >= l->end)
		return fail_no_ram(v, a->text, pfn);
	before = pfn < o->near ? pfn : o->near;
	if (address->pages > l->end - pfn)
		report_warn(&v->report, "%s: System RAM of this dump ends at pfn %#lx", a->text,
			    l->end - 1);
	return put_span(l, a->text, pfn - before, before + address->pages + o->near);
}

/* A number of bytes may have been meant in decimal. */
static void tell_base(struct owner_view *v, const struct asked *a, uint64_t end)
{
	const char *inside = a->problem.text ? NULL : owner_page_inside(v, &a->address, end);
	uint64_t decimal;
	const bool may = address_may_be_decimal(v->dump, a->text, &decimal);
	const struct gap gaps[] = {
		{ "%s", may,
		  .why = may ? dump_text(v->dump, "%s is hexadecimal: decimal it is phys:0x%lx",
					 a->text, decimal)
			     : NULL,
		  .is_note = true },
		{ "%s", inside != NULL, .why = inside, .is_note = true },
	};

	REPORT_GAPS(&v->report, gaps);
}

static enum status show(void *arg)
{
	struct owner_view *v = arg;
	const struct ram *ram = &v->owner.ram;
	const struct opts *o = &v->in->opts;
	struct lookup l = { .v = v, .end = ram->ranges[ram->n - 1].end };
	enum status st = ST_OK;
	bool complete;

	v->own = object_lookup_open(v);
	l.asked = dump_alloc(v->dump, o->nargs * sizeof(*l.asked) + 1);
	find_pages(&l);
	open_references(&l);
	if (!o->json && is_table(v))
		table_stream_header(&v->in->table, v->out);
	for (unsigned int i = 0; i < o->nargs && st != ST_STOPPED; i++) {
		st = put_address(&l, &l.asked[i]);
		if (st != ST_OK && st != ST_STOPPED)
			report_warn(&v->report, "%s", v->dump->error);
	}
	const struct gap gaps[] = {
		{ "no page_ext entry in this dump for %s", l.unreadable, "page", "pages" },
		{ "corrupt page_owner record on %s", l.corrupt, "page", "pages" },
		{ "page_owner records are not available: %s",
		  !v->has_owner && (o->json || is_table(v)), .why = v->owner_problem },
	};

	REPORT_GAPS(&v->report, gaps);
	complete = !v->report.nwarnings;
	for (unsigned int i = 0; i < o->nargs; i++)
		tell_base(v, &l.asked[i], l.end);
	references_end(v->references);
	report_end(&v->report, NULL, complete);
	return st == ST_STOPPED ? st : ST_OK;
}

const struct view owner_page_view = { "page",
				      "ADDR",
				      COLUMNS_OF(list_page_columns),
				      .command = "memowner",
				      .prepare = prepare,
				      .below = &object_lookup_view,
				      .open = list_open,
				      .show = show };
