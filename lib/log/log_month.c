// SPDX-License-Identifier: GPL-2.0-or-later
#include "log/log_month.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "log/log_file.h"

/* How they begin in German, French, Italian, Spanish, Portuguese, Dutch and Russian; those of English are among them. */
static const char *const months[12][8] = {
	{ "jan", "gen", "ene", "янв" },
	{ "feb", "fév", "fev", "фев" },
	{ "mar", "mär", "mrz", "mrt", "мар" },
	{ "apr", "avr", "abr", "апр" },
	{ "mai", "mag", "may", "mei", "мая", "май" },
	{ "jun", "juin", "giu", "июн" },
	{ "jul", "juil", "lug", "июл" },
	{ "aug", "aoû", "aou", "ago", "авг" },
	{ "sep", "set", "сен" },
	{ "oct", "okt", "ott", "out", "окт" },
	{ "nov", "ноя" },
	{ "dez", "déc", "dec", "dic", "дек" },
};

/* "9月" of Chinese and Japanese; -1: it is none. */
static int numbered(const char *word, size_t len)
{
	static const char sign[] = "月";
	const size_t digits = strspn(word, "0123456789");
	unsigned int n = 0;

	if (!digits || digits > 2 || len != digits + strlen(sign) ||
	    strncmp(word + digits, sign, strlen(sign)) != 0 || sscanf(word, "%2u", &n) != 1)
		return -1;
	return n >= 1 && n <= 12 ? (int)n - 1 : -1;
}

int log_month(const char *word, size_t len)
{
	char lower[32];

	if (!len || len >= sizeof(lower))
		return -1;
	for (size_t i = 0; i < len; i++)
		lower[i] = (char)((unsigned char)word[i] < 0x80 ? tolower(word[i]) : word[i]);
	lower[len] = '\0';
	for (int m = 0; m < 12; m++)
		for (size_t i = 0; months[m][i]; i++)
			if (!strncmp(lower, months[m][i], strlen(months[m][i])))
				return m;
	return numbered(lower, len);
}

bool log_month_date(const char *text, struct tm *t)
{
	const size_t first = strcspn(text, " ]");
	const char *second = text + first + strspn(text + first, " ");
	const bool is_day = first && strspn(text, "0123456789") == first;
	const size_t word = is_day ? strcspn(second, " ]") : first;
	const char *month = is_day ? second : text, *clock = is_day ? second + word : second;

	if (is_day ? sscanf(text, "%2d", &t->tm_mday) != 1 ||
			     sscanf(clock, " %2d:%2d:%2d %4d", &t->tm_hour, &t->tm_min, &t->tm_sec,
				    &t->tm_year) != 4
		   : sscanf(clock, "%2d %2d:%2d:%2d %4d", &t->tm_mday, &t->tm_hour, &t->tm_min,
			    &t->tm_sec, &t->tm_year) != 5)
		return false;
	t->tm_mon = log_month(month, word);
	return true;
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

#define NS_PER_S 1000000000ULL
#define BESIDE 2 /* seconds, by which dates of one moment may differ */

/* A clock that was set goes on from there. */
static bool is_ahead(const struct kernel_record *rec)
{
	const uint64_t before = rec[-1].date_s, now = rec->date_s, next = rec[1].date_s;

	return before && now > before + BESIDE && next + BESIDE >= before &&
	       next <= before + BESIDE;
}

/* Times do not go back, so that of a date that was ahead all behind it had. */
static void count_again(struct kernel_log *log, size_t from, uint64_t first_s)
{
	uint64_t newest = from ? log->records[from - 1].ts_ns : 0;

	for (size_t i = from; i < log->n; i++) {
		const uint64_t s = log->records[i].date_s;

		if (s > first_s && s - first_s < UINT32_MAX && (s - first_s) * NS_PER_S > newest)
			newest = (s - first_s) * NS_PER_S;
		log->records[i].ts_ns = newest;
	}
}

void log_dates_mend(struct kernel_log *log, uint64_t first_s)
{
	size_t first = 0;

	for (size_t i = 1; i + 1 < log->n; i++) {
		if (!is_ahead(&log->records[i]))
			continue;
		log->records[i].date_s = log->records[i - 1].date_s;
		first = first ? first : i;
	}
	if (first)
		count_again(log, first, first_s);
}
