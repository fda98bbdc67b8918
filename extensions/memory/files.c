// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Files by the memory that they have: page cache and shared memory by inode, the largest first.
 * Every page of classes file and shmem is in one row.
 */
#include "files.h"

#include "cli/row_times.h"
#include "kernel/machine.h"
#include "pageowner/memory.h"

const char *const file_class_choices[] = { "file", "shmem", "hugetlb", NULL };

static const enum page_class classes[FILE_CLASSES] = {
	[FILE_CACHE] = CLASS_FILE,
	[FILE_SHMEM] = CLASS_SHMEM,
	[FILE_HUGETLB] = CLASS_HUGETLB,
};

#define NS_PER_S 1000000000ULL
#define ROW struct file_row
#define VIEW struct files_view

/* Path, kind and whether it is deleted are known behind this; false: they are not. */
static bool has_name(struct files_view *f, const struct file_row *r)
{
	struct file_row *row = (struct file_row *)r;

	if (!r->file || (!r->was_named && dump_stopped(f->v->dump)))
		return false;
	if (!r->was_named) {
		cached_file_name(&f->files, r->file);
		f->nnameless += r->file->path_status != ST_OK && r->file->path_status != ST_ABSENT;
	}
	row->was_named = true;
	return true;
}

static const char *path_of(struct files_view *f, const struct file_row *r)
{
	if (!r->address)
		return "[truncated]";
	return has_name(f, r) ? cached_file_name(&f->files, r->file) : NULL;
}

static struct cell device_cell(const void *record, void *view)
{
	const struct inode *inode = ((const struct file_row *)record)->inode;
	char text[32];
	uint32_t dev;

	if (!inode)
		return cell_text(NULL);
	dev = (inode->mode & INODE_FORMAT) == INODE_BLOCK ? inode->rdev : inode->super->dev;
	snprintf(text, sizeof(text), "%u:%u", dev_major(dev), dev_minor(dev));
	return cell_text(intern(&((struct files_view *)view)->v->texts, text));
}

static void note(struct files_view *f, const char *problem)
{
	if (!f->users_problem)
		f->users_problem = dump_strdup(f->v->dump, problem);
}

static const struct text_list *word(struct text_lists *lists, unsigned int users)
{
	text_lists_add(lists, "%s", users ? "[several]" : "[none]");
	return text_lists_end(lists, 0, true);
}

/* NULL: it has no user, or one of them is a device; or more than are kept. */
static const int32_t *tgids_of(struct dump *d, const struct file_all_users *u, size_t *n)
{
	int32_t *tgids;

	if (u->both.n != u->both.kept)
		return NULL;
	tgids = dump_alloc(d, (u->both.kept + 1) * sizeof(*tgids));
	for (*n = 0; *n < u->both.kept; ++*n) {
		if (u->both.all[*n]->is_device)
			return NULL;
		tgids[*n] = u->both.all[*n]->tgid;
	}
	return *n ? tgids : NULL;
}

/* Of its three cells the first that is asked for looks them up. */
static const struct file_row *with_users(struct files_view *f, const struct file_row *r)
{
	struct file_row *row = (struct file_row *)r;
	struct text_lists *lists = &f->v->lists;
	struct file_all_users u;
	enum status st;

	if (!f->has_users || !r->file || r->was_used)
		return r;
	row->was_used = true;
	st = file_maps_all(&f->maps, ST_OK, r->file, &f->open, &u);
	f->has_users = st != ST_STOPPED;
	if (st == ST_STOPPED)
		return r;
	if (st != ST_OK)
		note(f, f->v->dump->error);
	row->opened_by = file_users_list(&u.opened, u.opened_complete, lists);
	row->mapped_by = file_users_list(&u.mapped, u.all_complete, lists);
	row->both = file_users_list(&u.both, u.all_complete, lists);
	row->sole.known = u.all_complete && u.both.n == 1 && !u.both.all[0]->is_device;
	row->sole.n = row->sole.known ? (uint64_t)u.both.all[0]->tgid : 0;
	row->tgids = u.all_complete ? tgids_of(f->v->dump, &u, &row->ntgids) : NULL;
	row->is_sure = u.all_complete;
	row->process = !u.all_complete ? NULL : u.both.n == 1 ? row->both : word(lists, u.both.n);
	return r;
}

/* Segments of System V stay until they are removed, huge pages go back to their pool. */
enum file_kept files_keeper(struct files_view *f, const struct file_row *r, int32_t *tgid)
{
	bool is_known = has_name(f, r) && r->file->kind != FILE_UNKNOWN;

	if (r->class == FILE_HUGETLB || !r->address || (r->inode && r->inode->nlink))
		return FILE_KEPT_BY_OTHERS;
	if (is_known && (!cached_file_is_deleted(r->file) || r->file->kind == FILE_SYSV_SHM))
		return FILE_KEPT_BY_OTHERS;
	with_users(f, r);
	*tgid = (int32_t)r->sole.n;
	return !is_known || !r->is_sure || !r->has_pages ? FILE_KEPT_UNKNOWN
	       : r->sole.known				 ? FILE_KEPT_BY_ONE
	       : r->tgids				 ? FILE_KEPT_BY_SEVERAL
							 : FILE_KEPT_BY_OTHERS;
}

CELL_FROM(class_cell, ROW, cell_text(page_class_name(classes[r->class])))
CELL_WITH(kind_cell, ROW, VIEW, cell_text(has_name(v, r) ? file_kind_names[r->file->kind] : NULL))
CELL_WITH(deleted_cell, ROW, VIEW,
	  has_name(v, r) && r->file->kind != FILE_UNKNOWN
		  ? cell_bool(cached_file_is_deleted(r->file))
		  : cell_text(NULL))
CELL_WITH(path_cell, ROW, VIEW, cell_text(path_of(v, r)))
CELL_WITH(opened_cell, ROW, VIEW, cell_list(with_users(v, r)->opened_by))
CELL_WITH(mapped_cell, ROW, VIEW, cell_list(with_users(v, r)->mapped_by))
CELL_WITH(users_cell, ROW, VIEW, cell_list(with_users(v, r)->both))
CELL_FROM(fs_cell, ROW, cell_text(r->inode ? r->inode->super->type : NULL))
CELL_FROM(counted_cell, ROW,
	  cell_if(r->has_counted, cell_uint(r->has_counted ? r->file->mapping.nrpages : 0)))

/* Of a file that no directory ever had, what it is. */
static struct cell dir_cell(const void *record, void *view)
{
	struct files_view *f = view;
	const struct file_row *r = record;
	const char *path = path_of(f, r), *slash = path ? strrchr(path, '/') : NULL;
	char text[64];

	if (!path || !r->address)
		return cell_text(path);
	if (*path != '/' || r->file->never_named) {
		snprintf(text, sizeof(text), "[%s]",
			 r->file->kind ? file_kind_names[r->file->kind] : "no path");
		return cell_text(intern(&f->v->texts, text));
	}
	return cell_text(
		dump_text(f->v->dump, "%.*s", slash == path ? 1 : (int)(slash - path), path));
}

static struct cell mount_cell(const void *record, void *view)
{
	struct files_view *f = view;
	const struct file_row *r = record;
	const char *path = NULL;

	if (!r->inode)
		return cell_text(r->address ? NULL : "[truncated]");
	if (f->files.paths_status != ST_OK ||
	    inode_mount_path(&f->files.paths, r->inode, &path) != ST_OK)
		f->nmountless++;
	return cell_text(path);
}

/* Its pages may be charged to several. */
static struct cell memcg_cell(const void *record, void *view)
{
	struct files_view *f = view;
	const struct file_use *u = &((const struct file_row *)record)->use;

	if (!u->pages || !f->v->has_memcgs)
		return cell_text(NULL);
	if (u->shares_memcg != u->pages)
		return cell_text("[several]");
	return cell_text(u->memcg ? intern(&f->v->texts, memcgs_path(&f->v->memcgs, u->memcg))
				  : "[not charged]");
}

/* The first page's: a file most of whose other pages are another's has none. */
static struct cell most_memcg_cell(const void *record, void *view)
{
	struct files_view *f = view;
	const struct file_use *u = &((const struct file_row *)record)->use;

	return u->shares_memcg > u->pages / 2 && f->v->has_memcgs && u->memcg
		       ? cell_text(intern(&f->v->texts, memcgs_path(&f->v->memcgs, u->memcg)))
		       : cell_text(NULL);
}

CELL_WITH(process_cell, ROW, VIEW, cell_list(with_users(v, r)->process))

static struct cell written_cell(const void *record, void *view)
{
	const struct files_view *f = view;
	const struct inode *i = ((const struct file_row *)record)->inode;
	bool known = i && i->has_mtime && f->end_s.known && i->mtime_s <= f->end_s.n;

	return cell_if(known, cell_uint(known ? (f->end_s.n - i->mtime_s) * NS_PER_S : 0));
}

#define UNSET_S 31536000 /* seconds of 1970: until something set it, the clock counted from there */

static struct cell born_cell(const void *record, void *view)
{
	struct files_view *f = view;
	const struct inode *i = ((const struct file_row *)record)->inode;
	uint64_t born = 0;
	bool known = i && f->end_s.known && birth_read(&f->births, i, &born) == ST_OK &&
		     born >= UNSET_S && born <= f->end_s.n;

	return cell_if(known, cell_uint(known ? (f->end_s.n - born) * NS_PER_S : 0));
}

/* Pages with a flag, where the kernel has that. */
#define FLAGGED(FLAG) CELL_BY(FLAG##_cell)
CELL_WITH(dirty_cell, ROW, VIEW, cell_if(r->has_pages && v->pages.dirty, cell_uint(r->use.dirty)))
CELL_WITH(writeback_cell, ROW, VIEW,
	  cell_if(r->has_pages && v->pages.writeback, cell_uint(r->use.writeback)))
CELL_WITH(mlocked_cell, ROW, VIEW,
	  cell_if(r->has_pages && v->pages.mlocked, cell_uint(r->use.mlocked)))

/* What of pages has been truncated has no inode. */
CAN_HAVE(is_file, ROW, VIEW, r->address)
CAN_HAVE(may_be_shmem, ROW, VIEW, r->address && (!r->inode || r->inode->super->is_shmem))
CAN_HAVE(may_have_pages, ROW, VIEW, !r->has_pages || r->use.pages)
CAN_HAVE(is_counted, ROW, VIEW, r->address && r->class != FILE_HUGETLB)

const struct view_column file_columns[FILE_COLUMNS] = {
	{ COLUMN_pages, IN_BOTH, "null: none is in this dump, of pages that the kernel counts",
	  UINT_IF(ROW, use.pages, has_pages) },
	{ COLUMN_bytes, IN_BOTH, PAGES_IF(ROW, use.pages, has_pages) },
	{ COLUMN_ram_percent, IN_TEXT, SHARE_IF(ROW, use.pages, has_pages) },
	{ COLUMN_swapped_pages, IN_BOTH, .can_have = may_be_shmem, UINT_MAYBE(ROW, swapped) },
	{ COLUMN_total_bytes, IN_JSON, PAGES_MAYBE(ROW, total) },
	{ COLUMN_class, IN_JSON | KNOWN, .choices = file_class_choices, CELL_BY(class_cell) },
	{ COLUMN_fs_type, IN_BOTH, .can_have = is_file, CELL_BY(fs_cell) },
	{ COLUMN_file_kind, IN_JSON, .choices = file_kind_names + 1, .can_have = is_file,
	  CELL_LATE(kind_cell) },
	{ COLUMN_deleted, IN_JSON, .can_have = is_file, CELL_LATE(deleted_cell) },
	{ COLUMN_device, IN_JSON, "of a block device its own", .can_have = is_file,
	  CELL_BY(device_cell) },
	{ COLUMN_inode, IN_JSON, .can_have = is_file, VIA(UINT, ROW, inode, number) },
	{ COLUMN_file_bytes, IN_JSON, .can_have = is_file, VIA(UINT, ROW, inode, bytes) },
	{ COLUMN_nlink, IN_JSON, .can_have = is_file, VIA(UINT, ROW, inode, nlink) },
	{ COLUMN_dirty_pages, IN_JSON, FLAGGED(dirty) },
	{ COLUMN_writeback_pages, IN_JSON, FLAGGED(writeback) },
	{ COLUMN_mlocked_pages, IN_JSON, FLAGGED(mlocked) },
	{ COLUMN_mapped_pages, IN_JSON, UINT_IF(ROW, use.mapped, has_mapped) },
	{ COLUMN_counted_pages, IN_JSON,
	  "nrpages of the address_space; null: unknown, or of hugetlb", .can_have = is_counted,
	  CELL_BY(counted_cell) },
	{ COLUMN_difference_pages, IN_JSON, .can_have = is_counted,
	  INT_IF(ROW, difference, has_difference) },
	{ COLUMN_inode_address, IN_JSON, .can_have = is_file, VIA(HEX, ROW, inode, address) },
	{ COLUMN_address, IN_JSON | OR_NONE, "of the struct address_space",
	  HEX_NONZERO(ROW, address) },
	{ COLUMN_mtime_utc_s, IN_JSON, .can_have = is_file,
	  .elsewhere = "written_ns takes how long ago that is",
	  VIA(UINT, ROW, inode, mtime_s, .known = KNOWN_BY(struct inode, has_mtime)) },
	{ COLUMN_ctime_utc_s, IN_JSON, .can_have = is_file,
	  VIA(UINT, ROW, inode, ctime_s, .known = KNOWN_BY(struct inode, has_ctime)) },
	{ COLUMN_written_ns, 0, .can_have = is_file, CELL_BY(written_cell) },
	{ COLUMN_born_ns, IN_JSON, "null: it keeps none", .can_have = is_file, CELL_BY(born_cell) },
	{ COLUMN_mount, 0, CELL_LATE(mount_cell) },
	{ COLUMN_dir, 0, "of one that no directory ever had its kind, in brackets",
	  CELL_LATE(dir_cell) },
	{ COLUMN_shm_id, 0, .can_have = is_file, CELL_LATE(files_shm_id_cell) },
	{ COLUMN_attaches, 0, .can_have = is_file, CELL_LATE(files_attaches_cell) },
	{ COLUMN_created_by, 0, .can_have = is_file, CELL_LATE(files_created_cell) },
	{ COLUMN_memcg, 0, "that all of its pages are charged to", .can_have = may_have_pages,
	  CELL_BY(memcg_cell) },
	{ COLUMN_most_memcg, 0, .can_have = may_have_pages, CELL_BY(most_memcg_cell) },
	{ COLUMN_process, 0, .can_have = is_file, CELL_LATE(process_cell) },
	{ COLUMN_opened_by, IN_JSON, .can_have = is_file, CELL_LATE(opened_cell) },
	{ COLUMN_mapped_by, IN_JSON, .can_have = is_file, CELL_LATE(mapped_cell) },
	{ COLUMN_used_by, IN_BOTH, .can_have = is_file, CELL_LATE(users_cell) },
	{ COLUMN_file, IN_BOTH,
	  "path, for an inode without one its file system in brackets; null: the inode is unknown",
	  CELL_LATE(path_cell) },
	[FILE_COLUMNS - 1] = BASIS(derived),
};

#define BOTH (KEY_FILTERS | KEY_GROUPS)

const struct key file_keys[FILE_KEYS] = {
	{ COLUMN_file, "path of the file, also of one that was deleted", KEY_FILTERS },
	{ COLUMN_mount, "where its file system is mounted", BOTH,
	  .elsewhere = "where a disk is mounted memowner filesystems tells" },
	{ COLUMN_dir, "directory of the file", BOTH },
	[FILE_BY_PROCESS] = { COLUMN_process, "process that alone has the file open or maps it",
			      BOTH },
	[FILE_BY_USERS] = { COLUMN_used_by,
			    "processes that have the file open or map it: -f one, -g all", BOTH },
	[FILE_BY_MEMCG] = { COLUMN_memcg, "cgroup that all pages of the file are charged to",
			    BOTH },
	[FILE_BY_MOST] = { COLUMN_most_memcg,
			   "cgroup that more than half of its pages are charged to", BOTH },
	{ COLUMN_fs_type, "type of its file system", BOTH, .any_case = true },
	{ COLUMN_file_kind, "kind of the file", BOTH, .choices = file_kind_names + 1 },
	{ COLUMN_class, "class of its pages", BOTH, .choices = file_class_choices,
	  .elsewhere = PAGE_CACHE_HINT },
	{ COLUMN_deleted, "whether no directory has it", BOTH, .choices = key_yes_no },
	{ COLUMN_bytes, "bytes of its pages in memory, with -g of the whole group", KEY_OF_GROUP },
};

static enum status add_page(void *arg, const struct owner_page *page)
{
	struct files_view *f = arg;
	struct owner_view *v = f->v;
	struct page_info info;
	enum page_class class;

	if (!memory_class(v, page, &info, &class)) {
		f->found.unreadable++;
		return ST_OK;
	}
	class_add_page(v, &f->found, class, page->pfn, &info);
	return file_pages_add(&f->pages, page->pfn, &info, class);
}

/* A file may be in swap with all its pages. */
static enum status add_swapped(void *arg, uint64_t address)
{
	struct files_view *f = arg;
	struct inode inode;
	enum status st = inode_read(&f->files.inodes, address, &inode);

	if (st != ST_OK && !f->swap_problem)
		f->swap_problem = dump_why(f->v->dump);
	if (st != ST_OK || !inode.has_swapped || !inode.swapped)
		return ST_OK;
	return file_pages_want(&f->pages, inode.mapping, FILE_SHMEM);
}

static void set_inode(struct files_view *f, struct file_row *r)
{
	const struct inode *inode = r->inode = &r->file->inode;
	uint64_t nrpages = r->file->mapping.nrpages;
	bool is_shmem = inode->super->is_shmem;

	r->swapped = (struct maybe_u64){ inode->swapped, is_shmem && inode->has_swapped };
	r->has_pages = r->use.pages || !nrpages;
	r->total.n = r->use.pages + (is_shmem ? inode->swapped : 0);
	r->total.known = r->has_pages && (!is_shmem || inode->has_swapped);
	/* The kernel counts hugetlb pages in other units up to 6.6. */
	if (r->class == FILE_HUGETLB)
		return;
	r->has_counted = true;
	r->has_difference = r->has_pages && !f->v->dump->interrupted;
	r->difference = (int64_t)(file_pages_of(&f->pages, r->address) - nrpages);
	f->ndiffer += !r->has_pages || (r->has_difference && r->difference);
	f->nshort += !r->has_pages || (r->has_difference && r->difference < 0);
}

static void add_row(struct files_view *f, uint64_t key, const struct file_use *u)
{
	struct file_row *r = dump_alloc(f->v->dump, sizeof(*r));

	*r = (struct file_row){ .use = *u,
				.class = file_key_class(key),
				.address = file_key_mapping(key),
				.has_pages = true };
	if (!r->address)
		r->total = (struct maybe_u64){ u->pages, true };
	else
		r->file = cached_file_at(&f->files, r->address);
	if (r->file && r->file->status != ST_OK) {
		f->unknown += u->pages;
		f->nunknown++;
		r->file = NULL;
	}
	if (r->file)
		set_inode(f, r);
	r->has_mapped = r->has_pages && !u->large;
	*f->last = r;
	f->last = &r->next;
}

static void want_users(struct hash_u64 *wanted, const struct file_row *r)
{
	if (r->inode)
		hash_u64_get(wanted, r->inode->address, NULL);
}

static void find_users(struct files_view *f, const struct hash_u64 *wanted)
{
	if (f->users_problem) /* a layout that is not known */
		return;
	f->has_users = open_files_read(&f->open, wanted) == ST_OK;
	if (f->open.problem)
		note(f, f->open.problem);
}

/* Reads who has the files of the first rows open. */
static void read_users(struct files_view *f, size_t rows)
{
	const struct table *t = &f->v->in->table;
	struct hash_u64 wanted;

	hash_u64_init(&wanted, f->v->dump->arena, 0);
	for (size_t i = 0; i < rows; i++)
		want_users(&wanted, t->rows[i][t->ncolumns].record);
	find_users(f, &wanted);
}

void files_read_users(struct files_view *f)
{
	struct hash_u64 wanted;

	hash_u64_init(&wanted, f->v->dump->arena, 0);
	for (const struct file_row *r = f->first; r; r = r->next)
		want_users(&wanted, r);
	find_users(f, &wanted);
}

static void put_rows(struct files_view *f)
{
	struct cmdline *in = f->v->in;
	bool all = rows_need_late(in);
	bool by_users = files_need_users(in);

	if (by_users)
		files_read_users(f);
	rows_set_span(&f->v->report, &in->table);
	for (const struct file_row *r = f->first; r && !dump_stopped(f->v->dump); r = r->next)
		rows_add(in, r, f);
	if (all && !by_users)
		read_users(f, in->table.n);
	rows_sort(in);
	if (!all && !by_users && !in->ngroups)
		read_users(f, opts_rows(&in->opts, in->shown->rows, in->table.n));
	rows_put(&f->v->report, in);
}

static void put_gaps(struct files_view *f)
{
	struct report *r = &f->v->report;
	const struct gap gaps[] = {
		{ "the path of %s is unknown: %s", f->nnameless, "file", "files",
		  f->files.problem },
		{ "where the file system of %s is mounted is unknown", f->nmountless, "file",
		  "files" },
		{ "users of files may be missing: %s", f->users_problem != NULL,
		  .why = f->users_problem, .keeps_sizes = true },
		{ "of %s the first are named, the others counted", f->v->lists.cut, "list of users",
		  "lists of users", .keeps_sizes = true },
		GAP_WHY("files that are in swap may be missing: %s", f->swap_problem),
		GAP_WHY("segments of System V may be missing: %s", f->shms.problem),
		{ "some pages of %s are not in this dump: PAGES are those that are, "
		  "COUNTED (-o +counted_pages) is the number of the kernel",
		  f->found.unreadable ? f->nshort : 0, "file", "files" },
		/* With pages missing it is no difference. */
		{ "the kernel counts another number of pages of %s: see -o "
		  "+counted_pages,difference_pages",
		  f->found.unreadable ? 0 : f->ndiffer, "file", "files", .is_note = true },
	};

	if (f->nunknown)
		report_warn(r, "the file of %s is unknown: %s not in this dump, or corrupt",
			    COUNT_OF(f->unknown, "page"),
			    PLURAL_TEXT(f->nunknown, "address_space or inode",
					"address_spaces or inodes"));
	f->v->has_gaps |= f->nunknown;
	REPORT_GAPS(r, gaps);
}

enum status files_open(void *arg, enum availability *why)
{
	struct owner_view *v = arg;
	struct files_view *f = v->own = dump_alloc(v->dump, sizeof(*f));
	bool of_memcg = files_use_key(v->in, FILE_BY_MEMCG) || files_use_key(v->in, FILE_BY_MOST) ||
			table_needs(&v->in->table, COLUMN_memcg) ||
			table_needs(&v->in->table, COLUMN_most_memcg);
	struct machine machine;
	enum status st = memory_open(v, 1 << KEY_CLASS | (uint64_t)of_memcg << KEY_MEMCG, why);

	f->v = v;
	if (st != ST_OK)
		return st;
	*why = UNKNOWN_LAYOUT;
	if (!v->classes)
		return dump_fail(v->dump, ST_UNKNOWN, "page classes are not available");
	machine_read(v->dump, &v->report.info, &machine);
	f->end_s = machine.end_utc_s;
	return files_prepare(v, f);
}

enum status files_prepare(struct owner_view *v, struct files_view *f)
{
	enum status st;

	f->v = v;
	f->last = &f->first;
	births_open(v->dump, &f->births);
	st = cached_files_open(v->dump, &f->files);
	if (st != ST_OK)
		return st;
	st = open_files_open(v->dump, &f->open) ?: file_maps_open(v->dump, &f->maps);
	if (st != ST_OK)
		f->users_problem = dump_why(v->dump);
	return ST_OK;
}

enum status files_collect(struct files_view *f)
{
	struct owner_view *v = f->v;
	enum status st, swap;

	f->cov.ram_pages = v->owner.ram.pages;
	file_pages_open(v->dump, &v->states, &f->pages);
	st = memory_scan(v, &f->cov, add_page, f);
	if (st != ST_OK && st != ST_STOPPED)
		return st;
	swap = st == ST_OK ? inodes_in_swap(&f->files.inodes, add_swapped, f) : ST_OK;
	if (swap != ST_OK && swap != ST_ABSENT)
		f->swap_problem = dump_why(v->dump);
	for (const struct hash_u64_entry *e = f->pages.uses.first; e; e = e->next)
		add_row(f, e->key, (const struct file_use *)e->value);
	return st;
}

/* The column that a filter of names asks; COLUMN_NONE: it has met all, or is one of another kind. */
static enum column_id unmet_column(const struct owner_view *v, const struct filter *f, bool is_key)
{
	static const enum column_id names[] = { COLUMN_file,	COLUMN_dir,	  COLUMN_mount,
						COLUMN_used_by, COLUMN_mapped_by, COLUMN_opened_by,
						COLUMN_process };
	enum column_id column = is_key ? v->in->keys[f->key].column
				       : v->in->table.columns[f->key].id;

	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (column == names[i] && !f->exclude && filter_lacks(f, NULL))
			return column;
	return COLUMN_NONE;
}

/* What is meant may have another name, or no row. */
static void tell_unmet(struct owner_view *v)
{
	const struct filters *f = &v->in->filters;

	for (unsigned int i = 0; i < f->n + f->nrows; i++) {
		enum column_id column = i < f->n ? unmet_column(v, &f->filters[i], true)
						 : unmet_column(v, &f->rows[i - f->n], false);

		if (column == COLUMN_process)
			report_warn(&v->report,
				    "process is of a file that one process alone has, as 1(init): "
				    "used_by has all of them");
		else if (column != COLUMN_NONE)
			report_warn(&v->report, "rows are files with pages in memory or in swap: "
						"one without has no row");
	}
}

enum status files_show(void *arg)
{
	struct owner_view *v = arg;
	struct files_view *f = v->own;
	enum status st;

	v->in->table.whole = ram_base(&v->owner.ram);
	owner_view_counters(v);
	st = files_collect(f);
	if (st != ST_OK && st != ST_STOPPED)
		return st;
	put_rows(f);
	const struct class_total totals[] = {
		class_total(v, &f->found, CLASS_FILE, page_class_name(CLASS_FILE), true),
		class_total(v, &f->found, CLASS_SHMEM, page_class_name(CLASS_SHMEM), true),
	};

	rows_put_below(&v->report, v->in, v->in->shown->below, totals, 2, sizeof(totals[0]), v);
	rows_put_kept(&v->report, v->in);
	files_put_units(f);
	files_tell_segments(f);
	files_tell_shared(f);
	tell_unmet(v);
	if (v->has_memcgs && files_use_key(v->in, FILE_BY_MEMCG))
		owner_tell_memcgs(v, FILE_BY_MEMCG);
	put_gaps(f);
	memory_end_classes(v, &f->cov, st, &f->found, NULL);
	return st;
}
