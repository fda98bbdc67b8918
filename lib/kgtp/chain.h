/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The pages of a ring in the order in which they were filled. */
#pragma once

#include "kgtp/ring.h"

/*
 * Fills pages, n, closed, full, state and problem of a ring whose r and w are set.
 * Where the chain breaks between r and w, the pages that w leads back to follow, marked
 * by a gap. page_count: what no ring exceeds. ST_STOPPED.
 */
enum status kgtp_chain_read(struct dump *d, uint64_t page_count, struct kgtp_ring *ring);
