// SPDX-License-Identifier: GPL-2.0-or-later
/* Look-up of single pages: the last allocation and the last free, with stacks. */
#include <stdio.h>
#include <string.h>

#include "vm/address.h"
#include "object_lookup.h"
#include "symbols/frame.h"
#include "util/units.h"
#include "view.h"

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
		snprintf(buf, size, " at %llu.%06llu", (unsigned long long)ts / 1000000000,
			 (unsigned long long)ts % 1000000000 / 1000);
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

	sink_printf(v->out, "  phys 0x%llx", (unsigned long long)pfn << v->page_shift);
	if (memmap_page(&v->owner.ext.memmap, pfn, &page) == ST_OK)
		sink_printf(v->out, ", struct page 0x%llx", (unsigned long long)page);
	if (zone)
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
	sink_printf(v->out, " of %s", name ? name : "an unknown file");
}

static void put_flags(struct owner_view *v, uint64_t flags)
{
	char text[PAGEFLAGS_TEXT];
	struct pageflags names;

	sink_printf(v->out, "flags 0x%llx", (unsigned long long)flags);
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

static bool is_ram(const struct owner_view *v, uint64_t pfn)
{
	const struct ram *ram = &v->owner.ram;

	for (size_t i = 0; i < ram->n; i++)
		if (pfn >= ram->ranges[i].start && pfn < ram->ranges[i].end)
			return true;
	return false;
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

#define SLAB_CGROUPS 8 /* that are named */

struct slab_charge {
	const char *path; /* NULL: unknown */
	unsigned int objects;
};

/* ", 3 objects charged to /web, 1 to /db" */
static void put_charged_objects(struct owner_view *v, uint64_t head)
{
	struct slab_charge found[SLAB_CGROUPS] = { 0 };
	unsigned int n = 0, more = 0;
	const uint64_t *objcgs;
	struct slab slab;

	if (object_lookup_slab(v->objects, head, "what is charged", &slab) != ST_OK)
		return;
	switch (slab_objcgs(&v->objects->slabs, &slab, &objcgs)) {
	case ST_OK:
		break;
	case ST_ABSENT:
		return;
	default:
		sink_text(v->out, ", cgroups of its objects unknown");
		return;
	}
	for (uint32_t i = 0; i < slab.objects; i++) {
		const char *path = objcgs[i] ? memcgs_path(&v->memcgs, objcgs[i]) : NULL;
		unsigned int k = 0;

		if (!objcgs[i])
			continue;
		while (k < n && found[k].path != path)
			k++;
		if (k == SLAB_CGROUPS) {
			more++;
			continue;
		}
		n += k == n;
		found[k].path = path;
		found[k].objects++;
	}
	for (unsigned int k = 0; k < n; k++)
		sink_printf(v->out, k ? ", %u to %s" : ", objects charged: %u to %s",
			    found[k].objects, found[k].path ? found[k].path : "an unknown cgroup");
	if (more)
		sink_printf(v->out, ", %u to others", more);
}

/* The cgroup that a page is charged to; nothing of one that is not charged. */
static void put_charge(struct owner_view *v, const struct page_info *info, const struct cell *memcg)
{
	const struct slab_cache *cache;

	if (memcg->kind == CELL_TEXT && !strcmp(memcg->text, MEMCG_NOT_CHARGED))
		return;
	if (memcg->kind == CELL_TEXT && !strcmp(memcg->text, MEMCG_BY_OBJECT)) {
		/* A page of KFENCE has no cache before its first object. */
		if (info->state != PAGE_TYPE_KFENCE ||
		    (v->objects->slabs_status == ST_OK &&
		     slab_cache_at(&v->objects->slabs, info->head, &cache) == ST_OK))
			put_charged_objects(v, info->head);
	} else if (memcg->kind == CELL_TEXT)
		sink_printf(v->out, ", charged to %s", memcg->text);
	else if (v->has_memcgs)
		sink_text(v->out, ", charged to an unknown cgroup");
}

/*
 * "  now shmem of /tmp/hog, flags ...",
 * "  now slab, flags 0x40 workingset|zone=1, charged to /web".  Flags of a compound page are those
 * of its first page: the word of the second contains the order (struct folio._flags_1, 6.6).
 */
static void put_now(struct owner_view *v, uint64_t pfn, const struct cell *row)
{
	const struct table *t = &v->in->table;
	const struct cell *class = &row[table_index(t, COLUMN_class)];
	const struct cell *memcg = &row[table_index(t, COLUMN_memcg)];
	struct page_info info;
	enum status st = v->has_states ? page_type_at(&v->states, pfn, &info) : ST_UNKNOWN;

	/* No struct page is what is expected of what is no RAM. */
	if (st == ST_ABSENT && !is_ram(v, pfn))
		return;
	if (st != ST_OK) {
		sink_printf(v->out, "  now unknown: struct page %s\n", why_no_page(st));
		return;
	}
	sink_printf(v->out, "  now %s", class->kind == CELL_TEXT ? class->text : "of unknown use");
	if (info.state == PAGE_TYPE_SLAB)
		object_lookup_put_cache(v->objects, info.head);
	put_file(v, &info);
	if (info.head != pfn)
		sink_printf(v->out, ", in the compound page at pfn 0x%llx with ",
			    (unsigned long long)info.head);
	else
		sink_text(v->out, ", ");
	put_flags(v, info.head_flags);
	put_charge(v, &info, memcg);
	sink_text(v->out, "\n");
	put_mappers(v, pfn, &info);
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
static void put_added(struct owner_view *v, const struct cell *row)
{
	if (v->in->opts.columns)
		table_named(&v->in->table, v->in->opts.columns, v->out, row);
}

static void put_text(struct owner_view *v, const struct owner_record *r, struct cached_stack *k,
		     struct cached_stack *freed, const struct cell *row)
{
	const char *gfp = names_gfp_word(&v->names, r->gfp_mask);
	uint64_t head = r->page.pfn & ~((1ULL << r->page.order) - 1);
	const char *tag = v->tags && r->page.allocated
				  ? tag_names_page(v->tags, head, r->page.handle,
						   stack_cache_frames(&v->stacks, k))
				  : NULL;
	char buf[AGE_TEXT + 8];

	sink_printf(v->out, "pfn 0x%llx is %s", (unsigned long long)r->page.pfn,
		    r->page.allocated ? "allocated" : "free");
	if (r->page.allocated && !r->page.head)
		sink_printf(v->out, ", page %llu of the allocation at pfn 0x%llx",
			    (unsigned long long)(r->page.pfn - head), (unsigned long long)head);
	sink_text(v->out, "\n");
	put_place(v, r->page.pfn);
	put_now(v, r->page.pfn, row);
	sink_printf(v->out, "  allocated%s", when(v, OWNER_TS, r->page.ts_ns, buf, sizeof(buf)));
	put_task(v, OWNER_PID, r->pid, r->comm);
	put_unrecorded(v, OWNER_TS, OWNER_PID);
	sink_printf(v->out, ", order %u, gfp 0x%x%s%s\n", r->page.order, r->gfp_mask,
		    gfp ? " " : "", gfp ? gfp : "");
	if (tag)
		sink_printf(v->out, "  at %s\n", tag);
	put_added(v, row);
	put_stack(v, k);
	if (!r->free_handle)
		return;
	sink_printf(v->out, "  %s%s", r->page.allocated ? "previously freed" : "freed",
		    when(v, OWNER_FREE_TS, r->free_ts_ns, buf, sizeof(buf)));
	put_task(v, OWNER_FREE_PID, r->free_pid, "");
	put_unrecorded(v, OWNER_FREE_TS, OWNER_FREE_PID);
	sink_text(v->out, "\n");
	put_stack(v, freed);
}

/* "pfn:99999999 (0x5f5e0ff) is not System RAM of this dump" */
static enum status fail_no_ram(struct owner_view *v, const char *asked, uint64_t pfn)
{
	return dump_fail(v->dump, ST_ABSENT, "%s (%s0x%llx) is not System RAM of this dump", asked,
			 strncmp(asked, "pfn:", 4) ? "pfn " : "", (unsigned long long)pfn);
}

/* A page's state is known on kernels without page_owner too. */
static enum status look_up(struct owner_view *v, uint64_t pfn, struct owner_record *ret)
{
	if (v->has_owner)
		return page_owner_look_up(&v->owner, pfn, ret);
	return dump_fail(v->dump, ST_ABSENT,
			 "the page_owner record of pfn %#llx is not available: %s",
			 (unsigned long long)pfn, v->owner_problem);
}

static enum status put_page(struct owner_view *v, const struct owner_record *r)
{
	struct cached_stack *k = stack_cache_get(&v->stacks, r->page.handle), *freed = NULL;
	struct cell *row = v->page_row;

	if (r->free_handle)
		freed = stack_cache_get(&v->stacks, r->free_handle);
	if (!k || (r->free_handle && !freed))
		return ST_NOMEM;
	v->report.rows_shown++;
	v->report.rows_total++;
	owner_list_row(v, r, k, freed, row);
	if (v->in->opts.json)
		table_json_row(&v->in->table, v->out, row);
	else if (is_table(v))
		table_stream_row(&v->in->table, v->out, row);
	else
		put_text(v, r, k, freed, row);
	return ST_OK;
}

/*
 * A page without a record or, if that is unknown, with one that cannot be read: its current state.
 * reason: why it has none, for text without a table.
 */
static enum status put_bare(struct owner_view *v, uint64_t pfn, bool unknown, const char *reason)
{
	const struct opts *o = &v->in->opts;
	struct cell *row = v->page_row;

	owner_list_bare_row(v, pfn, unknown, row);
	v->report.rows_shown++;
	v->report.rows_total++;
	if (o->json)
		table_json_row(&v->in->table, v->out, row);
	else if (is_table(v))
		table_stream_row(&v->in->table, v->out, row);
	if (o->json || is_table(v))
		return ST_OK;
	sink_printf(v->out, "%s\n", reason);
	put_place(v, pfn);
	put_now(v, pfn, row);
	put_added(v, row);
	return ST_OK;
}

struct missing {
	uint64_t unreadable, corrupt;
};

static void count_missing(struct missing *m, enum status st)
{
	m->unreadable += st == ST_UNREADABLE;
	m->corrupt += st == ST_CORRUPT;
}

/* The pages from first on, one row each; end is behind the last of System RAM. */
static enum status put_span(struct owner_view *v, uint64_t first, uint64_t pages, uint64_t end,
			    struct missing *missing)
{
	enum status st = ST_OK;

	for (uint64_t i = 0; i < pages && first + i < end && st == ST_OK; i++) {
		struct owner_record r;

		if (v->out->closed || dump_stopped(v->dump))
			return ST_STOPPED;
		st = look_up(v, first + i, &r);
		if (st == ST_OK) {
			st = put_page(v, &r);
			continue;
		}
		count_missing(missing, st);
		if (st != ST_NOMEM)
			st = put_bare(v, first + i, st != ST_ABSENT, NULL);
	}
	return st;
}

/* One page: its state at the panic, and its record if it has one. */
static enum status put_one(struct owner_view *v, const char *asked, uint64_t pfn,
			   struct missing *missing)
{
	const struct opts *o = &v->in->opts;
	struct owner_record r;
	const char *reason;
	enum status st = is_ram(v, pfn) ? look_up(v, pfn, &r) : fail_no_ram(v, asked, pfn);

	if (st == ST_OK)
		return put_page(v, &r);
	if (st == ST_NOMEM || st == ST_STOPPED)
		return st;
	count_missing(missing, st);
	reason = arena_strdup(v->dump->arena, v->dump->error);
	if (!reason)
		return dump_no_memory(v->dump);
	/* In text it is the first line of the answer. */
	if (v->has_owner && (o->json || is_table(v)))
		report_warn(&v->report, "%s", reason);
	return put_bare(v, pfn, st != ST_ABSENT, reason);
}

static enum status find_page(struct owner_view *v, const char *text, uint64_t end,
			     struct address *address, uint64_t *pfn)
{
	enum status st = address_parse(v->dump, text, address);

	return st == ST_OK ? address_to_pfn(v->dump, &v->owner.ext.memmap, end, address, pfn) : st;
}

static enum status put_address(struct owner_view *v, const char *text, uint64_t end,
			       struct missing *missing)
{
	const struct opts *o = &v->in->opts;
	struct address address;
	uint64_t pfn, before;
	enum status st = find_page(v, text, end, &address, &pfn);

	if (st != ST_OK)
		return st;
	if (address.pages == 1 && !o->has_near) {
		st = put_one(v, text, pfn, missing);
		if (st == ST_OK && (o->json || !is_table(v)))
			st = object_lookup_put(v->objects, pfn,
					       address_is_byte(&v->owner.ext.memmap, &address, end),
					       address.value & (dump_page_size(v->dump) - 1));
		return st;
	}
	if (pfn >= end)
		return fail_no_ram(v, text, pfn);
	before = pfn < o->near ? pfn : o->near;
	if (address.pages > end - pfn)
		report_warn(&v->report, "%s: System RAM of this dump ends at pfn %#llx", text,
			    (unsigned long long)end - 1);
	return put_span(v, pfn - before, before + address.pages + o->near, end, missing);
}

static void warn_missing(struct owner_view *v, const struct missing *m)
{
	char n[UNITS_PLURAL];

	if (m->unreadable)
		report_warn(&v->report, "no page_ext entry in this dump for %s",
			    units_plural(n, m->unreadable, "page", "pages"));
	if (m->corrupt)
		report_warn(&v->report, "corrupt page_owner record on %s",
			    units_plural(n, m->corrupt, "page", "pages"));
}

enum status owner_pages(struct owner_view *v)
{
	const struct ram *ram = &v->owner.ram;
	const struct opts *o = &v->in->opts;
	uint64_t end = ram->ranges[ram->n - 1].end;
	struct missing missing = { 0 };
	enum status st = object_lookup_open(v, &v->objects);

	/* One for all pages of a range. */
	v->page_row = dump_alloc(v->dump, owner_list_columns() * sizeof(*v->page_row));
	if (!v->page_row)
		return ST_NOMEM;
	if (st == ST_OK && !o->json && is_table(v))
		table_stream_header(&v->in->table, v->out);
	for (unsigned int i = 0; i < o->nargs && st == ST_OK; i++) {
		st = put_address(v, o->args[i], end, &missing);
		if (st == ST_NOMEM || st == ST_STOPPED)
			break;
		if (st != ST_OK)
			report_warn(&v->report, "%s", v->dump->error);
		st = ST_OK;
	}
	if (st == ST_NOMEM)
		return st;
	warn_missing(v, &missing);
	if (!v->has_owner && (o->json || is_table(v)))
		report_warn(&v->report, "page_owner records are not available: %s",
			    v->owner_problem);
	report_end(&v->report, NULL, !v->report.nwarnings);
	return st;
}
