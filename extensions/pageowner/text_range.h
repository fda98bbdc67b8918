/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which PFNs a text of page_owner covers: it has its records in their order (read_page_owner(), mm/page_owner.c), and one
 * that was cut has none of what lies beyond.
 */
#pragma once

#include "scan_read.h"

/*
 * What a scan of the dump is compared with: if allocations older than the newest record of the text lie where it has none,
 * v->owner.ram is cut to the PFNs that it covers, and a warning says so. What cannot be told by time, as the text has none
 * or is of another boot (no page has a record of its own yet), is a warning alone.
 * ST_STOPPED: interrupted.
 */
enum status text_range_limit(struct owner_view *v, const struct saved_scan *text);
