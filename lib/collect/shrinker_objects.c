// SPDX-License-Identifier: GPL-2.0-or-later
/* How many objects a shrinker has, where the kernel keeps the number: by the function that counts them. */
#include "collect/shrinker_parts.h"

#define MAX_NAME 64 /* of a type of file systems: some twenty */

struct super {
	uint64_t dentries, inodes; /* the addresses */
	uint64_t type, operations, info;
	char id[33];
};

struct supers {
	struct structure super;
	struct field shrinker, type_name, count, shmem_count;
};

static const struct layout_row rows[] = {
	STRUCTURE(struct supers, super, "struct super_block"),
	PLACES(struct super, dentries, REQUIRED, "all", "s_dentry_lru"),
	PLACES(struct super, inodes, REQUIRED, "all", "s_inode_lru"),
	READS(struct super, type, REQUIRED, "all", "s_type"),
	READS(struct super, operations, REQUIRED, "all", "s_op"),
	READS(struct super, info, REQUIRED, "all", "s_fs_info"),
	READS(struct super, id, REQUIRED, "all", "s_id"),
	FINDS(struct supers, shrinker, "struct super_block", REQUIRED, "all", "s_shrink"),
	FINDS(struct supers, type_name, "struct file_system_type", REQUIRED, "all", "name"),
	FINDS(struct supers, count, "struct super_operations", REQUIRED, "all",
	      "nr_cached_objects"),
	FINDS(struct supers, shmem_count, "struct shmem_sb_info", OPTIONAL,
	      "4.8, CONFIG_TRANSPARENT_HUGEPAGE", "shrinklist_len"),
};

/* Lists and counters that are variables, or members of what the shrinker is a part of. */
static const struct known {
	const char *function;
	const char *variable; /* a list_lru of vmlinux */
	const char *type, *shrinker, *value;
	bool is_list;
	bool may_lack;	/* earlier kernels count it otherwise */
	const char *on; /* bool: without it nothing is counted, or with it less; NULL: none */
} known[] = {
	{ "count_shadow_nodes", .variable = "shadow_nodes" },
	{ "deferred_split_count", .variable = "deferred_split_lru", .may_lack = true }, /* 7.2 */
	{ "zswap_shrinker_count", .variable = "zswap_list_lru", .may_lack = true,	/* 6.9 */
	  .on = "zswap_shrinker_enabled" },
	{ "nfs4_xattr_cache_count", .variable = "nfs4_xattr_cache_lru" },
	{ "mb_cache_count", NULL, "struct mb_cache", "c_shrink", "c_entry_count", false },
	{ "ext4_es_count", NULL, "struct ext4_sb_info", "s_es_shrinker",
	  "s_es_stats.es_stats_shk_cnt.count", false },
	{ "jbd2_journal_shrink_count", NULL, "struct journal_s", "j_shrinker",
	  "j_checkpoint_jh_count.count", false },
	{ "xfs_buftarg_shrink_count", NULL, "struct xfs_buftarg", "bt_shrinker", "bt_lru", true },
	{ "xfs_qm_shrink_count", NULL, "struct xfs_quotainfo", "qi_shrinker", "qi_lru", true },
};

/* What a list has goes there, beside the parts. */
struct sum {
	struct shrinker_search *x;
	struct shrinker *shrinker;
	uint64_t objects;
};

static enum status add_list(void *arg, unsigned int node, int64_t index, uint64_t objects)
{
	struct sum *sum = arg;
	struct shrinker_search *x = sum->x;
	const struct shrinker_memcg *m = index == LIST_LRU_ROOT
						 ? &x->root
						 : hash_u64_find(&x->by_index, (uint64_t)index);

	shrinker_part_get(x, sum->shrinker, (int)node, m ?: &x->unknown)->objects += objects;
	sum->objects += objects;
	return ST_OK;
}

static enum status count_list(struct shrinker_search *x, struct shrinker *s, uint64_t lru,
			      uint64_t *ret)
{
	struct sum sum = { x, s, 0 };

	return RESULT(x->has_lrus ? list_lru_walk(&x->lrus, lru, add_list, &sum) : ST_UNKNOWN, ret,
		      sum.objects);
}

static bool is_function(const struct shrinker *s, const char *name)
{
	size_t n = strlen(name);

	/* Compilers and LTO put suffixes behind a '.'. */
	return s->function && !strncmp(s->function, name, n) &&
	       (!s->function[n] || s->function[n] == '.');
}

/* What a shrinker is a part of, or since 6.7 refers to: RHEL 9.6 has both, so the member of the owner tells. */
static enum status find_owner(struct dump *d, const struct shrinker *s,
			      const struct field *shrinker, uint64_t *ret)
{
	struct field data;
	enum status st;

	*ret = s->address - shrinker->offset;
	if (shrinker->kind != KIND_POINTER)
		return ST_OK;
	st = dump_ask(d, member, "struct shrinker", "private_data", &data);
	return st ?: dump_u64(d, s->address + data.offset, ret, "shrinker.private_data");
}

/* Objects that a file system has beside dentries and inodes: of tmpfs a number, of others a function's. */
static enum status count_others(struct shrinker_search *x, const struct supers *supers,
				const struct super *super, struct shrinker *s, bool *known_ret)
{
	struct dump *d = x->dump;
	const struct frame *f;
	uint64_t count, n;
	enum status st = dump_u64(d, super->operations + supers->count.offset, &count,
				  "super_operations.nr_cached_objects");

	*known_ret = st == ST_OK && !count;
	if (st != ST_OK || !count)
		return st;
	f = symbolize(&x->symbols, count);
	if (!f || !f->symbol || strcmp(f->symbol, "shmem_unused_huge_count"))
		return ST_OK;
	if (!supers->shmem_count.present || supers->shmem_count.size != 8)
		return dump_unknown(d, "struct shmem_sb_info");
	st = dump_u64(d, super->info + supers->shmem_count.offset, &n, "shmem_sb_info");
	*known_ret = st == ST_OK;
	s->objects += st == ST_OK ? n : 0;
	return st;
}

/* "sb-ext4:vda1", as the kernel names them (sget_fc(), shrinker_debugfs_rename()). */
static enum status name_super(struct dump *d, const struct supers *supers,
			      const struct super *super, struct shrinker *s)
{
	uint64_t at;
	char type[MAX_NAME];
	enum status st = dump_u64(d, super->type + supers->type_name.offset, &at,
				  "file_system_type")
				 ?: dump_string(d, at, type, sizeof(type), "file_system_type.name");

	if (st != ST_OK)
		return st;
	s->fs_type = dump_strdup(d, type);
	if (!s->name)
		s->name = dump_text(d, strcmp(type, super->id) ? "sb-%s:%s" : "sb-%s", type,
				    super->id);
	return ST_OK;
}

static enum status read_super(struct shrinker_search *x, struct shrinker *s)
{
	struct dump *d = x->dump;
	struct supers supers;
	struct super super;
	uint64_t at;
	bool knows_others = false;
	enum status st = STRUCTS_OPEN(d, rows, &supers)
				 ?: find_owner(d, s, &supers.shrinker, &at)
				 ?: struct_read(&supers.super, at, &super)
				 ?: name_super(d, &supers, &super, s)
				 ?: count_list(x, s, super.dentries, &s->dentries)
				 ?: count_list(x, s, super.inodes, &s->inodes);

	if (st != ST_OK)
		return st;
	s->has_caches = true;
	s->objects = s->dentries + s->inodes;
	st = count_others(x, &supers, &super, s, &knows_others);
	s->has_objects = knows_others;
	return st;
}

/* *is_on: a function of the kernel decides. ST_ABSENT: nothing does. */
static enum status read_switch(struct dump *d, const char *name, bool *is_on)
{
	uint8_t value;
	uint64_t at;
	enum status st;

	if (!name || !dump_has_symbol(d, name))
		return ST_ABSENT;
	st = dump_symbol(d, name, &at) ?: dump_read(d, at, &value, sizeof(value), name);
	return RESULT(st, is_on, value);
}

static enum status read_known(struct shrinker_search *x, const struct known *k, struct shrinker *s)
{
	struct dump *d = x->dump;
	struct field shrinker, value;
	uint64_t at;
	bool is_on;
	enum status st = read_switch(d, k->on, &is_on);

	if (st != ST_ABSENT) {
		s->has_objects = st == ST_OK && !is_on;
		return st;
	}
	if (k->variable) {
		if (k->may_lack && !dump_has_symbol(d, k->variable))
			return ST_OK;
		st = dump_symbol(d, k->variable, &at) ?: count_list(x, s, at, &s->objects);
		s->has_objects = st == ST_OK;
		return st;
	}
	/* Types of modules may not be at hand. */
	if (dump_ask(d, member, k->type, k->shrinker, &shrinker) != ST_OK ||
	    dump_ask(d, member, k->type, k->value, &value) != ST_OK)
		return dump_unknown(d, "%s", k->type);
	st = find_owner(d, s, &shrinker, &at);
	if (st == ST_OK && k->is_list)
		st = count_list(x, s, at + value.offset, &s->objects);
	else if (st == ST_OK)
		st = value.size == 8 ? dump_u64(d, at + value.offset, &s->objects, k->type)
				     : ST_UNKNOWN;
	/* percpu_counter_read_positive() */
	if (st == ST_OK && (int64_t)s->objects < 0)
		s->objects = 0;
	s->has_objects = st == ST_OK;
	return st;
}

/* One huge page of zeroes, which all mappings share; without one only the reference of the kernel is left. */
static enum status read_huge_zero(struct shrinker_search *x, struct shrinker *s)
{
	struct dump *d = x->dump;
	uint64_t at;
	uint32_t references;
	enum status st = dump_symbol(d, "huge_zero_refcount", &at)
				 ?: dump_u32(d, at, &references, "huge_zero_refcount");

	if (st != ST_OK)
		return st;
	s->objects = references == 1 ? 1ULL << (d->page_shift - 3) : 0;
	s->has_objects = true;
	return ST_OK;
}

enum status shrinker_objects_read(struct shrinker_search *x, struct shrinker *s)
{
	if (is_function(s, "super_cache_count"))
		return read_super(x, s);
	if (is_function(s, "shrink_huge_zero_page_count") ||
	    is_function(s, "shrink_huge_zero_folio_count"))
		return read_huge_zero(x, s);
	for (size_t i = 0; i < ARRAY_SIZE(known); i++)
		if (is_function(s, known[i].function))
			return read_known(x, &known[i], s);
	return ST_OK;
}
