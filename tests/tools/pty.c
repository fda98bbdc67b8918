// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * pty MILLISECONDS[*ROUNDS] COMMAND PROGRAM ARGUMENT...
 * pty -w COLUMNS PROGRAM ARGUMENT...
 *
 * Runs a program on a terminal of its own. At its first prompt "crash> " it gets
 * COMMAND, after so many milliseconds Ctrl-C; with ROUNDS that again, the delay
 * growing up to MILLISECONDS, or to three quarters of what COMMAND needs when it is
 * left alone: behind its end it is crash that jumps, out of whatever it does. Then "depot 0", "rd 10" and "quit". What the
 * terminal showed goes to stdout.
 *
 * With -w the program runs to its end on a terminal of that width and is told nothing.
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

		if (poll(&p, 1, ms < 50 ? ms : 50) > 0) {
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

/*
 * Types a command, Ctrl-C if it still runs after ms, and waits for its end.  The
 * terminal drops what it holds on Ctrl-C: an empty line asks for another prompt.
 */
static int interrupt(int fd, const char *command, long ms)
{
	type(fd, command);
	type(fd, "\n");
	if (wait_prompt(fd, ms))
		return 1;
	type(fd, "\003");
	for (long waited = 0; !wait_prompt(fd, 5000); waited += 5000) {
		if (waited > LIMIT_MS)
			return 0;
		type(fd, "\n");
	}
	/* One that came at the prompt makes another. */
	while (wait_prompt(fd, 30))
		;
	return 1;
}

/* On a terminal of its own; *fd is the other end. */
static int start(char **argv, const struct winsize *size, int *fd)
{
	int pid = forkpty(fd, NULL, NULL, size);

	if (pid)
		return pid;
	setenv("TERM", "dumb", 1);
	execvp(argv[0], argv);
	_exit(127);
}

static int copy_all(char **argv, unsigned short columns)
{
	struct winsize size = { .ws_row = 1000, .ws_col = columns };
	char buf[4096];
	int fd, pid = start(argv, &size, &fd), status;
	ssize_t got;

	/* The end of a terminal is an error to read(). */
	while ((got = read(fd, buf, sizeof(buf))) > 0)
		fwrite(buf, 1, got, stdout);
	waitpid(pid, &status, 0);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

int main(int argc, char **argv)
{
	struct winsize size = { .ws_row = 1000, .ws_col = 200 };
	int fd, pid, alive, status = 1;
	long ms, rounds;
	char *end;

	if (argc < 4) {
		fprintf(stderr, "usage: pty MILLISECONDS COMMAND PROGRAM ARGUMENT...\n");
		return 2;
	}
	if (!strcmp(argv[1], "-w"))
		return copy_all(argv + 3, atoi(argv[2]));
	ms = strtol(argv[1], &end, 10);
	rounds = *end == '*' ? atol(end + 1) : 1;
	pid = start(argv + 3, &size, &fd);
	alive = wait_prompt(fd, LIMIT_MS);
	if (alive && rounds > 1) {
		long start = now(), needs;

		type(fd, argv[2]);
		type(fd, "\n");
		alive = wait_prompt(fd, LIMIT_MS);
		needs = (now() - start) * 3 / 4;
		ms = needs < ms ? needs : ms;
	}
	for (long i = 1; alive && i <= rounds; i++)
		alive = interrupt(fd, argv[2], ms * i / rounds);
	if (alive) {
		type(fd, "depot 0\n");
		wait_prompt(fd, LIMIT_MS);
		type(fd, "rd 10\n");
		wait_prompt(fd, LIMIT_MS);
		type(fd, "quit\n");
		wait_prompt(fd, 2000);
		status = 0;
	}
	fwrite(shown, 1, n, stdout);
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	return status;
}
