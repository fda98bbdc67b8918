/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The kernel's release, to be shown and to look for files; nothing else is decided by it. */
#pragma once

#include "dump/dump.h"

/* NULL: it is not in this dump. */
const char *kernel_release(struct dump *d);

/* An option of the kernel command line that this kernel booted with. */

/*
 * The value of the last "name=value", which is the one that counts; *ret is NULL with
 * ST_OK if there is none.  Any other status: the command line is not known.
 */
enum status boot_option(struct dump *d, const char *name, const char **ret);
