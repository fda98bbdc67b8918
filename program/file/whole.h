/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Whether a file has all that its own headers promise: also for crash, which reads memory itself. */
#pragma once

#include "dump/dump.h"

/*
 * Why memory is missing that should be in the file, in d->arena; NULL: nothing is known to be missing, as of what is
 * neither ELF nor a compressed kdump.
 */
const char *file_incomplete(struct dump *d, const char *path);
