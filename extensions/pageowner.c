// SPDX-License-Identifier: GPL-2.0-or-later
/* pageowner: who allocated each page that was in use at the panic. */
#include "mm/address.h"
#include "mm/kernel_map.h"
#include "pageowner/view.h"
#include "crash/port.h"

static char *help[] = {
	"pageowner",
	"who allocated the pages that were in use",
	"[-t top] [-g KEY[,KEY]] [-f KEY=VALUE] [-X KEY=VALUE] [-s KEY[,KEY]]\n"
	"            [-r] [-n ROWS] [-j] [-o COL[,COL]] [-l [DIR]] [-D] [-h]\n"
	"  pageowner -t tree|folded [-g KEY[,KEY]] [-f KEY=VALUE] [-n ROWS]\n"
	"  pageowner -t list|raw [-a] [-f KEY=VALUE] [-n ROWS]\n"
	"  pageowner ADDR... [-c PAGES]\n"
	"  pageowner -k | -m | -w FILE | -d FILE | -R FILE [-t top|tree|folded]",
	"  Reads the records of page_owner (kernel command line: page_owner=on) of every",
	"  page of System RAM.",
	"",
	"  -t top     groups of pages ranked by the memory that they hold (default): by",
	"             call stack, or by the keys of -g",
	"  -t tree    call tree, rooted at the outermost function; with -g callee at the",
	"             innermost. What the kernel cut hangs under [cut at 16]",
	"  -t folded  a line per stack with its bytes, for flame graph tools",
	"  -t list    one row per allocation, in pfn order",
	"  -t raw     the text of /sys/kernel/debug/page_owner, as this kernel prints it",
	"  ADDR       the record of one page: pfn:N, phys:X, page:X (its struct page),",
	"             virt:X (a kernel address) or user:PID:X (an address of a process);",
	"             pfn:N-M is a row for each page. X is hexadecimal, with or without",
	"             0x. A number alone is a struct page or a kernel address",
	"  -c PAGES   with ADDR: so many neighbours on each side as well",
	"  -k         the kernel's own counters of each stack (6.9 and later), without a",
	"             scan; with -t top beside a scan, and how far they drifted from it",
	"  -m         where all memory is: every page of System RAM by its class, beside",
	"             the kernel's own counters, and who owns what is nobody's. Works",
	"             without page_owner, but for the owners",
	"  -w FILE    saves a scan: pages by stack, order, gfp, process",
	"  -R FILE    answers from such a file instead of this dump",
	"  -d FILE    compares with it: what grew, by stack or by the keys of -g",
	"",
	"  -g KEY     group by: -g module, -g caller,comm; -g help lists the keys",
	"  -f K=V     keep: -f module=nfs,xfs -f age=10min.. ; all must hold. Texts take",
	"             globs and /regular expressions/, numbers 5 2.. ..8 2..8, sizes",
	"             K M G, times ns us ms s min h d; - is what is not known. -f help",
	"             lists the keys. Free pages: -f state=free, by their last free",
	"  -X K=V     leave out",
	"  -a         with -t list: a row for every page that has a record: tails of",
	"             higher orders too, and pages that are free now",
	"  -n ROWS    rows to show; 0 shows all. -t top shows 10, a tree 40, JSON all",
	"  -s KEY     sort by columns, biggest (text: A) first: -s allocs,bytes",
	"  -r         the other way round",
	"  -o COL     columns: -o pages,stack shows these, -o +x,-y adds and removes;",
	"             -o help lists them",
	"  -l [DIR]   file and line of each frame, and the functions that the compiler",
	"             put in line: from DIR, or where vmlinux and modules were found",
	"  -j         JSON Lines: a meta line, rows, a summary line",
	"  -D         what the decoder found: symbols, offsets, decisions",
	"  -h         this in short",
	"",
	"  Pages count where they are: each page that is allocated now, tails of higher",
	"  orders included. Allocations are counted once, at their first page, as the",
	"  kernel's own page_owner file does.",
	"",
	"  caller is the first function that is not one of the kernel's allocators, class",
	"  what the page is used for now: slab, vmalloc, pgtable, anon, file, shmem,",
	"  hugetlb, percpu, kstack, zsmalloc, early (from before page_owner started), or",
	"  direct: nobody's but its owner's. owner=dead: the process that allocated does",
	"  not exist any more.",
	"",
	"  The last lines say what the answer covers: scanned = live + freed + empty +",
	"  undecodable pages, and scanned + skipped + unreadable = System RAM. Empty",
	"  pages were never allocated through page_owner, skipped ones have no record",
	"  in this kernel, unreadable ones have one that is not in this dump.",
	"",
	"EXAMPLES",
	"  The three biggest holders:",
	"    pageowner -t top -n 3",
	"",
	"  Which module, and which of its functions:",
	"    pageowner -g module",
	"    pageowner -g caller -f module=leaky",
	"",
	"  A leak has all ages, a burst is young; which processes, and do they exist:",
	"    pageowner -g caller -o +ages -n 3",
	"    pageowner -g owner,tgid,comm",
	"",
	"  What was allocated more than 5 s before the panic, not by slab:",
	"    pageowner -f age=5s.. -X class=slab",
	"",
	"  Everything that went through a function, as a tree:",
	"    pageowner -t tree -f stack=vfs_write",
	"",
	"  Quotes where a value has characters that crash takes:",
	"    pageowner -f \"stack=/vfs_(write|read)/\" -n 2",
	"",
	"  Where all memory is:",
	"    pageowner -m",
	"",
	"  Every allocation with its stack:",
	"    pageowner -t list -o +stack",
	"",
	"  Who owns, and who freed last, the page at a physical address:",
	"    pageowner phys:1149000",
	NULL
};

enum { TOP, LIST, TREE, FOLDED, COUNTERS, SAVE, DIFF, MEMORY, RAW, VIEWS };

static const struct view *const views[VIEWS] = {
	[TOP] = &owner_top_view,       [LIST] = &owner_list_view,	  [TREE] = &owner_tree_view,
	[FOLDED] = &owner_folded_view, [COUNTERS] = &owner_counters_view, [SAVE] = &owner_save_view,
	[DIFF] = &owner_diff_view,     [MEMORY] = &owner_memory_view,	  [RAW] = &owner_raw_view,
};

static enum status (*const runs[VIEWS])(struct owner_view *v) = {
	[TOP] = owner_top,	 [LIST] = owner_list,	      [TREE] = owner_tree,
	[FOLDED] = owner_folded, [COUNTERS] = owner_counters, [SAVE] = owner_save,
	[DIFF] = owner_diff,	 [MEMORY] = owner_memory,     [RAW] = owner_raw,
};

/* What a view needs beside what all have; told before the meta line. */
static enum status (*const opens[VIEWS])(struct owner_view *v, enum availability *why) = {
	[TREE] = owner_tree_open,
	[FOLDED] = owner_tree_open,
	[DIFF] = owner_diff_open,
	[RAW] = owner_raw_open,
};

static const struct command_spec usage = { "t:akjn:s:rg:f:X:c:w:R:d:mo:l::Dh",
					   views,
					   VIEWS,
					   &owner_page_view,
					   owner_keys,
					   OWNER_KEYS,
					   help };

/* Addresses have a view of their own, in the columns of the list. */
static enum status check_addresses(struct dump *d, struct cmdline *in)
{
	struct opts *o = &in->opts;
	enum status near = opts_near(d, o);

	if (near != ST_OK)
		return near;
	if (!o->nargs)
		return o->has_near ? dump_fail(d, ST_USAGE, "-c goes with an address") : ST_OK;
	for (unsigned int i = 0; i < o->nargs; i++) {
		struct address address;
		enum status st = address_parse(d, o->args[i], &address);

		if (st != ST_OK)
			return st;
	}
	return ST_OK;
}

/* Pairs of options that have nothing to say to each other. */
static enum status check_pairs(struct dump *d, const struct cmdline *in)
{
	const struct opts *o = &in->opts;

	if (o->counters && (in->ngroups || in->filters.n))
		return dump_fail(d, ST_USAGE,
				 "-k does not go with %s: the kernel counts whole stacks",
				 in->ngroups ? "-g" : "-f and -X");
	for (size_t i = 0; i < in->ngroups; i++)
		if (in->groups[i] == KEY_CALLEE && in->view != TREE)
			return dump_fail(d, ST_USAGE, "-g callee goes with -t tree");
	for (unsigned int i = 0; i < in->filters.n; i++)
		if (in->filters.filters[i].key == KEY_STATE && in->view == RAW)
			return dump_fail(
				d, ST_USAGE,
				"filter state does not go with the view 'raw': the kernel's "
				"file has pages that are allocated");
	if (o->saved && (o->counters || o->lines))
		return dump_fail(d, ST_USAGE, "%s does not go with -R: a saved scan has names only",
				 o->counters ? "-k" : "-l");
	return ST_OK;
}

static enum status open_sources(struct owner_view *v, enum availability *why)
{
	const struct cmdline *in = v->in;
	enum status st = owner_view_open(v, why);

	if (st == ST_OK && in->opts.counters)
		st = owner_counters_open(v, why);
	if (st == ST_OK && opens[in->view] && !in->opts.nargs)
		st = opens[in->view](v, why);
	return st;
}

static enum status pageowner(struct dump *d, struct sink *out, int argc, char **argv)
{
	struct cmdline in;
	struct owner_view v = { .dump = d, .in = &in, .out = out };
	enum availability why;
	enum status st = cmdline_parse(d, out, argc, argv, &usage, &in);

	if (st != ST_OK || in.done)
		return st;
	kernel_map_if_linear(d);
	st = check_addresses(d, &in);
	if (st == ST_OK)
		st = check_pairs(d, &in);
	if (st != ST_OK)
		return st;
	report_init(&v.report, d, out, "pageowner", in.opts.nargs ? "page" : views[in.view]->name,
		    in.opts.json);
	v.any_kernel = in.view == MEMORY;
	v.shows_types = owner_list_shows_state(&in.table);
	v.shows_sites = owner_list_shows_tag(&in.table);
	st = open_sources(&v, &why);
	if (st == ST_USAGE || st == ST_NOMEM)
		return st;
	report_meta(&v.report);
	if (in.opts.notes)
		report_trace(d, out);
	/* Text for other tools has no line of ours; the prompt says enough. */
	if (d->interrupted && (in.view == RAW || in.view == FOLDED))
		return ST_STOPPED;
	if (st != ST_OK) {
		report_no_data(&v.report, why);
		return ST_OK;
	}
	if (in.opts.notes)
		return ST_OK;
	st = in.opts.nargs ? owner_pages(&v) : runs[in.view](&v);
	return st;
}

const struct command pageowner_command = { "pageowner", pageowner, help };
