// SPDX-License-Identifier: GPL-2.0-or-later
/* Who has direct pages by the kernel's own lists and counters. */
#include "collect/counted.h"

#include "pageowner/class_counters.h"
#include "pageowner/view.h"
#include "pass.h"

static void add_large_kmalloc(struct summary *s, struct counted *c)
{
	struct class_pages *found = dump_alloc(s->dump, sizeof(*found));
	uint64_t pages;

	memcpy(found->pages, s->pass->classes, sizeof(found->pages));
	found->unreadable = s->pass->unreadable;
	owner_view_counters(s->view);
	if (class_large_kmalloc(s->view, found, &pages))
		counted_add(s->dump, c, COUNTED_SLAB, "large kmalloc", NULL, pages);
}

/* Those are in the row of the process that holds them. */
static bool has_process(enum counted_kind kind)
{
	return kind == COUNTED_PACKET || kind == COUNTED_BPF || kind == COUNTED_PIPE ||
	       kind == COUNTED_IO_URING || kind == COUNTED_SOCKET;
}

/* What rows of a kind have, and the word for one of them; NULL: the name says it. */
static const struct {
	const char *many, *one;
} words[COUNTED_KINDS] = {
	[COUNTED_FTRACE] = { "ftrace" },
	[COUNTED_PERF] = { "buffers of perf" },
	[COUNTED_PACKET] = { "packet rings", "a packet ring" },
	[COUNTED_BPF] = { "BPF ring buffers", "a BPF ring buffer" },
	[COUNTED_DMA_POOL] = { "DMA pools", "a DMA pool" },
	[COUNTED_PIPE] = { "pipes" },
	[COUNTED_IO_URING] = { "rings of io_uring" },
	[COUNTED_SOCKET] = { "packets of sockets" },
	[COUNTED_XFS] = { "buffers of XFS" },
	[COUNTED_ZFS] = { "buffers of ZFS" },
	[COUNTED_BRD] = { "RAM disks", "a RAM disk" },
	[COUNTED_VMAP] = { "pages that vmap() maps" },
	[COUNTED_TTM] = { "TTM" },
	[COUNTED_KVM] = { "KVM" },
};

/* A kind of n rows in words; NULL: it has none. */
static const char *words_of(const struct summary *s, enum counted_kind kind, size_t n)
{
	return !words[kind].one ? words[kind].many
	       : n == 1		? words[kind].one
				: dump_text(s->dump, "%zu %s", n, words[kind].many);
}

/* The line of the class names what has most of it. problem: as for add_row(). */
static void remark_on_class(struct summary *s, const struct counted_row *most, const char *problem)
{
	const char *in = words_of(s, most->kind, most->holders), *name = in ? most->name : NULL;
	struct statement *row = s->first[SECTION_CLASS];

	while (row && strcmp(row->name, page_class_name(CLASS_DIRECT)) != 0)
		row = row->next;
	if (!row || !summary_reaches(s, LIMIT_HOLDER, most->size.n))
		return;
	row->remark = dump_text(s->dump, "%s%s in %s%s%s%s",
				problem && most->is_listed ? "at least " : "",
				summary_size(s, most->size.n), in ?: most->name, name ? " (" : "",
				name ?: "", name ? ")" : "");
}

/* Told as one row: each has little, and what is said of one holds of all. */
static bool is_summed(enum counted_kind kind)
{
	return kind == COUNTED_XFS || kind == COUNTED_BRD || kind == COUNTED_FTRACE;
}

#define INSTANCES_NAMED 2u

/* "ring buffers of 20 instances: pod-17417c, pod-1c4509 and 18 more": those that are at least half as large as the largest, alone. */
static void sum_instances(const struct summary *s, const struct counted *c, struct counted_row *sum)
{
	struct strbuf b = STRBUF_OF(256);
	uint64_t most = 0, pages = 0;
	size_t n = 0;

	for (size_t i = 0; i < c->n; i++)
		if (c->all[i].kind == COUNTED_FTRACE && c->all[i].size.n > most)
			most = c->all[i].size.n;
	for (size_t i = 0; i < c->n; i++) {
		const struct counted_row *row = &c->all[i];

		if (row->kind != COUNTED_FTRACE || row->size.n < most / 2)
			continue;
		pages += row->size.n;
		if (n++ < INSTANCES_NAMED)
			strbuf_add(&b, "%s%s", strbuf_between(&b, ", "), row->name ?: "?");
	}
	if (n > INSTANCES_NAMED)
		strbuf_add(&b, " and %zu more", n - INSTANCES_NAMED);
	if (!n)
		return;
	sum->size.n = pages;
	sum->name = n == 1 ? dump_strdup(s->dump, b.buf)
			   : dump_text(s->dump, "ring buffers of %zu instances: %s", n, b.buf);
	sum->release = "removing instances of tracefs, or a smaller buffer_size_kb";
}

/* Rows of a kind that has a word are one sum, with the name that all have. */
static void add_sum(struct counted_row *sum, const struct counted_row *row)
{
	const bool is_same = !sum->size.n || sum->name == row->name ||
			     (sum->name && row->name && !strcmp(sum->name, row->name));

	sum->kind = row->kind;
	sum->name = is_same ? row->name : NULL;
	sum->size.n += row->size.n;
	sum->holders += row->holders;
	sum->is_listed |= row->is_listed;
	sum->release = row->release;
}

/* What several have open is in the row of none of them: the end of one alone frees nothing. */
static struct statement *add_shared(struct summary *s, const struct counted_row *row)
{
	const struct text_list *users = row->used_by;
	struct strbuf b = STRBUF_OF(256);

	if (!users || users->n + users->more < 2)
		return NULL;
	summary_user_names(users, &b);
	return summary_holder_users(s, "held", dump_strdup(s->dump, b.buf), users, row->size.n,
				    "memowner counted",
				    dump_text(s->dump, "%s, which %s of them have open",
					      words_of(s, row->kind, row->holders),
					      users->n + users->more == 2 ? "both" : "all"));
}

/* problem: why more of them may be missing; NULL: none is, or it is one. */
static void add_row(struct summary *s, const struct counted_row *row, const char *problem)
{
	struct statement *put = NULL;

	if (has_process(row->kind))
		put = add_shared(s, row);
	else
		put = summary_holder_users(s, counted_kind_names[row->kind],
					   row->name ?: words_of(s, row->kind, row->holders),
					   row->used_by, row->size.n,
					   row->is_listed ? "memowner counted" : NULL, NULL);
	if (!put)
		return;
	put->release = row->release;
	put->is_least = problem;
	put->is_sum = !row->name && !has_process(row->kind);
}

enum status summary_counted(struct summary *s)
{
	struct owner_view *v = s->view;
	const struct session session = owner_session(v);
	const struct counted_from from = { .session = &session,
					   .classes = v->classes,
					   .owner = v->has_owner ? &v->owner : NULL,
					   .lists = &v->lists };
	const struct counted_row *most = NULL;
	struct counted_row sums[COUNTED_KINDS] = { 0 };
	struct counted c;
	enum status st;

	if (!v->has_states || !summary_may_hold(s, s->classes[CLASS_DIRECT]))
		return ST_OK;
	st = counted_collect(&from, &c);
	if (st != ST_OK)
		return st;
	add_large_kmalloc(s, &c);
	for (size_t i = 0; i < c.n; i++) {
		const struct counted_row *row = &c.all[i];

		if (words[row->kind].many)
			add_sum(&sums[row->kind], row);
		else if (!most || row->size.n > most->size.n)
			most = row;
		if (!is_summed(row->kind))
			add_row(s, row, NULL);
	}
	sums[COUNTED_XFS].name = NULL;
	sum_instances(s, &c, &sums[COUNTED_FTRACE]);
	for (size_t i = 0; i < COUNTED_KINDS; i++)
		if (is_summed(i) && sums[i].size.n)
			add_row(s, &sums[i], c.problem);
	for (size_t i = 0; i < COUNTED_KINDS; i++)
		if (sums[i].size.n && (!most || sums[i].size.n > most->size.n))
			most = &sums[i];
	s->counted_pages = c.pages;
	/* The data of a large packet is of large kmalloc, which is in no list. */
	if (s->socket_pages > sums[COUNTED_SOCKET].size.n)
		s->counted_pages += s->socket_pages - sums[COUNTED_SOCKET].size.n < c.only_counted
					    ? s->socket_pages - sums[COUNTED_SOCKET].size.n
					    : c.only_counted;
	if (most)
		remark_on_class(s, most, c.problem);
	if (!s->next_holder && summary_reaches(s, LIMIT_HOLDER, c.pages + c.only_counted))
		s->next_holder = "memowner counted";
	s->lacks_lists = c.problem;
	if (c.problem)
		summary_unknown(s, "lists of direct pages", NOT_IN_DUMP, "%s", c.problem);
	return c.is_partial ? ST_STOPPED : ST_OK;
}
