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
#define DIRECTORY 0040755
#define REGULAR 0100644

struct links {
	uint64_t next, prev;
};

static struct links head;
static struct {
	struct links list, inodes;
	uint64_t root, type, op;
	uint32_t dev, unused;
	char id[64];
} super;
static uint64_t dentry; /* d_inode */
static uint64_t type;
static char name[64] = "tmpfs";
static struct inode_bytes {
	struct links list;
	uint64_t sb, mapping, bytes, alias, blob, number;
	uint32_t mode, flags, nlink, rdev;
} inodes[INODES];

static const struct stub_memory memory[] = {
	{ HEAD, &head, sizeof(head) },
	{ SUPER, &super, sizeof(super) },
	{ ROOT, &dentry, sizeof(dentry) },
	{ TYPE, &type, sizeof(type) },
	{ NAME, name, sizeof(name) },
	{ INODE(0), &inodes[0], sizeof(inodes[0]) },
	{ INODE(1), &inodes[1], sizeof(inodes[1]) },
	{ INODE(2), &inodes[2], sizeof(inodes[2]) },
	{ INODE(3), &inodes[3], sizeof(inodes[3]) },
	{ 0 },
};
static const struct stub_symbol symbols[] = { { "super_blocks", HEAD, FIELD(0, 16) }, { 0 } };

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
	{ "struct dentry", "d_inode", FIELD(0, 8) },
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
					    { "struct address_space", 16 },
					    { "struct file_system_type", 8 },
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
	dentry = INODE(0);
	type = NAME;
	for (unsigned int i = 0; i < INODES; i++) {
		inodes[i] = (struct inode_bytes){
			.list = { i + 1 < INODES ? INODE(i + 1) : SUPER + 16,
				  i ? INODE(i - 1) : SUPER + 16 },
			.sb = SUPER,
			.alias = i == 3 ? 0 : AT(20) + i * 192,
			.blob = AT(30) + i * 88,
			.mode = i ? REGULAR : DIRECTORY,
			.bytes = i == 2 ? 4096 : 0,
			.nlink = 1,
		};
	}
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
      { "a damaged list", says_what_is_missing })
