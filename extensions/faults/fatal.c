// SPDX-License-Identifier: GPL-2.0-or-later
/* faults -x: the exception that the kernel died of, by its log and by the frame it left. */
#include <stdio.h>
#include <string.h>

#include "tasks/exception_frame.h"
#include "tasks/fault_code.h"
#include "log/kernel_log.h"
#include "log/oops.h"
#include "vm/address_kind.h"
#include "symbols/symbolize.h"
#include "view.h"

#define MAX_SYMBOL 256

enum {
	COL_EXCEPTION,
	COL_ADDRESS,
	COL_ADDRESS_KIND,
	COL_ADDRESS_TEXT,
	COL_CODE,
	COL_ERROR,
	COL_MODE,
	COL_IP,
	COL_IP_SYMBOL,
	COL_SP,
	COL_REGS,
	COL_PID,
	COL_COMM,
	COL_CPU,
	COL_TS,
	COL_HEADLINE,
	COL_TRACE,
	COL_PANIC,
	COLUMNS
};

static const char *const modes[] = { "user", "kernel", NULL };
static const char *const exceptions[] = {
	"none",		  "page_fault",	  "general_protection_fault",
	"stack_overflow", "double_fault", "bug",
	"exception",	  "user_fault",	  NULL
};

static const struct view_column columns[COLUMNS] = {
	[COL_EXCEPTION] = { COLUMN_exception, IN_BOTH,
			    "null: the panic was of an exception of which the log has no oops",
			    .choices = exceptions },
	[COL_ADDRESS] = { COLUMN_address, IN_BOTH, "that was accessed" },
	[COL_ADDRESS_KIND] = { COLUMN_address_kind, IN_BOTH },
	[COL_ADDRESS_TEXT] = { COLUMN_address_text, IN_JSON },
	[COL_CODE] = { COLUMN_error_code, IN_BOTH, "on arm64 ESR_EL1" },
	[COL_ERROR] = { COLUMN_error, IN_BOTH },
	[COL_MODE] = { COLUMN_mode, IN_JSON, .choices = modes },
	[COL_IP] = { COLUMN_ip, IN_JSON, "from the exception frame" },
	[COL_IP_SYMBOL] = { COLUMN_ip_symbol, IN_BOTH },
	[COL_SP] = { COLUMN_sp, IN_JSON },
	[COL_REGS] = { COLUMN_regs, IN_JSON },
	[COL_PID] = { COLUMN_pid, IN_BOTH },
	[COL_COMM] = { COLUMN_comm, IN_BOTH },
	[COL_CPU] = { COLUMN_cpu, IN_JSON },
	[COL_TS] = { COLUMN_ts_ns, IN_JSON, "of the headline" },
	[COL_HEADLINE] = { COLUMN_headline, IN_JSON },
	[COL_TRACE] = { COLUMN_call_trace, IN_JSON },
	[COL_PANIC] = { COLUMN_panic, IN_JSON },
};

struct fatal {
	struct fault_view *v;
	bool log_is_cut; /* records are not in this dump */
	struct oops_log log;
	struct exception_frame frame;
	bool has_frame;
	struct address_info where;
	char error[FAULT_TEXT];
};

static enum status open(struct fault_view *v)
{
	struct dump *d = v->dump;
	struct fatal *f = dump_alloc(d, sizeof(*f));
	struct kernel_log log = { 0 };
	enum status st;

	if (!f)
		return ST_NOMEM;
	v->data = f;
	f->v = v;
	st = kernel_log_read(d, &log);
	if (st == ST_NOMEM)
		return st;
	if (st == ST_ABSENT)
		return dump_fail(
			d, ST_UNKNOWN,
			"unknown layout: the kernel has neither a printk_ringbuffer nor a log_buf");
	f->log_is_cut = log.is_cut;
	for (size_t i = 0; i < log.n; i++)
		oops_log_record(&f->log, &log.records[i]);
	if (f->log.has_panic || oops_is_fatal(&f->log))
		return ST_OK;
	if (f->log_is_cut)
		return st == ST_OK
			       ? dump_fail(d, ST_UNREADABLE,
					   "a part of the log is not in this dump, and the rest "
					   "does not tell what ended the kernel")
			       : st;
	return dump_fail(
		d, ST_UNREADABLE,
		"the log has neither a panic nor an oops: what ended the kernel is unknown");
}

/* "symbol+0x1f/0x30 [module]" as frames are shown: without the size. */
static const char *log_symbol(struct dump *d, const char *text)
{
	const char *slash = strstr(text, "/0x"), *rest = slash ? slash + 3 : NULL;
	char buf[MAX_SYMBOL];

	if (!*text)
		return NULL;
	if (!slash)
		return arena_strdup(d->arena, text);
	rest += strspn(rest, "0123456789abcdef");
	snprintf(buf, sizeof(buf), "%.*s%s", (int)(slash - text), text, rest);
	return arena_strdup(d->arena, buf);
}

static void find_frame(struct fatal *f)
{
	struct dump *d = f->v->dump;
	const struct oops *o = &f->log.oops;
	struct exception_frames frames;
	enum status st = exception_frames_open(d, &frames);

	if (!o->sp.known)
		return;
	if (st == ST_OK)
		st = exception_frames_find(&frames, o->sp.value,
					   o->cpu.known ? (unsigned int)o->cpu.value : 0,
					   &f->frame);
	f->has_frame = st == ST_OK;
	if (!f->has_frame)
		report_warn(&f->v->report, "no exception frame: %s", d->error);
}

static void put_ip(struct fatal *f, struct cell *row)
{
	struct dump *d = f->v->dump;
	const char *told = log_symbol(d, f->log.oops.ip);
	struct symbolizer *s;
	char buf[MAX_SYMBOL];

	row[COL_IP_SYMBOL] = cell_text(told);
	if (!f->has_frame)
		return;
	row[COL_IP] = cell_hex(f->frame.ip);
	row[COL_REGS] = cell_hex(f->frame.address);
	s = dump_alloc(d, sizeof(*s));
	if (!s)
		return;
	symbolizer_open(d, s);
	if (f->frame.user_mode || !symbolize(s, f->frame.ip) || !symbolize(s, f->frame.ip)->symbol)
		return;
	frame_text(symbolize(s, f->frame.ip), buf, sizeof(buf));
	row[COL_IP_SYMBOL] = cell_text(arena_strdup(d->arena, buf));
	if (told && strcmp(told, buf))
		report_warn(&f->v->report, "the log names the instruction %s", told);
}

static void put_address(struct fatal *f, uint64_t address, struct cell *row)
{
	struct dump *d = f->v->dump;
	const struct address_info *w = &f->where;
	char buf[MAX_SYMBOL];

	row[COL_ADDRESS] = cell_hex(address);
	if (address_classify(d, address, &f->where) != ST_OK)
		return;
	if (w->problem)
		report_warn(&f->v->report, "kind of address %#llx: %s", (unsigned long long)address,
			    w->problem);
	row[COL_ADDRESS_KIND] = cell_text(address_kind_name(w->kind));
	if (w->kind == ADDRESS_STACK || w->kind == ADDRESS_STACK_GUARD)
		snprintf(buf, sizeof(buf), "%s: of task %d %s, %#llx-%#llx",
			 address_kind_text(w->kind), w->pid, w->comm ? w->comm : "",
			 (unsigned long long)w->start, (unsigned long long)(w->start + w->size));
	else if (w->kind == ADDRESS_VMALLOC)
		snprintf(buf, sizeof(buf), "%s: %#llx-%#llx", address_kind_text(w->kind),
			 (unsigned long long)w->start, (unsigned long long)(w->start + w->size));
	else
		snprintf(buf, sizeof(buf), "%s", address_kind_text(w->kind));
	/* The name of a task may hold any byte. */
	for (char *p = buf; *p; p++)
		if ((unsigned char)*p < 0x20 || *p == 0x7f)
			*p = '?';
	if (w->kind != ADDRESS_UNKNOWN)
		row[COL_ADDRESS_TEXT] = cell_text(arena_strdup(d->arena, buf));
}

static void put_code(struct fatal *f, uint64_t code, struct cell *row)
{
	struct dump *d = f->v->dump;
	struct fault_code decoded;

	row[COL_CODE] = cell_hex(code);
	if (fault_code_decode(d->arch, code, &decoded)) {
		fault_code_text(d->arch, code, f->error, sizeof(f->error));
		row[COL_ERROR] = cell_text(f->error);
	}
}

static const char *join_trace(struct fatal *f)
{
	const struct oops *o = &f->log.oops;
	char buf[OOPS_FRAMES * (OOPS_SYMBOL + 2) + 1];
	size_t at = 0;

	for (unsigned int i = 0; i < o->nframes; i++)
		at += snprintf(buf + at, sizeof(buf) - at, "%s%s", at ? ", " : "", o->frames[i]);
	return at ? arena_strdup(f->v->dump->arena, buf) : NULL;
}

static void fill_oops(struct fatal *f, struct cell *row)
{
	const struct oops *o = &f->log.oops;
	const struct log_number *address = o->address.known ? &o->address : &o->cr2;
	/* CR2 of other exceptions is of an earlier page fault. */
	bool has_address = o->address.known || o->kind == OOPS_PAGE_FAULT ||
			   o->kind == OOPS_STACK_OVERFLOW;
	uint64_t code;

	find_frame(f);
	row[COL_EXCEPTION] = cell_text(oops_kind_name(o->kind));
	if (has_address && address->known)
		put_address(f, address->value, row);
	if (oops_fault_code(o, &code))
		put_code(f, code, row);
	if (o->cs.known)
		row[COL_MODE] = cell_text(o->cs.value & 3 ? "user" : "kernel");
	put_ip(f, row);
	row[COL_SP] = cell_if(o->sp.known, cell_hex(o->sp.value));
	if (o->pid.known) {
		row[COL_PID] = cell_int((int64_t)o->pid.value);
		row[COL_COMM] = cell_text(o->comm);
	}
	row[COL_CPU] = cell_if(o->cpu.known, cell_uint(o->cpu.value));
	row[COL_TS] = cell_uint(o->ts_ns);
	row[COL_HEADLINE] = cell_text(o->headline);
	row[COL_TRACE] = cell_text(join_trace(f));
	if (o->more)
		report_warn(&f->v->report, "%u more page faults while the oops was printed",
			    o->more);
}

static void fill_user_fault(struct fatal *f, struct cell *row)
{
	const struct user_fault *u = &f->log.user;

	row[COL_EXCEPTION] = cell_text("user_fault");
	put_address(f, u->address, row);
	put_code(f, u->code, row);
	row[COL_MODE] = cell_text("user");
	row[COL_IP] = cell_hex(u->ip);
	row[COL_SP] = cell_hex(u->sp);
	row[COL_PID] = cell_int(u->pid);
	row[COL_COMM] = cell_text(u->comm);
	row[COL_TS] = cell_uint(u->ts_ns);
}

static void put_line(struct sink *out, const char *name, const char *first, const char *second)
{
	sink_printf(out, "  %-11s %s%s%s\n", name, first, second && *second ? "  " : "",
		    second ? second : "");
}

static void put_hex(struct sink *out, const char *name, const struct cell *cell, const char *second)
{
	char buf[32] = "unknown";

	if (cell->kind != CELL_NULL)
		snprintf(buf, sizeof(buf), "0x%llx", (unsigned long long)cell->u);
	put_line(out, name, buf, second);
}

static void put_time(struct sink *out, const char *name, uint64_t ns, const char *text)
{
	char buf[40];

	snprintf(buf, sizeof(buf), "%llu.%06llu", (unsigned long long)(ns / 1000000000),
		 (unsigned long long)(ns % 1000000000 / 1000));
	put_line(out, name, buf, text);
}

static const char *text_of(const struct cell *c)
{
	return c->kind == CELL_TEXT ? c->text : "";
}

static void put_details(const struct fatal *f, const struct cell *row)
{
	const struct oops *o = &f->log.oops;
	struct sink *out = f->v->out;
	char task[64] = "unknown";

	if (row[COL_ADDRESS].kind != CELL_NULL)
		put_hex(out, "address", &row[COL_ADDRESS], text_of(&row[COL_ADDRESS_TEXT]));
	if (row[COL_CODE].kind != CELL_NULL)
		put_hex(out, "error code", &row[COL_CODE], text_of(&row[COL_ERROR]));
	put_hex(out, "ip", &row[COL_IP], text_of(&row[COL_IP_SYMBOL]));
	if (row[COL_PID].kind != CELL_NULL)
		snprintf(task, sizeof(task), "%lld %s", (long long)row[COL_PID].i,
			 text_of(&row[COL_COMM]));
	put_line(out, "task", task, "");
	if (row[COL_CPU].kind != CELL_NULL)
		sink_printf(out, "  %-11s %llu\n", "CPU", (unsigned long long)row[COL_CPU].u);
	if (row[COL_REGS].kind != CELL_NULL)
		put_hex(out, "registers", &row[COL_REGS], "struct pt_regs");
	if (row[COL_HEADLINE].kind != CELL_NULL)
		put_time(out, "log", row[COL_TS].u, text_of(&row[COL_HEADLINE]));
	if (f->log.has_panic)
		put_time(out, "panic", f->log.panic_ns, f->log.panic);
	if (row[COL_TRACE].kind == CELL_NULL)
		return;
	sink_printf(out, "  call trace in the log:\n");
	for (unsigned int i = 0; i < o->nframes; i++)
		sink_printf(out, "    %s\n", o->frames[i]);
}

static void put_text(const struct fatal *f, const struct cell *row)
{
	static const struct {
		const char *name, *text;
	} titles[] = {
		{ "page_fault", "page fault" },
		{ "general_protection_fault", "general protection fault" },
		{ "stack_overflow", "stack overflow" },
		{ "double_fault", "double fault" },
		{ "bug", "BUG()" },
		{ "exception", "exception" },
		{ "user_fault", "page fault of the first process" },
	};
	const char *name = text_of(&row[COL_EXCEPTION]), *mode = text_of(&row[COL_MODE]);
	struct sink *out = f->v->out;

	if (!*name) {
		sink_printf(
			out,
			"unknown: by the log the panic was \"%s\", but the log has no oops of that\n",
			f->log.panic);
		return;
	}
	if (!strcmp(name, "none")) {
		sink_printf(out, "no fault: by the log the panic was \"%s\"\n", f->log.panic);
		return;
	}
	for (size_t i = 0; i < sizeof(titles) / sizeof(titles[0]); i++)
		if (!strcmp(titles[i].name, name))
			sink_printf(out, "%s%s%s%s\n", titles[i].text, *mode ? " in " : "", mode,
				    *mode ? " mode" : "");
	put_details(f, row);
}

static enum status show(struct fault_view *v)
{
	struct fatal *f = v->data;
	const struct opts *o = &v->in->opts;
	struct table *t = &v->in->table;
	struct report *r = &v->report;
	struct cell *row = table_add(t);
	bool unknown = oops_is_missing(&f->log);

	if (!row)
		return ST_NOMEM;
	if (oops_is_fatal(&f->log))
		fill_oops(f, row);
	else if (oops_is_of_init(&f->log))
		fill_user_fault(f, row);
	else if (!unknown && !(f->log_is_cut && !f->log.has_panic))
		row[COL_EXCEPTION] = cell_text("none");
	if (f->log.has_panic)
		row[COL_PANIC] = cell_text(f->log.panic);
	if (f->log_is_cut)
		report_warn(r, "a part of the log is not in this dump");
	r->rows_shown = r->rows_total = 1;
	if (o->json || o->columns)
		report_table(r, t);
	else
		put_text(f, row);
	report_end(r, NULL, !unknown && !f->log_is_cut);
	return ST_OK;
}

const struct fault_view_ops fault_fatal = {
	{ "fatal", "-x", COLUMNS_OF(columns) }, NULL, open, show
};
