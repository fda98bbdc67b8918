// SPDX-License-Identifier: GPL-2.0-or-later
/* Hung tasks, lockups and stalls of RCU: each one, not the newest alone. */
#include "log/standstill.h"

#include <stdlib.h>

#include "log_text.h"
#include "test.h"

static struct standstills found;

static const char *told(const char *text, unsigned int i)
{
	static char ret[512];
	struct strbuf b = STRBUF_OF(256);

	CHECK(read_text(text) == ST_OK);
	standstills_read(&file.log, &found);
	if (i >= found.n)
		return "none";
	standstill_text(&found.all[i], &b);
	snprintf(ret, sizeof(ret), "%s %u: %s", standstill_name(&found.all[i]), found.all[i].lines,
		 b.buf);
	return ret;
}

#define HUNG(second, task, s) \
	"[  " second ".000000] INFO: task " task " blocked for more than " s " seconds.\n"

static void hung(void)
{
	static const char text[] = HUNG("100", "a: b:12", "120") HUNG("100", "nfsd:13", "120")
		HUNG("220", "a: b:12", "241");

	CHECK_TEXT(told(text, 0), "hung_task 2: task a: b (12) was blocked for more than 241 s");
	CHECK_TEXT(told(text, 1), "hung_task 1: task nfsd (13) was blocked for more than 120 s");
	CHECK(found.n == 2 && found.all[0].first->ts_ns == 100000000000 &&
	      found.all[0].last->ts_ns == 220000000000);
	/* A line that was cut names nobody. */
	CHECK_TEXT(told(HUNG("100", "nfsd", "120"), 0), "none");
}

static void cpus(void)
{
	static const char text[] =
		"[   10.000000] watchdog: BUG: soft lockup - CPU#1 stuck for 22s! [ksmd:41]\n"
		"[   12.000000] rcu: INFO: rcu_preempt detected stalls on CPUs/tasks:\n"
		"[   12.000000] rcu: \t2-...0: (1 GPs behind) idle=b1c/1/0x4000000000000000\n"
		"[   12.000000] \t(detected by 0, t=5252 jiffies, g=2269, q=45)\n"
		"[   20.000000] NMI watchdog: Watchdog detected hard LOCKUP on cpu 3\n"
		"[   38.000000] watchdog: BUG: soft lockup - CPU#1 stuck for 50s! [ksmd:41]\n";

	CHECK_TEXT(told(text, 0),
		   "soft_lockup 2: CPU 1 was stuck for 50 s in ksmd (41): a soft lockup");
	CHECK_TEXT(told(text, 1), "rcu_stall 1: CPU 2 was stuck: a stall of RCU");
	CHECK_TEXT(told(text, 2), "hard_lockup 1: CPU 3 was stuck: a hard lockup");
	CHECK(found.n == 3);
}

/* RCU names the CPU; who ran there stands in the backtrace of it, of another one behind. */
static void tasks_of_rcu(void)
{
	static const char self[] =
		"[   40.658042] rcu: INFO: rcu_preempt self-detected stall on CPU\n"
		"[   40.658042] rcu: \t1-....: (1 GPs behind) idle=a6b4/1/0x4000000000000000\n"
		"[   40.658042] \t(t=5251 jiffies g=-431 q=196 ncpus=2)\n"
		"[   40.658042] CPU: 1 PID: 114 Comm: sdr ring Not tainted 6.1.0-50 #1\n"
		"[   40.658042] RIP: 0033:0x401778\n";
	static const char other[] =
		"[   12.000000] rcu: INFO: rcu_preempt detected stalls on CPUs/tasks:\n"
		"[   12.000000] rcu: \t2-...0: (1 GPs behind) idle=b1c/1/0x4000000000000000\n"
		"[   12.000000] \t(detected by 0, t=5252 jiffies, g=2269, q=45)\n"
		"[   12.000000] Sending NMI from CPU 0 to CPUs 2:\n"
		"[   12.000000] CPU: 0 UID: 0 PID: 9 Comm: rcu_preempt Not tainted 6.12 #1\n"
		"[   12.000000] CPU: 2 UID: 0 PID: 97 Comm: poll Tainted: G OE 6.12 #1\n"
		"[   12.000000] RIP: 0010:spin+0x9/0x20 [drv]\n"
		"[   12.000000] RIP: 0033:0x401778\n";
	static const char task[] =
		"[   12.000000] rcu: INFO: rcu_preempt detected stalls on CPUs/tasks:\n"
		"[   12.000000] rcu: \tTasks blocked on level-0 rcu_node (CPUs 0-1): P45\n"
		"[   12.000000] \t(detected by 0, t=5252 jiffies, g=2269, q=45)\n"
		"[   12.000000] task:other           state:R  running task     stack:0 pid:44\n"
		"[   12.000000] task:reader          state:R  running task     stack:0 pid:45\n";

	CHECK_TEXT(told(self, 0),
		   "rcu_stall 1: CPU 1 was stuck in sdr ring (114), in user mode: a stall of RCU");
	CHECK_TEXT(told(other, 0), "rcu_stall 1: CPU 2 was stuck in poll (97): a stall of RCU");
	CHECK_TEXT(
		told(task, 0),
		"rcu_stall 1: a section of RCU's readers did not end in reader (45): a stall of RCU");
}

static void many(void)
{
	static char text[8192];
	size_t len = 0;

	for (unsigned int i = 0; i < STANDSTILLS + 3; i++)
		len += (size_t)snprintf(text + len, sizeof(text) - len, HUNG("100", "t:%u", "120"),
					i + 1);
	told(text, 0);
	CHECK(found.n == STANDSTILLS && found.more == 3 && found.all[0].pid.value == 1);
}

TESTS({ "hung tasks", hung }, { "CPUs", cpus }, { "tasks of RCU", tasks_of_rcu },
      { "more than are kept", many })
