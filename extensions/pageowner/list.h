/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A row of -t list, and of pages that arguments name: a page with its record, if it has one. */
#pragma once

#include "view.h"

struct list_row {
	struct page_facts facts;
	bool has_record;		    /* facts.record is of the page */
	struct cached_stack *stack, *freed; /* NULL: none */
	uint64_t address;		    /* of the kernel, that was asked; 0: none */
	const char *symbol; /* the variable or function at the address that was asked; NULL: none */
};

/* Puts it out, as JSON or as a line of a table. */
void list_row_put(struct owner_view *v, const struct list_row *row);

/* The columns of single pages, and what opens them. */
#define LIST_NCOLUMNS 36
extern const struct view_column list_page_columns[LIST_NCOLUMNS + 1];
enum status list_open(void *owner_view, enum availability *why);
