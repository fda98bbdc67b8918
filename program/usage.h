/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include "util/sink.h"

/* What memowner --help prints. */
void usage_print(struct sink *s);
