// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * spent RUNS COMMAND [ARGUMENT]...: what a command takes whose output is dropped: milliseconds of CPU time, user
 * and system, and of wall time, of each the least of RUNS; KiB that were resident at most; bytes that it read by read()
 * and its like; how it ended, 0 if well.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

struct spent {
	double cpu, wall;
	long rss;
	unsigned long long bytes;
	int status;
};

static void fail(const char *what)
{
	fprintf(stderr, "spent: %s\n", what);
	exit(1);
}

static double now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (double)ts.tv_sec * 1e3 + (double)ts.tv_nsec / 1e6;
}

static double ms(const struct timeval *tv)
{
	return (double)tv->tv_sec * 1e3 + (double)tv->tv_usec / 1e3;
}

/* Of this process and of those that it waited for. */
static unsigned long long bytes_read(void)
{
	unsigned long long ret = 0;
	FILE *f = fopen("/proc/self/io", "r");

	if (f && fscanf(f, "rchar: %llu", &ret) != 1)
		ret = 0;
	if (f)
		fclose(f);
	return ret;
}

static void start(char **argv)
{
	int nothing = open("/dev/null", O_RDWR);

	if (nothing < 0 || dup2(nothing, 0) < 0 || dup2(nothing, 1) < 0 || dup2(nothing, 2) < 0)
		_exit(126);
	execvp(argv[0], argv);
	_exit(127);
}

static void run(char **argv, struct spent *ret)
{
	unsigned long long before = bytes_read();
	double from = now();
	struct rusage used;
	pid_t pid = fork();

	if (!pid)
		start(argv);
	if (pid < 0 || wait4(pid, &ret->status, 0, &used) != pid)
		fail("cannot run a command");
	ret->wall = now() - from;
	ret->cpu = ms(&used.ru_utime) + ms(&used.ru_stime);
	ret->rss = used.ru_maxrss;
	ret->bytes = bytes_read() - before;
}

int main(int argc, char **argv)
{
	struct spent best = { 0 }, one;
	int runs = argc > 2 ? atoi(argv[1]) : 0;

	if (runs < 1)
		fail("usage: spent RUNS COMMAND [ARGUMENT]...");
	for (int i = 0; i < runs; i++) {
		run(argv + 2, &one);
		best.cpu = !i || one.cpu < best.cpu ? one.cpu : best.cpu;
		best.wall = !i || one.wall < best.wall ? one.wall : best.wall;
		best.rss = one.rss > best.rss ? one.rss : best.rss;
		best.bytes = one.bytes;
		best.status |= one.status;
	}
	printf("%.1f %.1f %ld %llu %d\n", best.cpu, best.wall, best.rss, best.bytes, best.status);
	return 0;
}
