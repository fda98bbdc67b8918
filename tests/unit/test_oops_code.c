// SPDX-License-Identifier: GPL-2.0-or-later
/* Which register was the pointer of an oops, by the bytes of its instruction. */
#include "log/oops_code.h"
#include "test.h"
#include "util/array.h"

#include <string.h>

/* The name of the register; "": none. Addresses are below 4 GiB or an error number. */
static const char *pointer(const char *code, uint64_t address)
{
	static struct oops_registers r = { .n = 5,
					   .all = { { "RAX", (uint64_t)-2 },
						    { "RBX", 0x1000 },
						    { "RCX", 3 },
						    { "R12", 0 },
						    { "R13", 0x2000 } } };
	struct oops_code c = { 0 };
	const struct oops_register *ret;

	oops_code_line(&c, code);
	ret = oops_code_pointer(&c, &r, address);
	return ret ? ret->name : "";
}

static void instructions(void)
{
	/* mov 0x28(%rax),%rax */
	CHECK_TEXT(pointer("Code: 89 c3 <48> 8b 40 28 4c 8b 60 50", 0x26), "RAX");
	CHECK_TEXT(pointer("Code: <48> 8b 40 28", 0x27), "");
	/* mov (%rbx,%rcx,8),%rdx; movzwl 0x10(%rbx),%eax; lock incl 0x100(%rbx) */
	CHECK_TEXT(pointer("Code: <48> 8b 14 cb", 0x1018), "RBX");
	CHECK_TEXT(pointer("Code: <0f> b7 43 10", 0x1010), "RBX");
	CHECK_TEXT(pointer("Code: <f0> ff 83 00 01 00 00", 0x1100), "RBX");
	/* mov 0x8(%r12),%rax and mov -0x8(%r13),%rax: of r12 by SIB alone */
	CHECK_TEXT(pointer("Code: <49> 8b 44 24 08", 8), "R12");
	CHECK_TEXT(pointer("Code: <49> 8b 45 f8", 0x1ff8), "R13");
	/* movl $0x1,(%rbx) */
	CHECK_TEXT(pointer("Code: <c7> 03 01 00 00 00", 0x1000), "RBX");
}

static void what_names_none(void)
{
	/* ud2, a register alone, what is beside the code, %gs, an index without a base, a cut line */
	CHECK_TEXT(pointer("Code: <0f> 0b 48 89", 0x26), "");
	CHECK_TEXT(pointer("Code: <48> 89 c3", 0x26), "");
	CHECK_TEXT(pointer("Code: <48> 8b 05 10 00 00 00", 0x10), "");
	CHECK_TEXT(pointer("Code: <65> 48 8b 40 28", 0x26), "");
	CHECK_TEXT(pointer("Code: <48> 8b 04 cd 00 00 00 00", 0x18), "");
	CHECK_TEXT(pointer("Code: <48> 8b 40", 0x26), "");
	CHECK_TEXT(pointer("Code: <48> 8b 84", 0x26), "");
	CHECK_TEXT(pointer("Code: <48>", 0x26), "");
	CHECK_TEXT(pointer("Code: Bad RIP value.", 0x26), "");
	CHECK_TEXT(pointer("Code: d503201f d503233f (f9400000)", 0x26), "");
	/* A register that the oops does not have. */
	CHECK_TEXT(pointer("Code: <48> 8b 47 28", 0x28), "");
}

/* The log of an oops has the registers of user mode behind the trace, and its code. */
static void code_of_user_mode(void)
{
	static const char *const before[] = { "Code: Unable to access opcode bytes at 0x1fdb.",
					      "RIP: 0033:0x4349db" };
	struct oops_code c = { 0 };

	for (size_t i = 0; i < ARRAY_SIZE(before); i++) {
		c = (struct oops_code){ 0 };
		oops_code_line(&c, "RIP: 0010:cbt_collect+0x5/0x40 [cbt]");
		oops_code_line(&c, before[i]);
		oops_code_line(&c, "Code: 0f 05 <89> c2 3d 00 f0");
		CHECK(!c.n);
	}
	c = (struct oops_code){ 0 };
	oops_code_line(&c, "RIP: 0010:cbt_collect+0x5/0x40 [cbt]");
	oops_code_line(&c, "Code: 0f 1f <48> 8b 47 10");
	oops_code_line(&c, "RIP: 0033:0x4349db");
	oops_code_line(&c, "Code: 0f 05 <89> c2 3d 00 f0");
	CHECK(c.n == 4 && c.bytes[0] == 0x48);
}

static void error_numbers(void)
{
	static struct oops_registers r = { .n = 2,
					   .all = { { "RAX", (uint64_t)-2 }, { "RBX", 0 } } };
	struct oops_code c = { 0 };
	char text[OOPS_POINTER];

	oops_code_line(&c, "Code: <48> 8b 40 28");
	CHECK_TEXT(oops_pointer_text(&c, &r, 0x26, text),
		   "the error number -2 (ENOENT) in RAX was taken for a pointer");
	CHECK(!oops_pointer_text(&c, &r, 0x28, text));
	r.all[0].value = (uint64_t)-4000;
	CHECK_TEXT(oops_pointer_text(&c, &r, (uint64_t)-3960, text),
		   "the error number -4000 in RAX was taken for a pointer");
	r.all[0].value = 0;
	CHECK(!oops_pointer_text(&c, &r, 0x28, text));
}

static void poisons(void)
{
	struct oops_registers r = { .n = 1, .all = { { "RDX", 0xdead000000000100 } } };
	struct oops_code c = { 0 };
	char text[OOPS_POINTER];

	/* cmpl $0x4d,0x10(%rdx) */
	oops_code_line(&c, "Code: <83> 7a 10 4d 74 0a");
	CHECK_TEXT(oops_pointer_text(&c, &r, 0xdead000000000110, text),
		   "LIST_POISON1 in RDX was taken for a pointer: the entry had left its list");
	r.all[0].value = 0xdead000000000101;
	CHECK(!oops_pointer_text(&c, &r, 0xdead000000000111, text));
	/* Of arm64 there is the address alone. */
	c.n = 0;
	CHECK_TEXT(oops_pointer_text(&c, &r, 0xdead000000000130, text),
		   "LIST_POISON2 was taken for a pointer: the entry had left its list");
	CHECK_TEXT(oops_pointer_text(&c, &r, 0x6b6b6b6b6b6b6b73, text),
		   "POISON_FREE was taken for a pointer: the object was freed");
	CHECK(!oops_pointer_text(&c, &r, 0x6b6b6b6b6b6b6b00, text));
	CHECK(!oops_pointer_text(&c, &r, 0xdead000000000400, text));
}

TESTS({ "poisons", poisons }, { "error numbers", error_numbers },
      { "code of user mode", code_of_user_mode },
      { "the register of an instruction", instructions }, { "what names none", what_names_none })
