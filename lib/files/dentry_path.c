// SPDX-License-Identifier: GPL-2.0-or-later
#include "files/dentry_path.h"

#include "util/utf8.h"

#define MAX_NAME 256	    /* NAME_MAX is 255 */
#define OCTAL 4		    /* signs of a byte */
#define MAX_PATH_BYTES 4096 /* PATH_MAX */
#define MAX_STEPS 4096	    /* dentries and mounts of a path */

struct file {
	uint64_t mnt, dentry;
};

struct dentry {
	uint64_t parent, name, pprev, op, inode;
};

/* What is asked of a structure of which one member is. */
struct one {
	uint64_t value;
};

struct mount {
	uint64_t parent, point;
};

/* struct path of a file and the name of a dentry became unions, with the old names. */
static const struct layout_row rows[] = {
	STRUCTURE(struct file_paths, file, "struct file"),
	READS(struct file, mnt, REQUIRED, "all", "f_path.mnt"),
	READS(struct file, dentry, REQUIRED, "all", "f_path.dentry"),
	STRUCTURE(struct file_paths, dentry, "struct dentry"),
	READS(struct dentry, parent, REQUIRED, "all", "d_parent"),
	READS(struct dentry, name, REQUIRED, "all", "d_name.name"),
	READS(struct dentry, pprev, REQUIRED, "all", "d_hash.pprev"),
	READS(struct dentry, op, REQUIRED, "all", "d_op"),
	READS(struct dentry, inode, REQUIRED, "all", "d_inode"),
	STRUCTURE(struct file_paths, ops, "struct dentry_operations"),
	READS(struct one, value, REQUIRED, "all", "d_dname"),
	STRUCTURE(struct file_paths, inode, "struct inode"),
	READS(struct one, value, REQUIRED, "all", "i_ino"),
	STRUCTURE(struct file_paths, vfsmount, "struct vfsmount"),
	READS(struct one, value, REQUIRED, "all", "mnt_root"),
	FINDS(struct file_paths, mnt, "struct mount", REQUIRED, "all", "mnt"),
	STRUCTURE(struct file_paths, mount, "struct mount"),
	READS(struct mount, parent, REQUIRED, "all", "mnt_parent"),
	READS(struct mount, point, REQUIRED, "all", "mnt_mountpoint"),
};

enum status file_paths_open(struct dump *d, struct file_paths *ret)
{
	struct file_paths p = { .dump = d };
	enum status st = STRUCTS_OPEN(d, rows, &p);

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
	return dump_corrupt(d, "a path of more than %d bytes", MAX_PATH_BYTES);
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

/* A name from the dump: what no terminal shows is octal, as in /proc/mounts. */
static enum status prepend_name(struct path *path, const char *name)
{
	char shown[OCTAL * MAX_NAME];
	size_t n = 0, len;

	for (const char *end = name + strlen(name); name < end; name += len) {
		bool is_shown = utf8_is_shown(name, (size_t)(end - name), &len);

		for (size_t i = 0; i < len && n + OCTAL < sizeof(shown); i++) {
			if (is_shown)
				shown[n++] = name[i];
			else
				n += (size_t)snprintf(shown + n, OCTAL + 1, "\\%03o",
						      (unsigned char)name[i]);
		}
	}
	return prepend(path, shown, n);
}

static enum status dentry_name(struct file_paths *p, const struct dentry *dentry, char *ret)
{
	return dump_string(p->dump, dentry->name, ret, MAX_NAME, "name of a dentry");
}

static enum status read_one(const struct structure *s, uint64_t at, uint64_t *ret)
{
	struct one one;

	return RESULT(struct_read(s, at, &one), ret, one.value);
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
static enum status dname_function(const struct file_paths *p, const struct dentry *dentry,
				  uint64_t *ret)
{
	*ret = 0;
	return dentry->op ? read_one(&p->ops, dentry->op, ret) : ST_OK;
}

static const struct dname *find_dname(struct dump *d, uint64_t function)
{
	uint64_t addr;

	return FIND_IN(dnames, ARRAY_SIZE(dnames),
		       dump_ask(d, symbol, found->function, &addr) == ST_OK && addr == function);
}

/* A file without a mounted parent, named by a function of its file system. */
static enum status name_by_function(struct path *path, const struct dentry *dentry,
				    uint64_t function)
{
	struct file_paths *p = path->p;
	const struct dname *form = find_dname(p->dump, function);
	char name[MAX_NAME] = "";
	uint64_t ino;
	enum status st;

	/* Every kernel has it; of the others a configuration may lack one. */
	if (!form && !dump_has_symbol(p->dump, dnames[0].function)) {
		st = dump_unknown(p->dump, "no symbol %s", dnames[0].function);
		dump_lacks(p->dump, "names of some files", st, "%s", p->dump->error);
		return st;
	}
	if (form && form->has_ino) {
		st = read_one(&p->inode, dentry->inode, &ino);
		if (st == ST_OK)
			snprintf(name, sizeof(name), "%lu", ino);
	} else {
		st = dentry_name(p, dentry, name);
	}
	st = st ?: prepend_text(path, form ? form->after : "]");
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
	struct mount mount;
	enum status st = struct_read(&p->mount, at->mount, &mount);

	if (st != ST_OK)
		return st;
	at->is_root = mount.parent == at->mount;
	if (!at->is_root)
		*at = (struct spot){ mount.point, mount.parent, false };
	return ST_OK;
}

static enum status step(struct path *path, struct spot *at)
{
	struct file_paths *p = path->p;
	uint64_t root = 0;
	struct dentry dentry;
	char name[MAX_NAME];
	enum status st = ST_OK;

	if (at->mount)
		st = read_one(&p->vfsmount, at->mount + p->mnt.offset, &root);
	if (st != ST_OK)
		return st;
	if (root == at->dentry)
		return leave_mount(p, at);
	st = struct_read(&p->dentry, at->dentry, &dentry);
	if (st == ST_OK && dentry.parent == at->dentry) {
		/* Its parent was moved out of the mount: the kernel ends there too. */
		at->is_root = true;
		return ST_OK;
	}
	st = st ?: dentry_name(p, &dentry, name);
	if (st == ST_OK && (!*name || strchr(name, '/')))
		st = dump_corrupt(p->dump, "dentry at %#lx has no valid name", at->dentry);
	st = st ?: prepend_name(path, name) ?: prepend_text(path, "/");
	at->dentry = dentry.parent;
	return st;
}

static enum status name_by_parents(struct path *path, uint64_t address, const struct dentry *dentry,
				   uint64_t mnt)
{
	struct file_paths *p = path->p;
	struct spot at = { .dentry = address, .mount = mnt ? mnt - p->mnt.offset : 0 };
	size_t end;
	enum status st = ST_OK;

	/* d_unlinked(): no hash list has it, and it is not the root of a file system. */
	if (!dentry->pprev && dentry->parent != address)
		st = prepend_text(path, " (deleted)");
	end = path->at;
	for (unsigned int i = 0; st == ST_OK && !at.is_root; i++) {
		if (i == MAX_STEPS)
			return dump_corrupt(p->dump, "dentries or mounts loop at %#lx", at.dentry);
		st = step(path, &at);
	}
	if (st == ST_OK && path->at == end)
		st = prepend_text(path, "/");
	return st;
}

static enum status path_from(struct path *path, uint64_t address, uint64_t mnt)
{
	struct file_paths *p = path->p;
	struct dentry dentry;
	uint64_t root = 0, function = 0;
	enum status st = struct_read(&p->dentry, address, &dentry)
				 ?: dname_function(p, &dentry, &function);

	if (st == ST_OK && mnt)
		st = read_one(&p->vfsmount, mnt, &root);
	if (st != ST_OK)
		return st;
	/* A pseudo inode that is mounted has the path of its mount. */
	if (function && (dentry.parent != address || root != address))
		return name_by_function(path, &dentry, function);
	return name_by_parents(path, address, &dentry, mnt);
}

static enum status path_of(struct path *path, uint64_t address)
{
	struct file_paths *p = path->p;
	struct file file;
	enum status st = struct_read(&p->file, address, &file);

	if (st == ST_OK && (!file.dentry || !file.mnt))
		st = dump_corrupt(p->dump, "file at %#lx has no path", address);
	return st ?: path_from(path, file.dentry, file.mnt);
}

enum status dentry_parent(const struct file_paths *p, uint64_t address, uint64_t *ret)
{
	struct dentry dentry;

	return RESULT(struct_read(&p->dentry, address, &dentry), ret, dentry.parent);
}

enum status vfsmount_root(const struct file_paths *p, uint64_t mnt, uint64_t *ret)
{
	return read_one(&p->vfsmount, mnt, ret);
}

enum status vfsmount_point(const struct file_paths *p, uint64_t mnt, uint64_t *ret)
{
	struct mount mount;

	return RESULT(struct_read(&p->mount, mnt - p->mnt.offset, &mount), ret, mount.point);
}

enum status dentry_is_pseudo(const struct file_paths *p, uint64_t address, bool *ret)
{
	struct dentry dentry;
	uint64_t function;

	return RESULT(struct_read(&p->dentry, address, &dentry)
			      ?: dname_function(p, &dentry, &function),
		      ret, function);
}

enum status dentry_path(struct file_paths *p, uint64_t dentry, uint64_t mnt, const char **ret)
{
	struct path path = { .p = p, .at = MAX_PATH_BYTES };
	enum status st = path_from(&path, dentry, mnt);
	const char *text;

	if (st != ST_OK)
		return st;
	text = dump_strdup(p->dump, path.text + path.at);
	*ret = text;
	return ST_OK;
}

enum status file_path(struct file_paths *p, uint64_t file, const char **ret)
{
	struct dump *d = p->dump;
	struct path path = { .p = p, .at = MAX_PATH_BYTES };
	const char *const *known = hash_u64_find(&p->known, file), **value;
	const char *text;
	enum status st;

	if (known) {
		*ret = *known;
		return ST_OK;
	}
	st = path_of(&path, file);
	if (st != ST_OK)
		return st;
	text = dump_strdup(d, path.text + path.at);
	value = hash_u64_get(&p->known, file, NULL);
	*ret = *value = text;
	return ST_OK;
}
