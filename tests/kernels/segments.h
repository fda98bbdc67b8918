/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * CASE_segments of files_7_3.c: two segments of System V of one user and one size, the first of a process that has
 * ended and attached by none, the second of "hog", which has it attached: the file of the memfd stands in for that.
 */
#ifdef CASE_segments
#define SYSV_PAGES 7
enum pid_type { PIDTYPE_PID, PIDTYPE_TGID, PIDTYPE_PGID, PIDTYPE_SID, PIDTYPE_MAX } keep_pid_type;
struct upid {
	s32 nr;
	void *ns;
};
struct pid {
	u64 count;
	struct hlist_head tasks[PIDTYPE_MAX];
	struct upid numbers[1];
};
struct xarray {
	u64 xa_lock;
	void *xa_head;
};
struct xa_node {
	u8 shift, offset, count, nr_values;
	void *parent;
	void *slots[4];
};
struct idr {
	struct xarray idr_rt;
};
struct user_id {
	u32 val;
};
struct kern_ipc_perm {
	u8 deleted;
	s32 id, key;
	struct user_id uid, cuid;
};
struct shmid_kernel {
	struct kern_ipc_perm shm_perm;
	struct file *shm_file;
	u64 shm_nattch, shm_segsz;
	s64 shm_dtim, shm_ctim;
	struct pid *shm_cprid;
};
struct ipc_ids {
	u64 in_use;
	struct idr ipcs_idr;
};
struct ipc_namespace {
	struct ipc_ids ids[3];
};
void shm_init_ns(struct ipc_namespace *ns)
{
}
static struct hlist_node some_thread;
/* The session of the first goes on without it. */
static struct pid ended_pid = { 1, { [PIDTYPE_SID] = { DIRECT(&some_thread) } }, { { 118 } } };
static struct pid hog_pid = { 1, { [PIDTYPE_TGID] = { DIRECT(&some_thread) } }, { { 10 } } };
static struct file left_file = { NODE(sysv) }, used_file = { NODE(memfd) };
#define SEGMENT(i, file, attaches, pid) \
	{ { 0, i, 0x7163 + i, { 0 }, { 26 } }, DIRECT(&file), attaches, 28672, 0, 1700000000, DIRECT(&pid) }
static struct shmid_kernel left_segment = SEGMENT(0, left_file, 0, ended_pid);
static struct shmid_kernel used_segment = SEGMENT(1, used_file, 1, hog_pid);
static struct xa_node segment_node = { .slots = { DIRECT(&left_segment), DIRECT(&used_segment) } };
struct ipc_namespace init_ipc_ns = {
	.ids = { [2] = { 2, { { .xa_head = (char *)DIRECT(&segment_node) + 2 } } } },
};
#else
#define SYSV_PAGES 1
#endif
