// SPDX-License-Identifier: GPL-2.0-or-later
/* The verdict without a report where MemAvailable is unknown: what it is at least, or at most, may decide. */
#include "memowner/case.h"
#include "memowner/summary.h"
#include "memowner/verdict.h"
#include "pageowner/view.h"
#include "stub.h"
#include "test.h"
#include "zones/zones.h"

static struct stub stub;
static struct summary_case of_case;
static struct report report;
static struct owner_view view;
static struct cmdline in;
static uint64_t reserve;
static const struct stub_symbol symbols[] = { { "totalreserve_pages", 0x2000, FIELD(0, 8) },
					      { 0 } };
static const struct stub_memory memory[] = { { 0x2000, &reserve, 8 }, { 0 } };

enum status mem_available_read(struct dump *d, struct mem_available *ret NOT_USED)
{
	return dump_fail(d, ST_UNREADABLE, "lost");
}

/* Of 1,000 pages, whose MemAvailable is unknown; more: what reserves of zones keep of them. */
static const char *of_unknown(uint64_t free, uint64_t kept, enum verdict *ret)
{
	struct summary s = {
		.ram_pages = 1000, .log_whole = true, .has_panic = true, .free = { free, true }
	};

	reserve = kept;
	STUB_OPEN(stub, .symbols = symbols, .memory = memory);
	view.dump = &stub.dump;
	report = (struct report){ .dump = &stub.dump,
				  .last_unknown = &report.unknown,
				  .tells_unknown = true };
	dump_info_end(&report.info, 4000000000, "run_queue", false);
	s.dump = &stub.dump;
	s.in = &in;
	s.report = &report;
	s.view = &view;
	s.of_case = &of_case;
	summary_verdict(&s);
	*ret = s.verdict;
	return s.first[SECTION_VERDICT]->remark;
}

/* That memory was not short is a claim: what could be had at least must be enough. */
static void available_unknown(void)
{
	enum verdict verdict;

	CHECK_TEXT(of_unknown(60, 40, &verdict),
		   "unknown whether memory was short: 240.0K of 3.9M was free, 6.0%, MemAvailable "
		   "is unknown; the log has no report that memory ran out");
	CHECK(verdict == VERDICT_UNKNOWN);
	/* So is that it was: all that is not free may be page cache. */
	CHECK(strstr(of_unknown(10, 0, &verdict), "unknown whether memory was short: "));
	CHECK(strstr(of_unknown(800, 790, &verdict), "unknown whether memory was short: "));
	CHECK(strstr(of_unknown(800, 100, &verdict), "memory was not short: 3.1M of 3.9M was"));
	CHECK(verdict == VERDICT_NOT_SHORT);
	/* Free pages above the reserves are no zone that serves the kernel. */
	CHECK(strstr(of_unknown(300, 100, &verdict),
		     "unknown whether memory was short: 1.2M of 3.9M was free, 30.0%, whether a "
		     "zone would serve the kernel is unknown; "));
}

TESTS({ "MemAvailable that is unknown", available_unknown })
