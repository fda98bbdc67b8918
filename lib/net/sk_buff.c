// SPDX-License-Identifier: GPL-2.0-or-later
#include "net/sk_buff.h"

#define MAX_HEAD (1U << 24) /* bytes from sk_buff.head to its end; kmalloc() gives 4 MiB at most */
#define MAX_PACKETS (1U << 24) /* of one queue */
#define MAX_CHAIN (1U << 16)   /* packets of a frag_list or a chain */
#define NET_IOV 1ULL	       /* bit of a netmem_ref: no struct page (include/net/netmem.h) */

/* A skb_shared_info. */
struct shared {
	uint64_t nr_frags, frag_list;
};

/* A sk_buff_head. */
struct queue {
	uint64_t next;
	uint32_t len;
};

/* A skb_frag_t. */
struct frag {
	uint64_t page, len, offset;
};

static const struct layout_row rows[] = {
	STRUCTURE(struct skbs, skb, "struct sk_buff"),
	POINTS(struct skb, next, REQUIRED, "all", "next"),
	FINDS(struct skbs, rbnode, "struct sk_buff", REQUIRED, "3.18", "rbnode"),
	READS(struct skb, truesize, REQUIRED, "all", "truesize"),
	POINTS(struct skb, head, REQUIRED, "all", "head"),
	READS(struct skb, end, REQUIRED, "all", "end"),
	READS_IF(struct skb, head_frag, has_head_frag, OPTIONAL_BITS, "3.5", "head_frag"),
	STRUCTURE(struct skbs, shared, "struct skb_shared_info"),
	READS(struct shared, nr_frags, REQUIRED, "all", "nr_frags"),
	READS(struct shared, frag_list, REQUIRED, "all", "frag_list"),
	FINDS(struct skbs, frags, "struct skb_shared_info", REQUIRED, "all", "frags"),
	STRUCTURE(struct skbs, queue, "struct sk_buff_head"),
	READS(struct queue, next, REQUIRED, "all", "next"),
	READS(struct queue, len, REQUIRED, "all", "qlen"),
};

/* What skb_frag_t is. */
enum { FRAG_NETMEM, FRAG_OWN, FRAG_BIO_VEC, FRAG_FORKS };

static const struct fork frag_forks[FRAG_FORKS] = {
	[FRAG_NETMEM] = { "struct skb_frag with a netmem_ref",
			  "6.12: include/linux/skbuff.h; not in 6.1",
			  .members = { { "struct skb_frag", "netmem" } } },
	[FRAG_OWN] = { "struct skb_frag_struct", "to 5.3: include/linux/skbuff.h of 4.19 has it",
		       .members = { { "struct skb_frag_struct", "page" } } },
	[FRAG_BIO_VEC] = { "struct bio_vec", "5.10 and 6.1: include/linux/skbuff.h",
			   .members = { { "struct bio_vec", "bv_page" } } },
};

#define FRAG_ROWS 4
static const struct layout_row frag_rows[FRAG_FORKS][FRAG_ROWS] = {
	[FRAG_NETMEM] = { STRUCTURE(struct skbs, frag, "struct skb_frag"),
			  POINTS(struct frag, page, REQUIRED, "6.12", "netmem"),
			  READS(struct frag, len, REQUIRED, "6.12", "len"),
			  READS(struct frag, offset, REQUIRED, "6.12", "offset") },
	[FRAG_OWN] = { STRUCTURE(struct skbs, frag, "struct skb_frag_struct"),
		       POINTS(struct frag, page, REQUIRED, "4.19", "page"),
		       READS(struct frag, len, REQUIRED, "4.19", "size"),
		       READS(struct frag, offset, REQUIRED, "4.19", "page_offset") },
	[FRAG_BIO_VEC] = { STRUCTURE(struct skbs, frag, "struct bio_vec"),
			   POINTS(struct frag, page, REQUIRED, "5.10", "bv_page"),
			   READS(struct frag, len, REQUIRED, "5.10", "bv_len"),
			   READS(struct frag, offset, REQUIRED, "5.10", "bv_offset") },
};

static enum status open_frags(struct skbs *s)
{
	struct dump *d = s->dump;
	size_t fork = fork_find(d, "skb_frag_t", frag_forks, FRAG_FORKS);
	const char *type = fork < FRAG_FORKS ? frag_rows[fork][0].type : "";
	enum status st;

	if (dump_ask(d, type_size, type, &s->frag_bytes) != ST_OK)
		return dump_unknown(d, "skb_frag_t");
	st = STRUCTS_OPEN(d, frag_rows[fork], s);
	if (st == ST_OK && s->frag.end > s->frag_bytes)
		st = dump_unknown(d, "%s", type);
	return st;
}

enum status skbs_open(struct dump *d, struct skbs *ret)
{
	struct skbs s = { .dump = d };
	enum status st = STRUCTS_OPEN(d, rows, &s) ?: struct_keep(&s.shared, &s.frags) ?:
		rb_types_open(d, &s.rb) ?: open_frags(&s);

	/* Debug information has struct sk_buff without CONFIG_NET too, as far as others use it. */
	if (st == ST_UNKNOWN && !dump_has_symbol(d, "socket_file_ops") &&
	    dump_lacks_type(d, "struct skb_shared_info"))
		st = dump_absent(d, "this kernel was built without CONFIG_NET");
	if (st != ST_OK)
		return st;
	s.shared_bytes = s.shared.end;
	*ret = s;
	return ST_OK;
}

enum status skb_read(struct skbs *s, uint64_t address, struct skb *ret)
{
	struct skb skb = { .address = address };
	enum status st = struct_read(&s->skb, address, &skb);

	if (st != ST_OK)
		return st;
	/* An offset on machines of 64 bits (NET_SKBUFF_DATA_USES_OFFSET). */
	skb.end += skb.head;
	if (!skb.head || skb.end < skb.head || skb.end - skb.head > MAX_HEAD || !skb.truesize)
		return dump_corrupt(s->dump, "sk_buff at %#lx: head %#lx, end %#lx, truesize %u",
				    address, skb.head, skb.end, skb.truesize);
	*ret = skb;
	return ST_OK;
}

/* The packet itself; *list is the first of its frag_list. */
static enum status visit_memory(struct skbs *s, const struct skb *skb, const struct skb_memory *m,
				uint64_t *list)
{
	struct shared shared;
	enum status st = m->head(m->arg, skb->head, skb->end - skb->head + s->shared_bytes,
				 skb->has_head_frag && !skb->head_frag)
				 ?: struct_read(&s->shared, skb->end, &shared);

	if (st != ST_OK)
		return st;
	*list = shared.frag_list;
	if (shared.nr_frags > s->frags.size / s->frag_bytes)
		return dump_corrupt(s->dump, "sk_buff at %#lx has %lu fragments", skb->address,
				    shared.nr_frags);
	for (uint64_t i = 0; i < shared.nr_frags && st == ST_OK; i++) {
		uint64_t at = s->frags.offset + i * s->frag_bytes;
		struct frag frag;

		st = struct_decode(&s->frag, skb->end + at, s->shared.raw + at, &frag);
		if (st == ST_OK && !(frag.page & NET_IOV))
			st = m->fragment(m->arg, frag.page, frag.offset, frag.len);
	}
	return st;
}

struct list_walk {
	struct skbs *s;
	const struct skb_memory *m;
};

/* A frag_list of a frag_list: the stack makes none (skb_segment_list(), skb_gro_receive_list()). */
static enum status visit_listed(void *arg, const struct skb *skb)
{
	const struct list_walk *w = arg;
	uint64_t list;
	enum status st = visit_memory(w->s, skb, w->m, &list);

	if (st == ST_OK && list)
		st = dump_corrupt(w->s->dump, "sk_buff at %#lx: a frag_list in a frag_list",
				  skb->address);
	return st;
}

enum status skb_memory_walk(struct skbs *s, const struct skb *skb, const struct skb_memory *m)
{
	struct list_walk w = { s, m };
	uint64_t list;
	enum status st = visit_memory(s, skb, m, &list);

	return st == ST_OK && list ? skb_chain_walk(s, list, visit_listed, &w) : st;
}

enum status skb_queue_walk(struct skbs *s, uint64_t head, skb_visit *visit, void *arg)
{
	struct dump *d = s->dump;
	struct queue queue = { 0 };
	uint64_t at, n = 0;
	struct skb skb;
	enum status st = struct_read(&s->queue, head, &queue);

	at = queue.next;
	if (st == ST_OK && queue.len > MAX_PACKETS)
		st = dump_corrupt(d, "sk_buff_head at %#lx counts %u packets", head, queue.len);
	/* Of an udp_sock, say, that never received a packet the list may be zero: it is not used. */
	if (st != ST_OK || (!at && !queue.len))
		return st;
	for (; at != head && st == ST_OK && n < queue.len; n++) {
		if (dump_stopped(d))
			return dump_fail(d, ST_STOPPED, "interrupted");
		st = skb_read(s, at, &skb) ?: visit(arg, &skb);
		at = st == ST_OK ? skb.next : 0;
	}
	if (st == ST_OK && (at != head || n != queue.len))
		st = dump_corrupt(d, "sk_buff_head at %#lx counts %u packets, and has %s%lu", head,
				  queue.len, at == head ? "" : "more than ", n);
	return st;
}

enum status skb_chain_walk(struct skbs *s, uint64_t first, skb_visit *visit, void *arg)
{
	struct dump *d = s->dump;
	unsigned int n = 0;
	enum status st = ST_OK;

	for (uint64_t at = first; at && st == ST_OK; n++) {
		struct skb skb = { 0 };

		if (dump_stopped(d))
			return dump_fail(d, ST_STOPPED, "interrupted");
		if (n == MAX_CHAIN)
			return dump_corrupt(d, "the chain of sk_buffs at %#lx has no end", first);
		st = skb_read(s, at, &skb) ?: visit(arg, &skb);
		at = skb.next;
	}
	return st;
}

enum status skb_tree_walk(struct skbs *s, uint64_t root, skb_visit *visit, void *arg)
{
	struct rb_nodes n;
	struct skb skb;
	uint64_t at;
	enum status st = dump_u64(s->dump, root, &at, "rb_root");

	if (st != ST_OK)
		return st;
	rb_begin(&n, s->dump, &s->rb, at, "tree of packets");
	while (st == ST_OK && rb_next(&n, &at)) {
		st = skb_read(s, at - s->rbnode.offset, &skb) ?: visit(arg, &skb);
	}
	return st ?: rb_end(&n);
}
