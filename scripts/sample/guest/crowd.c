// SPDX-License-Identifier: GPL-2.0-or-later
/* crowd KIND NAME [FILE]: a service of 101 threads. 97 wait for what one of them has, or rest. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <unistd.h>

static pthread_mutex_t m, other;
static pthread_cond_t cond;
static pthread_rwlock_t rw;
static const char *kind, *name, *file;
static int sock;
static volatile int has_it;

static int is(const char *k)
{
	return !strcmp(kind, k);
}

static void tell(const char *what)
{
	char path[256];
	FILE *f;

	snprintf(path, sizeof(path), "/run/truth/holder_%s", name);
	f = fopen(path, "a");
	fprintf(f, "%s %s %d %d %p %p\n", name, what, getpid(), (int)syscall(SYS_gettid),
		(void *)&m, (void *)&rw);
	fclose(f);
}

static void write_file(void)
{
	static char page[4096] __attribute__((aligned(4096)));
	int fd = open(file, O_WRONLY | O_DIRECT);

	if (fd < 0 || pwrite(fd, page, sizeof(page), 1 << 20) < 0)
		perror(file);
}

static void *holder(void *a)
{
	prctl(PR_SET_NAME, "signer");
	if (is("inode")) {
		has_it = 1;
		tell("holder");
		write_file();
	} else if (is("rw")) {
		pthread_rwlock_wrlock(&rw);
		tell("holder");
		has_it = 1;
	} else if (!is("cond")) {
		pthread_mutex_lock(&m);
		tell("holder");
		has_it = 1;
	}
	if (is("disk")) {
		int fd = open(file, O_WRONLY);

		write(fd, "key", 3);
		fsync(fd);
	}
	if (is("leader"))
		accept(sock, NULL, NULL);
	if (is("circle")) {
		sleep(2);
		pthread_mutex_lock(&other);
	}
	if (is("spin"))
		for (;;)
			has_it++;
	sleep(100000);
	return a;
}

static void *second(void *a)
{
	prctl(PR_SET_NAME, "auditor");
	pthread_mutex_lock(&other);
	tell("second");
	sleep(1);
	pthread_mutex_lock(&m);
	return a;
}

static void *worker(void *a)
{
	prctl(PR_SET_NAME, "worker");
	while (!has_it && !is("cond"))
		usleep(10000);
	usleep(500000);
	if (is("rw")) {
		pthread_rwlock_rdlock(&rw);
	} else if (is("inode")) {
		write_file();
	} else {
		pthread_mutex_lock(&m);
		while (is("cond"))
			pthread_cond_wait(&cond, &m);
	}
	sleep(100000);
	return a;
}

static void *idle(void *a)
{
	struct epoll_event e;
	int fd = epoll_create1(0);

	prctl(PR_SET_NAME, "net");
	e.events = EPOLLIN;
	epoll_ctl(fd, EPOLL_CTL_ADD, sock, &e);
	/* It accepts no connection. */
	for (;;) {
		if (is("cond") || is("leader"))
			epoll_wait(fd, &e, 1, -1);
		else
			poll(NULL, 0, -1);
	}
	return a;
}

int main(int n, char **arg)
{
	pthread_mutexattr_t attr;
	pthread_attr_t small;
	struct sockaddr_un un = { .sun_family = AF_UNIX };
	pthread_t t;
	char *p;
	size_t bytes = 12 << 20;
	int i;

	kind = arg[1];
	name = arg[2];
	file = n > 3 ? arg[3] : NULL;
	prctl(PR_SET_NAME, name);
	p = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	memset(p, 'k', bytes);
	pthread_mutexattr_init(&attr);
	if (is("pi"))
		pthread_mutexattr_setprotocol(&attr, PTHREAD_PRIO_INHERIT);
	if (is("robust"))
		pthread_mutexattr_setrobust(&attr, PTHREAD_MUTEX_ROBUST);
	if (is("recursive"))
		pthread_mutexattr_settype(&attr, PTHREAD_MUTEX_RECURSIVE);
	pthread_mutex_init(&m, &attr);
	pthread_mutex_init(&other, NULL);
	pthread_cond_init(&cond, NULL);
	pthread_rwlock_init(&rw, NULL);
	sock = socket(AF_UNIX, SOCK_STREAM, 0);
	snprintf(un.sun_path, sizeof(un.sun_path), "/run/%s.sock", name);
	bind(sock, (void *)&un, sizeof(un));
	listen(sock, 128);
	pthread_attr_init(&small);
	pthread_attr_setstacksize(&small, 65536);
	pthread_create(&t, &small, holder, NULL);
	pthread_create(&t, &small, is("circle") ? second : idle, NULL);
	for (i = 0; i < 97; i++)
		pthread_create(&t, &small, worker, NULL);
	pthread_create(&t, &small, idle, NULL);
	for (;;)
		pause();
}
