// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * bpfmaps maps: makes a BPF map of each type, some with elements, programs with links and pins, and prints
 * what the kernel says of each; then it stays. bpfmaps KIND MIB: a process that holds MIB of memory which
 * is in no RSS; KIND is array, memfd, flight, shared, sockets, uring, buffers, packet, pipes. Of late the MIB are those of
 * elements that the map may have, and has not.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/bpf.h>
#include <linux/if_packet.h>
#include <linux/io_uring.h>
#include <net/ethernet.h>
#include <arpa/inet.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#define ARENA 33 /* since 6.9 */
#define INSN_ARRAY 34
#define RHASH 35
#define CGRP_STORAGE 32

static int fail(const char *what)
{
	fprintf(stderr, "bpfmaps: %s: %s\n", what, strerror(errno));
	exit(1);
}

static int bpf(int command, union bpf_attr *attr)
{
	return syscall(SYS_bpf, command, attr, sizeof(*attr));
}

struct kind {
	const char *name;
	unsigned int type, key, value, max, flags, elements;
};

static const struct kind kinds[] = {
	{ "hash", BPF_MAP_TYPE_HASH, 8, 20, 1000, 0, 0 },
	{ "hash_late", BPF_MAP_TYPE_HASH, 4, 64, 5000, BPF_F_NO_PREALLOC, 777 },
	{ "percpu_hash", BPF_MAP_TYPE_PERCPU_HASH, 4, 12, 500, 0, 0 },
	{ "percpu_hash_late", BPF_MAP_TYPE_PERCPU_HASH, 8, 16, 600, BPF_F_NO_PREALLOC, 99 },
	{ "lru_hash", BPF_MAP_TYPE_LRU_HASH, 16, 48, 10000, 0, 0 },
	{ "lru_hash_split", BPF_MAP_TYPE_LRU_HASH, 4, 8, 512, BPF_F_NO_COMMON_LRU, 0 },
	{ "lru_percpu_hash", BPF_MAP_TYPE_LRU_PERCPU_HASH, 4, 8, 256, 0, 0 },
	{ "array", BPF_MAP_TYPE_ARRAY, 4, 100, 20000, 0, 0 },
	{ "array_mmap", BPF_MAP_TYPE_ARRAY, 4, 24, 1000, BPF_F_MMAPABLE, 0 },
	{ "percpu_array", BPF_MAP_TYPE_PERCPU_ARRAY, 4, 28, 300, 0, 0 },
	{ "prog_array", BPF_MAP_TYPE_PROG_ARRAY, 4, 4, 64, 0, 0 },
	{ "perf_event_array", BPF_MAP_TYPE_PERF_EVENT_ARRAY, 4, 4, 8, 0, 0 },
	{ "cgroup_array", BPF_MAP_TYPE_CGROUP_ARRAY, 4, 4, 16, 0, 0 },
	{ "stack_trace", BPF_MAP_TYPE_STACK_TRACE, 4, 127 * 8, 100, 0, 0 },
	{ "lpm_trie", BPF_MAP_TYPE_LPM_TRIE, 8, 12, 1000, BPF_F_NO_PREALLOC, 50 },
	{ "array_of_maps", BPF_MAP_TYPE_ARRAY_OF_MAPS, 4, 4, 32, 0, 0 },
	{ "hash_of_maps", BPF_MAP_TYPE_HASH_OF_MAPS, 4, 4, 32, 0, 0 },
	{ "queue", BPF_MAP_TYPE_QUEUE, 0, 16, 300, 0, 0 },
	{ "stack", BPF_MAP_TYPE_STACK, 0, 24, 100, 0, 0 },
	{ "ringbuf", BPF_MAP_TYPE_RINGBUF, 0, 0, 1 << 20, 0, 0 },
	{ "user_ringbuf", BPF_MAP_TYPE_USER_RINGBUF, 0, 0, 1 << 16, 0, 0 },
	{ "bloom_filter", BPF_MAP_TYPE_BLOOM_FILTER, 0, 8, 4000, 0, 0 },
	{ "devmap", BPF_MAP_TYPE_DEVMAP, 4, 4, 10, 0, 0 },
	{ "devmap_hash", BPF_MAP_TYPE_DEVMAP_HASH, 4, 4, 100, 0, 0 },
	{ "cpumap", BPF_MAP_TYPE_CPUMAP, 4, 4, 4, 0, 0 },
	{ "xskmap", BPF_MAP_TYPE_XSKMAP, 4, 4, 30, 0, 0 },
	{ "sockmap", BPF_MAP_TYPE_SOCKMAP, 4, 4, 50, 0, 0 },
	{ "sockhash", BPF_MAP_TYPE_SOCKHASH, 4, 4, 60, 0, 0 },
	{ "reuseport_sockarray", BPF_MAP_TYPE_REUSEPORT_SOCKARRAY, 4, 8, 40, 0, 0 },
	{ "cgroup_storage", BPF_MAP_TYPE_CGROUP_STORAGE, sizeof(struct bpf_cgroup_storage_key), 8,
	  0, 0, 0 },
	{ "sk_storage", BPF_MAP_TYPE_SK_STORAGE, 4, 4, 0, BPF_F_NO_PREALLOC, 0 },
	{ "task_storage", BPF_MAP_TYPE_TASK_STORAGE, 4, 4, 0, BPF_F_NO_PREALLOC, 0 },
	{ "inode_storage", BPF_MAP_TYPE_INODE_STORAGE, 4, 4, 0, BPF_F_NO_PREALLOC, 0 },
	{ "cgrp_storage", CGRP_STORAGE, 4, 4, 0, BPF_F_NO_PREALLOC, 0 },
	{ "arena", ARENA, 0, 0, 100, BPF_F_MMAPABLE, 0 },
	{ "insn_array", INSN_ARRAY, 4, 16, 70, 0, 0 },
	{ "rhash", RHASH, 4, 24, 2000, BPF_F_NO_PREALLOC, 333 },
};

/* One type, an int of 32 bits. */
static int load_int(void)
{
	static const struct {
		unsigned short magic;
		unsigned char version, flags;
		unsigned int header, type_at, type_bytes, text_at, text_bytes;
		unsigned int name, info, size, bits;
		char text[5];
	} __attribute__((packed))
	btf = { 0xeb9f, 1, 0, 24, 0, 16, 16, 5, 1, 1 << 24, 4, 1 << 24 | 32, "\0int" };
	union bpf_attr attr = { .btf = (unsigned long)&btf, .btf_size = sizeof(btf) };

	return bpf(BPF_BTF_LOAD, &attr);
}

static int make_map(const struct kind *k, int inner, int types)
{
	union bpf_attr attr = {
		.map_type = k->type,
		.key_size = k->key,
		.value_size = k->value,
		.max_entries = k->max,
		.map_flags = k->flags,
	};
	unsigned char key[64] = { 0 }, value[8192] = { 0 };
	int fd;

	snprintf(attr.map_name, sizeof(attr.map_name), "%s", k->name);
	if (k->type == BPF_MAP_TYPE_ARRAY_OF_MAPS || k->type == BPF_MAP_TYPE_HASH_OF_MAPS)
		attr.inner_map_fd = inner;
	if (k->type == BPF_MAP_TYPE_SK_STORAGE || k->type == BPF_MAP_TYPE_TASK_STORAGE ||
	    k->type == BPF_MAP_TYPE_INODE_STORAGE || k->type == CGRP_STORAGE) {
		attr.btf_fd = types;
		attr.btf_key_type_id = attr.btf_value_type_id = 1;
	}
	fd = bpf(BPF_MAP_CREATE, &attr);
	for (unsigned int i = 0; fd >= 0 && i < k->elements; i++) {
		union bpf_attr element = { .map_fd = fd,
					   .key = (unsigned long)key,
					   .value = (unsigned long)value };
		unsigned int n = htonl(i << 8);

		memcpy(key, &i, 4);
		if (k->type == BPF_MAP_TYPE_LPM_TRIE) {
			*(unsigned int *)key = 24;
			memcpy(key + 4, &n, 4);
		}
		if (bpf(BPF_MAP_UPDATE_ELEM, &element))
			fail(k->name);
	}
	return fd;
}

/* Its pages come when they are touched. */
static void touch(int fd, unsigned int pages)
{
	char *at = mmap(NULL, 100 << 12, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);

	if (at == MAP_FAILED)
		fail("arena");
	for (unsigned int i = 0; i < pages; i++)
		at[i << 12] = 1;
}

static void info_of(int fd, union bpf_attr *attr, void *info, unsigned int bytes)
{
	memset(attr, 0, sizeof(*attr));
	memset(info, 0, bytes);
	attr->info.bpf_fd = fd;
	attr->info.info_len = bytes;
	attr->info.info = (unsigned long)info;
	if (bpf(BPF_OBJ_GET_INFO_BY_FD, attr))
		fail("info");
}

static void tell_map(const char *name, int fd)
{
	struct bpf_map_info info;
	union bpf_attr attr;

	info_of(fd, &attr, &info, sizeof(info));
	printf("map %u %s %u %u %u %#x %d\n", info.id, name, info.key_size, info.value_size,
	       info.max_entries, info.map_flags, fd);
}

static int make_maps(int types)
{
	static const struct kind of_inner = { "inner", BPF_MAP_TYPE_ARRAY, 4, 8, 2, 0, 0 };
	int inner = make_map(&of_inner, -1, types), counts = -1;

	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		int fd = make_map(&kinds[i], inner, types);

		if (fd < 0)
			printf("none %s: %s\n", kinds[i].name, strerror(errno));
		else
			tell_map(kinds[i].name, fd);
		if (kinds[i].type == BPF_MAP_TYPE_ARRAY && !kinds[i].flags)
			counts = fd;
		if (kinds[i].type == ARENA && fd >= 0)
			touch(fd, 5);
	}
	tell_map("inner", inner);
	return counts;
}

#define INSN(CODE, DST, SRC, OFF, IMM)                                                         \
	{                                                                                      \
		.code = (CODE), .dst_reg = (DST), .src_reg = (SRC), .off = (OFF), .imm = (IMM) \
	}

static int load(const char *name, int type, int attach, const struct bpf_insn *insns,
		unsigned int n)
{
	static char log[65536];
	union bpf_attr attr = {
		.prog_type = type,
		.insn_cnt = n,
		.insns = (unsigned long)insns,
		.license = (unsigned long)"GPL",
		.expected_attach_type = attach,
		.log_buf = (unsigned long)log,
		.log_size = sizeof(log),
		.log_level = 1,
	};
	struct bpf_prog_info info;
	int fd;

	snprintf(attr.prog_name, sizeof(attr.prog_name), "%s", name);
	fd = bpf(BPF_PROG_LOAD, &attr);
	if (fd < 0) {
		fprintf(stderr, "%s", log);
		fail(name);
	}
	info_of(fd, &attr, &info, sizeof(info));
	printf("prog %u %s %u %llu %u %u %d\n", info.id, name, info.jited_prog_len,
	       (unsigned long long)info.load_time, info.created_by_uid, info.nr_map_ids, fd);
	return fd;
}

static void pin(int fd, const char *path)
{
	union bpf_attr attr = { .bpf_fd = fd, .pathname = (unsigned long)path };

	if (bpf(BPF_OBJ_PIN, &attr))
		fail(path);
}

static void make_programs(int counts)
{
	const struct bpf_insn with_map[] = {
		INSN(BPF_LD | BPF_DW | BPF_IMM, 1, BPF_PSEUDO_MAP_FD, 0, counts),
		INSN(0, 0, 0, 0, 0),
		INSN(BPF_ALU64 | BPF_MOV | BPF_K, 0, 0, 0, 0),
		INSN(BPF_JMP | BPF_EXIT, 0, 0, 0, 0),
	};
	const struct bpf_insn with_function[] = {
		INSN(BPF_JMP | BPF_CALL, 0, BPF_PSEUDO_CALL, 0, 1),
		INSN(BPF_JMP | BPF_EXIT, 0, 0, 0, 0),
		INSN(BPF_ALU64 | BPF_MOV | BPF_K, 0, 0, 0, 0),
		INSN(BPF_JMP | BPF_EXIT, 0, 0, 0, 0),
	};
	const struct bpf_insn allow[] = {
		INSN(BPF_ALU64 | BPF_MOV | BPF_K, 0, 0, 0, 1),
		INSN(BPF_JMP | BPF_EXIT, 0, 0, 0, 0),
	};
	int filter = load("filter", BPF_PROG_TYPE_SOCKET_FILTER, 0, with_map, 4);
	int caller = load("caller", BPF_PROG_TYPE_SOCKET_FILTER, 0, with_function, 4);
	int linked = load("linked", BPF_PROG_TYPE_CGROUP_SKB, BPF_CGROUP_INET_EGRESS, allow, 2);
	int attached = load("attached", BPF_PROG_TYPE_CGROUP_SKB, BPF_CGROUP_INET_INGRESS, allow,
			    2);
	int cgroup = open("/sys/fs/cgroup/box", O_RDONLY), link,
	    end = socket(AF_INET, SOCK_DGRAM, 0);
	union bpf_attr attr = { .link_create.prog_fd = linked,
				.link_create.target_fd = cgroup,
				.link_create.attach_type = BPF_CGROUP_INET_EGRESS };

	link = bpf(BPF_LINK_CREATE, &attr);
	if (link < 0) { /* 4.19, 5.4 */
		attr = (union bpf_attr){ .target_fd = cgroup,
					 .attach_bpf_fd = linked,
					 .attach_type = BPF_CGROUP_INET_EGRESS };
		if (bpf(BPF_PROG_ATTACH, &attr))
			fail("attach linked");
	}
	pin(caller, "/sys/fs/bpf/net/caller");
	close(caller);
	close(linked); /* the link has it */
	attr = (union bpf_attr){ .target_fd = cgroup,
				 .attach_bpf_fd = attached,
				 .attach_type = BPF_CGROUP_INET_INGRESS };
	if (bpf(BPF_PROG_ATTACH, &attr))
		fail("attach");
	close(attached); /* the cgroup has it */
	if (setsockopt(end, SOL_SOCKET, SO_ATTACH_BPF, &filter, sizeof(filter)))
		fail("SO_ATTACH_BPF");
	printf("link %d cgroup\n", link);
}

static void maps(void)
{
	static const struct kind pinned = { "pinned_only", BPF_MAP_TYPE_ARRAY, 4, 4096, 512, 0, 0 };
	static const struct kind shared = { "shared", BPF_MAP_TYPE_ARRAY, 4, 4096, 256, 0, 0 };
	int fd = make_map(&pinned, -1, -1);

	tell_map("pinned_only", fd);
	pin(fd, "/sys/fs/bpf/net/counts");
	close(fd);
	make_programs(make_maps(load_int()));
	tell_map("shared", make_map(&shared, -1, -1));
	fflush(stdout);
	if (!fork())
		prctl(PR_SET_NAME, "sharer");
}

static void fill_sockets(size_t bytes)
{
	static char text[65536];
	int ends[2], most = 1 << 29; /* doubled, of which kernels before 5.1 have an int */

	while (bytes) {
		ssize_t n;

		if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends))
			fail("socketpair");
		setsockopt(ends[0], SOL_SOCKET, SO_SNDBUFFORCE, &most, sizeof(most));
		for (; bytes; bytes -= n) {
			n = send(ends[0], text, bytes < sizeof(text) ? bytes : sizeof(text),
				 MSG_DONTWAIT);
			if (n <= 0)
				break;
		}
	}
}

static int fill_memfd(size_t bytes)
{
	static char text[65536];
	int fd = memfd_create("held", 0);

	for (size_t at = 0; at < bytes; at += sizeof(text))
		if (write(fd, text, sizeof(text)) != sizeof(text))
			fail("memfd");
	return fd;
}

static void send_away(int socket, int fd)
{
	_Alignas(struct cmsghdr) char control[CMSG_SPACE(sizeof(int))] = { 0 };
	struct iovec v = { "f", 1 };
	struct msghdr m = { .msg_iov = &v,
			    .msg_iovlen = 1,
			    .msg_control = control,
			    .msg_controllen = sizeof(control) };
	struct cmsghdr *c = CMSG_FIRSTHDR(&m);

	*c = (struct cmsghdr){ CMSG_LEN(sizeof(int)), SOL_SOCKET, SCM_RIGHTS };
	memcpy(CMSG_DATA(c), &fd, sizeof(int));
	if (sendmsg(socket, &m, 0) != 1)
		fail("sendmsg");
	close(fd);
}

/* Half of the files wait in the queue of a socket, half in that of one that waits itself. */
static void fill_flight(size_t bytes)
{
	int ends[2], inner[2];

	if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) || socketpair(AF_UNIX, SOCK_DGRAM, 0, inner))
		fail("socketpair");
	for (size_t i = 0; i < bytes >> 21; i++) {
		send_away(inner[0], fill_memfd(1 << 20));
		send_away(ends[0], fill_memfd(1 << 20));
	}
	send_away(ends[0], inner[1]);
}

static void fill_pipes(size_t bytes)
{
	static char text[65536];
	int ends[2];

	for (size_t n = 0; n < bytes; n += 1 << 20) {
		if (pipe(ends) || fcntl(ends[1], F_SETPIPE_SZ, 1 << 20) < 0)
			fail("pipe");
		for (unsigned int i = 0; i < 16; i++)
			if (write(ends[1], text, sizeof(text)) != sizeof(text))
				fail("write");
	}
}

static int make_uring(unsigned int entries)
{
	struct io_uring_params p = { 0 };
	int fd = syscall(SYS_io_uring_setup, entries, &p);

	return fd >= 0 ? fd : fail("io_uring_setup");
}

/* The buffers are no longer mapped: the ring alone has their pages. */
static void register_buffers(size_t bytes)
{
	struct iovec v = { .iov_len = bytes };
	int fd = make_uring(8);

	v.iov_base = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	memset(v.iov_base, 1, bytes);
	if (syscall(SYS_io_uring_register, fd, IORING_REGISTER_BUFFERS, &v, 1))
		fail("io_uring_register");
	munmap(v.iov_base, bytes);
}

static void make_packet_ring(size_t bytes)
{
	struct tpacket_req3 r = { .tp_block_size = 1 << 16,
				  .tp_block_nr = bytes >> 16,
				  .tp_frame_size = 2048,
				  .tp_frame_nr = bytes / 2048 };
	int fd = socket(AF_PACKET, SOCK_RAW, htons(ETH_P_ALL)), version = TPACKET_V3;

	if (fd < 0 || setsockopt(fd, SOL_PACKET, PACKET_VERSION, &version, sizeof(version)) ||
	    setsockopt(fd, SOL_PACKET, PACKET_RX_RING, &r, sizeof(r)))
		fail("packet ring");
}

int main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "";
	size_t bytes = (argc > 2 ? strtoul(argv[2], NULL, 0) : 0) << 20;
	char ready[64];
	struct kind array = { "held", BPF_MAP_TYPE_ARRAY, 4, 4096, bytes >> 12, 0, 0 };
	struct kind late = {
		"late", BPF_MAP_TYPE_HASH, 4, 4096, bytes >> 12, BPF_F_NO_PREALLOC, 16
	};
	struct rlimit no_limit = { RLIM_INFINITY, RLIM_INFINITY };

	prctl(PR_SET_NAME, what);
	setrlimit(RLIMIT_MEMLOCK, &no_limit); /* up to 5.10 maps count */
	if (!strcmp(what, "maps"))
		maps();
	else if (!strcmp(what, "array"))
		make_map(&array, -1, -1);
	else if (!strcmp(what, "late"))
		make_map(&late, -1, -1);
	else if (!strcmp(what, "memfd"))
		fill_memfd(bytes);
	else if (!strcmp(what, "flight"))
		fill_flight(bytes);
	else if (!strcmp(what, "shared")) {
		fill_memfd(bytes);
		if (!fork())
			prctl(PR_SET_NAME, "shared-too");
	} else if (!strcmp(what, "sockets"))
		fill_sockets(bytes);
	else if (!strcmp(what, "uring"))
		for (size_t i = 0; i < bytes >> 20; i++)
			make_uring(8192);
	else if (!strcmp(what, "buffers"))
		register_buffers(bytes);
	else if (!strcmp(what, "pipes"))
		fill_pipes(bytes);
	else if (!strcmp(what, "packet"))
		make_packet_ring(bytes);
	snprintf(ready, sizeof(ready), "/run/ready.%d", getpid());
	close(open(ready, O_CREAT | O_WRONLY, 0600));
	for (;;)
		pause();
}
