// SPDX-License-Identifier: GPL-2.0-or-later
#include "files/disk_wait.h"

#define FS_REQUIRES_DEV 1 /* a macro of include/linux/fs.h */

const char *const disk_wait_sources[] = { "page", "buffer", "bio", "stack", NULL };

static const struct layout_row rows[] = {
	FINDS(struct disk_waits, entry_key, "struct wait_bit_queue_entry", REQUIRED, "4.13", "key"),
	FINDS(struct disk_waits, entry_wait, "struct wait_bit_queue_entry", REQUIRED, "4.13",
	      "wq_entry"),
	FINDS(struct disk_waits, private, "struct wait_queue_entry", REQUIRED, "all", "private"),
	FINDS(struct disk_waits, key_flags, "struct wait_bit_key", REQUIRED, "all", "flags"),
	FINDS(struct disk_waits, buffer_state, "struct buffer_head", OPTIONAL, "CONFIG_BUFFER_HEAD",
	      "b_state"),
	FINDS(struct disk_waits, buffer_bdev, "struct buffer_head", OPTIONAL, "CONFIG_BUFFER_HEAD",
	      "b_bdev"),
	FINDS(struct disk_waits, bio_bdev, "struct bio", REQUIRED, "5.12, all", "bi_bdev",
	      "bi_disk"),
	FINDS(struct disk_waits, bio_private, "struct bio", REQUIRED, "all", "bi_private"),
	FINDS(struct disk_waits, type, "struct super_block", OPTIONAL, "all", "s_type"),
	FINDS(struct disk_waits, flags, "struct file_system_type", OPTIONAL, "all", "fs_flags"),
};

enum status disk_waits_open(struct dump *d, const struct disks *disks, struct disk_waits *ret)
{
	*ret = (struct disk_waits){ .dump = d, .disks = disks };
	ret->has_pages = page_waits_open(d, &ret->pages) == ST_OK;
	return STRUCTS_OPEN(d, rows, ret);
}

/* The disk that a word at an address leads to, as b_bdev or bi_bdev. */
static const struct disk *disk_at(const struct disk_waits *x, uint64_t address)
{
	uint8_t raw[8];

	return dump_try(x->dump, address, raw, sizeof(raw)) == ST_OK
		       ? disks_find(x->disks, le64(raw))
		       : NULL;
}

/* A file system of which it is known that it is on no disk. */
static bool has_no_disk(const struct disk_waits *x, uint64_t super)
{
	uint64_t type;
	uint32_t flags;

	return x->type.present && x->flags.present &&
	       dump_u64(x->dump, super + x->type.offset, &type, "super_block") == ST_OK &&
	       dump_u32(x->dump, type + x->flags.offset, &flags, "file_system_type") == ST_OK &&
	       !(flags & FS_REQUIRES_DEV);
}

static const struct disk *by_page(const struct disk_waits *x, uint64_t task,
				  const struct task_stack *s, uint64_t from, uint64_t to,
				  bool *is_elsewhere)
{
	struct page_wait page;
	const struct disk *ret;

	if (!x->has_pages || page_wait_find(&x->pages, task, s, from, to, &page) != ST_OK)
		return NULL;
	ret = disks_find(x->disks, page.inode) ?: disks_find(x->disks, page.super);
	*is_elsewhere = !ret && has_no_disk(x, page.super);
	return ret;
}

/* What waits for a bit of a buffer_head has its address in the entry (__wait_on_buffer() in fs/buffer.c). */
static const struct disk *by_buffer(const struct disk_waits *x, uint64_t task,
				    const struct task_stack *s, uint64_t from, uint64_t to)
{
	const struct disk *disk = NULL;
	uint64_t word, flags;

	if (!x->buffer_state.present || !x->buffer_bdev.present)
		return NULL;
	for (uint64_t at = from; at < to && !disk; at += 8)
		if (task_stack_word(s, at, &word) && word == task &&
		    task_stack_word(s,
				    at - x->private.offset - x->entry_wait.offset +
					    x->entry_key.offset + x->key_flags.offset,
				    &flags) &&
		    flags && !(flags & 7))
			disk = disk_at(x, flags - x->buffer_state.offset + x->buffer_bdev.offset);
	return disk;
}

/*
 * submit_bio_wait() (block/bio.c) lets the end of the bio complete a struct completion on its stack, before 5.17 direct
 * I/O the end of one wake the task itself. The bio is on the stack, too, or an address of it is.
 */
static const struct disk *by_bio(const struct disk_waits *x, uint64_t task,
				 const struct task_stack *s, uint64_t from, uint64_t to)
{
	const struct disk *disk = NULL;
	uint64_t word, own;
	uint8_t raw[8];

	for (uint64_t at = from; at < to && !disk; at += 8) {
		if (!task_stack_word(s, at, &word) || !word || word & 7)
			continue;
		if (task_stack_word(s, at - x->bio_bdev.offset + x->bio_private.offset, &own) &&
		    (own == task || (own >= from && own < to)))
			disk = disks_find(x->disks, word);
		if (disk ||
		    dump_try(x->dump, word + x->bio_private.offset, raw, sizeof(raw)) != ST_OK)
			continue;
		own = le64(raw);
		if (own == task || (own >= from && own < to))
			disk = disk_at(x, word + x->bio_bdev.offset);
	}
	return disk;
}

static const struct disk *by_stack(const struct disk_waits *x, const struct task_stack *s,
				   uint64_t from, uint64_t to)
{
	const struct disk *found = NULL;
	uint64_t word;

	for (uint64_t at = from; at < to; at += 8) {
		const struct disk *disk = task_stack_word(s, at, &word) ? disks_find(x->disks, word)
									: NULL;

		if (disk && found && disk != found)
			return NULL;
		found = disk ?: found;
	}
	return found;
}

enum status disk_wait_find(const struct disk_waits *x, uint64_t task, const struct task_stack *s,
			   const struct disk_wait_frames *f, const struct disk **disk,
			   enum disk_wait_source *source)
{
	const struct disk *found[DISK_WAIT_SOURCES] = { NULL };
	const uint64_t from = f->from & ~7ULL;
	bool is_elsewhere = false;

	found[DISK_WAIT_PAGE] = by_page(x, task, s, from, f->page_to, &is_elsewhere);
	found[DISK_WAIT_BUFFER] = by_buffer(x, task, s, from, f->buffer_to);
	/* What waits for either has no bio of its own: one on its stack is of before. */
	if (!f->page_to && !f->buffer_to)
		found[DISK_WAIT_BIO] = by_bio(x, task, s, from, f->to);
	/* Another file system on the way there may be on one: a file that is written from such pages. */
	if (!is_elsewhere)
		found[DISK_WAIT_STACK] = by_stack(x, s, from, f->to);
	for (unsigned int i = 0; i < DISK_WAIT_SOURCES; i++)
		if (found[i]) {
			*disk = found[i];
			*source = i;
			return ST_OK;
		}
	return dump_absent(x->dump, "no disk that the task waits for is known");
}
