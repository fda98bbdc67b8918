// SPDX-License-Identifier: GPL-2.0-or-later
#include "files/sysv_shm.h"

#define MAX_ATTACHES (1ULL << 32) /* mappings of all processes */

struct segment {
	uint64_t file, attaches, bytes, creator;
	uint32_t uid;
	int32_t id;
	bool has_uid, deleted;
};

struct walk {
	struct dump *dump;
	struct structure segment;
	struct field permissions, inode;
	struct sysv_pids pids;
	struct sysv_shms *all;
};

static const struct layout_row rows[] = {
	STRUCTURE(struct walk, segment, "struct shmid_kernel"),
	POINTS(struct segment, file, REQUIRED, "all", "shm_file"),
	READS(struct segment, attaches, REQUIRED, "all", "shm_nattch"),
	READS(struct segment, bytes, REQUIRED, "all", "shm_segsz"),
	/* 4.17: ipc/shm: Fix shmctl(..., IPC_STAT, ...) between pid namespaces: a struct pid *, a pid_t before. */
	POINTS(struct segment, creator, OPTIONAL, "4.17", "shm_cprid"),
	READS(struct segment, id, REQUIRED, "all", "shm_perm.id"),
	READS(struct segment, deleted, REQUIRED, "all", "shm_perm.deleted"),
	READS_IF(struct segment, uid, has_uid, OPTIONAL, "3.5", "shm_perm.cuid.val"),
	FINDS(struct walk, permissions, "struct shmid_kernel", REQUIRED, "all", "shm_perm"),
	FINDS(struct walk, inode, "struct file", REQUIRED, "3.9", "f_inode"),
};

/* shm_destroy() takes the file first. */
static enum status add_segment(void *arg, uint64_t namespace NOT_USED, uint64_t perm)
{
	struct walk *w = arg;
	const uint64_t address = perm - w->permissions.offset;
	struct sysv_shm *shm;
	struct segment s;
	uint64_t inode;
	enum status st = struct_read(&w->segment, address, &s);

	if (st != ST_OK || s.deleted || !s.file)
		return st;
	if (s.attaches > MAX_ATTACHES)
		return dump_corrupt(w->dump, "the segment at %#lx is attached %lu times", address,
				    s.attaches);
	st = dump_u64(w->dump, s.file + w->inode.offset, &inode, "file");
	if (st != ST_OK)
		return st;
	shm = hash_u64_get(&w->all->by_inode, inode, NULL);
	shm->attaches = s.attaches;
	shm->bytes = s.bytes;
	shm->id = s.id;
	shm->uid = (struct maybe_u64){ s.uid, s.has_uid };
	shm->creator.n = (uint64_t)sysv_pid(&w->pids, s.creator);
	shm->creator.known = shm->creator.n != 0;
	shm->creator_life = sysv_pid_life(&w->pids, s.creator);
	return ST_OK;
}

enum status sysv_shms_read(struct dump *d, struct sysv_shms *ret)
{
	struct walk *w = dump_alloc(d, sizeof(*w));
	enum status st = dump_built_with(d, "CONFIG_SYSVIPC", "shm_init_ns", "struct shmid_kernel");

	*ret = (struct sysv_shms){ 0 };
	hash_u64_init(&ret->by_inode, d->arena, sizeof(struct sysv_shm));
	if (st != ST_OK)
		return st;
	*w = (struct walk){ .dump = d, .all = ret };
	st = STRUCTS_OPEN(d, rows, w) ?: sysv_pids_open(d, &w->pids);
	if (st != ST_OK)
		return st;
	st = sysv_ipc_walk(d, SYSV_SHM, add_segment, w);
	if (st != ST_OK && st != ST_STOPPED && st != ST_UNKNOWN) {
		ret->problem = dump_why(d);
		st = ST_OK;
	}
	return st;
}
