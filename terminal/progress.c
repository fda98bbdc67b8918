// SPDX-License-Identifier: GPL-2.0-or-later
#include "terminal/progress.h"

#include <stdbool.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#define FIRST_MS 1000 /* short scans show nothing */
#define EVERY_MS 250

static uint64_t started, shown;
static bool on_screen, stopped;

static uint64_t now_ms(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (uint64_t)ts.tv_sec * 1000 + ts.tv_nsec / 1000000;
}

void progress_start(void)
{
	started = now_ms();
	shown = 0;
	on_screen = stopped = false;
}

void progress_show(const char *name, uint64_t done, uint64_t total)
{
	uint64_t now = now_ms();

	if (stopped || !isatty(STDERR_FILENO) || now - started < FIRST_MS ||
	    now - shown < EVERY_MS || !total)
		return;
	fprintf(stderr, "\r%s: %3u%%", name, (unsigned int)(done * 100 / total));
	shown = now;
	on_screen = true;
}

void progress_end(void)
{
	if (on_screen)
		fprintf(stderr, "\r%20s\r", "");
	on_screen = false;
}

void progress_stop(void)
{
	progress_end();
	stopped = true;
}
