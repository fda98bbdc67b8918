// SPDX-License-Identifier: GPL-2.0-or-later
#include "shell/interrupt.h"

#include <signal.h>
#include <stddef.h>
#include <time.h>

static volatile sig_atomic_t asked;
static struct timespec first;
static bool ignored; /* by who started the program: it stays so */

static void on_interrupt(int sig)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	if (!asked) {
		first = now;
		asked = 1;
	} else if (now.tv_sec > first.tv_sec + 1 ||
		   (now.tv_sec == first.tv_sec + 1 && now.tv_nsec >= first.tv_nsec)) {
		signal(sig, SIG_DFL);
		raise(sig);
	}
}

/* Without SA_RESTART: a write that waits for a reader ends. */
void interrupt_hold(void)
{
	const struct sigaction act = { .sa_handler = on_interrupt };
	struct sigaction old;

	asked = 0;
	ignored = !sigaction(SIGINT, NULL, &old) && old.sa_handler == SIG_IGN;
	if (!ignored)
		sigaction(SIGINT, &act, NULL);
}

bool interrupt_asked(void)
{
	return asked;
}

void interrupt_release(void)
{
	if (!ignored)
		signal(SIGINT, SIG_DFL);
}

void interrupt_end(void)
{
	signal(SIGINT, SIG_DFL);
	raise(SIGINT);
}
