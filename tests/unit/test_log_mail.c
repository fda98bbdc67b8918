// SPDX-License-Identifier: GPL-2.0-or-later
/* What a mail, or a terminal that is too narrow, does to the lines of a report. */
#include <stdlib.h>

#include "log_text.h"
#include "test.h"

#define HEAD \
	"[    1.000001] a: page allocation failure: order:1, mode:0xcc0(GFP_KERNEL), nodemask=(null)\n"
#define COUNTERS                                                            \
	"[    1.000002] active_anon:100 inactive_anon:20 isolated_anon:0\n" \
	"[    1.000002]  active_file:8 inactive_file:4 isolated_file:0\n"   \
	"[    1.000002]  free:346 free_pcp:7 free_cma:0\n"
#define NODE(n, active)                                                            \
	"Node " n " active_anon:" active "kB inactive_anon:40kB active_file:16kB " \
	"inactive_file:8kB unevictable:0kB isolated(anon):0kB isolated(file):0kB " \
	"mapped:0kB shmem_thp: 0kB"
#define NODE_END " anon_thp: 0kB writeback_tmp:0kB kernel_stack:16kB all_unreclaimable? no\n"
#define ZONE(n) "[    1.000005] Node " n " DMA free:692kB min:4kB low:8kB high:12kB"
#define BLOCKS(n) "[    1.000006] Node " n " DMA: 173*4kB (U) = 692kB\n"

static const struct mem_info *mem_of(const char *text)
{
	CHECK(read_text(text) == ST_OK && reports.n == 1 && reports.reports[0].has_mem_info);
	return &reports.reports[0].mem;
}

/* "0kB" of a name with a blank behind it is whole where a mail broke the line behind it. */
static void broken_nodes(void)
{
	const struct mem_info *m = mem_of(
		HEAD COUNTERS
		"[    1.000003] " NODE("0", "200") "\n" NODE_END "[    1.000004] " NODE("1", "200")
			NODE_END ZONE("0") "\n" ZONE("1") "\n" BLOCKS("0") BLOCKS("1"));

	CHECK(m->nnodes == 2 && m->node_stacks_kib.value == 32 && mem_info_has_nodes(m));
}

/* What all nodes or zones have is unknown where the line of one was cut or is not there. */
static void lost_nodes(void)
{
	CHECK(!mem_info_has_nodes(mem_of(HEAD COUNTERS
					 "[    1.000003] Node 0 active_anon:200kB inactive_ano0\n"
					 "[    1.000004] " NODE("1", "200")
						 NODE_END ZONE("1") "\n" BLOCKS("1"))));
	CHECK(!mem_info_has_nodes(mem_of(HEAD COUNTERS "[    1.000004] " NODE("1", "200")
						 NODE_END ZONE("1") "\n" BLOCKS("1"))));
	/* Of one that has no pages in the lists. */
	CHECK(!mem_info_has_nodes(mem_of(HEAD COUNTERS "[    1.000003] " NODE(
		"0", "400") NODE_END ZONE("0") "\n" ZONE("1") "\n" BLOCKS("0") BLOCKS("1"))));
	CHECK(mem_of(HEAD COUNTERS ZONE("0") "\n" BLOCKS("0") BLOCKS("1"))->lacks_zone);
	CHECK(mem_of(HEAD COUNTERS ZONE("0") " activ0\n")->lacks_zone);
	CHECK(!mem_of(HEAD COUNTERS ZONE("0") "\n" BLOCKS("0"))->lacks_zone);
	/* What is reserved in the zone whose line was cut is none of the one before it. */
	CHECK(!mem_of(HEAD COUNTERS ZONE("0") "\n" ZONE(
			      "1") " activ0\n"
				   "[    1.000006] lowmem_reserve[]: 0 5 5\n")
		       ->zones[0]
		       .nreserve);
}

/* Up to 4.7 nodes have no line: zones have what is in it. */
static void old_zones(void)
{
	const struct mem_info *m = mem_of(HEAD COUNTERS ZONE(
		"0") " active_anon:4kB isolated(anon):0kB kernel_stack:16kB writeback_tmp:0kB "
		     "pages_scanned:125777 all_unreclaimable? yes\n");

	CHECK(m->nzones == 1 && !m->lacks_zone);
	CHECK(m->zones[0].kib[MEM_ZONE_kernel_stack].known &&
	      m->zones[0].kib[MEM_ZONE_kernel_stack].value == 16);
}

TESTS({ "lines of nodes that a mail broke", broken_nodes },
      { "lines of nodes and zones that are lost", lost_nodes }, { "zones up to 4.7", old_zones })
