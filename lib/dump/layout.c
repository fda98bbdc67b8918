// SPDX-License-Identifier: GPL-2.0-or-later
#include "dump/layout.h"

static const char *resolve_row(struct dump *d, const char *type, const struct layout_row *row,
			       struct field *ret)
{
	const size_t max = ARRAY_SIZE(row->names);
	bool bits = row->need == REQUIRED_BITS || row->need == OPTIONAL_BITS;

	for (size_t i = 0; i < max && row->names[i]; i++)
		if ((bits ? d->ops->bits : d->ops->member)(d->priv, type, row->names[i], ret) ==
		    ST_OK)
			return row->names[i];
	memset(ret, 0, sizeof(*ret));
	return NULL;
}

/* "    u32 trie_node : 22;": the name, or NULL if the line declares none. */
static const char *member_name(char *line)
{
	char *end = line + strcspn(line, ";"), *name;

	if (!*end)
		return NULL;
	*end = '\0';
	line[strcspn(line, ":[")] = '\0';
	for (end = line + strlen(line); end > line && end[-1] == ' '; end--)
		end[-1] = '\0';
	name = end;
	while (name > line && name[-1] != ' ' && name[-1] != '*' && name[-1] != '}')
		name--;
	return *name ? name : NULL;
}

static bool type_lines(struct dump *d, const char *type, char *text, size_t size)
{
	return d->ops->type_text && dump_ask(d, type_text, type, text, size) == ST_OK;
}

static void note_line(struct dump *d, const char *line)
{
	if (!strncmp(line, "type = ", 7))
		line += 7;
	if (*line)
		decoder_trace(d, "type   %s", line);
}

void layout_trace_type(struct dump *d, const char *type)
{
	char text[4096], *line, *rest = text;

	if (!type_lines(d, type, text, sizeof(text)))
		return;
	while ((line = strsep(&rest, "\n")))
		note_line(d, line);
}

/* A type that is not as any kernel known had it: its members' names in the message. */
static enum status unknown(struct dump *d, const char *type, const char *missing)
{
	char text[4096], found[160] = "", *line, *rest = text;

	if (!type_lines(d, type, text, sizeof(text)))
		return dump_unknown(d, "%s has no member %s", type, missing);
	while ((line = strsep(&rest, "\n"))) {
		const char *name;
		size_t used = strlen(found);

		note_line(d, line);
		name = member_name(line);
		if (name && used + strlen(name) + 2 <= sizeof(found))
			snprintf(found + used, sizeof(found) - used, "%s%s", used ? " " : "", name);
	}
	return dump_unknown(d, "%s has no member %s, but: %s", type, missing, found);
}

enum status layout_resolve(struct dump *d, const struct layout_row *rows, size_t n,
			   struct field *ret)
{
	const char *structure = NULL, *missing = NULL, *missing_of = NULL;

	for (size_t i = 0; i < n; i++) {
		const struct layout_row *row = &rows[i];
		const char *type = row->type ? row->type : structure, *name;

		if (row->into.form == FORM_STRUCTURE) {
			structure = type;
			continue;
		}
		name = resolve_row(d, type, row, &ret[i]);
		if (!name) {
			decoder_trace(d, "member %s.%s absent [%s]", type, row->names[0],
				      row->since);
			if ((row->need == REQUIRED || row->need == REQUIRED_BITS) && !missing) {
				missing = row->names[0];
				missing_of = type;
			}
			continue;
		}
		if (ret[i].bit_size)
			decoder_trace(d, "member %s.%s at %u, bits %u..%u [%s]", type, name,
				      ret[i].offset, ret[i].bit_offset,
				      ret[i].bit_offset + ret[i].bit_size - 1, row->since);
		else
			decoder_trace(d, "member %s.%s at %u, %u bytes [%s]", type, name,
				      ret[i].offset, ret[i].size, row->since);
	}
	return missing ? unknown(d, missing_of, missing) : ST_OK;
}

size_t layout_span(const struct field *fields, size_t n)
{
	size_t span = 0;

	for (size_t i = 0; i < n; i++)
		if (fields[i].present && (size_t)fields[i].offset + fields[i].size > span)
			span = (size_t)fields[i].offset + fields[i].size;
	return span;
}

enum status layout_buffer(struct dump *d, const char *type, size_t bytes, struct layout_buffer *ret)
{
	uint8_t *raw;

	if (!bytes || bytes > LAYOUT_MAX)
		return dump_unknown(d, "%s, of which %zu bytes are read", type, bytes);
	raw = dump_alloc(d, bytes);
	*ret = (struct layout_buffer){ .raw = raw, .bytes = bytes };
	return ST_OK;
}

enum status layout_read(struct dump *d, uint64_t addr, const struct layout_buffer *b,
			const char *what)
{
	return dump_read(d, addr, b->raw, b->bytes, what);
}

static bool has_members(struct dump *d, const struct fork *fork)
{
	struct field f;

	for (unsigned int i = 0; i < FORK_MEMBERS && fork->members[i].type; i++)
		if (dump_ask(d, member, fork->members[i].type, fork->members[i].member, &f) !=
		    ST_OK)
			return false;
	return true;
}

static bool fits(struct dump *d, const struct fork *fork)
{
	int64_t value;

	return has_members(d, fork) &&
	       (!fork->enumerator || dump_ask(d, enumerator, fork->enumerator, &value) == ST_OK) &&
	       (!fork->symbol || dump_has_symbol(d, fork->symbol));
}

size_t fork_find(struct dump *d, const char *of, const struct fork *forks, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (!fits(d, &forks[i]))
			continue;
		decoder_trace(d, "fork   %s: %s [%s]", of, forks[i].form, forks[i].since);
		return i;
	}
	decoder_trace(d, "fork   %s: none that is known", of);
	return n;
}
