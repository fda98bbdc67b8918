// SPDX-License-Identifier: GPL-2.0-or-later
/* Sizes and counts that no machine of this size can hold are no sizes: of a process, of any owner. */
#include "kernel/most_pages.h"
#include "memowner/summary.h"
#include "stub.h"
#include "tasks/mm_struct.h"
#include "test.h"

static uint64_t max_pfn = 1000, swap = 500;
static const struct stub_symbol symbols[] = { { "max_pfn", 0x1000, FIELD(0, 8) },
					      { "total_swap_pages", 0x2000, FIELD(0, 8) },
					      { 0 } };
static const struct stub_memory memory[] = { { 0x1000, &max_pfn, 8 }, { 0x2000, &swap, 8 }, { 0 } };
static struct stub stub;

static void size_of_the_machine(void)
{
	struct most_pages most;

	STUB_OPEN(stub, .symbols = symbols, .memory = memory);
	most_pages_read(&stub.dump, &most);
	CHECK(most.ram == 1000 && most.both == 1500);
	CHECK(!most_pages_exceeds(most.ram, 1000) && most_pages_exceeds(most.ram, 1001));
	CHECK(most_pages_exceeds(most.ram, (uint64_t)-1));
	STUB_OPEN(stub, .symbols = symbols + 1, .memory = memory);
	most_pages_read(&stub.dump, &most);
	CHECK(most.ram == UINT64_MAX && most.both == UINT64_MAX);
	/* Below 0 is no number of pages, whatever is unknown. */
	CHECK(!most_pages_exceeds(most.ram, 1ULL << 60) &&
	      most_pages_exceeds(most.ram, 1ULL << 63));
	STUB_OPEN(stub, .symbols = symbols, .memory = memory + 1);
	most_pages_read(&stub.dump, &most);
	CHECK(most.ram == UINT64_MAX && !*stub.dump.error);
	/* What the caller has to tell is still there. */
	strcpy(stub.dump.error, "types are not known");
	most_pages_read(&stub.dump, &most);
	CHECK_TEXT(stub.dump.error, "types are not known");
}

static bool exceed(int64_t anon, int64_t file, int64_t in_swap, uint64_t total_vm)
{
	const struct mm_counts n = { .anon = anon, .file = file, .swap = in_swap };
	const struct most_pages most = { 1000, 1500 };

	return mm_counts_exceed(&n, total_vm, &most);
}

static void counters_of_a_process(void)
{
	CHECK(!exceed(600, 300, 100, 2000) && !exceed(-3, 300, -1, 2000));
	CHECK(exceed(310000, 0, 0, 5000) && exceed(900, 400, 300, 1000));
	/* Of pages that KSM merged each process counts all; munmap() lowers total_vm first. */
	CHECK(!exceed(310000, 0, 0, 400000) && !exceed(900, 0, 0, 10));
	CHECK(exceed(-81920, 0, 0, 2000) && exceed(INT64_MIN + 1, 0, 0, 2000));
}

static const struct statement *added(struct summary *s, enum section section, const char *by,
				     uint64_t pages)
{
	static struct report report;

	STUB_OPEN(stub, .symbols = symbols, .memory = memory);
	report = (struct report){ .dump = &stub.dump, .last_unknown = &report.unknown };
	*s = (struct summary){ .dump = &stub.dump, .report = &report, .ram_pages = 900 };
	SUMMARY_ADD(s, .section = section, .by = by, .name = "/a", .pages = { pages, true });
	return s->first[section];
}

static void row_of_the_summary(void)
{
	struct summary s;
	const struct statement *row = added(&s, SECTION_HOLDER, "cgroup", 1501);

	CHECK(!row->pages.known && !row->pages.n && !row->bytes.known);
	CHECK_TEXT(s.first[SECTION_MISSING]->remark,
		   "/a would have 1501 pages, more than the machine can hold");
	CHECK(!added(&s, SECTION_FILE, NULL, (uint64_t)-1)->pages.known);
	CHECK(added(&s, SECTION_HOLDER, "cgroup", 1500)->pages.known);
	CHECK(!s.first[SECTION_MISSING]);
	/* Memory of a device may be outside of RAM; a site may have any sum. */
	CHECK(added(&s, SECTION_HOLDER, "dma_buf", 5000)->pages.known &&
	      added(&s, SECTION_SITE, NULL, (uint64_t)-1)->pages.known);
}

TESTS({ "the size of the machine", size_of_the_machine },
      { "counters of a process", counters_of_a_process },
      { "a row of the summary", row_of_the_summary })
