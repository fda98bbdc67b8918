// SPDX-License-Identifier: GPL-2.0-or-later
/* The first lines of the screen, on a terminal: two of the case, a verdict that leaves room for who has memory. */
#include "memowner/case.h"
#include "memowner/screen.h"
#include "memowner/summary.h"

#define INDENT 10	/* columns in front of a paragraph */
#define VERDICT_LINES 4 /* at 80 columns */
#define WIDTH 80

void screen_put_case(const struct screen *sc)
{
	const struct summary_case *c = sc->s->of_case;
	char text[CASE_LINE];

	if (!c)
		return;
	case_machine_text(c, text);
	screen_put(sc, "case", text);
	case_end_text(c, text);
	if (!screen_fits(sc, INDENT + strlen(text)))
		case_end_brief(c, sc->out->columns - INDENT, text);
	screen_put(sc, "", text);
}

static unsigned int lines_of(const struct screen *sc, const char *text)
{
	struct sink *counter = dump_alloc(sc->s->dump, sizeof(*counter));
	struct screen counted = *sc;
	unsigned int lines = 0;

	sink_init(counter, screen_count_lines, &lines);
	counter->columns = sc->out->columns;
	counted.out = counter;
	screen_put(&counted, "verdict", text);
	sink_flush(counter);
	return lines;
}

/* The end of the first clause from there on: "; " outside of parentheses and quotes; NULL: it is the last one. */
static const char *clause_end(const char *text)
{
	unsigned int depth = 0;
	bool is_quoted = false;

	for (; *text; text++) {
		is_quoted ^= *text == '"';
		depth += *text == '(';
		depth -= *text == ')' && depth;
		if (!depth && !is_quoted && !strncmp(text, "; ", 2))
			return text;
	}
	return NULL;
}

/*
 * What of the verdict has no room in its lines: whole clauses, from there on; NULL: all of it has room, as in a file,
 * where each statement is one line.
 */
static const char *rest_of(const struct screen *sc, const char *text)
{
	const unsigned int columns = sc->out->columns;
	const unsigned int room = columns < WIDTH && columns ? VERDICT_LINES * WIDTH / columns
							     : VERDICT_LINES;
	static const char of_log[] = "the log has no report";
	const char *end = clause_end(text), *before = NULL, *next;

	if (!columns || sc->out->page || !end || lines_of(sc, text) <= room)
		return NULL;
	while ((next = clause_end(end + 2)) != NULL &&
	       lines_of(sc, dump_text(sc->s->dump, "%.*s", (int)(next - text), text)) <= room) {
		before = end;
		end = next;
	}
	/* That memory was not short rests on it: these are not torn apart. */
	return before && !strncmp(end + 2, of_log, strlen(of_log)) ? before + 2 : end + 2;
}

static const char *verdict_of(const struct screen *sc)
{
	const struct statement *row = sc->s->first[SECTION_VERDICT];

	return row ? row->remark : NULL;
}

void screen_put_verdict(const struct screen *sc)
{
	const char *text = verdict_of(sc), *rest = text ? rest_of(sc, text) : NULL;

	if (rest)
		text = dump_text(sc->s->dump, "%.*s", (int)(rest - 2 - text), text);
	if (text)
		screen_put(sc, "verdict", text);
}

void screen_put_rest(const struct screen *sc)
{
	const char *text = verdict_of(sc), *rest = text ? rest_of(sc, text) : NULL;

	/* That it did not panic the line of the case says: "dump 2026-11-23". */
	if (rest && strcmp(rest, "the machine did not panic") != 0)
		screen_put(sc, "also", rest);
}
