// SPDX-License-Identifier: GPL-2.0-or-later
/* Questions of types: which of them are asked of crash and gdb once more. */
#include "crash/types.h"
#include "test.h"

/* What crash says: struct there { long a; struct inner in; }, struct inner { int b; }, struct none { int d[]; }, AN_ENUMERATOR. */
static bool module_loaded; /* then also struct late { int c; } */
static unsigned int asked;

static long info(char *type, char *member, enum type_question question)
{
	static const struct {
		const char *type, *member;
		long offset, size, code;
	} known[] = {
		{ "there", "", 0, 16, 3 },     { "there", "a", 0, 8, 8 },
		{ "there", "in", 8, 4, 3 },    { "inner", "", 0, 4, 3 },
		{ "inner", "b", 0, 4, 8 },     { "late", "", 0, 4, 3 },
		{ "late", "c", 0, 4, 8 },      { "none", "", 0, 0, 3 },
		{ "none", "d", 0, 0, 2 },      { "there", "to", 12, 8, 1 },
		{ "there", "ref", 16, 8, 23 }, { "ref_t", "count", 0, 8, 23 },
	};

	asked++;
	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
		if (strcmp(type, known[i].type) || strcmp(member ? member : "", known[i].member) ||
		    (!strcmp(type, "late") && !module_loaded))
			continue;
		return question == MEMBER_PLACE	 ? known[i].offset
		       : question == MEMBER_CODE ? known[i].code
						 : known[i].size;
	}
	return -1;
}

static const char *member_type(char *type, char *member)
{
	asked++;
	/* As crash 9: the name of the typedef. */
	if (!strcmp(type, "there") && !strcmp(member, "ref"))
		return "ref_t";
	return !strcmp(type, "there") && !strcmp(member, "in") ? "inner" : NULL;
}

static bool enumerator(char *name, int64_t *ret)
{
	asked++;
	*ret = 7;
	return !strcmp(name, "AN_ENUMERATOR");
}

static bool by_pointer; /* gdb's variable has the type that "to" of struct there points to */

static bool ask_gdb(char *command, char *answer, size_t size)
{
	asked++;
	if (!strncmp(command, "whatis ", 7))
		return snprintf(answer, size, "type = enum of_these\n") > 0;
	if (!strncmp(command, "set var ", 8)) {
		by_pointer = !strcmp(command,
				     "set var $memowner = (typeof(((struct there *)0)->to))0");
		return true;
	}
	if (by_pointer && !strcmp(command, "printm $memowner->own"))
		return snprintf(answer, size, "8 1 4 24 0 0") > 0;
	if (by_pointer && !strcmp(command, "printm *$memowner"))
		return snprintf(answer, size, "3 0 40 0 0 0") > 0;
	if (!strcmp(command, "printm $memowner->a"))
		return snprintf(answer, size, "8 1 8 0 3 2") > 0;
	if (!strcmp(command, "printm $memowner->ref.count"))
		return snprintf(answer, size, "3 0 8 16 0 0") > 0;
	/* A symbol of which only the section is known. */
	if (!strcmp(command, "printm symbol_alone"))
		return snprintf(answer, size, "7 0 1 0 0 0") > 0;
	return !strcmp(command, "printm variable") && snprintf(answer, size, "8 0 4 0 0 0") > 0;
}

static struct type_lookup lookup = { info, member_type, enumerator, ask_gdb };

/* Questions that CODE needs crash or gdb for. */
#define ASKED(code) (asked = 0, (void)(code), asked)

static void begin(void)
{
	type_memo_close();
	types_reset(true);
	module_loaded = false;
}

static void what_is_there_is_asked_for_once(void)
{
	struct field f, bits;
	uint64_t size;
	int64_t value;

	begin();
	CHECK(types_member(&lookup, "struct there", "in.b", &f) == ST_OK && f.offset == 8 &&
	      f.size == 4 && f.kind == KIND_INT);
	CHECK(types_bits(&lookup, "struct there", "a", &bits) == ST_OK && bits.bit_offset == 3 &&
	      bits.bit_size == 2);
	CHECK(types_variable(&lookup, "variable", &f) == ST_OK && f.size == 4);
	CHECK(types_type_size(&lookup, "struct there", &size) == ST_OK && size == 16);
	CHECK(types_enumerates(&lookup, "enum of_these", "AN_ENUMERATOR"));
	types_reset(true);
	f = bits = (struct field){ .present = false };
	size = value = 0;
	CHECK(ASKED(types_member(&lookup, "struct there", "in.b", &f)) == 0 && f.offset == 8);
	CHECK(ASKED(types_bits(&lookup, "struct there", "a", &bits)) == 0 && bits.bit_size == 2);
	/* Bits and bytes of a member are two questions. */
	CHECK(types_member(&lookup, "struct there", "a", &f) == ST_OK && !f.bit_size &&
	      f.size == 8);
	CHECK(ASKED(types_variable(&lookup, "variable", &f)) == 0 && f.size == 4);
	CHECK(ASKED(types_type_size(&lookup, "struct there", &size)) == 0 && size == 16);
	CHECK(ASKED(types_enumerator(&lookup, "AN_ENUMERATOR", &value)) == 0 && value == 7);
	CHECK(ASKED(types_enumerates(&lookup, "enum of_these", "AN_ENUMERATOR")) == 0);
	/* After the extension is unloaded nothing is kept. */
	type_memo_close();
	CHECK(ASKED(types_type_size(&lookup, "struct there", &size)) == 1);
}

static void what_a_module_can_bring_is_asked_for_again(void)
{
	struct field f = { .size = 99 };
	uint64_t size = 99;

	begin();
	CHECK(types_type_size(&lookup, "struct late", &size) == ST_ABSENT && size == 99);
	CHECK(types_member(&lookup, "struct late", "c", &f) == ST_ABSENT && f.size == 99);
	CHECK(types_variable(&lookup, "late_variable", &f) == ST_ABSENT && f.size == 99);
	CHECK(ASKED(types_type_size(&lookup, "struct late", &size)) == 0);
	CHECK(ASKED(types_member(&lookup, "struct late", "c", &f)) == 0);
	CHECK(types_type_size(&lookup, "struct late", &size) == ST_ABSENT);
	/* "mod -s" between two commands. */
	module_loaded = true;
	types_reset(true);
	CHECK(ASKED(types_variable(&lookup, "late_variable", &f)) == 1);
	CHECK(types_type_size(&lookup, "struct late", &size) == ST_OK && size == 4);
	CHECK(types_member(&lookup, "struct late", "c", &f) == ST_OK && f.size == 4);
}

/* --minimal: no type comes. */
static void what_cannot_come_is_asked_for_once(void)
{
	struct field f = { .size = 99 };
	uint64_t size = 99;

	begin();
	CHECK(types_type_size(&lookup, "struct late", &size) == ST_ABSENT);
	CHECK(types_member(&lookup, "struct late", "c", &f) == ST_ABSENT);
	CHECK(types_variable(&lookup, "late_variable", &f) == ST_ABSENT);
	types_reset(false);
	CHECK(ASKED(types_type_size(&lookup, "struct late", &size)) == 0);
	CHECK(ASKED(types_member(&lookup, "struct late", "c", &f)) == 0);
	CHECK(ASKED(types_variable(&lookup, "late_variable", &f)) == 0);
	CHECK(types_variable(&lookup, "late_variable", &f) == ST_ABSENT && f.size == 99);
}

static void a_type_that_is_missing_is_asked_for_once_for_all_members(void)
{
	struct field f = { .size = 99 };
	uint64_t size = 99;

	begin();
	CHECK(ASKED(types_member(&lookup, "struct late", "c", &f)) == 1);
	CHECK(ASKED(types_bits(&lookup, "struct late", "a", &f)) == 0);
	CHECK(ASKED(types_type_size(&lookup, "struct late", &size)) == 0);
	CHECK(types_bits(&lookup, "struct late", "a", &f) == ST_ABSENT && f.size == 99);
	/* One of no bytes is there, with its members: an array without a length is none. */
	CHECK(types_type_size(&lookup, "struct none", &size) == ST_ABSENT && size == 99);
	CHECK(types_member(&lookup, "struct none", "d", &f) == ST_OK && f.kind == KIND_ARRAY &&
	      !f.size);
}

static void what_the_kernel_lacks_is_asked_for_once(void)
{
	struct field f;
	int64_t value;

	begin();
	CHECK(types_member(&lookup, "struct there", "gone", &f) == ST_ABSENT);
	CHECK(types_bits(&lookup, "struct there", "gone", &f) == ST_ABSENT);
	CHECK(types_enumerator(&lookup, "NO_ENUMERATOR", &value) == ST_ABSENT);
	CHECK(!types_enumerates(&lookup, "enum of_others", "AN_ENUMERATOR"));
	types_reset(true);
	CHECK(ASKED(types_member(&lookup, "struct there", "gone", &f)) == 0);
	CHECK(ASKED(types_bits(&lookup, "struct there", "gone", &f)) == 0);
	CHECK(ASKED(types_enumerator(&lookup, "NO_ENUMERATOR", &value)) == 0);
	CHECK(ASKED(types_enumerates(&lookup, "enum of_others", "AN_ENUMERATOR")) == 0);
	CHECK(types_member(&lookup, "struct there", "gone", &f) == ST_ABSENT);
	CHECK(!types_enumerates(&lookup, "enum of_others", "AN_ENUMERATOR"));
	type_memo_close();
}

static void what_gdb_alone_knows(void)
{
	struct field f = { .size = 99 };

	begin();
	CHECK(types_variable(&lookup, "symbol_alone", &f) == ST_ABSENT && f.size == 99);
	CHECK(types_member(&lookup, "struct there", "ref.count", &f) == ST_OK &&
	      f.kind == KIND_STRUCT && f.offset == 16 && f.size == 8);
	type_memo_close();
}

static void names_stay_apart(void)
{
	char name[600];
	uint64_t size;
	struct type_answer *ab, *a;

	begin();
	ab = type_memo('x', "ab", "c");
	a = type_memo('x', "a", "bc");
	CHECK(ab && a && ab != a && ab == type_memo('x', "ab", "c"));
	CHECK(type_memo('y', "ab", "c") != ab);
	/* Too long to be kept is asked for each time. */
	memset(name, 'n', sizeof(name) - 1);
	name[sizeof(name) - 1] = '\0';
	CHECK(!type_memo('x', name, ""));
	CHECK(types_type_size(&lookup, name, &size) == ST_ABSENT);
	type_memo_close();
}

/* Where two structures have one name, that to which a member points. */
static void structures_by_pointer(void)
{
	struct field f = { .size = 99 };
	uint64_t size = 99;

	begin();
	CHECK(types_member(&lookup, "struct there.to", "own", &f) == ST_OK && f.offset == 24 &&
	      f.size == 4);
	CHECK(types_type_size(&lookup, "struct there.to", &size) == ST_OK && size == 40);
	CHECK(ASKED(types_member(&lookup, "struct there.to", "own", &f)) == 0);
	CHECK(types_member(&lookup, "struct there.to", "gone", &f) == ST_ABSENT);
	/* It is no pointer; there is no such member, no such structure. */
	CHECK(types_member(&lookup, "struct there.a", "own", &f) == ST_ABSENT);
	CHECK(types_member(&lookup, "struct there.gone", "own", &f) == ST_ABSENT);
	CHECK(types_member(&lookup, "struct nowhere.to", "own", &f) == ST_ABSENT);
	CHECK(types_type_size(&lookup, "struct there.a", &size) == ST_ABSENT);
}

TESTS({ "structures by pointer", structures_by_pointer },
      { "what is there is asked for once", what_is_there_is_asked_for_once },
      { "what a module can bring is asked for again", what_a_module_can_bring_is_asked_for_again },
      { "what cannot come is asked for once", what_cannot_come_is_asked_for_once },
      { "a type that is missing is asked for once, for all its members",
	a_type_that_is_missing_is_asked_for_once_for_all_members },
      { "what the kernel lacks is asked for once", what_the_kernel_lacks_is_asked_for_once },
      { "what gdb alone knows", what_gdb_alone_knows }, { "names stay apart", names_stay_apart })
