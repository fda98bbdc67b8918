// SPDX-License-Identifier: GPL-2.0-or-later
#include "file/vmcore.h"

#include <string.h>

static const char first[] = "OSRELEASE=";

/* vmcoreinfo_data is a page; the smallest of any kernel. */
#define STEP 4096

/* Lines of KEY=VALUE up to a zero byte, PAGESIZE among them. */
static bool is_vmcoreinfo(const char *text, size_t bytes)
{
	if (strnlen(text, bytes) == bytes || !strstr(text, "\nPAGESIZE="))
		return false;
	while (*text) {
		size_t line = strcspn(text, "\n");

		if (text[line] != '\n' || !memchr(text, '=', line))
			return false;
		text += line + 1;
	}
	return true;
}

/* As much of the page as there is, up to 64 KiB: it ends with zeros. */
static enum status take(struct dump *d, struct vmcore *v, uint64_t phys, const char **ret,
			size_t *bytes)
{
	char *text = dump_alloc(d, STEP + 1);

	if (!text)
		return ST_NOMEM;
	if (vmcore_read(v, phys, text, STEP) != ST_OK || !is_vmcoreinfo(text, STEP))
		return ST_ABSENT;
	*ret = text;
	*bytes = strlen(text);
	return ST_OK;
}

enum status vmcore_find_vmcoreinfo(struct dump *d, struct vmcore *v, const char **ret,
				   size_t *bytes)
{
	uint64_t phys = 0, end;
	char start[sizeof(first) - 1];

	while (vmcore_next(v, &phys, &end)) {
		for (phys = (phys + STEP - 1) & -(uint64_t)STEP; phys < end; phys += STEP) {
			enum status st;

			if (vmcore_read(v, phys, start, sizeof(start)) != ST_OK ||
			    memcmp(start, first, sizeof(start)))
				continue;
			st = take(d, v, phys, ret, bytes);
			if (st != ST_ABSENT)
				return st;
		}
	}
	return dump_fail(d, ST_ABSENT, "no VMCOREINFO: neither as a note nor in memory");
}
