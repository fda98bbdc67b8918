// SPDX-License-Identifier: GPL-2.0-or-later
#include "events.h"

#include "tasks/fault_code.h"

#define SYSTEM "exceptions"

/* Events of page faults; arm64 has none in any release. */
static const char *const wanted[READER_EVENTS] = { "page_fault_user", "page_fault_kernel" };

const char *const event_modes[] = { "user", "kernel", NULL };
const char *const event_buffer_names[] = { "main", "snapshot", NULL };
const char *const event_marks[] = { "consumed", "uncommitted", "cut", "damaged", NULL };

#define BOTH (KEY_FILTERS | KEY_GROUPS)

const struct key event_keys[EVENT_KEYS] = {
	[EVENT_PID] = { COLUMN_pid, "pid of the thread that faulted", BOTH },
	[EVENT_COMM] = { COLUMN_comm, "name of the thread", BOTH },
	[EVENT_CPU] = { COLUMN_cpu, "CPU that it ran on", BOTH },
	[EVENT_INSTANCE] = { COLUMN_instance, "tracing instance; global: the top one", BOTH },
	[EVENT_BUFFER] = { COLUMN_buffer, "buffer of the instance", KEY_FILTERS,
			   .choices = event_buffer_names },
	[EVENT_AGE] = { COLUMN_age_ns, "time from the event to the panic", KEY_FILTERS,
			.also = COLUMN_to_panic },
	[EVENT_TS] = { COLUMN_ts_ns, "time of the event, on the clock of its instance",
		       KEY_FILTERS },
	[EVENT_MARK] = { COLUMN_mark, "why the event is not sure; -: it is", KEY_FILTERS,
			 .choices = event_marks },
	[EVENT_MODE] = { COLUMN_mode,
			 "mode of the processor: of page_fault_user or page_fault_kernel", BOTH,
			 .choices = event_modes },
	[EVENT_ADDRESS] = { COLUMN_address, "address that faulted, hexadecimal; -g: of its page",
			    BOTH },
	[EVENT_IP] = { COLUMN_ip, "address of the instruction, hexadecimal", BOTH },
	[EVENT_IP_SYMBOL] = { COLUMN_ip_symbol, "function of the instruction, in the kernel",
			      BOTH },
	[EVENT_INSTRUCTION] = { COLUMN_instruction, "the same, its address outside of the kernel",
				BOTH },
	[EVENT_ERROR_CODE] = { COLUMN_error_code, "error code of the processor, hexadecimal",
			       BOTH },
	[EVENT_ERROR] = { COLUMN_error, "the error code in words", BOTH },
	[EVENT_VMA] = { COLUMN_vma_file, "file or name of the mapping that has the address", BOTH },
};

enum status fault_events_open(struct fault_view *v)
{
	struct fault_events *e = dump_alloc(v->dump, sizeof(*e));
	const char *names[READER_EVENTS];
	enum status st;

	v->data = e;
	e->view = v;
	for (size_t i = 0; i < READER_EVENTS; i++)
		names[i] = wanted[i];
	st = event_reader_open(v->dump, SYSTEM, names, READER_EVENTS, v->in->opts.all, &e->reader);
	if (st == ST_ABSENT && v->dump->arch && !strcmp(v->dump->arch, "aarch64") &&
	    dump_has_symbol(v->dump, "ftrace_events"))
		return dump_fail(v->dump, st,
				 "arm64 has no trace event of page faults in any release");
	if (st != ST_OK)
		return st;
	for (size_t i = 0; i < e->reader.nevents; i++) {
		const struct trace_event *event = &e->reader.events[i];

		e->is_user[i] = !strcmp(event->name, wanted[0]);
		e->address[i] = trace_event_field(event, "address");
		e->ip[i] = trace_event_field(event, "ip");
		e->code[i] = trace_event_field(event, "error_code");
		if (!e->address[i] || !e->ip[i] || !e->code[i])
			return dump_unknown(v->dump, "fields of the event %s:%s", SYSTEM,
					    event->name);
	}
	symbolizer_open(v->dump, &e->symbols);
	hash_u64_init(&e->ips, v->dump->arena, sizeof(const char *));
	hash_u64_init(&e->errors, v->dump->arena, sizeof(const char *));
	hash_bytes_init(&e->texts, v->dump->arena, 0);
	return ST_OK;
}

struct cell fault_mode_cell(const void *record, void *view NOT_USED)
{
	const struct fault_event *ev = record;

	return cell_text(event_modes[!ev->is_user]);
}

struct cell fault_symbol_cell(const void *record, void *view NOT_USED)
{
	const struct fault_event *ev = record;
	struct fault_events *e = ev->events;
	const struct frame *frame;
	const char **name;
	char buf[640];
	bool is_new;

	if (ev->is_user || ev->record.ring->buffer->array->other_boot)
		return cell_text(NULL);
	name = hash_u64_get(&e->ips, ev->ip, &is_new);
	frame = is_new ? symbolize(&e->symbols, ev->ip) : NULL;
	if (frame && frame->symbol)
		*name = intern(&e->texts, frame_text(frame, buf, sizeof(buf)));
	return cell_text(*name);
}

struct cell fault_instruction_cell(const void *record, void *view)
{
	const struct fault_event *ev = record;
	struct cell symbol = fault_symbol_cell(record, view);
	char buf[32];

	if (symbol.kind != CELL_NULL)
		return symbol;
	snprintf(buf, sizeof(buf), "0x%lx", ev->ip);
	return cell_text(intern(&ev->events->texts, buf));
}

struct cell fault_error_cell(const void *record, void *view NOT_USED)
{
	const struct fault_event *ev = record;
	struct fault_events *e = ev->events;
	char buf[FAULT_TEXT];
	bool is_new;
	const char **text = hash_u64_get(&e->errors, ev->code, &is_new);

	if (is_new)
		*text = intern(&e->texts,
			       fault_code_text(e->view->dump->arch, ev->code, buf, sizeof(buf)));
	return cell_text(*text);
}

struct task_space {
	uint64_t mm, start_ns;
	struct vma last; /* that was found */
};

static enum status add_space(void *arg, const struct task *task)
{
	struct fault_events *e = arg;
	struct task_space *s;

	if (!task->mm)
		return ST_OK;
	s = hash_u64_get(&e->spaces, (uint32_t)task->pid, NULL);
	s->mm = task->mm;
	s->start_ns = task->start_ns;
	return ST_OK;
}

static void open_vmas(struct fault_events *e)
{
	struct dump *d = e->view->dump;
	struct tasks tasks;
	enum status st;

	e->vmas_tried = true;
	hash_u64_init(&e->spaces, d->arena, sizeof(struct task_space));
	st = vmas_open(d, &e->vmas) ?: tasks_open(d, &tasks);
	e->has_vmas = st == ST_OK;
	st = st ?: tasks_walk(&tasks, add_space, e);
	if (st != ST_OK)
		e->vma_problem = dump_why(d);
}

static const char *vma_of(const struct fault_event *ev)
{
	const struct trace_array *a = ev->record.ring->buffer->array;
	struct fault_events *e = ev->events;
	const char *name = NULL;
	struct task_space *s;

	if (!e->vmas_tried)
		open_vmas(e);
	if (!e->has_vmas || a->other_boot || !hash_u64_has(&e->spaces, (uint32_t)ev->record.pid))
		return NULL;
	s = hash_u64_get(&e->spaces, (uint32_t)ev->record.pid, NULL);
	/* Another task had the pid. */
	if (a->clock.is_sched && s->start_ns > trace_clock_log(&a->clock, ev->record.ts))
		return NULL;
	if ((ev->address < s->last.start || ev->address >= s->last.end) &&
	    vma_find(&e->vmas, s->mm, ev->address, &s->last) != ST_OK)
		return NULL;
	return vma_name(&e->vmas, &s->last, &name) == ST_OK ? name : NULL;
}

struct cell fault_vma_cell(const void *record, void *view NOT_USED)
{
	return cell_text(vma_of(record));
}

/* Time from the record to the panic; false: they are not on one clock. Negative: after it. */
static bool event_age(const struct fault_view *v, const struct event_record *rec, int64_t *ns)
{
	const struct trace_array *array = rec->ring->buffer->array;
	uint64_t panic;

	if (!array->clock.is_sched || array->other_boot || !time_of_panic(&v->report.info, &panic))
		return false;
	*ns = (int64_t)(panic - trace_clock_log(&array->clock, rec->ts));
	return true;
}

struct cell event_to_panic_cell(const void *record, void *view)
{
	const struct fault_view *v = view;
	struct ranked_text *ret;
	int64_t age;

	if (!event_age(v, record, &age))
		return cell_text(NULL);
	ret = dump_alloc(v->dump, sizeof(*ret));
	ret->text = dump_text(v->dump, "%s%s", age > 0 ? "-" : "",
			      STAMP_TEXT(age < 0 ? 0 - (uint64_t)age : (uint64_t)age));
	ret->rank = ~range_balance(age);
	return cell_ranked(ret);
}

#define EVENT struct event_record
#define CELL_OF_EVENT(FUNCTION, EXPRESSION)                    \
	struct cell FUNCTION(const void *record, void *view) { \
		const EVENT *r = record;                       \
                                                               \
		(void)view;                                    \
		return EXPRESSION;                             \
	}

CELL_OF_EVENT(event_ts_cell, cell_if(r->ring->buffer->array->clock.in_ns, cell_uint(r->ts)))
CELL_OF_EVENT(event_cpu_cell, cell_uint(r->ring->cpu))
CELL_OF_EVENT(event_instance_cell, cell_text(r->ring->buffer->array->name))
CELL_OF_EVENT(event_buffer_cell, cell_text(event_buffer_names[r->ring->buffer->is_snapshot]))
CELL_OF_EVENT(event_mark_cell, cell_text(ring_doubt_name(r->doubt)))

bool event_clocks_same(const struct trace_buffer_of *a, const struct trace_buffer_of *b)
{
	return a->clock == b->clock && a->array->other_boot == b->array->other_boot;
}

const char *event_clock_text(const struct fault_view *v, const struct trace_array *a)
{
	return dump_text(v->dump, "%s%s", a->clock.name ?: "unknown",
			 a->other_boot			 ? ", of another boot"
			 : trace_clock_is_log(&a->clock) ? ""
							 : ", which is not that of the log");
}

void event_clocks_init(struct fault_view *v, struct event_clocks *c)
{
	struct table *t = &v->in->table;

	*c = (struct event_clocks){ NULL };
	t->sorted[table_index(t, COLUMN_to_panic)] |= t->sorted[table_index(t, COLUMN_ts_ns)];
}

void event_clocks_add(const struct fault_view *v, struct event_clocks *c,
		      const struct event_record *rec)
{
	const struct trace_buffer_of *b = rec->ring->buffer;
	int64_t age;

	if (!c->of)
		c->of = b;
	c->mixed |= !event_clocks_same(c->of, b);
	c->unknown += !event_age(v, rec, &age);
}

/* The keys of -s, with to_panic in place of ts_ns; NULL: ts_ns is none of them. */
static char *comparable(const struct fault_view *v)
{
	const struct table *t = &v->in->table;
	const char *sort = v->in->opts.sort;
	size_t ts = table_index(t, COLUMN_ts_ns);
	bool found = false;
	struct strbuf s = STRBUF_OF(256);

	while (*sort) {
		size_t len = strcspn(sort, ",");
		bool is_ts = table_find(t, sort, len) == ts;

		strbuf_add(&s, "%s%.*s", strbuf_between(&s, ","), is_ts ? 8 : (int)len,
			   is_ts ? "to_panic" : sort);
		found |= is_ts;
		sort += len;
		sort += *sort == ',';
	}
	return found ? dump_strdup(v->dump, s.buf) : NULL;
}

void events_show(struct fault_view *v, const struct event_clocks *c)
{
	const struct opts *o = &v->in->opts;
	const char *spec = o->sort && c->mixed ? comparable(v) : NULL;
	struct table *t = &v->in->table;

	if (spec && c->unknown)
		report_warn(&v->report,
			    "the events are of more than one clock: sorted by the time to the "
			    "panic, which is unknown of %lu events: they come last",
			    c->unknown);
	else if (spec)
		report_warn(&v->report, "the events are of more than one clock: sorted by the time "
					"to the panic");
	table_filter(t, &v->in->filters);
	if (o->sort)
		table_sort(t, spec ?: o->sort, o->reverse);
	else if (o->reverse)
		table_reverse(t);
	rows_put(&v->report, v->in);
}

static struct cell age_cell(const void *record, void *view)
{
	int64_t age;

	return event_age(view, record, &age) ? cell_int(age) : cell_text(NULL);
}

#define FAULT struct fault_event

const struct view_column event_key_columns[EVENT_KEYS] = {
	[EVENT_PID] = { COLUMN_pid, 0, INT_OF(EVENT, pid) },
	[EVENT_COMM] = { COLUMN_comm, 0, TEXT_OF(EVENT, comm) },
	[EVENT_CPU] = { COLUMN_cpu, 0, CELL_BY(event_cpu_cell) },
	[EVENT_INSTANCE] = { COLUMN_instance, 0, CELL_BY(event_instance_cell) },
	[EVENT_BUFFER] = { COLUMN_buffer, 0, CELL_BY(event_buffer_cell) },
	[EVENT_AGE] = { COLUMN_age_ns, 0, CELL_BY(age_cell) },
	[EVENT_TS] = { COLUMN_ts_ns, 0, CELL_BY(event_ts_cell) },
	[EVENT_MARK] = { COLUMN_mark, 0, CELL_BY(event_mark_cell) },
	[EVENT_MODE] = { COLUMN_mode, 0, CELL_BY(fault_mode_cell) },
	[EVENT_ADDRESS] = { COLUMN_address, 0, HEX_OF(FAULT, address) },
	[EVENT_IP] = { COLUMN_ip, 0, HEX_OF(FAULT, ip) },
	[EVENT_IP_SYMBOL] = { COLUMN_ip_symbol, 0, CELL_BY(fault_symbol_cell) },
	[EVENT_INSTRUCTION] = { COLUMN_instruction, 0, CELL_BY(fault_instruction_cell) },
	[EVENT_ERROR_CODE] = { COLUMN_error_code, 0, HEX_OF(FAULT, code) },
	[EVENT_ERROR] = { COLUMN_error, 0, CELL_BY(fault_error_cell) },
	[EVENT_VMA] = { COLUMN_vma_file, 0, CELL_BY(fault_vma_cell) },
};

bool event_kept(const struct fault_view *v, const void *record)
{
	return rows_keep_member(v->in, COLUMNS(event_key_columns), record, (void *)v);
}

bool fault_events_next(struct fault_events *e, struct fault_event *ret)
{
	struct event_record rec;

	while (event_reader_next(&e->reader, &rec)) {
		struct fault_event ev = {
			.record = rec,
			.events = e,
			.is_user = e->is_user[rec.which],
			.address = event_number(&rec, e->address[rec.which]),
			.ip = event_number(&rec, e->ip[rec.which]),
			.code = event_number(&rec, e->code[rec.which]),
		};

		if (!event_kept(e->view, &ev))
			continue;
		e->kept++;
		*ret = ev;
		return true;
	}
	return false;
}
