// SPDX-License-Identifier: GPL-2.0-or-later
/* Requests that vm.overcommit_memory refused, in the forms of 6.2, 6.7 and 6.10. */
#include "log/commit_refusal.h"

#include <stdlib.h>

#include "log_text.h"
#include "test.h"

static const char *refused(const char *text)
{
	static char ret[512];
	struct commit_refusals r;
	struct strbuf b = STRBUF_OF(512);

	if (read_text(text) != ST_OK)
		return "unread";
	commit_refusals_read(&file.log, &r);
	commit_refusals_text(&r, 4, &b);
	if (r.suppressed)
		strbuf_add(&b, " (%lu)", r.suppressed);
	snprintf(ret, sizeof(ret), "%u: %s", r.n, b.buf);
	return ret;
}

#define LINE(second, pid, comm, rest) \
	"[    " second ".000000] __vm_enough_memory: pid: " pid ", comm: " comm rest "\n"

static void forms(void)
{
	CHECK_TEXT(refused(LINE("1", "9", "xz", ", no enough memory for the allocation")),
		   "1: xz (9)");
	CHECK(strstr(record(0), "xz"));
	CHECK_TEXT(refused(LINE("1", "9", "a.out", ", not enough memory for the allocation")),
		   "1: a.out (9)");
	CHECK_TEXT(refused(LINE("1", "9", "a, b",
				", bytes: 1073741824 not enough memory for the allocation")),
		   "1: a, b (9) 1.000G");
	/* The line is cut, or another one. */
	CHECK_TEXT(refused(LINE("1", "9", "xz", ", no enough memory for")), "0: ");
	CHECK_TEXT(refused(LINE("1", "9", "a name of more than 16",
				", not enough memory for the allocation")),
		   "0: ");
	CHECK_TEXT(refused(LINE("1", "x", "xz", ", not enough memory for the allocation")), "0: ");
}

static void several(void)
{
	static char text[4096];
	size_t len = 0;

	CHECK_TEXT(
		refused(LINE("1", "9", "a", ", bytes: 8192 not enough memory for the allocation")
				LINE("2", "8", "b",
				     ", bytes: 4096 not enough memory for the allocation")
					LINE("3", "9", "a",
					     ", bytes: 4096 not enough memory for the allocation")),
		"3: a (9) up to 8.0K 2 times, b (8) 4.0K");
	CHECK_TEXT(
		refused(LINE(
			"1", "9", "a",
			", bytes: 8192 not enough memory for the allocation") "[    9.000000] __vm_enough_memory: 12 callbacks suppressed\n"),
		"1: a (9) 8.0K (12)");
	for (unsigned int i = 1; i <= 6; i++)
		len += (size_t)snprintf(
			text + len, sizeof(text) - len,
			LINE("7", "%u", "p", ", bytes: 4096 not enough memory for the allocation"),
			i);
	CHECK_TEXT(refused(text), "6: p (6) 4.0K, p (5) 4.0K, p (4) 4.0K, p (3) 4.0K and others");
}

TESTS({ "forms", forms }, { "several", several })
