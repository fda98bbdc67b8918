/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Limits that refuse a request though memory is free, of which nearly all is used. */
#pragma once

#include "dump/dump.h"

#define USED_LIMITS 8

struct used_limit {
	const char *whose;   /* "java (123)", "the IPv4 neighbour table" */
	const char *noun;    /* what it counts: "mappings"; NULL: bytes */
	const char *setting; /* "vm.max_map_count", "RLIMIT_AS" */
	uint64_t used, limit;
	uint64_t refused; /* requests since boot; 0: none, or they are not counted */
};

struct used_limits {
	uint64_t tenths;		    /* of a percent of a limit that are used */
	struct used_limit all[USED_LIMITS]; /* the fullest first */
	unsigned int n;
	unsigned int more; /* that have no room */
	bool partial;	   /* a figure of one cannot be read */
};

/* Those of which at least tenths of a percent are used. What cannot be read is unknown, and dump_lacks() says why. */
void used_limits_collect(struct dump *d, uint64_t tenths, struct used_limits *ret);

struct strbuf;
/* "java (123) has 65,510 of 65,530 mappings that vm.max_map_count allows" */
void used_limit_text(const struct used_limit *l, struct strbuf *b);
