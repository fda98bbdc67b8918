// SPDX-License-Identifier: GPL-2.0-or-later
/* pageowner: who allocated each page that was in use at the panic. */
#include "vm/address.h"
#include "pages/kernel_map.h"
#include "pageowner/view.h"
#include "cli/command.h"

static char *help[] = {
	"pageowner",
	"pages in use at the panic, by the code that allocated them",
	"[-t top] [-g KEY[,KEY]] [-f KEY=VALUE] [-X KEY=VALUE] [-s KEY[,KEY]]\n"
	"            [-r] [-n ROWS] [-j] [-o COL[,COL]] [-l [DIR]] [-D] [-h]\n"
	"  pageowner -t tree|folded [-g KEY[,KEY]] [-f KEY=VALUE] [-n ROWS]\n"
	"  pageowner -t list|raw [-a] [-f KEY=VALUE] [-n ROWS]\n"
	"  pageowner ADDR... [-c PAGES]\n"
	"  pageowner -k | -w FILE | -d FILE | -R FILE [-t top|tree|folded]\n"
	"  pageowner -m | -z [ORDER [GFP]] | -b [ORDER]",
	"  Reads the page_owner record of every page of System RAM, which the kernel has",
	"  if it was booted with page_owner=on. The state of a page (ADDR) and -g by what",
	"  struct page tells do without. Memory whoever recorded it: help memowner.",
	"",
	"  -t top     rank groups of pages by size (default). A group is one call stack",
	"             or, with -g, one combination of keys",
	"  -t tree    print a call tree rooted at the outermost function; with -g callee,",
	"             at the innermost. Truncated stacks are grouped under",
	"             [truncated at 16]",
	"  -t folded  print one line per stack with its bytes, for flame graph tools",
	"  -t list    print one row per allocation, in order of page frame numbers",
	"  -t raw     print what /sys/kernel/debug/page_owner showed at the panic",
	"  ADDR       show one page: pfn:N, phys:X, page:X (address of its struct page),",
	"             virt:X (kernel address) or user:PID:X (address in a process).",
	"             pfn:N-M prints one row per page",
	"  -c PAGES   with ADDR: also show PAGES pages on each side",
	"  -k         show the kernel's own page count of each stack (6.9 and later),",
	"             without a scan; with -t top, beside a scan and with the difference",
	"  -m         memowner classes: every page of System RAM by class",
	"  -z         memowner zones: free memory of zones, and why an allocation fails",
	"  -b         memowner fragmentation: what keeps blocks from being free",
	"  -w FILE    save a scan: pages by stack, order, gfp flags and process",
	"  -R FILE    read a saved scan, or a text of /sys/kernel/debug/page_owner or of",
	"             page_owner_stacks/show_stacks, plain or gzip, instead of this dump",
	"  -d FILE    compare with such a file, or with what -j printed of another dump:",
	"             growth by stack or by the keys of -g. Groups that did not change",
	"             are counted; -n 0 shows them",
	"",
	"  -g KEY     group by KEY: -g module, -g caller,comm. -g help lists the keys and",
	"             explains the terms used here",
	"  -f K=V     keep what matches: -f module=nfs,xfs -f age=10min.. ; with more",
	"             than one -f, all must match. Text takes globs and /regular",
	"             expressions/, numbers take 5 2.. ..8 2..8, sizes K M G, times ns us",
	"             ms s min h d; - matches unknown values. -f help lists the keys;",
	"             most other columns of -o help keep rows that match: -f stacks=2..",
	"  -X K=V     leave out what matches",
	"  -a         with -t list: every page with a record, tail and free pages as well",
	"  -n ROWS    show at most ROWS rows; 0 shows all. Default: 10 with -t top, 40",
	"             with -t tree, all with -j",
	"  -s KEY     sort by columns, numbers descending, text ascending:",
	"             -s allocs,bytes",
	"  -r         reverse the order",
	"  -o COL     choose columns: -o pages,stack shows these, -o +x,-y adds x and",
	"             removes y; -o help lists the columns. With ADDR, -o +x adds a line",
	"  -l [DIR]   add file, line and inlined functions to each frame, from debug",
	"             information in DIR or where vmlinux and the modules were found",
	"  -j         print JSON Lines: a meta line, rows, a summary line",
	"  -D         print what the decoder found: symbols, offsets, decisions",
	"  -h         show a summary",
	"",
	"  More, such as what is counted and covered, is in the manual page pageowner(8).",
	"",
	"EXAMPLES",
	"  The three largest call stacks:",
	"    pageowner -t top -n 3",
	"",
	"  By module, then by function of one module:",
	"    pageowner -g module",
	"    pageowner -g caller -f module=leaky",
	"",
	"  Leak or burst: pages by age; which processes, and whether they still exist:",
	"    pageowner -g caller -o +ages -n 3",
	"    pageowner -g owner,tgid,comm",
	"",
	"  All call stacks that contain a function, as a tree:",
	"    pageowner -t tree -f stack=vfs_write",
	"",
	"  Quote values that have blanks or one of | > < !:",
	"    pageowner -f \"stack=/vfs_(write|read)/\" -n 2",
	"",
	"  Allocation and last free of the page at a physical address:",
	"    pageowner phys:1149000",
	NULL
};

/* What the manual page has besides. */
static char *notes[] = {
	"  In ADDR, N is decimal, or hexadecimal with 0x, as rows print it; X is",
	"  hexadecimal, with or without 0x. A bare number is the address of a struct page",
	"  or a kernel address.",
	"",
	"  Keys of -g that need no page_owner are mapper, memcg, class, cache, file, node,",
	"  zone and block_migratetype.",
	"",
	"  What -t raw leaves out is told on standard error; a terminal shows control",
	"  characters as ?.",
	"",
	"  PAGES counts every allocated page, including tail pages. ALLOCS counts each",
	"  allocation once, at its first page, as the kernel's page_owner file does.",
	"  -f state=free selects free pages, by the call stack of their last free.",
	"",
	"  -f gfp=__GFP_IO keeps each mask that has the flag. A name of several flags is",
	"  compared as a word, as rows print it: -f gfp=GFP_KERNEL leaves out",
	"  GFP_KERNEL_ACCOUNT, which has all flags of it, and says how many pages these",
	"  are; -f gfp=GFP_KERNEL,GFP_KERNEL_ACCOUNT keeps both.",
	"",
	"  -g module takes the first module in the call stack. Slabs, per-CPU chunks and",
	"  page tables that the kernel allocates during a call of a module are among the",
	"  pages of the module; allocprof counts them at sites of vmlinux, and the",
	"  objects in them at sites of the module. Where both are recorded, two lines",
	"  compare the sizes.",
	"",
	"  The last lines show what the answer covers: scanned = live + freed + empty +",
	"  undecodable pages, and scanned + skipped + unreadable = System RAM. Empty",
	"  pages have no record: never allocated while page_owner was on, or, before 5.4,",
	"  freed. Skipped pages have no page_ext entry. The page_ext entry of an",
	"  unreadable page is not in this dump.",
	"",
	"  On a terminal, lines fit its width: the widest texts of a table are cut (..),",
	"  then its rows are continued in the next line. Figures are never cut. A file or",
	"  a pipe gets every text as it is.",
	"",
	"MORE EXAMPLES",
	"  Every allocation with its call stack:",
	"    pageowner -t list -o +stack",
	"",
	"  Allocations older than 5 s at the panic, slab pages left out:",
	"    pageowner -f age=5s.. -X class=slab",
	"",
	"  Who filled the slabs of a cache (memowner objects: who has its objects):",
	"    pageowner -g caller -f cache=kmalloc-1k",
	"",
	"  User pages by the process that maps them, which need not have allocated them:",
	"    pageowner -g mapper -f class=anon,file,shmem",
	NULL
};

#define VIEW_ID(id, name) id,
enum { OWNER_VIEWS(VIEW_ID) VIEWS };

#define VIEW_TABLE(id, name) [id] = &owner_##name##_view,
static const struct view *const views[VIEWS] = { OWNER_VIEWS(VIEW_TABLE) };

/* Which view takes which option; doc/views.md is the same as a table. */
static const struct command_option options[] = {
	{ 't', .values = "top tree folded list raw",
	  .views = "top list tree folded counters save diff raw" },
	{ 'm', .views = "classes", .chooses = "classes" },
	{ 'z', .views = "zones", .chooses = "zones" },
	{ 'b', .views = "fragmentation fragmentation_groups", .chooses = "fragmentation" },
	{ 'w', .values = "FILE", .views = "save", .chooses = "save" },
	{ 'd', .values = "FILE", .views = "diff", .chooses = "diff" },
	{ 'k', .views = "top counters", .chooses = "counters" },
	{ 'a', .views = "list" },
	{ 'g', .values = "module",
	  .views = "top tree folded diff classes classes_groups fragmentation "
		   "fragmentation_groups" },
	{ 'f', .values = "order=0 size=1M..",
	  .views = "top list tree folded diff fragmentation fragmentation_groups raw" },
	{ 'X', .values = "order=0 size=1M..",
	  .views = "top list tree folded diff fragmentation fragmentation_groups raw" },
	{ 's', .values = "pages",
	  .views = "top counters diff classes classes_groups fragmentation_groups" },
	{ 'r', .views = "top counters diff classes classes_groups fragmentation_groups" },
	{ 'n', .values = "1",
	  .views = "top list tree folded counters diff classes classes_groups fragmentation "
		   "fragmentation_groups raw" },
	{ 'o', .values = "+pages +pfn +free_pages",
	  .views = "top list tree counters diff classes classes_groups zones fragmentation "
		   "fragmentation_groups page" },
	{ 'l', .views = "top list counters page" },
	{ 'j', .views = "top list tree counters diff classes classes_groups zones fragmentation "
			"fragmentation_groups page" },
	{ 'c', .values = "1", .views = "page", .error = "-c needs an address" },
	{ 'R', .values = "FILE", .views = "top tree folded diff" },
	{ .letter = 'D' },
	{ .letter = 'h' },
	{ 0 },
};

/* Those that need no page_owner are nouns of memowner. */
static const struct moved_view moved[] = {
#define NOUN(name) { #name, "memowner " #name },
#include "nouns.def"
#undef NOUN
	{ "memory", "memowner classes" },
	{ NULL, NULL },
};

#define WHOLE_STACKS ": the kernel counts whole stacks"
#define NAMES_ONLY ": a saved scan has names only"

static const struct option_pair pairs[] = {
	{ 'k', 'g', WHOLE_STACKS }, { 'k', 'f', WHOLE_STACKS }, { 'k', 'X', WHOLE_STACKS },
	{ 'k', 'R', NAMES_ONLY },   { 'l', 'R', NAMES_ONLY },	{ 0, 0, NULL },
};

static enum status check_argument(struct dump *d, const char *text)
{
	struct address address;
	enum status st = address_parse(d, text, &address);

	if (st != ST_USAGE || !address_is_name(text))
		return st;
	return dump_fail(
		d, st,
		"'%s' is no address: pfn:N, virt:X, ... (-h); by its name: a function or module "
		"-f stack=%s, a command -f comm=%s",
		text, text, text);
}

/* Keys that one view alone has, or one has not. */
static enum status check(void *arg)
{
	const struct owner_view *v = arg;
	const struct cmdline *in = v->in;

	if (in->view == RAW && cmdline_filters_by(in, KEY_STATE))
		return dump_usage(
			v->dump, "-f state cannot be combined with -t raw: the kernel's file lists "
				 "allocated pages only");
	if (in->view == BLOCKS)
		return owner_fragmentation_check(v);
	if (in->view != TREE && cmdline_groups_by(in, KEY_CALLEE))
		return dump_usage(v->dump, "-g callee needs -t tree");
	return opts_near(v->dump, &in->opts);
}

static enum status open_sources(void *arg, enum availability *why)
{
	return owner_view_open(arg, why);
}

static const struct command_spec usage = {
	COMMAND_TABLES,
	.pairs = pairs,
	.moved = moved,
	.with_arguments = &owner_page_view,
	.check_argument = check_argument,
	.keys = owner_keys,
	.nkeys = OWNER_KEYS,
	.terms = owner_terms,
	.map = kernel_map_if_linear,
	.check = check,
	.open = open_sources,
};

COMMAND_MAIN(pageowner, struct owner_view)
