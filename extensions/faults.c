// SPDX-License-Identifier: GPL-2.0-or-later
/* faults: page-fault counts, events and tasks in a fault. */
#include "cli/baseline.h"
#include "faults/keys.h"
#include "faults/view.h"
#include "pages/kernel_map.h"

static char *help[] = {
	"faults",
	"page-fault counts and memory use per thread",
	"[-v | -e [SYSTEM:EVENT] | -b | -d FILE] [-t timeline] [-g KEY[,KEY]]\n"
	"         [-f KEY=VALUE] [-X KEY=VALUE] [-a] [-s KEY[,KEY]] [-r] [-n ROWS]\n"
	"         [-o COL[,COL]] [-l [DIR]] [-j] [-D] [-h] [PID...]\n"
	"  faults -k [ID... [-T TYPE] | -t tracepoints|variables | -w FILE]",
	"  Ranks threads by page faults and shows the memory of their process. The kernel",
	"  keeps these counters for every thread, traced or not.",
	"",
	"  PID        show this thread, or all threads of this process",
	"  -v         show the counters of the whole system, as in /proc/vmstat",
	"  -v -g memcg  show them for each memory cgroup, as in memory.stat",
	"  -e         list the page-fault events in the ftrace ring buffers of all",
	"             tracing instances, oldest first",
	"  -e SYSTEM:EVENT  list the records of any other trace event, with its fields:",
	"             -e oom:mark_victim",
	"  -t timeline  draw the page-fault events of each thread over time",
	"  -x         explain the exception that ended the kernel: address, error code in",
	"             words, instruction, task",
	"  -g KEY     group by tgid, ppid, comm, state, memcg, cgroup or kthread; -g help",
	"             lists the keys and explains the terms used here. With -e: count the",
	"             page-fault events by keys; -e -g help lists those",
	"  -f K=V     keep the threads, with -e the events, with -k the frames that",
	"             match; with more than one -f, all must match. -f help, -e -f help,",
	"             -b -f help and -k -f help list the keys; other columns of -o help",
	"             keep the rows that match: -f rate=10..",
	"  -X K=V     leave those out",
	"  -k         list the frames that KGTP, a tracer in a module, has in its per-CPU",
	"             rings, in order of their ids",
	"  ID         with -k: show all of a frame: registers, variables, memory",
	"  -T TYPE    with ID: show memory as structures: list_head, \"struct list_head\"",
	"  -t VIEW    with -k: tracepoints, or variables (trace state variables)",
	"  -w FILE    with -k: write all frames as a trace file for GDB's target tfile",
	"  -d FILE    compare the fault rates of thread names with -j of another dump",
	"  -a         with -e: also list events that a reader has consumed and events",
	"             that were not committed, with a mark",
	"  -b         show the threads that are inside a page fault: since when, on which",
	"             address, read or write, in which file, what they wait for",
	"  -s KEY     sort by columns, numbers descending, text ascending. Default:",
	"             maj_flt,min_flt; -o help lists the columns",
	"  -r         reverse the order",
	"  -n ROWS    show at most ROWS rows; 0 shows all. Default: 10, with -j all",
	"  -o COL     choose columns: -o pid,comm,maj_flt shows these, -o +x,-y adds x",
	"             and removes y; -o help lists the columns",
	"  -l [DIR]   with -b -o +stack: add file, line and inlined functions to each",
	"             frame, from debug information in DIR or where vmlinux and the",
	"             modules were found",
	"  -j         print JSON Lines: a meta line, rows, a summary line",
	"  -D         print what the decoder found: symbols, offsets, decisions",
	"  -h         show a summary",
	"",
	"  What is counted, and the words of each view, are in the manual page faults(8).",
	"",
	"EXAMPLES",
	"  The threads with the most major faults:",
	"    faults -n 5",
	"",
	"  The largest processes:",
	"    faults -s rss_bytes -n 5",
	"",
	"  Processes with their exited threads, and cgroups:",
	"    faults -g tgid",
	"    faults -g memcg",
	"",
	"  Threads in uninterruptible sleep that had major faults:",
	"    faults -f state=D -f maj_flt=1..",
	"",
	"  The whole system:",
	"    faults -v",
	"    faults -v -g memcg",
	"",
	"  What ended the kernel:",
	"    faults -x",
	"",
	"  Page faults of the last 10 ms before the panic:",
	"    faults -e -f age=..10ms",
	"",
	"  The code that faulted most, and the mappings that it faulted on:",
	"    faults -e -g ip",
	"    faults -e -g comm,vma",
	"",
	"  Threads that wait inside a page fault, with their kernel stacks:",
	"    faults -b -o +stack",
	"",
	"  Frames of KGTP that were collected in a handler of page faults:",
	"    faults -k -f page_fault=true",
	NULL
};

/* What the manual page has besides. */
static char *notes[] = {
	"  Each row is a thread. RATE is page faults per second from the start of the",
	"  thread to the panic, S the state letter of /proc/PID/stat. RSS and SWAP belong",
	"  to the process. They are exact sums over all CPUs and threads, as smaps has",
	"  them; /proc/PID/status may be behind by some pages per CPU, and up to 6.1 by",
	"  those of 64 page faults of each thread. CMAJFLT and CMINFLT (-o) are faults of",
	"  children that the process has waited for.",
	"",
	"  Names of kernel threads are in brackets, and complete where the kernel keeps",
	"  more than 15 characters. Without -n 0, -f or PID, text leaves out kernel",
	"  threads that had no fault; -j has them.",
	"",
	"  With -g, RSS and SWAP count each process once in a group, and in each group",
	"  that has threads of it: pages in RAM or in swap that processes share, since",
	"  a fork for example, count in each of them, and a sum may be more than RAM or",
	"  swap has. The faults of threads that exited are added where every key",
	"  belongs to a process. -f and -X choose threads before they are grouped.",
	"",
	"  What is counted depends on the kernel. A fault of a thread counts once, when",
	"  it is completed; a fault that failed does not count. Since 5.9 a fault that",
	"  was retried counts as major. pgfault of -v counts every attempt up to 6.3 and",
	"  each fault once since 6.4, failed ones included. pgmajfault is counted where",
	"  pages are read, so it is not the sum of MAJFLT.",
	"",
	"  With -v -g memcg a counter includes all descendants of the cgroup, removed",
	"  ones too, and what the kernel has not added up yet. memory.stat may have less",
	"  where it prints without a flush. Counters that memory.stat lacks have no row.",
	"",
	"  -e reads the events exceptions:page_fault_user and page_fault_kernel (x86,",
	"  riscv; arm64 has none). Such an event is written when a fault begins: it does",
	"  not tell a major fault from a minor one, nor how the fault ended. TO_PANIC is",
	"  the time to the panic in seconds. VMA is the mapping of the thread at the",
	"  address at the panic, if the thread still exists. The table below the events",
	"  has a row for each trace buffer: records found and records that the kernel",
	"  counted, records overwritten, events dropped, records taken by a reader.",
	"",
	"  -b follows the kernel stack of every thread (by ORC or frame pointers, as the",
	"  kernel was built). MODE is user, kernel (a copy to or from user memory) or gup",
	"  (the kernel asked for the page, no exception did). WAITS_FOR and HOLDER are",
	"  those of memowner stuck:",
	"    swap_in       the page comes from swap",
	"    page_lock     the page of a file is locked, most often until it is read",
	"    io            I/O of another kind, as the end of writeback",
	"    mmap_lock     the lock of the address space; HOLDER has it, or may have it",
	"                  (holder_mode)",
	"    mutex, rwsem, lock and so on   another lock",
	"    userfaultfd   a process that handles the fault by userfaultfd",
	"    fuse          the process of a FUSE file system",
	"    memory_high   its cgroup is over memory.high: it sleeps for that",
	"    reclaim       it sleeps in reclaim, or on a CPU is in it",
	"    oom_killer    it sleeps in the OOM killer, or on a CPU is in it",
	"    migration     the page is being migrated",
	"    cpu, running  nothing: the thread is runnable, or on a CPU",
	"    other         the function that -o +function shows",
	"  AGE is the time since the thread ran. If its stack has no struct vm_fault,",
	"  the access is unknown and the address is derived (address_source).",
	"",
	"  -x takes what the log says of the last oops and of the panic, and looks on the",
	"  stacks for the struct pt_regs with the same stack pointer. The address of the",
	"  instruction comes from there, everything else from the log. An error code is",
	"  shown for page faults only. A panic that was no exception is named with its",
	"  reason. Records that user space wrote to /dev/kmsg are not considered.",
	"",
	"  -k reads the frames of KGTP (github.com/teawater/kgtp). FAULT is yes where the",
	"  function of the tracepoint handles page faults. A value longer than a page is",
	"  joined from its pieces. DEFECTS names what is not certain of a frame, -k ID",
	"  explains it. Tracepoints have names only where the object file of the module",
	"  is loaded. A KGTP built with FRAME_SIMPLE=1 or GTP_FTRACE_RING_BUFFER is",
	"  refused. Tested on a module of ours that writes such rings on Linux 6.12, not",
	"  on KGTP itself.",
	"",
	"  On a terminal, lines fit its width: the widest texts of a table are cut (..),",
	"  then its rows are continued in the next line. Figures are never cut. A file or",
	"  a pipe gets every text as it is.",
	"",
	"MORE EXAMPLES",
	"  Faults in kernel mode, newest first:",
	"    faults -e -f mode=kernel -r -n 20",
	"",
	"  Resident memory by kind:",
	"    faults -f kthread=no -o +rss_anon_bytes,rss_file_bytes,rss_shmem_bytes",
	NULL
};

/* Names: threads have other ids in each boot, and other lives. */
static const struct baseline baseline = {
	.by = { { COLUMN_comm } },
	.amounts = { { COLUMN_rate_milli } },
	.counts = { { COLUMN_maj_flt } },
	.many = "major faults",
};

static const struct view baseline_view = { BASELINE_OF_JSON(baseline, "name", "names"), NO_KEYS };

/* The first is the default; each view stands in a file of its own in faults/. */
static const struct view *const views[] = {
	&fault_tasks.view,	&fault_system.view,	     &fault_event_list.view,
	&fault_blocked.view,	&fault_event_timeline.view,  &fault_fatal.view,
	&kgtp_frames_view.view, &kgtp_tracepoints_view.view, &kgtp_variables_view.view,
	&baseline_view,
};

/* Views of more than one row. */
#define TABLES \
	"tasks system events records timeline blocked frames frame tracepoints variables baseline"

static const struct command_option options[] = {
	{ 'v', .views = "system", .chooses = "system" },
	{ 't', .values = "timeline, with -k tracepoints variables" },
	{ 'e', .views = "events records timeline", .chooses = "events" },
	{ 'g', .values = "tgid mode memcg", .views = "tasks events records system" },
	{ 'f', .values = "kthread=no cpu=0 waits_for=io",
	  .views = "tasks events records timeline blocked frames baseline" },
	{ 'X', .values = "state=Z cpu=0 waits_for=io",
	  .views = "tasks events records timeline blocked frames baseline" },
	{ 'd', .values = "FILE", .views = "baseline", .chooses = "baseline" },
	{ 'a', .views = "events records timeline" },
	{ 'x', .views = "fatal", .chooses = "fatal" },
	{ 'k', .views = "frames frame tracepoints variables", .chooses = "frames" },
	{ 'w', .values = "FILE", .views = "frames" },
	{ 'T', .values = "list_head", .views = "frame", .error = "-T needs -k ID" },
	{ 'b', .views = "blocked", .chooses = "blocked" },
	{ 's', .values = "maj_flt count address", .views = TABLES },
	{ 'r', .views = TABLES },
	{ 'n', .values = "1", .views = TABLES },
	{ 'o', .values = "pid name" },
	{ 'l', .views = "blocked" },
	{ .letter = 'j' },
	{ .letter = 'D' },
	{ .letter = 'h' },
	{ 0 },
};

/* What is written is every frame, and no answer in JSON. */
static const struct option_pair pairs[] = {
	{ 'w', 'j', "" },
	{ 'w', 'f', ": the file has all frames" },
	{ 'w', 'X', ": the file has all frames" },
	{ 'w', 's', "" },
	{ 'w', 'n', "" },
	{ 'w', 'o', "" },
	{ 'w', 'r', "" },
	{ 0, 0, NULL },
};

/* A view is the first member of its struct fault_view_ops; so is the one of arguments. */
static const struct fault_view_ops *ops_of(const struct fault_view *v)
{
	const struct view *view = views[v->in->view];

	return (const struct fault_view_ops *)(v->in->opts.nargs && view->named ? view->named
										: view);
}

static enum status check(void *arg)
{
	struct fault_view *v = arg;

	return ops_of(v)->check ? ops_of(v)->check(v) : ST_OK;
}

static enum status open_sources(void *arg, enum availability *why)
{
	struct fault_view *v = arg;
	enum status st = ops_of(v)->open(v);

	*why = availability_of(st);
	return st;
}

static enum status show(void *arg)
{
	struct fault_view *v = arg;

	return ops_of(v)->show(v);
}

static const struct command_spec usage = {
	COMMAND_TABLES,	     .pairs = pairs,	   .keys = fault_keys,
	.nkeys = FAULT_KEYS, .terms = fault_terms, .map = kernel_map_if_linear,
	.check = check,	     .open = open_sources, .show = show,
};

COMMAND_MAIN(faults, struct fault_view)
