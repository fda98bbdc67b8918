// SPDX-License-Identifier: GPL-2.0-or-later
#include "stuck_rows.h"

#include "cgroup/io_throttle.h"
#include "collect/limit_users.h"
#include "collect/stuck_reused.h"
#include "collect/stuck_roots.h"
#include "collect/stuck_words.h"
#include "log/standstill.h"

const struct stuck_disk *stuck_disk_of(const struct stuck_task *s)
{
	static const struct disk no_disk;
	static const struct stuck_disk none = { .disk = &no_disk };

	return s->disk ?: &none;
}

struct cell stuck_disk_on_cell(const void *record, void *view)
{
	const struct owner_view *v = view;
	const struct stuck_disk *k = stuck_disk_of(record);
	const struct mapped_device *m = &k->mapped;
	struct strbuf b = STRBUF_OF(1024);

	for (unsigned int i = 0; i < m->nbelow; i++)
		strbuf_add(&b, "%s%s", i ? "," : "", m->below[i]->name);
	return cell_text(k->has_mapped && m->below_complete ? dump_strdup(v->dump, b.buf) : NULL);
}

#define USERS_NAMED 3u /* processes of a cgroup: of more their number says enough */

uint64_t held_bios(const struct stuck_disk *k)
{
	const struct maybe_u64 *held = k->requests.held;

	return held[IO_READ].known ? held[IO_READ].n + held[IO_WRITE].n : 0;
}

/* ", in which scan-archive (118) is": who runs in it, which need not be who wrote. */
static void add_who_is_in(struct dump *d, const char *cgroup, struct strbuf *b)
{
	const struct used_limit l = { .cgroup = cgroup, .counts = LIMIT_COUNTS_THREADS };
	struct limit_users u;
	enum status st = limit_users_find(d, &l, &u);

	for (unsigned int i = 0; st == ST_OK && !u.problem && i < u.n && i < USERS_NAMED; i++) {
		strbuf_add(b, "%s", i ? ", " : ", in which ");
		limit_user_text(&u.all[i], b);
	}
	if (st == ST_OK && !u.problem && u.n)
		strbuf_add(b, " %s", u.n == 1 && u.all[0].processes == 1 ? "is" : "are");
}

/* Whose limit it is. */
static enum status add_limit(struct dump *d, const struct disk *disk, const char **whose,
			     struct strbuf *b)
{
	struct io_throttle t;
	const enum status st = io_throttle_find(d, disk->queue, &t);

	*whose = st == ST_OK && t.groups ? t.most.path : NULL;
	if (st != ST_OK || !t.groups) {
		strbuf_add(b, "limits of cgroups (io.max or blkio.throttle)");
		return st;
	}
	if (t.groups > 1 || t.partial)
		strbuf_add(b, "limits of %s%s, most for ", t.partial ? "at least " : "",
			   COUNT_OF(t.groups, "cgroup"));
	io_throttle_text(&t, b);
	if (*whose)
		add_who_is_in(d, *whose, b);
	return st;
}

enum status held_bios_words(struct dump *d, const struct stuck_disk *k, const char **whose,
			    struct strbuf *b)
{
	const uint64_t reads = k->requests.held[IO_READ].n, writes = k->requests.held[IO_WRITE].n;

	if (reads)
		strbuf_add(b, "%s", COUNT_OF(reads, "read"));
	if (writes)
		strbuf_add(b, "%s%s", reads ? " and " : "", COUNT_OF(writes, "write"));
	strbuf_add(b, " %s there for ", reads + writes == 1 ? "waits" : "wait");
	return add_limit(d, k->disk, whose, b);
}

struct cell stuck_disk_held_cell(const void *record, void *view NOT_USED)
{
	const struct stuck_disk *k = stuck_disk_of(record);

	return cell_if(k->requests.held[IO_READ].known, cell_uint(held_bios(k)));
}

struct cell stuck_disk_held_by_cell(const void *record, void *view)
{
	const struct stuck_disk *k = stuck_disk_of(record);
	const struct owner_view *v = view;
	struct io_throttle t = { 0 };

	return cell_text(held_bios(k) && io_throttle_find(v->dump, k->disk->queue, &t) == ST_OK
				 ? t.most.path
				 : NULL);
}

struct cell stuck_disk_server_cell(const void *record, void *view)
{
	struct owner_view *v = view;
	const struct stuck_disk *k = stuck_disk_of(record);

	return k->servers.n || k->servers_complete
		       ? cell_list(file_users_list(&k->servers, k->servers_complete, &v->lists))
		       : cell_text(NULL);
}

/* By its name, or of a kernel thread by all of it, as faults has it: "kworker/u8:0+flush-254:32". */
bool stuck_keeps_name(const struct filter *f, const void *record, void *view, bool *unknown)
{
	const struct stuck_task *r = record;
	const struct owner_view *v = view;
	bool met = filter_keeps_text(f, r->task.comm) != f->exclude;
	struct kthread_names names;
	char buf[KTHREAD_NAME];

	*unknown = false;
	if (!met && r->task.is_kthread && r->task.kthread) {
		kthread_names_open(v->dump, &names);
		met = filter_keeps_text(f, kthread_name(&names, r->task.flags, r->task.kthread,
							r->task.comm, buf)) != f->exclude;
		*unknown = !met && names.unreadable;
	}
	return *unknown ? filter_keeps_unknown(f) : met != f->exclude;
}

/* Rows of other threads of its process. */
static const char *siblings_text(struct dump *d, const struct stuck *all,
				 const struct stuck_task *s)
{
	unsigned int n = 0;

	for (const struct stuck_task *row = all->first; row; row = row->next)
		n += row->task.tgid == s->task.tgid && row->task.pid != s->task.pid;
	if (!n)
		return "";
	return dump_text(d, ", but %u other thread%s of process %d %s (-f tgid=%d)", n,
			 n == 1 ? "" : "s", s->task.tgid, n == 1 ? "is" : "are", s->task.tgid);
}

static const char *other_text(struct dump *d, const struct stuck *all, bool is_row,
			      const struct stuck_task *s)
{
	if (is_row)
		return dump_text(d, "a filter before this one leaves out %s (%d)", s->task.comm,
				 s->task.pid);
	if (s->on_cpu)
		return dump_text(d, "%s (%d) was on a CPU: where is not known for certain",
				 s->task.comm, s->task.pid);
	if (!s->is_whole)
		return dump_text(d, "%s (%d) is at a place that is unknown", s->task.comm,
				 s->task.pid);
	return dump_text(d, "%s (%d) is at none of these places, on no lock%s%s", s->task.comm,
			 s->task.pid,
			 all->has_file_locks ? "" : " (locks of files are not all known)",
			 siblings_text(d, all, s));
}

static void add_others(struct dump *d, const struct stuck *all, bool is_row, bool by_pid,
		       struct other_names *ret)
{
	struct other_name **last = &ret->first;

	while (*last)
		last = &(*last)->next;
	for (const struct stuck_task *s = is_row ? all->first : all->others; s; s = s->next) {
		struct other_name *o = dump_alloc(d, sizeof(*o));

		*o = (struct other_name){
			.name = by_pid ? dump_text(d, "%d", s->task.pid) : s->task.comm,
			.text = other_text(d, all, is_row, s),
		};
		*last = o;
		last = &o->next;
	}
}

/* What became of a thread that is asked for and is no row. */
static void find_others(struct dump *d, bool by_pid, struct other_names *ret)
{
	struct stuck *all = dump_alloc(d, sizeof(*all));

	if (stuck_collect(d, &(struct stuck_wish){ 0 }, all) != ST_OK)
		return;
	add_others(d, all, true, by_pid, ret);
	add_others(d, all, false, by_pid, ret);
	if (!all->ends_early)
		ret->unknown = by_pid ? "no thread has this number" : "no thread has this name";
}

void stuck_others_by_pid(struct dump *d, struct other_names *ret)
{
	find_others(d, true, ret);
}

void stuck_others_by_name(struct dump *d, struct other_names *ret)
{
	find_others(d, false, ret);
}

struct cell stuck_does_cell(const void *record, void *view)
{
	const struct stuck_task *s = record;
	const struct owner_view *v = view;
	struct strbuf b = STRBUF_OF(1024);

	stuck_add_wait(s, &b);
	return cell_text(s->has_frames || s->on_cpu ? dump_strdup(v->dump, b.buf) : NULL);
}

static uint64_t readers_of(const struct stuck_task *r)
{
	return r->holder && r->holds == HOLDS_READER ? r->holder->readers : 0;
}

static bool is_doubtful(const struct stuck_task *r)
{
	return r->holds == HOLDS_ITSELF || stuck_owner_is_doubted(r);
}

static bool is_not_certain(const struct stuck_task *r)
{
	return is_doubtful(r) || r->holds == HOLDS_AGAIN || stuck_owner_is_likely(r);
}

struct cell stuck_doubtful_cell(const void *record, void *view NOT_USED)
{
	const struct stuck_task *r = record;

	return cell_if(r->holder, cell_bool(is_not_certain(r)));
}

struct cell stuck_readers_cell(const void *record, void *view NOT_USED)
{
	const struct stuck_task *r = record;

	return cell_if(readers_of(r), cell_uint(readers_of(r)));
}

struct cell stuck_held_by_cell(const void *record, void *view)
{
	/* That a word of its stack is the lock does not prove that it did not give it back. */
	static const char *const marks[HOLDS_KINDS] = { [HOLDS_NOTED] = "last reader",
							[HOLDS_AGAIN] = "last reader",
							[HOLDS_LAST] = "took it last",
							[HOLDS_QUEUED] = "waits first" };
	const struct stuck_task *r = record;
	const struct owner_view *v = view;

	if (!r->holder)
		return cell_text(r->peer ? r->peer->comm : NULL);
	if (stuck_owner_is_doubted(r))
		return cell_text("unknown");
	if (is_doubtful(r))
		return cell_text(dump_text(v->dump, "%s (doubtful)", r->holder->task.comm));
	if (stuck_owner_is_likely(r))
		return cell_text(dump_text(v->dump, "%s (likely)", r->holder->task.comm));
	if (marks[r->holds])
		return cell_text(
			dump_text(v->dump, "%s (%s)", r->holder->task.comm, marks[r->holds]));
	if (r->holder->work && r->holder->work->function && r->holds != HOLDS_WORK)
		return cell_text(dump_text(v->dump, "%s (%s)", r->holder->task.comm,
					   r->holder->work->function));
	if (readers_of(r) > 1)
		return cell_text(
			dump_text(v->dump, "%s (1 of %lu)", r->holder->task.comm, readers_of(r)));
	return cell_text(r->holder->task.comm);
}

struct cell stuck_holder_cell(const void *record, void *view NOT_USED)
{
	const struct stuck_task *r = record;

	if (stuck_owner_is_doubted(r))
		return cell_text(NULL);
	return r->holder ? cell_int(r->holder->task.pid)
	       : r->peer ? cell_int(r->peer->tgid)
			 : cell_text(NULL);
}

struct cell stuck_holder_comm_cell(const void *record, void *view NOT_USED)
{
	const struct stuck_task *r = record;

	if (stuck_owner_is_doubted(r))
		return cell_text(NULL);
	return cell_text(r->holder ? r->holder->task.comm : r->peer ? r->peer->comm : NULL);
}

#define TOLD 2u /* those of which the log told last */

void stuck_put_stalls(const struct owner_view *v)
{
	struct kernel_log log = { 0 };
	struct standstills all;
	const struct standstill *of;
	bool is_told[STANDSTILLS] = { 0 };
	char age[AGE_TEXT];
	struct strbuf rest = STRBUF_OF(64);
	unsigned int n = 0;

	/* What the log says adds to the rows: none of them rests on it. */
	if (kernel_log_read(v->dump, &log) == ST_STOPPED || !log.n)
		return;
	standstills_read(&log, &all);
	for (; n < TOLD && (of = standstills_newest(&all, is_told)); n++) {
		struct strbuf b = STRBUF_OF(512);

		is_told[of - all.all] = true;
		standstill_text(of, &b);
		standstill_times(of, &b);
		if (age_text(&v->report.info, of->last->ts_ns, age))
			strbuf_add(&b, ", %s", age);
		sink_printf(v->out, "by the log %s\n", b.buf);
	}
	if (n)
		standstills_rest(&all, is_told, log.is_cut, &rest);
	if (rest.len)
		sink_printf(v->out, "by the log %s\n", rest.buf);
}

/* Whether a row that filters keep, or a member of a group, waits so. */
static bool has_row_for_rpc(const struct owner_view *v, const struct stuck *x)
{
	const struct cmdline *in = v->in;
	const struct table *t = &in->table;

	if (!in->ngroups)
		return ANY_OF(i, t->n, stuck_waits_for_rpc(t->rows[i][t->ncolumns].record));
	for (const struct stuck_task *s = x->first; s; s = s->next)
		if (stuck_waits_for_rpc(s) && rows_would_keep(in, s, (void *)v))
			return true;
	return false;
}

void stuck_put_resent(const struct owner_view *v, const struct stuck *x)
{
	if (has_row_for_rpc(v, x))
		sink_text(v->out,
			  "AGE is the time since the last run: who waits for a server of RPC "
			  "runs to send its request again, and may have waited for longer\n");
}

bool stuck_spin_words(const struct stuck *x, struct strbuf *b)
{
	size_t n = 0;

	stuck_for_each(s, x)
		if (s->spins)
			strbuf_add(b, "%s%s (%d)", n++ ? ", " : "", s->task.comm, s->task.pid);
	if (n)
		strbuf_add(b, n == 1 ? " was on a CPU and spun for a lock"
				     : " were on CPUs and spun for locks");
	return n;
}

static const struct stuck_task *owner_in(const struct stuck *x, const char *module)
{
	struct spin_owner o = { .module = module, .misses_some = x->frameless };

	stuck_for_each(s, x) {
		o.misses_some |= s->on_cpu && (s->lacks_inner || !s->is_whole);
		spin_owner_see(&o, s->runs_in, s->spins, s);
	}
	return spin_owner_of(&o);
}

bool stuck_spin_owner_words(const struct stuck *x, const struct stuck_task *s, struct strbuf *b)
{
	const struct stuck_task *of = s->spins && s->runs_in ? owner_in(x, s->runs_in->module)
							     : NULL;

	if (!of || !of->runs_in->symbol)
		return false;
	strbuf_add(b,
		   "%s (%d), on a CPU in %s [%s], likely has the lock that %s (%d) spun for, in "
		   "the same module",
		   of->task.comm, of->task.pid, of->runs_in->symbol, of->runs_in->module,
		   s->task.comm, s->task.pid);
	return true;
}
