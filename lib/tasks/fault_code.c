// SPDX-License-Identifier: GPL-2.0-or-later
#include "tasks/fault_code.h"

#include "kernel/percpu.h"
#include "util/strbuf.h"

struct bit_name {
	unsigned int bit;
	const char *name;
};

#define MASK(high, low) (((2ULL << ((high) - (low))) - 1) << (low))

static void add_note(struct fault_code *f, const char *name)
{
	if (f->nnotes < FAULT_NOTES)
		f->notes[f->nnotes++] = name;
}

/* Adds the names of set bits of a table that a bit without a name ends, and takes them off unknown. */
static void add_notes(struct fault_code *f, const struct bit_name *bits, uint64_t value)
{
	for (; bits->name; bits++)
		if (value >> bits->bit & 1) {
			add_note(f, bits->name);
			f->unknown &= ~(1ULL << bits->bit);
		}
}

enum { X86_PROT, X86_WRITE, X86_USER, X86_RSVD, X86_INSTR };

static void decode_x86(uint64_t code, struct fault_code *f)
{
	static const struct bit_name notes[] = {
		{ X86_RSVD, "reserved bit set in a page table" },
		{ 5, "protection key" },
		{ 6, "shadow stack" }, /* X86_PF_SHSTK, 6.6 */
		{ 15, "SGX" },	       /* X86_PF_SGX, 5.11 */
		{ 31, "SEV-SNP RMP" }, /* X86_PF_RMP, 6.9 */
		{ 0, NULL },
	};

	f->unknown = code & ~MASK(X86_USER, X86_PROT) & ~(1ULL << X86_INSTR);
	f->mode = code >> X86_USER & 1 ? FAULT_USER : FAULT_SUPERVISOR;
	f->access = code >> X86_INSTR & 1   ? FAULT_FETCH
		    : code >> X86_WRITE & 1 ? FAULT_WRITE
					    : FAULT_READ;
	f->reason = code >> X86_PROT & 1 ? "protection violation" : "page not present";
	add_notes(f, notes, code);
}

/* Fault status code of an abort: reason, and the level where the first of a run is the level. */
static const struct status_code {
	uint8_t first, last;
	int8_t level; /* of the first; FAULT_NO_LEVEL */
	const char *reason;
} status_codes[] = {
	{ 0x00, 0x03, 0, "address size fault" },
	{ 0x04, 0x07, 0, "translation fault" },
	{ 0x08, 0x0b, 0, "access flag fault" },
	{ 0x0c, 0x0f, 0, "permission fault" },
	{ 0x10, 0x10, FAULT_NO_LEVEL, "synchronous external abort" },
	{ 0x11, 0x11, FAULT_NO_LEVEL, "memory tag check fault" },
	{ 0x13, 0x17, -1, "external abort on a page table walk" },
	{ 0x18, 0x18, FAULT_NO_LEVEL, "parity or ECC error" },
	{ 0x1b, 0x1f, -1, "parity or ECC error on a page table walk" },
	{ 0x21, 0x21, FAULT_NO_LEVEL, "alignment fault" },
	{ 0x29, 0x29, -1, "address size fault" },
	{ 0x2b, 0x2b, -1, "translation fault" },
	{ 0x30, 0x30, FAULT_NO_LEVEL, "TLB conflict" },
	{ 0x31, 0x31, FAULT_NO_LEVEL, "unsupported atomic update" },
	{ 0x34, 0x34, FAULT_NO_LEVEL, "lockdown" },
	{ 0x35, 0x35, FAULT_NO_LEVEL, "unsupported exclusive access" },
};

/* Exception classes that are no abort: an oops of arm64 prints the ESR of these too. */
static const struct {
	uint8_t class;
	const char *name;
} classes[] = {
	{ 0x00, "unknown reason" },
	{ 0x0d, "branch target exception" },
	{ 0x0e, "illegal execution state" },
	{ 0x15, "SVC instruction" },
	{ 0x1c, "pointer authentication failure" },
	{ 0x22, "PC alignment fault" },
	{ 0x26, "SP alignment fault" },
	{ 0x27, "memory copy or set exception" },
	{ 0x2c, "floating point exception" },
	{ 0x2d, "guarded control stack exception" },
	{ 0x2f, "SError" },
	{ 0x30, "hardware breakpoint" },
	{ 0x31, "hardware breakpoint" },
	{ 0x32, "single step" },
	{ 0x33, "single step" },
	{ 0x34, "watchpoint" },
	{ 0x35, "watchpoint" },
	{ 0x3c, "BRK instruction" },
};

enum {
	ESR_CLASS_SHIFT = 26,
	ESR_IL = 25, /* length of the instruction */
	ESR_ISV = 24,
	ESR_CM = 8,
	ESR_S1PTW = 7,
	ESR_WNR = 6,
	CLASS_FETCH_USER = 0x20,
	CLASS_FETCH = 0x21,
	CLASS_DATA_USER = 0x24,
	CLASS_DATA = 0x25,
};

static void decode_status_code(unsigned int code, struct fault_code *f)
{
	for (size_t i = 0; i < ARRAY_SIZE(status_codes); i++) {
		const struct status_code *s = &status_codes[i];

		if (code < s->first || code > s->last)
			continue;
		f->reason = s->reason;
		f->level = s->level == FAULT_NO_LEVEL ? s->level : s->level + (int)code - s->first;
		return;
	}
	f->reason = "unknown fault status";
	f->unknown |= code;
}

static void decode_data_abort(uint64_t esr, struct fault_code *f)
{
	static const struct bit_name notes[] = {
		{ ESR_CM, "cache maintenance" },
		{ ESR_S1PTW, "stage 2 fault on a stage 1 walk" },
		{ 9, "external abort type" },
		{ 10, "address not valid" }, /* FnV: FAR_EL1 */
		{ 13, "VNCR" },
		{ 32 + 5, "dirty bit" },
		{ 32 + 6, "overlay" },
		{ 32 + 8, "guarded control stack" },
		{ 32 + 9, "tag access" },
		{ 32 + 10, "no tag access" },
		{ 0, NULL },
	};

	f->unknown = esr & (MASK(63, 32) | MASK(24, 7));
	if (esr >> ESR_ISV & 1)
		f->unknown &= ~MASK(24, 14); /* the syndrome: size, sign, register */
	f->unknown &= ~MASK(12, 11);	     /* SET, or LST */
	f->unknown &= ~MASK(32 + 4, 32);     /* Xs: the register of an ST64B */
	/* A cache maintenance instruction sets WnR, yet writes nothing. */
	f->access = esr >> ESR_WNR & 1 && !(esr >> ESR_CM & 1) ? FAULT_WRITE : FAULT_READ;
	decode_status_code(esr & 0x3f, f);
	add_notes(f, notes, esr);
}

static void decode_fetch_abort(uint64_t esr, struct fault_code *f)
{
	static const struct bit_name notes[] = {
		{ ESR_S1PTW, "stage 2 fault on a stage 1 walk" },
		{ 9, "external abort type" },
		{ 10, "address not valid" },
		{ 32 + 6, "overlay" },
		{ 0, NULL },
	};

	f->unknown = esr & (MASK(63, 32) | MASK(24, 13) | MASK(10, 6));
	f->access = FAULT_FETCH;
	decode_status_code(esr & 0x3f, f);
	add_notes(f, notes, esr);
}

static void decode_arm64(uint64_t esr, struct fault_code *f)
{
	unsigned int class = esr >> ESR_CLASS_SHIFT & 0x3f;

	switch (class) {
	case CLASS_FETCH_USER:
	case CLASS_FETCH:
		f->mode = class == CLASS_FETCH ? FAULT_SUPERVISOR : FAULT_USER;
		decode_fetch_abort(esr, f);
		return;
	case CLASS_DATA_USER:
	case CLASS_DATA:
		f->mode = class == CLASS_DATA ? FAULT_SUPERVISOR : FAULT_USER;
		decode_data_abort(esr, f);
		return;
	}
	f->reason = "unknown exception class";
	f->unknown = esr & ~(1ULL << ESR_IL);
	for (size_t i = 0; i < ARRAY_SIZE(classes); i++)
		if (classes[i].class == class) {
			f->reason = classes[i].name;
			f->unknown &= ~MASK(31, ESR_CLASS_SHIFT);
		}
}

static void decode_riscv(uint64_t cause, struct fault_code *f)
{
	static const struct {
		enum fault_access access;
		const char *reason;
	} causes[16] = {
		[0] = { FAULT_FETCH, "address misaligned" },
		[1] = { FAULT_FETCH, "access fault" },
		[2] = { FAULT_ACCESS_UNKNOWN, "illegal instruction" },
		[3] = { FAULT_ACCESS_UNKNOWN, "breakpoint" },
		[4] = { FAULT_READ, "address misaligned" },
		[5] = { FAULT_READ, "access fault" },
		[6] = { FAULT_WRITE, "address misaligned" },
		[7] = { FAULT_WRITE, "access fault" },
		[8] = { FAULT_ACCESS_UNKNOWN, "system call" },
		[12] = { FAULT_FETCH, "page fault" },
		[13] = { FAULT_READ, "page fault" },
		[15] = { FAULT_WRITE, "page fault" }, /* or an atomic operation */
	};

	if (cause < ARRAY_SIZE(causes) && causes[cause].reason) {
		f->access = causes[cause].access;
		f->reason = causes[cause].reason;
		return;
	}
	f->reason = "unknown cause";
	f->unknown = cause;
}

bool fault_code_decode(const char *arch, uint64_t code, struct fault_code *ret)
{
	static const struct {
		const char *arch;
		void (*decode)(uint64_t code, struct fault_code *f);
	} decoders[] = {
		{ "x86_64", decode_x86 },    { "i686", decode_x86 },	{ "i386", decode_x86 },
		{ "aarch64", decode_arm64 }, { "arm64", decode_arm64 }, { "riscv64", decode_riscv },
		{ "riscv", decode_riscv },
	};

	for (size_t i = 0; arch && i < ARRAY_SIZE(decoders); i++) {
		struct fault_code f = { .level = FAULT_NO_LEVEL };

		if (strcmp(arch, decoders[i].arch))
			continue;
		decoders[i].decode(code, &f);
		*ret = f;
		return true;
	}
	return false;
}

const char *fault_mode_name(enum fault_mode mode)
{
	return mode == FAULT_USER ? "user" : mode == FAULT_SUPERVISOR ? "supervisor" : NULL;
}

const char *fault_access_name(enum fault_access access)
{
	static const char *const names[] = {
		[FAULT_READ] = "read",
		[FAULT_WRITE] = "write",
		[FAULT_FETCH] = "instruction fetch",
	};

	return names[access];
}

const char *fault_code_text(const char *arch, uint64_t code, char *buf, size_t size)
{
	struct strbuf t;
	const char *mode, *access;
	struct fault_code f;

	if (!size)
		return buf;
	t = strbuf_in(buf, size);
	if (!fault_code_decode(arch, code, &f)) {
		strbuf_add(&t, "%#lx", code);
		return buf;
	}
	mode = fault_mode_name(f.mode);
	access = fault_access_name(f.access);
	if (mode)
		strbuf_add(&t, "%s%s", mode, access ? " " : ", ");
	if (access)
		strbuf_add(&t, "%s, ", access);
	strbuf_add(&t, "%s", f.reason);
	if (f.level != FAULT_NO_LEVEL)
		strbuf_add(&t, ", level %d", f.level);
	for (unsigned int i = 0; i < f.nnotes; i++)
		strbuf_add(&t, ", %s", f.notes[i]);
	if (f.unknown)
		strbuf_add(&t, ", unknown bits %#lx", f.unknown);
	return buf;
}

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
			    x.size > BELOW || x.regs.end > x.size))
		st = dump_unknown(d, "struct pt_regs");
	return RESULT(st, ret, x);
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
		ret->user_mode = regs.cs & 3;
		return ST_OK;
	}
	return hole ? dump_unreadable(d, "a part of the stack is not in this dump")
		    : dump_absent(d, "no struct pt_regs with sp %#lx", sp);
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
		return dump_absent(d, "no exception stacks");
	st = dump_symbol(d, "exception_stacks", &stacks) ?: percpu_open(d, &cpus);
	for (unsigned int i = 0; st == ST_OK && i < cpus.n; i++)
		if (cpus.cpu[i] == cpu)
			return search(x, stacks + cpus.offset[i], stacks + cpus.offset[i] + size,
				      sp, ret);
	return st ?: dump_absent(d, "no CPU %u", cpu);
}

enum status exception_frames_find(struct exception_frames *x, uint64_t sp, unsigned int cpu,
				  struct exception_frame *ret)
{
	uint64_t end = (sp + 7) & ~7ULL, start = end - BELOW;
	enum status near, st;

	if (sp < BELOW || end < sp)
		return dump_corrupt(x->dump, "%#lx is no stack pointer", sp);
	near = search(x, start, end, sp, ret);
	if (near == ST_OK)
		return near;
	st = search_exception_stacks(x, sp, cpu, ret);
	/* Where a part was missing, the frame may have been there. */
	return st == ST_ABSENT && near == ST_UNREADABLE
		       ? dump_unreadable(x->dump, "a part of the stack is not in this dump")
		       : st;
}
