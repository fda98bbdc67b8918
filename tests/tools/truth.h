/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What type_truth and graph_truth open of a dump. */
#pragma once

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "door.h"
#include "holders/types.h"

static struct dump d;
static struct holders h;
static struct ram ram;
static struct memmap memmap;
static struct page_types types;
static struct page_classes classes;
static struct slabs slabs;

/* Milliseconds of CPU time. */
static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return t.tv_sec * 1e3 + t.tv_nsec / 1e6;
}

#define TRY(what) try((what), #what)
static void try(enum status st, const char *what)
{
	if (st == ST_OK)
		return;
	fprintf(stderr, "%s: %s\n", what, d.error);
	exit(1);
}

static void open_all(const char *file, const char *vmlinux)
{
	static const struct door_user nobody;
	static struct arena arena, own;
	static struct dump session;
	struct door_request r = { .files = &file, .n = 1, .vmlinux = vmlinux };
	struct door *door;

	dump_init(&session, NULL, NULL, &arena);
	if (door_open(&session, &r, &nobody, &door) != ST_OK) {
		fprintf(stderr, "%s: %s\n", file, session.error);
		exit(1);
	}
	door_dump(door, &d, &own);
	TRY(ram_open(&d, &ram));
	TRY(memmap_open(&d, &memmap));
	TRY(page_types_open(&d, &memmap, &types));
	TRY(page_classes_open(&d, &types, &ram, &classes));
	TRY(slabs_open(&d, &memmap, &slabs));
}
