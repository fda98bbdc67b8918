// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * document DIR: what doc/ says of columns and options, written into DIR from the commands: the
 * schemas of rows, and the tables between lines like "<!-- columns of NAME -->" and "<!-- end -->"
 * in json.md, views.md and output.md.  document alone lists each view as "NAME<tab>COMMAND CALL",
 * document -c each view with each option as "COMMAND CALL OPTION<tab>yes", or "-" where it is
 * refused; document -k tries each header of each view in place of its column's name, the same;
 * document -m COMMAND prints what its manual page has behind its help.
 */
#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "document.h"

#include "cli/cmdline.h"
#include "dump/commands.h"

#define MAX_LINE 4096

void die(const char *what, const char *name)
{
	fprintf(stderr, "document: %s: %s\n", name, what);
	exit(1);
}

__attribute__((format(printf, 2, 3))) static FILE *open_file(const char *mode, const char *fmt, ...)
{
	char path[MAX_LINE];
	va_list ap;
	FILE *f;

	va_start(ap, fmt);
	vsnprintf(path, sizeof(path), fmt, ap);
	va_end(ap);
	f = fopen(path, mode);
	if (!f && *mode != 'r')
		die("cannot be written", path);
	return f;
}

static void visit(const struct command *c, const struct view *view, visitor fn, void *arg)
{
	static struct arena arena;
	const struct view *const others[] = { view->grouped, view->named, view->of_json,
					      view->below };
	struct dump d = { .arena = &arena };
	struct cmdline in = { .opts.json = true };
	struct shown s = { .command = c, .view = view };

	if (!view->ncolumns)
		return;
	if (table_init(&in.table, &d, view->columns, view->ncolumns, true) != ST_OK)
		die(d.error, view->name);
	if (table_index(&in.table, COLUMN_basis) == view->ncolumns)
		die("does not say what its rows rest on: BASIS()", view->name);
	if (view->prepare)
		view->prepare(&in);
	s.table = in.table;
	fn(&s, arg);
	for (size_t i = 0; i < ARRAY_SIZE(others); i++)
		if (others[i])
			visit(c, others[i], fn, arg);
}

/* An option of a command may show what a noun of another shows. */
static bool is_of_another(const struct command *c, const struct view *view)
{
	return view->command && !c->spec->command && strcmp(view->command, c->name);
}

static void visit_command(const struct command *c, visitor fn, void *arg)
{
	for (size_t i = 0; i < c->spec->nviews; i++)
		if (!is_of_another(c, c->spec->views[i]))
			visit(c, c->spec->views[i], fn, arg);
	if (c->spec->with_arguments)
		visit(c, c->spec->with_arguments, fn, arg);
}

void visit_all(visitor fn, void *arg)
{
	for (const struct command *const *c = port_commands; *c; c++) {
		visit_command(*c, fn, arg);
		for (const struct command *const *noun = (*c)->nouns; noun && *noun; noun++)
			visit_command(*noun, fn, arg);
	}
}

/* What is typed before the options: "faults", "memowner zones". */
static const char *words_before(const struct command *c)
{
	static char text[64];

	snprintf(text, sizeof(text), "%s%s%s", c->spec->command ? c->spec->command : c->name,
		 c->spec->command ? " " : "", c->spec->command ? c->name : "");
	return text;
}

/* "memory-direct" is of records "direct". */
static const char *record_of(const struct view *view)
{
	const char *dash = strchr(view->name, '-');

	return dash ? dash + 1 : "row";
}

/* -o chooses the columns of rows, not of other records. */
static bool is_possible(const struct shown *s, size_t column)
{
	return table_shows_at(&s->table, column) || !strcmp(record_of(s->view), "row");
}

static const struct {
	const char *json; /* "type" of the schema; NULL: by hand in put_type() */
	const char *rest;
	const char *word; /* of json.md */
} types[] = {
	[JSON_UINT] = { "integer", ", \"minimum\": 0", "integer" },
	[JSON_ORDINAL] = { "integer", ", \"minimum\": 1", "integer" },
	[JSON_INT] = { "integer", "", "integer, signed" },
	[JSON_PID] = { "integer", "", "integer" },
	[JSON_PERCENT] = { "number", ", \"minimum\": 0", "number" },
	[JSON_HEX] = { "string", ", \"pattern\": \"^0x[0-9a-f]+$\"", "hex string" },
	[JSON_BOOL] = { "boolean", "", "boolean" },
	[JSON_TEXT] = { "string", "", "string" },
	[JSON_STACK] = { "array", ", \"items\": { \"$ref\": \"frame.json\" }", "stack" },
	[JSON_STEPS] = { NULL, NULL, "object" },
	[JSON_OBJECT] = { "object", "", "object" },
	[JSON_ORDERS] = { "array",
			  ", \"items\": { \"type\": \"integer\", \"minimum\": 0, \"maximum\": 63 }",
			  "array of integers" },
	[JSON_ANY] = { NULL, NULL, "boolean, integer or string" },
};

static void put_type(FILE *f, const struct view_column *c)
{
	enum json_type type = view_column(c)->type;
	bool known = c->shown & KNOWN;

	if (c->choices) {
		fputs("{ \"enum\": [", f);
		for (const char *const *choice = c->choices; *choice; choice++)
			fprintf(f, "%s\"%s\"", choice == c->choices ? "" : ", ", *choice);
		fprintf(f, "%s] }", known ? "" : ", null");
	} else if (type == JSON_STEPS) {
		fputs("{ \"$ref\": \"ages.json\" }", f);
	} else if (type == JSON_ANY) {
		fputs("{ \"type\": [\"boolean\", \"integer\", \"string\", \"null\"] }", f);
	} else {
		fprintf(f, known ? "{ \"type\": \"%s\"%s }" : "{ \"type\": [\"%s\", \"null\"]%s }",
			types[type].json, c->shown & SIGNED ? "" : types[type].rest);
	}
}

static void put_schema(const struct shown *s, void *arg)
{
	const struct table *t = &s->table;
	const char *dir = arg, *command = command_of(s->command, s->view), *name = s->view->name;
	const char *call = view_call(s->command->spec, s->view);
	FILE *rules = open_file("r", "%s/schema/rules/%s-%s.json", dir, command, name);
	FILE *f = open_file("w", "%s/schema/%s-%s.json", dir, command, name);

	fprintf(f,
		"{ \"$comment\": \"SPDX-License-Identi"
		"fier: GPL-2.0-or-later, written by make doc\",\n"
		"\t\"$schema\": \"http://json-schema.org/draft-07/schema#\",\n"
		"\t\"title\": \"a record %s of %s%s%s\",\n"
		"\t\"type\": \"object\",\n"
		"\t\"additionalProperties\": false,\n"
		"\t\"required\": [\"record\"",
		record_of(s->view), s->command->spec->command ? words_before(s->command) : command,
		*call ? " " : "", call);
	for (size_t i = 0; i < t->nselected; i++)
		fprintf(f, ", \"%s\"", table_column(t, t->selected[i])->name);
	fprintf(f, "],\n\t\"properties\": {\n\t\t\"record\": { \"const\": \"%s\" }",
		record_of(s->view));
	for (size_t i = 0; i < t->ncolumns; i++) {
		if (!is_possible(s, i))
			continue;
		fprintf(f, ",\n\t\t\"%s\": ", table_column(t, i)->name);
		put_type(f, &t->columns[i]);
	}
	fputs("\n\t}", f);
	if (rules)
		fprintf(f, ",\n\t\"allOf\": [{ \"$ref\": \"rules/%s-%s.json\" }]", command, name);
	fputs("\n}\n", f);
	if (rules)
		fclose(rules);
	fclose(f);
}

static void put_key(FILE *f, const struct table *t, size_t column, const char *with_o)
{
	const struct view_column *c = &t->columns[column];
	const struct column *col = view_column(c);

	fprintf(f, "| %s | %s%s%s | %s%s%s%s%s", col->name,
		col->type == JSON_UINT && c->shown & SIGNED ? "integer, signed"
							    : types[col->type].word,
		c->shown & KNOWN ? "" : " or null", with_o, col->help, c->note ? " (" : "",
		c->note ? c->note : "", c->note ? ")" : "", c->choices ? ": " : "");
	for (const char *const *choice = c->choices; choice && *choice; choice++)
		fprintf(f, "%s`%s`", choice == c->choices ? "" : ", ", *choice);
	fputs(" |\n", f);
}

struct block {
	FILE *f;
	const char *name; /* of the marker */
	bool found;
};

/* First what rows have, then what -o adds. */
static void put_block(const struct shown *s, void *arg)
{
	const struct table *t = &s->table;
	struct block *b = arg;
	char name[64];

	snprintf(name, sizeof(name), "%s-%s", command_of(s->command, s->view), s->view->name);
	if (b->found || strcmp(name, b->name))
		return;
	b->found = true;
	fputs("\n| key | type | |\n| --- | --- | --- |\n", b->f);
	for (size_t i = 0; i < t->nselected; i++)
		put_key(b->f, t, t->selected[i], "");
	for (size_t i = 0; i < t->ncolumns; i++)
		if (!table_shows_at(t, i) && is_possible(s, i))
			put_key(b->f, t, i, ", with -o");
	fputs("\n", b->f);
}

/* Whether a command takes a line, by its options, columns and keys: nothing is run. */
static bool takes(const struct command *c, const char *line)
{
	static struct arena arena;
	struct dump d = { .arena = &arena };
	struct sink sink = { .closed = true };
	struct cmdline in;
	static char address[] = "pfn:1";
	char copy[256], *argv[16], *rest;
	int argc = 0;

	snprintf(copy, sizeof(copy), "%s %s", c->name, line);
	for (char *word = strtok_r(copy, " ", &rest); word && argc < 15;
	     word = strtok_r(NULL, " ", &rest))
		argv[argc++] = strcmp(word, "ADDR") ? word : address;
	argv[argc] = NULL;
	return cmdline_parse(&d, &sink, argc, argv, c->spec, &in) == ST_OK;
}

/* Calls fn for each option of a command that a table has, with its value: "-n 1". */
static void each_option(const struct command *c,
			void (*fn)(const struct command *c, const char *option, void *arg),
			void *arg)
{
	for (const struct command_option *row = c->spec->options; row->letter; row++) {
		char values[128], option[160], *rest;

		if (strchr("thD", row->letter))
			continue;
		snprintf(values, sizeof(values), "%s", row->values ? row->values : " ");
		snprintf(option, sizeof(option), "-%c", row->letter);
		if (!row->values)
			fn(c, option, arg);
		for (char *value = strtok_r(values, " ", &rest); value;
		     value = strtok_r(NULL, " ", &rest)) {
			snprintf(option, sizeof(option), "-%c %s", row->letter, value);
			fn(c, option, arg);
		}
	}
}

/* A call with an option behind it; one value of -t, -g or another takes the place of the other. */
static void join(char *line, size_t size, const char *call, const char *option)
{
	const char *own = NULL;
	char letter[] = { ' ', '-', option[1], ' ', '\0' };
	size_t len = strlen(call), rest = 0;

	if (strchr(option, ' '))
		own = !strncmp(call, letter + 1, 3) ? call : strstr(call, letter);
	if (own) {
		len = own - call;
		rest = strcspn(own + 3 + (*own == ' '), " ") + 3 + (*own == ' ');
	}
	snprintf(line, size, "%.*s%s%s%s", (int)len, call, own ? own + rest : "",
		 len || (own && own[rest]) ? " " : "", option);
}

#define MAX_CALLS 24

/* How the views of a command are called, in the order of its table. */
struct calls {
	const char *calls[MAX_CALLS], *names[MAX_CALLS];
	size_t n;
	FILE *f; /* NULL: cells on standard output */
};

static void add_call(struct calls *calls, const struct command *c, const struct view *view)
{
	const char *call = view_call(c->spec, view);

	if (calls->n == MAX_CALLS)
		die("more views than a table takes", view->name);
	calls->names[calls->n] = *call ? call : view->name;
	calls->calls[calls->n++] = call;
}

static void find_calls(const struct command *c, struct calls *calls)
{
	const struct command_spec *spec = c->spec;

	calls->n = 0;
	for (size_t i = 0; i < spec->nviews; i++) {
		add_call(calls, c, spec->views[i]);
		if (spec->views[i]->grouped)
			add_call(calls, c, spec->views[i]->grouped);
		if (spec->views[i]->named)
			add_call(calls, c, spec->views[i]->named);
	}
	if (spec->with_arguments)
		add_call(calls, c, spec->with_arguments);
}

static void put_option(const struct command *c, const char *option, void *arg)
{
	const struct calls *calls = arg;

	if (calls->f)
		fprintf(calls->f, "| %s |", option);
	for (size_t i = 0; i < calls->n; i++) {
		char line[200];

		join(line, sizeof(line), calls->calls[i], option);
		if (calls->f)
			fprintf(calls->f, " %s |", takes(c, line) ? "yes" : "-");
		else
			printf("%s %s\t%s\n", words_before(c), line, takes(c, line) ? "yes" : "-");
	}
	if (calls->f)
		fputs("\n", calls->f);
}

static void put_matrix(const struct command *c, FILE *f)
{
	struct calls calls = { .f = f };

	find_calls(c, &calls);
	fputs("\n| option |", f);
	for (size_t i = 0; i < calls.n; i++)
		fprintf(f, " %s |", calls.names[i]);
	fputs("\n| --- |", f);
	for (size_t i = 0; i < calls.n; i++)
		fputs(" --- |", f);
	fputs("\n", f);
	each_option(c, put_option, &calls);
	fputs("\n", f);
}

static void put_cells_of(const struct command *c)
{
	struct calls calls = { .f = NULL };

	find_calls(c, &calls);
	each_option(c, put_option, &calls);
}

static void put_cells(void)
{
	for (const struct command *const *c = port_commands; *c; c++) {
		put_cells_of(*c);
		for (const struct command *const *noun = (*c)->nouns; noun && *noun; noun++)
			put_cells_of(*noun);
	}
}

/* Whether a view takes an option at all. */
static bool has_option(const struct shown *s, char letter)
{
	const struct command_spec *spec = s->command->spec;
	const struct command_option *row = spec->options;
	const char *name = s->view->name;

	while (row->letter && row->letter != letter)
		row++;
	if (!row->letter || !row->views)
		return row->letter;
	/* Options of groups may be those of the view that they stand for. */
	for (size_t i = 0; i < spec->nviews; i++)
		if (spec->views[i]->grouped == s->view)
			name = spec->views[i]->name;
	return cmdline_is_among(name, row->views) || cmdline_is_among(s->view->name, row->views);
}

/* Records behind the rows of another view. */
static bool is_below(const struct shown *s)
{
	return strchr(s->view->name, '-');
}

/* What a column can be of: with the value that is unknown, a filter is accepted for any. */
static bool is_expected(const struct shown *s, size_t i, char letter)
{
	const struct view *view = s->view->grouped ? s->view->grouped : s->view;
	const struct key *keys = view->keys ? view->keys : s->command->spec->keys;
	size_t n = view->keys ? view->nkeys : s->command->spec->nkeys;
	const struct view_column *c = &s->table.columns[i];

	if (letter == 'o')
		return true;
	/* The nodes of a tree are no rows; what -a or a key alone looks up is refused without it. */
	if (letter != 'g')
		return !(c->shown & NO_SORT_KEY) && !c->needs_option && !c->needs_key &&
		       (letter == 's' || strcmp(s->view->name, "tree"));
	for (size_t k = 0; k < n; k++)
		if (keys[k].column == c->id && keys[k].use & KEY_GROUPS)
			return true;
	return false;
}

static void put_header(const struct shown *s, size_t i, char letter)
{
	const char *title = table_column(&s->table, i)->title;
	bool filters = letter == 'f' || letter == 'X';
	char line[256], typed[64], option[80];

	snprintf(typed, sizeof(typed), "%s", title);
	for (int lower = 0; lower < 2; lower++) {
		snprintf(option, sizeof(option), "-%c %s%s", letter, typed, filters ? "=-" : "");
		join(line, sizeof(line), view_call(s->command->spec, s->view), option);
		printf("%s %s\t%s\n", words_before(s->command), line,
		       takes(s->command, line) ? "yes" : "-");
		for (char *c = typed; *c; c++)
			*c = (char)tolower((unsigned char)*c);
	}
}

static void put_headers(const struct shown *s, void *arg)
{
	(void)arg;
	if (is_below(s))
		return;
	for (const char *letter = "sofXg"; *letter; letter++)
		for (size_t i = 0; has_option(s, *letter) && i < s->table.ncolumns; i++)
			if (table_column(&s->table, i)->title && is_expected(s, i, *letter))
				put_header(s, i, *letter);
}

static bool put_columns_of(FILE *f, const char *name)
{
	struct block b = { f, name, false };

	visit_all(put_block, &b);
	return b.found;
}

static bool put_options_of(FILE *f, const char *name)
{
	for (const struct command *const *c = port_commands; *c; c++)
		if (!strcmp((*c)->name, name)) {
			put_matrix(*c, f);
			return true;
		}
	return false;
}

static void check_block(const struct shown *s, void *arg)
{
	char marker[128];

	snprintf(marker, sizeof(marker), "<!-- columns of %s-%s -->",
		 command_of(s->command, s->view), s->view->name);
	if (!strstr(arg, marker))
		die("json.md has no such line", marker);
}

/* Puts new tables between the lines "<!-- WHAT NAME -->" and "<!-- end -->" of a file. */
static void put_tables(const char *dir, const char *file, const char *what,
		       bool (*put)(FILE *f, const char *name), visitor check)
{
	FILE *in = open_file("r", "%s/%s", dir, file), *out;
	char *text = NULL, *line, *next;
	size_t size = 0;
	bool skip = false;

	if (!in || getdelim(&text, &size, '\0', in) < 0)
		die("cannot be read", file);
	fclose(in);
	if (check)
		visit_all(check, text);
	out = open_file("w", "%s/%s", dir, file);
	for (line = text; *line; line = next) {
		char format[64], name[64];

		next = strchrnul(line, '\n');
		next += *next == '\n';
		if (!strncmp(line, "<!-- end -->", 12))
			skip = false;
		if (!skip)
			fwrite(line, 1, next - line, out);
		snprintf(format, sizeof(format), "<!-- %s %%63s -->", what);
		if (sscanf(line, format, name) != 1)
			continue;
		skip = true;
		if (!put(out, name))
			die("nothing has that name", name);
	}
	fclose(out);
	free(text);
}

/* Within a view, a header is one column's, unless another column has it as its name. */
static void check_headers(const struct shown *s, void *arg)
{
	const struct table *t = &s->table;

	(void)arg;
	for (size_t i = 0; i < t->ncolumns; i++) {
		const struct column *c = table_column(t, i);

		if (table_find(t, c->name, strlen(c->name)) != i)
			die("stands twice in a view", c->name);
		if (c->title && table_find(t, c->title, strlen(c->title)) != i)
			die("is the header of two columns", c->title);
	}
}

/* A header means the same to -f and -g as it does in its view. */
static void check_keys(const struct shown *s, void *arg)
{
	const struct command_spec *spec = s->command->spec;
	const struct key *keys = s->view->keys ? s->view->keys : spec->keys;
	size_t n = s->view->keys ? s->view->nkeys : spec->nkeys;

	(void)arg;
	for (size_t i = 0; i < n; i++)
		if (!key_name(&keys[i]) ||
		    (keys[i].use && key_find(keys, n, keys[i].use, key_name(&keys[i]),
					     strlen(key_name(&keys[i]))) != i))
			die("a key is no column of the catalogue", s->view->name);
	for (size_t i = 0; i < s->table.ncolumns; i++) {
		const struct column *c = table_column(&s->table, i);
		size_t key = c->title ? key_find(keys, n, ~0U, c->title, strlen(c->title)) : n;

		if (key < n && keys[key].column != s->table.columns[i].id &&
		    keys[key].also != s->table.columns[i].id)
			die("the header is that of another key", c->title);
	}
}

static void list(const struct shown *s, void *arg)
{
	(void)arg;
	printf("%s-%s\t%s %s\n", command_of(s->command, s->view), s->view->name,
	       words_before(s->command), view_call(s->command->spec, s->view));
}

int main(int argc, char **argv)
{
	visit_all(check_headers, NULL);
	visit_all(check_keys, NULL);
	if (argc < 2) {
		visit_all(list, NULL);
		return 0;
	}
	if (!strcmp(argv[1], "-c")) {
		put_cells();
		return 0;
	}
	if (!strcmp(argv[1], "-k")) {
		visit_all(put_headers, NULL);
		return 0;
	}
	if (!strcmp(argv[1], "-m") && argc == 3 && command_find(port_commands, argv[2])) {
		put_notes(command_find(port_commands, argv[2]));
		return 0;
	}
	visit_all(put_schema, argv[1]);
	put_tables(argv[1], "json.md", "columns of", put_columns_of, check_block);
	put_tables(argv[1], "views.md", "options of", put_options_of, NULL);
	put_tables(argv[1], "views.md", "nouns of", put_nouns_of, NULL);
	put_tables(argv[1], "output.md", "headers of", put_headers_of, NULL);
	put_tables(argv[1], "output.md", "terms of", put_terms_of, NULL);
	return 0;
}
