// SPDX-License-Identifier: GPL-2.0-or-later
/* What only kernels are asked of which struct mnt_namespace is known: their types were read again since. */
#include "opens_table.h"

#include "cgroup/pids.h"
#include "cgroup/frozen_cgroups.h"
#include "collect/mount_namespaces.h"
#include "cgroup/io_throttle.h"
#include "files/file_data.h"
#include "files/dentries.h"
#include "files/disk_requests.h"
#include "files/disk_wait.h"
#include "files/fanotify.h"
#include "files/fd_bits.h"
#include "files/file_waits.h"
#include "files/frozen.h"
#include "files/io_requests.h"
#include "files/kernfs_node.h"
#include "files/shmem_policy.h"
#include "files/super_space.h"
#include "files/super_inodes.h"
#include "files/sysv_sem.h"
#include "files/sysv_shm.h"
#include "files/lock_object.h"
#include "files/pipe_waits.h"
#include "files/pipe_writer.h"
#include "files/userfault.h"
#include "files/watches.h"
#include "files/xattrs.h"
#include "kernel/percpu_counter.h"
#include "kernel/rcu.h"
#include "kernel/wait_queue.h"
#include "net/bridge.h"
#include "net/fragments.h"
#include "net/qdisc.h"
#include "oom/cpus_allowed.h"
#include "net/ipv4_routes.h"
#include "net/ipv6_routes.h"
#include "net/sock_wait.h"
#include "net/xdp_umem.h"
#include "cgroup/cfs_throttle.h"
#include "tasks/child_wait.h"
#include "tasks/core_dump.h"
#include "tasks/keys.h"
#include "tasks/last_ran.h"
#include "tasks/rlimits.h"
#include "tasks/seccomp_wait.h"
#include "tasks/signal_queue.h"
#include "tasks/user_counts.h"
#include "tasks/stop_signal.h"
#include "tasks/tracer.h"
#include "tasks/vfork_wait.h"
#include "tasks/work_waits.h"
#include "vm/futex.h"
#include "vm/futex_shared.h"
#include "vm/signal_fault.h"

#define OPENS(X)                                          \
	X(io_requests_find, struct io_requests)           \
	X(ipv6_routes_find, struct ipv6_routes)           \
	X(mount_namespaces_read, struct mount_namespaces) \
	X(watches_find, struct watches)

/* Of which struct percpu_rw_semaphore is known: Debian's cloud kernels 5.10, 6.1, 6.12, 7.3, and those built since. */
#define NEWEST(X)                                       \
	X(cfs_throttle_open, struct cfs_throttle)       \
	X(child_waits_open, struct child_waits)         \
	X(cpusets_open, struct cpusets)                 \
	X(core_dumps_open, struct core_dumps)           \
	X(cpu_times_open, struct cpu_times)             \
	X(cpu_waits_open, struct cpu_waits)             \
	X(file_data_open, struct file_data)             \
	X(file_waits_open, struct file_waits)           \
	X(fragments_open, struct fragments_of)          \
	X(frozen_cgroups_find, struct frozen_cgroups)   \
	X(frozen_open, struct frozen)                   \
	X(keys_find, struct keys)                       \
	X(lock_objects_open, struct lock_objects)       \
	X(pipe_waits_open, struct pipe_waits)           \
	X(pipe_writers_open, struct pipe_writers)       \
	X(percpu_counters_open, struct percpu_counters) \
	X(signal_faults_open, struct signal_faults)     \
	X(sock_waits_open, struct sock_waits)           \
	X(super_inodes_open, struct supers_inodes)      \
	X(super_list_open, struct super_list)           \
	X(sysv_pids_open, struct sysv_pids)             \
	X(shared_futexes_open, struct shared_futexes)   \
	X(sysv_shms_read, struct sysv_shms)             \
	X(tracers_open, struct tracers)                 \
	X(userfaults_open, struct userfaults)           \
	X(vfork_waits_open, struct vfork_waits)         \
	X(wait_queues_open, struct wait_queues)

/* Of which struct blk_mq_tags is known: Debian's cloud kernels 5.10, 6.1, 6.12, 7.3. */
#define DISKS(X)                                        \
	X(all_requests_open, struct all_requests)       \
	X(disks_open, struct disks)                     \
	X(rlimits_open, struct rlimits)                 \
	X(fanotify_waits_open, struct fanotify_waits)   \
	X(fd_bits_open, struct fd_bits)                 \
	X(futexes_open, struct futexes)                 \
	X(inode_list_open, struct inode_list)           \
	X(io_throttles_open, struct io_throttles)       \
	X(kernfs_nodes_open, struct kernfs_nodes)       \
	X(page_waits_open, struct page_waits)           \
	X(rcu_open, struct rcu)                         \
	X(seccomp_filters_open, struct seccomp_filters) \
	X(seccomp_waits_open, struct seccomp_waits)     \
	X(shmem_policies_open, struct shmem_policies)   \
	X(signal_queues_open, struct signal_queues)     \
	X(user_counts_open, struct user_counts)         \
	X(pids_groups_open, struct pids_groups)         \
	X(stop_signals_open, struct stop_signals)       \
	X(super_spaces_open, struct super_spaces)       \
	X(sysv_sem_sets_open, struct sysv_sem_sets)     \
	X(sysv_sems_open, struct sysv_sems)             \
	X(dentries_open, struct dentries)               \
	X(ipv4_routes_find, struct ipv4_routes)         \
	X(work_waits_open, struct work_waits)           \
	X(xattrs_open, struct xattrs)

/* Of which struct netdev_queue is known: Debian's cloud kernels 5.10, 6.1, 6.12, 7.3. */
#define NET(X)                                \
	X(link_kinds_open, struct link_kinds) \
	X(qdiscs_open, struct qdiscs)

static enum status run_disk_waits_open(struct dump *d)
{
	static const struct disks none;

	OPENED(struct disk_waits);
	return disk_waits_open(d, &none, &v);
}

// clang-format off
OPENS(DEFINE_OPEN)
NEWEST(DEFINE_OPEN)
DISKS(DEFINE_OPEN)
NET(DEFINE_OPEN)
DEFINE_LIST(xdp_umems_walk)

const struct open_function opens_last[] = {
	OPENS(NAME)
	{ 0 },
};

const struct open_function opens_newest[] = {
	NEWEST(NAME)
	OWN(xdp_umems_walk),
	{ 0 },
};

const struct open_function opens_net[] = {
	NET(NAME)
	{ 0 },
};

const struct open_function opens_disks[] = {
	DISKS(NAME)
	OWN(disk_waits_open),
	{ 0 },
};
// clang-format on
