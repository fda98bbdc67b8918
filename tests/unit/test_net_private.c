// SPDX-License-Identifier: GPL-2.0-or-later
/* Where what a driver has of its own is in a network device. */
#include "holders/steps.h"
#include "stub.h"
#include "test.h"

static uint32_t offset_of(const struct stub_member *members, int64_t bytes)
{
	const struct stub_number sizes[] = { { "struct net_device", bytes }, { 0 } };
	STUB(s, .members = members, .sizes = sizes);

	return net_private_offset(&s.dump);
}

static void by_its_member(void)
{
	static const struct stub_member members[] = {
		{ "struct net_device", "priv", FIELD(2624, 0) }, { 0 }
	};

	CHECK(offset_of(members, 2688) == 2624);
}

/* Up to 6.11 it stands behind the structure, aligned by a constant that is no type. */
static void behind_the_structure(void)
{
	static const struct stub_member members[] = { { 0 } };

	CHECK(offset_of(members, 1792) == 1792);
	CHECK(!offset_of(members, 1800) && !offset_of(members, 1824));
	CHECK(!offset_of(members, 1 << 20));
}

TESTS({ "by its member", by_its_member }, { "behind the structure", behind_the_structure })
