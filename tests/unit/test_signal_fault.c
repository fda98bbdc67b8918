// SPDX-License-Identifier: GPL-2.0-or-later
/* The page fault behind a signal: files that end before it, a tmpfs that is full, faults of other kinds. */
#include <string.h>

#include "stub.h"
#include "test.h"
#include "vm/signal_fault.h"
#include "vm/user_place.h"

#define AT(i) (0xffff888000100000ULL + (i)*0x1000ULL)
#define TASK AT(0)
#define MM AT(1)
#define VMA AT(2)
#define FILE_AT AT(3)
#define INODE AT(4)
#define SUPER AT(5)
#define TYPE AT(6)
#define SBINFO AT(7)
#define NAMES AT(8)
#define DENTRY AT(9)
#define MOUNT AT(10)
#define SHMEM_OPS 0xf00000ULL
#define START 0x7f0000000000ULL

static struct {
	uint64_t address, trap, error;
} task;
static struct {
	uint64_t start, end, pgoff, flags, mm, file, ops, private, left, right;
} vma;
static struct {
	uint64_t root, brk, start_brk, stack;
} mm;
static struct {
	uint64_t mnt, dentry, inode;
} file;
static struct {
	uint64_t sb, mapping, number, size, alias, times[2];
	uint32_t mode, flags, nlink, rdev;
} inode;
static struct {
	uint64_t type, op, root, info;
	uint32_t dev;
	char id[68];
} super;
static struct {
	uint64_t blocks;
	int64_t count;
	uint64_t counters;
} space;
static struct {
	uint64_t parent, name, pprev, op, inode;
} dentry;
static struct {
	uint64_t parent, mountpoint, root;
} mount;
static uint64_t type_name = NAMES;
static char names[512];

static struct stub_memory memory[] = {
	{ TASK, &task, sizeof(task) },	   { VMA, &vma, sizeof(vma) },
	{ MM, &mm, sizeof(mm) },	   { FILE_AT, &file, sizeof(file) },
	{ INODE, &inode, sizeof(inode) },  { SUPER, &super, sizeof(super) },
	{ SBINFO, &space, sizeof(space) }, { DENTRY, &dentry, sizeof(dentry) },
	{ MOUNT, &mount, sizeof(mount) },  { TYPE, &type_name, sizeof(type_name) },
	{ NAMES, names, sizeof(names) },   { 0 },
};

static const struct stub_symbol symbols[] = { { "shmem_ops", SHMEM_OPS, { 0 } }, { 0 } };
static const struct stub_member members[] = {
	{ "struct task_struct", "thread.cr2", FIELD(0, 8) },
	{ "struct task_struct", "thread.trap_nr", FIELD(8, 8) },
	{ "struct task_struct", "thread.error_code", FIELD(16, 8) },
	{ "struct vm_area_struct", "vm_start", FIELD(0, 8) },
	{ "struct vm_area_struct", "vm_end", FIELD(8, 8) },
	{ "struct vm_area_struct", "vm_pgoff", FIELD(16, 8) },
	{ "struct vm_area_struct", "vm_flags", FIELD(24, 8) },
	{ "struct vm_area_struct", "vm_mm", FIELD(32, 8) },
	{ "struct vm_area_struct", "vm_file", FIELD(40, 8) },
	{ "struct vm_area_struct", "vm_ops", FIELD(48, 8) },
	{ "struct vm_area_struct", "vm_private_data", FIELD(56, 8) },
	{ "struct vm_area_struct", "vm_rb", FIELD(64, 16) },
	{ "struct mm_struct", "mm_rb", FIELD(0, 8) },
	{ "struct mm_struct", "brk", FIELD(8, 8) },
	{ "struct mm_struct", "start_brk", FIELD(16, 8) },
	{ "struct mm_struct", "start_stack", FIELD(24, 8) },
	{ "struct rb_root", "rb_node", FIELD(0, 8) },
	{ "struct rb_node", "rb_left", FIELD(0, 8) },
	{ "struct rb_node", "rb_right", FIELD(8, 8) },
	{ "struct vm_operations_struct", "name", FIELD(8, 8) },
	{ "struct vm_special_mapping", "name", FIELD(0, 8) },
	{ "struct file", "f_path.mnt", FIELD(0, 8) },
	{ "struct file", "f_path.dentry", FIELD(8, 8) },
	{ "struct file", "f_inode", FIELD(16, 8) },
	{ "struct dentry", "d_parent", FIELD(0, 8) },
	{ "struct dentry", "d_name.name", FIELD(8, 8) },
	{ "struct dentry", "d_hash.pprev", FIELD(16, 8) },
	{ "struct dentry", "d_op", FIELD(24, 8) },
	{ "struct dentry", "d_inode", FIELD(32, 8) },
	{ "struct dentry_operations", "d_dname", FIELD(0, 8) },
	{ "struct vfsmount", "mnt_root", FIELD(0, 8) },
	{ "struct mount", "mnt", FIELD(16, 8) },
	{ "struct mount", "mnt_parent", FIELD(0, 8) },
	{ "struct mount", "mnt_mountpoint", FIELD(8, 8) },
	{ "struct address_space", "host", FIELD(0, 8) },
	{ "struct address_space", "nrpages", FIELD(8, 8) },
	{ "struct inode", "i_sb", FIELD(0, 8) },
	{ "struct inode", "i_mapping", FIELD(8, 8) },
	{ "struct inode", "i_ino", FIELD(16, 8) },
	{ "struct inode", "i_size", FIELD(24, 8) },
	{ "struct inode", "i_dentry.first", FIELD(32, 8) },
	{ "struct inode", "i_mode", FIELD(56, 4) },
	{ "struct inode", "i_flags", FIELD(60, 4) },
	{ "struct inode", "i_nlink", FIELD(64, 4) },
	{ "struct inode", "i_rdev", FIELD(68, 4) },
	{ "struct super_block", "s_type", FIELD(0, 8) },
	{ "struct super_block", "s_op", FIELD(8, 8) },
	{ "struct super_block", "s_root", FIELD(16, 8) },
	{ "struct super_block", "s_fs_info", FIELD(24, 8) },
	{ "struct super_block", "s_dev", FIELD(32, 4) },
	{ "struct super_block", "s_id", FIELD(36, 8) },
	{ "struct file_system_type", "name", FIELD(0, 8) },
	{ "struct shmem_sb_info", "max_blocks", FIELD(0, 8) },
	{ "struct shmem_sb_info", "used_blocks", FIELD(8, 16) },
	{ "struct percpu_counter", "count", FIELD(0, 8) },
	{ "struct percpu_counter", "counters", FIELD(8, 8) },
	{ 0 },
};

static void set_up(void)
{
	memset(names, 0, sizeof(names));
	strcpy(names, "tmpfs");
	strcpy(names + 16, "log");
	strcpy(names + 32, "/");
	task = (typeof(task)){ START + 0x5010, 14, 6 };
	vma = (typeof(vma)){ START, START + 0x20000, 0x10, 0xff, MM, FILE_AT };
	mm = (typeof(mm)){ VMA + 64 };
	file = (typeof(file)){ MOUNT + 16, DENTRY, INODE };
	inode = (typeof(inode)){ .sb = SUPER, .size = 0x40000, .mode = 0100600, .nlink = 1 };
	super = (typeof(super)){ TYPE, SHMEM_OPS, DENTRY, SBINFO, 22, "tmpfs" };
	space = (typeof(space)){ 1536, 1536, 0 };
	dentry = (typeof(dentry)){ DENTRY, NAMES + 16, 1, 0, INODE };
	mount = (typeof(mount)){ MOUNT, DENTRY, DENTRY };
	for (unsigned int i = 0; memory[i].addr; i++)
		if (memory[i].addr == SBINFO)
			memory[i].len = sizeof(space);
}

/* What the fault was, in words, or the status. */
static const char *fault(void)
{
	static char text[512];
	STUB(s, .memory = memory, .members = members, .symbols = symbols);
	struct strbuf b = STRBUF_OF(512);
	static struct signal_faults x;
	struct signal_fault f;
	enum status st = signal_faults_open(&s.dump, &x);

	CHECK(st == ST_OK);
	st = st ?: signal_fault_read(&x, TASK, MM, &f);
	if (st == ST_OK)
		signal_fault_words(&f, &b);
	else
		strbuf_add(&b, "%s", st == ST_ABSENT ? "absent" : dump_why(&s.dump));
	snprintf(text, sizeof(text), "%s", b.buf);
	return text;
}

/* The byte of the file, from whose page 0x10 on it is mapped; of an address behind it none. */
static void an_address_is_told_by_its_file(void)
{
	STUB(s, .memory = memory, .members = members, .symbols = symbols);
	const char *text = NULL;

	set_up();
	CHECK(user_place_of(&s.dump, MM, START + 0x5010, &text) == ST_OK);
	CHECK_TEXT(text, "/+0x15010");
	CHECK(user_place_of(&s.dump, MM, START + 0x20000, &text) == ST_ABSENT);
}

/* Byte 0x10 * 4096 + 0x5010 of the file. */
static void a_full_tmpfs(void)
{
	set_up();
	CHECK_TEXT(
		fault(),
		"a write to byte 86032 of / (256.0K), whose tmpfs is full: 6.0M of 6.0M are used");
	space.count = 1535;
	CHECK_TEXT(fault(), "a write to byte 86032 of / (256.0K)");
	/* Without a limit. */
	space.count = 1536;
	space.blocks = 0;
	CHECK_TEXT(fault(), "a write to byte 86032 of / (256.0K)");
	/* Another file system has other data there. */
	set_up();
	super.op = SHMEM_OPS + 8;
	CHECK_TEXT(fault(), "a write to byte 86032 of / (256.0K)");
}

static void a_file_that_ends_before(void)
{
	set_up();
	task.error = 4;
	inode.size = 0x15000;
	CHECK_TEXT(fault(), "a read of byte 86032 of /, which ends before it, at 84.0K");
	/* The last page is there to its end. */
	inode.size = 0x15001;
	CHECK_TEXT(fault(),
		   "a read of byte 86032 of / (84.0K), whose tmpfs is full: 6.0M of 6.0M are "
		   "used");
	inode.size = 0;
	CHECK_TEXT(fault(), "a read of byte 86032 of /, which is empty");
}

static void faults_of_other_kinds(void)
{
	set_up();
	task.trap = 17;
	CHECK_TEXT(fault(), "absent");
	task.trap = 14;
	task.address = START - 8;
	CHECK_TEXT(fault(), "a write to 0x7efffffffff8");
	task.address = START;
	vma.file = 0;
	CHECK_TEXT(fault(), "a write to 0x7f0000000000");
	set_up();
	vma.mm = MM + 8;
	CHECK_TEXT(
		fault(),
		"vm_area_struct at 0xffff888000102000 is of another mm or has not 0x7f0000005010");
}

/* What of the file system is missing costs what is said of it alone. */
static void without_the_file_system(void)
{
	set_up();
	for (unsigned int i = 0; memory[i].addr; i++)
		if (memory[i].addr == SBINFO)
			memory[i].len = 8;
	CHECK_TEXT(fault(), "a write to byte 86032 of / (256.0K)");
	inode.size = 0x1000;
	CHECK_TEXT(fault(), "a write to byte 86032 of /, which ends before it, at 4.0K");
}

TESTS({ "an address is told by its file", an_address_is_told_by_its_file },
      { "a full tmpfs", a_full_tmpfs }, { "a file that ends before", a_file_that_ends_before },
      { "faults of other kinds", faults_of_other_kinds },
      { "without the file system", without_the_file_system })
