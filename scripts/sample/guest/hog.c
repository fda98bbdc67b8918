// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The guest's users that take more than the others, each in another way.
 *
 *	hog WAY NAME WHERE UNTIL	takes memory until UNTIL, makes /run/NAME.ready, waits for
 *					/run/go, goes on for ever
 *	hog WAY NAME WHERE MIB stay	takes so much and keeps it
 *
 * UNTIL is a number of MiB (of what WAY counts), or FILE:KEY:N, until the number behind KEY in
 * FILE is not above N.  The ways:
 *
 *	anon	anonymous memory; with WHERE "locked" locked, with "noise" hard to compress
 *	deleted	a file WHERE that is deleted at once and stays open
 *	file	a file WHERE
 *	memfd	a memfd WHERE
 *	sysv	a segment of System V shared memory, its key is WHERE
 *	lookup	looks for files in the folder WHERE that are not there, 1024 for each MiB
 *	packets	sends packets to the network device WHERE and never takes one from the socket
 *		that receives them; two names of devices: the one that sends, the one that receives
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/if_packet.h>
#include <net/if.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#define MIB (1024UL * 1024)
#define PAGE 4096UL
#define ETHERTYPE 0x88b5 /* for experiments */

static void require(int ok, const char *what)
{
	if (ok)
		return;
	perror(what);
	exit(1);
}

static void make_file(const char *name, const char *end)
{
	char path[64];

	snprintf(path, sizeof(path), "/run/%s%s", name, end);
	close(open(path, O_WRONLY | O_CREAT, 0600));
}

/* A number per page compresses well, yet no page is filled with one value. */
static void touch(char *p, size_t len)
{
	for (size_t off = 0; off < len; off += PAGE)
		*(size_t *)(p + off + 64) = off + 1;
}

/* Five eighths of each page do not compress: zram stores it, and not as it is. */
static void make_noise(char *p, size_t len)
{
	static uint64_t x = 88172645463325252ULL;

	for (size_t off = 0; off < len; off += PAGE) {
		uint64_t *q = (uint64_t *)(p + off);

		for (size_t i = 0; i < PAGE / sizeof(*q) * 5 / 8; i++) {
			x ^= x << 13;
			x ^= x >> 7;
			x ^= x << 17;
			q[i] = x;
		}
	}
}

static char *map(int flags, int fd, off_t offset)
{
	char *p = mmap(NULL, MIB, PROT_READ | PROT_WRITE, flags, fd, offset);

	require(p != MAP_FAILED, "mmap");
	return p;
}

static void take_anon(const char *where)
{
	static int locked;
	char *p = map(MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (!strcmp(where, "noise")) {
		make_noise(p, MIB);
		return;
	}
	if (!strcmp(where, "locked") && !locked++)
		require(!mlockall(MCL_CURRENT | MCL_FUTURE), "mlockall");
	touch(p, MIB);
}

static void write_mib(int fd)
{
	static char buf[MIB];

	touch(buf, MIB);
	require(write(fd, buf, MIB) == (ssize_t)MIB, "write");
}

static void take_file(const char *where)
{
	static int fd = -1;

	if (fd < 0)
		fd = open(where, O_RDWR | O_CREAT | O_TRUNC, 0600);
	require(fd >= 0, where);
	write_mib(fd);
}

static void take_deleted(const char *where)
{
	take_file(where);
	unlink(where);
}

static void take_memfd(const char *where)
{
	static int fd = -1;
	static off_t size;

	if (fd < 0)
		fd = memfd_create(where, 0);
	require(fd >= 0 && !ftruncate(fd, size + MIB), "memfd");
	touch(map(MAP_SHARED, fd, size), MIB);
	size += MIB;
}

/* A segment for each MiB, with keys one after the other. */
static void take_sysv(const char *where)
{
	static int n;
	int id = shmget(strtol(where, NULL, 0) + n++, MIB, IPC_CREAT | 0600);
	char *p = shmat(id, NULL, 0);

	require(p != (void *)-1, "shmat");
	touch(p, MIB);
}

static void take_names(const char *where)
{
	static unsigned long n;
	char path[128];
	struct stat st;

	for (int i = 0; i < 1024; i++) {
		snprintf(path, sizeof(path), "%s/session-%08lu", where, n++);
		require(stat(path, &st) < 0 && errno == ENOENT, path);
	}
}

struct wire {
	int out, in;
	unsigned char frame[1400];
	size_t sent;
};

/* A socket of the device, which is turned on, and its address. */
static int packet_socket(const char *device, int protocol, unsigned char *address)
{
	int fd = socket(AF_PACKET, SOCK_RAW, htons(protocol));
	struct sockaddr_ll at = { .sll_family = AF_PACKET, .sll_protocol = htons(protocol) };
	struct ifreq ifr = { 0 };

	require(fd >= 0, "AF_PACKET");
	snprintf(ifr.ifr_name, sizeof(ifr.ifr_name), "%s", device);
	require(!ioctl(fd, SIOCGIFHWADDR, &ifr), device);
	memcpy(address, ifr.ifr_hwaddr.sa_data, 6);
	require(!ioctl(fd, SIOCGIFFLAGS, &ifr), device);
	ifr.ifr_flags |= IFF_UP;
	require(!ioctl(fd, SIOCSIFFLAGS, &ifr), device);
	require(!ioctl(fd, SIOCGIFINDEX, &ifr), device);
	at.sll_ifindex = ifr.ifr_ifindex;
	require(!bind(fd, (struct sockaddr *)&at, sizeof(at)), "bind");
	return fd;
}

static void connect_wire(struct wire *w, const char *devices)
{
	char from[IFNAMSIZ], to[IFNAMSIZ];
	int size = 1 << 30;

	require(sscanf(devices, "%15[^,],%15s", from, to) == 2, devices);
	w->out = packet_socket(from, 0, w->frame + 6);
	w->in = packet_socket(to, ETHERTYPE, w->frame);
	w->frame[12] = ETHERTYPE >> 8;
	w->frame[13] = ETHERTYPE & 0xff;
	require(!setsockopt(w->in, SOL_SOCKET, SO_RCVBUFFORCE, &size, sizeof(size)), "SO_RCVBUF");
	sleep(1);
}

static void take_packets(const char *where)
{
	static struct wire w;

	if (!w.out)
		connect_wire(&w, where);
	for (size_t end = w.sent + MIB; w.sent < end; w.sent += sizeof(w.frame)) {
		ssize_t n = send(w.out, w.frame, sizeof(w.frame), 0);

		require(n > 0 || errno == ENOBUFS, "send");
	}
	usleep(20000);
}

static const struct way {
	const char *name;
	void (*take)(const char *where); /* a MiB */
} ways[] = {
	{ "anon", take_anon },	     { "deleted", take_deleted }, { "file", take_file },
	{ "memfd", take_memfd },     { "sysv", take_sysv },	  { "lookup", take_names },
	{ "packets", take_packets },
};

/* FILE:KEY:N */
static int falls_to(const char *until)
{
	char file[128], key[32], buf[8192], *found;
	long n;
	ssize_t len;
	int fd;

	require(sscanf(until, "%127[^:]:%31[^:]:%ld", file, key, &n) == 3, until);
	fd = open(file, O_RDONLY);
	require(fd >= 0, file);
	len = read(fd, buf, sizeof(buf) - 1);
	require(len > 0, file);
	close(fd);
	buf[len] = '\0';
	found = strstr(buf, key);
	require(!!found, key);
	found += strlen(key);
	found += strspn(found, ": ");
	return strtol(found, NULL, 10) <= n;
}

int main(int argc, char **argv)
{
	const struct way *way = ways, *end = ways + sizeof(ways) / sizeof(*ways);
	long mib = 0;

	while (argc > 4 && way < end && strcmp(way->name, argv[1]))
		way++;
	if (argc < 5 || way == end) {
		fprintf(stderr, "usage: hog WAY NAME WHERE UNTIL [stay]\n");
		return 2;
	}
	prctl(PR_SET_NAME, argv[2]);
	do
		way->take(argv[3]);
	while (strchr(argv[4], ':') ? !falls_to(argv[4]) : ++mib < atol(argv[4]));
	make_file(argv[2], ".ready");
	while (argc > 5 || access("/run/go", F_OK))
		usleep(100000);
	for (;;)
		way->take(argv[3]);
}
