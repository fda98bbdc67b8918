// SPDX-License-Identifier: GPL-2.0-or-later
#include "tasks/name_stem.h"

const char *name_stem(const char *comm, char buf[NAME_STEM])
{
	const size_t n = *comm ? 1 + strcspn(comm + 1, "0123456789") : 0;

	snprintf(buf, NAME_STEM, "%.*s%s", (int)n, comm, comm[n] ? "*" : "");
	return buf;
}
