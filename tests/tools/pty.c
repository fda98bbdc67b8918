// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * pty MILLISECONDS COMMAND PROGRAM ARGUMENT...
 *
 * Runs a program on a terminal of its own. At its first prompt "crash> " it gets
 * COMMAND, after so many milliseconds Ctrl-C, then "depot 0" and "quit". What
 * the terminal showed goes to stdout.
 */
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define LIMIT_MS 60000

static char shown[1 << 20];
static size_t n, prompt_end;

static long now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * 1000 + ts.tv_nsec / 1000000;
}

/* Reads until the program prompts once more, or for ms; false at the end or the limit. */
static int wait_prompt(int fd, long ms)
{
	long start = now();

	while (now() - start < ms) {
		struct pollfd p = { .fd = fd, .events = POLLIN };
		char *prompt;
		ssize_t got;

		if (poll(&p, 1, 50) > 0) {
			got = read(fd, shown + n, sizeof(shown) - 1 - n);
			if (got <= 0)
				return 0;
			n += got;
			shown[n] = '\0';
		}
		prompt = strstr(shown + prompt_end, "crash> ");
		if (prompt) {
			prompt_end = prompt + 7 - shown;
			return 1;
		}
	}
	return 0;
}

static void type(int fd, const char *text)
{
	if (write(fd, text, strlen(text)) < 0)
		perror("write");
}

int main(int argc, char **argv)
{
	struct winsize size = { .ws_row = 1000, .ws_col = 200 };
	int fd, pid, status = 1;

	if (argc < 4) {
		fprintf(stderr, "usage: pty MILLISECONDS COMMAND PROGRAM ARGUMENT...\n");
		return 2;
	}
	pid = forkpty(&fd, NULL, NULL, &size);
	if (!pid) {
		setenv("TERM", "dumb", 1);
		execvp(argv[3], argv + 3);
		_exit(127);
	}
	if (wait_prompt(fd, LIMIT_MS)) {
		type(fd, argv[2]);
		type(fd, "\n");
		/* The line is echoed behind the prompt: what counts is the next one. */
		if (!wait_prompt(fd, atol(argv[1])))
			type(fd, "\003");
		if (wait_prompt(fd, LIMIT_MS)) {
			type(fd, "depot 0\n");
			wait_prompt(fd, LIMIT_MS);
			status = 0;
		}
		type(fd, "quit\n");
		wait_prompt(fd, 2000);
	}
	fwrite(shown, 1, n, stdout);
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	return status;
}
