// SPDX-License-Identifier: GPL-2.0-or-later
/* The call trace of a report: who asked for memory, and in which system call. */
#include "oom/oom_trace.h"

#include "test.h"

static void check_trace(const char *const *frames, const char *function, const char *call)
{
	struct oom_report r = { 0 };

	for (; *frames; frames++)
		oom_trace_take(&r, *frames);
	CHECK_TEXT(r.function, function);
	CHECK_TEXT(r.system_call, call);
}

static void what_asked(void)
{
	static const char *const of_a_file[] = {
		" dump_stack+0x6b/0x83",
		" dump_header+0x4a/0x1f0",
		" out_of_memory.cold+0x5e/0x7e",
		" __alloc_pages_nodemask+0x2de/0x310",
		" allocate_slab+0x33e/0x470",
		" ? tomoyo_path+0x10/0x20",
		" __kmalloc_node+0xc5/0x2b0",
		" simple_xattr_alloc+0x2c/0x60",
		" path_setxattr+0xbe/0xe0",
		" __x64_sys_setxattr+0x27/0x30",
		" ? __x64_sys_getpid+0x27/0x30",
		" do_syscall_64+0x33/0x40",
		" entry_SYSCALL_64_after+0x67/0xd1",
		NULL,
	};
	/* A macro of the kernel's source alone; a packet is of whom it is for. */
	static const char *const of_a_macro[] = {
		" dump_stack_lvl+0x5d/0x80",	" __alloc_skb+0x14a/0x1a0",
		" audit_log_start+0x1b3/0x3b0", " __sys_sendto+0x1d7/0x1e0",
		" __do_sys_prctl+0x865/0xa60",	NULL
	};
	/* What an interrupt asked for is of no system call. */
	static const char *const of_an_interrupt[] = { " napi_build+0x10/0x20",
						       " asm_common_interrupt+0x26/0x40",
						       " __x64_sys_read+0x27/0x30", NULL };
	static const char *const of_a_fault[] = { " filemap_fault+0x1fb/0xd40",
						  " asm_exc_page_fault+0x26/0x30", NULL };

	check_trace(of_a_file, "simple_xattr_alloc", "setxattr");
	check_trace(of_a_macro, "audit_log_start", "prctl");
	check_trace(of_an_interrupt, "napi_build", "");
	check_trace(of_a_fault, "filemap_fault", "");
}

static void what_is_no_frame(void)
{
	struct oom_report r = { 0 };

	CHECK(!oom_trace_take(&r, "simple_xattr_alloc+0x2c/0x60"));
	CHECK(!oom_trace_take(&r, " ? __x64_sys_getpid+0x27/0x30"));
	CHECK(!oom_trace_take(&r, " Node 0 free: page+0x27"));
	CHECK(!oom_trace_take(&r, "") && !oom_trace_take(NULL, " </TASK>"));
	CHECK(oom_trace_take(NULL, " vgx_ioctl+0x154/0xd80 [vgx]"));
	CHECK(!*r.function && !*r.system_call && !*r.asked_in);
	/* A module whose name is cut is none. */
	CHECK(oom_trace_take(&r, " vgx_ioctl+0x154/0xd80 [vgx") && !*r.asked_in);
	CHECK(oom_trace_take(&r, " vgx_open+0x154/0xd80 [vgx 01234567]"));
	CHECK_TEXT(r.asked_in, "vgx_open [vgx]");
	CHECK_TEXT(r.function, "vgx_ioctl");
}

/* As other machines write a frame, and x86 up to 4.9. */
static void other_machines(void)
{
	static const struct {
		const char *frame, *module, *function;
	} forms[] = {
		{ " [<ffffffff8116c946>] vgx_ioctl+0x8e/0x214 [vgx]", "vgx_ioctl [vgx]",
		  "vgx_ioctl" },
		{ "[<c0243b8f>] (vgx_open [vgx]) from [<c0244777>] (vgx_ioctl+0x87/0xc40 [vgx])",
		  "vgx_ioctl [vgx]", "vgx_ioctl" },
		{ " vgx_open [vgx] from vgx_ioctl+0x10/0x20", "", "vgx_ioctl" },
		{ "[c000000007eeb370] [c00000000079cce0] vgx_ioctl+0xc4/0x114 [vgx]",
		  "vgx_ioctl [vgx]", "vgx_ioctl" },
		{ "[c000000007eeb370] [c00000000079cce0] vgx_ioctl+0xc4/0x114 (unreliable)", "",
		  "" },
		{ " [<ffffffff8116c946>] ? vgx_ioctl+0x8e/0x214 [vgx]", "", "" },
		{ " unwind_backtrace from show_stack+0x18/0x1c", "", "" },
	};

	for (size_t i = 0; i < sizeof(forms) / sizeof(*forms); i++) {
		struct oom_report r = { 0 };

		oom_trace_take(&r, forms[i].frame);
		CHECK_TEXT(r.asked_in, forms[i].module);
		CHECK_TEXT(r.function, forms[i].function);
	}
}

TESTS({ "who asked, in which system call", what_asked },
      { "what is no frame, or has a module", what_is_no_frame },
      { "forms of other machines", other_machines })
