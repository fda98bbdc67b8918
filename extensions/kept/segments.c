// SPDX-License-Identifier: GPL-2.0-or-later
/* Segments of System V shared memory that no process has attached: they stay until they are removed. */
#include "memowner/files.h"

#include "files/sysv_shm.h"

#define CREATORS_TOLD 4

struct creator {
	enum sysv_life life;
	uint64_t segments;
};

/* The segments, and whether others are of the same program. */
struct orphans {
	struct summary *s;
	uint64_t n, pages, swapped;
	uint64_t bytes;		  /* of each; 0: they differ */
	struct hash_u64 creators; /* of struct creator by tgid; 0: unknown */
	struct maybe_u64 uid;	  /* of who made each; unknown: of several too */
	const char *charged;	  /* the cgroup of each; NULL: several, or unknown */
	struct cached_file *first;
	struct maybe_u64 first_written, written; /* known of all of them; s since 1970 */
	/* Attached ones of the same size, by the process that made them; 0: several processes did. */
	uint64_t attached, attached_by;
};

static const struct sysv_shm *segment_of(struct summary_files *f, const struct sysv_shms *shms,
					 uint64_t key, struct cached_file **file)
{
	if (!file_key_mapping(key) || file_key_class(key) == FILE_CACHE)
		return NULL;
	*file = cached_file_at(&f->files, file_key_mapping(key));
	return (*file)->status == ST_OK ? hash_u64_find(&shms->by_inode, (*file)->inode.address)
					: NULL;
}

/* A page fault that writes sets i_mtime as well: file_update_time() in fault_dirty_shared_page(), mm/memory.c. */
static void note_written(struct orphans *o, const struct inode *inode)
{
	const uint64_t s = inode->mtime_s;

	o->first_written.n = s < o->first_written.n ? s : o->first_written.n;
	o->written.n = s > o->written.n ? s : o->written.n;
	o->first_written.known &= inode->has_mtime;
	o->written.known &= inode->has_mtime;
}

static void add_orphan(struct orphans *o, const struct sysv_shm *shm, struct cached_file *file,
		       const struct file_use *use)
{
	const char *charged = summary_file_charge(o->s->view, use);
	struct creator *c = hash_u64_get(&o->creators, shm->creator.n, NULL);

	c->life = shm->creator_life;
	c->segments++;
	if (!o->n++) {
		o->first_written = o->written = (struct maybe_u64){ file->inode.mtime_s, true };
		o->bytes = shm->bytes;
		o->uid = shm->uid;
		o->charged = charged;
		o->first = file;
	}
	o->uid.known &= shm->uid.known && shm->uid.n == o->uid.n;
	if (o->bytes != shm->bytes)
		o->bytes = 0;
	if (!charged || !o->charged || strcmp(charged, o->charged) != 0)
		o->charged = NULL;
	note_written(o, &file->inode);
	o->pages += use->pages;
	o->swapped += file->inode.has_swapped ? file->inode.swapped : 0;
}

static void add_attached(struct orphans *o, const struct sysv_shm *shm)
{
	if (!shm->attaches || shm->bytes != o->bytes)
		return;
	if (!o->attached++)
		o->attached_by = shm->creator_life == SYSV_LIVE ? shm->creator.n : 0;
	else if (o->attached_by != shm->creator.n)
		o->attached_by = 0;
}

/* "processes 118 and 123, which have ended"; ret: how many there are. */
static unsigned int add_ended(const struct orphans *o, struct strbuf *b)
{
	unsigned int n = 0, told = 0;

	hash_u64_for_each(const struct creator, c, &o->creators)
		n += c->life == SYSV_ENDED && hash_u64_entry_of(c)->key;
	if (!n)
		return 0;
	strbuf_add(b, "process%s", n > 1 ? "es" : "");
	for (const struct hash_u64_entry *e = o->creators.first; e; e = e->next) {
		if (((const struct creator *)e->value)->life != SYSV_ENDED || !e->key)
			continue;
		if (told == CREATORS_TOLD) {
			strbuf_add(b, " and %u more", n - told);
			break;
		}
		strbuf_add(b, "%s %lu", !told ? "" : told == n - 1 ? " and" : ",", e->key);
		told++;
	}
	strbuf_add(b, ", which %s ended", n > 1 ? "have" : "has");
	return n;
}

static void add_living(const struct orphans *o, unsigned int before, struct strbuf *b)
{
	unsigned int n = before;

	for (const struct hash_u64_entry *e = o->creators.first; e; e = e->next) {
		const enum sysv_life life = ((const struct creator *)e->value)->life;
		const char *name = e->key && life == SYSV_LIVE
					   ? summary_process_name(o->s, (int32_t)e->key)
					   : NULL;

		if (e->key && life == SYSV_ENDED)
			continue;
		if (n++ == CREATORS_TOLD)
			strbuf_add(b, " and others");
		if (n > CREATORS_TOLD)
			break;
		strbuf_add(b, "%s%s", n > 1 ? " and by " : "", name ?: "");
		if (!name)
			strbuf_add(b, e->key ? "process %lu" : "an unknown process", e->key);
	}
}

/* "made by user 0, processes 118 and 123, which have ended" */
static const char *made_by(const struct orphans *o)
{
	struct strbuf b = STRBUF_OF(512);

	strbuf_add(&b, "made by ");
	if (o->uid.known)
		strbuf_add(&b, "user %lu, ", o->uid.n);
	add_living(o, add_ended(o, &b), &b);
	return dump_strdup(o->s->dump, b.buf);
}

/* A process that ends leaves no name: one of the same program may have made more of them. */
static const char *brief_on(const struct orphans *o, const char *made)
{
	const char *like = o->attached_by ? summary_process_name(o->s, (int32_t)o->attached_by)
					  : NULL;
	struct strbuf b = STRBUF_OF(768);

	strbuf_add(&b, "%suntil ipcrm(1) removes %s; %s", o->s->pages_missing ? "at least, " : "",
		   o->n > 1 ? "them" : "it", made);
	if (like)
		strbuf_add(&b, "; %s made %s of the same size, which %s attached", like,
			   o->attached == 1 ? "one" : COUNT_TEXT(o->attached),
			   o->attached == 1 ? "is" : "are");
	return dump_strdup(o->s->dump, b.buf);
}

static const char *name_of(const struct orphans *o)
{
	if (o->n > 1)
		return dump_text(o->s->dump,
				 "%s segments of SysV shared memory that no process has attached",
				 COUNT_TEXT(o->n));
	return dump_text(o->s->dump, "SysV shared memory %.*s, which no process has attached",
			 o->first->path ? (int)strcspn(o->first->path, " ") : 0,
			 o->first->path ?: "");
}

static void put(struct orphans *o)
{
	const char *made = made_by(o);
	/* That the root is charged says nothing. */
	const char *charged = o->charged && o->charged[1] ? o->charged : NULL;
	static const char command[] = "memowner files -f file_kind=sysv_shm -o "
				      "+shm_id,attaches,created_by";

	SUMMARY_ADD(o->s, .section = SECTION_HOLDER, .by = "sysv_shm", .name = name_of(o),
		    .pages = { o->pages, true }, .swapped = { o->swapped, true },
		    .first_written = o->first_written, .written = o->written, .charged = charged,
		    .brief = brief_on(o, made), .remark = made, .command = command);
	summary_propose(o->s, command, o->pages);
}

enum status summary_segments_put(struct summary *s, struct summary_files *f, struct hash_u64 *told)
{
	struct orphans o = { .s = s };
	struct sysv_shms shms;
	struct cached_file *file;
	enum status st = sysv_shms_read(s->dump, &shms);

	if (st == ST_ABSENT)
		return ST_OK;
	if (st != ST_OK)
		return summary_failed(s, "segments of SysV shared memory", st);
	hash_u64_init(&o.creators, s->dump->arena, sizeof(struct creator));
	for (const struct hash_u64_entry *e = f->pages.uses.first; e; e = e->next) {
		const struct sysv_shm *shm = segment_of(f, &shms, e->key, &file);

		if (shm && !shm->attaches)
			add_orphan(&o, shm, file, (const struct file_use *)e->value);
	}
	if (!o.n || !summary_reaches_of(s, LIMIT_HOLDER, o.pages + o.swapped, o.charged))
		return ST_OK;
	hash_u64_for_each(const struct sysv_shm, shm, &shms.by_inode)
		add_attached(&o, shm);
	for (const struct hash_u64_entry *e = f->pages.uses.first; e; e = e->next) {
		const struct sysv_shm *shm = segment_of(f, &shms, e->key, &file);

		if (shm && !shm->attaches)
			hash_u64_get(told, file->inode.address, NULL);
	}
	cached_file_path(&f->files, o.first);
	put(&o);
	return ST_OK;
}
