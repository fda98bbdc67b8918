// SPDX-License-Identifier: GPL-2.0-or-later
#include "session.h"

#include <stdlib.h>
#include <unistd.h>

#include "shell/interrupt.h"
#include "terminal/message.h"
#include "terminal/progress.h"
#include "terminal/width.h"

static struct arena arena;

/* The command that runs, for its user's questions. */
static const char *name = "memowner", *line_place;
static struct output *output;

static bool user_stopped(void)
{
	return interrupt_asked() || (output && output->closed);
}

static void user_progress(uint64_t done, uint64_t total)
{
	progress_show(name, done, total);
}

static void user_remark(const char *text)
{
	fprintf(stderr, "%s: %s\n", name, text);
}

const struct door_user session_user = { user_stopped, user_progress, user_remark };

/* Rows on the terminal take the place of the progress line. */
static bool write_rows(void *priv, const char *s, size_t n)
{
	struct output *o = priv;

	if (o->on_screen)
		progress_stop();
	return output_write(o, s, n);
}

static enum exit_status exit_status_of(enum status st, const struct dump *d)
{
	if (interrupt_asked())
		return EXIT_INTERRUPTED;
	if (st == ST_USAGE)
		return EXIT_USAGE;
	return (st == ST_OK || st == ST_STOPPED) && !d->no_data ? EXIT_OK : EXIT_FAILED;
}

/* A file of "COMMAND > FILE" has it as well, as in crash: it says why nothing else is in it. */
static void complain(struct sink *out, const char *command, enum status st, const char *error)
{
	char text[MESSAGE_BYTES];

	if (output->is_file) {
		sink_printf(out, "%s: %s\n", command, error);
		sink_flush(out);
	}
	if (line_place && st == ST_USAGE)
		error = arena_text(&arena, "%s: %s", line_place, error);
	message_wrap(text, terminal_columns(STDERR_FILENO), command, error);
	fprintf(stderr, "%s\n", text);
}

static bool stopped(void *priv NOT_USED)
{
	return user_stopped();
}

static void remark(void *priv NOT_USED, const char *text)
{
	user_remark(text);
}

/* Where there is no dump the command leaves the rest as it opens what is there. */
static const struct dump_ops no_door = { .stopped = stopped, .remark = remark };

static enum exit_status run_command(struct door *door, struct output *o, const char *behind,
				    const struct command *c, int argc, char **argv)
{
	static struct sink out;
	enum exit_status ret;
	enum status st;
	struct dump d;

	name = c->name;
	output = o;
	if (door)
		door_dump(door, &d, &arena);
	else
		dump_init(&d, &no_door, NULL, &arena);
	d.typed_behind = behind;
	sink_init(&out, write_rows, o);
	out.columns = output_columns(o);
	progress_start();
	st = command_start(c, &d, &out, argc, argv);
	sink_flush(&out);
	progress_end();
	ret = exit_status_of(st, &d);
	if (st != ST_OK && st != ST_STOPPED)
		complain(&out, name, st, d.error);
	arena_reset(&arena);
	return ret;
}

/* "zones -n 3" is "memowner zones -n 3", and so is "pfn:5 -c 2". */
static enum exit_status run_argument(struct door *door, struct output *o, const char *behind,
				     const struct command *c, int argc, char **argv)
{
	char **words = calloc(argc + 2, sizeof(*words));
	enum exit_status ret = EXIT_FAILED;

	if (!words) {
		fprintf(stderr, "memowner: out of memory\n");
		return ret;
	}
	words[0] = (char *)c->name;
	memcpy(words + 1, argv, argc * sizeof(*argv));
	ret = run_command(door, o, behind, c, argc + 1, words);
	free(words);
	return ret;
}

enum exit_status session_run(struct door *door, struct output *o, const char *behind,
			     const char *place, int argc, char **argv)
{
	const struct command *c = command_find(port_commands, argv[0]);

	line_place = place;
	if (c)
		return run_command(door, o, behind, c, argc, argv);
	c = command_of_noun(port_commands, argv[0]) ?: command_of_argument(port_commands, argv[0]);
	return run_argument(door, o, behind, c, argc, argv);
}
