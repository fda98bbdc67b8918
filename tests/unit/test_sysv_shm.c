// SPDX-License-Identifier: GPL-2.0-or-later
/* Segments of System V shared memory, by the inodes of their files. */
#include "files/sysv_shm.h"
#include "stub.h"
#include "test.h"

#define AT(i) (0xffff888000100000ULL + (i)*0x1000)
#define STRIDE 32 /* bytes of a struct ipc_ids, whose idr begins at 8 */
#define PERM 16	  /* shm_perm in a struct shmid_kernel */
#define INODE 40  /* f_inode in a struct file */

static struct segment {
	uint64_t before[2];
	uint32_t id, uid, deleted, unused;
	uint64_t file, attaches, bytes, creator;
} segment;
static struct {
	uint64_t lock, ids[3][STRIDE / 8];
} namespace;
static uint64_t file[8];
static struct {
	uint64_t count, tasks[4];
	uint32_t nr;
} pid = { 1, { 0, AT(30), 0, 0 }, 345 };

static const struct stub_memory memory[] = { { AT(0), &namespace, sizeof(namespace) },
					     { AT(1), &segment, sizeof(segment) },
					     { AT(2), file, sizeof(file) },
					     { AT(3), &pid, sizeof(pid) },
					     { 0 } };
static const struct stub_symbol symbols[] = { { "init_ipc_ns", AT(0), { 0 } },
					      { "shm_init_ns", AT(90), { 0 } },
					      { 0 } };
#define IN_SEGMENT(NAME, PART)                                                      \
	{                                                                           \
		"struct shmid_kernel", NAME,                                        \
			FIELD(offsetof(struct segment, PART), sizeof(segment.PART)) \
	}
#define POINTER_OF(STRUCT, NAME, OFFSET)                      \
	{                                                     \
		STRUCT, NAME, KINDED(KIND_POINTER, OFFSET, 8) \
	}
static const struct stub_member members[] = {
	IN_SEGMENT("shm_nattch", attaches),
	IN_SEGMENT("shm_segsz", bytes),
	IN_SEGMENT("shm_perm.id", id),
	IN_SEGMENT("shm_perm.cuid.val", uid),
	{ "struct shmid_kernel", "shm_perm.deleted", FIELD(offsetof(struct segment, deleted), 1) },
	{ "struct shmid_kernel", "shm_perm", FIELD(PERM, 16) },
	POINTER_OF("struct shmid_kernel", "shm_file", offsetof(struct segment, file)),
	POINTER_OF("struct shmid_kernel", "shm_cprid", offsetof(struct segment, creator)),
	POINTER_OF("struct file", "f_inode", INODE),
	{ "struct ipc_namespace", "ids", KINDED(KIND_ARRAY, 8, 3 * STRIDE) },
	{ "struct ipc_ids", "ipcs_idr", FIELD(8, 16) },
	POINTER_OF("struct idr", "idr_rt.xa_head", 8),
	{ "struct xa_node", "shift", FIELD(0, 1) },
	{ "struct xa_node", "slots", KINDED(KIND_ARRAY, 8, 512) },
	{ "struct pid", "tasks", KINDED(KIND_ARRAY, 8, 32) },
	{ "struct pid", "numbers", KINDED(KIND_ARRAY, 40, 0) },
	{ "struct file_system_type", "fs_supers", FIELD(8, 8) },
	{ "struct super_block", "s_fs_info", FIELD(0, 8) },
	{ "struct super_block", "s_instances", FIELD(8, 16) },
	{ 0 },
};
static const struct stub_number sizes[] = { { "struct shmid_kernel", sizeof(struct segment) },
					    { "struct ipc_ids", STRIDE },
					    { "struct xa_node", 576 },
					    { 0 } };
static const struct stub_number types[] = { { "PIDTYPE_TGID", 1 }, { 0 } };

static struct stub stub;
static struct sysv_shms all;

/* The segment of the inode at AT(9). */
static const struct sysv_shm *read_all(enum status want)
{
	STUB_OPEN(stub, .memory = memory, .symbols = symbols, .members = members, .sizes = sizes,
		  .enumerators = types);
	return sysv_shms_read(&stub.dump, &all) == want ? hash_u64_find(&all.by_inode, AT(9))
							: NULL;
}

/* Those of shared memory are the last of three. */
static void fill(void)
{
	memset(&namespace, 0, sizeof(namespace));
	namespace.ids[2][2] = AT(1) + PERM;
	file[INODE / 8] = AT(9);
	pid.tasks[1] = AT(30);
	segment = (struct segment){
		.id = 4, .uid = 26, .file = AT(2), .attaches = 3, .bytes = 8192, .creator = AT(3)
	};
}

static void a_segment_and_who_made_it(void)
{
	const struct sysv_shm *s;

	fill();
	s = read_all(ST_OK);
	CHECK(s && !all.problem);
	if (s) {
		CHECK(s->attaches == 3 && s->bytes == 8192 && s->id == 4);
		CHECK(s->uid.known && s->uid.n == 26 && s->creator.known && s->creator.n == 345);
		CHECK(s->creator_life == SYSV_LIVE);
	}
}

/* Its number may be kept by its session: only the list of processes is asked. */
static void a_process_that_ended(void)
{
	const struct sysv_shm *s;

	fill();
	pid.tasks[1] = 0;
	pid.tasks[3] = AT(30);
	s = read_all(ST_OK);
	CHECK(s && s->creator_life == SYSV_ENDED && s->creator.n == 345);
	segment.creator = AT(80); /* is in no dump */
	s = read_all(ST_OK);
	CHECK(s && s->creator_life == SYSV_LIFE_UNKNOWN && !s->creator.known);
	pid.tasks[3] = 0;
}

static void what_is_damaged_or_removed(void)
{
	fill();
	segment.attaches = (uint64_t)-1;
	CHECK(!read_all(ST_OK) && all.problem);
	fill();
	segment.file = AT(80);
	CHECK(!read_all(ST_OK) && all.problem);
	fill();
	segment.deleted = 1;
	CHECK(!read_all(ST_OK) && !all.problem && !all.by_inode.n);
}

static void a_kernel_without_them(void)
{
	STUB(s, .members = members);
	struct sysv_shms none;

	CHECK(sysv_shms_read(&s.dump, &none) == ST_ABSENT);
}

TESTS({ "a segment and who made it", a_segment_and_who_made_it },
      { "a process that ended", a_process_that_ended },
      { "what is damaged or removed", what_is_damaged_or_removed },
      { "a kernel without them", a_kernel_without_them })
