/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Modules that taint the kernel: out of tree, proprietary, without a signature. */
#pragma once

#include "kernel/machine.h"

struct tainting_module {
	struct tainting_module *next;
	const char *name;
	const char *letters; /* "OE" */
	uint64_t mask;
};

struct tainting_modules {
	struct tainting_module *first;
	unsigned int n;
	const char *problem; /* NULL, or why others may be missing */
};

/* In the order of the list of modules.  ST_ABSENT: a kernel without modules. */
enum status tainting_modules_read(struct dump *d, const struct taint_letters *letters,
				  struct tainting_modules *ret);

/* Whether it is no part of the kernel's own source: letters O and P. */
bool tainting_module_is_foreign(const struct tainting_module *m);
