// SPDX-License-Identifier: GPL-2.0-or-later
/* What programs logged of processes that were killed: their words, written for this. */
#include <string.h>

#include "log/user_kills.h"
#include "test.h"

static const char *told(const char *line, enum user_kill_kind kind)
{
	static struct user_kills all;

	memset(&all, 0, sizeof(all));
	return user_kills_line(&all, line) && all.of[kind].n == 1 ? all.of[kind].text : "";
}

static void each_program(void)
{
	static const char unit[] =
		"Nov 30 10:00:00 web1 systemd[1]: php.service: A process of this unit has been "
		"killed by the OOM killer.";

	CHECK_TEXT(told(unit, USER_KILL_UNIT), "the OOM killer killed a process of php.service");
	CHECK_TEXT(told("Nov 30 10:00:05 web1 systemd-oomd[400]: Killed /user.slice/x.scope due to "
			"memory pressure for /user.slice being 60.00% > 50.00% for > 20s with "
			"reclaim activity",
			USER_KILL_OOMD),
		   "systemd-oomd killed /user.slice/x.scope");
	CHECK_TEXT(
		told("Nov 30 10:00:04 web1 earlyoom[300]: sending SIGTERM to process 555 uid 1000 "
		     "\"chrome\": badness 900, VmRSS 300 MiB",
		     USER_KILL_EARLYOOM),
		"earlyoom sent SIGTERM to chrome (555)");
	CHECK_TEXT(
		told("earlyoom[3]: sending SIGKILL to process 56 \"a b\": badness 9, VmRSS 30 MiB",
		     USER_KILL_EARLYOOM),
		"earlyoom sent SIGKILL to a b (56)");
	CHECK_TEXT(
		told("11-30 10:00:06.342   710   710 I lowmemorykiller: Kill 'com.a.b' (179), uid "
		     "10446, oom_score_adj 900 to free 140528kB rss, 37404kB swap",
		     USER_KILL_LMKD),
		"lowmemorykiller killed com.a.b (179)");
	CHECK_TEXT(told("[   12.345678] lowmemorykiller: Killing 'foo' (77), adj 900,",
			USER_KILL_LMKD),
		   "lowmemorykiller killed foo (77)");
}

static void what_is_none(void)
{
	static const char *const lines[] = {
		/* Words of others, and of themselves that tell no kill. */
		"Nov 30 10:00:00 web1 app[1]: php.service: A process of this unit has been killed by "
		"the OOM killer.",
		"Nov 30 10:00:00 web1 mysystemd[1]: a: A process of this unit has been killed by the "
		"OOM killer.",
		"Nov 30 10:00:00 web1 systemd[1]: a b: A process of this unit has been killed by the "
		"OOM killer.",
		"Nov 30 10:00:05 web1 systemd-oomd[400]: Killed x due to memory pressure",
		"Nov 30 10:00:05 web1 systemd-oomd[400]: Considered 97 cgroups for killing",
		"Nov 30 10:00:04 web1 earlyoom[300]: sending SIGTERM when mem <= 10.00%",
		"Nov 30 10:00:04 web1 earlyoom[300]: sending SIGTERM to process 555 uid 1000 \"chr",
		"11-30 10:00:06.342   710   710 I lowmemorykiller: Kill 'com.a.b' (",
	};
	struct user_kills all = { 0 };

	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++)
		CHECK(!user_kills_line(&all, lines[i]));
	for (int kind = 0; kind < USER_KILL_KINDS; kind++)
		CHECK(!all.of[kind].n);
}

TESTS({ "systemd, systemd-oomd, earlyoom, lowmemorykiller", each_program },
      { "words of others, and lines that are cut", what_is_none })
