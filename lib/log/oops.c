// SPDX-License-Identifier: GPL-2.0-or-later
#include "log/oops.h"

#include <ctype.h>
#include <signal.h>

#include "log/log_frame.h"
#include "log/log_marks.h"

#define PANIC_STACK_NS 100000000ULL /* panic() prints it at once: nothing of another CPU before */
#define CHECK_NS \
	500000000ULL /* of each second that a task may be blocked: two checks are further apart */

/* The first line of an oops.  Of two that follow each other the first tells more. */
static const struct headline {
	const char *start;
	enum oops_kind kind;
} headlines[] = {
	{ "BUG: kernel NULL pointer dereference", OOPS_PAGE_FAULT }, /* 5.1 */
	{ "BUG: unable to handle", OOPS_PAGE_FAULT },
	{ "Unable to handle kernel", OOPS_PAGE_FAULT }, /* arm64, riscv */
	{ "general protection fault", OOPS_GENERAL_PROTECTION },
	{ "BUG: stack guard page was hit", OOPS_STACK_OVERFLOW },
	{ "BUG: TASK stack guard page was hit", OOPS_STACK_OVERFLOW }, /* 5.15 */
	{ "BUG: IRQ stack guard page was hit", OOPS_STACK_OVERFLOW },
	{ "BUG: NMI stack guard page was hit", OOPS_STACK_OVERFLOW },
	{ "kernel stack overflow (double-fault)", OOPS_STACK_OVERFLOW },
	{ "stack guard page: ", OOPS_STACK_OVERFLOW },
	{ "Insufficient stack space to handle exception", OOPS_STACK_OVERFLOW }, /* arm64, riscv */
	{ "PANIC: double fault", OOPS_DOUBLE_FAULT },
	{ "double fault: ", OOPS_DOUBLE_FAULT },
	{ "kernel BUG at ", OOPS_BUG },
	{ "invalid opcode: ", OOPS_EXCEPTION },
	{ "divide error: ", OOPS_EXCEPTION },
	{ "stack segment: ", OOPS_EXCEPTION },
	{ "segment not present: ", OOPS_EXCEPTION },
	{ "control protection fault: ", OOPS_EXCEPTION },
	{ "Internal error: ", OOPS_EXCEPTION }, /* arm64 */
};

/* The first that is told stays. */
static void set_hex(struct log_number *n, const char *text)
{
	if (text && !n->known && log_take_hex(text, &n->value))
		n->known = true;
}

static void set_decimal(struct log_number *n, const char *text)
{
	if (text && !n->known && log_take_decimal(text, &n->value))
		n->known = true;
}

/* ": 0002 [#1]": the error code, behind the name of the exception. */
static void take_die(struct oops *o, const char *line)
{
	const char *mark = strstr(line, " [#"), *p = mark;
	uint64_t code;

	if (!mark || o->die_code.known)
		return;
	while (p > line && isxdigit((unsigned char)p[-1]))
		p--;
	if (p - line >= 2 && p[-1] == ' ' && p[-2] == ':' && log_take_hex(p, &code) == mark)
		o->die_code = (struct log_number){ true, code };
}

/* An address that the headline names.  Those of a guard page are hashed: %p. */
static void take_address(struct oops *o, const char *line)
{
	static const char *const before[] = {
		"address: ",	"at virtual address ",		"non-canonical address ",
		"for address ", "NULL pointer dereference at ", "paging request at ",
	};

	if (o->kind != OOPS_PAGE_FAULT && o->kind != OOPS_GENERAL_PROTECTION)
		return;
	for (size_t i = 0; i < ARRAY_SIZE(before); i++)
		set_hex(&o->address, log_find(line, before[i]));
}

static const struct headline *headline_of(const char *line)
{
	const char *rest = log_after(line, "Oops: "), *traps = log_after(line, "traps: ");

	for (size_t i = 0; i < ARRAY_SIZE(headlines); i++) {
		const char *start = headlines[i].start;

		if (log_after(line, start) || (rest && log_after(rest, start)) ||
		    (traps && log_after(traps, start)))
			return &headlines[i];
	}
	return NULL;
}

static enum oops_kind headline_kind(const char *line)
{
	const struct headline *of = headline_of(line);

	return of ? of->kind : log_after(line, "Oops: ") ? OOPS_EXCEPTION : OOPS_NONE;
}

/* By the tables of arch/x86: those that end in a colon are names of traps. */
const char *oops_exception_name(const struct oops *o)
{
	static const char *const names[] = { "invalid opcode", "divide error", "stack segment",
					     "segment not present", "control protection fault" };
	const struct headline *of = o->kind == OOPS_EXCEPTION ? headline_of(o->headline) : NULL;

	for (size_t i = 0; of && i < ARRAY_SIZE(names); i++)
		if (log_after(of->start, names[i]))
			return names[i];
	return NULL;
}

/* CHECK_DATA_CORRUPTION(), usercopy_abort(): with BUG() the reason is in the line before the mark. */
static void take_reason(struct oops_log *log, const char *line)
{
	static const char *const starts[] = { "list_add ", "list_del ",
					      "usercopy: ", "refcount_t: ", "kernel memory " };

	if (ANY_OF(i, ARRAY_SIZE(starts), log_after(line, starts[i])))
		log_copy(log->before, sizeof(log->before), line, strlen(line));
	else if (!log_after(line, "------------[ cut here ]"))
		log->before[0] = '\0';
}

static bool take_headline(struct oops_log *log, uint64_t ts_ns, const char *line)
{
	enum oops_kind kind = headline_kind(line);
	struct oops *o = &log->oops;

	if (kind == OOPS_NONE)
		return false;
	if (log->is_open) {
		/* A second line of the same oops says "[#1]"; another oops starts as the first did. */
		o->more += kind == o->kind && kind == OOPS_PAGE_FAULT;
		take_die(o, line);
		return true;
	}
	memset(o, 0, sizeof(*o));
	log->has_gap = false;
	log->is_open = true;
	log->is_hung = log->in_trace = false;
	o->kind = kind;
	o->ts_ns = ts_ns;
	if (kind == OOPS_BUG)
		memcpy(o->said, log->before, sizeof(o->said));
	log->before[0] = '\0';
	log_copy(o->headline, sizeof(o->headline), line, strlen(line));
	take_address(o, line);
	take_die(o, line);
	return true;
}

/* x86 has "RIP: 0010:symbol", also behind the trace for the registers of user mode. */
static void take_ip(struct oops *o, const char *line)
{
	const char *ip = log_after(line, "RIP: "), *colon;

	if (o->ip[0])
		return;
	if (ip) {
		set_hex(&o->cs, ip);
		colon = strchr(ip, ':');
		ip = colon ? colon + 1 : NULL;
	} else {
		/* arm has a line for the symbol, and one with numbers that begins as that of arm64. */
		ip = log_after(line, "PC is at ");
		if (!ip && !log_after(line, "pc : [<"))
			ip = log_after(line, "pc : ");
		if (!ip)
			ip = log_after(line, "epc : ");
	}
	if (ip) {
		const char *ra = strstr(ip, " ra : ");

		log_copy(o->ip, sizeof(o->ip), ip, ra ? (size_t)(ra - ip) : strlen(ip));
	}
}

static void take_registers(struct oops *o, const char *line)
{
	const char *sp = log_after(line, "RSP: ");
	const char *colon = sp ? strchr(sp, ':') : NULL;

	set_hex(&o->pf_code, log_after(line, "#PF: error_code("));
	set_hex(&o->cr2, log_after(line, "CR2: "));
	set_hex(&o->esr, log_after(line, "  ESR = "));
	set_hex(&o->esr, log_after(line, "ESR: ")); /* of an overflowed stack */
	if (o->kind == OOPS_STACK_OVERFLOW)
		set_hex(&o->address, log_after(line, "FAR: "));
	set_hex(&o->sp, colon ? colon + 1 : log_after(line, "sp : "));
	if (log_after(line, "status: ")) {
		set_hex(&o->scause, log_find(line, " cause: "));
		set_hex(&o->cr2, log_find(line, " badaddr: "));
	}
}

/* What calls the handlers of an interrupt, and what it does before it returns, its timers and soft interrupts. */
static bool is_of_irq(const char *frame)
{
	static const char *const names[] = {
		"__handle_irq_event_percpu+",
		"handle_irq_event_percpu+",
		"handle_irq_event+",
		"hrtimer_interrupt+",
		"irq_exit+",
		"irq_exit_rcu+",
		"__irq_exit_rcu+",
	};

	return ANY_OF(i, ARRAY_SIZE(names), log_after(frame, names[i]));
}

/* " symbol+0x1f/0x30 [module]"; those with a '?' were only lying on the stack. */
static void take_frame(struct oops_log *log, const char *line)
{
	struct hung_task *h = log->is_hung ? &log->hung : NULL;
	unsigned int *n = h ? &h->nframes : &log->oops.nframes;
	char frame[LOG_FRAME];
	const char *name;

	if (log_after(line, "Call Trace:") || log_after(line, "Call trace:")) {
		log->in_trace = !*n;
		return;
	}
	line = log_frame(line, frame);
	name = line + strspn(line, " ");
	if (log->in_trace && !h)
		module_frames_add(&log->oops.modules, name);
	if (!log->in_trace || *name == '<' || *name == '?')
		return;
	log->in_trace = *line == ' ' && strstr(name, "+0x");
	log->oops.in_irq |= log->in_trace && !h && is_of_irq(name);
	if (log->in_trace && *n < OOPS_FRAMES)
		log_copy((h ? h->frames : log->oops.frames)[(*n)++], OOPS_SYMBOL, name,
			 strlen(name));
}

/* "comm[pid]: segfault at ADDRESS ip IP sp SP error CODE in FILE[...]" */
static bool take_user_fault(struct oops_log *log, uint64_t ts_ns, const char *line)
{
	struct user_fault u = { .known = true, .ts_ns = ts_ns };
	const char *mark = strstr(line, "]: segfault at "), *open, *p;
	uint64_t pid;

	if (!mark)
		return false;
	for (open = mark; open > line && *open != '['; open--)
		;
	p = log_find(mark, "segfault at ");
	if (*open != '[' || log_take_decimal(open + 1, &pid) != mark || pid > INT32_MAX ||
	    !(p = log_take_hex(p, &u.address)) || !(p = log_after(p, " ip ")) ||
	    !(p = log_take_hex(p, &u.ip)) || !(p = log_after(p, " sp ")) ||
	    !(p = log_take_hex(p, &u.sp)) || !(p = log_after(p, " error ")) ||
	    !log_take_hex(p, &u.code))
		return false;
	u.pid = (int32_t)pid;
	log_copy(u.comm, sizeof(u.comm), line, open - line);
	log->user = u;
	return true;
}

/* The name may have colons and blanks; 6.19 has "blocked in I/O wait". */
bool hung_line(const char *line, struct hung_task *ret)
{
	const char *comm = log_after(line, "INFO: task "), *pid = NULL;
	const char *blocked = comm ? log_find(comm, " blocked ") : NULL;
	struct hung_task h = { 0 };

	if (!blocked || !log_find(blocked, "for more than "))
		return false;
	blocked -= strlen(" blocked ");
	for (const char *p = comm; p < blocked; p++)
		if (*p == ':')
			pid = p;
	if (!pid || log_take_decimal(pid + 1, &h.pid.value) != blocked)
		return false;
	h.pid.known = true;
	log_copy(h.comm, sizeof(h.comm), comm, pid - comm);
	set_decimal(&h.seconds, log_find(blocked, "for more than "));
	*ret = h;
	return true;
}

static bool take_hung(struct oops_log *log, uint64_t ts_ns, const char *line)
{
	struct hung_task h;
	bool is_same;

	if (!hung_line(line, &h))
		return false;
	h.ts_ns = ts_ns;
	/* khungtaskd looks again after as long as it allows a task to be blocked; what a check finds it tells at once. */
	is_same = log->hung.n && h.pid.value != log->hung.pid.value && ts_ns >= log->hung.ts_ns &&
		  ts_ns - log->hung.ts_ns < h.seconds.value * CHECK_NS;
	h.n = is_same ? log->hung.n + 1 : 1;
	log->hung = h;
	log->is_hung = !log->is_open;
	return true;
}

static void add_panic_frame(struct oops_log *log, const char *name)
{
	if (log->panic_nframes < OOPS_FRAMES)
		log_copy(log->panic_frames[log->panic_nframes++], OOPS_SYMBOL, name, strlen(name));
}

/*
 * Of the stack that panic() prints first, that of its own task. What an interrupt stopped is on x86 in the line
 * "RIP: 0010:symbol+0x1f/0x30 [module]", in the midst of the trace; that of user mode is its end.
 */
static void take_panic_frame(struct oops_log *log, const char *line)
{
	const char *ip = log_after(line, "RIP: "), *name;
	char frame[LOG_FRAME];

	if (log_after(line, "Call Trace:") || log_after(line, "Call trace:")) {
		log->in_panic_trace = !log->had_panic_trace;
		log->had_panic_trace = true;
		return;
	}
	if (!log->in_panic_trace)
		return;
	line = log_frame(line, frame);
	name = line + strspn(line, " ");
	if (ip) {
		ip = log_after(ip, "0010:");
		log->in_panic_trace = ip && strstr(ip, "+0x");
		if (log->in_panic_trace)
			add_panic_frame(log, ip);
	} else if (*line == ' ' && *name != '<' && *name != '?' && strstr(name, "+0x")) {
		add_panic_frame(log, name);
	} else if (log_after(line, "Kernel Offset:") || log_after(line, "---[ ") ||
		   log_find(line, "Comm: ")) {
		log->in_panic_trace = false;
	}
}

/* Without the mark behind it in the last line. */
static size_t panic_len(const char *panic)
{
	const char *mark = strstr(panic, " ]---");

	return mark ? (size_t)(mark - panic) : strlen(panic);
}

void oops_log_line(struct oops_log *log, uint64_t ts_ns, const char *line)
{
	const char *panic = log_panic(line) ?: log_panic_end(line);
	struct oops *o = &log->oops;

	if (log->has_panic) {
		if (ts_ns - log->panic_ns <= PANIC_STACK_NS) {
			log_take_task(&log->panic_cpu, &log->panic_pid, log->panic_comm, line);
			if (*line == ' ')
				module_frames_add(&log->panic_modules, line + strspn(line, " "));
			module_frames_line(&log->panic_modules, line);
			take_panic_frame(log, line);
			/* A frame with a ? may be left over. */
			log->is_by_file |= log_find(line, " write_sysrq_trigger+") &&
					   !log_find(line, "? ");
		}
		return;
	}
	if (panic) {
		log->has_panic = true;
		log->panic_ns = ts_ns;
		log_copy(log->panic, sizeof(log->panic), panic, panic_len(panic));
		return;
	}
	stall_line(&log->stall, line);
	if (take_hung(log, ts_ns, line) || take_user_fault(log, ts_ns, line) ||
	    take_headline(log, ts_ns, line))
		return;
	take_reason(log, line);
	if (!(log->is_open || log->is_hung))
		return;
	if (log_after(line, "---[ end trace ")) {
		log->is_open = false;
		return;
	}
	if (log->is_open && module_frames_line(&log->oops.modules, line))
		return;
	take_frame(log, line);
	if (!log->is_open)
		return;
	log_take_task(&o->cpu, &o->pid, o->comm, line);
	take_ip(o, line);
	take_registers(o, line);
	oops_registers_line(&o->registers, line);
	oops_code_line(&o->code, line);
}

void oops_log_gap(struct oops_log *log)
{
	if (!log->has_panic && !log->is_open)
		log->has_gap = true;
	log->is_hung = false;
	stall_gap(&log->stall);
}

/* A line in which the name of a thread has a newline: what follows such a name is behind it. */
static bool is_split_by_name(const char *text)
{
	const char *newline = strchr(text, '\n'), *comm = log_find(text, " Comm: ");
	const char *fault = log_find(text, "]: segfault at ");

	if (!newline)
		return false;
	return (fault && fault > newline) ||
	       (comm && comm <= newline && strchr(comm, '\n') &&
		(!log_find(comm, "ainted") || log_find(comm, "ainted") > strchr(comm, '\n')));
}

/* "Modules linked in: a b(OE) [last unloaded: fanmon(OE)]", a line that may be long: the name without its taints. */
static void take_unloaded(struct oops *o, const char *line, size_t len)
{
	static const char mark[] = " [last unloaded: ";
	const char *name = log_after(line, "Modules linked in:");

	name = name ? log_find(name, mark) : NULL;
	if (name && name + strcspn(name, "(] \n") < line + len)
		log_copy(o->unloaded, sizeof(o->unloaded), name, strcspn(name, "(] \n"));
}

void oops_log_record(struct oops_log *log, const struct kernel_record *rec)
{
	char line[OOPS_LINE];

	if (!rec->text) {
		oops_log_gap(log);
		return;
	}
	if (is_split_by_name(rec->text)) {
		log_copy(line, sizeof(line), rec->text, strlen(rec->text));
		oops_log_line(log, rec->ts_ns, line);
		return;
	}
	for (const char *p = rec->text; *p;) {
		size_t len = strcspn(p, "\n");

		snprintf(line, sizeof(line), "%.*s", (int)len, p);
		oops_log_line(log, rec->ts_ns, line);
		if (log->is_open)
			take_unloaded(&log->oops, p, len);
		p += len + (p[len] == '\n');
	}
}

/* What die() and its like give to panic(): oops_end() of x86, die() of arm64 and riscv. */
static bool is_die(const char *panic)
{
	static const char *const reasons[] = { "Fatal exception",	"Oops: Fatal exception",
					       "kernel stack overflow", "Kernel stack overflow",
					       "TASK stack guard hit",	"Machine halted" };

	return ANY_OF(i, ARRAY_SIZE(reasons), log_after(panic, reasons[i]));
}

/* do_exit(): the task that an exception was in took the kernel with it. */
static const char of_init[] = "Attempted to kill init!";
static const char *const victims[] = { "Attempted to kill the idle task!",
				       "Aiee, killing interrupt handler!" };

static bool is_victim(const char *panic)
{
	return ANY_OF(i, ARRAY_SIZE(victims), log_after(panic, victims[i]));
}

/* signal 0: it exited, with this status. */
static bool init_end(const char *panic, unsigned int *signal, unsigned int *status)
{
	uint64_t code;

	if (!log_after(panic, of_init) || !log_find(panic, " exitcode=") ||
	    !log_take_hex(log_find(panic, " exitcode="), &code))
		return false;
	*signal = code & 0x7f;
	*status = code >> 8 & 0xff;
	return true;
}

bool oops_init_signal(const char *panic, unsigned int *ret)
{
	unsigned int status;

	return init_end(panic, ret, &status);
}

/* Numbers of include/uapi/asm-generic/signal.h. */
static const struct {
	unsigned int number;
	const char *name;
} signals[] = { { 4, "SIGILL" }, { 5, "SIGTRAP" }, { 6, "SIGABRT" },  { 7, "SIGBUS" },
		{ 8, "SIGFPE" }, { 9, "SIGKILL" }, { 11, "SIGSEGV" }, { 31, "SIGSYS" } };

bool oops_init_text(const char *panic, const char *name, struct strbuf *b)
{
	unsigned int signal, status;

	if (!init_end(panic, &signal, &status))
		return false;
	strbuf_add(b, "%s (1), the first process, ", name);
	if (!signal)
		strbuf_add(b, "exited with status %u", status);
	else
		strbuf_add(b, "died of signal %u", signal);
	for (size_t i = 0; i < ARRAY_SIZE(signals); i++)
		if (signals[i].number == signal)
			strbuf_add(b, " (%s)", signals[i].name);
	return true;
}

bool oops_is_fatal(const struct oops_log *log)
{
	const struct oops *o = &log->oops;

	/* A later oops may be in the gap. */
	if (o->kind == OOPS_NONE || log->has_gap)
		return false;
	if (!log->has_panic || is_die(log->panic))
		return true;
	return o->pid.known &&
	       (is_victim(log->panic) || (log_after(log->panic, of_init) && o->pid.value == 1));
}

bool oops_is_of_init(const struct oops_log *log)
{
	unsigned int signal;

	return log->user.known && log->user.pid == 1 && log->has_panic &&
	       oops_init_signal(log->panic, &signal) && signal == SIGSEGV;
}

/* No user can send the first process a signal that ends it: the kernel did. */
bool oops_is_missing(const struct oops_log *log)
{
	unsigned int signal;

	if (!log->has_panic || oops_is_fatal(log) || oops_is_of_init(log))
		return false;
	return is_die(log->panic) || is_victim(log->panic) ||
	       (log_after(log->panic, of_init) &&
		(!oops_init_signal(log->panic, &signal) || signal));
}

bool oops_fault_code(const struct oops *o, uint64_t *ret)
{
	/* arm64 prints ESR in both forms; of x86 the number before "[#1]" is that of "#PF:". */
	const struct log_number *sources[] = { &o->esr, &o->scause, &o->pf_code, &o->die_code };

	/* A guard page is hit by a double fault, of which the code says nothing. */
	if (o->kind != OOPS_PAGE_FAULT && !(o->kind == OOPS_STACK_OVERFLOW && o->esr.known))
		return false;
	for (size_t i = 0; i < ARRAY_SIZE(sources); i++)
		if (sources[i]->known) {
			*ret = sources[i]->value;
			return true;
		}
	return false;
}

const char *oops_kind_name(enum oops_kind kind)
{
	static const char *const names[OOPS_KINDS] = {
		[OOPS_NONE] = "none",
		[OOPS_PAGE_FAULT] = "page_fault",
		[OOPS_GENERAL_PROTECTION] = "general_protection_fault",
		[OOPS_STACK_OVERFLOW] = "stack_overflow",
		[OOPS_DOUBLE_FAULT] = "double_fault",
		[OOPS_BUG] = "bug",
		[OOPS_EXCEPTION] = "exception",
	};

	return names[kind];
}

#define LEAST_TIMES \
	6u /* loops of functions over a few levels, of devices or directories, are no defect */

const char *oops_recurring(const struct oops *o)
{
	for (unsigned int i = 0; o->kind == OOPS_STACK_OVERFLOW && i < o->nframes; i++) {
		const size_t name = strcspn(o->frames[i], "+");
		unsigned int n = 0;

		for (unsigned int k = i; k < o->nframes; k++)
			n += !strncmp(o->frames[k], o->frames[i], name + 1);
		if (n >= LEAST_TIMES && n >= o->nframes / 2)
			return o->frames[i];
	}
	return NULL;
}
