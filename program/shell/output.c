// SPDX-License-Identifier: GPL-2.0-or-later
#include "shell/output.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "shell/interrupt.h"
#include "terminal/width.h"

static void nothing(int sig)
{
	(void)sig;
}

/* A handler, unlike SIG_IGN, is not inherited by the programs that read the output. */
void output_begin(void)
{
	const struct sigaction act = { .sa_handler = nothing, .sa_flags = SA_RESTART };

	sigaction(SIGPIPE, &act, NULL);
}

void output_standard(struct output *o)
{
	*o = (struct output){ .fd = STDOUT_FILENO, .on_screen = isatty(STDOUT_FILENO) };
}

bool output_file(struct output *o, const char *path, bool append)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC | (append ? O_APPEND : O_TRUNC), 0666);

	if (fd < 0)
		return false;
	*o = (struct output){ .fd = fd, .is_file = true, .on_screen = isatty(fd) };
	return true;
}

bool output_program(struct output *o, const char *command)
{
	FILE *f = popen(command, "we");

	if (!f)
		return false;
	*o = (struct output){ .fd = fileno(f), .program = f };
	return true;
}

/* NULL: none; less asks for a key where the terminal can do nothing. */
static const char *pager_command(void)
{
	static const char less[] =
		"if command -v less > /dev/null; then exec less; else exec cat; fi";
	const char *pager = getenv("PAGER"), *term = getenv("TERM");

	if (!pager)
		return term && strcmp(term, "dumb") ? less : NULL;
	return *pager && strcmp(pager, "cat") ? pager : NULL;
}

void output_pager(struct output *o)
{
	const char *pager = pager_command();

	output_standard(o);
	if (!o->on_screen || !pager)
		return;
	/* Short output stays on the screen, and colours are colours. */
	setenv("LESS", "FRX", 0);
	if (output_program(o, pager))
		o->on_screen = true;
}

bool output_write(void *priv, const char *s, size_t n)
{
	struct output *o = priv;

	while (n && !o->closed) {
		ssize_t done = write(o->fd, s, n);

		if (done >= 0) {
			s += done;
			n -= done;
		} else if (errno != EINTR) {
			o->closed = true;
			o->error = errno == EPIPE ? 0 : errno;
		} else if (interrupt_asked() && !o->on_screen) {
			/* A reader that does not read would keep the program for ever. */
			o->closed = true;
		}
	}
	return !o->closed;
}

unsigned int output_columns(const struct output *o)
{
	return o->on_screen ? terminal_columns(o->program ? STDOUT_FILENO : o->fd) : 0;
}

void output_close(struct output *o)
{
	/* A disk may be full only when the file is closed. */
	if (o->is_file && close(o->fd) && !o->error)
		o->error = errno;
	if (o->program)
		pclose(o->program);
	o->fd = -1;
}
