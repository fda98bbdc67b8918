// SPDX-License-Identifier: GPL-2.0-or-later
/* -h of a noun: written by its tables, so that it has what they have. */

#include "cli/cmdline.h"

/* What stands in the help of a noun: name, one line, arguments, then lines. */
enum { HELP_NAME, HELP_SUMMARY, HELP_ARGUMENTS, HELP_LINES };

#define EXAMPLES "EXAMPLES"
#define LIST_BYTES 2048 /* of a list of words */
#define USAGE_WIDTH 80

/* An option that needs -d. */
static bool needs_diff(const struct command_option *row)
{
	return row->views && row->letter != 'd' && !strcmp(row->views, "diff");
}

struct usage_line {
	struct sink *out;
	size_t indent, at;
};

/* An option behind the others, or in a line of its own. */
static void put_option(struct usage_line *u, const struct command_option *row, const char *end)
{
	const char *value = option_find(row->letter)->value_name;
	struct strbuf s = STRBUF_OF(32);

	strbuf_add(&s, value ? "[-%c %s%s" : "[-%c%s%s", row->letter, value ?: "", end);
	if (u->at + 1 + s.len > USAGE_WIDTH) {
		sink_printf(u->out, "\n%*s", (int)u->indent, "");
		u->at = u->indent;
	}
	sink_printf(u->out, " %s", s.buf);
	u->at += 1 + s.len;
}

/* "usage: memowner zones [-o COL[,COL]] [-d FILE [-s KEY[,KEY]] [-r]] ...", wrapped. */
static void put_usage(const struct command_spec *usage, struct sink *out)
{
	size_t indent = strlen("usage: ") + strlen(usage->help[HELP_NAME]);
	struct usage_line u = { out, indent, indent };
	const struct command_option *last = NULL;

	sink_printf(out, "usage: %s", usage->help[HELP_NAME]);
	if (*usage->help[HELP_ARGUMENTS]) {
		sink_printf(out, " %s", usage->help[HELP_ARGUMENTS]);
		u.at += 1 + strlen(usage->help[HELP_ARGUMENTS]);
	}
	for (const struct command_option *row = usage->options; row->letter; row++)
		if (needs_diff(row))
			last = row;
	for (const struct command_option *row = usage->options; row->letter; row++) {
		if (needs_diff(row))
			continue;
		put_option(&u, row, row->letter == 'd' && last ? "" : "]");
		for (const struct command_option *of = usage->options;
		     row->letter == 'd' && of->letter; of++)
			if (needs_diff(of))
				put_option(&u, of, of == last ? "]]" : "]");
	}
	sink_text(out, "\n");
}

#define FOLDED 5 /* columns of one prefix that stand together: -o help has each */

/* How many columns from one on have its first word, "log_": it stands for them. */
static size_t alike_from(const struct view *view, size_t i)
{
	const char *name = view_column(&view->columns[i])->name;
	const size_t len = strcspn(name, "_") + 1;
	size_t n = 1;

	while (i + n < view->ncolumns &&
	       !strncmp(view_column(&view->columns[i + n])->name, name, len))
		n++;
	return n >= FOLDED && name[len - 1] ? n : 1;
}

static void put_columns(const struct view *view, struct sink *out)
{
	struct strbuf s = STRBUF_OF(LIST_BYTES);

	for (size_t i = 0, n; i < view->ncolumns; i += n) {
		const char *name = view_column(&view->columns[i])->name;

		n = alike_from(view, i);
		strbuf_add(&s, "%s%.*s%s", strbuf_between(&s, " "),
			   n > 1 ? (int)strcspn(name, "_") + 1 : (int)strlen(name), name,
			   n > 1 ? "..." : "");
	}
	if (s.len)
		glossary_entry(out, "columns (-o help)", s.buf);
}

static bool is_refused(const struct view *view, const char *key)
{
	char word[64];

	snprintf(word, sizeof(word), " %s ", key);
	return view->no_groups && strstr(view->no_groups, word);
}

static void put_keys(const struct command_spec *usage, const struct view *view, const char *title,
		     unsigned int use, struct sink *out)
{
	const struct key *keys = view->keys ?: usage->keys;
	size_t n = view->keys ? view->nkeys : usage->nkeys;
	struct strbuf s = STRBUF_OF(LIST_BYTES);

	for (size_t i = 0; i < n; i++)
		if (keys[i].use & use &&
		    !(use & KEY_GROUPS && is_refused(view, key_name(&keys[i]))))
			strbuf_add(&s, "%s%s", strbuf_between(&s, " "), key_name(&keys[i]));
	if (s.len)
		glossary_entry(out, title, s.buf);
}

static bool has_option(const struct command_spec *usage, char letter)
{
	for (const struct command_option *row = usage->options; row->letter; row++)
		if (row->letter == letter)
			return true;
	return false;
}

void noun_help(const struct command_spec *usage, const struct view *view, struct sink *out)
{
	char **line = usage->help + HELP_LINES;

	sink_printf(out, "%s: %s\n", usage->help[HELP_NAME], usage->help[HELP_SUMMARY]);
	put_usage(usage, out);
	for (; *line && strcmp(*line, EXAMPLES); line++)
		sink_printf(out, "%s\n", *line);
	put_columns(view, out);
	if (has_option(usage, 'f'))
		put_keys(usage, view, "keys of -f, -X", KEY_FILTERS | KEY_OF_GROUP, out);
	if (has_option(usage, 'g'))
		put_keys(usage, view->grouped && !view->grouped_by ? view->grouped : view,
			 "keys of -g", KEY_GROUPS, out);
	for (size_t i = 0; i < usage->nviews; i++)
		if (usage->views[i]->baseline)
			put_keys(usage, usage->views[i], "keys of -g, -d", KEY_GROUPS, out);
	for (; *line; line++)
		sink_printf(out, "%s\n", *line);
}
