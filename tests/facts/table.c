// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The table of facts. One form of a structure stands once, with the kernels that have it, so that what
 * changed from release to release stands side by side:
 *
 *	kernel 3 NAME ARCH btf|order symbols|assumed
 *	struct page<TAB>64<TAB>@0-3,7
 *	<TAB>flags<TAB>0<TAB>8<TAB>long unsigned int         member, offset, bytes, type, type behind it
 *	<TAB>inuse<TAB>b320:16<TAB>4<TAB>unsigned int        a bit field: bit offset, bits
 *	enum pageflags<TAB>0<TAB>@5
 *	<TAB>PG_locked<TAB>0
 *	signature gfp_to_alloc_flags<TAB>@0-2<TAB>unsigned int (gfp_t)
 *	symbol jiffies<TAB>@0-56
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "facts.h"

#define WORDS (TABLE_KERNELS / 64)

struct kernel_set {
	uint64_t bits[WORDS];
};

struct table_form {
	struct fact_type type;
	struct kernel_set kernels;
	struct table_form *next;
};

static bool in_set(const struct kernel_set *s, unsigned int i)
{
	return s->bits[i / 64] >> i % 64 & 1;
}

/* "@0-3,7" */
static bool parse_set(const char *p, unsigned int n, struct kernel_set *ret)
{
	*ret = (struct kernel_set){ 0 };
	if (*p != '@')
		return false;
	do {
		char *end;
		unsigned long from = strtoul(p + 1, &end, 10), to = from;

		if (end == p + 1)
			return false;
		if (*end == '-')
			to = strtoul(end + 1, &end, 10);
		if (to >= n || to < from)
			return false;
		for (; from <= to; from++)
			ret->bits[from / 64] |= 1ULL << from % 64;
		p = end;
	} while (*p == ',');
	return !*p;
}

static unsigned int number_of(const struct facts *f)
{
	const struct facts_table *t = f->source;

	return f >= t->kernels && f < t->kernels + TABLE_KERNELS ? f - t->kernels : 0;
}

static void *value_of(struct hash_bytes *h, const char *key)
{
	bool is_new;
	struct hash_bytes_entry *e = hash_bytes_get(h, key, strlen(key) + 1, &is_new);

	return e ? e->value : NULL;
}

static const struct fact_type *table_type(struct facts *f, const char *name, unsigned int nth)
{
	struct facts_table *t = f->source;
	struct table_form **first = value_of(&t->types, name);

	for (struct table_form *form = first ? *first : NULL; form; form = form->next)
		if (in_set(&form->kernels, number_of(f)) && !nth--)
			return &form->type;
	return NULL;
}

static bool table_symbol(struct facts *f, const char *name)
{
	struct facts_table *t = f->source;
	struct kernel_set *set = value_of(&t->symbols, name);

	return set && in_set(set, number_of(f));
}

/* Enumerators are kept like symbols, as forms of a type that has their name alone. */
static bool table_enumerator(struct facts *f, const char *name, int64_t *ret)
{
	const struct fact_type *type = table_type(f, name, 0);

	if (type)
		*ret = type->facts[0].value;
	return type;
}

static const char *table_signature(struct facts *f, const char *name)
{
	char text[128];
	const struct fact_type *t;

	snprintf(text, sizeof(text), "signature %s", name);
	t = table_type(f, text, 0);
	return t ? t->facts[0].type : NULL;
}

static bool add_form(struct facts_table *t, const char *name, const struct table_form *form)
{
	struct table_form **at = value_of(&t->types, name);
	struct table_form *copy = arena_alloc(t->arena, sizeof(*copy));

	if (!at || !copy)
		return false;
	while (*at)
		at = &(*at)->next;
	*copy = *form;
	copy->next = NULL;
	*at = copy;
	return true;
}

static char *cut(char **rest)
{
	char *p = strsep(rest, "\t");

	return p ? p : (char *)"";
}

static bool parse_fact(char *line, bool is_enum, struct fact *ret)
{
	char *rest = line, *place, *end;
	struct fact f = { .name = cut(&rest) };

	place = cut(&rest);
	if (is_enum) {
		f.value = strtoll(place, &end, 0);
		*ret = f;
		return end != place && !*end;
	}
	f.bytes = strtoul(cut(&rest), NULL, 10);
	f.type = cut(&rest);
	f.behind = cut(&rest);
	if (*place == 'b') {
		f.bit_offset = strtoul(place + 1, &end, 10);
		if (*end != ':')
			return false;
		f.bits = strtoul(end + 1, &end, 10);
	} else {
		f.bit_offset = strtoul(place, &end, 10) * 8;
	}
	*ret = f;
	return !*end && *f.name && *f.type;
}

static bool add_kernel(struct facts_table *t, const char *line)
{
	char name[128], arch[32], layout[16], symbols[16];
	unsigned int i;

	if (sscanf(line, "kernel %u %127s %31s %15s %15s", &i, name, arch, layout, symbols) != 5 ||
	    i != t->n || i >= TABLE_KERNELS)
		return false;
	t->kernels[t->n++] = (struct facts){
		.name = arena_strdup(t->arena, name),
		.arch = arena_strdup(t->arena, arch),
		.by_order = !strcmp(layout, "order"),
		.assumed = !strcmp(symbols, "assumed"),
		.arena = t->arena,
		.type = table_type,
		.symbol = table_symbol,
		.enumerator = table_enumerator,
		.signature = table_signature,
		.source = t,
	};
	return true;
}

/* The name, its size, its kernels; then the lines of its members. */
static bool add_type(struct facts_table *t, char *line, char **rest, unsigned int *number)
{
	bool is_enum = !strncmp(line, "enum", 4), is_anonymous;
	struct table_form form = { .type.name = cut(&line) };
	struct fact *facts;
	size_t n = 0, room = 0;
	char *hash = strchr(form.type.name, '#');

	is_anonymous = !strcmp(form.type.name, "enum");
	if (hash) /* a second one of that name: behind the first */
		*hash = '\0';
	form.type.bytes = strtoull(cut(&line), NULL, 10);
	if (!parse_set(cut(&line), t->n, &form.kernels))
		return false;
	for (const char *p = *rest; p && *p == '\t'; p = strchr(p, '\n'), p = p ? p + 1 : p)
		room++;
	facts = arena_alloc(t->arena, (room + 1) * sizeof(*facts));
	while (facts && n < room && parse_fact(strsep(rest, "\n") + 1, is_enum, &facts[n])) {
		struct table_form one = form;

		++*number;
		one.type.facts = &facts[n++];
		one.type.n = 1;
		if (is_enum && !add_form(t, facts[n - 1].name, &one))
			return false;
	}
	form.type.facts = facts;
	form.type.n = n;
	return n == room && (is_anonymous || add_form(t, form.type.name, &form));
}

static bool add_signature(struct facts_table *t, char *line)
{
	struct table_form form = { .type.name = cut(&line) };
	struct fact *text = arena_alloc(t->arena, sizeof(*text));

	if (!text || !parse_set(cut(&line), t->n, &form.kernels))
		return false;
	text->type = line;
	form.type.facts = text;
	form.type.n = 1;
	return add_form(t, form.type.name, &form);
}

static bool add_symbol(struct facts_table *t, char *line)
{
	const char *name = strchr(cut(&line), ' ') + 1;
	struct kernel_set set, *all = value_of(&t->symbols, name);

	if (!all || !parse_set(cut(&line), t->n, &set))
		return false;
	for (unsigned int i = 0; i < WORDS; i++)
		all->bits[i] |= set.bits[i];
	return true;
}

unsigned int facts_table_read(struct facts_table *t, struct arena *arena, char *text)
{
	unsigned int number = 0;
	char *line, *rest = text;

	*t = (struct facts_table){ .arena = arena };
	hash_bytes_init(&t->types, arena, sizeof(struct table_form *));
	hash_bytes_init(&t->symbols, arena, sizeof(struct kernel_set));
	while ((line = strsep(&rest, "\n"))) {
		bool good = true;

		number++;
		if (!strncmp(line, "kernel ", 7))
			good = add_kernel(t, line);
		else if (!strncmp(line, "symbol ", 7) || !strncmp(line, "function ", 9))
			good = add_symbol(t, line);
		else if (!strncmp(line, "signature ", 10))
			good = add_signature(t, line);
		else if (*line && *line != '#')
			good = add_type(t, line, &rest, &number);
		if (!good)
			return number;
	}
	return 0;
}

char *facts_file(struct arena *arena, const char *path, size_t *size)
{
	const char *dot = strrchr(path, '.');
	bool is_packed = dot && !strcmp(dot, ".xz");
	char command[512], *text = NULL, *grown;
	size_t n = 0, room = 1 << 20, got = 1;
	FILE *in;

	snprintf(command, sizeof(command), "xz -dc '%s'", path);
	in = is_packed ? popen(command, "r") : fopen(path, "r");
	while (in && got) {
		room *= 2;
		grown = arena_alloc(arena, room + 1);
		if (!grown)
			break;
		if (n)
			memcpy(grown, text, n);
		text = grown;
		got = fread(text + n, 1, room - n, in);
		n += got;
	}
	if (in && is_packed)
		pclose(in);
	else if (in)
		fclose(in);
	*size = n;
	return n ? text : NULL;
}
