// SPDX-License-Identifier: GPL-2.0-or-later
#include "verdict.h"

#include <stdlib.h>

#include "case.h"
#include "log/log_file.h"
#include "log_source.h"
#include "summary.h"
#include "verdict_words.h"

#define TEXT 768

/* Words of JSON. */
const char *const verdict_words[] = {
	[VERDICT_UNKNOWN] = "unknown",
	[VERDICT_RAN_OUT] = "ran_out",
	[VERDICT_CGROUP] = "cgroup_limit",
	[VERDICT_NO_BLOCK] = "no_block",
	[VERDICT_ZONE] = "zone_ran_out",
	[VERDICT_KEPT] = "watermarks",
	[VERDICT_HIGH] = "memory_high",
	[VERDICT_COMMIT] = "commit_limit",
	[VERDICT_SHORT] = "short",
	[VERDICT_NOT_SHORT] = "not_short",
	NULL,
};

static const char *logged_size(const struct log_number *n, char *buf)
{
	return n->known ? units_size(buf, n->value << 10) : NULL;
}

/* Of cgroup v1: what could go to swap no more. */
static void add_memsw(const struct oom_report *r, const struct oom_limit *told, struct strbuf *b)
{
	const struct oom_limit *l = &r->memsw;
	char usage[UNITS_BYTES], max[UNITS_BYTES];

	if (told && told != l && l->usage_kib.known && oom_limit_is_set(l) &&
	    l->limit_kib.value != told->limit_kib.value &&
	    l->usage_kib.value >= l->limit_kib.value - l->limit_kib.value / 100)
		strbuf_add(b, ", and of memory+swap %s of %s", logged_size(&l->usage_kib, usage),
			   logged_size(&l->limit_kib, max));
}

static enum verdict of_cgroup(struct summary *s, const struct oom_report *r, struct strbuf *b)
{
	char usage[UNITS_BYTES], max[UNITS_BYTES], text[AGE_TEXT];
	const char *name = NULL;
	uint64_t age, available;
	const struct oom_limit *limit = oom_report_limit(r, &name);
	const bool is_full = s->full_limit && !strcmp(s->full_path, r->oom_memcg);

	strbuf_add(b, "cgroup %.200s ", *r->oom_memcg ? r->oom_memcg : "of an unknown name");
	if (!is_full && verdict_add_no_limit(r, b))
		limit = NULL;
	else if (limit && limit != &r->memory && !r->memory.usage_kib.known)
		strbuf_add(
			b,
			"reached a limit: of memory, whose line this log does not have, or of %s, "
			"%s of %s at the report",
			name, logged_size(&limit->usage_kib, usage),
			logged_size(&limit->limit_kib, max));
	else if (limit)
		/* Of cgroup v1 each counter has a limit of its own. */
		strbuf_add(b, "reached its limit%s%s: %s of %s at the report",
			   strcmp(name, "memory") ? " of " : "", strcmp(name, "memory") ? name : "",
			   logged_size(&limit->usage_kib, usage),
			   logged_size(&limit->limit_kib, max));
	else if (is_full)
		strbuf_add(b, "reached its limit: %s of %s", summary_size(s, s->full_usage),
			   summary_size(s, s->full_limit));
	else
		strbuf_add(
			b, "reached its limit, which %s",
			r->memory.in_doubt
				? "is in doubt: the figure in the log does not fit what was charged"
			: r->is_within_log && !oom_report_is_bare(r) && !s->reports.has_mixed
				? "was not read, or is not in this log"
				: verdict_lacking(s));
	add_memsw(r, limit, b);
	/* The machine went on. */
	if (r->outcome == OOM_KILLED && age_at_panic(&s->report->info, r->ts_ns, &age) &&
	    age >= 1000000000 && age_text(&s->report->info, r->ts_ns, text))
		strbuf_add(b, ", %s", text);
	if (s->free.known)
		strbuf_add(b, "; %s%% of RAM was free", PERCENT_TEXT(s->free.n, s->ram_pages));
	/* Page cache took it. */
	if (s->free.known && limit_of_free(units_tenths(s->free.n, s->ram_pages)) &&
	    verdict_available(s, &available, NULL) &&
	    summary_reaches(s, LIMIT_AVAILABLE, available))
		strbuf_add(b, ", MemAvailable %s", summary_size(s, available));
	verdict_add_unused_swap(s, r, b);
	verdict_add_machine(s, r, b);
	return VERDICT_CGROUP;
}

/* Free memory that is lent to CMA serves movable requests alone. */
static void add_cma(const struct summary *s, uint64_t pages, struct strbuf *b)
{
	if (pages && s->free.known && pages <= s->free.n)
		strbuf_add(b, ", %s of it in CMA, which the request may not use",
			   summary_size(s, pages));
}

/* The nodes that a cpuset or a memory policy leaves to a request; NULL: none does, or they are not in the log. */
static const char *nodes_of(const struct oom_report *r)
{
	const char *nodes = !strcmp(r->constraint, "CONSTRAINT_CPUSET")		 ? r->mems_allowed
			    : !strcmp(r->constraint, "CONSTRAINT_MEMORY_POLICY") ? r->nodemask
										 : "";

	return *nodes ? nodes : NULL;
}

static const char *words_of(const struct oom_report *r)
{
	return strcmp(r->constraint, "CONSTRAINT_CPUSET") ? "nodemask" : "mems_allowed";
}

/* pagefault_out_of_memory() has no flags. */
static bool is_of_fault(const struct oom_report *r)
{
	return r->gfp_mask.known && !r->gfp_mask.value;
}

/* The OOM killer ran though memory was free. */
static void add_no_reason(const struct summary *s, const struct oom_report *r, struct strbuf *b)
{
	const char *nodes = nodes_of(r);

	if (nodes)
		strbuf_add(b,
			   "unknown whether the nodes ran out that the request may use, by %s %s: ",
			   words_of(r), nodes);
	else if (is_of_fault(r))
		strbuf_add(b, "the OOM killer ran for a page fault that failed, why is unknown: ");
	else
		strbuf_add(b, "the OOM killer ran, for a reason that is unknown: ");
	verdict_add_free(s, b);
}

/* ", 371.3M in unreclaimable slab": what had most at a report, of what a victim may give back. */
static void add_filled(const struct summary *s, const struct mem_info *m, struct strbuf *b)
{
	const struct {
		const char *name;
		const struct log_number *pages, *more;
	} parts[] = {
		{ "anon and shmem", &m->pages[MEM_active_anon], &m->pages[MEM_inactive_anon] },
		{ "unreclaimable slab", &m->pages[MEM_slab_unreclaimable], NULL },
		{ "page tables", &m->pages[MEM_pagetables], NULL },
		{ "mlocked or other unevictable memory", &m->pages[MEM_unevictable], NULL },
	};
	const char *name = NULL;
	uint64_t most = 0;

	for (size_t i = 0; i < ARRAY_SIZE(parts); i++) {
		uint64_t n = parts[i].pages->value + (parts[i].more ? parts[i].more->value : 0);

		if (!parts[i].pages->known || n <= most || n > s->ram_pages)
			continue;
		most = n;
		name = parts[i].name;
	}
	if (name && summary_reaches(s, LIMIT_HOLDER, most))
		strbuf_add(b, ", %s in %s", summary_size(s, most), name);
}

/* The OOM killer did what it is for: memory is free again at the end, and was not at the report. */
static bool add_recovered(const struct summary *s, const struct oom_report *r,
			  struct maybe_u64 *number, struct strbuf *b)
{
	const struct log_number *free = &r->mem.pages[MEM_free];
	char age[AGE_TEXT];
	uint64_t since;

	/* A log does not tell what was free at its end: the victim of another time had given back what it had. */
	if (s->dump->log_file &&
	    (!s->has_panic || !age_at_panic(&s->report->info, r->ts_ns, &since) ||
	     since < RECOVERED_NS))
		return false;
	if (r->outcome != OOM_KILLED || nodes_of(r) || !r->has_mem_info || !free->known ||
	    free->value > s->ram_pages || summary_reaches(s, LIMIT_OTHER_FREE, free->value) ||
	    !age_text(&s->report->info, r->ts_ns, age))
		return false;
	*number = (struct maybe_u64){ free->value, true };
	strbuf_add(b, "memory had run out %s: %s of %s was free at the report, %s%%", age,
		   summary_size(s, free->value), summary_size(s, s->ram_pages),
		   PERCENT_TEXT(free->value, s->ram_pages));
	add_filled(s, &r->mem, b);
	if (s->dump->log_file) {
		strbuf_add(b, "; how much was at the end this log does not have");
		return true;
	}
	strbuf_add(b, "; at the end ");
	verdict_add_free(s, b);
	return true;
}

/* "185.4M in zone Movable, which the request may not use", "90.3M in node 0, which ..." */
static void add_other_zones(const struct summary *s, const struct zone_sum *z, struct strbuf *b)
{
	strbuf_add(b, "%s in ", summary_size(s, z->other_free));
	/* Of another node the zone has the name of one that is asked. */
	if (z->other && *z->other && !z->mems_allowed && strcmp(z->other, z->zone))
		strbuf_add(b, "zone %s, which", z->other);
	else if (z->other_nodes == 1 && z->zones == 1 && z->other_node != z->node)
		strbuf_add(b, "node %u, which", z->other_node);
	else
		strbuf_add(b, "zones that");
	strbuf_add(b, " the request may not use");
}

/*
 * Those of the request serve nothing, or had hardly anything while others have much: the OOM killer ran, and meanwhile
 * a little was freed.
 */
static bool is_zone_short(const struct summary *s, const struct zone_sum *z)
{
	return summary_reaches(s, LIMIT_OTHER_FREE, z->other_free) &&
	       (!z->served || (z->managed && units_tenths(outside_cma(z->free, z->cma),
							  z->managed) < limit(LIMIT_ZONE)));
}

/* Of what is free hardly anything is in blocks of the order: those may have been freed behind the request. */
static bool is_in_pieces(const struct zone_sum *z)
{
	return z->has_blocks && z->served && z->free &&
	       units_tenths(z->in_blocks, z->free) < limit(LIMIT_PIECES);
}

static void add_short_zones(const struct summary *s, const struct oom_report *r,
			    const struct zone_sum *z, struct strbuf *b)
{
	const char *nodes = nodes_of(r);

	if (z->mems_allowed)
		strbuf_add(b, "node%s %s, to which mems_allowed binds the request, ",
			   strspn(z->mems_allowed, "0123456789") == strlen(z->mems_allowed) ? ""
											    : "s",
			   z->mems_allowed);
	else if (z->zones == 1)
		strbuf_add(b, "zone %s of node %u%s", z->zone, z->node,
			   !nodes ? " "
			   : strcmp(words_of(r), "nodemask")
				   ? ", to which the cpuset of the request binds it, "
				   : ", to which the memory policy of the request binds it, ");
	else
		strbuf_add(b, "the zones of this request ");
	if (z->is_empty) {
		strbuf_add(b, "%s no memory, and what is free is ", z->zones == 1 ? "has" : "have");
		add_other_zones(s, z, b);
		return;
	}
	strbuf_add(b, "%sran out: ", z->served ? "nearly " : "");
	strbuf_add(b, "%s%s%s free there", summary_size(s, z->free), z->managed ? " of " : "",
		   z->managed ? summary_size(s, z->managed) : "");
	if (z->cma && z->cma <= z->free)
		strbuf_add(b, ", but %s of it in CMA, which the request may not use",
			   summary_size(s, z->cma));
	if (z->file <= s->ram_pages && summary_reaches(s, LIMIT_SHOWN, z->file))
		strbuf_add(b, ", beside %s of page cache", summary_size(s, z->file));
	strbuf_add(b, ", ");
	add_other_zones(s, z, b);
}

/* No zone is above its mark, with what it reserves for requests of lower zones, though much is free: the marks are what is wrong, a setting that was made too large. */
static void add_kept(struct summary *s, const struct zone_sum *z, struct strbuf *b)
{
	const char *kib;
	uint64_t pages;

	strbuf_add(b, "no zone is above its min watermark and reserve: ");
	verdict_add_free(s, b);
	strbuf_add(b, "; watermarks and reserves keep %s", summary_size(s, z->kept));
	kib = verdict_setting(s, "vm.min_free_kbytes");
	if (kib) {
		pages = strtoull(kib, NULL, 10) >> (s->dump->page_shift - 10);
		strbuf_add(b, ", vm.min_free_kbytes is %s, %s", kib, summary_size(s, pages));
		/* What the reserves of lower zones keep is another setting's. */
		if (pages > z->kept / 2 && pages <= s->ram_pages)
			s->kept_by_setting = pages;
	}
	verdict_add_swap(s, b);
}

/* Where blocks of the order are free that the request may not take. */
static const char *outside_of(const struct zone_sum *z)
{
	if (z->is_in_cma && z->is_in_highatomic)
		return " outside of CMA and of the highatomic reserve";
	return z->is_in_cma	     ? " outside of CMA"
	       : z->is_in_highatomic ? " outside of the highatomic reserve"
				     : "";
}

/*
 * A log without the counter of what was free, or of all RAM: by the marks of the zones it has memory did not run out, or
 * it lacks zones that may have had what was free.
 */
static bool lacks_reason(const struct summary *s, const struct oom_report *r)
{
	const struct log_number *pages = &r->mem.pages[MEM_free];
	const uint64_t page_kib = mem_info_page_kib(&r->mem).value;
	const uint64_t all = pages->known ? pages->value * page_kib : 0;
	uint64_t free = 0, marks = 0, present = 0;

	for (unsigned int i = 0; i < r->mem.nzones; i++) {
		free += r->mem.zones[i].kib[MEM_ZONE_free].value;
		marks += r->mem.zones[i].kib[MEM_ZONE_high].value;
		present += r->mem.zones[i].kib[MEM_ZONE_present].value;
	}
	/* A block may be what was missing. */
	if (s->dump->log_file && !pages->known && r->has_order && r->order > 0)
		return true;
	if (!s->dump->log_file || !r->mem.nzones)
		return s->dump->log_file && (r->has_head ? is_of_fault(r) && !pages->known
							 : r->scope == OOM_SCOPE_UNKNOWN);
	return free > 2 * marks || all > 2 * marks ||
	       (!pages->known && r->mem.ram.known &&
		present / 9 * 10 < r->mem.ram.value * page_kib);
}

/* The blocks of a zone whose line is lost are unknown. */
static bool may_lack_block(const struct summary *s, const struct oom_report *r)
{
	return s->dump->log_file && r->has_order && r->order > 0 && !mem_info_has_zones(&r->mem);
}

/* Of a dump that lacks its zones the report tells what they had. */
static bool read_zones(const struct summary *s, const struct oom_report *r, struct zone_sum *ret)
{
	return (!s->dump->log_file && zone_sum_read(s->view, r, ret)) || log_zone_sum(r, ret);
}

/* The same of what was free. */
static struct maybe_u64 free_at(const struct summary *s, const struct oom_report *r)
{
	if (s->free.known || s->dump->log_file || !r->has_mem_info)
		return s->free;
	return (struct maybe_u64){ r->mem.pages[MEM_free].value, r->mem.pages[MEM_free].known };
}

/* vmalloc() also lacks addresses, or is asked for more than there is, or for nothing. */
static void add_vmalloc(const struct summary *s, const struct oom_report *r, struct strbuf *b)
{
	const struct log_number *size = &r->vmalloc_bytes;

	if (size->known && !size->value) {
		strbuf_add(b, "vmalloc was asked for 0 bytes, which it does not give; ");
	} else if (size->known && r->vmalloc_why) {
		strbuf_add(b, "an allocation by vmalloc failed: %s were asked for, %s; ",
			   SIZE_TEXT(size->value), r->vmalloc_why);
	} else {
		strbuf_add(b, "an allocation by vmalloc failed, of what is unknown: ");
		if (size->known)
			strbuf_add(b, "%s were asked for; ", SIZE_TEXT(size->value));
	}
	verdict_add_free(s, b);
}

/* What the report asked for, and what the zones had of it when the machine ended. */
static enum verdict of_request(struct summary *s, const struct oom_report *r,
			       struct maybe_u64 *number, struct strbuf *b)
{
	struct zone_sum z;
	const struct maybe_u64 free = free_at(s, r);
	const bool known = r->has_order && r->order >= 0 && r->gfp_mask.known &&
			   read_zones(s, r, &z);
	const uint64_t cma = known ? z.cma : s->dump->log_file ? log_zones_cma(r) : 0;

	const bool lacks_block = known && z.no_block && !z.served && r->order;

	if (lacks_block && !zone_sum_is_used_up(s, r, &z)) {
		const char *outside = outside_of(&z);

		*number = (struct maybe_u64){ zone_sum_free(s, &z), true };
		strbuf_add(b, "no free block of order %d or above%s%s%s: ", r->order,
			   z.below ? " in a zone that is above its watermark" : "",
			   z.below && *outside ? "," : "", outside);
		zone_sum_add_free(s, &z, b);
		if (z.is_in_cma && z.cma && z.cma <= z.free)
			strbuf_add(b, ", %s of it in CMA", summary_size(s, z.cma));
		if (z.largest >= 0)
			strbuf_add(b, ", the largest block%s is of order %d",
				   z.below || *outside ? " there" : "", z.largest);
		if (summary_reaches(s, LIMIT_OTHER_FREE, z.other_free)) {
			strbuf_add(b, "; ");
			add_other_zones(s, &z, b);
		}
		return VERDICT_NO_BLOCK;
	}
	if (known && z.zones && is_zone_short(s, &z)) {
		*number = (struct maybe_u64){ z.free, true };
		s->short_zones = z;
		add_short_zones(s, r, &z, b);
		return VERDICT_ZONE;
	}
	if (known && !z.zones && z.other_free && nodes_of(r) &&
	    !(s->dump->log_file && s->dump->log_file->log.is_cut)) {
		*number = (struct maybe_u64){ 0, true };
		strbuf_add(b, "no zone of the nodes that the request may use serves it, by %s %s: ",
			   words_of(r), nodes_of(r));
		strbuf_add(b, "%s %s free in zones that it may not use",
			   summary_size(s, z.other_free), verdict_were(s));
		return VERDICT_ZONE;
	}
	if (r->kind == OOM_REPORT_ALLOCATION && r->has_order && r->order && !known) {
		verdict_add_request(r, b);
		verdict_add_free(s, b);
		return VERDICT_NO_BLOCK;
	}
	*number = s->free;
	if (r->kind == OOM_REPORT_ALLOCATION && !r->has_order) {
		add_vmalloc(s, r, b);
		return VERDICT_UNKNOWN;
	}
	if (oom_report_lacks_scope(r) && r->is_cgroup_by_trace && !s->free.known) {
		strbuf_add(b,
			   "a cgroup reached its limit, as the call trace tells; which one is in a "
			   "part of the report that %s",
			   verdict_lacking(s));
		return VERDICT_UNKNOWN;
	}
	if (oom_report_lacks_scope(r) && r->global_by && !s->free.known) {
		strbuf_add(b, "the OOM killer ran for the machine and no cgroup, as %s tells: ",
			   r->global_by);
		verdict_add_free(s, b);
		return VERDICT_UNKNOWN;
	}
	if (oom_report_lacks_scope(r) && !s->free.known) {
		strbuf_add(b,
			   "the OOM killer ran; whether memory ran out, or a cgroup reached its "
			   "limit, is in a part of its report that %s",
			   verdict_lacking(s));
		return VERDICT_UNKNOWN;
	}
	if (r->kind == OOM_REPORT_OOM && s->free.known &&
	    (s->dump->log_file || summary_reaches(s, LIMIT_OTHER_FREE, s->free.n)) &&
	    add_recovered(s, r, number, b))
		return VERDICT_RAN_OUT;
	if (r->kind == OOM_REPORT_OOM &&
	    (free.known ? summary_reaches(s, may_lack_block(s, r) ? LIMIT_OTHER_FREE : LIMIT_PLENTY,
					  outside_cma(free.n, cma))
			: nodes_of(r) || lacks_reason(s, r))) {
		/* A log may lack a zone. */
		if (s->free.known && known && z.zones && z.below == z.zones &&
		    z.kept <= s->ram_pages &&
		    summary_reaches(s, LIMIT_PLENTY, outside_cma(z.free, z.cma))) {
			add_kept(s, &z, b);
			return VERDICT_KEPT;
		}
		if (known && is_in_pieces(&z)) {
			*number = (struct maybe_u64){ zone_sum_free(s, &z), true };
			strbuf_add(b,
				   "hardly a free block of order %d or above: %s of the %s free "
				   "%s in such blocks",
				   r->order, summary_size(s, z.in_blocks),
				   summary_size(s, zone_sum_free(s, &z)), verdict_were(s));
			return VERDICT_NO_BLOCK;
		}
		add_no_reason(s, r, b);
		add_cma(s, cma, b);
		return VERDICT_UNKNOWN;
	}
	if (s->dump->log_file && r->kind == OOM_REPORT_OOM && is_of_fault(r) &&
	    log_zones_above_high(r)) {
		strbuf_add(b, "a page fault ended in the OOM killer, why is unknown: no zone was "
			      "below its high watermark at the report; ");
		verdict_add_free(s, b);
		verdict_add_swap(s, b);
		return VERDICT_UNKNOWN;
	}
	verdict_add_request(r, b);
	verdict_add_free_then(s, r, number, b);
	if (lacks_block)
		strbuf_add(b, "; asked for was order %d, of which no zone%s had a free block",
			   r->order, z.below ? " above its watermark" : "");
	add_cma(s, cma, b);
	verdict_add_swap(s, b);
	verdict_add_idle_pools(s, b);
	return VERDICT_RAN_OUT;
}

/* Without a report a log says nothing of memory at its end. */
static enum verdict of_log(const struct summary *s, const char *older, struct strbuf *b)
{
	strbuf_add(b, "unknown whether memory was short: ");
	verdict_add_no_report(s, older, b);
	/* RAM and users below are of that report, or list. */
	if (!older && s->free.known) {
		strbuf_add(b, ", at which ");
		verdict_add_free(s, b);
	}
	if (!older && !s->log_whole && !s->dump->log_file->is_respelled)
		strbuf_add(b, "; a part of it is missing");
	return VERDICT_UNKNOWN;
}

enum status summary_verdict(struct summary *s)
{
	const char *older;
	const struct oom_report *r = summary_report_of_end(s, &older);
	struct statement row = { .section = SECTION_VERDICT };
	struct strbuf b = STRBUF_OF(TEXT), whole = STRBUF_OF(2 * TEXT);
	enum verdict verdict;
	uint64_t age;

	if (r && s->limit_is_over && age_at_panic(&s->report->info, r->ts_ns, &age)) {
		older = arena_strdup(s->dump->arena, units_time((char[UNITS_BYTES]){ 0 }, age));
		r = NULL;
	}
	verdict = !r && s->dump->log_file ? of_log(s, older, &b)
		  : !r			  ? verdict_of_zones(s, older, &row.pages, &b)
		  : s->ran_out_in_cgroup  ? of_cgroup(s, r, &b)
					  : of_request(s, r, &row.pages, &b);
	summary_recovery(s);
	if (!s->dump->log_file && verdict == VERDICT_NOT_SHORT) {
		summary_add_unaccepted(s);
		summary_add_full(s);
	}
	if (s->dump->log_file)
		verdict_add_rest_of_log(s, &b);
	else if (s->log_whole)
		verdict_add_no_panic(s, verdict, &b);
	summary_limits(s);
	verdict_begin_end(s, verdict, &whole);
	s->has_other_cause = verdict == VERDICT_NOT_SHORT && whole.len;
	verdict_add_memory(s, b.buf, &whole);
	verdict_add_end(s, verdict, &whole);
	verdict_mark_free(s, r, verdict);
	row.name = verdict_words[verdict];
	s->verdict = verdict;
	summary_add(s, &row);
	summary_holds_most(s);
	verdict_add_hang(s, verdict, &whole);
	s->last[SECTION_VERDICT]->remark = arena_strdup(s->dump->arena, whole.buf);
	summary_trigger(s);
	return ST_OK;
}
