// SPDX-License-Identifier: GPL-2.0-or-later
/* What `faults` decodes without a dump: error codes of processors, the text of an oops. */
#include "extensions/faults/view.h"
#include "kernel/dump_info.h"
#include "tasks/fault_code.h"
#include "log/oops.h"

#include "test.h"

struct code {
	const char *arch;
	uint64_t code;
	const char *text;
};

static void check_codes(const struct code *c, size_t n)
{
	char buf[FAULT_TEXT];

	for (size_t i = 0; i < n; i++)
		CHECK_TEXT(fault_code_text(c[i].arch, c[i].code, buf, sizeof(buf)), c[i].text);
}

static void test_x86_codes(void)
{
	static const struct code codes[] = {
		{ "x86_64", 0, "supervisor read, page not present" },
		{ "x86_64", 1, "supervisor read, protection violation" },
		{ "x86_64", 2, "supervisor write, page not present" },
		{ "x86_64", 3, "supervisor write, protection violation" },
		{ "x86_64", 4, "user read, page not present" },
		{ "x86_64", 6, "user write, page not present" },
		{ "x86_64", 7, "user write, protection violation" },
		{ "x86_64", 9,
		  "supervisor read, protection violation, reserved bit set in a page table" },
		{ "x86_64", 0x10, "supervisor instruction fetch, page not present" },
		{ "x86_64", 0x11, "supervisor instruction fetch, protection violation" },
		{ "x86_64", 0x15, "user instruction fetch, protection violation" },
		{ "x86_64", 0x25, "user read, protection violation, protection key" },
		{ "x86_64", 0x47, "user write, protection violation, shadow stack" },
		{ "x86_64", 0x8007, "user write, protection violation, SGX" },
		{ "x86_64", 0x80000006, "user write, page not present, SEV-SNP RMP" },
		{ "i686", 0x186, "user write, page not present, unknown bits 0x180" },
		{ "x86_64", 0x100000000006,
		  "user write, page not present, unknown bits 0x100000000000" },
		/* orig_ax behind the entry code, should a caller ever take it for a code */
		{ "x86_64", ~0ULL,
		  "user instruction fetch, protection violation, reserved bit set in a page table, "
		  "protection key, shadow stack, SGX, SEV-SNP RMP, unknown bits 0xffffffff7fff7f80" },
	};

	check_codes(codes, sizeof(codes) / sizeof(codes[0]));
}

static void test_arm64_codes(void)
{
	static const struct code codes[] = {
		{ "aarch64", 0x96000004, "supervisor read, translation fault, level 0" },
		{ "aarch64", 0x96000006, "supervisor read, translation fault, level 2" },
		{ "aarch64", 0x96000044, "supervisor write, translation fault, level 0" },
		{ "aarch64", 0x9600004f, "supervisor write, permission fault, level 3" },
		{ "aarch64", 0x92000046, "user write, translation fault, level 2" },
		{ "aarch64", 0x8600000f,
		  "supervisor instruction fetch, permission fault, level 3" },
		{ "aarch64", 0x82000007, "user instruction fetch, translation fault, level 3" },
		{ "aarch64", 0x96000021, "supervisor read, alignment fault" },
		{ "aarch64", 0x9600002b, "supervisor read, translation fault, level -1" },
		{ "aarch64", 0x96000013,
		  "supervisor read, external abort on a page table walk, level -1" },
		{ "aarch64", 0x92000147,
		  "user read, translation fault, level 3, cache maintenance" },
		{ "aarch64", 0x96000086,
		  "supervisor read, translation fault, level 2, stage 2 fault on a stage 1 walk" },
		{ "aarch64", 0x96000410,
		  "supervisor read, synchronous external abort, "
		  "address not valid" },
		{ "aarch64", 0x96000011, "supervisor read, memory tag check fault" },
		{ "aarch64", 0x2096000007,
		  "supervisor read, translation fault, level 3, dirty bit" },
		{ "aarch64", 0x93820006, "user read, translation fault, level 2" }, /* with ISV */
		{ "aarch64", 0x92820006,
		  "user read, translation fault, level 2, unknown bits 0x820000" },
		{ "aarch64", 0x9600003f,
		  "supervisor read, unknown fault status, unknown bits 0x3f" },
		{ "aarch64", 0xbf000002, "SError, unknown bits 0x1000002" },
		{ "aarch64", 0xf2000800, "BRK instruction, unknown bits 0x800" },
		{ "aarch64", 0x0a000000, "unknown exception class, unknown bits 0x8000000" },
	};

	check_codes(codes, sizeof(codes) / sizeof(codes[0]));
}

static void test_riscv_codes(void)
{
	static const struct code codes[] = {
		{ "riscv64", 12, "instruction fetch, page fault" },
		{ "riscv64", 13, "read, page fault" },
		{ "riscv64", 15, "write, page fault" },
		{ "riscv64", 2, "illegal instruction" },
		{ "riscv64", 14, "unknown cause, unknown bits 0xe" },
		{ "riscv64", 1ULL << 63 | 5, "unknown cause, unknown bits 0x8000000000000005" },
		{ "s390x", 0x11, "0x11" },
		{ NULL, 6, "0x6" },
	};

	check_codes(codes, sizeof(codes) / sizeof(codes[0]));
}

static void test_code_parts(void)
{
	struct fault_code f;
	char small[12];

	CHECK(fault_code_decode("x86_64", 6, &f));
	CHECK(f.mode == FAULT_USER && f.access == FAULT_WRITE && !f.unknown && !f.nnotes);
	CHECK(f.level == FAULT_NO_LEVEL);
	CHECK(fault_code_decode("aarch64", 0x9600004f, &f));
	CHECK(f.mode == FAULT_SUPERVISOR && f.access == FAULT_WRITE && f.level == 3);
	CHECK(fault_code_decode("riscv64", 13, &f));
	CHECK(f.mode == FAULT_MODE_UNKNOWN && f.access == FAULT_READ);
	f.level = 77;
	CHECK(!fault_code_decode("s390x", 6, &f) && f.level == 77);
	CHECK_TEXT(fault_code_text("x86_64", 6, small, sizeof(small)), "user write,");
	CHECK(!fault_mode_name(FAULT_MODE_UNKNOWN) && !fault_access_name(FAULT_ACCESS_UNKNOWN));
}

/* The log of a kernel, a line each; the time of a line is its number. */
static void parse(struct oops_log *log, const char *text)
{
	char line[OOPS_LINE];
	uint64_t n = 0;

	memset(log, 0, sizeof(*log));
	while (*text) {
		size_t len = strcspn(text, "\n");

		snprintf(line, sizeof(line), "%.*s", (int)len, text);
		oops_log_line(log, ++n, line);
		text += len + (text[len] == '\n');
	}
}

#define END "---[ end trace 0000000000000000 ]---\n"
#define FATAL "Kernel panic - not syncing: Fatal exception\n"

static void test_page_fault(void)
{
	struct oops_log log;
	uint64_t code;

	parse(&log,
	      "some other line\n"
	      "BUG: kernel NULL pointer dereference, address: 0000000000000008\n"
	      "#PF: supervisor write access in kernel mode\n"
	      "#PF: error_code(0x0002) - not-present page\n"
	      "Oops: Oops: 0002 [#1] SMP\n"
	      "CPU: 1 UID: 0 PID: 45 Comm: a victim Kdump: loaded Not tainted 6.12.95 #1\n"
	      "RIP: 0010:write_it+0xf/0x50 [module]\n"
	      "RSP: 0018:ffffb51cc0173e10 EFLAGS: 00000282\n"
	      "CR2: 0000000000000008 CR3: 0000000000f1b000 CR4: 00000000003506b0\n"
	      "Call Trace:\n <TASK>\n caller+0x10/0x20\n ? left_over+0x1/0x2\n outer+0xa0/0xf0\n"
	      "RIP: 0033:0x47b7a0\nRSP: 002b:00007ffe831334c8 EFLAGS: 00000202\n </TASK>\n" END
	      "RIP: 0010:elsewhere+0x1/0x2\n" FATAL "CR2: 0000000000000001\n");
	CHECK(log.oops.kind == OOPS_PAGE_FAULT && log.oops.ts_ns == 2 && !log.oops.more);
	CHECK(log.oops.address.known && log.oops.address.value == 8);
	CHECK(oops_fault_code(&log.oops, &code) && code == 2);
	CHECK(log.oops.cpu.value == 1 && log.oops.pid.value == 45);
	CHECK_TEXT(log.oops.comm, "a victim");
	CHECK_TEXT(log.oops.ip, "write_it+0xf/0x50 [module]");
	CHECK(log.oops.cs.value == 0x10 && log.oops.sp.value == 0xffffb51cc0173e10);
	CHECK(log.oops.cr2.value == 8);
	CHECK(log.oops.nframes == 2);
	CHECK_TEXT(log.oops.frames[1], "outer+0xa0/0xf0");
	CHECK(log.has_panic && log.panic_ns == 20 && oops_is_fatal(&log));
	CHECK_TEXT(log.panic, "Fatal exception");
}

/* The first value of each: what follows is of the code that the exception interrupted. */
static void test_registers(void)
{
	const struct oops_registers *r;
	struct oops_log log;

	parse(&log,
	      "Oops: general protection fault, probably for non-canonical address 0x493d657461747328\n"
	      "RSP: 0018:ffffd0f7000f0dd8 EFLAGS: 00000002\n"
	      "RAX: 493d657461747320 RBX: ffff8eda0d41f3c0 RCX: ffff8eda0d41f3c0\n"
	      "R13: 0000000000000001 R14: ffff8eda027c9630 R15: ffffd0f7000f0df8\n"
	      "FS:  0000000000000000(0000) GS:ffff8eda7063c000(0000) knlGS:0000000000000000\n"
	      "CR2: 00000000005794a9 CR3: 00000000041da000 CR4: 0000000000750ef0\n"
	      "Call Trace:\n <TASK>\nRAX: 0000000000000001 RDX: 0000000000000000\n" END
	      "RSI: 0000000000000007\n");
	r = &log.oops.registers;
	CHECK(r->n == 7 && !strcmp(r->all[0].name, "RAX") && r->all[0].value == 0x493d657461747320);
	CHECK(!strcmp(r->all[4].name, "R14") && r->all[4].value == 0xffff8eda027c9630);
	CHECK(!strcmp(r->all[6].name, "RDX") && !r->all[6].value);
	parse(&log, "Unable to handle kernel paging request at virtual address dead000000000108\n"
		    "x29: ffff80008333bc60 x28: ffff0000c4e1a100 x9 : ffff80008333bca0\n");
	CHECK(r->n == 3 && !strcmp(r->all[2].name, "x9") && r->all[2].value == 0xffff80008333bca0);
}

static void test_older_page_faults(void)
{
	struct oops_log log;
	uint64_t code;

	parse(&log, "BUG: unable to handle page fault for address: ffffffff87054b78\n"
		    "#PF: error_code(0x0003) - permissions violation\n");
	CHECK(log.oops.address.value == 0xffffffff87054b78 && oops_is_fatal(&log));
	parse(&log, "BUG: unable to handle kernel paging request at ffffc90000123000\n"
		    "Oops: 0010 [#1] SMP\n");
	CHECK(log.oops.address.value == 0xffffc90000123000);
	CHECK(oops_fault_code(&log.oops, &code) && code == 0x10);
	parse(&log, "BUG: unable to handle kernel NULL pointer dereference at 0000000000000010\n");
	CHECK(log.oops.address.known && log.oops.address.value == 0x10);
	CHECK(!oops_fault_code(&log.oops, &code));
	/* A fault while the first one was printed. */
	parse(&log, "BUG: unable to handle page fault for address: ffff000000000001\n"
		    "BUG: unable to handle page fault for address: ffff000000000002\n");
	CHECK(log.oops.address.value == 0xffff000000000001 && log.oops.more == 1);
	/* One that the kernel survived, then the last. */
	parse(&log, "BUG: unable to handle page fault for address: ffff000000000001\n"
		    "Oops: 0002 [#1] SMP\nCPU: 0 PID: 7 Comm: first\n" END
		    "BUG: unable to handle page fault for address: ffff000000000002\n");
	CHECK(log.oops.address.value == 0xffff000000000002 && !log.oops.pid.known);
	CHECK(!oops_fault_code(&log.oops, &code));
}

static void test_arm64(void)
{
	struct oops_log log;
	uint64_t code;

	parse(&log,
	      "Unable to handle kernel write to read-only memory at virtual address ffffb8c5a1a51b78\n"
	      "Mem abort info:\n  ESR = 0x000000009600004f\n"
	      "  EC = 0x25: DABT (current EL), IL = 32 bits\n"
	      "Internal error: Oops: 000000009600004f [#1] SMP\n"
	      "CPU: 0 UID: 0 PID: 46 Comm: victim Not tainted 6.12.95 #1\n"
	      "pc : lkdtm_WRITE_RO+0x44/0x60\nlr : lkdtm_WRITE_RO+0x20/0x60\n"
	      "sp : ffff800080123c40\nCall trace:\n lkdtm_WRITE_RO+0x44/0x60 (P)\n" END
	      "Kernel panic - not syncing: Oops: Fatal exception\n");
	CHECK(log.oops.kind == OOPS_PAGE_FAULT && oops_is_fatal(&log));
	CHECK(log.oops.address.value == 0xffffb8c5a1a51b78 && !log.oops.cs.known);
	CHECK(oops_fault_code(&log.oops, &code) && code == 0x9600004f);
	CHECK_TEXT(log.oops.ip, "lkdtm_WRITE_RO+0x44/0x60");
	CHECK(log.oops.sp.value == 0xffff800080123c40 && log.oops.nframes == 1);
	parse(&log,
	      "Insufficient stack space to handle exception!\n"
	      "ESR: 0x0000000096000047 -- DABT (current EL)\nFAR: 0xffff800080120000\n"
	      "CPU: 1 PID: 9 Comm: deep\nKernel panic - not syncing: kernel stack overflow\n");
	CHECK(log.oops.kind == OOPS_STACK_OVERFLOW && oops_is_fatal(&log));
	CHECK(log.oops.address.value == 0xffff800080120000);
	CHECK(oops_fault_code(&log.oops, &code) && code == 0x96000047);
}

static void test_riscv(void)
{
	struct oops_log log;
	uint64_t code;

	parse(&log,
	      "Unable to handle kernel NULL pointer dereference at virtual address 0000000000000000\n"
	      "Oops [#1]\nCPU: 2 PID: 90 Comm: sh Not tainted 6.1.0 #1\n"
	      "epc : lkdtm_ACCESS_NULL+0x1e/0x40 ra : lkdtm_do_action+0x10/0x20\n"
	      "status: 0000000200000120 badaddr: 0000000000000000 cause: 000000000000000f\n");
	CHECK_TEXT(log.oops.ip, "lkdtm_ACCESS_NULL+0x1e/0x40");
	CHECK(oops_fault_code(&log.oops, &code) && code == 15);
}

static void test_other_exceptions(void)
{
	struct oops_log log;
	uint64_t code;

	parse(&log,
	      "Oops: general protection fault, probably for non-canonical address 0xdead000000000108: 0000 [#1] PREEMPT SMP\n"
	      "CPU: 0 PID: 3 Comm: x\n" END FATAL);
	CHECK(log.oops.kind == OOPS_GENERAL_PROTECTION);
	CHECK(log.oops.address.value == 0xdead000000000108);
	CHECK(log.oops.die_code.known && !oops_fault_code(&log.oops, &code));
	parse(&log, "general protection fault: 0010 [#1] SMP\n");
	CHECK(log.oops.kind == OOPS_GENERAL_PROTECTION && !log.oops.address.known);
	CHECK(log.oops.die_code.value == 0x10);
	parse(&log, "traps: PANIC: double fault, error_code: 0x0\ndouble fault: 0000 [#1] SMP\n");
	CHECK(log.oops.kind == OOPS_DOUBLE_FAULT && !oops_fault_code(&log.oops, &code));
	/* Hashed addresses of %p are none. */
	parse(&log,
	      "BUG: TASK stack guard page was hit at 00000000fc6b66f1 (stack is 000000006c76b8bd..000000004c225d93)\n"
	      "Oops: stack guard page: 0000 [#1] SMP\n"
	      "CR2: ffffb8bc4018fc88 CR3: 0 CR4: 0\n" FATAL);
	CHECK(log.oops.kind == OOPS_STACK_OVERFLOW && !log.oops.address.known);
	CHECK(log.oops.cr2.value == 0xffffb8bc4018fc88 && !oops_fault_code(&log.oops, &code));
	parse(&log,
	      "kernel BUG at mm/usercopy.c:102!\nOops: invalid opcode: 0000 [#1] SMP\n" END FATAL);
	CHECK(log.oops.kind == OOPS_BUG && oops_is_fatal(&log));
	parse(&log, "divide error: 0000 [#1] SMP\n");
	CHECK(log.oops.kind == OOPS_EXCEPTION);
	/* A warning has registers too, and is no oops. */
	parse(&log, "WARNING: CPU: 0 PID: 3 at mm/x.c:1 f+0x1/0x2\nRIP: 0010:f+0x1/0x2\n" END);
	CHECK(log.oops.kind == OOPS_NONE && !oops_is_fatal(&log));
}

static void test_other_panics(void)
{
	struct oops_log log;

	parse(&log,
	      "BUG: unable to handle page fault for address: ffff000000000001\n"
	      "CPU: 0 PID: 7 Comm: first\n" END
	      "Kernel panic - not syncing: Out of memory: compulsory panic_on_oom is enabled\n");
	CHECK(log.oops.kind == OOPS_PAGE_FAULT && !oops_is_fatal(&log));
	parse(&log, "BUG: unable to handle page fault for address: ffff000000000001\n"
		    "CPU: 0 PID: 1 Comm: init\n" END
		    "Kernel panic - not syncing: Attempted to kill init! exitcode=0x00000009\n");
	CHECK(oops_is_fatal(&log));
	/* The oops of another process is not what ended the first. */
	parse(&log, "BUG: unable to handle page fault for address: ffff000000000001\n"
		    "CPU: 0 PID: 7 Comm: first\n" END
		    "Kernel panic - not syncing: Attempted to kill init! exitcode=0x00000100\n");
	CHECK(!oops_is_fatal(&log) && !oops_is_missing(&log));
	parse(&log,
	      "an init[1]: segfault at 10 ip 0000000000401e1d sp 00007ffe83133530 error 6 in work[401000+b1000] likely on CPU 1 (core 0, socket 1)\n"
	      "Kernel panic - not syncing: Attempted to kill init! exitcode=0x0000000b\n");
	CHECK(!oops_is_fatal(&log) && log.user.known && log.user.pid == 1);
	CHECK(oops_is_of_init(&log) && !oops_is_missing(&log));
	CHECK_TEXT(log.user.comm, "an init");
	CHECK(log.user.address == 0x10 && log.user.ip == 0x401e1d && log.user.code == 6);
	parse(&log,
	      "x[12]: segfault at zz ip 1 sp 2 error 4\n]: segfault at 1 ip 1 sp 1 error 1\n");
	CHECK(!log.user.known);
}

static void test_names(void)
{
	static const char of_irq[] =
		"Oops: divide error: 0000 [#1] SMP NOPTI\n"
		"CPU: 0 PID: 182 Comm: codec\nRIP: 0010:tick+0x1/0x2 [mon]\n"
		"Call Trace:\n <TASK>\n run_timers+0x1/0x2\n ? irq_exit+0x1/0x2\n"
		" __irq_exit_rcu+0x1/0x2\n";
	struct strbuf bus = STRBUF_OF(80), status = STRBUF_OF(80);
	struct oops_log log;

	parse(&log, of_irq);
	CHECK_TEXT(oops_exception_name(&log.oops), "divide error");
	CHECK(log.oops.in_irq && log.oops.kind == OOPS_EXCEPTION);
	/* What was only lying on the stack says nothing. */
	parse(&log, "invalid opcode: 0000 [#1] SMP\nCall Trace:\n <TASK>\n f+0x1/0x2\n"
		    " ? irq_exit_rcu+0x1/0x2\n");
	CHECK_TEXT(oops_exception_name(&log.oops), "invalid opcode");
	CHECK(!log.oops.in_irq);
	parse(&log, "Oops: 0000 [#1] SMP\n");
	CHECK(log.oops.kind == OOPS_EXCEPTION && !oops_exception_name(&log.oops));
	parse(&log, "Internal error: Oops - BUG: 0 [#1] SMP\n");
	CHECK(!oops_exception_name(&log.oops));
	CHECK(oops_init_text("Attempted to kill init! exitcode=0x00000087", "init", &bus));
	CHECK_TEXT(bus.buf, "init (1), the first process, died of signal 7 (SIGBUS)");
	CHECK(oops_init_text("Attempted to kill init! exitcode=0x00000300", "init", &status));
	CHECK_TEXT(status.buf, "init (1), the first process, exited with status 3");
	CHECK(!oops_init_text("Attempted to kill init!", "init", &bus));
	CHECK(!oops_init_text("sysrq exitcode=0x00000007", "init", &bus));
}

/* A panic that an exception may have led to, of which the log has nothing. */
static void test_missing(void)
{
	static const struct {
		const char *panic;
		bool missing;
	} panics[] = {
		{ "Fatal exception in interrupt", true },
		{ "Aiee, killing interrupt handler!", true },
		{ "Attempted to kill the idle task!", true },
		{ "Attempted to kill init! exitcode=0x0000000b", true },
		{ "Attempted to kill init! exitcode=0x00000009", true },
		{ "Attempted to kill init!", true },
		{ "Attempted to kill init! exitcode=0x00000100", false },
		{ "sysrq triggered crash", false },
	};
	char text[128];
	struct oops_log log;

	for (size_t i = 0; i < sizeof(panics) / sizeof(panics[0]); i++) {
		snprintf(text, sizeof(text), "Kernel panic - not syncing: %s\n", panics[i].panic);
		parse(&log, text);
		CHECK(oops_is_missing(&log) == panics[i].missing && !oops_is_fatal(&log));
	}
}

static void test_gap(void)
{
	static const char oops[] =
		"BUG: kernel NULL pointer dereference, address: 0000000000000008\n"
		"CPU: 0 PID: 7 Comm: first\n";
	struct oops_log log;

	/* Inside of an oops a line is missing, behind it perhaps another oops. */
	parse(&log, oops);
	oops_log_gap(&log);
	CHECK(oops_is_fatal(&log));
	oops_log_line(&log, 3, "---[ end trace 0000000000000000 ]---");
	oops_log_gap(&log);
	CHECK(!oops_is_fatal(&log) && !oops_is_missing(&log));
	oops_log_line(&log, 4, "Kernel panic - not syncing: Fatal exception");
	CHECK(!oops_is_fatal(&log) && oops_is_missing(&log));
	/* Before an oops, and behind the panic, nothing is lost. */
	memset(&log, 0, sizeof(log));
	oops_log_gap(&log);
	oops_log_line(&log, 1, "BUG: kernel NULL pointer dereference, address: 0000000000000008");
	/* The newline is part of the name; that of other records ends a line. */
	oops_log_record(&log, &(struct kernel_record){
				      .text = "CPU: 1 PID: 7 Comm: vic\ntim\n Not tainted 6.12" });
	oops_log_record(&log, &(struct kernel_record){ .text = "RIP: 0010:one+0x1/0x2\nCR2: 8" });
	CHECK_TEXT(log.oops.comm, "vic?tim?");
	CHECK(log.oops.pid.value == 7);
	oops_log_record(&log, &(struct kernel_record){
				      .text = "vic\ntim\n[7]: segfault at 10 ip 1 sp 2 error 6" });
	CHECK_TEXT(log.user.comm, "vic?tim?");
	oops_log_line(&log, 2, "---[ end trace 0000000000000000 ]---");
	oops_log_line(&log, 3, "Kernel panic - not syncing: Fatal exception");
	oops_log_gap(&log);
	CHECK(oops_is_fatal(&log) && !oops_is_missing(&log));
}

/* A life that may have been longer has no rate. */
static void test_rate(void)
{
	struct fault_view v = { 0 };

	dump_info_end(&v.report.info, 3000000000, "run_queue", false);
	CHECK(fault_rate(&v, 10, 1000000000).kind == CELL_UINT);
	CHECK(fault_rate(&v, 10, 1000000000).u == 5000);
	CHECK(fault_rate(&v, 10, 0).kind == CELL_NULL);
	dump_info_end(&v.report.info, 3000000000, "newest_record", false);
	CHECK(fault_rate(&v, 10, 1000000000).kind == CELL_NULL);
}

/* What panic() prints of its own task: an interrupt is in the midst, and of user mode nothing counts. */
static void test_panic_trace(void)
{
	static const char text[] = "Kernel panic - not syncing: softlockup: hung tasks\n"
				   "Call Trace:\n"
				   " <IRQ>\n"
				   " dump_stack+0x6b/0x83\n"
				   " panic+0x114/0x2f1\n"
				   " ? lockup_detector_update_enable+0x50/0x50\n"
				   " </IRQ>\n"
				   "RIP: 0010:bus_find+0x1d/0x30 [bus]\n"
				   "RSP: 0018:ffffb27fc01abe88 EFLAGS: 00000206\n"
				   " bus_write+0xae/0x117 [bus]\n"
				   " vfs_write+0xc4/0x270\n"
				   "RIP: 0033:0x430a70\n"
				   " behind_user_mode+0x1/0x2\n"
				   "Kernel Offset: 0x6600000 from 0xffffffff81000000\n"
				   "Call Trace:\n"
				   " of_another_cpu+0x1/0x2\n";
	static const char *const frames[] = {
		"dump_stack+0x6b/0x83",	      "panic+0x114/0x2f1",    "bus_find+0x1d/0x30 [bus]",
		"bus_write+0xae/0x117 [bus]", "vfs_write+0xc4/0x270",
	};
	struct oops_log log;

	parse(&log, text);
	CHECK(log.panic_nframes == ARRAY_SIZE(frames));
	for (unsigned int i = 0; i < ARRAY_SIZE(frames); i++)
		CHECK_TEXT(log.panic_frames[i], frames[i]);
}

static void test_hung(void)
{
	struct oops_log log;

	parse(&log, "INFO: task old:3 blocked for more than 10 seconds.\n"
		    "INFO: task a: b:437 blocked for more than 26 seconds.\n"
		    "INFO: task lacks a pid blocked for more than 27 seconds.\n"
		    "INFO: task c:5 blocked on a mutex\n"
		    "Kernel panic - not syncing: hung_task: blocked tasks\n"
		    "INFO: task late:9 blocked for more than 30 seconds.\n");
	CHECK_TEXT(log.hung.comm, "a: b");
	CHECK(log.hung.pid.value == 437 && log.hung.seconds.value == 26 && log.hung.n == 2);
	parse(&log, "INFO: task d:6 blocked in I/O wait for more than 12 seconds.\n");
	CHECK(log.hung.pid.value == 6 && log.hung.seconds.value == 12 && log.hung.n == 1);
	oops_log_line(&log, 5000000002, "INFO: task b:4 blocked for more than 10 seconds.");
	CHECK(log.hung.n == 1); /* another check */
	parse(&log, "INFO: task old:3 blocked for more than 10 seconds.\n"
		    "Call Trace:\n"
		    " old+0x1/0x2\n"
		    "INFO: task new:4 blocked for more than 10 seconds.\n"
		    "      Tainted: G           O\n"
		    "task:new state:D stack:0 pid:4\n"
		    "Call Trace:\n"
		    " <TASK>\n"
		    " __schedule+0x2/0x3\n"
		    " ? lying+0x1/0x2\n"
		    " down_write+0x5/0x9\n"
		    " </TASK>\n"
		    "Call Trace:\n"
		    " other+0x1/0x2\n"
		    "Kernel panic - not syncing: hung_task: blocked tasks\n");
	CHECK(log.hung.nframes == 2 && !log.oops.nframes);
	CHECK_TEXT(log.hung.frames[0], "__schedule+0x2/0x3");
	CHECK_TEXT(log.hung.frames[1], "down_write+0x5/0x9");
	/* Whom it stopped is in the stack that panic() prints. */
	parse(&log, "CPU: 3 PID: 1 Comm: before Not tainted 6.1.0\n"
		    "Kernel panic - not syncing: NMI: Not continuing\n"
		    "CPU: 2 UID: 0 PID: 112 Comm: fast poll Tainted: G\n"
		    "CPU: 1 PID: 9 Comm: late Not tainted 6.1.0\n");
	CHECK(log.panic_pid.value == 112 && log.panic_cpu.value == 2);
	CHECK_TEXT(log.panic_comm, "fast poll");
	/* Of an oops that goes on behind it the trace is the oops'. */
	parse(&log, "BUG: unable to handle page fault for address: 10\n"
		    "INFO: task new:4 blocked for more than 10 seconds.\n"
		    "Call Trace:\n"
		    " oopsed+0x1/0x2\n");
	CHECK(!log.hung.nframes && log.oops.nframes == 1);
}

/* Which CPU did not get on, and for how long: all that print it, from 4.18 on. */
static void test_stalls(void)
{
	struct oops_log log;

	parse(&log, "INFO: rcu_sched self-detected stall on CPU\n"
		    "\t3-....: (2535 ticks this GP) idle=e82c/1/0x4000000000000000\n"
		    "\t (t=5251 jiffies g=769 c=768 q=5453)\n"
		    "Kernel panic - not syncing: RCU Stall\n");
	CHECK(stall_is_fatal(&log.stall, log.panic));
	CHECK(log.stall.cpu.value == 3 && !log.stall.more && log.stall.jiffies.value == 5251);
	parse(&log, "rcu: INFO: rcu_preempt detected stalls on CPUs/tasks:\n"
		    "rcu: \t1-...0: (1 GPs behind) idle=38c4/1/0x4000000000000000\n"
		    "rcu: \t2-...!: (0 ticks this GP) idle=0\n"
		    "rcu: \tTasks blocked on level-0 rcu_node (CPUs 0-1): P45\n"
		    "rcu: \t(detected by 0, t=2102 jiffies, g=1, q=87 ncpus=2)\n"
		    "rcu: \t7-....: another text\n"
		    "Kernel panic - not syncing: RCU Stall\n"
		    "watchdog: BUG: soft lockup - CPU#6 stuck for 22s! [late:3]\n");
	CHECK(log.stall.cpu.value == 1 && log.stall.more == 1 && log.stall.jiffies.value == 2102);
	parse(&log, "rcu: INFO: rcu_preempt detected expedited stalls on CPUs/tasks: "
		    "{ P9 4-.... 12-...D } 5263 jiffies s: 45 root: 0x2/.\n");
	CHECK(log.stall.cpu.value == 4 && log.stall.more == 1 && log.stall.jiffies.value == 5263);
	/* Tasks alone: of no CPU. */
	parse(&log,
	      "rcu: INFO: rcu_preempt detected expedited stalls on CPUs/tasks: { P9 } 5 jiffies\n"
	      "Kernel panic - not syncing: RCU Stall\n");
	CHECK(!stall_is_fatal(&log.stall, log.panic));
	/* The first place is that of the CPU; others dump their registers behind it. */
	parse(&log, "watchdog: BUG: soft lockup - CPU#1 stuck for 11s! [edge/poll:118]\n"
		    "RIP: 0010:edge_wait+0x9/0x20 [edge]\n"
		    "RIP: 0010:native_halt+0x9/0x20\n"
		    "Kernel panic - not syncing: softlockup: hung tasks\n");
	CHECK_TEXT(log.stall.place, "edge_wait+0x9/0x20 [edge]");
	parse(&log, "watchdog: BUG: soft lockup - CPU#1 stuck for 11s! [edge/poll:118]\n"
		    "pc : edge_wait+0x9/0x20\n");
	CHECK_TEXT(log.stall.place, "edge_wait+0x9/0x20");
	CHECK_TEXT(log.stall.caller, "");
	/* A lock that a module takes; what may be left over on the stack is none. */
	parse(&log, "watchdog: BUG: soft lockup - CPU#0 stuck for 23s! [linkd:99]\n"
		    "Modules linked in: edge(OE) loop\n"
		    "RIP: 0010:native_queued_spin_lock_slowpath+0x24/0x1e0\n"
		    "Call Trace:\n"
		    " ? edge_read+0x100/0x100 [edge]\n"
		    " _raw_spin_lock+0x1e/0x30\n"
		    " edge_poll+0x11/0xeb0 [edge]\n"
		    " other+0x11/0xeb0 [loop]\n");
	CHECK_TEXT(log.stall.place, "native_queued_spin_lock_slowpath+0x24/0x1e0");
	CHECK_TEXT(log.stall.caller, "edge_poll+0x11/0xeb0 [edge]");
	parse(&log, "watchdog: BUG: soft lockup - CPU#1 stuck for 11s! [edge/poll:118]\n"
		    "RIP: 0033:0x7f2c\n");
	CHECK_TEXT(log.stall.place, "");
	parse(&log, "watchdog: BUG: soft lockup - CPU#1 stuck for 26s! [a:b:115]\n"
		    "Kernel panic - not syncing: softlockup: hung tasks\n");
	CHECK(log.stall.cpu.value == 1 && log.stall.seconds.value == 26 &&
	      log.stall.pid.value == 115);
	CHECK_TEXT(log.stall.comm, "a:b");
	CHECK(stall_is_fatal(&log.stall, log.panic));
	CHECK(!stall_is_fatal(&log.stall, "RCU Stall"));
	parse(&log, "NMI watchdog: Watchdog detected hard LOCKUP on cpu 2\n"
		    "Kernel panic - not syncing: Hard LOCKUP\n");
	CHECK(log.stall.cpu.value == 2 && stall_is_fatal(&log.stall, log.panic));
	parse(&log, "watchdog: CPU0: Watchdog detected hard LOCKUP on cpu 5\n");
	CHECK(log.stall.cpu.value == 5);
}

TESTS({ "the error code of x86 in words", test_x86_codes },
      { "ESR of arm64 in words", test_arm64_codes },
      { "scause of riscv in words, and no guess for others", test_riscv_codes },
      { "the parts of a code", test_code_parts },
      { "an oops of a page fault on x86", test_page_fault },
      { "registers of an oops", test_registers },
      { "older forms, two oopses in each other, two in a row", test_older_page_faults },
      { "an oops of arm64, a stack overflow there", test_arm64 },
      { "an oops of riscv", test_riscv },
      { "exceptions that are no page fault; addresses that are hashed", test_other_exceptions },
      { "panics that are no fault of the kernel", test_other_panics },
      { "panics of an exception that the log does not have", test_missing },
      { "names of exceptions, how the first process ended", test_names },
      { "lines that are missing", test_gap }, { "what khungtaskd found", test_hung },
      { "the stack of the task that panicked", test_panic_trace },
      { "CPUs that did not get on", test_stalls },
      { "a rate is of a life whose end is known", test_rate })
