/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Pages of zsmalloc where they have no page type, up to 6.10: page.private of
 * each is their struct zspage, which has a magic number and points to the
 * first of them (mm/zsmalloc.c).
 */
#pragma once

#include "util/hash_u64.h"
#include "pages/page_type.h"

enum zspage_field { ZS_MAGIC, ZS_FIRST, ZS_PRIVATE, ZS_FIELDS };

struct zspages {
	struct dump *dump;
	bool needed; /* they have no page type, and this kernel has zsmalloc */
	bool unknown; /* nor has debug information their struct zspage: zsmalloc is a module, if any */
	bool untyped; /* its form was learnt of a page */
	uint64_t kernel_half;
	struct field f[ZS_FIELDS];
	struct hash_u64 known; /* of enum status, by page.private */
};

void zspages_open(const struct page_types *states, struct zspages *ret);

/*
 * Where they are unknown: true if the page has a struct zspage of a form that is known without types.  Then
 * they are needed, and known.
 */
bool zspages_learn(struct zspages *z, const struct page_info *info);

/*
 * ST_OK: the page is one of theirs; ST_ABSENT; ST_UNREADABLE: what page.private points to, or what
 * that points to, is not in this dump.
 */
enum status zspages_find(struct zspages *z, const struct page_info *info);
