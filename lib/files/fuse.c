// SPDX-License-Identifier: GPL-2.0-or-later
#include "files/fuse.h"

#include "files/super_list.h"
#include "kernel/list.h"
#include "modules/module_sections.h"

#define MAX_QUEUE (1U << 16) /* entries of one wait queue */

struct raw_mount {
	uint64_t conn, sb;
};

struct raw_request {
	uint64_t flags, mount, chan;
	uint32_t opcode;
};

struct raw_device {
	uint64_t conn; /* or its struct fuse_chan */
};

static const struct layout_row rows[] = {
	STRUCTURE(struct fuse, conn, "struct fuse_conn"),
	READS(struct fuse_conn, dev, REQUIRED, "all", "dev"),
	READS(struct fuse_conn, connected, OPTIONAL, "up to 7.2", "connected"),
	READS(struct fuse_conn, waiting, OPTIONAL, "up to 7.2", "num_waiting"),
	READS(struct fuse_conn, sb, OPTIONAL, "up to 5.9", "sb"),
	READS(struct fuse_conn, chan, OPTIONAL, "7.3", "chan"),
	FINDS(struct fuse, node, "struct fuse_conn", REQUIRED, "all", "entry"),
	FINDS(struct fuse, mounts, "struct fuse_conn", OPTIONAL, "5.10", "mounts"),
	FINDS(struct fuse, conn_queue, "struct fuse_conn", OPTIONAL, "up to 7.2", "blocked_waitq"),
	STRUCTURE(struct fuse, chan, "struct fuse_chan"),
	READS(struct fuse_conn, connected, OPTIONAL, "7.3", "connected"),
	READS(struct fuse_conn, waiting, OPTIONAL, "7.3", "num_waiting"),
	FINDS(struct fuse, chan_queue, "struct fuse_chan", OPTIONAL, "7.3", "blocked_waitq"),
	STRUCTURE(struct fuse, mount, "struct fuse_mount"),
	READS(struct raw_mount, conn, OPTIONAL, "5.10", "fc"),
	READS(struct raw_mount, sb, OPTIONAL, "5.10", "sb"),
	FINDS(struct fuse, mount_node, "struct fuse_mount", OPTIONAL, "5.10", "fc_entry"),
	STRUCTURE(struct fuse, request, "struct fuse_req"),
	READS(struct raw_request, flags, REQUIRED, "all", "flags"),
	READS(struct raw_request, opcode, REQUIRED, "all", "in.h.opcode"),
	READS(struct raw_request, mount, OPTIONAL, "5.10 to 7.2", "fm"),
	READS(struct raw_request, chan, OPTIONAL, "7.3", "chan"),
	FINDS(struct fuse, request_queue, "struct fuse_req", REQUIRED, "all", "waitq"),
	STRUCTURE(struct fuse, device, "struct fuse_dev"),
	READS(struct raw_device, conn, REQUIRED, "7.3, 4.2", "chan", "fc"),
	FINDS(struct fuse, inode_queue, "struct fuse_inode", OPTIONAL, "all", "page_waitq"),
	FINDS(struct fuse, inode, "struct fuse_inode", REQUIRED, "all", "inode"),
	FINDS(struct fuse, inode_sb, "struct inode", REQUIRED, "all", "i_sb"),
	FINDS(struct fuse, file_private, "struct file", REQUIRED, "all", "private_data"),
	FINDS(struct fuse, root, "struct super_block", REQUIRED, "all", "s_root"),
	FINDS(struct fuse, dentry_inode, "struct dentry", REQUIRED, "all", "d_inode"),
};

/* Those that can be read: a connection without one has no path. */
static void add_mounts(struct fuse *f, struct fuse_conn *c)
{
	struct list_nodes l = list_of(f->dump, c->address + f->mounts.offset,
				      "mounts of a FUSE connection");
	uint64_t node;

	while (list_next(&l, &node)) {
		struct raw_mount mount;

		if (struct_read(&f->mount, node - f->mount_node.offset, &mount) != ST_OK ||
		    mount.conn != c->address || !mount.sb)
			continue;
		c->sb = c->sb ?: mount.sb;
		*(struct fuse_conn **)hash_u64_get(&f->by_sb, mount.sb, NULL) = c;
	}
}

static enum status add_conn(struct fuse *f, uint64_t address)
{
	struct fuse_conn *c = dump_alloc(f->dump, sizeof(*c));
	enum status st = struct_read(&f->conn, address, c);

	if (st == ST_OK && c->chan)
		st = struct_read(&f->chan, c->chan, c);
	if (st != ST_OK)
		return st;
	c->address = address;
	*(struct fuse_conn **)hash_u64_get(&f->by_address, address, NULL) = c;
	if (c->chan)
		*(struct fuse_conn **)hash_u64_get(&f->by_address, c->chan, NULL) = c;
	c->next = f->first;
	f->first = c;
	if (c->sb)
		*(struct fuse_conn **)hash_u64_get(&f->by_sb, c->sb, NULL) = c;
	else if (f->mounts.present && f->mount_node.present)
		add_mounts(f, c);
	return ST_OK;
}

/* An empty path where it has none: it is not mounted any more. */
static void read_paths(struct fuse *f)
{
	struct inodes *inodes = dump_alloc(f->dump, sizeof(*inodes));
	struct inode_paths *paths = dump_alloc(f->dump, sizeof(*paths));
	uint64_t root, at;
	struct inode inode;

	if (!f->first || inodes_open(f->dump, inodes) != ST_OK ||
	    inode_paths_open(f->dump, paths) != ST_OK)
		return;
	for (struct fuse_conn *c = f->first; c; c = c->next) {
		if (!c->sb ||
		    dump_u64(f->dump, c->sb + f->root.offset, &root, "super_block") != ST_OK ||
		    dump_u64(f->dump, root + f->dentry_inode.offset, &at, "dentry") != ST_OK ||
		    inode_read(inodes, at, &inode) != ST_OK)
			continue;
		c->type = inode.super->type;
		inode_mount_path(paths, &inode, &c->path);
	}
}

/*
 * Of a kernel whose types of the module are not known, by what pointers alone tell, 5.10 and later: s_fs_info of a file system
 * leads to a struct that has its super_block among its first words (struct fuse_mount), a file of /dev/fuse to one whose
 * first word, the connection, is another of these, and a request names the first behind its queue. A queue of an inode is
 * behind that inode.
 */
#define MOUNT_WORDS 4u /* fc, sb, links of a list */
#define INODE_BYTES \
	1024u	  /* of a struct fuse_inode at most: some 800; it begins with its struct inode */
#define BEHIND 8u /* words behind the queue of a request: argbuf with virtiofs, fm */

struct untyped_mount {
	struct untyped_mount *next;
	struct fuse_conn *conn;
	uint64_t words[MOUNT_WORDS];
};

struct untyped {
	struct fuse *fuse;
	struct field info, dev; /* of struct super_block */
	struct untyped_mount *first;
	uint64_t operations;
	unsigned int found; /* files of a connection */
};

static const struct layout_row untyped_rows[] = {
	FINDS(struct fuse, inode_sb, "struct inode", REQUIRED, "all", "i_sb"),
	FINDS(struct fuse, inode_mapping, "struct inode", REQUIRED, "all", "i_mapping"),
	FINDS(struct fuse, file_private, "struct file", REQUIRED, "all", "private_data"),
	FINDS(struct fuse, root, "struct super_block", REQUIRED, "all", "s_root"),
	FINDS(struct fuse, dentry_inode, "struct dentry", REQUIRED, "all", "d_inode"),
};
static const struct layout_row own_rows[] = {
	FINDS(struct untyped, info, "struct super_block", REQUIRED, "all", "s_fs_info"),
	FINDS(struct untyped, dev, "struct super_block", REQUIRED, "all", "s_dev"),
};

static bool read_words(struct dump *d, uint64_t at, uint64_t *words, unsigned int n)
{
	uint8_t raw[8 * BEHIND];

	if (!(at >> 63) || at % 8 || dump_try(d, at, raw, 8ULL * n) != ST_OK)
		return false;
	for (unsigned int i = 0; i < n; i++)
		words[i] = le64(raw + 8ULL * i);
	return true;
}

static void add_super(struct untyped *u, uint64_t super)
{
	struct fuse *f = u->fuse;
	struct dump *d = f->dump;
	struct untyped_mount *m = dump_alloc(d, sizeof(*m));
	struct fuse_conn *c;
	uint64_t info;
	uint32_t dev;

	if (dump_u64(d, super + u->info.offset, &info, "super_block") != ST_OK ||
	    dump_u32(d, super + u->dev.offset, &dev, "super_block") != ST_OK ||
	    !read_words(d, info, m->words, MOUNT_WORDS) ||
	    !ANY_OF(i, MOUNT_WORDS, m->words[i] == super))
		return;
	c = dump_alloc(d, sizeof(*c));
	*c = (struct fuse_conn){
		.next = f->first, .dev = dev, .connected = true, .is_untyped = true, .sb = super
	};
	f->first = m->conn = c;
	m->next = u->first;
	u->first = m;
	*(struct fuse_conn **)hash_u64_get(&f->by_address, info, NULL) = c;
	*(struct fuse_conn **)hash_u64_get(&f->by_sb, super, NULL) = c;
}

/* File systems of FUSE that have a directory. */
static enum status add_supers(struct untyped *u)
{
	struct dump *d = u->fuse->dump;
	struct inodes *inodes = dump_alloc(d, sizeof(*inodes));
	struct super_list list;
	struct list_nodes nodes;
	struct inode root;
	uint64_t super;
	enum status st = super_list_open(d, &list) ?: inodes_open(d, inodes);

	if (st != ST_OK)
		return st;
	nodes = super_list_nodes(&list);
	while (super_list_next(&list, &nodes, &super))
		if (super_root(&list, inodes, super, &root) &&
		    (!strcmp(root.super->type, "fuse") || !strcmp(root.super->type, "fuseblk")))
			add_super(u, super);
	return list_end(&nodes);
}

static enum status add_untyped_user(void *arg, uint64_t file, uint64_t operations,
				    const struct file_user *user)
{
	struct untyped *u = arg;
	struct fuse *f = u->fuse;
	uint64_t private, conn = 0;

	if (operations != u->operations)
		return ST_OK;
	if (dump_u64(f->dump, file + f->file_private.offset, &private, "file of /dev/fuse") !=
	    ST_OK) {
		f->why_no_users = f->why_no_users ?: dump_why(f->dump);
		return ST_OK;
	}
	/* No pointer: it is open, and not used for a mount. */
	if (private >> 63 && !read_words(f->dump, private, &conn, 1))
		f->why_no_users = f->why_no_users ?: "what /dev/fuse leads to is not in this dump";
	if (!conn)
		return ST_OK;
	for (struct untyped_mount *m = u->first; m; m = m->next)
		if (ANY_OF(i, MOUNT_WORDS, m->words[i] == conn && conn != m->conn->sb)) {
			m->conn->address = conn;
			file_users_add(f->dump->arena, &m->conn->users, user);
			u->found++;
		}
	return ST_OK;
}

static enum status find_untyped(struct dump *d, struct fuse *ret)
{
	struct untyped u = { .fuse = ret };
	struct open_files *files = dump_alloc(d, sizeof(*files));
	enum status st = STRUCTS_OPEN(d, untyped_rows, ret) ?: STRUCTS_OPEN(d, own_rows, &u)
						    ?: wait_queues_open(d, &ret->queues);

	hash_u64_init(&ret->by_address, d->arena, sizeof(struct fuse_conn *));
	hash_u64_init(&ret->by_sb, d->arena, sizeof(struct fuse_conn *));
	st = st ?: module_object_symbol(d, "fuse", "fuse_dev_operations", &u.operations)
		  ?: add_supers(&u) ?: open_files_visit(files, d, add_untyped_user, &u);
	if (st == ST_OK && !u.found)
		st = dump_fail(d, ST_UNKNOWN, "no file of /dev/fuse leads to a file system");
	if (st != ST_OK)
		return st;
	ret->is_untyped = true;
	ret->why_no_users = ret->why_no_users ?: files->problem;
	ret->users_complete = files->complete && !ret->why_no_users;
	ret->has_pages = page_waits_open(d, &ret->pages) == ST_OK;
	return ST_OK;
}

/* What pointers do not tell, the types would. */
static enum status open_untyped(struct dump *d, struct fuse *ret)
{
	const char *why = dump_why(d);
	enum status st = find_untyped(d, ret);

	if (st == ST_OK)
		read_paths(ret);
	else if (st != ST_STOPPED)
		st = dump_fail(d, ST_UNKNOWN, "%s", why);
	return st;
}

enum status fuse_open(struct dump *d, struct fuse *ret)
{
	struct list_nodes conns;
	uint64_t head, node;
	enum status st = module_object_symbol(d, "fuse", "fuse_conn_list", &head);

	*ret = (struct fuse){ .dump = d };
	st = st ?: module_object_type(d, "fuse", "struct fuse_conn");
	if (st == ST_UNKNOWN)
		return open_untyped(d, ret);
	st = st ?: STRUCTS_OPEN(d, rows, ret) ?: wait_queues_open(d, &ret->queues);
	if (st == ST_OK && !ret->conn_queue.present && !ret->chan_queue.present)
		st = dump_unknown(d, "blocked_waitq of struct fuse_conn");
	if (st != ST_OK)
		return st;
	ret->pending = dump_enumerator_bit(d, "FR_PENDING");
	ret->sent = dump_enumerator_bit(d, "FR_SENT");
	hash_u64_init(&ret->by_address, d->arena, sizeof(struct fuse_conn *));
	hash_u64_init(&ret->by_sb, d->arena, sizeof(struct fuse_conn *));
	ret->has_pages = page_waits_open(d, &ret->pages) == ST_OK;
	conns = list_of(d, head, "FUSE connections");
	while (st == ST_OK && list_next(&conns, &node))
		st = add_conn(ret, node - ret->node.offset);
	st = st ?: list_end(&conns);
	if (st == ST_OK)
		read_paths(ret);
	return st;
}

/* Numbers of the protocol, the same in every release (include/uapi/linux/fuse.h). */
static const char *const requests[] = {
	[1] = "FUSE_LOOKUP",
	[3] = "FUSE_GETATTR",
	[4] = "FUSE_SETATTR",
	[5] = "FUSE_READLINK",
	[6] = "FUSE_SYMLINK",
	[8] = "FUSE_MKNOD",
	[9] = "FUSE_MKDIR",
	[10] = "FUSE_UNLINK",
	[11] = "FUSE_RMDIR",
	[12] = "FUSE_RENAME",
	[13] = "FUSE_LINK",
	[14] = "FUSE_OPEN",
	[15] = "FUSE_READ",
	[16] = "FUSE_WRITE",
	[17] = "FUSE_STATFS",
	[18] = "FUSE_RELEASE",
	[20] = "FUSE_FSYNC",
	[21] = "FUSE_SETXATTR",
	[22] = "FUSE_GETXATTR",
	[23] = "FUSE_LISTXATTR",
	[24] = "FUSE_REMOVEXATTR",
	[25] = "FUSE_FLUSH",
	[26] = "FUSE_INIT",
	[27] = "FUSE_OPENDIR",
	[28] = "FUSE_READDIR",
	[29] = "FUSE_RELEASEDIR",
	[30] = "FUSE_FSYNCDIR",
	[31] = "FUSE_GETLK",
	[32] = "FUSE_SETLK",
	[33] = "FUSE_SETLKW",
	[34] = "FUSE_ACCESS",
	[35] = "FUSE_CREATE",
	[37] = "FUSE_BMAP",
	[38] = "FUSE_DESTROY",
	[39] = "FUSE_IOCTL",
	[40] = "FUSE_POLL",
	[43] = "FUSE_FALLOCATE",
	[44] = "FUSE_READDIRPLUS",
	[45] = "FUSE_RENAME2",
	[46] = "FUSE_LSEEK",
	[47] = "FUSE_COPY_FILE_RANGE",
	[50] = "FUSE_SYNCFS",
	[51] = "FUSE_TMPFILE",
	[52] = "FUSE_STATX",
};

static struct fuse_conn *conn_at(const struct hash_u64 *by, uint64_t address)
{
	struct fuse_conn *const *c = hash_u64_find(by, address);

	return c ? *c : NULL;
}

/* A kernel before 5.10 does not say of which connection a request is: one of all it must be. */
static bool is_of_request(struct fuse *f, uint64_t queue, struct fuse_wait *ret)
{
	struct raw_request request;
	struct raw_mount mount;

	if (struct_read(&f->request, queue - f->request_queue.offset, &request) != ST_OK)
		return false;
	if (request.mount && struct_read(&f->mount, request.mount, &mount) == ST_OK)
		request.chan = mount.conn;
	ret->conn = conn_at(&f->by_address, request.chan);
	if (!ret->conn)
		return false;
	ret->request = request.opcode < ARRAY_SIZE(requests) ? requests[request.opcode] : NULL;
	ret->state = request.flags & f->pending ? FUSE_REQUEST_PENDING
		     : request.flags & f->sent	? FUSE_REQUEST_SENT
						: FUSE_REQUEST_UNKNOWN;
	return true;
}

static bool is_of_inode(struct fuse *f, uint64_t queue, struct fuse_wait *ret)
{
	uint64_t inode = queue - f->inode_queue.offset + f->inode.offset, sb;
	uint8_t raw[8];

	if (!f->inode_queue.present ||
	    dump_try(f->dump, inode + f->inode_sb.offset, raw, 8) != ST_OK)
		return false;
	sb = le64(raw);
	ret->conn = conn_at(&f->by_sb, sb);
	return ret->conn;
}

static struct fuse_conn *of_words_behind(struct fuse *f, uint64_t node)
{
	uint64_t words[BEHIND];
	struct fuse_conn *const *c = NULL;

	if (!read_words(f->dump, node + 16, words, BEHIND))
		return NULL;
	for (unsigned int i = 0; i < BEHIND && !c; i++)
		c = words[i] ? hash_u64_find(&f->by_address, words[i]) : NULL;
	return c ? *c : NULL;
}

/* The nearest struct inode before it, whose pages are its own: a queue of struct fuse_inode is behind that. */
static struct fuse_conn *of_inode_before(struct fuse *f, uint64_t node)
{
	uint64_t word, mapping;

	for (uint64_t at = node - 8; at % 8 == 0 && at > node - INODE_BYTES; at -= 8) {
		const uint64_t inode = at - f->inode_sb.offset;
		struct fuse_conn *const *c;

		if (!read_words(f->dump, at, &word, 1))
			return NULL;
		c = word ? hash_u64_find(&f->by_sb, word) : NULL;
		if (c && read_words(f->dump, inode + f->inode_mapping.offset, &mapping, 1) &&
		    mapping > inode && mapping < node)
			return *c;
	}
	return NULL;
}

static bool is_untyped_head(struct fuse *f, uint64_t node, struct fuse_wait *ret)
{
	struct fuse_conn *c = of_words_behind(f, node) ?: of_inode_before(f, node);

	if (c)
		*ret = (struct fuse_wait){ .conn = c };
	return c;
}

/* Of the list that a wait_queue_entry is in the head is one of three, in a connection that is known. */
static bool is_head(struct fuse *f, uint64_t node, struct fuse_wait *ret)
{
	uint64_t queue = node - f->queues.head.offset;

	if (f->is_untyped)
		return is_untyped_head(f, node, ret);
	ret->conn = conn_at(&f->by_address, queue - (f->conn_queue.present ? f->conn_queue.offset
									   : f->chan_queue.offset));
	return ret->conn || is_of_request(f, queue, ret) || is_of_inode(f, queue, ret);
}

static bool find_head(struct fuse *f, uint64_t start, struct fuse_wait *ret)
{
	uint64_t node = start, next, back;
	uint8_t raw[16];

	for (unsigned int i = 0; i < MAX_QUEUE; i++) {
		if (dump_try(f->dump, node, raw, sizeof(raw)) != ST_OK)
			return false;
		next = le64(raw);
		if (next == start || !next || next & 7 ||
		    dump_try(f->dump, next + 8, raw, 8) != ST_OK)
			return false;
		back = le64(raw);
		if (back != node)
			return false;
		if (is_head(f, next, ret))
			return true;
		node = next;
	}
	return false;
}

enum status fuse_wait_find(struct fuse *f, uint64_t task, const struct task_stack *s, uint64_t from,
			   uint64_t to, struct fuse_wait *ret)
{
	struct fuse_wait found = { 0 };
	uint64_t word;

	for (uint64_t at = from & ~7ULL; at < to; at += 8)
		if (task_stack_word(s, at, &word) && word == task &&
		    find_head(f, at - f->queues.private.offset + f->queues.entry.offset, &found)) {
			*ret = found;
			return ST_OK;
		}
	return dump_absent(f->dump, "no wait for a FUSE connection on the stack");
}

static enum status find_page(struct fuse *f, uint64_t task, const struct task_stack *s,
			     uint64_t from, uint64_t to, bool is_read, struct fuse_wait *ret)
{
	struct fuse_wait found = { 0 };
	struct page_wait page;
	enum status st;

	if (!f->has_pages)
		return dump_unknown(f->dump, "struct wait_page_queue");
	st = page_wait_find(&f->pages, task, s, from, to, &page);
	if (st == ST_OK && (!is_read || page.is_unread))
		found.conn = conn_at(&f->by_sb, page.super);
	if (st == ST_OK && !found.conn)
		st = dump_absent(f->dump, "no wait for a page of a FUSE file");
	return RESULT(st, ret, found);
}

enum status fuse_page_wait_find(struct fuse *f, uint64_t task, const struct task_stack *s,
				uint64_t from, uint64_t to, struct fuse_wait *ret)
{
	return find_page(f, task, s, from, to, false, ret);
}

enum status fuse_page_read_find(struct fuse *f, uint64_t task, const struct task_stack *s,
				uint64_t from, uint64_t to, struct fuse_wait *ret)
{
	return find_page(f, task, s, from, to, true, ret);
}

#define DEVICE_USERS 3u /* that are named */

struct users {
	struct fuse *fuse;
	uint64_t operations; /* address of fuse_dev_operations */
};

static enum status add_user(void *arg, uint64_t file, uint64_t operations,
			    const struct file_user *user)
{
	struct users *u = arg;
	struct fuse *f = u->fuse;
	struct raw_device device = { 0 };
	struct fuse_conn *c;
	uint64_t private;
	enum status st;

	if (operations != u->operations)
		return ST_OK;
	st = dump_u64(f->dump, file + f->file_private.offset, &private, "file of /dev/fuse");
	/* 0: it is open, and not used for a mount. */
	if (st == ST_OK && private)
		st = struct_read(&f->device, private, &device);
	if (st != ST_OK) {
		f->why_no_users = f->why_no_users ?: dump_why(f->dump);
		return ST_OK;
	}
	c = device.conn ? conn_at(&f->by_address, device.conn) : NULL;
	if (c)
		file_users_add(f->dump->arena, &c->users, user);
	return ST_OK;
}

void fuse_read_users(struct fuse *f)
{
	struct open_files *files = dump_alloc(f->dump, sizeof(*files));
	struct users u = { .fuse = f };
	enum status st;

	/* It began with them. */
	if (f->is_untyped)
		return;
	st = module_object_symbol(f->dump, "fuse", "fuse_dev_operations", &u.operations)
		     ?: open_files_visit(files, f->dump, add_user, &u);

	f->users_complete = st == ST_OK && files->complete && !f->why_no_users;
	if (st != ST_OK)
		f->why_no_users = dump_why(f->dump);
	f->why_no_users = f->why_no_users ?: files->problem;
}

struct device_users {
	struct dump *dump;
	uint64_t operations;
	struct file_users all;
};

static enum status add_device_user(void *arg, uint64_t file NOT_USED, uint64_t operations,
				   const struct file_user *user)
{
	struct device_users *u = arg;

	if (operations == u->operations)
		file_users_add(u->dump->arena, &u->all, user);
	return ST_OK;
}

const char *fuse_device_users(struct dump *d)
{
	struct open_files *files = dump_alloc(d, sizeof(*files));
	struct device_users u = { .dump = d };
	struct strbuf b = STRBUF_OF(128);

	if (module_object_symbol(d, "fuse", "fuse_dev_operations", &u.operations) != ST_OK ||
	    open_files_visit(files, d, add_device_user, &u) != ST_OK || !u.all.kept)
		return NULL;
	for (unsigned int i = 0; i < u.all.kept && i < DEVICE_USERS; i++)
		strbuf_add(&b, "%s%s (%d)", i ? ", " : "", u.all.all[i]->comm, u.all.all[i]->tgid);
	if (u.all.n > DEVICE_USERS)
		strbuf_add(&b, " and %u more", u.all.n - DEVICE_USERS);
	return dump_strdup(d, b.buf);
}
