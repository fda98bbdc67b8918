// SPDX-License-Identifier: GPL-2.0-or-later
/* When the summary looks for owners by pointers. */
#include "memowner/case.h"
#include "memowner/limits.h"
#include "memowner/lost_size.h"
#include "memowner/summary.h"
#include "oom/oom_report.h"
#include "stub.h"
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

static struct stub stub;

/* Modules out of tree that are told as candidates, of two; other: the first row by pointers is of a third one. */
static unsigned int candidates(const char *by, const char *name, const char *module)
{
	struct tainting_module second = { .name = "camfx", .letters = "OE" };
	struct tainting_module first = { .name = "ringdrv", .letters = "OE", .next = &second };
	struct summary_case of_case = { .has_modules = true, .modules.first = &first };
	struct summary s = { .ram_pages = 1000,
			     .has_classes = true,
			     .classes = classes,
			     .of_case = &of_case,
			     .inferred_module = "drm" };
	unsigned int n = 0;

	STUB_OPEN(stub);
	s.dump = &stub.dump;
	memset(classes, 0, sizeof(classes));
	classes[CLASS_DIRECT] = limit(LIMIT_CLASS + CLASS_DIRECT);
	if (by)
		SUMMARY_ADD(&s, .section = module ? SECTION_CANDIDATE : SECTION_HOLDER, .by = by,
			    .name = name, .module = module, .pages = { 90, true });
	CHECK(summary_candidates(&s) == ST_OK);
	for (const struct statement *row = s.first[SECTION_CANDIDATE]; row; row = row->next)
		n += !strcmp(row->by, "module");
	return n;
}

/* Who has it by pointers, or mapped it, is told by that: no guess beside it. */
static void of_modules(void)
{
	CHECK(candidates(NULL, NULL, NULL) == 2);
	CHECK(candidates("root", "bufs [ringdrv]", "ringdrv") == 1);
	CHECK(candidates("root", "bufs [other]", "other") == 2);
	CHECK(candidates("vmap", "map_pages [camfx]", NULL) == 1);
	CHECK(candidates("vmap", "map_pages [camfx2]", NULL) == 2);
}

/* Whose request was of the size that what is lost has. */
static void of_a_size(void)
{
	struct tainting_module module = { .name = "ringdrv", .letters = "OE" };
	struct summary_case of_case = { .has_modules = true, .modules.first = &module };
	struct summary s = { .ram_pages = 1000,
			     .has_classes = true,
			     .classes = classes,
			     .of_case = &of_case,
			     .ran_out = &oom,
			     .lost_order = 3 };

	STUB_OPEN(stub);
	s.dump = &stub.dump;
	CHECK(lost_order(s.dump, 32768) == 3 && !lost_order(s.dump, 4096) &&
	      !lost_order(s.dump, 24576) && !lost_order(s.dump, 96));
	memset(classes, 0, sizeof(classes));
	classes[CLASS_DIRECT] = limit(LIMIT_CLASS + CLASS_DIRECT);
	for (int order = 2; order <= 3; order++) {
		oom = (struct oom_report){ .kind = OOM_REPORT_OOM,
					   .has_order = true,
					   .order = order,
					   .asked_in = "ring_read [ringdrv]" };
		CHECK(summary_asked_for_lost(&s, summary_asked_in(&s)) == (order == 3));
		CHECK(summary_candidates(&s) == ST_OK);
		CHECK(strstr(
			s.last[SECTION_CANDIDATE]->remark,
			order == 3
				? "; memory ran out in ring_read [ringdrv], which asked for "
				  "order 3, 32.0K, as most of those have to which no root leads; "
				: "; memory ran out in ring_read [ringdrv]; "));
		CHECK_TEXT(summary_doubt(s.last[SECTION_CANDIDATE]),
			   order == 3 ? "candidate, medium confidence"
				      : "candidate, low confidence");
	}
	/* Others than a module ask for blocks of any size. */
	snprintf(oom.asked_in, sizeof(oom.asked_in), "alloc_skb");
	CHECK(!summary_asked_for_lost(&s, summary_asked_in(&s)));
}

TESTS({ "a request of the size that lost blocks have", of_a_size },
      { "modules that are known to have memory are no candidates", of_modules },
      { "direct pages, where a block was asked for too", of_direct_pages })
