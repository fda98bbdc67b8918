// SPDX-License-Identifier: GPL-2.0-or-later
/* Who may have memory by the log: a victim, of a text of the log alone the counters of a cgroup. */

#include "claim_kinds.h"
#include "summary.h"
#include "verdict_words.h"

/* The process that the last report of a log killed, of which a line of its own tells what it had; NULL: there is none. */
static const struct oom_victim *exact_victim(const struct claims *c)
{
	const struct oom_report *r = c->s->last_report;

	return c->s->dump->log_file && r && r->outcome == OOM_KILLED && r->kills <= 1 &&
			       c->s->dump->page_shift >= 10 && r->victim.pid.known &&
			       r->victim.anon_rss_kib.known
		       ? &r->victim
		       : NULL;
}

static bool is_of(const struct statement *row, const struct oom_victim *v)
{
	return row && v && row->section == SECTION_GROUP && row->pid.known &&
	       row->pid.n == v->pid.value;
}

static uint64_t pages_of_kib(const struct claims *c, const struct log_number *kib)
{
	return kib->known ? kib->value >> (c->s->dump->page_shift - 10) : 0;
}

/* What its counters have and no row. */
static void add_part(struct claims *c, const char *class, struct maybe_u64 part, uint32_t memory)
{
	uint64_t told = 0;

	for (const struct claim *x = c->all; x < c->all + c->n; x++)
		if (x->memory == memory)
			/* The counters are printed before the kill. */
			told += x->victim ? pages_of_kib(c, &x->victim->anon_rss_kib)
				: x->row  ? x->pages
					  : 0;
	if (part.known && told < part.n)
		claims_add(c, &(struct claim){
				      .class = class, .pages = part.n - told, .memory = memory });
}

#define EXPLAINED 80 /* percent of what is charged: below, what no counter has may be the most */

/* Anonymous memory that is of one process, whatever counters are not in the log; 0: what it has may be of others as well. */
static uint64_t own_anon(const struct claims *c, const struct claim *x)
{
	const struct statement *row = x->row;
	const struct oom_victim *v = exact_victim(c);

	if (v && (x->victim || is_of(row, v)))
		return pages_of_kib(c, &v->anon_rss_kib);
	return row && row->section == SECTION_GROUP && row->processes.n == 1 && !c->s->lacks_anon &&
			       !row->counted.known
		       ? x->pages
		       : 0;
}

/* Where counters are lost, who has more than half of what is charged has most of it. */
static void leave_half(struct claims *c)
{
	const struct oom_victim *v = exact_victim(c);
	unsigned int n = 0;

	for (struct claim *x = c->all; x < c->all + c->n; x++) {
		const uint64_t own = own_anon(c, x);

		x->is_part |= own < x->pages && x->row;
		x->pages = own;
		if (x->pages > c->s->limit_usage.n / 2)
			c->all[n++] = *x;
	}
	c->n = n;
	/* Its row may be one of several of its name. */
	if (!n && v && v->has_comm && pages_of_kib(c, &v->anon_rss_kib) > c->s->limit_usage.n / 2)
		claims_add(c, &(struct claim){ .victim = v,
					       .pages = pages_of_kib(c, &v->anon_rss_kib),
					       .memory = 1U << CLASS_ANON,
					       .depth = DEPTH_OWNER });
}

/* The counters of a log. A row of a kernel without a column of anonymous memory has its files too. */
void claims_add_parts(struct claims *c)
{
	const struct limit_parts *p = &c->s->parts;
	const struct maybe_u64 kernel = c->s->limit_kernel;
	const uint64_t files = p->shmem.n + p->file.n;
	const uint64_t sock = p->sock.known ? p->sock.n : 0;

	if (!p->anon.known || !p->shmem.known || !p->file.known ||
	    p->anon.n + files + sock + (kernel.known ? kernel.n : 0) <
		    c->s->limit_usage.n / 100 * EXPLAINED) {
		leave_half(c);
		return;
	}
	for (struct claim *x = c->all; x < c->all + c->n; x++) {
		if (!x->row || x->row->section != SECTION_GROUP || !c->s->lacks_anon)
			continue;
		if (is_of(x->row, exact_victim(c))) {
			x->pages = pages_of_kib(c, &exact_victim(c)->anon_rss_kib);
			x->is_part = true;
			continue;
		}
		x->is_about = true;
		if (x->row->is_least)
			continue;
		x->pages -= x->pages < files ? x->pages : files;
		x->pages = x->pages < p->anon.n ? x->pages : p->anon.n;
		x->is_part = true;
	}
	add_part(c, "anon", p->anon, 1U << CLASS_ANON);
	add_part(c, "shmem", p->shmem, 1U << CLASS_SHMEM);
	add_part(c, "file", p->file, 1U << CLASS_FILE);
	add_part(c, "sock", p->sock, CLAIM_SOCKETS);
}

/* All anonymous memory and all files of the report; unknown: it lacks a counter. */
static struct maybe_u64 unshared_pages(const struct claims *c)
{
	static const unsigned int files[] = { MEM_active_file, MEM_inactive_file,
					      MEM_isolated_file };
	const struct oom_report *r = c->s->last_report;
	struct maybe_u64 sum = { 0 };

	for (const struct statement *row = c->s->first[SECTION_CLASS]; row; row = row->next)
		if (!strcmp(row->name, page_class_name(CLASS_ANON)))
			sum = row->pages;
	for (size_t i = 0; i < ARRAY_SIZE(files); i++) {
		sum.known &= r && r->mem.pages[files[i]].known;
		sum.n += sum.known ? r->mem.pages[files[i]].value : 0;
	}
	return sum;
}

/* What the victim had of anonymous memory is of no other process. */
static uint64_t anon_of_victim(const struct claims *c, const struct statement *but)
{
	const struct oom_victim *v = exact_victim(c);

	return v && !is_of(but, v) ? pages_of_kib(c, &v->anon_rss_kib) : 0;
}

/* Files and shared memory are in the rss of a row, and not in what is left of a class: that is about so much then. */
uint64_t claim_told_of(const struct claims *c, const struct claim *x, uint32_t memory,
		       bool *is_about)
{
	const struct oom_victim *v = exact_victim(c);
	const uint32_t anon = 1U << CLASS_ANON;

	if (claim_is_cgroup(x))
		return 0;
	if (!(x->memory & memory))
		return x->row && memory & anon && x->memory != CLAIM_PINNED ? x->row->pinned : 0;
	if (v && memory == anon && (is_of(x->row, v) || x->victim))
		return pages_of_kib(c, &v->anon_rss_kib);
	*is_about |= c->s->dump->log_file && c->s->lacks_anon && memory == anon && x->row;
	return x->pages;
}

/*
 * Where the rss of all processes is more than RAM they share most of it: each may have mapped all shared memory that there
 * is, and what a process has for itself is what is more than that.
 */
static void leave_out_shared(struct claims *c)
{
	const struct summary *s = c->s;
	uint64_t shmem = 0;

	if (!s->table.rss.known || !s->ram_pages || s->table.rss.n <= s->ram_pages)
		return;
	for (const struct statement *row = s->first[SECTION_CLASS]; row; row = row->next)
		if (!strcmp(row->name, page_class_name(CLASS_SHMEM)) && row->pages.known)
			shmem = row->pages.n;
	for (struct claim *x = c->all; x < c->all + c->n; x++)
		if (x->row && x->row->section == SECTION_GROUP && x->row->processes.n == 1 &&
		    !is_of(x->row, exact_victim(c)))
			x->pages -= x->pages < shmem ? x->pages : shmem;
}

/*
 * A table without a column of anonymous memory: what is more than all of that, and all files, is shared memory.
 * With one, what counts more than there is was estimated.
 */
void claims_mark_shared(struct claims *c)
{
	const struct maybe_u64 all = unshared_pages(c);

	for (struct claim *x = c->all; x < c->all + c->n; x++)
		x->is_about |= c->s->dump->log_file && x->row && x->row->counted.known;
	if (c->s->dump->log_file && c->s->lacks_anon)
		leave_out_shared(c);
	if (!c->s->dump->log_file || !c->s->lacks_anon || !all.known)
		return;
	for (struct claim *x = c->all; x < c->all + c->n; x++) {
		const bool is_process = x->row && x->row->section == SECTION_GROUP;
		const uint64_t gone = is_process ? anon_of_victim(c, x->row) : 0;
		const uint64_t other = all.n - (gone < all.n ? gone : all.n);

		if (is_process && x->pages > other && x->pages - other >= x->pages / 2)
			x->memory |= 1U << CLASS_SHMEM;
	}
}

/* Whether a process of the log is among the rows: it is there, or they are those of the log. */
static bool has_process(const struct claims *c, uint64_t pid)
{
	return ANY_NEXT(row, c->s->first[SECTION_GROUP], row->pid.known && row->pid.n == pid);
}

/*
 * Of several processes of one name what they have is told together, with what this one had; but where it had half of all it
 * is told alone, of which its own line says so.
 */
static bool is_one_of_several(const struct claims *c, const struct oom_victim *v)
{
	const struct summary *s = c->s;
	const uint64_t had = pages_of_kib(c, &v->anon_rss_kib);
	uint64_t all = c->of_limit ? s->parts.anon.n : 0;

	if (!s->dump->log_file || !s->has_tasks || s->table.lacks_victim)
		return false;
	for (const struct statement *row = s->first[SECTION_CLASS]; row && !c->of_limit;
	     row = row->next)
		if (!strcmp(row->name, page_class_name(CLASS_ANON)))
			all = row->pages.n;
	return ANY_NEXT(row, s->first[SECTION_GROUP],
			row->processes.n > 1 && row->comm && !strcmp(row->comm, v->comm) &&
				(row->pages.known || row->is_least || had < all / 2));
}

/* What was killed had its memory when that ran out. */
void claims_add_victim(struct claims *c)
{
	const char *older;
	const struct oom_report *r = summary_report_of_end(c->s, &older);
	const struct oom_victim *v = r ? &r->victim : NULL;
	const unsigned int shift = c->s->dump->page_shift;

	if (!r || r->outcome != OOM_KILLED || r->kills > 1 || shift < 10 || !v->pid.known ||
	    !v->has_comm || !v->anon_rss_kib.known || has_process(c, v->pid.value) ||
	    is_one_of_several(c, v))
		return;
	claims_add(c, &(struct claim){
			      .victim = v,
			      .pages = (v->anon_rss_kib.value +
					(v->shmem_rss_kib.known ? v->shmem_rss_kib.value : 0)) >>
				       (shift - 10),
			      .memory = 1U << CLASS_ANON,
			      .depth = DEPTH_OWNER });
}

const char *claims_limit_name(const struct summary *s)
{
	const struct oom_report *r = s->last_report;
	const char *name;
	const struct oom_limit *limit = s->dump->log_file && r ? oom_report_limit(r, &name) : NULL;

	return limit && limit != &r->memory ? "its limit of memory" : "the limit";
}

uint64_t claims_given(const struct claims *c)
{
	const struct statement *row = c->s->dump->log_file ? c->s->first[SECTION_CLASS] : NULL;

	while (row && strcmp(row->name, page_class_name(CLASS_RESERVED)) != 0)
		row = row->next;
	return row && row->pages.known && row->pages.n < c->whole ? c->whole - row->pages.n
								  : c->whole;
}

uint64_t claims_lost_swap(const struct claims *c, uint64_t pages)
{
	const struct log_table *t = &c->s->table;
	/* Of processes that have rows, what of it they have these tell. */
	const bool is_of_rows = c->s->lacks_anon && c->s->untold_first;

	return !t->no_swap.known || is_of_rows ||
			       (t->lacks_victim && anon_of_victim(c, NULL) >= pages)
		       ? 0
		       : t->no_swap.n;
}

/* The line of its kill does not tell what it had in swap, and its row is lost. */
void claim_victim_detail(const struct summary *s, struct strbuf *b)
{
	const struct log_table *t = &s->table;

	strbuf_add(b, "when it was killed");
	if (t->lacks_victim && t->no_swap.known && summary_reaches(s, LIMIT_HOLDER, t->no_swap.n))
		strbuf_add(b,
			   "; %s of swap is of no row that is known, and how much of it it had "
			   "is unknown",
			   summary_size(s, t->no_swap.n));
}

#define STEADY_KILLS 3 /* of fewer that each had as much says little */

const char *claim_steady_text(const struct summary *s, const struct claim *of)
{
	const struct oom_report *r = s->ran_out;
	uint64_t least = UINT64_MAX, most = 0;
	unsigned int n = 0;

	for (unsigned int i = 0; of->victim && r && i < s->reports.n; i++) {
		const struct oom_report *x = &s->reports.reports[i];
		const uint64_t kib = x->victim.anon_rss_kib.value;

		if (x->outcome != OOM_KILLED || oom_report_is_by_sysrq(x) ||
		    strcmp(x->oom_memcg, r->oom_memcg) != 0 ||
		    strcmp(x->victim.comm, of->victim->comm) != 0)
			continue;
		if (!x->victim.anon_rss_kib.known)
			return NULL;
		least = kib < least ? kib : least;
		most = kib > most ? kib : most;
		n++;
	}
	return n >= STEADY_KILLS && least >= most / 10 * 9
		       ? dump_text(s->dump, "%s had as much each of %u times that it was killed",
				   of->victim->comm, n)
		       : NULL;
}

void claims_add_lost(const struct claims *c, const struct claim *largest, const char *whole,
		     struct strbuf *b)
{
	const uint64_t least = largest ? (largest->pages + largest->swapped) / 100 * CLAIM_NEAR
				       : c->least;

	if (c->lost && c->lost >= least)
		strbuf_add(b, "; %s%s is in no line that could be read",
			   summary_size(c->s, c->lost),
			   charged_share_text(c->s, c->lost, c->whole, c->of_limit, whole));
}
