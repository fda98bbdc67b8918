// SPDX-License-Identifier: GPL-2.0-or-later
/* 5.11 and 5.12: struct page_owner of 32 bytes, with the time and the thread. */
#define RELEASE "5.11.0-synthetic"
#define OWNER_SINCE 511
#include "v5_x.h"
