// SPDX-License-Identifier: GPL-2.0-or-later
/* Who asked last, where a module has most; what is charged by its file system. */
#include "holds_most.h"

static const char *asked(const char *function, int order, bool known)
{
	begin(VERDICT_RAN_OUT);
	snprintf(oom.asked_in, sizeof(oom.asked_in), "%s", function);
	oom.order = order;
	root("ring [drv]", "drv", 400);
	class("direct", 400);
	sum.asker_pages = (struct maybe_u64){ 20, known };
	return told(SECTION_TRIGGER);
}

static void in_the_holder(void)
{
	CHECK_TEXT(asked("drv_open [drv]", 3, true),
		   "app (7) asked last (for order 3, in drv_open [drv] of the holder); it has "
		   "80.0K of anonymous memory");
	CHECK_TEXT(asked("drv_work [drv]", 0, false),
		   "app (7) asked last (in drv_work [drv] of the holder)");
	CHECK_TEXT(asked("drv_work [drv2]", 0, false),
		   "app (7) asked last; what it holds is unknown");
	CHECK_TEXT(asked("", 1, true),
		   "app (7) asked last (for order 1); it has 80.0K of anonymous memory");
}

/* Who has the memory may be told by what was asked for. */
static const char *called(const char *function, const char *call, int order)
{
	begin(VERDICT_RAN_OUT);
	snprintf(oom.function, sizeof(oom.function), "%s", function);
	snprintf(oom.system_call, sizeof(oom.system_call), "%s", call);
	oom.order = order;
	sum.asker_pages = (struct maybe_u64){ 20, true };
	return told(SECTION_TRIGGER);
}

static void in_a_system_call(void)
{
	CHECK_TEXT(called("simple_xattr_alloc", "setxattr", 0),
		   "app (7) asked last (in simple_xattr_alloc, system call setxattr); it has "
		   "80.0K of anonymous memory");
	CHECK_TEXT(
		called("", "setxattr", 0),
		"app (7) asked last (in system call setxattr); it has 80.0K of anonymous memory");
	CHECK_TEXT(called("pipe_write", "write", 2),
		   "app (7) asked last (for order 2, in pipe_write, system call write); it has "
		   "80.0K of anonymous memory");
	/* A page fault is of anybody. */
	CHECK_TEXT(called("filemap_fault", "", 0),
		   "app (7) asked last; it has 80.0K of anonymous memory");
}

/* A thread of the kernel: by its flag, for a process may have its name. */
static void a_kernel_thread(void)
{
	struct task t = { .pid = 7, .tgid = 7, .is_kthread = true, .comm = "kswapd0" };

	for (unsigned int i = 0; i < 2; i++) {
		begin(VERDICT_RAN_OUT);
		t.is_kthread = !i;
		summary_take_asker(&sum, &t, NULL);
		CHECK_TEXT(told(SECTION_TRIGGER),
			   i ? "app (7) asked last; what it holds is unknown"
			     : "app (7) asked last; it has no anonymous memory");
	}
}

/* Deleted files of a cgroup that a process elsewhere keeps. */
static void kept_elsewhere(void)
{
	for (int i = 0; i < 2; i++) {
		begin(VERDICT_CGROUP);
		sum.limit_path = "/spool";
		sum.limit_pages = 200;
		list("tmpfs", "[tmpfs, not mounted]", 199, i ? "/spool" : "/other");
		list("held", "systemd (1)", 190, NULL);
		sum.last[SECTION_HOLDER]->within = "[tmpfs, not mounted]";
		sum.last[SECTION_HOLDER]->memory = 1U << CLASS_SHMEM;
		sum.last[SECTION_HOLDER]->remark = "24 deleted files that it alone keeps";
		process("a", 3, 30, "/spool");
		cache("dentry", 5);
		CHECK_TEXT(told(SECTION_MOST),
			   i ? "systemd (1): 760.0K, 95.0% of the limit (24 deleted files that it "
			       "alone keeps)"
			     : "a (3) of spool: 120.0K, 15.0% of the limit");
	}
}

/* What a process had before it came into the cgroup is charged elsewhere; a limit that was lowered is no measure. */
static void charged_elsewhere(void)
{
	for (int i = 0; i < 2; i++) {
		begin(VERDICT_CGROUP);
		sum.limit_path = "/spool";
		sum.limit_pages = 200;
		oom.memory.usage_kib = (struct log_number){ .known = true,
							    .value = i ? 4000 : 800 };
		process("a", 3, 935, "/spool");
		CHECK_TEXT(
			told(SECTION_MOST),
			i ? "a (3) of spool: 3.7M, 467.5% of the limit"
			  : "a (3) of spool: 3.7M; at most 800.0K of it is charged to the cgroup, "
			    "the rest elsewhere");
	}
}

/* Where a setting keeps what is free nobody has it, however much who asked has. */
static void by_a_setting(void)
{
	begin(VERDICT_KEPT);
	sum.kept_by_setting = 400;
	sum.asker_pages = (struct maybe_u64){ 300, true };
	CHECK_TEXT(told(SECTION_MOST),
		   "no process: the setting vm.min_free_kbytes keeps free 1.6M, 40.0% of RAM");
	begin(VERDICT_KEPT);
	sum.kept_by_setting = 400;
	sum.asker_pages = (struct maybe_u64){ 300, true };
	CHECK_TEXT(told(SECTION_TRIGGER), "app (7) asked last; it has 1.2M of anonymous memory");
	begin(VERDICT_KEPT);
	CHECK_TEXT(told(SECTION_MOST), "");
}

TESTS({ "a thread of the kernel", a_kernel_thread },
      { "a function of the holder asked", in_the_holder },
      { "a system call in which it asked", in_a_system_call },
      { "files that a process of another cgroup keeps", kept_elsewhere },
      { "what is charged elsewhere", charged_elsewhere },
      { "memory that a setting keeps", by_a_setting })
