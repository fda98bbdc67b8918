// SPDX-License-Identifier: GPL-2.0-or-later
/* What an exception came into: by the stack of the task that an interrupt came upon, by the work that a worker ran. */
#include "memowner/case.h"
#include "memowner/summary.h"
#include "memowner/verdict_words.h"
#include "stub.h"
#include "test.h"

static const struct frame entry = { .symbol = "asm_common_interrupt" },
			  handler = { .symbol = "daq_interrupt", .module = "daqcard" },
			  own = { .symbol = "daq_write", .module = "daqcard" },
			  outer = { .symbol = "dev_write", .module = "other" },
			  plain = { .symbol = "vfs_write" };

/* What the verdict says of the exception of task 5. */
static const char *told(struct statement *row, const struct stuck_task *t)
{
	static char text[512];
	static struct strbuf b;
	STUB(s);
	struct summary sum = { .dump = &s.dump, .first[SECTION_EXCEPTION] = row, .beside = { 5 } };
	const struct stuck all = { .first = (struct stuck_task *)t };

	row->name = "bug";
	row->pid = (struct maybe_u64){ 5, true };
	row->comm = "shotctl";
	row->context = NULL;
	summary_tell_threads(&sum, &all);
	b = strbuf_in(text, sizeof(text));
	summary_exception(row, &b);
	return text;
}

static const struct stack *stack_of(unsigned int n, const struct frame *const *frames)
{
	static const struct frame *room[8];
	static struct stack ret;

	memcpy(room, frames, n * sizeof(*frames));
	ret = (struct stack){ .n = n, .frames = room };
	return &ret;
}

static void of_an_interrupt(void)
{
	const struct frame *const all[] = { &handler, &entry, &own, &outer, &plain };
	struct stuck_task t = { .task = { .pid = 5, .tgid = 5 }, .stack = stack_of(5, all) };
	struct statement row = { .ip_symbol = "daq_push+0x54/0x60 [daqcard]",
				 .is_interrupted = true };

	CHECK_TEXT(told(&row, &t), "bug, in daq_push+0x54/0x60 [daqcard], in an interrupt; it "
				   "interrupted shotctl (5) in daq_write [daqcard]");
	/* Of the kernel itself, or where it is not known where the interrupt came. */
	t.stack = stack_of(3, (const struct frame *const[]){ &handler, &entry, &plain });
	CHECK(!strstr(told(&row, &t), "shotctl (5) in "));
	t.stack = stack_of(2, (const struct frame *const[]){ &handler, &own });
	CHECK(!strstr(told(&row, &t), "shotctl (5) in "));
	t.stack = NULL;
	CHECK(!strstr(told(&row, &t), "shotctl (5) in "));
}

static void of_a_work(void)
{
	struct stuck_work work = { .address = 0xffffffffc017c030, .is_gone = true };
	const struct stuck_task t = { .task = { .pid = 5, .tgid = 5 }, .work = &work };
	struct statement row = { .ip_symbol = "0xffffffffc017c012",
				 .address = { 0xffffffffc017c012, true },
				 .unloaded = "fanmon" };

	CHECK_TEXT(
		told(&row, &t),
		"bug, address 0xffffffffc017c012, task shotctl (5), which jumped there, where no "
		"code is; the function of the work that it ran was at 0xffffffffc017c030, in no "
		"module that is loaded; the module that was unloaded last is fanmon");
	/* Of a module without names, or not all modules are known. */
	work.is_gone = false;
	CHECK(!strstr(told(&row, &t), "the work that it ran"));
	work.is_of_module = true;
	CHECK(!strstr(told(&row, &t), "the work that it ran"));
	work = (struct stuck_work){ .address = 0xffffffffc017c030, .function = "fan_poll" };
	CHECK(!strstr(told(&row, &t), "the work that it ran"));
}

/* Beside a CPU that spun for a lock: what the others ran; the first is thread 5. */
static const char *beside(const struct stuck_task *t, struct tainting_module *modules,
			  int32_t second)
{
	static char text[512];
	STUB(s);
	const struct summary_case of_case = { .modules = { .first = modules } };
	struct summary sum = { .dump = &s.dump,
			       .of_case = &of_case,
			       .beside = { 5, second },
			       .panic_cause = "CPU 1 stalled" };
	const struct stuck all = { .first = (struct stuck_task *)t };

	summary_tell_threads(&sum, &all);
	snprintf(text, sizeof(text), "%s", sum.panic_cause);
	return text;
}

static void who_likely_has_the_lock(void)
{
	static const struct frame spins = { .symbol = "native_queued_spin_lock_slowpath" };
	struct tainting_module drv = { .name = "daqcard", .letters = "OE" };
	struct stuck_task t = { .task = { .pid = 5, .tgid = 5, .comm = "shotctl" },
				.stack = stack_of(2,
						  (const struct frame *const[]){ &own, &plain }) };

	CHECK_TEXT(beside(&t, &drv, 0),
		   "CPU 1 stalled; shotctl (5) was in daq_write [daqcard], and "
		   "likely has that lock");
	/* Another CPU ran something as well; the module is of the kernel's source. */
	CHECK_TEXT(beside(&t, &drv, 6), "CPU 1 stalled; shotctl (5) was in daq_write [daqcard]");
	CHECK_TEXT(beside(&t, NULL, 0), "CPU 1 stalled; shotctl (5) was in daq_write [daqcard]");
	t.stack = stack_of(2, (const struct frame *const[]){ &spins, &own });
	CHECK_TEXT(beside(&t, &drv, 0),
		   "CPU 1 stalled; shotctl (5) was in daq_write [daqcard], and "
		   "spun for a lock too");
}

/* Thread 5 was on the other CPU; 6 spun, and its CPU stalled. */
static void who_has_the_lock_of_one_module(void)
{
	static const struct frame spins = { .symbol = "native_queued_spin_lock_slowpath" };
	static const struct frame reads = { .symbol = "daq_status", .module = "daqcard" };
	const struct frame *has[] = { &own, &plain }, *wants[] = { &spins, &reads };
	const struct stack stack = { .n = 2, .frames = has }, other = { .n = 2, .frames = wants };
	struct stuck_task two = { .task = { .pid = 6, .tgid = 6, .comm = "daqstat" },
				  .stack = &other };
	struct stuck_task one = { .next = &two,
				  .task = { .pid = 5, .tgid = 5, .comm = "shotctl" },
				  .stack = &stack };
	struct tainting_module drv = { .name = "daqcard", .letters = "OE" };
	const struct summary_case of_case = { .modules = { .first = &drv } };
	const struct stuck all = { .first = &one };
	struct statement panic = { .pid = { 6, true }, .cpu = { 1, true } };
	STUB(s);
	struct summary sum = { .dump = &s.dump,
			       .of_case = &of_case,
			       .beside = { 5 },
			       .is_stalled = true,
			       .first[SECTION_PANIC] = &panic,
			       .panic_cause = "CPU 1 stalled" };

	summary_tell_threads(&sum, &all);
	CHECK_TEXT(sum.panic_cause,
		   "shotctl (5) likely has the lock that CPU 1 spun for, both in module daqcard: "
		   "it was in daq_write, daqstat (6) in daq_status; CPU 1 stalled");
	/* What spun was called by another module. */
	wants[1] = &outer;
	sum.panic_cause = "CPU 1 stalled";
	summary_tell_threads(&sum, &all);
	CHECK_TEXT(sum.panic_cause, "CPU 1 stalled; shotctl (5) was in daq_write [daqcard], and "
				    "likely has that lock");
}

/* The kernel died in a driver as another thread was inside it. */
static void who_was_in_the_same_module(void)
{
	static const struct frame sleeps = { .symbol = "msleep" };
	struct tainting_module drv = { .name = "daqcard", .letters = "OE" };
	const struct summary_case of_case = { .modules = { .first = &drv } };
	struct stuck_task t = { .task = { .pid = 7, .tgid = 7, .comm = "init", .state = 'D' },
				.function = &sleeps,
				.module_frame = &own,
				.has_since = true,
				.since_ns = 99983000000 };
	const struct stuck all = { .first = &t };
	struct statement row = { .name = "page_fault",
				 .ip_symbol = "daq_push+0x54/0x60 [daqcard]",
				 .pid = { 5, true } };
	STUB(s);
	struct report report = { .dump = &s.dump };
	struct summary sum = { .dump = &s.dump,
			       .report = &report,
			       .of_case = &of_case,
			       .first[SECTION_EXCEPTION] = &row };

	dump_info_end(&report.info, 100000000000, "run_queue", false);
	summary_tell_threads(&sum, &all);
	CHECK_TEXT(row.brief, "init (7) was in daq_write [daqcard] of the same module, asleep in "
			      "msleep for 17ms");
	/* A thread of the driver that has waited for its work for long. */
	row.brief = NULL;
	t.task.state = 'S';
	t.since_ns = 10000000000;
	summary_tell_threads(&sum, &all);
	CHECK(!row.brief);
	/* A module of the kernel's source has many users. */
	t.since_ns = 99983000000;
	drv.letters = "";
	summary_tell_threads(&sum, &all);
	CHECK(!row.brief);
	/* The thread that died itself. */
	drv.letters = "OE";
	t.task.pid = 5;
	summary_tell_threads(&sum, &all);
	CHECK(!row.brief);
}

TESTS({ "of an interrupt", of_an_interrupt }, { "of a work", of_a_work },
      { "who likely has the lock", who_likely_has_the_lock },
      { "who has the lock of one module", who_has_the_lock_of_one_module },
      { "who was in the same module", who_was_in_the_same_module })
