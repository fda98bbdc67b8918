/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Lists of struct list_head and of struct hlist_node (include/linux/list.h).
 *
 *	struct list_nodes l = list_of(d, head, "mounts");
 *
 *	while (list_next(&l, &node))
 *		...
 *	st = list_end(&l);
 */
#pragma once

#include "dump/dump.h"

struct list_nodes {
	struct dump *dump;
	const char *what;  /* names the list in messages */
	uint64_t head, at; /* at: given last */
	uint64_t links[2]; /* of that one: next and prev */
	uint64_t last;	   /* prev of the head */
	enum { LIST_FORWARD, LIST_BACKWARD, LIST_ENDED } way;
	bool is_read, is_hlist; /* is_read: the links of head were read */
	uint32_t n;		/* that were given */
	struct first_problem problem;
};

static inline struct list_nodes list_of(struct dump *d, uint64_t head, const char *what)
{
	return (struct list_nodes){ .dump = d, .what = what, .head = head };
}

/* The same of a struct hlist_head, which has no other end. */
static inline struct list_nodes hlist_of(struct dump *d, uint64_t head, const char *what)
{
	return (struct list_nodes){ .dump = d, .what = what, .head = head, .is_hlist = true };
}

/*
 * The address of the next list_head or hlist_node; false: there is none, or the user has asked to stop.
 * A link back must lead to the one before, so that no list is followed in a circle; where one does not, or cannot be read, or where the list ends and its head has another as the last, those at the other end of the list come from there, each once: then way is LIST_BACKWARD, for whom the order says something.
 */
bool list_next(struct list_nodes *l, uint64_t *node);

/* ST_OK: none was missing; ST_UNREADABLE, ST_CORRUPT: an unknown number was; ST_STOPPED. */
enum status list_end(const struct list_nodes *l);
