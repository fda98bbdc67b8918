/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Words that name pages which are no nodes, those of processes and files, by the address of their struct page: what a
 * driver keeps of memory that it pinned.
 */
#pragma once

#include "dump/read_window.h"
#include "graph/graph.h"

struct page_words {
	uint32_t node, n; /* and how many such words it has */
};

/* Whether a word is the struct page of such a page, with flags in its three low bits. */
bool page_words_name(const struct graph *g, uint64_t word, uint64_t *pfn);

/* Notes a word of a node that is scanned: nodes in their order. */
void page_words_note(struct graph *g, uint32_t node, uint64_t word);

/* For page_words_each(): the memory that is read. */
void page_words_window(const struct graph *g, struct read_window *ret);

/* Visits each such word of a node, with its address. What is not in the dump is left out. */
void page_words_each(const struct graph *g, struct read_window *window, uint32_t node,
		     void (*visit)(void *arg, uint64_t at, uint64_t pfn), void *arg);
