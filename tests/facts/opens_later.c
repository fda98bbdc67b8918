// SPDX-License-Identifier: GPL-2.0-or-later
/* What only kernels are asked whose types were at hand when these functions were there: open_is_asked(). */
#include "opens_table.h"

#include "bpf/bpf_map.h"
#include "bpf/bpf_prog.h"
#include "bpf/map_bytes.h"
#include "cgroup/cgroup.h"
#include "collect/net_namespaces.h"
#include "collect/shrinkers.h"
#include "files/open_files.h"
#include "files/file_locks.h"
#include "files/inode.h"
#include "files/fuse.h"
#include "files/io_uring.h"
#include "files/mqueue.h"
#include "files/pipe.h"
#include "files/sysv_msg.h"
#include "kernel/list_lru.h"
#include "kernel/machine.h"
#include "kernel/psi.h"
#include "kernel/sysctl.h"
#include "net/packet_ring.h"
#include "pools/dma_pools.h"
#include "slab/slab_caches.h"
#include "tasks/lock_waiter.h"
#include "tasks/posix_timers.h"
#include "trace/perf_buffer.h"
#include "trace/trace_memory.h"
#include "collect/in_fault.h"
#include "modules/module_sections.h"
#include "pools/balloon.h"
#include "slab/slub_nodes.h"
#include "tasks/task.h"
#include "vm/vmalloc.h"
#include "zones/zones.h"

#define OPENS(X)                                      \
	X(bpf_maps_open, struct bpf_maps)             \
	X(bpf_progs_open, struct bpf_progs)           \
	X(fanotify_find, struct fanotify)             \
	X(file_locks_find, struct file_locks)         \
	X(fuse_open, struct fuse)                     \
	X(io_rings_find, struct io_rings)             \
	X(list_lrus_open, struct list_lrus)           \
	X(map_bytes_open, struct map_bytes)           \
	X(mqueues_find, struct mqueues)               \
	X(net_namespaces_read, struct net_namespaces) \
	X(perf_buffers_find, struct perf_buffers)     \
	X(pipes_find, struct pipes)                   \
	X(posix_timers_find, struct posix_timers)     \
	X(shrinkers_collect, struct shrinkers)        \
	X(taint_letters_read, struct taint_letters)   \
	X(task_users_open, struct task_users)

/* Lists of memory, whose parts are not looked at here. */
#define LISTS(X)                 \
	X(bpf_rings_walk)        \
	X(dma_atomic_pools_walk) \
	X(dma_pools_walk)        \
	X(ftrace_records_walk)   \
	X(packet_rings_walk)     \
	X(saved_names_walk)      \
	X(trace_buffers_walk)

static enum status no_part(void *arg NOT_USED, uint64_t address NOT_USED, uint64_t bytes NOT_USED)
{
	return ST_OK;
}

static enum status no_page(void *arg NOT_USED, uint64_t page NOT_USED)
{
	return ST_OK;
}

static enum status no_holder(void *arg NOT_USED, const struct memory_holder *holder NOT_USED)
{
	return ST_OK;
}

const struct memory_parts no_parts = { no_part, no_page, no_holder, NULL };

// clang-format off
OPENS(DEFINE_OPEN)
LISTS(DEFINE_LIST)
DEFINE_WALK(sysv_queues_walk, const struct sysv_queue *)
// clang-format on

static enum status no_area(void *arg NOT_USED, const struct vm_area *area NOT_USED)
{
	return ST_OK;
}

static enum status run_vm_areas_walk(struct dump *d)
{
	OPENED(struct vm_layout);
	return vm_layout_open(d, &v) ?: vm_areas_walk(&v, no_area, NULL);
}

static enum status no_node(void *arg NOT_USED, const struct cache_node *node NOT_USED)
{
	return ST_OK;
}

static enum status run_cache_nodes_walk(struct dump *d)
{
	static const struct slab_cache cache;
	static struct memmap memmap;

	OPENED(struct slabs);
	return slabs_open(d, &memmap, &v) ?: cache_nodes_walk(&v, &cache, no_node, NULL);
}

static enum status no_object(void *arg NOT_USED, uint64_t object NOT_USED, struct slab *ret)
{
	*ret = (struct slab){ 0 };
	return ST_UNKNOWN;
}

/* A cache with a freelist of CPUs, and with sheaves or the arrays of SLAB where the kernel has them. */
static enum status run_slab_idle_walk(struct dump *d)
{
	static struct slab_cache cache;
	static const struct idle_visitor visitor = { .slab_of = no_object };
	static struct memmap memmap;
	uint64_t sheaves;

	OPENED(struct slabs);
	cache = (struct slab_cache){ .name = "blank" };
	if (dump_type_bytes(d, "struct array_cache"))
		cache.arrays = 8;
	else if (dump_ask(d, type_size, "struct slub_percpu_sheaves", &sheaves) == ST_OK)
		cache.sheaves = 8;
	else
		cache.cpu_slab = 8;
	return slabs_open(d, &memmap, &v) ?: slab_idle_walk(&v, &cache, &visitor);
}

static enum status run_zonelist_read(struct dump *d)
{
	static const struct memory_node node;
	static struct zones zones;

	OPENED(struct zonelist);
	return zones_open(d, &zones) ?: zonelist_read(d, &zones, &node, GFP_CLEAR, &v);
}

static enum status run_kthread_names_open(struct dump *d)
{
	OPENED(struct kthread_names);
	kthread_names_open(d, &v);
	return ST_OK;
}

static enum status run_balloon_driver(struct dump *d)
{
	uint64_t driver;

	return balloon_driver(d, 0, &driver);
}

static enum status run_module_sections_read(struct dump *d)
{
	OPENED(struct module_sections);
	return module_sections_read(d, 0, &v);
}

static enum status run_fault_locks_open(struct dump *d)
{
	static const struct field none;

	OPENED(struct fault_locks);
	return fault_locks_open(d, &none, &v);
}

static enum status run_psi_open(struct dump *d)
{
	bool off;

	OPENED(struct psi);
	return psi_open(d, &v, &off);
}

static enum status visit_program(void *arg NOT_USED, uint64_t prog NOT_USED,
				 uint64_t cgroup NOT_USED)
{
	return ST_OK;
}

static enum status run_bpf_cgroups_walk(struct dump *d)
{
	return bpf_cgroups_walk(d, visit_program, NULL);
}

static enum status run_cgroup_tree(struct dump *d)
{
	uint64_t cgroup;

	OPENED(struct cgroup_tree);
	for (cgroup_tree_begin(&v, d); cgroup_tree_next(&v, &cgroup);)
		;
	return cgroup_tree_end(&v);
}

static enum status visit_file(void *arg NOT_USED, const struct fs_file *file NOT_USED)
{
	return ST_OK;
}

static enum status run_fs_files_walk(struct dump *d)
{
	return fs_files_walk(d, "mqueue_fs_type", visit_file, NULL);
}

static enum status visit_setting(void *arg NOT_USED, const struct sysctl *s NOT_USED)
{
	return ST_OK;
}

static enum status run_sysctl_walk(struct dump *d)
{
	return sysctl_walk(d, "vm", visit_setting, NULL);
}

static enum status run_lock_waiters_open(struct dump *d)
{
	struct hash_u64 stacks;

	OPENED(struct lock_waiters);
	hash_u64_init(&stacks, d->arena, sizeof(uint64_t));
	return lock_waiters_open(d, &stacks, &v);
}

static enum status run_machine_read(struct dump *d)
{
	static const struct dump_info info;

	OPENED(struct machine);
	machine_read(d, &info, &v);
	return ST_OK;
}

static enum status run_sched_clock_at(struct dump *d)
{
	OPENED(struct sched_clock);
	return sched_clock_at(d, 1, &v);
}

static enum status run_slab_aliases_read(struct dump *d)
{
	struct slab_alias *aliases;

	return slab_aliases_read(d, &aliases);
}

#define LIST(function) { #function, run_##function },

// clang-format off
const struct open_function opens_later[] = {
	OPENS(NAME)
	LISTS(LIST)
	OWN(balloon_driver),
	OWN(bpf_cgroups_walk),
	OWN(cache_nodes_walk),
	OWN(cgroup_tree),
	OWN(fault_locks_open),
	OWN(fs_files_walk),
	OWN(kthread_names_open),
	OWN(lock_waiters_open),
	OWN(machine_read),
	OWN(module_sections_read),
	OWN(psi_open),
	OWN(sched_clock_at),
	OWN(slab_aliases_read),
	OWN(slab_idle_walk),
	OWN(sysctl_walk),
	OWN(sysv_queues_walk),
	OWN(vm_areas_walk),
	OWN(zonelist_read),
	{ 0 },
};
// clang-format on
