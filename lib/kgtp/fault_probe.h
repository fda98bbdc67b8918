/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Functions of the kernel that handle page faults: a tracepoint in one of them saw a fault. */
#pragma once

#include <stdbool.h>

bool kgtp_handles_faults(const char *function);
