// SPDX-License-Identifier: GPL-2.0-or-later
/* Memory that structures list as theirs: packet rings, pipes, buffers of perf, DMA pools, ftrace. */
#include "files/pipe.h"
#include "net/packet_ring.h"
#include "net/xdp_umem.h"
#include "pools/dma_pools.h"
#include "seen_memory.h"
#include "stub.h"
#include "test.h"
#include "trace/perf_buffer.h"
#include "trace/trace_memory.h"

#define NETS 0x1000ULL
#define NET 0x1100ULL
#define SOCK 0x1200ULL
#define VECTOR 0x1300ULL
static uint64_t nets[2], net[3], vector[3] = { 0x10000, 0x20000, 0x30000 };
static struct {
	uint64_t next, pprev;
	int32_t ifindex, pad2;
	struct {
		uint64_t vector;
		uint32_t blocks, pages;
	} rx, tx;
} sock;

static const struct stub_member packet_members[] = {
	{ "struct net", "list", FIELD(0, 16) },
	{ "struct net", "packet.sklist.first", FIELD(16, 8) },
	{ "struct sock", "__sk_common.skc_node", FIELD(0, 8) },
	{ "struct packet_sock", "rx_ring", FIELD(24, 16) },
	{ "struct packet_sock", "tx_ring", FIELD(40, 16) },
	{ "struct packet_sock", "ifindex", FIELD(16, 4) },
	{ "struct packet_ring_buffer", "pg_vec", FIELD(0, 8) },
	{ "struct packet_ring_buffer", "pg_vec_len", FIELD(8, 4) },
	{ "struct packet_ring_buffer", "pg_vec_pages", FIELD(12, 4) },
	{ "struct pgv", "buffer", FIELD(0, 8) },
	{ 0 },
};
static const struct stub_symbol packet_symbols[] = { { "net_namespace_list", NETS, FIELD(0, 16) },
						     { "socket_file_ops", 0x500, FIELD(0, 8) },
						     { 0 } };
static const struct stub_number packet_sizes[] = {
	{ "struct packet_sock", 56 }, { "struct packet_ring_buffer", 16 },
	{ "struct pgv", 8 },	      { "struct sock", 24 },
	{ "struct net", 24 },	      { 0 }
};
static const struct stub_memory packet_memory[] = { { NETS, nets, 16 },
						    { NET, net, 24 },
						    { SOCK, &sock, sizeof(sock) },
						    { VECTOR, vector, 24 },
						    { 0 } };

static void make_packets(void)
{
	nets[0] = nets[1] = NET;
	net[0] = net[1] = NETS;
	net[2] = SOCK;
	memset(&sock, 0, sizeof(sock));
	sock.pprev = NET + 16;
	sock.ifindex = 2;
	sock.rx.vector = VECTOR;
	sock.rx.blocks = 3;
	sock.rx.pages = 16;
}

static enum status walk_packets(struct seen *seen)
{
	STUB(s, .memory = packet_memory, .members = packet_members, .symbols = packet_symbols,
	     .sizes = packet_sizes);

	memset(seen, 0, sizeof(*seen));
	return packet_rings_walk(&s.dump, WITH(seen));
}

/* Sockets at SOCK and OTHER of one namespace, whose UMEMs have three pages each, or are one. */
#define OTHER 0x1400ULL
#define UMEM 0x1500ULL
#define PAGES 0x1600ULL
static struct {
	uint64_t next, pprev, umem;
} xdp[2];
static struct {
	uint64_t pages;
	uint32_t npgs, pad;
} umems[2];
static const uint64_t umem_pages[3] = { 0xffffea0000000040, 0xffffea0000000080,
					0xffffea00000000c0 };

/* The types have it with a driver that uses it, too: the functions tell. */
static enum status walk_umems(struct seen *seen, bool has_net)
{
	static const struct stub_member members[] = {
		{ "struct net", "xdp.list.first", FIELD(16, 8) },
		{ "struct net", "list", FIELD(0, 16) },
		{ "struct sock", "__sk_common.skc_node", FIELD(0, 8) },
		{ "struct xdp_sock", "umem", FIELD(16, 8) },
		{ "struct xdp_umem", "pgs", FIELD(0, 8) },
		{ "struct xdp_umem", "npgs", FIELD(8, 4) },
		{ 0 },
	};
	static const struct stub_number sizes[] = { { "struct xdp_umem", 16 }, { 0 } };
	const struct stub_memory memory[] = { { NETS, nets, 16 },
					      { NET, net, 24 },
					      { SOCK, &xdp[0], sizeof(xdp[0]) },
					      { OTHER, &xdp[1], sizeof(xdp[1]) },
					      { UMEM, umems, sizeof(umems) },
					      { PAGES, umem_pages, sizeof(umem_pages) },
					      { 0 } };
	STUB(s, .memory = memory, .members = members + !has_net, .symbols = packet_symbols,
	     .sizes = sizes);

	memset(seen, 0, sizeof(*seen));
	return xdp_umems_walk(&s.dump, WITH(seen));
}

static void xdp_umems(void)
{
	struct seen seen;

	nets[0] = nets[1] = NET;
	net[0] = net[1] = NETS;
	net[2] = SOCK;
	xdp[0].next = OTHER;
	xdp[0].pprev = NET + 16;
	xdp[0].umem = UMEM;
	xdp[1].next = 0;
	xdp[1].pprev = SOCK;
	xdp[1].umem = UMEM + 16;
	umems[0].pages = umems[1].pages = PAGES;
	umems[0].npgs = umems[1].npgs = 3;
	CHECK(walk_umems(&seen, true) == ST_OK && seen.holders == 2 &&
	      seen.pages == 2 * (umem_pages[0] + umem_pages[1] + umem_pages[2]));
	CHECK(seen.last.sock == OTHER && seen.last.counted.n == 3 * 4096);
	/* Not bound yet; of two sockets: whose it is is unknown. */
	xdp[1].umem = 0;
	CHECK(walk_umems(&seen, true) == ST_OK && seen.holders == 1 && seen.last.sock == SOCK);
	xdp[1].umem = UMEM;
	CHECK(walk_umems(&seen, true) == ST_UNKNOWN && !seen.holders);
	CHECK(walk_umems(&seen, false) == ST_ABSENT && !seen.holders);
	/* Its pages leave the dump: what it has is told as counted. */
	xdp[1].umem = 0;
	umems[0].npgs = UINT32_MAX;
	CHECK(walk_umems(&seen, true) == ST_UNREADABLE && seen.holders == 1 && !seen.pages);
	xdp[0].next = SOCK;
	umems[0].npgs = 3;
	CHECK(walk_umems(&seen, true) == ST_CORRUPT);
}

static void packets(void)
{
	struct seen seen;

	make_packets();
	CHECK(walk_packets(&seen) == ST_OK && seen.holders == 1 && seen.parts == 3);
	CHECK(seen.bytes == 48 * 4096 && seen.last.counted.n == 48 * 4096 &&
	      seen.last.sock == SOCK);
	CHECK_TEXT(seen.name, "rx, ifindex 2");
	sock.ifindex = 0;
	sock.tx = sock.rx;
	sock.rx.vector = 0;
	CHECK(walk_packets(&seen) == ST_OK && seen.holders == 1);
	CHECK_TEXT(seen.name, "tx");
	/* The vector leaves the dump: what it had is told as counted. */
	sock.tx.blocks = 600;
	CHECK(walk_packets(&seen) == ST_UNREADABLE && seen.holders == 1 && seen.parts == 0);
	/* No ring is of so many blocks, or so large. */
	sock.tx.blocks = UINT32_MAX;
	CHECK(walk_packets(&seen) == ST_CORRUPT && seen.holders == 0);
	sock.tx.blocks = 3;
	sock.tx.pages = UINT32_MAX;
	CHECK(walk_packets(&seen) == ST_CORRUPT && seen.holders == 0);
	/* The list of sockets is a loop, or leaves the dump. */
	make_packets();
	sock.next = 0x999000;
	CHECK(walk_packets(&seen) == ST_UNREADABLE && seen.holders == 1);
	sock.next = SOCK;
	CHECK(walk_packets(&seen) == ST_CORRUPT && seen.holders == 1);
	net[2] = 0;
	CHECK(walk_packets(&seen) == ST_OK && seen.holders == 0);
}

#define PIPE 0x2000ULL
#define BUFFERS 0x2100ULL
static struct {
	uint64_t buffers, spare[2];
	uint32_t size, head, tail, pad;
} pipe_of;
static uint64_t buffers[4] = { 1, 10, 100, 1000 };
static const struct stub_member pipe_members[] = {
	{ "struct file", "private_data", FIELD(0, 8) },
	{ "struct pipe_inode_info", "bufs", FIELD(0, 8) },
	{ "struct pipe_inode_info", "tmp_page", FIELD(8, 16) },
	{ "struct pipe_inode_info", "ring_size", FIELD(24, 4) },
	{ "struct pipe_inode_info", "head", FIELD(28, 4) },
	{ "struct pipe_inode_info", "tail", FIELD(32, 4) },
	{ "struct pipe_buffer", "page", FIELD(0, 8) },
	{ 0 },
};
static const struct stub_symbol pipe_symbols[] = { { "pipefifo_fops", 0x500, FIELD(0, 8) }, { 0 } };
/* Since 6.15 files of anonymous pipes have an f_op of their own. */
static const struct stub_symbol anonymous_symbols[] = { { "pipefifo_fops", 0x500, FIELD(0, 8) },
							{ "anon_pipe_write", 0x900, FIELD(0, 8) },
							{ "pipeanon_fops", 0x600, FIELD(0, 8) },
							{ 0 } };
static const struct stub_number pipe_sizes[] = { { "struct pipe_inode_info", 40 },
						 { "struct pipe_buffer", 8 },
						 { 0 } };
static const struct stub_memory pipe_memory[] = { { PIPE, &pipe_of, sizeof(pipe_of) },
						  { BUFFERS, buffers, sizeof(buffers) },
						  { 0 } };

static enum status walk_pipe(struct seen *seen)
{
	STUB(s, .memory = pipe_memory, .members = pipe_members, .symbols = pipe_symbols,
	     .sizes = pipe_sizes);
	struct pipes p;

	memset(seen, 0, sizeof(*seen));
	return pipes_find(&s.dump, &p) ?: pipe_walk(&p, PIPE, WITH(seen));
}

static enum status ring_of_pipe(uint64_t *ring, uint64_t *bytes)
{
	STUB(s, .memory = pipe_memory, .members = pipe_members, .symbols = pipe_symbols,
	     .sizes = pipe_sizes);
	struct pipes p;

	*ring = *bytes = 0;
	return pipes_find(&s.dump, &p) ?: pipe_ring(&p, PIPE, ring, bytes);
}

static bool have_pipes(const struct stub_symbol *symbols, uint64_t operations)
{
	STUB(s, .members = pipe_members, .symbols = symbols, .sizes = pipe_sizes);
	struct pipes p;

	return pipes_find(&s.dump, &p) == ST_OK && pipes_have(&p, operations);
}

static void files_of_pipes(void)
{
	struct stub_symbol lacks[] = { anonymous_symbols[0], anonymous_symbols[1], { 0 } };

	CHECK(have_pipes(pipe_symbols, 0x500) && !have_pipes(pipe_symbols, 0x600) &&
	      !have_pipes(pipe_symbols, 0));
	CHECK(have_pipes(anonymous_symbols, 0x500) && have_pipes(anonymous_symbols, 0x600));
	CHECK(!have_pipes(lacks, 0x500));
}

static void pipes(void)
{
	struct seen seen;
	uint64_t ring, bytes;

	pipe_of.buffers = BUFFERS;
	pipe_of.size = 4;
	pipe_of.tail = UINT32_MAX;
	pipe_of.head = 2;
	/* Those from tail to head, around the end of the ring and of the number. */
	CHECK(walk_pipe(&seen) == ST_OK && seen.pages == 1011 && seen.last.counted.n == 3 * 4096);
	/* The ring is no part: its caches have it. */
	CHECK(!seen.parts);
	CHECK(ring_of_pipe(&ring, &bytes) == ST_OK && ring == BUFFERS && bytes == 4 * 8);
	pipe_of.spare[1] = 5;
	CHECK(walk_pipe(&seen) == ST_OK && seen.pages == 1016 && seen.last.counted.n == 4 * 4096);
	pipe_of.head = 4;
	CHECK(walk_pipe(&seen) == ST_CORRUPT && !seen.holders);
	CHECK(ring_of_pipe(&ring, &bytes) == ST_CORRUPT && !ring && !bytes);
	pipe_of.head = 2;
	pipe_of.size = 3;
	CHECK(walk_pipe(&seen) == ST_CORRUPT && !seen.holders);
	pipe_of.size = 8;
	CHECK(walk_pipe(&seen) == ST_UNREADABLE && seen.holders == 1);
}

#define BUFFER 0x3000ULL
static struct {
	uint64_t state, aux;
	uint32_t pages, aux_pages;
	uint64_t data[4];
} buffer;
static const struct stub_member perf_members[] = {
	{ "struct file", "private_data", FIELD(0, 8) },
	{ "struct perf_event", "rb", KINDED(KIND_POINTER, 0, 8) },
	{ "struct perf_event.rb", "user_page", FIELD(0, 8) },
	{ "struct perf_event.rb", "aux_pages", FIELD(8, 8) },
	{ "struct perf_event.rb", "nr_pages", FIELD(16, 4) },
	{ "struct perf_event.rb", "aux_nr_pages", FIELD(20, 4) },
	{ "struct perf_event.rb", "data_pages", FIELD(24, 0) },
	{ 0 },
};
static const struct stub_symbol perf_symbols[] = { { "perf_fops", 0x500, FIELD(0, 8) }, { 0 } };
static const struct stub_memory perf_memory[] = { { BUFFER, &buffer, sizeof(buffer) }, { 0 } };

static enum status walk_perf(struct seen *seen)
{
	STUB(s, .memory = perf_memory, .members = perf_members, .symbols = perf_symbols);
	struct perf_buffers b;

	memset(seen, 0, sizeof(*seen));
	return perf_buffers_find(&s.dump, &b) ?: perf_buffer_walk(&b, BUFFER, WITH(seen));
}

static void perf(void)
{
	struct seen seen;

	buffer.pages = 4;
	CHECK(walk_perf(&seen) == ST_OK && seen.parts == 5 && seen.last.counted.n == 5 * 4096);
	buffer.aux = BUFFER + 24;
	buffer.aux_pages = 2;
	CHECK(walk_perf(&seen) == ST_OK && seen.parts == 7 && seen.last.counted.n == 7 * 4096);
	buffer.pages = 5;
	CHECK(walk_perf(&seen) == ST_UNREADABLE && seen.holders == 1 &&
	      seen.last.counted.n == 8 * 4096);
	buffer.pages = UINT32_MAX;
	CHECK(walk_perf(&seen) == ST_CORRUPT && !seen.holders);
}

#define KSET 0x4000ULL
#define DEVICE 0x4100ULL
#define POOL 0x4200ULL
#define BLOCK 0x4300ULL
static uint64_t kset[2], device[5], block[3];
static struct {
	uint64_t blocks[2], pools[2], bytes, counted;
	char name[32];
} pool;
static char device_name[64] = "0000:00:04.0";
static const struct stub_member dma_members[] = {
	{ "struct kset", "list", FIELD(0, 16) },
	{ "struct device", "kobj.entry", FIELD(0, 16) },
	{ "struct device", "dma_pools", FIELD(16, 16) },
	{ "struct device", "kobj.name", FIELD(32, 8) },
	{ "struct dma_pool", "page_list", FIELD(0, 16) },
	{ "struct dma_pool", "pools", FIELD(16, 16) },
	{ "struct dma_pool", "allocation", FIELD(32, 8) },
	{ "struct dma_pool", "nr_pages", FIELD(40, 8) },
	{ "struct dma_pool", "name", KINDED(KIND_ARRAY, 48, 32) },
	{ "struct dma_page", "page_list", FIELD(0, 16) },
	{ "struct dma_page", "vaddr", FIELD(16, 8) },
	{ 0 },
};
static const uint64_t kset_at = KSET;
static const struct stub_symbol dma_symbols[] = { { "devices_kset", 0x4400, FIELD(0, 8) },
						  { "dma_pool_alloc", 0x500, FIELD(0, 8) },
						  { 0 } };
static const struct stub_number dma_sizes[] = {
	{ "struct device", 40 }, { "struct dma_pool", 80 }, { "struct dma_page", 24 }, { 0 }
};
static const struct stub_memory dma_memory[] = { { 0x4400, &kset_at, 8 },
						 { KSET, kset, 16 },
						 { DEVICE, device, sizeof(device) },
						 { POOL, &pool, sizeof(pool) },
						 { BLOCK, block, sizeof(block) },
						 { 0x4500, device_name, sizeof(device_name) },
						 { 0 } };

static void make_pools(void)
{
	kset[0] = kset[1] = DEVICE;
	device[0] = device[1] = KSET;
	device[2] = device[3] = POOL + 16;
	device[4] = 0x4500;
	pool.pools[0] = pool.pools[1] = DEVICE + 16;
	pool.blocks[0] = pool.blocks[1] = BLOCK;
	pool.bytes = 8192;
	pool.counted = 1;
	strcpy(pool.name, "descriptors");
	block[0] = block[1] = POOL;
	block[2] = 0x10000;
}

static enum status walk_pools(struct seen *seen)
{
	STUB(s, .memory = dma_memory, .members = dma_members, .symbols = dma_symbols,
	     .sizes = dma_sizes);

	memset(seen, 0, sizeof(*seen));
	return dma_pools_walk(&s.dump, WITH(seen));
}

static void dma_pools(void)
{
	struct seen seen;

	make_pools();
	CHECK(walk_pools(&seen) == ST_OK && seen.holders == 1 && seen.bytes == 8192);
	CHECK(seen.last.counted.n == 8192);
	CHECK_TEXT(seen.name, "descriptors of 0000:00:04.0");
	pool.bytes = 0;
	CHECK(walk_pools(&seen) == ST_CORRUPT && !seen.holders);
	make_pools();
	pool.counted = 1ULL << 40;
	CHECK(walk_pools(&seen) == ST_CORRUPT && !seen.holders);
	/* The list of blocks ends early: the pool is told, and that some are missing. */
	make_pools();
	pool.blocks[0] = pool.blocks[1] = 0x999000;
	CHECK(walk_pools(&seen) == ST_UNREADABLE && seen.holders == 1 && !seen.bytes);
	make_pools();
	device[0] = 0x999000;
	CHECK(walk_pools(&seen) != ST_OK);
}

#define GEN_POOL 0x4600ULL
#define GEN_CHUNK 0x4700ULL
static uint64_t gen_pool[2], gen_chunk[4];
static const uint64_t gen_pool_at = GEN_POOL, gen_pool_size = 8192;
static const struct stub_member late_members[] = {
	{ "struct dma_gen_pool", "pool", FIELD(8, 8) },
	{ "struct gen_pool", "chunks", FIELD(0, 16) },
	{ "struct gen_pool_chunk", "next_chunk", FIELD(0, 16) },
	{ "struct gen_pool_chunk", "start_addr", FIELD(16, 8) },
	{ "struct gen_pool_chunk", "end_addr", FIELD(24, 8) },
	{ 0 },
};
static const struct stub_symbol gen_symbols[] = { { "atomic_pool_kernel", 0x4800, FIELD(0, 8) },
						  { "pool_size_kernel", 0x4808, FIELD(0, 8) },
						  { 0 } };
static const struct stub_number gen_sizes[] = { { "struct gen_pool_chunk", 32 }, { 0 } };
/* Of 7.3: a structure that has the pointer. */
static const struct {
	uint64_t shared, pool;
} dma_gen_pool = { 0, GEN_POOL };
static const struct stub_symbol late_symbols[] = { { "atomic_pool_kernel", 0x4810, FIELD(0, 16) },
						   { "pool_size_kernel", 0x4808, FIELD(0, 8) },
						   { 0 } };
static const struct stub_memory gen_memory[] = { { 0x4800, &gen_pool_at, 8 },
						 { 0x4810, &dma_gen_pool, sizeof(dma_gen_pool) },
						 { 0x4808, &gen_pool_size, 8 },
						 { GEN_POOL, gen_pool, sizeof(gen_pool) },
						 { GEN_CHUNK, gen_chunk, sizeof(gen_chunk) },
						 { 0 } };

static enum status walk_atomic(struct seen *seen, bool is_late)
{
	STUB(s, .memory = gen_memory, .members = is_late ? late_members : late_members + 1,
	     .symbols = is_late ? late_symbols : gen_symbols, .sizes = gen_sizes);

	memset(seen, 0, sizeof(*seen));
	return dma_atomic_pools_walk(&s.dump, WITH(seen));
}

static void atomic_pools(void)
{
	struct seen seen;

	gen_pool[0] = gen_pool[1] = GEN_CHUNK;
	gen_chunk[0] = gen_chunk[1] = GEN_POOL;
	gen_chunk[2] = 0x10000;
	gen_chunk[3] = 0x11fff;
	CHECK(walk_atomic(&seen, false) == ST_OK && seen.bytes == 8192 &&
	      seen.last.counted.n == 8192);
	CHECK_TEXT(seen.name, "atomic_pool_kernel");
	CHECK(walk_atomic(&seen, true) == ST_OK && seen.bytes == 8192);
	gen_chunk[3] = 0;
	CHECK(walk_atomic(&seen, false) == ST_CORRUPT && seen.holders == 1 && !seen.parts);
	gen_chunk[3] = 0x11fff;
	gen_pool[0] = 0x999000;
	CHECK(walk_atomic(&seen, false) == ST_UNREADABLE && seen.holders == 1);
}

#define GROUP(i) (0x5000ULL + (i)*24)
static struct {
	uint64_t next, records;
	uint32_t index, order;
} groups[2];
static const uint64_t groups_at = GROUP(0), npages = 5;
static const struct stub_member ftrace_members[] = {
	{ "struct ftrace_page", "next", FIELD(0, 8) },
	{ "struct ftrace_page", "records", FIELD(8, 8) },
	{ "struct ftrace_page", "order", FIELD(20, 4) },
	{ 0 },
};
static const struct stub_symbol ftrace_symbols[] = { { "ftrace_pages_start", 0x5100, FIELD(0, 8) },
						     { "ftrace_number_of_pages", 0x5108,
						       FIELD(0, 8) },
						     { 0 } };
static const struct stub_number ftrace_sizes[] = { { "struct ftrace_page", 24 },
						   { "struct dyn_ftrace", 16 },
						   { 0 } };
static const struct stub_memory ftrace_memory[] = { { 0x5100, &groups_at, 8 },
						    { 0x5108, &npages, 8 },
						    { GROUP(0), groups, sizeof(groups) },
						    { 0 } };

static enum status walk_records(struct seen *seen)
{
	STUB(s, .memory = ftrace_memory, .members = ftrace_members, .symbols = ftrace_symbols,
	     .sizes = ftrace_sizes);

	memset(seen, 0, sizeof(*seen));
	return ftrace_records_walk(&s.dump, WITH(seen));
}

static void records(void)
{
	struct seen seen;

	groups[0].next = GROUP(1);
	groups[0].records = groups[1].records = 0x10000;
	groups[0].order = 2;
	CHECK(walk_records(&seen) == ST_OK && seen.parts == 2 && seen.bytes == 5 * 4096);
	CHECK(seen.last.counted.known && seen.last.counted.n == 5 * 4096);
	groups[1].order = 40;
	CHECK(walk_records(&seen) == ST_CORRUPT && seen.holders == 1 && seen.bytes == 4 * 4096);
	groups[1].order = 0;
	groups[1].next = 0x999000;
	CHECK(walk_records(&seen) == ST_UNREADABLE && seen.holders == 1 && seen.parts == 2);
	groups[1].next = GROUP(0);
	CHECK(walk_records(&seen) == ST_CORRUPT && seen.holders == 1 && seen.parts == 2);
}

TESTS({ "UMEMs of AF_XDP", xdp_umems }, { "rings of packet sockets", packets },
      { "files of pipes", files_of_pipes }, { "pipes", pipes }, { "buffers of perf", perf },
      { "DMA pools", dma_pools }, { "atomic DMA pools", atomic_pools },
      { "records of ftrace", records })
