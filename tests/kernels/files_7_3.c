// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Files as of 7.3: a super_block has its mounts in a chain, a dentry has d_alias in a union without
 * a name. CASE_6_12: a list of mounts, d_u.d_alias. Damaged: CASE_chain (mounts loop), CASE_maps (the
 * tree of VMAs loops), CASE_swap (the list of inodes in swap loops), CASE_fds (a table of file
 * descriptors without end), CASE_torn (mounts and a table are not in the dump), CASE_alone (a
 * deleted file that no process uses), CASE_names (a path that loops), CASE_absent (no page of a file that
 * has some is found). CASE_small: six more files of the tmpfs /spool have a page each; they are deleted, and
 * no process has them. CASE_spill: no file has most of what /spool has, in swap too. CASE_ramfs: no page of
 * /data can be reclaimed. CASE_mlocked: app.log has eight pages, six of which init has locked, and hog maps.
 * CASE_rings: the six are rings of io_setup(), which no process has. CASE_full: as CASE_small, and no page is free. CASE_segments: SYSV00000001 has seven pages, see segments.h.
 * CASE_events: hog has a queue of fanotify open, with events of five of these, CASE_events_5_6: as they were before. CASE_nets: 120 network namespaces, in one of which processes live, and slabs; CASE_astray: the list of these loops.
 *
 * Pages	file
 * 20		/spool/trace.log, deleted, open in "hog" (10); two more pages in swap
 * 3		/data/app.log on ext4, one dirty, one under writeback; mapped by "init" (1)
 * 2		memfd:cache, mapped by "init"
 * 1		SYSV00000001
 * 1		/data/swapfile, given to swapon()
 * 2		the block device 8:1
 * 1		inode 77 of ext4: no dentry
 * 1		/box/inner in a mount of a directory only, which init does not see
 * 1		a file of a tmpfs that was unmounted lazily
 * 1		truncated
 * 1		of shared memory, truncated, and a driver has it
 * 1		of an address_space that is not in the dump
 * 0		/spool/old, all of it in swap: 7 pages
 */
#ifndef RELEASE
#define RELEASE "7.3.0-files"
#endif
#define OWN_TASKS
struct list_head {
	struct list_head *next, *prev;
};
#include "common.h"
#include "tasktypes.h"

enum pageflags {
	PG_locked,
	PG_writeback,
	PG_referenced,
	PG_uptodate,
	PG_dirty,
	PG_lru,
	PG_head,
	PG_swapbacked,
	PG_swapcache,
	PG_mlocked,
	PG_unevictable,
	PG_reserved,
	__NR_PAGEFLAGS
} keep_pageflags;
enum pagetype { PGTY_buddy = 0xf0, PGTY_table = 0xf2, PGTY_slab = 0xf5 } keep_pagetype;

struct rb_node {
	u64 __rb_parent_color;
	struct rb_node *rb_right, *rb_left;
};
struct rb_root {
	struct rb_node *rb_node;
};
struct rb_root_cached {
	struct rb_root rb_root;
	struct rb_node *rb_leftmost;
};
struct hlist_node {
	struct hlist_node *next, **pprev;
};
struct hlist_head {
	struct hlist_node *first;
};
struct hlist_bl_node {
	struct hlist_bl_node *next, **pprev;
};

struct inode;
struct address_space {
	struct inode *host;
	u64 gfp_mask;
	struct rb_root_cached i_mmap;
	u64 nrpages;
};
struct super_block;
struct timespec64 {
	s64 tv_sec;
	s64 tv_nsec;
};
struct inode {
	u16 i_mode;
	u32 i_flags;
	struct super_block *i_sb;
	struct address_space *i_mapping;
	u64 i_ino;
	u32 i_nlink, i_rdev;
	s64 i_size;
#ifdef CASE_6_12
	struct timespec64 __i_mtime, __i_ctime; /* as up to 6.10 */
#else
	s64 i_mtime_sec, i_ctime_sec;
#endif
	struct hlist_head i_dentry;
	struct address_space i_data;
};
struct shmem_inode_info {
	u64 flags, alloced, swapped;
	struct list_head swaplist;
	struct inode vfs_inode;
};
struct file_system_type {
	const char *name; struct hlist_head fs_supers;
};
struct super_operations {
	void *alloc_inode;
};
struct mount;
struct dentry;
struct super_block {
	u32 s_dev;
	struct file_system_type *s_type;
	const struct super_operations *s_op;
	struct dentry *s_root;
#ifdef CASE_6_12
	struct list_head s_mounts;
#else
	struct mount *s_mounts;
#endif
	char s_id[32];
	void *s_fs_info; struct hlist_node s_instances;
};
struct qstr {
	u64 hash_len;
	const char *name;
};
struct dentry_operations {
	void *d_revalidate;
	char *(*d_dname)(struct dentry *, char *, int);
};
struct dentry {
	u32 d_flags;
	struct hlist_bl_node d_hash;
	struct dentry *d_parent;
	struct qstr d_name;
	struct inode *d_inode;
	const struct dentry_operations *d_op;
#ifdef CASE_6_12
	union {
		struct hlist_node d_alias;
	} d_u;
#define ALIAS d_u.d_alias
#else
	union {
		struct hlist_node d_alias;
		void *waiters;
	};
#define ALIAS d_alias
#endif
};
struct vfsmount {
	struct dentry *mnt_root;
	struct super_block *mnt_sb;
};
struct mnt_namespace {
	u64 id;
};
struct mount {
	struct mount *mnt_parent;
	struct dentry *mnt_mountpoint;
	struct vfsmount mnt;
#ifdef CASE_6_12
	struct list_head mnt_instance;
#else
	struct mount *mnt_next_for_sb;
#endif
	struct mnt_namespace *mnt_ns;
};
struct path {
	struct vfsmount *mnt;
	struct dentry *dentry;
};
#ifdef CASE_events_5_6
#define CASE_events
#endif
#include "spool.h"
#if defined(CASE_full) || defined(CASE_events)
#define CASE_small
#endif
#ifdef CASE_events
#define FILE_MEMBERS     \
	void *private_data; \
	const void *f_op
#endif
#ifndef FILE_MEMBERS
#define FILE_MEMBERS
#endif
struct file {
	struct inode *f_inode;
	struct path f_path;
	FILE_MEMBERS
};
struct fdtable {
	u32 max_fds;
	struct file **fd;
};
struct files_struct {
	s32 count;
	struct fdtable *fdt;
};
struct nsproxy {
	s32 count;
	struct mnt_namespace *mnt_ns;
	struct net *net_ns;
};

struct mm_struct {
	u64 users, total_vm;
	struct percpu_counter rss_stat[NR_MM_COUNTERS];
};
struct signal_struct {
	struct list_head thread_head;
	u64 min_flt, maj_flt, cmin_flt, cmaj_flt;
};
struct task_struct {
	TASK_MEMBERS
	u32 flags, __state;
	s32 exit_state;
	u64 start_time;
	struct files_struct *files;
	struct nsproxy *nsproxy;
};
struct vm_area_struct {
	u64 vm_start, vm_end, vm_flags;
	struct mm_struct *vm_mm;
	struct {
		struct rb_node rb;
		u64 rb_subtree_last;
	} shared;
	struct file *vm_file;
};
struct vm_area_struct keep_vma;

/* One CPU; counters of mm_structs have no part of a CPU. */
static struct area {
	u64 pad;
	s32 reserve;
} area0 = { 0, 2 };
void *__per_cpu_offset[1] = { DIRECT(&area0) };
struct cpumask {
	u64 bits[1];
};
struct cpumask __cpu_possible_mask = { { 1 } };
u32 nr_cpu_ids = 1;

char *simple_dname(struct dentry *d, char *buffer, int n)
{
	return buffer + n;
}
const struct super_operations shmem_ops = { 0 };
static const struct super_operations other_ops = { 0 };
static const struct dentry_operations anon_ops = { .d_dname = simple_dname };

#ifdef CASE_ramfs
#define DISK "ramfs"
#define DISK_FLAGS | BIT(unevictable)
#elif defined(CASE_alone)
#define DISK "btrfs"
#define DISK_FLAGS
#else
#define DISK "ext4"
#define DISK_FLAGS
#endif
static const char tmpfs_name[] = SPOOL, ext4_name[] = DISK, bdev_name[] = "bdev";
static struct file_system_type tmpfs = { tmpfs_name }, ext4 = { ext4_name }, bdev = { bdev_name };
extern struct super_block root_sb, spool_sb, data_sb, bdev_sb, internal_sb, box_sb, gone_sb;
extern struct mount root_mnt, spool_mnt, data_mnt, box_mnt, box_bind, gone_mnt, internal_mnt, bdev_mnt;
static struct mnt_namespace init_ns = { 1 }, box_ns = { 2 };

/* A dentry with a name; PPREV: it is on a hash list. */
#define HASHED (void *)0x10
#define DENTRY(id, text, up, node, hash)                     \
	static const char id##_text[] = text;                \
	static struct dentry id = { .d_hash = { 0, hash },   \
				    .d_parent = up,          \
				    .d_name = { 0, id##_text }, \
				    .d_inode = node }
extern struct inode app_inode, swap_inode, block_inode, lone_inode; /* a parent of a loop is a dentry below it */
extern struct shmem_inode_info trace, old, memfd, sysv, box_file, gone_file;
#define NODE(info) DIRECT(&(info).vfs_inode)
#define ROOT(id)                                                                          \
	static const char id##_text[] = "/";                                              \
	static struct dentry id = { .d_parent = DIRECT(&id), .d_name = { 0, id##_text } }
ROOT(root_top);
#ifdef CASE_nets
DENTRY(spool_top, "/", DIRECT(&spool_top), NODE(trace), 0); /* the file of a network namespace, which is mounted */
#else
ROOT(spool_top);
#endif
ROOT(data_top);
ROOT(box_top);
ROOT(gone_top);
DENTRY(spool_dir, "spool", DIRECT(&root_top), 0, HASHED);
DENTRY(data_dir, "data", DIRECT(&root_top), 0, HASHED);
DENTRY(box_dir, "box", DIRECT(&root_top), 0, HASHED);
DENTRY(shared_dir, "shared", DIRECT(&box_top), 0, HASHED);
#ifdef CASE_names
#define TRACE_UP DIRECT(&old_name)
#else
#define TRACE_UP DIRECT(&spool_top)
#endif
extern struct dentry old_name;
DENTRY(trace_name, "trace.log", TRACE_UP, NODE(trace), 0);
static const char old_text[] = "old";
#ifdef CASE_names
#define OLD_UP DIRECT(&trace_name)
#else
#define OLD_UP DIRECT(&spool_top)
#endif
struct dentry old_name = { .d_hash = { 0, HASHED }, .d_parent = OLD_UP, .d_name = { 0, old_text },
			   .d_inode = NODE(old) };
DENTRY(app_name, "app.log", DIRECT(&data_top), DIRECT(&app_inode), HASHED);
/* Its other name was removed; the aliases have that first. */
static const char former_text[] = "app.tmp";
static struct dentry app_former = { .d_parent = DIRECT(&data_top), .d_name = { 0, former_text },
				    .d_inode = DIRECT(&app_inode),
				    .ALIAS = { DIRECT(&app_name.ALIAS) } };
DENTRY(swap_name, "swapfile", DIRECT(&data_top), DIRECT(&swap_inode), HASHED);
DENTRY(box_name, "inner", DIRECT(&shared_dir), NODE(box_file), HASHED);
DENTRY(gone_name, "left", DIRECT(&gone_top), NODE(gone_file), HASHED);
static const char memfd_text[] = "memfd:cache", sysv_text[] = "SYSV00000001";
static struct dentry memfd_name = { .d_parent = DIRECT(&memfd_name), .d_name = { 0, memfd_text },
				    .d_inode = NODE(memfd), .d_op = &anon_ops };
static struct dentry sysv_name = { .d_parent = DIRECT(&sysv_name), .d_name = { 0, sysv_text },
				   .d_inode = NODE(sysv), .d_op = &anon_ops };

/* An open block device has a dentry without a name (6.9: bdev_file_open_by_dev()). */
static const char block_text[] = "";
static struct dentry block_name = { .d_parent = DIRECT(&block_name), .d_name = { 0, block_text },
				    .d_inode = DIRECT(&block_inode), .d_op = &anon_ops };

#ifdef CASE_6_12
#define LIST(m) { DIRECT(&(m).mnt_instance), DIRECT(&(m).mnt_instance) }
#define MOUNTS(sb, m) .s_mounts = LIST(m)
#define INSTANCE(sb) .mnt_instance = { DIRECT(&(sb).s_mounts), DIRECT(&(sb).s_mounts) }
#else
#define MOUNTS(sb, m) .s_mounts = DIRECT(&(m))
#ifdef CASE_chain
#define INSTANCE(sb) .mnt_next_for_sb = NEXT_OF_##sb
#define NEXT_OF_spool_sb DIRECT(&gone_mnt)
#define NEXT_OF_gone_sb DIRECT(&gone_mnt)
#define NEXT_OF_data_sb 0
#define NEXT_OF_root_sb 0
#define NEXT_OF_box_sb 0
#define NEXT_OF_internal_sb 0
#define NEXT_OF_bdev_sb 0
#else
#define INSTANCE(sb) .mnt_next_for_sb = 0
#endif
#endif
#ifdef CASE_torn
#undef MOUNTS
#define MOUNTS(sb, m) .s_mounts = (void *)0xffff88ffffff0000UL
#endif
#define SUPER(dev, type, op, root, sb, m, id) \
	{ dev, DIRECT(&type), &op, root, MOUNTS(sb, m), .s_id = id }
struct super_block root_sb = SUPER(1, tmpfs, shmem_ops, DIRECT(&root_top), root_sb, root_mnt, "root");
struct super_block spool_sb = SUPER(0x25, tmpfs, shmem_ops, DIRECT(&spool_top), spool_sb, spool_mnt,
				    "tmpfs");
struct super_block data_sb = SUPER(0x800001, ext4, other_ops, DIRECT(&data_top), data_sb, data_mnt,
				   "sda1");
struct super_block box_sb = SUPER(0x26, tmpfs, shmem_ops, DIRECT(&box_top), box_sb, box_bind, "tmpfs");
struct super_block gone_sb = SUPER(0x27, tmpfs, shmem_ops, DIRECT(&gone_top), gone_sb, gone_mnt,
				   "tmpfs");
struct super_block internal_sb = SUPER(3, tmpfs, shmem_ops, 0, internal_sb, internal_mnt, "tmpfs");
struct super_block bdev_sb = SUPER(4, bdev, other_ops, 0, bdev_sb, bdev_mnt, "bdev");

#define MOUNT(up, point, root, sb, ns) \
	{ DIRECT(&up), point, { root, DIRECT(&sb) }, INSTANCE(sb), ns }
struct mount root_mnt = MOUNT(root_mnt, DIRECT(&root_top), DIRECT(&root_top), root_sb,
			      DIRECT(&init_ns));
struct mount spool_mnt = MOUNT(root_mnt, DIRECT(&spool_dir), DIRECT(&spool_top), spool_sb,
			       DIRECT(&init_ns));
struct mount data_mnt = MOUNT(root_mnt, DIRECT(&data_dir), DIRECT(&data_top), data_sb,
			      DIRECT(&init_ns));
/* A directory of it, in another namespace. */
struct mount box_bind = MOUNT(root_mnt, DIRECT(&box_dir), DIRECT(&shared_dir), box_sb, DIRECT(&box_ns));
/* Detached, or private to an overlay: MNT_NS_INTERNAL. */
#ifdef CASE_6_12
#define GONE_NS (void *)-22L
#else
#define GONE_NS 0
#endif
struct mount gone_mnt = MOUNT(gone_mnt, DIRECT(&gone_top), DIRECT(&gone_top), gone_sb, GONE_NS);
struct mount internal_mnt = MOUNT(internal_mnt, 0, 0, internal_sb, (void *)-22L);
struct mount bdev_mnt = MOUNT(bdev_mnt, 0, 0, bdev_sb, (void *)-22L);

extern struct vm_area_struct app_vma, memfd_vma, second_vma;
#define VMAS(vma) { { DIRECT(&(vma).shared.rb) }, DIRECT(&(vma).shared.rb) }
#ifdef CASE_6_12
#define MTIME(s) { (s), 5 }
#else
#define MTIME(s) (s)
#endif
#define INODE(node, mode, flags, sb, ino, nlink, rdev, size, alias, pages, ...)                 \
	{ mode, flags, DIRECT(&sb), (void *)((char *)(node) + __builtin_offsetof(struct inode, i_data)), \
	  ino, nlink, rdev, size, MTIME(1700000000 + ino), MTIME(1800000000 + ino), { alias }, { node, 0, __VA_ARGS__, .nrpages = pages } }
#define ALIASES(d) DIRECT(&(d).ALIAS)
#define REG 0100644
#ifdef CASE_mlocked
#define APP_PAGES 8
#define VM_FLAGS 0x2073
#define SECOND_MM hog_mm
#else
#define APP_PAGES 3
#define VM_FLAGS 0x73
#define SECOND_MM left_mm
#endif
struct inode app_inode = INODE(DIRECT(&app_inode), REG, 0, data_sb, 12, 1, 0, 12000,
			       ALIASES(app_former), APP_PAGES, VMAS(app_vma));
struct inode swap_inode = INODE(DIRECT(&swap_inode), REG, 0x100, data_sb, 13, 1, 0, 4096,
				ALIASES(swap_name), 1, { 0 });
/* One page more than are found. Inode 1 of btrfs is that of its metadata. */
#ifdef CASE_alone
#define LONE 1
#else
#define LONE 77
#endif
struct inode lone_inode = INODE(DIRECT(&lone_inode), REG, 0, data_sb, LONE, 1, 0, 4096, 0, 2, { 0 });
struct inode block_inode = INODE(DIRECT(&block_inode), 060600, 0, bdev_sb, 0x800001, 1, 0x800001,
				 65536, ALIASES(block_name), 2, { 0 });

#ifdef CASE_spill
#define OLD_SWAPPED 22
#else
#define OLD_SWAPPED 7
#endif
#ifdef CASE_absent
#define OLD_PAGES 3
#else
#define OLD_PAGES 0
#endif
#define SWAPLIST(info) DIRECT(&(info).swaplist)
struct list_head shmem_swaplist = { SWAPLIST(trace), SWAPLIST(old) };
#ifdef CASE_swap
#define AFTER_OLD SWAPLIST(trace)
#else
#define AFTER_OLD ((void *)&shmem_swaplist)
#endif
struct shmem_inode_info trace = { .swapped = 2, .swaplist = { SWAPLIST(old), (void *)&shmem_swaplist },
	.vfs_inode = INODE(NODE(trace), REG, 0, spool_sb, 2, 0, 0, 90112, ALIASES(trace_name), 20, { 0 }) };
struct shmem_inode_info old = { .swapped = OLD_SWAPPED, .swaplist = { AFTER_OLD, SWAPLIST(trace) },
	.vfs_inode = INODE(NODE(old), REG, 0, spool_sb, 3, 1, 0, 28672, ALIASES(old_name), OLD_PAGES, { 0 }) };
struct shmem_inode_info memfd = {
	.vfs_inode = INODE(NODE(memfd), 0100777, 0, internal_sb, 4, 0, 0, 8192, ALIASES(memfd_name), 2,
			   VMAS(memfd_vma)) };
#include "segments.h"
struct shmem_inode_info sysv = {
	.vfs_inode = INODE(NODE(sysv), 0100777, 0, internal_sb, 5, 0, 0, SYSV_PAGES * 4096, ALIASES(sysv_name), SYSV_PAGES, { 0 }) };
struct shmem_inode_info box_file = {
	.vfs_inode = INODE(NODE(box_file), REG, 0, box_sb, 6, 1, 0, 4096, ALIASES(box_name), 1, { 0 }) };
struct shmem_inode_info gone_file = {
	.vfs_inode = INODE(NODE(gone_file), REG, 0, gone_sb, 7, 1, 0, 4096, ALIASES(gone_name), 1, { 0 }) };
#include "mails.h"
#ifdef CASE_events
#include "fanotify.h"
#endif
#define COUNTERS                            \
	{                                   \
		1, 10, { { 0, 1 }, { 0, 1 }, { 0, 0 }, { 0, 1 } } \
	}
static struct mm_struct hog_mm = COUNTERS, init_mm_user = COUNTERS;
/* A mapping of a task that has exited: no task has its mm_struct. */
static struct mm_struct left_mm = COUNTERS;
#ifdef CASE_maps
#define APP_RIGHT DIRECT(&app_vma.shared.rb)
#else
#define APP_RIGHT 0
#endif
struct vm_area_struct app_vma = { 0x1000, 0x4000, VM_FLAGS, DIRECT(&init_mm_user), { { 0, APP_RIGHT, DIRECT(&second_vma.shared.rb) } } };
struct vm_area_struct second_vma = { 0x8000, 0x9000, 0x73, DIRECT(&SECOND_MM), { { (u64)DIRECT(&app_vma.shared.rb) } } };
struct vm_area_struct memfd_vma = { 0x4000, 0x6000, 0x73, DIRECT(&init_mm_user) };

#ifdef CASE_alone
#define TRACE_FILE 0
#else
#define TRACE_FILE DIRECT(&trace_file)
#endif
static struct file trace_file = { NODE(trace), { DIRECT(&spool_mnt.mnt), DIRECT(&trace_name) } };
#ifdef CASE_events
static struct file events_file = { .private_data = DIRECT(&events_group), .f_op = &fanotify_fops };
#define DEVICE_FILES [5] = DIRECT(&events_file)
#endif
#ifndef DEVICE_FILES
#define DEVICE_FILES
#endif
static struct file *hog_fds[64] = { [0] = TRACE_FILE, [3] = TRACE_FILE, DEVICE_FILES };
#ifdef CASE_fds
#define HOG_FDS 0xffffffff
#else
#define HOG_FDS 64
#endif
static struct fdtable hog_table = { HOG_FDS, DIRECT(hog_fds) };
static struct files_struct hog_files = { 1, DIRECT(&hog_table) };

extern struct task_struct hog, init;
struct signal_struct hog_signal = { { DIRECT(&hog.thread_node), DIRECT(&hog.thread_node) } };
struct signal_struct init_signal = { { DIRECT(&init.thread_node), DIRECT(&init.thread_node) } };
#include "nets.h"
static struct nsproxy proxy = { 1, DIRECT(&init_ns), PROXY_NET };
#define TASKS(t) DIRECT(&(t).tasks)
struct task_struct init_task = { .tasks = { TASKS(init), TASKS(hog) }, .comm = "swapper",
				 .nsproxy = DIRECT(&proxy) };
struct task_struct init = {
	.tasks = { TASKS(hog), (void *)&init_task.tasks },
	.pid = 1, .tgid = 1, .comm = "init",
	.thread_node = { DIRECT(&init_signal.thread_head), DIRECT(&init_signal.thread_head) },
	.signal = DIRECT(&init_signal),
	.mm = DIRECT(&init_mm_user),
#ifdef CASE_torn
	.files = (void *)0xffff88ffffff1000UL,
#endif
	.nsproxy = DIRECT(&proxy),
};
struct task_struct hog = {
	.tasks = { (void *)&init_task.tasks, TASKS(init) },
	.pid = 10, .tgid = 10, .comm = "hog",
	.thread_node = { DIRECT(&hog_signal.thread_head), DIRECT(&hog_signal.thread_head) },
	.signal = DIRECT(&hog_signal),
	.mm = DIRECT(&hog_mm),
	.files = DIRECT(&hog_files),
	.nsproxy = DIRECT(&proxy),
};

struct page {
	u64 flags;
	u64 compound_head;
	u64 mapping, index, private;
	s32 _mapcount, _refcount;
	u64 memcg_data;
	u32 page_type, pad;
};
#define BIT(f) (1UL << PG_##f)
#define SPACE(node) (u64)((char *)(node) + __builtin_offsetof(struct inode, i_data))
#define PAGE(node, f)                                                                 \
	{                                                                             \
		.flags = f, .mapping = SPACE(node), ._mapcount = -1, .page_type = ~0U \
	}
#define SHMEM_PAGE(info) PAGE(NODE(info), BIT(lru) | BIT(swapbacked) | BIT(dirty))
static struct page first_pages[FIRST_PAGES] = {
	[0 ... 19] = SHMEM_PAGE(trace),
	[20 ... 21] = SHMEM_PAGE(memfd),
	[22] = SHMEM_PAGE(sysv),
	[23] = SHMEM_PAGE(box_file),
	[24] = SHMEM_PAGE(gone_file),
	[25] = { .flags = BIT(lru) | BIT(swapbacked), ._mapcount = -1, ._refcount = 2, .page_type = ~0U },
#ifdef CASE_small
	[26] = SHMEM_PAGE(mails[0]), SHMEM_PAGE(mails[1]), SHMEM_PAGE(mails[2]),
	SHMEM_PAGE(mails[3]), SHMEM_PAGE(mails[4]), SHMEM_PAGE(mails[5]),
#elif defined(CASE_segments)
	[26 ... 31] = SHMEM_PAGE(sysv),
#else
	[26 ... 31] = { .page_type = PGTY_buddy << 24, .private = 0 },
#endif
};
static struct page second_pages[SECOND_PAGES] = {
	[0] = PAGE(DIRECT(&app_inode), BIT(lru) | BIT(dirty) DISK_FLAGS),
	[1] = PAGE(DIRECT(&app_inode), BIT(lru) | BIT(writeback) | BIT(mlocked) DISK_FLAGS),
	[2] = { .flags = BIT(lru) DISK_FLAGS, .mapping = SPACE(DIRECT(&app_inode)), .page_type = ~0U },
	[3] = PAGE(DIRECT(&swap_inode), BIT(lru) DISK_FLAGS),
	[4 ... 5] = PAGE(DIRECT(&block_inode), BIT(lru)),
	[6] = PAGE(DIRECT(&lone_inode), BIT(lru) DISK_FLAGS),
	[7] = { .flags = BIT(lru), ._mapcount = -1, .page_type = ~0U },
	[8] = { .flags = BIT(lru), .mapping = 0xffff88ffffff2000UL, ._mapcount = -1, .page_type = ~0U },
#ifdef CASE_mlocked
	[9 ... 13] = PAGE(DIRECT(&app_inode), BIT(lru) | BIT(mlocked)),
	[14 ... 15] = { .page_type = PGTY_buddy << 24, .private = 0 },
#elif defined(NETS) || defined(CASE_full)
	[9 ... 15] = { .page_type = PGTY_slab << 24 },
#else
	[9 ... 15] = { .page_type = PGTY_buddy << 24, .private = 0 },
#endif
};
struct free_area {
	u64 nr_free;
};
struct zone {
	u64 zone_start_pfn, spanned_pages;
	const char *name;
	struct free_area free_area[11];
};
struct pglist_data {
	struct zone node_zones[1];
	s32 node_id;
	u64 node_start_pfn, node_spanned_pages;
	struct page *node_mem_map;
};
#define NODE_OF(id, first, n, pages) \
	{ { { first, n, "Normal" } }, id, first, n, DIRECT(pages) }
static struct pglist_data first_node = NODE_OF(0, FIRST_PFN, FIRST_PAGES, first_pages);
static struct pglist_data second_node = NODE_OF(1, SECOND_PFN, SECOND_PAGES, second_pages);
struct pglist_data *node_data[2] = { DIRECT(&first_node), DIRECT(&second_node) };
