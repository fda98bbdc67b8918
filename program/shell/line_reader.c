// SPDX-License-Identifier: GPL-2.0-or-later
#include "shell/line_reader.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static void on_interrupt(int sig)
{
	(void)sig;
}

/* Without SA_RESTART: the read ends. */
static void catch_interrupt(void)
{
	const struct sigaction act = { .sa_handler = on_interrupt };

	sigaction(SIGINT, &act, NULL);
}

#ifdef WITH_READLINE

#include <errno.h>
#include <limits.h>
#include <readline/history.h>
#include <readline/readline.h>
#include <string.h>
#include <sys/stat.h>

#include "shell/complete.h"
#include "shell/line.h"

#define HISTORY_LINES 1000

static const struct command *const *known;
static char history_path[PATH_MAX];

/* Words that readline can choose from, in the order in which they were found. */
static struct {
	char **words;
	size_t n, next;
} found;

static void keep_word(void *arg, const char *word)
{
	char **words = realloc(found.words, (found.n + 1) * sizeof(*words));

	(void)arg;
	if (!words)
		return;
	found.words = words;
	words[found.n] = strdup(word);
	found.n += words[found.n] != NULL;
}

/* Each belongs to readline from then on. */
static char *next_word(const char *text, int state)
{
	(void)text;
	(void)state;
	return found.next < found.n ? found.words[found.next++] : NULL;
}

static bool is_redirected(const struct line *l)
{
	return l->to != LINE_PLAIN;
}

static char **complete(const char *text, int start, int end)
{
	char *before = strndup(rl_line_buffer, start);
	bool files = true;
	struct line l;

	(void)end;
	found.n = found.next = 0;
	if (before && !strchr("!<", *before) && !line_parse(before, &l) && !is_redirected(&l))
		files = complete_word(known, l.argc, l.argv, text, keep_word, NULL);
	free(before);
	rl_attempted_completion_over = !files;
	/* "KEY=" and lists go on. */
	rl_completion_append_character = ' ';
	if (found.n == 1 && found.words[0][strlen(found.words[0]) - 1] == '=')
		rl_completion_append_character = '\0';
	return files ? NULL : rl_completion_matches(text, next_word);
}

/* Each folder of the path but the first, which is the user's. */
static bool make_folders(char *path, size_t from)
{
	for (char *slash = strchr(path + from + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
		bool ok;

		*slash = '\0';
		ok = !mkdir(path, 0700) || errno == EEXIST;
		*slash = '/';
		if (!ok)
			return false;
	}
	return true;
}

/* Without a home nothing is kept. */
static void open_history(void)
{
	const char *state = getenv("XDG_STATE_HOME"), *home = getenv("HOME");
	const char *base = state && *state == '/' ? state : home && *home == '/' ? home : NULL;
	int n = base ? snprintf(history_path, sizeof(history_path), "%s%s/memowner/history", base,
				base == state ? "" : "/.local/state")
		     : -1;

	if (n < 0 || (size_t)n >= sizeof(history_path) ||
	    !make_folders(history_path, strlen(base))) {
		history_path[0] = '\0';
		return;
	}
	using_history();
	read_history(history_path);
	stifle_history(HISTORY_LINES);
}

/* Ctrl-C: what was typed is left as it is on the screen. */
static int leave_line(void)
{
	if (!RL_ISSTATE(RL_STATE_SIGHANDLER) && !rl_pending_signal())
		return 0;
	rl_replace_line("", 0);
	rl_crlf();
	rl_done = 1;
	return 0;
}

void line_reader_open(const struct command *const *commands)
{
	known = commands;
	rl_readline_name = "memowner";
	rl_attempted_completion_function = complete;
	rl_basic_word_break_characters = " \t\n";
	rl_completer_quote_characters = "\"'";
	rl_catch_signals = 0;
	rl_signal_event_hook = leave_line;
	open_history();
}

char *line_reader_next(const char *prompt)
{
	char *line;

	catch_interrupt();
	line = readline(prompt);
	if (line && *line &&
	    (!history_length || strcmp(line, history_get(history_base + history_length - 1)->line)))
		add_history(line);
	return line;
}

void line_reader_close(void)
{
	mode_t mask = umask(077);

	if (*history_path)
		write_history(history_path);
	umask(mask);
	free(found.words);
	if (isatty(STDIN_FILENO))
		putchar('\n');
}

#else

void line_reader_open(const struct command *const *commands)
{
	(void)commands;
}

char *line_reader_next(const char *prompt)
{
	char *line = NULL;
	size_t size = 0;

	catch_interrupt();
	for (;;) {
		fputs(prompt, stdout);
		fflush(stdout);
		if (getline(&line, &size, stdin) >= 0)
			return line;
		if (feof(stdin) || !ferror(stdin))
			break;
		/* Ctrl-C */
		clearerr(stdin);
		putchar('\n');
	}
	free(line);
	return NULL;
}

void line_reader_close(void) {}

#endif
