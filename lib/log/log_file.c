// SPDX-License-Identifier: GPL-2.0-or-later
#include "log/log_file.h"

#include <ctype.h>
#include <time.h>

#include "log/log_clean.h"
#include "log/log_facts.h"
#include "log/log_json.h"
#include "log/log_logcat.h"
#include "log/log_marks.h"
#include "log/log_reader.h"
#include "log/log_text.h"
#include "log/log_wrap.h"

#define FIRST "Linux version "
#define OOM_NAME 16 /* bytes of the name of a task, with the zero behind it */

void log_reader_part(struct log_reader *r, unsigned int part)
{
	r->part = part;
}

/* Texts of a mail may be of several machines. */
static bool has_less(const struct log_reader *r, const struct log_boot *b)
{
	return !r->is_quoted && r->kept && log_boot_has_less(b, r->kept);
}

/* A crash kernel has little memory, and may run out too: what is asked of is why the kernel before it died. */
static bool is_of_kept(const struct log_reader *r, const struct log_boot *b)
{
	return r->kept && r->kept->has_panicked && r->kept_boot + 1 == r->boots &&
	       (log_boot_is_of_crash_kernel(b) || has_less(r, b));
}

static void take_crash_kernel(struct log_reader *r, const struct log_boot *b)
{
	r->crashed_boot = r->kept_boot;
	r->is_by_ram = !log_boot_is_of_crash_kernel(b);
}

/* A mail may have the parts of one boot in another order. */
static bool is_before_kept(const struct log_reader *r, const struct log_boot *b)
{
	return !r->part && r->kept && b->tells_of_memory && log_boot_is_before(b, r->kept);
}

/* Of two boots that tell something the last one counts, but a panic of another cause less than memory. */
static bool is_kept(const struct log_reader *r, const struct log_boot *b)
{
	if (r->part)
		return r->boots == r->part;
	if (is_of_kept(r, b) || is_before_kept(r, b))
		return false;
	return b->tells && (b->tells_of_memory || !r->kept || !r->kept->tells_of_memory);
}

static void next_boot(struct log_reader *r)
{
	struct log_boot *b = r->now;

	log_boot_flush(r->now, r->dump, &r->changes);
	r->jump.is_open = false;
	r->begun += b->begun;
	r->panics += b->has_panicked;
	r->lockups += b->lockups;
	if (is_of_kept(r, b))
		take_crash_kernel(r, b);
	r->is_by_swap |= is_before_kept(r, b);
	if (is_kept(r, b) || !r->kept) {
		struct log_boot *other = r->kept ? r->kept : dump_alloc(r->dump, sizeof(*other));

		if (is_kept(r, b)) {
			r->kept = b;
			r->kept_boot = r->boots;
			r->is_by_swap = false;
			r->now = other;
		} else {
			r->now = b;
		}
	}
	log_boot_reset(r->now);
	r->boots++;
}

/* The last record is whole; what is of another kernel begins a boot, with the lines of its report before it. */
static void flush(struct log_reader *r)
{
	struct kernel_record moved[LOG_BOOT_MOVED];
	struct log_file facts;
	bool has_ts;
	size_t n;

	log_boot_flush(r->now, r->dump, &r->changes);
	if (!r->now->is_other)
		return;
	n = log_boot_take_back(r->now, r->dump, moved);
	facts = r->now->facts;
	has_ts = r->now->last_has_ts;
	next_boot(r);
	log_boot_begin(r->now, r->dump, moved, n, &facts, has_ts, &r->changes);
}

/* lost: 0: it is unknown how many */
static void add_gap(struct log_reader *r, uint32_t lost)
{
	flush(r);
	r->now->last = (struct kernel_record){ .ts_ns = r->now->last.ts_ns, .lost = lost };
	r->now->has_last = r->now->is_gap = true;
}

/* A stamp that was far from those before it is of another boot, and so are the records since. */
static void begin_jump(struct log_reader *r)
{
	struct kernel_record moved[LOG_BOOT_MOVED] = { 0 };
	size_t n = log_jump_take_back(&r->jump, r->dump, r->now, moved);
	struct log_file facts = r->now->facts;

	r->has_clock_boots = true;
	r->clock_goes_back |= r->jump.goes_back;
	next_boot(r);
	if (n)
		log_boot_begin(r->now, r->dump, moved, n, &facts, true, &r->changes);
}

/* Behind words of a mail, quoted more or less often than the records before: of what another one wrote, or of another time. */
static void begin_text(struct log_reader *r)
{
	flush(r);
	if (log_jump_is_boot(&r->jump, r->now, NULL))
		begin_jump(r);
	if (!r->now->newer.n && !r->now->older.n)
		return;
	r->has_clock_boots = r->is_quoted = true;
	next_boot(r);
}

#define DATED 8 /* lines of a boot that have dates alone: then a stamp is of the text behind it */

static void add(struct log_reader *r, struct log_line *l)
{
	bool is_first = log_after(l->text, FIRST) != NULL;
	struct log_boot *b;
	bool goes_back, ends;

	flush(r);
	if (l->has_ts && l->date_s && !r->now->has_times && r->now->dated >= DATED && !is_first)
		l->has_ts = false;
	if (log_jump_is_boot(&r->jump, r->now, l))
		begin_jump(r);
	b = r->now;
	log_steps_take(&r->steps, l);
	ends = log_boot_ends(b, l, &goes_back);
	if (ends && goes_back && !is_first && log_jump_was_ahead(b, l))
		ends = false;
	/* A copy of the log begins with the stamp of its first record. */
	if (ends && !is_first && l->ts_ns != b->first_ns) {
		log_jump_open(&r->jump, r->dump, b, l, goes_back);
		ends = false;
	}
	if ((is_first || ends) && (b->newer.n || b->older.n) &&
	    !(is_first && log_boot_is_before_first(b))) {
		r->has_clock_boots |= !is_first;
		r->clock_goes_back |= !is_first && goes_back;
		next_boot(r);
		b = r->now;
	}
	b->from_start |= is_first;
	b->is_gap = false;
	b->is_respelled |= log_is_respelled(l->text);
	b->is_escaped = l->is_escaped;
	b->last = (struct kernel_record){ .ts_ns = l->ts_ns,
					  .line_bytes = r->line_bytes,
					  .has_caller = l->has_caller,
					  .caller = l->caller };
	snprintf(b->joined, sizeof(b->joined), "%s", l->text);
	r->columns = log_wrap_columns(b->joined) ?: r->columns;
	b->has_last = true;
	b->last_has_ts = l->has_ts;
	log_boot_date(b, l);
	if (!l->has_ts) {
		b->last.ts_ns = b->newest_ns;
	} else {
		b->has_before = b->has_times;
		b->first_ns = b->has_times ? b->first_ns : l->ts_ns;
		b->before_ns = b->newest_ns;
	}
	b->newest_ns = b->last.ts_ns;
	b->has_times |= l->has_ts;
	b->dated += !l->has_ts && l->date_s;
	b->has_undated |= !l->has_ts && !l->date_s;
	b->has_no_times |= !l->has_ts && log_tells(l->text);
}

/* The rest of a line that a mail or a terminal broke; a word that is too long stands below its stamp. */
static bool take_rest(struct log_reader *r, const char *line)
{
	struct log_boot *b = r->now;
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
	b->is_broken |= how == LOG_WRAP_BLANK;
	is_blank = used && (b->joined[used - 1] == ' ' || *more == ' ');
	if (how == LOG_WRAP_BLANK && log_is_below(b->joined, line))
		b->joined[used++] = '\n';
	else if (how == LOG_WRAP_BLANK && !is_blank)
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

static void take_host(struct log_reader *r, const char *host)
{
	if (!r->now->facts.host)
		r->now->facts.host = log_facts_text(r->dump, host, strlen(host));
	if (!*r->host || !strncmp(r->host, "localhost", strlen("localhost")))
		snprintf(r->host, sizeof(r->host), "%s", host);
	else if (!log_is_same_host(r->host, host))
		snprintf(r->other_host, sizeof(r->other_host), "%s", host);
}

/* As many blanks as the first line of a report has before its words: no other of its words begin with one. */
static const char *behind_indent(struct log_reader *r, const char *text)
{
	size_t blanks = strspn(text, " \t");

	if (log_begins_report(text) || (!r->has_indent && log_tells(text))) {
		r->has_indent = true;
		r->indent = blanks;
	}
	return text + (blanks < r->indent ? blanks : r->indent);
}

/* A text in which two sinks have each line, of one stamp. */
static bool is_twice(const struct log_reader *r, const struct log_line *l)
{
	const struct log_boot *b = r->now;
	const char *last = strrchr(b->joined, '\n');

	return l->has_ts && *l->text && b->has_last && !b->is_gap && r->line_ns == l->ts_ns &&
	       b->last.has_caller == l->has_caller && b->last.caller == l->caller &&
	       !strcmp(last ? last + 1 : b->joined, l->text);
}

static void keep_head(struct log_reader *r, const char *text)
{
	log_copy(r->head, sizeof(r->head), text, log_is_bare_head(text) ? strlen(text) : 0);
}

/* The first line of a report, of which a mail left out the stamp: the next line has that of its task. */
static void take_head(struct log_reader *r, const struct log_line *l)
{
	struct log_line head = *l;

	if (log_is_of_head(r->head, l->text) && !r->takes_bare) {
		head.text = r->head;
		add(r, &head);
		r->left_reports -= r->left_reports > 0;
	}
	r->head[0] = '\0';
}

/* grep has a line of its own between lines that are not beside each other: what stood there was left out. */
static bool pass_dashes(struct log_reader *r, const struct log_line *l)
{
	const bool was_behind = r->is_behind_dashes, is_it = !strcmp(l->text, "--");

	r->is_behind_dashes = is_it && l->kind == LOG_LINE_BARE && r->has_stamps;
	if (was_behind && (l->kind == LOG_LINE_KERNEL || l->kind == LOG_LINE_OTHER))
		add_gap(r, 0);
	return r->is_behind_dashes;
}

/* Boots of what stands before the first stamp are none either. */
static void leave_bare(struct log_reader *r)
{
	r->left_reports = r->bare_reports;
	log_boot_reset(r->now);
	r->kept = NULL;
	r->boots = 1;
	r->begun = r->panics = r->lockups = 0;
	r->crashed_boot = r->kept_boot = 0;
	r->is_by_ram = r->is_by_swap = false;
}

#define REPLAYING "** replaying previous printk message **"

static void take_words(struct log_reader *r, char *line)
{
	struct log_line l;
	uint32_t lost;

	log_unescape_lines(line);
	log_untab_stamp(line);
	log_line_parse(line, r->monotonic, &l);
	if (pass_dashes(r, &l) || log_twins_line(&r->twins, &l))
		return;
	/* Not a stamp that is doubted. */
	r->stray.before_ns = r->now->has_times ? r->now->newest_ns : r->stray.before_ns;
	if (log_stray_line(&r->stray, r->dump->arena, &line, &l)) {
		r->wants_more = false;
		add_gap(r, 1);
		return;
	}
	if (l.kind != LOG_LINE_KERNEL && log_tells_of_gap(line, &lost)) {
		add_gap(r, lost);
		return;
	}
	if (l.kind != LOG_LINE_KERNEL && !strcmp(l.text, REPLAYING)) {
		r->replays = true;
		return;
	}
	if (l.has_sequence && log_sequence_lacks(&r->sequence, l.sequence, &lost))
		add_gap(r, lost);
	if (l.kind == LOG_LINE_KERNEL && !r->has_stamps) {
		/* What stands before the first stamp is none of the kernel's. */
		keep_head(r, r->now->has_last ? r->now->joined : "");
		log_boot_flush(r->now, r->dump, &r->changes);
		r->left_bare |= r->now->tells || r->kept;
		if (!r->takes_bare)
			leave_bare(r);
		/* Nor what was left out there. */
		r->left_out = false;
		r->has_stamps = true;
	}
	if (l.kind == LOG_LINE_BARE || l.kind == LOG_LINE_MORE) {
		l.text = behind_indent(r, l.text);
		r->bare_reports += log_is_first_line(l.text);
	}
	if (!r->has_stamps && l.kind == LOG_LINE_BARE && log_is_ellipsis(l.text)) {
		r->left_out = true;
		return;
	}
	/* The rest of the report before was left out: no line behind this one is of it. */
	if (r->left_out && log_begins_report(l.text)) {
		r->left_out = false;
		add_gap(r, 0);
	}
	if (!l.has_caller && (l.kind == LOG_LINE_BARE || l.kind == LOG_LINE_MORE) &&
	    take_rest(r, l.text))
		return;
	if (l.kind == LOG_LINE_BARE && r->has_stamps && r->wants_more &&
	    log_boot_goes_on(r->now, &l)) {
		log_boot_join(r->now, l.text);
		return;
	}
	if (l.kind == LOG_LINE_OTHER ||
	    (l.kind == LOG_LINE_BARE && r->has_stamps && !r->takes_bare)) {
		r->left_bare |= l.kind == LOG_LINE_BARE && log_tells_whole(l.text);
		keep_head(r, l.kind == LOG_LINE_OTHER ? "" : l.text);
		r->left_reports += l.kind == LOG_LINE_BARE && log_is_first_line(l.text);
		r->now->is_respelled |= l.kind == LOG_LINE_BARE &&
					(log_panic(l.text) || log_is_respelled(l.text));
		r->wants_more = false;
		return;
	}
	if (l.kind == LOG_LINE_MORE && r->has_stamps && !r->takes_bare) {
		r->wants_more &= !log_is_ellipsis(l.text);
		r->left_reports += log_is_first_line(l.text);
		if (r->wants_more)
			log_boot_join(r->now, line + strspn(line, " \t") - (*line == ' '));
		return;
	}
	if (l.kind == LOG_LINE_KERNEL && r->quotes != r->text_quotes) {
		if (!r->wants_more)
			begin_text(r);
		r->text_quotes = r->quotes;
	}
	take_head(r, &l);
	if (r->replays)
		log_boot_drop_cut(r->now, &l, r->line_ns);
	r->replays = false;
	if (is_twice(r, &l))
		return;
	r->line_ns = l.has_ts ? l.ts_ns : 0;
	r->wants_more = true;
	r->has_fields |= log_after(l.text + strspn(l.text, " "), "MESSAGE=") != NULL;
	/* A text that was quoted is indented; the kernel itself puts one blank before some lines. */
	if (l.kind == LOG_LINE_MORE && !r->indent && strspn(l.text, " \t") > 1)
		l.text += strspn(l.text, " \t");
	if (*l.host)
		take_host(r, l.host);
	if (l.is_monotonic)
		snprintf(r->monotonic, sizeof(r->monotonic), "%s", l.host);
	if (log_tells_of_gap(l.text, &lost))
		add_gap(r, lost);
	else if (log_boot_goes_on(r->now, &l))
		log_boot_join(r->now, l.text);
	else
		add(r, &l);
}

/* Where another CPU, or a program that has the console, wrote inside of a line, both are taken apart. */
static void take_line(struct log_reader *r, char *line, bool is_whole)
{
	char *words;
	size_t late;

	log_drop_markup(line);
	r->quotes = log_quotes(line);
	words = log_prefix_skip(&r->prefix, line, &late);
	if (late)
		log_boot_drop_late(r->now, r->prefix.mark + strlen(r->prefix.mark) - late);
	line = words == line ? log_behind_quotes(line) : words;
	for (;;) {
		const char *found;
		struct log_line l;
		size_t at;

		log_line_parse(line, r->monotonic, &l);
		/* What a program has logged is a line of its own, whatever is in it. */
		if (l.is_program)
			break;
		if (log_is_repeated(&l))
			return;
		found = log_line_inside(l.text);
		if (!found || log_names_program(&l))
			break;
		at = found - line;
		line[at] = '\0';
		/* Of a line of another program nothing of the kernel is cut. */
		r->now->is_cut |= l.kind == LOG_LINE_KERNEL;
		/* What is behind a path may be its name: the line is left out, and with a first line what follows. */
		if (log_has_path(l.text)) {
			if (log_begins_report(found))
				add_gap(r, 0);
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
		enum log_json json;

		line[n] = '\0';
		log_drop_colours(line);
		log_drop_tabs(line);
		log_logcat_line(line);
		r->now->is_cut |= has_zero;
		r->has_zeros |= has_zero;
		json = *line ? log_json_line(line) : LOG_JSON_NONE;
		r->has_members |= json == LOG_JSON_OTHER;
		if (*line && json != LOG_JSON_OTHER && !(r->has_members && log_json_is_frame(line)))
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
		add_gap(r, 0);
}

static void take_whole(struct log_reader *r, char *line, size_t len, bool ends)
{
	char *words = NULL;
	enum log_entry_kind kind = log_entry_line(r->entry, line, len, ends, &words);

	if (kind == LOG_ENTRY_NONE)
		take_bytes(r, line, len, ends);
	else
		take_entry(r, kind, words);
}

void log_reader_line(struct log_reader *r, char *line, size_t len, bool ends)
{
	char *piece;

	r->line_bytes = (uint32_t)(len - (len && line[len - 1] == '\r'));
	r->hex_lines += log_is_hex(line);
	r->lines++;
	if (!log_pieces_begin(r->pieces, line, len, ends))
		take_whole(r, line, len, ends);
	else
		while ((piece = log_pieces_next(r->pieces)))
			take_whole(r, piece, strlen(piece), true);
}

struct log_reader *log_reader_open(struct dump *d, bool takes_bare)
{
	struct log_reader *r = dump_alloc(d, sizeof(*r));

	r->dump = d;
	r->entry = log_entry_open(d->arena);
	r->pieces = log_pieces_open(d->arena);
	r->now = dump_alloc(d, sizeof(*r->now));
	r->boots = 1;
	r->takes_bare = takes_bare;
	return r;
}

enum status log_reader_end(struct log_reader *r, struct log_file *ret)
{
	const struct log_boot *b;
	char *words = log_pieces_end(r->pieces);
	enum log_entry_kind kind;

	if (words)
		take_whole(r, words, strlen(words), false);
	words = NULL;
	kind = log_entry_end(r->entry, &words);
	take_entry(r, kind, words);
	flush(r);
	if (log_jump_is_boot(&r->jump, r->now, NULL))
		begin_jump(r);
	if (is_of_kept(r, r->now))
		take_crash_kernel(r, r->now);
	r->is_by_swap |= is_before_kept(r, r->now);
	b = is_kept(r, r->now) || !r->kept ? r->now : r->kept;
	if (r->hex_lines > r->lines / 2)
		return dump_fail(r->dump, ST_CORRUPT,
				 "it is a hex dump: give the text of which it was made");
	/* Without stamps words alone tell that it is a log: a program may have them too. */
	if ((!r->has_stamps && (r->has_zeros || r->has_fields || (!b->tells && !b->from_start))) ||
	    !(b->older.n + b->newer.n))
		return dump_fail(r->dump, ST_ABSENT, "%s",
				 b->is_respelled && !r->has_zeros
					 ? "the form of its lines is unknown"
					 : "no line is one of a kernel's log");
	if (log_steps_go_back(&r->steps))
		return dump_fail(r->dump, ST_CORRUPT,
				 "its lines are newest first, as journalctl -r has them: save them "
				 "oldest first, as tac does");
	if (log_steps_are_mixed(&r->steps))
		return dump_fail(r->dump, ST_CORRUPT,
				 "its lines are in no order of time: %u of %u steps go back",
				 r->steps.backward, r->steps.backward + r->steps.forward);
	log_boot_put(b, r->dump, ret);
	ret->left_bare = r->left_bare;
	ret->left_reports = r->left_reports;
	ret->has_clock_boots = r->has_clock_boots;
	ret->clock_goes_back = r->clock_goes_back;
	ret->clock_jumps = r->jump.before != NULL;
	ret->is_quoted = r->is_quoted;
	ret->is_bare = !r->has_stamps;
	if (*r->other_host)
		ret->hosts = arena_text(r->dump->arena, "%s and %s", r->host, r->other_host);
	ret->boots = r->boots;
	ret->other_reports = r->begun + r->now->begun - b->begun;
	ret->other_panics = r->panics + r->now->has_panicked - b->has_panicked;
	ret->other_lockups = r->lockups + r->now->lockups - b->lockups;
	ret->asked_part = r->part;
	ret->has_memory = b->tells_of_memory;
	ret->is_by_swap = b == r->kept && r->is_by_swap;
	ret->has_crash_kernel = b == r->kept && r->crashed_boot == r->kept_boot;
	ret->is_by_ram = r->is_by_ram;
	ret->later_boots = b == r->kept ? r->boots - r->kept_boot : 0;
	return ST_OK;
}
