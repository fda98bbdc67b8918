// SPDX-License-Identifier: GPL-2.0-or-later
/* The first lines of the screen: what of a verdict stands on top, and which modules the line of the end names. */
#include "memowner/case.h"
#include "memowner/screen.h"
#include "memowner/summary.h"
#include "stub.h"
#include "test.h"

static struct stub stub;
static struct statement verdict = { .section = SECTION_VERDICT };
static struct summary sum;
static struct sink sink;
static char text[2048];
static struct strbuf all;

static bool take(void *priv NOT_USED, const char *s, size_t n)
{
	strbuf_add(&all, "%.*s", (int)n, s);
	return true;
}

static const char *shown(void (*put)(const struct screen *sc), unsigned int columns)
{
	const struct screen sc = { .s = &sum, .out = &sink };

	all = strbuf_in(text, sizeof(text));
	sink_init(&sink, take, NULL);
	sink.columns = columns;
	put(&sc);
	sink_flush(&sink);
	return text;
}

static void begin(const char *remark)
{
	STUB_OPEN(stub);
	verdict.remark = remark;
	sum = (struct summary){ .dump = &stub.dump, .first[SECTION_VERDICT] = &verdict };
}

#define A60 "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"

static void whole_clauses(void)
{
	begin("short; it is");
	CHECK_TEXT(shown(screen_put_verdict, 80), "verdict   short; it is\n");
	CHECK_TEXT(shown(screen_put_rest, 80), "");
	/* What is in parentheses or quotes is no clause. */
	begin(A60 " (b; b); " A60 " \"c; c\"; " A60 "; " A60 "; e; f");
	CHECK_TEXT(shown(screen_put_verdict, 80),
		   "verdict   " A60 " (b; b);\n          " A60 " \"c; c\";\n          " A60
		   ";\n          " A60 "; e; f\n");
	begin(A60 " (b; b); " A60 " \"c; c\"; " A60 "; d; " A60 " e; " A60 " f; g");
	CHECK_TEXT(shown(screen_put_verdict, 80),
		   "verdict   " A60 " (b; b);\n          " A60 " \"c; c\";\n          " A60
		   "; d;\n          " A60 " e\n");
	CHECK_TEXT(shown(screen_put_rest, 80), "also      " A60 " f; g\n");
	/* In a file a statement is one line; the first clause is told, however long it is. */
	CHECK(strstr(shown(screen_put_verdict, 0), " f; g\n"));
	CHECK_TEXT(shown(screen_put_rest, 0), "");
	begin(A60 " " A60 " " A60 " " A60 " " A60 " (; ); b");
	CHECK(strstr(shown(screen_put_verdict, 80), " (; )\n"));
	CHECK_TEXT(shown(screen_put_rest, 80), "also      b\n");
}

static void memory_and_the_log_are_one_statement(void)
{
	begin(A60 "; " A60 "; " A60 "; memory was not short: 1.0M of 2.0M was free, 50.0%; "
		  "the log has no report that memory ran out; the machine did not panic");
	CHECK_TEXT(shown(screen_put_verdict, 80),
		   "verdict   " A60 ";\n          " A60 ";\n          " A60 "\n");
	CHECK(strstr(shown(screen_put_rest, 80), "also      memory was not short: "));
	/* The line of the case has that it is a dump. */
	begin(A60 "; " A60 "; " A60 "; " A60 " d; the machine did not panic");
	CHECK_TEXT(shown(screen_put_rest, 80), "");
}

static void modules_as_they_fit(void)
{
	struct tainting_module third = { .name = "gamma", .letters = "OE" },
			       second = { .name = "beta", .letters = "OE", .next = &third },
			       first = { .name = "alpha", .letters = "OE", .next = &second };
	const struct summary_case of = { .end = "dump",
					 .uptime_ns = { 12300000000, true },
					 .taint = "OE",
					 .tainted_by = "alpha OE, beta OE, gamma OE",
					 .has_modules = true,
					 .modules.first = &first };
	char line[CASE_LINE];

	case_end_text(&of, line);
	CHECK_TEXT(line, "dump at an unknown time, 12.3s after boot; taint OE (alpha OE, beta OE, "
			 "gamma OE)");
	case_end_brief(&of, 80, line);
	CHECK_TEXT(line, "dump at an unknown time, up 12.3s; taint OE (alpha, beta, gamma)");
	case_end_brief(&of, 60, line);
	CHECK_TEXT(line, "dump at an unknown time, up 12.3s; taint OE (alpha and 2 more)");
	third.name = "g";
	case_end_brief(&of, 58, line);
	CHECK(strlen(line) > 58 && strstr(line, "(alpha and 2 more)"));
}

TESTS({ "whole clauses", whole_clauses },
      { "memory and the log are one statement", memory_and_the_log_are_one_statement },
      { "modules as they fit", modules_as_they_fit })
