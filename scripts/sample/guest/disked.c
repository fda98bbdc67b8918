// SPDX-License-Identifier: GPL-2.0-or-later
/*
 *	disked tier SOCKET		"tierd": a store of blocks behind a unix socket
 *	disked block SOCKET TIER	"blockd": an NBD server on SOCKET, whose blocks are those of TIER
 *	disked client /dev/nbdN SOCKET	"nbd-client": connects the device
 *	disked dm NAME DISK		a linear device on DISK
 *	disked suspend NAME [nolock]	suspends it
 *	disked write FILE NAME [direct]	a writer of that name, which says /run/NAME
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <endian.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/dm-ioctl.h>
#include <linux/fs.h>
#include <linux/nbd.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#define BYTES (16u << 20)

static void fail(const char *what)
{
	perror(what);
	exit(1);
}

static void all(int fd, void *p, size_t n, int is_write)
{
	char *at = p;

	while (n) {
		ssize_t did = is_write ? write(fd, at, n) : read(fd, at, n);

		if (did <= 0)
			fail("short");
		at += did;
		n -= (size_t)did;
	}
}

static int unix_of(const char *path, int listens)
{
	struct sockaddr_un a = { .sun_family = AF_UNIX };
	int fd = socket(AF_UNIX, SOCK_STREAM, 0);

	strcpy(a.sun_path, path);
	if (fd < 0)
		fail("socket");
	if (listens) {
		if (bind(fd, (void *)&a, sizeof(a)) || listen(fd, 5))
			fail(path);
		fd = accept(fd, NULL, NULL);
		if (fd < 0)
			fail("accept");
		return fd;
	}
	while (connect(fd, (void *)&a, sizeof(a)))
		usleep(100000);
	return fd;
}

struct ask {
	uint64_t at;
	uint32_t bytes, is_write;
};

static void tier(const char *path)
{
	char *store = calloc(1, BYTES);
	struct ask a;
	int fd;

	prctl(PR_SET_NAME, "tierd");
	fd = unix_of(path, 1);
	for (;;) {
		all(fd, &a, sizeof(a), 0);
		if (a.at + a.bytes > BYTES)
			exit(1);
		all(fd, store + a.at, a.bytes, !a.is_write);
		if (a.is_write)
			all(fd, &a, 1, 1);
	}
}

static void block(const char *path, const char *behind)
{
	char *data = malloc(BYTES);
	int fd, up;

	prctl(PR_SET_NAME, "blockd");
	up = unix_of(behind, 0);
	fd = unix_of(path, 1);
	for (;;) {
		struct nbd_request r;
		struct nbd_reply reply = { .magic = htonl(NBD_REPLY_MAGIC) };
		struct ask a;

		all(fd, &r, sizeof(r), 0);
		a = (struct ask){ be64toh(r.from), ntohl(r.len), 0 };
		memcpy(reply.handle, r.handle, sizeof(reply.handle));
		switch (ntohl(r.type) & 0xffff) {
		case NBD_CMD_WRITE:
			a.is_write = 1;
			all(fd, data, a.bytes, 0);
			all(up, &a, sizeof(a), 1);
			all(up, data, a.bytes, 1);
			all(up, &a, 1, 0);
			all(fd, &reply, sizeof(reply), 1);
			break;
		case NBD_CMD_READ:
			all(up, &a, sizeof(a), 1);
			all(up, data, a.bytes, 0);
			all(fd, &reply, sizeof(reply), 1);
			all(fd, data, a.bytes, 1);
			break;
		case NBD_CMD_DISC:
			exit(0);
		default:
			all(fd, &reply, sizeof(reply), 1);
		}
	}
}

static void client(const char *dev, const char *path)
{
	int sock = unix_of(path, 0), fd = open(dev, O_RDWR);

	prctl(PR_SET_NAME, "nbd-client");
	if (fd < 0 || ioctl(fd, NBD_SET_BLKSIZE, 1024UL) ||
	    ioctl(fd, NBD_SET_SIZE_BLOCKS, BYTES / 1024UL) || ioctl(fd, NBD_SET_SOCK, sock))
		fail(dev);
	ioctl(fd, NBD_SET_TIMEOUT, 0UL);
	ioctl(fd, NBD_DO_IT);
	fail("NBD_DO_IT");
}

static struct dm_ioctl *dm(const char *name, char *b, size_t n)
{
	struct dm_ioctl *d = (void *)b;

	memset(b, 0, n);
	d->version[0] = 4;
	d->data_size = (uint32_t)n;
	d->data_start = sizeof(*d);
	strcpy(d->name, name);
	return d;
}

static void dm_do(unsigned long what, struct dm_ioctl *d)
{
	static int fd = -1;

	if (fd < 0)
		fd = open("/dev/mapper/control", O_RDWR);
	if (fd < 0 || ioctl(fd, what, d))
		fail("dm");
}

static void create(const char *name, const char *disk)
{
	char b[4096];
	struct dm_ioctl *d = dm(name, b, sizeof(b));
	struct dm_target_spec *t = (void *)(b + sizeof(*d));
	uint64_t bytes = 0;
	int fd = open(disk, O_RDONLY);

	if (fd < 0 || ioctl(fd, BLKGETSIZE64, &bytes))
		fail(disk);
	close(fd);
	dm_do(DM_DEV_CREATE, d);
	d = dm(name, b, sizeof(b));
	d->target_count = 1;
	t->length = bytes / 512;
	strcpy(t->target_type, "linear");
	sprintf((char *)(t + 1), "%s 0", disk);
	t->next = 512;
	dm_do(DM_TABLE_LOAD, d);
	dm_do(DM_DEV_SUSPEND, dm(name, b, sizeof(b))); /* resumes */
}

static void suspend(const char *name, int nolock)
{
	char b[4096];
	struct dm_ioctl *d = dm(name, b, sizeof(b));

	d->flags = DM_SUSPEND_FLAG | (nolock ? DM_SKIP_LOCKFS_FLAG : 0);
	dm_do(DM_DEV_SUSPEND, d);
}

static void writes(const char *file, const char *name, int direct)
{
	char path[256];
	void *p = aligned_alloc(4096, 65536);
	int fd = open(file, O_WRONLY | O_CREAT | (direct ? O_DIRECT : 0), 0600);

	prctl(PR_SET_NAME, name);
	if (fd < 0)
		fail(file);
	memset(p, 'w', 65536);
	snprintf(path, sizeof(path), "/run/%s", name);
	close(open(path, O_CREAT | O_WRONLY, 0600));
	for (;;) {
		if (write(fd, p, 65536) != 65536 || fsync(fd))
			fail(name);
		lseek(fd, 0, SEEK_SET);
	}
}

int main(int argc, char **argv)
{
	const char *what = argv[1];

	if (!strcmp(what, "tier"))
		tier(argv[2]);
	else if (!strcmp(what, "block"))
		block(argv[2], argv[3]);
	else if (!strcmp(what, "client"))
		client(argv[2], argv[3]);
	else if (!strcmp(what, "dm"))
		create(argv[2], argv[3]);
	else if (!strcmp(what, "suspend"))
		suspend(argv[2], argc > 3);
	else if (!strcmp(what, "write"))
		writes(argv[2], argv[3], argc > 4);
	return 0;
}
