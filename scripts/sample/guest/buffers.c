// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The guest's user of DMA-BUF: "buffers UNTIL" is cameradaemon.  It makes /run/cameradaemon.ready when it
 * has these buffers, and keeps them:
 *
 *	frame-N		8 MiB each of the system heap, open and mapped, until less than 8 MiB more than UNTIL kB are free
 *	preview		3 MiB of the heap of the CMA area, mapped and no longer open
 *	shared		2 MiB of the system heap, which encoderd has open, too: it came through a socket
 *	queued		1 MiB of the system heap, in the queue of a socket alone
 *	scanout		5 MiB of the heap of the CMA area, which the driver framegrab alone keeps
 *	(no name)	1 MiB of a memfd (udmabuf)
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <linux/dma-buf.h>
#include <linux/dma-heap.h>
#include <linux/udmabuf.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

#define MIB (1024UL * 1024)

static void require(int ok, const char *what)
{
	if (ok)
		return;
	perror(what);
	exit(1);
}

static int buffer(const char *heap, const char *name, size_t len)
{
	struct dma_heap_allocation_data data = { .len = len, .fd_flags = O_RDWR | O_CLOEXEC };
	char path[64];
	int fd;

	snprintf(path, sizeof(path), "/dev/dma_heap/%s", heap);
	fd = open(path, O_RDWR | O_CLOEXEC);
	require(fd >= 0, path);
	require(!ioctl(fd, DMA_HEAP_IOCTL_ALLOC, &data), path);
	close(fd);
	require(!ioctl((int)data.fd, DMA_BUF_SET_NAME_B, name), name);
	return (int)data.fd;
}

static void map(int fd, size_t len)
{
	require(mmap(NULL, len, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0) != MAP_FAILED, "mmap");
}

/* With a descriptor in it, or without. */
static void set_message(struct msghdr *m, struct iovec *v, char *byte, char *control, size_t size)
{
	memset(m, 0, sizeof(*m));
	*v = (struct iovec){ byte, 1 };
	m->msg_iov = v;
	m->msg_iovlen = 1;
	m->msg_control = control;
	m->msg_controllen = size;
}

static void pass(int socket, int fd)
{
	_Alignas(struct cmsghdr) char control[CMSG_SPACE(sizeof(int))] = { 0 };
	struct msghdr m;
	struct iovec v;
	struct cmsghdr *c;
	char byte = 'b';

	set_message(&m, &v, &byte, control, sizeof(control));
	c = CMSG_FIRSTHDR(&m);
	c->cmsg_level = SOL_SOCKET;
	c->cmsg_type = SCM_RIGHTS;
	c->cmsg_len = CMSG_LEN(sizeof(int));
	memcpy(CMSG_DATA(c), &fd, sizeof(int));
	require(sendmsg(socket, &m, 0) == 1, "sendmsg");
}

static void encode(int socket)
{
	_Alignas(struct cmsghdr) char control[CMSG_SPACE(sizeof(int))];
	struct msghdr m;
	struct iovec v;
	char byte;

	prctl(PR_SET_NAME, "encoderd");
	set_message(&m, &v, &byte, control, sizeof(control));
	require(recvmsg(socket, &m, 0) == 1 && CMSG_FIRSTHDR(&m), "recvmsg");
	close(open("/run/encoderd.ready", O_WRONLY | O_CREAT, 0600));
	for (;;)
		pause();
}

static void share(void)
{
	int ends[2], fd;

	require(!socketpair(AF_UNIX, SOCK_DGRAM, 0, ends), "socketpair");
	if (!fork())
		encode(ends[1]);
	fd = buffer("system", "shared", 2 * MIB);
	pass(ends[0], fd);
	while (access("/run/encoderd.ready", F_OK))
		usleep(10000);
	/* Not received. */
	fd = buffer("system", "queued", MIB);
	pass(ends[0], fd);
	close(fd);
}

static void attach(const char *cma)
{
	int fd = buffer(cma, "scanout", 5 * MIB),
	    ctl = open("/sys/kernel/debug/framegrab/do", O_WRONLY);
	char text[32];
	int len = snprintf(text, sizeof(text), "attach %d", fd);

	require(ctl >= 0 && write(ctl, text, len) == len, "attach");
	close(ctl);
	close(fd);
}

static void take_memfd(void)
{
	struct udmabuf_create u = { .size = MIB };
	int dev = open("/dev/udmabuf", O_RDWR | O_CLOEXEC);

	u.memfd = memfd_create("textures", MFD_ALLOW_SEALING);
	require(!ftruncate((int)u.memfd, MIB) && !fcntl((int)u.memfd, F_ADD_SEALS, F_SEAL_SHRINK),
		"memfd");
	require(dev >= 0 && ioctl(dev, UDMABUF_CREATE, &u) >= 0, "udmabuf");
	close(dev);
	close((int)u.memfd);
}

/* The system heap allocates unmovable pages, which are not taken from the area. */
static long free_kb(void)
{
	long left = 0, value;
	char key[32];
	FILE *f = fopen("/proc/meminfo", "r");

	require(!!f, "meminfo");
	while (fscanf(f, "%31[^:]: %ld kB\n", key, &value) >= 2) {
		if (!strcmp(key, "MemFree"))
			left += value;
		if (!strcmp(key, "CmaFree"))
			left -= value;
	}
	fclose(f);
	return left;
}

int main(int argc, char **argv)
{
	const char *cma = !access("/dev/dma_heap/reserved", F_OK) ? "reserved"
								  : "default_cma_region";
	char name[32];
	int fd;

	if (argc != 2) {
		fprintf(stderr, "usage: buffers UNTIL\n");
		return 2;
	}
	prctl(PR_SET_NAME, "cameradaemon");
	fd = buffer(cma, "preview", 3 * MIB);
	map(fd, 3 * MIB);
	close(fd);
	attach(cma);
	share();
	take_memfd();
	for (int i = 0; free_kb() > atol(argv[1]) + 8192; i++) {
		snprintf(name, sizeof(name), "frame-%d", i);
		map(buffer("system", name, 8 * MIB), 8 * MIB);
	}
	close(open("/run/cameradaemon.ready", O_WRONLY | O_CREAT, 0600));
	for (;;)
		pause();
}
