/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The figures that a verdict rests on, in words: free memory, swap, promises, limits. */
#pragma once

#include "collect/stuck.h"
#include "files/open_files.h"
#include "verdict.h"

struct commit;
struct oom_report;
struct oops;
struct strbuf;
struct summary;
struct statement;

/* "an allocation of order 0 failed: ", "memory ran out: ": what the report is of; of vmalloc its bytes too. */
void verdict_add_request(const struct oom_report *r, struct strbuf *b);

/* What the log has, where none of its reports tells how the machine ended. */
void verdict_add_no_report(const struct summary *s, const char *older, struct strbuf *b);
/* Whether a log that is whole has no report at all: of one that tells less or more the former has the words. */
/* Of what a report would say: "this log does not have"; "is not read", where words have another form than the kernel's; unknown where a part is missing. */
const char *verdict_lacking(const struct summary *s);
/* Why a line of a text may be there though it was not read; NULL: nothing tells that one may, or of a dump. */
const char *verdict_unread(const struct summary *s);
/* Of a log "; the log goes on for 2.1h, without a panic". */
void verdict_add_rest_of_log(const struct summary *s, struct strbuf *b);
bool verdict_has_no_report(const struct summary *s, const char *older);

/* "was", of pages of which the size is unknown "were". */
const char *verdict_were(const struct summary *s);

/* "5.3M of System RAM 383.5M was free, 1.4%" */
void verdict_add_free(const struct summary *s, struct strbuf *b);

/*
 * Where the machine went on behind the report that memory ran out, what was free then: "20.8M of 511.5M was free at the
 * report, 4.1%, 19.0s before the panic; at the end 11.1M"; *number takes the first. Else as verdict_add_free().
 */
void verdict_add_free_then(const struct summary *s, const struct oom_report *r,
			   struct maybe_u64 *number, struct strbuf *b);
void verdict_add_swap(const struct summary *s, struct strbuf *b);
/* The same where memory was not short, of swap that is full. (swap.c) */
void verdict_add_full_swap(struct summary *s, struct strbuf *b);
/* Of a cgroup at its limit: what it could have had of swap, if its reclaim took anonymous memory. */
void verdict_add_unused_swap(const struct summary *s, const struct oom_report *r, struct strbuf *b);

/* Free memory that hugetlbfs alone can give away. */
void verdict_add_idle_pools(const struct summary *s, struct strbuf *b);

/* Whether the kernel refused to promise more, whatever was free. */
bool verdict_is_committed(const struct commit *c);

/*
 * "committed address space is 529.2M of 551.8M, which vm.overcommit_memory=2 enforces; 172.0M in private writable
 * mappings of java (162); "
 */
void verdict_add_commit(const struct summary *s, const struct commit *c, struct strbuf *b);

/* Of a log alone a row says which requests for address space were refused; of a dump the verdict does. */
void verdict_put_refusals(struct summary *s);

/*
 * What the kernel ended of, where that is no lack of memory: an exception, a watchdog, who waits for whom and limits that
 * are used come first; in front of it and behind it.
 */
void verdict_begin_end(const struct summary *s, enum verdict verdict, struct strbuf *b);
void verdict_add_end(const struct summary *s, enum verdict verdict, struct strbuf *b);
/* The first clauses of what threads wait for; NULL: nothing. (overview/verdict_stuck.c) */
const char *verdict_cause(const struct summary *s, unsigned int clauses);
/* Behind it, where the holder is known: of a victim that has most and cannot exit its line says why. */
void verdict_add_hang(const struct summary *s, enum verdict verdict, struct strbuf *b);

/* Of a machine that did not panic: whether it worked, if memory is none of its questions. */
void verdict_add_no_panic(struct summary *s, enum verdict verdict, struct strbuf *b);
/*
 * What is told of memory; of a machine that was told to have worked, and with nothing in front of it, that nothing wrong was
 * found, what was looked at beside, and what could not be read. (overview/working.c)
 */
void verdict_add_memory(const struct summary *s, const char *memory, struct strbuf *b);
/* Whether a cgroup was removed; false: one of its path is there, or that is unknown. */
bool verdict_is_gone(const struct summary *s, const char *cgroup);

/* Whether its letters say that it is not of the kernel's source. (overview/same_module.c) */
bool summary_is_out_of_tree(const struct summary *s, const char *module);
/* The module out of tree in which the kernel died of an exception; NULL: none, or a log. (the same) */
const char *summary_died_in(const struct summary *s);
/* Behind that exception: who else was inside that module just then. (the same) */
void summary_tell_same_module(struct summary *s, const struct stuck *all);
/* The innermost frame of a module of a stack; *spins: what is further in spins for a lock. NULL: none. (the same) */
const struct frame *summary_module_frame(const struct stuck_task *t, bool *spins);
/* In place of s->panic_cause who likely has the lock of a CPU that spun; false: it is not known of one. (the same) */
bool summary_tell_lock_owner(struct summary *s, const struct stuck *all);

/* What the kernel died of is no lack of memory: what has no owner then stands beside the question. */
bool summary_is_of_exception(const struct summary *s);

/* Pages that crashkernel= sets aside: no share is of them.  0: none, or that is unknown. (overview/reserved.c) */
uint64_t summary_capture(const struct summary *s);

/* Whether a share of RAM is told of a class of that name. (the same) */
bool summary_has_share(const struct summary *s, const char *class);

/* Threads that wait for each other. (overview/deadlock.c) */
/* It has the userfaultfd itself, and no one else has: that is told behind locks. */
bool deadlock_is_alone(const struct stuck_task *t);

/*
 * Whether it is in a circle that is sure: a lock that names the thread that waits for it may be of a task that exited,
 * which is told with the lock.
 */
bool deadlock_has(const struct stuck_task *t);

/*
 * "2 threads are in a deadlock: changerd (117), tapectl (118), asleep in tape_move, tape_eject [tapebus]": s->deadlocked
 * of them, the innermost functions of a module where all are in functions of one.
 */
void deadlock_add_words(const struct summary *s, const struct stuck *all, struct strbuf *b);

#define MUCH_MISSING "much of what follows" /* as slabs are not in this dump */

#define READY 4	      /* threads that ran or could run that are named */
#define READY_KEPT 64 /* and those whose names are counted */

struct ready_thread {
	uint64_t task, start_ns;
	int32_t pid;
	char comm[TASKS_COMM + 1];
	const struct frame *
		at; /* of the kernel, or on a CPU: its function of a module; NULL: unknown, or none */
	/* Of one on a CPU whose registers are known: it spins for a lock; with interrupts off; at is of a module out of tree. */
	bool spins, irqs_off, is_foreign;
};

/*
 * "sfx0", the only network device that has an address of the frames that lost memory begins with; driver: its module, NULL:
 * none, or unknown. NULL: no frames, or none has. (overview/lost_frames.c)
 */
struct alike;
struct modules;
const char *summary_frame_device(struct summary *s, const struct alike *of,
				 const struct modules *modules, const char **driver);
/* The module whose own memory begins as lost memory does, by what it keeps; NULL: none is known. (the same) */
const char *summary_lost_keeper(const struct summary *s);

/*
 * "; cgroup /a.service is charged 415.6M of kernel memory": the one that is charged most, or the one below it that has more
 * than half of that; nothing if it is less than least, pages. (claim_classes.c)
 */
void summary_add_kernel_charge(const struct summary *s, uint64_t least, struct strbuf *b);

/* Adds what a removed cgroup has to the row of another one of its path; false: there is none. (overview/removed_cgroups.c) */
bool summary_joins_removed(struct summary *s, const char *path, uint64_t pages,
			   struct maybe_u64 kernel);

/* Those on CPUs whose registers are known, where one spins for a lock or each CPU had interrupts off. (overview/spinning.c) */
void summary_tell_spinning(struct summary *s, const struct ready_thread *all, size_t n,
			   bool misses_some);

/* Who ran, or could run: READY_KEPT of them at most, of n. (the same) */
void summary_tell_ready(struct summary *s, const struct ready_thread *all, size_t n);
/* Of these the threads of the kernel, which are not in there: those that have run for half of their time. (the same) */
void summary_tell_kernel(struct summary *s, const struct ready_thread *all, size_t n);

/* A setting of vm.*, as its file shows it; NULL: unknown, or a log. */
const char *verdict_setting(struct summary *s, const char *name);

/*
 * Pages of MemAvailable; stays (or NULL) gets those of it in slab caches that vm.vfs_cache_pressure=0 keeps, which *pages
 * is without.  false: unknown, or a log.
 */
bool verdict_available(struct summary *s, uint64_t *pages, uint64_t *stays);
void verdict_add_available(const struct summary *s, uint64_t available, uint64_t stays,
			   struct strbuf *b);
/*
 * Without a report, by the zones at the end; older: how long before the newest report is, NULL: there is none. What is
 * not known for certain, as MemAvailable is not, is unknown. (overview/verdict_zones.c)
 */
enum verdict verdict_of_zones(struct summary *s, const char *older, struct maybe_u64 *number,
			      struct strbuf *b);
/* Where memory was not short, or that is unknown, only who has very much is told. (summary.c) */
bool summary_needs_hoard(const struct summary *s);
/* Whether some is free, or that is unknown. */
bool verdict_has_swap(const struct summary *s);
/* Much is free below the watermarks that vm.min_free_kbytes raised; false: it is not, and nothing is added. */
bool verdict_add_watermarks(struct summary *s, struct strbuf *b);

/* What the log says of the caches of slab, and of CPUs, as rows of the summary. */
void summary_add_slab_failures(struct summary *s, const struct kernel_log *log);
/*
 * Threads that do not go on by themselves, but what the lines on these locks say; first: those for which others wait, with
 * how many these are, else the others, where nothing else is known.
 */
/* "; before it the OOM killer ran for the whole machine 1.7min earlier and killed java (5)": of a cgroup's report. */
void verdict_add_machine(const struct summary *s, const struct oom_report *of, struct strbuf *b);

/* Of a log alone: "5 tasks are blocked on a mutex likely owned by hsmd (327), as the kernel says"; NULL: no line does. */
const char *summary_hung_owner(struct summary *s);
/* The same as a row, where the verdict does not tell it. */
void summary_add_hung_owner(struct summary *s);

/* A program of BPF may ask for a victim, with a constraint of its own name. False: the kernel did. */
bool verdict_add_other_asker(const struct oom_report *r, struct strbuf *b);
/* Of a cgroup in which one did, or whose report has its limits, and none is set. False: it says something else. */
bool verdict_add_no_limit(const struct oom_report *r, struct strbuf *b);

/*
 * The task of which khungtaskd panicked, NULL: no row has it; its wait in the line of the panic, or that it is unknown.
 * (overview/hung.c)
 */
const struct stuck_task *summary_hung_task(const struct summary *s, const struct stuck *all);
void summary_tell_hung(struct summary *s, const struct stuck *all, const struct stuck_task *hung);

void summary_add_roots(struct summary *s, const struct stuck *all, const struct stuck_task *most,
		       const struct stuck_task *of_file, bool first, struct strbuf *b);

/* Works that wait behind one that is slow, which no line on roots tells; false: they are few. */
/* "; perhaps profrun (263), which the exception ended, had tc_bus [thermoch]": of a lock whose owner is no more. */
void summary_add_ended(const struct summary *s, const struct stuck *all, struct strbuf *b);
bool summary_add_backlog(const struct summary *s, const struct stuck *all, struct strbuf *b);

/* "1.7min before the end the log has WARNING at a.c:5 f [m], task m/poll (102)": the first warning of a task; NULL: none. */
const char *summary_warning_of(const struct summary *s, uint64_t pid, const char *comm);

/* Threads that wait on sockets for a process that does not answer; whether any of a name may. (kept/roots.c) */
void summary_add_crowd(const struct summary *s, const struct stuck *all, struct strbuf *b);
bool summary_has_crowd(const struct summary *s);
/* Locks in user memory that are not given up, of the process of which most threads wait so; false: there is none. */
bool summary_add_user_locks(struct summary *s, const struct stuck *all, struct strbuf *b);
bool summary_is_root(const struct summary *s, const struct stuck_task *t);
/* "UDP 127.0.0.1:8125", "TCP 10.0.0.1:22 to 10.0.0.7:51022" */
struct socket;
struct sockets;
void summary_socket_name(const struct socket *of, struct strbuf *b);
/* "; of the sockets UDP 127.0.0.1:8125 has nearly all, received and not read", of a process with so much in sockets; NULL: no socket has nearly all. */
const char *summary_largest_socket(const struct summary *s, const struct sockets *all, int32_t tgid,
				   uint64_t bytes);
/* ", 22,665 in close_wait (the other end has closed them, the process has not)", of the sockets of a process nearly all; "": of few, or of several states. */
const char *summary_sockets_state(const struct summary *s, const struct sockets *all, int32_t tgid);
/* "524,311 IPv4 neighbours (ARP), of which ...", where a way from a root begins with their table; NULL: with another one. */
const char *summary_neighbours(struct summary *s, const char *root);
/* Cgroups that are frozen; who waited for a CPU. */
void summary_tell_frozen(struct summary *s);
void summary_tell_starved(struct summary *s);
/* What the kernel ended of, by what it said; row: the panic's, with its task. NULL: of another kind. */
struct oops_log;
const char *summary_panic_cause(struct summary *s, const struct oops_log *log,
				const struct statement *row);
/* Of the warnings of the log the one that the kernel panicked of, of a panic of another kind who called it. */
void summary_add_warnings(struct summary *s, const struct kernel_log *log,
			  const struct oops_log *oops);
/* "symbol [module]" of a frame of the log; NULL of NULL. */
const char *summary_frame(const struct summary *s, const char *frame);
/* Who does not accept connections, and for whom it waits, of a machine whose memory was not short. */
void summary_add_unaccepted(struct summary *s);
/* The largest file system that is full, of the same. */
void summary_add_full(struct summary *s);
/* When a line of the log came; ", 2.0s before the panic", where that is known; a row of it. */
struct maybe_u64 summary_time_of(const struct summary *s, uint64_t ts_ns);
void summary_add_when(const struct summary *s, uint64_t ts_ns, struct strbuf *b);
void summary_add_logged(struct summary *s, const struct kernel_record *rec, const char *remark);
/* Of swap, servers, devices and worker pools, of state that cannot be: by single lines. */
void summary_add_signs(struct summary *s);
#define STUCK_BY_LOG "log" /* of a row that a line of the log has: it may be no wait */
/* Processes that end by exceptions of their own again and again. */
void summary_add_crashes(struct summary *s);
/* Processes that have a watchdog device open; problem: NULL, or why there may be others. */
struct watchdog_feeders {
	struct file_users users;
	const char *problem;
};

/* By the files of all processes (overview/watchdogs.c). ST_UNKNOWN, ST_UNREADABLE: who does is unknown. */
enum status summary_watchdog_feeders(struct dump *d, struct watchdog_feeders *ret);

/* "; a watchdog device is open in watchdogd (422)"; "": none is known to be. (overview/watchdogs.c) */
const char *summary_watchdogs(struct dump *d);
/* A line that is most of the log. */
void summary_add_flood(struct summary *s);
/* Rows of limits that the log says were reached; of a dump those that it said last long before the end. */
void summary_add_limits(struct summary *s);
/* The others, where no counter of the dump says the same. */
void verdict_add_logged_limits(const struct summary *s, struct strbuf *b);
void verdict_add_signs(const struct summary *s, struct strbuf *b);
/* What a file system or a disk found wrong, by the log: of a mount with errors=panic the kernel ends of it. */
void summary_add_disk_errors(struct summary *s);
/* What the hardware reported, of a machine check or an NMI that the kernel ended of too; pages that are out of use. */
void summary_add_hardware(struct summary *s);
/*
 * Adds the disks that are kept, with the page cache that waits for them.  lock: the thread that waits on the lock
 * of most, or NULL; where its holder waits for such a disk, the disk is the cause and comes first.
 */
void summary_add_disks(struct summary *s, const struct stuck *all, const struct stuck_task *lock,
		       bool first, struct strbuf *b);
/* Whether the only disk that is kept is the one that this many threads wait for. */
bool summary_is_of_disk(const struct stuck *all, size_t n);
/* Of the disk that a thread waits for: that its driver has no request of it, and what blk-throttle holds back; false: nothing is known. */
bool summary_add_idle_disk(struct summary *s, const struct stuck_task *t, struct strbuf *b);
/* Processes of which it is asked what they wait for, as others have much for them; and the answers, in these rows. */
#define ASKED_MOST 16u
unsigned int summary_ask_waits(struct summary *s, int32_t *ret, unsigned int room);
void summary_tell_waits(struct summary *s, const struct stuck *all);
/* Processes that pile up, or who have much for one that does not read it. */
bool summary_has_waiting(const struct summary *s);
void summary_tell_waiting(struct summary *s, const struct stuck *all);
/* That no wait of many processes is told is no statement either. */
void summary_waits_unknown(struct summary *s, enum status st, const struct stuck *all);
/* Where no lock keeps others: a victim that has not exited, or many that wait for one. */
void summary_put_waits(struct summary *s);
/* The same of threads of a process whose kernel stacks are much; called by these. */
unsigned int summary_ask_threads(const struct summary *s, int32_t *ret, unsigned int room);
void summary_tell_threads(struct summary *s, const struct stuck *all);
/* Firmware that a driver did not get in which others are asleep. (overview/logged.c) */
void summary_add_firmware(struct summary *s);
/* The command that says what the threads of the one process do that has most; NULL: none is. (overview/thread_waits.c) */
const char *summary_does_command(const struct summary *s);
/* Of a page fault: the address is that of the instruction itself. */
bool summary_is_jump(const struct statement *row);
/*
 * The module that was unloaded last, with what it likely left behind, where the kernel died of an address of none that is
 * loaded; NULL: not so, or unknown. (overview/unloaded.c)
 */
const char *summary_unloaded(struct summary *s, const struct oops *o, const struct statement *row);
/* "; by the report's table it is a thread of memcached (643)", of a task that is not there; NULL: unknown. (overview/asker.c) */
const char *summary_asker_thread(const struct summary *s, const struct oom_report *r);
/* ", in the timer snx_tick [snxvpn]", ", a timer", of an exception in an interrupt; NULL: unknown. (overview/handlers.c) */
const char *summary_handler(struct summary *s, const struct oops *o);
/* "a timer": what drivers gave the kernel that the function of a frame calls or walks; NULL: none is known. */
const char *summary_walked(struct summary *s, const char *frame);
/* " of fpga-stream (218)", of a thread that is no process; "": it is one, or unknown. (overview/thread_of.c) */
const char *summary_process_of(struct summary *s, const struct statement *row);
/* "; kmalloc-4k, whose owner is unknown too, has as many, ...", beside "49,761 objects of kmalloc-8k"; "". (overview/twin_caches.c) */
const char *summary_twin_cache(const struct summary *s, const char *text);
void summary_add_stalls(struct summary *s, const struct kernel_log *log);
/* "term-rec (121) has 11,952 ends of terminals open": the process that has half of all or more; NULL: none, or unknown. */
const char *summary_terminals(struct summary *s);

/* Whether more may have been killed, or failed, than the reports say. */
bool summary_misses_reports(const struct summary *s); /* oom.c */

/* Whose packets wait in queues, and for whom: a command. */
#define SOCKETS_BY_PEER "memowner sockets -g used_by,peer_used_by -s bytes -n 5"

/*
 * whole: pages of which name is the name.  is_limit: what is charged to the cgroup at its limit is
 * the whole.  A process may have more than that: what it had before it came into the cgroup, and what others used first, is
 * charged to others (Documentation/admin-guide/cgroup-v2.rst, "Memory Ownership").
 * Returns what follows the size, in the arena: ", 75.0% of the limit".
 */
const char *charged_share_text(const struct summary *s, uint64_t pages, uint64_t whole,
			       bool is_limit, const char *name);
