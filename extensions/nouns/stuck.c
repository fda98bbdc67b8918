// SPDX-License-Identifier: GPL-2.0-or-later
#include "collect/stuck_circle.h"
#include "collect/stuck_frozen.h"
#include "collect/stuck_roots.h"
#include "collect/stuck_victims.h"
#include "collect/stuck_words.h"
#include "memory/stuck_chains.h"
#include "memory/stuck_rows.h"
#include "stuck_asked.h"

#include "noun.h"

#define ROW struct stuck_task

static const char *const lock_modes[] = { "exclusive", "shared", NULL };
static const char *const request_states[] = { "pending", "sent", NULL };
static const char *const disk_sources[] = { "page", "buffer", "bio", "inferred", NULL };
static const char *const victim_states[] = { "victim", "reaped", "given_up", NULL };

CELL_FROM(comm_cell, ROW, cell_text(r->task.comm))
CELL_WITH(age_cell, ROW, const struct owner_view,
	  cell_if(r->has_since, report_age(&v->report, r->since_ns)))
CELL_FROM(thread_cell, ROW,
	  cell_text(r->thread	    ? thread_kind_name(r->thread)
		    : r->has_frames ? ""
				    : NULL))
CELL_FROM(function_cell, ROW, cell_text(stuck_function(r)))
CELL_FROM(waiters_cell, ROW,
	  r->fuse.conn ? cell_if(!r->fuse.conn->is_untyped, cell_uint(r->fuse.conn->waiting))
		       : cell_if(r->has_lock && r->lock.waiters, cell_uint(r->lock.waiters)))
CELL_FROM(lock_address_cell, ROW,
	  r->fuse.conn	 ? cell_if(r->fuse.conn->address, cell_hex(r->fuse.conn->address))
	  : r->userfault ? cell_hex(r->userfault->ctx)
	  : r->asked	 ? cell_hex(r->asked->object)
			 : cell_if(r->has_lock, cell_hex(r->lock.lock)))
CELL_FROM(request_cell, ROW, cell_text(r->fuse.request))
CELL_FROM(request_state_cell, ROW,
	  cell_text(r->fuse.state ? request_states[r->fuse.state - 1] : NULL))
CELL_FROM(holder_mode_cell, ROW, cell_text(stuck_holder_mode(r)))
/* A thread that waits for no lock is in no deadlock of locks; of one that several have any can give it back. */
CELL_FROM(deadlocked_cell, ROW,
	  cell_if(stuck_circle_is_sure(r) &&
			  (r->is_deadlocked ||
			   (r->has_frames && !r->is_on_server && !r->peer &&
			    (!r->is_on_lock || (r->holder && r->holds < HOLDS_PROCESS)))),
		  cell_bool(r->is_deadlocked)))
static bool is_mapped(const ROW *r)
{
	return stuck_disk_of(r)->has_mapped;
}

CELL_FROM(disk_cell, ROW, cell_text(r->disk ? r->disk->disk->name : NULL))
CELL_FROM(disk_source_cell, ROW,
	  cell_text(!r->disk		  ? NULL
		    : r->disk_is_inferred ? "inferred"
					  : disk_wait_sources[r->disk_source]))
CELL_FROM(disk_module_cell, ROW, cell_text(stuck_disk_of(r)->module))
CELL_FROM(disk_name_cell, ROW, cell_text(stuck_disk_of(r)->mapped.name))
CELL_FROM(disk_bios_cell, ROW,
	  cell_if(is_mapped(r) && stuck_disk_of(r)->mapped.bios_complete,
		  cell_uint(stuck_disk_of(r)->mapped.bios)))
/* Bits of a kernel that no dump tells: alone they are no witness. */
CELL_FROM(disk_suspended_cell, ROW,
	  cell_if(is_mapped(r) && stuck_disk_of(r)->mapped.bios_complete &&
			  stuck_disk_of(r)->mapped.has_flags ==
				  (stuck_disk_of(r)->mapped.bios != 0),
		  cell_bool(stuck_disk_of(r)->mapped.has_flags)))
CELL_FROM(disk_requests_cell, ROW,
	  cell_if(stuck_disk_of(r)->has_requests, cell_uint(stuck_disk_of(r)->requests.all_old)))
CELL_FROM(disk_oldest_cell, ROW,
	  cell_if(stuck_disk_of(r)->requests.oldest_ns,
		  cell_uint(stuck_disk_of(r)->requests.oldest_ns)))

CELL_FROM(lock_file_cell, ROW, cell_text(r->file_lock ? r->file_lock->path : NULL))
CELL_FROM(lock_mode_cell, ROW, cell_text(r->file_wait ? lock_modes[r->file_wait->is_shared] : NULL))

static bool wants_bytes(const ROW *r)
{
	return r->file_lock && file_lock_has_range(r->file_lock->lock->kind);
}

/* Of a thread that waits for no lock of a file the macros have nothing to look at. */
static const struct stuck_file_lock *file_lock_of(const ROW *r)
{
	static const struct stuck_file_lock none;

	return r->file_lock ?: &none;
}

static struct file_range range_of(const ROW *r)
{
	return wants_bytes(r) ? r->file_wait->range : (struct file_range){ 0 };
}

CELL_FROM(lock_start_cell, ROW, cell_if(wants_bytes(r), cell_uint(range_of(r).start)))
CELL_FROM(lock_end_cell, ROW, cell_if(wants_bytes(r), cell_uint(range_of(r).end)))
CELL_FROM(lock_owners_cell, ROW,
	  cell_if(r->holder &&file_lock_of(r)->complete, cell_uint(file_lock_of(r)->processes)))
CELL_FROM(lock_inode_cell, ROW,
	  cell_if(file_lock_of(r)->has_inode, cell_uint(file_lock_of(r)->inode.number)))
CELL_FROM(victim_cell, ROW, cell_text(oom_standing_names[stuck_victim_state(r)]))
/* Sorted by what says most, threads without work last. */
static struct cell place_cell(const void *record, void *view NOT_USED)
{
	static struct ranked_text ranked[PLACES];
	const ROW *r = record;
	struct ranked_text *text = &ranked[r->where];

	if (r->where == PLACE_NONE || stuck_place_is_unknown(r))
		return cell_text(NULL);
	*text = (struct ranked_text){ place_name(r->where),
				      r->where == PLACE_IDLE ? 0 : (uint64_t)r->where };
	return cell_ranked(text);
}

static struct cell lock_cell(const void *record, void *view)
{
	const ROW *r = record;
	const struct owner_view *v = view;

	if (r->is_on_server || r->is_on_pipe || stuck_is_on_kthread(r))
		return cell_text(r->lock_name);
	if (r->peer || r->remote)
		return cell_text(r->peer_by);
	if (!r->has_lock)
		return cell_text(NULL);
	return cell_text(r->lock_name ?: dump_text(v->dump, "%#lx", r->lock.lock));
}

static struct cell lock_conflicts_cell(const void *record, void *view NOT_USED)
{
	const ROW *r = record;
	uint64_t n = r->file_wait ? file_wait_bars(r->file_wait) : 0;

	return cell_if(n, cell_uint(n));
}

static struct cell lock_device_cell(const void *record, void *view)
{
	const ROW *r = record;
	const struct owner_view *v = view;
	uint32_t dev;

	if (!r->file_lock || !r->file_lock->has_inode)
		return cell_text(NULL);
	dev = r->file_lock->inode.super->dev;
	return cell_text(dump_text(v->dump, "%u:%u", dev_major(dev), dev_minor(dev)));
}

static struct cell victim_bytes(const ROW *r, const struct owner_view *v, int64_t pages)
{
	return cell_if(r->has_victim_mm && r->victim_mm.has_exact,
		       cell_int((int64_t)(stuck_pages_left(pages) << v->page_shift)));
}

CELL_WITH(rss_cell, ROW, const struct owner_view,
	  victim_bytes(r, v, mm_counts_rss(&r->victim_mm.exact)))
CELL_WITH(swap_cell, ROW, const struct owner_view, victim_bytes(r, v, r->victim_mm.exact.swap))

CAN_HAVE(may_wait_for_lock, ROW, void,
	 r->is_on_lock || r->is_on_server || r->holder || r->peer || r->remote || !r->has_frames)
CAN_HAVE(may_wait_for_file, ROW, void,
	 r->file_lock || (r->is_on_lock && !r->has_lock) || !r->has_frames)
CAN_HAVE(may_want_bytes, ROW, void,
	 r->file_lock ? wants_bytes(r) : (r->is_on_lock && !r->has_lock) || !r->has_frames)
CAN_HAVE(may_have_disk, ROW, void,
	 r->disk || (r->task.state == 'D' && !r->is_on_lock && !r->is_on_server) || !r->has_frames)
CAN_HAVE(may_be_held, ROW, void, r->disk ? held_bios(r->disk) : may_have_disk(r, NULL))
CAN_HAVE(may_be_mapped, ROW, void, r->disk ? r->disk->is_mapped : may_have_disk(r, NULL))
CAN_HAVE(may_be_nbd, ROW, void, r->disk ? r->disk->is_nbd : may_have_disk(r, NULL))
CAN_HAVE(may_ask, ROW, void, r->is_on_server || !r->has_frames)
CAN_HAVE(may_be_in_place, ROW, void, r->where || !r->has_frames)
CAN_HAVE(may_be_victim, ROW, void, r->is_victim)

CAN_HAVE(may_run_work, ROW, void, r->task.flags &PF_WQ_WORKER && r->where != PLACE_IDLE)
#define OF_VICTIM "of a victim of the OOM killer, what is not freed"

static const struct view_column columns[] = {
	{ COLUMN_pid, IN_BOTH | KNOWN, INT_OF(ROW, task.pid) },
	{ COLUMN_tgid, IN_JSON | KNOWN, INT_OF(ROW, task.tgid) },
	{ COLUMN_comm, IN_BOTH | KNOWN, .keeps = stuck_keeps_name, CELL_BY(comm_cell) },
	{ COLUMN_task_state, IN_BOTH, CHARS_OF(ROW, state) },
	{ COLUMN_blocked_ns, IN_BOTH, CELL_BY(age_cell) },
	{ COLUMN_since_ns, IN_JSON, UINT_IF(ROW, since_ns, has_since) },
	{ COLUMN_since_source, IN_JSON, NAME_IF(ROW, since_source, last_ran_names, has_since) },
	{ COLUMN_place, IN_BOTH, .can_have = may_be_in_place, .choices = place_names,
	  CELL_BY(place_cell) },
	{ COLUMN_waits_for, IN_BOTH, .choices = stuck_waits, TEXT_OF(ROW, waits_for) },
	{ COLUMN_function, IN_JSON, "that gave up the CPU, or runs", CELL_BY(function_cell) },
	{ COLUMN_lock, IN_BOTH, .can_have = may_wait_for_lock, CELL_BY(lock_cell) },
	{ COLUMN_lock_address, IN_JSON, .can_have = may_wait_for_lock, CELL_BY(lock_address_cell) },
	{ COLUMN_lock_waiters, IN_JSON, .can_have = may_wait_for_lock, CELL_BY(waiters_cell) },
	{ COLUMN_lock_holder, IN_BOTH, .can_have = may_wait_for_lock, CELL_BY(stuck_holder_cell) },
	{ COLUMN_held_by, IN_TEXT, .can_have = may_wait_for_lock, CELL_BY(stuck_held_by_cell) },
	{ COLUMN_holder_comm, IN_JSON, .can_have = may_wait_for_lock,
	  CELL_BY(stuck_holder_comm_cell) },
	{ COLUMN_lock_holder_doubtful, IN_JSON, .can_have = may_wait_for_lock,
	  CELL_BY(stuck_doubtful_cell) },
	{ COLUMN_lock_readers, IN_JSON, .can_have = may_wait_for_lock,
	  CELL_BY(stuck_readers_cell) },
	{ COLUMN_holder_mode, IN_JSON, .can_have = may_wait_for_lock, .choices = stuck_holder_modes,
	  CELL_BY(holder_mode_cell) },
	{ COLUMN_lock_file, IN_JSON, .can_have = may_wait_for_file, CELL_BY(lock_file_cell) },
	{ COLUMN_device, IN_JSON, "of lock_file", .can_have = may_wait_for_file,
	  CELL_BY(lock_device_cell) },
	{ COLUMN_inode, IN_JSON, "of lock_file", .can_have = may_wait_for_file,
	  CELL_BY(lock_inode_cell) },
	{ COLUMN_lock_mode, IN_JSON, .can_have = may_wait_for_file, .choices = lock_modes,
	  CELL_BY(lock_mode_cell) },
	{ COLUMN_lock_start, IN_JSON, .can_have = may_want_bytes, CELL_BY(lock_start_cell) },
	{ COLUMN_lock_end, IN_JSON, .can_have = may_want_bytes, CELL_BY(lock_end_cell) },
	{ COLUMN_lock_owners, IN_JSON, .can_have = may_wait_for_file, CELL_BY(lock_owners_cell) },
	{ COLUMN_lock_conflicts, IN_JSON, .can_have = may_wait_for_file,
	  CELL_BY(lock_conflicts_cell) },
	{ COLUMN_request, IN_JSON, .can_have = may_ask, CELL_BY(request_cell) },
	{ COLUMN_request_state, IN_JSON, .can_have = may_ask, .choices = request_states,
	  CELL_BY(request_state_cell) },
	{ COLUMN_disk, IN_JSON, .can_have = may_have_disk, CELL_BY(disk_cell) },
	{ COLUMN_disk_source, IN_JSON, .can_have = may_have_disk, .choices = disk_sources,
	  CELL_BY(disk_source_cell) },
	{ COLUMN_disk_module, IN_JSON, .can_have = may_have_disk, CELL_BY(disk_module_cell) },
	{ COLUMN_disk_requests, IN_JSON, .can_have = may_have_disk, CELL_BY(disk_requests_cell) },
	{ COLUMN_disk_oldest_ns, IN_JSON, .can_have = may_have_disk, CELL_BY(disk_oldest_cell) },
	{ COLUMN_disk_held, IN_JSON, .can_have = may_have_disk, CELL_BY(stuck_disk_held_cell) },
	{ COLUMN_disk_held_by, IN_JSON, .can_have = may_be_held, CELL_BY(stuck_disk_held_by_cell) },
	{ COLUMN_disk_name, IN_JSON, .can_have = may_be_mapped, CELL_BY(disk_name_cell) },
	{ COLUMN_disk_suspended, IN_JSON, .can_have = may_be_mapped, CELL_BY(disk_suspended_cell) },
	{ COLUMN_disk_bios, IN_JSON, .can_have = may_be_mapped, CELL_BY(disk_bios_cell) },
	{ COLUMN_disk_on, IN_JSON, .can_have = may_be_mapped, CELL_BY(stuck_disk_on_cell) },
	{ COLUMN_disk_server, IN_JSON, .can_have = may_be_nbd, CELL_BY(stuck_disk_server_cell) },
	{ COLUMN_deadlocked, IN_JSON,
	  "null: the holder of a lock is unknown, one of several, or the thread itself as the lock has it",
	  CELL_BY(deadlocked_cell) },
	{ COLUMN_thread_kind, IN_JSON, CELL_BY(thread_cell) },
	{ COLUMN_oom_state, IN_JSON, .can_have = may_be_victim, .choices = victim_states,
	  CELL_BY(victim_cell) },
	{ COLUMN_rss_bytes, IN_JSON, OF_VICTIM, .can_have = may_be_victim, CELL_BY(rss_cell) },
	{ COLUMN_swap_bytes, IN_JSON, OF_VICTIM, .can_have = may_be_victim, CELL_BY(swap_cell) },
	{ COLUMN_mm_users, IN_JSON, OF_VICTIM, .can_have = may_be_victim,
	  UINT_IF(ROW, victim_mm.users, has_victim_mm) },
	{ COLUMN_work, IN_JSON, .can_have = may_run_work, VIA(TEXT, ROW, work, function) },
	BASIS(derived),
	{ COLUMN_does, 0, CELL_BY(stuck_does_cell) },
	{ COLUMN_stack, 0, "of the thread, in the kernel", STACK_OF(ROW, stack) },
};

static const struct key keys[] = {
	{ COLUMN_pid, "thread", KEY_FILTERS, .other_names = stuck_others_by_pid },
	{ COLUMN_tgid, "process of the thread", KEY_FILTERS },
	{ COLUMN_comm, "name of the thread", KEY_FILTERS | KEY_GROUPS,
	  .other_names = stuck_others_by_name },
	{ COLUMN_task_state, "state of the thread, as in /proc/PID/stat", KEY_FILTERS | KEY_GROUPS,
	  .choices = task_state_letters },
	{ COLUMN_place, "where the thread is", KEY_FILTERS | KEY_GROUPS, .choices = place_names },
	{ COLUMN_waits_for, "what the thread waits for", KEY_FILTERS | KEY_GROUPS,
	  .choices = stuck_waits },
	{ COLUMN_function, "function that gave up the CPU", KEY_FILTERS | KEY_GROUPS },
	{ COLUMN_lock, "lock that the thread sleeps on", KEY_FILTERS | KEY_GROUPS },
	{ COLUMN_lock_holder, "thread that has the lock; of -f its name, too",
	  KEY_FILTERS | KEY_GROUPS, .named_by = COLUMN_holder_comm },
	{ COLUMN_holder_comm, "its name", KEY_FILTERS | KEY_GROUPS },
	{ COLUMN_disk, "disk that the thread waits for", KEY_FILTERS | KEY_GROUPS },
	{ COLUMN_blocked_ns, "time from the last run of the thread to the panic", KEY_FILTERS },
};

/* What -g sums up. */
static const struct view_column group_columns[] = {
	{ COLUMN_threads, IN_BOTH | KNOWN, MEMBERS },
	{ COLUMN_blocked_ns, IN_BOTH, "of the one that waits longest; null: of none it is known",
	  MOST_OF(COLUMN_blocked_ns) },
	{ COLUMN_place, 0, .choices = place_names },
	{ COLUMN_waits_for, 0, .choices = stuck_waits },
	{ COLUMN_function, 0 },
	{ COLUMN_lock, 0 },
	{ COLUMN_lock_holder, 0 },
	{ COLUMN_holder_comm, 0 },
	{ COLUMN_disk, 0 },
	{ COLUMN_task_state, 0 },
	{ COLUMN_comm, 0 },
	{ COLUMN_pid, 0 },
	{ COLUMN_tgid, 0 },
	BASIS(derived),
};

struct stuck_noun {
	struct stuck stuck;
	bool is_partial;
};

static enum status open_view(void *arg, enum availability *why)
{
	struct owner_view *v = arg;
	struct stuck_noun *n = v->own = dump_alloc(v->dump, sizeof(*n));
	const struct stuck_wish wish = { .stacks = table_shows(&v->in->table, COLUMN_stack),
					 .peers = true };
	enum status st;

	owner_view_init(v);
	st = stuck_collect(v->dump, &wish, &n->stuck);
	n->is_partial = st == ST_STOPPED;
	*why = availability_of(st);
	return n->is_partial ? ST_OK : st;
}

static void put_victim(const struct owner_view *v, const struct stuck_task *s)
{
	struct strbuf b = STRBUF_OF(512);

	stuck_victim_words(s, v->page_shift, &b);
	sink_printf(v->out, "%s\n", b.buf);
}

static void put_fuse(const struct owner_view *v, const struct stuck *x, const struct fuse_conn *c)
{
	struct strbuf b = STRBUF_OF(1024);

	if (stuck_fuse_words(x, c, &b))
		sink_printf(v->out, "%s%s\n", b.buf, b.cut ? " ..." : "");
}

static void put_frozen(const struct owner_view *v, const struct stuck *x,
		       const struct frozen_super *f)
{
	struct strbuf b = STRBUF_OF(1024);

	if (!stuck_frozen_words(x, f, &b))
		return;
	stuck_thaw_words(f, &b);
	sink_printf(v->out, "%s%s\n", b.buf, b.cut ? " ..." : "");
}

static void put_disk(const struct owner_view *v, const struct stuck *x, const struct stuck_disk *k)
{
	struct strbuf b = STRBUF_OF(1024);

	if (stuck_disk_words(x, k, &b))
		sink_printf(v->out, "%s%s\n", b.buf, b.cut ? " ..." : "");
}

/* "vda: no request is in flight; 7 writes wait there for io.max of /batch (wbps=48000), in which scan (118) is" */
static void put_held(const struct owner_view *v, const struct stuck_disk *k)
{
	struct strbuf b = STRBUF_OF(1024);
	const char *whose;
	enum status st;

	if (!held_bios(k))
		return;
	strbuf_add(&b, "%s: %s", k->disk->name,
		   k->requests.is_counted && !k->requests.n ? "no request is in flight; " : "");
	st = held_bios_words(v->dump, k, &whose, &b);
	sink_printf(v->out, "%s%s%s\n", b.buf, st == ST_OK ? "" : "; whose is unknown: ",
		    st == ST_OK ? "" : dump_why(v->dump));
}

static void put_file_lock(const struct owner_view *v, const struct stuck *x,
			  const struct stuck_file_lock *l)
{
	struct strbuf b = STRBUF_OF(1024);

	if (stuck_file_words(x, l, &b))
		sink_printf(v->out, "%s%s\n", b.buf, b.cut ? " ..." : "");
}

static void put_each(const struct owner_view *v, const struct stuck *x,
		     bool (*words)(const struct stuck *x, const struct stuck_task *s,
				   struct strbuf *b))
{
	for (const struct stuck_task *s = x->first; s; s = s->next) {
		struct strbuf b = STRBUF_OF(1024);

		if (words(x, s, &b))
			sink_printf(v->out, "%s%s\n", b.buf, b.cut ? " ..." : "");
	}
}

static void put_deadlock(const struct owner_view *v, const struct stuck_task *first)
{
	struct strbuf b = STRBUF_OF(4096);

	if (stuck_deadlock_words(first, &b))
		sink_printf(v->out, "%s%s\n", b.buf, b.cut ? " ..." : "");
}

static void put_ring(const struct owner_view *v, const struct stuck *x)
{
	struct strbuf b = STRBUF_OF(2048);
	struct stuck_ring ring;

	if (!stuck_ring_find(x, &ring))
		return;
	stuck_ring_words(x, &ring, &b);
	sink_printf(v->out, "%s%s\n", b.buf, b.cut ? " ..." : "");
}

static void put_spinning(const struct owner_view *v, const struct stuck *x)
{
	struct strbuf b = STRBUF_OF(1024);

	if (stuck_spin_words(x, &b))
		sink_printf(v->out, "%s\n", b.buf);
	stuck_for_each(s, x) {
		struct strbuf owner = STRBUF_OF(512);

		if (stuck_spin_owner_words(x, s, &owner))
			sink_printf(v->out, "%s\n", owner.buf);
	}
}

#define STANDS_NS 1000000000ull /* a lock that is only taken often is given within less */

static void put_user_locks(const struct owner_view *v, const struct stuck *x)
{
	for (const struct stuck_user_locks *l = x->user_locks; l; l = l->next) {
		struct strbuf b = STRBUF_OF(512);

		if (stuck_user_lock_words(l, &v->report.info, STANDS_NS, &b))
			sink_printf(v->out, "%s\n", b.buf);
	}
}

/* The sum says itself what it leaves open: it may be all of the text that is kept. */
static void put_sum(const struct owner_view *v, const struct stuck_noun *n)
{
	const struct stuck *x = &n->stuck;
	size_t unknown = x->unreadable + x->cut.n;
	const bool has_does = table_shows(&v->in->table, COLUMN_does);

	for (const struct stuck_task *s = x->first; s; s = s->next)
		if (s->is_deadlocked)
			put_deadlock(v, s);
	put_ring(v, x);
	/* Else the column has it of each row. */
	if (!has_does) {
		put_each(v, x, stuck_pipe_words);
		put_each(v, x, stuck_service_words);
		put_each(v, x, stuck_root_crowd_words);
	}
	put_user_locks(v, x);
	for (const struct stuck_file_lock *l = x->file_locks; l; l = l->next)
		put_file_lock(v, x, l);
	put_spinning(v, x);
	/* What the log says of the machine is of no rows that were chosen. */
	if (!v->in->filters.n && !v->in->filters.nrows)
		stuck_put_stalls(v);
	stuck_put_resent(v, x);
	if (!has_does) {
		put_each(v, x, stuck_crowd_words);
		put_each(v, x, stuck_chain_words);
	}
	for (const struct fuse_conn *c = x->fuse ? x->fuse->first : NULL; c; c = c->next)
		put_fuse(v, x, c);
	for (const struct frozen_super *f = x->frozen ? x->frozen->first : NULL; f; f = f->next)
		put_frozen(v, x, f);
	for (const struct stuck_disk *k = x->disks; k; k = k->next) {
		put_disk(v, x, k);
		put_held(v, k);
	}
	for (const struct stuck_task *s = x->first; s; s = s->next)
		if (s->stands_for_victim)
			put_victim(v, s);
	sink_printf(v->out, "%s looked at",
		    PLURAL_TEXT(x->looked_at, "thread was", "threads were"));
	if (x->running)
		sink_printf(v->out, ", %s%zu of them on a CPU", stuck_is_part(x) ? "at least " : "",
			    x->running);
	if (x->frameless)
		sink_printf(v->out, "; where %zu of these %s is unknown", x->frameless,
			    x->frameless == 1 ? "was" : "were");
	if (unknown)
		sink_printf(v->out, "; unknown of %s without a whole stack",
			    COUNT_OF(unknown, "thread"));
	if (v->in->ngroups && stuck_is_part(x))
		sink_text(v->out, ": a row has the threads that it tells, or more");
	if (x->ends_early || n->is_partial)
		sink_text(v->out, "; unknown of threads that were not reached");
	if (x->others && !v->in->opts.all)
		sink_text(v->out, "; -a has those that are no rows");
	sink_text(v->out, "\n");
}

static enum status show(void *arg)
{
	struct owner_view *v = arg;
	const struct stuck_noun *n = v->own;

	report_gaps(&v->report, n->stuck.gaps.rows, n->stuck.gaps.n);
	for (const struct stuck_task *s = n->stuck.first; s; s = s->next)
		rows_add(v->in, s, v);
	for (const struct stuck_task *s = v->in->opts.all ? n->stuck.others : NULL; s; s = s->next)
		rows_add(v->in, s, v);
	rows_show(&v->report, v->in);
	rows_put_kept(&v->report, v->in);
	stuck_warn_of_others(v, &n->stuck);
	stuck_warn_of_age(v, &n->stuck);
	report_end(&v->report, NULL, !n->is_partial && !n->stuck.ends_early);
	if (!v->in->opts.json)
		put_sum(v, n);
	return ST_OK;
}

static const struct view groups_view = {
	"stuck_groups",
	"-g where",
	COLUMNS_OF(group_columns),
	KEYS_OF(keys),
	.prepare = cmdline_show_keys,
	.open = open_view,
	.show = show,
	ROWS_ARE("group", "groups", "threads,blocked_ns", 0),
	MEMBERS_ARE("thread", "threads"),
	SUMS_UP(columns),
};

static const struct view view = {
	"stuck",
	"",
	COLUMNS_OF(columns),
	KEYS_OF(keys),
	.grouped = &groups_view,
	ROWS_ARE("thread", "threads", "place,blocked_ns", 0),
	.open = open_view,
	.show = show,
};

/* By where they are: addresses of locks and pids are others in each boot. */
static const struct baseline baseline = {
	.by = { { COLUMN_place, COLUMN_waits_for, COLUMN_function },
		{ COLUMN_waits_for, COLUMN_function },
		{ COLUMN_function } },
	.amounts = { { COLUMN_threads, BASELINE_ROWS } },
	.many = "threads",
};

static const struct key diff_keys[] = {
	BASELINE_KEY(COLUMN_place, "where the thread is"),
	BASELINE_KEY(COLUMN_waits_for, "what the thread waits for"),
	BASELINE_KEY(COLUMN_function, "function that gave up the CPU"),
	BASELINE_KEY(COLUMN_comm, "name of the thread"),
	BASELINE_KEY(COLUMN_holder_comm, "name of the thread that has the lock"),
};

static const struct view diff_view = { BASELINE_OF(baseline, "place", "places"),
				       KEYS_OF(diff_keys) };

static char *help[] = {
	"memowner stuck",
	"who waits for whom, and what does not get on",
	"",
	"  Threads in reclaim, the allocator, swap-in, on locks, servers, disks, pipes:",
	"  what they wait for, who has it; kswapd, OOM victims; -a: other threads, too.",
	"  -d FILE: where more of them are, or fewer, than on another machine.",
	"EXAMPLES",
	"  Those in reclaim, with stacks; which lock stops how many:",
	"    memowner stuck -f where=reclaim,mmap_lock -o +stack",
	"    memowner stuck -g where,lock,holder",
	NULL
};

static const struct view *const views[] = { &view, &diff_view };

static const struct command_option options[] = {
	VALUE('g', "where lock,holder"), FLAG('a'),
	RANKED_ROWS("where=idle", "blocked_ns", "+function"), DIFF, LAST_OPTIONS
};

OWNER_NOUN(stuck)
