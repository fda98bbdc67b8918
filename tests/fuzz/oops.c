// SPDX-License-Identifier: GPL-2.0-or-later
/* What the log says of an oops, in lines that the fuzzer mixes and damages; frames of exceptions. */
#include <string.h>

#include "fuzz.h"
#include "tasks/fault_code.h"
#include "log/oops.h"
#include "vm/address_kind.h"

#define BYTES 1024

/* Lines of x86, arm64 and riscv, as 4.19 to 7.3 print them. */
static const char *const lines[] = {
	"BUG: kernel NULL pointer dereference, address: 0000000000000008",
	"BUG: unable to handle page fault for address: ffffffff87054b78",
	"BUG: unable to handle kernel paging request at ffffc90000123000",
	"BUG: unable to handle kernel NULL pointer dereference at 0000000000000010",
	"BUG: TASK stack guard page was hit at 00000000fc6b66f1 (stack is 000000006c76b8bd..000000004c225d93)",
	"#PF: supervisor write access in kernel mode",
	"#PF: error_code(0x0002) - not-present page",
	"Oops: Oops: 0002 [#1] SMP",
	"Oops: stack guard page: 0000 [#1] SMP",
	"Oops: general protection fault, probably for non-canonical address 0xdead000000000108: 0000 [#1] PREEMPT SMP",
	"traps: PANIC: double fault, error_code: 0x0",
	"kernel BUG at mm/usercopy.c:102!",
	"invalid opcode: 0000 [#1] SMP",
	"divide error: 0000 [#1] SMP",
	"CPU: 1 UID: 0 PID: 45 Comm: a victim Kdump: loaded Not tainted 6.12.95 #1",
	"CPU: 0 PID: 1 Comm: init Tainted: G        W          6.1.0 #1",
	"RIP: 0010:write_it+0xf/0x50 [module]",
	"RIP: 0033:0x47b7a0",
	"RSP: 0018:ffffb51cc0173e10 EFLAGS: 00000282",
	"CR2: 0000000000000008 CR3: 0000000000f1b000 CR4: 00000000003506b0",
	"Call Trace:",
	" <TASK>",
	" caller+0x10/0x20",
	" ? left_over+0x1/0x2",
	" outer+0xa0/0xf0",
	"Unable to handle kernel write to read-only memory at virtual address ffffb8c5a1a51b78",
	"  ESR = 0x000000009600004f",
	"Internal error: Oops: 000000009600004f [#1] SMP",
	"pc : lkdtm_WRITE_RO+0x44/0x60",
	"sp : ffff800080123c40",
	"Insufficient stack space to handle exception!",
	"ESR: 0x0000000096000047 -- DABT (current EL)",
	"FAR: 0xffff800080120000",
	"epc : lkdtm_ACCESS_NULL+0x1e/0x40 ra : lkdtm_do_action+0x10/0x20",
	"status: 0000000200000120 badaddr: 0000000000000000 cause: 000000000000000f",
	"an init[1]: segfault at 10 ip 0000000000401e1d sp 00007ffe83133530 error 6 in work[401000+b1000]",
	"---[ end trace 0000000000000000 ]---",
	"Kernel panic - not syncing: Fatal exception",
	"Kernel panic - not syncing: Attempted to kill init! exitcode=0x0000000b",
};
#define LINES (sizeof(lines) / sizeof(lines[0]))

static void use_log(const struct oops_log *log)
{
	const struct oops *o = &log->oops;
	uint64_t code;

	if (o->kind >= OOPS_KINDS || o->nframes > OOPS_FRAMES || !oops_kind_name(o->kind))
		__builtin_trap();
	if ((o->kind == OOPS_NONE) != !*o->headline)
		__builtin_trap();
	if (oops_is_fatal(log) && (o->kind == OOPS_NONE || oops_is_missing(log)))
		__builtin_trap();
	if (oops_fault_code(o, &code) && o->kind != OOPS_PAGE_FAULT &&
	    o->kind != OOPS_STACK_OVERFLOW)
		__builtin_trap();
	fuzz_array(o->headline, sizeof(o->headline));
	fuzz_array(o->comm, sizeof(o->comm));
	fuzz_array(o->ip, sizeof(o->ip));
	fuzz_array(log->user.comm, sizeof(log->user.comm));
	fuzz_array(log->panic, sizeof(log->panic));
	fuzz_array(log->panic_comm, sizeof(log->panic_comm));
	for (unsigned int i = 0; i < o->nframes; i++)
		fuzz_array(o->frames[i], sizeof(o->frames[i]));
}

/* fuzz_line(), and a bit changed. */
static void make_line(const uint8_t *bytes, char *line, size_t size)
{
	fuzz_line(lines, LINES, bytes, line, size);
	if (bytes[2] & 8 && *line)
		line[bytes[7] % strlen(line)] = (char)(bytes[6] ^ bytes[5]);
}

void fuzz_oops(struct dump *d, struct sink *out NOT_USED, uint32_t seed NOT_USED)
{
	struct oops_log log = { 0 }, before;
	uint8_t bytes[BYTES];
	char line[OOPS_LINE];

	if (dump_read(d, 0xffff888000000000, bytes, sizeof(bytes), "fuzz") != ST_OK)
		return;
	for (size_t i = 0; i + 8 <= sizeof(bytes); i += 8) {
		before = log;
		make_line(bytes + i, line, sizeof(line));
		if (bytes[i + 2] & 0x80)
			oops_log_gap(&log);
		oops_log_line(&log, i, line);
		use_log(&log);
		/* What follows the panic is no part of its oops. */
		if (before.has_panic && (memcmp(&before.oops, &log.oops, sizeof(log.oops)) ||
					 memcmp(before.panic, log.panic, sizeof(log.panic))))
			__builtin_trap();
	}
}

void fuzz_exceptions(struct dump *d, struct sink *out NOT_USED, uint32_t seed)
{
	struct exception_frames frames;
	struct exception_frame frame;
	struct address_info info;

	if (exception_frames_open(d, &frames) != ST_OK)
		return;
	for (unsigned int i = 0; i < 16; i++) {
		uint64_t at = 0xffffc90000000000 + seed + i * 0x10008, sp = seed;

		/* A stack pointer that is somewhere in the bytes may have a frame. */
		if (dump_try(d, at, &sp, sizeof(sp)) == ST_OK)
			exception_frames_find(&frames, sp, seed & 7, &frame);
		exception_frames_find(&frames, at & ~7ULL, seed & 7, &frame);
		if (address_classify(d, seed & 1 ? sp : at, &info) != ST_OK)
			return;
		/* No kind without a reason. */
		if (info.kind >= AT_KINDS || !address_kind_text(info.kind) ||
		    (info.kind == AT_UNKNOWN) != (info.problem != NULL))
			__builtin_trap();
	}
}
