/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What kind of address a fault was at, by the address alone and by what the kernel has there. */
#pragma once

#include "dump/dump.h"

enum address_place {
	AT_UNKNOWN,
	AT_NULL_PAGE, /* the first page: NULL, or a member of it */
	AT_USER,
	AT_NON_CANONICAL,
	AT_ERROR_POINTER, /* ERR_PTR(-errno), or close behind one */
	AT_STACK_GUARD,	  /* the page below the stack of a task */
	AT_STACK,
	AT_TEXT, /* of vmlinux, as the next two */
	AT_RODATA,
	AT_DATA,
	AT_DIRECT_MAP,
	AT_VMALLOC, /* an area of vmalloc, modules among them */
	AT_FREED,   /* such an area that was freed, and not given again yet */
	AT_KERNEL,  /* of the kernel's half, nothing of the above */
	AT_KINDS
};

struct address_info {
	enum address_place kind;
	/* Of a stack. */
	int32_t pid;
	const char *comm;
	/* Of a vmalloc area, or one that was freed. */
	uint64_t start, size;
	/* NULL, or what could not be looked at, so that kind is AT_UNKNOWN. */
	const char *problem;
};

/*
 * Opens the page tables of the kernel if that was not done, for the ranges of the direct map and
 * of the image.  ST_STOPPED.
 */
enum status address_classify(struct dump *d, uint64_t addr, struct address_info *ret);

/* "null_page" and so on: the word of JSON; and the same for people. */
const char *address_kind_name(enum address_place kind);
const char *address_kind_text(enum address_place kind);
