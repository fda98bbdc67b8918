/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Makes a struct symbols: symbols are added, in any order, and then found. */
#pragma once

#include "names/symbols.h"

/* Room for n symbols, in d->arena. */
struct symbols *symbols_new(struct dump *d, size_t n);

/*
 * name, of len bytes, is copied; NULL: the symbol has one, which is not known.  ST_CORRUPT: there
 * is no more room.
 */
enum status symbols_add(struct symbols *s, uint64_t addr, const char *name, size_t len);

/* What was added can be found from now on.  ST_CORRUPT: names that no kernel has. */
enum status symbols_complete(struct symbols *s);

/*
 * Names of kallsyms against those of exported functions.  ST_CORRUPT: the letters of one or more tokens are
 * not what they were.
 */
enum status symbols_check_exports(struct dump *d, const struct symbols *s);

/* Moves each address of the image, none of per-CPU variables that are small numbers. */
void symbols_move(struct symbols *s, uint64_t slide);
