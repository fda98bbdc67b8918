// SPDX-License-Identifier: GPL-2.0-or-later
#include "vm/dma_buf_users.h"

static enum status add_buf(void *arg, const struct dma_buf *buf)
{
	struct dma_buf_users *u = arg;
	struct found_buf *found = dump_alloc(u->dump, sizeof(*found));

	found->buf = *buf;
	found->next = NULL;
	*u->last = found;
	u->last = &found->next;
	u->n++;
	u->bytes += buf->bytes;
	return ST_OK;
}

/* ST_STOPPED ends it; of the rest, the first is told. */
static enum status keep_going(struct dma_buf_users *u, enum status st)
{
	if (st == ST_OK || st == ST_STOPPED)
		return st;
	u->is_partial = true;
	if (!u->problem)
		u->problem = dump_why(u->dump);
	return ST_OK;
}

static void note_users(struct dma_buf_users *u, const char *problem)
{
	if (!u->users_problem)
		u->users_problem = dump_strdup(u->dump, problem);
}

static void open_users(struct dma_buf_users *u)
{
	struct dump *d = u->dump;
	enum status st = cached_files_open(d, &u->files) ?: open_files_open(d, &u->open) ?:
		file_maps_open(d, &u->maps);

	if (st == ST_OK && u->by_files && !u->open.has_operations)
		st = dump_unknown(d, "struct file has no f_op");
	u->has_users = st == ST_OK;
	if (st != ST_OK)
		note_users(u, d->error);
}

static enum status add_user(void *arg, uint64_t file, uint64_t operations,
			    const struct file_user *user)
{
	struct dma_buf_users *u = arg;

	if (hash_u64_has(&u->opened, file) || (u->by_files && operations == u->bufs.ops))
		file_users_add(u->dump->arena, hash_u64_get(&u->opened, file, NULL), user);
	return ST_OK;
}

/* By their struct file: up to 5.2 the files of all buffers have one inode. */
static enum status read_open_files(struct dma_buf_users *u)
{
	enum status st;

	hash_u64_init(&u->opened, u->dump->arena, sizeof(struct file_users));
	for (const struct found_buf *f = u->first; f; f = f->next)
		hash_u64_get(&u->opened, f->buf.file, NULL);
	u->open.visit = add_user;
	u->open.arg = u;
	st = open_files_read(&u->open, NULL);
	if (u->open.problem)
		note_users(u, u->open.problem);
	return st;
}

/* Two struct files of one buffer do not exist: open() of its inode is not possible. */
static enum status add_open_bufs(struct dma_buf_users *u)
{
	enum status st = ST_OK;

	for (const struct hash_u64_entry *e = u->opened.first; e && st == ST_OK; e = e->next) {
		struct dma_buf buf = { 0 };
		uint64_t address;

		st = dma_buf_of_file(&u->bufs, e->key, &address)
			     ?: dma_buf_read(&u->bufs, address, &buf);
		st = st == ST_OK ? add_buf(u, &buf) : keep_going(u, st);
	}
	return st;
}

enum status dma_buf_users_read(struct dump *d, uint64_t bytes, struct dma_buf_users *ret)
{
	struct dma_buf_users *u = ret;
	enum status st;

	*u = (struct dma_buf_users){ .dump = d };
	u->last = &u->first;
	st = dma_bufs_open(d, &u->bufs);
	if (st != ST_OK)
		return st;
	u->by_files = !u->bufs.list;
	if (!u->by_files)
		st = keep_going(u, dma_bufs_walk(&u->bufs, add_buf, u));
	if (st == ST_OK && (u->by_files || (u->first && u->bytes >= bytes)))
		open_users(u);
	if (st == ST_OK && u->has_users)
		st = read_open_files(u);
	if (st == ST_OK && u->has_users && u->by_files)
		st = add_open_bufs(u);
	u->is_partial |= u->by_files && (!u->has_users || !u->open.complete);
	return st;
}

bool dma_buf_users_of(struct dma_buf_users *u, const struct dma_buf *buf,
		      struct file_all_users *ret, enum status *st)
{
	const struct cached_file *file;

	*st = ST_OK;
	if (!u->has_users)
		return false;
	file = cached_file_at(&u->files, buf->mapping);
	if (file->status != ST_OK) {
		note_users(u, file->problem);
		return false;
	}
	u->maps.file = buf->file;
	*st = file_maps_with(&u->maps, ST_OK, &file->mapping, hash_u64_find(&u->opened, buf->file),
			     &u->open, ret);
	if (*st == ST_STOPPED)
		return false;
	if (*st != ST_OK)
		note_users(u, u->dump->error);
	*st = ST_OK;
	return true;
}
