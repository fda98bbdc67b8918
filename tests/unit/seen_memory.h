/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A visitor of the memory that structures list as theirs. */
#pragma once

#include "dump/memory_parts.h"

#include <stdio.h>

/* What was visited: parts up to the holder, then it. */
struct seen {
	uint64_t parts, bytes, pages, holders;
	struct memory_holder last;
	char name[64];
};

static enum status see_part(void *arg, uint64_t address NOT_USED, uint64_t bytes)
{
	struct seen *s = arg;

	s->parts++;
	s->bytes += bytes;
	return ST_OK;
}

static enum status see_page(void *arg, uint64_t page)
{
	struct seen *s = arg;

	s->pages += page;
	return ST_OK;
}

static enum status see_holder(void *arg, const struct memory_holder *h)
{
	struct seen *s = arg;

	s->holders++;
	s->last = *h;
	snprintf(s->name, sizeof(s->name), "%s", h->name ? h->name : "");
	return ST_OK;
}

#define WITH(seen)                                   \
	&(const struct memory_parts)                 \
	{                                            \
		see_part, see_page, see_holder, seen \
	}
