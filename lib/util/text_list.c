// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/text_list.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define BETWEEN ", "
#define FIRST_ROOM 256
#define MAX_TEXT 128 /* bytes of one */

void text_lists_init(struct text_lists *l, struct arena *a)
{
	*l = (struct text_lists){ .arena = a };
	hash_bytes_init(&l->known, a, sizeof(struct text_list));
}

/* Room for some elements behind n of them: the old ones move. */
static void *grown(struct text_lists *l, const void *old, size_t bytes, size_t room)
{
	void *new = arena_alloc(l->arena, room);

	if (bytes)
		memcpy(new, old, bytes);
	return new;
}

static void put(struct text_lists *l, const char *text)
{
	size_t n = strlen(text);

	if (l->len + n + 1 > l->room) {
		l->room = 2 * (l->len + n + FIRST_ROOM);
		l->text = grown(l, l->text, l->len, l->room);
	}
	memcpy(l->text + l->len, text, n + 1);
	l->len += n;
}

static void begin_text(struct text_lists *l)
{
	if (l->n + 2 > l->nroom) {
		l->nroom = 2 * (l->n + FIRST_ROOM / 8);
		l->starts = grown(l, l->starts, l->n * sizeof(*l->starts),
				  l->nroom * sizeof(*l->starts));
	}
	if (l->n)
		put(l, BETWEEN);
	l->starts[l->n++] = l->len;
}

void text_lists_add(struct text_lists *l, const char *fmt, ...)
{
	char text[MAX_TEXT];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	begin_text(l);
	put(l, text);
}

static void put_end(struct strbuf *s, uint64_t more, bool is_open)
{
	if (more)
		strbuf_add(s, " and %lu more", more);
	if (is_open)
		strbuf_add(s, ", others unknown");
}

const struct text_list *text_lists_end(struct text_lists *l, uint64_t more, bool is_complete)
{
	bool is_open = l->n && !is_complete, is_new;
	struct hash_bytes_entry *e;
	struct text_list *list;
	struct strbuf s = STRBUF_OF(TEXT_LIST_TAIL);
	size_t named = l->len;

	put_end(&s, more, is_open);
	put(l, s.buf);
	e = hash_bytes_get(&l->known, l->text, l->len + 1, &is_new);
	list = e->value;
	l->cut += is_new && more;
	if (is_new)
		*list = (struct text_list){ (const char *)e->key, l->n, more, is_open, NULL };
	if (is_new && l->n) {
		l->starts[l->n] = named + strlen(BETWEEN);
		list->starts = grown(l, l->starts, (l->n + 1) * sizeof(*l->starts),
				     (l->n + 1) * sizeof(*l->starts));
	}
	l->len = 0;
	l->n = 0;
	return list;
}

void text_list_short(const struct text_list *l, unsigned int n, struct strbuf *s)
{
	if (n >= l->n) {
		strbuf_add(s, "%s", l->text);
		return;
	}
	if (n)
		strbuf_add(s, "%.*s", (int)(l->starts[n] - strlen(BETWEEN)), l->text);
	put_end(s, l->more + l->n - n, l->is_open);
}
