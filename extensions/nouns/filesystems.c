// SPDX-License-Identifier: GPL-2.0-or-later
#include "memory/filesystems.h"

#include "kernel/machine.h"
#include "noun.h"

#define ROW struct filesystem
#define NS_PER_S 1000000000ULL

/* The size of a disk is a bound of it, which no one can compare. */
CELL_FROM(used_cell, ROW, cell_if(r->has_space && !r->space.is_of_disk, cell_uint(r->used)))
CELL_FROM(share_cell, ROW,
	  cell_if(r->has_available && r->used + r->space.available,
		  cell_uint(filesystem_used_tenths(r))))
CAN_HAVE(may_have_inodes, ROW, void, !r->has_space || !r->space.has_no_inodes)

/* Seconds that the machine went on after it. */
static struct cell since(const struct owner_view *v, const struct filesystem *f, uint64_t s)
{
	const struct filesystems *x = v->own;
	const bool known = f->has_changes && x->end_s.known && s <= x->end_s.n;

	return cell_if(known, cell_uint(known ? (x->end_s.n - s) * NS_PER_S : 0));
}

CELL_WITH(first_cell, ROW, struct owner_view, since(v, r, r->changes.first_s))
CELL_WITH(half_cell, ROW, struct owner_view, since(v, r, r->changes.half_s))
CELL_WITH(last_cell, ROW, struct owner_view, since(v, r, r->changes.last_s))
CAN_HAVE(may_have_changes, ROW, void, r->is_shmem)

static const struct view_column columns[] = {
	{ COLUMN_bytes, IN_BOTH,
	  "of the file system, as df(1) has it; of ext4 whose super block is not in the dump of its disk",
	  UINT_IF(ROW, space.bytes, has_space) },
	{ COLUMN_used_bytes, IN_BOTH,
	  "of the file system that are not free; null: of ext4 whose super block is not in the dump",
	  CELL_BY(used_cell) },
	{ COLUMN_unused_bytes, IN_BOTH, UINT_IF(ROW, space.free, has_space) },
	{ COLUMN_available_bytes, IN_BOTH,
	  "null: of ext4 whose super block is not in the dump, or unknown",
	  UINT_IF(ROW, space.available, has_available) },
	{ COLUMN_used_percent, IN_BOTH, CELL_BY(share_cell) },
	{ COLUMN_max_inodes, IN_BOTH, "unknown: of ext4 whose super block is not in the dump",
	  .can_have = may_have_inodes, UINT_IF(ROW, space.inodes, has_inodes) },
	{ COLUMN_free_inodes, IN_BOTH, "null: as max_inodes", .can_have = may_have_inodes,
	  UINT_IF(ROW, space.free_inodes, has_free_inodes) },
	{ COLUMN_memory_inodes, IN_BOTH, UINT_IF(ROW, cached, has_cached) },
	{ COLUMN_named_inodes, IN_JSON, UINT_IF(ROW, named, has_cached) },
	{ COLUMN_watched_inodes, IN_JSON, UINT_IF(ROW, watched, has_cached) },
	{ COLUMN_unused_objects, IN_JSON, UINT_IF(ROW, unused, has_unused) },
	{ COLUMN_first_changed_ns, IN_JSON, .can_have = may_have_changes, CELL_BY(first_cell) },
	{ COLUMN_half_changed_ns, IN_JSON, .can_have = may_have_changes, CELL_BY(half_cell) },
	{ COLUMN_changed_ns, IN_JSON, .can_have = may_have_changes, CELL_BY(last_cell) },
	{ COLUMN_removed_files, IN_BOTH, UINT_IF(ROW, removed, has_removed) },
	{ COLUMN_removed_bytes, IN_BOTH, "null: unknown, or their inodes do not tell",
	  UINT_IF(ROW, removed_bytes, has_removed_bytes) },
	{ COLUMN_read_only, IN_JSON, BOOL_IF(ROW, space.is_read_only, has_space) },
	{ COLUMN_fs_type, IN_BOTH, TEXT_OF(ROW, type) },
	{ COLUMN_disk_id, IN_BOTH, "that the file system is on; of one without, its type",
	  TEXT_OF(ROW, id) },
	{ COLUMN_device, IN_JSON, TEXT_OF(ROW, device) },
	{ COLUMN_mount, IN_BOTH, TEXT_OF(ROW, mount) },
	BASIS(derived),
};

static const struct key keys[] = {
	{ COLUMN_fs_type, "type of the file system", KEY_FILTERS, .any_case = true },
	{ COLUMN_disk_id, "disk that it is on", KEY_FILTERS },
	{ COLUMN_mount, "where it is mounted", KEY_FILTERS,
	  .elsewhere = "disk_id is the disk that it is on" },
	{ COLUMN_bytes, "size of the file system", KEY_FILTERS },
};

#define MANY_INODES 1000 /* fewer are no memory that is missed */

/* What keeps the inodes of one in their cache; a file of tmpfs is nowhere else. */
static void put_cached(const struct owner_view *v, const struct filesystem *f)
{
	if (!f->has_cached || f->cached < MANY_INODES)
		return;
	sink_printf(v->out, "%s: %s inodes in memory, %s with a dentry", f->mount,
		    COUNT_TEXT(f->cached), COUNT_TEXT(f->named));
	if (f->watched)
		sink_printf(v->out, ", %s watched by inotify or fanotify", COUNT_TEXT(f->watched));
	if (f->has_unused)
		sink_printf(v->out, "; of them and their dentries reclaim may free %s",
			    COUNT_TEXT(f->unused));
	sink_printf(v->out, "%s\n",
		    f->is_shmem ? ": files of tmpfs stay until they are removed" : "");
}

/* Processes may have a mount namespace of their own (PrivateTmp= of systemd), and a mount may cover another. */
static void put_same_mounts(const struct owner_view *v)
{
	const struct table *t = &v->in->table;
	const size_t mount = table_index(t, COLUMN_mount);
	const char *first = NULL;
	struct hash_bytes paths; /* how many rows have each */
	size_t n = 0;

	hash_bytes_init(&paths, v->dump->arena, sizeof(uint64_t));
	for (size_t i = 0; i < t->n; i++) {
		const struct cell *c = &t->rows[i][mount];
		uint64_t *rows;

		if (c->kind != CELL_TEXT)
			continue;
		rows = hash_bytes_get(&paths, c->text, strlen(c->text) + 1, NULL)->value;
		if (++*rows != 2)
			continue;
		first = first ?: c->text;
		n++;
	}
	if (n)
		sink_printf(v->out,
			    "%s%s has several file systems: one covers another, or is seen by "
			    "processes with mounts of their own alone\n",
			    first, n > 1 ? ", as others," : "");
}

static bool has_row(const struct filesystems *x, const char *mount)
{
	return ANY_NEXT(f, x->first, !strcmp(f->mount, mount));
}

/* Whether a filter asks for one that has no row. */
static bool is_asked(const struct owner_view *v, const struct filesystem_left *left)
{
	for (unsigned int i = 0; i < v->in->filters.n; i++) {
		const struct filter *f = &v->in->filters.filters[i];
		const enum column_id column = keys[f->key].column;

		if (!f->exclude && ((column == COLUMN_fs_type && filter_names(f, left->type)) ||
				    (column == COLUMN_mount && filter_names(f, left->mount) &&
				     !has_row(v->own, left->mount))))
			return true;
	}
	return false;
}

#define LEFT_TOLD 3

static void tell_left(struct owner_view *v, const struct filesystems *x)
{
	unsigned int n = 0;

	for (const struct filesystem_left *l = x->left; l && v->in->filters.n; l = l->next)
		if (is_asked(v, l) && n++ < LEFT_TOLD)
			report_warn(&v->report, "no row of %s (%s): %s", l->mount, l->type, l->why);
	if (n > LEFT_TOLD)
		report_warn(&v->report, "nor of %s more", COUNT_OF(n - LEFT_TOLD, "file system"));
}

/* Counters of the file system know nothing of what is below its disk. */
static void put_text(void *arg)
{
	const struct owner_view *v = arg;
	struct strbuf b = STRBUF_OF(512);

	for (const struct filesystem *f = v->collected.first; f; f = f->next)
		if (f->has_space && f->id && !strncmp(f->id, "dm-", strlen("dm-")) &&
		    !strstr(b.buf, f->id))
			strbuf_add(&b, "%s%s", strbuf_between(&b, ", "), f->id);
	for (const struct filesystem *f = v->collected.first; f; f = f->next)
		put_cached(v, f);
	if (b.len)
		sink_printf(
			v->out,
			"FREE and AVAIL are of the file system alone: a thin pool below %s%s may have less\n",
			b.buf, b.cut ? " ..." : "");
	put_same_mounts(v);
}

static enum status open_view(void *arg, enum availability *why)
{
	struct owner_view *v = arg;
	struct filesystems *x = v->own = dump_alloc(v->dump, sizeof(*x));
	struct machine machine;
	enum status st;

	owner_view_init(v);
	st = filesystems_collect(v->dump, x);
	if (st == ST_OK) {
		machine_read(v->dump, &v->report.info, &machine);
		x->end_s = machine.end_utc_s;
	}
	for (struct filesystem *f = st == ST_OK ? x->first : NULL; f; f = f->next)
		filesystem_find_removed(x, f);
	if (st == ST_OK)
		st = filesystems_find_cached(x);
	const struct gap gaps[] = {
		GAP_WHY("file systems, or figures of one, may be missing: %s", x->problem),
		{ "USED, AVAIL, USE% and INODES of %s are unknown, and SIZE at most that, by the disk: "
		  "the super block, a page of its cache, is not in this dump",
		  x->of_disk, "file system", "file systems", .keeps_sizes = true },
		{ "how much space a file system has is known of ext4, xfs and tmpfs, not of %s",
		  x->untold != NULL, NULL, NULL, .why = x->untold, .is_note = true },
	};
	v->collected = (struct collected){
		.first = x->first,
		.gaps = GAPS_OF(v->dump, gaps),
		.is_partial = st == ST_STOPPED || x->problem,
	};
	tell_left(v, x);
	*why = availability_of(st);
	return st == ST_STOPPED ? ST_OK : st;
}

static const struct view view = {
	"filesystems",
	"",
	COLUMNS_OF(columns),
	KEYS_OF(keys),
	.only = "file systems with a disk, or with a limit as tmpfs",
	ROWS_ARE("file system", "file systems", "used_percent,used_bytes,mount", 20),
	.open = open_view,
	.show = owner_collected_show,
	.put_text = put_text,
};

static char *help[] = {
	"memowner filesystems",
	"file systems by the space that is in use",
	"",
	"  Those that are mounted and have a disk, or a limit as tmpfs, as df would tell:",
	"  what processes without privilege may still write is AVAIL. REMOVED: regular",
	"  files that no directory has any more and that somebody has open or maps; who,",
	"  of those with pages in the cache, is in memowner files -f deleted=yes. CACHED:",
	"  inodes in memory, and below the rows what keeps them, where they are many.",
	"EXAMPLES",
	"  All; those of one type:",
	"    memowner filesystems",
	"    memowner filesystems -f fs=tmpfs",
	NULL
};

static const struct baseline baseline = {
	.by = { { COLUMN_mount, COLUMN_fs_type } },
	.amounts = { { COLUMN_used_bytes } },
	.counts = { { COLUMN_NONE, BASELINE_ROWS } },
	.many = "file systems",
};

static const struct view diff_view = { BASELINE_OF(baseline, "mount", "mounts"), NO_KEYS };

static const struct view *const views[] = { &view, &diff_view };

static const struct command_option options[] = { RANKED_ROWS("bytes=1M..", "used_bytes", "+device"),
						 DIFF, LAST_OPTIONS };

OWNER_NOUN(filesystems)
