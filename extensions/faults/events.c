// SPDX-License-Identifier: GPL-2.0-or-later
#include "events.h"

#include <stdio.h>
#include <string.h>

#include "tasks/fault_code.h"
#include "util/strbuf.h"

#define SYSTEM "exceptions"

/* Events of page faults; arm64 has none in any release. */
static const struct {
	const char *name;
	bool is_user;
} wanted[READER_EVENTS] = { { "page_fault_user", true }, { "page_fault_kernel", false } };

static const char *const modes[] = { "user", "kernel", NULL };
static const char *const buffers[] = { "main", "snapshot", NULL };
static const char *const marks[] = { "consumed", "uncommitted", "cut", "damaged", NULL };

#define BOTH (KEY_FILTERS | KEY_GROUPS)

const struct key event_keys[EVENT_KEYS] = {
	[EVENT_PID] = { COLUMN_pid, "pid of the thread that faulted", BOTH },
	[EVENT_COMM] = { COLUMN_comm, "name of the thread", BOTH, .is_text = true },
	[EVENT_CPU] = { COLUMN_cpu, "CPU that it ran on", BOTH },
	[EVENT_INSTANCE] = { COLUMN_instance, "tracing instance; global: the top one", BOTH,
			     .is_text = true },
	[EVENT_BUFFER] = { COLUMN_buffer, "buffer of the instance", KEY_FILTERS, .is_text = true,
			   .choices = buffers },
	[EVENT_AGE] = { COLUMN_age_ns, "time from the event to the panic", KEY_FILTERS,
			.quantity = RANGE_TIME, .also = COLUMN_to_panic },
	[EVENT_TS] = { COLUMN_ts_ns, "time of the event, on the clock of its instance", KEY_FILTERS,
		       .quantity = RANGE_TIME },
	[EVENT_MARK] = { COLUMN_mark, "why the event is not sure; -: it is", KEY_FILTERS,
			 .is_text = true, .choices = marks },
	[EVENT_MODE] = { COLUMN_mode,
			 "mode of the processor: of page_fault_user or page_fault_kernel", BOTH,
			 .is_text = true, .choices = modes },
	[EVENT_ADDRESS] = { COLUMN_address, "address that faulted, hexadecimal; -g: of its page",
			    BOTH, .quantity = RANGE_HEX },
	[EVENT_IP] = { COLUMN_ip, "address of the instruction, hexadecimal", BOTH,
		       .quantity = RANGE_HEX },
	[EVENT_IP_SYMBOL] = { COLUMN_ip_symbol, "function of the instruction, in the kernel", BOTH,
			      .is_text = true },
	[EVENT_INSTRUCTION] = { COLUMN_instruction, "the same, its address outside of the kernel",
				BOTH, .is_text = true },
	[EVENT_ERROR_CODE] = { COLUMN_error_code, "error code of the processor, hexadecimal", BOTH,
			       .quantity = RANGE_HEX },
	[EVENT_ERROR] = { COLUMN_error, "the error code in words", BOTH, .is_text = true },
	[EVENT_VMA] = { COLUMN_vma_file, "file or name of the mapping that has the address", BOTH,
			.is_text = true },
};

enum status fault_events_open(struct fault_view *v)
{
	struct fault_events *e = dump_alloc(v->dump, sizeof(*e));
	const char *names[READER_EVENTS];
	enum status st;

	if (!e)
		return ST_NOMEM;
	v->data = e;
	e->view = v;
	for (size_t i = 0; i < READER_EVENTS; i++)
		names[i] = wanted[i].name;
	st = event_reader_open(v->dump, SYSTEM, names, READER_EVENTS, v->in->opts.all, &e->reader);
	if (st == ST_ABSENT && v->dump->arch && !strcmp(v->dump->arch, "aarch64") &&
	    dump_has_symbol(v->dump, "ftrace_events"))
		return dump_fail(v->dump, st,
				 "arm64 has no trace event of page faults in any release");
	if (st != ST_OK)
		return st;
	for (size_t i = 0; i < e->reader.nevents; i++) {
		const struct trace_event *event = &e->reader.events[i];

		e->is_user[i] = !strcmp(event->name, wanted[0].name);
		e->address[i] = trace_event_field(event, "address");
		e->ip[i] = trace_event_field(event, "ip");
		e->code[i] = trace_event_field(event, "error_code");
		if (!e->address[i] || !e->ip[i] || !e->code[i])
			return dump_fail(v->dump, ST_UNKNOWN,
					 "unknown layout: fields of the event %s:%s", SYSTEM,
					 event->name);
	}
	symbolizer_open(v->dump, &e->symbols);
	hash_u64_init(&e->ips, v->dump->arena, sizeof(const char *));
	hash_u64_init(&e->errors, v->dump->arena, sizeof(const char *));
	hash_bytes_init(&e->texts, v->dump->arena, 0);
	return ST_OK;
}

const char *fault_event_mode(const struct fault_event *ev)
{
	return modes[!ev->is_user];
}

const char *fault_event_symbol(const struct fault_event *ev)
{
	struct fault_events *e = ev->events;
	const struct frame *frame;
	const char **name;
	char buf[640];
	bool is_new;

	if (ev->is_user || ev->record.ring->buffer->array->other_boot)
		return NULL;
	name = hash_u64_get(&e->ips, ev->ip, &is_new);
	if (!name || !is_new)
		return name ? *name : NULL;
	frame = symbolize(&e->symbols, ev->ip);
	if (frame && frame->symbol)
		*name = intern(&e->texts, frame_text(frame, buf, sizeof(buf)));
	return *name;
}

const char *fault_event_instruction(const struct fault_event *ev)
{
	const char *symbol = fault_event_symbol(ev);
	char buf[32];

	if (symbol)
		return symbol;
	snprintf(buf, sizeof(buf), "0x%llx", (unsigned long long)ev->ip);
	return intern(&ev->events->texts, buf);
}

const char *fault_event_error(const struct fault_event *ev)
{
	struct fault_events *e = ev->events;
	const char **text;
	char buf[FAULT_TEXT];
	bool is_new;

	text = hash_u64_get(&e->errors, ev->code, &is_new);
	if (text && is_new)
		*text = intern(&e->texts,
			       fault_code_text(e->view->dump->arch, ev->code, buf, sizeof(buf)));
	return text ? *text : NULL;
}

struct task_space {
	uint64_t mm, start_ns;
	struct vma last; /* that was found */
};

static enum status add_space(void *arg, const struct task *task)
{
	struct fault_events *e = arg;
	struct task_space *s;
	bool is_new;

	if (!task->mm)
		return ST_OK;
	s = hash_u64_get(&e->spaces, (uint32_t)task->pid, &is_new);
	if (!s)
		return ST_NOMEM;
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
	st = vmas_open(d, &e->vmas);
	if (st == ST_OK)
		st = tasks_open(d, &tasks);
	e->has_vmas = st == ST_OK;
	if (st == ST_OK)
		st = tasks_walk(&tasks, add_space, e);
	if (st != ST_OK)
		e->vma_problem = arena_strdup(d->arena, d->error);
}

const char *fault_event_vma(const struct fault_event *ev)
{
	const struct trace_array *a = ev->record.ring->buffer->array;
	struct fault_events *e = ev->events;
	const char *name = NULL;
	struct task_space *s;
	bool is_new;

	if (!e->vmas_tried)
		open_vmas(e);
	if (!e->has_vmas || a->other_boot || !hash_u64_has(&e->spaces, (uint32_t)ev->record.pid))
		return NULL;
	s = hash_u64_get(&e->spaces, (uint32_t)ev->record.pid, &is_new);
	/* Another task had the pid. */
	if (!s || (a->clock.is_sched && s->start_ns > trace_clock_log(&a->clock, ev->record.ts)))
		return NULL;
	if ((ev->address < s->last.start || ev->address >= s->last.end) &&
	    vma_find(&e->vmas, s->mm, ev->address, &s->last) != ST_OK)
		return NULL;
	return vma_name(&e->vmas, &s->last, &name) == ST_OK ? name : NULL;
}

bool event_age(const struct fault_view *v, const struct event_record *rec, int64_t *ns)
{
	if (!v->report.info.has_panic_time || !rec->ring->buffer->array->clock.is_sched ||
	    rec->ring->buffer->array->other_boot)
		return false;
	*ns = (int64_t)(v->report.info.panic_ns -
			trace_clock_log(&rec->ring->buffer->array->clock, rec->ts));
	return true;
}

const struct ranked_text *event_to_panic(const struct fault_view *v, const struct event_record *rec)
{
	struct ranked_text *ret;
	char buf[32];
	int64_t age;
	uint64_t ns;

	if (!event_age(v, rec, &age))
		return NULL;
	ns = age < 0 ? 0 - (uint64_t)age : (uint64_t)age;
	snprintf(buf, sizeof(buf), "%s%llu.%06llu", age > 0 ? "-" : "",
		 (unsigned long long)(ns / 1000000000),
		 (unsigned long long)(ns % 1000000000 / 1000));
	ret = dump_alloc(v->dump, sizeof(*ret));
	if (!ret)
		return NULL;
	ret->text = arena_strdup(v->dump->arena, buf);
	ret->rank = ~range_balance(age);
	return ret->text ? ret : NULL;
}

void event_clocks_add(const struct fault_view *v, struct event_clocks *c,
		      const struct event_record *rec)
{
	const struct trace_buffer_of *b = rec->ring->buffer;
	int64_t age;

	if (!c->of)
		c->of = b;
	c->mixed |= c->of->clock != b->clock || c->of->array->other_boot != b->array->other_boot;
	c->unknown += !event_age(v, rec, &age);
}

/* The keys of -s, with to_panic in place of ts_ns; NULL: ts_ns is none of them. */
static char *comparable(const struct fault_view *v)
{
	const struct table *t = &v->in->table;
	const char *sort = v->in->opts.sort;
	size_t ts = table_index(t, COLUMN_ts_ns);
	struct strbuf s;
	bool found = false;
	char buf[256];

	strbuf_init(&s, buf, sizeof(buf));
	while (*sort) {
		size_t len = strcspn(sort, ",");
		bool is_ts = table_find(t, sort, len) == ts;

		strbuf_add(&s, "%s%.*s", strbuf_between(&s, ","), is_ts ? 8 : (int)len,
			   is_ts ? "to_panic" : sort);
		found |= is_ts;
		sort += len;
		sort += *sort == ',';
	}
	return found ? arena_strdup(v->dump->arena, buf) : NULL;
}

enum status events_sort(struct fault_view *v, const struct event_clocks *c)
{
	const struct opts *o = &v->in->opts;
	const char *spec = c->mixed ? comparable(v) : NULL;

	if (spec && c->unknown)
		report_warn(&v->report,
			    "the events are of more than one clock: sorted by the time to the "
			    "panic, which is unknown of %llu events: they come last",
			    (unsigned long long)c->unknown);
	else if (spec)
		report_warn(&v->report, "the events are of more than one clock: sorted by the time "
					"to the panic");
	return table_sort(&v->in->table, spec ? spec : o->sort, o->reverse);
}

static bool keeps_age(const struct filter *f, const struct fault_view *v,
		      const struct event_record *rec)
{
	int64_t age;

	if (!event_age(v, rec, &age))
		return filter_keeps_unknown(f);
	return filter_keeps_number(f, age > 0 ? age : 0);
}

static bool keeps_any(const struct filter *f, const struct fault_view *v,
		      const struct event_record *rec, const char *comm)
{
	const struct trace_ring *ring = rec->ring;

	switch (f->key) {
	case EVENT_PID:
		return filter_keeps_number(f, rec->pid);
	case EVENT_COMM:
		return filter_keeps_text(f, comm);
	case EVENT_CPU:
		return filter_keeps_number(f, ring->cpu);
	case EVENT_INSTANCE:
		return filter_keeps_text(f, ring->buffer->array->name);
	case EVENT_BUFFER:
		return filter_keeps_text(f, buffers[ring->buffer->is_snapshot]);
	case EVENT_AGE:
		return keeps_age(f, v, rec);
	case EVENT_TS:
		return filter_keeps_number(f, rec->ts);
	default:
		return filter_keeps_text(f, ring_doubt_name(rec->doubt));
	}
}

static bool keeps_fault(const struct filter *f, const struct fault_event *ev)
{
	switch (f->key) {
	case EVENT_MODE:
		return filter_keeps_text(f, fault_event_mode(ev));
	case EVENT_ADDRESS:
		return filter_keeps_number(f, ev->address);
	case EVENT_IP:
		return filter_keeps_number(f, ev->ip);
	case EVENT_IP_SYMBOL:
		return filter_keeps_text(f, fault_event_symbol(ev));
	case EVENT_INSTRUCTION:
		return filter_keeps_text(f, fault_event_instruction(ev));
	case EVENT_ERROR_CODE:
		return filter_keeps_number(f, ev->code);
	case EVENT_ERROR:
		return filter_keeps_text(f, fault_event_error(ev));
	default:
		return filter_keeps_text(f, fault_event_vma(ev));
	}
}

bool event_kept(const struct fault_view *v, const struct event_record *rec, const char *comm)
{
	const struct filters *filters = &v->in->filters;

	for (unsigned int i = 0; i < filters->n; i++)
		if (filters->filters[i].key < EVENT_COMMON &&
		    !keeps_any(&filters->filters[i], v, rec, comm))
			return false;
	return true;
}

static bool is_kept(const struct fault_event *ev)
{
	const struct filters *filters = &ev->events->view->in->filters;

	if (!event_kept(ev->events->view, &ev->record, ev->comm))
		return false;
	for (unsigned int i = 0; i < filters->n; i++)
		if (filters->filters[i].key >= EVENT_COMMON &&
		    !keeps_fault(&filters->filters[i], ev))
			return false;
	return true;
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
			.comm = event_reader_comm(&e->reader, &rec),
		};

		if (!is_kept(&ev))
			continue;
		e->kept++;
		*ret = ev;
		return true;
	}
	return false;
}
