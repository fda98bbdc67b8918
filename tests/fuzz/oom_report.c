// SPDX-License-Identifier: GPL-2.0-or-later
/* Reports of memory that ran out, in records that the fuzzer mixes, damages and leaves out. */
#include <stdio.h>
#include <string.h>

#include "fuzz.h"
#include "oom/mixed_reports.h"

#define BYTES 2048
#define RECORD 1100

static const char *const records[] = {
	"hungry invoked oom-killer: gfp_mask=0x140dca(GFP_HIGHUSER_MOVABLE|__GFP_COMP), order=0, oom_score_adj=0",
	"a\nb invoked oom-killer: gfp_mask=0xcc0(GFP_KERNEL), nodemask=0-1,3, order=-1, oom_score_adj=-999",
	"x: page allocation failure: order:2, mode:0x920(GFP_ATOMIC), nodemask=(null),cpuset=/,mems_allowed=0",
	"CPU: 1 UID: 0 PID: 181 Comm: hungry Tainted: G           O       6.12.95 #1",
	"Mem-Info:",
	"active_anon:664 inactive_anon:7451 isolated_anon:0\n active_file:0 slab_reclaimable:207\n free:346",
	"Node 0 DMA32 free:1384kB boost:0kB min:1964kB reserved_highatomic:0KB present:261624kB",
	"Normal free:1384kB boost:0kB min:1964kB low:2452kB high:2940kB managed:244012kB",
	"lowmem_reserve[]: 0 0 0",
	"Node 0 DMA32: 2*4kB (UM) 0*8kB 2*16kB (UME) 0*32kB = 1192kB",
	"Normal: 2*4kB (UMEHCI) 0*8kB 2*16kB (UM) 0*32kB 2*64kB 0*128kB 0*256kB 0*512kB = 1192kB",
	"665 total pagecache pages",
	"Free swap  = 0kB",
	"65406 pages RAM",
	"memory: usage 102400kB, limit 102400kB, failcnt 58",
	"swap: usage 0kB, limit 9007199254740988kB, failcnt 0",
	"oom-kill:constraint=CONSTRAINT_MEMCG,nodemask=(null),cpuset=/,mems_allowed=0,oom_memcg=/box,task_memcg=/box/in,task=eater,pid=90,uid=0",
	"oom-kill:constraint=CONSTRAINT_NONE,nodemask=0-1,3,cpuset=a,b",
	",mems_allowed=0,global_oom,task_memcg=/,task=a,b,pid=1,pid=90,uid=-1",
	"Out of memory: Kill process 12 (a) score 800 or sacrifice child",
	"Out of memory: Killed process 77 (a) b) total-vm:52268kB, anon-rss:22936kB, file-rss:0kB, shmem-rss:4kB, UID:1000 pgtables:136kB oom_score_adj:0",
	"Memory cgroup out of memory: Killed process 90 (eater) total-vm:8kB, anon-rss:4kB",
	"Tasks in /box are going to be killed due to memory.oom.group set",
	"Out of memory: OOM victim 9 (sh) is already exiting. Skip killing the task",
	"Out of memory and no killable processes...",
	"Kernel panic - not syncing: Out of memory: system-wide panic_on_oom is enabled",
	"Kernel panic - not syncing: System is deadlocked on memory",
	"sysrq: Show Memory",
};
#define RECORDS (sizeof(records) / sizeof(records[0]))

static void use_report(const struct oom_report *r)
{
	if (r->kind >= OOM_REPORT_KINDS || !oom_report_kind_name(r->kind) ||
	    r->outcome >= OOM_OUTCOMES || r->mem.nzones > MEM_INFO_ZONES)
		__builtin_trap();
	/* Who was killed a line that is cut may not say, but that one was. */
	if (r->kills && r->outcome == OOM_OUTCOME_UNKNOWN)
		__builtin_trap();
	/* Of a block that lost lines what was free may be unknown. */
	if (!r->has_mem_info && (r->mem.pages[MEM_free].known || r->mem.nzones))
		__builtin_trap();
	if (r->kind == OOM_REPORT_ALLOCATION && (r->kills || r->outcome || !r->has_head))
		__builtin_trap();
	fuzz_array(r->comm, sizeof(r->comm));
	fuzz_array(r->gfp, sizeof(r->gfp));
	fuzz_array(r->constraint, sizeof(r->constraint));
	fuzz_array(r->nodemask, sizeof(r->nodemask));
	fuzz_array(r->mems_allowed, sizeof(r->mems_allowed));
	fuzz_array(r->cpuset, sizeof(r->cpuset));
	fuzz_array(r->oom_memcg, sizeof(r->oom_memcg));
	fuzz_array(r->task_memcg, sizeof(r->task_memcg));
	fuzz_array(r->victim.comm, sizeof(r->victim.comm));
	for (unsigned int i = 0; i < r->mem.nzones; i++) {
		fuzz_array(r->mem.zones[i].name, MEM_INFO_ZONE_NAME);
		if (r->mem.zones[i].orders > MEM_INFO_ORDERS ||
		    r->mem.zones[i].nreserve > MEM_INFO_ZONES)
			__builtin_trap();
	}
}

/* fuzz_line(), or a record that is missing. */
static const char *make_record(const uint8_t *bytes, char *text, size_t size)
{
	if (bytes[2] & 0x80 && bytes[2] & 0x40)
		return NULL;
	fuzz_line(records, RECORDS, bytes, text, size);
	return text;
}

void fuzz_oomreport(struct dump *d, struct sink *out NOT_USED, uint32_t seed)
{
	struct oom_reports all;
	uint8_t bytes[BYTES];
	char text[RECORD];

	if (dump_read(d, 0xffff888000000000, bytes, sizeof(bytes), "fuzz") != ST_OK)
		return;
	oom_reports_open(d, &all);
	for (size_t i = 0; i + 8 <= sizeof(bytes); i += 8) {
		struct kernel_record rec = { .ts_ns = i,
					     .text = make_record(bytes + i, text, sizeof(text)),
					     .has_caller = !(seed & 1),
					     .caller = bytes[i + 7] & 3 };

		oom_reports_record(&all, &rec);
		if (all.n > OOM_REPORTS)
			__builtin_trap();
		for (unsigned int k = 0; k < all.n; k++)
			use_report(&all.reports[k]);
	}
	oom_mix_doubtful(&all);
}
