// SPDX-License-Identifier: GPL-2.0-or-later
/* pageowner: who allocated each page that was in use at the panic. */
#include "address.h"
#include "ownerview.h"
#include "port.h"

static char *help[] = {
	"pageowner",
	"who allocated the pages that were in use",
	"[-t top] [-s KEY[,KEY]] [-r] [-n ROWS] [-j] [-o COL[,COL]] [-D] [-h]\n"
	"  pageowner -t list [-a] [-n ROWS] [-j] [-o COL[,COL]]\n"
	"  pageowner ADDR... [-j] [-o COL[,COL]]",
	"  Reads the records of page_owner (kernel command line: page_owner=on) of every",
	"  page of System RAM.",
	"",
	"  -t top     call stacks ranked by the memory that they hold (default)",
	"  -t list    one row per allocation, in pfn order",
	"  ADDR       the record of one page: pfn:N, phys:X, page:X (its struct page),",
	"             virt:X (a kernel address) or user:PID:X (an address of a process).",
	"             X is hexadecimal, with or without 0x. A number alone is a struct",
	"             page or a kernel address",
	"  -a         with -t list: a row for every page that has a record: tails of",
	"             higher orders too, and pages that are free now",
	"  -n ROWS    rows to show; 0 shows all. -t top shows 10, in JSON all",
	"  -s KEY     sort by columns, biggest (text: A) first: -s allocs,bytes",
	"  -r         the other way round",
	"  -o COL     columns: -o pages,stack shows these, -o +x,-y adds and removes;",
	"             -o help lists them",
	"  -j         JSON Lines: a meta line, rows, a summary line",
	"  -D         what the decoder found: symbols, offsets, decisions",
	"  -h         this in short",
	"",
	"  Pages count where they are: each page that is allocated now, tails of higher",
	"  orders included. Allocations are counted once, at their first page, as the",
	"  kernel's own page_owner file does.",
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
	"  Most allocations first, without the stacks:",
	"    pageowner -s allocs -o -stack",
	"",
	"  Every allocation with its stack:",
	"    pageowner -t list -o +stack",
	"",
	"  Who owns, and who freed last, the page at a physical address:",
	"    pageowner phys:1149000",
	NULL
};

static const struct view *const views[] = {
	&owner_top_view,    &owner_list_view,	  &owner_tree_view,
	&owner_folded_view, &owner_counters_view, &owner_save_view,
	&owner_diff_view,   &owner_memory_view,	  &owner_raw_view,
};

static enum status (*const runs[])(struct owner_view *v) = {
	owner_top,  owner_list, owner_tree,   owner_folded, owner_counters,
	owner_save, owner_diff, owner_memory, owner_raw,
};

static const struct usage usage = { "t:akjn:s:rg:f:X:c:w:R:d:mo:l::Dh",
				    views,
				    sizeof(views) / sizeof(views[0]),
				    &owner_list_view,
				    owner_keys,
				    OWNER_KEYS,
				    help };

/* Addresses have a view of their own, in the columns of the list. */
static enum status check_addresses(struct dump *d, struct invocation *in)
{
	struct opts *o = &in->opts;
	const char *what = o->view	 ? "-t"
			   : o->all	 ? "-a"
			   : o->sort	 ? "-s"
			   : o->reverse	 ? "-r"
			   : o->group	 ? "-g"
			   : o->nfilters ? "-f"
			   : o->counters ? "-k"
					 : NULL;

	if (!o->nargs)
		return o->has_near ? dump_fail(d, DUMP_USAGE, "-c goes with an address") : DUMP_OK;
	if (o->has_rows)
		what = "-n";
	if (what)
		return dump_fail(d, DUMP_USAGE, "%s does not go with an address", what);
	for (unsigned int i = 0; i < o->nargs; i++) {
		struct address address;
		enum status st = address_parse(d, o->args[i], &address);

		if (st != DUMP_OK)
			return st;
	}
	return DUMP_OK;
}

/* The kernel counts whole stacks. */
static enum status check_counters(struct dump *d, const struct invocation *in)
{
	if (in->opts.counters && (in->ngroups || in->filters.n))
		return dump_fail(d, DUMP_USAGE,
				 "-k does not go with %s: the kernel counts whole stacks",
				 in->ngroups ? "-g" : "-f and -X");
	return DUMP_OK;
}

static enum status pageowner(struct dump *d, struct sink *out, int argc, char **argv)
{
	struct invocation in;
	struct owner_view v = { .dump = d, .in = &in, .out = out };
	enum availability why;
	enum status st = invocation_parse(d, out, argc, argv, &usage, &in);

	if (st != DUMP_OK || in.done)
		return st;
	st = check_addresses(d, &in);
	if (st == DUMP_OK)
		st = check_counters(d, &in);
	if (st != DUMP_OK)
		return st;
	report_init(&v.report, d, out, "pageowner", in.opts.nargs ? "page" : views[in.view]->name,
		    in.opts.json);
	v.any_kernel = views[in.view] == &owner_memory_view;
	st = owner_view_open(&v, &why);
	if (st == DUMP_USAGE)
		return st;
	if (st == DUMP_OK && views[in.view] == &owner_raw_view && !in.opts.nargs)
		st = owner_raw_open(&v, &why);
	report_meta(&v.report);
	if (in.opts.notes)
		report_notes(d, out);
	if (st != DUMP_OK) {
		report_no_data(&v.report, why);
		return DUMP_OK;
	}
	if (in.opts.notes)
		return DUMP_OK;
	st = in.opts.nargs ? owner_pages(&v) : runs[in.view](&v);
	return st;
}

const struct command pageowner_command = { "pageowner", pageowner, help };
