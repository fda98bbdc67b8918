// SPDX-License-Identifier: GPL-2.0-or-later
#include "oom/oom_pieces.h"

#include "oom/oom_line.h"
#include "oom/open_reports.h"

#include <ctype.h>

#define APART 4 /* records of others between two pieces, where none tells its caller: it stands */

static bool ends_with(const char *text, const char *end)
{
	const size_t len = strlen(text), n = strlen(end);

	return len >= n && !strcmp(text + len - n, end);
}

static bool take_victim(const char *text, struct oom_report *r)
{
	oom_line_ends(text, r);
	return true;
}

/* What was cut is no path: the whole line has one. */
static bool take_stats(const char *text, struct oom_report *r)
{
	r->has_stats = false;
	return oom_line_memcg(text, r);
}

/* "/a" behind "_memcg=" and at the place of a path; else what the kernel has behind it. */
static bool victim_goes_on(const char *line, const char *text)
{
	return *text == ',' || (*text == '/' && ends_with(line, "_memcg="));
}

static bool stats_go_on(const char *line, const char *text)
{
	return *text == '/' ? ends_with(line, " for") || ends_with(line, " for ")
			    : *text == ':' && strstr(line, " for /") && !strchr(line, ':');
}

static bool limit_goes_on(const char *line, const char *text)
{
	if (*text == '/')
		return ends_with(line, " in") || ends_with(line, " in ") ||
		       ends_with(line, " of") || ends_with(line, " of ");
	return log_after(text + strspn(text, " "), "killed as a result of limit of") != NULL;
}

static const struct line {
	const char *begins;
	bool (*goes_on)(const char *line, const char *text);
	bool (*take)(const char *text, struct oom_report *r);
	bool is_alone; /* one without pieces says what it says as it is */
} lines[] = {
	{ "oom-kill:", victim_goes_on, take_victim, true },
	{ "Memory cgroup stats for", stats_go_on, take_stats, false },
	{ "Task in", limit_goes_on, oom_line_limit_of, false },
};

static const struct line *line_of(const char *text)
{
	return FIND_IN(lines, ARRAY_SIZE(lines), log_after(text, found->begins));
}

bool oom_begins_path(const char *text)
{
	const struct line *l = line_of(text);
	const char *rest = l && !l->is_alone ? log_after(text, l->begins) : NULL;

	return rest && (!*rest || log_after(rest, " /") || !strcmp(rest, " "));
}

void oom_begin_pieces(struct oom_reports *all, const struct oom_report *r, const char *text)
{
	all->has_line = line_of(text) != NULL && strlen(text) < sizeof(all->line);
	if (!all->has_line)
		return;
	strcpy(all->line, text);
	all->line_report = r - all->reports;
	all->apart = 0;
}

/* Of the victim it is known then only what is in one piece, or what the line of its kill has. */
static bool end_line(struct oom_reports *all, const struct line *l, struct oom_report *r)
{
	if (l->is_alone && !r->kills)
		l->take("", r);
	all->has_line = false;
	return false;
}

bool oom_take_piece(struct oom_reports *all, const struct kernel_record *rec)
{
	/* Without a line its report is none of the reports. */
	struct oom_report *r = all->has_line ? &all->reports[all->line_report] : NULL;
	const struct line *l = r ? line_of(all->line) : NULL;
	size_t used = strlen(all->line);

	if (!l || !oom_is_of(r, rec))
		return false;
	if (!rec->text)
		return end_line(all, l, r);
	if (!l->goes_on(all->line, rec->text)) {
		all->has_line = !rec->has_caller && all->apart++ < APART;
		return false;
	}
	if (used + strlen(rec->text) + 2 > sizeof(all->line))
		return end_line(all, l, r);
	/* A reader of lines takes blanks at the end. */
	if (*rec->text == '/' && all->line[used - 1] != ' ' && all->line[used - 1] != '=')
		all->line[used++] = ' ';
	if (isalpha((unsigned char)*rec->text))
		all->line[used++] = ' ';
	strcpy(all->line + used, rec->text);
	l->take(all->line, r);
	return true;
}
