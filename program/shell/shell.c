// SPDX-License-Identifier: GPL-2.0-or-later
#include "shell/shell.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "cli/textfile.h"
#include "shell/help.h"
#include "shell/interrupt.h"
#include "shell/line.h"

#define MESSAGE_OF_NAME 256
#define MAX_DEPTH 8    /* of files that name files */
#define MAX_LINE 65536 /* of what is typed, or of a file */

static void worse(struct shell *s, enum exit_status status)
{
	if (status > s->status)
		s->status = status;
}

__attribute__((format(printf, 3, 4))) static void complain(struct shell *s, enum exit_status status,
							   const char *fmt, ...)
{
	va_list ap;

	fprintf(stderr, "memowner: ");
	if (s->file)
		fprintf(stderr, "%s:%u: ", s->file, s->line);
	va_start(ap, fmt);
	vfprintf(stderr, fmt, ap);
	va_end(ap);
	fputc('\n', stderr);
	worse(s, status);
}

static enum exit_status run_help(struct shell *s, struct output *o, int argc, char **argv)
{
	const struct command *c = argc > 1 ? help_find(s->commands, argc - 1, argv + 1) : NULL;
	static struct sink out;

	if (argc > 1 && !c) {
		char text[MESSAGE_OF_NAME];

		help_unknown(text, sizeof(text), s->commands, argv[1]);
		complain(s, EXIT_USAGE, "%s", text);
		return EXIT_USAGE;
	}
	sink_init(&out, output_write, o);
	out.columns = output_columns(o);
	if (c) {
		help_command(&out, c);
	} else {
		help_list(&out, s->commands, 0);
		help_nouns(&out, s->commands, 0);
		sink_text(
			&out,
			"help COMMAND  all of one\n"
			"COMMAND > FILE, COMMAND >> FILE, COMMAND | PROGRAM  send its output there\n"
			"< FILE  runs the commands of a file\n"
			"!PROGRAM  runs a program\n"
			"quit, q or Ctrl-D  ends\n");
	}
	sink_flush(&out);
	return EXIT_OK;
}

/* By any path. */
static bool is_input(const struct shell *s, const char *path)
{
	struct stat target, input;

	if (!s->inputs || stat(path, &target))
		return false;
	for (const char *const *i = s->inputs; *i; i++)
		if (!stat(*i, &input) && input.st_dev == target.st_dev &&
		    input.st_ino == target.st_ino)
			return true;
	return false;
}

static bool open_output(struct shell *s, const struct line *l, struct output *o)
{
	switch (l->to) {
	case LINE_FILE:
	case LINE_APPEND:
		if (is_input(s, l->target)) {
			complain(s, EXIT_USAGE, "%s is being read, and is not written", l->target);
			return false;
		}
		if (output_file(o, l->target, l->to == LINE_APPEND))
			return true;
		complain(s, EXIT_FAILED, "cannot write %s: %s", l->target, strerror(errno));
		return false;
	case LINE_PROGRAM:
		if (output_program(o, l->target))
			return true;
		complain(s, EXIT_FAILED, "cannot run %s: %s", l->target, strerror(errno));
		return false;
	default:
		if (s->pager)
			output_pager(o);
		else
			output_standard(o);
		return true;
	}
}

static void run_command(struct shell *s, struct output *o, struct line *l)
{
	char place[MESSAGE_OF_NAME];

	snprintf(place, sizeof(place), "%s:%u", s->file ?: "", s->line);
	worse(s, s->run(s->priv, o, s->file ? place : NULL, l->argc, l->argv));
}

static void run_words(struct shell *s, struct line *l)
{
	bool help = !strcmp(l->argv[0], "help");
	struct output o;

	if (!help && !command_find(s->commands, l->argv[0]) &&
	    !command_of_noun(s->commands, l->argv[0]) &&
	    !command_of_argument(s->commands, l->argv[0])) {
		char text[MESSAGE_OF_NAME];

		help_unknown(text, sizeof(text), s->commands, l->argv[0]);
		complain(s, EXIT_USAGE, "%s", text);
		return;
	}
	if (!open_output(s, l, &o))
		return;
	if (help)
		worse(s, run_help(s, &o, l->argc, l->argv));
	else
		run_command(s, &o, l);
	output_close(&o);
	if (o.error)
		complain(s, EXIT_FAILED, "%s: cannot write all of the output: %s", l->argv[0],
			 strerror(o.error));
}

static void run_program(struct shell *s, const char *command)
{
	int status = system(*command ? command : "exec ${SHELL:-sh}");

	if (status < 0)
		complain(s, EXIT_FAILED, "cannot run %s: %s", command, strerror(errno));
	else if (!WIFEXITED(status) || WEXITSTATUS(status))
		worse(s, EXIT_FAILED);
}

FILE *shell_open(const char *path)
{
	FILE *f = fopen(path, "re");
	struct stat sb;

	if (f && !fstat(fileno(f), &sb) && S_ISDIR(sb.st_mode)) {
		fclose(f);
		errno = EISDIR;
		return NULL;
	}
	return f;
}

static void run_file(struct shell *s, char *text)
{
	struct line l;
	const char *problem = line_parse(text, &l);
	FILE *f;

	if (problem || l.argc != 1 || l.to != LINE_PLAIN) {
		complain(s, EXIT_USAGE, "%s", problem ? problem : "one file follows <");
		return;
	}
	if (s->depth == MAX_DEPTH) {
		complain(s, EXIT_USAGE, "%s: files name files %d deep", l.argv[0], MAX_DEPTH);
		return;
	}
	f = shell_open(l.argv[0]);
	if (!f) {
		complain(s, EXIT_FAILED, "cannot read %s: %s", l.argv[0], strerror(errno));
		return;
	}
	shell_file(s, f, l.argv[0]);
	fclose(f);
}

static bool is_end(const struct line *l)
{
	static const char *const words[] = { "quit", "q", "exit" };

	for (size_t i = 0; i < ARRAY_SIZE(words); i++)
		if (!strcmp(l->argv[0], words[i]))
			return true;
	return false;
}

void shell_line(struct shell *s, char *text)
{
	const char *problem;
	struct line l;

	text += strspn(text, " \t\r\n");
	if (!*text || *text == '#')
		return;
	if (*text == '!') {
		run_program(s, text + 1);
		return;
	}
	if (*text == '<') {
		run_file(s, text + 1);
		return;
	}
	problem = line_parse(text, &l);
	if (problem)
		complain(s, EXIT_USAGE, "%s", problem);
	else if (is_end(&l))
		s->ended = true;
	else
		run_words(s, &l);
}

/* False: it has a byte 0, or is longer than a line can be. */
static bool is_text(const char *line, size_t n)
{
	return n < MAX_LINE && strlen(line) == n;
}

void shell_file(struct shell *s, FILE *f, const char *name)
{
	struct shell outer = *s;
	char *line = NULL;
	size_t size = 0;
	ssize_t n;

	s->file = name;
	s->line = 0;
	s->depth++;
	while (!s->ended && !interrupt_asked() && (n = getline(&line, &size, f)) > 0) {
		s->line++;
		if (is_text(line, n)) {
			const bool is_marked = s->line == 1 &&
					       !strncmp(line, TEXTFILE_MARK, strlen(TEXTFILE_MARK));

			shell_line(s, is_marked ? line + strlen(TEXTFILE_MARK) : line);
			continue;
		}
		complain(s, EXIT_USAGE, "no line of text");
		break;
	}
	if (interrupt_asked())
		worse(s, EXIT_INTERRUPTED);
	else if (ferror(f))
		complain(s, EXIT_FAILED, "cannot read: %s", strerror(errno));
	free(line);
	s->file = outer.file;
	s->line = outer.line;
	s->depth = outer.depth;
}
