// SPDX-License-Identifier: GPL-2.0-or-later
#include "files/super_space.h"

#include "modules/module_sections.h"

#define READ_ONLY 1U	       /* SB_RDONLY */
#define MAX_SHIFT 30	       /* of a cluster */
#define SECTOR_SHIFT 9	       /* of i_blocks */
#define MAX_BYTES (1ULL << 60) /* of a file system or a file: XFS has 2^63 at most, ext4 2^60 */

struct super_of {
	uint64_t info, block, flags, disk;
};

struct disk {
	uint64_t sectors, inode;
	bool has_sectors;
};

struct disk_inode {
	uint64_t bytes;
};

struct shmem {
	uint64_t max_blocks, used;
	uint64_t max_inodes, free_inodes, free_ispace;
	bool has_inodes, has_ispace;
};

struct ext4 {
	uint64_t disk;	   /* its copy of the super block of the disk */
	uint64_t overhead; /* clusters */
	uint32_t cluster_bits;
	uint64_t free, dirty, free_inodes; /* addresses of counters */
	int64_t reserved;		   /* clusters */
};

struct ext4_disk {
	uint32_t blocks_low, blocks_high, root_low, root_high, inodes;
};

struct xfs {
	uint64_t super, blocks, log_start;
	uint32_t log_blocks;
	uint64_t free;	     /* address of a counter */
	uint64_t kept, tree; /* blocks that no file gets */
};

static const struct layout_row rows[] = {
	STRUCTURE(struct super_spaces, super, "struct super_block"),
	POINTS(struct super_of, info, REQUIRED, "all", "s_fs_info"),
	READS(struct super_of, block, REQUIRED, "all", "s_blocksize"),
	READS(struct super_of, flags, REQUIRED, "all", "s_flags"),
	POINTS(struct super_of, disk, REQUIRED, "all", "s_bdev"),
	STRUCTURE(struct super_spaces, disk, "struct block_device"),
	READS_IF(struct disk, sectors, has_sectors, OPTIONAL, "5.16", "bd_nr_sectors"),
	READS(struct disk, inode, OPTIONAL, "all to 6.9", "bd_inode"),
	STRUCTURE(struct super_spaces, disk_inode, "struct inode"),
	READS(struct disk_inode, bytes, REQUIRED, "all", "i_size"),
	FINDS(struct super_spaces, blocks, "struct inode", REQUIRED, "all", "i_blocks"),
};

static const struct layout_row shmem_rows[] = {
	STRUCTURE(struct super_spaces, shmem, "struct shmem_sb_info"),
	READS(struct shmem, max_blocks, REQUIRED, "all", "max_blocks"),
	PLACES(struct shmem, used, REQUIRED, "all", "used_blocks"),
	READS(struct shmem, max_inodes, REQUIRED, "all", "max_inodes"),
	/* 6.6: "tmpfs: track free_ispace instead of free_inodes": bytes of inodes and of attributes together. */
	READS_IF(struct shmem, free_inodes, has_inodes, OPTIONAL, "all to 6.5", "free_inodes"),
	READS_IF(struct shmem, free_ispace, has_ispace, OPTIONAL, "6.6", "free_ispace"),
};

static const struct layout_row ext4_rows[] = {
	STRUCTURE(struct super_spaces, ext4, "struct ext4_sb_info"),
	POINTS(struct ext4, disk, REQUIRED, "all", "s_es"),
	READS(struct ext4, overhead, REQUIRED, "all", "s_overhead"),
	READS(struct ext4, cluster_bits, REQUIRED, "all", "s_cluster_bits"),
	PLACES(struct ext4, free, REQUIRED, "all", "s_freeclusters_counter"),
	PLACES(struct ext4, dirty, REQUIRED, "all", "s_dirtyclusters_counter"),
	PLACES(struct ext4, free_inodes, REQUIRED, "all", "s_freeinodes_counter"),
	READS(struct ext4, reserved, REQUIRED, "all", "s_resv_clusters.counter", "s_resv_clusters"),
	STRUCTURE(struct super_spaces, ext4_disk, "struct ext4_super_block"),
	READS(struct ext4_disk, blocks_low, REQUIRED, "all", "s_blocks_count_lo"),
	READS(struct ext4_disk, blocks_high, REQUIRED, "all", "s_blocks_count_hi"),
	READS(struct ext4_disk, root_low, REQUIRED, "all", "s_r_blocks_count_lo"),
	READS(struct ext4_disk, root_high, REQUIRED, "all", "s_r_blocks_count_hi"),
	READS(struct ext4_disk, inodes, REQUIRED, "all", "s_inodes_count"),
};

static const struct layout_row xfs_rows[] = {
	STRUCTURE(struct super_spaces, xfs, "struct xfs_mount"),
	POINTS(struct xfs, super, REQUIRED, "all", "m_super"),
	READS(struct xfs, blocks, REQUIRED, "all", "m_sb.sb_dblocks"),
	READS(struct xfs, log_start, REQUIRED, "all", "m_sb.sb_logstart"),
	READS(struct xfs, log_blocks, REQUIRED, "all", "m_sb.sb_logblocks"),
	/* 6.15: "xfs: generalize the freespace and reserved blocks handling": the first of several. */
	PLACES(struct xfs, free, REQUIRED, "all", "m_free", "m_fdblocks"),
	READS(struct xfs, kept, OPTIONAL, "4.8", "m_alloc_set_aside"),
	READS(struct xfs, tree, OPTIONAL, "5.12", "m_allocbt_blks.counter", "m_allocbt_blks"),
	FINDS(struct super_spaces, xfs_counter, "struct xfs_freecounter", OPTIONAL, "6.15",
	      "count"),
};

enum status super_spaces_open(struct dump *d, struct super_spaces *ret)
{
	enum status st;

	*ret = (struct super_spaces){ .dump = d };
	st = STRUCTS_OPEN(d, rows, ret) ?: percpu_counters_open(d, &ret->counters);
	if (st != ST_OK)
		return st;
	ret->shmem_status = STRUCTS_OPEN(d, shmem_rows, ret);
	ret->ext4_status = module_object_type(d, "ext4", "struct ext4_sb_info")
				   ?: STRUCTS_OPEN(d, ext4_rows, ret);
	ret->ext4_problem = ret->ext4_status == ST_OK ? NULL : dump_why(d);
	ret->xfs_status = module_object_type(d, "xfs", "struct xfs_mount")
				  ?: STRUCTS_OPEN(d, xfs_rows, ret);
	ret->xfs_problem = ret->xfs_status == ST_OK ? NULL : dump_why(d);
	d->error[0] = '\0';
	return ST_OK;
}

static uint64_t above(uint64_t n, uint64_t less)
{
	return n > less ? n - less : 0;
}

static enum status in_bytes(struct dump *d, const char *type, unsigned int shift,
			    struct super_space *s)
{
	if (shift > MAX_SHIFT || s->bytes > MAX_BYTES >> shift || s->free > s->bytes ||
	    s->available > s->free || (s->has_free_inodes && s->free_inodes > s->inodes))
		return dump_corrupt(d, "%.16s: %lu of %lu blocks are free, %lu of %lu inodes", type,
				    s->free, s->bytes, s->free_inodes, s->inodes);
	s->bytes <<= shift;
	s->free <<= shift;
	s->available <<= shift;
	return ST_OK;
}

/* BOGO_INODE_SIZE of mm/shmem.c: what an inode costs of free_ispace, as statfs() divides it. */
#define INODE_SPACE 1024

/* shmem_statfs(); what it keeps may be used by all. */
static enum status read_shmem(const struct super_spaces *x, const struct super_of *of,
			      struct super_space *ret)
{
	struct shmem s = { 0 };
	uint64_t used = 0;
	enum status st = x->shmem_status ?: struct_read(&x->shmem, of->info, &s);

	if (st != ST_OK)
		return st;
	if (!s.max_blocks)
		return dump_absent(x->dump, "it has no limit");
	st = percpu_counter_positive(&x->counters, s.used, &used);
	ret->bytes = s.max_blocks;
	ret->free = s.max_blocks > used ? s.max_blocks - used : 0;
	ret->has_available = ret->counts_blocks = true;
	ret->available = ret->free;
	ret->has_inodes = s.max_inodes != 0;
	ret->has_no_inodes = !s.max_inodes;
	ret->has_free_inodes = s.max_inodes && (s.has_inodes || s.has_ispace);
	ret->inodes = s.max_inodes;
	ret->free_inodes = s.has_inodes ? s.free_inodes : s.free_ispace / INODE_SPACE;
	return st;
}

static enum status disk_bytes(const struct super_spaces *x, const struct super_of *of,
			      uint64_t *ret)
{
	struct disk disk = { 0 };
	struct disk_inode inode = { 0 };
	enum status st = of->disk ? struct_read(&x->disk, of->disk, &disk)
				  : dump_absent(x->dump, "it has no disk");

	if (st == ST_OK && disk.has_sectors && disk.sectors <= MAX_BYTES >> SECTOR_SHIFT)
		inode.bytes = disk.sectors << SECTOR_SHIFT;
	else if (st == ST_OK && disk.inode)
		st = struct_read(&x->disk_inode, disk.inode, &inode);
	else if (st == ST_OK)
		st = dump_fail(x->dump, ST_UNKNOWN, "the size of its disk is unknown");
	return RESULT(st, ret, inode.bytes);
}

static enum status ext4_of_disk(const struct super_spaces *x, const struct super_of *of,
				const struct ext4 *e, struct super_space *ret)
{
	struct ext4_disk disk = { 0 };
	enum status st = struct_read(&x->ext4_disk, e->disk, &disk);
	uint64_t bytes = 0;

	if (st == ST_OK) {
		ret->bytes = (uint64_t)disk.blocks_high << 32 | disk.blocks_low;
		ret->has_available = true;
		ret->available = above(ret->free,
				       ((uint64_t)disk.root_high << 32 | disk.root_low) +
					       ((uint64_t)e->reserved << e->cluster_bits));
		ret->has_inodes = ret->has_free_inodes = true;
		ret->inodes = disk.inodes;
		return ST_OK;
	}
	if (st == ST_UNREADABLE)
		st = disk_bytes(x, of, &bytes);
	ret->is_of_disk = true;
	ret->bytes = of->block ? bytes / of->block : 0;
	return st;
}

/* ext4_statfs(), of a file system that is not mounted with minixdf. */
static enum status read_ext4(const struct super_spaces *x, const struct super_of *of,
			     struct super_space *ret)
{
	struct ext4 e = { 0 };
	uint64_t free = 0, dirty = 0;
	enum status st = x->ext4_status ?: struct_read(&x->ext4, of->info, &e)
				       ?: percpu_counter_positive(&x->counters, e.free, &free)
				       ?: percpu_counter_positive(&x->counters, e.dirty, &dirty)
				       ?: percpu_counter_positive(&x->counters, e.free_inodes, &ret->free_inodes);

	if (st == ST_OK && e.cluster_bits > MAX_SHIFT)
		st = dump_corrupt(x->dump, "ext4_sb_info.s_cluster_bits is %u", e.cluster_bits);
	ret->free = above(free, dirty) << e.cluster_bits;
	ret->counts_blocks = true;
	st = st ?: ext4_of_disk(x, of, &e, ret);
	ret->bytes = above(ret->bytes, e.overhead << e.cluster_bits);
	return st == ST_UNKNOWN && x->ext4_problem ? dump_fail(x->dump, st, "%s", x->ext4_problem)
						   : st;
}

/* xfs_fs_statfs(), of a file system without quota of a project; inodes are made as they are wanted. */
static enum status read_xfs(const struct super_spaces *x, uint64_t super, const struct super_of *of,
			    struct super_space *ret)
{
	struct xfs f = { 0 };
	uint64_t free = 0;
	enum status st = x->xfs_status ?: struct_read(&x->xfs, of->info, &f);

	if (st == ST_OK && f.super != super)
		st = dump_corrupt(x->dump, "xfs_mount.m_super is another file system");
	if (x->xfs_counter.present)
		f.free += x->xfs_counter.offset;
	st = st ?: percpu_counter_positive(&x->counters, f.free, &free);
	if (st != ST_OK)
		return st == ST_UNKNOWN && x->xfs_problem
			       ? dump_fail(x->dump, st, "%s", x->xfs_problem)
			       : st;
	ret->bytes = above(f.blocks, f.log_start ? f.log_blocks : 0);
	ret->free = above(free, f.kept + f.tree);
	ret->has_available = ret->has_no_inodes = true;
	ret->available = ret->free;
	return ST_OK;
}

static const struct {
	const char *type;
	enum { SHMEM, EXT4, XFS } kind;
} kinds[] = {
	{ "tmpfs", SHMEM },  { "devtmpfs", SHMEM }, /* where that is not a ramfs: CONFIG_TMPFS */
	{ "rootfs", SHMEM }, /* the same: rootfs_init_fs_context() of init/do_mounts.c */
	{ "ext4", EXT4 },    { "ext3", EXT4 },	    { "ext2", EXT4 }, /* CONFIG_EXT4_USE_FOR_EXT2 */
	{ "xfs", XFS },
};

bool super_space_knows(const char *type)
{
	return ANY_OF(i, ARRAY_SIZE(kinds), !strcmp(kinds[i].type, type));
}

static enum status read_kind(const struct super_spaces *x, uint64_t super,
			     const struct super_of *of, const char *type, struct super_space *s)
{
	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++)
		if (!strcmp(kinds[i].type, type))
			return kinds[i].kind == SHMEM  ? read_shmem(x, of, s)
			       : kinds[i].kind == EXT4 ? read_ext4(x, of, s)
						       : read_xfs(x, super, of, s);
	return dump_absent(x->dump, "no decoder for the space of %.32s", type);
}

enum status super_space_read(const struct super_spaces *x, uint64_t super, const char *type,
			     struct super_space *ret)
{
	struct super_of of = { 0 };
	struct super_space s = { 0 };
	enum status st = struct_read(&x->super, super, &of) ?: read_kind(x, super, &of, type, &s);

	if (st == ST_OK && (!of.block || (of.block & (of.block - 1))))
		st = dump_corrupt(x->dump, "super_block.s_blocksize is %lu", of.block);
	s.is_read_only = of.flags & READ_ONLY;
	st = st ?: in_bytes(x->dump, type, (unsigned int)__builtin_ctzl(of.block), &s);
	return RESULT(st, ret, s);
}

enum status inode_space(const struct super_spaces *x, uint64_t inode, uint64_t *ret)
{
	uint64_t sectors = 0;
	enum status st = dump_u64(x->dump, inode + x->blocks.offset, &sectors, "inode.i_blocks");

	if (st == ST_OK && sectors > MAX_BYTES >> SECTOR_SHIFT)
		st = dump_corrupt(x->dump, "inode.i_blocks is %lu", sectors);
	return RESULT(st, ret, sectors << SECTOR_SHIFT);
}
