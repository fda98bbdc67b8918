// SPDX-License-Identifier: GPL-2.0-or-later
#include "net/sk_buff.h"

#include "dump/fork.h"
#include "dump/layout.h"

#define SKB_BYTES 512	    /* sizeof(struct sk_buff) is 184 to 256 */
#define SHARED_BYTES 1024   /* sizeof(struct skb_shared_info) is 320; with MAX_SKB_FRAGS 45, 768 */
#define MAX_HEAD (1U << 24) /* bytes from sk_buff.head to its end; kmalloc() gives 4 MiB at most */
#define MAX_PACKETS (1U << 24) /* of one queue */
#define MAX_CHAIN (1U << 16)   /* packets of a frag_list or a chain */
#define NET_IOV 1ULL	       /* bit of a netmem_ref: no struct page (include/net/netmem.h) */

static const struct layout_row rows[SKB_FIELDS] = {
	[SKB_NEXT] = { "struct sk_buff", { "next" }, REQUIRED, "all" },
	[SKB_RBNODE] = { "struct sk_buff", { "rbnode" }, REQUIRED, "3.18" },
	[SKB_LEN] = { "struct sk_buff", { "len" }, REQUIRED, "all" },
	[SKB_TRUESIZE] = { "struct sk_buff", { "truesize" }, REQUIRED, "all" },
	[SKB_HEAD] = { "struct sk_buff", { "head" }, REQUIRED, "all" },
	[SKB_END] = { "struct sk_buff", { "end" }, REQUIRED, "all" },
};

static const struct layout_row shared_rows[SHARED_FIELDS] = {
	[SHARED_NR_FRAGS] = { "struct skb_shared_info", { "nr_frags" }, REQUIRED, "all" },
	[SHARED_FRAG_LIST] = { "struct skb_shared_info", { "frag_list" }, REQUIRED, "all" },
	[SHARED_FRAGS] = { "struct skb_shared_info", { "frags" }, REQUIRED, "all" },
};

static const struct layout_row queue_rows[QUEUE_FIELDS] = {
	[QUEUE_NEXT] = { "struct sk_buff_head", { "next" }, REQUIRED, "all" },
	[QUEUE_LEN] = { "struct sk_buff_head", { "qlen" }, REQUIRED, "all" },
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

static const struct layout_row frag_rows[FRAG_FORKS][FRAG_FIELDS] = {
	[FRAG_NETMEM] = {
		[FRAG_PAGE] = { "struct skb_frag", { "netmem" }, REQUIRED, "6.12" },
		[FRAG_LEN] = { "struct skb_frag", { "len" }, REQUIRED, "6.12" },
		[FRAG_OFFSET] = { "struct skb_frag", { "offset" }, REQUIRED, "6.12" },
	},
	[FRAG_OWN] = {
		[FRAG_PAGE] = { "struct skb_frag_struct", { "page" }, REQUIRED, "4.19" },
		[FRAG_LEN] = { "struct skb_frag_struct", { "size" }, REQUIRED, "4.19" },
		[FRAG_OFFSET] = { "struct skb_frag_struct", { "page_offset" }, REQUIRED, "4.19" },
	},
	[FRAG_BIO_VEC] = {
		[FRAG_PAGE] = { "struct bio_vec", { "bv_page" }, REQUIRED, "5.10" },
		[FRAG_LEN] = { "struct bio_vec", { "bv_len" }, REQUIRED, "5.10" },
		[FRAG_OFFSET] = { "struct bio_vec", { "bv_offset" }, REQUIRED, "5.10" },
	},
};

static const char *const frag_types[FRAG_FORKS] = {
	[FRAG_NETMEM] = "struct skb_frag",
	[FRAG_OWN] = "struct skb_frag_struct",
	[FRAG_BIO_VEC] = "struct bio_vec",
};

static enum status open_frags(struct skbs *s)
{
	struct dump *d = s->dump;
	size_t fork = fork_find(d, "skb_frag_t", frag_forks, FRAG_FORKS);
	enum status st;

	if (fork == FRAG_FORKS ||
	    d->ops->type_size(d->priv, frag_types[fork], &s->frag_bytes) != ST_OK)
		return dump_fail(d, ST_UNKNOWN, "unknown layout: skb_frag_t");
	st = layout_resolve(d, frag_rows[fork], FRAG_FIELDS, s->frag);
	if (st == ST_OK &&
	    (s->frag[FRAG_PAGE].size != 8 || layout_span(s->frag, FRAG_FIELDS) > s->frag_bytes))
		st = dump_fail(d, ST_UNKNOWN, "unknown layout: %s", frag_types[fork]);
	return st;
}

enum status skbs_open(struct dump *d, struct skbs *ret)
{
	struct skbs s = { .dump = d };
	uint64_t bytes;
	enum status st;

	if (d->ops->type_size(d->priv, "struct sk_buff", &bytes) != ST_OK)
		return dump_fail(d, ST_ABSENT, "this kernel has no network");
	st = layout_resolve(d, rows, SKB_FIELDS, s.f);
	if (st == ST_OK)
		st = layout_resolve(d, shared_rows, SHARED_FIELDS, s.shared);
	if (st == ST_OK)
		st = layout_resolve(d, queue_rows, QUEUE_FIELDS, s.queue);
	if (st == ST_OK)
		st = rb_types_open(d, &s.rb);
	if (st == ST_OK)
		st = open_frags(&s);
	if (st != ST_OK)
		return st;
	s.shared_bytes = layout_span(s.shared, SHARED_FIELDS);
	if (layout_span(s.f, SKB_FIELDS) > SKB_BYTES || s.shared_bytes > SHARED_BYTES ||
	    s.f[SKB_NEXT].size != 8 || s.f[SKB_END].size != 4 || s.f[SKB_HEAD].size != 8)
		return dump_fail(d, ST_UNKNOWN, "unknown layout: struct sk_buff");
	*ret = s;
	return ST_OK;
}

enum status skb_read(struct skbs *s, uint64_t address, struct skb *ret)
{
	struct skb skb = { .address = address };
	uint8_t raw[SKB_BYTES];
	enum status st = dump_read(s->dump, address, raw, layout_span(s->f, SKB_FIELDS), "sk_buff");

	if (st != ST_OK)
		return st;
	skb.next = field_get(&s->f[SKB_NEXT], raw);
	skb.head = field_get(&s->f[SKB_HEAD], raw);
	skb.len = (uint32_t)field_get(&s->f[SKB_LEN], raw);
	skb.truesize = (uint32_t)field_get(&s->f[SKB_TRUESIZE], raw);
	/* An offset on machines of 64 bits (NET_SKBUFF_DATA_USES_OFFSET). */
	skb.end = skb.head + field_get(&s->f[SKB_END], raw);
	if (!skb.head || skb.end < skb.head || skb.end - skb.head > MAX_HEAD || !skb.truesize)
		return dump_fail(s->dump, ST_CORRUPT,
				 "sk_buff at %#llx: head %#llx, end %#llx, truesize %u",
				 (unsigned long long)address, (unsigned long long)skb.head,
				 (unsigned long long)skb.end, skb.truesize);
	*ret = skb;
	return ST_OK;
}

static enum status visit_frags(struct skbs *s, const struct skb *skb, const uint8_t *shared,
			       const struct skb_memory *m)
{
	uint64_t n = field_get(&s->shared[SHARED_NR_FRAGS], shared);
	const uint8_t *frag = shared + s->shared[SHARED_FRAGS].offset;
	enum status st = ST_OK;

	if (n > s->shared[SHARED_FRAGS].size / s->frag_bytes)
		return dump_fail(s->dump, ST_CORRUPT, "sk_buff at %#llx has %llu fragments",
				 (unsigned long long)skb->address, (unsigned long long)n);
	for (uint64_t i = 0; i < n && st == ST_OK; i++, frag += s->frag_bytes) {
		uint64_t page = field_get(&s->frag[FRAG_PAGE], frag);

		if (page & NET_IOV)
			continue;
		st = m->fragment(m->arg, page, field_get(&s->frag[FRAG_OFFSET], frag),
				 field_get(&s->frag[FRAG_LEN], frag));
	}
	return st;
}

/* The packet itself; *list is the first of its frag_list. */
static enum status visit_memory(struct skbs *s, const struct skb *skb, const struct skb_memory *m,
				uint64_t *list)
{
	uint8_t shared[SHARED_BYTES];
	enum status st = m->head(m->arg, skb->head, skb->end - skb->head + s->shared_bytes);

	if (st == ST_OK)
		st = dump_read(s->dump, skb->end, shared, s->shared_bytes, "skb_shared_info");
	if (st != ST_OK)
		return st;
	*list = field_get(&s->shared[SHARED_FRAG_LIST], shared);
	return visit_frags(s, skb, shared, m);
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
		st = dump_fail(w->s->dump, ST_CORRUPT,
			       "sk_buff at %#llx: a frag_list in a frag_list",
			       (unsigned long long)skb->address);
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
	uint64_t at, n = 0;
	uint32_t counted = 0;
	struct skb skb;
	enum status st = dump_u64(d, head + s->queue[QUEUE_NEXT].offset, &at, "sk_buff_head");

	if (st == ST_OK)
		st = dump_u32(d, head + s->queue[QUEUE_LEN].offset, &counted, "sk_buff_head");
	if (st == ST_OK && counted > MAX_PACKETS)
		st = dump_fail(d, ST_CORRUPT, "sk_buff_head at %#llx counts %u packets",
			       (unsigned long long)head, counted);
	/* Of an udp_sock, say, that never received a packet the list may be zero: it is not used. */
	if (st != ST_OK || (!at && !counted))
		return st;
	for (; at != head && st == ST_OK && n < counted; n++) {
		if (dump_stopped(d))
			return dump_fail(d, ST_STOPPED, "interrupted");
		st = skb_read(s, at, &skb);
		if (st == ST_OK)
			st = visit(arg, &skb);
		at = st == ST_OK ? skb.next : 0;
	}
	if (st == ST_OK && (at != head || n != counted))
		st = dump_fail(d, ST_CORRUPT,
			       "sk_buff_head at %#llx counts %u packets, and has %s%llu",
			       (unsigned long long)head, counted, at == head ? "" : "more than ",
			       (unsigned long long)n);
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
			return dump_fail(d, ST_CORRUPT, "the chain of sk_buffs at %#llx has no end",
					 (unsigned long long)first);
		st = skb_read(s, at, &skb);
		if (st == ST_OK)
			st = visit(arg, &skb);
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
		st = skb_read(s, at - s->f[SKB_RBNODE].offset, &skb);
		if (st == ST_OK)
			st = visit(arg, &skb);
	}
	return st == ST_OK ? rb_end(&n) : st;
}
