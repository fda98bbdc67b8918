// SPDX-License-Identifier: GPL-2.0-or-later
/* The names of a way: those that repeat or take turns are told once. */
#include "holders/turns.h"

#include "test.h"

/* "a b c", of which "." stands for one without a name of its own: those that are told. */
static const char *told(const char *names)
{
	static const char *const texts[] = { "a", "b", "c", "d", "e", "f" };
	static char ret[32];
	struct turns t = { .n = 0 };
	char *to = ret;

	for (; *names; names++) {
		const char *name = *names == '.' ? NULL : texts[*names - 'a'];

		if (name && turns_repeat(&t, name))
			continue;
		turns_add(&t, name);
		*to++ = *names;
	}
	*to = 0;
	return ret;
}

static void those_that_repeat(void)
{
	CHECK_TEXT(told("aaab"), "ab");
	CHECK_TEXT(told("ababab"), "aba");
	CHECK_TEXT(told("abcabcabd"), "abcad");
	CHECK_TEXT(told("abcdabcdabc"), "abcda");
	/* More than are kept. */
	CHECK_TEXT(told("abcdeabcde"), "abcdeabcde");
}

/* The root may have a text that is like no other: what was before it goes on behind it. */
static void one_that_is_like_no_other(void)
{
	CHECK_TEXT(told(".aab"), ".ab");
	CHECK_TEXT(told("a.a.a"), "a.a.a");
	CHECK_TEXT(told("ab.bc"), "ab.bc");
	CHECK_TEXT(told("a...ab"), "a...ab");
}

TESTS({ "those that repeat, or take turns", those_that_repeat },
      { "one that is like no other", one_that_is_like_no_other })
