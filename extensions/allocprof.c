// SPDX-License-Identifier: GPL-2.0-or-later
/* allocprof: allocated memory by line of source code. */
#include "alloctag/state.h"
#include "kernel/static_key.h"
#include "pages/kernel_map.h"
#include "cli/command.h"
#include "allocprof/sites.h"

static char *help[] = {
	"allocprof",
	"allocated memory by line of source code",
	"[-g KEY[,KEY]] [-f KEY=VALUE] [-X KEY=VALUE] [-s KEY[,KEY]]\n"
	"            [-r] [-n ROWS] [-j] [-o COL[,COL]] [-D] [-h]\n"
	"  allocprof -t tree|raw [-f KEY=VALUE] [-X KEY=VALUE] [-n ROWS]\n"
	"  allocprof -d FILE | -P SITE | -i\n"
	"  allocprof -c SITE [-n ROWS] [-j] [-o COL[,COL]] [-l [DIR]]\n"
	"  allocprof ADDR... [-j] [-o COL[,COL]] [-l [DIR]]\n"
	"  allocprof -C [-n ROWS] [-j]",
	"  Sums the per-CPU counters of memory allocation profiling for each allocation",
	"  site (a line of source code that calls an allocator) of vmlinux and the",
	"  modules, as /proc/allocinfo does. The kernel needs CONFIG_MEM_ALLOC_PROFILING",
	"  (6.10 and later) and the boot option sysctl.vm.mem_profiling=1. Kernels from",
	"  6.13 on keep the counters of an unloaded module while its memory is in use;",
	"  the names of its sites are lost.",
	"",
	"  -g KEY     sum by file, function, module or dir, or by several of them.",
	"             -g help lists the keys and explains the terms used here",
	"  -t tree    print source directories and files as a tree, largest first",
	"  -t raw     print what /proc/allocinfo showed at the panic. What is left out is",
	"             told on standard error; a terminal shows control characters as ?",
	"  -d FILE    show growth since FILE, a saved copy of /proc/allocinfo or -j of",
	"             another dump, by site or by the keys of -g; -n 0 shows those that",
	"             did not change as well",
	"  -P SITE    show the counters of each CPU for a site: FILE:LINE, the address of",
	"             a tag, or a function, which stands for all its sites",
	"  -i         show the state of profiling: built in, supported, on, compressed,",
	"             number of tags, and bytes beside the kernel's own counters",
	"",
	"  -f K=V     keep sites that match: -f module=nfs,xfs -f size=1M.. ; with more",
	"             than one -f, all must match. Text takes globs and /regular",
	"             expressions/, numbers take 5 2.. ..8 2..8, sizes K M G and a sign;",
	"             - matches unknown values. -f help lists the keys; other columns of",
	"             -o help keep the rows that match: -f total=5.. (percent)",
	"  -X K=V     leave out sites that match",
	"  -s KEY     sort by columns, numbers descending, text ascending: size",
	"             (default), calls, avg, file, function, module; -s module,size sorts",
	"             by both",
	"  -r         reverse the order",
	"  -n ROWS    show at most ROWS rows, with -C at most ROWS sites; 0 shows all.",
	"             Default: 10, with -t tree 40, with -j and -t raw all",
	"  -o COL     choose columns: -o bytes,site shows these, -o +x,-y adds x and",
	"             removes y; -o help lists the columns. With ADDR, -o +x adds a line",
	"  -j         print JSON Lines: a meta line, rows, a summary line",
	"  -c SITE    list every live allocation of a site, or of all sites of a",
	"             function: pages, slab objects, per-CPU memory. Task, time and stack",
	"             (-o +stack) are shown where page_owner or, for objects,",
	"             slub_debug=U recorded them. The last lines compare the sum of each",
	"             site with its counters and name the reason of a difference",
	"  ADDR       show the page or slab object at an address, its allocation site,",
	"             and the tasks that allocated and freed it: pfn:N, phys:X, page:X,",
	"             virt:X or user:PID:X; pfn:N-M prints one row per page",
	"  -l [DIR]   with -c or ADDR: add file, line and inlined functions to each",
	"             frame, from debug information in DIR or where vmlinux and the",
	"             modules were found",
	"  -C         check that counters, pages and slab objects add up, and list the",
	"             sites where they do not",
	"  -D         print what the decoder found: symbols, offsets, decisions",
	"  -h         show a summary",
	"",
	"  More, such as why sums differ, is in the manual page allocprof(8).",
	"",
	"EXAMPLES",
	"  The largest sites:",
	"    allocprof -s size",
	"",
	"  The sites with the most live allocations:",
	"    allocprof -s calls -n 3",
	"",
	"  By module, then vmlinux by directory and file:",
	"    allocprof -g module",
	"    allocprof -t tree -f module=vmlinux",
	"",
	"  Sites of 1 MiB or more, mm/ left out:",
	"    allocprof -f size=1M.. -X file=mm/*",
	"",
	"  State of profiling, and its sum beside the kernel's counters:",
	"    allocprof -i",
	"",
	"  Live allocations of one site, then the sums of all sites checked:",
	"    allocprof -c leaky_own_cache -n 3",
	"    allocprof -c leaky.c:69 -n 3 -o +stack",
	"    allocprof -C",
	"",
	"  The allocation at a physical address:",
	"    allocprof phys:1149000",
	NULL
};

/* What the manual page has besides. */
static char *notes[] = {
	"  The kernel counts the memory of slabs and per-CPU chunks twice: as pages, at",
	"  alloc_slab_page and pcpu_alloc_pages, and as objects, at the sites that asked",
	"  for them. The line \"all sites\" and -i give the sum with and without these",
	"  pages, -C keeps the two apart, and -c lists each reference once. A sum can be",
	"  negative: the kernel then counted more bytes freed than allocated. Allocations",
	"  from the boot-time per-CPU chunk have no tag; of other per-CPU memory some",
	"  kernels count one copy, others count all copies and memcg's pointers to them.",
	"",
	"  pageowner -g module shows another size of a module: it has whole pages, also",
	"  those that vmlinux allocates for slabs during a call of the module, by stack.",
	"",
	"  When profiling is turned off, the references to sites stay as they are. Stale",
	"  references are skipped and counted; the others are marked unsure (-o +sure)",
	"  unless their stack contains the function of the site. Objects that wait for",
	"  RCU are in use until the grace period ends.",
	"",
	"  Pages mapped by vmalloc are charged to its caller, and so are the arrays that",
	"  vmalloc allocates for itself; both are listed with class vmalloc. SLUB records",
	"  a pid and a time in jiffies: the time is late by up to one jiffy. comm and",
	"  tgid are those of the task that has the pid now, if it is older than the",
	"  allocation, and are marked derived; otherwise they are unknown.",
	"",
	"  On a terminal, lines fit its width: the widest texts of a table are cut (..),",
	"  then its rows are continued in the next line. Figures are never cut. A file or",
	"  a pipe gets every text as it is.",
	"",
	"MORE EXAMPLES",
	"  Counters of each CPU for the pages of per-CPU memory:",
	"    allocprof -P pcpu_alloc_pages",
	NULL
};

/* What -c and -C show. */
static enum status context(struct site_view *v)
{
	struct sites sites;
	enum status st = sites_find(v->dump, &v->tags, v->in->opts.site, &sites);

	if (st != ST_OK)
		return st;
	report_meta(&v->report);
	return site_allocs_show(v->dump, v->out, v->in, &v->tags, &sites, &v->report);
}

static enum status tag_check(struct site_view *v)
{
	return tag_check_show(v->dump, v->out, v->in, &v->tags, &v->report);
}

enum { SITES, TREE, RAW, DIFF, CPUS, STATE, CONTEXT, CHECK, VIEWS };

static const struct view *const views[VIEWS] = {
	[SITES] = &site_list_view,     [TREE] = &site_tree_view,  [RAW] = &site_raw_view,
	[DIFF] = &site_diff_view,      [CPUS] = &site_cpus_view,  [STATE] = &site_state_view,
	[CONTEXT] = &site_allocs_view, [CHECK] = &tag_check_view,
};

static enum status (*const runs[VIEWS])(struct site_view *v) = {
	[SITES] = site_list, [TREE] = site_tree,   [RAW] = site_raw,	[DIFF] = site_diff,
	[CPUS] = site_cpus,  [STATE] = site_state, [CONTEXT] = context, [CHECK] = tag_check,
};

/* Which view takes which option; doc/views.md is the same as a table. */
static const struct command_option options[] = {
	{ 't', .values = "tree raw", .views = "sites tree raw diff cpus health context check" },
	{ 'c', .values = "SITE", .views = "context", .chooses = "context" },
	{ 'i', .views = "health", .chooses = "health" },
	{ 'C', .views = "check", .chooses = "check" },
	{ 'd', .values = "FILE", .views = "diff", .chooses = "diff" },
	{ 'P', .values = "SITE", .views = "cpus", .chooses = "cpus" },
	{ 'g', .values = "dir", .views = "sites diff" },
	{ 'f', .values = "module=vmlinux size=1M..", .views = "sites tree raw diff" },
	{ 'X', .values = "module=vmlinux", .views = "sites tree raw diff" },
	{ 's', .values = "calls", .views = "sites diff cpus" },
	{ 'r', .views = "sites diff cpus" },
	{ 'n', .values = "1", .views = "sites tree raw diff cpus context check" },
	{ 'o', .values = "+calls +bytes +name +stack",
	  .views = "sites tree diff cpus health context check page" },
	{ 'l', .views = "context page" },
	{ 'j', .views = "sites tree diff cpus health context check page" },
	{ .letter = 'D' },
	{ .letter = 'h' },
	{ 0 },
};

static enum status check_state(struct site_view *v, enum availability *why)
{
	enum answer counted = codetags_counted(&v->tags);
	struct codetag_state state;

	codetag_state_read(v->dump, &state);
	if (v->tags.on) {
		if (codetag_off_at_boot(&state))
			report_warn(&v->report, "profiling was turned on after boot: what was "
						"allocated before has no tag and no count");
		return ST_OK;
	}
	if (counted == ANSWER_NO) {
		*why = OFF_AT_BOOT;
		return dump_absent(v->dump, "%s", codetag_reason(&state));
	}
	v->report.state = counted == ANSWER_YES ? OFF_LATER : NOT_IN_DUMP;
	report_warn(&v->report, "%s", codetag_off_text(counted));
	return ST_OK;
}

/* The kernel shows /proc/allocinfo whether profiling is on or off. */
static enum status open_tags(struct site_view *v, enum availability *why)
{
	enum status st = codetags_open(v->dump, &v->tags, why);

	return st != ST_OK || views[v->in->view] == &site_raw_view ? st : check_state(v, why);
}

/* The owner of an object may be known without its call site. */
static enum status open_for_addresses(struct site_view *v, enum availability *why)
{
	enum status st = codetags_open(v->dump, &v->tags, why);

	if (st != ST_OK) {
		report_warn(&v->report, "allocation sites are not available: %s", v->dump->error);
		v->tags = (struct codetags){ 0 };
		/* The key is in vmlinux, and read without the list of tags. */
		static_key_read(v->dump, "mem_alloc_profiling_key", &v->tags.on);
	}
	/* Never turned on: no page has a stale tag. */
	if (st == ST_OK && !v->tags.on && codetags_counted(&v->tags) == ANSWER_NO) {
		struct codetag_state state;

		codetag_state_read(v->dump, &state);
		report_warn(&v->report, "%s", codetag_reason(&state));
		v->tags.on = true;
	}
	return ST_OK;
}

static enum status open_sources(void *arg, enum availability *why)
{
	struct site_view *v = arg;
	enum status st;

	if (v->in->opts.nargs)
		return open_for_addresses(v, why);
	st = open_tags(v, why);
	if (st == ST_OK && cmdline_filters_by(v->in, SITE_ACCURATE) &&
	    !codetags_have_flag(v->dump, &v->tags))
		return dump_usage(v->dump, "accurate: not recorded by this kernel");
	v->why = *why;
	/* The state of profiling is known where there are no sites. */
	if (st == ST_OK || st == ST_STOPPED || v->in->view != STATE || *why == NOT_BUILT ||
	    v->in->opts.notes)
		return st;
	v->problem = dump_why(v->dump);
	return ST_OK;
}

static enum status show(void *arg)
{
	struct site_view *v = arg;

	if (v->in->opts.nargs)
		return tag_lookup_show(v->dump, v->out, v->in, &v->tags, &v->report);
	return runs[v->in->view](v);
}

static const struct command_spec usage = {
	COMMAND_TABLES,
	.with_arguments = &tag_lookup_view,
	.check_argument = tag_lookup_check,
	.keys = site_keys,
	.nkeys = SITE_KEYS,
	.terms = site_terms,
	.map = kernel_map_if_linear,
	.open = open_sources,
	.show = show,
};

COMMAND_MAIN(allocprof, struct site_view)
