// SPDX-License-Identifier: GPL-2.0-or-later
/* faults: who was page-faulting. */
#include "crash/port.h"
#include "faults/system.h"
#include "faults/tasks.h"
#include "mm/kernel_map.h"

static char *help[] = {
	"faults",
	"page-fault counts and memory use per thread",
	"[-v] [-s KEY[,KEY]] [-r] [-n ROWS] [-j] [-o COL[,COL]] [-D] [-h]",
	"  Ranks threads by page faults and shows the memory of their process. The kernel",
	"  keeps these counters for every thread, traced or not.",
	"",
	"  -v         show the counters of the whole system, as in /proc/vmstat",
	"  -s KEY     sort by columns, numbers descending, text ascending. Default:",
	"             maj_flt,min_flt; -o help lists the columns",
	"  -r         reverse the order",
	"  -n ROWS    show at most ROWS rows; 0 shows all. Default: 10, with -j all",
	"  -o COL     choose columns: -o pid,comm,maj_flt shows these, -o +x,-y adds x",
	"             and removes y; -o help lists the columns",
	"  -j         print JSON Lines: a meta line, rows, a summary line",
	"  -D         print what the decoder found: symbols, offsets, decisions",
	"  -h         show a summary",
	"",
	"  Each row is a thread. CMAJFLT and CMINFLT belong to the process: the faults of",
	"  children that it has waited for. RSS and SWAP are exact sums over all CPUs;",
	"  newer kernels print a value that may be behind by some pages per CPU.",
	"",
	"EXAMPLES",
	"  The threads with the most major faults:",
	"    faults -n 5",
	"",
	"  The largest processes:",
	"    faults -s rss_bytes -n 5",
	"",
	"  The whole system:",
	"    faults -v",
	NULL
};

enum { TASKS, SYSTEM };

static const struct view *const views[] = {
	[TASKS] = &fault_task_view,
	[SYSTEM] = &fault_system_view,
};

static const struct command_spec usage = { "vs:rn:jo:Dh", views, sizeof(views) / sizeof(views[0]),
					   .help = help };

static enum status faults(struct dump *d, struct sink *out, int argc, char **argv)
{
	struct cmdline in;
	struct tasks tasks;
	struct vm_event *events;
	size_t n;
	struct report r;
	enum status st = cmdline_parse(d, out, argc, argv, &usage, &in);

	if (st != ST_OK || in.done)
		return st;
	kernel_map_if_linear(d);
	if (in.opts.nargs)
		return dump_fail(d, ST_USAGE, "unexpected argument '%s'", in.opts.args[0]);
	report_begin(&r, d, out, "faults", views[in.view]->name, in.opts.json);
	st = in.view == TASKS ? tasks_open(d, &tasks) : vm_events_read(d, &events, &n);
	if (in.opts.notes)
		report_trace(d, out);
	if (st != ST_OK) {
		report_no_data(&r, availability_of(st));
		return ST_OK;
	}
	if (in.opts.notes)
		return ST_OK;
	st = in.view == TASKS ? fault_tasks_show(d, out, &in, &tasks, &r)
			      : fault_system_show(&in, events, n, &r);
	return st;
}

const struct command faults_command = { "faults", faults, help };
