// SPDX-License-Identifier: GPL-2.0-or-later
/* The value of a setting whose page has nothing but zeros, as .bss may have and a page that was lost. */
#include "kernel/sysctl.h"
#include "stub.h"
#include "test.h"

#define AT(i) (0x10000ULL + (uint64_t)(i)*0x1000)

static uint8_t zeros[4096], ones[4096];
static uint32_t others[1024] = { [5] = 1 };
static const struct stub_memory memory[] = {
	{ AT(0), zeros, sizeof(zeros) },
	{ AT(1), others, sizeof(others) },
	{ AT(2), ones, sizeof(ones) },
	{ 0 },
};

static enum status value_at(struct stub *s, uint64_t at, char text[SYSCTL_TEXT])
{
	const struct sysctl of = {
		.name = "swappiness", .data = at, .bytes = 4, .handler = "proc_dointvec"
	};

	memset(ones, 0xff, sizeof(ones));
	STUB_OPEN(*s, .memory = memory);
	return sysctl_value(&s->dump, &of, 0, text);
}

static void page_of_zeros(void)
{
	static struct stub s;
	char text[SYSCTL_TEXT] = "";

	CHECK(value_at(&s, AT(1), text) == ST_OK);
	CHECK_TEXT(text, "0");
	CHECK(value_at(&s, AT(0) + 40, text) == ST_UNKNOWN);
	CHECK_TEXT(s.dump.error, "swappiness is 0, or its page was lost: each byte of it is 0");
	CHECK(value_at(&s, AT(2), text) == ST_CORRUPT);
	CHECK(value_at(&s, AT(3), text) == ST_UNREADABLE);
}

TESTS({ "a page of zeros is no damage", page_of_zeros })
