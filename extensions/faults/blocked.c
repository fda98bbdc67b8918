// SPDX-License-Identifier: GPL-2.0-or-later
/* faults -b: tasks that are inside a page fault at the panic. */
#include "view.h"

#include <string.h>

#include "in_fault.h"
#include "tasks/last_ran.h"
#include "vm/mmap_lock.h"
#include "symbols/stack.h"
#include "util/units.h"

enum {
	COL_PID,
	COL_TGID,
	COL_COMM,
	COL_STATE,
	COL_AGE,
	COL_SINCE,
	COL_SINCE_SOURCE,
	COL_MODE,
	COL_ACCESS,
	COL_ADDRESS,
	COL_ADDRESS_SOURCE,
	COL_WAITS_FOR,
	COL_FUNCTION,
	COL_HOLDER,
	COL_HOLDER_MODE,
	COL_VMA_START,
	COL_VMA_END,
	COL_VMA_PERMS,
	COL_VMA_FILE,
	COL_STACK,
	COLUMNS
};

static const char *const modes[] = { "user", "kernel", "gup", NULL };
static const char *const accesses[] = { "read", "write", "exec", NULL };
static const char *const sources[] = { "vm_fault", "page", "stack", NULL };
static const char *const holder_modes[] = { "writer", "reader", NULL };

static const struct view_column columns[COLUMNS] = {
	[COL_PID] = { COLUMN_pid, IN_BOTH | KNOWN },
	[COL_TGID] = { COLUMN_tgid, IN_JSON | KNOWN },
	[COL_COMM] = { COLUMN_comm, IN_BOTH | KNOWN },
	[COL_STATE] = { COLUMN_task_state, IN_BOTH },
	[COL_AGE] = { COLUMN_blocked_ns, IN_BOTH },
	[COL_SINCE] = { COLUMN_since_ns, IN_JSON },
	[COL_SINCE_SOURCE] = { COLUMN_since_source, IN_JSON, .choices = last_ran_names },
	[COL_MODE] = { COLUMN_mode, IN_BOTH, .choices = modes },
	[COL_ACCESS] = { COLUMN_access, IN_BOTH, .choices = accesses },
	[COL_ADDRESS] = { COLUMN_address, IN_BOTH, "that was accessed" },
	[COL_ADDRESS_SOURCE] = { COLUMN_address_source, IN_JSON, .choices = sources },
	[COL_WAITS_FOR] = { COLUMN_waits_for, IN_BOTH, .choices = wait_names },
	[COL_FUNCTION] = { COLUMN_function, IN_JSON, "where the thread waits" },
	[COL_HOLDER] = { COLUMN_holder, IN_BOTH },
	[COL_HOLDER_MODE] = { COLUMN_holder_mode, IN_JSON, .choices = holder_modes },
	[COL_VMA_START] = { COLUMN_vma_start, IN_JSON },
	[COL_VMA_END] = { COLUMN_vma_end, IN_JSON },
	[COL_VMA_PERMS] = { COLUMN_vma_perms, IN_JSON },
	[COL_VMA_FILE] = { COLUMN_vma_file, IN_BOTH },
	[COL_STACK] = { COLUMN_stack, 0, "of the thread, in the kernel" },
};

enum {
	KEY_PID,
	KEY_TGID,
	KEY_COMM,
	KEY_STATE,
	KEY_MODE,
	KEY_ACCESS,
	KEY_ADDRESS,
	KEY_WAITS_FOR,
	KEY_VMA,
	KEY_AGE,
	KEYS
};

static const struct key keys[KEYS] = {
	[KEY_PID] = { COLUMN_pid, "thread", KEY_FILTERS },
	[KEY_TGID] = { COLUMN_tgid, "process of the thread", KEY_FILTERS },
	[KEY_COMM] = { COLUMN_comm, "name of the thread", KEY_FILTERS, .is_text = true },
	[KEY_STATE] = { COLUMN_task_state, "state of the thread, as in /proc/PID/stat", KEY_FILTERS,
			.is_text = true, .choices = task_state_letters },
	[KEY_MODE] = { COLUMN_mode, "how the fault came about", KEY_FILTERS, .is_text = true,
		       .choices = modes },
	[KEY_ACCESS] = { COLUMN_access, "kind of the access", KEY_FILTERS, .is_text = true,
			 .choices = accesses },
	[KEY_ADDRESS] = { COLUMN_address, "address that was accessed, hexadecimal", KEY_FILTERS,
			  .quantity = RANGE_HEX },
	[KEY_WAITS_FOR] = { COLUMN_waits_for, "what the thread waits for", KEY_FILTERS,
			    .is_text = true, .choices = wait_names },
	[KEY_VMA] = { COLUMN_vma_file, "file or name of the mapping that has the address",
		      KEY_FILTERS, .is_text = true },
	[KEY_AGE] = { COLUMN_blocked_ns, "time from the last run of the thread to the panic",
		      KEY_FILTERS, .quantity = RANGE_TIME },
};

/* The column that has the value of a key. */
static const unsigned int column_of[KEYS] = {
	[KEY_PID] = COL_PID,	     [KEY_TGID] = COL_TGID,	      [KEY_COMM] = COL_COMM,
	[KEY_STATE] = COL_STATE,     [KEY_MODE] = COL_MODE,	      [KEY_ACCESS] = COL_ACCESS,
	[KEY_ADDRESS] = COL_ADDRESS, [KEY_WAITS_FOR] = COL_WAITS_FOR, [KEY_VMA] = COL_VMA_FILE,
	[KEY_AGE] = COL_AGE,
};

/* A lock that rows wait for: its holder gets a name once all tasks are known. */
struct lock_wait {
	struct lock_wait *next;
	struct cell *row;
	uint64_t task;
};

struct blocked {
	struct fault_view *view;
	struct fault_finder finder;
	struct lines lines; /* of -l */
	struct last_ran last_ran;
	bool has_locks;
	struct mmap_locks locks;
	struct hash_u64 pids; /* of all tasks, by address of task_struct */
	struct lock_wait *waits;
	size_t looked_at, in_fault, unreadable, cut, names_missing;
	const char *problem; /* of the first that is unreadable */
};

static enum status open_blocked(struct fault_view *v)
{
	struct blocked *b = dump_alloc(v->dump, sizeof(*b));
	enum status st;

	if (!b)
		return ST_NOMEM;
	v->data = b;
	b->view = v;
	hash_u64_init(&b->pids, v->dump->arena, sizeof(int32_t));
	st = fault_finder_open(v->dump, &b->finder);
	if (v->in->opts.lines) {
		lines_open(v->dump, v->in->opts.lines_dir, &b->lines);
		b->finder.symbols.lines = &b->lines;
		v->report.lines = &b->lines;
	}
	if (st == ST_OK)
		st = last_ran_open(v->dump, &b->last_ran);
	if (st != ST_OK)
		return st;
	st = mmap_locks_open(v->dump, &b->locks);
	b->has_locks = st == ST_OK;
	return report_part(&v->report, "who holds mmap_lock", st);
}

static struct cell choice(const char *const *names, unsigned int i)
{
	return cell_text(i ? names[i - 1] : NULL);
}

/* Since when: of a task on a CPU the time that it came there is not that of its fault. */
static void fill_since(struct blocked *b, const struct task *task, struct cell *row)
{
	const struct report *r = &b->view->report;
	enum last_ran_field source;
	uint64_t ns;

	if (b->finder.stack.on_cpu ||
	    last_ran_get(&b->last_ran, task->address, &ns, &source) != ST_OK)
		return;
	row[COL_SINCE] = cell_uint(ns);
	row[COL_SINCE_SOURCE] = cell_text(last_ran_names[source]);
	row[COL_AGE] = report_age(r, ns);
}

static enum status fill_vma(struct blocked *b, const struct in_fault *fault, struct cell *row)
{
	char perms[VMA_PERMS_BYTES];
	const char *name;
	enum status st;

	if (!fault->has_vma)
		return ST_OK;
	vma_perms(&fault->vma, perms);
	row[COL_VMA_START] = cell_hex(fault->vma.start);
	row[COL_VMA_END] = cell_hex(fault->vma.end);
	row[COL_VMA_PERMS] = cell_text(arena_strdup(b->view->dump->arena, perms));
	st = vma_name(&b->finder.vmas, &fault->vma, &name);
	if (st == ST_OK)
		row[COL_VMA_FILE] = cell_text(name ? name : "[anon]");
	else
		b->names_missing++;
	return st == ST_NOMEM ? st : ST_OK;
}

/* Lines are those of the call before an address; an exception is at its address itself. */
static const struct frame *frame_of(struct blocked *b, const struct unwind_frame *at)
{
	const struct frame *found = symbolize(&b->finder.symbols, at->ip);
	const struct module *mod = modules_find(&b->finder.symbols.modules, at->ip);
	struct frame *f;

	if (!found || !at->regs || !b->view->in->opts.lines)
		return found;
	f = dump_alloc(b->view->dump, sizeof(*f));
	if (f) {
		*f = *found;
		f->source = lines_of_call(&b->lines, at->ip + 1, mod);
	}
	return f;
}

static enum status fill_stack(struct blocked *b, struct cell *row)
{
	const struct unwind *w = &b->finder.frames;
	struct dump *d = b->view->dump;
	struct stack *stack;

	if (!table_shows(&b->view->in->table, COL_STACK))
		return ST_OK;
	stack = dump_alloc(d, sizeof(*stack));
	if (!stack)
		return ST_NOMEM;
	stack->frames = dump_alloc(d, w->n * sizeof(*stack->frames));
	if (!stack->frames)
		return ST_NOMEM;
	for (unsigned int i = 0; i < w->n; i++)
		stack->frames[i] = frame_of(b, &w->f[i]);
	stack->n = w->n;
	row[COL_STACK] = cell_stack(stack);
	return ST_OK;
}

static enum status note_lock(struct blocked *b, const struct task *task,
			     const struct in_fault *fault, struct cell *row)
{
	struct dump *d = b->view->dump;
	enum mmap_lock_state state;
	struct lock_wait *w;
	uint64_t holder;

	if (fault->waits_for != WAIT_MMAP_LOCK || !task->mm || !b->has_locks ||
	    mmap_lock_read(&b->locks, task->mm, &state, &holder) != ST_OK ||
	    state == MMAP_LOCK_FREE || !holder)
		return ST_OK;
	w = dump_alloc(d, sizeof(*w));
	if (!w)
		return ST_NOMEM;
	*w = (struct lock_wait){ b->waits, row, holder };
	b->waits = w;
	row[COL_HOLDER_MODE] = cell_text(holder_modes[state == MMAP_LOCK_READER]);
	return ST_OK;
}

static enum status add_row(struct blocked *b, const struct task *task, const struct in_fault *fault)
{
	struct dump *d = b->view->dump;
	struct cell row[COLUMNS] = { 0 }, *kept;
	char state[2] = { task->state, '\0' };
	enum status st;

	row[COL_PID] = cell_int(task->pid);
	row[COL_TGID] = cell_int(task->tgid);
	row[COL_COMM] = cell_text(arena_strdup(d->arena, task->comm));
	row[COL_STATE] = cell_text(task->state ? arena_strdup(d->arena, state) : NULL);
	row[COL_MODE] = choice(modes, fault->mode);
	if (fault->has_flags)
		row[COL_ACCESS] = cell_text(accesses[fault->flags & VM_FAULT_INSTRUCTION ? 2
						     : fault->flags & VM_FAULT_WRITE	 ? 1
											 : 0]);
	row[COL_ADDRESS] = cell_if(fault->source != ADDRESS_UNKNOWN, cell_hex(fault->address));
	row[COL_ADDRESS_SOURCE] = choice(sources, fault->source);
	row[COL_WAITS_FOR] = cell_text(wait_name(fault->waits_for));
	row[COL_FUNCTION] = cell_text(fault->function ? fault->function->symbol : NULL);
	fill_since(b, task, row);
	st = fill_vma(b, fault, row);
	if (st == ST_OK)
		st = fill_stack(b, row);
	if (st != ST_OK)
		return st;
	b->in_fault++;
	if (!table_keeps_keys(&b->view->in->filters, column_of, row))
		return ST_OK;
	kept = table_add(&b->view->in->table);
	if (!kept)
		return ST_NOMEM;
	memcpy(kept, row, sizeof(row));
	return note_lock(b, task, fault, kept);
}

static enum status add_task(void *arg, const struct task *task)
{
	struct blocked *b = arg;
	struct dump *d = b->view->dump;
	struct in_fault fault;
	bool is_new;
	int32_t *pid = hash_u64_get(&b->pids, task->address, &is_new);
	enum status st;

	if (!pid)
		return dump_no_memory(d);
	*pid = task->pid;
	if (dump_stopped(d))
		return ST_STOPPED;
	b->looked_at++;
	/* A kernel thread faults only in memory that it borrowed. */
	st = fault_find(&b->finder, task, &fault);
	if (st == ST_OK)
		return add_row(b, task, &fault);
	if (st == ST_NOMEM || st == ST_STOPPED)
		return st;
	if (st == ST_ABSENT) {
		b->cut += b->finder.frames.end == UNWIND_CUT;
		return ST_OK;
	}
	if (!b->unreadable++)
		b->problem = arena_strdup(d->arena, d->error);
	return ST_OK;
}

static void name_holders(struct blocked *b)
{
	for (struct lock_wait *w = b->waits; w; w = w->next) {
		const int32_t *pid = hash_u64_find(&b->pids, w->task);

		if (pid)
			w->row[COL_HOLDER] = cell_int(*pid);
	}
}

/* The sum says itself what it leaves open: it may be all of the text that is kept. */
static void print_sum(struct blocked *b, size_t shown, bool is_whole)
{
	struct sink *out = b->view->out;
	size_t unknown = b->unreadable + b->cut;
	char n[UNITS_PLURAL];

	sink_printf(out, "%zu of %s %s inside a page fault", b->in_fault,
		    units_plural(n, b->looked_at, "thread", "threads"),
		    b->in_fault == 1 ? "is" : "are");
	if (shown < b->in_fault)
		sink_printf(out, "; %zu of them shown", shown);
	if (unknown)
		sink_printf(out, "; unknown of %s without a whole stack",
			    units_plural(n, unknown, "thread", "threads"));
	if (!is_whole)
		sink_text(out, "; unknown of threads that the task list does not reach");
	sink_text(out, "\n");
}

static enum status show_blocked(struct fault_view *v)
{
	struct blocked *b = v->data;
	struct report *r = &v->report;
	struct table *t = &v->in->table;
	const struct opts *o = &v->in->opts;
	struct tasks tasks;
	enum status st = tasks_open(v->dump, &tasks), walked;
	char n[UNITS_PLURAL];
	size_t shown;

	if (st == ST_NOMEM)
		return st;
	if (st != ST_OK) {
		report_no_data(r, availability_of(st));
		return ST_OK;
	}
	walked = tasks_walk(&tasks, add_task, b);
	if (walked == ST_NOMEM)
		return walked;
	if (walked != ST_OK && walked != ST_STOPPED)
		report_warn(r, "the task list ends early: %s", v->dump->error);
	name_holders(b);
	if (b->unreadable)
		report_warn(r, "the stacks of %s are not in this dump: %s",
			    units_plural(n, b->unreadable, "thread", "threads"), b->problem);
	if (b->cut)
		report_warn(r, "%s cannot be followed to the end",
			    units_plural(n, b->cut, "stack", "stacks"));
	if (b->names_missing)
		report_warn(r, "no name in this dump for %s",
			    units_plural(n, b->names_missing, "VMA", "VMAs"));
	table_filter(t, &v->in->filters);
	st = table_sort(t, o->sort ? o->sort : "blocked_ns", o->reverse);
	if (st != ST_OK)
		return st;
	shown = report_rows(r, t, o, 0);
	report_end(r, NULL, walked == ST_OK && !b->unreadable && !b->cut);
	if (!o->json)
		print_sum(b, shown, walked == ST_OK);
	return ST_OK;
}

const struct fault_view_ops fault_blocked = { { "blocked", "-b", COLUMNS_OF(columns), .keys = keys,
						.nkeys = KEYS, .filters_rows = true },
					      NULL,
					      open_blocked,
					      show_blocked };
