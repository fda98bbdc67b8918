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
 *	anon	anonymous memory; with WHERE "locked" locked, with "noise" hard to compress,
 *		with "half-noise" to less than half
 *	deleted	a file WHERE that is deleted at once and stays open
 *	file	a file WHERE
 *	memfd	a memfd WHERE
 *	sysv	a segment of System V shared memory, its key is WHERE
 *	lookup	looks for files in the folder WHERE that are not there, 1024 for each MiB
 *	packets	sends packets to the network device WHERE and never takes one from the socket
 *		that receives them; two names of devices: the one that sends, the one that receives
 *	map	arrays of BPF, which are in the vmalloc space
 *	ring	rings of packet sockets, which come straight from the page allocator
 *	sockets	writes into sockets that another process, WHERE, never reads: TCP over IPv4 and IPv6,
 *		UDP and local ones; a connection that it closed has data left, another was never
 *		accepted
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/bpf.h>
#include <linux/if_packet.h>
#include <net/if.h>
#include <netinet/in.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/prctl.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
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

/* A page with five such eighths does not compress well: zram stores it, and not as it is. */
static void make_noise(char *p, size_t len, unsigned int eighths)
{
	static uint64_t x = 88172645463325252ULL;

	for (size_t off = 0; off < len; off += PAGE) {
		uint64_t *q = (uint64_t *)(p + off);

		for (size_t i = 0; i < PAGE / sizeof(*q) * eighths / 8; i++) {
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

	if (strstr(where, "noise")) {
		make_noise(p, MIB, strcmp(where, "noise") ? 3 : 5);
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

#define LOG_PORT 5140
#define LOG_PATH "/run/log.sock"
#define LOG_CONNECTIONS 4 /* of TCP over IPv4, that are written to */

union any_address {
	struct sockaddr sa;
	struct sockaddr_in in;
	struct sockaddr_in6 in6;
	struct sockaddr_un un;
};

/* The address of this machine, of the size that is returned. */
static socklen_t log_address(int family, int port, union any_address *a)
{
	memset(a, 0, sizeof(*a));
	a->sa.sa_family = (sa_family_t)family;
	switch (family) {
	case AF_INET:
		a->in.sin_port = htons((uint16_t)port);
		a->in.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
		return sizeof(a->in);
	case AF_INET6:
		a->in6.sin6_port = htons((uint16_t)port);
		a->in6.sin6_addr = in6addr_loopback;
		return sizeof(a->in6);
	default:
		strcpy(a->un.sun_path, LOG_PATH);
		return sizeof(a->un);
	}
}

/* A socket whose queues have no limit but this one. */
static int log_socket(int family, int type, int size)
{
	int fd = socket(family, type, 0);

	require(fd >= 0, "socket");
	require(!setsockopt(fd, SOL_SOCKET, SO_RCVBUFFORCE, &size, sizeof(size)), "SO_RCVBUF");
	require(!setsockopt(fd, SOL_SOCKET, SO_SNDBUFFORCE, &size, sizeof(size)), "SO_SNDBUF");
	return fd;
}

static int log_receiver(int family, int type, int port, int size)
{
	int fd = log_socket(family, type, size);
	union any_address a;
	socklen_t len = log_address(family, port, &a);

	require(!bind(fd, &a.sa, len), "bind");
	require(type == SOCK_DGRAM || !listen(fd, 16), "listen");
	return fd;
}

static int log_sender(int family, int type, int port)
{
	int fd = log_socket(family, type, 1 << 30);
	union any_address a;
	socklen_t len = log_address(family, port, &a);

	require(!connect(fd, &a.sa, len), "connect");
	fcntl(fd, F_SETFL, O_NONBLOCK);
	return fd;
}

static void loopback_up(void)
{
	struct ifreq ifr = { .ifr_name = "lo", .ifr_flags = IFF_UP };
	int fd = socket(AF_INET, SOCK_DGRAM, 0);

	require(fd >= 0 && !ioctl(fd, SIOCSIFFLAGS, &ifr), "lo");
	close(fd);
	sleep(1);
}

/* The process that reads nothing; the last connection over IPv6 it does not even accept. */
static void receive_nothing(const char *name, int listening)
{
	int tcp = log_receiver(AF_INET, SOCK_STREAM, LOG_PORT, 1 << 30);
	int small = log_receiver(AF_INET, SOCK_STREAM, LOG_PORT + 1, 8192);
	int tcp6 = log_receiver(AF_INET6, SOCK_STREAM, LOG_PORT, 1 << 30);
	int local = log_receiver(AF_UNIX, SOCK_STREAM, 0, 1 << 30);

	log_receiver(AF_INET, SOCK_DGRAM, LOG_PORT, 1 << 20);
	prctl(PR_SET_NAME, name);
	require(write(listening, "", 1) == 1, "pipe");
	for (int i = 0; i < LOG_CONNECTIONS; i++)
		require(accept(tcp, NULL, NULL) >= 0, "accept");
	require(accept(small, NULL, NULL) >= 0, "accept");
	require(accept(tcp6, NULL, NULL) >= 0, "accept");
	require(accept(local, NULL, NULL) >= 0, "accept");
	for (;;)
		pause();
}

static void start_receiver(const char *name)
{
	int fds[2];
	char c;

	require(!pipe(fds), "pipe");
	if (!fork())
		receive_nothing(name, fds[1]);
	require(read(fds[0], &c, 1) == 1, name);
	close(fds[0]);
	close(fds[1]);
}

/* What is written there once: datagrams, a connection that is closed, one that is not accepted. */
static void write_some(void)
{
	static char buf[MIB];
	int udp = log_sender(AF_INET, SOCK_DGRAM, LOG_PORT), small, waiting;

	for (int i = 0; i < 64; i++)
		require(send(udp, buf, 1000, 0) == 1000, "send");
	small = log_sender(AF_INET, SOCK_STREAM, LOG_PORT + 1);
	require(write(small, buf, MIB / 2) > 0, "write");
	close(small);
	waiting = log_sender(AF_INET6, SOCK_STREAM, LOG_PORT);
	require(write(waiting, buf, 20000) == 20000, "write");
}

static void take_sockets(const char *where)
{
	static int senders[LOG_CONNECTIONS + 2], n, next;
	static char buf[MIB / 4];

	if (!n) {
		loopback_up();
		start_receiver(where);
		while (n < LOG_CONNECTIONS)
			senders[n++] = log_sender(AF_INET, SOCK_STREAM, LOG_PORT);
		senders[n++] = log_sender(AF_INET6, SOCK_STREAM, LOG_PORT);
		senders[n++] = log_sender(AF_UNIX, SOCK_STREAM, 0);
		write_some();
	}
	for (int i = 0; i < 4; i++, next++) {
		ssize_t len = write(senders[next % n], buf, sizeof(buf));

		require(len > 0 || errno == EAGAIN || errno == ENOBUFS, "write");
	}
	usleep(5000);
}

static void take_map(const char *where)
{
	const struct rlimit no_limit = { RLIM_INFINITY, RLIM_INFINITY };
	union bpf_attr a = { .map_type = BPF_MAP_TYPE_ARRAY, .key_size = 4, .value_size = 4096 };

	(void)where;
	a.max_entries = MIB / PAGE;
	require(!setrlimit(RLIMIT_MEMLOCK, &no_limit), "setrlimit"); /* up to 5.10 maps count */
	require(syscall(SYS_bpf, BPF_MAP_CREATE, &a, sizeof(a)) >= 0, "bpf");
}

static void take_ring(const char *where)
{
	struct tpacket_req r = { .tp_block_size = 16 * PAGE, .tp_frame_size = PAGE };
	int fd = socket(AF_PACKET, SOCK_RAW, 0);

	(void)where;
	r.tp_block_nr = MIB / r.tp_block_size;
	r.tp_frame_nr = MIB / r.tp_frame_size;
	require(fd >= 0 && !setsockopt(fd, SOL_PACKET, PACKET_RX_RING, &r, sizeof(r)), "ring");
}

static const struct way {
	const char *name;
	void (*take)(const char *where); /* a MiB */
} ways[] = {
	{ "anon", take_anon },	     { "deleted", take_deleted }, { "file", take_file },
	{ "memfd", take_memfd },     { "sysv", take_sysv },	  { "lookup", take_names },
	{ "packets", take_packets }, { "sockets", take_sockets }, { "map", take_map },
	{ "ring", take_ring },
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
