// SPDX-License-Identifier: GPL-2.0-or-later
#include "log/log_flood.h"

#include <ctype.h>
#include <string.h>

/* A report of memory that ran out, or one of all tasks, has some hundred lines of a form. */
#define FEW 400

/* How a line begins, without numbers: "IN=eth# OUT= MAC=", and what tells it from frames and rows of tables. */
#define FORM 24
#define LETTERS 6

static bool form_of(const char *text, char form[FORM])
{
	unsigned int n = 0, letters = 0;

	memset(form, 0, FORM);
	for (const char *p = text + strspn(text, " "); *p && n < FORM; p++) {
		if (isdigit((unsigned char)*p))
			continue;
		letters += !!isalpha((unsigned char)*p);
		form[n++] = *p;
	}
	return letters >= LETTERS;
}

/* The form that more than half of all have, if any has: each one of another form takes one of it away. */
static bool find_form(const struct kernel_log *log, char ret[FORM])
{
	size_t ahead = 0;

	for (size_t i = 0; i < log->n; i++) {
		const char *text = log->records[i].text;
		char form[FORM];

		if (!text)
			continue;
		form_of(text, form);
		if (!ahead)
			memcpy(ret, form, FORM);
		if (memcmp(ret, form, FORM) == 0)
			ahead++;
		else
			ahead--;
	}
	return ahead != 0;
}

void log_flood_find(const struct kernel_log *log, struct log_flood *ret)
{
	char most[FORM], form[FORM];

	memset(ret, 0, sizeof(*ret));
	if (!find_form(log, most))
		return;
	ret->has_dropped = log->has_dropped;
	for (size_t i = 0; i < log->n; i++) {
		const struct kernel_record *rec = &log->records[i];

		ret->all += rec->text != NULL;
		if (!rec->text || !form_of(rec->text, form) || memcmp(form, most, FORM) != 0)
			continue;
		ret->first = ret->first ?: rec;
		ret->last = rec;
		ret->n++;
	}
	if (ret->n < FEW || ret->n * 2 <= ret->all)
		ret->n = 0;
}
