// SPDX-License-Identifier: GPL-2.0-or-later
#include "socket_states.h"

#include <stdlib.h>

#include "util/units.h"

#define STATES 64 /* of all protocols: each has a few of the 13 of TCP */
#define MANY 10	  /* sockets: whose few are is a row for each */
#define UNKNOWN "unknown"

struct count {
	const char *protocol, *state;
	uint64_t n, of_protocol;
	const struct text_list *users; /* of the first */
	bool is_of_one;		       /* all have the same */
};

static bool is_same(const struct text_list *a, const struct text_list *b)
{
	return a && b && *a->text && !a->more && !a->is_open && !b->more && !b->is_open &&
	       !strcmp(a->text, b->text);
}

/* Protocols with most sockets first, of each the states by their number. */
static int by_number(const void *left, const void *right)
{
	const struct count *a = left, *b = right;

	if (a->of_protocol != b->of_protocol)
		return a->of_protocol < b->of_protocol ? 1 : -1;
	return strcmp(a->protocol, b->protocol)
		       ?: (a->n != b->n ? (a->n < b->n ? 1 : -1) : strcmp(a->state, b->state));
}

static void add(struct count *all, size_t *n, const struct socket *s)
{
	const char *protocol = s->protocol ?: UNKNOWN, *state = s->state ?: UNKNOWN;
	size_t i = 0;

	while (i < *n &&
	       (strcmp(all[i].state, state) != 0 || strcmp(all[i].protocol, protocol) != 0))
		i++;
	if (i == STATES)
		return;
	if (i == *n)
		all[(*n)++] = (struct count){
			.protocol = protocol, .state = state, .users = s->used_by, .is_of_one = true
		};
	all[i].n++;
	all[i].is_of_one &= is_same(all[i].users, s->used_by);
}

void socket_states_words(const struct sockets *x, struct strbuf *b)
{
	struct count all[STATES] = { 0 };
	uint64_t left = x->n;
	size_t n = 0;

	for (size_t i = 0; i < x->n; i++)
		add(all, &n, &x->all[i]);
	for (size_t i = 0; i < n; i++) {
		left -= all[i].n;
		all[i].of_protocol = 0;
		for (size_t k = 0; k < n; k++)
			all[i].of_protocol += strcmp(all[i].protocol, all[k].protocol) ? 0
										       : all[k].n;
	}
	qsort(all, n, sizeof(all[0]), by_number);
	for (size_t i = 0; i < n; i++) {
		const bool is_next = i && !strcmp(all[i].protocol, all[i - 1].protocol);

		strbuf_add(b, "%s%s%s%s %s", strbuf_between(b, is_next ? ", " : "; "),
			   is_next ? "" : all[i].protocol, is_next ? "" : " ", COUNT_TEXT(all[i].n),
			   all[i].state);
		if (all[i].is_of_one && all[i].n >= MANY)
			strbuf_add(b, " of %s", all[i].users->text);
	}
	if (left)
		strbuf_add(b, "; %s more", COUNT_TEXT(left));
}
