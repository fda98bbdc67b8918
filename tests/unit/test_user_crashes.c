// SPDX-License-Identifier: GPL-2.0-or-later
/* Processes that ended by an exception of their own, by name. */
#include "log/user_crashes.h"
#include "log_records.h"
#include "test.h"

static struct user_crashes read_lines(const char *const *lines, size_t n)
{
	struct kernel_record records[LOG_RECORDS];
	const struct kernel_log log = log_of(records, lines, n);
	struct user_crashes c;

	user_crashes_read(&log, &c);
	return c;
}

#define READ(...)                                        \
	read_lines((const char *const[]){ __VA_ARGS__ }, \
		   sizeof((const char *const[]){ __VA_ARGS__ }) / sizeof(char *))

static void crashes(void)
{
	struct user_crashes c = READ(
		"imgthumb[457]: segfault at c ip 0000000000401109 sp 00007ffe9f0 error 4 in imgthumb[401000+78000]",
		"traps: calcd[31] trap divide error ip:401136 sp:7ffd0 error:0 in calcd[401000+1000]",
		"imgthumb[461]: segfault at c ip 0000000000401109 sp 00007ffe9f0 error 4",
		"traps: imgthumb[462] general protection fault ip:4011 sp:7f error:0 in imgthumb[40+1]",
		"a b[7]: segfault at 0 ip 1 sp 2 error 4");

	CHECK(c.n == 3 && c.all[0].n == 3 && c.all[1].n == 1 && c.all[2].n == 1);
	CHECK_TEXT(c.all[0].comm, "imgthumb");
	CHECK(strstr(c.all[0].last->text, "[462]"));
	CHECK_TEXT(c.all[1].comm, "calcd");
	CHECK_TEXT(c.all[2].comm, "a b");
	c = READ("worker[12]: unhandled exception: DABT (lower EL), ESR 0x0000000092000006");
	CHECK(c.n == 1);
}

static void others(void)
{
	CHECK(!READ("[457]: segfault at c ip 1").n);
	CHECK(!READ("a[x]: segfault at c ip 1").n);
	CHECK(!READ("this is a name of a process that is too long[5]: segfault at c").n);
	CHECK(!READ("it's a trap [5] of words").n);
	CHECK(!READ("").n);
}

TESTS({ "crashes by name", crashes }, { "what is no such line", others })
