/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The anonymous memory that processes count, beside NR_ANON_MAPPED: a page that is mapped is counted by one of them at
 * least.  Where all count less, page tables tell of which process that is not so: from then on walks over tasks have its
 * memory as unknown (struct task), and dump_lacks() tells it.
 */
#pragma once

#include "dump/dump.h"

void rss_witness(struct dump *d);
