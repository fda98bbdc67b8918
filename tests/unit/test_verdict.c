// SPDX-License-Identifier: GPL-2.0-or-later
/* The verdict where the OOM killer freed memory again before the machine ended. */
#include "log/log_file.h"
#include "memowner/case.h"
#include "memowner/log_source.h"
#include "memowner/summary.h"
#include "memowner/verdict.h"
#include "pageowner/view.h"
#include "mem_available.h"
#include "oom_head.h"
#include "stub.h"
#include "test.h"

static struct stub stub;
static struct summary_case of_case;
static struct report report;
static struct owner_view view;
static struct cmdline in;
static struct log_file *log_alone;
static uint32_t swappiness = 60;
static const struct stub_symbol symbols[] = { { "vm_swappiness", 0x2000, FIELD(0, 4) }, { 0 } };
static const struct stub_memory memory[] = { { 0x2000, &swappiness, 4 }, { 0 } };

/* Pages of 4 KiB; the end is 4 s after boot. What the verdict says of s. */
static const char *told(struct summary *s)
{
	static char text[512];

	STUB_OPEN(stub, .symbols = symbols, .memory = memory);
	stub.dump.log_file = log_alone;
	view.dump = &stub.dump;
	report = (struct report){ &stub.dump, .last_unknown = &report.unknown, .tells_unknown = 1 };
	dump_info_end(&report.info, 4000000000, "run_queue", false);
	s->dump = &stub.dump;
	s->in = &in;
	s->report = &report;
	s->view = &view;
	s->of_case = &of_case;
	available = s->free.n;
	summary_verdict(s);
	snprintf(text, sizeof(text), "%s", s->first[SECTION_VERDICT]->remark);
	return text;
}

/* A tenth of RAM, or nothing, was free at the report; free percent at the end, 3 s later. */
static const char *verdict(uint64_t reported, uint64_t slab, uint64_t free,
			   enum oom_outcome outcome, bool *ran_out)
{
	struct oom_report r = { .kind = OOM_REPORT_OOM,
				NAMED_HEAD,
				.ts_ns = 1000000000,
				.outcome = outcome,
				.constraint = "CONSTRAINT_NONE",
				.scope = OOM_SCOPE_GLOBAL,
				.has_mem_info = true,
				.mem.pages[MEM_free] = { true, reported },
				.mem.pages[MEM_active_anon] = { true, 200 },
				.mem.pages[MEM_slab_unreclaimable] = { true, slab } };
	struct summary s = {
		.ran_out = &r, .last_report = &r, .ram_pages = 1000, .free = { free, true }
	};
	const char *text = told(&s);

	*ran_out = s.verdict == VERDICT_RAN_OUT;
	return text;
}

static void recovered(void)
{
	bool ran_out;

	CHECK_TEXT(
		verdict(10, 700, 800, OOM_KILLED, &ran_out),
		"memory had run out 3.0s before the dump: 40.0K of 3.9M was free at the report, 1.0%, "
		"2.7M in unreclaimable slab; at the end 3.1M of 3.9M was free, 80.0%");
	CHECK(ran_out);
	/* It was not short at the report either. */
	CHECK(strstr(verdict(700, 1, 800, OOM_KILLED, &ran_out), "for a reason that is unknown") &&
	      !ran_out);
	CHECK(strstr(verdict(10, 1, 800, OOM_OUTCOME_UNKNOWN, &ran_out),
		     "for a reason that is unknown"));
	CHECK(strstr(verdict(10, 1, 12, OOM_KILLED, &ran_out), "memory ran out: ") && ran_out);
	/* Less than a quarter is free again; watermarks and reserves kept some at the report. */
	CHECK(strstr(verdict(29, 1, 240, OOM_KILLED, &ran_out), "memory had run out 3.0s before") &&
	      ran_out);
	CHECK(strstr(verdict(50, 1, 240, OOM_KILLED, &ran_out), "memory ran out: "));
}

/* A cgroup of 1000 pages that has some at the end, 3 s after its report. */
static const char *cgroup_verdict(uint64_t usage, enum oom_outcome outcome, enum verdict *ret)
{
	struct oom_report r = { .kind = OOM_REPORT_OOM,
				NAMED_HEAD,
				.ts_ns = 1000000000,
				.outcome = outcome,
				.constraint = "CONSTRAINT_MEMCG",
				.scope = OOM_SCOPE_MEMCG,
				.oom_memcg = "/batch" };
	struct summary s = { .ran_out = &r,
			     .last_report = &r,
			     .ran_out_in_cgroup = true,
			     .limit_path = "/batch",
			     .limit_pages = 1000,
			     .limit_usage = { usage, true },
			     .limit_is_over = usage <= 750 && outcome == OOM_KILLED,
			     .ram_pages = 10000,
			     .log_whole = true,
			     .has_panic = true,
			     .free = { 8000, true } };
	const char *text = told(&s);

	*ret = s.verdict;
	return text;
}

static void cgroup_recovered(void)
{
	enum verdict verdict;

	CHECK_TEXT(cgroup_verdict(600, OOM_KILLED, &verdict),
		   "memory was not short: 31.2M of 39.1M was free, 80.0%; cgroup /batch had "
		   "reached its limit 3.0s before, which is over: 2.3M of 3.9M at the end");
	CHECK(verdict == VERDICT_NOT_SHORT);
	/* Nearly full again, or nobody was killed. */
	CHECK(strstr(cgroup_verdict(751, OOM_KILLED, &verdict),
		     "cgroup /batch reached its limit") &&
	      verdict == VERDICT_CGROUP);
	CHECK(strstr(cgroup_verdict(600, OOM_OUTCOME_UNKNOWN, &verdict),
		     "cgroup /batch reached its limit"));
}

/* A cgroup at its limit that may have so much of free swap. */
static const char *swap_verdict(struct maybe_u64 left, enum oom_outcome outcome)
{
	struct oom_report r = { .kind = OOM_REPORT_OOM,
				NAMED_HEAD,
				.ts_ns = 3900000000,
				.outcome = outcome,
				.constraint = "CONSTRAINT_MEMCG",
				.scope = OOM_SCOPE_MEMCG,
				.oom_memcg = "/batch" };
	struct summary s = { .ran_out = &r,
			     .last_report = &r,
			     .ran_out_in_cgroup = true,
			     .limit_swap = left,
			     .ram_pages = 1000,
			     .has_panic = true,
			     .free = { 800, true } };

	return told(&s);
}

static void unused_swap(void)
{
	static const char text[] = "of swap was free, which reclaim of a cgroup does not use with "
				   "vm.swappiness=0";
	const struct maybe_u64 left = { 500, true };

	swappiness = 0;
	CHECK_TEXT(swap_verdict(left, OOM_OUTCOME_UNKNOWN),
		   "cgroup /batch reached its limit, which this dump does not have; 80.0% of RAM "
		   "was free; 2.0M of swap was free, which reclaim of a cgroup does not use with "
		   "vm.swappiness=0");
	/* Little; what is unknown; what a victim had; another setting. */
	CHECK(!strstr(swap_verdict((struct maybe_u64){ 1, true }, OOM_OUTCOME_UNKNOWN), text));
	CHECK(!strstr(swap_verdict((struct maybe_u64){ 500, false }, OOM_OUTCOME_UNKNOWN), text));
	CHECK(!strstr(swap_verdict(left, OOM_KILLED), text));
	swappiness = 1;
	CHECK(!strstr(swap_verdict(left, OOM_OUTCOME_UNKNOWN), text));
	swappiness = 60;
}

/* Swap that is full is no lack of memory: whose it is. */
static void full_swap(void)
{
	struct statement of = { .comm = "bind", .pid = { 7, true }, .swapped = { 9, true } };
	struct summary s = { .ram_pages = 1000, .free = { 800, true }, .log_whole = true };

	s.first[SECTION_GROUP] = &of;
	s.swap = (struct swap_sum){ .known = true, .pages = 11, .used = 11 };
	CHECK(strstr(told(&s), "; swap of 44.0K was full, 36.0K of that by bind (7); the log"));
}

/* What the kernel ended of, where that is no lack of memory. */
static void ends(void)
{
	struct oom_report killed = { .kind = OOM_REPORT_OOM, .outcome = OOM_KILLED };
	struct statement row = { .section = SECTION_EXCEPTION,
				 .name = "page_fault",
				 .address = { 16, true },
				 .pointer = "behind a NULL pointer",
				 .ip_symbol = "value_of+0x13 [meter]",
				 .pid = { 5, true },
				 .comm = "meterd" };
	struct statement victim = { .section = SECTION_PROCESS, .fate_why = "waits for a lock" },
			 most = { .section = SECTION_MOST, .fate_why = "waits for a lock" };
	struct summary s = { .ram_pages = 1000,
			     .log_whole = true,
			     .has_panic = true,
			     .is_hung = true,
			     .panic_cause = "khungtaskd panicked for a (5)",
			     .stuck_cause = "2 threads are in a deadlock: b (6), c (7)",
			     .free = { 800, true } };

	CHECK_TEXT(
		told(&s),
		"2 threads are in a deadlock: b (6), c (7); khungtaskd panicked for a (5); memory "
		"was not short: 3.1M of 3.9M was free, 80.0%; the log has no report that memory "
		"ran out");
	/* Of a long cause what comes first; where memory was short its first clause. */
	s = (struct summary){ .ram_pages = 1000,
			      .log_whole = true,
			      .has_panic = true,
			      .stuck_cause = "a waits for b; b waits; c waits; d waits, too; e is",
			      .free = { 800, true } };
	CHECK(!strncmp(told(&s), "a waits for b; b waits; c waits; d waits, too; memory", 53));
	s = (struct summary){ .ram_pages = 1000,
			      .log_whole = true,
			      .has_panic = true,
			      .stuck_cause = "vdc: 90 writes not completed; 2 threads wait for it",
			      .free = { 10, true } };
	CHECK_TEXT(told(&s), "memory was short, though the log has no OOM report: 40.0K of 3.9M "
			     "was free, 1.0%, MemAvailable 40.0K; vdc: 90 writes not completed");
	/* Who asked for the panic by a key did so of another reason. */
	s = (struct summary){ .ram_pages = 1000,
			      .log_whole = true,
			      .has_panic = true,
			      .panic_cause = "sysrq asked for the panic",
			      .stuck_cause = "2 threads are in a deadlock: b (6), c (7)",
			      .free = { 800, true } };
	CHECK_TEXT(
		told(&s),
		"2 threads are in a deadlock: b (6), c (7); memory was not short: 3.1M of 3.9M "
		"was free, 80.0%; the log has no report that memory ran out; sysrq asked for the "
		"panic");
	s = (struct summary){ .ram_pages = 1000,
			      .log_whole = true,
			      .has_panic = true,
			      .busy_cpu =
				      "2 threads have waited for a CPU for up to 12s: a (5) for "
				      "CPU 0, which b (6) has",
			      .free = { 800, true } };
	CHECK(strstr(told(&s), "CPU 0, which b (6) has; memory was not short: "));
	/* Where memory ran out that is what a machine does of it. */
	s = (struct summary){ .ram_pages = 1000,
			      .log_whole = true,
			      .has_panic = true,
			      .ran_out = &killed,
			      .last_report = &killed,
			      .busy_cpu = "2 threads have waited for a CPU for up to 12s",
			      .free = { 1, true } };
	CHECK(!strstr(told(&s), "waited for a CPU"));
	/* Without a report what did not get on is what was seen of it. */
	s = (struct summary){ .ram_pages = 1000,
			      .log_whole = true,
			      .busy_cpu = "2 threads have waited for a CPU for up to 12s",
			      .free = { 1, true } };
	CHECK(strstr(told(&s), "; 2 threads have waited for a CPU for up to 12s"));
	/* Of a victim that is no holder no other line says what threads hang on. */
	for (unsigned int is_most = 0; is_most < 2; is_most++) {
		const enum section of = is_most ? SECTION_MOST : SECTION_PROCESS;

		s = (struct summary){ .ram_pages = 1000,
				      .log_whole = true,
				      .has_panic = true,
				      .ran_out = &killed,
				      .last_report = &killed,
				      .stuck_cause = "2 threads are in a deadlock: b (6), c (7)",
				      .free = { 1, true } };
		s.first[of] = s.last[of] = is_most ? &most : &victim;
		CHECK(!strstr(told(&s), "; 2 threads are in a deadlock") == (is_most == 1));
	}
	s = (struct summary){
		.ram_pages = 1000,
		.log_whole = true,
		.faulting = "5 of 13 threads of a (5) are in a page fault: 7.0 per second",
		.free = { 800, true }
	};
	CHECK(!strncmp(told(&s),
		       "5 of 13 threads of a (5) are in a page fault: 7.0 per second; memory", 66));
	s = (struct summary){
		.ram_pages = 1000, .log_whole = true, .has_panic = true, .free = { 800, true }
	};
	s.first[SECTION_EXCEPTION] = s.last[SECTION_EXCEPTION] = &row;
	CHECK_TEXT(
		told(&s),
		"the kernel died of page fault, address 0x10, behind a NULL pointer, in "
		"value_of+0x13 [meter], task meterd (5); memory was not short: 3.1M of 3.9M was free, 80.0%; "
		"the log has no report that memory ran out");
	/* Where its pointer lies, and who keeps that. */
	row.brief = "that pointer lies in an object of kmalloc-512, which is free";
	s = (struct summary){
		.ram_pages = 1000, .log_whole = true, .has_panic = true, .free = { 800, true }
	};
	s.first[SECTION_EXCEPTION] = s.last[SECTION_EXCEPTION] = &row;
	CHECK(strstr(told(&s), "task meterd (5); that pointer lies in an object of kmalloc-512, "
			       "which is free; memory was not short: "));
	row.brief = NULL;
	/* Where it is not known whether memory was short it ended so all the same. */
	s = (struct summary){ .ram_pages = 1000, .log_whole = true, .has_panic = true };
	s.first[SECTION_EXCEPTION] = s.last[SECTION_EXCEPTION] = &row;
	CHECK(strstr(told(&s), "task meterd (5); unknown whether memory was short"));
	row = (struct statement){ .section = SECTION_EXCEPTION,
				  .name = "user_fault",
				  .address = { 56, true },
				  .pid = { 1, true },
				  .comm = "agent" };
	s = (struct summary){ .ram_pages = 1000, .log_whole = true, .has_panic = true };
	s.first[SECTION_EXCEPTION] = s.last[SECTION_EXCEPTION] = &row;
	CHECK(strstr(
		told(&s),
		"init died of SIGSEGV: user fault, address 0x38, task agent (1), and the kernel ends with it; "));
}

static const char *committed(uint64_t data, const char *of)
{
	struct summary s = { .ram_pages = 1000,
			     .log_whole = true,
			     .has_panic = true,
			     .data_pages = data,
			     .data_of = of,
			     .free = { 800, true } };

	of_case.commit = (struct commit){ .limit = { 500, true },
					  .committed = { 490, true },
					  .mode = { COMMIT_NEVER, true } };
	return told(&s);
}

/* Who has little of it, or more than is counted, is not named. */
static void commit_limit(void)
{
	CHECK_TEXT(
		committed(300, "java (162)"),
		"committed address space is 1.9M of 2.0M, which vm.overcommit_memory=2 enforces; "
		"1.2M in private writable mappings of java (162); 3.1M of 3.9M was free, 80.0%; "
		"the log has no report that memory ran out");
	CHECK(!strstr(committed(48, "java (162)"), "java") &&
	      strstr(committed(50, "java (162)"), "java") &&
	      strstr(committed(490, "java (162)"), "java") &&
	      !strstr(committed(491, "java (162)"), "java") && !strstr(committed(1, NULL), "java"));
}

/* What was refused within an hour before the end is told, whether the limit is reached or not. */
static const char *refused(uint64_t limit, uint64_t ts_ns, bool cut)
{
	static struct kernel_record last;
	struct summary s = { .ram_pages = 1000,
			     .log_whole = true,
			     .log_dropped = cut,
			     .has_panic = true,
			     .free = { 800, true },
			     .refusals = { .n = 3, .kept = 1 } };

	last.ts_ns = ts_ns;
	s.refusals.all[0] = (struct commit_refused){ .pid = { true, 162 },
						     .comm = "importd",
						     .n = 3,
						     .bytes = { true, 8192 },
						     .last = &last };
	of_case.commit = (struct commit){ .limit = { limit, true },
					  .committed = { 490, true },
					  .mode = { COMMIT_NEVER, true } };
	return told(&s);
}

static void refused_requests(void)
{
	CHECK_TEXT(
		refused(500, 1000000000, false),
		"committed address space is 1.9M of 2.0M, which vm.overcommit_memory=2 enforces; "
		"3 requests for more refused, the last 3.0s before the panic: importd (162) 8.0K 3 times; "
		"3.1M of 3.9M was free, 80.0%; the log has no report that memory ran out");
	CHECK(strstr(
		refused(5000, 1000000000, true),
		"vm.overcommit_memory=2 refused at least 3 requests for address space, the last "
		"3.0s before the panic: importd (162) 8.0K 3 times; memory was not short"));
	/* One behind the end has no age. */
	CHECK(!strstr(refused(5000, 90000000000, false), "refused"));
}

static unsigned int highatomic; /* the order of a free block of that type; 0: there is none */

/* Of a report in a text of the log, of one zone; kib of it are free, of them cma in a block of order 2. */
static const char *of_log(uint64_t gfp_mask, const char *gfp, uint64_t kib, uint64_t cma,
			  enum verdict *ret)
{
	static struct log_file log;
	static struct oom_report r;
	struct mem_zone *z = &r.mem.zones[0];
	struct summary s = { .ran_out = &r,
			     .last_report = &r,
			     .ram_pages = 10000,
			     .log_whole = true,
			     .has_panic = true,
			     .free = { kib / 4, true } };
	const char *text;

	r = (struct oom_report){ .kind = OOM_REPORT_OOM,
				 NAMED_HEAD,
				 .ts_ns = 4000000000,
				 .has_order = true,
				 .order = 2,
				 .gfp_mask = { true, gfp_mask },
				 .constraint = "CONSTRAINT_NONE",
				 .scope = OOM_SCOPE_GLOBAL,
				 .has_mem_info = true };
	strcpy(r.gfp, gfp);
	r.mem.nzones = 1;
	r.mem.page_kib = (struct log_number){ true, 4 };
	strcpy(z->name, "Normal");
	z->kib[MEM_ZONE_free] = (struct log_number){ true, kib };
	z->kib[MEM_ZONE_min] = (struct log_number){ true, 100 };
	z->kib[MEM_ZONE_high] = (struct log_number){ true, 300 };
	z->kib[MEM_ZONE_free_cma] = (struct log_number){ true, cma };
	z->orders = 3;
	z->free_blocks[1] = (kib - cma) / 8;
	strcpy(z->types[1], "UM");
	z->free_blocks[2] = cma / 16;
	strcpy(z->types[2], cma ? "C" : "");
	if (highatomic) {
		z->orders = highatomic + 1;
		z->free_blocks[highatomic] = 1;
		strcpy(z->types[highatomic], "H");
	}
	z->nreserve = 4;
	log_alone = &log;
	text = told(&s);
	log_alone = NULL;
	*ret = s.verdict;
	return text;
}

static void blocks_of_cma(void)
{
	enum verdict verdict;

	CHECK_TEXT(of_log(0xcc0, "GFP_KERNEL", 1600, 160, &verdict),
		   "no free block of order 2 or above outside of CMA: 1.6M was free, 160.0K of it "
		   "in CMA, the largest block there is of order 1");
	CHECK(verdict == VERDICT_NO_BLOCK);
	CHECK_TEXT(of_log(0xcc0, "GFP_KERNEL", 1600, 0, &verdict),
		   "no free block of order 2 or above: 1.6M was free, the largest block is of "
		   "order 1");
	highatomic = 3;
	CHECK_TEXT(of_log(0xcc0, "GFP_KERNEL", 1600, 0, &verdict),
		   "no free block of order 2 or above outside of the highatomic reserve: 1.6M was "
		   "free, the largest block there is of order 1");
	CHECK_TEXT(of_log(0xcc0, "GFP_KERNEL", 1600, 160, &verdict),
		   "no free block of order 2 or above outside of CMA and of the highatomic "
		   "reserve: 1.6M was free, 160.0K of it in CMA, the largest block there is of "
		   "order 1");
	highatomic = 0;
}

/* A dump that lacks its zones: the report has them, as above, or what was free alone. */
static const char *without_zones(unsigned int zones, uint64_t free, enum verdict *ret)
{
	static struct oom_report r;
	struct mem_zone *z = &r.mem.zones[0];
	struct summary s = { .ran_out = &r, .last_report = &r, .ram_pages = 1000 };
	const char *text;

	r = (struct oom_report){ .kind = OOM_REPORT_OOM,
				 NAMED_HEAD,
				 .ts_ns = 4000000000,
				 .has_order = true,
				 .order = zones ? 3 : 0,
				 .gfp_mask = { true, 0xcc0 },
				 .gfp = "GFP_KERNEL",
				 .constraint = "CONSTRAINT_NONE",
				 .scope = OOM_SCOPE_GLOBAL,
				 .has_mem_info = true,
				 .mem.nzones = zones,
				 .mem.page_kib = { true, 4 },
				 .mem.pages[MEM_free] = { true, free } };
	strcpy(z->name, "Normal");
	z->kib[MEM_ZONE_free] = (struct log_number){ true, free * 4 };
	z->kib[MEM_ZONE_min] = (struct log_number){ true, 40 };
	z->orders = 4;
	z->free_blocks[0] = free;
	strcpy(z->types[0], "U");
	z->nreserve = 4;
	text = told(&s);
	*ret = s.verdict;
	return text;
}

static void dump_without_zones(void)
{
	enum verdict verdict;

	CHECK_TEXT(without_zones(1, 400, &verdict),
		   "no free block of order 3 or above: 1.6M was free, the largest block is of "
		   "order 0");
	CHECK(verdict == VERDICT_NO_BLOCK);
	CHECK(strstr(without_zones(0, 400, &verdict), "the OOM killer ran, for a reason that is "
						      "unknown") &&
	      verdict == VERDICT_UNKNOWN);
	CHECK(strstr(without_zones(0, 4, &verdict), "memory ran out") &&
	      verdict == VERDICT_RAN_OUT);
}

/* pagefault_out_of_memory() calls the OOM killer for an error of any kind. */
static void page_fault(void)
{
	enum verdict verdict;

	CHECK_TEXT(of_log(0, "", 1600, 0, &verdict),
		   "a page fault ended in the OOM killer, why is unknown: no zone was below its "
		   "high watermark at the report; 1.6M of 39.1M was free, 4.0%");
	CHECK(verdict == VERDICT_UNKNOWN);
	CHECK(strstr(of_log(0, "", 300, 0, &verdict), "memory ran out: ") &&
	      verdict == VERDICT_RAN_OUT);
	CHECK(strstr(of_log(0, "", 400, 160, &verdict), "memory ran out: "));
}

/* What the verdict says was too little is low in the list of classes, too. */
static void low(void)
{
	static const uint64_t free[] = { 30, 60 };

	for (size_t i = 0; i < ARRAY_SIZE(free); i++) {
		struct oom_report r = { .kind = OOM_REPORT_OOM,
					NAMED_HEAD,
					.ts_ns = 3900000000,
					.outcome = OOM_PANICKED,
					.constraint = "CONSTRAINT_NONE",
					.scope = OOM_SCOPE_GLOBAL };
		struct summary s = { .ran_out = &r,
				     .last_report = &r,
				     .has_panic = true,
				     .ram_pages = 1000,
				     .free = { free[i], true } };
		struct statement row = { .section = SECTION_CLASS,
					 .name = "buddy",
					 .pages = { free[i], true } };

		s.first[SECTION_CLASS] = s.last[SECTION_CLASS] = &row;
		CHECK(strstr(told(&s), "memory ran out: ") && s.verdict == VERDICT_RAN_OUT);
		CHECK((row.remark != NULL) == !i);
	}
}

/* The machine has memory, and a cgroup has not. */
static void throttled(void)
{
	struct summary s = { .ram_pages = 1000,
			     .free = { 400, true },
			     .log_whole = true,
			     .has_panic = true,
			     .limit_pages = 100,
			     .throttled = { .path = "/web",
					    .usage = 110,
					    .high = 100,
					    .avg10 = { 7542, true },
					    .as_of = "" } };
	struct summary low = s;

	s.limit_path = s.throttled.path;
	CHECK_TEXT(told(&s),
		   "cgroup /web is throttled: 440.0K, over its memory.high of 400.0K, "
		   "its PSI memory full avg10 75.42; the machine has memory: 1.6M of 3.9M "
		   "was free, 40.0%");
	CHECK(s.verdict == VERDICT_HIGH);
	low.free.n = 10;
	CHECK(strstr(told(&low),
		     "memory was short, though the log has no OOM report: 40.0K of 3.9M was free, "
		     "1.0%, MemAvailable 40.0K; cgroup /web is "
		     "throttled: ") &&
	      low.verdict == VERDICT_SHORT);
}

/* Characters where a pointer was. */
static void text_of_an_address(void)
{
	struct statement row = { .name = "general_protection_fault",
				 .address = { 0x493d657461747328, true },
				 .pid = { 5, true },
				 .comm = "meterd" };
	struct strbuf b = STRBUF_OF(256);

	summary_exception(&row, &b);
	CHECK_TEXT(b.buf, "general protection fault, address 0x493d657461747328, which is the text "
			  "\"(state=I\", likely written over a pointer, task meterd (5)");
	row.address.n = 0xdead000000000122;
	b.len = 0;
	summary_exception(&row, &b);
	CHECK_TEXT(b.buf, "general protection fault, address 0xdead000000000122, task meterd (5)");
}

TESTS({ "what the kernel ended of", ends }, { "swap that is full", full_swap },
      { "swap that a cgroup does not use", unused_swap },
      { "a cgroup that is throttled", throttled }, { "what is low", low },
      { "memory that the OOM killer freed", recovered },
      { "a cgroup that the OOM killer freed", cgroup_recovered },
      { "the commit limit", commit_limit }, { "requests that were refused", refused_requests },
      { "blocks of CMA alone", blocks_of_cma }, { "a dump without its zones", dump_without_zones },
      { "a page fault without a lack of memory", page_fault },
      { "text of an address", text_of_an_address })
