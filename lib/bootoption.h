/* SPDX-License-Identifier: GPL-2.0-or-later */
/* An option of the kernel command line that this kernel booted with. */
#ifndef MEMOWNER_BOOTOPTION_H
#define MEMOWNER_BOOTOPTION_H

#include "dump.h"

/*
 * The value of the last "name=value", which is the one that counts; *ret is NULL with
 * DUMP_OK if there is none.  Any other status: the command line is not known.
 */
enum status boot_option(struct dump *d, const char *name, const char **ret);

#endif
