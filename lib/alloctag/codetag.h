/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Memory allocation profiling: a struct alloc_tag per call site, with per-CPU
 * counters (lib/alloc_tag.c, lib/codetag.c; mm/alloc_tag.c from 7.3).
 */
#pragma once

#include "dump/gap.h"
#include "dump/layout.h"
#include "kernel/percpu.h"
#include "modules/module.h"

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

/*
 * The alloc tags of loaded modules by the symbols that bound them, __start_alloc_tags and
 * __stop_alloc_tags of each module (include/asm-generic/codetag.lds.h): where struct codetag_module
 * is not in the dump. Kernels without CONFIG_KALLSYMS_ALL keep no such symbols.
 */

/*
 * Calls visit for each module that has tags. ST_UNREADABLE: the list of modules, or the symbols of
 * one of them, are not in this dump or not kept; the other modules were visited.
 */
enum status module_tags_walk(struct dump *d,
			     enum status (*visit)(void *arg, uint64_t start, uint64_t stop),
			     void *arg);

/*
 * struct alloc_tag (include/linux/alloc_tag.h, 6.10: lib: add allocation tagging support for memory
 * allocation profiling), a struct codetag and the per-CPU counters.
 *
 * A tag that the kernel does not list is read at its address: up to 6.12 the kernel keeps the data
 * of a module that was unloaded with memory in use, and takes its tags out of the lists
 * (codetag_unload_module() in lib/codetag.c).
 */

/*
 * File, line and function of a tag; its counters are not read: they may have been freed with the
 * module. Whether it is of a module, and of which, is not asked.
 * ST_CORRUPT: it does not look like a tag; ST_UNREADABLE, ST_UNKNOWN.
 */
enum status tag_read(struct dump *d, uint64_t tag, struct site *ret);
