// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What waits for ever in the guest of the driver "deadlock".
 *
 *	deadlocked NAME WORD	a process NAME that writes WORD to the driver
 *	deadlocked victim MB	the same with so much memory: one thread has its mmap_lock and waits for
 *				the mutex, another maps a page
 *	deadlocked hog		a process that wants all memory
 *	deadlocked SECONDS TEXT	writes the text to the console, without a need for memory
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <unistd.h>

static void act(const char *word)
{
	int fd = open("/sys/kernel/debug/deadlock/do", O_WRONLY);

	if (fd < 0 || write(fd, word, strlen(word)) < 0)
		perror(word);
}

static char *map(size_t len)
{
	return mmap(NULL, len, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
}

/* What was never written is one page of zeroes. */
static int fill(const char *path)
{
	int fd = open(path, O_WRONLY | O_CREAT, 0600);

	return fd < 0 || write(fd, map(64 << 20), 64 << 20) < 0;
}

static void *lock_mmap(void *unused)
{
	prctl(PR_SET_NAME, "mmap-holder");
	act("mmap");
	return unused;
}

static int say(unsigned int seconds, const char *text)
{
	FILE *console = fopen("/dev/console", "w");

	if (!console || fprintf(console, "guest: says more in %u s\n", seconds) < 0 ||
	    fflush(console) || mlockall(MCL_CURRENT | MCL_FUTURE))
		return 1;
	sleep(seconds);
	fprintf(console, "%s\n", text);
	return fclose(console);
}

int main(int argc, char **argv)
{
	pthread_t thread;

	if (argc == 2 && !strcmp(argv[1], "hog")) {
		prctl(PR_SET_NAME, "hog");
		for (;;)
			memset(map(1 << 20), 1, 1 << 20);
	}
	if (argc != 3)
		return 1;
	if (atoi(argv[1]))
		return say((unsigned int)atoi(argv[1]), argv[2]);
	prctl(PR_SET_NAME, argv[1]);
	if (*argv[2] == '/')
		return fill(argv[2]);
	if (strcmp(argv[1], "victim")) {
		act(argv[2]);
		return 0;
	}
	memset(map((size_t)atoi(argv[2]) << 20), 1, (size_t)atoi(argv[2]) << 20);
	pthread_create(&thread, NULL, lock_mmap, NULL);
	sleep(2);
	map(4096);
	return 0;
}
