// SPDX-License-Identifier: GPL-2.0-or-later
#include "file/describe.h"

/* A line of VMCOREINFO, without its key. */
static void put_value(struct sink *s, const char *name, const char *info, const char *key)
{
	const char *at = strstr(info, key);
	int n;

	if (!at || (at != info && at[-1] != '\n'))
		return;
	at += strlen(key);
	n = strcspn(at, "\n");
	sink_printf(s, "%-11s %.*s\n", name, n, at);
}

static void put_memory(const struct vmcore *v, struct sink *s)
{
	uint64_t phys = 0, end = 0, bytes = 0, runs = 0;

	for (; vmcore_next(v, &phys, &end); phys = end) {
		bytes += end - phys;
		runs++;
	}
	sink_printf(s, "%-11s %.1f MiB in %lu ranges\n", "memory", bytes / 1048576., runs);
}

void vmcore_describe(struct dump *d, struct vmcore *v, struct sink *s)
{
	const struct vmcore_facts *f = vmcore_facts(v);
	const char *info = f->vmcoreinfo, *where = "a note";
	size_t bytes;

	sink_printf(s, "%-11s %s%s%s\n", "format", f->format, f->compression ? ", " : "",
		    f->compression ? f->compression : "");
	sink_printf(s, "%-11s %s\n", "machine", f->machine ? f->machine : "unknown");
	if (f->block_bytes)
		sink_printf(s, "%-11s %u bytes\n", "block", f->block_bytes);
	put_memory(v, s);
	if (f->incomplete)
		sink_printf(s, "%-11s %s\n", "incomplete", f->incomplete);
	if (!info) {
		where = "in memory";
		if (vmcore_find_vmcoreinfo(d, v, &info, &bytes) != ST_OK)
			info = NULL;
	}
	sink_printf(s, "%-11s %s\n", "VMCOREINFO", info ? where : "none");
	if (info) {
		put_value(s, "release", info, "OSRELEASE=");
		put_value(s, "build ID", info, "BUILD-ID=");
		put_value(s, "page size", info, "PAGESIZE=");
	} else if (*f->release) {
		sink_printf(s, "%-11s %s\n", "release", f->release);
	}
}
