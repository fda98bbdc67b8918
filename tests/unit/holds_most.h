/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A summary whose rows a test adds, and the sentence that is told of them. */
#pragma once

#include "memowner/case.h"
#include "memowner/summary.h"
#include "oom_head.h"
#include "pageowner/view.h"
#include "stub.h"
#include "tasks/task.h"
#include "test.h"

static struct stub stub;
static struct report report;
static struct oom_report oom;
static struct summary sum;

/* Pages of 4 KiB, 1000 of them; app (7) asked last. */
static struct summary *begin(enum verdict verdict)
{
	STUB_OPEN(stub);
	report = (struct report){ .dump = &stub.dump };
	oom = (struct oom_report){ .kind = OOM_REPORT_OOM,
				   NAMED_HEAD,
				   .has_order = true,
				   .comm = "app",
				   .pid = { true, 7 },
				   .ts_ns = 8000000000,
				   .outcome = OOM_PANICKED,
				   .scope = OOM_SCOPE_GLOBAL };
	dump_info_end(&report.info, 9000000000, "run_queue", false);
	sum = (struct summary){ .dump = &stub.dump,
				.report = &report,
				.verdict = verdict,
				.ram_pages = 1000,
				.has_tasks = true,
				.ran_out = &oom,
				.last_report = &oom,
				.asker_held = { 0, true } };
	return &sum;
}

static void process(const char *comm, int pid, uint64_t pages, const char *cgroup)
{
	SUMMARY_ADD(&sum, .section = SECTION_GROUP, .by = "command", .comm = comm, .cgroup = cgroup,
		    .pages = { pages, true }, .processes = { 1, true },
		    .pid = { (uint64_t)pid, true });
}

static inline void list(const char *by, const char *name, uint64_t pages, const char *charged)
{
	SUMMARY_ADD(&sum, .section = SECTION_HOLDER, .by = by, .name = name,
		    .pages = { pages, true }, .charged = charged);
}

static inline void cache(const char *name, uint64_t pages)
{
	SUMMARY_ADD(&sum, .section = SECTION_CACHE, .name = name, .pages = { pages, true });
}

static inline void root(const char *name, const char *module, uint64_t pages)
{
	SUMMARY_ADD(&sum, .section = SECTION_CANDIDATE, .by = "root", .name = name, .remark = name,
		    .module = module, .pages = { pages, true }, .confidence = { 997, true });
}

static inline void class(const char *name, uint64_t pages)
{
	SUMMARY_ADD(&sum, .section = SECTION_CLASS, .name = name, .pages = { pages, true });
}

/* The sentence of a section; "": none. */
/* Whether the first row of who has most says what frees it: rows end with the dump. */
static bool has_release;

static const char *told(enum section section)
{
	static char text[1024];

	summary_holds_most(&sum);
	summary_trigger(&sum);
	snprintf(text, sizeof(text), "%s", sum.first[section] ? sum.first[section]->remark : "");
	has_release = sum.first[SECTION_MOST] && sum.first[SECTION_MOST]->release;
	return text;
}
