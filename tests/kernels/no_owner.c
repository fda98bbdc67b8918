// SPDX-License-Identifier: GPL-2.0-or-later
/* A kernel without page_owner, stack depot or allocation profiling. */
#define RELEASE "6.1.0-plain"
#include "common.h"
