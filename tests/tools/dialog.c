// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * dialog FILE PROGRAM ARGUMENT...
 *
 * Runs a program on a terminal of its own, 100 columns wide, and does what the lines of FILE say:
 *
 *	expect TEXT   waits until the terminal shows it, behind what was waited for before
 *	type TEXT     types it and Enter
 *	keys TEXT     types it alone
 *	press C       types one key: a character, or the letter behind ^ with Ctrl
 *	pause MS      waits
 *
 * What the terminal showed goes to stdout.  Ends as the program does, with 128 + N of signal N; with
 * 124 where what is waited for does not come in 30 seconds.
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

#define LIMIT_MS 30000

static char shown[1 << 20];
static size_t n, seen;

static long now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * 1000 + ts.tv_nsec / 1000000;
}

/* Up to ms; 0 at the end of the program. */
static int read_some(int fd, long ms)
{
	struct pollfd p = { .fd = fd, .events = POLLIN };
	ssize_t got;

	if (poll(&p, 1, ms) <= 0)
		return 1;
	got = read(fd, shown + n, sizeof(shown) - 1 - n);
	if (got <= 0)
		return 0;
	n += got;
	shown[n] = '\0';
	return 1;
}

static int expect(int fd, const char *text)
{
	long end = now() + LIMIT_MS;
	char *found;
	int open = 1;

	while (!(found = strstr(shown + seen, text)) && open && now() < end)
		open = read_some(fd, 50);
	if (found)
		seen = found + strlen(text) - shown;
	return !!found;
}

static void pause_for(int fd, long ms)
{
	long end = now() + ms;

	while (now() < end && read_some(fd, end - now()))
		;
}

static void type(int fd, const char *text, size_t len)
{
	if (write(fd, text, len) < 0)
		perror("write");
}

static void press(int fd, const char *key)
{
	char c = key[0] == '^' && key[1] ? key[1] & 0x1f : key[0];

	type(fd, &c, 1);
}

static int do_line(int fd, char *line)
{
	char *rest = line + strcspn(line, " ");

	if (*rest)
		*rest++ = '\0';
	if (!strcmp(line, "expect"))
		return expect(fd, rest);
	if (!strcmp(line, "pause"))
		pause_for(fd, atol(rest));
	if (!strcmp(line, "press"))
		press(fd, rest);
	if (!strcmp(line, "type") || !strcmp(line, "keys"))
		type(fd, rest, strlen(rest));
	if (!strcmp(line, "type"))
		type(fd, "\n", 1);
	return 1;
}

static int end_of(int pid, int ok)
{
	int status;

	if (!ok)
		kill(pid, SIGKILL);
	waitpid(pid, &status, 0);
	if (!ok)
		return 124;
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

int main(int argc, char **argv)
{
	struct winsize size = { .ws_row = 50, .ws_col = 100 };
	long end;
	char line[4096];
	int fd, pid, ok = 1;
	FILE *f;

	if (argc < 3 || !(f = fopen(argv[1], "r"))) {
		fprintf(stderr, "usage: dialog FILE PROGRAM ARGUMENT...\n");
		return 2;
	}
	pid = forkpty(&fd, NULL, NULL, &size);
	if (!pid) {
		setenv("TERM", "dumb", 1);
		execvp(argv[2], argv + 2);
		_exit(127);
	}
	while (ok && fgets(line, sizeof(line), f)) {
		line[strcspn(line, "\n")] = '\0';
		ok = do_line(fd, line);
	}
	fclose(f);
	for (end = now() + LIMIT_MS; ok && read_some(fd, 1000);)
		ok = now() < end;
	fwrite(shown, 1, n, stdout);
	return end_of(pid, ok);
}
