// SPDX-License-Identifier: GPL-2.0-or-later
#include "sums.h"

/* Functions that allocate pages which are then given out in parts; each part is charged again. */
static const struct {
	const char *function;
	size_t member; /* of struct site_sums */
} holders[] = {
	{ "alloc_slab_page", offsetof(struct site_sums, slab_pages) },	   /* mm/slub.c */
	{ "pcpu_alloc_pages", offsetof(struct site_sums, percpu_pages) },  /* mm/percpu-vm.c */
	{ "pcpu_create_chunk", offsetof(struct site_sums, percpu_pages) }, /* mm/percpu-km.c */
};

static void add_held(struct site_sums *s, const struct site *site)
{
	for (size_t i = 0; i < ARRAY_SIZE(holders); i++)
		if (site->function && !site->in_module &&
		    !strcmp(site->function, holders[i].function)) {
			int64_t *sum = (int64_t *)((char *)s + holders[i].member);

			*sum = (int64_t)((uint64_t)*sum + site->bytes);
		}
}

void site_sums_read(const struct codetags *tags, struct site_sums *ret)
{
	struct site_sums s = { .whole = !tags->unreadable && !tags->stale && !tags->problem };

	s.named = s.whole;
	for (size_t i = 0; i < tags->n; i++) {
		const struct site *site = &tags->sites[i];

		s.named &= site->in_module || site->function;
		s.inaccurate += site->flags & SITE_INACCURATE;
		if (!site->readable)
			continue;
		s.bytes = (int64_t)((uint64_t)s.bytes + site->bytes);
		s.calls += site->calls;
		s.negative += site->bytes < 0;
		add_held(&s, site);
	}
	*ret = s;
}
