/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Months as dates of other languages have them (abmon of a locale, which dmesg -T and syslog print). */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <time.h>

#include "log/kernel_log.h"

/*
 * 0 to 11, of the word of len bytes: "Okt", "nov.", "déc.", "мая", "9月"; -1: of none of these languages. What begins alike is
 * one month in all of them.
 */
int log_month(const char *word, size_t len);

/* "11月 23 04:42:26 2026", "23 nov. 04:42:26 2026" of French: of a month that is unknown tm_mon is -1; false: it is no date. */
bool log_month_date(const char *text, struct tm *t);

/*
 * Of lines that have no other time, a date that is ahead of those on both sides of it, where these are of the same moment: its
 * record gets the date and the time of the one before. first_s: the first date of the boot, from which ts_ns counts.
 */
void log_dates_mend(struct kernel_log *log, uint64_t first_s);
