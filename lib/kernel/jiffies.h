/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Times that the kernel keeps in jiffies. */
#pragma once

#include "dump/dump.h"

struct jiffies {
	uint64_t now;	  /* at the panic */
	uint64_t tick_ns; /* of a jiffy; 0: unknown */
};

/* What is not in the dump stays unknown: jiffies_age() then fails. */
void jiffies_open(struct dump *d, struct jiffies *ret);

/* Time from when to the panic in ns, to a jiffy; false: unknown, or when is later than the panic. */
bool jiffies_age(const struct jiffies *j, uint64_t when, uint64_t *ret);
