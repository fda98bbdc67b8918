// SPDX-License-Identifier: GPL-2.0-or-later
#include "class_huge.h"

const char *class_huge_counter(enum page_class class)
{
	return class == CLASS_ANON    ? "nr_anon_transparent_hugepages"
	       : class == CLASS_SHMEM ? "nr_shmem_hugepages"
	       : class == CLASS_FILE  ? "nr_file_hugepages"
				      : NULL;
}

bool class_huge_pages(const struct counters *c, uint64_t page_bytes, enum page_class class,
		      uint64_t pages, uint64_t *ret)
{
	const uint64_t each = page_bytes / sizeof(uint64_t);
	const char *name = class_huge_counter(class);
	uint64_t huge;
	int64_t n;

	if (!name || !c || counter_read(c, name, &n) != ST_OK || n < 0)
		return false;
	huge = (uint64_t)n <= pages / each ? (uint64_t)n * each : (uint64_t)n;
	if (huge % each || huge > pages || (n && n % (int64_t)each == 0 && huge != (uint64_t)n))
		return false;
	*ret = huge;
	return true;
}
