// SPDX-License-Identifier: GPL-2.0-or-later
#include "oom/oom_memory.h"

/* What a counter has by which a size in bytes cannot be told is damaged. */
static struct maybe_u64 bytes_of(const struct log_number *n, unsigned int shift)
{
	return (struct maybe_u64){ n->value << shift,
				   n->known && shift && n->value <= (uint64_t)INT64_MAX >> shift };
}

static struct maybe_u64 counter(const struct dump *d, const struct oom_report *r,
				enum mem_counter which)
{
	return bytes_of(&r->mem.pages[which], d->page_shift);
}

struct maybe_u64 oom_report_free(const struct dump *d, const struct oom_report *r)
{
	return counter(d, r, MEM_free);
}

struct maybe_u64 oom_report_free_swap(const struct dump *d, const struct oom_report *r)
{
	(void)d;
	return bytes_of(&r->mem.free_swap_kib, 10);
}

struct maybe_u64 oom_report_anon(const struct dump *d, const struct oom_report *r)
{
	const struct maybe_u64 active = counter(d, r, MEM_active_anon),
			       inactive = counter(d, r, MEM_inactive_anon);

	return (struct maybe_u64){ active.n + inactive.n, active.known && inactive.known };
}

struct maybe_u64 oom_report_slab(const struct dump *d, const struct oom_report *r)
{
	return counter(d, r, MEM_slab_unreclaimable);
}

struct maybe_u64 oom_report_victim_anon(const struct oom_report *r)
{
	return bytes_of(&r->victim.anon_rss_kib, 10);
}
