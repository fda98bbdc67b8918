// SPDX-License-Identifier: GPL-2.0-or-later
/* VMAs of an mm in an rb tree and in a maple tree, their names, paths of files. */
#include <stdio.h>

#include "vm/vma.h"
#include "kernel/maple_tree.h"
#include "stub.h"
#include "test.h"

#define PAGE 0x1000ULL
#define MM 0x100000ULL
#define TOP 0x110000ULL
#define LEFT 0x120000ULL
#define RIGHT 0x130000ULL
#define FILE_AT 0x140000ULL
#define OPS 0x150000ULL
#define SPECIAL 0x160000ULL
#define NAMES 0x170000ULL
#define DENTRIES 0x180000ULL
#define MOUNTS 0x190000ULL
#define DOPS 0x1a0000ULL

#define SPECIAL_FUNCTION 0xf00000ULL
#define SIMPLE_DNAME 0xf01000ULL
#define ANON_DNAME 0xf02000ULL
#define PIPE_DNAME 0xf03000ULL
#define OTHER_DNAME 0xf04000ULL

struct a_vma {
	uint64_t start, end, pgoff, flags, mm, file, ops, private, rb_left, rb_right, anon_name;
};
struct an_mm {
	uint64_t mm_rb, brk, start_brk, start_stack;
};
/* Forms of an mm: with an rb tree; anon_name is in "shared" with it, as up to 6.1. */
static const struct stub_member members[] = {
	{ "struct vm_area_struct", "vm_start", FIELD(0, 8) },
	{ "struct vm_area_struct", "vm_end", FIELD(8, 8) },
	{ "struct vm_area_struct", "vm_pgoff", FIELD(16, 8) },
	{ "struct vm_area_struct", "vm_flags", FIELD(24, 8) },
	{ "struct vm_area_struct", "vm_mm", FIELD(32, 8) },
	{ "struct vm_area_struct", "vm_file", FIELD(40, 8) },
	{ "struct vm_area_struct", "vm_ops", FIELD(48, 8) },
	{ "struct vm_area_struct", "vm_private_data", FIELD(56, 8) },
	{ "struct vm_area_struct", "vm_rb", FIELD(64, 16) },
	{ "struct vm_area_struct", "anon_name", FIELD(80, 8) },
	{ "struct vm_area_struct", "shared", FIELD(80, 8) },
	{ "struct mm_struct", "mm_rb", FIELD(0, 8) },
	{ "struct mm_struct", "brk", FIELD(8, 8) },
	{ "struct mm_struct", "start_brk", FIELD(16, 8) },
	{ "struct mm_struct", "start_stack", FIELD(24, 8) },
	{ "struct rb_root", "rb_node", FIELD(0, 8) },
	{ "struct rb_node", "rb_left", FIELD(0, 8) },
	{ "struct rb_node", "rb_right", FIELD(8, 8) },
	{ "struct vm_operations_struct", "name", FIELD(8, 8) },
	{ "struct vm_special_mapping", "name", FIELD(0, 8) },
	{ "struct anon_vma_name", "name", FIELD(4, 0) },
	{ "struct file", "f_path.mnt", FIELD(0, 8) },
	{ "struct file", "f_path.dentry", FIELD(8, 8) },
	{ "struct dentry", "d_parent", FIELD(0, 8) },
	{ "struct dentry", "d_name.name", FIELD(8, 8) },
	{ "struct dentry", "d_hash.pprev", FIELD(16, 8) },
	{ "struct dentry", "d_op", FIELD(24, 8) },
	{ "struct dentry", "d_inode", FIELD(32, 8) },
	{ "struct dentry_operations", "d_dname", FIELD(0, 8) },
	{ "struct inode", "i_ino", FIELD(0, 8) },
	{ "struct vfsmount", "mnt_root", FIELD(0, 8) },
	{ "struct mount", "mnt", FIELD(16, 8) },
	{ "struct mount", "mnt_parent", FIELD(0, 8) },
	{ "struct mount", "mnt_mountpoint", FIELD(8, 8) },
	{ 0 },
};

static const struct stub_symbol symbols[] = {
	{ .name = "special_mapping_name", .addr = SPECIAL_FUNCTION },
	{ .name = "simple_dname", .addr = SIMPLE_DNAME },
	{ .name = "anon_inodefs_dname", .addr = ANON_DNAME },
	{ .name = "pipefs_dname", .addr = PIPE_DNAME },
	{ 0 },
};

#define RB(at) ((at) ? (at) + 64 : 0)
static struct a_vma top, left, right;
static struct an_mm mm;
static uint64_t ops[2], special[1];
/* At NAMES: the bytes from 0x40 on are a struct anon_vma_name. */
static char names[PAGE];

static void fill_areas(void)
{
	top = (struct a_vma){ 0x400000, 0x402000, 0, 5, MM, 0, 0, 0, RB(LEFT), RB(RIGHT), 0 };
	left = (struct a_vma){ 0x100000, 0x102000, 3, 0x83, MM, 0, OPS, SPECIAL, 0, 0, 0 };
	right = (struct a_vma){ 0x700000, 0x701000, 0, 3, MM, 0, 0, 0, 0, 0, 0 };
	mm = (struct an_mm){ RB(TOP), 0x300000, 0x200000, 0x900000 };
	ops[1] = SPECIAL_FUNCTION;
	special[0] = NAMES;
	memset(names, 0, sizeof(names));
	strcpy(names, "[vdso]");
	strcpy(names + 0x44, "my\n heap");
}

static const struct stub_memory area_memory[] = {
	{ MM, &mm, sizeof(mm) },	 { TOP, &top, sizeof(top) },
	{ LEFT, &left, sizeof(left) },	 { RIGHT, &right, sizeof(right) },
	{ OPS, ops, sizeof(ops) },	 { SPECIAL, special, sizeof(special) },
	{ NAMES, names, sizeof(names) }, { 0 },
};

static void areas_of_an_rb_tree(void)
{
	STUB(s, .memory = area_memory, .members = members, .symbols = symbols);
	struct vmas v;
	struct vma vma;
	char perms[VMA_PERMS_BYTES];

	fill_areas();
	CHECK(vmas_open(&s.dump, &v) == ST_OK);
	CHECK(vma_find(&v, MM, 0x101fff, &vma) == ST_OK && vma.address == LEFT && vma.pgoff == 3);
	vma_perms(&vma, perms);
	CHECK_TEXT(perms, "rw-s");
	CHECK(vma_find(&v, MM, 0x400000, &vma) == ST_OK && vma.address == TOP);
	vma_perms(&vma, perms);
	CHECK_TEXT(perms, "r-xp");
	CHECK(vma_find(&v, MM, 0x700fff, &vma) == ST_OK && vma.end == 0x701000);
	CHECK(vma_find(&v, MM, 0x102000, &vma) == ST_ABSENT && vma.address == RIGHT);
	CHECK(vma_find(&v, MM, 0x701000, &vma) == ST_ABSENT);
	/* One of another process, a start behind the end, a tree that bites its tail. */
	left.mm = MM + 8;
	CHECK(vma_find(&v, MM, 0x100000, &vma) == ST_CORRUPT);
	right.end = right.start;
	CHECK(vma_find(&v, MM, 0x700000, &vma) == ST_CORRUPT);
	top.rb_right = RB(TOP);
	CHECK(vma_find(&v, MM, 0x700000, &vma) == ST_CORRUPT);
	top.rb_right = RB(0x990000);
	CHECK(vma_find(&v, MM, 0x700000, &vma) == ST_UNREADABLE);
}

static const char *name_at(struct vmas *v, uint64_t addr)
{
	struct vma vma;
	const char *name = "(none)";

	if (vma_find(v, MM, addr, &vma) != ST_OK || vma_name(v, &vma, &name) != ST_OK)
		return "(failed)";
	return name ? name : "";
}

static void names_of_areas(void)
{
	STUB(s, .memory = area_memory, .members = members, .symbols = symbols);
	struct vmas v;

	fill_areas();
	CHECK(vmas_open(&s.dump, &v) == ST_OK);
	CHECK_TEXT(name_at(&v, 0x100000), "[vdso]");
	CHECK_TEXT(name_at(&v, 0x400000), "");
	mm.start_brk = 0x401000;
	mm.brk = 0x401800;
	CHECK_TEXT(name_at(&v, 0x400000), "[heap]");
	mm.start_stack = 0x700800;
	CHECK_TEXT(name_at(&v, 0x700000), "[stack]");
	mm.start_stack = mm.brk = 0;
	right.anon_name = NAMES + 0x40;
	CHECK_TEXT(name_at(&v, 0x700000), "[anon:my? heap]");
	/* The bytes belong to the interval tree of the file; its struct file is not there. */
	right.file = FILE_AT;
	CHECK_TEXT(name_at(&v, 0x700000), "(failed)");
	ops[1] = SPECIAL_FUNCTION + 8;
	CHECK_TEXT(name_at(&v, 0x100000), "");
}

/* Dentries of 40 bytes: 0 root, 1 dir in it, 2 file, 3 root of what is mounted on 1, 4 in that. */
enum { ROOT, DIR, LOST, MOUNTED, INNER, DENTRY_COUNT };
struct a_dentry {
	uint64_t parent, name, pprev, op, inode;
};
struct a_mount {
	uint64_t parent, mountpoint, root;
};
static struct a_dentry dentries[DENTRY_COUNT];
static struct a_mount mounts[2];
static uint64_t file[2], dops[1], ino = 4711;

#define DENTRY(i) (DENTRIES + (i) * sizeof(struct a_dentry))
#define MOUNT(i) (MOUNTS + (i) * sizeof(struct a_mount))

static const struct stub_memory path_memory[] = {
	{ DENTRIES, dentries, sizeof(dentries) },
	{ MOUNTS, mounts, sizeof(mounts) },
	{ FILE_AT, file, sizeof(file) },
	{ NAMES, names, sizeof(names) },
	{ DOPS, dops, sizeof(dops) },
	{ SPECIAL, &ino, sizeof(ino) },
	{ 0 },
};

static void fill_paths(void)
{
	static const char *const text[] = { "/", "usr", "gone\n\xe2\x80\xae\xc2\x9b\xc3\xa9\xff",
					    "/", "inner" };

	memset(names, 0, sizeof(names));
	for (unsigned int i = 0; i < DENTRY_COUNT; i++) {
		strcpy(names + i * 32, text[i]);
		dentries[i] = (struct a_dentry){ DENTRY(ROOT), NAMES + i * 32, 1, 0, SPECIAL };
	}
	dentries[LOST].parent = DENTRY(DIR);
	dentries[LOST].pprev = 0;
	dentries[MOUNTED].parent = DENTRY(MOUNTED);
	dentries[INNER].parent = DENTRY(MOUNTED);
	mounts[0] = (struct a_mount){ MOUNT(0), DENTRY(ROOT), DENTRY(ROOT) };
	mounts[1] = (struct a_mount){ MOUNT(0), DENTRY(DIR), DENTRY(MOUNTED) };
}

/* The path of dentry i in mount m, or the status. */
static const char *path_at(unsigned int i, unsigned int m)
{
	static char ret[5000];
	STUB(s, .memory = path_memory, .members = members, .symbols = symbols);
	struct file_paths p;
	const char *path = NULL;
	enum status st;

	file[0] = MOUNT(m) + 16;
	file[1] = DENTRY(i);
	CHECK(file_paths_open(&s.dump, &p) == ST_OK);
	st = file_path(&p, FILE_AT, &path);
	snprintf(ret, sizeof(ret), "%s",
		 st == ST_OK	    ? path
		 : st == ST_CORRUPT ? "(corrupt)"
				    : "(other)");
	CHECK(st == ST_OK || !path);
	return ret;
}

static void paths_of_files(void)
{
	fill_paths();
	CHECK_TEXT(path_at(ROOT, 0), "/");
	CHECK_TEXT(path_at(DIR, 0), "/usr");
	CHECK_TEXT(path_at(INNER, 1), "/usr/inner");
	CHECK_TEXT(path_at(MOUNTED, 1), "/usr");
	/* A line feed, U+202E that turns the direction, U+009B of a terminal, a letter, half a character. */
	CHECK_TEXT(path_at(LOST, 0),
		   "/usr/gone\\012\\342\\200\\256\\302\\233\xc3\xa9\\377 (deleted)");
}

static void names_of_files_that_are_never_mounted(void)
{
	fill_paths();
	dops[0] = SIMPLE_DNAME;
	dentries[DIR].op = DOPS;
	CHECK_TEXT(path_at(DIR, 0), "/usr (deleted)");
	dops[0] = ANON_DNAME;
	CHECK_TEXT(path_at(DIR, 0), "anon_inode:usr");
	dops[0] = PIPE_DNAME;
	CHECK_TEXT(path_at(DIR, 0), "pipe:[4711]");
	dops[0] = OTHER_DNAME;
	CHECK_TEXT(path_at(DIR, 0), "[usr]");
	/* The root of a mount has the path of the mount. */
	dentries[MOUNTED].op = DOPS;
	CHECK_TEXT(path_at(MOUNTED, 1), "/usr");
}

static void paths_that_cannot_be(void)
{
	fill_paths();
	dentries[LOST].parent = DENTRY(LOST + 1);
	dentries[LOST + 1].parent = DENTRY(LOST);
	CHECK_TEXT(path_at(LOST, 0), "(corrupt)");
	fill_paths();
	mounts[0] = (struct a_mount){ MOUNT(1), DENTRY(MOUNTED), DENTRY(ROOT) };
	CHECK_TEXT(path_at(INNER, 1), "(corrupt)");
	fill_paths();
	strcpy(names + DIR * 32, "../etc");
	CHECK_TEXT(path_at(DIR, 0), "(corrupt)");
	names[DIR * 32] = '\0';
	CHECK_TEXT(path_at(DIR, 0), "(corrupt)");
	fill_paths();
	dentries[DIR].name = 0x999000;
	CHECK_TEXT(path_at(DIR, 0), "(other)");
}

/* A maple tree: the root is an arange_64 of two leaves. */
#define M_ROOT 0x200000ULL
#define M_LEAF 0x210000ULL

static const struct stub_member maple_members[] = {
	{ "struct maple_tree", "ma_root", FIELD(0, 8) },
	{ "struct maple_range_64", "pivot", KINDED(KIND_ARRAY, 8, 24) },
	{ "struct maple_range_64", "slot", KINDED(KIND_ARRAY, 32, 32) },
	{ "struct maple_arange_64", "pivot", KINDED(KIND_ARRAY, 8, 8) },
	{ "struct maple_arange_64", "slot", KINDED(KIND_ARRAY, 16, 16) },
	{ 0 },
};

static void entries_of_a_maple_tree(void)
{
	static const uint64_t tree = M_ROOT | 3 << 3 | 2;
	static const uint64_t root[] = { 0, 0xffff, M_LEAF | 1 << 3 | 4,
					 (M_LEAF + 0x100) | 1 << 3 | 4 };
	static uint64_t leaves[64] = { 0, 0xfff, 0x1fff, 0, 0, 0x7000, 0x402, 0 };
	static const struct stub_memory memory[] = { { 0x1000, &tree, sizeof(tree) },
						     { M_ROOT, root, sizeof(root) },
						     { M_LEAF, leaves, sizeof(leaves) },
						     { 0 } };
	STUB(s, .memory = memory, .members = maple_members);
	struct maple m;
	uint64_t v = 0;

	/* The second leaf has one entry up to the end. */
	leaves[32] = 0;
	leaves[33] = 0x20000;
	leaves[36] = 0x8000;
	CHECK(maple_open(&s.dump, &m) == ST_OK);
	CHECK(maple_find(&m, 0x1000, 0, &v) == ST_ABSENT);
	CHECK(maple_find(&m, 0x1000, 0x1fff, &v) == ST_OK && v == 0x7000);
	CHECK(maple_find(&m, 0x1000, 0x2000, &v) == ST_ABSENT);
	CHECK(maple_find(&m, 0x1000, 0x10000, &v) == ST_OK && v == 0x8000);
	CHECK(maple_find(&m, 0x1000, 0x20001, &v) == ST_ABSENT);
	/* A leaf that ends behind its parent's end. */
	leaves[1] = 0x10001;
	CHECK(maple_find(&m, 0x1000, 0, &v) == ST_CORRUPT);
	CHECK(maple_find(&m, 0x1000, 0x10000, &v) == ST_OK);
}

TESTS({ "areas of an rb tree", areas_of_an_rb_tree }, { "names of areas", names_of_areas },
      { "paths of files", paths_of_files },
      { "names of files that are never mounted", names_of_files_that_are_never_mounted },
      { "paths that cannot be", paths_that_cannot_be },
      { "entries of a maple tree", entries_of_a_maple_tree })
