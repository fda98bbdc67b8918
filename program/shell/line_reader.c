// SPDX-License-Identifier: GPL-2.0-or-later
#include "shell/line_reader.h"

#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

static volatile sig_atomic_t interrupted;

static void on_interrupt(int sig NOT_USED)
{
	interrupted = 1;
}

/* Without SA_RESTART: what waits for a key ends. */
static void catch_interrupt(void)
{
	const struct sigaction act = { .sa_handler = on_interrupt };

	sigaction(SIGINT, &act, NULL);
}

#ifdef WITH_READLINE

#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <readline/history.h>
#include <readline/readline.h>
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

static void keep_word(void *arg NOT_USED, const char *word)
{
	char **words = realloc(found.words, (found.n + 1) * sizeof(*words));

	if (!words)
		return;
	found.words = words;
	words[found.n] = strdup(word);
	found.n += words[found.n] != NULL;
}

/* Each belongs to readline from then on. */
static char *next_word(const char *text NOT_USED, int state NOT_USED)
{
	return found.next < found.n ? found.words[found.next++] : NULL;
}

static bool is_redirected(const struct line *l)
{
	return l->to != LINE_PLAIN;
}

static char **complete(const char *text, int start, int end NOT_USED)
{
	char *before = strndup(rl_line_buffer, start);
	bool files = true;
	struct line l;

	found.n = found.next = 0;
	if (before && *before != '!' && *before != '<' && !line_parse(before, &l) &&
	    !is_redirected(&l))
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

	if (base && base == state)
		mkdir(base, 0700);
	if (n < 0 || (size_t)n >= sizeof(history_path) ||
	    !make_folders(history_path, strlen(base))) {
		history_path[0] = '\0';
		return;
	}
	using_history();
	read_history(history_path);
	stifle_history(HISTORY_LINES);
}

void line_reader_open(const struct command *const *commands)
{
	known = commands;
	rl_readline_name = "memowner";
	rl_attempted_completion_function = complete;
	rl_basic_word_break_characters = " \t\n";
	rl_completer_quote_characters = "\"'";
	rl_catch_signals = 0;
	open_history();
}

/* What was typed, once Enter or the end has come. */
static char *typed;
static bool has_typed;

static void take_line(char *line)
{
	typed = line;
	has_typed = true;
	rl_callback_handler_remove();
}

/* What was typed is left as it is on the screen. */
static void begin_anew(const char *prompt)
{
	interrupted = 0;
	rl_callback_handler_remove();
	puts("^C");
	rl_callback_handler_install(prompt, take_line);
}

static void keep_line(const char *line)
{
	HIST_ENTRY *last = history_length ? history_get(history_base + history_length - 1) : NULL;

	if (*line && (!last || strcmp(line, last->line)))
		add_history(line);
}

char *line_reader_next(const char *prompt)
{
	struct pollfd keys = { .fd = STDIN_FILENO, .events = POLLIN };

	catch_interrupt();
	interrupted = 0;
	has_typed = false;
	rl_callback_handler_install(prompt, take_line);
	while (!has_typed) {
		if (poll(&keys, 1, -1) > 0)
			rl_callback_read_char();
		if (interrupted && !has_typed)
			begin_anew(prompt);
	}
	if (typed)
		keep_line(typed);
	else
		putchar('\n');
	return typed;
}

void line_reader_close(void)
{
	mode_t mask = umask(077);

	if (*history_path)
		write_history(history_path);
	umask(mask);
	free(found.words);
}

#else

void line_reader_open(const struct command *const *commands NOT_USED) {}

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
