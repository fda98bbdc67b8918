// SPDX-License-Identifier: GPL-2.0-or-later
#include "files/dentry_path.h"

#include "dump/layout.h"

#define MAX_NAME 256	    /* NAME_MAX is 255 */
#define MAX_PATH_BYTES 4096 /* PATH_MAX */
#define MAX_STEPS 4096	    /* dentries and mounts of a path */

/* struct path of a file and the name of a dentry became unions, with the old names. */
static const struct layout_row rows[FILE_PATH_FIELDS] = {
	[FILE_MNT] = { "struct file", { "f_path.mnt" }, REQUIRED, "all" },
	[FILE_DENTRY] = { "struct file", { "f_path.dentry" }, REQUIRED, "all" },
	[DENTRY_PARENT] = { "struct dentry", { "d_parent" }, REQUIRED, "all" },
	[DENTRY_NAME] = { "struct dentry", { "d_name.name" }, REQUIRED, "all" },
	[DENTRY_PPREV] = { "struct dentry", { "d_hash.pprev" }, REQUIRED, "all" },
	[DENTRY_OP] = { "struct dentry", { "d_op" }, REQUIRED, "all" },
	[DENTRY_INODE] = { "struct dentry", { "d_inode" }, REQUIRED, "all" },
	[OPS_DNAME] = { "struct dentry_operations", { "d_dname" }, REQUIRED, "all" },
	[INODE_INO] = { "struct inode", { "i_ino" }, REQUIRED, "all" },
	[MNT_ROOT] = { "struct vfsmount", { "mnt_root" }, REQUIRED, "all" },
	[MOUNT_MNT] = { "struct mount", { "mnt" }, REQUIRED, "all" },
	[MOUNT_PARENT] = { "struct mount", { "mnt_parent" }, REQUIRED, "all" },
	[MOUNT_POINT] = { "struct mount", { "mnt_mountpoint" }, REQUIRED, "all" },
};

enum status file_paths_open(struct dump *d, struct file_paths *ret)
{
	struct file_paths p = { .dump = d };
	enum status st = layout_resolve(d, rows, FILE_PATH_FIELDS, p.f);

	if (st != ST_OK)
		return st;
	*ret = p;
	hash_u64_init(&ret->known, d->arena, sizeof(const char *));
	return ST_OK;
}

/* A path is written from its end; text[at..] is what is there of it. */
struct path {
	struct file_paths *p;
	size_t at;
	char text[MAX_PATH_BYTES + 1];
};

static enum status too_long(struct dump *d)
{
	return dump_fail(d, ST_CORRUPT, "a path of more than %d bytes", MAX_PATH_BYTES);
}

static enum status prepend(struct path *path, const char *s, size_t n)
{
	if (n > path->at)
		return too_long(path->p->dump);
	path->at -= n;
	memcpy(path->text + path->at, s, n);
	return ST_OK;
}

static enum status prepend_text(struct path *path, const char *s)
{
	return prepend(path, s, strlen(s));
}

/* A name from the dump: control characters must not reach a terminal. */
static enum status prepend_name(struct path *path, const char *name)
{
	enum status st = ST_OK;

	for (size_t i = strlen(name); i && st == ST_OK; i--) {
		unsigned char c = name[i - 1];
		char octal[5];

		snprintf(octal, sizeof(octal), "\\%03o", c);
		if (c < ' ' || c == 0x7f)
			st = prepend(path, octal, 4);
		else
			st = prepend(path, name + i - 1, 1);
	}
	return st;
}

static enum status member(struct file_paths *p, uint64_t base, enum file_path_field f,
			  const char *what, uint64_t *ret)
{
	return dump_u64(p->dump, base + p->f[f].offset, ret, what);
}

static enum status dentry_name(struct file_paths *p, uint64_t dentry, char *ret)
{
	uint64_t addr;
	return member(p, dentry, DENTRY_NAME, "dentry", &addr)
		       ?: dump_string(p->dump, addr, ret, MAX_NAME, "name of a dentry");
}

/* The forms of d_op->d_dname: files of file systems that are never mounted. */
static const struct dname {
	const char *function, *before, *after;
	bool has_ino;
} dnames[] = {
	{ "simple_dname", "/", " (deleted)", false }, /* fs/d_path.c: shmem, memfd, hugetlb */
	{ "anon_inodefs_dname", "anon_inode:", "", false },
	{ "pipefs_dname", "pipe:[", "]", true },
	{ "sockfs_dname", "socket:[", "]", true },
};

/* The function that names this dentry, 0 if its names are on the way to a root. */
static enum status dname_function(struct file_paths *p, uint64_t dentry, uint64_t *ret)
{
	uint64_t op;
	enum status st = member(p, dentry, DENTRY_OP, "dentry", &op);

	*ret = 0;
	return st == ST_OK && op ? member(p, op, OPS_DNAME, "dentry_operations", ret) : st;
}

static const struct dname *find_dname(struct dump *d, uint64_t function)
{
	uint64_t addr;

	for (size_t i = 0; i < ARRAY_SIZE(dnames); i++)
		if (dump_ask(d, symbol, dnames[i].function, &addr) == ST_OK && addr == function)
			return &dnames[i];
	return NULL;
}

/* A file without a mounted parent, named by a function of its file system. */
static enum status name_by_function(struct path *path, uint64_t dentry, uint64_t function)
{
	struct file_paths *p = path->p;
	const struct dname *form = find_dname(p->dump, function);
	char name[MAX_NAME] = "";
	uint64_t inode, ino;
	enum status st;

	/* Every kernel has it; of the others a configuration may lack one. */
	if (!form && !dump_has_symbol(p->dump, dnames[0].function)) {
		st = dump_fail(p->dump, ST_UNKNOWN, "unknown layout: no symbol %s",
			       dnames[0].function);
		dump_lacks(p->dump, "names of some files", st, "%s", p->dump->error);
		return st;
	}
	if (form && form->has_ino) {
		st = member(p, dentry, DENTRY_INODE, "dentry", &inode)
			     ?: member(p, inode, INODE_INO, "inode", &ino);
		if (st == ST_OK)
			snprintf(name, sizeof(name), "%lu", ino);
	} else {
		st = dentry_name(p, dentry, name);
	}
	if (st == ST_OK)
		st = prepend_text(path, form ? form->after : "]");
	st = st ?: prepend_name(path, name);
	/* Another function: the name of the dentry alone is known. */
	return st ?: prepend_text(path, form ? form->before : "[");
}

/* Dentry and mount at which a walk to the root stands; mount 0: the root of the file system ends it. */
struct spot {
	uint64_t dentry, mount;
	bool is_root;
};

/* From the root of a mount to what it is mounted on. */
static enum status leave_mount(struct file_paths *p, struct spot *at)
{
	uint64_t parent;
	enum status st = member(p, at->mount, MOUNT_PARENT, "mount", &parent);

	if (st != ST_OK)
		return st;
	if (parent == at->mount) {
		at->is_root = true;
		return ST_OK;
	}
	st = member(p, at->mount, MOUNT_POINT, "mount", &at->dentry);
	at->mount = parent;
	return st;
}

static enum status step(struct path *path, struct spot *at)
{
	struct file_paths *p = path->p;
	uint64_t root = 0, parent;
	char name[MAX_NAME];
	enum status st = ST_OK;

	if (at->mount)
		st = member(p, at->mount + p->f[MOUNT_MNT].offset, MNT_ROOT, "mount", &root);
	if (st != ST_OK)
		return st;
	if (root == at->dentry)
		return leave_mount(p, at);
	st = member(p, at->dentry, DENTRY_PARENT, "dentry", &parent);
	if (st == ST_OK && parent == at->dentry) {
		/* Its parent was moved out of the mount: the kernel ends there too. */
		at->is_root = true;
		return ST_OK;
	}
	st = st ?: dentry_name(p, at->dentry, name);
	if (st == ST_OK && (!*name || strchr(name, '/')))
		st = dump_fail(p->dump, ST_CORRUPT, "dentry at %#lx has no valid name", at->dentry);
	st = st ?: prepend_name(path, name) ?: prepend_text(path, "/");
	at->dentry = parent;
	return st;
}

static enum status name_by_parents(struct path *path, uint64_t dentry, uint64_t mnt)
{
	struct file_paths *p = path->p;
	struct spot at = { .dentry = dentry, .mount = mnt ? mnt - p->f[MOUNT_MNT].offset : 0 };
	uint64_t pprev, parent;
	size_t end;
	enum status st = member(p, dentry, DENTRY_PPREV, "dentry", &pprev)
				 ?: member(p, dentry, DENTRY_PARENT, "dentry", &parent);

	/* d_unlinked(): no hash list has it, and it is not the root of a file system. */
	if (st == ST_OK && !pprev && parent != dentry)
		st = prepend_text(path, " (deleted)");
	end = path->at;
	for (unsigned int i = 0; st == ST_OK && !at.is_root; i++) {
		if (i == MAX_STEPS)
			return dump_fail(p->dump, ST_CORRUPT, "dentries or mounts loop at %#lx",
					 at.dentry);
		st = step(path, &at);
	}
	if (st == ST_OK && path->at == end)
		st = prepend_text(path, "/");
	return st;
}

static enum status path_from(struct path *path, uint64_t dentry, uint64_t mnt)
{
	struct file_paths *p = path->p;
	uint64_t root = 0, parent, function;
	enum status st = dname_function(p, dentry, &function);

	if (st == ST_OK && mnt)
		st = member(p, mnt, MNT_ROOT, "vfsmount", &root);
	st = st ?: member(p, dentry, DENTRY_PARENT, "dentry", &parent);
	if (st != ST_OK)
		return st;
	/* A pseudo inode that is mounted has the path of its mount. */
	if (function && (parent != dentry || root != dentry))
		return name_by_function(path, dentry, function);
	return name_by_parents(path, dentry, mnt);
}

static enum status path_of(struct path *path, uint64_t file)
{
	struct file_paths *p = path->p;
	uint64_t dentry, mnt = 0;
	enum status st = member(p, file, FILE_DENTRY, "file", &dentry)
				 ?: member(p, file, FILE_MNT, "file", &mnt);

	if (st == ST_OK && (!dentry || !mnt))
		st = dump_fail(p->dump, ST_CORRUPT, "file at %#lx has no path", file);
	return st ?: path_from(path, dentry, mnt);
}

enum status dentry_is_pseudo(struct file_paths *p, uint64_t dentry, bool *ret)
{
	uint64_t function;
	enum status st = dname_function(p, dentry, &function);

	if (st == ST_OK)
		*ret = function;
	return st;
}

enum status dentry_path(struct file_paths *p, uint64_t dentry, uint64_t mnt, const char **ret)
{
	struct path path = { .p = p, .at = MAX_PATH_BYTES };
	enum status st = path_from(&path, dentry, mnt);
	const char *text;

	if (st != ST_OK)
		return st;
	text = arena_strdup(p->dump->arena, path.text + path.at);
	*ret = text;
	return ST_OK;
}

enum status file_path(struct file_paths *p, uint64_t file, const char **ret)
{
	struct dump *d = p->dump;
	struct path path = { .p = p, .at = MAX_PATH_BYTES };
	const char *const *known = hash_u64_find(&p->known, file), **value;
	const char *text;
	bool is_new;
	enum status st;

	if (known) {
		*ret = *known;
		return ST_OK;
	}
	st = path_of(&path, file);
	if (st != ST_OK)
		return st;
	text = arena_strdup(d->arena, path.text + path.at);
	value = hash_u64_get(&p->known, file, &is_new);
	*ret = *value = text;
	return ST_OK;
}
