/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is missing of the file of the dump: crash says it of ELF alone, and reads on. */
#pragma once

#include "dump/dump.h"

/* Looks at the file, once for the session. */
void dump_file_check(struct dump *d, const char *path);

/* dump_ops.incomplete */
const char *dump_file_incomplete(void *priv);
