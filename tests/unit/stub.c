// SPDX-License-Identifier: GPL-2.0-or-later
#include <string.h>

#include "stub.h"
#include "test.h"

static enum status stub_read(void *priv, uint64_t addr, void *buf, size_t len)
{
	struct stub *s = priv;

	s->reads++;
	for (const struct stub_memory *m = s->memory; m && m->len; m++) {
		if (addr < m->addr || addr + len > m->addr + m->len)
			continue;
		memcpy(buf, (const char *)m->bytes + (addr - m->addr), len);
		return ST_OK;
	}
	return ST_UNREADABLE;
}

static const struct stub_symbol *find_symbol(struct stub *s, const char *name)
{
	for (const struct stub_symbol *sym = s->symbols; sym && sym->name; sym++)
		if (!strcmp(sym->name, name))
			return sym;
	return NULL;
}

static enum status stub_symbol(void *priv, const char *name, uint64_t *ret)
{
	const struct stub_symbol *sym = find_symbol(priv, name);

	if (!sym || !sym->addr)
		return ST_ABSENT;
	*ret = sym->addr;
	return ST_OK;
}

static enum status stub_variable(void *priv, const char *name, struct field *ret)
{
	const struct stub_symbol *sym = find_symbol(priv, name);

	if (!sym || !sym->type.present)
		return ST_ABSENT;
	*ret = sym->type;
	return ST_OK;
}

static enum status find_number(const struct stub_number *n, const char *name, int64_t *ret)
{
	for (; n && n->name; n++) {
		if (strcmp(n->name, name))
			continue;
		*ret = n->value;
		return ST_OK;
	}
	return ST_ABSENT;
}

static enum status stub_type_size(void *priv, const char *type, uint64_t *ret)
{
	return find_number(((struct stub *)priv)->sizes, type, (int64_t *)ret);
}

static bool stub_enumerates(void *priv NOT_USED, const char *type NOT_USED,
			    const char *name NOT_USED)
{
	return false;
}

static enum status stub_enumerator(void *priv, const char *name, int64_t *ret)
{
	return find_number(((struct stub *)priv)->enumerators, name, ret);
}

static enum status stub_member(void *priv, const char *type, const char *member, struct field *ret)
{
	struct stub *s = priv;

	for (const struct stub_member *m = s->members; m && m->type; m++) {
		if (strcmp(m->type, type) || strcmp(m->name, member))
			continue;
		*ret = m->field;
		return ST_OK;
	}
	return ST_ABSENT;
}

static enum status stub_closest(void *priv, uint64_t addr, struct symbol *ret)
{
	struct stub *s = priv;
	const struct stub_symbol *best = NULL;

	for (const struct stub_symbol *sym = s->symbols; sym && sym->name; sym++)
		if (sym->addr <= addr && (!best || sym->addr > best->addr))
			best = sym;
	/* As crash does, nothing far away. */
	if (!best || addr - best->addr > 0x100000)
		return ST_ABSENT;
	*ret = (struct symbol){ .name = best->name, .address = best->addr };
	return ST_OK;
}

static struct stub *last_opened;

/* Whether it was open. */
static bool leave_list(const struct stub *s)
{
	struct stub **at = &last_opened;

	while (*at && *at != s)
		at = &(*at)->opened_before;
	if (!*at)
		return false;
	*at = s->opened_before;
	return true;
}

void stub_open(struct stub *s)
{
	leave_list(s);
	memset(&s->arena, 0, sizeof(s->arena));
	s->ops.read = s->ops.read ?: stub_read;
	s->ops.symbol = s->ops.symbol ?: stub_symbol;
	s->ops.variable = s->ops.variable ?: stub_variable;
	s->ops.type_size = s->ops.type_size ?: stub_type_size;
	s->ops.member = s->ops.member ?: stub_member;
	s->ops.bits = s->ops.bits ?: stub_member;
	s->ops.enumerator = s->ops.enumerator ?: stub_enumerator;
	s->ops.enumerates = s->ops.enumerates ?: stub_enumerates;
	s->ops.closest = s->ops.closest ?: stub_closest;
	dump_init(&s->dump, &s->ops, s, &s->arena);
	s->reads = 0;
	s->opened_before = last_opened;
	last_opened = s;
}

void stub_reopen(struct stub *s, struct stub with)
{
	if (leave_list(s))
		arena_reset(&s->arena);
	*s = with;
	stub_open(s);
}

void stub_close(struct stub *s)
{
	leave_list(s);
	arena_reset(&s->arena);
}

void test_end(void)
{
	while (last_opened)
		stub_close(last_opened);
}

static bool collect(void *priv, const char *s, size_t n)
{
	struct text *t = priv;

	if (t->n + n >= sizeof(t->buf))
		return false;
	memcpy(t->buf + t->n, s, n);
	t->n += n;
	return true;
}

void text_open(struct text *t)
{
	sink_init(&t->sink, collect, t);
	t->n = 0;
}

const char *text_get(struct text *t)
{
	sink_flush(&t->sink);
	t->buf[t->n] = '\0';
	return t->buf;
}
