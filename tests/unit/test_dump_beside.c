// SPDX-License-Identifier: GPL-2.0-or-later
/* A dump that lasts for several commands: the one that asks is told what it is told. */
#include <string.h>

#include "stub.h"
#include "test.h"

static struct stub stub;

static void test_asking(void)
{
	struct dump lasting, *d = &stub.dump;

	STUB_OPEN(stub);
	d->page_shift = 16;
	d->arch = "aarch64";
	d->linear_only = true;
	dump_beside(d, arena_within(d->arena), &lasting);
	CHECK(lasting.ops == d->ops && lasting.priv == d->priv && lasting.arena != d->arena);
	CHECK(lasting.page_shift == 16 && lasting.linear_only && !strcmp(lasting.arch, "aarch64"));
	dump_fail(&lasting, ST_CORRUPT, "none asks");
	CHECK(!*d->error);
	dump_lacks(&lasting, "tables", ST_CORRUPT, "they are zeros");
	CHECK(!d->gaps && lasting.gaps);
	lasting.asking = d;
	CHECK(dump_fail(&lasting, ST_CORRUPT, "list %u", 7u) == ST_CORRUPT);
	CHECK(!strcmp(d->error, "list 7") && !strcmp(lasting.error, "list 7"));
	/* Also what it was told before. */
	dump_lacks(&lasting, "tables", ST_ABSENT, "they are %s", "zeros");
	CHECK(d->gaps && !strcmp(d->gaps->part, "tables") && d->gaps->why == ST_UNKNOWN);
	CHECK(!strcmp(d->gaps->reason, "they are zeros") && !d->gaps->next && !lasting.gaps->next);
	arena_reset(d->arena);
}

TESTS({ "the command that asks", test_asking })
