// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/baseline_name.h"

/* "stack of 55(kswapd0)" is "stack of kswapd0", "chunk 0xff1bf37b81b08f00" is "chunk" */
static void strip_numbers(char *name)
{
	char *hex = strstr(name, " 0x"), *open = strchr(name, '('), *close, *from = open;

	if (hex) {
		char *end = hex + 3 + strspn(hex + 3, "0123456789abcdef");

		memmove(hex, end, strlen(end) + 1);
		return;
	}
	while (from && from > name && from[-1] >= '0' && from[-1] <= '9')
		from--;
	close = open ? strchr(open, ')') : NULL;
	if (!close || from == open)
		return;
	memmove(close, close + 1, strlen(close));
	memmove(from, open + 1, strlen(open));
}

/* "seccomp 19 filters of 5 threads" is "seccomp" */
static void strip_counts(char *name)
{
	for (char *at = strchr(name, ' '); at; at = strchr(at + 1, ' ')) {
		const size_t digits = strspn(at + 1, "0123456789,");

		if (digits && at[1 + digits] == ' ') {
			*at = '\0';
			return;
		}
	}
}

/* "buffers [keeper]", a root */
static bool has_module(const struct strbuf *b, const char *module)
{
	const char *at = strrchr(b->buf, '[');
	size_t len = strlen(module);

	return at && !strncmp(at + 1, module, len) && !strcmp(at + 1 + len, "]");
}

/* A part of a name: "DMA32", "node 1", of a function its module as "[leaky]". */
static void add_part(struct strbuf *b, enum column_id column, const struct cell *cell,
		     const char *instead)
{
	const char *text = instead ?: cell_words(cell), *between = strbuf_between(b, " ");

	if (cell->kind == CELL_INT && !text)
		strbuf_add(b, "%s%s %ld", between, column_catalogue[column].name, cell->i);
	else if (text && (column != COLUMN_module || !b->len))
		strbuf_add(b, "%s%s", between, text);
	else if (text && strcmp(text, "vmlinux") && !has_module(b, text))
		strbuf_add(b, "%s[%s]", between, text);
}

const char *baseline_name(const struct baseline_diff *d, const struct baseline_side *s,
			  const struct baseline_row *row, char *buf)
{
	struct strbuf b = strbuf_in(buf, BASELINE_NAME);

	if (row->rest)
		return row->rest;
	for (size_t i = 0; d->by[i]; i++) {
		const char *instead = NULL;

		if (d->baseline->instead && d->by[i] == d->baseline->by[0][0])
			instead = cell_words(&row->cells[baseline_index(s, d->baseline->instead)]);
		add_part(&b, d->by[i], &row->cells[baseline_index(s, d->by[i])], instead);
	}
	if (d->baseline->strips_numbers)
		strip_numbers(buf);
	if (d->baseline->strips_counts)
		strip_counts(buf);
	return b.len ? buf : NULL;
}

/* The digits of "0xffffffffc03850e0 [leaky]", "0xffffffffc03850e0 [gone]": text that no symbol names; 0: another name. */
static size_t text_address(const char *name)
{
	size_t len = name && !strncmp(name, "0x", 2) ? 2 + strspn(name + 2, "0123456789abcdef") : 0;

	return len > 2 && !strncmp(name + len, " [", 2) ? len : 0;
}

size_t baseline_name_bytes(const char *name)
{
	return text_address(name) ?: name ? strlen(name) + 1 : 0;
}

bool baseline_name_is_better(const char *name, const char *known)
{
	return text_address(name) && known && strstr(known, " [gone]") && !strstr(name, " [gone]");
}
