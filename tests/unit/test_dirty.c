// SPDX-License-Identifier: GPL-2.0-or-later
/* Whether a disk that does not keep up comes before the lock that is waited for. */
#include "extensions/memowner/summary.h"
#include "extensions/memowner/verdict_words.h"
#include "collect/vm_settings.h"
#include "collect/stuck.h"
#include "stub.h"
#include "test.h"

static const struct disk vda = { .name = "vda" };
static struct stuck_disk slow, idle = { .disk = &vda };
static struct stuck_task holder = { .task = { .state = 'D' }, .disk = &slow },
			 waiter = { .holder = &holder };
static const struct oom_report oom;

static const char *told(struct summary *s, const struct stuck_task *lock, bool first)
{
	static char buf[512];
	struct strbuf b = strbuf_in(buf, sizeof(buf));
	const struct stuck all = { .disks = &slow, .has_requests = true };

	buf[0] = '\0';
	s->stuck_cause = NULL;
	summary_add_disks(s, &all, lock, first, &b);
	return buf;
}

static void begin(void)
{
	slow = (struct stuck_disk){ .disk = &vda, .waiting = 3 };
	slow.requests.old[1] = slow.requests.all_old = 20;
	slow.requests.oldest_ns = 25000000000;
	holder.disk = &slow;
	holder.disk_is_inferred = false;
	holder.task.state = 'D';
}

static void first_where_the_holder_waits_for_it(void)
{
	static const char words[] =
		"vda: 20 writes not completed, the oldest started 25.0s ago; 3 threads wait for it";
	STUB(stub);
	struct report report = { .dump = &stub.dump, .tells_unknown = true };
	struct summary s = { .dump = &stub.dump, .report = &report };

	report.last_unknown = &report.unknown;
	begin();
	CHECK_TEXT(told(&s, &waiter, true), words);
	CHECK(s.stuck_cause && !strcmp(s.stuck_cause, words));
	CHECK_TEXT(told(&s, &waiter, false), "");
	/* Without the lock, it is behind what locks say, and they are the cause. */
	CHECK_TEXT(told(&s, NULL, true), "");
	CHECK_TEXT(told(&s, NULL, false), words);
	CHECK(!s.stuck_cause);
	/* What waits to be written is not known of a kernel without counters. */
	CHECK(report.unknown && !strcmp(report.unknown->name, "pages that wait to be written"));
}

/* The holder waits for something else, or it is not certain, or memory ran out: the lock is first. */
static void behind_others(void)
{
	STUB(stub);
	struct report report = { .dump = &stub.dump, .tells_unknown = true };
	struct summary s = { .dump = &stub.dump, .report = &report };

	report.last_unknown = &report.unknown;
	for (int i = 0; i < 4; i++) {
		begin();
		s.last_report = i == 0 ? &oom : NULL;
		if (i == 1)
			holder.disk_is_inferred = true;
		if (i == 2)
			holder.disk = &idle;
		if (i == 3)
			holder.task.state = 'R';
		CHECK_TEXT(told(&s, &waiter, true), "");
		CHECK(*told(&s, &waiter, false));
	}
}

/* Nothing is at the disk of one that waits. */
static const char *idle_words(const struct stuck_task *t)
{
	STUB(stub);
	struct report report = { .dump = &stub.dump, .tells_unknown = true };
	struct summary s = { .dump = &stub.dump, .report = &report };
	static char buf[512];
	struct strbuf b = strbuf_in(buf, sizeof(buf));

	report.last_unknown = &report.unknown;
	buf[0] = '\0';
	CHECK(summary_add_idle_disk(&s, t, &b) == (b.len > 0));
	return buf;
}

static void idle_disks(void)
{
	struct stuck_disk disk = { .disk = &vda,
				   .has_requests = true,
				   .requests.is_counted = true };
	struct stuck_task t = { .task = { .pid = 107, .comm = "jbd2/vda-8" }, .disk = &disk };

	CHECK_TEXT(idle_words(&t),
		   "; no request is in flight at vda, for which jbd2/vda-8 (107) waits");
	disk.requests.held[0] = (struct maybe_u64){ 0, true };
	disk.requests.held[1] = (struct maybe_u64){ 28, true };
	CHECK_TEXT(idle_words(&t),
		   "; no request is in flight at vda, for which jbd2/vda-8 (107) waits: 28 writes "
		   "wait there for limits of cgroups (io.max or blkio.throttle)");
	t.disk_is_inferred = true;
	CHECK_TEXT(idle_words(&t), "");
	t.disk_is_inferred = false;
	disk.requests.n = 1;
	CHECK_TEXT(idle_words(&t), "");
	disk.requests.n = 0;
	disk.requests.is_counted = false;
	CHECK_TEXT(idle_words(&t), "");
	disk.requests.is_counted = true;
	disk.has_requests = false;
	CHECK_TEXT(idle_words(&t), "");
	t.disk = NULL;
	CHECK_TEXT(idle_words(&t), "");
}

/* Writing one of a pair sets the other to 0: of two that are not 0 it is not known what limits dirty pages. */
static void limits_that_contradict(void)
{
	struct vm_setting all[] = {
		{ .name = "vm.dirty_ratio", .value = "20", .has_changed = true },
		{ .name = "vm.dirty_bytes", .value = "0", .has_changed = true },
		{ .name = "vm.dirty_background_ratio", .value = "10" },
		{ .name = "vm.dirty_background_bytes", .value = "16" },
	};
	struct vm_settings s = { .all = all, .n = ARRAY_SIZE(all) };

	vm_settings_check(&s);
	CHECK(s.contradicted == 2 && !all[2].value && !all[3].value);
	CHECK_TEXT(all[0].value, "20");
	all[1].value = "77";
	vm_settings_check(&s);
	CHECK(s.contradicted == 4 && !all[0].value && !all[1].has_changed);
}

TESTS({ "limits that contradict each other", limits_that_contradict },
      { "a disk that has nothing to do", idle_disks },
      { "first where the holder of a lock waits for it", first_where_the_holder_waits_for_it },
      { "behind others", behind_others })
