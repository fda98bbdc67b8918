// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Two ways to learn of a member. crash's own look-up knows names, sizes and
 * offsets, but no bits. gdb's expressions know all, but for each cast gdb first
 * looks whether the type's name is a source file, through all of them: with the
 * debug information of a distribution that is tens of milliseconds. So the
 * first is for everything that it can answer, and no question is asked twice (type_memo.h).
 */
#include "types.h"

#include <stdlib.h>

#include "util/hash_bytes.h"

#define NAME_BYTES 256 /* "struct " and a name; the longest of a kernel has some 60 */

/* crash's gdb numbers types so in every release (gdb's enum type_code). */
enum { CODE_FUNCTION = 7, CODE_TYPEDEF = 23 };

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

	/* A symbol without debug information that is beside functions is one to gdb: jiffies of 7.2. */
	if ((size_t)snprintf(command, sizeof(command), "printm %s", expression) >=
		    sizeof(command) ||
	    !t->ask_gdb(command, answer, sizeof(answer)) ||
	    sscanf(answer, "%d %d %ld %ld %ld %ld", &code, &is_unsigned, &size, &offset,
		   &bit_offset, &bits) != 6 ||
	    code == CODE_FUNCTION)
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

void types_reset(bool types_can_come)
{
	*pointed = '\0';
	if (types_can_come)
		type_memo_next();
}

/* "struct x" and "union x" without the keyword; false if it has no room. */
static bool tag(const char *type, char *ret)
{
	const char *space = strchr(type, ' ');

	return (size_t)snprintf(ret, NAME_BYTES, "%s", space ? space + 1 : type) < NAME_BYTES;
}

/*
 * "struct x.member" is what that member points to: where two structures have one name, gdb's choice
 * between them is chance, and that of a pointer is certain. False: type is not of that form.
 */
static bool is_by_pointer(const char *type)
{
	return strchr(type, '.');
}

/* The cast of a type to a pointer to it; false: there is no such member, or it is no pointer. */
static bool put_pointer(const struct type_lookup *t, const char *type, char *buf, size_t size)
{
	char of[NAME_BYTES], name[NAME_BYTES], *member;

	if (!is_by_pointer(type))
		return (size_t)snprintf(buf, size, "%s *", type) < size;
	if (strlen(type) >= sizeof(of))
		return false;
	strcpy(of, type);
	member = strchr(of, '.');
	*member++ = '\0';
	return tag(of, name) && t->info(name, member, MEMBER_PLACE) >= 0 &&
	       kind_of(t->info(name, member, MEMBER_CODE), 8) == KIND_POINTER &&
	       (size_t)snprintf(buf, size, "typeof(((%s *)0)->%s)", of, member) < size;
}

static bool point_to(const struct type_lookup *t, const char *type)
{
	char command[3 * NAME_BYTES], cast[2 * NAME_BYTES], answer[64] = "";

	if (!strcmp(pointed, type))
		return true;
	*pointed = '\0';
	if (strlen(type) >= sizeof(pointed) || !put_pointer(t, type, cast, sizeof(cast)))
		return false;
	snprintf(command, sizeof(command), "set var $memowner = (%s)0", cast);
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
	else if (is_by_pointer(type))
		return ST_ABSENT;
	else
		snprintf(expression, sizeof(expression), "((%s *)0)->%s", type, member);
	return describe(t, expression, ret);
}

static enum status find_variable(const struct type_lookup *t, const char *name,
				 const char *unused NOT_USED, struct type_answer *ret)
{
	return describe(t, name, &ret->field);
}

static enum status find_size(const struct type_lookup *t, const char *type,
			     const char *unused NOT_USED, struct type_answer *ret)
{
	char name[NAME_BYTES];
	struct field whole;
	long size;

	if (is_by_pointer(type)) {
		if (!point_to(t, type) || describe(t, "*$memowner", &whole) != ST_OK)
			return ST_ABSENT;
		ret->size = whole.size;
		return ST_OK;
	}
	/* crash says 0 of a structure without members, and -1 of one that is missing. */
	size = tag(type, name) ? t->info(name, NULL, TYPE_SIZE) : -1;
	if (size < 0)
		return ST_ABSENT;
	ret->size = size;
	return ST_OK;
}

static enum status find_bits(const struct type_lookup *t, const char *type, const char *member,
			     struct type_answer *ret)
{
	char name[NAME_BYTES], copy[NAME_BYTES];

	/* The slow way is only for what exists. */
	snprintf(copy, sizeof(copy), "%s", member);
	if (!is_by_pointer(type) && (!tag(type, name) || t->info(name, copy, MEMBER_PLACE) < 0))
		return ST_ABSENT;
	return describe_member(t, type, member, &ret->field);
}

static enum status find_member(const struct type_lookup *t, const char *type, const char *member,
			       struct type_answer *ret)
{
	char name[NAME_BYTES], path[NAME_BYTES], *dot, *part = path;
	long offset, total = 0, size;

	if (is_by_pointer(type))
		return describe_member(t, type, member, &ret->field);
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
		/*
		 * A type without a name can only be gone into by an expression; crash 9 has the name of
		 * its typedef: file_ref_t.
		 */
		if (!inner || strlen(inner) >= sizeof(name) ||
		    t->info(name, part, MEMBER_CODE) == CODE_TYPEDEF)
			return describe_member(t, type, member, &ret->field);
		total += offset;
		strcpy(name, inner);
	}
	offset = t->info(name, part, MEMBER_PLACE);
	if (offset < 0)
		return ST_ABSENT;
	size = t->info(name, part, MEMBER_BYTES);
	ret->field = (struct field){
		.present = true,
		.kind = kind_of(t->info(name, part, MEMBER_CODE), size),
		.offset = total + offset,
		.size = size,
	};
	return ST_OK;
}

static enum status find_enumerator(const struct type_lookup *t, const char *name,
				   const char *unused NOT_USED, struct type_answer *ret)
{
	char copy[NAME_BYTES];

	if (strlen(name) >= sizeof(copy))
		return ST_ABSENT;
	strcpy(copy, name);
	return t->enumerator(copy, &ret->value) ? ST_OK : ST_ABSENT;
}

static enum status find_enumerated(const struct type_lookup *t, const char *type, const char *name,
				   struct type_answer *ret NOT_USED)
{
	char command[NAME_BYTES], answer[NAME_BYTES] = "";
	const char *prefix = "type = ";

	snprintf(command, sizeof(command), "whatis %s", name);
	if (!t->ask_gdb(command, answer, sizeof(answer)) || strncmp(answer, prefix, strlen(prefix)))
		return ST_ABSENT;
	answer[strcspn(answer, "\n")] = '\0';
	return strcmp(answer + strlen(prefix), type) ? ST_ABSENT : ST_OK;
}

enum question { A_VARIABLE, A_SIZE, A_MEMBER, BITS, AN_ENUMERATOR, ENUMERATED };

static enum status (*const find[])(const struct type_lookup *t, const char *name,
				   const char *second, struct type_answer *ret) = {
	[A_VARIABLE] = find_variable,	   [A_SIZE] = find_size,
	[A_MEMBER] = find_member,	   [BITS] = find_bits,
	[AN_ENUMERATOR] = find_enumerator, [ENUMERATED] = find_enumerated,
};

static enum status ask(void *priv, enum question q, const char *name, const char *second,
		       struct type_answer *ret);

/* False where the type of a member is missing: gdb would look for each of its members as for a file. */
static bool has_type(void *priv, enum question q, const char *name)
{
	struct type_answer type;

	return (q != A_MEMBER && q != BITS) || !strchr(name, ' ') ||
	       ask(priv, A_SIZE, name, "", &type) == ST_OK;
}

/*
 * "mod -s" adds variables and types. It adds no member to a type that is there, and no enumerator: those
 * that are asked for are of the kernel itself.
 */
static bool can_come(void *priv, enum question q, const char *name)
{
	struct type_answer type;

	switch (q) {
	case A_MEMBER:
	case BITS:
		return ask(priv, A_SIZE, name, "", &type) != ST_OK;
	case AN_ENUMERATOR:
	case ENUMERATED:
		return false;
	default:
		return true;
	}
}

/* The answer that is kept, else that of a look-up, out of which crash may jump. */
static enum status ask(void *priv, enum question q, const char *name, const char *second,
		       struct type_answer *ret)
{
	struct type_answer *kept = type_memo('a' + q, name, second);
	enum status st;

	if (kept && kept->outcome != TYPE_UNASKED) {
		*ret = *kept;
		return kept->outcome == TYPE_FOUND ? ST_OK : ST_ABSENT;
	}
	st = has_type(priv, q, name) ? find[q](priv, name, second, ret) : ST_ABSENT;
	if (kept) {
		*kept = *ret;
		kept->outcome = st == ST_OK		  ? TYPE_FOUND
				: can_come(priv, q, name) ? TYPE_MISSING
							  : TYPE_ABSENT;
	}
	return st;
}

static enum status ask_field(void *priv, enum question q, const char *name, const char *second,
			     struct field *ret)
{
	struct type_answer answer = { .outcome = TYPE_UNASKED };

	return RESULT(ask(priv, q, name, second, &answer), ret, answer.field);
}

enum status types_variable(void *priv, const char *name, struct field *ret)
{
	return ask_field(priv, A_VARIABLE, name, "", ret);
}

enum status types_member(void *priv, const char *type, const char *member, struct field *ret)
{
	return ask_field(priv, A_MEMBER, type, member, ret);
}

enum status types_bits(void *priv, const char *type, const char *member, struct field *ret)
{
	return ask_field(priv, BITS, type, member, ret);
}

enum status types_type_size(void *priv, const char *type, uint64_t *ret)
{
	struct type_answer answer = { .outcome = TYPE_UNASKED };

	if (ask(priv, A_SIZE, type, "", &answer) != ST_OK || !answer.size)
		return ST_ABSENT;
	*ret = answer.size;
	return ST_OK;
}

enum status types_enumerator(void *priv, const char *name, int64_t *ret)
{
	struct type_answer answer = { .outcome = TYPE_UNASKED };

	return RESULT(ask(priv, AN_ENUMERATOR, name, "", &answer), ret, answer.value);
}

bool types_enumerates(void *priv, const char *type, const char *name)
{
	struct type_answer answer = { .outcome = TYPE_UNASKED };

	/* gdb looks for a file of a name that is none. */
	return ask(priv, AN_ENUMERATOR, name, "", &answer) == ST_OK &&
	       ask(priv, ENUMERATED, type, name, &answer) == ST_OK;
}

enum status types_type_text(void *priv, const char *type, char *buf, size_t size)
{
	const struct type_lookup *t = priv;
	char command[NAME_BYTES];

	if ((size_t)snprintf(command, sizeof(command), "ptype %s", type) >= sizeof(command))
		return ST_ABSENT;
	return t->ask_gdb(command, buf, size) && *buf ? ST_OK : ST_ABSENT;
}

#define MAX_KEY 512 /* bytes */

/* Not that of the command: what it has ends with the command. */
static struct arena arena;
static struct hash_bytes answers; /* of struct type_answer */

struct type_answer *type_memo(char question, const char *name, const char *second)
{
	char key[MAX_KEY];
	int n = snprintf(key, sizeof(key), "%c%s%c%s", question, name, '\0', second);
	struct hash_bytes_entry *e;

	if (n < 0 || (size_t)n >= sizeof(key))
		return NULL;
	if (!answers.hashes.arena)
		hash_bytes_init(&answers, &arena, sizeof(struct type_answer));
	e = hash_bytes_get(&answers, key, n, NULL);
	return e->value;
}

void type_memo_next(void)
{
	for (struct hash_bytes_entry *e = answers.first; e; e = e->next) {
		struct type_answer *answer = e->value;

		if (answer->outcome == TYPE_MISSING)
			answer->outcome = TYPE_UNASKED;
	}
}

void type_memo_close(void)
{
	arena_reset(&arena);
	answers = (struct hash_bytes){ .n = 0 };
}
