/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef MEMOWNER_USAGE_H
#define MEMOWNER_USAGE_H

#include "util/sink.h"

/* What memowner --help prints. */
void usage_print(struct sink *s);

#endif
