// SPDX-License-Identifier: GPL-2.0-or-later
/* allocprof: memory by the line of source that allocated it. */
#include "contextview.h"
#include "port.h"
#include "siteview.h"
#include "tagcheck.h"
#include "taglookup.h"

static char *help[] = {
	"allocprof",
	"memory by the line of source that allocated it",
	"[-s KEY[,KEY]] [-r] [-n ROWS] [-j] [-o COL[,COL]] [-D] [-h]\n"
	"  allocprof -c SITE [-n ROWS] [-j] [-o COL[,COL]]\n"
	"  allocprof ADDR... [-j] [-o COL[,COL]]\n"
	"  allocprof -C [-j]",
	"  Sums the per-CPU counters of memory allocation profiling (kernels of 6.10 and",
	"  later built with CONFIG_MEM_ALLOC_PROFILING; kernel command line:",
	"  sysctl.vm.mem_profiling=1) of vmlinux and of every module, as /proc/allocinfo",
	"  shows them.",
	"",
	"  -s KEY     sort by columns, biggest (text: A) first: size (default), calls,",
	"             avg, file, function, module; -s module,size sorts by both",
	"  -r         the other way round",
	"  -n ROWS    rows to show; 0 shows all. 10 in text, all in JSON",
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
	"  -C         what tags account for beside the counters of all sites, pages in",
	"             use, pages of page_owner, and slab; and sites that do not add up",
	"  -D         what the decoder found: symbols, offsets, decisions",
	"  -h         this in short",
	"",
	"  Slab memory is counted twice by the kernel: once as the pages of a slab, at",
	"  alloc_slab_page, and once as the objects in it, where they were asked for. -C",
	"  keeps the two apart, and -c lists each reference once.",
	"",
	"  The pages behind a vmalloc are charged to its caller, and so are the arrays",
	"  that it needs itself: both are listed with class vmalloc. Slub's tracks have a",
	"  pid alone: comm and tgid are those of a task that has it now and was there",
	"  before, marked derived, or unknown.",
	"",
	"EXAMPLES",
	"  The biggest sites:",
	"    allocprof -s size",
	"",
	"  The sites with the most live allocations:",
	"    allocprof -s calls -n 3",
	NULL
};

static const struct view *const views[] = { &site_view, &context_view, &tag_check_view };

static const struct usage usage = { "s:rn:jc:Co:Dh", views, sizeof(views) / sizeof(views[0]),
				    .with_arguments = &tag_lookup_view, .help = help };

/* Counters that never counted say nothing. */
static bool all_zero(const struct codetags *tags)
{
	for (size_t i = 0; i < tags->n; i++)
		if (tags->sites[i].bytes || tags->sites[i].calls)
			return false;
	return true;
}

static enum status check_state(struct dump *d, const struct codetags *tags, struct report *r,
			       enum availability *why)
{
	if (tags->on)
		return DUMP_OK;
	if (all_zero(tags)) {
		*why = OFF_AT_BOOT;
		return dump_fail(d, DUMP_ABSENT,
				 "memory allocation profiling was off at boot: "
				 "it needs sysctl.vm.mem_profiling=1 on the kernel command line");
	}
	r->state = OFF_LATER;
	report_warn(r, "profiling was turned off before the panic: the counters stopped then");
	return DUMP_OK;
}

/* An object's owner may be known where its call site is not. */
static enum status look_up(struct dump *d, struct sink *out, struct invocation *in,
			   struct codetags *tags, struct report *r, enum status opened)
{
	report_meta(r);
	if (opened == DUMP_NOMEM)
		return opened;
	if (opened != DUMP_OK) {
		report_warn(r, "no call sites: %s", d->error);
		*tags = (struct codetags){ 0 };
	}
	return tag_lookup_show(d, out, in, tags, r);
}

static enum status allocprof(struct dump *d, struct sink *out, int argc, char **argv)
{
	struct invocation in;
	struct codetags tags;
	struct site site;
	struct report r;
	enum availability why;
	enum status st = invocation_parse(d, out, argc, argv, &usage, &in);

	if (st != DUMP_OK || in.done)
		return st;
	st = tag_lookup_check(d, &in.opts);
	if (st != DUMP_OK)
		return st;
	report_init(&r, d, out, "allocprof", in.opts.nargs ? "page" : views[in.view]->name,
		    in.opts.json);
	st = codetags_open(d, &tags, &why);
	if (in.opts.nargs)
		return look_up(d, out, &in, &tags, &r, st);
	if (st == DUMP_OK && views[in.view] == &context_view)
		st = context_find(d, &tags, in.opts.site, &site);
	if (st == DUMP_USAGE)
		return st;
	report_meta(&r);
	if (st == DUMP_STOPPED) {
		report_end(&r, NULL, false);
		return DUMP_OK;
	}
	if (st == DUMP_OK)
		st = check_state(d, &tags, &r, &why);
	if (st == DUMP_OK && views[in.view] == &context_view)
		return context_show(d, out, &in, &tags, &site, &r);
	if (st == DUMP_OK && views[in.view] == &tag_check_view)
		return tag_check_show(d, out, &in, &tags, &r);
	if (in.opts.notes)
		report_notes(d, out);
	if (st != DUMP_OK) {
		report_no_data(&r, why);
		return DUMP_OK;
	}
	return in.opts.notes ? DUMP_OK : site_view_show(d, out, &in, &tags, &r);
}

const struct command allocprof_command = { "allocprof", allocprof, help };
