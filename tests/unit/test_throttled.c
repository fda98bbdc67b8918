// SPDX-License-Identifier: GPL-2.0-or-later
/* The cgroup above memory.high whose tasks wait: which one, and what is told of it. */
#include "memowner/case.h"
#include "oom/oom_report.h"
#include "memowner/summary.h"
#include "stub.h"
#include "test.h"

static struct stub stub;
static struct summary_case of_case;

static unsigned int full(void)
{
	unsigned int i = 0;

	while (strcmp(psi_kinds[i].enumerator, "PSI_MEM_FULL") != 0)
		i++;
	return i;
}

static struct summary ready(struct pressure_line *lines, size_t n)
{
	STUB_OPEN(stub);
	return (struct summary){ .dump = &stub.dump,
				 .ram_pages = 10000,
				 .of_case = &of_case,
				 .log_whole = true,
				 .free = { 5000, true },
				 .throttled = { .is_read = true,
						.pressure = { .lines = lines, .n = n } } };
}

static const char *text(const struct summary *s)
{
	static char buf[512];
	struct strbuf b = strbuf_in(buf, sizeof(buf));

	throttled_add_text(s, &b);
	return buf;
}

static void which(void)
{
	struct pressure_line lines[] = {
		{ .cgroup = "/web",
		  .kind = full(),
		  .has_age = true,
		  .has_now = true,
		  .now = { .avg = { 7542 } } },
		{ .cgroup = "/db",
		  .kind = full(),
		  .has_age = true,
		  .has_now = true,
		  .now = { .avg = { limit(LIMIT_PRESSURE) - 1 } } },
		{ .cgroup = "/old",
		  .kind = full(),
		  .has_age = true,
		  .age_ns = 45000000000,
		  .recorded = { .avg = { 8001 } } },
	};
	struct summary s = ready(lines, 3);

	/* It is at its memory.high and waits for nothing, or its name is unknown. */
	throttled_add(&s, "/db", 1300, 1000, false);
	throttled_add(&s, NULL, 1300, 1000, false);
	CHECK(!s.throttled.path);
	throttled_add(&s, "/web", 1000, 1000, false);
	CHECK_TEXT(text(&s), "cgroup /web is throttled: 3.9M, at its memory.high of 3.9M, its PSI "
			     "memory full avg10 75.42");
	throttled_add(&s, "/old", 1001, 1000, false);
	CHECK_TEXT(text(&s), "cgroup /old is throttled: 3.9M, over its memory.high of 3.9M, its "
			     "PSI memory full avg10 80.01, as of 45.0s before the end");
	throttled_add(&s, "/web", 1300, 1000, false);
	s.throttled.threads = 2;
	s.throttled.first = "web-1 (7)";
	CHECK(strstr(text(&s), "cgroup /old is") &&
	      strstr(text(&s), "; web-1 (7) and 1 other thread sleep for that"));
	s.tasks_missing = true;
	CHECK(strstr(text(&s), "; web-1 (7) and at least 1 other thread sleep for that"));
	s.tasks_missing = false;
	/* Without PSI the charge tells, as reclaim keeps it below. */
	s = ready(NULL, 0);
	throttled_add(&s, "/web", 1000 + limit(LIMIT_CGROUP), 1000, false);
	CHECK(!s.throttled.path);
	throttled_add(&s, "/web", 1001 + limit(LIMIT_CGROUP), 1000, false);
	throttled_add(&s, "/db", 1300, 1000, false);
	throttled_add(&s, "/web", 1299, 1000, false);
	CHECK_TEXT(text(&s), "cgroup /db is throttled: 5.1M, over its memory.high of 3.9M");
}

/* What else ended the machine, or ran out, is the matter then. */
static void taken(void)
{
	static struct report report;
	static const struct oom_report oom = { .kind = OOM_REPORT_OOM };

	for (int i = 0; i < 5; i++) {
		struct summary s = ready(NULL, 0);

		s.report = &report;
		throttled_add(&s, "/web", 1300, 1000, false);
		s.is_oops = i == 1;
		s.free.n = i == 2 ? 10 : 5000;
		s.ran_out = s.last_report = i == 3 ? &oom : NULL;
		s.limit_path = i == 4 ? "/other" : NULL;
		throttled_take(&s);
		CHECK((s.limit_path == s.throttled.path) == !i);
		CHECK(i || (s.limit_pages == 1000 && s.limit_usage.n == 1300));
	}
}

/* One at memory.max: its PSI tells whether reclaim keeps it there at a price. */
static void at_max(void)
{
	struct pressure_line lines[] = {
		{ .cgroup = "/db",
		  .kind = full(),
		  .has_age = true,
		  .has_now = true,
		  .now = { .avg = { 1208 } } },
	};
	struct summary s = ready(lines, 1);

	throttled_add(&s, "/web", 1000, 1000, true);
	CHECK(!s.throttled.path);
	throttled_add(&s, "/db", 999, 1000, true);
	CHECK_TEXT(text(&s), "cgroup /db is at its limit and reclaims: 3.9M, at its memory.max of "
			     "3.9M, its PSI memory full avg10 12.08");
	throttled_take(&s);
	CHECK(s.limit_path && s.limit_pages == 1000 && s.limit_usage.n == 999);
	/* Full of page cache, as any limit is that files reach; not where the OOM killer ran, or it must be written first. */
	s.throttled.cache = 900;
	CHECK(!throttled_is_cache(&s));
	s.throttled.no_oom = true;
	CHECK(strstr(text(&s),
		     "; 3.5M of it is page cache, which the kernel gives back, and no oom "
		     "is counted; its PSI"));
	s.throttled.unwritten = 450;
	CHECK(!throttled_is_cache(&s));
}

TESTS({ "which cgroup is throttled", which }, { "where it is the verdict", taken },
      { "a cgroup at memory.max", at_max })
