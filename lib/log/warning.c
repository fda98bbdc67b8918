// SPDX-License-Identifier: GPL-2.0-or-later
#include "log/warning.h"

#include <stdio.h>
#include <string.h>

#include "log/log_frame.h"
#include "log/log_marks.h"

#define CUT_HERE "------------[ cut here ]------------"
#define MESSAGE_LINES 4 /* between that and the headline */
#define REPORT_LINES 64 /* of one: what is behind is of something else */

/* Headlines that say what is wrong themselves. */
static const char *const headlines[] = {
	"BUG: KASAN: ",
	"BUG: KFENCE: ",
	"BUG: KMSAN: ",
	"BUG: KCSAN: ",
	"UBSAN: ",
	"BUG: scheduling while atomic: ",
	"BUG: sleeping function called from invalid context",
	"BUG: using ",
	"BUG: workqueue leaked ",
	"BUG: Bad page state in process ",
	"BUG: Bad page map in process ",
	"BUG: Bad rss-counter state ",
	"BUG: non-zero pgtables_bytes ",
	"BUG: spinlock ",
	"BUG: rwlock ",
	"BUG: Dentry ",
	"BUG: Invalid wait context",
	"WARNING: possible ", /* lockdep */
	"WARNING: suspicious RCU usage",
	"WARNING: inconsistent lock state",
	"WARNING: bad unlock balance detected",
	"WARNING: held lock freed",
	"WARNING: lock held when returning to user space",
	"ODEBUG: ",
};

/* Of the innermost frames those that print the report, or check for whoever called them. */
static const char *const helpers[] = {
	"__warn",
	"warn_slowpath",
	"report_bug",
	"dump_stack",
	"show_stack",
	"print_report",
	"print_address",
	"kasan_",
	"__kasan_",
	"__asan_",
	"check_memory_reg",
	"ubsan_",
	"__ubsan_",
	"__schedule",
	"schedule",
	"__might_",
	"might_",
	"___might_",
	"refcount_",
	"debug_object",
	"debug_print_obj",
	"__list_",
	"list_",
	"lockdep_",
	"print_",
	"mark_lock",
	"__lock_acq",
	"lock_acquire",
	"check_preempt",
	"object_err",
	"slab_err",
	"check_object",
	"free_debug",
	"alloc_debug",
	"bad_page",
	"kfence_",
	"__kfence_",
	"check_bytes_and",
	"slab_fix",
	"handle_bug",
	"exc_",
	"asm_exc_",
	"__report_bug",
	"fault_in_ker",
	"check_canary",
};

struct reader {
	struct log_warnings *ret;
	struct log_warning *open; /* NULL: none is being printed */
	struct log_warning next;
	unsigned int lines; /* of it */
	bool in_trace, had_trace;
	bool is_cut_here;	    /* the last line that was no message was that mark */
	char message[WARNING_LINE]; /* behind it */
};

/* "WARNING: CPU: 1 PID: 9 at FILE:LINE FUNCTION+0x1/0x2"; 6.18: "WARNING: FILE:LINE at FUNCTION+0x1/0x2, CPU#0: a/9". */
static bool take_place(const char *line, char *at, size_t size)
{
	const char *p = log_after(line, "WARNING: "), *colon, *function;
	const char *old = p && log_after(p, "CPU: ") ? log_find(p, " at ") : NULL;
	size_t file;

	if (!p)
		return false;
	p = old ?: p;
	file = strcspn(p, " ");
	colon = memchr(p, ':', file);
	function = p + file + strspn(p + file, " ");
	function = old ? function : log_after(function, "at ");
	if (!colon || !function || !*function)
		return false;
	snprintf(at, size, "%.*s %.*s", (int)file, p, (int)strcspn(function, "+, "), function);
	for (char *c = at; *c; c++)
		*c = *c < ' ' || *c > '~' ? '?' : *c;
	return true;
}

/* "BUG kmalloc-64 (Not tainted): Poison overwritten", of SLUB. */
static bool is_of_slab(const char *line)
{
	const char *p = log_after(line, "BUG ");

	return p && (strstr(p, "ainted): ") || strstr(p, "ainted: ")) && !strstr(p, " at ");
}

static bool is_headline(const char *line)
{
	return ANY_OF(i, ARRAY_SIZE(headlines), log_after(line, headlines[i])) || is_of_slab(line);
}

/* Without the offset of a function, and without the end of a sentence. */
static void set_text(char *to, size_t size, const char *line)
{
	const char *p = log_after(line, "BUG: ") ?: log_after(line, "WARNING: ") ?: line;
	const char *offset = strstr(p, "+0x");
	const char *rest = offset ? offset + strcspn(offset, " ") : NULL;
	char text[WARNING_LINE * 2];
	size_t len;

	snprintf(text, sizeof(text), "%.*s%.*s", offset ? (int)(offset - p) : (int)strlen(p), p,
		 WARNING_LINE, rest ?: "");
	len = strlen(text);
	while (len && strchr(".!: ", text[len - 1]))
		len--;
	log_copy(to, size, text, len);
}

static bool is_same(const struct log_warning *a, const struct log_warning *b)
{
	const char *of_a = module_frames_first(&a->modules);
	const char *of_b = module_frames_first(&b->modules);

	return !strcmp(a->text, b->text) && !strcmp(a->at, b->at) && !of_a == !of_b &&
	       (!of_a || !strcmp(of_a, of_b));
}

static void close_report(struct reader *r)
{
	struct log_warnings *all = r->ret;
	unsigned int i = 0;

	if (!r->open)
		return;
	while (i < all->n && !is_same(&all->all[i], r->open))
		i++;
	if (i < all->n) {
		all->all[i].last = r->next.last;
		all->all[i].times++;
		r->next.first = all->all[i].first;
		r->next.times = all->all[i].times;
		r->next.is_last = true;
	} else {
		if (all->n < WARNINGS)
			all->n++;
		else
			all->more++;
		i = all->n - 1;
		all->all[i] = r->next;
	}
	all->last[i] = r->next;
	all->newest = &all->last[i];
	r->open = NULL;
}

static bool take_headline(struct reader *r, const struct kernel_record *rec, const char *line)
{
	char at[WARNING_LINE] = "";
	const bool has_place = take_place(line, at, sizeof(at));
	struct log_warning *w = &r->next;

	if (!has_place && !is_headline(line))
		return false;
	close_report(r);
	*w = (struct log_warning){ .first = rec, .last = rec, .times = 1 };
	if (has_place) {
		log_copy(w->at, sizeof(w->at), at, strlen(at));
		set_text(w->text, sizeof(w->text), r->message);
	} else {
		set_text(w->text, sizeof(w->text), line);
	}
	r->open = w;
	r->lines = 0;
	r->in_trace = r->had_trace = false;
	r->message[0] = '\0';
	return true;
}

/* "Write of size 8 at addr ffff888007a4c010 by task poll/123", of KASAN. */
static void take_by_task(struct log_warning *w, const char *line)
{
	const char *comm = log_find(line, " by task "), *slash = comm ? strrchr(comm, '/') : NULL;

	if (w->pid.known || !slash || !log_take_decimal(slash + 1, &w->pid.value))
		return;
	w->pid.known = true;
	log_copy(w->comm, sizeof(w->comm), comm, slash - comm);
}

static bool is_mark(const char *name)
{
	return *name == '<' || *name == '?';
}

static void take_frame(struct reader *r, const char *line)
{
	struct log_warning *w = r->open;
	char frame[LOG_FRAME];
	const char *name;

	if (log_after(line, "Call Trace:") || log_after(line, "Call trace:")) {
		r->in_trace = !r->had_trace;
		return;
	}
	line = log_frame(line, frame);
	name = line + strspn(line, " ");
	if (r->in_trace)
		module_frames_add(&w->modules, name);
	if (!r->in_trace || is_mark(name))
		return;
	r->in_trace = *line == ' ' && strstr(name, "+0x");
	r->had_trace |= r->in_trace;
	if (!r->in_trace)
		return;
	if (w->nframes < WARNING_FRAMES)
		log_copy(w->frames[w->nframes++], MODULE_FRAME_BYTES, name, strlen(name));
}

static void take_line(struct reader *r, const struct kernel_record *rec, const char *line)
{
	if (log_after(line, CUT_HERE)) {
		close_report(r);
		r->is_cut_here = true;
		r->lines = 0;
		r->message[0] = '\0';
		return;
	}
	if (take_headline(r, rec, line)) {
		r->is_cut_here = false;
		return;
	}
	if (r->is_cut_here && r->lines++ < MESSAGE_LINES) {
		log_copy(r->message, sizeof(r->message), line, strlen(line));
		return;
	}
	/* It was of an oops. */
	r->is_cut_here = false;
	if (!r->open)
		return;
	if (log_after(line, "---[ end trace ") || r->lines++ == REPORT_LINES) {
		close_report(r);
		return;
	}
	take_by_task(r->open, line);
	log_take_task(&r->open->cpu, &r->open->pid, r->open->comm, line);
	if (!module_frames_line(&r->open->modules, line))
		take_frame(r, line);
}

/* Another CPU prints among the lines of a report. */
static bool is_of_other(const struct reader *r, const struct kernel_record *rec)
{
	const struct kernel_record *first = r->open ? r->open->first : NULL;

	return first && first->has_caller && rec->has_caller && first->caller != rec->caller;
}

void log_warnings_read(const struct kernel_log *log, struct log_warnings *ret)
{
	struct reader r = { .ret = ret };
	char line[WARNING_LINE * 4];

	memset(ret, 0, sizeof(*ret));
	for (size_t i = 0; i < log->n; i++) {
		const struct kernel_record *rec = &log->records[i];

		if (!rec->text) {
			close_report(&r);
			r.is_cut_here = false;
			ret->newest = NULL;
			continue;
		}
		if (log_panic(rec->text))
			break;
		if (is_of_other(&r, rec))
			continue;
		for (const char *p = rec->text; *p;) {
			size_t len = strcspn(p, "\n");

			snprintf(line, sizeof(line), "%.*s", (int)len, p);
			take_line(&r, rec, line);
			p += len + (p[len] == '\n');
		}
	}
	close_report(&r);
}

static bool is_helper(const char *frame)
{
	return ANY_OF(i, ARRAY_SIZE(helpers), log_after(frame, helpers[i]));
}

/* The one of a module, else the innermost that neither reports nor is told of; NULL: none is known. */
static const char *caller_of(const struct log_warning *w, bool (*skip)(const char *))
{
	const char *of = module_frames_first(&w->modules), *at = strchr(w->at, ' ');
	char name[MODULE_FRAME_BYTES];

	for (unsigned int i = 0; i < w->nframes && !of; i++) {
		frame_name(w->frames[i], name, sizeof(name));
		if (!is_helper(name) && !(at && !strcmp(at + 1, name)) && !(skip && skip(name)))
			of = w->frames[i];
	}
	return of;
}

void log_warning_text(const struct log_warning *w, bool (*skip)(const char *function),
		      struct strbuf *b)
{
	const char *caller = caller_of(w, skip);
	char name[MODULE_FRAME_BYTES];

	if (*w->text && *w->at)
		strbuf_add(b, "%s (WARNING at %s)", w->text, w->at);
	else
		strbuf_add(b, "%s%s", *w->text ? "" : "WARNING at ", *w->text ? w->text : w->at);
	if (caller) {
		frame_name(caller, name, sizeof(name));
		/* What stands where it was found is told with that. */
		if (!strstr(w->text, name))
			strbuf_add(b, ", called by %s", name);
	}
	if (w->pid.known)
		strbuf_add(b, ", task %s (%lu)", *w->comm ? w->comm : "unknown", w->pid.value);
	/* Another may have caused it the other times. */
	if (w->times > 1)
		strbuf_add(b, ", the %s of %u times", w->is_last ? "last" : "first", w->times);
}
