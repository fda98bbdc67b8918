/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What cgroups have in the zones that a request may use, where these alone ran out: by struct page and its charge. */
#pragma once

#include "util/hash_bytes.h"

struct summary;

struct zone_use {
	bool known;
	struct hash_bytes cgroups; /* of struct zone_use_of by path; "": charged to none */
};

struct zone_use_of {
	struct {
		uint64_t here, all; /* pages */
	} anon, files;
};

/* known is false where pages have no charge, or this cannot be read. */
void zone_use_read(const struct summary *s, struct zone_use *ret);

/* NULL: it has none, or is unknown. */
const struct zone_use_of *zone_use_find(const struct zone_use *u, const char *cgroup);
