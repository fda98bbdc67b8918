/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Months as dates of other languages have them (abmon of a locale, which dmesg -T and syslog print). */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <time.h>

/*
 * 0 to 11, of the word of len bytes: "Okt", "nov.", "déc.", "мая", "9月"; -1: of none of these languages. What begins alike is
 * one month in all of them.
 */
int log_month(const char *word, size_t len);

/* "11月 23 04:42:26 2026", "23 nov. 04:42:26 2026" of French: of a month that is unknown tm_mon is -1; false: it is no date. */
bool log_month_date(const char *text, struct tm *t);
