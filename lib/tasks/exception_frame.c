// SPDX-License-Identifier: GPL-2.0-or-later
#include "tasks/exception_frame.h"

#include "kernel/percpu.h"

#define MAX_REGS 1024	      /* of struct pt_regs, which has 168 to 336 */
#define BELOW 4096	      /* an exception pushes its frame right below the stack pointer */
#define MAX_STACKS (1U << 20) /* struct exception_stacks has 20 to 100 KiB */

/* EFLAGS: bit 1 is always set, bits 3, 5, 15 and 22 to 31 never (Intel SDM). */
#define FLAGS_SET 0x2
#define FLAGS_CLEAR 0xffc08028

struct regs {
	uint64_t ip, sp, cs, flags;
	bool has_cs, has_flags;
};

static const struct layout_row rows[] = {
	STRUCTURE(struct exception_frames, regs, "struct pt_regs"),
	READS(struct regs, ip, REQUIRED, "x86, arm64, riscv", "ip", "pc", "epc"),
	READS(struct regs, sp, REQUIRED, "all", "sp"),
	READS_IF(struct regs, cs, has_cs, OPTIONAL, "x86", "cs"),
	READS_IF(struct regs, flags, has_flags, OPTIONAL, "x86", "flags"),
};

enum status exception_frames_open(struct dump *d, struct exception_frames *ret)
{
	struct exception_frames x = { .dump = d };
	enum status st = STRUCTS_OPEN(d, rows, &x);

	if (st == ST_OK && (dump_ask(d, type_size, "struct pt_regs", &x.size) != ST_OK ||
			    x.size > MAX_REGS || x.regs.end > x.size))
		st = dump_fail(d, ST_UNKNOWN, "unknown layout: struct pt_regs");
	if (st == ST_OK)
		*ret = x;
	return st;
}

/* Upper bits of cs hold what FRED adds (6.9). */
static bool is_frame(const struct regs *regs, uint64_t sp)
{
	const uint16_t cs = (uint16_t)regs->cs;

	/* __KERNEL_CS, __USER_CS, __USER32_CS. */
	return regs->sp == sp && (!regs->has_cs || cs == 0x10 || cs == 0x33 || cs == 0x23) &&
	       (!regs->has_flags ||
		((regs->flags & FLAGS_SET) && !((uint32_t)regs->flags & FLAGS_CLEAR)));
}

static enum status search(struct exception_frames *x, uint64_t start, uint64_t end, uint64_t sp,
			  struct exception_frame *ret)
{
	struct dump *d = x->dump;
	uint64_t page = dump_page_size(d);
	uint8_t *bytes = dump_alloc(d, end - start);
	bool hole = false;

	for (uint64_t at = start, next; at < end; at = next) {
		next = (at | (page - 1)) + 1;
		if (next > end || next < at)
			next = end;
		/* What is not in the dump is zero, which is no frame. */
		if (dump_try(d, at, bytes + (at - start), next - at) != ST_OK) {
			memset(bytes + (at - start), 0, next - at);
			hole = true;
		}
	}
	/* The newest is the lowest. */
	for (uint64_t at = 0; at + x->size <= end - start; at += 8) {
		struct regs regs;

		if (struct_decode(&x->regs, start + at, bytes + at, &regs) != ST_OK ||
		    !is_frame(&regs, sp))
			continue;
		ret->address = start + at;
		ret->ip = regs.ip;
		ret->sp = sp;
		ret->user_mode = regs.cs & 3;
		return ST_OK;
	}
	return hole ? dump_fail(d, ST_UNREADABLE, "a part of the stack is not in this dump")
		    : dump_fail(d, ST_ABSENT, "no struct pt_regs with sp %#lx", sp);
}

/* The stacks of x86 that a double fault and others have for themselves, of one CPU. */
static enum status search_exception_stacks(struct exception_frames *x, uint64_t sp,
					   unsigned int cpu, struct exception_frame *ret)
{
	struct dump *d = x->dump;
	struct percpu cpus;
	uint64_t stacks, size;
	enum status st;

	if (!dump_has_symbol(d, "exception_stacks") ||
	    dump_ask(d, type_size, "struct exception_stacks", &size) != ST_OK || size > MAX_STACKS)
		return dump_fail(d, ST_ABSENT, "no exception stacks");
	st = dump_symbol(d, "exception_stacks", &stacks) ?: percpu_open(d, &cpus);
	for (unsigned int i = 0; st == ST_OK && i < cpus.n; i++)
		if (cpus.cpu[i] == cpu)
			return search(x, stacks + cpus.offset[i], stacks + cpus.offset[i] + size,
				      sp, ret);
	return st ?: dump_fail(d, ST_ABSENT, "no CPU %u", cpu);
}

enum status exception_frames_find(struct exception_frames *x, uint64_t sp, unsigned int cpu,
				  struct exception_frame *ret)
{
	uint64_t end = (sp + 7) & ~7ULL, start = end - BELOW;
	enum status near, st;

	if (sp < BELOW || end < sp)
		return dump_fail(x->dump, ST_CORRUPT, "%#lx is no stack pointer", sp);
	near = search(x, start, end, sp, ret);
	if (near == ST_OK)
		return near;
	st = search_exception_stacks(x, sp, cpu, ret);
	/* Where a part was missing, the frame may have been there. */
	return st == ST_ABSENT && near == ST_UNREADABLE
		       ? dump_fail(x->dump, ST_UNREADABLE,
				   "a part of the stack is not in this dump")
		       : st;
}
