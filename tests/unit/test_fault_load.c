// SPDX-License-Identifier: GPL-2.0-or-later
/* Processes of which several threads are in a page fault, the one with the highest rate. */
#include "collect/fault_load.h"
#include "stub.h"
#include "test.h"

static struct stub stub;
static struct dump_info info;
static struct fault_load load;

/* The end is 11 s after boot, processes begin 1 s after it. */
static void begin(void)
{
	STUB_OPEN(stub);
	memset(&info, 0, sizeof(info));
	dump_info_end(&info, 11000000000, "run_queue", false);
	load = (struct fault_load){ .info = &info, .least = 3 };
}

static void process(int32_t tgid, const char *comm, unsigned int threads, unsigned int in_fault,
		    uint64_t min)
{
	for (unsigned int i = 0; i < threads; i++) {
		struct task t = { .tgid = tgid,
				  .pid = tgid + (int32_t)i,
				  .min_flt = min,
				  .exited_min_flt = 500,
				  .start_ns = 1000000000,
				  .has_mm = true,
				  .has_memory = !i,
				  .rss = 256 };

		snprintf(t.comm, sizeof(t.comm), "%s", i ? "worker" : comm);
		fault_load_add(&load, &t);
		if (i < in_fault)
			fault_load_in_fault(&load);
	}
}

static void the_process_with_the_highest_rate(void)
{
	begin();
	process(50, "httpd", 9, 3, 100);
	process(96, "queryvm", 13, 5, 100000);
	process(120, "builder", 1, 1, 9000000); /* one thread alone faults on any machine */
	fault_load_end(&load);
	CHECK(load.most.tgid == 96 && load.most.threads == 13 && load.most.in_fault == 5);
	CHECK_TEXT(load.most.comm, "queryvm");
	CHECK(load.most.min == 1300500 && !load.most.maj && load.most.rate == 130050000);
	CHECK(load.most.has_rss && load.most.rss == 256);
}

static void few_threads_in_a_fault_are_no_load(void)
{
	begin();
	process(96, "queryvm", 13, 2, 100000);
	fault_load_end(&load);
	CHECK(!load.most.tgid);
}

TESTS({ "the process with the highest rate", the_process_with_the_highest_rate },
      { "few threads in a fault are no load", few_threads_in_a_fault_are_no_load })
