// SPDX-License-Identifier: GPL-2.0-or-later
/* Text of x86-64: bytes of instructions after the manual, and the way of a function to a call. */
#include "tasks/x86_text.h"
#include "test.h"

#include <string.h>

static void lengths(void)
{
	static const struct {
		size_t len;
		uint8_t code[12];
	} all[] = {
		{ 4, { 0xf3, 0x0f, 0x1e, 0xfa } },		     /* endbr64 */
		{ 5, { 0xe8, 1, 2, 3, 4 } },			     /* call */
		{ 7, { 0x48, 0xc7, 0xc7, 1, 2, 3, 4 } },	     /* mov $, %rdi */
		{ 8, { 0x65, 0x48, 0x8b, 0x05, 1, 2, 3, 4 } },	     /* mov %gs:(%rip), %rax */
		{ 9, { 0x65, 0x48, 0x8b, 0x04, 0x25, 1, 2, 3, 4 } }, /* mov %gs:, %rax */
		{ 5, { 0x48, 0x8b, 0x44, 0x24, 8 } },		     /* mov 8(%rsp), %rax */
		{ 7, { 0x0f, 0xb6, 0x84, 0x24, 1, 2, 3 } },	     /* cut: 8 bytes */
		{ 10, { 0x48, 0xb8, 1, 2, 3, 4, 5, 6, 7, 8 } },	     /* movabs */
		{ 5, { 0xb8, 1, 2, 3, 4 } },			     /* mov $, %eax */
		{ 5, { 0x66, 0xc7, 0x00, 1, 2 } },		     /* movw $, (%rax) */
		{ 3, { 0xf6, 0xc3, 1 } },			     /* test $, %bl */
		{ 6, { 0xf7, 0xc3, 1, 2, 3, 4 } },		     /* test $, %ebx */
		{ 2, { 0xf7, 0xd8 } },				     /* neg %eax */
		{ 6, { 0x0f, 0x84, 1, 2, 3, 4 } },		     /* je */
		{ 2, { 0x74, 1 } },				     /* je */
		{ 5, { 0x48, 0x0f, 0xba, 0x20, 1 } },		     /* btq $, (%rax) */
		{ 2, { 0x0f, 0x0b } },				     /* ud2 */
		{ 1, { 0xc3 } },				     /* ret */
		{ 0, { 0xc5, 0xf8, 0x77 } }, /* vzeroupper: of no use here */
		{ 0, { 0x62 } },
	};

	for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++) {
		size_t n = i == 6 ? 8 : sizeof(all->code);

		CHECK(x86_length(all[i].code, n) == (i == 6 ? 8 : all[i].len));
		/* What is cut has no length. */
		for (size_t cut = 0; cut < all[i].len; cut++)
			CHECK(!x86_length(all[i].code, cut));
	}
}

static uint8_t text[64];

/* Calls that end at 9 and 19, a return at 24. */
static void set_up(void)
{
	static const uint8_t call[] = { 0xe8, 0, 0, 0, 0 };

	memset(text, 0x90, sizeof(text));
	memcpy(text + 4, call, sizeof(call));
	memcpy(text + 14, call, sizeof(call));
	text[24] = 0xc3;
}

static void put(size_t at, uint8_t a, uint8_t b)
{
	text[at] = a;
	text[at + 1] = b;
}

static bool comes(void)
{
	return x86_comes_by(text, sizeof(text), 9, 19);
}

static void one_way(void)
{
	set_up();
	CHECK(comes());
	/* It is not behind. */
	CHECK(!x86_comes_by(text, sizeof(text), 19, 9) && !x86_comes_by(text, sizeof(text), 9, 9));
	CHECK(!x86_comes_by(text, 18, 9, 19));
	/* Around both, within, and back to before the first. */
	put(0, 0x74, 23);
	put(10, 0xeb, 1);
	put(20, 0x75, (uint8_t)-22);
	CHECK(comes());
	/* Around the first alone; from behind; to where the first returns. */
	set_up();
	put(0, 0x74, 10);
	CHECK(!comes());
	put(0, 0x74, 7);
	CHECK(!comes());
	set_up();
	put(26, 0xeb, (uint8_t)-18);
	CHECK(!comes());
	/* By 32 bits. */
	set_up();
	put(28, 0x0f, 0x85);
	memcpy(text + 30, "\xec\xff\xff\xff", 4);
	CHECK(!comes());
	memcpy(text + 30, "\xf4\xff\xff\xff", 4);
	CHECK(comes());
}

static void any_way(void)
{
	/* A condition leads out of it, as to a part of it that is elsewhere; a call that ends it does not. */
	set_up();
	put(28, 0x0f, 0x85);
	memcpy(text + 30, "\x00\x01\x00\x00", 4);
	CHECK(!comes());
	set_up();
	text[28] = 0xe9;
	memcpy(text + 29, "\x00\x01\x00\x00", 4);
	CHECK(comes());
	/* jmp *%rax, jmp *(%rax), but call *%rax */
	set_up();
	put(26, 0xff, 0xe0);
	CHECK(!comes());
	put(26, 0xff, 0x20);
	CHECK(!comes());
	put(26, 0xff, 0xd0);
	CHECK(comes());
	/* One that is not known. */
	text[40] = 0x62;
	CHECK(!comes());
}

TESTS({ "bytes of an instruction", lengths }, { "one way to a call", one_way },
      { "jumps that may lead anywhere", any_way })
