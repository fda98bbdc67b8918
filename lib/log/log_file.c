// SPDX-License-Identifier: GPL-2.0-or-later
#include "log/log_file.h"

#include <ctype.h>
#include <time.h>

#include "log/log_clean.h"
#include "log/log_entry.h"
#include "log/log_facts.h"
#include "log/log_json.h"
#include "log/log_marks.h"
#include "log/log_text.h"
#include "log/log_wrap.h"

#define FIRST "Linux version "
#define NS_PER_S 1000000000ULL
#define BACK (10 * NS_PER_S)
#define HALF_A_YEAR (183 * 86400ULL) /* seconds */
#define YEAR_OF_1972 (366 * 86400ULL)
#define OOM_NAME 16 /* bytes of the name of a task, with the zero behind it */

/* Records one behind the other, in memory of their own. */
struct part {
	struct arena *arena;
	struct kernel_record *records; /* LOG_MAX_RECORDS; NULL: none yet */
	size_t n;
};

/* A boot of the machine: its older and its newer records. */
struct boot {
	struct part older, newer;
	bool is_cut, has_dropped, from_start, tells;
	bool has_times, has_no_times; /* a record has one; one of a report has none */
	uint64_t newest_ns, first_date_s, newest_date_s;
	char joined[LOG_FILE_JOINED]; /* the last record, while lines may follow; "": none */
	struct kernel_record last;    /* text is set when it is kept */
	bool has_last, is_gap, is_escaped;
	struct log_file facts;
};

struct log_reader {
	struct dump *dump;
	struct boot *now, *kept; /* kept: an earlier one that tells of memory or of a panic; NULL */
	unsigned int boots, kept_boot;
	bool has_stamps, has_zeros, wants_more;
	bool has_fields;      /* of journalctl -o verbose or export, which is not read */
	unsigned int columns; /* of the table of processes; 0: no header was there */
	size_t indent;	      /* blanks before the words of a report that was quoted */
	bool takes_bare;      /* words without a stamp are the kernel's, though others have one */
	unsigned int changes; /* of the release and the taint */
	bool left_bare; /* a report is among the words that were left out for want of a stamp */
	size_t width; /* bytes of the words behind which a terminal broke that header; 0: it did not */
	char host[LOG_HOST], other_host[LOG_HOST]; /* of lines of the kernel; "": none */
	char monotonic[LOG_HOST];
	struct log_steps steps;
	struct log_entry *entry;
	bool has_sequence;
	uint64_t sequence; /* of the last record of /dev/kmsg */
};

static void open_part(struct dump *d, struct part *p)
{
	if (!p->arena)
		p->arena = arena_within(d->arena);
	p->records = arena_alloc(p->arena, LOG_MAX_RECORDS * sizeof(*p->records));
	p->n = 0;
}

static void drop_part(struct part *p)
{
	if (p->arena)
		arena_reset(p->arena);
	p->records = NULL;
	p->n = 0;
}

static void reset_boot(struct boot *b)
{
	struct part older = b->older, newer = b->newer;

	drop_part(&older);
	drop_part(&newer);
	memset(b, 0, sizeof(*b));
	b->older.arena = older.arena;
	b->newer.arena = newer.arena;
}

static const char *keep_text(struct log_reader *r, const char *text, size_t len)
{
	return log_facts_text(r->dump, text, len);
}

/* The last record with all of its lines. */
static void flush(struct log_reader *r)
{
	struct boot *b = r->now;
	struct part *p = &b->newer;

	if (!b->has_last)
		return;
	b->has_last = false;
	if (p->n == LOG_MAX_RECORDS || !p->records) {
		struct part older = b->older;

		b->has_dropped |= b->older.n > 0;
		drop_part(&older);
		b->older = *p;
		b->newer = older;
		open_part(r->dump, p);
	}
	log_drop_blanks(b->joined);
	if (b->is_escaped)
		log_unescape_bytes(b->joined);
	b->last.text = b->is_gap ? NULL : arena_strdup(p->arena, b->joined);
	if (!b->is_gap) {
		log_facts_take(r->dump, b->joined, &r->changes, &b->facts);
		b->tells |= log_tells(b->joined);
	}
	p->records[p->n++] = b->last;
	b->is_cut |= b->is_gap;
}

/* Of two boots that tell something the last one counts. */
static void next_boot(struct log_reader *r)
{
	struct boot *b = r->now;

	flush(r);
	if (b->tells || !r->kept) {
		struct boot *other = r->kept ? r->kept : dump_alloc(r->dump, sizeof(*other));

		if (b->tells) {
			r->kept = b;
			r->kept_boot = r->boots;
			r->now = other;
		} else {
			r->now = b;
		}
	}
	reset_boot(r->now);
	r->boots++;
}

static void add_gap(struct log_reader *r)
{
	flush(r);
	r->now->last = (struct kernel_record){ .ts_ns = r->now->last.ts_ns };
	r->now->has_last = r->now->is_gap = true;
}

/* Of dates alone they are the clock; without years the next one begins where they go back by half of one. */
static void take_date_of(struct boot *b, const struct log_line *l)
{
	uint64_t s = l->date_s;

	if (!s)
		return;
	if (!l->has_year && s + HALF_A_YEAR < b->newest_date_s)
		s += YEAR_OF_1972;
	b->facts.has_years = l->has_year && (b->facts.has_years || !b->facts.has_dates);
	b->facts.has_dates = true;
	b->first_date_s = b->first_date_s ?: s;
	b->newest_date_s = s;
	b->last.date_s = s;
	if (!l->has_ts && !b->has_times && s > b->first_date_s &&
	    s - b->first_date_s < UINT32_MAX && (s - b->first_date_s) * NS_PER_S > b->newest_ns)
		b->newest_ns = (s - b->first_date_s) * NS_PER_S;
}

static void add(struct log_reader *r, const struct log_line *l)
{
	struct boot *b = r->now;
	bool is_first = log_after(l->text, FIRST) != NULL;
	/* The clock of a boot does not go back; what CPUs have of it differs by far less. */
	bool is_other = l->has_ts && b->has_times && l->ts_ns + BACK < b->newest_ns;

	log_steps_take(&r->steps, l);
	flush(r);
	if ((is_first || is_other) && (b->newer.n || b->older.n)) {
		next_boot(r);
		b = r->now;
	}
	b->from_start |= is_first;
	b->is_gap = false;
	b->is_escaped = l->is_escaped;
	b->last = (struct kernel_record){ .ts_ns = l->ts_ns,
					  .has_caller = l->has_caller,
					  .caller = l->caller };
	snprintf(b->joined, sizeof(b->joined), "%s", l->text);
	r->columns = log_wrap_columns(b->joined) ?: r->columns;
	b->has_last = true;
	take_date_of(b, l);
	if (!l->has_ts)
		b->last.ts_ns = b->newest_ns;
	b->newest_ns = b->last.ts_ns;
	b->has_times |= l->has_ts;
	b->has_no_times |= !l->has_ts && log_tells(l->text);
}

/* A line more of the last record; without room it is cut. */
static void join(struct log_reader *r, const char *text)
{
	struct boot *b = r->now;
	size_t used = strlen(b->joined), len = strlen(text);

	if (!b->has_last || b->is_gap || used + len + 2 > sizeof(b->joined))
		return;
	b->joined[used] = '\n';
	memcpy(b->joined + used + 1, text, len + 1);
}

/* The lines of the counters of Mem-Info are one record, of which each has a stamp of its own. */
static bool goes_on(const struct boot *b, const struct log_line *l)
{
	const char *text = l->text + (*l->text == ' '); /* which syslog takes off */
	size_t name = strcspn(text, ": ");

	return b->has_last && !b->is_gap && name && log_after(b->joined, "active_anon:") &&
	       (l->kind == LOG_LINE_BARE || !l->has_caller ||
		(b->last.has_caller == l->has_caller && b->last.caller == l->caller)) &&
	       text[name] == ':' && isdigit((unsigned char)text[name + 1]);
}

/* The rest of a line that a mail or a terminal broke; a word that is too long stands below its stamp. */
static bool take_rest(struct log_reader *r, const char *line)
{
	struct boot *b = r->now;
	const char *more = line + strspn(line, " \t");
	size_t used = strlen(b->joined), len;
	unsigned int columns;
	enum log_wrap how;
	bool is_table, is_blank;

	if (!r->wants_more || !b->has_last || b->is_gap)
		return false;
	is_table = *b->joined == '[';
	how = *b->joined	? log_wrap(b->joined, more, r->columns)
	      : log_tells(more) ? LOG_WRAP_WORD
				: LOG_WRAP_NONE;
	/* A name of which a part is missing looks like another name. */
	if (how == LOG_WRAP_NONE && is_table && used && used == r->width && *more != '[' &&
	    !strchr(more, ' ') && strlen(more) < OOM_NAME)
		how = LOG_WRAP_WORD;
	more = is_table ? line : more;
	len = strlen(more);
	if (how == LOG_WRAP_NONE || used + len + 2 > sizeof(b->joined))
		return false;
	is_blank = used && (b->joined[used - 1] == ' ' || *more == ' ');
	if (how == LOG_WRAP_BLANK && !is_blank)
		b->joined[used++] = ' ';
	memcpy(b->joined + used, more, len + 1);
	columns = is_table ? log_wrap_columns(b->joined) : 0;
	if (columns) {
		r->columns = columns;
		/* A mail takes the blank at which it breaks. */
		r->width = how == LOG_WRAP_WORD || is_blank ? used : 0;
	}
	return true;
}

/* "** 12 printk messages dropped **" */
static bool tells_of_gap(const char *text)
{
	return strstr(text, " printk messages dropped") ||
	       (log_find(text, "Missed ") && strstr(text, " kernel messages")) ||
	       (log_find(text, "rsyslogd") && strstr(text, " messages lost"));
}

/* "box" and "box.example.com"; what the first lines have before a machine knows its name is any. */
static bool is_same_host(const char *a, const char *b)
{
	size_t n = strcspn(a, "."), m = strcspn(b, ".");

	return (n == m && !strncasecmp(a, b, n)) || !strncmp(a, "localhost", n) ||
	       !strncmp(b, "localhost", m);
}

static void take_host(struct log_reader *r, const char *host)
{
	if (!r->now->facts.host)
		r->now->facts.host = keep_text(r, host, strlen(host));
	if (!*r->host || !strncmp(r->host, "localhost", strlen("localhost")))
		snprintf(r->host, sizeof(r->host), "%s", host);
	else if (!is_same_host(r->host, host))
		snprintf(r->other_host, sizeof(r->other_host), "%s", host);
}

/* As many blanks as the first line of a report has before its words: no other of its words begin with one. */
static const char *behind_indent(struct log_reader *r, const char *text)
{
	size_t blanks = strspn(text, " \t");

	if (log_begins_report(text))
		r->indent = blanks;
	return text + (blanks < r->indent ? blanks : r->indent);
}

/* Numbers of records go on in steps of one; a boot begins with 0. */
static void take_sequence(struct log_reader *r, const struct log_line *l)
{
	if (!l->has_sequence)
		return;
	if (r->has_sequence && l->sequence > r->sequence && l->sequence - r->sequence > 1)
		add_gap(r);
	r->has_sequence = true;
	r->sequence = l->sequence;
}

static void take_words(struct log_reader *r, char *line)
{
	struct log_line l;

	log_unescape_lines(line);
	log_line_parse(line, r->monotonic, &l);
	if (l.kind != LOG_LINE_KERNEL && tells_of_gap(line)) {
		add_gap(r);
		return;
	}
	take_sequence(r, &l);
	if (l.kind == LOG_LINE_KERNEL && !r->has_stamps) {
		/* What stands before the first stamp is none of the kernel's. */
		flush(r);
		r->left_bare |= r->now->tells;
		if (!r->takes_bare)
			reset_boot(r->now);
		r->has_stamps = true;
	}
	if (l.kind == LOG_LINE_BARE || l.kind == LOG_LINE_MORE)
		l.text = behind_indent(r, l.text);
	if (!l.has_caller && (l.kind == LOG_LINE_BARE || l.kind == LOG_LINE_MORE) &&
	    take_rest(r, l.text))
		return;
	if (l.kind == LOG_LINE_BARE && r->has_stamps && r->wants_more && goes_on(r->now, &l)) {
		join(r, l.text);
		return;
	}
	if (l.kind == LOG_LINE_OTHER ||
	    (l.kind == LOG_LINE_BARE && r->has_stamps && !r->takes_bare)) {
		r->left_bare |= l.kind == LOG_LINE_BARE && log_tells(l.text);
		r->wants_more = false;
		return;
	}
	if (l.kind == LOG_LINE_MORE && r->has_stamps && !r->takes_bare) {
		if (r->wants_more)
			join(r, line + strspn(line, " \t") - (*line == ' '));
		return;
	}
	r->wants_more = true;
	r->has_fields |= log_after(l.text + strspn(l.text, " "), "MESSAGE=") != NULL;
	/* A text that was quoted is indented; the kernel itself puts one blank before some lines. */
	if (l.kind == LOG_LINE_MORE && !r->indent && strspn(l.text, " \t") > 1)
		l.text += strspn(l.text, " \t");
	if (*l.host)
		take_host(r, l.host);
	if (l.is_monotonic)
		snprintf(r->monotonic, sizeof(r->monotonic), "%s", l.host);
	if (tells_of_gap(l.text))
		add_gap(r);
	else if (goes_on(r->now, &l))
		join(r, l.text);
	else
		add(r, &l);
}

/* Lines with the path of a cgroup, whose name may look like anything. */
static bool has_path(const char *text)
{
	static const char *const starts[] = { "oom-kill:", "Task in ", "Tasks in ",
					      "Memory cgroup stats for " };

	for (size_t i = 0; i < ARRAY_SIZE(starts); i++)
		if (log_after(text, starts[i]))
			return true;
	return false;
}

/* "box app[333]: " behind a date: what a program has there is its own, whatever it looks like. */
static bool names_program(const struct log_line *l)
{
	const char *tag = strchr(l->text, ' ');
	size_t len = tag ? strcspn(tag + 1, " ") : 0;

	return l->kind == LOG_LINE_OTHER && l->is_syslog && len && tag[len] == ':';
}

/* "message repeated 2 times: [ text]" of rsyslog: the line before has the text. */
static bool is_repeated(const struct log_line *l)
{
	const char *times = log_after(l->text, "message repeated ");

	return l->is_syslog && times && strstr(times, " times: [");
}

/* Where another CPU, or a program that has the console, wrote inside of a line, both are taken apart. */
static void take_line(struct log_reader *r, char *line, bool is_whole)
{
	line = log_behind_quotes(line);
	for (;;) {
		const char *found;
		struct log_line l;
		size_t at;

		log_line_parse(line, r->monotonic, &l);
		/* What a program has logged is a line of its own, whatever is in it. */
		if (l.is_program)
			break;
		if (is_repeated(&l))
			return;
		found = log_line_inside(l.text);
		if (!found || names_program(&l))
			break;
		at = found - line;
		line[at] = '\0';
		/* Of a line of another program nothing of the kernel is cut. */
		r->now->is_cut |= l.kind == LOG_LINE_KERNEL;
		/* What is behind a path may be its name: the line is left out, and with a first line what follows. */
		if (has_path(l.text)) {
			if (log_begins_report(found))
				add_gap(r);
			return;
		}
		log_drop_word(line);
		take_words(r, line);
		line += at;
		*line = '[';
	}
	if (!is_whole)
		log_drop_word(line);
	take_words(r, line);
}

static void take_bytes(struct log_reader *r, char *line, size_t len, bool ends)
{
	char *end = line + len;

	while (line < end) {
		size_t n = strcspn(line, "\r");
		bool has_zero = line + n < end && !line[n], is_last = line + n >= end;

		line[n] = '\0';
		log_drop_colours(line);
		r->now->is_cut |= has_zero;
		r->has_zeros |= has_zero;
		if (*line && log_json_line(line) != LOG_JSON_OTHER)
			take_line(r, line, is_last ? ends : !has_zero);
		line += n + 1;
		while (line < end && !*line)
			line++;
	}
}

static void take_entry(struct log_reader *r, enum log_entry_kind kind, char *words)
{
	if (kind == LOG_ENTRY_WHOLE && words)
		take_bytes(r, words, strlen(words), true);
	else if (kind == LOG_ENTRY_LOST)
		add_gap(r);
}

void log_reader_line(struct log_reader *r, char *line, size_t len, bool ends)
{
	char *words = NULL;
	enum log_entry_kind kind = log_entry_line(r->entry, line, len, ends, &words);

	if (kind == LOG_ENTRY_NONE)
		take_bytes(r, line, len, ends);
	else
		take_entry(r, kind, words);
}

static void put_part(const struct part *p, struct kernel_log *log)
{
	if (p->n)
		memcpy(log->records + log->n, p->records, p->n * sizeof(*p->records));
	log->n += p->n;
}

struct log_reader *log_reader_open(struct dump *d, bool takes_bare)
{
	struct log_reader *r = dump_alloc(d, sizeof(*r));

	r->dump = d;
	r->entry = log_entry_open(d->arena);
	r->now = dump_alloc(d, sizeof(*r->now));
	r->boots = 1;
	r->takes_bare = takes_bare;
	return r;
}

enum status log_reader_end(struct log_reader *r, struct log_file *ret)
{
	const struct boot *b;
	char *words = NULL;
	enum log_entry_kind kind;

	kind = log_entry_end(r->entry, &words);
	take_entry(r, kind, words);
	flush(r);
	b = r->now->tells || !r->kept ? r->now : r->kept;
	/* Without stamps words alone tell that it is a log: a program may have them too. */
	if ((!r->has_stamps && (r->has_zeros || r->has_fields || (!b->tells && !b->from_start))) ||
	    !(b->older.n + b->newer.n))
		return dump_fail(r->dump, ST_ABSENT, "no line is one of a kernel's log");
	if (log_steps_go_back(&r->steps))
		return dump_fail(r->dump, ST_CORRUPT,
				 "its lines are newest first, as journalctl -r has them: save them "
				 "oldest first, as tac does");
	*ret = b->facts;
	ret->log = (struct kernel_log){
		.records = dump_alloc(r->dump,
				      (b->older.n + b->newer.n) * sizeof(struct kernel_record)),
		.is_cut = b->is_cut,
		.has_dropped = b->has_dropped || !b->from_start,
	};
	put_part(&b->older, &ret->log);
	put_part(&b->newer, &ret->log);
	ret->has_no_times = b->has_no_times || !b->has_times;
	ret->left_bare = r->left_bare;
	ret->is_bare = !r->has_stamps;
	if (*r->other_host)
		ret->hosts = arena_text(r->dump->arena, "%s and %s", r->host, r->other_host);
	ret->from_start = b->from_start && !b->has_dropped;
	ret->boots = r->boots;
	ret->later_boots = b == r->kept ? r->boots - r->kept_boot : 0;
	return ST_OK;
}

const char *log_file_date_text(struct dump *d, uint64_t date_s)
{
	const time_t s = (time_t)date_s;
	char text[64];
	struct tm t;

	if (!d->log_file || !date_s || !gmtime_r(&s, &t) ||
	    !strftime(text, sizeof(text),
		      d->log_file->has_years ? "%Y-%m-%d %H:%M:%S" : "%m-%d %H:%M:%S", &t))
		return NULL;
	return arena_strdup(d->arena, text);
}

const char *log_file_date(struct dump *d, uint64_t ts_ns)
{
	const struct log_file *f = d->log_file;

	for (size_t i = 0; f && i < f->log.n; i++)
		if (f->log.records[i].ts_ns == ts_ns && f->log.records[i].date_s)
			return log_file_date_text(d, f->log.records[i].date_s);
	return NULL;
}
