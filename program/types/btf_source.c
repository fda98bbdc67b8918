// SPDX-License-Identifier: GPL-2.0-or-later
#include "types/type_source.h"

enum status types_from_btf(struct dump *d, const struct symbols *s, struct type_source *ret)
{
	(void)s;
	(void)ret;
	return dump_fail(d, ST_ABSENT, "this kernel has no BTF");
}
