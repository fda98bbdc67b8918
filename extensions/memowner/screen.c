// SPDX-License-Identifier: GPL-2.0-or-later
#include "screen.h"
#include "verdict_words.h"

#include "dump/lack_words.h"
#include "summary.h"

#define LABEL 10 /* columns of the name of a part */

bool screen_fits(const struct screen *sc, size_t columns)
{
	return !sc->out->columns || columns <= sc->out->columns;
}

void screen_put(const struct screen *sc, const char *label, const char *text)
{
	screen_put_behind(sc, LABEL, label, text);
}

void screen_put_behind(const struct screen *sc, unsigned int indent, const char *label,
		       const char *text)
{
	screen_put_whole(sc, indent, label, text, NULL);
}

/* A name may have any byte. */
static void put_word(const struct screen *sc, const char *word, size_t len)
{
	for (size_t i = 0, n; i < len; i += n ?: 1) {
		for (n = 0;
		     i + n < len && (unsigned char)word[i + n] >= 0x20 && word[i + n] != 0x7f;)
			n++;
		sink_write(sc->out, n ? word + i : "?", n ?: 1);
	}
}

/* A word in the line that has come to a column, or in the next one; the column behind it. */
static size_t add_word(const struct screen *sc, unsigned int indent, size_t column,
		       const char *word, size_t len)
{
	if (column > indent && !screen_fits(sc, column + 1 + len)) {
		sink_printf(sc->out, "\n%-*s", (int)indent, "");
		column = indent;
	} else if (column > indent) {
		sink_text(sc->out, " ");
		column++;
	}
	put_word(sc, word, len);
	return column + len;
}

/* What is copied from the screen is not broken where it has room without the blanks before it. */
static void add_behind(const struct screen *sc, unsigned int indent, size_t column,
		       const char *text)
{
	const size_t len = strlen(text), columns = sc->out->columns;

	if (!columns || indent + len <= columns || len > columns) {
		add_word(sc, indent, column, text, len);
		return;
	}
	sink_printf(sc->out, "\n%-*s", (int)(columns - len), "");
	put_word(sc, text, len);
}

void screen_put_whole(const struct screen *sc, unsigned int indent, const char *label,
		      const char *text, const char *behind)
{
	size_t column = strlen(label) > indent ? strlen(label) : indent;
	const struct sink_page *p = sc->out->page;

	if (p && p->said && indent == LABEL && strlen(label) < LABEL) {
		sink_flush(sc->out);
		p->said(p->screen, label, text);
		return;
	}
	sink_printf(sc->out, "%-*s", (int)indent, label);
	while (*text) {
		size_t len = strcspn(text, " ");

		column = add_word(sc, indent, column, text, len);
		text += len + strspn(text + len, " ");
	}
	if (behind)
		add_behind(sc, indent, column, behind);
	sink_text(sc->out, "\n");
}

bool screen_count_lines(void *priv, const char *text, size_t n)
{
	unsigned int *lines = priv;

	for (size_t i = 0; i < n; i++)
		*lines += text[i] == '\n';
	return true;
}

/* What is unknown, and the warnings: the end of the screen; each reason is told once. */
#define TEXT 2048

/* What a kernel was built without is one reason, whatever it is. */
static const char *unbuilt(const struct statement *row)
{
	static const char text[] = "this kernel was built without ";

	return row->remark && !strncmp(row->remark, text, strlen(text)) ? row->remark + strlen(text)
									: NULL;
}

/* What the kernel was built without has that reason, of whatever part. */
const char *summary_missing_word(const struct statement *row)
{
	return unbuilt(row) ? WORD_NOT_THERE : availability_word(row->lacks);
}

static bool same_remark(const struct statement *a, const struct statement *b)
{
	return a->remark && b->remark && !strcmp(a->remark, b->remark);
}

static bool same_reason(const struct statement *a, const struct statement *b)
{
	return same_remark(a, b) || (unbuilt(a) && unbuilt(b));
}

/* What each of several processes lacks has one name. */
static bool is_named(const struct statement *first, const struct statement *row)
{
	const struct statement *before = first;

	while (before != row && (!same_reason(first, before) || strcmp(before->name, row->name)))
		before = before->next;
	return before != row;
}

void summary_missing_names(const struct statement *first, struct strbuf *b)
{
	strbuf_add(b, "%s", first->name);
	for (const struct statement *row = first->next; row; row = row->next)
		if (same_reason(first, row) && !is_named(first, row))
			strbuf_add(b, ", %s", row->name);
}

/* "page_owner (CONFIG_PAGE_OWNER)": beside others the option alone. */
static void add_option(const struct statement *row, struct strbuf *b)
{
	const char *text = unbuilt(row), *option = strchr(text, '(');
	int n = option ? (int)strcspn(option + 1, ")") : (int)strlen(text);

	strbuf_add(b, "%.*s", n, option ? option + 1 : text);
}

void summary_missing_reason(const struct statement *first, struct strbuf *b)
{
	const struct statement *last = first;

	for (const struct statement *row = first->next; row && unbuilt(first); row = row->next) {
		if (!unbuilt(row) || same_remark(row, last))
			continue;
		if (last == first) {
			strbuf_add(b, "%.*s", (int)(unbuilt(first) - first->remark), first->remark);
			add_option(first, b);
		}
		strbuf_add(b, ", ");
		add_option(row, b);
		last = row;
	}
	if (last == first)
		strbuf_add(b, "%s", first->remark);
}

bool summary_is_joined(const struct summary *s, const struct statement *of)
{
	const struct statement *row = s->first[SECTION_MISSING];

	while (row != of && !same_reason(row, of))
		row = row->next;
	return row != of;
}

/* What the user types to have the summary. */
static const char *summary_command(const struct screen *sc)
{
	const char *behind = sc->s->dump->typed_behind;

	return behind ?: "memowner";
}

/* Threads on a CPU whose registers are missing have no frames, either. */
static int before_same_fact(const char *warning, const struct statement *row)
{
	static const char frames[] = "the frames of a task on a CPU are not known",
			  registers[] = "its registers were not found";
	const size_t n = strlen(warning), of = row->remark ? strlen(row->remark) : 0;

	return n > strlen(frames) && of > strlen(registers) &&
			       !strcmp(warning + n - strlen(frames), frames) &&
			       !strcmp(row->remark + of - strlen(registers), registers)
		       ? (int)strcspn(warning, ":")
		       : 0;
}

/* What a warning says before the reason that a row has, too; 0: it has another. */
static int before_reason(const char *warning, const struct statement *row)
{
	size_t n = strlen(warning), of = row->remark ? strlen(row->remark) : 0;

	if (before_same_fact(warning, row))
		return before_same_fact(warning, row);

	return of && n > of + 2 && !strcmp(warning + n - of, row->remark) &&
			       !strncmp(warning + n - of - 2, ": ", 2)
		       ? (int)(n - of - 2)
		       : 0;
}

/* "; threads in a page fault may be missing": one reason is told once. */
static void add_same_reason(const struct screen *sc, const struct statement *row, struct strbuf *b)
{
	const struct report *r = sc->s->report;

	for (unsigned int i = 0; i < r->nwarnings; i++) {
		int n = before_reason(r->warnings[i], row);

		if (n && strncmp(r->warnings[i], row->name, n))
			strbuf_add(b, "; %.*s", n, r->warnings[i]);
	}
}

#define STACKS "allocation stacks"

/* Whether all that a kernel was built without is who allocates: who has memory may be known without. */
static bool is_of_stacks(const struct statement *first)
{
	return unbuilt(first) &&
	       !ANY_NEXT(row, first,
			 same_reason(first, row) && strcmp(row->name, "owners") != 0 &&
				 strcmp(row->name, "sites") != 0);
}

/* Where it is known who has the memory, or memory is no question, no stack is missed. */
static bool is_missed(const struct summary *s, const struct statement *first)
{
	return !is_of_stacks(first) || s->first[SECTION_CANDIDATE] ||
	       (!s->first[SECTION_MOST] && s->verdict != VERDICT_NOT_SHORT);
}

static void add_names(const struct statement *first, struct strbuf *b)
{
	if (is_of_stacks(first))
		strbuf_add(b, STACKS);
	else
		summary_missing_names(first, b);
}

/* Where the reasons have no room, the names of the parts have. */
void screen_put_missing(const struct screen *sc)
{
	char text[TEXT], names[TEXT];
	struct strbuf one, more;
	unsigned int shown = 0, room = sc->extent.missing;

	/* One reason for nearly all stands first. */
	if (ANY_NEXT(row, sc->s->first[SECTION_MISSING], !strcmp(row->name ?: "", MUCH_MISSING)))
		room = 1;
	more = strbuf_in(names, sizeof(names));
	for (const struct statement *row = sc->s->first[SECTION_MISSING]; row; row = row->next) {
		if (summary_is_joined(sc->s, row) || !is_missed(sc->s, row))
			continue;
		one = strbuf_in(text, sizeof(text));
		if (shown >= room)
			strbuf_add(&more, "%s", strbuf_between(&more, ", "));
		if (shown++ >= room) {
			add_names(row, &more);
			continue;
		}
		add_names(row, &one);
		strbuf_add(&one, ": ");
		summary_missing_reason(row, &one);
		add_same_reason(sc, row, &one);
		screen_put(sc, summary_missing_word(row), text);
	}
	if (!more.len)
		return;
	strbuf_add(&more, ": %s -j has the reasons", summary_command(sc));
	screen_put(sc, "unknown", names);
}

/* Whether a line on what is unknown says the same. */
static bool is_told(const struct screen *sc, const char *warning)
{
	return ANY_NEXT(row, sc->s->first[SECTION_MISSING], before_reason(warning, row));
}

void screen_put_warnings(const struct screen *sc)
{
	const struct report *r = sc->s->report;
	const struct dump *d = sc->s->dump;
	const char *cut = d->ops->incomplete ? d->ops->incomplete(d->priv) : NULL;
	unsigned int shown = 0, more = 0;
	char text[64];

	/* All others may come of it. */
	if (cut) {
		screen_put(sc, "warning", cut);
		shown++;
	}
	for (unsigned int i = 0; i < r->nwarnings; i++) {
		if (is_told(sc, r->warnings[i]) || (cut && !strcmp(r->warnings[i], cut)))
			continue;
		if (shown >= sc->extent.warnings) {
			more++;
			continue;
		}
		screen_put(sc, "warning", r->warnings[i]);
		shown++;
	}
	if (!more)
		return;
	snprintf(text, sizeof(text), "%u more; %s -j has them", more, summary_command(sc));
	screen_put(sc, "warning", text);
}
