// SPDX-License-Identifier: GPL-2.0-or-later
/* faults -b: tasks that are inside a page fault at the panic. */
#include "view.h"

#include "collect/in_fault.h"
#include "tasks/last_ran.h"
#include "vm/mm_holders.h"

static const char *const modes[] = { "user", "kernel", "gup", NULL };
static const char *const accesses[] = { "read", "write", "exec", NULL };
static const char *const sources[] = { "vm_fault", "page", "stack", NULL };
static const char *const holder_modes[] = { "writer", "last_reader", NULL };

/* A thread inside a page fault. */
struct blocked_row {
	struct blocked_row *next;
	struct task task;
	struct in_fault fault;
	char state[2], perms[VMA_PERMS_BYTES];
	const char *file; /* of the VMA; NULL: unknown */
	bool has_address, has_since, has_holder;
	enum last_ran_field source; /* of since_ns */
	uint64_t since_ns;
	const struct stack *stack;
	const char *holder_mode; /* NULL: it waits for no lock whose holder is known */
	uint64_t holder_task;
	int32_t holder; /* its PID */
};

#define ROW struct blocked_row

static struct cell choice(const char *const *names, unsigned int i)
{
	return cell_text(i ? names[i - 1] : NULL);
}

static const char *access_of(const struct in_fault *fault)
{
	return accesses[fault->flags & VM_FAULT_INSTRUCTION ? 2
							    : !!(fault->flags & VM_FAULT_WRITE)];
}

CELL_FROM(comm_cell, ROW, cell_text(r->task.comm))
CELL_WITH(age_cell, ROW, const struct fault_view,
	  cell_if(r->has_since, report_age(&v->report, r->since_ns)))
CELL_FROM(mode_cell, ROW, choice(modes, r->fault.mode))
CELL_FROM(access_cell, ROW, cell_text(r->fault.has_flags ? access_of(&r->fault) : NULL))
CELL_FROM(address_source_cell, ROW, choice(sources, r->fault.source))
CELL_FROM(waits_for_cell, ROW, cell_text(wait_name(r->fault.waits_for)))

CAN_HAVE(waits_for_lock, ROW, void,
	 r->fault.waits_for == WAIT_NONE || r->fault.waits_for == WAIT_LOCK ||
		 r->fault.waits_for == WAIT_MMAP_LOCK)

static const struct view_column columns[] = {
	{ COLUMN_pid, IN_BOTH | KNOWN, INT_OF(ROW, task.pid) },
	{ COLUMN_tgid, IN_JSON | KNOWN, INT_OF(ROW, task.tgid) },
	{ COLUMN_comm, IN_BOTH | KNOWN, CELL_BY(comm_cell) },
	{ COLUMN_task_state, IN_BOTH, CHARS_OF(ROW, state) },
	{ COLUMN_blocked_ns, IN_BOTH, CELL_BY(age_cell) },
	{ COLUMN_since_ns, IN_JSON, UINT_IF(ROW, since_ns, has_since) },
	{ COLUMN_since_source, IN_JSON, NAME_IF(ROW, source, last_ran_names, has_since) },
	{ COLUMN_mode, IN_BOTH, .choices = modes, CELL_BY(mode_cell) },
	{ COLUMN_access, IN_BOTH, .choices = accesses, CELL_BY(access_cell) },
	{ COLUMN_address, IN_BOTH, "that was accessed", HEX_IF(ROW, fault.address, has_address) },
	{ COLUMN_address_source, IN_JSON, .choices = sources, CELL_BY(address_source_cell) },
	{ COLUMN_waits_for, IN_BOTH, .choices = wait_names, CELL_BY(waits_for_cell) },
	{ COLUMN_function, IN_JSON, "where the thread waits",
	  VIA(TEXT, ROW, fault.function, symbol) },
	{ COLUMN_lock_holder, IN_BOTH, .can_have = waits_for_lock,
	  INT_IF(ROW, holder, has_holder) },
	{ COLUMN_holder_mode, IN_JSON, .can_have = waits_for_lock, .choices = holder_modes,
	  TEXT_OF(ROW, holder_mode) },
	{ COLUMN_vma_start, IN_JSON, HEX_IF(ROW, fault.vma.start, fault.has_vma) },
	{ COLUMN_vma_end, IN_JSON, HEX_IF(ROW, fault.vma.end, fault.has_vma) },
	{ COLUMN_vma_perms, IN_JSON, CHARS_OF(ROW, perms) },
	{ COLUMN_vma_file, IN_BOTH, TEXT_OF(ROW, file) },
	{ COLUMN_stack, 0, "of the thread, in the kernel", STACK_OF(ROW, stack) },
	BASIS(derived),
};

static const struct key keys[] = {
	{ COLUMN_pid, "thread", KEY_FILTERS },
	{ COLUMN_tgid, "process of the thread", KEY_FILTERS },
	{ COLUMN_comm, "name of the thread", KEY_FILTERS },
	{ COLUMN_task_state, "state of the thread, as in /proc/PID/stat", KEY_FILTERS,
	  .choices = task_state_letters },
	{ COLUMN_mode, "how the fault came about", KEY_FILTERS, .choices = modes },
	{ COLUMN_access, "kind of the access", KEY_FILTERS, .choices = accesses },
	{ COLUMN_address, "address that was accessed, hexadecimal", KEY_FILTERS },
	{ COLUMN_waits_for, "what the thread waits for", KEY_FILTERS, .choices = wait_names },
	{ COLUMN_vma_file, "file or name of the mapping that has the address", KEY_FILTERS },
	{ COLUMN_blocked_ns, "time from the last run of the thread to the panic", KEY_FILTERS },
};

struct blocked {
	struct fault_view *view;
	struct fault_finder finder;
	struct lines lines; /* of -l */
	struct last_ran last_ran;
	bool has_locks;
	struct mmap_locks locks;
	struct hash_u64 pids;		   /* of all tasks, by address of task_struct */
	struct hash_u64 waiters;	   /* for an mmap_lock, by that address */
	struct blocked_row *first, **last; /* in order of the task list */
	size_t looked_at, in_fault, unreadable, cut, inner_missing, names_missing;
	const char *problem; /* of the first that is unreadable */
};

static enum status open_blocked(struct fault_view *v)
{
	struct blocked *b = dump_alloc(v->dump, sizeof(*b));
	enum status st;

	v->data = b;
	b->view = v;
	b->last = &b->first;
	hash_u64_init(&b->pids, v->dump->arena, sizeof(int32_t));
	hash_u64_init(&b->waiters, v->dump->arena, 0);
	st = fault_finder_open(v->dump, &b->finder);
	if (v->in->opts.lines) {
		lines_open(v->dump, v->in->opts.lines_dir, &b->lines);
		b->finder.at.symbols.lines = &b->lines;
		v->report.lines = &b->lines;
	}
	st = st ?: last_ran_open(v->dump, &b->last_ran);
	if (st != ST_OK)
		return st;
	st = mmap_locks_open(v->dump, &b->locks);
	b->has_locks = st == ST_OK;
	return report_part(&v->report, "who holds mmap_lock", st);
}

/* Since when: of a task on a CPU the time that it came there is not that of its fault. */
static void read_since(struct blocked *b, struct blocked_row *row)
{
	row->has_since = !b->finder.at.stack.on_cpu &&
			 last_ran_get(&b->last_ran, row->task.address, &row->since_ns,
				      &row->source) == ST_OK;
}

static void read_vma(struct blocked *b, struct blocked_row *row)
{
	const char *name;
	enum status st;

	if (!row->fault.has_vma)
		return;
	vma_perms(&row->fault.vma, row->perms);
	st = vma_name(&b->finder.vmas, &row->fault.vma, &name);
	if (st == ST_OK)
		row->file = name ?: "[anon]";
	else
		b->names_missing++;
}

static void read_lock(struct blocked *b, struct blocked_row *row)
{
	enum rwsem_state state;

	if (row->fault.waits_for == WAIT_MMAP_LOCK && row->task.mm && b->has_locks &&
	    mmap_lock_read(&b->locks, row->task.mm, &state, &row->holder_task) == ST_OK &&
	    state != RWSEM_FREE && row->holder_task)
		row->holder_mode = holder_modes[state == RWSEM_READER];
}

static void add_row(struct blocked *b, const struct task *task, const struct in_fault *fault)
{
	struct blocked_row *row = dump_alloc(b->view->dump, sizeof(*row));
	const struct table *t = &b->view->in->table;

	row->task = *task;
	row->fault = *fault;
	row->state[0] = task->state;
	row->has_address = fault->source != ADDRESS_UNKNOWN;
	read_since(b, row);
	read_vma(b, row);
	if (table_shows(t, COLUMN_stack))
		row->stack = task_frames_stack(&b->finder.at);
	read_lock(b, row);
	if (fault->waits_for == WAIT_MMAP_LOCK)
		hash_u64_add(&b->waiters, task->address);
	b->in_fault++;
	b->inner_missing += b->finder.at.frames.lacks_inner;
	*b->last = row;
	b->last = &row->next;
}

static enum status add_task(void *arg, const struct task *task)
{
	struct blocked *b = arg;
	struct dump *d = b->view->dump;
	struct in_fault fault;
	int32_t *pid = hash_u64_get(&b->pids, task->address, NULL);
	enum status st;

	*pid = task->pid;
	if (dump_stopped(d))
		return ST_STOPPED;
	b->looked_at++;
	/* A kernel thread faults only in memory that it borrowed. */
	st = fault_find(&b->finder, task, &fault);
	if (st == ST_STOPPED)
		return st;
	if (st == ST_OK)
		add_row(b, task, &fault);
	else if (st == ST_ABSENT)
		b->cut += b->finder.at.frames.end == UNWIND_CUT;
	else if (!b->unreadable++)
		b->problem = dump_why(d);
	return ST_OK;
}

/* The last reader, if it waits for such a lock again, need not have it any more. */
static bool is_gone(const struct blocked *b, const struct blocked_row *row)
{
	return row->holder_mode == holder_modes[1] && hash_u64_has(&b->waiters, row->holder_task);
}

/* The holder of a lock has a name once all tasks are known. */
static void add_rows(struct blocked *b)
{
	for (struct blocked_row *row = b->first; row; row = row->next) {
		const int32_t *pid;

		if (row->holder_mode && is_gone(b, row))
			row->holder_mode = NULL;
		pid = row->holder_mode ? hash_u64_find(&b->pids, row->holder_task) : NULL;
		row->has_holder = pid;
		row->holder = pid ? *pid : 0;
		rows_add(b->view->in, row, b->view);
	}
}

/* The sum says itself what it leaves open: it may be all of the text that is kept. */
static void print_sum(struct blocked *b, size_t shown, bool is_whole)
{
	struct sink *out = b->view->out;
	size_t unknown = b->unreadable + b->cut;

	sink_printf(out, "%zu of %s %s inside a page fault", b->in_fault,
		    PLURAL_TEXT(b->looked_at, "thread", "threads"),
		    b->in_fault == 1 ? "is" : "are");
	if (shown < b->in_fault)
		sink_printf(out, "; %zu of them shown", shown);
	if (unknown)
		sink_printf(out, "; unknown of %s without a whole stack",
			    PLURAL_TEXT(unknown, "thread", "threads"));
	if (!is_whole)
		sink_text(out, "; unknown of threads that the task list does not reach");
	sink_text(out, "\n");
}

static enum status show_blocked(struct fault_view *v)
{
	struct blocked *b = v->data;
	struct tasks tasks;
	enum status st = tasks_open(v->dump, &tasks), walked;

	if (st != ST_OK) {
		report_no_data(&v->report, availability_of(st));
		return ST_OK;
	}
	walked = tasks_walk(&tasks, add_task, b);
	const struct gap gaps[] = {
		{ "the task list ends early: %s", walked != ST_OK && walked != ST_STOPPED,
		  .why = dump_why(v->dump) },
		{ "the stacks of %s cannot be read: %s", b->unreadable, "thread", "threads",
		  b->problem },
		{ "%s cannot be followed to the end", b->cut, "stack", "stacks" },
		{ "what %s for may be unknown: text or unwind tables are not in this dump",
		  b->inner_missing, "thread waits", "threads wait" },
		{ "no name in this dump for %s", b->names_missing, "VMA", "VMAs", .is_note = true },
	};
	REPORT_GAPS(&v->report, gaps);
	add_rows(b);
	rows_show(&v->report, v->in);
	report_end(&v->report, NULL, walked == ST_OK);
	if (!v->in->opts.json)
		print_sum(b, v->report.rows_shown, walked == ST_OK);
	return ST_OK;
}

const struct fault_view_ops fault_blocked = { { "blocked", "-b", COLUMNS_OF(columns), KEYS_OF(keys),
						ROWS_ARE(NULL, NULL, "blocked_ns", 0) },
					      NULL,
					      open_blocked,
					      show_blocked };
