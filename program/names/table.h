/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Makes a struct symbols: symbols are added, in any order, and then found. */
#pragma once

#include "kernel/kallsyms.h"
#include "names/symbols.h"

#define SYMBOL_NAME KALLSYMS_NAME_ROOM

/*
 * Room for n symbols, in d->arena. Names are not copied: text, which is given of, has that of a place, in buf of
 * SYMBOL_NAME bytes or in memory that stays.
 */
struct symbols *symbols_new(struct dump *d, size_t n,
			    const char *(*text)(const void *of, uint32_t place, char *buf),
			    const void *of);

/*
 * Places rise, as symbols of one address stay in that order; hash: of the name, by kallsyms_hash_text(). 0: the
 * symbol has one, which is not known.  ST_CORRUPT: there is no more room.
 */
enum status symbols_add(struct symbols *s, uint64_t addr, uint32_t place, uint32_t hash);

/*
 * The same of a symbol whose address is lost: it is not below addr, nor above that of what is added behind it.  By
 * its name it is unknown where it is, and so is what is behind addr.
 */
enum status symbols_add_lost(struct symbols *s, uint64_t addr, uint32_t place, uint32_t hash);

/* What was added can be found from now on.  ST_CORRUPT: names that no kernel has. */
enum status symbols_complete(struct symbols *s);

/*
 * Names of kallsyms against those of exported functions.  ST_CORRUPT: the letters of one or more tokens are
 * not what they were.
 */
enum status symbols_check_exports(struct dump *d, const struct symbols *s);

/* Moves each address of the image, none of per-CPU variables that are small numbers. */
void symbols_move(struct symbols *s, uint64_t slide);
