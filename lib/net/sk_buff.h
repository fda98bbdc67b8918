/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Packets (struct sk_buff, include/linux/skbuff.h): how much they are charged with, the memory that
 * has their data, and the queues that list them.
 */
#pragma once

#include "dump/structure.h"
#include "kernel/rb_tree.h"

struct skbs {
	struct dump *dump;
	struct structure skb, shared, queue, frag;
	struct field rbnode, frags; /* of struct sk_buff, skb_shared_info */
	struct rb_types rb;
	uint64_t frag_bytes;   /* of a skb_frag_t */
	uint64_t shared_bytes; /* of a struct skb_shared_info, without padding at its end */
};

struct skb {
	uint64_t address, next;
	uint64_t head;	   /* address of the buffer of headers and data */
	uint64_t end;	   /* address of its struct skb_shared_info, which is behind them */
	uint32_t truesize; /* bytes that its socket is charged with */
	bool has_head_frag, head_frag; /* its buffer is a part of a page, and not of kmalloc() */
};

/* ST_ABSENT: a kernel without CONFIG_NET; ST_UNKNOWN. */
enum status skbs_open(struct dump *d, struct skbs *ret);

enum status skb_read(struct skbs *s, uint64_t address, struct skb *ret);

/* Where the data of a packet are; any status but ST_OK ends the walk and is its status. */
struct skb_memory {
	enum status (*head)(void *arg, uint64_t address, uint64_t bytes, bool is_kmalloc);
	/* A part that begins offset bytes behind the start of a struct page. */
	enum status (*fragment)(void *arg, uint64_t page, uint64_t offset, uint64_t bytes);
	void *arg;
};

/*
 * Visits the memory of a packet and of those on its frag_list.  Fragments in the memory of a device
 * (struct net_iov, 6.12 and later) have no struct page and are left out.
 */
enum status skb_memory_walk(struct skbs *s, const struct skb *skb, const struct skb_memory *m);

/*
 * The packets of a struct sk_buff_head, of a tree of packets (struct rb_root) and of a chain by
 * sk_buff.next.  ST_CORRUPT: a list that has another length than it counts, or a tree that is none.
 * Any status of visit but ST_OK ends the walk.
 */
typedef enum status skb_visit(void *arg, const struct skb *skb);
enum status skb_queue_walk(struct skbs *s, uint64_t head, skb_visit *visit, void *arg);
enum status skb_tree_walk(struct skbs *s, uint64_t root, skb_visit *visit, void *arg);
enum status skb_chain_walk(struct skbs *s, uint64_t first, skb_visit *visit, void *arg);
