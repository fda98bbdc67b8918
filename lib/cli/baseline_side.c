// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/baseline_side.h"

#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/textfile.h"

#define LEFT_OUT_LINES 64 /* before a text is known: the head that a shell or a report puts there */

void baseline_side_init(struct baseline_side *s, struct dump *d, const struct baseline *b,
			const char *path)
{
	*s = (struct baseline_side){ .dump = d, .baseline = b, .path = path };
	s->last = &s->rows;
	s->last_word = &s->words;
	s->page_size = d->page_shift ? dump_page_size(d) : 0;
}

size_t baseline_index(const struct baseline_side *s, enum column_id column)
{
	size_t i = 0;

	while (i < s->ncolumns && s->columns[i] != column)
		i++;
	return i;
}

void baseline_need(struct baseline_side *s, enum column_id column)
{
	if (column && s->ncolumns < BASELINE_NEEDS && baseline_index(s, column) == s->ncolumns)
		s->columns[s->ncolumns++] = column;
}

enum status baseline_row(struct baseline_side *s)
{
	if (s->nrows == BASELINE_ROWS_MAX)
		return dump_usage(s->dump, "the file '%s' has more than %d rows", s->path,
				  BASELINE_ROWS_MAX);
	s->row = dump_alloc(s->dump, sizeof(*s->row) + s->ncolumns * sizeof(s->row->cells[0]));
	*s->last = s->row;
	s->last = &s->row->next;
	s->nrows++;
	return ST_OK;
}

void baseline_put(struct baseline_side *s, enum column_id column, struct cell cell)
{
	size_t i = baseline_index(s, column);

	if (i == s->ncolumns)
		return;
	s->row->cells[i] = cell;
	s->has[i] = true;
	s->knows[i] |= cell.kind != CELL_NULL;
}

void baseline_put_text(struct baseline_side *s, enum column_id column, const char *text)
{
	baseline_put(s, column, cell_text(dump_strdup(s->dump, text)));
}

static void add_word(struct baseline_side *s, struct baseline_word word)
{
	struct baseline_word *w = dump_alloc(s->dump, sizeof(*w));

	*w = word;
	*s->last_word = w;
	s->last_word = &w->next;
}

static const char *kept(struct baseline_side *s, const struct json_member *m)
{
	return m->kind == JSON_IS_TEXT ? dump_strdup(s->dump, m->text) : NULL;
}

static bool begins(const char *line, const char *text)
{
	return !strncmp(line, text, strlen(text));
}

static bool add_option(void *arg, const struct json_member *m)
{
	struct baseline_side *s = arg;

	if (m->kind == JSON_IS_TEXT && begins(m->text, "-g "))
		s->groups = dump_strdup(s->dump, m->text + 3);
	else if (m->kind == JSON_IS_TEXT)
		s->options = dump_text(s->dump, "%s%s%s", s->options, *s->options ? ", " : "",
				       m->text);
	return true;
}

static void take_count(const struct json_member *m, uint64_t *ret)
{
	int64_t n;

	if (json_whole(m, &n) && n >= 0)
		*ret = (uint64_t)n;
}

static bool take_meta(void *arg, const struct json_member *m)
{
	struct baseline_side *s = arg;

	if (!strcmp(m->name, "command"))
		s->command = kept(s, m);
	else if (!strcmp(m->name, "view"))
		s->view = kept(s, m);
	else if (!strcmp(m->name, "kernel"))
		s->kernel = kept(s, m);
	else if (!strcmp(m->name, "schema"))
		take_count(m, &s->schema);
	else if (!strcmp(m->name, "page_size"))
		take_count(m, &s->page_size);
	else if (!strcmp(m->name, "mem_total_bytes") && m->kind == JSON_IS_NUMBER) {
		s->has_mem_total = true;
		take_count(m, &s->mem_total_bytes);
	} else if (!strcmp(m->name, "options") && m->kind == JSON_IS_NEST) {
		s->options = "";
		s->has_options = json_read(m->text, add_option, s);
	}
	return true;
}

static bool add_warning(void *arg, const struct json_member *m)
{
	struct baseline_side *s = arg;

	if (m->kind == JSON_IS_TEXT)
		add_word(s, (struct baseline_word){ .text = kept(s, m) });
	return true;
}

static bool take_part(void *arg, const struct json_member *m)
{
	struct baseline_word *w = arg;

	if (m->kind != JSON_IS_TEXT || !m->name)
		return true;
	if (!strcmp(m->name, "part"))
		w->part = m->text;
	else if (!strcmp(m->name, "reason"))
		w->text = m->text;
	else if (!strcmp(m->name, "status"))
		while (w->why < CORRUPT && strcmp(availability_name(w->why), m->text))
			w->why++;
	return true;
}

static bool add_part(void *arg, const struct json_member *m)
{
	struct baseline_side *s = arg;
	struct baseline_word w = { 0 };

	if (m->kind != JSON_IS_NEST || !json_read(m->text, take_part, &w) || !w.part || !w.text)
		return true;
	w.part = dump_strdup(s->dump, w.part);
	w.text = dump_strdup(s->dump, w.text);
	add_word(s, w);
	return true;
}

static bool take_summary(void *arg, const struct json_member *m)
{
	struct baseline_side *s = arg;

	if (!strcmp(m->name, "status"))
		s->status = kept(s, m);
	else if (!strcmp(m->name, "complete"))
		s->complete = s->sizes_complete = m->kind == JSON_IS_WORD && *m->text == 't';
	else if (!strcmp(m->name, "sizes_complete")) {
		s->sizes_complete = m->kind == JSON_IS_WORD && *m->text == 't';
		/* What else is unknown is of other parts. */
		s->complete |= s->baseline->record && s->sizes_complete;
	} else if (!strcmp(m->name, "rows_shown")) {
		take_count(m, &s->rows_shown);
		s->has_rows_shown = m->kind == JSON_IS_NUMBER;
	} else if (!strcmp(m->name, "rows_total"))
		take_count(m, &s->rows_total);
	else if (!strcmp(m->name, "warnings") && m->kind == JSON_IS_NEST)
		json_read(m->text, add_warning, s);
	else if (!strcmp(m->name, "unknown") && m->kind == JSON_IS_NEST)
		json_read(m->text, add_part, s);
	return true;
}

/* "{"addr":...,"symbol":"f+0x1",...}": offsets differ between kernels. */
static bool take_frame(void *arg, const struct json_member *m)
{
	struct strbuf *b = arg;

	if (m->name && !strcmp(m->name, "symbol") && m->kind == JSON_IS_TEXT)
		strbuf_add(b, "%s%.*s", strbuf_between(b, " < "), (int)strcspn(m->text, "+."),
			   m->text);
	if (!m->name && m->kind == JSON_IS_NEST)
		json_read(m->text, take_frame, b);
	return true;
}

/* A call stack has the names of its functions, innermost first. */
static struct cell stack_of(struct baseline_side *s, const struct json_member *m)
{
	struct strbuf b = STRBUF_OF(BASELINE_NAME);

	json_read(m->text, take_frame, &b);
	return cell_text(b.len ? dump_strdup(s->dump, b.buf) : NULL);
}

static bool is_percent(enum column_id column)
{
	return column_catalogue[column].type == JSON_PERCENT;
}

static struct cell percent_cell(enum column_id column, const char *text)
{
	bool is_fine = column_catalogue[column].format == FORMAT_HUNDREDTHS;
	double n = strtod(text, NULL) * (is_fine ? 100 : 10) + .5;

	return cell_if(n >= 0 && n < INT32_MAX, cell_int((int64_t)n));
}

static bool take_cell(void *arg, const struct json_member *m)
{
	struct baseline_side *s = arg;
	int64_t n;

	for (size_t i = 0; i < s->ncolumns; i++) {
		if (strcmp(column_catalogue[s->columns[i]].name, m->name))
			continue;
		s->has[i] = true;
		if (m->kind == JSON_IS_TEXT)
			s->row->cells[i] = cell_text(kept(s, m));
		else if (m->kind == JSON_IS_NEST && s->columns[i] == COLUMN_stack)
			s->row->cells[i] = stack_of(s, m);
		else if (is_percent(s->columns[i]) && m->kind == JSON_IS_NUMBER)
			s->row->cells[i] = percent_cell(s->columns[i], m->text);
		else if (json_whole(m, &n))
			s->row->cells[i] = cell_int(n);
		s->knows[i] |= s->row->cells[i].kind != CELL_NULL;
		break;
	}
	return true;
}

/* The kind of a line is its first key. */
static bool take_record(void *arg, const struct json_member *m)
{
	struct baseline_side *s = arg;

	if (!strcmp(m->name, "record") && m->kind == JSON_IS_TEXT)
		snprintf(s->record, sizeof(s->record), "%s", m->text);
	return false;
}

static enum status no_view(const struct baseline_side *s)
{
	return dump_usage(s->dump, "line %lu of the file '%s' is no JSON of this program", s->line,
			  s->path ?: "");
}

/* Which kind a line is, "row"; empty: it has none. */
static void record_of(struct baseline_side *s, const char *line)
{
	static const char head[] = "{\"record\":\"";

	s->record[0] = '\0';
	/* As it is written; another program that wrote it anew may have blanks between. */
	if (begins(line, head))
		sscanf(line + strlen(head), "%31[^\"]", s->record);
	else
		json_read(dump_strdup(s->dump, line), take_record, s);
}

static bool take_name(void *arg, const struct json_member *m)
{
	const char **name = arg;

	if (!strcmp(m->name, "name") && m->kind == JSON_IS_TEXT)
		*name = m->text;
	return !*name;
}

/* Which of struct baseline.rest a line is, what no row has: it is compared as one; BASELINE_RESTS: none. */
static size_t rest_of(const struct baseline_side *s, const char *line)
{
	const char *const *rest = s->baseline->rest, *name = NULL;
	size_t i = 0;

	if (*rest)
		json_read(dump_strdup(s->dump, line), take_name, &name);
	while (i < BASELINE_RESTS && !(name && rest[i] && !strcmp(rest[i], name)))
		i++;
	return i;
}

/* Not there is not nothing. */
static enum status add_missing_rests(struct baseline_side *s)
{
	const char *const *rest = s->baseline->rest;
	enum status st = ST_OK;

	for (size_t i = 0; i < BASELINE_RESTS && rest[i] && st == ST_OK; i++) {
		if (s->has_rest[i])
			continue;
		st = baseline_row(s);
		if (st == ST_OK)
			s->row->rest = rest[i];
	}
	return st;
}

enum status baseline_json_line(struct baseline_side *s, char *line)
{
	const char *wanted = s->baseline->record ?: "row";
	json_visitor *visit = NULL;
	size_t rest = BASELINE_RESTS;

	s->line++;
	if (!*line)
		return ST_OK;
	record_of(s, line);
	if (!*s->record || (!s->command && strcmp(s->record, "meta")))
		return no_view(s);
	if (s->has_summary)
		return dump_usage(s->dump, "line %lu of the file '%s': it has more than one answer",
				  s->line, s->path);
	if (!strcmp(s->record, "meta"))
		visit = take_meta;
	else if (!strcmp(s->record, "summary"))
		visit = take_summary;
	else if (!strcmp(s->record, wanted) || (rest = rest_of(s, line)) < BASELINE_RESTS)
		visit = take_cell;
	s->has_summary = visit == take_summary;
	if (visit == take_cell && baseline_row(s) != ST_OK)
		return ST_USAGE;
	if (rest < BASELINE_RESTS) {
		s->row->rest = s->baseline->rest[rest];
		s->has_rest[rest] = true;
	}
	if (s->has_summary && add_missing_rests(s) != ST_OK)
		return ST_USAGE;
	s->row_lines += !strcmp(s->record, "row");
	if (visit && (!json_read(line, visit, s) || !s->command || !s->view))
		return no_view(s);
	if (s->has_summary && s->has_rows_shown && !s->baseline->record &&
	    s->row_lines > s->rows_shown)
		return dump_usage(
			s->dump, "the file '%s' has %s, and tells of %s: others were added",
			s->path ?: "", COUNT_OF(s->row_lines, "row"), COUNT_TEXT(s->rows_shown));
	if (visit == take_meta && s->schema != REPORT_SCHEMA)
		return dump_usage(
			s->dump,
			"the file '%s' has schema %lu, this program reads %d: make it anew",
			s->path, s->schema, REPORT_SCHEMA);
	return ST_OK;
}

/* "JSON of memowner caches, nor /proc/slabinfo" */
static enum status unknown_text(struct baseline_side *s)
{
	const struct baseline *b = s->baseline;
	char start[41], names[128] = "";
	size_t len = 0;

	if (!s->first)
		return dump_usage(s->dump, "the file '%s' is empty", s->path);
	textfile_start(s->first, start, sizeof(start));
	for (size_t i = 0; i < BASELINE_TEXTS && b->texts[i]; i++)
		len += (size_t)snprintf(names + len, sizeof(names) - len, ", nor %s",
					b->texts[i]->name);
	return dump_usage(s->dump, "the file '%s' is no JSON of this view%s: '%s'", s->path, names,
			  start);
}

static bool is_of_another(const struct baseline_text *t, const char *line)
{
	for (size_t i = 0; i < sizeof(t->alike) / sizeof(*t->alike) && t->alike[i]; i++)
		if (begins(line, t->alike[i]))
			return true;
	return false;
}

/* A second text behind the first would count for what there was before. */
static bool is_again(struct baseline_side *s, const char *line)
{
	const size_t len = s->text->once ? s->text->once(line) : 0;

	if (!len)
		return false;
	if (s->once)
		return strlen(s->once) == len && !strncmp(s->once, line, len);
	s->once = dump_text(s->dump, "%.*s", (int)len, line);
	return false;
}

enum status baseline_file_line(void *side, char *line)
{
	struct baseline_side *s = side;
	const struct baseline_text *const *texts = s->baseline->texts;
	bool other = false;
	enum status st;

	if (s->command || (!s->text && *line == '{'))
		return baseline_json_line(s, line);
	s->line++;
	for (size_t i = 0; !s->text && i < BASELINE_TEXTS && texts[i]; i++)
		if (texts[i]->begins(line))
			s->text = texts[i];
		else
			other |= is_of_another(texts[i], line);
	if (!s->text && !s->first && *line)
		s->first = dump_strdup(s->dump, line);
	if (!s->text)
		return s->line < LEFT_OUT_LINES && !other ? ST_OK : unknown_text(s);
	if (is_again(s, line))
		return dump_usage(s->dump, "line %lu of the file '%s': it has more than one %s",
				  s->line, s->path, s->text->name);
	s->has_must |= s->text->must && strstr(line, s->text->must);
	st = s->is_cut ? ST_OK : s->text->line(s, line);
	if (st != ST_ABSENT)
		return st;
	return dump_usage(s->dump, "line %lu of the file '%s' is no line of %s", s->line, s->path,
			  s->text->name);
}

static enum status read_file(struct baseline_side *s, enum status (*line)(void *side, char *line))
{
	return textfile_read_cut(s->dump, s->path, line, s, &s->is_cut);
}

/* As grep -r prints it: "pressure/io:some avg10=0.18". */
static enum status named_line(void *side, char *line)
{
	struct baseline_side *s = side;
	const char *folder = strrchr(s->text->place, '/') + 1, *file = strrchr(s->path, '/') + 1;

	return baseline_file_line(s, dump_text(s->dump, "%s/%s:%s", folder, file, line));
}

/* The files of a folder that are there. */
static enum status read_files(struct baseline_side *s, const struct baseline_text *text)
{
	const char *folder = s->path;
	enum status st = ST_OK;

	for (const char *const *file = text->files; *file && st == ST_OK; file++) {
		s->path = dump_text(s->dump, "%s/%s", folder, *file);
		s->line = 0;
		if (access(s->path, F_OK))
			continue;
		s->text = text;
		st = read_file(s, named_line);
	}
	return st;
}

/* Of a folder what a report of sos has there. */
static enum status read_folder(struct baseline_side *s)
{
	const struct baseline_text *const *texts = s->baseline->texts;
	struct strbuf places = STRBUF_OF(256);
	const char *folder = s->path;

	for (size_t i = 0; i < BASELINE_TEXTS && texts[i]; i++) {
		if (!texts[i]->place)
			continue;
		s->path = dump_text(s->dump, "%s/%s", folder, texts[i]->place);
		if (!access(s->path, F_OK))
			return texts[i]->files ? read_files(s, texts[i])
					       : read_file(s, baseline_file_line);
		strbuf_add(&places, "%s%s", strbuf_between(&places, ", no "), texts[i]->place);
	}
	/* The same rows, by the counters. */
	if (s->baseline->record)
		return dump_usage(s->dump,
				  "the folder '%s' has no text of the summary: classes -d %s reads "
				  "its proc/meminfo",
				  folder, folder);
	return dump_usage(s->dump, "the folder '%s' has no %s", folder,
			  places.len ? places.buf : "text of this view");
}

enum status baseline_file_read(struct baseline_side *s)
{
	struct stat file;
	enum status st = !stat(s->path, &file) && S_ISDIR(file.st_mode)
				 ? read_folder(s)
				 : read_file(s, baseline_file_line);

	if (st != ST_OK || s->text)
		return st;
	return s->command ? ST_OK : unknown_text(s);
}

bool baseline_same_filters(const struct baseline_side *before, const struct baseline_side *now,
			   const struct opts *o)
{
	const char *asked = now->has_options ? now->options : "";

	for (unsigned int i = 0; i < o->nfilters; i++)
		asked = dump_text(now->dump, "%s%s-%c %s", asked, *asked ? ", " : "",
				  o->filters[i].exclude ? 'X' : 'f', o->filters[i].text);
	return o->nfilters && !strcmp(asked, before->options);
}
