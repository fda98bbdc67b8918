// SPDX-License-Identifier: GPL-2.0-or-later
/* Shared memory of many small files: the file systems that have it, and the cgroup that is charged. */
#include "files.h"

#include "pageowner/view.h"

#define MAX_PATH 470 /* in a command to type */
#define PLAIN "/._-+:@=%0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"

struct mounted {
	struct cached_file *largest;
	uint64_t most; /* pages that it has, in swap too */
	uint64_t files, pages, swapped;
};

/* NULL: the row of another section has the file, or it cannot be read. */
static struct cached_file *file_of(struct summary_files *f, uint64_t key,
				   const struct hash_u64 *told)
{
	struct cached_file *file;

	if (!file_key_mapping(key) || file_key_class(key) != FILE_SHMEM)
		return NULL;
	file = cached_file_at(&f->files, file_key_mapping(key));
	return file && file->status == ST_OK && !hash_u64_has(told, file->inode.address) ? file
											 : NULL;
}

static void sum_files(struct summary_files *f, const struct hash_u64 *told, struct hash_u64 *supers)
{
	for (const struct hash_u64_entry *e = f->pages.uses.first; e; e = e->next) {
		const uint64_t pages = ((const struct file_use *)e->value)->pages;
		struct cached_file *file = file_of(f, e->key, told);
		uint64_t swapped;
		struct mounted *m;

		if (!file)
			continue;
		swapped = file->inode.has_swapped ? file->inode.swapped : 0;
		m = hash_u64_get(supers, file->inode.sb, NULL);
		if (!m->files++ || pages + swapped > m->most) {
			m->largest = file;
			m->most = pages + swapped;
		}
		m->pages += pages;
		m->swapped += swapped;
	}
}

struct charge {
	const char *path;
	uint64_t pages;
};

/* The cgroup that is charged for most of its pages; path NULL: none that is known. */
static struct charge find_charge(struct owner_view *v, struct summary_files *f, uint64_t super,
				 const struct hash_u64 *told)
{
	struct charge most = { NULL, 0 };
	struct hash_u64 paths;

	hash_u64_init(&paths, v->dump->arena, sizeof(uint64_t));
	for (const struct hash_u64_entry *e = f->pages.uses.first; e && v->has_memcgs;
	     e = e->next) {
		const struct file_use *use = (const struct file_use *)e->value;
		const struct cached_file *file = file_of(f, e->key, told);
		struct charge c = { NULL, 0 };
		uint64_t *pages;

		if (!file || file->inode.sb != super || !use->memcg)
			continue;
		c.path = intern(&v->texts, memcgs_path(&v->memcgs, use->memcg));
		if (!c.path)
			continue;
		pages = hash_u64_get(&paths, (uint64_t)(uintptr_t)c.path, NULL);
		c.pages = *pages += use->shares_memcg;
		most = c.pages > most.pages ? c : most;
	}
	return most;
}

static const char *remark_on(struct summary *s, struct summary_files *f, const struct mounted *m,
			     const struct charge *c)
{
	struct strbuf b = STRBUF_OF(512);

	/* Of files whose pages are not in this dump nothing is known. */
	strbuf_add(&b, "%s%s", s->pages_missing ? "at least " : "",
		   PLURAL_TEXT(m->files, "file", "files"));
	if (m->files > 1)
		strbuf_add(&b, ", the largest %.100s",
			   cached_file_name(&f->files, m->largest) ?: "without a name");
	if (m->swapped)
		strbuf_add(&b, ", in swap %s", summary_size(s, m->swapped));
	if (c->path && c->pages > m->pages / 2)
		strbuf_add(&b, ", %scharged to %.300s", c->pages < m->pages ? "most " : "",
			   c->path);
	return arena_strdup(s->dump->arena, b.buf);
}

/* Whether a path is one that neither a shell nor a glob of a filter takes for more. */
static bool is_plain(const char *path)
{
	return *path == '/' && strspn(path, PLAIN) == strlen(path);
}

/* Who is charged for the files of the largest one; where that is not known each file has its row. */
static void propose(struct summary *s, const struct mounted *m, const char *path,
		    const struct charge *c)
{
	if (!is_plain(path) || !c->path || strlen(path) > MAX_PATH) {
		s->has_files = true;
		return;
	}
	if (s->next_mount && s->next_mount_pages >= m->pages + m->swapped)
		return;
	s->next_mount_pages = m->pages + m->swapped;
	s->next_mount = arena_text(s->dump->arena, "pageowner -g memcg -f file=%s%s*", path,
				   path[1] ? "/" : "");
}

static enum status put_mounted(struct summary *s, struct summary_files *f, uint64_t super,
			       const struct mounted *m, const struct hash_u64 *told)
{
	struct charge charge = find_charge(s->view, f, super, told);
	const struct super *sb = m->largest->inode.super;
	const char *path = NULL;
	enum status st = f->files.paths_status;

	if (st == ST_OK)
		st = inode_mount_path(&f->files.paths, &m->largest->inode, &path);
	else
		st = dump_fail(s->dump, st, "%s", f->files.problem ?: "paths");
	if (st != ST_OK) {
		path = arena_text(s->dump->arena, "[%.64s %u:%u]", sb->type, dev_major(sb->dev),
				  dev_minor(sb->dev));
		st = summary_failed(s, "mount points", st);
	}
	if (st != ST_OK)
		return st;
	SUMMARY_ADD(s, .section = SECTION_HOLDER, .by = "tmpfs", .name = path,
		    .pages = { m->pages, true }, .swapped = { m->swapped, true },
		    .remark = remark_on(s, f, m, &charge));
	propose(s, m, path, &charge);
	return ST_OK;
}

enum status summary_mounts_put(struct summary *s, struct summary_files *f,
			       const struct hash_u64 *told)
{
	struct hash_u64 supers;
	enum status st = ST_OK;

	hash_u64_init(&supers, s->dump->arena, sizeof(struct mounted));
	sum_files(f, told, &supers);
	hash_u64_for_each(const struct mounted, m, &supers)
		if (st == ST_OK && summary_reaches(s, LIMIT_HOLDER, m->pages + m->swapped))
			st = put_mounted(s, f, hash_u64_entry_of(m)->key, m, told);
	return st;
}
