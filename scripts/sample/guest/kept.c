// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Objects of slab caches that a process keeps for ever; each says "NAME ready", and the kernel's files in /proc what
 * it has.
 *
 *	kept mounts	mounter: 2^17 mounts in a namespace of its own, where its child helper is too; lonely: 2^10
 *	kept watches	watcher: inotify watches of 80,000 files of /data, and of two of these again; marks of fanotify
 *	kept requests	ioserver: 200,000 requests of io_uring in flight; iobatch: a ring whose requests have all ended
 *	kept signals	deaf: 40,000 signals of caller that it blocks, and one more for its thread alone
 *	kept packets	tapd: a tap device that it does not read, with all packets that its queue has room for
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <fcntl.h>
#include <linux/if.h>
#include <linux/if_tun.h>
#include <linux/io_uring.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/fanotify.h>
#include <sys/inotify.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#define FILES 80000
#define MARKS 100
#define REQUESTS 200000
#define PACKETS 20000
#define SIGNALS 40000
#define EVICTABLE 0x200 /* FAN_MARK_EVICTABLE, 5.19 */

static void require(int ok, const char *what)
{
	if (ok)
		return;
	perror(what);
	fprintf(stderr, "guest: FAILED: %s\n", what);
	exit(1);
}

static void stay(const char *name)
{
	printf("%s ready %d\n", name, getpid());
	fflush(stdout);
	for (;;)
		pause();
}

/* Each mount of the tree in a directory of its own has twice as many. */
static void mounts(const char *name, int doublings)
{
	char dir[64];

	prctl(PR_SET_NAME, name);
	require(!unshare(CLONE_NEWNS), "unshare");
	require(!mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL), "private");
	require(!mount("tmpfs", "/mnt", "tmpfs", 0, NULL), "tmpfs");
	for (int i = 0; i < doublings; i++) {
		snprintf(dir, sizeof(dir), "/mnt/%d", i);
		require(!mkdir(dir, 0755), dir);
	}
	for (int i = 0; i < doublings; i++) {
		snprintf(dir, sizeof(dir), "/mnt/%d", i);
		require(!mount("/mnt", dir, NULL, MS_BIND | MS_REC, NULL), dir);
	}
}

static void many_mounts(void)
{
	if (!fork()) {
		mounts("lonely", 10);
		stay("lonely");
	}
	mounts("mounter", 17);
	if (!fork()) {
		prctl(PR_SET_NAME, "helper");
		stay("helper");
	}
	stay("mounter");
}

static void watches(void)
{
	int fd = inotify_init1(0), again = inotify_init1(0),
	    fan = fanotify_init(FAN_CLASS_NOTIF, O_RDONLY);
	char path[64];

	prctl(PR_SET_NAME, "watcher");
	for (int i = 0; i < FILES; i++) {
		snprintf(path, sizeof(path), "/data/%d", i);
		close(open(path, O_CREAT | O_WRONLY, 0644));
		require(inotify_add_watch(fd, path, IN_MODIFY) >= 0, path);
	}
	require(inotify_add_watch(again, "/data/1", IN_MODIFY) >= 0, "/data/1");
	require(inotify_add_watch(again, "/data", IN_MODIFY) >= 0, "/data");
	require(fan >= 0, "fanotify");
	for (int i = 0; i < MARKS; i++) {
		snprintf(path, sizeof(path), "/data/%d", i);
		require(!fanotify_mark(fan, FAN_MARK_ADD, FAN_MODIFY, AT_FDCWD, path), path);
	}
	require(!fanotify_mark(fan, FAN_MARK_ADD | FAN_MARK_MOUNT, FAN_OPEN, AT_FDCWD, "/proc"),
		"mark of a mount");
	/* Older kernels have none. */
	fanotify_mark(fan, FAN_MARK_ADD | EVICTABLE, FAN_MODIFY, AT_FDCWD, "/data/4001");
	stay("watcher");
}

struct ring {
	int fd;
	unsigned int mask, *tail, *array;
	struct io_uring_sqe *entries;
};

static void *map(const struct ring *r, size_t bytes, off_t what)
{
	void *at = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, r->fd,
			what);

	require(at != MAP_FAILED, "ring");
	return at;
}

static void open_ring(struct ring *r, unsigned int n)
{
	struct io_uring_params p = { 0 };
	char *at;

	r->fd = syscall(SYS_io_uring_setup, n, &p);
	require(r->fd >= 0, "io_uring_setup");
	at = map(r, p.sq_off.array + p.sq_entries * sizeof(*r->array), IORING_OFF_SQ_RING);
	r->entries = map(r, p.sq_entries * sizeof(*r->entries), IORING_OFF_SQES);
	r->tail = (unsigned int *)(at + p.sq_off.tail);
	r->array = (unsigned int *)(at + p.sq_off.array);
	r->mask = *(unsigned int *)(at + p.sq_off.ring_mask);
}

static void submit(struct ring *r, const struct io_uring_sqe *entry, unsigned int n)
{
	for (unsigned int done = 0; done < n;) {
		unsigned int tail = *r->tail, k = 0;
		int ret;

		for (; k <= r->mask && done + k < n; k++, tail++) {
			r->entries[tail & r->mask] = *entry;
			r->array[tail & r->mask] = tail & r->mask;
		}
		__atomic_store_n(r->tail, tail, __ATOMIC_RELEASE);
		ret = syscall(SYS_io_uring_enter, r->fd, k, 0, 0, NULL, 0);
		require(ret > 0, "io_uring_enter");
		done += ret;
	}
}

static void requests(void)
{
	struct io_uring_sqe poll = { .opcode = IORING_OP_POLL_ADD, .poll32_events = POLLIN },
			    nop = { .opcode = IORING_OP_NOP };
	struct ring r;
	int ends[2];

	require(!pipe(ends), "pipe");
	if (!fork()) {
		prctl(PR_SET_NAME, "iobatch");
		open_ring(&r, 1024);
		submit(&r, &nop, 1024);
		stay("iobatch");
	}
	prctl(PR_SET_NAME, "ioserver");
	poll.fd = ends[0];
	open_ring(&r, 4096);
	submit(&r, &poll, REQUESTS);
	stay("ioserver");
}

static void set_address(int sock, struct ifreq *of, unsigned long what, uint32_t address)
{
	struct sockaddr_in at = { .sin_family = AF_INET, .sin_addr.s_addr = htonl(address) };

	memcpy(&of->ifr_addr, &at, sizeof(at));
	require(!ioctl(sock, what, of), "address");
}

static void packets(void)
{
	struct sockaddr_in to = { .sin_family = AF_INET,
				  .sin_port = htons(9),
				  .sin_addr.s_addr = htonl(0x0a0900ff) };
	struct ifreq of = { .ifr_flags = IFF_TAP | IFF_NO_PI };
	int fd = open("/dev/net/tun", O_RDWR), sock = socket(AF_INET, SOCK_DGRAM, 0), yes = 1;
	char data[1400] = "";

	prctl(PR_SET_NAME, "tapd");
	strcpy(of.ifr_name, "tap0");
	require(fd >= 0 && !ioctl(fd, TUNSETIFF, &of), "tun");
	of.ifr_qlen = PACKETS;
	require(!ioctl(sock, SIOCSIFTXQLEN, &of), "queue");
	set_address(sock, &of, SIOCSIFADDR, 0x0a090001);
	set_address(sock, &of, SIOCSIFNETMASK, 0xffffff00);
	require(!ioctl(sock, SIOCGIFFLAGS, &of), "flags");
	of.ifr_flags |= IFF_UP;
	require(!ioctl(sock, SIOCSIFFLAGS, &of), "up");
	setsockopt(sock, SOL_SOCKET, SO_BROADCAST, &yes, sizeof(yes));
	for (int i = 0; i < PACKETS + 100; i++)
		sendto(sock, data, sizeof(data), 0, (struct sockaddr *)&to, sizeof(to));
	stay("tapd");
}

static void signals(void)
{
	const struct rlimit all = { RLIM_INFINITY, RLIM_INFINITY };
	sigset_t blocked;

	sigemptyset(&blocked);
	sigaddset(&blocked, SIGRTMIN + 3);
	require(!sigprocmask(SIG_BLOCK, &blocked, NULL) && !setrlimit(RLIMIT_SIGPENDING, &all),
		"signals");
	if (!fork()) {
		prctl(PR_SET_NAME, "caller");
		for (int i = 0; i < SIGNALS; i++)
			require(!sigqueue(getppid(), SIGRTMIN + 3, (union sigval){ 0 }),
				"sigqueue");
		stay("caller");
	}
	prctl(PR_SET_NAME, "deaf");
	/* One for a thread alone. */
	require(!syscall(SYS_tgkill, getpid(), getpid(), SIGRTMIN + 3), "tgkill");
	stay("deaf");
}

int main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "";

	if (!strcmp(what, "mounts"))
		many_mounts();
	else if (!strcmp(what, "watches"))
		watches();
	else if (!strcmp(what, "requests"))
		requests();
	else if (!strcmp(what, "packets"))
		packets();
	else if (!strcmp(what, "signals"))
		signals();
	require(0, "mounts, watches, requests, packets or signals");
}
