// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Tasks that stay inside a page fault, each for another reason, and the disks that make them
 * wait.  Before a task faults, it writes a line about itself into /run/stuck/NAME:
 * pid, tgid, comm, reason, access, mode, address, file, local_clock() in ns.
 *
 *	stuck disk NAME DEVICE SECTORS MS	a disk NAME of the device mapper: reads take MS; again: changed
 *	stuck swapin			read a page that is in swap
 *	stuck file NAME PATH		read a page of a mapped file
 *	stuck uffd			write to a page that userfaultfd watches; no thread answers
 *	stuck uffdcopy			read() into such a page
 *	stuck copy PATH			write() of a page of a mapped file
 *	stuck mmaplock PATH		a thread that waits for a page with mmap_lock held for writing, one
 *					that faults, and one that maps memory, which is no fault
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/dm-ioctl.h>
#include <linux/userfaultfd.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#define PAGE 4096UL

static void die(const char *what)
{
	perror(what);
	exit(1);
}

static void require(int ok, const char *what)
{
	if (!ok)
		die(what);
}

/* dmsetup create, or reload and resume. */
static void dm_request(int control, unsigned long request, const char *name, const char *params,
		       unsigned long sectors)
{
	struct {
		struct dm_ioctl head;
		struct dm_target_spec target;
		char params[256];
	} r = { .head = { .version = { 4, 0, 0 },
			  .data_size = sizeof(r),
			  .data_start = sizeof(r.head) } };

	snprintf(r.head.name, sizeof(r.head.name), "%s", name);
	if (params) {
		r.head.target_count = 1;
		r.target.length = sectors;
		strcpy(r.target.target_type, "delay");
		snprintf(r.params, sizeof(r.params), "%s", params);
	}
	if (ioctl(control, request, &r) && !(request == DM_DEV_CREATE && errno == EBUSY))
		die("device mapper");
}

static void disk(const char *name, const char *device, unsigned long sectors, const char *ms)
{
	int control = open("/dev/mapper/control", O_RDWR);
	char params[200];

	require(control >= 0, "/dev/mapper/control");
	snprintf(params, sizeof(params), "%s 0 %s %s 0 0", device, ms, device);
	dm_request(control, DM_DEV_CREATE, name, NULL, 0);
	dm_request(control, DM_TABLE_LOAD, name, params, sectors);
	/* Without the flag of a suspension it is a resumption, with the new table. */
	dm_request(control, DM_DEV_SUSPEND, name, NULL, 0);
}

static void tell(const char *name, const char *reason, const char *access, const char *mode,
		 const void *address, const char *file)
{
	char path[64], clock[32] = "", line[256];
	int fd = open("/sys/kernel/debug/leaky/clock", O_RDONLY);

	require(fd >= 0 && read(fd, clock, sizeof(clock) - 1) > 0, "clock");
	close(fd);
	snprintf(path, sizeof(path), "/run/stuck/%s", name);
	fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
	require(fd >= 0, path);
	snprintf(line, sizeof(line), "%ld %d %s %s %s %s %#lx %s %s", syscall(SYS_gettid), getpid(),
		 name, reason, access, mode, (unsigned long)address, file, clock);
	require(write(fd, line, strlen(line)) == (ssize_t)strlen(line), path);
	close(fd);
	prctl(PR_SET_NAME, name);
}

static char *map(size_t len, int prot, int flags, int fd)
{
	char *p = mmap(NULL, len, prot, flags, fd, 0);

	require(p != MAP_FAILED, "mmap");
	return p;
}

static char *map_file(const char *path, int prot)
{
	int fd = open(path, O_RDONLY);

	require(fd >= 0, path);
	return map(4 * PAGE, prot, MAP_PRIVATE, fd);
}

/* Makes a file and waits for another, that of the script. */
static void meet(const char *mine, const char *other)
{
	close(open(mine, O_WRONLY | O_CREAT, 0600));
	while (access(other, F_OK))
		usleep(10000);
}

static void swapin(void)
{
	size_t len = 1024 * PAGE;
	char *p = map(len, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1);
	volatile char *page = p + 100 * PAGE;
	unsigned char resident = 1;

	madvise(p, len, MADV_NOHUGEPAGE);
	for (size_t i = 0; i < len; i += PAGE)
		*(size_t *)(p + i) = i + 1;
	for (int i = 0; i < 300 && resident & 1; i++) {
		madvise(p, len, MADV_PAGEOUT);
		usleep(50000);
		require(!mincore((void *)page, PAGE, &resident), "mincore");
	}
	require(!(resident & 1), "pageout");
	/* What it will need comes back from swap while that is quick, and stays. */
	meet("/run/stuck.cold", "/run/stuck.warm");
	tell("swapin", "swap_in", "read", "user", (void *)(page + 0x123), "-");
	meet("/run/stuck.paged_out", "/run/stuck.slow");
	tell("swapin", "swap_in", "read", "user", (void *)(page + 0x123), "-");
	(void)page[0x123];
}

static void file(const char *name, const char *path)
{
	volatile char *p = map_file(path, PROT_READ);

	tell(name, "file", "read", "user", (void *)(p + 0x10), path);
	(void)p[0x10];
}

static char *watched_page(void)
{
	char *p = map(4 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1);
	struct uffdio_api api = { .api = UFFD_API };
	struct uffdio_register range = { .range = { (unsigned long)p, 4 * PAGE },
					 .mode = UFFDIO_REGISTER_MODE_MISSING };
	int fd = syscall(SYS_userfaultfd, O_CLOEXEC);

	require(fd >= 0 && !ioctl(fd, UFFDIO_API, &api) && !ioctl(fd, UFFDIO_REGISTER, &range),
		"userfaultfd");
	return p;
}

static void uffd(void)
{
	volatile char *p = watched_page() + 2 * PAGE + 8;

	tell("uffd", "userfaultfd", "write", "user", (void *)p, "-");
	*p = 1;
}

static void uffd_copy(void)
{
	char *p = watched_page() + PAGE;
	int fds[2];

	require(!pipe(fds) && write(fds[1], "some bytes", 10) == 10, "pipe");
	tell("uffdcopy", "userfaultfd", "write", "kernel", p, "-");
	require(read(fds[0], p, 10) == 10, "read");
}

static void copy(const char *path)
{
	char *p = map_file(path, PROT_READ);
	int fds[2];

	require(!pipe(fds), "pipe");
	tell("copy", "file", "read", "kernel", p, path);
	require(write(fds[1], p, PAGE) == (ssize_t)PAGE, "write");
}

static char *shared_page;
static const char *shared_path;

/*
 * A locked private mapping that becomes writable is populated while mmap_lock is held for
 * writing (mprotect_fixup() in mm/mprotect.c).
 */
static void *hold(void *arg)
{
	tell("holder", "file", "write", "gup", shared_page, shared_path);
	mprotect(shared_page, 4 * PAGE, PROT_READ | PROT_WRITE);
	return arg;
}

static void *wait_for_it(void *arg)
{
	volatile char *p = shared_page + 3 * PAGE + 0x20;

	/* Once the lock is held, nothing else may fault. */
	tell("waiter", "mmap_lock", "read", "user", (void *)p, shared_path);
	sleep(2);
	(void)*p;
	return arg;
}

static void *map_more(void *arg)
{
	tell("mapper", "none", "-", "-", NULL, "-");
	sleep(4);
	map(PAGE, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1);
	return arg;
}

static void mmap_lock(const char *path)
{
	void *(*const run[])(void *) = { hold, wait_for_it, map_more };
	pthread_t t[3];

	shared_path = path;
	shared_page = map_file(path, PROT_NONE);
	/* It fails, since nothing can be read, and leaves the mapping locked. */
	mlock(shared_page, 4 * PAGE);
	for (int i = 2; i >= 0; i--) {
		require(!pthread_create(&t[i], NULL, run[i], NULL), "pthread_create");
		usleep(300000);
	}
	pthread_join(t[0], NULL);
}

int main(int argc, char **argv)
{
	const char *way = argc > 1 ? argv[1] : "";

	if (!strcmp(way, "disk") && argc == 6) {
		disk(argv[2], argv[3], strtoul(argv[4], NULL, 10), argv[5]);
		return 0;
	}
	if (!strcmp(way, "swapin"))
		swapin();
	else if (!strcmp(way, "file") && argc == 4)
		file(argv[2], argv[3]);
	else if (!strcmp(way, "uffd"))
		uffd();
	else if (!strcmp(way, "uffdcopy"))
		uffd_copy();
	else if (!strcmp(way, "copy") && argc == 3)
		copy(argv[2]);
	else if (!strcmp(way, "mmaplock") && argc == 3)
		mmap_lock(argv[2]);
	fprintf(stderr, "stuck %s: came through, or no such way\n", way);
	return 1;
}
