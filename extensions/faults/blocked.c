// SPDX-License-Identifier: GPL-2.0-or-later
/* faults -b: tasks that are inside a page fault at the panic. */
#include "view.h"

#include "collect/stuck.h"
#include "blocked_others.h"

static const char *const modes[] = { "user", "kernel", "gup", NULL };
static const char *const accesses[] = { "read", "write", "exec", NULL };
static const char *const sources[] = { "vm_fault", "page", "stack", NULL };

/* A thread inside a page fault. */
struct blocked_row {
	struct stuck_task thread;
	struct in_fault fault; /* of it */
	const struct frame *function;
	char perms[VMA_PERMS_BYTES];
	const char *file; /* of the VMA; NULL: unknown */
	bool has_address;
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

CELL_FROM(comm_cell, ROW, cell_text(r->thread.task.comm))
CELL_WITH(age_cell, ROW, const struct fault_view,
	  cell_if(r->thread.has_since, report_age(&v->report, r->thread.since_ns)))
CELL_FROM(mode_cell, ROW, choice(modes, r->fault.mode))
CELL_FROM(access_cell, ROW, cell_text(r->fault.has_flags ? access_of(&r->fault) : NULL))
CELL_FROM(address_source_cell, ROW, choice(sources, r->fault.source))
CELL_FROM(place_cell, ROW,
	  cell_text(stuck_place_is_unknown(&r->thread) ? NULL : place_name(r->thread.where)))
CELL_FROM(holder_mode_cell, ROW, cell_text(stuck_holder_mode(&r->thread)))

CAN_HAVE(may_have_holder, ROW, void,
	 !r->thread.waits_for || r->thread.is_on_lock || r->thread.is_on_server || r->thread.holder)

static const struct view_column columns[] = {
	{ COLUMN_pid, IN_BOTH | KNOWN, INT_OF(ROW, thread.task.pid) },
	{ COLUMN_tgid, IN_JSON | KNOWN, INT_OF(ROW, thread.task.tgid) },
	{ COLUMN_comm, IN_BOTH | KNOWN, CELL_BY(comm_cell) },
	{ COLUMN_task_state, IN_BOTH, CHARS_OF(ROW, thread.state) },
	{ COLUMN_blocked_ns, IN_BOTH, CELL_BY(age_cell) },
	{ COLUMN_since_ns, IN_JSON, UINT_IF(ROW, thread.since_ns, thread.has_since) },
	{ COLUMN_since_source, IN_JSON,
	  NAME_IF(ROW, thread.since_source, last_ran_names, thread.has_since) },
	{ COLUMN_mode, IN_BOTH, .choices = modes, CELL_BY(mode_cell) },
	{ COLUMN_access, IN_BOTH, .choices = accesses, CELL_BY(access_cell) },
	{ COLUMN_address, IN_BOTH, "that was accessed", HEX_IF(ROW, fault.address, has_address) },
	{ COLUMN_address_source, IN_JSON, .choices = sources, CELL_BY(address_source_cell) },
	{ COLUMN_place, IN_JSON, .choices = place_names, CELL_BY(place_cell) },
	{ COLUMN_waits_for, IN_BOTH, .choices = stuck_waits, TEXT_OF(ROW, thread.waits_for) },
	{ COLUMN_function, IN_JSON, "where the thread waits", VIA(TEXT, ROW, function, symbol) },
	{ COLUMN_lock_holder, IN_BOTH, .can_have = may_have_holder,
	  VIA(INT, ROW, thread.holder, task.pid) },
	{ COLUMN_holder_mode, IN_JSON, .can_have = may_have_holder, .choices = stuck_holder_modes,
	  CELL_BY(holder_mode_cell) },
	{ COLUMN_vma_start, IN_JSON, HEX_IF(ROW, fault.vma.start, fault.has_vma) },
	{ COLUMN_vma_end, IN_JSON, HEX_IF(ROW, fault.vma.end, fault.has_vma) },
	{ COLUMN_vma_perms, IN_JSON, CHARS_OF(ROW, perms) },
	{ COLUMN_vma_file, IN_BOTH, TEXT_OF(ROW, file) },
	{ COLUMN_stack, 0, "of the thread, in the kernel", STACK_OF(ROW, thread.stack) },
	BASIS(derived),
};

static const struct key keys[] = {
	{ COLUMN_pid, "thread", KEY_FILTERS, .other_names = blocked_others_by_pid },
	{ COLUMN_tgid, "process of the thread", KEY_FILTERS },
	{ COLUMN_comm, "name of the thread", KEY_FILTERS, .other_names = blocked_others_by_name },
	{ COLUMN_task_state, "state of the thread, as in /proc/PID/stat", KEY_FILTERS,
	  .choices = task_state_letters },
	{ COLUMN_mode, "how the fault came about", KEY_FILTERS, .choices = modes },
	{ COLUMN_access, "kind of the access", KEY_FILTERS, .choices = accesses },
	{ COLUMN_address, "address that was accessed, hexadecimal", KEY_FILTERS },
	{ COLUMN_waits_for, "what the thread waits for", KEY_FILTERS, .choices = stuck_waits },
	{ COLUMN_vma_file, "file or name of the mapping that has the address", KEY_FILTERS },
	{ COLUMN_blocked_ns, "time from the last run of the thread to the panic", KEY_FILTERS },
};

struct blocked {
	struct fault_view *view;
	struct fault_finder finder; /* for names of VMAs */
	struct lines lines;	    /* of -l */
	struct stuck stuck;
	size_t in_fault, unknown, inner_missing, names_missing;
	bool has_waiters; /* whose holder may be known */
};

static enum status open_blocked(struct fault_view *v)
{
	struct blocked *b = dump_alloc(v->dump, sizeof(*b));

	v->data = b;
	b->view = v;
	if (v->in->opts.lines) {
		lines_open(v->dump, v->in->opts.lines_dir, &b->lines);
		v->report.lines = &b->lines;
	}
	return fault_finder_open(v->dump, &b->finder);
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

static void add_row(struct blocked *b, const struct stuck_task *s)
{
	struct blocked_row *row = dump_alloc(b->view->dump, sizeof(*row));

	row->thread = *s;
	row->fault = *s->fault;
	row->function = s->function ?: s->runs;
	row->has_address = s->fault->source != ADDRESS_UNKNOWN;
	read_vma(b, row);
	b->in_fault++;
	b->inner_missing += s->lacks_inner;
	b->has_waiters |= s->is_on_lock || s->is_on_server;
	rows_add(b->view->in, row, b->view);
}

/* A kernel thread faults only in memory that it borrowed. */
static void add_rows(struct blocked *b)
{
	const struct stuck_task *lists[] = { b->stuck.first, b->stuck.others };

	for (size_t i = 0; i < ARRAY_SIZE(lists); i++)
		for (const struct stuck_task *s = lists[i]; s; s = s->next) {
			b->unknown += !s->fault && s->has_frames &&
				      (!s->is_whole || s->lacks_inner);
			if (s->fault)
				add_row(b, s);
		}
	b->unknown += b->stuck.unreadable + b->stuck.frameless;
}

/* The sum says itself what it leaves open: it may be all of the text that is kept. */
static void print_sum(struct blocked *b, size_t shown, bool is_whole)
{
	struct sink *out = b->view->out;

	sink_printf(out, "%zu of %s %s inside a page fault", b->in_fault,
		    COUNT_OF(b->stuck.looked_at, "thread"), b->in_fault == 1 ? "is" : "are");
	if (shown < b->in_fault)
		sink_printf(out, "; %zu of them shown", shown);
	if (b->unknown)
		sink_printf(out, "; unknown of %s without a whole stack",
			    COUNT_OF(b->unknown, "thread"));
	if (!is_whole)
		sink_text(out, "; unknown of threads that the task list does not reach");
	sink_text(out, "\n");
}

static enum status show_blocked(struct fault_view *v)
{
	struct blocked *b = v->data;
	const struct stuck_wish wish = { table_shows(&v->in->table, COLUMN_stack),
					 v->in->opts.lines ? &b->lines : NULL };
	enum status st = stuck_collect(v->dump, &wish, &b->stuck);
	bool is_whole = st == ST_OK && !b->stuck.ends_early;

	if (st != ST_OK && st != ST_STOPPED) {
		report_no_data(&v->report, availability_of(st));
		return ST_OK;
	}
	add_rows(b);
	const struct gaps *found = b->has_waiters ? &b->stuck.gaps : &b->stuck.place_gaps;
	const struct gap gaps[] = {
		{ "what %s for may be unknown: text or unwind tables are not in this dump",
		  b->inner_missing, "thread waits", "threads wait" },
		{ "no name in this dump for %s", b->names_missing, "VMA", "VMAs", .is_note = true },
	};
	report_gaps(&v->report, found->rows, found->n);
	REPORT_GAPS(&v->report, gaps);
	rows_show(&v->report, v->in);
	report_rows_kept(&v->report, &v->in->filters, &v->in->table, "thread", "threads");
	report_end(&v->report, NULL, is_whole);
	if (!v->in->opts.json)
		print_sum(b, v->report.rows_shown, is_whole);
	return ST_OK;
}

const struct fault_view_ops fault_blocked = { { "blocked", "-b", COLUMNS_OF(columns), KEYS_OF(keys),
						ROWS_ARE(NULL, NULL, "blocked_ns", 0) },
					      NULL,
					      open_blocked,
					      show_blocked };
