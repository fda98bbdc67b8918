/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Call sites by what the user calls them, and by the address of their tag. */
#pragma once

#include "alloctag/codetag.h"
#include "util/hash_u64.h"

struct site_index {
	const struct codetags *tags;
	struct dump *dump;
	struct hash_u64 by_tag; /* number of the site, from 1 on */
	struct hash_u64
		read; /* struct site by tag: of those that the kernel does not list; all zero: it is no tag */
};

/* tags stay where they are. */
enum status site_index_open(struct dump *d, const struct codetags *tags, struct site_index *ret);

/* The site of a tag; NULL: it is in none of the lists, as that of an unloaded module may be. */
const struct site *site_of_tag(const struct site_index *x, uint64_t tag);
/* The same, or what tag_read() reads at the address: file, line and function without counters. */
const struct site *site_named(struct site_index *x, uint64_t tag);
/* Where that is NULL: the address, and what it tells. */
struct site site_unnamed(const struct site_index *x, uint64_t tag);

/*
 * All sites that text names: "file:line", whose file may begin at any folder, a function (it may
 * have several), or the address of a tag, which need not be in a list.  ST_USAGE: it names none,
 * or more than SITES_FOUND.
 */
#define SITES_FOUND 256
struct sites {
	struct site *sites;
	size_t n; /* at least 1 */
};
enum status sites_find(struct dump *d, const struct codetags *tags, const char *text,
		       struct sites *ret);

/* "file:line function [module]", or the address of a tag without a site. */
const char *site_name(const struct site *s, char *buf, size_t size);
