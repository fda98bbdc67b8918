// SPDX-License-Identifier: GPL-2.0-or-later
/* Members of a structure, named by gdb's text of it, placed by debug information. */
#include <ctype.h>

#include "kgtp.h"

#define TYPE_TEXT 65536
#define MAX_DEPTH 16	 /* structures in each other */
#define MAX_MEMBERS 4096 /* of one structure */
#define MEMBER_NAME 128

struct parser {
	struct dump *dump;
	struct kgtp_type *type;
	size_t open[MAX_DEPTH]; /* members before each bracket that is open */
	unsigned int depth;
};

static bool is_name(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

/* The name that ends at end; empty: there is none. */
static void name_before(const char *line, const char *end, char *ret)
{
	const char *start;
	size_t len;

	while (end > line && !is_name(end[-1]))
		end--;
	for (start = end; start > line && is_name(start[-1]); start--)
		;
	len = end - start;
	if (len >= MEMBER_NAME)
		len = 0;
	memcpy(ret, start, len);
	ret[len] = '\0';
}

/* "int (*name)(void);", "u8 name[16];", "u32 name : 3;", "} name;" */
static void member_name(const char *line, char *ret)
{
	const char *pointer = strstr(line, "(*"), *end;

	if (pointer) {
		pointer += 2;
		end = pointer + strcspn(pointer, ")[(");
		name_before(pointer, end, ret);
		return;
	}
	end = line + strcspn(line, "[:;");
	name_before(line, end, ret);
}

static void add(struct parser *p, const char *line)
{
	struct dump *d = p->dump;
	struct kgtp_type *t = p->type;
	bool is_bits = strchr(line, ':');
	char name[MEMBER_NAME];
	struct field f = { .present = false };

	member_name(line, name);
	if (!*name || t->n == MAX_MEMBERS)
		return;
	if ((is_bits ? d->ops->bits : d->ops->member)(d->priv, t->name, name, &f) == ST_OK)
		t->members[t->n++] = (struct kgtp_member){ dump_strdup(d, name), f };
}

static void parse_line(struct parser *p, const char *line)
{
	size_t len = strlen(line);

	while (*line == ' ' || *line == '\t')
		line++, len--;
	if (len && line[len - 1] == '{') {
		if (p->depth < MAX_DEPTH)
			p->open[p->depth] = p->type->n;
		p->depth++;
	} else if (*line == '}') {
		if (p->depth)
			p->depth--;
		/* With a name it is one member; without, its members are those of the outer one. */
		if (!p->depth || p->depth >= MAX_DEPTH || !strcmp(line, "};"))
			return;
		p->type->n = p->open[p->depth];
		add(p, line + 1);
	} else if (p->depth) {
		add(p, line);
	}
}

enum status kgtp_type_open(struct dump *d, const char *name, struct kgtp_type *ret)
{
	struct kgtp_type type = { 0 };
	struct parser p = { .dump = d, .type = &type };
	bool has_keyword = !strncmp(name, "struct ", 7) || !strncmp(name, "union ", 6);
	char *text, *rest, full[MEMBER_NAME + 8];

	if (strlen(name) >= MEMBER_NAME)
		return dump_usage(d, "-T takes a structure or union, not '%s'", name);
	snprintf(full, sizeof(full), "%s%s", has_keyword ? "" : "struct ", name);
	if (dump_ask(d, type_size, full, &type.size) != ST_OK && !has_keyword)
		snprintf(full, sizeof(full), "union %s", name);
	type.name = dump_strdup(d, full);
	type.members = dump_alloc(d, MAX_MEMBERS * sizeof(*type.members));
	text = dump_alloc(d, TYPE_TEXT);
	if (dump_ask(d, type_size, full, &type.size) != ST_OK || !type.size || !d->ops->type_text ||
	    dump_ask(d, type_text, full, text, TYPE_TEXT) != ST_OK)
		return dump_usage(d, "-T: debug information has no structure or union '%s'", name);
	for (char *line = strtok_r(text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest))
		parse_line(&p, line);
	*ret = type;
	return ST_OK;
}
