// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A file system whose server stops answering, and what waits for it then. Each step waits for a file in /run, which the
 * script makes.
 *
 *	hung serve DIR NAME	mounts a file system with two files of 8 MiB, "file" and "swap", at DIR and serves
 *				it, as NAME
 *	hung heir DIR NAME	the same; a child NAME keeps the descriptor of /dev/fuse, and answers nothing
 *	hung loop DEVICE FILE	makes a block device of a file
 *	hung nfs DIR NAME	mounts NFS of a server, this machine, that takes connections and never answers
 *	hung asks DIR NAME	statfs()
 *	hung makes DIR NAME	mkdir(), with a lock that the server wants then
 *	hung faults FILE NAME	writes a page of a userfaultfd to a file, whose lock the one that could answer, NAME-server,
 *				wants then
 *	hung mapped FILE	maps the file: one thread writes it back, one writes to its page meanwhile, one
 *				changes the mapping, one maps memory
 *	hung swapped NAME	memory that is in swap, the arguments of its command line too: one thread reads a page
 *				of it, one has another one read in, one maps memory; "looked": before that one looks
 *				which pages are there
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/fuse.h>
#include <linux/loop.h>
#include <linux/userfaultfd.h>
#include <net/if.h>
#include <netinet/in.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#define PAGE 4096UL
#define BYTES (8UL << 20)
#define FILE_NODE 2 /* and the next */
#define SERVED "/l/served"

static void require(int ok, const char *what)
{
	if (ok)
		return;
	perror(what);
	printf("guest: FAILED: %s\n", what);
	exit(1);
}

static void name(const char *text)
{
	prctl(PR_SET_NAME, text);
}

static void await(const char *file)
{
	while (access(file, F_OK))
		usleep(10000);
}

static char *map(size_t len, int prot, int flags, int fd)
{
	char *p = mmap(NULL, len, prot, flags, fd, 0);

	require(p != MAP_FAILED, "mmap");
	return p;
}

static char *anonymous(size_t len)
{
	return map(len, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1);
}

static void take_lock(void)
{
	int fd = open(SERVED, O_RDWR | O_CREAT, 0600);

	require(fd >= 0, SERVED);
	flock(fd, LOCK_EX);
}

static struct fuse_attr attr_of(uint64_t node)
{
	struct fuse_attr a = { .ino = node, .mode = S_IFDIR | 0755, .nlink = 2, .blksize = PAGE };

	if (node >= FILE_NODE) {
		a.mode = S_IFREG | 0600;
		a.nlink = 1;
		a.size = BYTES;
		a.blocks = BYTES / 512;
	}
	return a;
}

static void answer(int fd, uint64_t unique, int error, const void *body, size_t n)
{
	struct fuse_out_header h = { .len = sizeof(h) + n, .error = -error, .unique = unique };
	struct iovec v[] = { { &h, sizeof(h) }, { (void *)body, n } };

	(void)!writev(fd, v, 2);
}

static void serve_one(int fd, const struct fuse_in_header *h, const void *body, char *bytes)
{
	struct fuse_init_out init = { .major = FUSE_KERNEL_VERSION,
				      .minor = 31,
				      .max_write = 1 << 17 };
	struct fuse_entry_out entry = { .nodeid = FILE_NODE,
					.entry_valid = 100000,
					.attr_valid = 100000 };
	struct fuse_attr_out attr = { .attr_valid = 100000, .attr = attr_of(h->nodeid) };
	struct fuse_open_out opened = { 0 };
	struct fuse_statfs_out statfs = { .st = { .bsize = PAGE, .namelen = 255 } };
	const struct fuse_read_in *r = body;
	const struct fuse_write_in *w = body;
	struct fuse_write_out written = { 0 };

	if (h->opcode == FUSE_LOOKUP && !strcmp(body, "swap"))
		entry.nodeid++;
	entry.attr = attr_of(entry.nodeid);
	bytes += h->nodeid > FILE_NODE ? BYTES : 0;
	switch (h->opcode) {
	case FUSE_FORGET:
	case FUSE_BATCH_FORGET:
	case FUSE_INTERRUPT:
		return;
	case FUSE_INIT:
		return answer(fd, h->unique, 0, &init, sizeof(init));
	case FUSE_LOOKUP:
		return strcmp(body, "file") && strcmp(body, "swap")
			       ? answer(fd, h->unique, ENOENT, NULL, 0)
			       : answer(fd, h->unique, 0, &entry, sizeof(entry));
	case FUSE_GETATTR:
	case FUSE_SETATTR:
		return answer(fd, h->unique, 0, &attr, sizeof(attr));
	case FUSE_OPEN:
	case FUSE_OPENDIR:
		return answer(fd, h->unique, 0, &opened, sizeof(opened));
	case FUSE_STATFS:
		return answer(fd, h->unique, 0, &statfs, sizeof(statfs));
	case FUSE_READ:
		if (r->offset >= BYTES)
			return answer(fd, h->unique, 0, NULL, 0);
		return answer(fd, h->unique, 0, bytes + r->offset,
			      r->size < BYTES - r->offset ? r->size : BYTES - r->offset);
	case FUSE_WRITE:
		if (w->offset + w->size > BYTES)
			return answer(fd, h->unique, ENOSPC, NULL, 0);
		memcpy(bytes + w->offset, w + 1, w->size);
		written.size = w->size;
		return answer(fd, h->unique, 0, &written, sizeof(written));
	case FUSE_FLUSH:
	case FUSE_RELEASE:
	case FUSE_FSYNC:
		return answer(fd, h->unique, 0, NULL, 0);
	case FUSE_MKDIR:
		take_lock();
		/* fall through */
	default:
		return answer(fd, h->unique, ENOSYS, NULL, 0);
	}
}

static void serve(const char *dir, const char *as, int has_heir)
{
	int fd = open("/dev/fuse", O_RDWR);
	static char request[1 << 18];
	char options[100], *bytes = anonymous(2 * BYTES);

	require(fd >= 0, "/dev/fuse");
	snprintf(options, sizeof(options), "fd=%d,rootmode=40000,user_id=0,group_id=0", fd);
	require(!mount("hung", dir, "fuse", 0, options), "mount");
	if (has_heir && !fork()) {
		name(as);
		pause();
	}
	name(has_heir ? "killed" : as);
	require(!mlockall(MCL_CURRENT | MCL_FUTURE), "mlockall");
	for (;;) {
		ssize_t n = read(fd, request, sizeof(request));
		struct fuse_in_header *h = (void *)request;

		if (n < 0 && (errno == EINTR || errno == EAGAIN || errno == ENOENT))
			continue;
		require(n >= (ssize_t)sizeof(*h), "read of a request");
		serve_one(fd, h, h + 1, bytes);
	}
}

static int mute_nfs(const char *dir, const char *as)
{
	struct sockaddr_in at = { .sin_family = AF_INET,
				  .sin_port = htons(2049),
				  .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	struct ifreq lo = { .ifr_name = "lo", .ifr_flags = IFF_UP };
	int fd = socket(AF_INET, SOCK_STREAM, 0);

	name(as);
	require(!ioctl(fd, SIOCSIFFLAGS, &lo), "lo");
	require(!bind(fd, (struct sockaddr *)&at, sizeof(at)) && !listen(fd, 5), "listen");
	return mount(
		"127.0.0.1:/", dir, "nfs", 0,
		"vers=3,addr=127.0.0.1,nolock,proto=tcp,port=2049,mountproto=tcp,mountport=2049");
}

static void faults(const char *path, const char *as)
{
	struct uffdio_api api = { .api = UFFD_API };
	char *p = anonymous(PAGE), server[20];
	struct uffdio_register range = { .range = { (unsigned long)p, PAGE },
					 .mode = UFFDIO_REGISTER_MODE_MISSING };
	int fd = (int)syscall(SYS_userfaultfd, O_CLOEXEC);
	int to = open(path, O_RDWR | O_CREAT, 0600);

	require(fd >= 0 && to >= 0 && !ioctl(fd, UFFDIO_API, &api) &&
			!ioctl(fd, UFFDIO_REGISTER, &range),
		"userfaultfd");
	if (!fork()) {
		snprintf(server, sizeof(server), "%s-server", as);
		name(server);
		sleep(2);
		to = open(path, O_RDWR);
		(void)!write(to, "text", 4);
		exit(0);
	}
	name(as);
	(void)!write(to, p, PAGE);
}

static void *at(unsigned int seconds, const char *as)
{
	name(as);
	await("/run/stopped");
	sleep(seconds);
	return NULL;
}

static char *page;
static int file;

static void *write_back(void *unused)
{
	at(1, "writes-back");
	msync(page, PAGE, MS_SYNC);
	return unused;
}

static void *write_page(void *unused)
{
	at(2, "writes-page");
	page[1] = 2;
	return unused;
}

static void *write_file(void *unused)
{
	at(2, "writes-file");
	(void)!pwrite(file, "text", 4, 8192);
	return unused;
}

static void *protect(void *unused)
{
	at(3, "protects");
	mprotect(page, 4 * PAGE, PROT_READ);
	return unused;
}

static void *map_more(void *unused)
{
	at(6, "maps");
	anonymous(PAGE);
	return unused;
}

static void *read_page(void *unused)
{
	at(2, "reads-page");
	(void)*(volatile char *)(page + 200 * PAGE);
	return unused;
}

/* It has mmap_lock while it looks for the page, and gives it back to wait. */
static void *populate(void *unused)
{
	at(3, "populates");
	if (madvise(page + 400 * PAGE, PAGE, 22 /* MADV_POPULATE_READ */))
		mlock(page + 400 * PAGE, PAGE);
	return unused;
}

static void *look(void *unused)
{
	unsigned char resident;

	at(4, "looks");
	mincore(page, PAGE, &resident);
	pause();
	return unused;
}

static void run(void *(*const *all)(void *), const char *as)
{
	char path[40];
	pthread_t thread;

	for (; *all; all++)
		require(!pthread_create(&thread, NULL, *all, NULL), "pthread_create");
	name(as);
	snprintf(path, sizeof(path), "/run/%s", as);
	close(open(path, O_WRONLY | O_CREAT, 0600));
	for (;;)
		pause();
}

static void mapped(const char *path)
{
	static void *(*const all[])(void *) = { write_back, write_page, write_file,
						protect,    map_more,	NULL };

	file = open(path, O_RDWR);
	require(file >= 0, path);
	page = map(4 * PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, file);
	page[0] = 1;
	run(all, "mapped");
}

static void swapped(const char *as)
{
	static void *(*const all[])(void *) = { read_page, populate, map_more, NULL, NULL };
	void *(*threads[5])(void *);
	size_t len = 512 * PAGE;

	memcpy(threads, all, sizeof(all));
	if (!strcmp(as, "looked"))
		threads[3] = look;
	mlockall(MCL_CURRENT | MCL_FUTURE);
	page = anonymous(len);
	madvise(page, len, MADV_NOHUGEPAGE);
	munlock(page, len);
	for (size_t i = 0; i < len; i += PAGE)
		*(size_t *)(page + i) = i + 1;
	strcpy(page + 300 * PAGE, "argument");
	require(!prctl(PR_SET_MM, PR_SET_MM_ARG_START, page + 300 * PAGE, 0, 0) &&
			!prctl(PR_SET_MM, PR_SET_MM_ARG_END, page + 300 * PAGE + 9, 0, 0),
		"PR_SET_MM");
	/* They stay in the swap cache until memory.high is lowered. */
	madvise(page, len, MADV_PAGEOUT);
	run(threads, as);
}

int main(int argc, char **argv)
{
	const char *way = argc > 1 ? argv[1] : "";
	struct statfs st;

	if (argc == 4 && (!strcmp(way, "serve") || !strcmp(way, "heir")))
		serve(argv[2], argv[3], *way == 'h');
	if (argc == 4 && !strcmp(way, "loop")) {
		int fd = open(argv[2], O_RDWR);

		require(!ioctl(fd, LOOP_SET_FD, open(argv[3], O_RDWR)), "LOOP_SET_FD");
		return 0;
	}
	if (argc == 4 && !strcmp(way, "asks")) {
		name(argv[3]);
		return statfs(argv[2], &st);
	}
	if (argc == 4 && !strcmp(way, "makes")) {
		name(argv[3]);
		take_lock();
		return mkdir(argv[2], 0755);
	}
	if (argc == 4 && !strcmp(way, "faults")) {
		faults(argv[2], argv[3]);
		return 0;
	}
	if (argc == 4 && !strcmp(way, "nfs"))
		return mute_nfs(argv[2], argv[3]);
	if (argc == 3 && !strcmp(way, "mapped"))
		mapped(argv[2]);
	if (argc == 3 && !strcmp(way, "swapped"))
		swapped(argv[2]);
	fprintf(stderr, "hung %s: no such way\n", way);
	return 1;
}
