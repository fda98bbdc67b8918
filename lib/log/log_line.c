// SPDX-License-Identifier: GPL-2.0-or-later
#include "log/log_line.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "log/log_context.h"
#include "log/log_month.h"
#include "log/log_text.h"
#include "log/printk.h"

#define NS_PER_S 1000000000ULL
#define CALLER_WIDTH 6	 /* to which print_caller() pads it */
#define FACILITY_SHIFT 3 /* of a number that has facility and level: LOG_KERN is facility 0 */

static const char *behind_blanks(const char *p)
{
	return p + strspn(p, " ");
}

/* "12.345678": seconds with the digits that printk has; NULL: something else. */
static const char *take_seconds(const char *p, uint64_t *ns)
{
	uint64_t seconds, micro;
	const char *rest = log_take_decimal(p, &seconds), *end;

	if (!rest || *rest != '.' || seconds > UINT32_MAX)
		return NULL;
	end = log_take_decimal(rest + 1, &micro);
	if (!end || end - rest != 7)
		return NULL;
	*ns = seconds * NS_PER_S + micro * 1000;
	return end;
}

/* "[   12.345678]", "[   12.345678 <    0.000011>]" of dmesg -d, "[   12.345678s]", "[   12.345678,0]" of phones */
static const char *take_stamp(const char *p, uint64_t *ns)
{
	if (*p != '[')
		return NULL;
	p = take_seconds(behind_blanks(p + 1), ns);
	if (p && p[0] == 's')
		p++;
	else if (p && p[0] == ',' && isdigit((unsigned char)p[1]))
		p += 1 + strspn(p + 1, "0123456789");
	if (p && p[0] == ' ' && p[1] == '<') {
		p += 2 + strspn(p + 2, " 0123456789.");
		p = *p == '>' ? p + 1 : NULL;
	}
	return p && *p == ']' ? p + 1 : NULL;
}

/* "[  T123]", "[    C1]": print_caller() of kernel/printk/printk.c */
static const char *take_caller(const char *p, uint32_t *caller)
{
	uint64_t id;
	bool is_cpu;

	if (*p != '[')
		return NULL;
	p = behind_blanks(p + 1);
	is_cpu = *p == 'C';
	if (*p != 'T' && !is_cpu)
		return NULL;
	p = log_take_decimal(p + 1, &id);
	if (!p || *p != ']' || id >= LOG_CALLER_CPU)
		return NULL;
	*caller = (uint32_t)id | (is_cpu ? LOG_CALLER_CPU : 0);
	return p + 1;
}

/*
 * dmesg of util-linux has a blank before the caller. Both pad it, and what a module has in brackets before its words
 * is short.
 */
static const char *behind_caller(const char *p, struct log_line *ret)
{
	const char *at = p + (*p == ' '), *rest = take_caller(at, &ret->caller);
	bool is_adjacent = rest && at == p && ret->has_ts;

	if (!rest || (!is_adjacent && at[1] != ' ' && rest - at < CALLER_WIDTH + 2)) {
		rest = log_behind_context(p, &ret->caller, &ret->has_caller);
		return rest ?: p;
	}
	ret->has_caller = true;
	return rest;
}

/* A date and time of day; of the year 0 and the month -1 nothing is known. */
static const struct tm no_date = { .tm_mon = -1 };

/* Which of the words of three letters it is; -1: none. */
static int word_of(const char *p, const char *words)
{
	for (int i = 0; words[3 * i]; i++)
		if (!strncmp(p, words + 3 * i, 3))
			return i;
	return -1;
}

static const char *take_month(const char *p, struct tm *t)
{
	t->tm_mon = word_of(p, "JanFebMarAprMayJunJulAugSepOctNovDec");
	return t->tm_mon < 0 ? NULL : p + 3;
}

static const char *take_day(const char *p, struct tm *t)
{
	uint64_t day;

	p = log_take_decimal(behind_blanks(p), &day);
	t->tm_mday = p && day <= 31 ? (int)day : 0;
	return p && day <= 31 ? p : NULL;
}

static const char *take_weekday(const char *p)
{
	return word_of(p, "MonTueWedThuFriSatSun") >= 0 && p[3] == ' ' ? p + 4 : NULL;
}

/* Digits where a pattern has '9', else its characters; NULL: the text differs. */
static const char *take_pattern(const char *p, const char *pattern)
{
	for (; *pattern; p++, pattern++)
		if (*pattern == '9' ? !isdigit((unsigned char)*p) : *p != *pattern)
			return NULL;
	return p;
}

static const char *take_fraction(const char *p)
{
	return *p == '.' || *p == ',' ? p + 1 + strspn(p + 1, "0123456789") : p;
}

/* "04:42:26", with a fraction or not */
static const char *take_clock(const char *p, struct tm *t)
{
	if (!take_pattern(p, "99:99:99"))
		return NULL;
	sscanf(p, "%2d:%2d:%2d", &t->tm_hour, &t->tm_min, &t->tm_sec);
	return take_fraction(p + strlen("99:99:99"));
}

/* "Nov 23 04:42:26 ", "Nov 23 2026 04:42:26 " */
static const char *take_short_date(const char *p, struct tm *t)
{
	p = take_month(p, t);
	p = p && *p == ' ' ? take_day(p, t) : NULL;
	if (!p || *p != ' ')
		return NULL;
	if (take_pattern(p + 1, "9999 ")) {
		sscanf(p + 1, "%4d", &t->tm_year);
		p += strlen(" 9999");
	}
	p = take_clock(p + 1, t);
	return p && *p == ' ' ? p + 1 : NULL;
}

/* "9月 03 04:42:26 ", "janv. 23 04:42:26 ": months of other languages; of one that is unknown there is no date */
static const char *take_foreign_date(const char *p, struct tm *t)
{
	size_t month = strcspn(p, " [");
	const char *rest = p + month;

	if (!month || month > 12 || *rest != ' ')
		return NULL;
	for (size_t i = 0; i < month; i++)
		if (ispunct((unsigned char)p[i]) && p[i] != '.')
			return NULL;
	t->tm_mon = log_month(p, month);
	rest = take_day(rest, t);
	rest = rest && *rest == ' ' ? take_clock(rest + 1, t) : NULL;
	return rest && *rest == ' ' ? rest + 1 : NULL;
}

/* "2026-11-23T04:42:26.123456", also with a blank */
static const char *take_iso(const char *p, struct tm *t)
{
	if (!take_pattern(p, "9999-99-99") || (p[10] != 'T' && p[10] != ' '))
		return NULL;
	sscanf(p, "%4d-%2d-%2d", &t->tm_year, &t->tm_mon, &t->tm_mday);
	t->tm_mon--;
	return take_clock(p + strlen("9999-99-99T"), t);
}

/* "2026-11-23T04:42:26.123456+01:00 ", "Mon 2026-11-23 04:42:26 UTC " */
static const char *take_iso_date(const char *p, struct tm *t)
{
	const char *weekday = take_weekday(p);

	p = take_iso(weekday ? weekday : p, t);
	if (!p)
		return NULL;
	if (*p == '+' || *p == '-' || *p == 'Z')
		p += strspn(p, "+-Z:0123456789");
	else if (weekday && *p == ' ')
		p += 1 + strcspn(p + 1, " ");
	return *p == ' ' ? p + 1 : NULL;
}

/* "2026-11-23T04:42:26,123456+01:00 " of dmesg --time-format iso, which has the comma, and no host behind it */
static bool is_of_dmesg(const char *p)
{
	p = take_pattern(p, "9999-99-99T99:99:99,999999");
	return p && (*p == '+' || *p == '-') && take_pattern(p + 1, "99:99 ");
}

/* "1763872946.123456 " of short-unix */
static const char *take_unix_date(const char *p, struct tm *t)
{
	uint64_t ns;
	time_t s;

	p = take_pattern(p, "9999999999.") ? take_seconds(p, &ns) : NULL;
	if (!p || *p != ' ')
		return NULL;
	s = (time_t)(ns / NS_PER_S);
	gmtime_r(&s, t);
	t->tm_year += 1900;
	return p + 1;
}

/* "[2026-11-23T04:42:26.123456789Z]: " */
static const char *take_iso_stamp(const char *p, struct tm *t)
{
	p = take_iso(p, t);
	if (!p)
		return NULL;
	p += strspn(p, "+-Z:0123456789");
	if (*p != ']')
		return NULL;
	return p + 1 + (p[1] == ':');
}

/* "二 11月 23 04:42:26 2026] ": so it ends in any language; of a month that is unknown there is no date */
static const char *take_foreign_stamp(const char *p, struct tm *t)
{
	static const char pattern[] = " 99:99:99 9999]";
	size_t n = strcspn(p, "]"), len = strlen(pattern);

	if (n >= 40 || n < len || !take_pattern(p + n + 1 - len, pattern))
		return NULL;
	if (!log_month_date(behind_blanks(p + strcspn(p, " ]")), t))
		*t = no_date;
	return p + n + 1;
}

/* "Mon Nov 23 04:42:26 2026] " of dmesg -T */
static const char *take_stamp_of_week(const char *p, struct tm *t)
{
	const char *month = take_weekday(p), *rest, *clock;

	rest = month ? take_month(month, t) : NULL;
	rest = rest ? strchr(rest, ']') : NULL;
	clock = rest && rest - p < 40 ? strchr(month, ':') : NULL;
	if (!clock || clock > rest || !take_pattern(clock, ":99:99"))
		return NULL;
	if (sscanf(month + 3, " %2d %2d:%2d:%2d %4d", &t->tm_mday, &t->tm_hour, &t->tm_min,
		   &t->tm_sec, &t->tm_year) != 5)
		*t = no_date;
	return rest + 1;
}

/* "Nov23 04:42] " of dmesg -H: seconds are those of other lines */
static const char *take_minute(const char *p, struct tm *t)
{
	p = take_month(p, t);
	p = p ? take_day(p, t) : NULL;
	t->tm_mon = -1;
	return p ? take_pattern(p, " 99:99]") : NULL;
}

/* "  +0.000004] " of dmesg -H */
static const char *take_difference(const char *p, struct tm *t NOT_USED)
{
	const char *rest;

	p = behind_blanks(p);
	if (*p != '+')
		return NULL;
	rest = p + 1 + strspn(p + 1, "0123456789.");
	return rest > p + 1 && *rest == ']' ? rest + 1 : NULL;
}

typedef const char *take_time(const char *p, struct tm *t);

static take_time *const dates[] = { take_short_date, take_iso_date, take_unix_date,
				    take_foreign_date, NULL };
static take_time *const stamps[] = { take_iso_stamp, take_stamp_of_week, take_foreign_stamp,
				     take_minute,    take_difference,	 NULL };

/* Of no year it is one with a 29th of February, and year 0 of has_year. */
static void set_date(struct log_line *ret, struct tm *t)
{
	if (t->tm_mon < 0 || t->tm_mon > 11 || !t->tm_mday)
		return;
	ret->has_year = t->tm_year;
	t->tm_year = (t->tm_year ? t->tm_year : 1972) - 1900;
	ret->date_s = t->tm_year >= 70 ? (uint64_t)timegm(t) : 0;
}

static const char *take_one_of(take_time *const *forms, const char *p, struct log_line *ret)
{
	const char *rest = NULL;

	for (; *forms && !rest; forms++) {
		struct tm t = no_date;

		rest = (*forms)(p, &t);
		if (rest)
			set_date(ret, &t);
	}
	return rest;
}

/* "<4>"; *of_user: another facility than the kernel's. */
static const char *take_level(const char *p, bool *of_user)
{
	uint64_t level;

	if (*p != '<')
		return NULL;
	p = log_take_decimal(p + 1, &level);
	if (!p || *p != '>' || level > 1023)
		return NULL;
	*of_user = level >> FACILITY_SHIFT != 0;
	return p + 1;
}

static bool is_level(const char *p, size_t len)
{
	static const char *const levels[] = { "emerg", "alert",	  "crit",   "err",  "error",
					      "warn",  "warning", "notice", "info", "debug" };

	return ANY_OF(i, ARRAY_SIZE(levels),
		      strlen(levels[i]) == len && !strncmp(p, levels[i], len));
}

/* "kern  :warn  : " of dmesg -x, "kern:    info: " */
static const char *take_names(const char *p, bool *of_user)
{
	size_t len = strspn(p, "abcdefghijklmnopqrstuvwxyz0123456789");
	const char *rest = behind_blanks(p + len);
	bool is_kernel = len == 4 && !strncmp(p, "kern", len);

	if (!len || len > 8 || *rest != ':' || rest - p > 8)
		return NULL;
	p = behind_blanks(rest + 1);
	len = strspn(p, "abcdefghijklmnopqrstuvwxyz");
	rest = behind_blanks(p + len);
	if (!is_level(p, len) || rest[0] != ':' || rest[1] != ' ')
		return NULL;
	*of_user = !is_kernel;
	return rest + 2;
}

/* "6.12.95,4,1234,337614278,-;text": netconsole has the release there when it is asked to. */
static const char *behind_release(const char *p)
{
	size_t len = strcspn(p, ", ;");

	return isdigit((unsigned char)*p) && p[len] == ',' && memchr(p, '.', len) ? p + len + 1 : p;
}

/* "4,1234,337614278,-,caller=T1;text" of /dev/kmsg: times are in microseconds */
static bool take_kmsg(const char *p, struct log_line *ret)
{
	uint64_t level, sequence, us;
	const char *rest = log_take_decimal(behind_release(p), &level), *end, *caller;

	rest = rest && *rest == ',' ? log_take_decimal(rest + 1, &sequence) : NULL;
	rest = rest && *rest == ',' ? log_take_decimal(rest + 1, &us) : NULL;
	if (!rest || *rest != ',' || us > UINT64_MAX / 1000)
		return false;
	end = strchr(rest, ';');
	if (!end || end - rest > 64)
		return false;
	ret->kind = level >> FACILITY_SHIFT ? LOG_LINE_OTHER : LOG_LINE_KERNEL;
	ret->has_ts = ret->has_sequence = true;
	ret->sequence = sequence;
	ret->ts_ns = us * 1000;
	caller = strstr(rest, ",caller=");
	if (caller && caller < end && (caller[8] == 'T' || caller[8] == 'C')) {
		uint64_t id;

		ret->has_caller = log_take_decimal(caller + 9, &id) && id < LOG_CALLER_CPU;
		if (ret->has_caller)
			ret->caller = (uint32_t)id | (caller[8] == 'C' ? LOG_CALLER_CPU : 0);
	}
	ret->text = end + 1;
	ret->is_escaped = true;
	return true;
}

/* "kern.warn ", which BusyBox has before the name of a program */
static const char *behind_facility(const char *p)
{
	const char *rest = log_after(p, "kern.");

	rest = rest ? rest + strspn(rest, "abcdefghijklmnopqrstuvwxyz") : p;
	return rest > p && *rest == ' ' ? rest + 1 : p;
}

/* "kernel: " where a line has no host, "[kernel] " of metalog */
static const char *behind_name(const char *p)
{
	const char *rest = log_after(p, "kernel: "), *end = *p == '{' ? strstr(p, "} ") : NULL;

	/* "{host="box", job="kernel"} " of logcli */
	if (end && log_find(p, "\"kernel\"") && log_find(p, "\"kernel\"") <= end)
		return end + 2;
	return rest ?: log_after(p, "[kernel] ");
}

/* "Nov 23 04:42:26 2026 kernel: : [": a year where a host would be, and a second colon. */
static bool is_year(const char *p, size_t len)
{
	return len == 4 && strspn(p, "0123456789") == 4 && (*p == '1' || *p == '2');
}

/* "host kernel: ": what follows; NULL: another program's line. */
static const char *take_host(const char *p, char host[LOG_HOST])
{
	size_t len = strcspn(p, " ");
	const char *rest = p + len;

	if (behind_name(p) && !log_after(p, "kernel: kernel: "))
		return behind_name(p);
	if (!len || len >= LOG_HOST || *rest != ' ')
		return NULL;
	rest = log_after(behind_facility(rest + 1), "kernel");
	if (!rest)
		return NULL;
	if (*rest == '[')
		rest += strcspn(rest, "]") + (strchr(rest, ']') != NULL);
	/* RFC 5424 has an id of the process, one of the message, and data in its place. */
	if (log_after(rest, " - - -"))
		rest += strlen(" - - ");
	else if (*rest != ':')
		return NULL;
	if (rest[1] != ' ')
		return NULL;
	if (!is_year(p, len))
		log_copy(host, LOG_HOST, p, len);
	return rest + (log_after(rest, ": : [") ? strlen(": : ") : 2);
}

/* "host name[123]: " */
static bool has_tag(const char *p)
{
	const char *tag = strchr(p, ' '), *end = tag ? strchr(tag + 1, ' ') : NULL;

	return end && end - tag > 2 && end[-1] == ':';
}

/* The stamp and the caller of printk, and the blank behind them. */
static const char *take_printk(const char *p, struct log_line *ret)
{
	const char *rest = take_stamp(p, &ret->ts_ns);

	if (!rest)
		return NULL;
	ret->has_ts = true;
	rest = behind_caller(rest, ret);
	return rest + (*rest == ' ');
}

/* The caller where no stamp of the kernel is before it, and the blank behind it. */
static const char *behind_bare_caller(const char *p, struct log_line *ret)
{
	const char *rest = behind_caller(p, ret);

	return ret->has_caller ? rest + (*rest == ' ') : p;
}

static void take_syslog(const char *p, struct log_line *ret)
{
	const char *text = take_host(p, ret->host), *rest;

	/* A terminal server, or a tool, has its own clock before the kernel's. */
	rest = text ? NULL : take_printk(behind_blanks(p), ret);
	if (rest) {
		ret->kind = LOG_LINE_KERNEL;
		ret->text = rest;
		return;
	}
	ret->is_syslog = true;
	ret->is_program = !text && has_tag(p);
	ret->kind = text ? LOG_LINE_KERNEL : LOG_LINE_OTHER;
	ret->text = text ? text : p;
	if (!text)
		return;
	rest = take_printk(behind_blanks(text), ret);
	ret->text = rest ? rest : behind_bare_caller(text, ret);
}

/* journalctl -o short-monotonic has the host behind the stamp, of lines of all programs. */
static void take_monotonic(const char *host, struct log_line *ret)
{
	const char *text = take_host(ret->text, ret->host);
	size_t len = strlen(host);

	if (text) {
		ret->text = text;
		ret->is_syslog = ret->is_monotonic = true;
	} else if (len && !strncmp(ret->text, host, len) && ret->text[len] == ' ') {
		ret->kind = LOG_LINE_OTHER;
		ret->is_program = has_tag(ret->text);
	}
}

void log_line_parse(const char *line, const char *host, struct log_line *ret)
{
	const char *p = line + strspn(line, " \t>|"), *rest, *text;
	bool of_user = false;

	*ret = (struct log_line){ .kind = LOG_LINE_BARE, .text = line };
	rest = take_level(p, &of_user);
	p = rest ? rest : p;
	if (!rest && (rest = take_names(p, &of_user)))
		p = rest;
	/* Behind the level RFC 5424 has its version. */
	text = take_one_of(dates, rest && p[0] == '1' && p[1] == ' ' ? p + 2 : p, ret);
	if (text) {
		take_syslog(text, ret);
		if (ret->kind == LOG_LINE_OTHER && is_of_dmesg(p)) {
			ret->kind = LOG_LINE_KERNEL;
			ret->text = behind_bare_caller(text, ret);
			ret->is_syslog = ret->is_program = false;
		}
	} else if ((text = take_printk(p, ret))) {
		ret->kind = LOG_LINE_KERNEL;
		ret->text = text;
		take_monotonic(host, ret);
	} else if (*p == '[' && (text = take_one_of(stamps, p + 1, ret))) {
		ret->kind = LOG_LINE_KERNEL;
		rest = take_printk(behind_blanks(text), ret);
		text = rest ? rest : behind_caller(text, ret);
		ret->text = text + (!rest && *text == ' ');
	} else if ((text = log_after(p, "kernel: "))) {
		rest = take_printk(text, ret);
		/* Any program may have the word. */
		ret->kind = rest ? LOG_LINE_KERNEL : LOG_LINE_BARE;
		ret->text = rest ? rest : behind_bare_caller(text, ret);
	} else if (!take_kmsg(p, ret)) {
		if (rest) {
			ret->kind = LOG_LINE_KERNEL;
			ret->text = behind_bare_caller(p, ret);
		} else if (*p == '[' && (text = behind_bare_caller(p, ret)) != p) {
			ret->text = text;
		} else if (*line == ' ' || *line == '\t') {
			ret->kind = LOG_LINE_MORE;
		}
	}
	if (of_user)
		ret->kind = LOG_LINE_OTHER;
}

const char *log_line_inside(const char *line)
{
	uint64_t ns;

	for (const char *p = line; (p = strchr(p, '[')); p++)
		if (p != line && take_stamp(p, &ns))
			return p;
	return NULL;
}
