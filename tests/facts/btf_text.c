// SPDX-License-Identifier: GPL-2.0-or-later
#include "btf_text.h"

#include <string.h>

#include "util/strbuf.h"

#define MAX_LINKS 64 /* const, volatile and typedefs around one type, dimensions of an array */

uint32_t btf_find(const struct btf *b, enum btf_kind kind, const char *name, uint32_t after)
{
	struct btf_type t;

	for (uint32_t id = after < b->first ? b->first : after + 1; id < b->n; id++)
		if (btf_type(b, id, &t) && t.kind == kind && !strcmp(t.name, name))
			return id;
	return 0;
}

uint64_t btf_size(const struct btf *b, uint32_t id)
{
	struct btf_type t;
	uint64_t times = 1;

	for (unsigned int i = 0; i < MAX_LINKS && btf_type(b, btf_strip(b, id), &t); i++) {
		if (t.kind == BTF_PTR)
			return 8 * times;
		if (t.kind != BTF_ARRAY)
			return t.size * times;
		times *= t.n;
		if (times > UINT32_MAX)
			return 0;
		id = t.type;
	}
	return 0;
}

static void spell(const struct btf *b, uint32_t id, struct strbuf *s, unsigned int depth);

static void spell_function(const struct btf *b, const struct btf_type *t, const char *pointer,
			   struct strbuf *s, unsigned int depth)
{
	spell(b, t->type, s, depth);
	strbuf_add(s, " %s(", pointer);
	for (uint32_t i = 0; i < t->n; i++) {
		struct btf_member m;

		strbuf_add(s, "%s", i ? ", " : "");
		if (btf_parameter(b, t, i, &m) && m.type)
			spell(b, m.type, s, depth);
		else
			strbuf_add(s, "%s", "...");
	}
	strbuf_add(s, "%s", t->n ? ")" : "void)");
}

static void spell_array(const struct btf *b, uint32_t id, struct strbuf *s, unsigned int depth)
{
	uint32_t sizes[MAX_LINKS];
	unsigned int n = 0;
	struct btf_type t;

	while (n < MAX_LINKS && btf_type(b, id, &t) && t.kind == BTF_ARRAY) {
		sizes[n++] = t.n;
		id = t.type;
	}
	spell(b, id, s, depth);
	for (unsigned int i = 0; i < n; i++)
		strbuf_add(s, "[%u]", sizes[i]);
}

static void spell_pointer(const struct btf *b, uint32_t id, struct strbuf *s, unsigned int depth)
{
	struct btf_type t;

	if (btf_type(b, id, &t) && t.kind == BTF_FUNC_PROTO) {
		spell_function(b, &t, "(*)", s, depth);
		return;
	}
	spell(b, id, s, depth);
	strbuf_add(s, "%s", btf_type(b, id, &t) && t.kind == BTF_PTR ? "*" : " *");
}

static void spell(const struct btf *b, uint32_t id, struct strbuf *s, unsigned int depth)
{
	static const char *const keywords[BTF_KINDS] = {
		[BTF_STRUCT] = "struct ", [BTF_UNION] = "union ",	[BTF_ENUM] = "enum ",
		[BTF_ENUM64] = "enum ",	  [BTF_VOLATILE] = "volatile ", [BTF_CONST] = "const ",
	};
	struct btf_type t;

	if (depth++ > MAX_LINKS || !btf_type(b, id, &t)) {
		strbuf_add(s, "%s", "?");
		return;
	}
	if (keywords[t.kind])
		strbuf_add(s, "%s", keywords[t.kind]);
	switch (t.kind) {
	case BTF_VOID:
		strbuf_add(s, "%s", "void");
		break;
	case BTF_PTR:
		spell_pointer(b, t.type, s, depth);
		break;
	case BTF_ARRAY:
		spell_array(b, id, s, depth);
		break;
	case BTF_FUNC_PROTO:
		spell_function(b, &t, "", s, depth);
		break;
	case BTF_VOLATILE:
	case BTF_CONST:
	case BTF_RESTRICT:
	case BTF_TYPE_TAG:
		spell(b, t.type, s, depth);
		break;
	case BTF_FWD:
		strbuf_add(s, "%s %s", t.is_signed ? "union" : "struct", t.name);
		break;
	default:
		strbuf_add(s, "%s", *t.name ? t.name : "{}");
	}
}

void btf_spell(const struct btf *b, uint32_t id, char *buf, size_t size)
{
	struct strbuf s = strbuf_in(buf, size);

	spell(b, id, &s, 0);
}
