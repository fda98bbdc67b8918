// SPDX-License-Identifier: GPL-2.0-or-later
/* Lines of commands, as crash's: words, quotes, where the output goes. */
#include "shell/line.h"

#include <stdlib.h>

#include "test.h"

/* "WORD|WORD > TARGET", or what is wrong; of a copy of its own, so that a sanitizer sees its end. */
static const char *parsed(const char *text)
{
	static const char *const to[] = {
		[LINE_PLAIN] = "",
		[LINE_FILE] = " > ",
		[LINE_APPEND] = " >> ",
		[LINE_PROGRAM] = " to ",
	};
	static char out[4096];
	char *copy = strdup(text);
	const char *problem;
	struct line l;

	problem = line_parse(copy, &l);
	if (problem) {
		snprintf(out, sizeof(out), "%s", problem);
	} else {
		out[0] = '\0';
		for (int i = 0; i < l.argc; i++)
			snprintf(out + strlen(out), sizeof(out) - strlen(out), "%s%s", i ? "~" : "",
				 l.argv[i]);
		CHECK(!l.argv[l.argc]);
		snprintf(out + strlen(out), sizeof(out) - strlen(out), "%s%s", to[l.to],
			 l.target ? l.target : "");
	}
	free(copy);
	return out;
}

static void words(void)
{
	CHECK_TEXT(parsed("pageowner -t top\n"), "pageowner~-t~top");
	CHECK_TEXT(parsed(" \t depot  1\t2 \r\n"), "depot~1~2");
	CHECK_TEXT(parsed(""), "");
	CHECK_TEXT(parsed("-f stack=/a\\.b/"), "-f~stack=/a\\.b/");
}

static void quotes(void)
{
	CHECK_TEXT(parsed("pageowner -f \"stack=/a b/\""), "pageowner~-f~stack=/a b/");
	CHECK_TEXT(parsed("pageowner -f stack=\"/a b/\" x"), "pageowner~-f~stack=/a b/~x");
	CHECK_TEXT(parsed("pageowner -f 'comm=\"x\"'"), "pageowner~-f~comm=\"x\"");
	CHECK_TEXT(parsed("a \"\" b"), "a~~b");
	CHECK_TEXT(parsed("a \"b|c > d\""), "a~b|c > d");
	CHECK_TEXT(parsed("a \"b"), "a quote has no end");
	CHECK_TEXT(parsed("a 'b\" > c"), "a quote has no end");
}

static void output(void)
{
	CHECK_TEXT(parsed("a b > /tmp/c"), "a~b > /tmp/c");
	CHECK_TEXT(parsed("a b>c"), "a~b > c");
	CHECK_TEXT(parsed("a>>c\n"), "a >> c");
	CHECK_TEXT(parsed("a > \"my file\""), "a > my file");
	CHECK_TEXT(parsed("a | grep 'x y' | wc -l \n"), "a to grep 'x y' | wc -l");
	CHECK_TEXT(parsed("a | sort > c"), "a to sort > c");
	CHECK_TEXT(parsed("a stack=/(b|c)/ | wc"), "a~stack=/(b|c)/ to wc");
	CHECK_TEXT(parsed("a b) | wc"), "a~b) to wc");
	CHECK_TEXT(parsed("a p->q"), "a~p->q");
}

static void what_is_wrong(void)
{
	CHECK_TEXT(parsed("a >"), "no file follows > or >>");
	CHECK_TEXT(parsed("a > b c"), "one file follows > or >>");
	CHECK_TEXT(parsed("a | "), "no program follows |");
	CHECK_TEXT(parsed("> b"), "no command before > or |");
	CHECK_TEXT(parsed("| b"), "no command before > or |");
}

static void as_many_words_as_there_is_room_for(void)
{
	char text[2 * LINE_WORDS + 3] = "";
	struct line l;

	for (int i = 0; i < LINE_WORDS; i++)
		strcat(text, "x ");
	CHECK(!line_parse(text, &l));
	CHECK(l.argc == LINE_WORDS && !l.argv[LINE_WORDS]);
	text[0] = '\0';
	for (int i = 0; i <= LINE_WORDS; i++)
		strcat(text, "x ");
	CHECK_TEXT(line_parse(text, &l), "too many words");
}

TESTS({ "words", words }, { "quotes", quotes }, { "output", output },
      { "what is wrong", what_is_wrong },
      { "as many words as there is room for", as_many_words_as_there_is_room_for })
