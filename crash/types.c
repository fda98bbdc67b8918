// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Two ways to learn of a member. crash's own look-up knows names, sizes and
 * offsets, but no bits. gdb's expressions know all, but for each cast gdb first
 * looks whether the type's name is a source file, through all of them: with the
 * debug information of a distribution that is tens of milliseconds. So the
 * first is for everything that it can answer.
 */
#include "types.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NAME_BYTES 256

/* crash's gdb numbers types so in every release (gdb's enum type_code). */
static enum kind kind_of(int code, long size)
{
	switch (code) {
	case 1:
		return KIND_POINTER;
	case 2:
		return KIND_ARRAY;
	case 3:
	case 4:
		return KIND_STRUCT;
	default:
		return size > 0 && size <= 8 ? KIND_INT : KIND_OTHER;
	}
}

/* crash's "printm" says of an expression: code, unsigned, size, offset, bit offset, bits. */
static enum status describe(const struct type_lookup *t, const char *expression, struct field *ret)
{
	char command[2 * NAME_BYTES], answer[256] = "";
	int code, is_unsigned;
	long size, offset, bit_offset, bits;

	if ((size_t)snprintf(command, sizeof(command), "printm %s", expression) >=
		    sizeof(command) ||
	    !t->ask_gdb(command, answer, sizeof(answer)) ||
	    sscanf(answer, "%d %d %ld %ld %ld %ld", &code, &is_unsigned, &size, &offset,
		   &bit_offset, &bits) != 6)
		return ST_ABSENT;
	*ret = (struct field){
		.present = true,
		.kind = kind_of(code, size),
		.offset = offset,
		.size = size,
		.bit_offset = bit_offset,
		.bit_size = bits,
	};
	return ST_OK;
}

/*
 * gdb looks for a file of the name behind "struct" in each of its symbol tables, which takes 40 ms on
 * a kernel: a variable of gdb has the pointer, for all members of a type that follow each other.
 */
static char pointed[NAME_BYTES];

void types_reset(void)
{
	*pointed = '\0';
}

static bool point_to(const struct type_lookup *t, const char *type)
{
	char command[2 * NAME_BYTES], answer[64] = "";

	if (!strcmp(pointed, type))
		return true;
	*pointed = '\0';
	if (strlen(type) >= sizeof(pointed))
		return false;
	snprintf(command, sizeof(command), "set var $memowner = (%s *)0", type);
	if (!t->ask_gdb(command, answer, sizeof(answer)))
		return false;
	strcpy(pointed, type);
	return true;
}

static enum status describe_member(const struct type_lookup *t, const char *type,
				   const char *member, struct field *ret)
{
	char expression[2 * NAME_BYTES];

	if (point_to(t, type))
		snprintf(expression, sizeof(expression), "$memowner->%s", member);
	else
		snprintf(expression, sizeof(expression), "((%s *)0)->%s", type, member);
	return describe(t, expression, ret);
}

/* "struct x" and "union x" without the keyword; false if it has no room. */
static bool tag(const char *type, char *ret)
{
	const char *space = strchr(type, ' ');

	return (size_t)snprintf(ret, NAME_BYTES, "%s", space ? space + 1 : type) < NAME_BYTES;
}

enum status types_variable(void *priv, const char *name, struct field *ret)
{
	return describe(priv, name, ret);
}

enum status types_type_size(void *priv, const char *type, uint64_t *ret)
{
	const struct type_lookup *t = priv;
	char name[NAME_BYTES];
	long size;

	size = tag(type, name) ? t->info(name, NULL, TYPE_SIZE) : -1;
	if (size <= 0)
		return ST_ABSENT;
	*ret = size;
	return ST_OK;
}

enum status types_bits(void *priv, const char *type, const char *member, struct field *ret)
{
	const struct type_lookup *t = priv;
	char name[NAME_BYTES], copy[NAME_BYTES];

	/* The slow way is only for what exists. */
	snprintf(copy, sizeof(copy), "%s", member);
	if (!tag(type, name) || t->info(name, copy, MEMBER_PLACE) < 0)
		return ST_ABSENT;
	return describe_member(t, type, member, ret);
}

enum status types_member(void *priv, const char *type, const char *member, struct field *ret)
{
	const struct type_lookup *t = priv;
	char name[NAME_BYTES], path[NAME_BYTES], *dot, *part = path;
	long offset, total = 0, size;

	if (!tag(type, name) || strlen(member) >= sizeof(path))
		return ST_ABSENT;
	strcpy(path, member);
	for (; (dot = strchr(part, '.')); part = dot + 1) {
		const char *inner;

		*dot = '\0';
		offset = t->info(name, part, MEMBER_PLACE);
		if (offset < 0)
			return ST_ABSENT;
		inner = t->member_type(name, part);
		/* A type without a name can only be gone into by an expression. */
		if (!inner || strlen(inner) >= sizeof(name))
			return describe_member(t, type, member, ret);
		total += offset;
		strcpy(name, inner);
	}
	offset = t->info(name, part, MEMBER_PLACE);
	if (offset < 0)
		return ST_ABSENT;
	size = t->info(name, part, MEMBER_BYTES);
	*ret = (struct field){
		.present = true,
		.kind = kind_of(t->info(name, part, MEMBER_CODE), size),
		.offset = total + offset,
		.size = size,
	};
	return ST_OK;
}

enum status types_type_text(void *priv, const char *type, char *buf, size_t size)
{
	const struct type_lookup *t = priv;
	char command[NAME_BYTES];

	if ((size_t)snprintf(command, sizeof(command), "ptype %s", type) >= sizeof(command))
		return ST_ABSENT;
	return t->ask_gdb(command, buf, size) && *buf ? ST_OK : ST_ABSENT;
}

enum status types_enumerator(void *priv, const char *name, int64_t *ret)
{
	const struct type_lookup *t = priv;
	char copy[NAME_BYTES];

	if (strlen(name) >= sizeof(copy))
		return ST_ABSENT;
	strcpy(copy, name);
	return t->enumerator(copy, ret) ? ST_OK : ST_ABSENT;
}

bool types_enumerates(void *priv, const char *type, const char *name)
{
	const struct type_lookup *t = priv;
	char command[NAME_BYTES], answer[NAME_BYTES] = "";
	const char *prefix = "type = ";
	int64_t value;

	/* gdb looks for a file of a name that is none. */
	if (types_enumerator(priv, name, &value) != ST_OK)
		return false;
	snprintf(command, sizeof(command), "whatis %s", name);
	if (!t->ask_gdb(command, answer, sizeof(answer)) || strncmp(answer, prefix, strlen(prefix)))
		return false;
	answer[strcspn(answer, "\n")] = '\0';
	return !strcmp(answer + strlen(prefix), type);
}
