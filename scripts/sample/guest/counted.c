// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Memory that the kernel lists, of processes that keep it for ever.  Each tells its pages on standard output, in
 * lines "KIND COMM PAGES".
 *
 *	counted rings	packetd: rings of packet sockets, of small blocks and of large ones
 *	counted perf	perfd: buffers of perf; the output of one event goes to that of another
 *	counted pipes	piped: a pipe that is full, one that is not, one that keeps a page
 *	counted local	locald: a local socket with data that no one reads
 *	counted ttm	ttmd: buffers of a display, where the kernel has a driver of it
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <fcntl.h>
#include <linux/if_ether.h>
#include <linux/if_packet.h>
#include <linux/perf_event.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#define PAGE 4096UL

static void require(int ok, const char *what)
{
	if (ok)
		return;
	perror(what);
	fprintf(stderr, "guest: FAILED: %s\n", what);
	exit(1);
}

static void tell(const char *kind, const char *comm, unsigned long pages)
{
	printf("%s %s %lu\n", kind, comm, pages);
	fflush(stdout);
}

static unsigned long ring(int fd, int which, unsigned int block, unsigned int blocks)
{
	struct tpacket_req req = { block, blocks, 2048, block / 2048 * blocks };

	require(!setsockopt(fd, SOL_PACKET, which, &req, sizeof(req)), "ring");
	return block / PAGE * blocks;
}

static int packet_socket(int ifindex)
{
	struct sockaddr_ll at = { .sll_family = AF_PACKET,
				  .sll_protocol = htons(ETH_P_IP),
				  .sll_ifindex = ifindex };
	int fd = socket(AF_PACKET, SOCK_RAW, 0);

	require(fd >= 0 && !bind(fd, (struct sockaddr *)&at, sizeof(at)), "packet socket");
	return fd;
}

static void rings(void)
{
	int fd = packet_socket(1);

	prctl(PR_SET_NAME, "packetd");
	tell("packet", "packetd", ring(fd, PACKET_RX_RING, 64 * 1024, 480));
	tell("packet", "packetd", ring(fd, PACKET_TX_RING, PAGE, 60));
	/* Of the page allocator if it has a block of that order, else of vmalloc. */
	tell("packet", "packetd", ring(packet_socket(0), PACKET_RX_RING, 4096 * 1024, 2));
}

static int event(size_t pages)
{
	struct perf_event_attr attr = { .type = PERF_TYPE_SOFTWARE,
					.size = sizeof(attr),
					.config = PERF_COUNT_SW_DUMMY };
	int fd = syscall(SYS_perf_event_open, &attr, 0, -1, -1, 0);

	require(fd >= 0, "perf_event_open");
	if (!pages)
		return fd;
	require(mmap(NULL, (1 + pages) * PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0) !=
			MAP_FAILED,
		"mmap of an event");
	tell("perf", "perfd", 1 + pages);
	return fd;
}

static void perf(void)
{
	int fd;

	prctl(PR_SET_NAME, "perfd");
	fd = event(128);
	event(64);
	require(!ioctl(event(0), PERF_EVENT_IOC_SET_OUTPUT, fd), "PERF_EVENT_IOC_SET_OUTPUT");
}

static void fill(int fd, size_t pages)
{
	static char page[PAGE];

	memset(page, 'p', PAGE);
	while (pages--)
		require(write(fd, page, PAGE) == PAGE, "write to a pipe");
}

static void pipes(void)
{
	char page[PAGE];
	int fd[2];

	prctl(PR_SET_NAME, "piped");
	require(!pipe(fd) && fcntl(fd[1], F_SETPIPE_SZ, 1 << 20) > 0, "pipe");
	fill(fd[1], 256);
	require(!pipe(fd), "pipe");
	require(write(fd[1], "a line\n", 7) == 7, "write to a pipe");
	/* What was read is kept for what is written next. */
	require(!pipe(fd), "pipe");
	fill(fd[1], 1);
	require(read(fd[0], page, PAGE) == (ssize_t)PAGE, "read from a pipe");
	tell("pipe", "piped", 256 + 1 + 1);
}

static void local(void)
{
	static char text[64 * 1024];
	int fd[2];

	prctl(PR_SET_NAME, "locald");
	require(!socketpair(AF_UNIX, SOCK_STREAM, 0, fd), "socketpair");
	require(write(fd[0], text, sizeof(text)) == sizeof(text), "write to a socket");
}

/* drm/drm_mode.h, which is in no package of all releases */
struct buffer {
	uint32_t height, width, bits, flags, handle, pitch;
	uint64_t size;
};

struct mapping {
	uint32_t handle, pad;
	uint64_t offset;
};

static void ttm(void)
{
	int fd = open("/dev/dri/card0", O_RDWR);

	prctl(PR_SET_NAME, "ttmd");
	for (uint32_t mib = 1; fd >= 0 && mib <= 4; mib *= 2) {
		struct buffer b = { .height = 256 * mib, .width = 1024, .bits = 32 };
		struct mapping m = { 0 };
		void *at;

		require(!ioctl(fd, _IOWR('d', 0xb2, struct buffer), &b), "buffer");
		m.handle = b.handle;
		require(!ioctl(fd, _IOWR('d', 0xb3, struct mapping), &m), "mapping");
		at = mmap(NULL, b.size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, (off_t)m.offset);
		require(at != MAP_FAILED, "mmap of a buffer");
		memset(at, 'b', b.size);
		tell("ttm", "ttmd", b.size / PAGE);
	}
}

int main(int argc, char **argv)
{
	static const struct {
		const char *word;
		void (*act)(void);
	} acts[] = { { "rings", rings },
		     { "perf", perf },
		     { "pipes", pipes },
		     { "local", local },
		     { "ttm", ttm } };

	for (size_t i = 0; argc == 2 && i < sizeof(acts) / sizeof(acts[0]); i++)
		if (!strcmp(argv[1], acts[i].word))
			acts[i].act();
	printf("ready\n");
	fflush(stdout);
	for (;;)
		pause();
}
