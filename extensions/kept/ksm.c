// SPDX-License-Identifier: GPL-2.0-or-later
/* Pages that KSM merged: each process that has one counts it, and none of them has it for itself. */
#include "memowner/groups.h"
#include "memowner/summary.h"

#define NAMED 4 /* processes */

struct sharer {
	int32_t tgid;
	const char *comm;
	uint64_t pages;
};

struct sharers {
	struct summary *s;
	struct largest largest; /* of struct sharer */
	uint64_t n, pages;
	bool has_all; /* page tables of all processes were read */
};

static void add_group(struct sharers *x, const struct process_group *g)
{
	x->has_all &= !g->why;
	for (const struct anon_process *p = g->sum.first; p; p = p->next) {
		struct sharer *of;

		if (!p->merged)
			continue;
		of = dump_alloc(x->s->dump, sizeof(*of));
		*of = (struct sharer){ p->tgid, g->comm, p->merged };
		largest_add(&x->largest, of->pages, of);
		x->n++;
		x->pages += of->pages;
	}
}

/* "KSM pages, shared by 3 processes: qemu-a (75), qemu-b (76), qemu-c (77)" */
static const char *name_of(const struct sharers *x)
{
	struct strbuf b = STRBUF_OF(256);

	if (!x->n)
		return "KSM pages of unknown processes";
	strbuf_add(&b, "KSM pages, %s %s%s", x->n > 1 ? "shared by" : "of",
		   x->has_all ? "" : "at least ", PLURAL_TEXT(x->n, "process", "processes"));
	for (unsigned int i = 0; i < x->largest.n; i++) {
		const struct sharer *of = x->largest.of[i].item;

		strbuf_add(
			&b, "%s%s", i ? ", " : ": ",
			SUMMARY_TASK(((struct maybe_u64){ (uint64_t)of->tgid, true }), of->comm));
	}
	if (x->n > x->largest.n)
		strbuf_add(&b, " and %s more", COUNT_TEXT(x->n - x->largest.n));
	return dump_strdup(x->s->dump, b.buf);
}

/* "ksmd counts 52.0M in place of 156.0M": a second witness; NULL: it has none. */
static const char *remark_of(struct summary *s)
{
	struct dump *d = s->dump;
	uint64_t shared = 0, sharing = 0;
	enum status st = dump_symbol_u64(d, "ksm_pages_shared", &shared)
				 ?: dump_symbol_u64(d, "ksm_pages_sharing", &sharing);

	d->error[0] = '\0';
	if (st != ST_OK || !shared || shared + sharing < sharing)
		return NULL;
	return dump_text(d, "ksmd counts %s in place of %s", summary_size(s, shared),
			 summary_size(s, shared + sharing));
}

enum status summary_ksm(struct summary *s)
{
	struct sharers x = { .s = s, .largest.room = NAMED, .has_all = !s->tasks_missing };
	struct statement *row;

	if (!summary_reaches(s, LIMIT_HOLDER, s->merged_pages))
		return ST_OK;
	if (s->groups && s->has_tasks)
		hash_bytes_for_each(const struct process_group, g, &s->groups->groups)
			add_group(&x, g);
	row = summary_holder(s, "ksm", name_of(&x), s->merged_pages,
			     "memowner processes -s pss_anon_bytes -o +pss_anon_bytes",
			     remark_of(s));
	if (row && x.n)
		row->release =
			x.n > 1 ? "the end of all of these processes"
				: summary_end_of(
					  s, ((const struct sharer *)x.largest.of[0].item)->comm,
					  ((const struct sharer *)x.largest.of[0].item)->tgid);
	return ST_OK;
}
