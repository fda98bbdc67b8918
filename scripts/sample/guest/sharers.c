// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The guest's processes that share memory, and those whose mm_struct outlives them.
 *
 *	sharers CGROUP		never ends; makes /run/sharers.ready
 *
 * tabled and its children share huge pages that one maps whole and another in part, small pages of
 * which some were written since fork(), the zero page, a memfd and a file.
 *
 * brokerd has exited, readerd has its files of /proc open.  framed has exited while the driver
 * framegrab used its memory in a kernel thread, lensed while the driver had a reference.
 * victimd was killed in CGROUP, and its parent does not wait for it.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define KIB 1024UL
#define MIB (1024UL * KIB)
#define HUGE (2 * MIB)
#define PAGE 4096UL
#define SMALL (24 * MIB)

static struct {
	char *huge;  /* two huge pages, then one that was read only */
	char *small; /* pages of 4 KiB */
	char *zero;  /* read only */
	char *shared;
	char *file;
	int memfd;
} table;

static int ready[2];

static void require(int ok, const char *what)
{
	if (ok)
		return;
	perror(what);
	exit(1);
}

static void touch(char *p, size_t len)
{
	for (size_t off = 0; off < len; off += PAGE)
		*(size_t *)(p + off + 64) = off + 1;
}

static void look(const char *p, size_t len)
{
	for (size_t off = 0; off < len; off += PAGE)
		(void)*(const volatile char *)(p + off);
}

static char *map(size_t len, int flags, int fd)
{
	char *p = mmap(NULL, len, PROT_READ | PROT_WRITE, flags, fd, 0);

	require(p != MAP_FAILED, "mmap");
	return p;
}

static char *map_anon(size_t len, int advice)
{
	char *p = map(len + HUGE, MAP_PRIVATE | MAP_ANONYMOUS, -1);

	p = (char *)(((unsigned long)p + HUGE - 1) & ~(HUGE - 1));
	madvise(p, len, advice);
	return p;
}

static void lay_table(void)
{
	int fd = open("/run/tabled.dat", O_RDWR | O_CREAT | O_TRUNC, 0600);

	table.huge = map_anon(3 * HUGE, MADV_HUGEPAGE);
	touch(table.huge, 2 * HUGE);
	look(table.huge + 2 * HUGE, HUGE);
	table.small = map_anon(SMALL, MADV_NOHUGEPAGE);
	touch(table.small, SMALL);
	table.zero = map_anon(MIB, MADV_NOHUGEPAGE);
	look(table.zero, MIB);
	table.memfd = memfd_create("table", 0);
	require(table.memfd >= 0 && !ftruncate(table.memfd, HUGE), "memfd");
	table.shared = map(HUGE, MAP_SHARED, table.memfd);
	touch(table.shared, HUGE);
	require(fd >= 0 && !ftruncate(fd, MIB), "tabled.dat");
	table.file = map(MIB, MAP_PRIVATE, fd);
	look(table.file, MIB);
	touch(table.file, 64 * KIB);
}

static void stay(void)
{
	require(write(ready[1], "", 1) == 1, "pipe");
	for (;;)
		pause();
}

/* A huge page of which it has the first half. */
static void be_first(void)
{
	munmap(table.huge + HUGE + MIB, MIB);
	touch(table.small, 256 * KIB);
	stay();
}

/* Page tables of 4 KiB for a huge page; the memfd twice. */
static void be_second(void)
{
	mprotect(table.huge, 64 * KIB, PROT_READ);
	look(map(HUGE, MAP_SHARED, table.memfd), HUGE / 2);
	stay();
}

/* Pages without access, and pages that it gave back. */
static void be_third(void)
{
	madvise(table.small + SMALL / 2, SMALL / 4, MADV_DONTNEED);
	mprotect(table.small, MIB, PROT_NONE);
	touch(table.file, MIB / 2);
	stay();
}

static void read_proc(const char *name)
{
	char path[64];

	snprintf(path, sizeof(path), "/proc/%d/%s", getppid(), name);
	open(path, O_RDONLY);
}

/* userfaultfd is inherited; its mm_struct is that of brokerd. */
static void be_broker(void)
{
	static const char *const files[] = { "mem",  "environ", "auxv",		"pagemap",
					     "maps", "smaps",	"smaps_rollup", "numa_maps" };
	int fds[2];
	char c;

	syscall(SYS_userfaultfd, 0);
	require(!pipe(fds), "pipe");
	if (!fork()) {
		prctl(PR_SET_NAME, "readerd");
		for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++)
			read_proc(files[i]);
		require(write(fds[1], "", 1) == 1, "pipe");
		stay();
	}
	require(read(fds[0], &c, 1) == 1, "readerd");
	exit(0);
}

static void ask_driver(const char *way)
{
	int fd = open("/sys/kernel/debug/framegrab/do", O_WRONLY);

	require(fd >= 0 && write(fd, way, strlen(way)) > 0, way);
	exit(0);
}

static void be_framed(void)
{
	touch(map_anon(3 * MIB, MADV_NOHUGEPAGE), 3 * MIB);
	ask_driver("pin 0");
}

static void be_lensed(void)
{
	ask_driver("hold 0");
}

static const char *cgroup;

static void be_victim(void)
{
	char path[128];
	int fd;

	snprintf(path, sizeof(path), "%s/cgroup.procs", cgroup);
	fd = open(path, O_WRONLY);
	require(fd >= 0 && write(fd, "0", 1) == 1, path);
	for (;;)
		touch(map_anon(MIB, MADV_NOHUGEPAGE), MIB);
}

static const struct {
	const char *name;
	void (*be)(void);
	int ends; /* it is waited for */
} family[] = {
	{ "first", be_first, 0 },    { "second", be_second, 0 }, { "third", be_third, 0 },
	{ "brokerd", be_broker, 1 }, { "framed", be_framed, 1 }, { "lensed", be_lensed, 1 },
};

int main(int argc, char **argv)
{
	char c;
	pid_t pid;
	siginfo_t info;

	require(argc == 2 && !pipe(ready), "usage: sharers CGROUP");
	cgroup = argv[1];
	prctl(PR_SET_NAME, "tabled");
	lay_table();
	for (size_t i = 0; i < sizeof(family) / sizeof(family[0]); i++) {
		pid = fork();
		if (!pid) {
			prctl(PR_SET_NAME, family[i].name);
			family[i].be();
		}
		require(pid > 0, "fork");
		if (family[i].ends)
			require(waitpid(pid, NULL, 0) == pid, family[i].name);
	}
	/* The first three, and readerd. */
	for (int i = 0; i < 4; i++)
		require(read(ready[0], &c, 1) == 1, "ready");
	pid = fork();
	if (!pid) {
		prctl(PR_SET_NAME, "victimd");
		be_victim();
	}
	/* It stays a zombie. */
	require(!waitid(P_PID, (id_t)pid, &info, WEXITED | WNOWAIT), "victimd");
	close(open("/run/sharers.ready", O_WRONLY | O_CREAT, 0600));
	for (;;)
		pause();
}
