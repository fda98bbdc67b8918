/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Memory allocation profiling: a struct alloc_tag per call site, with per-CPU
 * counters (lib/alloc_tag.c, lib/codetag.c; mm/alloc_tag.c from 7.3).
 */
#pragma once

#include "dump/availability.h"
#include "dump/dump.h"
#include "kernel/percpu.h"

struct site {
	uint64_t tag;	   /* address of struct alloc_tag */
	uint64_t counters; /* per-CPU address; 0: none, the sums are 0 */
	bool readable;	   /* the sums are true */
	int64_t bytes;	   /* summed over possible CPUs; the kernel prints it signed */
	uint64_t calls;
	uint32_t flags;
	uint32_t line;
	const char *file, *function; /* NULL: not in this dump */
	const char *module;	     /* "vmlinux"; NULL: not in this dump */
	bool in_module;		     /* not in vmlinux */
	bool loaded;		     /* its module is, or it is in vmlinux */
	bool unloaded;		     /* its module is not; with neither of the two it is unknown */
};

struct codetag_flag {
	bool is_known, has;
};

struct codetags {
	struct site *sites; /* in the order of /proc/allocinfo, then those that it leaves out */
	size_t n;
	uint64_t vmlinux_start, vmlinux_stop; /* addresses of the tags of vmlinux; 0: unknown */
	size_t modules;			      /* loaded, with tags */
	size_t unloaded;		      /* sites of modules that are not any more */
	bool lists_unloaded;	   /* this kernel keeps their tags in sight (6.13 and later) */
	unsigned int cpus;	   /* that were summed */
	size_t unnamed;		   /* loaded, neither function nor file is in this dump */
	size_t stale;		   /* of these, whose counters the kernel freed with the module */
	size_t unreadable;	   /* sites whose counters are not in this dump */
	const char *problem;	   /* why sites are missing; NULL: none are */
	struct codetag_flag *flag; /* for codetags_have_flag(); NULL: there are no sites */
	bool on;		   /* profiling was on at the panic */
	struct field bytes, calls; /* of struct alloc_tag_counters */
};

/* CODETAG_FLAG_INACCURATE, bit 0 of codetag.flags (include/linux/codetag.h, 6.18) */
#define SITE_INACCURATE 1u

/* Whether this kernel has CODETAG_FLAG_INACCURATE, which takes all of its read-only data: looked for once. */
bool codetags_have_flag(struct dump *d, const struct codetags *tags);

/* Reads every tag and its counters.  *why as for page_owner_open(). */
enum status codetags_open(struct dump *d, struct codetags *ret, enum availability *why);
