/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A number of the kernel: a variable, or a member of one. */
#pragma once

#include "dump/dump.h"

#define PLACE_COUNTER "struct percpu_counter" /* of this type the sum over the CPUs */

struct place {
	const char *symbol, *type, *member;
	uint32_t bytes; /* of a variable; of a member its own are taken */
};

/* The first of two that the kernel has, of 4 bytes with its sign. ST_ABSENT: it has neither. */
enum status place_read(struct dump *d, const struct place p[2], uint64_t *ret);
