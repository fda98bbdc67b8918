// SPDX-License-Identifier: GPL-2.0-or-later
/* memowner [OPTION]... VMCORE... [COMMAND [ARGUMENT]...]: the commands without crash. */
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "arguments.h"
#include "cli/version.h"
#include "file/describe.h"
#include "log_beside.h"
#include "session.h"
#include "shell/complete.h"
#include "shell/help.h"
#include "shell/interrupt.h"
#include "shell/prompt.h"
#include "shell/shell.h"
#include "terminal/message.h"
#include "terminal/width.h"
#include "usage.h"

static struct arena arena;

static void complain(const char *text)
{
	char message[MESSAGE_BYTES];

	message_wrap(message, terminal_columns(STDERR_FILENO), "memowner", text);
	fprintf(stderr, "%s\n", message);
}

static enum exit_status finish(struct output *o, enum exit_status status)
{
	output_close(o);
	if (!o->error)
		return status;
	fprintf(stderr, "memowner: cannot write all of the output: %s\n", strerror(o->error));
	return status < EXIT_FAILED ? EXIT_FAILED : status;
}

static enum exit_status show_help(const struct arguments *a)
{
	const struct command *c = a->argc ? help_find(port_commands, a->argc, a->argv) : NULL;
	static struct sink s;
	struct output o;

	output_standard(&o);
	sink_init(&s, output_write, &o);
	s.columns = output_columns(&o);
	/* "help help" is that of the program. */
	if (c)
		help_command(&s, c);
	else
		usage_print(&s);
	sink_flush(&s);
	return finish(&o, EXIT_OK);
}

static enum exit_status show_version(void)
{
	static struct sink s;
	struct output o;

	output_standard(&o);
	sink_init(&s, output_write, &o);
	sink_text(&s, "memowner " MEMOWNER_VERSION "\n");
	sink_flush(&s);
	return finish(&o, EXIT_OK);
}

static void put_word(void *arg, const char *word)
{
	sink_printf(arg, "%s\n", word);
}

static enum exit_status show_words(const struct arguments *a)
{
	static struct sink s;
	struct output o;

	output_standard(&o);
	sink_init(&s, output_write, &o);
	if (a->argc)
		complete_word(port_commands, a->argc - 1, a->argv, a->argv[a->argc - 1], put_word,
			      &s);
	sink_flush(&s);
	return finish(&o, EXIT_OK);
}

/* modules: they are given with --modules, which whoever types what is proposed needs again. */
static enum exit_status run_one(struct door *door, bool modules, int argc, char **argv)
{
	static char summary[] = "memowner";
	char *no_words[] = { summary, NULL };
	const char *behind = modules ? "memowner --modules DIR VMCORE" : "memowner VMCORE";
	enum exit_status status;
	struct output o;

	output_standard(&o);
	interrupt_hold();
	if (!argc) {
		argc = 1;
		argv = no_words;
	}
	status = session_run(door, &o, door ? behind : NULL, NULL, argc, argv);
	interrupt_release();
	return finish(&o, status);
}

static enum exit_status run_line(void *priv, struct output *o, const char *place, int argc,
				 char **argv)
{
	return session_run(priv, o, NULL, place, argc, argv);
}

static enum exit_status run(struct door *door, const struct arguments *a, FILE *input)
{
	const char *inputs[ARGUMENTS_FILES + 3];
	struct shell s = {
		.commands = port_commands, .run = run_line, .priv = door, .inputs = inputs
	};
	size_t n = a->request.n;

	memcpy(inputs, a->files, n * sizeof(*inputs));
	if (a->request.vmlinux)
		inputs[n++] = a->request.vmlinux;
	if (a->input)
		inputs[n++] = a->input;
	inputs[n] = NULL;

	switch (a->what) {
	case RUN_FILE:
		interrupt_hold();
		shell_file(&s, input, a->input);
		interrupt_release();
		return s.status;
	case RUN_PROMPT:
		s.pager = true;
		prompt_run(&s);
		return EXIT_OK;
	default:
		return run_one(door, a->request.modules, a->argc, a->argv);
	}
}

static FILE *open_input(const struct arguments *a)
{
	return !a->input || !strcmp(a->input, "-") ? stdin : shell_open(a->input);
}

struct opening {
	const struct arguments *arguments;
	struct door *door;
};

static enum status open_door(struct dump *session, void *arg)
{
	struct opening *o = arg;

	return door_open(session, &o->arguments->request, &session_user, &o->door);
}

static enum exit_status run_on_log(const struct arguments *a)
{
	return run_one(NULL, false, a->argc, a->argv);
}

static void say_log(const struct arguments *a)
{
	const char *log = log_beside(&arena, a->request.files[0]);

	if (log)
		complain(log);
}

static enum exit_status run_on_dump(const struct arguments *a)
{
	enum exit_status status = EXIT_FAILED;
	FILE *input = open_input(a);
	struct opening o = { a, NULL };
	struct dump session;

	if (!input) {
		fprintf(stderr, "memowner: %s: %s\n", a->input, strerror(errno));
		return EXIT_FAILED;
	}
	dump_init(&session, NULL, NULL, &arena);
	if (dump_guard(&session, open_door, &o) != ST_OK) {
		complain(session.error);
		say_log(a);
	} else {
		if (door_is_incomplete(o.door))
			say_log(a);
		/* What an incomplete dump lacks is told with that. */
		if (door_missing(o.door) && !door_is_incomplete(o.door))
			complain(door_missing(o.door));
		status = run(o.door, a, input);
	}
	/* The process ends: to take debug information apart by itself is a tenth of a short run. */
	if (input != stdin)
		fclose(input);
	return status;
}

struct description {
	const struct arguments *arguments;
	enum exit_status status;
};

static enum status describe(struct dump *d, void *arg)
{
	struct description *of = arg;
	const struct arguments *a = of->arguments;
	static struct sink s;
	struct vmcore *v;
	struct output o;
	enum status st = vmcore_open(d, a->files, a->request.n, &v);

	if (st != ST_OK)
		return st;
	output_standard(&o);
	sink_init(&s, output_write, &o);
	vmcore_describe(d, v, &s);
	sink_flush(&s);
	of->status = finish(&o, EXIT_OK);
	return ST_OK;
}

static enum exit_status show_file(const struct arguments *a)
{
	struct description of = { a, EXIT_FAILED };
	struct dump d;

	dump_init(&d, NULL, NULL, &arena);
	if (dump_guard(&d, describe, &of) != ST_OK)
		complain(d.error);
	arena_reset(&arena);
	return of.status;
}

int main(int argc, char **argv)
{
	struct arguments a;
	enum exit_status status;

	if (!arguments_parse(argc, argv, &a))
		return EXIT_USAGE;
	output_begin();
	switch (a.what) {
	case SHOW_FILE:
		return show_file(&a);
	case SHOW_HELP:
		return show_help(&a);
	case SHOW_VERSION:
		return show_version();
	case SHOW_WORDS:
		return show_words(&a);
	default:
		status = a.log ? run_on_log(&a) : run_on_dump(&a);
	}
	if (status == EXIT_INTERRUPTED)
		interrupt_end();
	return status;
}
