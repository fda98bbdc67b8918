// SPDX-License-Identifier: GPL-2.0-or-later
/* What a report of the log lists behind its counters: slab caches and call sites. */
#include "oom/oom_sites.h"
#include "log_text.h"
#include "test.h"

#define HEAD                                                                              \
	"hungry invoked oom-killer: gfp_mask=0x140cca(GFP_HIGHUSER_MOVABLE|__GFP_COMP), " \
	"order=0, oom_score_adj=0\n"

static void slabs(void)
{
	static struct oom_slabs all;

	CHECK(read_text("[    1.000000] " HEAD "[    1.000001] Unreclaimable slab info:\n"
			"[    1.000002] Name                      Used          Total\n"
			"[    1.000003] kmalloc-2k            814056KB     814056KB\n"
			"[    1.000004] kmalloc-64                10KB      20KB\n"
			"[    1.000005] kmalloc-8k            9900000KB     99[    1.000006] a\n"
			"[    1.000007] dentry                900000KB     900004KB\n"
			"[    1.000008] Tasks state (memory values in pages):\n"
			"[    1.000009] late                900000KB     999999KB\n") == ST_OK);
	oom_slabs_read(&file.log, reports.reports[0].first, &all);
	CHECK(all.n == 3 && all.slabs[0].total_kib == 900004 && all.slabs[1].used_kib == 814056);
	CHECK_TEXT(all.slabs[0].name, "dentry");
	CHECK_TEXT(all.slabs[2].name, "kmalloc-64");
}

/* The list of call sites, of each kernel's form; what is cut or of another report is none. */
static void sites(void)
{
	static struct oom_sites all;

	CHECK(read_text("[    1.000000] " HEAD
			"[    1.000001]      900 MiB    1 late/a.c:1 func:before_the_title\n"
			"[    1.000002] Memory allocations:\n"
			"[    1.000003]     4.50 GiB  1179648 mm/slub.c:2425 func:alloc_slab_page\n"
			"[    1.000004]      155MiB    39765 a/leaky.c:74 [leaky] func:refill\n"
			"[    1.000005]      12 MiB    1 a/cut.c:9[    1.000006] usb: x\n"
			"[    1.000007]      512 B        1 kernel/b.c:12 func:f\n"
			"[    1.000007]   1047212032   511334 fs/c.c:82 [c] func:in_bytes\n"
			"[    1.000007]      155    39765 a/lost.c:74 func:its_unit\n"
			"[    1.000008] Tasks state (memory values in pages):\n"
			"[    1.000009]      900 MiB    1 late/a.c:1 func:behind_the_end\n") ==
	      ST_OK);
	oom_sites_read(&file.log, reports.reports[0].first, &all);
	CHECK(all.n == 4 && !all.is_off);
	CHECK(all.sites[0].bytes == 4608ULL << 20 && all.sites[0].calls == 1179648);
	CHECK_TEXT(all.sites[0].name, "mm/slub.c:2425 alloc_slab_page");
	CHECK(all.sites[1].bytes == 155 << 20 && all.sites[2].bytes == 512);
	CHECK_TEXT(all.sites[1].name, "a/leaky.c:74 refill [leaky]");
	CHECK(all.sites[3].bytes == 1047212032 && all.sites[3].calls == 511334);
	CHECK_TEXT(all.sites[3].name, "fs/c.c:82 in_bytes [c]");
	CHECK(read_text("[    1.000000] " HEAD
			"[    1.000002] Memory allocations (profiling is currently turned off):\n"
			"[    1.000004]      155 MiB    39765 leaky.c:74 [leaky] func:refill\n") ==
	      ST_OK);
	oom_sites_read(&file.log, reports.reports[0].first, &all);
	CHECK(all.n == 1 && all.is_off);
}

TESTS({ "slab caches", slabs }, { "call sites", sites })
