/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Limits that refuse a request though memory is free, of which nearly all is used. */
#pragma once

#include "dump/dump.h"

#define USED_LIMITS 8

/* What a limit counts that processes have (limit_users.h). */
enum limit_counts {
	LIMIT_COUNTS_OTHER,
	LIMIT_COUNTS_FILES,
	LIMIT_COUNTS_THREADS,
	LIMIT_COUNTS_PORTS,
	LIMIT_COUNTS_INOTIFY
};

struct port_use;

struct used_limit {
	const char *whose;   /* "java (123)", "the IPv4 neighbour table" */
	int32_t tgid;	     /* of a process; 0: of more */
	const char *noun;    /* what it counts: "mappings"; NULL: bytes */
	const char *setting; /* "vm.max_map_count", "RLIMIT_AS" */
	uint64_t used, limit;
	uint64_t refused;	/* since boot; 0: none, or they are not counted */
	const char *one, *many; /* what was refused: "fork", "forks" */
	/* Of a cgroup: by which limit is not counted, but in which of those below it; NULL: in none, or it is known. */
	const char *refused_in;	      /* "81 in chat, 58 in web" */
	bool refused_partial;	      /* some could not be read */
	enum limit_counts counts;     /* of all processes */
	const char *cgroup;	      /* or of those in it, and below */
	const struct port_use *ports; /* of local ports: who has them; NULL: it counts others */
	bool of_user;		      /* or of the user of that uid */
	uint32_t uid;
	const char *effect; /* what is behind who has most; NULL: nothing */
	const char *by;	    /* who has most: "chatgw (174) has 3,612 of them"; NULL: unknown */
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

/* The same of local ports: all connections are read, unless sockets_collect() has done that. */
void used_limits_add_ports(struct dump *d, struct used_limits *to);

struct strbuf;
/*
 * "java (123) has 65,510 of 65,530 mappings that vm.max_map_count allows", "this kernel has 3,616 of 3,600 open
 * files that fs.file-max allows: chatgw (174) has 3,612 of them", "... of them, 38 are in TIME_WAIT, and connect()
 * to it fails (EADDRNOTAVAIL)"
 */
void used_limit_text(const struct used_limit *l, struct strbuf *b);
