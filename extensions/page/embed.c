// SPDX-License-Identifier: GPL-2.0-or-later
#include "embed.h"

#define FRAME_BYTES 9000 /* of the meta and summary lines of an answer */
#define SAID_BYTES 36	 /* of a line that is told once; shorter ones are titles and counts */

/* JSON has < in strings only, where it may be written as a number: no tag ends the script. */
#define LESS_THAN "\\u003c"

static void put_json(struct sink *page, const char *s, size_t n)
{
	for (size_t from = 0; from < n;) {
		const char *lt = memchr(s + from, '<', n - from);
		size_t end = lt ? (size_t)(lt - s) : n;

		sink_write(page, s + from, end - from);
		if (lt)
			sink_text(page, LESS_THAN);
		from = end + (lt != NULL);
	}
}

static bool is_record(const struct embed *e, const char *record)
{
	static const char start[] = "{\"record\":\"";
	size_t n = strlen(record);

	return e->used > sizeof(start) - 1 + n && !memcmp(e->line, start, sizeof(start) - 1) &&
	       !memcmp(e->line + sizeof(start) - 1, record, n);
}

static size_t json_bytes(const struct embed *e)
{
	size_t n = e->used;

	for (size_t i = 0; i < e->used; i++)
		n += e->line[i] == '<' ? sizeof(LESS_THAN) - 2 : 0;
	return n;
}

/* Meta and summary lines have bytes of their own, which no row takes. */
static void end_record(struct embed *e)
{
	bool frame = is_record(e, "meta\"") || is_record(e, "summary\"");
	size_t *left = frame ? &e->frame : &e->left, n = json_bytes(e);

	if (e->too_long || n > *left) {
		e->dropped += !frame;
		*left = 0; /* what follows is smaller: no gaps in a ranking */
	} else {
		put_json(e->page, e->line, e->used);
		*left -= n;
	}
}

void embed_end_text(struct embed *e)
{
	if (e->in_pre)
		sink_text(e->page, "</pre>\n");
	e->in_pre = false;
}

void embed_paragraph(struct embed *e, const char *class, const char *text, size_t n)
{
	embed_end_text(e);
	sink_printf(e->page, "<p class=\"%s\">", class);
	html_text(e->page, text, n);
	sink_text(e->page, "</p>\n");
}

static void put_words(struct embed *e, const char *text)
{
	const char *words = e->redact ? redact_text(e->redact, text, strlen(text)) : text;

	html_text(e->page, words, strlen(words));
}

void embed_end_said(struct embed *e)
{
	embed_end_text(e);
	if (e->in_memory)
		sink_text(e->page, "</details>\n");
	e->in_memory = false;
}

/* What memory consists of, and who has it, is not what a reader looks for where it was not short. */
static void fold_memory(struct embed *e, const char *label, const char *text)
{
	if (!strcmp(label, "verdict"))
		e->is_enough = strstr(text, "memory was not short") != NULL;
	else if (!strcmp(label, "holder"))
		e->is_enough = false;
	if (*label)
		embed_end_said(e);
	if (!e->is_enough || strcmp(label, "RAM") != 0)
		return;
	sink_text(e->page,
		  "<details class=memory><summary>Memory, which was not short</summary>\n");
	e->in_memory = true;
}

void embed_said(struct embed *e, const char *label, const char *text)
{
	embed_end_text(e);
	fold_memory(e, label, text);
	sink_printf(e->page, "<p class=\"said%s\"><span class=label>",
		    strcmp(label, "verdict") ? "" : " verdict");
	put_words(e, label);
	sink_text(e->page, "</span> <span>");
	put_words(e, text);
	sink_text(e->page, "</span></p>\n");
	if (e->told)
		strbuf_add(&e->told->text, "%s\n",
			   e->redact ? redact_text(e->redact, text, strlen(text)) : text);
}

/* Whether a section before has this line, below a table as this one. */
static bool is_said(struct embed *e, size_t n)
{
	size_t *first;

	if (!e->said || n < SAID_BYTES || !e->has_table)
		return false;
	first = hash_bytes_get(&e->said->lines, e->line, n, NULL)->value;
	if (!*first || !e->said->is_shown[*first - 1])
		*first = e->section + 1;
	return *first != e->section + 1;
}

#define WARNING "warning: "

/* Whether the text has these words as a whole clause: from the begin of a line or "; " to its end, or the next "; ". */
static bool has_clause(const struct strbuf *text, const char *words, size_t n)
{
	const char *end = text->buf + text->len;
	const char *at = text->buf;

	while (n && (at = memmem(at, (size_t)(end - at), words, n))) {
		const char *after = at + n;
		const size_t before = (size_t)(at - text->buf);

		if ((!before || at[-1] == '\n' || (before > 1 && !memcmp(at - 2, "; ", 2))) &&
		    (after == end || *after == '\n' ||
		     (after + 1 < end && !memcmp(after, "; ", 2))))
			return true;
		at++;
	}
	return false;
}

/* Whether the first screen and the story have each of its clauses, "; " between them, below a table. */
static bool is_told(const struct embed *e, size_t n)
{
	const struct strbuf *told = e->told && !e->told->is_taken ? &e->told->text : NULL;
	const char *at = e->line, *end = e->line + n;

	if (!told || !told->len || !e->has_table || n < SAID_BYTES)
		return false;
	if (!strncmp(at, WARNING, strlen(WARNING)))
		at += strlen(WARNING);
	while (at < end) {
		const char *part = memmem(at, (size_t)(end - at), "; ", 2) ?: end;

		if (!has_clause(told, at, (size_t)(part - at)))
			return false;
		at = part + 2;
	}
	return true;
}

static bool begins(const struct embed *e, size_t n, const char *text)
{
	const size_t of = strlen(text);

	return n > of && !memcmp(e->line, text, of);
}

static bool ends(const struct embed *e, size_t n, const char *text)
{
	const size_t of = strlen(text);

	return n > of && !memcmp(e->line + n - of, text, of);
}

#define UNKNOWN_OF_ALL " is unknown of all rows that are shown (" /* what it would have been */

/*
 * What a filter did not find, kept or left out: the page has chosen it, and not its reader. A column in which no row
 * has a value is left out.
 */
static bool is_of_choice(const struct embed *e, size_t n)
{
	return begins(e, n, "no row that is shown has ") ||
	       ends(e, n, " of all rows that are shown") ||
	       memmem(e->line, n, UNKNOWN_OF_ALL, strlen(UNKNOWN_OF_ALL)) ||
	       begins(e, n, "warning: -f ") || begins(e, n, "warning: -X ") ||
	       ends(e, n, ", which -X keeps") || (e->has_table && begins(e, n, "filters kept "));
}

static void put_text(struct embed *e)
{
	size_t n = e->used && e->line[e->used - 1] == '\n' ? e->used - 1 : e->used;
	size_t bytes = n + 64;

	/* As it is written it is not shorter. */
	if (!e->too_long && bytes <= e->left)
		bytes = html_bytes(e->line, n) + 64;
	if (e->too_long || bytes > e->left) {
		e->is_long = true;
		e->left = 0;
		return;
	}
	e->left -= bytes;
	if (is_of_choice(e, n))
		return;
	if (e->told && e->told->is_taken)
		strbuf_add(&e->told->text, "%.*s\n", (int)n, e->line);
	if (is_said(e, n) || is_told(e, n))
		return;
	if (begins(e, n, "warning: ")) {
		embed_paragraph(e, "note", e->line, n);
		return;
	}
	if (!n && !e->in_pre)
		return;
	if (!e->in_pre)
		sink_text(e->page, "<pre class=text>");
	e->in_pre = true;
	html_text(e->page, e->line, n);
	sink_text(e->page, "\n");
}

/* The line with pseudonyms; what has no room then is left out. */
static void reword(struct embed *e)
{
	size_t n = e->used && e->line[e->used - 1] == '\n' ? e->used - 1 : e->used;
	const char *text = e->is_json ? redact_record(e->redact, e->line, n)
				      : redact_text(e->redact, e->line, n);
	size_t len = strlen(text);

	e->too_long |= len + 1 > sizeof(e->line);
	if (e->too_long)
		return;
	memcpy(e->line, text, len);
	e->line[len] = '\n';
	e->used = len + 1;
}

void embed_end_line(struct embed *e)
{
	if (e->redact && !e->is_learning && !e->too_long)
		reword(e);
	if (e->is_learning)
		redact_learn_record(e->redact, e->line, e->used);
	else if (e->is_json)
		end_record(e);
	else
		put_text(e);
	e->used = 0;
	e->too_long = false;
}

static bool embed_write(void *arg, const char *s, size_t n)
{
	struct embed *e = arg;

	if (e->own->page && e->own->page->is_markup) {
		embed_end_text(e);
		e->has_table = true;
		sink_write(e->page, s, n);
		return !e->page->closed;
	}
	for (const char *end; n; n -= end - s, s = end) {
		size_t room = sizeof(e->line) - e->used, len;

		end = memchr(s, '\n', n);
		end = end ? end + 1 : s + n;
		len = end - s;
		e->too_long |= len > room;
		len = len < room ? len : room;
		memcpy(e->line + e->used, s, len);
		e->used += len;
		if (end[-1] == '\n')
			embed_end_line(e);
	}
	return !e->page->closed;
}

static const char *cell_word(void *arg, const char *column, const char *text)
{
	return redact_cell(arg, column, text);
}

void embed_begin(struct embed *e, struct sink *page, struct redact *redact)
{
	struct sink *own = e->own;

	memset(e, 0, offsetof(struct embed, line));
	e->page = page;
	e->own = own;
	e->frame = FRAME_BYTES;
	e->redact = redact;
	e->state.word = redact ? cell_word : NULL;
	e->state.arg = redact;
	sink_init(e->own, embed_write, e);
}

void embed_string(struct sink *page, const char *s)
{
	sink_text(page, "\"");
	for (; *s; s++) {
		unsigned char c = *s;

		if (c < 0x20 || c >= 0x7f || strchr("\"\\<>&", c))
			sink_printf(page, "\\u%04x", c);
		else
			sink_write(page, s, 1);
	}
	sink_text(page, "\"");
}
