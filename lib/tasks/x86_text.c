// SPDX-License-Identifier: GPL-2.0-or-later
#include "tasks/x86_text.h"

#include "util/endian.h"

#define CALL 0xe8
#define JUMP 0xe9
#define JUMP_SHORT 0xeb

/* Intel SDM volume 2, appendix A: what stands behind an opcode. */
enum behind { MODRM = 1, IMM8 = 2, IMM32 = 4, BAD = 8 };

struct code {
	size_t prefixes; /* bytes before the opcode */
	bool has_66, has_w, is_two;
	uint8_t opcode; /* behind 0x0f where is_two */
};

static bool is_prefix(uint8_t b)
{
	return b == 0x66 || b == 0x67 || b == 0xf0 || b == 0xf2 || b == 0xf3 || b == 0x2e ||
	       b == 0x3e || b == 0x26 || b == 0x36 || b == 0x64 || b == 0x65;
}

static unsigned int behind_one(uint8_t op)
{
	if (op < 0x40)
		return (op & 7) < 4 ? MODRM : (op & 7) == 4 ? IMM8 : (op & 7) == 5 ? IMM32 : BAD;
	if (op >= 0x50 && op <= 0x5f)
		return 0;
	if (op >= 0x70 && op <= 0x7f)
		return IMM8;
	if (op >= 0x84 && op <= 0x8f)
		return MODRM;
	if (op >= 0x90 && op <= 0x9f)
		return op == 0x9a ? BAD : 0;
	if (op >= 0xa4 && op <= 0xaf)
		return op == 0xa8 ? IMM8 : op == 0xa9 ? IMM32 : 0;
	if (op >= 0xb0 && op <= 0xbf)
		return op < 0xb8 ? IMM8 : IMM32;
	switch (op) {
	case 0x63:
	case 0xd0:
	case 0xd1:
	case 0xd2:
	case 0xd3:
	case 0xf6: /* IMM8 of two of its kinds, below */
	case 0xf7:
	case 0xfe:
	case 0xff:
		return MODRM;
	case 0x68:
	case CALL:
	case JUMP:
		return IMM32;
	case 0x6a:
	case 0xcd:
	case JUMP_SHORT:
	case 0xe3:
		return IMM8;
	case 0x69:
	case 0x81:
	case 0xc7:
		return MODRM | IMM32;
	case 0x6b:
	case 0x80:
	case 0x83:
	case 0xc0:
	case 0xc1:
	case 0xc6:
		return MODRM | IMM8;
	case 0xc3:
	case 0xc9:
	case 0xcc:
	case 0xf4:
	case 0xf5:
	case 0xf8:
	case 0xf9:
	case 0xfa:
	case 0xfb:
	case 0xfc:
	case 0xfd:
		return 0;
	default:
		return BAD;
	}
}

static unsigned int behind_two(uint8_t op)
{
	if (op >= 0x80 && op <= 0x8f)
		return IMM32;
	if (op == 0x05 || op == 0x06 || op == 0x0b || (op >= 0x30 && op <= 0x33) || op == 0xa2 ||
	    (op >= 0xc8 && op <= 0xcf))
		return 0;
	if (op == 0xa4 || op == 0xac || op == 0xba)
		return MODRM | IMM8;
	if (op == 0x01 || op == 0x0d || (op >= 0x18 && op <= 0x1f) || (op >= 0x40 && op <= 0x4f) ||
	    (op >= 0x90 && op <= 0x9f) || op == 0xa3 || op == 0xa5 || op == 0xab || op == 0xad ||
	    op == 0xae || op == 0xaf || (op >= 0xb0 && op <= 0xbf) || op == 0xc0 || op == 0xc1 ||
	    op == 0xc7)
		return MODRM;
	return BAD;
}

/* Up to its opcode; false: it is cut. */
static bool read_opcode(const uint8_t *code, size_t n, struct code *ret)
{
	size_t i = 0;

	*ret = (struct code){ 0 };
	for (; i < n && is_prefix(code[i]); i++)
		ret->has_66 |= code[i] == 0x66;
	if (i < n && (code[i] & 0xf0) == 0x40)
		ret->has_w = code[i++] & 8;
	if (i < n && code[i] == 0x0f) {
		ret->is_two = true;
		i++;
	}
	ret->prefixes = i;
	if (i >= n)
		return false;
	ret->opcode = code[i];
	return true;
}

/* Of the byte, what may stand behind it, and an offset. */
static size_t modrm_length(const uint8_t *at, size_t n)
{
	const unsigned int mode = at[0] >> 6, base = at[0] & 7;
	size_t len = 1;

	if (mode == 3)
		return len;
	if (base == 4) {
		len++;
		if (mode == 0 && n > 1 && (at[1] & 7) == 5)
			len += 4;
	} else if (mode == 0 && base == 5) {
		len += 4;
	}
	return len + (mode == 1 ? 1 : mode == 2 ? 4 : 0);
}

size_t x86_length(const uint8_t *code, size_t n)
{
	unsigned int what;
	struct code c;
	size_t len;

	if (!read_opcode(code, n, &c))
		return 0;
	what = c.is_two ? behind_two(c.opcode) : behind_one(c.opcode);
	len = c.prefixes + 1;
	if (what & BAD)
		return 0;
	if (what & MODRM) {
		if (len >= n)
			return 0;
		/* "test" with a constant, of the kinds of 0xf6 and 0xf7 */
		if (!c.is_two && (c.opcode & 0xfe) == 0xf6 && !(code[len] & 0x30))
			what |= c.opcode == 0xf6 ? IMM8 : IMM32;
		len += modrm_length(code + len, n - len);
	}
	if (what & IMM8)
		len++;
	if (what & IMM32)
		len += !c.is_two && c.has_w && (c.opcode & 0xf8) == 0xb8 ? 8 : c.has_66 ? 2 : 4;
	return len <= n ? len : 0;
}

struct jump {
	bool is_jump, is_conditional, is_anywhere;
	int64_t to; /* offset in the function */
};

static struct jump jump_at(const uint8_t *text, size_t at, size_t len)
{
	struct code c;
	struct jump ret = { .is_jump = true };

	if (!read_opcode(text + at, len, &c))
		return (struct jump){ 0 };
	if (!c.is_two && c.opcode == 0xff) {
		ret.is_anywhere = (text[at + c.prefixes + 1] & 0x38) == 0x20;
		ret.is_jump = ret.is_anywhere;
		return ret;
	}
	if (c.is_two ? (c.opcode & 0xf0) == 0x80 : c.opcode == JUMP) {
		ret.is_conditional = c.is_two;
		ret.to = (int64_t)(at + len) + (int32_t)le32(text + at + len - 4);
		return ret;
	}
	if (!c.is_two &&
	    ((c.opcode & 0xf0) == 0x70 || c.opcode == JUMP_SHORT || c.opcode == 0xe3)) {
		ret.is_conditional = c.opcode != JUMP_SHORT;
		ret.to = (int64_t)(at + len) + (int8_t)text[at + len - 1];
		return ret;
	}
	return (struct jump){ 0 };
}

bool x86_comes_by(const uint8_t *text, size_t n, size_t from, size_t to)
{
	size_t len;

	if (from >= to || to > n)
		return false;
	for (size_t at = 0; at < n; at += len) {
		struct jump j;

		len = x86_length(text + at, n - at);
		if (!len)
			return false;
		j = jump_at(text, at, len);
		if (j.is_anywhere)
			return false;
		if (!j.is_jump || (at >= from && at < to))
			continue;
		/* To what was moved away; what ends the function leaves it for good. */
		if (j.is_conditional && (j.to < 0 || (size_t)j.to >= n))
			return false;
		if (j.to >= (int64_t)from && j.to < (int64_t)to)
			return false;
	}
	return true;
}
