// SPDX-License-Identifier: GPL-2.0-or-later
#include "kernel/flag_names.h"

#include "dump/layout.h"
#include "util/strbuf.h"

#define MAX_NAME 64 /* of a flag; the longest has some 20 */

static const struct layout_row rows[] = {
	{ "struct trace_print_flags", { "mask" }, REQUIRED, "all" },
	{ "struct trace_print_flags", { "name" }, REQUIRED, "all" },
};

static enum status read_entry(struct dump *d, const struct field *f, const uint8_t *raw,
			      struct flag_names *table)
{
	char name[MAX_NAME];
	enum status st = dump_string(d, field_get(&f[1], raw), name, sizeof(name),
				     "name of a flag");

	if (st != ST_OK)
		return st;
	table->flags[table->n].mask = field_get(&f[0], raw);
	table->flags[table->n].name = dump_strdup(d, name);
	table->n++;
	return ST_OK;
}

enum status flag_names_open(struct dump *d, const char *variable, struct flag_names *ret)
{
	uint64_t addr, size;
	struct field f[2];
	uint8_t *raw = NULL;
	enum status st = layout_resolve(d, rows, 2, f);

	ret->n = 0;
	if (st == ST_OK && (dump_ask(d, type_size, "struct trace_print_flags", &size) != ST_OK ||
			    size > dump_page_size(d) || layout_span(f, 2) > size))
		st = dump_unknown(d, "no size of trace_print_flags");
	if (st == ST_OK)
		raw = dump_alloc(d, size);
	st = st ?: dump_symbol(d, variable, &addr);
	while (st == ST_OK) {
		if (ret->n == FLAG_NAMES) {
			st = dump_corrupt(d, "%s has more than %d names", variable, FLAG_NAMES);
			break;
		}
		st = dump_read(d, addr + ret->n * size, raw, size, variable);
		if (st == ST_OK && !field_get(&f[1], raw))
			return ST_OK;
		st = st ?: read_entry(d, f, raw, ret);
	}
	ret->n = 0;
	return st;
}

size_t flag_names_text(const struct flag_names *t, uint64_t mask, char *buf, size_t size)
{
	struct strbuf s = strbuf_in(buf, size);

	/* Greedy, and compound names come first. */
	for (unsigned int i = 0; mask && i < t->n; i++) {
		if ((mask & t->flags[i].mask) != t->flags[i].mask)
			continue;
		mask &= ~t->flags[i].mask;
		strbuf_add(&s, "%s%s", t->flags[i].name, mask ? "|" : "");
	}
	if (mask)
		strbuf_add(&s, "0x%lx", mask);
	return s.len;
}
