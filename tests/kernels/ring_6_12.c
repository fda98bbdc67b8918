// SPDX-License-Identifier: GPL-2.0-or-later
/* Trace buffers as of 6.12: sub-buffers of an order, is_signed is a bit field. */
#define RELEASE "6.12.0-ring"
#define HAS_CPUS
#define SIGNED_BITS
#ifdef CASE_order
#define ORDER 1
#else
#define ORDER 0
#endif
#ifdef CASE_off
#define FLAGS EVENT_FILE_FL_WAS_ENABLED
#elif defined(CASE_never)
#define CASE_empty
#define FLAGS 0
#elif defined(CASE_taken)
#define CASE_empty
#define EMPTY_ENTRIES 4
#elif defined(CASE_dumped)
#define CASE_empty
#define LOG_TEXT "Dumping ftrace buffer:"
#endif
#include "rings.h"
