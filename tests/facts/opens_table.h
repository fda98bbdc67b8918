/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How opens_*.c list their functions. */
#pragma once

#include <string.h>

#include "dump/memory_parts.h"
#include "opens.h"

extern const struct open_function opens_of_mm[], opens_of_others[], opens_later[], opens_last[],
	opens_newest[], opens_disks[], opens_net[];

/* Too large for a stack, and none is open twice. */
#define OPENED(type)   \
	static type v; \
	memset(&v, 0, sizeof(v))

/* A function that fills one structure. */
#define DEFINE_OPEN(function, type)                       \
	static enum status run_##function(struct dump *d) \
	{                                                 \
		OPENED(type);                             \
		return function(d, &v);                   \
	}

/* A walk whose visitor is called with one thing, and counts nothing here. */
#define DEFINE_WALK(function, type)                                \
	static enum status visit_##function(void *arg, type thing) \
	{                                                          \
		(void)arg;                                         \
		(void)thing;                                       \
		return ST_OK;                                      \
	}                                                          \
	static enum status run_##function(struct dump *d)          \
	{                                                          \
		return function(d, visit_##function, NULL);        \
	}

/* Lists of memory, whose parts are not looked at. */
extern const struct memory_parts no_parts;

#define DEFINE_LIST(function)                             \
	static enum status run_##function(struct dump *d) \
	{                                                 \
		return function(d, &no_parts);            \
	}

#define NAME(function, type) { #function, run_##function },
#define OWN(function)                     \
	{                                 \
#function, run_##function \
	}
