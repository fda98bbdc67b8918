/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Every function of lib/ that opens a decoder or walks what is one symbol away. */
#pragma once

#include "dump/dump.h"

struct open_function {
	const char *name;
	enum status (*run)(struct dump *d);
};

/* From 0; NULL: there are no more. */
const struct open_function *open_nth(unsigned int i);

/* The function of that name; NULL: none. */
const struct open_function *open_function(const char *name);

/*
 * Runs it over a blank dump of the facts: "ok", or its message. Addresses in it are left out. It lives
 * in the arena of the facts.
 */
struct facts;
struct blank;
const char *open_run(const struct open_function *f, struct blank *b);
