// SPDX-License-Identifier: GPL-2.0-or-later
/* Trace buffers as of 7.2: the second is snapshot_buffer, the number of CPUs is gone. */
#define RELEASE "7.2.0-ring"
#define ORDER 0
#define SIGNED_BITS
#define SNAPSHOT snapshot_buffer
#include "rings.h"
