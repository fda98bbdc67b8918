// SPDX-License-Identifier: GPL-2.0-or-later
/* 5.13 to 5.17: struct page_owner of 40 bytes, with the time of the last free. */
#define RELEASE "5.15.0-synthetic"
#define OWNER_SINCE 513
#include "v5_x.h"
