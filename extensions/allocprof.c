// SPDX-License-Identifier: GPL-2.0-or-later
/* allocprof: memory by the line of source that allocated it. */
#include "alloctag/state.h"
#include "mm/kernel_map.h"
#include "allocprof/site_allocs.h"
#include "crash/port.h"
#include "allocprof/sites.h"
#include "allocprof/audit.h"
#include "allocprof/lookup.h"

static char *help[] = {
	"allocprof",
	"memory by the line of source that allocated it",
	"[-g KEY[,KEY]] [-f KEY=VALUE] [-X KEY=VALUE] [-s KEY[,KEY]]\n"
	"            [-r] [-n ROWS] [-j] [-o COL[,COL]] [-D] [-h]\n"
	"  allocprof -t tree|raw [-f KEY=VALUE] [-X KEY=VALUE] [-n ROWS]\n"
	"  allocprof -d FILE | -P SITE | -i\n"
	"  allocprof -c SITE [-n ROWS] [-j] [-o COL[,COL]]\n"
	"  allocprof ADDR... [-j] [-o COL[,COL]]\n"
	"  allocprof -C [-j]",
	"  Sums the per-CPU counters of memory allocation profiling (kernels of 6.10 and",
	"  later built with CONFIG_MEM_ALLOC_PROFILING; kernel command line:",
	"  sysctl.vm.mem_profiling=1) of vmlinux and of every module, as /proc/allocinfo",
	"  shows them; from 6.13 on also of modules that were unloaded while their memory",
	"  was in use, whose names went with them.",
	"",
	"  -g KEY     sums by file, function, module or dir, or by more than one",
	"  -t tree    folders of the source and their files, the biggest first",
	"  -t raw     the text of /proc/allocinfo, as this kernel prints it",
	"  -d FILE    what grew since FILE, a saved /proc/allocinfo (sorted or not)",
	"  -P SITE    what each CPU counted at one site: FILE:LINE, a function, or the",
	"             address of a tag",
	"  -i         state: built, supported, on, compressed, tags, bytes beside the",
	"             kernel's own counters",
	"",
	"  -f K=V     keep: -f module=nfs,xfs -f size=1M.. ; all must hold. Texts take",
	"             globs and /regular expressions/, numbers 5 2.. ..8 2..8, sizes",
	"             K M G and a sign; - is what is not known. -f help lists the keys",
	"  -X K=V     leave out",
	"  -s KEY     sort by columns, biggest (text: A) first: size (default), calls,",
	"             avg, file, function, module; -s module,size sorts by both",
	"  -r         the other way round",
	"  -n ROWS    rows to show; 0 shows all. 10 in text, a tree 40, JSON and raw all",
	"  -o COL     columns: -o bytes,site shows these, -o +x,-y adds and removes;",
	"             -o help lists them",
	"  -j         JSON Lines: a meta line, rows, a summary line",
	"  -c SITE    the context of a call site (file:line, function, or address of its",
	"             tag): every live allocation made there, of pages, slab objects and",
	"             per CPU, with task, time and stack (-o +stack) as far as page_owner",
	"             and, for objects, slub_debug=U recorded them. Last what they add up",
	"             to beside the counters of the site, and why if that differs",
	"  ADDR       the page or slab object at an address, its call site, who allocated",
	"             it and who freed it: pfn:N, phys:X, page:X, virt:X or user:PID:X",
	"  -C         is it whole: the counters of all sites, pages in use, pages of",
	"             page_owner and slab pages, each with what it is made of; and sites",
	"             that do not add up",
	"  -D         what the decoder found: symbols, offsets, decisions",
	"  -h         this in short",
	"",
	"  Memory of slabs and per-CPU chunks is counted twice by the kernel: once as",
	"  pages, at alloc_slab_page and pcpu_alloc_pages, and once as what is in them,",
	"  where it was asked for. The line \"all sites\" and -i have the sum with and",
	"  without those pages, -C keeps the two apart, and -c lists each reference",
	"  once. A sum below zero is what the kernel has: it freed more than it counted.",
	"  What was allocated from the per-CPU chunk of boot has no tag; of the rest some",
	"  kernels count one copy, some all and memcg's pointers to them.",
	"",
	"  Once profiling is turned off, references stand as they were then: what is",
	"  proven to be of something freed since is left out and counted, the rest is",
	"  unsure (-o +sure). Objects that wait for RCU are in use until it is done.",
	"",
	"  The pages behind a vmalloc are charged to its caller, and so are the arrays",
	"  that it needs itself: both are listed with class vmalloc. Slub's tracks have a",
	"  pid alone: comm and tgid are those of a task that has it now and was there",
	"  before, marked derived, or unknown; and a time in jiffies, late by up to one.",
	"",
	"EXAMPLES",
	"  The biggest sites:",
	"    allocprof -s size",
	"",
	"  The sites with the most live allocations:",
	"    allocprof -s calls -n 3",
	"",
	"  By module; then the files and folders of everything else:",
	"    allocprof -g module",
	"    allocprof -t tree -f module=vmlinux",
	"",
	"  Sites that hold 1 MiB or more, not under mm:",
	"    allocprof -f size=1M.. -X file=mm/*",
	"",
	"  Is the accounting whole?",
	"    allocprof -i",
	"",
	"  Which CPUs allocated the pages of slabs:",
	"    allocprof -P alloc_slab_page",
	"",
	"  Every allocation of a call site that is in use now, and where the pages of",
	"  all sites went:",
	"    allocprof -c leaky_own_cache -n 3",
	"    allocprof -c leaky.c:69 -n 3 -o +stack",
	"    allocprof -C",
	"",
	"  Whose is this address:",
	"    allocprof phys:1149000",
	NULL
};

/* What -c and -C show. */
static enum status context(struct site_view *v)
{
	struct site site;
	enum status st = site_allocs_find(v->dump, &v->tags, v->in->opts.site, &site);

	if (st != ST_OK)
		return st;
	report_meta(&v->report);
	return site_allocs_show(v->dump, v->out, v->in, &v->tags, &site, &v->report);
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

/* NULL: it answers without sites as well. */
static enum status (*const runs[VIEWS])(struct site_view *v) = {
	[SITES] = site_list, [TREE] = site_tree,  [RAW] = site_raw,    [DIFF] = site_diff,
	[CPUS] = site_cpus,  [CONTEXT] = context, [CHECK] = tag_check,
};

static const struct command_spec usage = { "t:is:rn:g:f:X:d:P:c:Cjo:Dh",
					   views,
					   VIEWS,
					   .keys = site_keys,
					   .nkeys = SITE_KEYS,
					   .help = help,
					   .with_arguments = &tag_lookup_view };

/* Counters that never counted say nothing. */
static bool all_zero(const struct codetags *tags)
{
	for (size_t i = 0; i < tags->n; i++)
		if (tags->sites[i].bytes || tags->sites[i].calls)
			return false;
	return true;
}

static enum status check_state(struct site_view *v, enum availability *why)
{
	struct codetag_state state;

	codetag_state_read(v->dump, &state);
	if (v->tags.on) {
		if (codetag_off_at_boot(&state))
			report_warn(&v->report, "profiling was turned on after boot: what was "
						"allocated before has no tag and no count");
		return ST_OK;
	}
	if (all_zero(&v->tags)) {
		*why = OFF_AT_BOOT;
		return dump_fail(v->dump, ST_ABSENT, "%s", codetag_reason(&state));
	}
	v->report.state = OFF_LATER;
	report_warn(&v->report,
		    "profiling was turned off before the panic: the counters stopped then");
	return ST_OK;
}

/* The kernel has its file whether it counts or not. */
static enum status open_tags(struct site_view *v, enum availability *why)
{
	enum status st = codetags_open(v->dump, &v->tags, why);

	if (st != ST_OK || views[v->in->view] == &site_raw_view)
		return st;
	return check_state(v, why);
}

/* -d, -P and -c say what is wrong with their value before the first line. */
static bool begins_itself(const struct view *view)
{
	return view == &site_diff_view || view == &site_cpus_view || view == &site_allocs_view;
}

static bool filters_accurate(const struct site_view *v)
{
	for (unsigned int i = 0; i < v->in->filters.n; i++)
		if (v->in->filters.filters[i].key == SITE_ACCURATE)
			return true;
	return false;
}

static enum status answer(struct site_view *v)
{
	const struct view *view = views[v->in->view];
	struct dump *d = v->dump;
	enum availability why = AVAILABLE;
	enum status st = open_tags(v, &why);
	const char *problem = NULL;

	if (st == ST_OK && !v->tags.has_flag && filters_accurate(v))
		return dump_fail(d, ST_USAGE, "accurate: not recorded by this kernel");
	if (!begins_itself(view) || st != ST_OK)
		report_meta(&v->report);
	if (st == ST_STOPPED) {
		report_end(&v->report, NULL, false);
		return ST_OK;
	}
	if (v->in->opts.notes)
		report_trace(d, v->out);
	if (st == ST_NOMEM || (st == ST_OK && v->in->opts.notes))
		return st;
	if (st != ST_OK)
		problem = arena_strdup(d->arena, d->error);
	if (view == &site_state_view && why != NOT_BUILT && !v->in->opts.notes)
		return site_state(v, why, problem);
	if (st == ST_OK)
		return runs[v->in->view](v);
	report_no_data(&v->report, why);
	return ST_OK;
}

/* An object's owner may be known where its call site is not. */
static enum status look_up(struct site_view *v)
{
	enum availability why;
	enum status st = codetags_open(v->dump, &v->tags, &why);

	report_meta(&v->report);
	if (st == ST_NOMEM)
		return st;
	if (st != ST_OK) {
		report_warn(&v->report, "no call sites: %s", v->dump->error);
		v->tags = (struct codetags){ 0 };
	}
	/* Never on: no tag is one of before. */
	if (st == ST_OK && !v->tags.on && all_zero(&v->tags)) {
		struct codetag_state state;

		codetag_state_read(v->dump, &state);
		report_warn(&v->report, "%s", codetag_reason(&state));
		v->tags.on = true;
	}
	return tag_lookup_show(v->dump, v->out, v->in, &v->tags, &v->report);
}

/* Groups have a line of their own kind, and so a name of their own. */
static const char *view_name(const struct cmdline *in)
{
	return in->opts.nargs ? "page" : in->ngroups ? "groups" : views[in->view]->name;
}

static enum status allocprof(struct dump *d, struct sink *out, int argc, char **argv)
{
	struct cmdline in;
	struct site_view v = { .dump = d, .in = &in, .out = out };
	enum status st = cmdline_parse(d, out, argc, argv, &usage, &in);

	if (st != ST_OK || in.done)
		return st;
	kernel_map_if_linear(d);
	st = tag_lookup_check(d, &in.opts);
	if (st != ST_OK)
		return st;
	report_init(&v.report, d, out, "allocprof", view_name(&in), in.opts.json);
	return in.opts.nargs ? look_up(&v) : answer(&v);
}

const struct command allocprof_command = { "allocprof", allocprof, help };
