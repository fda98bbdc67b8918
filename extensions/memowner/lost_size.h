/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Whether memory ran out for a block of the very size that those have to which no root leads. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct dump;
struct summary;

/* log2 of the pages of a block of that size in bytes; 0: a single page, or no block of the page allocator. */
unsigned int lost_order(const struct dump *d, uint64_t bytes);
/*
 * Whether what was asked for when memory ran out is of s->lost_order, by the log; asked: summary_asked_in(), NULL: no module
 * out of tree did. Of a report without an order false.
 */
bool summary_asked_for_lost(const struct summary *s, const char *asked);
/* "daq_read [daqring], which asked for order 3, 32.0K, as most of those have ..."; else asked itself. */
const char *summary_asked_words(struct summary *s, const char *asked);
