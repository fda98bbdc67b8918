// SPDX-License-Identifier: GPL-2.0-or-later
#include "named.h"

#include <stdlib.h>

#define ASKED_LAST " asked last" /* of summary_trigger() */

static bool is_of_cause(const char *label, const char *text)
{
	static const char *const labels[] = { "verdict", "holder", "stuck", "limit", "frees it" };

	/* Who asked last is a victim, if it has not to do with the holder. */
	return ANY_OF(i, ARRAY_SIZE(labels), !strcmp(label, labels[i])) ||
	       (!strcmp(label, "trigger") && (strstr(text, " is the holder") ||
					      strstr(text, " has open, or maps, what is named")));
}

void page_named_take(struct page_named *a, const char *label, const char *text)
{
	/* Behind who asked last stand those that were killed for it. */
	const char *asked = strstr(text, ASKED_LAST);

	if (!a->text.buf)
		a->text = STRBUF(a->room);
	if (*label)
		a->is_taken = is_of_cause(label, text);
	if (a->is_taken)
		strbuf_add(&a->text, "%.*s\n", (int)(asked ? (size_t)(asked - text) : strlen(text)),
			   text);
}

void page_named_find(struct page_named *a)
{
	if (a->text.buf)
		task_names_find(a->dump, a->text.buf, &a->names);
}

bool page_named_are_many(const char *command)
{
	static const char start[] = "memowner stuck -a -g ";

	return !strncmp(command, start, sizeof(start) - 1);
}

bool page_named_answers(const struct page_named *a, const char *command)
{
	static const char start[] = "memowner stuck -a ", key[] = " -f tgid=";
	const char *at = strstr(command, key);

	/* Of very many threads the groups say most. */
	if (strncmp(command, start, sizeof(start) - 1) != 0 || !at || strstr(command, " -X ") ||
	    page_named_are_many(command))
		return false;
	at += sizeof(key) - 1;
	for (;;) {
		char *end;
		const long tgid = strtol(at, &end, 10);

		if (end == at || !ANY_OF(i, a->names.n, a->names.all[i].tgid == tgid))
			return false;
		if (*end != ',')
			return !*end || *end == ' ';
		at = end + 1;
	}
}

const char *page_named_tgids(const struct page_named *a)
{
	struct strbuf b = STRBUF_OF(TASK_NAMES * 16);

	for (size_t i = 0; i < a->names.n; i++)
		strbuf_add(&b, "%s%d", strbuf_between(&b, ","), a->names.all[i].tgid);
	return a->names.n ? arena_strdup(a->dump->arena, b.buf) : NULL;
}

const char *page_named_words(const struct page_named *a)
{
	struct strbuf b = STRBUF_OF(TASK_NAMES * 48);

	for (size_t i = 0; i < a->names.n; i++)
		strbuf_add(&b, "%s%s (%d)", strbuf_between(&b, ", "), a->names.all[i].comm,
			   a->names.all[i].tgid);
	return a->names.n ? arena_strdup(a->dump->arena, b.buf) : NULL;
}
