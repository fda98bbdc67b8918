// SPDX-License-Identifier: GPL-2.0-or-later
#include "kgtp/registers.h"

#include "dump/layout.h"

#define MAX_BYTES 1024 /* of struct pt_regs */
#define ARM64_GENERAL 31

struct row {
	const char *names[2]; /* of the member, newest first */
	const char *name;
	unsigned int trace_size;
};

/* The order and the widths are those of GDB's packet of registers (amd64). */
static const struct row x86_64_rows[] = {
	{ { "ax", "rax" }, "rax", 8 },
	{ { "bx", "rbx" }, "rbx", 8 },
	{ { "cx", "rcx" }, "rcx", 8 },
	{ { "dx", "rdx" }, "rdx", 8 },
	{ { "si", "rsi" }, "rsi", 8 },
	{ { "di", "rdi" }, "rdi", 8 },
	{ { "bp", "rbp" }, "rbp", 8 },
	{ { "sp", "rsp" }, "rsp", 8 },
	{ { "r8" }, "r8", 8 },
	{ { "r9" }, "r9", 8 },
	{ { "r10" }, "r10", 8 },
	{ { "r11" }, "r11", 8 },
	{ { "r12" }, "r12", 8 },
	{ { "r13" }, "r13", 8 },
	{ { "r14" }, "r14", 8 },
	{ { "r15" }, "r15", 8 },
	{ { "ip", "rip" }, "rip", 8 },
	{ { "flags", "eflags" }, "eflags", 4 },
	{ { "cs" }, "cs", 4 },
	{ { "ss" }, "ss", 4 },
	{ { "orig_ax", "orig_rax" }, "orig_rax", 0 },
};
#define X86_64_PC 16

static const struct row arm64_rows[] = {
	{ { "sp" }, "sp", 8 },
	{ { "pc" }, "pc", 8 },
	{ { "pstate" }, "cpsr", 4 },
};

static enum status add(struct dump *d, const struct row *row, struct kgtp_registers *regs)
{
	struct kgtp_register *r = &regs->r[regs->n++];
	struct layout_row wanted = {
		"struct pt_regs", { row->names[0], row->names[1] }, REQUIRED, "asm/ptrace.h"
	};
	enum status st = layout_resolve(d, &wanted, 1, &r->field);

	if (st != ST_OK)
		return st;
	if (r->field.size > 8 || r->field.offset + r->field.size > regs->size)
		return dump_fail(d, ST_UNKNOWN, "unknown layout: %s of struct pt_regs", row->name);
	r->name = row->name;
	r->trace_size = row->trace_size;
	regs->trace_size += row->trace_size;
	return ST_OK;
}

static enum status add_all(struct dump *d, const struct row *rows, size_t n,
			   struct kgtp_registers *regs)
{
	enum status st = ST_OK;

	for (size_t i = 0; st == ST_OK && i < n; i++)
		st = add(d, &rows[i], regs);
	return st;
}

/* x0 to x30 are one array. */
static enum status add_arm64(struct dump *d, struct kgtp_registers *regs)
{
	struct layout_row wanted = { "struct pt_regs", { "regs" }, REQUIRED, "asm/ptrace.h" };
	struct field all;
	enum status st = layout_resolve(d, &wanted, 1, &all);

	if (st != ST_OK)
		return st;
	if (all.size != ARM64_GENERAL * 8 || all.offset + all.size > regs->size)
		return dump_fail(d, ST_UNKNOWN, "unknown layout: regs of struct pt_regs");
	for (unsigned int i = 0; i < ARM64_GENERAL; i++) {
		char name[8];

		snprintf(name, sizeof(name), "x%u", i);
		regs->r[i].name = arena_strdup(d->arena, name);
		regs->r[i].field = (struct field){
			.present = true, .kind = KIND_INT, .offset = all.offset + 8 * i, .size = 8
		};
		regs->r[i].trace_size = 8;
	}
	regs->n = ARM64_GENERAL;
	regs->trace_size = ARM64_GENERAL * 8;
	regs->pc = ARM64_GENERAL + 1;
	return add_all(d, arm64_rows, ARRAY_SIZE(arm64_rows), regs);
}

enum status kgtp_registers_open(struct dump *d, struct kgtp_registers *ret)
{
	struct kgtp_registers regs = { 0 };
	uint64_t size;
	enum status st;

	if (dump_ask(d, type_size, "struct pt_regs", &size) != ST_OK || size > MAX_BYTES)
		return dump_fail(d, ST_UNKNOWN, "unknown layout: no size of struct pt_regs");
	regs.size = size;
	if (d->arch && !strcmp(d->arch, "aarch64")) {
		st = add_arm64(d, &regs);
	} else if (d->arch && !strcmp(d->arch, "x86_64")) {
		regs.pc = X86_64_PC;
		st = add_all(d, x86_64_rows, ARRAY_SIZE(x86_64_rows), &regs);
	} else {
		st = dump_fail(d, ST_UNKNOWN, "registers of this architecture are not known");
	}
	if (st == ST_OK)
		*ret = regs;
	return st;
}
