// SPDX-License-Identifier: GPL-2.0-or-later
/* Facts of a BTF: a type is taken from it when it is first asked for. */
#include <stdio.h>
#include <stdlib.h>

#include "btf_text.h"
#include "facts.h"
#include "opens.h"

#define MAX_FACTS 4096
#define MAX_FORMS 8
#define MAX_DEPTH 16
#define SPELLED 256

struct btf_facts {
	struct dump *dump;
	struct btf btf;
	struct hash_bytes types; /* of struct forms */
	struct hash_bytes functions, enumerators;
};

struct forms {
	bool looked;
	unsigned int n;
	struct fact_type at[MAX_FORMS];
};

struct filling {
	struct btf_facts *s;
	struct fact *at;
	size_t n;
};

static struct hash_bytes_entry *entry(struct hash_bytes *h, const char *name)
{
	bool is_new;

	return hash_bytes_get(h, name, strlen(name) + 1, &is_new);
}

static const char *spelled(struct btf_facts *s, uint32_t id)
{
	char text[SPELLED];

	btf_spell(&s->btf, id, text, sizeof(text));
	return arena_strdup(s->dump->arena, text);
}

static const char *joined(struct btf_facts *s, const char *prefix, const char *name)
{
	char text[SPELLED];

	snprintf(text, sizeof(text), "%s%s", prefix, name);
	return arena_strdup(s->dump->arena, text);
}

static void fill(struct filling *f, const struct btf_type *t, const char *prefix, uint32_t base,
		 unsigned int depth)
{
	struct btf_facts *s = f->s;
	struct btf_member m;

	for (uint32_t i = 0; btf_member(&s->btf, t, i, &m) && f->n < MAX_FACTS; i++) {
		uint32_t behind = btf_strip(&s->btf, m.type), at = base + m.bit_offset;
		struct btf_type inner;
		/* A member without a name may be of a named structure: struct freelist_counters, 6.19. */
		bool nameless = btf_type(&s->btf, behind, &inner) &&
				(inner.kind == BTF_STRUCT || inner.kind == BTF_UNION) &&
				(!*inner.name || !*m.name) && depth < MAX_DEPTH;
		char deeper[SPELLED];

		if (*m.name)
			f->at[f->n++] = (struct fact){
				.name = joined(s, prefix, m.name),
				.type = spelled(s, m.type),
				.behind = behind == m.type ? "" : spelled(s, behind),
				.bit_offset = at,
				.bytes = btf_size(&s->btf, m.type),
				.bits = m.bit_size,
			};
		if (!nameless)
			continue;
		snprintf(deeper, sizeof(deeper), "%s%s%s", prefix, m.name, *m.name ? "." : "");
		fill(f, &inner, deeper, at, depth + 1);
	}
}

static void fill_enum(struct filling *f, const struct btf_type *t)
{
	const char *name;
	int64_t value;

	for (uint32_t i = 0; btf_enumerator(&f->s->btf, t, i, &name, &value) && f->n < MAX_FACTS;
	     i++)
		f->at[f->n++] = (struct fact){ .name = name, .value = value };
}

static void take(struct btf_facts *s, uint32_t id, const char *name, struct forms *forms)
{
	struct fact *room = calloc(MAX_FACTS, sizeof(*room)), *kept;
	struct filling f = { .s = s, .at = room };
	struct btf_type t;

	if (!room || !btf_type(&s->btf, id, &t)) {
		free(room);
		return;
	}
	if (t.kind == BTF_ENUM || t.kind == BTF_ENUM64)
		fill_enum(&f, &t);
	else
		fill(&f, &t, "", 0, 0);
	kept = arena_alloc(s->dump->arena, (f.n + 1) * sizeof(*kept));
	if (kept) {
		memcpy(kept, room, f.n * sizeof(*kept));
		forms->at[forms->n++] = (struct fact_type){
			.name = arena_strdup(s->dump->arena, name),
			.bytes = t.size,
			.facts = kept,
			.n = f.n,
		};
	}
	free(room);
}

static void look(struct btf_facts *s, const char *name, struct forms *forms)
{
	static const struct {
		const char *keyword;
		enum btf_kind kind;
	} kinds[] = {
		{ "struct ", BTF_STRUCT },
		{ "union ", BTF_UNION },
		{ "enum ", BTF_ENUM },
		{ "enum ", BTF_ENUM64 },
	};

	forms->looked = true;
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		size_t len = strlen(kinds[i].keyword);
		uint32_t id = 0;

		if (strncmp(name, kinds[i].keyword, len))
			continue;
		while (forms->n < MAX_FORMS &&
		       (id = btf_find(&s->btf, kinds[i].kind, name + len, id)))
			take(s, id, name, forms);
	}
}

static const struct fact_type *btf_fact_type(struct facts *f, const char *name, unsigned int nth)
{
	struct btf_facts *s = f->source;
	struct hash_bytes_entry *e = entry(&s->types, name);
	struct forms *forms = e ? e->value : NULL;

	if (!forms)
		return NULL;
	if (!forms->looked)
		look(s, name, forms);
	return nth < forms->n ? &forms->at[nth] : NULL;
}

static bool btf_symbol(struct facts *f, const char *name)
{
	struct btf_facts *s = f->source;
	struct hash_bytes_entry *e = entry(&s->functions, name);

	if (e && *(bool *)e->value)
		return true;
	return f->assumed && facts_assumed_symbol(f, name);
}

struct numbered {
	bool known;
	int64_t value;
};

static bool btf_enumerator_of(struct facts *f, const char *name, int64_t *ret)
{
	struct btf_facts *s = f->source;
	struct hash_bytes_entry *e = entry(&s->enumerators, name);
	struct numbered *n = e ? e->value : NULL;

	if (!n || !n->known)
		return false;
	*ret = n->value;
	return true;
}

static void index_names(struct btf_facts *s)
{
	struct btf_type t;

	for (uint32_t id = 1; id < s->btf.n && btf_type(&s->btf, id, &t); id++) {
		const char *name;
		int64_t value;

		if (t.kind == BTF_FUNC || t.kind == BTF_VAR) {
			struct hash_bytes_entry *e = entry(&s->functions, t.name);

			if (e)
				*(bool *)e->value = true;
		}
		for (uint32_t i = 0; btf_enumerator(&s->btf, &t, i, &name, &value); i++) {
			struct hash_bytes_entry *e = entry(&s->enumerators, name);

			if (e && !((struct numbered *)e->value)->known)
				*(struct numbered *)e->value = (struct numbered){ true, value };
		}
	}
}

/* What only one architecture has. */
static const char *arch_of(struct facts *f, const struct btf_facts *s)
{
	static const struct {
		const char *type, *member, *arch;
	} marks[] = {
		{ "struct pt_regs", "ip", "x86_64" },	    { "struct pt_regs", "pstate", "arm64" },
		{ "struct pt_regs", "badaddr", "riscv64" }, { "struct pt_regs", "psw", "s390x" },
		{ "struct pt_regs", "nip", "ppc64" },
	};

	for (size_t i = 0; i < sizeof(marks) / sizeof(marks[0]); i++) {
		const struct fact_type *t = btf_fact_type(f, marks[i].type, 0);

		for (size_t j = 0; t && j < t->n; j++)
			if (!strcmp(t->facts[j].name, marks[i].member))
				return strcmp(marks[i].arch, "ppc64") || s->btf.big_endian
					       ? marks[i].arch
					       : "ppc64le";
	}
	return "unknown";
}

static unsigned int alike(struct facts *f, const struct facts_table *t, struct facts *other)
{
	unsigned int n = 0;

	for (const struct hash_bytes_entry *e = t->types.first; e; e = e->next) {
		const char *name = (const char *)e->key;
		const struct fact_type *a, *b;

		if (strncmp(name, "struct ", 7))
			continue;
		a = f->type(f, name, 0);
		b = other->type(other, name, 0);
		n += a && b ? a->bytes == b->bytes && a->n == b->n : !a == !b;
	}
	return n;
}

/* Of those whose symbols are known; arch NULL: any. */
static struct facts *most_alike(struct facts *f, struct facts_table *t, const char *arch)
{
	struct facts *ret = NULL;
	unsigned int best = 0;

	for (unsigned int k = 0; k < t->n; k++) {
		struct facts *other = &t->kernels[k];
		const bool is_asked = !other->assumed && open_is_asked(other) &&
				      (!arch || !strcmp(arch, other->arch));
		const unsigned int n = is_asked ? 1 + alike(f, t, other) : 0;

		if (n <= best)
			continue;
		best = n;
		ret = other;
	}
	return ret;
}

/* What an architecture has of its own counts more than a release. */
void facts_assume(struct facts *f, struct facts_table *t)
{
	struct facts *near = most_alike(f, t, NULL);

	f->like = most_alike(f, t, f->arch) ?: near;
	f->near = near == f->like ? NULL : near;
	f->near_like = f->near ? most_alike(f->like, t, near->arch) : NULL;
}

bool facts_assumed_symbol(struct facts *f, const char *name)
{
	if (!f->like || f->like->symbol(f->like, name))
		return f->like != NULL;
	return f->near && f->near->symbol(f->near, name) &&
	       !f->near_like->symbol(f->near_like, name);
}

static const char *btf_signature(struct facts *f, const char *name)
{
	struct btf_facts *s = f->source;
	uint32_t id = btf_find(&s->btf, BTF_FUNC, name, 0);
	struct btf_type t;

	return id && btf_type(&s->btf, id, &t) ? spelled(s, t.type) : NULL;
}

/* Without CONFIG_KALLSYMS_ALL there are functions alone. */
bool facts_add_symbols(struct facts *f, char *text)
{
	struct btf_facts *s = f->source;
	char *line, *rest = text;

	while ((line = strsep(&rest, "\n"))) {
		struct hash_bytes_entry *e = *line ? entry(&s->functions, line) : NULL;

		if (!e)
			continue;
		*(bool *)e->value = true;
		if (!strcmp(line, "init_mm"))
			f->assumed = false;
	}
	return !f->assumed;
}

enum status facts_of_btf(struct dump *d, const void *bytes, size_t size, struct facts *ret)
{
	struct btf_facts *s = dump_alloc(d, sizeof(*s));
	enum status st;

	s->dump = d;
	st = btf_open_split(d, bytes, size, NULL, &s->btf);
	if (st != ST_OK)
		return st;
	hash_bytes_init(&s->types, d->arena, sizeof(struct forms));
	hash_bytes_init(&s->functions, d->arena, sizeof(bool));
	hash_bytes_init(&s->enumerators, d->arena, sizeof(struct numbered));
	index_names(s);
	*ret = (struct facts){
		.arena = d->arena,
		.type = btf_fact_type,
		.symbol = btf_symbol,
		.enumerator = btf_enumerator_of,
		.signature = btf_signature,
		.assumed = true,
		.source = s,
	};
	ret->arch = arch_of(ret, s);
	return ST_OK;
}
