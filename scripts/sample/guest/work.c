// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The guest's users: tasks that fault in known ways, then sleep for ever, and
 * the one that asks for too much at the end.
 *
 *	work minor NAME MIB	touch anonymous memory
 *	work major NAME MIB	the same, push it out to swap, touch half of it again
 *	work threads NAME N	N threads that fault; every other one has exited
 *	work forks NAME N	N children that fault, exit and are waited for
 *	work shared NAME MIB	shared memory
 *	work leak NAME WHAT	ask the leaky driver for it, "WAY COUNT"
 *	work hungry		never stops
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#define MIB (1024UL * 1024)

static void ready(const char *name)
{
	char path[64];
	FILE *f;

	snprintf(path, sizeof(path), "/run/%s.ready", name);
	f = fopen(path, "w");
	if (f)
		fclose(f);
}

static void sleep_for_ever(const char *name)
{
	ready(name);
	for (;;)
		pause();
}

static char *map(size_t len, int flags)
{
	char *p = mmap(NULL, len, PROT_READ | PROT_WRITE, flags, -1, 0);

	if (p == MAP_FAILED) {
		perror("mmap");
		exit(1);
	}
	return p;
}

/* A word per page: compresses well, yet no page is filled with one value. */
static void touch(char *p, size_t len)
{
	for (size_t off = 0; off < len; off += 4096)
		*(size_t *)(p + off + 64) = off + 1;
}

static void minor(const char *name, size_t len)
{
	touch(map(len, MAP_PRIVATE | MAP_ANONYMOUS), len);
	sleep_for_ever(name);
}

static void major(const char *name, size_t len)
{
	char *p = map(len, MAP_PRIVATE | MAP_ANONYMOUS);

	touch(p, len);
	if (madvise(p, len, MADV_PAGEOUT))
		perror("madvise");
	touch(p, len / 2);
	sleep_for_ever(name);
}

static void *thread(void *arg)
{
	unsigned long i = (unsigned long)arg;
	size_t len = (i + 1) * 16 * 4096;
	char name[16];

	snprintf(name, sizeof(name), "thread-%lu", i);
	prctl(PR_SET_NAME, name);
	touch(map(len, MAP_PRIVATE | MAP_ANONYMOUS), len);
	while (!(i & 1))
		pause();
	return NULL;
}

static void threads(const char *name, unsigned long n)
{
	pthread_t t;

	for (unsigned long i = 0; i < n; i++) {
		if (pthread_create(&t, NULL, thread, (void *)i))
			perror("pthread_create");
		else if (i & 1)
			pthread_join(t, NULL);
	}
	sleep(1);
	sleep_for_ever(name);
}

static void forks(const char *name, unsigned long n)
{
	for (unsigned long i = 0; i < n; i++) {
		pid_t pid = fork();

		if (!pid) {
			size_t len = (i + 1) * 8 * 4096;

			touch(map(len, MAP_PRIVATE | MAP_ANONYMOUS), len);
			_exit(0);
		}
		waitpid(pid, NULL, 0);
	}
	sleep_for_ever(name);
}

static int leak(const char *what)
{
	FILE *f = fopen("/sys/kernel/debug/leaky/do", "w");

	if (!f || fputs(what, f) < 0 || fclose(f)) {
		perror(what);
		return 1;
	}
	return 0;
}

/* Its own code stays: where swap is slow, a page of it would be waited for instead of memory. */
static void hungry(void)
{
	if (mlockall(MCL_CURRENT))
		perror("mlockall");
	for (;;)
		touch(map(MIB, MAP_PRIVATE | MAP_ANONYMOUS), MIB);
}

/* Writes to an address of the first page, which is not mapped. */
static void segv(void)
{
	volatile int *volatile nothing = (int *)0x10;

	*nothing = 1;
}

int main(int argc, char **argv)
{
	const char *way = argc > 1 ? argv[1] : "", *name = argc > 2 ? argv[2] : way;
	unsigned long n = argc > 3 ? strtoul(argv[3], NULL, 10) : 0;

	prctl(PR_SET_NAME, name);
	if (!strcmp(way, "minor"))
		minor(name, n * MIB);
	if (!strcmp(way, "major"))
		major(name, n * MIB);
	if (!strcmp(way, "threads"))
		threads(name, n);
	if (!strcmp(way, "forks"))
		forks(name, n);
	if (!strcmp(way, "shared")) {
		touch(map(n * MIB, MAP_SHARED | MAP_ANONYMOUS), n * MIB);
		sleep_for_ever(name);
	}
	if (!strcmp(way, "leak") && argc > 3)
		return leak(argv[3]);
	if (!strcmp(way, "hungry"))
		hungry();
	if (!strcmp(way, "segv"))
		segv();
	fprintf(stderr, "usage: work minor|major|threads|forks|shared|leak|hungry|segv [NAME N]\n");
	return 2;
}
