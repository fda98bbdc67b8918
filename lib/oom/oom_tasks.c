// SPDX-License-Identifier: GPL-2.0-or-later
#include "oom/oom_tasks.h"

#include "log/log_file.h"
#include "log/log_text.h"
#include "oom/oom_widths.h"

static const char *const titles[OOM_TASK_COLUMNS] = {
	[OOM_TASK_PID] = "pid",
	[OOM_TASK_UID] = "uid",
	[OOM_TASK_TGID] = "tgid",
	[OOM_TASK_TOTAL_VM] = "total_vm",
	[OOM_TASK_RSS] = "rss",
	[OOM_TASK_ANON] = "rss_anon",
	[OOM_TASK_FILE] = "rss_file",
	[OOM_TASK_SHMEM] = "rss_shmem",
	[OOM_TASK_PGTABLES] = "pgtables_bytes",
	[OOM_TASK_SWAP] = "swapents",
	[OOM_TASK_ADJ] = "oom_score_adj",
};

/* Columns in the order of the header; OOM_TASK_COLUMNS: one that this build does not know. */
struct header {
	enum oom_task_column order[2 * OOM_TASK_COLUMNS];
	unsigned int n;
	bool is_guessed; /* it may lack some at its end */
};

static enum oom_task_column column_of(const char *text, size_t len)
{
	for (unsigned int i = 0; i < OOM_TASK_COLUMNS; i++)
		if (strlen(titles[i]) == len && !strncmp(titles[i], text, len))
			return i;
	return OOM_TASK_COLUMNS;
}

/* "[  pid  ]   uid  tgid total_vm      rss pgtables_bytes swapents oom_score_adj name" */
static bool take_header(const char *text, struct header *ret)
{
	struct header h = { .n = 0 };
	unsigned int seen = 0;

	if (*text != '[')
		return false;
	for (;;) {
		size_t len;

		text += strspn(text, "[ ]");
		len = strcspn(text, " ]");
		if (len == 4 && !strcmp(text, "name"))
			break;
		if (!len || h.n == ARRAY_SIZE(h.order))
			return false;
		h.order[h.n] = column_of(text, len);
		if (h.order[h.n] != OOM_TASK_COLUMNS) {
			if (seen & 1U << h.order[h.n])
				return false;
			seen |= 1U << h.order[h.n];
		}
		h.n++;
		text += len;
	}
	if (!(seen & 1U << OOM_TASK_TGID) || !(seen & 1U << OOM_TASK_RSS))
		return false;
	*ret = h;
	return true;
}

bool oom_tasks_is_header(const char *text)
{
	struct header h;

	return take_header(text, &h);
}

/*
 * A column in the place of the name, as of a line that was cut before that: "           0", "-1000 s". Behind all columns of
 * a header a number is a name.
 */
static bool is_number(const char *name)
{
	const char *at = name + strspn(name, " ");
	size_t n;

	at += *at == '-';
	n = strspn(at, "0123456789");
	return *name == ' ' || (n && (!at[n] || at[n] == ' '));
}

/* "[     53]     0    53     1804      286    53248     1408             0 httpd" */
static bool take_row(const char *text, const struct header *h, struct oom_task *ret)
{
	struct oom_task row = { { 0 }, "" };

	if (*text != '[')
		return false;
	for (unsigned int i = 0; i < h->n; i++) {
		bool minus;
		uint64_t v;

		text += strspn(text, "[ ]");
		minus = *text == '-';
		text = log_take_figure(text + minus, &v);
		if (!text || v > INT64_MAX || (*text != ' ' && *text != ']'))
			return false;
		if (h->order[i] != OOM_TASK_COLUMNS)
			row.value[h->order[i]] = minus ? -(int64_t)v : (int64_t)v;
	}
	if (*text++ != ' ' || strlen(text) > OOM_TASK_COMM || (h->is_guessed && is_number(text)) ||
	    row.value[OOM_TASK_TGID] <= 0 || row.value[OOM_TASK_TGID] > INT32_MAX)
		return false;
	log_copy(row.comm, sizeof(row.comm), text, strlen(text));
	*ret = row;
	return true;
}

/* "[    245]     0   245   146": another CPU, or a program that has the console, wrote into a row. */
static bool is_part_of_row(const char *text)
{
	uint64_t pid;

	text = *text == '[' ? log_take_decimal(text + 1 + strspn(text + 1, " "), &pid) : NULL;
	return text && *text == ']';
}

#define NAME_LEAST 3   /* letters of a name that tell it from others */
#define SOME_NUMBERS 4 /* more than other lines between the rows begin with */

/* " 3    17962     3109     3109 ...  0 redis-server", "[   3x0] 0 ...": of one that lost its beginning, or a character */
static bool is_rest_of_row(const char *text)
{
	unsigned int numbers = 0, others = 0;

	for (text += strspn(text, "[ ]"); *text; text += strspn(text, "[ ]")) {
		uint64_t v;
		const char *end = log_take_decimal(text + (*text == '-'), &v);

		if (end && (!*end || strchr(" ]", *end)))
			numbers++;
		else
			others++;
		text += strcspn(text, "[ ]");
	}
	return numbers >= SOME_NUMBERS && others <= 2;
}

#define FEWEST 7 /* columns of numbers, since 2.6.36: pid, uid, tgid, total_vm, rss, cpu, oom_adj */

/* "[   2786]     0  2786      326      224    16384        0             0 dropbear" */
bool oom_tasks_is_row(const char *text)
{
	uint64_t v[3] = { 0 };
	unsigned int n = 0;

	if (!is_part_of_row(text))
		return false;
	for (;; n++) {
		const char *rest = text + strspn(text, "[ ]");

		rest = log_take_decimal(rest + (*rest == '-'), &v[n < 2 ? n : 2]);
		if (!rest || (*rest != ' ' && *rest != ']'))
			break;
		if (n == 2 && v[2] != v[0])
			return false;
		text = rest;
	}
	return n >= FEWEST && *text == ' ' && text[1 + strspn(text + 1, " ")];
}

#define APART 256 /* pages, by which counters may differ that were read one behind the other */
#define MOST (INT64_MAX >> 20) /* of numbers whose sums are within 64 bits */

static bool is_far_above(int64_t more, int64_t less)
{
	return more > less + APART && more / 4 * 3 > less;
}

#define MANY 1000 /* three digits */

static bool lost_many(int64_t few, int64_t many)
{
	return few <= many / MANY && log_lost_digits((uint64_t)few, (uint64_t)many);
}

/* A number that lost a digit is half of what it was, or less: the parts of rss, and all address space, tell. */
static bool is_damaged(const struct oom_task *t, const bool *has)
{
	const int64_t rss = t->value[OOM_TASK_RSS], anon = t->value[OOM_TASK_ANON],
		      file = t->value[OOM_TASK_FILE], shmem = t->value[OOM_TASK_SHMEM],
		      all = t->value[OOM_TASK_TOTAL_VM], pid = t->value[OOM_TASK_PID],
		      tgid = t->value[OOM_TASK_TGID];
	const bool has_parts = has[OOM_TASK_ANON] && has[OOM_TASK_FILE] && has[OOM_TASK_SHMEM];

	if (ANY_OF(i, OOM_TASK_COLUMNS,
		   i != OOM_TASK_ADJ && (t->value[i] < 0 || t->value[i] > MOST)))
		return false;
	/* Of a first thread that has exited the table has another, whose number is seldom so much longer or shorter. */
	if (has[OOM_TASK_PID] && (lost_many(pid, tgid) || lost_many(tgid, pid)))
		return true;
	return (has[OOM_TASK_TOTAL_VM] && is_far_above(rss, all)) ||
	       (has_parts &&
		(is_far_above(rss, anon + file + shmem) || is_far_above(anon + file + shmem, rss)));
}

/* What the kernel prints behind the table: the victim, or its own panic; that of another CPU may cut it off. */
static bool is_behind(const char *text)
{
	static const char *const begin[] = {
		"oom-kill:",
		"Out of memory",
		"Memory cgroup out of memory",
		"Kernel panic - not syncing: Out of memory",
		"Kernel panic - not syncing: out of memory",
		"Kernel panic - not syncing: System is deadlocked on memory"
	};

	return ANY_OF(i, ARRAY_SIZE(begin), log_after(text, begin[i]));
}

#define NAMES_BEGIN 256
#define FEW_ROWS 4

struct parser {
	struct dump *dump;
	struct header header;
	bool found, open;
	bool has_end;			  /* something stands behind the last row */
	unsigned int begins[NAMES_BEGIN]; /* rows of the table by where their names begin */
	unsigned int least;		  /* where those of whole rows begin; 0: not known */
	struct oom_widths widths;	  /* of its columns */
	const struct oom_widths *whole;	  /* the same of all of its rows; NULL: not known yet */
	struct oom_tasks *ret;
};

/* A column of the table is wider where a number is too large for it, and narrower never. */
static unsigned int begin_of_names(const struct parser *p)
{
	unsigned int rows = 0, most = 0;

	for (unsigned int i = 0; i < NAMES_BEGIN; i++) {
		rows += p->begins[i];
		if (p->begins[i] > p->begins[most])
			most = i;
	}
	return rows >= FEW_ROWS && p->begins[most] > rows / 4 * 3 ? most : 0;
}

/* "[    245]     0    24   146296 ...": what lost a digit moves all that is behind it. */
static bool lost_digit(struct parser *p, size_t begin)
{
	if (begin < NAMES_BEGIN)
		p->begins[begin]++;
	return begin + 1 == p->least;
}

#define CUT "..."

size_t oom_task_name_kept(const char *comm)
{
	const size_t len = strlen(comm), mark = strlen(CUT);

	return len >= mark && !strcmp(comm + len - mark, CUT) ? len - mark : len;
}

bool oom_task_name_is_of(const char *few, const char *many)
{
	/* Of a few letters any name may have all, in order. */
	if (strlen(few) * 3 < strlen(many) || strlen(few) < NAME_LEAST)
		return false;
	for (; *few && *many; many++)
		few += *few == *many;
	return !*few;
}

/* A name that ends where a terminal cut the lines may have gone on, but one that is as long as any. */
static void mark_cut(const struct parser *p, const struct kernel_record *rec, struct oom_task *t)
{
	const struct log_file *f = p->dump->log_file;
	const size_t len = strlen(t->comm);

	if (f && f->cut_at && rec->line_bytes == f->cut_at && len + strlen(CUT) <= OOM_TASK_COMM)
		memcpy(t->comm + len, CUT, sizeof(CUT));
}

static void begin(struct parser *p, const struct kernel_record *rec)
{
	struct oom_tasks *t = p->ret;

	memset(t, 0, sizeof(*t));
	for (unsigned int i = 0; i < p->header.n; i++)
		if (p->header.order[i] != OOM_TASK_COLUMNS)
			t->has[p->header.order[i]] = true;
	t->ts_ns = rec->ts_ns;
	t->first = rec;
	t->has_caller = rec->has_caller;
	t->caller = rec->caller;
	hash_u64_init(&t->rows, p->dump->arena, sizeof(struct oom_task));
	memset(p->begins, 0, sizeof(p->begins));
	memset(&p->widths, 0, sizeof(p->widths));
	p->found = p->open = true;
	p->has_end = false;
}

/* Records of other callers may be among the rows; those of the same caller end the table. */
static void take_record(struct parser *p, const struct kernel_record *rec)
{
	struct oom_tasks *t = p->ret;
	struct oom_task row, *known;

	if (!rec->text) {
		t->is_cut |= p->open && !p->has_end;
		return;
	}
	if (take_header(rec->text, &p->header)) {
		begin(p, rec);
		return;
	}
	if (!p->open || (t->has_caller && rec->has_caller && t->caller != rec->caller))
		return;
	if (!take_row(rec->text, &p->header, &row)) {
		t->is_cut |= is_part_of_row(rec->text) ||
			     (!p->has_end && is_rest_of_row(rec->text));
		/* Without callers another CPU may have written it. */
		p->open = !(t->has_caller && rec->has_caller);
		p->has_end |= is_behind(rec->text) ||
			      (!p->open && !log_after(rec->text, "Kernel panic"));
		return;
	}
	oom_widths_take(&p->widths, rec->text, p->header.n);
	if (lost_digit(p, strlen(rec->text) - strlen(row.comm)) || is_damaged(&row, t->has) ||
	    (p->whole && oom_widths_differ(p->whole, rec->text, p->header.n))) {
		t->is_cut = true;
		return;
	}
	mark_cut(p, rec, &row);
	known = hash_u64_get(&t->rows, row.value[OOM_TASK_TGID], NULL);
	*known = row;
}

/* Without rows of which a column is not as wide as that of the others. */
static void read_again(struct parser *p, const struct kernel_log *log)
{
	const struct kernel_record *first = p->ret->first;
	const struct oom_widths widths = p->widths;

	if (log->is_broken)
		return;
	p->least = begin_of_names(p);
	p->whole = &widths;
	for (const struct kernel_record *rec = first; rec < log->records + log->n; rec++)
		take_record(p, rec);
	p->whole = NULL;
}

/* Numbers of a row; columns of it in the order of a header. */
static unsigned int numbers_of(const char *text, int64_t v[2 * OOM_TASK_COLUMNS])
{
	unsigned int n = 0;

	while (n < 2 * OOM_TASK_COLUMNS) {
		const char *at = text + strspn(text, "[ ]");
		const bool minus = *at == '-';
		uint64_t number;

		at = log_take_figure(at + minus, &number);
		if (!at || number > MOST || (*at != ' ' && *at != ']'))
			break;
		v[n++] = minus ? -(int64_t)number : (int64_t)number;
		text = at;
	}
	return n;
}

/*
 * All kernels begin with pid, uid, tgid, total_vm and rss (since 2.6.36).  What follows these: rss_anon, rss_file and
 * rss_shmem, whose sum is rss (6.10: mm/oom_kill.c: dump_tasks), and pgtables_bytes, which is whole pages (4.15), are told
 * by their numbers; of nr_ptes, nr_pmds, swapents and oom_score_adj (4.3 to 4.14) there are four.
 */
static bool guess_header(const struct kernel_log *log, const struct kernel_record **first,
			 struct header *ret)
{
	static const enum oom_task_column known[] = { OOM_TASK_PID, OOM_TASK_UID, OOM_TASK_TGID,
						      OOM_TASK_TOTAL_VM, OOM_TASK_RSS };
	const unsigned int nknown = ARRAY_SIZE(known);
	bool has_sums = true, has_tables = true, has_any = false;
	unsigned int rows = 0, tables;
	struct header h = { .n = 0 };

	for (size_t k = 0; k < log->n; k++) {
		const struct kernel_record *rec = &log->records[k];
		int64_t v[2 * OOM_TASK_COLUMNS] = { 0 };
		unsigned int n;

		if (!rec->text || !oom_tasks_is_row(rec->text))
			continue;
		n = numbers_of(rec->text, v);
		if (!rows)
			*first = rec;
		/* A name that begins with a number. */
		h.n = rows++ && h.n < n ? h.n : n;
		has_sums &= v[4] == v[5] + v[6] + v[7];
		tables = n > nknown + 3 ? nknown + 3 : nknown;
		has_tables &= !(v[tables] % 4096);
		has_any |= v[tables] != 0;
	}
	if (!rows || h.n < FEWEST || h.n > nknown + 6 || h.n == nknown + 5 ||
	    (h.n == nknown + 6 && !(has_sums && has_tables)))
		return false;
	for (unsigned int i = 0; i < h.n; i++)
		h.order[i] = i < nknown ? known[i] : OOM_TASK_COLUMNS;
	if (h.n == nknown + 6)
		for (unsigned int i = 0; i < 3; i++)
			h.order[nknown + i] = OOM_TASK_ANON + i;
	if (h.n == nknown + 6 || (h.n == nknown + 3 && has_tables && has_any))
		h.order[h.n - 3] = OOM_TASK_PGTABLES;
	if (h.order[h.n - 3] == OOM_TASK_PGTABLES || h.n == nknown + 4) {
		h.order[h.n - 2] = OOM_TASK_SWAP;
		h.order[h.n - 1] = OOM_TASK_ADJ;
	}
	h.is_guessed = true;
	*ret = h;
	return true;
}

/* Of a log that begins within the table. */
static void read_without_header(struct parser *p, const struct kernel_log *log)
{
	const struct kernel_record *first = NULL;

	if (!guess_header(log, &first, &p->header))
		return;
	begin(p, first);
	for (const struct kernel_record *rec = first; rec < log->records + log->n; rec++)
		take_record(p, rec);
	p->ret->is_guessed = p->ret->is_cut = true;
}

enum status oom_tasks_read(struct dump *d, const struct kernel_log *log, struct oom_tasks *ret)
{
	struct oom_tasks t = { 0 };
	struct parser p = { .dump = d, .ret = &t };
	enum status st = ST_OK;

	for (size_t i = 0; st == ST_OK && i < log->n; i++)
		take_record(&p, &log->records[i]);
	if (st == ST_OK && p.found)
		read_again(&p, log);
	else if (st == ST_OK)
		read_without_header(&p, log);
	if (st == ST_OK && !p.found)
		st = dump_absent(d, "the log has no table of tasks");
	if (st != ST_OK)
		return st;
	t.is_cut |= !p.has_end;
	*ret = t;
	/* The list of a hash ends in the hash itself while it is empty. */
	if (!t.rows.n)
		hash_u64_init(&ret->rows, d->arena, sizeof(struct oom_task));
	return ST_OK;
}

const struct oom_task *oom_tasks_find(const struct oom_tasks *t, uint64_t pid)
{
	const struct oom_task *of = hash_u64_find(&t->rows, pid);

	if (of || !t->has[OOM_TASK_PID])
		return of;
	hash_u64_for_each(const struct oom_task, x, &t->rows)
		if ((uint64_t)x->value[OOM_TASK_PID] == pid)
			return x;
	return NULL;
}

bool oom_tasks_lack_victim(const struct oom_tasks *t, const struct oom_report *r)
{
	return r->outcome == OOM_KILLED && r->victim.pid.known &&
	       !oom_tasks_find(t, r->victim.pid.value);
}

bool oom_tasks_are_of(const struct dump *d, const struct oom_tasks *t, const struct oom_report *r)
{
	return r && r->kind == OOM_REPORT_OOM &&
	       (d->log_file ? t->first >= r->first : t->ts_ns >= r->ts_ns);
}
