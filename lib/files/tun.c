// SPDX-License-Identifier: GPL-2.0-or-later
#include "files/tun.h"

#include "modules/module_sections.h"

#define MAX_RING (1U << 24) /* entries; txqueuelen has no limit, a ring of this takes 128 MiB */
#define CHUNK 512	    /* that are read at once */
#define XDP_FRAME 1	    /* TUN_XDP_FLAG: a bit of the pointer */

struct file {
	uint64_t ring, tun;
};

struct ring {
	uint64_t entries;
	uint32_t size;
	uint32_t tail,
		head; /* entries from the one to the other were taken, and are cleared later */
};

struct tun {
	uint64_t device;
};

static const struct layout_row rows[] = {
	FINDS(struct tun_queues, file_queue, "struct file", REQUIRED, "all", "private_data"),
	STRUCTURE(struct tun_queues, file, "struct tun_file"),
	PLACES(struct file, ring, REQUIRED, "4.17", "tx_ring"),
	POINTS(struct file, tun, REQUIRED, "all", "tun"),
	STRUCTURE(struct tun_queues, tun, "struct tun_struct"),
	POINTS(struct tun, device, REQUIRED, "all", "dev"),
	STRUCTURE(struct tun_queues, device, "struct net_device"),
	READS(struct tun_queue, device, REQUIRED, "all", "name"),
	STRUCTURE(struct tun_queues, ring, "struct ptr_ring"),
	READS(struct ring, size, REQUIRED, "all", "size"),
	READS(struct ring, tail, REQUIRED, "4.16", "consumer_tail"),
	READS(struct ring, head, REQUIRED, "4.16", "consumer_head"),
	POINTS(struct ring, entries, REQUIRED, "all", "queue"),
};

enum status tun_operations(struct dump *d, uint64_t *ret)
{
	return module_object_symbol(d, "tun", "tun_fops", ret);
}

enum status tun_queues_find(struct dump *d, struct tun_queues *ret)
{
	struct tun_queues t = { .dump = d };

	return RESULT(tun_operations(d, &t.operations)
				 ?: module_object_type(d, "tun", "struct tun_file")
				 ?: STRUCTS_OPEN(d, rows, &t)
				 ?: skbs_open(d, &t.skbs), ret, t);
}

enum status tun_queue_of_file(const struct tun_queues *t, uint64_t file, uint64_t *ret)
{
	return dump_u64(t->dump, file + t->file_queue.offset, ret, "struct file");
}

static enum status add_packet(struct tun_queues *t, uint64_t entry, struct tun_queue *q)
{
	struct skb skb;
	enum status st;

	if (!entry)
		return ST_OK;
	if (entry & XDP_FRAME) {
		q->frames++;
		return ST_OK;
	}
	st = skb_read(&t->skbs, entry, &skb);
	if (st != ST_OK)
		return st;
	q->packets++;
	q->bytes += skb.truesize;
	q->first = entry;
	q->head = skb.head;
	return ST_OK;
}

static enum status read_ring(struct tun_queues *t, const struct ring *r, struct tun_queue *q)
{
	struct dump *d = t->dump;
	struct first_problem problem = { 0 };
	uint8_t raw[CHUNK * 8];
	enum status st = ST_OK;

	if (r->size > MAX_RING)
		return dump_corrupt(d, "the ring of a tun device has %u entries", r->size);
	for (uint32_t i = 0; i < r->size && st == ST_OK; i += CHUNK) {
		const uint32_t n = r->size - i < CHUNK ? r->size - i : CHUNK;

		if (dump_stopped(d))
			return ST_STOPPED;
		st = dump_read(d, r->entries + i * 8ULL, raw, n * 8ULL, "ptr_ring");
		for (uint32_t k = 0; k < n && st == ST_OK; k++) {
			if (i + k >= r->tail && i + k < r->head)
				continue;
			st = first_problem_keep(d, &problem, add_packet(t, le64(raw + k * 8), q));
		}
	}
	return st ?: first_problem_end(d, &problem);
}

enum status tun_queue_read(struct tun_queues *t, uint64_t queue, struct tun_queue *ret)
{
	struct file file;
	struct ring ring;
	struct tun tun;
	enum status st = struct_read(&t->file, queue, &file);

	*ret = (struct tun_queue){ 0 };
	if (st == ST_OK && file.tun)
		st = struct_read(&t->tun, file.tun, &tun)
			     ?: struct_read(&t->device, tun.device, ret);
	/* The ring is made when a device is attached. */
	return st ?: struct_read(&t->ring, file.ring, &ring) ?: !ring.entries ? st
									      : read_ring(t, &ring, ret);
}
