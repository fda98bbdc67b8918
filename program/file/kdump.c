// SPDX-License-Identifier: GPL-2.0-or-later
#include "file/kdump.h"

#include <stdlib.h>

#include "file/ahead.h"
#include "file/codec.h"
#include "file/kdump_part.h"
#include "file/notes.h"

/*
 * A block of zeros is shorter than this by all methods but snappy, where it takes 200 of 4096
 * bytes.
 */
#define ZERO_BYTES 256

struct kdump {
	struct kdump_part *parts; /* by their start; they do not overlap */
	size_t n;
	struct kdump_part *last; /* that a block was read of */
	unsigned int block_bytes;
	struct codec *codec;
	struct ahead *ahead; /* NULL: there is none */
	/* Of a block of zeros that was seen: all others of its part share its bytes. */
	const struct kdump_part *zero_part;
	struct kdump_desc zero;
};

/*
 * Blocks of one codec or none: what the header says of it is for all of them, and not in old files, where some blocks
 * are looked at.
 */
#define LOOKED_AT 64

static enum status check_codec(struct dump *d, struct kdump_part *p)
{
	unsigned int flags = p->header.status & CODEC_FLAGS;
	uint64_t block = 0;
	struct kdump_desc desc;

	for (unsigned int i = 0; !flags && i < LOOKED_AT; i++, block++) {
		if (!block_set_next(&p->blocks, &block, NULL))
			break;
		if (kdump_part_desc(p, block, &desc) == ST_OK)
			flags = desc.flags & CODEC_FLAGS;
	}
	if (!flags || codec_is_built(flags))
		return ST_OK;
	return dump_fail(d, ST_UNKNOWN,
			 "%s: its pages are compressed by %s, which this build does not have",
			 p->input->path, codec_name(flags));
}

ORDER_BY(by_start, struct kdump_part, COMPARE(x->header.start, y->header.start))

/* Whether the files are the parts of one dump. */
static enum status check_parts(struct dump *d, const struct kdump *k)
{
	const struct kdump_header *first = &k->parts[0].header;

	for (size_t i = 1; i < k->n; i++) {
		const struct kdump_header *h = &k->parts[i].header;
		const char *path = k->parts[i].input->path;

		if (!first->is_split || !h->is_split)
			return dump_fail(d, ST_USAGE, "%s: no part of a split dump; give one dump",
					 first->is_split ? path : k->parts[0].input->path);
		if (h->block_bytes != first->block_bytes || h->blocks != first->blocks ||
		    h->time != first->time || strcmp(h->machine, first->machine) ||
		    strcmp(h->release, first->release))
			return dump_fail(d, ST_USAGE, "%s: a part of another dump than %s", path,
					 k->parts[0].input->path);
		if (h->start < k->parts[i - 1].header.end)
			return dump_fail(d, ST_USAGE, "%s: the same part as %s", path,
					 k->parts[i - 1].input->path);
	}
	return ST_OK;
}

/* Pages of parts that are not there; NULL: all are. */
static void find_missing(struct dump *d, const struct kdump *k, const char **ret)
{
	uint64_t all = k->parts[0].header.blocks, have = 0;

	for (size_t i = 0; i < k->n; i++)
		have += k->parts[i].header.end - k->parts[i].header.start;
	if (have >= all)
		return;
	*ret = arena_text(d->arena,
			  "parts of a split dump are missing, give all of them: of %lu pages, "
			  "%zu file%s ha%s %lu",
			  all, k->n, k->n > 1 ? "s" : "", k->n > 1 ? "ve" : "s", have);
}

static void find_vmcoreinfo(struct dump *d, const struct kdump_part *p, struct vmcore_facts *facts)
{
	const struct kdump_header *h = &p->header;
	enum status st = notes_text(d, p->input, h->info_at, h->info_bytes, &facts->vmcoreinfo,
				    &facts->vmcoreinfo_bytes);

	if (st != ST_OK)
		st = notes_vmcoreinfo(d, p->input, h->notes_at, h->notes_bytes, &facts->vmcoreinfo,
				      &facts->vmcoreinfo_bytes);
}

static void set_facts(struct dump *d, struct kdump *k, struct vmcore_facts *facts)
{
	const struct kdump_header *h = &k->parts[0].header;

	facts->format = k->parts[0].input->flat ? "flattened kdump"
			: h->is_split		? "split kdump"
						: "kdump";
	facts->block_bytes = k->block_bytes;
	/* What QEMU writes of a machine that is no PC (create_header64() in its dump/dump.c). */
	if (*h->machine && strcmp(h->machine, "Unknown") != 0)
		facts->machine = h->machine;
	facts->release = h->release;
	if (h->status & CODEC_FLAGS)
		facts->compression = codec_name(h->status);
	for (size_t i = 0; i < k->n; i++) {
		if (!facts->incomplete)
			facts->incomplete = kdump_part_incomplete(&k->parts[i]);
		if (!facts->vmcoreinfo)
			find_vmcoreinfo(d, &k->parts[i], facts);
	}
	notes_cpus(d, k->parts[0].input, h->notes_at, h->notes_bytes, &facts->cpu_notes);
	if (!facts->incomplete)
		find_missing(d, k, &facts->incomplete);
}

enum status kdump_open(struct dump *d, const struct input *files, size_t n,
		       struct vmcore_facts *facts, struct kdump **ret)
{
	struct kdump *k = dump_alloc(d, sizeof(*k));
	enum status st = ST_OK;

	k->parts = dump_alloc(d, n * sizeof(*k->parts));
	for (; k->n < n && st == ST_OK; k->n++)
		st = kdump_part_open(d, &files[k->n], n, &k->parts[k->n])
			     ?: check_codec(d, &k->parts[k->n]);
	if (st != ST_OK)
		return st;
	qsort(k->parts, k->n, sizeof(*k->parts), by_start);
	/* Windows keep no pointer into the parts. */
	k->last = k->parts;
	k->block_bytes = k->parts[0].header.block_bytes;
	st = check_parts(d, k);
	if (st == ST_OK) {
		set_facts(d, k, facts);
		st = codec_open(d, &k->codec) ?: ahead_open(d, k->block_bytes, &k->ahead);
	}
	if (st == ST_OK)
		*ret = k;
	return st;
}

/* NULL: no file has it. */
static struct kdump_part *part_of(struct kdump *k, uint64_t block)
{
	if (block_set_has(&k->last->blocks, block))
		return k->last;
	for (size_t i = 0; k->n > 1 && i < k->n; i++)
		if (block_set_has(&k->parts[i].blocks, block))
			return k->last = &k->parts[i];
	return NULL;
}

static bool is_zero(const uint8_t *p, size_t n)
{
	return !p[0] && !memcmp(p, p + 1, n - 1);
}

/* What is short costs no time, as blocks of zeros. */
static void put_ahead(struct kdump *k, uint64_t block)
{
	uint64_t next = 0, end = ahead_next(k->ahead, block, &next);

	for (; next < end; next++) {
		struct kdump_part *p = part_of(k, next);
		struct kdump_desc desc;
		const uint8_t *in;

		if (!p || kdump_part_desc(p, next, &desc) != ST_OK || !(desc.flags & CODEC_FLAGS) ||
		    desc.bytes <= ZERO_BYTES)
			continue;
		in = kdump_part_bytes(p, &desc, desc.bytes);
		if (in && !ahead_put(k->ahead, next, desc.flags, in, desc.bytes))
			break;
	}
	if (end)
		ahead_go(k->ahead);
}

static enum status read_block(struct kdump *k, uint64_t block, void *buf)
{
	struct kdump_part *p = part_of(k, block);
	struct kdump_desc desc;
	const uint8_t *in;
	enum status st = p ? kdump_part_desc(p, block, &desc) : ST_UNREADABLE;

	if (st != ST_OK)
		return st;
	if (p == k->zero_part && desc.at == k->zero.at && desc.bytes == k->zero.bytes) {
		memset(buf, 0, k->block_bytes);
		return ST_OK;
	}
	in = kdump_part_bytes(p, &desc, desc.bytes);
	if (!in)
		return ST_UNREADABLE;
	if (!(desc.flags & CODEC_FLAGS)) {
		if (desc.bytes != k->block_bytes)
			return ST_CORRUPT;
		memcpy(buf, in, desc.bytes);
		return ST_OK;
	}
	if (!codec_block(k->codec, desc.flags, in, desc.bytes, buf, k->block_bytes))
		return ST_CORRUPT;
	if (desc.bytes <= ZERO_BYTES && is_zero(buf, k->block_bytes)) {
		k->zero_part = p;
		k->zero = desc;
	}
	return ST_OK;
}

enum status kdump_block(struct kdump *k, uint64_t block, void *buf)
{
	enum status st = k->ahead && ahead_take(k->ahead, block, buf) ? ST_OK
								      : read_block(k, block, buf);

	if (k->ahead)
		put_ahead(k, block);
	return st;
}

bool kdump_start(struct kdump *k, uint64_t block, void *buf, size_t len)
{
	struct kdump_part *p = part_of(k, block);
	struct kdump_desc desc;
	const uint8_t *in = NULL;

	if (p && kdump_part_desc(p, block, &desc) == ST_OK)
		in = kdump_part_bytes(p, &desc, desc.bytes);
	return in && codec_start(k->codec, desc.flags, in, desc.bytes, buf, len);
}

size_t kdump_stored(struct kdump *k, uint64_t block)
{
	struct kdump_part *p = part_of(k, block);
	struct kdump_desc desc;

	return p && kdump_part_desc(p, block, &desc) == ST_OK && desc.flags & CODEC_FLAGS
		       ? desc.bytes
		       : 0;
}

bool kdump_next(const struct kdump *k, uint64_t *block, uint64_t *end)
{
	for (size_t i = 0; i < k->n; i++)
		if (block_set_next(&k->parts[i].blocks, block, end))
			return true;
	return false;
}
