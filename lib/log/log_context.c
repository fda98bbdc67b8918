// SPDX-License-Identifier: GPL-2.0-or-later
#include "log/log_context.h"

#include <ctype.h>
#include <string.h>

#include "log/log_text.h"
#include "log/printk.h"

#define LONGEST 64 /* of a context, with the name of the task */
#define PID_WIDTH 6

/*
 * '#' is the number of a CPU, '@' that of a task, '*' its name, up to the last of what follows; ' ' is any number of
 * blanks, also none.
 */
struct form {
	const char *text;
	bool has_task;
};

static const struct form forms[] = {
	{ " (#)[@:*]", true },		  /* MediaTek */
	{ " -(#)[@:*]", true },		  /* the same, with interrupts off */
	{ "[pid:@,cpu#,in irq]", false }, /* HiSilicon, in an interrupt of that task */
	{ "[pid:@,cpu#,*]", true },	  /* HiSilicon */
	{ "[pid:@,cpu#,*][*]", true },	  /* with the time of day */
	{ " [#: *: @] ", true },	  /* Samsung */
	{ " I[#: *: @] ", true },	  /* Samsung, before 2016: I, W, E */
	{ " W[#: *: @] ", true },
	{ " E[#: *: @] ", true },
};

/* The end of a name: the last place before end at which the text goes on with c. */
static const char *last_of(const char *p, char c)
{
	const char *found = NULL;

	for (unsigned int i = 0; i < LONGEST && p[i] && p[i] != '\n'; i++) {
		if (p[i] == c)
			found = p + i;
		if (p[i] == ']')
			break;
	}
	return found;
}

static const char *take_form(const char *p, const struct form *f, uint64_t *cpu, uint64_t *task)
{
	for (const char *c = f->text; *c; c++) {
		if (*c == ' ')
			p += strspn(p, " ");
		else if (*c == '#' || *c == '@')
			p = log_take_decimal(p, *c == '#' ? cpu : task);
		else if (*c == '*')
			p = last_of(p, c[1]);
		else
			p = *p == *c ? p + 1 : NULL;
		if (!p)
			return NULL;
	}
	return p;
}

/* "c0    123 text" of Motorola and others: the task has its field padded. */
static const char *take_padded(const char *p, uint64_t *task)
{
	uint64_t cpu;
	const char *field, *end;

	p += strspn(p, " ");
	field = *p == 'c' ? log_take_decimal(p + 1, &cpu) : NULL;
	if (!field || *field++ != ' ' || *field != ' ')
		return NULL;
	end = log_take_decimal(field + strspn(field, " "), task);
	return end && *end == ' ' && end - field >= PID_WIDTH ? end + 1 : NULL;
}

const char *log_behind_context(const char *text, uint32_t *caller, bool *has_caller)
{
	uint64_t cpu = 0, task = 0;
	const char *rest = take_padded(text, &task);
	bool has_task = true;

	for (size_t i = 0; !rest && i < ARRAY_SIZE(forms); i++) {
		rest = take_form(text, &forms[i], &cpu, &task);
		has_task = forms[i].has_task;
	}
	if (!rest || task >= LOG_CALLER_CPU || cpu >= LOG_CALLER_CPU)
		return NULL;
	*has_caller = true;
	*caller = has_task ? (uint32_t)task : (uint32_t)cpu | LOG_CALLER_CPU;
	return rest;
}
