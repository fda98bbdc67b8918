/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Devices and sockets of devices_7_3.c; what is not said to be open is open in "hog" (10).
 *
 * Buffers:	8 MiB of "system", named "frame", attached to gpu.0 and isp; 1 MiB of "reserved", without a
 *		name, not open, mapped by "init" (1)
 * CMA:		"media", 8 pages, of which 3 are used; "spare", 4 pages, none
 * Sockets:	TCP 10.0.0.1:5140, a packet of 2 pages and one out of order; TCP 10.0.0.1:5141, not open, two
 *		packets sent and not acknowledged; UDP, a packet in each of two queues; unix, a packet, named
 *		/run/log.sock, its peer is not open
 */
#pragma once

#if defined(CASE_6_12) || defined(CASE_5_10)
#define OLD_DEVICES
#endif

struct file_operations {
	void *open;
};
const struct file_operations dma_buf_fops = { 0 }, socket_file_ops = { 0 };

struct device {
	struct {
		const char *name;
	} kobj;
	const char *init_name;
};
struct dma_buf_attachment {
	struct device *dev;
	struct list_head node;
};
struct dma_buf {
	u64 size;
	struct file *file;
	struct list_head attachments;
	const char *exp_name, *name;
	struct list_head list_node;
};

static const char gpu_text[] = "gpu.0", isp_text[] = "isp", system_text[] = "system", reserved_text[] = "reserved",
		  frame_text[] = "frame";
static struct device gpu = { { 0 }, gpu_text }, isp = { { isp_text } };
extern struct dma_buf frame, preview;
extern struct dma_buf_attachment to_gpu, to_isp;
#define ATTACHED(a) DIRECT(&(a).node)
struct dma_buf_attachment to_gpu = { DIRECT(&gpu), { ATTACHED(to_isp), DIRECT(&frame.attachments) } };
struct dma_buf_attachment to_isp = { DIRECT(&isp), { DIRECT(&frame.attachments), ATTACHED(to_gpu) } };

#ifdef OLD_DEVICES
#define COUNT(n) .f_count = n
#else
/* It counts from 0. */
#define COUNT(n) .f_ref = { n - 1 }
#endif
extern struct inode frame_inode, preview_inode;
extern struct vm_area_struct preview_vma;
extern struct file frame_file, preview_file;
struct vm_area_struct preview_vma = { 0x10000, 0x20000, .vm_mm = DIRECT(&init_mm_user), .vm_file = DIRECT(&preview_file) };
/* Up to 5.2 the files of all buffers have the inode of anonymous files. */
#ifdef CASE_shared
#define FRAME_INODE preview_inode
#else
#define FRAME_INODE frame_inode
#endif
struct file frame_file = { DIRECT(&FRAME_INODE), .f_op = &dma_buf_fops, .private_data = DIRECT(&frame), COUNT(2) };
struct file preview_file = { DIRECT(&preview_inode), .f_op = &dma_buf_fops, .private_data = DIRECT(&preview),
				    COUNT(1) };
struct inode frame_inode = INODE(DIRECT(&frame_inode), REG, 0, internal_sb, 21, 1, 0, 8 << 20, 0, 0, { 0 });
struct inode preview_inode = INODE(DIRECT(&preview_inode), REG, 0, internal_sb, 22, 1, 0, 1 << 20, 0, 0, VMAS(preview_vma));

#define BUFFER(b) DIRECT(&(b).list_node)
#ifdef CASE_5_10
struct dma_buf_list {
	u64 lock[2];
	struct list_head head;
} db_list = { { 0 }, { BUFFER(frame), BUFFER(preview) } };
#define LIST_HEAD ((void *)&db_list.head)
#elif defined(CASE_6_12)
struct list_head debugfs_list = { BUFFER(frame), BUFFER(preview) };
#define LIST_HEAD ((void *)&debugfs_list)
#else
struct list_head dmabuf_list = { BUFFER(frame), BUFFER(preview) };
#define LIST_HEAD ((void *)&dmabuf_list)
#endif
#ifdef CASE_loop
#define AFTER_PREVIEW BUFFER(preview)
#else
#define AFTER_PREVIEW LIST_HEAD
#endif
#ifdef CASE_torn
#define PREVIEW_FILE ((void *)0xffff88ffffff3000UL)
#else
#define PREVIEW_FILE DIRECT(&preview_file)
#endif
struct dma_buf frame = { 8 << 20, DIRECT(&frame_file), { ATTACHED(to_gpu), ATTACHED(to_isp) }, system_text, frame_text,
			 { BUFFER(preview), LIST_HEAD } };
#define PREVIEW_ATTACHMENTS DIRECT(&preview.attachments)
struct dma_buf preview = { 1 << 20, PREVIEW_FILE, { PREVIEW_ATTACHMENTS, PREVIEW_ATTACHMENTS }, reserved_text, 0,
			   { AFTER_PREVIEW, BUFFER(frame) } };

#define MEDIA_PFN (SECOND_PFN + 8)
static u64 media_bits = 0x25, later_bits = 2, spare_bits;
#ifdef CASE_torn
#define SPARE_BITS ((u64 *)0xffff88ffffff4000UL)
#else
#define SPARE_BITS DIRECT(&spare_bits)
#endif
#ifdef OLD_DEVICES
struct cma {
	u64 base_pfn, count;
	u64 *bitmap;
	u32 order_per_bit;
	char name[64];
};
struct cma cma_areas[7] = { { MEDIA_PFN, 8, DIRECT(&media_bits), 0, "media" },
			    { SECOND_PFN + 4, 4, SPARE_BITS, 1, "spare" } };
#else
struct cma_memrange {
	u64 base_pfn, early_pfn, count;
	u64 *bitmap;
};
struct cma {
	u64 count, available_count;
	u32 order_per_bit;
	char name[64];
	struct cma_memrange ranges[8];
	s32 nranges;
};
struct cma cma_areas[7] = {
	{ 8, 5, 0, "media", { { MEDIA_PFN, 0, 4, DIRECT(&media_bits) }, { MEDIA_PFN + 4, 0, 4, DIRECT(&later_bits) } }, 2 },
	{ 4, 4, 1, "spare", { { SECOND_PFN + 4, 0, 4, SPARE_BITS } }, 1 },
};
#endif
u32 cma_area_count = 2;

struct sk_buff {
	union {
		struct {
			struct sk_buff *next, *prev;
		};
		struct rb_node rbnode;
	};
	u32 len, truesize, end;
	char *head;
	struct sock *sk;
	char cb[48];
};
/* What cb is in the queue of a UNIX socket: no packet here has files. */
struct scm_fp_list {
	s16 count;
	struct file *fp[253];
} keep_scm_fp_list;
struct unix_skb_parms {
	struct scm_fp_list *fp;
} keep_unix_skb_parms;
struct sk_buff_head {
	struct sk_buff *next, *prev;
	u32 qlen;
};
#ifdef CASE_5_10
struct bio_vec {
	void *bv_page;
	u32 bv_len, bv_offset;
};
#define FRAG struct bio_vec
#else
struct skb_frag {
	u64 netmem;
	u32 len, offset;
};
#define FRAG struct skb_frag
#endif
struct skb_shared_info {
	u8 flags, meta_len, nr_frags;
	struct sk_buff *frag_list;
	FRAG frags[17];
};
struct sock_common {
	u32 skc_daddr, skc_rcv_saddr;
	u16 skc_dport, skc_num, skc_family;
	u8 skc_state;
#ifndef OLD_DEVICES
	u8 skc_reuse : 4, skc_bypass_prot_mem : 1;
#endif
	u8 skc_v6_daddr[16], skc_v6_rcv_saddr[16];
	void *skc_prot;
	struct {
		void *next, *pprev;
	} skc_nulls_node;
};
struct sock {
	struct sock_common __sk_common;
	struct sk_buff_head sk_error_queue, sk_receive_queue;
	struct {
		s32 rmem_alloc, len;
		struct sk_buff *head, *tail;
	} sk_backlog;
	s32 sk_forward_alloc, sk_wmem_queued, sk_wmem_alloc;
#ifdef CASE_5_10
	u32 sk_userlocks : 8, sk_protocol : 8, sk_type : 16;
	u16 sk_gso_max_segs;
#define NEIGHBOURS .sk_userlocks = 255, .sk_gso_max_segs = 65535,
#else
	u16 sk_type, sk_protocol;
#define NEIGHBOURS
#endif
	u32 sk_ack_backlog;
	struct socket *sk_socket;
	struct sk_buff_head sk_write_queue;
	struct rb_root tcp_rtx_queue;
};
struct tcp_sock {
	struct sock sk;
	u32 rcv_nxt, copied_seq, write_seq, snd_una;
	struct rb_root out_of_order_queue;
};
#ifndef OLD_DEVICES
struct udp_prod_queue {
	void *ll_root;
	s32 rmem_alloc;
};
#endif
struct udp_sock {
	struct sock sk;
	struct sk_buff_head reader_queue;
	s32 forward_deficit;
#ifndef OLD_DEVICES
	struct udp_prod_queue *udp_prod_queue;
#endif
};
struct unix_address {
	u32 refcnt;
	s32 len;
	char name[110];
};
struct unix_sock {
	struct sock sk;
	struct unix_address *addr;
	struct sock *peer;
};
struct socket {
	u32 state;
	struct file *file;
	struct sock *sk;
};
struct socket_alloc {
	struct socket socket;
	struct inode vfs_inode;
};
struct tcp_sock keep_tcp_sock;

struct proto {
	char name[32];
	s64 *memory_allocated;
#ifndef CASE_5_10
	s32 *per_cpu_fw_alloc;
#endif
	struct list_head node;
};
/* Pages that are accounted; CPUs have two more for themselves. */
#ifdef CASE_5_10
static s64 tcp_pages = 3;
#define MEMORY(counter) DIRECT(&counter)
#else
static s64 tcp_pages = 1;
#define MEMORY(counter) DIRECT(&counter), (s32 *)__builtin_offsetof(struct area, reserve)
#endif
extern struct list_head proto_list;
extern struct proto tcp_prot, unix_prot, udp_prot;
#define PROTO(p) DIRECT(&(p).node)
struct proto tcp_prot = { "TCP", MEMORY(tcp_pages), .node = { PROTO(udp_prot), (void *)&proto_list } };
struct proto udp_prot = { "UDP", .node = { PROTO(unix_prot), PROTO(tcp_prot) } };
struct proto unix_prot = { "UNIX", .node = { (void *)&proto_list, PROTO(udp_prot) } };
struct list_head proto_list = { PROTO(tcp_prot), PROTO(unix_prot) };

/* Data of the packets, a page each; skb_shared_info is behind them. */
#define DATA 2048
static struct {
	char data[DATA];
	struct skb_shared_info shared;
	char rest[4096 - DATA - sizeof(struct skb_shared_info)];
} bufs[6] __attribute__((aligned(4096))) = {
	[0 ... 5].data = "a packet",
	[0].shared = { .nr_frags = 1, .frags = { { (u64)DIRECT(&second_pages[9]), 1000, 0 } } },
};
extern struct sk_buff skbs[6];
#define SKB(i) DIRECT(&skbs[i])
#ifdef CASE_torn
#define TORN_DATA ((void *)0xffff88ffffff5000UL)
#else
#define TORN_DATA DIRECT(&bufs[5])
#endif
#define PACKET(i, next) { { { next } }, 1000, 2304, DATA, DIRECT(&bufs[i]) }
#define NODE_AT(i, parent, right) { .rbnode = { (u64)(parent), right }, 1000, 1280, DATA, DIRECT(&bufs[i]) }
/* Of 2, 3, 4 the data are in one page. */
extern struct tcp_sock log, waiting;
extern struct udp_sock metrics;
extern struct unix_sock local, peer;
struct sk_buff skbs[6] = {
	PACKET(0, DIRECT(&log.sk.sk_receive_queue)),
	NODE_AT(1, 1, 0),
	NODE_AT(2, 1, DIRECT(&skbs[3].rbnode)),
	NODE_AT(2, DIRECT(&skbs[2].rbnode), 0),
#ifdef CASE_queue /* its data may be in a slab: it is charged more than its pages */
	{ { { DIRECT(&metrics.sk.sk_receive_queue) } }, 1000, 40960, DATA, DIRECT(&bufs[4]) },
#else
	PACKET(4, DIRECT(&metrics.sk.sk_receive_queue)),
#endif
	{ { { DIRECT(&local.sk.sk_receive_queue) } }, 1000, 2304, DATA, TORN_DATA },
};
static struct sk_buff reader_skb = PACKET(3, DIRECT(&metrics.reader_queue));
#define QUEUE(i, n) { SKB(i), SKB(i), n }
#define EMPTY { 0, 0, 0 }

#define OWNER(s) { .socket = { 1, 0, DIRECT(&s.sk) }, .vfs_inode = { 0140777, .i_nlink = 1 } }
static struct socket_alloc log_socket = OWNER(log), metrics_socket = OWNER(metrics), local_socket = OWNER(local);
#define SOCKET_FILE(s) { DIRECT(&s.vfs_inode), .f_op = &socket_file_ops, .private_data = DIRECT(&s.socket), COUNT(1) }
struct file log_file = SOCKET_FILE(log_socket), metrics_file = SOCKET_FILE(metrics_socket),
		   local_file = SOCKET_FILE(local_socket);

#define ESTABLISHED 1
#define FIN_WAIT1 4
#define NULLS(bucket) ((void *)(2UL * (bucket) + 1))
#define ADDRESS(a, b, c, d) ((d) << 24 | (c) << 16 | (b) << 8 | (a))
#define SK(state, port, next)                                                                                 \
	.__sk_common = { .skc_rcv_saddr = ADDRESS(10, 0, 0, 1), .skc_daddr = ADDRESS(10, 0, 0, 2), .skc_dport = 0x5000, \
			 .skc_num = port, .skc_family = 2, .skc_state = state, .skc_prot = DIRECT(&tcp_prot),              \
			 .skc_nulls_node = { next } },                                                             \
	NEIGHBOURS.sk_type = 1, .sk_protocol = 6, .sk_wmem_alloc = 1
#ifdef CASE_loop
#define AFTER_LOG DIRECT(&log.sk.__sk_common.skc_nulls_node)
#define LOCAL_PACKETS 0
#else
#define AFTER_LOG NULLS(1)
#define LOCAL_PACKETS 1
#endif
struct tcp_sock log = { { SK(ESTABLISHED, 5140, AFTER_LOG), .sk_receive_queue = QUEUE(0, 1),
			  .sk_backlog = { .rmem_alloc = 4096 }, .sk_forward_alloc = 4096, .sk_socket = DIRECT(&log_socket.socket) },
			.rcv_nxt = 3000, .copied_seq = 2000, .write_seq = 70, .snd_una = 50,
			.out_of_order_queue = { DIRECT(&skbs[1].rbnode) } };
struct tcp_sock waiting = { { SK(FIN_WAIT1, 5141, NULLS(0)), .sk_wmem_queued = 4096, .tcp_rtx_queue = { DIRECT(&skbs[2].rbnode) } },
			    .write_seq = 3000, .snd_una = 1000 };
static void *buckets[2] = { DIRECT(&waiting.sk.__sk_common.skc_nulls_node), DIRECT(&log.sk.__sk_common.skc_nulls_node) };
struct inet_hashinfo {
	void *ehash;
	u32 ehash_mask;
} tcp_hashinfo = { DIRECT(buckets), 1 };

#ifndef OLD_DEVICES
static struct udp_prod_queue prod_queue
#ifdef CASE_torn
	= { SKB(4) }
#endif
;
#endif
struct udp_sock metrics = {
	{ .__sk_common = { .skc_num = 514, .skc_family = 2, .skc_state = 7, .skc_prot = DIRECT(&udp_prot),
#ifndef OLD_DEVICES
			   .skc_bypass_prot_mem = 1,
#endif
			 },
	  NEIGHBOURS.sk_type = 2, .sk_protocol = 17, .sk_wmem_alloc = 1, .sk_receive_queue = QUEUE(4, 1),
	  .sk_backlog = { .rmem_alloc = 4608 }, .sk_socket = DIRECT(&metrics_socket.socket) },
	.reader_queue = { DIRECT(&reader_skb), DIRECT(&reader_skb), 1 },
	.forward_deficit = 608,
#ifndef OLD_DEVICES
	.udp_prod_queue = DIRECT(&prod_queue),
#endif
};
static struct unix_address local_name = { 1, 16, "\1\0/run/log.sock" };
#define UNIX .__sk_common = { .skc_family = 1, .skc_state = ESTABLISHED, .skc_prot = DIRECT(&unix_prot) }, NEIGHBOURS.sk_type = 1, .sk_wmem_alloc = 1
struct unix_sock local = { { UNIX, .sk_receive_queue = QUEUE(5, LOCAL_PACKETS), .sk_socket = DIRECT(&local_socket.socket) },
			   DIRECT(&local_name), DIRECT(&peer.sk) };
struct unix_sock peer = { { UNIX }, 0, DIRECT(&local.sk) };
