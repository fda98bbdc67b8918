// SPDX-License-Identifier: GPL-2.0-or-later
#include "net/queued.h"

#include <stdlib.h>

#include "util/hash_u64.h"
#include "util/strbuf.h"
#include "util/units.h"

struct collecting {
	struct dump *dump;
	struct queued_packets *ret;
	struct queued **last;
	struct structure skb;
	struct hash_u64 devices; /* of struct device, by struct net_device */
};

/* What packets of a device have, whatever queue they are in. */
struct device {
	uint64_t packets, found, truesize;
};

struct packet {
	uint64_t device;
	uint32_t truesize;
};

static const struct layout_row rows[] = {
	STRUCTURE(struct collecting, skb, "struct sk_buff"),
	POINTS(struct packet, device, REQUIRED, "all", "dev"),
	READS(struct packet, truesize, REQUIRED, "all", "truesize"),
};

static struct queued *queued_of(struct collecting *x, const struct device_qdisc *q)
{
	for (struct queued *k = x->ret->first; k; k = k->next)
		if (k->of.device.address == q->device.address &&
		    k->of.is_ingress == q->is_ingress && !strcmp(k->of.root.kind, q->root.kind))
			return k;
	return NULL;
}

static enum status add(void *arg, const struct device_qdisc *q)
{
	struct collecting *x = arg;
	struct queued *k = queued_of(x, q);
	struct device *of = hash_u64_get(&x->devices, q->device.address, NULL);

	of->packets += q->root.packets;
	if (k) {
		k->queues++;
		k->of.root.packets += q->root.packets;
		k->of.root.bytes += q->root.bytes;
		if (q->below.packets > k->of.below.packets)
			k->of.below = q->below;
		return ST_OK;
	}
	k = dump_alloc(x->dump, sizeof(*k));
	*k = (struct queued){ .of = *q, .queues = 1 };
	*x->last = k;
	x->last = &k->next;
	return ST_OK;
}

/* A word of the device that is missing is a packet that is not found. */
static enum status add_packet(void *arg, uint64_t object)
{
	struct collecting *x = arg;
	struct packet p = { 0 };
	struct device *of;

	if (struct_read(&x->skb, object, &p) != ST_OK)
		return ST_OK;
	of = (struct device *)hash_u64_find(&x->devices, p.device);
	if (of) {
		of->found++;
		of->truesize += p.truesize;
	}
	return ST_OK;
}

/* skbuff_head_cache has been a member of net_hotdata since 6.9 (net: move skbuff_cache(s) to net_hotdata). */
static enum status find_cache(struct dump *d, uint64_t *ret)
{
	uint64_t at;
	struct field f;

	if (dump_ask(d, symbol, "skbuff_head_cache", &at) == ST_OK)
		return dump_u64(d, at, ret, "skbuff_head_cache");
	if (dump_symbol(d, "net_hotdata", &at) != ST_OK ||
	    dump_ask(d, member, "struct net_hotdata", "skbuff_cache", &f) != ST_OK || !f.present)
		return dump_unknown(d, "no cache of struct sk_buff");
	return dump_u64(d, at + f.offset, ret, "net_hotdata");
}

/*
 * Where as many packets name the device as wait, they are these. More are: others are being sent. Fewer: a tree has its
 * links in the place of the device (struct sk_buff has rbnode there), or packets are clones of those of a connection.
 */
static void put_memory(struct collecting *x)
{
	for (struct queued *k = x->ret->first; k; k = k->next) {
		const struct device *of = hash_u64_find(&x->devices, k->of.device.address);
		const uint64_t mean = of->found ? of->truesize / of->found : 0;

		k->found = of->found;
		k->truesize = of->truesize;
		k->at_least = of->found != of->packets;
		if (k->of.root.packets == of->packets && !k->at_least)
			k->memory = (struct maybe_u64){ of->truesize, true };
		else if (of->found >= of->packets)
			k->memory = (struct maybe_u64){ mean * k->of.root.packets, true };
		if (!k->memory.known || k->memory.n < k->of.root.bytes) {
			k->memory = (struct maybe_u64){ k->of.root.bytes, true };
			k->at_least = true;
		}
	}
}

enum status queued_collect(struct dump *d, walk_objects *walk, struct queued_packets *ret)
{
	struct collecting *x = dump_alloc(d, sizeof(*x));
	struct qdiscs q;
	uint64_t cache;
	enum status st;

	*ret = (struct queued_packets){ 0 };
	*x = (struct collecting){ .dump = d, .ret = ret, .last = &ret->first };
	hash_u64_init(&x->devices, d->arena, sizeof(struct device));
	st = qdiscs_open(d, &q);
	if (st != ST_OK)
		return st;
	st = qdiscs_walk(&q, add, x);
	if (st == ST_STOPPED)
		return st;
	if (st != ST_OK)
		ret->problem = dump_why(d);
	if (!ret->first)
		return ST_OK;
	st = STRUCTS_OPEN(d, rows, x) ?: find_cache(d, &cache) ?: walk(d, cache, add_packet, x);
	d->error[0] = '\0';
	put_memory(x);
	return st == ST_STOPPED ? st : ST_OK;
}

static void add_handle(struct strbuf *b, uint32_t handle)
{
	if (handle & 0xffff)
		strbuf_add(b, " %x:%x", handle >> 16, handle & 0xffff);
	else if (handle)
		strbuf_add(b, " %x:", handle >> 16);
}

const char *queued_name(struct dump *d, const struct queued *q)
{
	const struct qdisc *below = &q->of.below;
	struct strbuf b = STRBUF_OF(160);

	strbuf_add(&b, "%s", q->of.root.kind);
	if (q->queues == 1)
		add_handle(&b, q->of.root.handle);
	else
		strbuf_add(&b, " of %lu queues", q->queues);
	if (!below->address)
		return dump_strdup(d, b.buf);
	strbuf_add(&b, ", %s of these in %s", COUNT_TEXT(below->packets), below->kind);
	add_handle(&b, below->handle);
	if (below->parent & 0xffff) {
		strbuf_add(&b, " of class");
		add_handle(&b, below->parent);
	}
	return dump_strdup(d, b.buf);
}
