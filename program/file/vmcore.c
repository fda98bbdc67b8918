// SPDX-License-Identifier: GPL-2.0-or-later
#include "file/vmcore.h"

enum status vmcore_open(struct dump *d, const char *const *paths, size_t n, struct vmcore **ret)
{
	(void)n;
	(void)ret;
	return dump_fail(d, ST_UNKNOWN, "%s: unknown format", paths[0]);
}

const struct vmcore_facts *vmcore_facts(const struct vmcore *v)
{
	(void)v;
	return NULL;
}

enum status vmcore_read(struct vmcore *v, uint64_t phys, void *buf, size_t len)
{
	(void)v;
	(void)phys;
	(void)buf;
	(void)len;
	return ST_UNREADABLE;
}

bool vmcore_next(const struct vmcore *v, uint64_t *phys, uint64_t *end)
{
	(void)v;
	(void)phys;
	(void)end;
	return false;
}

enum status vmcore_find_vmcoreinfo(struct dump *d, struct vmcore *v, const char **ret,
				   size_t *bytes)
{
	(void)v;
	(void)ret;
	(void)bytes;
	return dump_fail(d, ST_ABSENT, "no VMCOREINFO");
}
