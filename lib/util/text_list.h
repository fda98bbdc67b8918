/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Lists of short texts, each list kept as one: "1(init), 2(sh) and 3 more". */
#pragma once

#include "util/hash_bytes.h"
#include "util/strbuf.h"

struct text_list {
	const char *text; /* "": it has none */
	unsigned int n;	  /* that it names */
	uint64_t more;	  /* that it does not name */
	bool is_open;	  /* others are unknown */
	/* Where each begins; starts[n]: 2 bytes behind the last. */
	const uint32_t *starts;
};

/* Equal lists are one; what is put together next. */
struct text_lists {
	struct arena *arena;
	struct hash_bytes known; /* of struct text_list by text */
	uint64_t cut;		 /* lists with more than they name */
	char *text;
	size_t len, room;
	uint32_t *starts;
	unsigned int n, nroom;
};

void text_lists_init(struct text_lists *l, struct arena *a);

/* The next text of the list. */
__attribute__((format(printf, 2, 3))) void text_lists_add(struct text_lists *l, const char *fmt,
							  ...);

/* The list, which lives as long as the arena: more are not named, and unless it is complete others may be. */
const struct text_list *text_lists_end(struct text_lists *l, uint64_t more, bool is_complete);

/* Whether there are, or may be, more than it names. */
static inline bool text_list_is_cut(const struct text_list *l)
{
	return l->more || l->is_open;
}

/* Bytes of text i. */
static inline unsigned int text_list_bytes(const struct text_list *l, unsigned int i)
{
	return l->starts[i + 1] - l->starts[i] - 2;
}

/* The list with its first n texts, "1(init) and 4 more"; the longest one has TEXT_LIST_TAIL bytes more. */
#define TEXT_LIST_TAIL 48
void text_list_short(const struct text_list *l, unsigned int n, struct strbuf *s);
