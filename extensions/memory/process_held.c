// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What a process alone keeps beside its memory: files without a name, sockets, rings, BPF maps.  HELD of it, and what
 * that leaves out: swap in zram and zswap, which is RAM, what processes of a group share, and objects of what is open.
 */
#include "files.h"
#include "collect/task_places.h"
#include "files/fd_bits.h"
#include "pools/swap_areas.h"
#include "pools/zram.h"
#include "pools/zswap.h"
#include "processes.h"
#include "util/strbuf.h"

#define TEXT 512
#define DEVICES 16 /* of zram that are compared with areas; more are told as unknown */

/* What is free when it is gone: huge pages go back to their pool, what others use stays. */
bool process_held(const struct processes *p, const struct process *q, int64_t *bytes)
{
	*bytes = (int64_t)(((q->anon_alone + q->held_files) << p->v->page_shift) +
			   q->info.pgtables_bytes + (q->other ? q->other->all : 0));
	return q->has_pss && q->has_files && q->has_mm && q->info.has_pgtables;
}

static void put(struct processes *p, const char *text)
{
	if (p->v->in->opts.json)
		report_warn(&p->v->report, "%s", text);
	else
		sink_printf(p->v->out, "%s\n", text);
}

struct in_ram {
	struct processes *p;
	const char *names[DEVICES]; /* of zram devices; "": unknown */
	struct zram_device of[DEVICES];
	bool is_swap[DEVICES];
	unsigned int n;
	bool has_unknown; /* an area without a path, a device without a name, or more of them */
	bool has_others;  /* an area in use that is no zram */
	bool is_zswap, has_zswap_sizes;
	uint64_t zswap_pages, zswap_stored; /* with has_zswap_sizes */
};

static enum status add_device(void *arg, const struct zram_device *z)
{
	struct in_ram *x = arg;

	if (x->n == DEVICES || !z->name[0]) {
		x->has_unknown = true;
		return ST_OK;
	}
	x->of[x->n] = *z;
	x->names[x->n] = dump_strdup(x->p->v->dump, z->name);
	x->n++;
	return ST_OK;
}

static enum status add_area(void *arg, const struct swap_area *area)
{
	struct in_ram *x = arg;
	const char *last = area->path ? strrchr(area->path, '/') : NULL;
	bool found = false;

	if (!area->used)
		return ST_OK;
	for (unsigned int i = 0; i < x->n; i++)
		if (last && !strcmp(last + 1, x->names[i]))
			found = x->is_swap[i] = true;
	x->has_unknown |= !last;
	x->has_others |= last && !found;
	return ST_OK;
}

static enum status add_zswap(void *arg, const struct zswap_pool *z)
{
	struct in_ram *x = arg;

	if (!z->has_pages || !z->pages)
		return ST_OK;
	x->has_zswap_sizes = (!x->is_zswap || x->has_zswap_sizes) && z->has_stored;
	x->is_zswap = true;
	x->zswap_pages += z->pages;
	x->zswap_stored += z->stored;
	return ST_OK;
}

static const struct process *most_swapped(const struct processes *p)
{
	const struct process *most = NULL;

	for (size_t i = 0; i < p->n; i++) {
		const struct process *q = p->all[i];

		if (q->has_task && q->has_exact && q->exact.swap > 0 &&
		    (!most || q->exact.swap > most->exact.swap))
			most = q;
	}
	return most;
}

/* Pages that are stored, and those that they take; false: of one it is unknown. */
static bool sum_devices(const struct in_ram *x, uint64_t *stored, uint64_t *pages)
{
	*stored = *pages = 0;
	for (unsigned int i = 0; i < x->n; i++) {
		if (!x->is_swap[i])
			continue;
		if (!x->of[i].has_stats || !x->of[i].has_pages)
			return false;
		*stored += x->of[i].stored;
		*pages += x->of[i].pages;
	}
	return *stored > 0;
}

/* An inference: what a page takes of each process is as much as on average. */
static void add_share(const struct in_ram *x, const struct process *most, struct strbuf *b)
{
	const unsigned int shift = x->p->v->page_shift;
	const uint64_t swap = (uint64_t)most->exact.swap;
	uint64_t stored, pages;

	if (!sum_devices(x, &stored, &pages))
		return;
	strbuf_add(b, ", %s in %s", SIZE_TEXT((int64_t)(stored << shift)),
		   SIZE_TEXT((int64_t)(pages << shift)));
	if (x->has_others || x->has_unknown || x->is_zswap || swap > stored)
		return;
	strbuf_add(b, "; the end of %s (%d) would free up to about %s of that, by its share",
		   most->task.comm, most->task.tgid,
		   SIZE_TEXT((int64_t)((swap * pages / stored) << shift)));
}

static void add_zram(const struct in_ram *x, const struct process *most, struct strbuf *b)
{
	const char *between = "";

	strbuf_add(b, "HELD is without %s, which is in RAM as well: ",
		   x->has_others || x->has_unknown || x->is_zswap ? "what of SWAP is in zram"
								  : "SWAP");
	for (unsigned int i = 0; i < x->n; i++) {
		if (!x->is_swap[i])
			continue;
		strbuf_add(b, "%s%s", between, x->names[i]);
		between = ", ";
	}
	add_share(x, most, b);
}

static void put_zswap(const struct in_ram *x)
{
	const unsigned int shift = x->p->v->page_shift;
	struct strbuf b = STRBUF_OF(TEXT);

	strbuf_add(&b, "HELD is without what of SWAP is in zswap, which is in RAM as well: ");
	if (x->has_zswap_sizes)
		strbuf_add(&b, "%s in ", SIZE_TEXT((int64_t)(x->zswap_stored << shift)));
	strbuf_add(&b, "%s of all processes", SIZE_TEXT((int64_t)(x->zswap_pages << shift)));
	put(x->p, b.buf);
}

static void put_swapped(struct processes *p)
{
	const struct process *most = most_swapped(p);
	struct dump *d = p->v->dump;
	struct in_ram *x = dump_alloc(d, sizeof(*x));
	struct strbuf b = STRBUF_OF(TEXT);
	enum status zram, zswap, areas;

	if (!most || !table_shows(&p->v->in->table, COLUMN_held_bytes))
		return;
	x->p = p;
	zram = zram_walk(d, add_device, x);
	/* Without the types of its module devices were visited; a kernel without it has none. */
	x->has_unknown |= zram != ST_OK && zram != ST_ABSENT && zram != ST_UNKNOWN;
	zswap = zswap_walk(d, add_zswap, x);
	areas = swap_areas_walk(d, add_area, x);
	x->has_unknown |= areas != ST_OK;
	d->error[0] = '\0';
	if (ANY_OF(i, x->n, x->is_swap[i])) {
		add_zram(x, most, &b);
		put(p, b.buf);
	} else if (x->has_unknown && (x->n || (zram != ST_ABSENT && zram != ST_OK))) {
		put(p, "HELD is without SWAP: whether that is in zram, and so in RAM, is unknown");
	}
	if (x->is_zswap)
		put_zswap(x);
	else if (zswap != ST_OK && zswap != ST_ABSENT)
		put(p, "HELD is without SWAP: whether that is in zswap, and so in RAM, is unknown");
}

/* What processes of a group share since fork(), and HELD of the group is without. */
struct sharing {
	struct row_group group; /* first: row_groups_get() */
	const struct process
		*most; /* of it, which stands for the group; NULL: of none it is known */
	uint64_t most_bytes, bytes, held;
	unsigned int n;	      /* processes that share any */
	unsigned int unknown; /* whose part is */
};

/* Its part of what it does not map alone. */
static uint64_t part_of(const struct processes *p, const struct process *q)
{
	const uint64_t alone = q->anon_alone << p->v->page_shift;

	return q->pss_anon_bytes > alone ? q->pss_anon_bytes - alone : 0;
}

static void add(const struct processes *p, struct sharing *s, const struct process *q)
{
	const uint64_t part = q->has_pss ? part_of(p, q) : 0;
	int64_t held = 0;

	s->unknown += !q->has_pss;
	if (!part)
		return;
	if (process_held(p, q, &held) && held > 0)
		s->held += (uint64_t)held;
	s->bytes += part;
	s->n++;
	if (!s->most || part > s->most_bytes) {
		s->most = q;
		s->most_bytes = part;
	}
}

/* Less beside what each has alone is no matter. */
static bool is_much(const struct sharing *s)
{
	return s->n > 1 && s->bytes > s->held / HELD_FEW;
}

static void sum_shared(struct processes *p, struct row_groups *groups)
{
	struct cmdline *in = p->v->in;
	const struct view *of = in->shown;
	bool is_new;

	row_groups_init(groups, p->v->dump, sizeof(struct sharing));
	for (size_t i = 0; i < p->n; i++)
		if (p->all[i]->is_kept)
			add(p,
			    row_groups_get(groups, in, of->member_columns, of->nmember_columns,
					   p->all[i], p, &is_new),
			    p->all[i]);
}

/* The sum of the parts is all of it where no process outside has it too, which is not known here: at most that. */
static void put_shared(struct processes *p)
{
	struct cmdline *in = p->v->in;
	struct row_groups groups;
	const struct sharing *most = NULL;
	size_t much = 0;

	if (!in->ngroups || !in->shown->member_columns ||
	    !table_shows(&in->table, COLUMN_held_bytes) || !p->n)
		return;
	sum_shared(p, &groups);
	hash_bytes_for_each(const struct sharing, s, &groups.groups) {
		if (!is_much(s))
			continue;
		much++;
		if (!most || s->bytes > most->bytes)
			most = s;
	}
	if (!most)
		return;
	put(p,
	    dump_text(p->v->dump,
		      "HELD of a group is without anonymous memory that several of it "
		      "share: up to %s of %s (%d) and %s of its group, less where "
		      "others share it%s%s",
		      SIZE_TEXT((int64_t)most->bytes), most->most->task.comm, most->most->task.tgid,
		      PLURAL_TEXT(most->n - 1, "more", "more"),
		      most->unknown ? dump_text(p->v->dump, "; of %s of it this is unknown",
						PLURAL_TEXT(most->unknown, "process", "processes"))
				    : "",
		      much > 1 ? dump_text(p->v->dump, "; so of %s",
					   PLURAL_TEXT(much - 1, "more group", "more groups"))
			       : ""));
}

/* Of those that the filters keep. */
static bool is_kept(const struct processes *p, const struct process *q)
{
	return p->v->in->shown->member_columns ? q->is_kept
					       : rows_would_keep(p->v->in, q, (void *)p);
}

#define OPENED_PART 10	 /* parts of HELD that are much */
#define OPENED_LEAST 256 /* descriptors that are many */

/* How many objects there are for each, and of what size, only the walk of all open files would tell. */
static void put_opened(struct processes *p)
{
	struct dump *d = p->v->dump;
	const uint64_t each = dump_type_bytes(d, "struct file");
	const struct process *most = NULL;
	struct fd_bits fds;
	uint64_t n = 0, of_most = 0;
	int64_t held;

	if (!each || !table_shows(&p->v->in->table, COLUMN_held_bytes) ||
	    fd_bits_open(d, &fds) != ST_OK)
		return;
	for (size_t i = 0; i < p->n; i++) {
		const struct process *q = p->all[i];

		if (q->has_task && is_kept(p, q) &&
		    fd_bits_count(&fds, q->task.address, FD_TABLE_MOST, 0, &n) == ST_OK &&
		    n > of_most) {
			most = q;
			of_most = n;
		}
	}
	d->error[0] = '\0';
	if (!most || of_most < OPENED_LEAST ||
	    (process_held(p, most, &held) && (int64_t)(of_most * each) < held / OPENED_PART))
		return;
	put(p,
	    dump_text(
		    d,
		    "HELD is without the kernel's objects (slab) of what is open: %s (%d) has %s, whose struct file "
		    "alone takes up to %s, sockets and inodes beside: memowner, memowner caches",
		    most->task.comm, most->task.tgid, COUNT_OF(of_most, "descriptor"),
		    SIZE_TEXT((int64_t)(of_most * each))));
}

void processes_put_unheld(struct processes *p)
{
	put_swapped(p);
	put_shared(p);
	put_opened(p);
}

/* Below: what a process alone keeps. */
static void add_file(struct processes *p, int32_t tgid, uint64_t pages)
{
	struct process *const *q = hash_u64_find(&p->by_tgid, (uint64_t)tgid);

	if (q)
		(*q)->held_files += pages;
}

/* A file that several keep is told of one of them, where -g puts all into one group and -f leaves out none. */
static void add_of_group(struct processes *p, const struct file_row *r)
{
	const struct view *of = p->v->in->shown;
	struct process *const *first = hash_u64_find(&p->by_tgid, (uint64_t)r->tgids[0]);

	if (!first || !(*first)->is_kept)
		return;
	for (size_t i = 1; i < r->ntgids; i++) {
		struct process *const *q = hash_u64_find(&p->by_tgid, (uint64_t)r->tgids[i]);

		if (!q || !(*q)->is_kept ||
		    !rows_same_group(p->v->in, of->member_columns, of->nmember_columns, *first, *q,
				     p))
			return;
	}
	(*first)->group_files += r->use.pages;
}

void processes_add_group_files(struct processes *p)
{
	int32_t tgid;

	for (const struct file_row *r = p->files ? p->files->first : NULL; r; r = r->next)
		if (files_keeper(p->files, r, &tgid) == FILE_KEPT_BY_SEVERAL)
			add_of_group(p, r);
}

static const char *problem_of(struct processes *p, const struct files_view *f, uint64_t unknown)
{
	if (p->tasks_problem)
		return p->tasks_problem;
	if (f->found.unreadable)
		return dump_text(p->v->dump, "no struct page in this dump for %s",
				 COUNT_OF(f->found.unreadable, "page"));
	if (f->users_problem)
		return f->users_problem;
	if (unknown)
		return dump_text(p->v->dump, "who uses %s is unknown",
				 COUNT_OF(unknown, "deleted file"));
	return NULL;
}

enum status processes_find_files(struct processes *p)
{
	struct owner_view *v = p->v;
	struct files_view *f = dump_alloc(v->dump, sizeof(*f));
	uint64_t unknown = 0;
	int32_t tgid;
	enum status st;

	if (!v->classes) {
		p->files_problem = "page classes are not available";
		return ST_OK;
	}
	st = files_prepare(v, f) ?: files_collect(f);
	if (st == ST_STOPPED)
		return st;
	if (st != ST_OK) {
		p->files_problem = dump_why(v->dump);
		return ST_OK;
	}
	files_read_users(f);
	p->files = f;
	for (const struct file_row *r = f->first; r; r = r->next) {
		enum file_kept kept = files_keeper(f, r, &tgid);

		unknown += kept == FILE_KEPT_UNKNOWN;
		if (kept == FILE_KEPT_BY_ONE)
			add_file(p, tgid, r->use.pages);
	}
	p->files_problem = problem_of(p, f, unknown);
	for (size_t i = 0; i < p->n; i++)
		p->all[i]->has_files = !p->files_problem && p->all[i]->has_task;
	return dump_stopped(v->dump) ? ST_STOPPED : ST_OK;
}

enum status processes_find_other(struct processes *p)
{
	struct session session = owner_session(p->v);
	enum status st;

	/* Why nothing is known was told of files. */
	if (!p->v->classes || !session.types)
		return ST_OK;
	st = held_collect(&session, &p->held);
	for (size_t i = 0; i < p->n; i++)
		if (p->all[i]->has_task)
			p->all[i]->other = held_by(&p->held, p->all[i]->task.tgid);
	return st;
}

enum status processes_find_open(struct processes *p)
{
	enum status st = open_counts_read(p->v->dump, false, &p->open);

	if (st == ST_STOPPED)
		return st;
	p->open_problem = st == ST_OK ? p->open.problem : dump_why(p->v->dump);
	for (size_t i = 0; i < p->n; i++) {
		struct process *q = p->all[i];

		if (!q->has_task || st != ST_OK)
			continue;
		q->open = open_counts_of(&p->open, q->task.tgid);
		/* That it has none is known where every table was read. */
		q->has_open = q->open || p->open.complete;
	}
	return ST_OK;
}

enum status processes_find_signals(struct processes *p)
{
	enum status st = signal_users_collect(p->v->dump, &p->signals);

	if (st == ST_STOPPED)
		return st;
	p->signals_problem = st == ST_OK ? p->signals.problem : dump_why(p->v->dump);
	for (size_t i = 0; i < p->n; i++) {
		struct process *q = p->all[i];

		if (!q->has_task || st != ST_OK)
			continue;
		q->signals = signals_of(&p->signals, q->task.tgid);
		q->has_signals = q->signals && (q->signals->n || !p->signals.problem);
	}
	return ST_OK;
}

void processes_find_executables(struct processes *p)
{
	struct task_places *places = dump_alloc(p->v->dump, sizeof(*places));

	if (task_places_open_files(p->v->dump, places) != ST_OK)
		p->executable_problem = dump_why(p->v->dump);
	for (size_t i = 0; i < p->n; i++)
		if (p->all[i]->has_task) {
			p->all[i]->executable = task_executable(places, &p->all[i]->task);
			p->no_executable += places->has_files && !p->all[i]->executable;
		}
}
