// SPDX-License-Identifier: GPL-2.0-or-later
/* faults -x: the exception that the kernel died of, by its log and by the frame it left. */

#include "tasks/fault_code.h"
#include "log/oops.h"
#include "vm/address_kind.h"
#include "symbols/symbolize.h"
#include "vm/user_place.h"
#include "util/utf8.h"
#include "view.h"

#define MAX_SYMBOL 256 /* a name and its module */

/* What ended the kernel, and the one row. Each text: NULL where it is unknown. */
struct fatal {
	struct fault_view *v;
	bool log_is_cut; /* records are not in this dump */
	struct oops_log log;
	const char *exception, *mode, *error, *address_kind, *address_text, *ip_symbol;
	const char *comm, *headline, *trace;
	const char (*frames)[OOPS_SYMBOL]; /* of trace */
	unsigned int nframes;
	struct maybe_u64 address, code, ip, sp, regs, pid, cpu, ts;
};

#define ROW struct fatal

static const char *const modes[] = { "user", "kernel", NULL };
static const char *const exceptions[] = {
	"none",		  "page_fault",	  "general_protection_fault",
	"stack_overflow", "double_fault", "bug",
	"exception",	  "user_fault",	  NULL
};

static const struct view_column columns[] = {
	{ COLUMN_exception, IN_BOTH,
	  "null: the panic was of an exception of which the log has no oops", .choices = exceptions,
	  TEXT_OF(ROW, exception) },
	{ COLUMN_address, IN_BOTH, "that was accessed", HEX_MAYBE(ROW, address) },
	{ COLUMN_address_kind, IN_BOTH, TEXT_OF(ROW, address_kind) },
	{ COLUMN_address_text, IN_JSON, TEXT_OF(ROW, address_text) },
	{ COLUMN_error_code, IN_BOTH, "on arm64 ESR_EL1", HEX_MAYBE(ROW, code) },
	{ COLUMN_error, IN_BOTH, TEXT_OF(ROW, error) },
	{ COLUMN_mode, IN_JSON, .choices = modes, TEXT_OF(ROW, mode) },
	{ COLUMN_ip, IN_JSON, "from the exception frame", HEX_MAYBE(ROW, ip) },
	{ COLUMN_ip_symbol, IN_BOTH, TEXT_OF(ROW, ip_symbol) },
	{ COLUMN_sp, IN_JSON, HEX_MAYBE(ROW, sp) },
	{ COLUMN_regs, IN_JSON, HEX_MAYBE(ROW, regs) },
	{ COLUMN_pid, IN_BOTH, INT_IF(ROW, pid.n, pid.known) },
	{ COLUMN_comm, IN_BOTH, TEXT_OF(ROW, comm) },
	{ COLUMN_cpu, IN_JSON, UINT_MAYBE(ROW, cpu) },
	{ COLUMN_ts_ns, IN_JSON, "of the headline", UINT_MAYBE(ROW, ts) },
	{ COLUMN_headline, IN_JSON, TEXT_OF(ROW, headline) },
	{ COLUMN_call_trace, IN_JSON, TEXT_OF(ROW, trace) },
	{ COLUMN_panic, IN_JSON, CHARS_IF(ROW, log.panic, log.has_panic) },
	BASIS(derived),
};

static enum status open(struct fault_view *v)
{
	struct dump *d = v->dump;
	struct fatal *f = dump_alloc(d, sizeof(*f));
	struct kernel_log log = { 0 };
	enum status st;

	v->data = f;
	f->v = v;
	st = kernel_log_read(d, &log);
	if (st == ST_ABSENT)
		return dump_unknown(d, "the kernel has neither a printk_ringbuffer nor a log_buf");
	f->log_is_cut = log.is_cut;
	for (size_t i = 0; i < log.n; i++)
		oops_log_record(&f->log, &log.records[i]);
	if (f->log.has_panic || oops_is_fatal(&f->log))
		return ST_OK;
	if (f->log_is_cut)
		return st == ST_OK
			       ? dump_unreadable(
					 d, "a part of the log is not in this dump, and the rest "
					    "does not tell what ended the kernel")
			       : st;
	if (!log.n)
		return dump_unreadable(d, "the log is empty: what ended the kernel is unknown");
	return ST_OK;
}

/* "symbol+0x1f/0x30 [module]" as frames are shown: without the size. */
static const char *log_symbol(struct dump *d, const char *text)
{
	const char *slash = strstr(text, "/0x"), *rest = slash ? slash + 3 : "";

	if (!*text)
		return NULL;
	rest += strspn(rest, "0123456789abcdef");
	return dump_text(d, "%.*s%s", (int)(slash ? slash - text : MAX_SYMBOL), text, rest);
}

static bool find_frame(struct fatal *f, struct exception_frame *ret)
{
	struct dump *d = f->v->dump;
	const struct oops *o = &f->log.oops;
	struct exception_frames frames;
	enum status st = exception_frames_open(d, &frames);

	if (!o->sp.known)
		return false;
	if (st == ST_OK)
		st = exception_frames_find(&frames, o->sp.value,
					   o->cpu.known ? (unsigned int)o->cpu.value : 0, ret);
	if (st != ST_OK)
		report_warn(&f->v->report, "no exception frame: %s", d->error);
	return st == ST_OK;
}

static void set_ip(struct fatal *f)
{
	struct dump *d = f->v->dump;
	const char *told = log_symbol(d, f->log.oops.ip);
	struct exception_frame frame;
	struct symbolizer *s;
	const struct frame *at;
	char buf[MAX_SYMBOL];

	f->ip_symbol = told;
	if (!find_frame(f, &frame))
		return;
	f->ip = (struct maybe_u64){ frame.ip, true };
	f->regs = (struct maybe_u64){ frame.address, true };
	s = dump_alloc(d, sizeof(*s));
	symbolizer_open(d, s);
	at = frame.user_mode ? NULL : symbolize(s, frame.ip);
	if (!at || !at->symbol)
		return;
	f->ip_symbol = dump_strdup(d, frame_text(at, buf, sizeof(buf)));
	if (told && strcmp(told, buf))
		report_warn(&f->v->report, "the log names the instruction %s", told);
}

static void set_address(struct fatal *f, uint64_t address)
{
	struct dump *d = f->v->dump;
	struct address_info w = { 0 };
	char buf[MAX_SYMBOL];
	struct strbuf s;

	f->address = (struct maybe_u64){ address, true };
	if (address_classify(d, address, &w) != ST_OK)
		return;
	if (w.problem)
		report_warn(&f->v->report, "kind of address %#lx: %s", address, w.problem);
	f->address_kind = address_kind_name(w.kind);
	if (w.kind == AT_UNKNOWN)
		return;
	s = strbuf_in(buf, sizeof(buf));
	strbuf_add(&s, "%s", address_kind_text(w.kind));
	if (w.kind == AT_STACK || w.kind == AT_STACK_GUARD)
		strbuf_add(&s, ": of task %d %s, ", w.pid, w.comm ?: "");
	else if (w.kind == AT_VMALLOC || w.kind == AT_FREED)
		strbuf_add(&s, ": ");
	if (s.len > strlen(address_kind_text(w.kind)))
		strbuf_add(&s, "%#lx-%#lx", w.start, w.start + w.size);
	printable(buf);
	f->address_text = dump_strdup(d, buf);
}

static void set_code(struct fatal *f, uint64_t code)
{
	struct dump *d = f->v->dump;
	struct fault_code decoded;
	char buf[FAULT_TEXT];

	f->code = (struct maybe_u64){ code, true };
	if (fault_code_decode(d->arch, code, &decoded))
		f->error = dump_strdup(d, fault_code_text(d->arch, code, buf, sizeof(buf)));
}

static void set_trace(struct fatal *f, const char (*frames)[OOPS_SYMBOL], unsigned int n)
{
	struct strbuf s = STRBUF_OF(OOPS_FRAMES * (OOPS_SYMBOL + 2) + 1);

	f->frames = frames;
	f->nframes = n;
	for (unsigned int i = 0; i < n; i++)
		strbuf_add(&s, "%s%s", strbuf_between(&s, ", "), frames[i]);
	f->trace = s.len ? dump_strdup(f->v->dump, s.buf) : NULL;
}

static void fill_oops(struct fatal *f)
{
	const struct oops *o = &f->log.oops;
	const struct log_number *address = o->address.known ? &o->address : &o->cr2;
	char text[OOPS_POINTER];
	/* CR2 of other exceptions is of an earlier page fault. */
	bool has_address = o->address.known || o->kind == OOPS_PAGE_FAULT ||
			   o->kind == OOPS_STACK_OVERFLOW;
	uint64_t code;

	f->exception = oops_kind_name(o->kind);
	if (has_address && address->known)
		set_address(f, address->value);
	if (has_address && address->known &&
	    oops_pointer_text(&o->code, &o->registers, address->value, text))
		f->address_text = dump_strdup(f->v->dump, text);
	if (oops_fault_code(o, &code))
		set_code(f, code);
	if (o->cs.known)
		f->mode = o->cs.value & 3 ? "user" : "kernel";
	set_ip(f);
	f->sp = log_maybe(o->sp);
	f->pid = log_maybe(o->pid);
	f->comm = o->pid.known ? o->comm : NULL;
	f->cpu = log_maybe(o->cpu);
	f->ts = (struct maybe_u64){ o->ts_ns, true };
	f->headline = o->headline;
	set_trace(f, o->frames, o->nframes);
	if (o->more)
		report_warn(&f->v->report, "%u more page faults while the oops was printed",
			    o->more);
}

static void fill_user_fault(struct fatal *f)
{
	const struct user_fault *u = &f->log.user;

	f->exception = "user_fault";
	set_address(f, u->address);
	set_code(f, u->code);
	f->mode = "user";
	f->ip = (struct maybe_u64){ u->ip, true };
	f->sp = (struct maybe_u64){ u->sp, true };
	f->pid = (struct maybe_u64){ (uint64_t)u->pid, true };
	f->comm = u->comm;
	user_place_text(f->v->dump, u->pid, u->ip, &f->ip_symbol);
	f->ts = (struct maybe_u64){ u->ts_ns, true };
}

static bool is_of_khungtaskd(const struct oops_log *log)
{
	return log->has_panic && log_after(log->panic, "hung_task:") && log->hung.nframes;
}

/* A panic without an exception: the task that panicked, of khungtaskd the one that it found, where the log has its stack. */
static void fill_panic(struct fatal *f)
{
	const struct oops_log *log = &f->log;
	const struct hung_task *hung = &log->hung;
	const bool is_hung = is_of_khungtaskd(log);

	if (!is_hung && !log->panic_nframes)
		return;
	f->pid = log_maybe(is_hung ? hung->pid : log->panic_pid);
	f->comm = !f->pid.known ? NULL : is_hung ? hung->comm : log->panic_comm;
	if (!is_hung)
		f->cpu = log_maybe(log->panic_cpu);
	set_trace(f, is_hung ? hung->frames : log->panic_frames,
		  is_hung ? hung->nframes : log->panic_nframes);
}

static void put_line(struct sink *out, const char *name, const char *first, const char *second)
{
	bool has_second = second && *second;

	sink_printf(out, "  %-11s %s%s%s\n", name, first, has_second ? "  " : "",
		    has_second ? second : "");
}

static void put_hex(struct sink *out, const char *name, struct maybe_u64 v, const char *second)
{
	char buf[32] = "unknown";

	if (v.known)
		snprintf(buf, sizeof(buf), "0x%lx", v.n);
	put_line(out, name, buf, second);
}

static void put_task(const struct fatal *f)
{
	struct sink *out = f->v->out;
	char task[64] = "unknown";

	if (f->pid.known)
		snprintf(task, sizeof(task), "%ld %s", f->pid.n, f->comm);
	put_line(out, "task", task,
		 !f->headline && is_of_khungtaskd(&f->log)
			 ? "blocked, as khungtaskd found last, which panicked"
			 : NULL);
	if (f->cpu.known)
		sink_printf(out, "  %-11s %lu\n", "CPU", f->cpu.n);
}

static void put_trace(const struct fatal *f)
{
	if (f->trace)
		sink_text(f->v->out, "  call trace in the log:\n");
	for (unsigned int i = 0; i < f->nframes; i++)
		sink_printf(f->v->out, "    %s\n", f->frames[i]);
}

/* As the log has them; of x86, whose kernel prints none where it cannot read those before it, as the dump has them. */
static struct oops_code instruction_of(const struct fatal *f)
{
	const struct oops_registers *r = &f->log.oops.registers;
	struct oops_code ret = f->log.oops.code;

	if (!ret.n && r->n && !strcmp(r->all[0].name, "RAX") && f->ip.known && f->regs.known &&
	    dump_try(f->v->dump, f->ip.n, ret.bytes, sizeof(ret.bytes)) == ST_OK)
		ret.n = sizeof(ret.bytes);
	return ret;
}

#define IN_A_LINE 3 /* registers */

/* As the log has them, and of x86 the bytes of the instruction: who has the source of a driver asks for these. */
static void put_registers(const struct fatal *f)
{
	const struct oops *o = &f->log.oops;
	struct oops_code code;
	struct sink *out = f->v->out;

	if (!f->headline)
		return;
	code = instruction_of(f);
	for (unsigned int i = 0; i < o->registers.n; i++)
		sink_printf(out, "%s%-4s 0x%016lx%s",
			    !i			 ? "  registers in the log:\n    "
			    : i % IN_A_LINE == 0 ? "    "
						 : "  ",
			    o->registers.all[i].name, o->registers.all[i].value,
			    i % IN_A_LINE == IN_A_LINE - 1 || i + 1 == o->registers.n ? "\n" : "");
	for (unsigned int i = 0; i < code.n; i++)
		sink_printf(out, "%s%02x%s", i ? " " : "  code at ip  ", code.bytes[i],
			    i + 1 == code.n ? "\n" : "");
}

static void put_details(const struct fatal *f)
{
	struct sink *out = f->v->out;

	if (f->address.known)
		put_hex(out, "address", f->address, f->address_text);
	if (f->code.known)
		put_hex(out, "error code", f->code, f->error);
	put_hex(out, "ip", f->ip, f->ip_symbol);
	put_task(f);
	if (f->regs.known)
		put_hex(out, "registers", f->regs, "struct pt_regs");
	if (f->headline)
		put_line(out, "log", STAMP_TEXT(f->ts.n), f->headline);
	if (f->log.has_panic)
		put_line(out, "panic", STAMP_TEXT(f->log.panic_ns), f->log.panic);
	put_registers(f);
	put_trace(f);
}

static void put_text(const struct fatal *f)
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
	struct sink *out = f->v->out;

	if (!f->log.has_panic && f->exception && !strcmp(f->exception, "none")) {
		sink_text(out,
			  "no fault: the machine did not panic, the log has neither a panic nor "
			  "an oops\n");
		return;
	}
	if (!f->exception || !strcmp(f->exception, "none")) {
		sink_printf(out, "%s: by the log the panic was \"%s\"%s\n",
			    f->exception ? "no fault" : "unknown", f->log.panic,
			    f->exception ? "" : ", but the log has no oops of that");
		if (f->trace) {
			put_task(f);
			put_trace(f);
		}
		return;
	}
	for (size_t i = 0; i < ARRAY_SIZE(titles); i++)
		if (!strcmp(titles[i].name, f->exception))
			sink_printf(out, f->mode ? "%s in %s mode\n" : "%s\n", titles[i].text,
				    f->mode);
	put_details(f);
}

static enum status show(struct fault_view *v)
{
	struct fatal *f = v->data;
	const struct opts *o = &v->in->opts;
	struct report *r = &v->report;
	bool unknown = oops_is_missing(&f->log);

	if (oops_is_fatal(&f->log))
		fill_oops(f);
	else if (oops_is_of_init(&f->log))
		fill_user_fault(f);
	else if (!unknown && !(f->log_is_cut && !f->log.has_panic))
		f->exception = "none";
	if (f->exception && !strcmp(f->exception, "none"))
		fill_panic(f);
	if (f->log_is_cut)
		report_warn(r, "a part of the log is not in this dump");
	row_add(&v->in->table, f, NULL);
	if (o->json || o->columns)
		rows_put(r, v->in);
	else
		put_text(f);
	r->rows_shown = r->rows_total = 1;
	report_end(r, NULL, !unknown && !f->log_is_cut);
	return ST_OK;
}

const struct fault_view_ops fault_fatal = {
	{ "fatal", "-x", COLUMNS_OF(columns) }, NULL, open, show
};
