/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Forms of an address that name a page: pfn:N, phys:X, page:X, virt:X, user:PID:X; and pfn:N-M. */
#pragma once

#include "pages/memmap.h"

enum address_kind {
	ADDRESS_PFN,
	ADDRESS_PHYS,
	ADDRESS_PAGE,
	ADDRESS_VIRT,
	ADDRESS_USER,
	ADDRESS_KERNEL, /* a struct page, or what is mapped there */
};

struct address {
	enum address_kind kind;
	uint64_t value;
	uint64_t pages; /* 1, or more of a range */
	int32_t pid;	/* ADDRESS_USER: the process, or a thread of it */
};

/* Whether a word could be the name of a function, module or command instead. */
bool address_is_name(const char *text);

/* Whether a word has the form of one, "pfn:..." or a number, whatever it says. */
bool address_is_form(const char *text);

/* Whether a word is what stands before the colon of one, "pfn". */
bool address_is_kind(const char *word);

/* Whether the hexadecimal digits of "phys:1048576" are, in decimal, those of a whole page. */
bool address_may_be_decimal(const struct dump *d, const char *text, uint64_t *ret);

/* What text says; ST_USAGE: nothing, or more than one thing. */
enum status address_parse(struct dump *d, const char *text, struct address *ret);

/*
 * The pfn that an address names; end is the first pfn behind System RAM.
 * ST_ABSENT: it is not mapped, or no struct page; ST_UNREADABLE: a page
 * table is not in this dump.
 */
enum status address_to_pfn(struct dump *d, struct memmap *m, uint64_t end,
			   const struct address *address, uint64_t *ret);

/* Whether it names a byte: "virt:" and "phys:" do, "pfn:" and "page:" the page itself. */
bool address_is_byte(struct memmap *m, const struct address *address, uint64_t end);
