// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A process that takes locks of files, one after the other, as its words say, and keeps them.
 *
 *	filelocked NAME WORD...
 *	flock:PATH shared:PATH		flock(), LOCK_EX or LOCK_SH
 *	posix:PATH:START:LENGTH		fcntl(F_SETLKW), for writing; rposix for reading
 *	ofd:PATH:START:LENGTH		fcntl(F_OFD_SETLKW); rofd
 *	lease:PATH open:PATH		a write lease; open() for writing, which breaks one
 *	reads:PATH			open() for reading, as of a fifo
 *	fork files thread		a child, one that has the same table of descriptors, a thread: which sleep
 *	pass				a child goes on, and this process ends
 *	needs:NAME			what another one wrote with has:NAME, /run/NAME
 *	has:NAME
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/prctl.h>
#include <unistd.h>

static void fail(const char *word)
{
	perror(word);
	exit(1);
}

static int sleeps(void *name)
{
	prctl(PR_SET_NAME, name);
	for (;;)
		pause();
	return 0;
}

static void *sleeps_in_thread(void *name)
{
	sleeps(name);
	return name;
}

static int file_of(const char *path, int flags)
{
	int fd = open(path, flags | O_CREAT | O_CLOEXEC, 0600);

	if (fd < 0)
		fail(path);
	return fd;
}

static void lock_range(char *path, int command, short type)
{
	char *start = strchr(path, ':'), *end;
	struct flock lock = { .l_type = type, .l_whence = SEEK_SET };

	if (!start)
		fail(path);
	*start = 0;
	lock.l_start = strtol(start + 1, &end, 10);
	lock.l_len = strtol(end + 1, NULL, 10);
	if (fcntl(file_of(path, O_RDWR), command, &lock))
		fail(path);
}

static void act(char *word, char *name)
{
	static char stack[65536] __attribute__((aligned(16)));
	char *path = strchr(word, ':'), run[64];
	pthread_t thread;

	if (path)
		*path++ = 0;
	if (!strcmp(word, "flock") || !strcmp(word, "shared")) {
		if (flock(file_of(path, O_RDWR), *word == 'f' ? LOCK_EX : LOCK_SH))
			fail(path);
	} else if (!strcmp(word, "posix") || !strcmp(word, "rposix")) {
		lock_range(path, F_SETLKW, *word == 'p' ? F_WRLCK : F_RDLCK);
	} else if (!strcmp(word, "ofd") || !strcmp(word, "rofd")) {
		lock_range(path, F_OFD_SETLKW, *word == 'o' ? F_WRLCK : F_RDLCK);
	} else if (!strcmp(word, "lease")) {
		signal(SIGIO, SIG_IGN);
		if (fcntl(file_of(path, O_RDWR), F_SETLEASE, F_WRLCK))
			fail(path);
	} else if (!strcmp(word, "open")) {
		file_of(path, O_RDWR);
	} else if (!strcmp(word, "reads")) {
		if (open(path, O_RDONLY) < 0)
			fail(path);
	} else if (!strcmp(word, "fork")) {
		if (!fork())
			sleeps(name);
	} else if (!strcmp(word, "pass")) {
		if (fork())
			exit(0);
	} else if (!strcmp(word, "files")) {
		if (clone(sleeps, stack + sizeof(stack), CLONE_FILES | SIGCHLD, name) < 0)
			fail(word);
	} else if (!strcmp(word, "thread")) {
		if (pthread_create(&thread, NULL, sleeps_in_thread, name))
			fail(word);
	} else if (!strcmp(word, "has")) {
		snprintf(run, sizeof(run), "/run/%s", path);
		close(file_of(run, O_WRONLY));
	} else if (!strcmp(word, "needs")) {
		snprintf(run, sizeof(run), "/run/%s", path);
		while (access(run, F_OK))
			usleep(100000);
	} else {
		fail(word);
	}
}

int main(int argc, char **argv)
{
	if (argc < 3)
		return 1;
	prctl(PR_SET_NAME, argv[1]);
	for (int i = 2; i < argc; i++)
		act(argv[i], argv[1]);
	sleeps(argv[1]);
}
