// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * 5.4 to 5.10: struct page_owner of 16 bytes, without time or task; every page of
 * an allocation carries it. CASE_loop: the depot's chains bite their own tails.
 * CASE_holed: the page_ext of the second section is not in the dump.
 * CASE_flat: tables belong to nodes, as arm64 could have it up to 5.11.
 */
#define RELEASE "5.10.0-synthetic"
#define OWNER_SINCE 504
#ifdef CASE_loop
#define NEXT DIRECT(&pool0[2])
#endif
#include "v5_x.h"
