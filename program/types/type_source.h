/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What answers the questions of struct dump_ops on types: the BTF of the dump, or the debug
 * information of a vmlinux.  Names and meaning are those of dump_ops.
 */
#pragma once

#include "dump/dump.h"

struct symbols;

struct type_source {
	uint32_t
		lost; /* types that are damaged, whatever they were: what is not found may be one of them */
	const char *what; /* "BTF of the dump", "/usr/lib/debug/boot/vmlinux-6.12": for messages */
	enum status (*variable)(void *priv, const char *name, struct field *ret);
	enum status (*type_size)(void *priv, const char *type, uint64_t *ret);
	enum status (*member)(void *priv, const char *type, const char *member, struct field *ret);
	enum status (*bits)(void *priv, const char *type, const char *member, struct field *ret);
	enum status (*typed)(void *priv, const struct type_query *q, struct typed *ret);
	enum status (*type_text)(void *priv, const char *type, char *buf, size_t size);
	enum status (*enumerator)(void *priv, const char *name, int64_t *ret);
	bool (*enumerates)(void *priv, const char *type, const char *name);
	/* Types of modules, once memory that only page tables lead to can be read; NULL: none can come. */
	void (*modules)(void *priv);
	void *priv;
};

/*
 * BTF of the dump, from __start_BTF to __stop_BTF, and of its modules; variables by a table of our
 * own, compared with the distance to the next symbol.  Memory is that of d->arena, and d and s are kept:
 * they live as long.  s NULL: distances are not known.  ST_ABSENT: the kernel has no BTF.
 */
enum status types_from_btf(struct dump *d, const struct symbols *s, struct type_source *ret);

/* The same of bytes that are there, which stay; what: for messages.  ST_CORRUPT: they are no BTF. */
enum status types_of_btf(struct dump *d, const void *bytes, size_t n, const struct symbols *s,
			 const char *what, struct type_source *ret);

/*
 * A vmlinux: its BTF, and its debug information of what BTF lacks, or where it has no BTF.  What is returned is as of
 * types_from_dwarf().
 */
enum status types_from_vmlinux(struct dump *d, const char *path, const struct symbols *s,
			       struct type_source *ret);

/* Debug information of a vmlinux, by libdw.  ST_ABSENT: it has none; ST_USAGE: it cannot be opened. */
enum status types_from_dwarf(struct dump *d, const char *path, struct type_source *ret);

/*
 * Offsets of VMCOREINFO, where nothing else has types: enough for the kernel log, and for nothing
 * else.  d is kept.
 */
void types_from_vmcoreinfo(struct dump *d, struct type_source *ret);
