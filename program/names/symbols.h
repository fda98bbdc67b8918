/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Symbols of the kernel by name and by address: from the kallsyms of the dump, or from the symbol
 * table of a vmlinux that KASLR moved.
 */
#pragma once

#include "dump/dump.h"

struct symbols;

/*
 * From the dump.  d->ops->symbol has those of VMCOREINFO by then; where these do not name the tables
 * (before 6.0) they are found by their form in memory between image and end, the kernel's image.
 * Memory is that of d->arena, and d->kallsyms has the tables.  ST_ABSENT: there is no kallsyms; ST_UNKNOWN: it is without data symbols
 * (CONFIG_KALLSYMS_ALL off), or contradicts VMCOREINFO; the message says so, and that --vmlinux has
 * them.
 */
enum status symbols_from_kallsyms(struct dump *d, uint64_t image, uint64_t end,
				  struct symbols **ret);

/*
 * From a vmlinux, moved as far as VMCOREINFO says by d->ops->symbol.  ST_USAGE: it cannot be read, or is
 * another kernel's; ST_ABSENT: it has no symbols.
 */
enum status symbols_from_elf(struct dump *d, const char *path, struct symbols **ret);

/*
 * Of several of one name the lowest address; a function that gcc named anew (NAME.isra.0) by its own name.  ST_ABSENT; ST_UNREADABLE: there is none, but part of the
 * names is not in this dump, or its address is not.
 */
enum status symbols_find(const struct symbols *s, const char *name, uint64_t *ret);

/*
 * The nearest at or below an address, the first of several.  ST_ABSENT: there is none; ST_UNREADABLE: its
 * name is not in this dump, or one whose address is not may be nearer.
 */
enum status symbols_closest(struct symbols *s, uint64_t addr, struct symbol *ret);

/* Address of the next symbol above; 0: none, or that is lost. */
uint64_t symbols_above(const struct symbols *s, uint64_t addr);

size_t symbols_count(const struct symbols *s);

/* How many of them have a name that is not in this dump. */
size_t symbols_unnamed(const struct symbols *s);

/* How many have a name, and an address that is not in this dump. */
size_t symbols_lost(const struct symbols *s);
