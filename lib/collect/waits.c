// SPDX-License-Identifier: GPL-2.0-or-later
#include "collect/waits.h"

static const char *const names[WAIT_KINDS] = {
	[WAIT_LOCK] = "lock",
	[WAIT_IO] = "io",
	[WAIT_PAGE_LOCK] = "page_lock",
	[WAIT_FUSE] = "fuse",
	[WAIT_RPC] = "rpc",
	[WAIT_SWAP_IN] = "swap_in",
	[WAIT_MIGRATION] = "migration",
	[WAIT_USERFAULTFD] = "userfaultfd",
	[WAIT_FANOTIFY] = "fanotify",
	[WAIT_SECCOMP] = "seccomp",
	[WAIT_MEMORY_HIGH] = "memory_high",
	[WAIT_RECLAIM] = "reclaim",
	[WAIT_OOM_KILLER] = "oom_killer",
};

const char *wait_name(enum wait_kind kind)
{
	return names[kind];
}

/* Names of all releases from 4.18 on; a page became a folio in 5.16 to 6.12. */
static const struct wait_function {
	const char *name;
	enum wait_kind kind;
	enum lock_kind lock; /* whose waiter is in its frame */
} functions[] = {
	/* mm/oom_kill.c, mm/memcontrol.c */
	{ "out_of_memory", WAIT_OOM_KILLER },
	{ "__alloc_pages_may_oom", WAIT_OOM_KILLER },
	{ "mem_cgroup_out_of_memory", WAIT_OOM_KILLER },
	{ "mem_cgroup_oom_synchronize", WAIT_OOM_KILLER },
	{ "pagefault_out_of_memory", WAIT_OOM_KILLER },
	/* mm/page_alloc.c, mm/vmscan.c, mm/compaction.c */
	{ "__alloc_pages_slowpath", WAIT_RECLAIM },
	{ "__alloc_pages_direct_reclaim", WAIT_RECLAIM },
	{ "__alloc_pages_direct_compact", WAIT_RECLAIM },
	{ "try_to_free_pages", WAIT_RECLAIM },
	{ "try_to_free_mem_cgroup_pages", WAIT_RECLAIM },
	{ "try_to_compact_pages", WAIT_RECLAIM },
	{ "throttle_direct_reclaim", WAIT_RECLAIM },
	{ "reclaim_throttle", WAIT_RECLAIM },
	{ "shrink_node", WAIT_RECLAIM },
	{ "mem_cgroup_handle_over_high", WAIT_MEMORY_HIGH },
	{ "__mem_cgroup_handle_over_high", WAIT_MEMORY_HIGH },
	/* fs/userfaultfd.c */
	{ "handle_userfault", WAIT_USERFAULTFD },
	/* kernel/seccomp.c */
	{ "seccomp_do_user_notification", WAIT_SECCOMP },
	/* fs/fuse/dev.c, file.c */
	{ "request_wait_answer", WAIT_FUSE },
	{ "fuse_get_req", WAIT_FUSE },
	{ "__fuse_get_req", WAIT_FUSE },
	{ "fuse_set_nowrite", WAIT_FUSE },
	{ "fuse_page_mkwrite", WAIT_FUSE },
	{ "fuse_sync_writes", WAIT_FUSE },
	{ "fuse_wait_on_page_writeback", WAIT_FUSE },
	{ "fuse_wait_on_folio_writeback", WAIT_FUSE },
	{ "__fuse_request_send", WAIT_FUSE },
	{ "__fuse_simple_request", WAIT_FUSE },
	/* net/sunrpc/sched.c */
	{ "rpc_wait_bit_killable", WAIT_RPC },
	/* mm/migrate.c, mm/huge_memory.c */
	{ "migration_entry_wait", WAIT_MIGRATION },
	{ "__migration_entry_wait", WAIT_MIGRATION },
	{ "migration_entry_wait_on_locked", WAIT_MIGRATION },
	{ "softleaf_entry_wait_on_locked", WAIT_MIGRATION },
	{ "pmd_migration_entry_wait", WAIT_MIGRATION },
	{ "migration_entry_wait_huge", WAIT_MIGRATION },
	{ "put_and_wait_on_page_locked", WAIT_MIGRATION },
	/* mm/filemap.c */
	{ "folio_wait_bit_common", WAIT_PAGE_LOCK },
	{ "wait_on_page_bit_common", WAIT_PAGE_LOCK },
	{ "__folio_lock", WAIT_PAGE_LOCK },
	{ "__folio_lock_killable", WAIT_PAGE_LOCK },
	{ "__folio_lock_or_retry", WAIT_PAGE_LOCK },
	{ "__lock_page", WAIT_PAGE_LOCK },
	{ "__lock_page_killable", WAIT_PAGE_LOCK },
	{ "__lock_page_or_retry", WAIT_PAGE_LOCK },
	{ "folio_put_wait_locked", WAIT_PAGE_LOCK },
	{ "wait_on_page_bit", WAIT_PAGE_LOCK },
	{ "wait_on_page_bit_killable", WAIT_PAGE_LOCK },
	{ "folio_wait_bit", WAIT_PAGE_LOCK },
	{ "folio_wait_bit_killable", WAIT_PAGE_LOCK },
	/* block/, fs/buffer.c, lib/iomap */
	{ "submit_bio_wait", WAIT_IO },
	{ "__wait_on_buffer", WAIT_IO },
	{ "blk_mq_get_tag", WAIT_IO },
	{ "rq_qos_wait", WAIT_IO },
	{ "io_schedule", WAIT_IO },
	{ "io_schedule_timeout", WAIT_IO },
	{ "bit_wait_io", WAIT_IO },
	/* drivers/md: for its metadata, a barrier of a resync, a stripe */
	{ "md_write_start", WAIT_IO },
	{ "wait_barrier", WAIT_IO },
	{ "wait_read_barrier", WAIT_IO },
	{ "raid5_get_active_stripe", WAIT_IO },
	/* kernel/locking/ */
	{ "rwsem_down_read_slowpath", WAIT_LOCK, LOCK_RWSEM },
	{ "rwsem_down_write_slowpath", WAIT_LOCK, LOCK_RWSEM },
	{ "__rwsem_down_read_failed_common", WAIT_LOCK, LOCK_RWSEM },
	{ "__rwsem_down_write_failed_common", WAIT_LOCK, LOCK_RWSEM },
	{ "rwsem_down_read_failed", WAIT_LOCK, LOCK_RWSEM },
	{ "rwsem_down_read_failed_killable", WAIT_LOCK, LOCK_RWSEM },
	{ "rwsem_down_write_failed", WAIT_LOCK, LOCK_RWSEM },
	{ "rwsem_down_write_failed_killable", WAIT_LOCK, LOCK_RWSEM },
	{ "__mutex_lock", WAIT_LOCK, LOCK_MUTEX },
	{ "__mutex_lock_slowpath", WAIT_LOCK, LOCK_MUTEX },
	{ "__mutex_lock_killable_slowpath", WAIT_LOCK, LOCK_MUTEX },
	{ "__mutex_lock_interruptible_slowpath", WAIT_LOCK, LOCK_MUTEX },
	{ "__ww_mutex_lock", WAIT_LOCK, LOCK_MUTEX },
	{ "__ww_mutex_lock_slowpath", WAIT_LOCK, LOCK_MUTEX },
	{ "__ww_mutex_lock_interruptible_slowpath", WAIT_LOCK, LOCK_MUTEX },
	{ "percpu_rwsem_wait", WAIT_LOCK, LOCK_PERCPU },
	{ "__percpu_down_read", WAIT_LOCK, LOCK_PERCPU },
	{ "percpu_down_write", WAIT_LOCK, LOCK_PERCPU },
	/* CONFIG_PREEMPT_RT: of these each compiler keeps some as functions of their own. */
	{ "rt_mutex_slowlock", WAIT_LOCK },
	{ "__rt_mutex_slowlock", WAIT_LOCK },
	{ "__rt_mutex_slowlock_locked", WAIT_LOCK },
	{ "rt_mutex_slowlock_block", WAIT_LOCK },
	{ "rt_mutex_slowlock_locked", WAIT_LOCK },
	{ "__rt_mutex_lock_state", WAIT_LOCK },
	{ "rt_mutex_lock", WAIT_LOCK },
	{ "__rt_mutex_lock", WAIT_LOCK },
	{ "rt_spin_lock", WAIT_LOCK },
	{ "rt_spin_lock_slowlock", WAIT_LOCK },
	{ "rt_spin_lock_slowlock_locked", WAIT_LOCK },
	{ "rt_read_lock", WAIT_LOCK },
	{ "rt_write_lock", WAIT_LOCK },
	{ "rtlock_slowlock", WAIT_LOCK },
	{ "rtlock_slowlock_locked", WAIT_LOCK },
	{ "rwbase_read_lock", WAIT_LOCK },
	{ "__rwbase_read_lock", WAIT_LOCK },
	{ "rwbase_write_lock", WAIT_LOCK },
	{ "__down", WAIT_LOCK, LOCK_SEMAPHORE },
	{ "__down_interruptible", WAIT_LOCK, LOCK_SEMAPHORE },
	{ "__down_killable", WAIT_LOCK, LOCK_SEMAPHORE },
	{ "__down_timeout", WAIT_LOCK, LOCK_SEMAPHORE },
	{ "__down_common", WAIT_LOCK, LOCK_SEMAPHORE },
	{ "___down_common", WAIT_LOCK, LOCK_SEMAPHORE },
	{ "native_queued_spin_lock_slowpath", WAIT_LOCK },
	{ "__pv_queued_spin_lock_slowpath", WAIT_LOCK }, /* a guest's */
	{ "queued_spin_lock_slowpath", WAIT_LOCK },	 /* without CONFIG_PARAVIRT_SPINLOCKS */
	{ "queued_read_lock_slowpath", WAIT_LOCK },
	{ "queued_write_lock_slowpath", WAIT_LOCK },
};

static const char *const scheduler[] = {
	"__schedule",
	"schedule",
	"schedule_timeout",
	"schedule_timeout_killable",
	"schedule_timeout_uninterruptible",
	"schedule_timeout_interruptible",
	"schedule_preempt_disabled",
	"schedule_rtlock",
	"rt_mutex_schedule",
	"io_schedule",
	"io_schedule_timeout",
	"preempt_schedule",
	"preempt_schedule_common",
	"preempt_schedule_irq",
	"preempt_schedule_thunk",
	"preempt_schedule_notrace",
	"preempt_schedule_notrace_thunk",
	"___preempt_schedule",
	"___preempt_schedule_notrace",
	"dynamic_cond_resched",
	"__cond_resched",
	"_cond_resched",
	"__switch_to",
	"cpu_switch_to",
	"__switch_to_asm",
	"vpanic",
	"panic",
	/* How it waits for the end then (arch/x86/lib/delay.c, arch/arm64/lib/delay.c). */
	"delay_tsc",
	"delay_loop",
	"delay_halt",
	"__delay",
	"__const_udelay",
};

bool is_function(const char *name, const char *function)
{
	size_t n = strlen(function);

	return !strncmp(name, function, n) && (!name[n] || name[n] == '.');
}

const void *function_find(const void *rows, size_t n, size_t bytes, const char *function)
{
	for (const char *row = rows; n; row += bytes, n--)
		if (is_function(function, *(const char *const *)row))
			return row;
	return NULL;
}

/* Those that wait for this where they give up the CPU themselves, for other things elsewhere. */
static const struct wait_function sleepers[] = {
	{ "filemap_fault", WAIT_PAGE_LOCK },  /* inline in 7.3 */
	{ "__down_write_common", WAIT_LOCK }, /* of PREEMPT_RT up to 5.14: for readers */
	/* fs/notify/fanotify/fanotify.c: the first is inline, or not */
	{ "fanotify_get_response", WAIT_FANOTIFY },
	{ "fanotify_handle_event", WAIT_FANOTIFY },
	/* fs/locks.c: each waits for itself, or for a function that is inline */
	{ "locks_lock_inode_wait", WAIT_LOCK, LOCK_FILE },
	{ "flock_lock_inode_wait", WAIT_LOCK, LOCK_FILE },
	{ "posix_lock_inode_wait", WAIT_LOCK, LOCK_FILE },
	{ "do_lock_file_wait", WAIT_LOCK, LOCK_FILE },
	{ "fcntl_setlk", WAIT_LOCK, LOCK_FILE },
	{ "fcntl_setlk64", WAIT_LOCK, LOCK_FILE },
	{ "__break_lease", WAIT_LOCK, LOCK_FILE },
	/* fs/nfs/nfs4proc.c, fs/lockd/clntproc.c, fs/dlm/plock.c, fs/9p/vfs_file.c */
	{ "nfs4_proc_lock", WAIT_LOCK, LOCK_REMOTE },
	{ "nfs4_retry_setlk", WAIT_LOCK, LOCK_REMOTE },
	{ "nfs4_retry_setlk_simple", WAIT_LOCK, LOCK_REMOTE },
	{ "nlmclnt_block", WAIT_LOCK, LOCK_REMOTE },
	{ "nlmclnt_lock", WAIT_LOCK, LOCK_REMOTE },
	{ "nlmclnt_wait", WAIT_LOCK, LOCK_REMOTE },
	{ "dlm_posix_lock", WAIT_LOCK, LOCK_REMOTE },
	{ "v9fs_file_do_lock", WAIT_LOCK, LOCK_REMOTE },
};

enum wait_kind wait_of_sleeper(const char *function)
{
	const struct wait_function *f = FUNCTION_FIND(sleepers, function);

	return f ? f->kind : wait_of(function);
}

/* mm/page-writeback.c */
static const char *const writebacks[] = { "folio_wait_writeback", "folio_wait_writeback_killable",
					  "wait_on_page_writeback",
					  "wait_on_page_writeback_killable" };

bool wait_is_writeback(const char *function)
{
	return FUNCTION_FIND(writebacks, function);
}

/* mm/memory.c, mm/swap_state.c, mm/page_io.c, mm/shmem.c, mm/swapfile.c */
static const char *const swap_ins[] = { "do_swap_page", "read_swap_cache_async",
					"swap_cluster_readahead", "swap_vma_readahead",
					"try_to_unuse" };
/* What a name begins with, or has behind a "_". */
static const char *const swap_in_words[] = { "swapin", "swap_read", "shmem_unuse", "unuse_p",
					     "unuse_vma" };

static bool has_word(const char *name, const char *word)
{
	const char *at = strstr(name, word);

	while (at && at != name && at[-1] != '_')
		at = strstr(at + 1, word);
	return at;
}

bool wait_is_swap_in(const char *function)
{
	return FUNCTION_FIND(swap_ins, function) ||
	       ANY_OF(i, ARRAY_SIZE(swap_in_words), has_word(function, swap_in_words[i]));
}

enum wait_kind wait_of(const char *function)
{
	const struct wait_function *f = FUNCTION_FIND(functions, function);

	return f ? f->kind : wait_is_swap_in(function) ? WAIT_SWAP_IN : WAIT_NONE;
}

enum lock_kind wait_lock_kind(const char *function)
{
	const struct wait_function *f = FUNCTION_FIND(functions, function)
						?: FUNCTION_FIND(sleepers, function);

	return f ? f->lock : LOCK_UNKNOWN;
}

/*
 * Where they wait, kernel/locking/rwbase_rt.c is part of rwsem.c, and of spinlock_rt.c, whose rt_mutex is waited for by
 * rtlock_slowlock(). What calls it is often inline, or has jumped there.
 */
static const struct rt_function {
	const char *name;
	enum rt_user user;
} rt_functions[] = {
	{ "rwbase_read_lock", RT_READS_RWSEM },
	{ "__rwbase_read_lock", RT_READS_RWSEM },
	{ "down_read", RT_READS_RWSEM },
	{ "down_read_killable", RT_READS_RWSEM },
	{ "down_read_interruptible", RT_READS_RWSEM },
	{ "__down_read_common", RT_READS_RWSEM }, /* kernel/locking/rwsem-rt.c, up to 5.14 */
	{ "__down_write_common", RT_WRITES_RWSEM },
	{ "rwbase_write_lock", RT_WRITES_RWSEM },
	{ "down_write", RT_WRITES_RWSEM },
	{ "down_write_killable", RT_WRITES_RWSEM },
	{ "rt_read_lock", RT_READS_RWLOCK },
	{ "rt_write_lock", RT_WRITES_RWLOCK },
};
static const char *const rtlocks[] = { "schedule_rtlock", "rtlock_slowlock",
				       "rtlock_slowlock_locked" };

bool wait_is_rtlock(const char *function)
{
	return FUNCTION_FIND(rtlocks, function);
}

enum rt_user wait_rt_user(const char *function, bool is_rtlock)
{
	const struct rt_function *f = FUNCTION_FIND(rt_functions, function);

	if (!f || !is_rtlock)
		return f ? f->user : RT_ITSELF;
	return f->user == RT_READS_RWSEM    ? RT_READS_RWLOCK
	       : f->user == RT_WRITES_RWSEM ? RT_WRITES_RWLOCK
					    : f->user;
}

/* It reclaims in functions of their own, which are inside of these. */
static const char *const allocators[] = { "__alloc_pages_slowpath", "__alloc_pages_direct_reclaim",
					  "__alloc_pages_direct_compact" };

enum wait_kind wait_of_frame(const char *function, bool *takes_page)
{
	*takes_page |= is_function(function, "get_page_from_freelist");
	return *takes_page && FUNCTION_FIND(allocators, function) ? WAIT_NONE : wait_of(function);
}

static const char *const completions[] = {
	"wait_for_completion",
	"wait_for_completion_killable",
	"wait_for_completion_interruptible",
	"wait_for_completion_state",
	"wait_for_completion_timeout",
	"wait_for_completion_killable_timeout",
	"wait_for_completion_interruptible_timeout",
	"wait_for_completion_io",
	"wait_for_completion_io_timeout",
	"__wait_for_common",
	"wait_for_common",
	"do_wait_for_common",
	"wait_for_partner", /* fs/pipe.c */
};

bool wait_is_completion(const char *function)
{
	return FUNCTION_FIND(completions, function);
}

bool wait_is_scheduler(const char *function)
{
	return FUNCTION_FIND(scheduler, function);
}

bool wait_is_freezer(const char *function, char state)
{
	static const char *const freezers[] = { "do_freezer_trap", "get_signal", "__refrigerator" };

	return state != 'T' && state != 't' && state != 'R' && FUNCTION_FIND(freezers, function);
}

enum pipe_function pipe_function_of(const char *function)
{
	static const char *const writers[] = { "pipe_write", "anon_pipe_write", "fifo_pipe_write",
					       "pipe_wait_writable", "wait_for_space" };
	static const char *const readers[] = { "pipe_read", "anon_pipe_read",
					       "pipe_wait_readable" };
	static const char *const parents[] = { "do_wait", "__do_wait" };

	return FUNCTION_FIND(writers, function)	  ? PIPE_WRITES
	       : FUNCTION_FIND(readers, function) ? PIPE_READS
	       : FUNCTION_FIND(parents, function) ? PIPE_CHILD
						  : PIPE_NONE;
}

/*
 * Where a thread waits for what comes from outside of the kernel, or returns to user mode. FOR_WORK: for what it is to do
 * next. KEEPS_NO_LOCK: it has taken none that it keeps meanwhile, as a read of a terminal or of FUSE has. NO_LOCK_ASLEEP:
 * the same, asleep so that a signal ends it: a driver that holds a lock sleeps otherwise. READS: what it called waits for
 * data, or for a connection.
 */
enum { FOR_WORK = 1, KEEPS_NO_LOCK = 2, NO_LOCK_ASLEEP = 4, READS = 8 };
static const struct {
	const char *name;
	unsigned int of;
} outside[] = {
	{ "do_nanosleep", KEEPS_NO_LOCK },
	{ "hrtimer_nanosleep", KEEPS_NO_LOCK },
	{ "common_nsleep", KEEPS_NO_LOCK },
	{ "do_sys_poll", FOR_WORK | KEEPS_NO_LOCK },
	{ "poll_schedule_timeout", KEEPS_NO_LOCK },
	{ "ep_poll", FOR_WORK | KEEPS_NO_LOCK },
	{ "futex_wait_queue", KEEPS_NO_LOCK },
	{ "futex_wait_queue_me", KEEPS_NO_LOCK },
	{ "futex_do_wait", KEEPS_NO_LOCK }, /* 6.14 */
	{ "futex_wait_multiple", KEEPS_NO_LOCK },
	{ "alarmtimer_do_nsleep", KEEPS_NO_LOCK },
	{ "do_cpu_nanosleep", KEEPS_NO_LOCK },
	{ "do_wait", KEEPS_NO_LOCK },
	{ "__do_sys_pause", KEEPS_NO_LOCK },
	{ "__x64_sys_pause", KEEPS_NO_LOCK },
	{ "__ia32_sys_pause", KEEPS_NO_LOCK },
	{ "sigsuspend", KEEPS_NO_LOCK },
	{ "do_sigtimedwait", FOR_WORK | KEEPS_NO_LOCK },
	{ "do_signal_stop", KEEPS_NO_LOCK },
	{ "ptrace_stop", KEEPS_NO_LOCK },
	{ "do_jobctl_trap", KEEPS_NO_LOCK },
	{ "get_signal", KEEPS_NO_LOCK },
	{ "wait_for_vfork_done", KEEPS_NO_LOCK },
	{ "eventfd_read", FOR_WORK | KEEPS_NO_LOCK },
	{ "signalfd_read", FOR_WORK | KEEPS_NO_LOCK },
	{ "signalfd_dequeue", KEEPS_NO_LOCK },
	{ "timerfd_read", FOR_WORK | KEEPS_NO_LOCK },
	{ "timerfd_read_iter", KEEPS_NO_LOCK },
	{ "inotify_read", FOR_WORK | KEEPS_NO_LOCK },
	{ "io_cqring_wait", FOR_WORK | KEEPS_NO_LOCK },
	{ "read_events", FOR_WORK | KEEPS_NO_LOCK },
	{ "pipe_read", FOR_WORK | KEEPS_NO_LOCK },
	{ "anon_pipe_read", FOR_WORK | KEEPS_NO_LOCK },
	{ "do_semtimedop", KEEPS_NO_LOCK },
	{ "__do_semtimedop", KEEPS_NO_LOCK },
	{ "do_msgrcv", FOR_WORK | KEEPS_NO_LOCK },
	{ "do_mq_timedreceive", FOR_WORK | KEEPS_NO_LOCK },
	{ "wq_sleep", KEEPS_NO_LOCK },
	{ "unix_stream_data_wait", KEEPS_NO_LOCK },
	{ "unix_stream_read_generic", KEEPS_NO_LOCK },
	{ "__skb_wait_for_more_packets", FOR_WORK | KEEPS_NO_LOCK },
	{ "sk_wait_data", KEEPS_NO_LOCK },
	{ "inet_csk_accept", FOR_WORK | KEEPS_NO_LOCK },
	{ "exit_to_user_mode_loop", KEEPS_NO_LOCK },
	{ "exit_to_user_mode_prepare", KEEPS_NO_LOCK },
	{ "irqentry_exit_to_user_mode", KEEPS_NO_LOCK },
	{ "syscall_exit_to_user_mode", KEEPS_NO_LOCK },
	{ "unix_accept", FOR_WORK },
	{ "vsock_accept", FOR_WORK },
	{ "do_accept", FOR_WORK },
	{ "do_epoll_wait", FOR_WORK },
	{ "do_epoll_pwait", FOR_WORK },
	{ "do_select", FOR_WORK },
	{ "core_sys_select", FOR_WORK },
	{ "n_tty_read", FOR_WORK },
	{ "do_syslog", FOR_WORK },
	{ "syslog_print", FOR_WORK },
	{ "fuse_dev_do_read", FOR_WORK },
	{ "fanotify_read", FOR_WORK },
	{ "kvm_vcpu_block", FOR_WORK },
	{ "kvm_vcpu_halt", FOR_WORK },
	{ "io_wq_worker", FOR_WORK },
	{ "io_sq_thread", FOR_WORK },
	{ "binder_ioctl", FOR_WORK },
	{ "nbd_ioctl", FOR_WORK },
	{ "ksys_read", READS },
	{ "vfs_read", READS },
	{ "vfs_readv", READS },
	{ "do_iter_read", READS },
	{ "sock_recvmsg", READS },
	{ "__sys_recvfrom", READS },
	{ "___sys_recvmsg", READS },
	{ "__sys_accept4", READS },
	{ "do_wait_intr_irq", NO_LOCK_ASLEEP },
	{ "schedule_hrtimeout_range_clock", NO_LOCK_ASLEEP },
	{ "schedule_hrtimeout_range", NO_LOCK_ASLEEP },
};

static unsigned int outside_of(const char *function)
{
	const typeof(outside[0]) *row = FUNCTION_FIND(outside, function);

	return row ? row->of : 0;
}

bool wait_is_for_work(const char *function)
{
	return outside_of(function) & FOR_WORK;
}

enum wait_rest wait_rest_of(const char *function)
{
	const unsigned int of = outside_of(function);

	return of == READS ? WAIT_MAY_READ : of ? WAIT_RESTS : WAIT_RESTS_NOT;
}

bool wait_is_of_loop(const char *caller, char state)
{
	/* ret_from_fork_asm() since 6.6 */
	return state == 'S' && (!strncmp(caller, "ret_from_fork", strlen("ret_from_fork")) ||
				is_function(caller, "vhost_task_fn"));
}

bool wait_keeps_no_lock(const char *function, char state)
{
	const unsigned int of = outside_of(function);

	return of & KEEPS_NO_LOCK || (of & NO_LOCK_ASLEEP && state == 'S');
}

#define OF_FILES(CALL) /* by what is known of its files */                             \
	{                                                                              \
		[USER_FILES_UNKNOWN] = "waits in " CALL "()",                          \
		[USER_FILES_NONE] = "sleeps in " CALL "() without a file to wait for", \
		[USER_FILES_SOME] = "waits in " CALL "() for its files",               \
	}
#define ALWAYS(WORDS)               \
	{                           \
		WORDS, WORDS, WORDS \
	} /* of what is asked for none, or has them elsewhere */

#define NETDEV_WAIT "waits until nothing refers to a network device that is to go"

static const struct {
	const char *function, *words[USER_FILES_SOME + 1];
} calls[] = {
	{ "ep_poll", ALWAYS("waits in epoll_wait() for its files") },
	{ "do_epoll_wait", ALWAYS("waits in epoll_wait() for its files") },
	{ "do_poll", OF_FILES("poll") },
	{ "do_sys_poll", OF_FILES("poll") },
	{ "do_select", OF_FILES("select") },
	{ "core_sys_select", OF_FILES("select") },
	{ "do_nanosleep", ALWAYS("sleeps in nanosleep()") },
	{ "hrtimer_nanosleep", ALWAYS("sleeps in nanosleep()") },
	{ "common_nsleep", ALWAYS("sleeps in nanosleep()") },
	/* netdev_wait_allrefs() of net/core/dev.c, _any() since 5.18: it looks again every 250 ms. */
	{ "netdev_wait_allrefs_any", ALWAYS(NETDEV_WAIT) },
	{ "netdev_wait_allrefs", ALWAYS(NETDEV_WAIT) },
	{ "netdev_run_todo", ALWAYS(NETDEV_WAIT) },
	{ "unix_accept", ALWAYS("waits in accept() for a connection") },
	{ "inet_csk_accept", ALWAYS("waits in accept() for a connection") },
	{ "vsock_accept", ALWAYS("waits in accept() for a connection") },
};

const char *wait_call(const char *function, enum user_files files)
{
	const typeof(calls[0]) *row = FUNCTION_FIND(calls, function);

	return row ? row->words[files] : NULL;
}

bool wait_is_for_packet(const char *function)
{
	static const char *const waits[] = { "__skb_wait_for_more_packets", "__skb_recv_datagram",
					     "skb_recv_datagram" };

	return FUNCTION_FIND(waits, function);
}

bool wait_is_timeout(const char *function)
{
	static const char *const timeouts[] = { "schedule_hrtimeout_range_clock",
						"schedule_hrtimeout_range", "schedule_hrtimeout",
						"poll_schedule_timeout", "msleep" };

	return FUNCTION_FIND(timeouts, function);
}
