// SPDX-License-Identifier: GPL-2.0-or-later
/* What the log has of things that went wrong, each as a row with its time. */
#include "log/firmware_load.h"
#include "log/log_file.h"
#include "log/log_told.h"
#include "log/warning.h"
#include "memowner/case.h"
#include "memowner/summary.h"
#include "memowner/verdict_words.h"
#include "symbols/allocators.h"

#define TOLD 3	      /* kinds of signs */
#define PATHS_SHOWN 8 /* of a multipath device */

struct maybe_u64 summary_time_of(const struct summary *s, uint64_t ts_ns)
{
	const struct log_file *f = s->dump->log_file;

	return (struct maybe_u64){ ts_ns, !f || !f->has_no_times };
}

void summary_add_when(const struct summary *s, uint64_t ts_ns, struct strbuf *b)
{
	uint64_t age;

	if (summary_time_of(s, ts_ns).known && age_at_panic(&s->report->info, ts_ns, &age))
		strbuf_add(b, ", %s before the %s", TIME_TEXT(age), s->has_panic ? "panic" : "end");
}

void summary_add_logged(struct summary *s, const struct kernel_record *rec, const char *remark)
{
	SUMMARY_ADD(s, .section = SECTION_STUCK, .by = STUCK_BY_LOG,
		    .ts = summary_time_of(s, rec->ts_ns),
		    .log_date = log_file_date(s->dump, rec->ts_ns),
		    .remark = dump_strdup(s->dump, remark));
}

void summary_add_signs(struct summary *s)
{
	unsigned int told = 0;

	for (int kind = 0; kind < SIGN_KINDS && told < TOLD; kind++) {
		const struct log_sign *sign = &s->told->signs.of[kind];
		struct strbuf b = STRBUF_OF(512);

		if (!sign->n)
			continue;
		if (kind == SIGN_POOL)
			s->full_pool = dump_strdup(s->dump, sign->text);
		strbuf_add(&b, "the log has %s: %s", log_sign_words(kind), sign->text);
		summary_add_when(s, sign->last->ts_ns, &b);
		if (sign->n > 1)
			strbuf_add(&b, ", and %s before it", COUNT_OF(sign->n - 1, "such line"));
		if (sign->is_mixed) {
			strbuf_add(&b, ", the first: %.*s", SIGN_TEXT, sign->first->text);
			summary_add_when(s, sign->first->ts_ns, &b);
		}
		summary_add_logged(s, sign->last, b.buf);
		told++;
	}
}

void summary_add_flood(struct summary *s)
{
	const struct log_flood *f = &s->told->flood;
	struct strbuf b = STRBUF_OF(512);
	uint64_t ns;

	if (!f->n)
		return;
	ns = f->last->ts_ns - f->first->ts_ns;
	strbuf_add(&b, "%s of the %s lines of the log are as this one", COUNT_TEXT(f->n),
		   COUNT_TEXT(f->all));
	if (summary_time_of(s, f->last->ts_ns).known && ns && f->last->ts_ns > f->first->ts_ns)
		strbuf_add(&b, ", written within %s", TIME_TEXT(ns));
	strbuf_add(&b, ": %.*s%s", SIGN_TEXT, f->last->text,
		   f->has_dropped ? "; what stood before them was overwritten or is not read" : "");
	summary_add_logged(s, f->last, b.buf);
}

#define RECENT_NS 300000000000ull /* before the end: what it was that did not work then */

static bool is_of_verdict(const struct summary *s, const struct limit_line *l)
{
	uint64_t age;

	return !s->dump->log_file && age_at_panic(&s->report->info, l->last->ts_ns, &age) &&
	       age <= RECENT_NS;
}

/* "open files reached their limit (fs.file-max 3,600), by the log, 6.0s before the panic" */
static void add_limit(const struct summary *s, const struct limit_line *l, struct strbuf *b)
{
	strbuf_add(b, "%s (%s), by the log", l->what, limit_line_text((char[LIMIT_TEXT]){ "" }, l));
	summary_add_when(s, l->last->ts_ns, b);
}

void summary_add_limits(struct summary *s)
{
	for (const struct limit_line *l = s->limits.of; l < s->limits.of + LIMIT_LINES; l++) {
		struct strbuf b = STRBUF_OF(256);

		if (!l->n || is_of_verdict(s, l))
			continue;
		add_limit(s, l, &b);
		summary_add_logged(s, l->last, b.buf);
	}
}

/* "multipath device dm-0 (253:0) has lost its paths 254:32 and 254:48, which did not come back, by the log, ..." */
static void add_paths(const struct summary *s, struct strbuf *b)
{
	const struct lost_paths *p = s->told ? &s->told->paths : NULL;

	if (!p || !p->n || !s->stuck_cause || !strchr(p->device, ':'))
		return;
	strbuf_add(b, "multipath device dm-%s (%s) has lost ", strchr(p->device, ':') + 1,
		   p->device);
	if (p->n == 1)
		strbuf_add(b, "path ");
	else
		strbuf_add(b, "%s%u paths: ", p->is_cut ? "at least " : "", p->n);
	for (unsigned int i = 0; i < p->n && i < PATHS_SHOWN; i++)
		strbuf_add(b, "%s%s", i ? ", " : "", p->of[i]);
	if (p->n > PATHS_SHOWN)
		strbuf_add(b, " and %u more", p->n - PATHS_SHOWN);
	strbuf_add(b, ", and %s did not come back, by the log", p->n == 1 ? "it" : "they");
	summary_add_when(s, p->last->ts_ns, b);
	strbuf_add(b, "; ");
}

void verdict_add_logged_limits(const struct summary *s, struct strbuf *b)
{
	const struct used_limits *used = &s->of_case->used;

	add_paths(s, b);
	for (const struct limit_line *l = s->limits.of; l < s->limits.of + LIMIT_LINES; l++) {
		if (!l->n || !is_of_verdict(s, l) ||
		    ANY_OF(i, used->n, l->sysctl && !strcmp(used->all[i].setting, l->sysctl)))
			continue;
		add_limit(s, l, b);
		strbuf_add(b, "; ");
	}
}

/* A report of the kernel that has a function of a module says more than its line alone. */
static bool add_warning(const struct summary *s, uint64_t not_before, struct strbuf *b)
{
	const struct log_warning *w = s->warnings ? s->warnings->newest : NULL;
	uint64_t age;

	if (!w || s->dump->log_file || !module_frames_first(&w->modules) ||
	    w->last->ts_ns < not_before || !age_at_panic(&s->report->info, w->last->ts_ns, &age) ||
	    age > RECENT_NS)
		return false;
	strbuf_add(b, "the log has ");
	log_warning_text(w, allocators_has, b);
	summary_add_when(s, w->last->ts_ns, b);
	strbuf_add(b, "; ");
	return true;
}

/* Where nothing else tells what went wrong: what the log has last of such things. */
void verdict_add_signs(const struct summary *s, struct strbuf *b)
{
	const struct log_sign *last = NULL;
	uint64_t age;
	int of = 0;

	for (int kind = 0; s->told && kind < SIGN_KINDS; kind++) {
		const struct log_sign *sign = &s->told->signs.of[kind];

		if (!sign->n || (last && last->last->ts_ns > sign->last->ts_ns))
			continue;
		last = sign;
		of = kind;
	}
	if (add_warning(s, last ? last->last->ts_ns : 0, b))
		return;
	if (!last || s->dump->log_file ||
	    !age_at_panic(&s->report->info, last->last->ts_ns, &age) || age > RECENT_NS)
		return;
	strbuf_add(b, "the log has %s: %s", log_sign_words(of), last->text);
	summary_add_when(s, last->last->ts_ns, b);
	strbuf_add(b, "; ");
}

/* Of the modules in whose functions others are asleep, "[wlink]", what they did not get may be what they wait for. */
void summary_add_firmware(struct summary *s)
{
	const char *at = s->stuck_cause;
	struct kernel_log log = { 0 };

	if (!at || s->dump->log_file || kernel_log_read(s->dump, &log) != ST_OK)
		return;
	while ((at = strchr(at, '[')) != NULL) {
		const size_t n = strcspn(++at, "]");
		char name[64];
		const struct kernel_record *rec;
		struct strbuf b = STRBUF_OF(400);

		if (at[n] != ']' || n >= sizeof(name))
			return;
		memcpy(name, at, n);
		name[n] = '\0';
		rec = firmware_load_failed(&log, name);
		if (!rec || strstr(at + n, dump_text(s->dump, "[%s]", name)))
			continue;
		strbuf_add(&b, "the log has firmware that %s did not get: %.200s", name, rec->text);
		summary_add_when(s, rec->ts_ns, &b);
		summary_add_logged(s, rec, b.buf);
	}
}
