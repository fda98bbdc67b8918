/* SPDX-License-Identifier: GPL-2.0-or-later */
/* vm.nr_hugepages and its like: files of /proc/sys/vm that have no variable, but show the default size of huge pages. */
#pragma once

#include "dump/dump.h"

struct huge_setting {
	const char *name, *remark;
	enum status status; /* of what follows */
	uint64_t value;
	uint64_t bytes; /* of the huge pages that it keeps */
};

/* Those that this kernel has: none where no size of huge pages is supported. */
void huge_settings_walk(struct dump *d, void (*visit)(void *arg, const struct huge_setting *s),
			void *arg);
