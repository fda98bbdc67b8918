/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The kernel's release, to be shown and to look for files; nothing else is decided by it. */
#ifndef MEMOWNER_RELEASE_H
#define MEMOWNER_RELEASE_H

#include "dump.h"

/* NULL: it is not in this dump. */
const char *kernel_release(struct dump *d);

#endif
