// SPDX-License-Identifier: GPL-2.0-or-later
/* A file system that is full: who waits for room there is in no list of the kernel, writes fail. */
#include "memory/filesystems.h"
#include "memowner/summary.h"
#include "memowner/verdict_words.h"

/* Nothing is left for processes; or hardly anything, of which they may have none. */
static bool is_full(const struct filesystem *f)
{
	if (!f->has_space || f->space.is_read_only || !f->space.bytes)
		return false;
	return units_tenths(f->has_available ? f->space.available : f->space.free, f->space.bytes) <
	       limit(f->has_available ? LIMIT_FULL : LIMIT_KEPT_FOR_ROOT);
}

/* "/data/log/query.log (deleted)"; NULL: it has no path that is known. */
static const char *path_of(struct dump *d, uint64_t address)
{
	struct inodes *inodes = dump_alloc(d, sizeof(*inodes));
	struct inode_paths *paths = dump_alloc(d, sizeof(*paths));
	struct inode_name name = { 0 };
	struct inode inode;
	enum status st = inodes_open(d, inodes) ?: inode_paths_open(d, paths)
					     ?: inode_read(inodes, address, &inode)
					     ?: inode_path(paths, &inode, &name);

	return st == ST_OK ? name.path : NULL;
}

/* ": of the largest, /data/log/query.log with 98.0M, by query-log (165)" */
static void add_largest(struct summary *s, const struct filesystem *f, struct strbuf *b)
{
	struct dump *d = s->dump;
	struct open_files *o = dump_alloc(d, sizeof(*o));
	const char *path = path_of(d, f->largest);
	const struct file_users *u;
	struct hash_u64 wanted;
	enum status st;

	strbuf_add(b, ", %s%s", f->removed > 1 ? "the largest " : "",
		   path ?: "a file without a path");
	if (f->removed > 1)
		strbuf_add(b, " with %s", SIZE_TEXT((int64_t)f->most));
	hash_u64_init(&wanted, d->arena, 0);
	hash_u64_get(&wanted, f->largest, NULL);
	st = open_files_open(d, o) ?: open_files_read(o, &wanted);
	u = st == ST_OK ? open_files_find(o, f->largest) : NULL;
	if (u && u->kept) {
		strbuf_add(b, ", which %s (%d)", u->all[0]->comm, u->all[0]->tgid);
		if (u->n > 1)
			strbuf_add(b, " and %s", PLURAL_TEXT(u->n - 1, "more", "more"));
		strbuf_add(b, " %s open", u->n > 1 ? "have" : "has");
	} else if (st != ST_OK || !o->complete) {
		summary_unknown(s, "who has removed files open", NOT_IN_DUMP, "%s",
				st != ST_OK ? dump_why(d) : o->problem);
	}
}

static void put(struct summary *s, struct filesystems *all, struct filesystem *f)
{
	struct strbuf b = STRBUF_OF(1024);

	strbuf_add(&b, "the file system %s (%s%s%s) ", f->mount, f->type,
		   strcmp(f->id, f->type) ? " on " : "", strcmp(f->id, f->type) ? f->id : "");
	if (f->has_available)
		strbuf_add(&b, "is full: of %s %s left for processes",
			   SIZE_TEXT((int64_t)f->space.bytes),
			   f->space.available ? dump_text(s->dump, "%s is",
							  SIZE_TEXT((int64_t)f->space.available))
					      : "nothing is");
	else
		strbuf_add(&b,
			   "may be full: of %s %s is free, and how much of that root alone may use "
			   "is not in this dump",
			   SIZE_TEXT((int64_t)f->space.bytes), SIZE_TEXT((int64_t)f->space.free));
	filesystem_find_removed(all, f);
	if (f->has_removed_bytes && f->most &&
	    units_tenths(f->removed_bytes, f->space.bytes) >= limit(LIMIT_HOLDER)) {
		strbuf_add(&b, "; %s of it %s", SIZE_TEXT((int64_t)f->removed_bytes),
			   f->removed == 1 ? "in a file that was removed and is in use"
					   : "in files that were removed and are in use");
		add_largest(s, f, &b);
	}
	SUMMARY_ADD(s, .section = SECTION_STUCK, .remark = dump_strdup(s->dump, b.buf));
	s->has_full = true;
}

void summary_add_full(struct summary *s)
{
	struct filesystems all;
	struct filesystem *most = NULL;
	enum status st = filesystems_collect(s->dump, &all);

	for (struct filesystem *f = st == ST_OK ? all.first : NULL; f; f = f->next)
		if (is_full(f) && (!most || f->space.bytes > most->space.bytes))
			most = f;
	if (most)
		put(s, &all, most);
	if (st != ST_OK && st != ST_STOPPED && st != ST_ABSENT)
		summary_unknown(s, "full file systems", availability_of(st), "%s",
				dump_why(s->dump));
	else if (st == ST_OK && all.problem)
		summary_unknown(s, "full file systems", NOT_IN_DUMP, "%s", all.problem);
	s->dump->error[0] = '\0';
}
