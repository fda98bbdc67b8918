// SPDX-License-Identifier: GPL-2.0-or-later
/* The text of a log, in lines that the fuzzer mixes and damages, and in its own bytes. */
#include <string.h>

#include "fuzz.h"
#include "log/log_file.h"
#include "oom/oom_cgroup.h"
#include "oom/oom_report.h"
#include "oom/oom_sites.h"
#include "oom/oom_tasks.h"

#define BYTES 2048
#define LINE 512

static const char *const lines[] = {
	"[    0.000000] Linux version 6.12.95 (a@b) (gcc) #1 SMP",
	"[   12.345678] hungry invoked oom-killer: gfp_mask=0x140cca(GFP_HIGHUSER_MOVABLE), order=0, oom_score_adj=0",
	"[   12.345678][  T45] Mem-Info:",
	"<4>[   12.345679] active_anon:1 inactive_anon:2 isolated_anon:0",
	"[   12.345679]  free:13 free_pcp:0 free_cma:0",
	"                active_file:3",
	"Nov 23 04:42:26 box kernel: [   12.345678] 98168 pages RAM",
	"Nov 23 04:42:26 box systemd[1]: started",
	"2026-11-23T04:42:26.123456+01:00 box kernel: Node 0 DMA free:776kB min:104kB",
	"[   12.345678] box kernel: Node 0 DMA: 12*4kB (UM) 9*8kB (UM) = 120kB",
	"[Mon Nov 23 04:42:26 2026] Node 0 hugepages_total=3 hugepages_free=3 hugepages_surp=0 hugepages_size=2048kB",
	"[Nov23 04:42] a",
	"[  +0.000004] b",
	"kern  :warn  : [   12.345678] c",
	"4,1234,12345678,-,caller=T45;[    189]     0   189     8633      197    81920      160          -250 d",
	"[   12.345678] [  pid  ]   uid  tgid total_vm      rss pgtables_bytes swapents oom_score_adj name",
	"[   12.345678] Unreclaimable slab info:",
	"[   12.345678] kmalloc-2k            814056KB     814056KB",
	"** 12 printk messages dropped **",
	"[   12.345678] Memory allocations:",
	"[   12.345678]      155 MiB    39765 a/leaky.c:74 [leaky] func:refill",
	"[   12.345678] Memory cgroup stats for /a:",
	"[   12.345678] anon 4096",
	"{\"_TRANSPORT\":\"kernel\",\"_HOSTNAME\":\"box\",\"__MONOTONIC_TIMESTAMP\":\"12345678\",\"MESSAGE\":\"a \\u003c\\nb\"}",
	"{\"log\":\"[   12.345678] a\\n\",\"stream\":\"stdout\"}",
	"__CURSOR=s=1",
	"_TRANSPORT=kernel",
	"MESSAGE",
	"",
	"Mon 2026-11-23 04:42:26.123456 UTC [s=1;i=1;b=2;m=3;t=4;x=5]",
	"    MESSAGE=active_anon:1 inactive_anon:2 isolated_anon:0",
	"             free:3 free_pcp:0 free_cma:0",
	"{",
	"   \"dmesg\": [",
	"         \"msg\": \"a\",",
	"      },{",
	"{\"_TRANSPORT\":\"kernel\",\"MESSAGE\":[ 97, 98 ],\"a\":[{}]}",
	"2026-11-23T04:42:26.1Z stdout P [   12.345678] a",
	"6.12,4,1,12345678,-,ncfrag=0/79;a invoked oom-killer: gfp_ma",
	"<4>[   12.345678]  [1:            web:   70] a",
	"\033[1mKernel panic - not syncing: Out of memory\033[0m",
	"[   12.345678] CPU: 1 PID: 45 Comm: a Tainted: G        W  O       6.12.95 #1",
	"[   12.345678] oom-kill:constraint=CONSTRAINT_NONE,nodemask=(null),cpuset=/,mems_allowed=0,global_oom,task_memcg=/,task=a,pid=45,uid=0",
};
#define LINES (sizeof(lines) / sizeof(lines[0]))

static void use_file(struct dump *d, const struct log_file *f)
{
	struct oom_reports reports;
	struct oom_slabs *slabs = dump_alloc(d, sizeof(*slabs));
	struct oom_sites *sites = dump_alloc(d, sizeof(*sites));
	struct oom_cgroup cgroup;
	struct oom_tasks tasks;

	if (!f->log.n || f->log.n > 2 * LOG_MAX_RECORDS || !f->boots || f->later_boots >= f->boots)
		__builtin_trap();
	for (size_t i = 0; i < f->log.n; i++)
		if (!f->log.records[i].text && !f->log.is_cut)
			__builtin_trap();
	if (f->host)
		fuzz_array(f->host, strlen(f->host) + 1);
	if (f->release)
		fuzz_array(f->release, strlen(f->release) + 1);
	oom_reports_read(d, &f->log, &reports);
	(void)oom_tasks_read(d, &f->log, &tasks);
	oom_slabs_read(&f->log, f->log.records, slabs);
	oom_cgroup_read(&f->log, f->log.records, &cgroup);
	oom_sites_read(&f->log, f->log.records, sites);
	for (unsigned int i = 0; i < sites->n; i++)
		fuzz_array(sites->sites[i].name, OOM_SITE_NAME);
	for (unsigned int i = 0; i < slabs->n; i++)
		fuzz_array(slabs->slabs[i].name, OOM_SLAB_NAME);
}

void fuzz_logfile(struct dump *d, struct sink *out NOT_USED, uint32_t seed)
{
	struct log_reader *r = log_reader_open(d, seed & 1);
	struct log_file f;
	uint8_t bytes[BYTES];
	char line[LINE];

	if (dump_read(d, 0xffff888000000000, bytes, sizeof(bytes), "fuzz") != ST_OK)
		return;
	for (size_t i = 0; i + 8 <= sizeof(bytes); i += 8) {
		fuzz_line(lines, LINES, bytes + i, line, sizeof(line));
		if (seed & 1 && i + LINE < sizeof(bytes))
			memcpy(line, bytes + i, LINE - 1);
		line[LINE - 1] = '\0';
		log_reader_line(r, line, seed & 1 ? bytes[i] : strlen(line), bytes[i + 7] & 1);
	}
	if (log_reader_end(r, &f) == ST_OK)
		use_file(d, &f);
}
