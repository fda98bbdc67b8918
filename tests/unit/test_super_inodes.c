// SPDX-License-Identifier: GPL-2.0-or-later
/* What the inodes of a file system have in slab caches: its list of them, whole or damaged. */
#include "files/super_inodes.h"
#include "stub.h"
#include "test.h"

#define AT(i) (0xffff888000100000ULL + (uint64_t)(i)*0x1000)
#define HEAD AT(0)
#define SUPER AT(1)
#define ROOT AT(2) /* dentry */
#define TYPE AT(3)
#define NAME AT(4)
#define INODE(i) AT(8 + (i))
#define INODES 4
#define OPS AT(50) /* of tmpfs */
#define DENTRY(i) (AT(20) + (uint64_t)(i)*192)
#define DIRECTORY_DENTRY AT(60)
#define XATTR(i) (AT(40) + (uint64_t)(i)*64)
#define LRU(i) (AT(61) + (uint64_t)(i) * sizeof(struct lru_list))
#define DIRECTORY 0040755
#define REGULAR 0100644
#define XATTRS(i) (INODE(i) + offsetof(struct inode_bytes, xattrs))

struct links {
	uint64_t next, prev;
};

static struct links head;
static struct {
	struct links list, inodes;
	uint64_t root, type, op;
	uint32_t dev, unused;
	char id[64];
	uint64_t lrus[2]; /* of dentries, of inodes: the lists of node 0 */
} super;
static struct lru_list {
	uint64_t list;
	int64_t n;
} lru_lists[2];
static uint64_t dentry; /* d_inode */
static uint64_t type;
static char name[64] = "tmpfs";
static struct inode_bytes {
	struct links list;
	uint64_t sb, mapping, bytes, alias, blob, number, marks, changed;
	uint32_t mode, flags, nlink, rdev;
	struct links xattrs; /* of the struct shmem_inode_info that it is the first member of */
} inodes[INODES];

static struct {
	uint64_t parent, rest[23];
} dentries[3];
static struct {
	struct links list;
	uint64_t name, size, rest[4];
} xattrs[4];

static const struct stub_memory memory[] = {
	{ HEAD, &head, sizeof(head) },
	{ SUPER, &super, sizeof(super) },
	{ ROOT, &dentry, sizeof(dentry) },
	{ LRU(0), lru_lists, sizeof(lru_lists) },
	{ TYPE, &type, sizeof(type) },
	{ NAME, name, sizeof(name) },
	{ INODE(0), &inodes[0], sizeof(inodes[0]) },
	{ INODE(1), &inodes[1], sizeof(inodes[1]) },
	{ INODE(2), &inodes[2], sizeof(inodes[2]) },
	{ INODE(3), &inodes[3], sizeof(inodes[3]) },
	{ DENTRY(0), dentries, sizeof(dentries) },
	{ XATTR(0), xattrs, sizeof(xattrs) },
	{ 0 },
};
static const struct stub_symbol symbols[] = { { "super_blocks", HEAD, FIELD(0, 16) },
					      { "shmem_ops", OPS, FIELD(0, 8) },
					      { 0 } };

#define MEMBER(type, member, name)                                                                \
	{                                                                                         \
		type, name, FIELD(offsetof(struct inode_bytes, member), sizeof(inodes[0].member)) \
	}
static const struct stub_member members[] = {
	{ "struct super_block", "s_list", FIELD(0, 16) },
	{ "struct super_block", "s_inodes", FIELD(16, 16) },
	{ "struct super_block", "s_root", FIELD(32, 8) },
	{ "struct super_block", "s_type", FIELD(40, 8) },
	{ "struct super_block", "s_op", FIELD(48, 8) },
	{ "struct super_block", "s_id", FIELD(64, 32) },
	{ "struct super_block", "s_dev", FIELD(56, 4) },
	{ "struct super_block", "s_dentry_lru", FIELD(128, 8) },
	{ "struct super_block", "s_inode_lru", FIELD(136, 8) },
	{ "struct list_lru", "node", FIELD(0, 8) },
	{ "struct list_lru_node", "lru", FIELD(0, 16) },
	{ "struct list_lru_one", "nr_items", FIELD(8, 8) },
	MEMBER("struct inode", marks, "i_fsnotify_marks"),
	MEMBER("struct inode", changed, "i_ctime_sec"),
	{ "struct dentry", "d_inode", FIELD(0, 8) },
	{ "struct dentry", "d_alias", FIELD(8, 16) },
	{ "struct dentry", "d_parent", FIELD(0, 8) },
	{ "struct simple_xattr", "list", FIELD(0, 16) },
	{ "struct simple_xattr", "size", FIELD(24, 8) },
	{ "struct shmem_inode_info", "vfs_inode", FIELD(0, 8) },
	{ "struct shmem_inode_info", "xattrs.head",
	  FIELD(offsetof(struct inode_bytes, xattrs), 16) },
	{ "struct file_system_type", "name", FIELD(0, 8) },
	{ "struct address_space", "host", FIELD(0, 8) },
	{ "struct address_space", "nrpages", FIELD(8, 8) },
	MEMBER("struct inode", list, "i_sb_list"),
	MEMBER("struct inode", sb, "i_sb"),
	MEMBER("struct inode", mapping, "i_mapping"),
	MEMBER("struct inode", bytes, "i_size"),
	MEMBER("struct inode", alias, "i_dentry.first"),
	MEMBER("struct inode", blob, "i_security"),
	MEMBER("struct inode", number, "i_ino"),
	MEMBER("struct inode", mode, "i_mode"),
	MEMBER("struct inode", flags, "i_flags"),
	MEMBER("struct inode", nlink, "i_nlink"),
	MEMBER("struct inode", rdev, "i_rdev"),
	{ 0 },
};
static const struct stub_number sizes[] = { { "struct super_block", sizeof(super) },
					    { "struct inode", sizeof(inodes[0]) },
					    { "struct list_lru", 8 },
					    { "struct list_lru_node", sizeof(lru_lists[0]) },
					    { "struct list_lru_one", sizeof(lru_lists[0]) },
					    { "struct address_space", 16 },
					    { "struct file_system_type", 8 },
					    { "struct simple_xattr", 32 },
					    { "struct shmem_inode_info", sizeof(inodes[0]) },
					    { 0 } };

/* A directory and three files, one of them with bytes, one without a dentry. */
static void fill(void)
{
	head = (struct links){ SUPER, SUPER };
	memset(&super, 0, sizeof(super));
	super.list = (struct links){ HEAD, HEAD };
	super.inodes = (struct links){ INODE(0), INODE(INODES - 1) };
	super.root = ROOT;
	super.type = TYPE;
	super.lrus[0] = LRU(0);
	super.lrus[1] = LRU(1);
	memset(lru_lists, 0, sizeof(lru_lists));
	dentry = INODE(0);
	type = NAME;
	for (unsigned int i = 0; i < INODES; i++) {
		inodes[i] = (struct inode_bytes){
			.list = { i + 1 < INODES ? INODE(i + 1) : SUPER + 16,
				  i ? INODE(i - 1) : SUPER + 16 },
			.sb = SUPER,
			.alias = i == 3 ? 0 : DENTRY(i) + 8,
			.blob = AT(30) + i * 88,
			.mode = i ? REGULAR : DIRECTORY,
			.bytes = i == 2 ? 4096 : 0,
			.nlink = 1,
			.xattrs = { XATTRS(i), XATTRS(i) },
		};
	}
}

/* Of tmpfs: a file of no byte has three attributes, one of another size; one of a page has one. */
static void set_attributes(void)
{
	static const struct {
		unsigned int inode, next, size;
	} of[] = { { 1, 1, 100 }, { 1, 2, 100 }, { 1, 0, 5000 }, { 2, 0, 100 } };

	super.op = OPS;
	for (unsigned int i = 0; i < 4; i++) {
		const uint64_t before = i && of[i - 1].next == i ? XATTR(i - 1)
								 : XATTRS(of[i].inode);

		xattrs[i].list = (struct links){ of[i].next ? XATTR(of[i].next)
							    : XATTRS(of[i].inode),
						 before };
		xattrs[i].size = of[i].size;
	}
	inodes[1].xattrs = (struct links){ XATTR(0), XATTR(2) };
	inodes[2].xattrs = (struct links){ XATTR(3), XATTR(3) };
	dentries[1].parent = dentries[2].parent = DIRECTORY_DENTRY;
}

static const struct super_inodes *counted(struct stub *s, struct supers_inodes *x)
{
	*s = (struct stub){ memory, symbols, members, sizes, NULL };
	stub_open(s);
	CHECK(super_inodes_open(&s->dump, x) == ST_OK);
	return super_inodes_count(x, SUPER);
}

static void counts_each_kind(void)
{
	const struct super_inodes *of;
	struct supers_inodes x;
	uint64_t sample;
	struct stub s;

	fill();
	of = counted(&s, &x);
	CHECK(of && of->status == ST_OK && of->inodes == 4 && of->dentries == 3 && of->blobs == 4);
	/* Neither the directory nor the file of a page is empty. */
	CHECK(of->empty == 2);
	CHECK(of->root.address == INODE(0));
	CHECK_TEXT(of->root.super->type, "tmpfs");
	CHECK(super_inodes_sample(&x, SUPER, &sample) == ST_OK && sample == INODE(0));
	/* The second time nothing is counted again. */
	CHECK(super_inodes_count(&x, SUPER) == of && x.n == 4);
	stub_close(&s);
}

/* Of a tmpfs; half of four is reached by the two newest. */
static void tells_changes(void)
{
	static const uint64_t times[INODES] = { 1000, 1009, 1003, 1009 };
	const struct super_inodes *of;
	struct super_changes c;
	struct supers_inodes x;
	struct stub s;

	fill();
	super.op = OPS;
	for (unsigned int i = 0; i < INODES; i++)
		inodes[i].changed = times[i];
	of = counted(&s, &x);
	CHECK(super_inodes_changes(of, &s.dump, &c));
	CHECK(c.first_s == 1000 && c.half_s == 1009 && c.last_s == 1009);
	stub_close(&s);
	/* The newest alone is no half. */
	inodes[3].changed = 1004;
	of = counted(&s, &x);
	CHECK(super_inodes_changes(of, &s.dump, &c) && c.half_s == 1004);
	stub_close(&s);
	/* One has none: when the first was is unknown. */
	inodes[3].changed = 0;
	of = counted(&s, &x);
	CHECK(!super_inodes_changes(of, &s.dump, &c));
	stub_close(&s);
	/* Of a disk they were changed when no memory was taken. */
	fill();
	for (unsigned int i = 0; i < INODES; i++)
		inodes[i].changed = times[i];
	CHECK(!super_inodes_changes(counted(&s, &x), &s.dump, &c));
	stub_close(&s);
}

static void has_none(void)
{
	struct supers_inodes x;
	uint64_t sample;
	struct stub s;

	fill();
	super.inodes = (struct links){ SUPER + 16, SUPER + 16 };
	CHECK(counted(&s, &x)->inodes == 0);
	CHECK(super_inodes_sample(&x, SUPER, &sample) == ST_OK && !sample);
	/* One that is not in the dump may have some. */
	CHECK(super_inodes_sample(&x, AT(90), &sample) == ST_UNREADABLE);
	stub_close(&s);
}

static void counts_attributes(void)
{
	const struct super_inodes *of;
	const struct xattr_size *size;
	const struct xattr_dir *dir;
	struct supers_inodes x;
	struct stub s;

	fill();
	set_attributes();
	of = counted(&s, &x);
	CHECK(of->status == ST_OK && of->attributes == 4 && of->attribute_bytes == 5300 + 4 * 32);
	CHECK(of->attribute_files == 2 && of->attribute_empty == 1);
	size = hash_u64_find(&of->sizes, 132);
	CHECK(size && size->n == 3 && size->files == 2 && size->sample == XATTR(3));
	size = hash_u64_find(&of->sizes, 5032);
	CHECK(size && size->n == 1 && size->files == 1);
	dir = hash_u64_find(&of->dirs, DIRECTORY_DENTRY);
	CHECK(dir && dir->files == 2 && dir->attributes == 4 && dir->bytes == 5428);
	CHECK(dir->file.address == INODE(2));
	stub_close(&s);

	/* Another file system has them in another way. */
	super.op = 0;
	CHECK(!counted(&s, &x)->attributes);
	stub_close(&s);

	/* One that cannot be read may have others behind it. */
	fill();
	set_attributes();
	xattrs[1].size = 1 << 20;
	of = counted(&s, &x);
	CHECK(of->status == ST_CORRUPT && of->problem && of->attributes == 3 && of->inodes == 4);
	stub_close(&s);
}

/* What has a reference is on no list of the file system. */
static void counts_unused(void)
{
	const struct super_inodes *of;
	struct supers_inodes x;
	struct stub s;

	fill();
	inodes[1].marks = AT(63);
	of = counted(&s, &x);
	CHECK(of->unused.known && !of->unused.n && of->watched == 1);
	stub_close(&s);
	fill();
	lru_lists[0].n = 2;
	lru_lists[1].n = 1;
	of = counted(&s, &x);
	CHECK(of->unused.known && of->unused.n == 3 && !of->watched);
	stub_close(&s);
	/* A list that is not in the dump may have any. */
	super.lrus[1] = AT(90);
	CHECK(!counted(&s, &x)->unused.known);
	stub_close(&s);
}

static void says_what_is_missing(void)
{
	const struct super_inodes *of;
	struct supers_inodes x;
	struct stub s;

	fill();
	inodes[1].list.next = AT(70); /* not in the dump: the rest comes from the other end */
	of = counted(&s, &x);
	CHECK(of->status == ST_UNREADABLE && of->problem && of->inodes == 4);
	stub_close(&s);

	/* One of another file system is not counted. */
	fill();
	inodes[2].sb = AT(5);
	of = counted(&s, &x);
	CHECK(of->status != ST_OK && of->problem && of->inodes == 3 && of->empty == 2);
	stub_close(&s);
}

TESTS({ "each kind of object", counts_each_kind }, { "no inode", has_none },
      { "when inodes of tmpfs were changed", tells_changes },
      { "extended attributes of tmpfs", counts_attributes },
      { "what the kernel could free", counts_unused }, { "a damaged list", says_what_is_missing })
