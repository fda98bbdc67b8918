// SPDX-License-Identifier: GPL-2.0-or-later
#include "log/log_boot.h"

#include <ctype.h>

#include "log/log_clean.h"
#include "log/log_facts.h"
#include "log/log_marks.h"
#include "log/log_month.h"
#include "log/log_repeats.h"
#include "log/log_text.h"

#define NS_PER_S 1000000000ULL
#define HALF_A_YEAR (183 * 86400ULL) /* seconds */
#define YEAR_OF_1972 (366 * 86400ULL)

static void open_part(struct dump *d, struct log_part *p)
{
	if (!p->arena)
		p->arena = arena_within(d->arena);
	p->records = arena_alloc(p->arena, LOG_MAX_RECORDS * sizeof(*p->records));
	p->n = 0;
}

static void drop_part(struct log_part *p)
{
	if (p->arena)
		arena_reset(p->arena);
	p->records = NULL;
	p->n = 0;
}

void log_boot_reset(struct log_boot *b)
{
	struct log_part older = b->older, newer = b->newer;

	drop_part(&older);
	drop_part(&newer);
	memset(b, 0, sizeof(*b));
	b->older.arena = older.arena;
	b->newer.arena = newer.arena;
}

/* A kernel has one release; one of which a character is lost or another one is damaged. */
static bool is_other_release(const struct log_file *of_before, const char *now)
{
	const char *before = of_before->release;

	/* "6.1" of a line that was cut. */
	if (before && now && of_before->release_ends && log_after(now, before))
		return false;
	return before && now && strcmp(before, now) &&
	       !log_facts_is_damaged(now, strlen(now), before) &&
	       !log_facts_is_damaged(before, strlen(before), now);
}

/* Without a clock that goes on: one release is built more than once. */
static bool is_other_build(const struct log_boot *b)
{
	const unsigned int before = b->before.number, now = b->facts.number;

	return !b->has_times && before && now && before != now && !log_lost_digits(before, now) &&
	       !log_lost_digits(now, before);
}

bool log_boot_is_of_crash_kernel(const struct log_boot *b)
{
	const char *line = b->facts.command_line, *at = line ? strstr(line, "elfcorehdr=") : NULL;

	/* kexec(8) puts it behind the others, the kernel's kexec_file_load() before them. */
	return at && (at == line || at[-1] == ' ');
}

/* "Swap cache stats: add 533859, delete 533553, find 134676/266712" of show_swap_cache_info() */
static void take_added(struct log_boot *b, const char *text)
{
	const char *n = log_after(text, "Swap cache stats: add ");
	uint64_t added;

	if (!n || !log_take_decimal(n, &added))
		return;
	b->first_added = b->first_added ?: added;
	b->newest_added = added;
}

/* "196472 pages RAM" of show_mem() */
static void take_ram(struct log_boot *b, const char *text)
{
	uint64_t pages;
	const char *end = log_take_decimal(text, &pages);

	if (end && !strcmp(end, " pages RAM"))
		b->ram_pages = pages;
}

bool log_boot_has_less(const struct log_boot *b, const struct log_boot *before)
{
	const bool is_other = b->facts.release && before->facts.release &&
			      strcmp(b->facts.release, before->facts.release) != 0;

	return !is_other && b->ram_pages && b->ram_pages < before->ram_pages / 10 * 9;
}

#define NEAR 64 /* a part of what was put to swap, which two boots hardly have in common */

bool log_boot_is_before(const struct log_boot *b, const struct log_boot *newer)
{
	return b->has_times && newer->has_times && b->facts.release && newer->facts.release &&
	       !strcmp(b->facts.release, newer->facts.release) &&
	       b->facts.number == newer->facts.number && b->newest_ns < newer->first_ns &&
	       b->newest_added && b->newest_added < newer->first_added &&
	       newer->first_added - b->newest_added < newer->first_added / NEAR;
}

static bool is_oom_head(const char *text)
{
	return strstr(text, " invoked oom-killer:");
}

/* What a record says. */
static void take_text(struct log_boot *b, struct dump *d, const char *text, unsigned int *changes)
{
	const bool tells = log_tells(text);

	log_facts_take(d, text, changes, &b->facts);
	b->tells |= tells;
	b->tells_of_memory |= tells && log_tells_of_memory(text);
	b->begun += tells && log_begins_report(text);
	b->open += tells && is_oom_head(text);
	b->lockups += log_tells_of_lockup(text);
	take_added(b, text);
	take_ram(b, text);
	if (log_after(text, "oom-kill:constraint=")) {
		/* Its first line is not there. */
		b->begun += !b->open;
		b->open -= b->open > 0;
	}
	b->has_panicked |= log_panic(text) || log_panic_end(text);
}

/* What stands before the line of its CPU, in which the release is, up to LOG_BOOT_MOVED lines. */
static bool begins_complaint(const char *text)
{
	static const char *const starts[] = { "BUG: ", "Oops: ", "WARNING: ",
					      "------------[ cut here ]" };

	return log_begins_report(text) || log_panic(text) ||
	       ANY_OF(i, ARRAY_SIZE(starts), log_after(text, starts[i]));
}

size_t log_boot_take_back(struct log_boot *b, struct dump *d,
			  struct kernel_record moved[LOG_BOOT_MOVED])
{
	struct log_part *p = &b->newer;
	size_t n = 1;

	for (size_t i = 1; i <= LOG_BOOT_MOVED && i <= p->n; i++) {
		const char *text = p->records[p->n - i].text;

		/* The line of its CPU ends what the kernel before complained of. */
		if (i > 1 && text && log_find(text, " Comm: "))
			break;
		n = text && begins_complaint(text) ? i : n;
	}
	p->n -= n;
	for (size_t i = 0; i < n; i++) {
		moved[i] = p->records[p->n + i];
		if (!moved[i].text)
			continue;
		moved[i].text = arena_strdup(d->arena, moved[i].text);
		b->lockups -= b->lockups && log_tells_of_lockup(moved[i].text);
		if (!log_begins_report(moved[i].text))
			continue;
		b->begun -= b->begun > 0;
		b->open -= b->open && is_oom_head(moved[i].text);
	}
	b->facts = b->before;
	b->is_other = false;
	return n;
}

void log_boot_begin(struct log_boot *b, struct dump *d, const struct kernel_record *moved, size_t n,
		    const struct log_file *before, bool has_ts, unsigned int *changes)
{
	struct log_part *p = &b->newer;

	/* What has no date, where others have one, is a text of its own, and no machine is named. */
	if (moved[n - 1].date_s || !before->has_dates) {
		/* That of a line of systemd is of its boot alone. */
		b->facts.host = before->has_dates ? before->host : NULL;
		b->facts.has_dates = before->has_dates;
		b->facts.has_years = before->has_years;
	}
	open_part(d, p);
	for (size_t i = 0; i < n; i++) {
		p->records[p->n++] = moved[i];
		b->is_cut |= !moved[i].text;
		if (moved[i].text)
			take_text(b, d, moved[i].text, changes);
	}
	b->has_times = has_ts;
	b->newest_ns = moved[n - 1].ts_ns;
	b->first_ns = moved[0].ts_ns;
	b->first_date_s = b->newest_date_s = moved[n - 1].date_s;
	b->is_other = false;
}

#define SAME_BOOT (10 * NS_PER_S)

/* A digit of the release, soon behind a line of a task that has the one before: which stays. */
static bool is_digit_alone(struct log_boot *b)
{
	if (!b->has_released || !b->last_has_ts || b->released_ns > b->last.ts_ns ||
	    b->last.ts_ns - b->released_ns > SAME_BOOT || !b->before.release || !b->facts.release ||
	    !log_facts_has_other_digit(b->facts.release, b->before.release))
		return false;
	b->facts.release = b->before.release;
	b->facts.build = b->before.build;
	return true;
}

static void note_release(struct log_boot *b)
{
	const char *release = b->facts.release;

	if (!b->last_has_ts || !release || !log_find(b->joined, " Comm: ") ||
	    !log_find(b->joined, release))
		return;
	b->has_released = true;
	b->released_ns = b->last.ts_ns;
}

void log_boot_flush(struct log_boot *b, struct dump *d, unsigned int *changes)
{
	struct log_part *p = &b->newer;

	if (!b->has_last)
		return;
	b->has_last = false;
	if (p->n == LOG_MAX_RECORDS || !p->records) {
		struct log_part older = b->older;

		b->has_dropped |= b->older.n > 0;
		drop_part(&older);
		b->older = *p;
		b->newer = older;
		open_part(d, p);
	}
	log_drop_blanks(b->joined);
	if (b->is_escaped)
		log_unescape_bytes(b->joined);
	b->last.text = b->is_gap ? NULL : arena_strdup(p->arena, b->joined);
	if (!b->is_gap) {
		b->before = b->facts;
		take_text(b, d, b->joined, changes);
		b->is_other = !log_after(b->joined, "Linux version ") && !is_digit_alone(b) &&
			      (is_other_release(&b->before, b->facts.release) || is_other_build(b));
		note_release(b);
	}
	p->records[p->n++] = b->last;
	b->is_cut |= b->is_gap;
}

/* Behind a panic its CPU alone goes on, and prints what it has to: then nothing, or a kernel that was started anew. */
#define PANIC_SILENCE (60 * NS_PER_S)

bool log_boot_ends(const struct log_boot *b, const struct log_line *l, bool *goes_back)
{
	const bool has_both = l->has_ts && b->has_times;

	/* The clock of a boot does not go back; what CPUs have of it differs by far less. */
	*goes_back = has_both && l->ts_ns + LOG_TEXT_BESIDE_NS < b->newest_ns;
	return *goes_back ||
	       (has_both && b->has_panicked && l->ts_ns > b->newest_ns + PANIC_SILENCE);
}

/* Of dates alone they are the clock; without years the next one begins where they go back by half of one. */
void log_boot_date(struct log_boot *b, const struct log_line *l)
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

bool log_boot_goes_on(const struct log_boot *b, const struct log_line *l)
{
	const char *text = l->text + (*l->text == ' '); /* which syslog takes off */
	size_t name = strcspn(text, ": ");

	return b->has_last && !b->is_gap && name && log_begins_counters(b->joined) &&
	       (l->kind == LOG_LINE_BARE || !l->has_caller ||
		(b->last.has_caller == l->has_caller && b->last.caller == l->caller)) &&
	       text[name] == ':' && isdigit((unsigned char)text[name + 1]);
}

void log_boot_join(struct log_boot *b, const char *text)
{
	size_t used = strlen(b->joined), len = strlen(text);

	if (!b->has_last || b->is_gap || used + len + 2 > sizeof(b->joined))
		return;
	b->joined[used] = '\n';
	memcpy(b->joined + used + 1, text, len + 1);
}

static void put_part(const struct log_part *p, struct kernel_log *log)
{
	if (p->n)
		memcpy(log->records + log->n, p->records, p->n * sizeof(*p->records));
	log->n += p->n;
}

/* The line of a panic is missing: what panic() prints behind it is there. */
static void find_panic(struct log_file *f)
{
	enum log_panic_rest most = LOG_PANIC_NONE;

	for (size_t i = 0; i < f->log.n; i++) {
		const char *text = f->log.records[i].text;
		enum log_panic_rest rest = text ? log_panic_rest(text) : LOG_PANIC_NONE;

		if (text && (log_panic(text) || log_panic_end(text)))
			return;
		most = rest > most ? rest : most;
	}
	f->lacks_panic = most == LOG_PANIC_SURE;
	f->log.is_cut |= most != LOG_PANIC_NONE;
}

void log_boot_put(const struct log_boot *b, struct dump *d, struct log_file *ret)
{
	*ret = b->facts;
	ret->log = (struct kernel_log){
		.records = dump_alloc(d, (b->older.n + b->newer.n) * sizeof(struct kernel_record)),
		.is_cut = b->is_cut || b->is_respelled,
		.is_broken = b->is_broken,
		.has_dropped = b->has_dropped || !b->from_start,
	};
	put_part(&b->older, &ret->log);
	put_part(&b->newer, &ret->log);
	if (b->has_times && !b->has_no_times)
		log_drop_repeats(d, &ret->log);
	else if (!b->has_times)
		log_drop_again(d, &ret->log);
	find_panic(ret);
	kernel_log_find_init(&ret->log);
	if (!b->has_times)
		log_dates_mend(&ret->log, b->first_date_s);
	/* Of one second, or of none, lines keep their order. */
	for (size_t i = 0; !b->has_times && i < ret->log.n; i++)
		ret->log.records[i].ts_ns += i;
	ret->has_no_times = b->has_no_times || !b->has_times;
	ret->has_seconds = b->dated && !b->has_times && !b->has_undated;
	ret->is_respelled = b->is_respelled;
	ret->from_start = b->from_start && !b->has_dropped;
}

void log_boot_drop_late(struct log_boot *b, const char *late)
{
	const char *rest = log_after(b->joined, late);

	if (b->has_last && rest && log_begins_report(rest))
		memmove(b->joined, rest, strlen(rest) + 1);
}

bool log_boot_is_before_first(const struct log_boot *b)
{
	const struct kernel_record *only = b->newer.n == 1 && !b->older.n ? b->newer.records : NULL;

	return only && only->text && log_after(only->text, "Booting Linux on physical CPU");
}

#define NS_PER_US 1000ULL
/* ns: within which the clock goes on behind a damaged stamp; a boot of its own takes longer to come as far. */
#define GOES_ON (10 * 1000000000ULL)

void log_jump_open(struct log_jump *j, struct dump *d, const struct log_boot *b, struct log_line *l,
		   bool goes_back)
{
	j->before = j->before ?: dump_alloc(d, sizeof(*j->before));
	*j->before = *b;
	j->ts_ns = l->ts_ns;
	j->goes_back = goes_back;
	j->is_open = true;
	l->ts_ns = b->newest_ns;
}

static uint64_t distance(uint64_t a, uint64_t b)
{
	return a < b ? b - a : a - b;
}

/* From the stamps before, not from the one that is doubted. */
static bool goes_on_from(const struct log_jump *j, const struct log_boot *b,
			 const struct log_line *l)
{
	return l->ts_ns + LOG_TEXT_BESIDE_NS >= b->newest_ns &&
	       l->ts_ns <= b->newest_ns + GOES_ON &&
	       distance(l->ts_ns, b->newest_ns) < distance(l->ts_ns, j->ts_ns);
}

/* Of microseconds, with one decimal digit replaced by another. */
static bool is_changed_digit(uint64_t us, uint64_t least, uint64_t most)
{
	for (uint64_t ten = 1; ten <= us || ten <= least; ten *= 10) {
		const uint64_t without = us - us / ten % 10 * ten;
		/* A first digit that became a zero: a boot begins with such stamps, too. */
		const uint64_t end = ten <= us ? most : least + NS_PER_S / NS_PER_US;

		for (uint64_t digit = 0; digit < 10; digit++)
			if (without + digit * ten >= least && without + digit * ten <= end)
				return true;
		if (ten > UINT64_MAX / 10)
			break;
	}
	return false;
}

/* A stamp that may have been one of the seconds behind another one, of which a digit is lost or another one. */
static bool is_damaged_stamp(uint64_t ns, uint64_t before_ns)
{
	const uint64_t us = ns / NS_PER_US, least = before_ns / NS_PER_US,
		       most = (before_ns + LOG_TEXT_BESIDE_NS) / NS_PER_US;

	if (is_changed_digit(us, least, most))
		return true;
	/* Which digit it was: each of ten at each place, the one before all others too. */
	for (uint64_t ten = 1; ten / 10 <= us; ten *= 10)
		for (uint64_t digit = 0; digit < 10; digit++) {
			const uint64_t whole = us / ten * ten * 10 + digit * ten + us % ten;

			if (whole >= least && whole <= most)
				return true;
		}
	return false;
}

static size_t records_since(const struct log_jump *j, const struct log_boot *b)
{
	return b->newer.records == j->before->newer.records ? b->newer.n - j->before->newer.n : 0;
}

bool log_jump_is_boot(struct log_jump *j, const struct log_boot *b, const struct log_line *l)
{
	const bool was_open = j->is_open;

	if (!was_open || (l && !l->has_ts && records_since(j, b) < LOG_BOOT_MOVED))
		return false;
	j->is_open = false;
	/* Behind the last one nothing shows it. */
	if (!l)
		return !is_damaged_stamp(j->ts_ns, b->newest_ns);
	return !l->has_ts || !goes_on_from(j, b, l);
}

size_t log_jump_take_back(struct log_jump *j, struct dump *d, struct log_boot *b,
			  struct kernel_record moved[LOG_BOOT_MOVED])
{
	const size_t n = records_since(j, b);

	if (!n || n > LOG_BOOT_MOVED)
		return 0;
	for (size_t i = 0; i < n; i++) {
		moved[i] = b->newer.records[b->newer.n - n + i];
		moved[i].ts_ns = j->ts_ns;
		if (moved[i].text)
			moved[i].text = arena_strdup(d->arena, moved[i].text);
	}
	*b = *j->before;
	return n;
}

bool log_jump_was_ahead(struct log_boot *b, const struct log_line *l)
{
	const uint64_t before = b->before_ns;
	struct log_part *p = &b->newer;

	if (!b->has_before || l->ts_ns + LOG_TEXT_BESIDE_NS < before ||
	    l->ts_ns > before + GOES_ON ||
	    !is_changed_digit(b->newest_ns / NS_PER_US, before / NS_PER_US,
			      (l->ts_ns + LOG_TEXT_BESIDE_NS) / NS_PER_US))
		return false;
	for (size_t i = p->n; i && p->records[i - 1].ts_ns == b->newest_ns; i--)
		p->records[i - 1].ts_ns = before;
	b->newest_ns = before;
	return true;
}

void log_boot_drop_cut(struct log_boot *b, const struct log_line *l, uint64_t line_ns)
{
	const size_t first = strcspn(b->joined, "\n");
	char *last = strrchr(b->joined, '\n');

	if (!l->has_ts || !b->has_last || b->is_gap || line_ns != l->ts_ns ||
	    b->last.has_caller != l->has_caller || b->last.caller != l->caller)
		return;
	if (!strncmp(b->joined, l->text, first))
		b->has_last = false;
	else if (last && log_after(l->text, last + 1))
		*last = '\0';
}
