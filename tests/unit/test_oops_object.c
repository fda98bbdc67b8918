// SPDX-License-Identifier: GPL-2.0-or-later
/* What an object has that a register of an exception points into. */
#include "collect/oops_object.h"
#include "stub.h"
#include "test.h"

static struct oops oops;
static struct oops_object of;

static void begin(enum oops_kind kind, uint64_t address, uint64_t rax)
{
	oops = (struct oops){ .kind = kind,
			      .address = { address != 0, address },
			      .registers = { 2, { { "RDX", 8 }, { "RAX", rax } } } };
	of = (struct oops_object){ .at = { "R14", 0xffff8eda027c9630 }, .offset = 0x30 };
}

static void a_text_that_was_taken_for_a_pointer(void)
{
	uint8_t bytes[64] = { 0 };

	memcpy(bytes + 0x28, "head=2 state=IDLE lamp=O", 24);
	begin(OOPS_GENERAL_PROTECTION, 0x493d657461747328, 0x493d657461747320);
	oops_object_look(&oops, bytes, sizeof(bytes), &of);
	CHECK_TEXT(of.bad.name, "");
	memcpy(bytes + 0x2a, "head=2 state=IDLE lamp", 22);
	oops_object_look(&oops, bytes, sizeof(bytes), &of);
	CHECK_TEXT(of.bad.name, "RAX");
	CHECK(of.word_offset == 0x30 && of.nbegin == 24 && !memcmp(of.begin, "hehead=2", 8));
	/* Another register is far from the address, and a small number is no pointer. */
	begin(OOPS_GENERAL_PROTECTION, 0x493d657461748328, 0x493d657461747320);
	oops_object_look(&oops, bytes, sizeof(bytes), &of);
	CHECK(!*of.bad.name && of.nbegin == 24 && !of.begin[0]);
	begin(OOPS_PAGE_FAULT, 8, 8);
	oops_object_look(&oops, bytes, sizeof(bytes), &of);
	CHECK(!*of.bad.name);
}

/* Up to 5.3 a general protection fault has no address. */
static void without_an_address_it_is_what_no_processor_takes(void)
{
	uint8_t bytes[64] = { 0 };

	memset(bytes + 8, 0x6b, 56);
	begin(OOPS_GENERAL_PROTECTION, 0, 0x6b6b6b6b6b6b6b6b);
	oops_object_look(&oops, bytes, sizeof(bytes), &of);
	CHECK(!strcmp(of.bad.name, "RAX") && of.word_offset == 0x30 && !of.is_filled);
	memset(bytes, 0x6b, 63);
	bytes[63] = 0xa5;
	oops_object_look(&oops, bytes, sizeof(bytes), &of);
	CHECK(of.is_filled && of.begin[0] == 0x6b);
	begin(OOPS_GENERAL_PROTECTION, 0, 0xffff8eda027c9630);
	memcpy(bytes + 8, &oops.registers.all[1].value, 8);
	oops_object_look(&oops, bytes, sizeof(bytes), &of);
	CHECK(!*of.bad.name && !of.is_filled);
}

static void freed_twice(void)
{
	begin(OOPS_BUG, 0, 0);
	of.use = OOPS_FREE;
	of.offset = 0;
	strcpy(oops.headline, "kernel BUG at mm/slub.c:305!");
	strcpy(oops.ip, "kfree+0x415/0x490");
	CHECK(oops_is_double_free(&oops, &of));
	of.offset = 8;
	CHECK(!oops_is_double_free(&oops, &of));
	of.offset = 0;
	of.use = OOPS_IN_USE;
	CHECK(!oops_is_double_free(&oops, &of));
	of.use = OOPS_FREE;
	strcpy(oops.ip, "__kmalloc+0x1/0x2");
	CHECK(!oops_is_double_free(&oops, &of));
	strcpy(oops.ip, "kfree+0x415/0x490");
	strcpy(oops.headline, "kernel BUG at fs/inode.c:12!");
	CHECK(!oops_is_double_free(&oops, &of));
}

static void the_text_of_a_bug(void)
{
	static const char text[] = "bug (list_del corruption. prev->next should be "
				   "ffff8d4c83d27f00, but was 000000000051f000.)";

	of.at.value = 0xffff8d4c83d27f00;
	CHECK(oops_tells(text, &of) && !oops_tells(NULL, &of));
	of.at.value = 0xffff8d4c83d27f40;
	CHECK(!oops_tells(text, &of));
	of.at.value = 0x51f000;
	CHECK(!oops_tells(text, &of));
}

TESTS({ "freed twice", freed_twice }, { "the text of a bug", the_text_of_a_bug },
      { "a text that was taken for a pointer", a_text_that_was_taken_for_a_pointer },
      { "without an address it is what no processor takes",
	without_an_address_it_is_what_no_processor_takes })
