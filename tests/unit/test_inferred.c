// SPDX-License-Identifier: GPL-2.0-or-later
/* When the summary looks for owners by pointers. */
#include "memowner/case.h"
#include "memowner/limits.h"
#include "memowner/summary.h"
#include "oom/oom_report.h"
#include "test.h"

static uint64_t classes[PAGE_CLASSES];
static struct oom_report oom;

static bool looks(uint64_t direct, int order)
{
	struct summary s = { .ram_pages = 1000, .has_classes = true, .classes = classes };

	classes[CLASS_DIRECT] = direct;
	oom = (struct oom_report){ .kind = OOM_REPORT_OOM, .has_order = true, .order = order };
	s.ran_out = order < 0 ? NULL : &oom;
	return summary_lacks_owners(&s);
}

static void of_direct_pages(void)
{
	const uint64_t high = limit(LIMIT_CLASS + CLASS_DIRECT), some = limit(LIMIT_HOLDER);

	CHECK(some < high);
	CHECK(looks(high, 0) && looks(high, -1) && !looks(high - 1, 0));
	/* Fewer pages lie in the way of a block. */
	CHECK(looks(some, 2) && !looks(some, 0) && !looks(some - 1, 2));
	/* And fewer still where much is free. */
	classes[CLASS_BUDDY] = limit(LIMIT_OTHER_FREE);
	CHECK(looks(limit(LIMIT_SHOWN), 3) && !looks(limit(LIMIT_SHOWN) - 1, 3) &&
	      !looks(some - 1, 0));
	classes[CLASS_BUDDY]--;
	CHECK(!looks(some - 1, 3));
}

TESTS({ "direct pages, where a block was asked for too", of_direct_pages })
