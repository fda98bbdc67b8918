// SPDX-License-Identifier: GPL-2.0-or-later
#include "opens_table.h"

#include "alloctag/codetag.h"
#include "alloctag/page_tag.h"
#include "alloctag/percpu_tag.h"
#include "alloctag/tag_names.h"
#include "alloctag/unloaded.h"
#include "files/cached_file.h"
#include "cgroup/cgroup.h"
#include "collect/in_fault.h"
#include "files/dentry_path.h"
#include "files/dma_buf.h"
#include "tasks/fault_code.h"
#include "files/inode.h"
#include "files/inode_path.h"
#include "kernel/kallsyms.h"
#include "log/kernel_log.h"
#include "tasks/last_ran.h"
#include "kernel/maple_tree.h"
#include "vm/mm_holders.h"
#include "tasks/mm_struct.h"
#include "modules/module.h"
#include "oom/oom_score.h"
#include "files/open_files.h"
#include "tasks/orc.h"
#include "tasks/rw_semaphore.h"
#include "kernel/percpu.h"
#include "log/printk.h"
#include "kernel/rb_tree.h"
#include "kernel/ref_tracker.h"
#include "net/sk_buff.h"
#include "net/sock.h"
#include "net/scm.h"
#include "net/sock_protocols.h"
#include "stackdepot/stackdepot.h"
#include "tasks/task.h"
#include "tasks/task_index.h"
#include "tasks/task_stack.h"
#include "tasks/unwind.h"
#include "kgtp/frame.h"
#include "trace/ring_cpu.h"
#include "trace/event_reader.h"
#include "trace/trace_array.h"
#include "trace/trace_event.h"

#define OPENS(X)                                          \
	X(cached_files_open, struct cached_files)         \
	X(cgroups_open, struct cgroups)                   \
	X(css_states_open, struct css_states)             \
	X(depot_open, struct depot)                       \
	X(dma_bufs_open, struct dma_bufs)                 \
	X(exception_frames_open, struct exception_frames) \
	X(fault_finder_open, struct fault_finder)         \
	X(file_paths_open, struct file_paths)             \
	X(inode_paths_open, struct inode_paths)           \
	X(inodes_open, struct inodes)                     \
	X(kallsyms_open, struct kallsyms)                 \
	X(kernel_log_read, struct kernel_log)             \
	X(kgtp_registers_open, struct kgtp_registers)     \
	X(last_ran_open, struct last_ran)                 \
	X(maple_open, struct maple)                       \
	X(mm_counters_open, struct mm_counters)           \
	X(mm_holders_read, struct mm_holders)             \
	X(mm_structs_open, struct mm_structs)             \
	X(modules_open, struct modules)                   \
	X(oom_scores_open, struct oom_scores)             \
	X(open_files_open, struct open_files)             \
	X(page_tags_open, struct page_tags)               \
	X(percpu_open, struct percpu)                     \
	X(ring_layout_open, struct ring_layout)           \
	X(saved_cmdlines_open, struct saved_cmdlines)     \
	X(rb_types_open, struct rb_types)                 \
	X(skbs_open, struct skbs)                         \
	X(socks_open, struct socks)                       \
	X(scm_open, struct scm)                           \
	X(rwsems_open, struct rwsems)                     \
	X(task_frames_open, struct task_frames)           \
	X(task_index_open, struct task_index)             \
	X(task_owners_open, struct task_owners)           \
	X(task_stacks_open, struct task_stacks)           \
	X(tasks_open, struct tasks)                       \
	X(trace_arrays_open, struct trace_arrays)         \
	X(trace_events_open, struct trace_events)

#define WALKS(X)                                             \
	X(module_tree_walk, uint64_t)                        \
	X(percpu_objects_walk, const struct percpu_object *) \
	X(printk_walk, const struct log_record *)            \
	X(sock_protocols_walk, const struct sock_protocol *)

// clang-format off
OPENS(DEFINE_OPEN)
WALKS(DEFINE_WALK)
// clang-format on

static enum status visit_tags(void *arg NOT_USED, uint64_t start, uint64_t stop)
{
	return start <= stop ? ST_OK : ST_CORRUPT;
}

static enum status run_module_tags_walk(struct dump *d)
{
	return module_tags_walk(d, visit_tags, NULL);
}

static enum status visit_tracker(void *arg NOT_USED, const struct ref_tracker *t NOT_USED)
{
	return ST_OK;
}

static enum status run_ref_trackers_walk(struct dump *d)
{
	OPENED(struct ref_trackers);
	return ref_trackers_walk(d, &v, visit_tracker, NULL);
}

static enum status visit_sock(void *arg NOT_USED, uint64_t sock NOT_USED,
			      unsigned int state NOT_USED)
{
	return ST_OK;
}

static enum status run_tcp_hash_walk(struct dump *d)
{
	OPENED(struct socks);
	enum status st = socks_open(d, &v);

	return st == ST_OK ? tcp_hash_walk(&v, visit_sock, NULL) : st;
}

static enum status run_codetags_open(struct dump *d)
{
	enum availability why;

	OPENED(struct codetags);
	return codetags_open(d, &v, &why);
}

static enum status run_unloaded_tags_open(struct dump *d)
{
	OPENED(struct unloaded_tags);
	return unloaded_tags_open(d, &v);
}

static enum status run_tag_names_open(struct dump *d)
{
	static struct memmap memmap;

	OPENED(struct tag_names);
	return memmap_open(d, &memmap) == ST_OK ? tag_names_open(d, &memmap, &v) : ST_UNKNOWN;
}

static enum status run_orc_open(struct dump *d)
{
	static struct modules modules;

	OPENED(struct orc);
	return orc_open(d, &modules, &v);
}

static enum status run_unwinder_open(struct dump *d)
{
	static struct modules modules;

	OPENED(struct unwinder);
	return unwinder_open(d, d->arch && !strcmp(d->arch, "aarch64"), &modules, &v);
}

static enum status run_cpu_node_read(struct dump *d)
{
	unsigned int node;

	return cpu_node_read(d, 0, &node);
}

// clang-format off
const struct open_function opens_of_others[] = {
	OPENS(NAME)
	WALKS(NAME)
	OWN(codetags_open),
	OWN(cpu_node_read),
	OWN(module_tags_walk),
	OWN(orc_open),
	OWN(ref_trackers_walk),
	OWN(tag_names_open),
	OWN(tcp_hash_walk),
	OWN(unloaded_tags_open),
	OWN(unwinder_open),
	{ 0 },
};
// clang-format on
