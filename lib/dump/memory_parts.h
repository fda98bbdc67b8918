/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Memory that structures of the kernel list as theirs, for whoever asks which pages these are. */
#pragma once

#include "dump/dump.h"
#include "util/maybe.h"

struct memory_holder {
	uint64_t address;	  /* of its structure */
	const char *name;	  /* NULL: unknown */
	struct maybe_u64 counted; /* bytes, as its structure counts them */
	const char *counter;	  /* what counts them */
	uint64_t sock;		  /* the struct sock that has it; 0: none */
	bool is_cut;		  /* parts are missing */
	const char *release;	  /* what gives it back; NULL: not told */
};

/* Parts first, then the holder that all of them since the last one are of.  Any status but ST_OK ends the walk. */
struct memory_parts {
	/* Bytes from a kernel virtual address on. */
	enum status (*part)(void *arg, uint64_t address, uint64_t bytes);
	/* The page of a struct page. */
	enum status (*page)(void *arg, uint64_t page);
	enum status (*holder)(void *arg, const struct memory_holder *holder);
	void *arg;
};

/* An array of addresses of parts, each of that many bytes; 0: of struct pages.  what: for messages. */
enum status memory_parts_array(struct dump *d, uint64_t array, uint64_t n, uint64_t bytes,
			       const char *what, const struct memory_parts *v);
