// SPDX-License-Identifier: GPL-2.0-or-later
#include "log/oops_code.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "log/log_text.h"
#include "util/array.h"

#define MAX_ERRNO 4095 /* include/linux/err.h: the last page, which is no memory */

#define USER_RPL 3 /* of a selector: the privilege of user mode (arch/x86/include/asm/segment.h) */

#define REX 0x40 /* to 0x4f */
#define REX_B 1
#define REX_X 2

void oops_code_line(struct oops_code *c, const char *line)
{
	const char *p = log_after(line, "Code: "), *rip = log_after(line, "RIP: ");
	uint64_t cs;

	if (c->is_over || (!p && !rip))
		return;
	/* Behind the trace it has that of user mode, whose code follows; "Unable to access opcode bytes" is one without. */
	c->is_over = p || (log_take_hex(rip, &cs) && (cs & USER_RPL) == USER_RPL);
	p = p ? strchr(p, '<') : NULL;
	if (!p)
		return;
	for (p++; c->n < OOPS_CODE; p++) {
		uint64_t byte;
		const char *end;

		p += strspn(p, " >");
		end = log_take_hex(p, &byte);
		if (!end || end - p != 2)
			return;
		c->bytes[c->n++] = (uint8_t)byte;
		p = end - 1;
	}
}

/* Prefixes of an operand's size, of a segment but %fs and %gs, of lock and rep. */
static bool is_prefix(uint8_t byte)
{
	static const uint8_t prefixes[] = { 0x26, 0x2e, 0x36, 0x3e, 0x66, 0xf0, 0xf2, 0xf3 };

	return ANY_OF(i, ARRAY_SIZE(prefixes), prefixes[i] == byte);
}

/* Those of one byte that have a ModRM: arithmetic, mov, test, shifts, call and jmp by memory. */
static bool has_modrm(uint8_t opcode)
{
	static const struct {
		uint8_t first, last;
	} ranges[] = { { 0x62, 0x63 }, { 0x69, 0x69 }, { 0x6b, 0x6b }, { 0x80, 0x8b },
		       { 0x8f, 0x8f }, { 0xc0, 0xc1 }, { 0xc6, 0xc7 }, { 0xd0, 0xd3 },
		       { 0xf6, 0xf7 }, { 0xfe, 0xff } };

	return (opcode < REX && (opcode & 7) < 4) ||
	       ANY_OF(i, ARRAY_SIZE(ranges), opcode >= ranges[i].first && opcode <= ranges[i].last);
}

/* Of two bytes: cmov, set, movzx, bt, cmpxchg, xadd, and loads of SSE. */
static bool has_long_modrm(uint8_t opcode)
{
	return (opcode >= 0x10 && opcode <= 0x17) || (opcode >= 0x28 && opcode <= 0x2f) ||
	       (opcode >= 0x40 && opcode <= 0x7f) || (opcode >= 0x90 && opcode <= 0x9f) ||
	       (opcode >= 0xa3 && opcode <= 0xc7 && opcode != 0xa8 && opcode != 0xa9);
}

struct operand {
	unsigned int base, index, scale;
	bool has_base, has_index;
	int32_t offset;
};

static bool take_offset(const struct oops_code *c, unsigned int at, unsigned int bytes,
			int32_t *ret)
{
	uint32_t value = 0;

	if (at + bytes > c->n)
		return false;
	for (unsigned int i = 0; i < bytes; i++)
		value |= (uint32_t)c->bytes[at + i] << 8 * i;
	*ret = bytes == 1 ? (int8_t)value : (int32_t)value;
	return true;
}

/* ModRM, SIB and what is added. */
static bool take_operand(const struct oops_code *c, unsigned int at, uint8_t rex,
			 struct operand *ret)
{
	const uint8_t modrm = at < c->n ? c->bytes[at] : 0xff, mod = modrm >> 6;
	unsigned int bytes = mod == 1 ? 1 : mod == 2 ? 4 : 0;

	*ret = (struct operand){ .has_base = true, .base = modrm & 7 };
	at++;
	if (mod == 3 || (mod == 0 && ret->base == 5)) /* a register, or what is beside the code */
		return false;
	if (ret->base == 4) {
		const uint8_t sib = at < c->n ? c->bytes[at] : 0;

		if (at++ >= c->n)
			return false;
		ret->base = sib & 7;
		ret->index = (sib >> 3 & 7) | (rex & REX_X ? 8 : 0);
		ret->has_index = ret->index != 4;
		ret->scale = 1U << (sib >> 6);
		if (mod == 0 && ret->base == 5) {
			ret->has_base = false;
			bytes = 4;
		}
	}
	ret->base |= rex & REX_B ? 8 : 0;
	return !bytes || take_offset(c, at, bytes, &ret->offset);
}

static const struct oops_register *find(const struct oops_registers *r, unsigned int number)
{
	static const char *const names[16] = { "RAX", "RCX", "RDX", "RBX", "RSP", "RBP",
					       "RSI", "RDI", "R08", "R09", "R10", "R11",
					       "R12", "R13", "R14", "R15" };

	for (unsigned int i = 0; i < r->n; i++)
		if (!strcmp(r->all[i].name, names[number]))
			return &r->all[i];
	return NULL;
}

const struct oops_register *oops_code_pointer(const struct oops_code *c,
					      const struct oops_registers *r, uint64_t address)
{
	const struct oops_register *base, *index;
	struct operand o;
	unsigned int at = 0;
	uint8_t rex = 0;
	bool is_long;

	while (at < c->n && is_prefix(c->bytes[at]))
		at++;
	if (at < c->n && (c->bytes[at] & 0xf0) == REX)
		rex = c->bytes[at++];
	is_long = at < c->n && c->bytes[at] == 0x0f;
	at += is_long;
	if (at >= c->n || !(is_long ? has_long_modrm : has_modrm)(c->bytes[at]) ||
	    !take_operand(c, at + 1, rex, &o) || !o.has_base)
		return NULL;
	base = find(r, o.base);
	index = o.has_index ? find(r, o.index) : NULL;
	if (!base || (o.has_index && !index))
		return NULL;
	return base->value + (uint64_t)(int64_t)o.offset + (index ? index->value * o.scale : 0) ==
			       address
		       ? base
		       : NULL;
}

/* Those that functions of the kernel give as pointers. */
static const char *const names[] = {
	[EPERM] = "EPERM",
	[ENOENT] = "ENOENT",
	[ESRCH] = "ESRCH",
	[EINTR] = "EINTR",
	[EIO] = "EIO",
	[ENXIO] = "ENXIO",
	[E2BIG] = "E2BIG",
	[ENOEXEC] = "ENOEXEC",
	[EBADF] = "EBADF",
	[ECHILD] = "ECHILD",
	[EAGAIN] = "EAGAIN",
	[ENOMEM] = "ENOMEM",
	[EACCES] = "EACCES",
	[EFAULT] = "EFAULT",
	[ENOTBLK] = "ENOTBLK",
	[EBUSY] = "EBUSY",
	[EEXIST] = "EEXIST",
	[EXDEV] = "EXDEV",
	[ENODEV] = "ENODEV",
	[ENOTDIR] = "ENOTDIR",
	[EISDIR] = "EISDIR",
	[EINVAL] = "EINVAL",
	[ENFILE] = "ENFILE",
	[EMFILE] = "EMFILE",
	[ENOTTY] = "ENOTTY",
	[ETXTBSY] = "ETXTBSY",
	[EFBIG] = "EFBIG",
	[ENOSPC] = "ENOSPC",
	[ESPIPE] = "ESPIPE",
	[EROFS] = "EROFS",
	[EMLINK] = "EMLINK",
	[EPIPE] = "EPIPE",
	[EDOM] = "EDOM",
	[ERANGE] = "ERANGE",
	[EDEADLK] = "EDEADLK",
	[ENAMETOOLONG] = "ENAMETOOLONG",
	[ENOLCK] = "ENOLCK",
	[ENOSYS] = "ENOSYS",
	[ENOTEMPTY] = "ENOTEMPTY",
	[ELOOP] = "ELOOP",
	[ENODATA] = "ENODATA",
	[ETIME] = "ETIME",
	[EPROTO] = "EPROTO",
	[EBADMSG] = "EBADMSG",
	[EOVERFLOW] = "EOVERFLOW",
	[EOPNOTSUPP] = "EOPNOTSUPP",
	[ENOBUFS] = "ENOBUFS",
	[ETIMEDOUT] = "ETIMEDOUT",
	[EALREADY] = "EALREADY",
	[EINPROGRESS] = "EINPROGRESS",
	[ESTALE] = "ESTALE",
	[EREMOTEIO] = "EREMOTEIO",
	[EDQUOT] = "EDQUOT",
	[ECANCELED] = "ECANCELED",
};

/*
 * include/linux/poison.h with CONFIG_ILLEGAL_POINTER_VALUE of 64 bits; LIST_POISON2 was 0x200 up to 5.3. Bytes of SLUB are
 * there with slub_debug=P, those of free pages with page_poison=1.
 */
#define POISONED(byte) ((byte)*0x0101010101010101ULL)
static const struct {
	uint64_t value;
	const char *name, *what;
} poisons[] = {
	{ 0xdead000000000100, "LIST_POISON1", "the entry had left its list" },
	{ 0xdead000000000122, "LIST_POISON2", "the entry had left its list" },
	{ 0xdead000000000200, "LIST_POISON2", "the entry had left its list" },
	{ 0xdead000000000300, "TIMER_ENTRY_STATIC", "the timer was not queued" },
	{ POISONED(0x6b), "POISON_FREE", "the object was freed" },
	{ POISONED(0x5a), "POISON_INUSE", "the object was never written" },
	{ POISONED(0xaa), "PAGE_POISON", "the page was freed" },
};

/* A member of what is no structure: as far from its address as members are, and less than from the next of these. */
#define POISON_REACH 0x20

static int poison_at(const struct oops_register *of, uint64_t address)
{
	for (size_t i = 0; i < ARRAY_SIZE(poisons); i++)
		if (of ? of->value == poisons[i].value : address - poisons[i].value < POISON_REACH)
			return (int)i;
	return -1;
}

const char *oops_pointer_text(const struct oops_code *c, const struct oops_registers *r,
			      uint64_t address, char buf[OOPS_POINTER])
{
	const struct oops_register *of = oops_code_pointer(c, r, address);
	const int error = of && of->value >= (uint64_t)-MAX_ERRNO ? (int)-of->value : 0;
	const char *name = error && error < (int)ARRAY_SIZE(names) ? names[error] : NULL;
	const int poison = error ? -1 : poison_at(of, address);

	if (error)
		snprintf(buf, OOPS_POINTER,
			 "the error number -%d%s%s%s in %s was taken for a pointer", error,
			 name ? " (" : "", name ?: "", name ? ")" : "", of->name);
	else if (poison >= 0)
		snprintf(buf, OOPS_POINTER, "%s%s%s was taken for a pointer: %s",
			 poisons[poison].name, of ? " in " : "", of ? of->name : "",
			 poisons[poison].what);
	return error || poison >= 0 ? buf : NULL;
}
