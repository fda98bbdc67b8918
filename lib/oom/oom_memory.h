/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Bytes of memory at a report, by its Mem-Info block; unknown where it has none, or the size of a page is. */
#pragma once

#include "oom/oom_report.h"
#include "util/maybe.h"

struct maybe_u64 oom_report_free(const struct dump *d, const struct oom_report *r);
struct maybe_u64 oom_report_free_swap(const struct dump *d, const struct oom_report *r);
/* Anonymous memory of the victim, by the line that says that it was killed. */
struct maybe_u64 oom_report_victim_anon(const struct oom_report *r);
/* Of the LRU lists for anonymous memory, shared memory among it. */
struct maybe_u64 oom_report_anon(const struct dump *d, const struct oom_report *r);
struct maybe_u64 oom_report_slab(const struct dump *d, const struct oom_report *r);
