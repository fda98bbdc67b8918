/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the views of faults -k share: the frames that KGTP collected. */
#ifndef MEMOWNER_FAULTS_KGTP_H
#define MEMOWNER_FAULTS_KGTP_H

#include "kgtp/kgtp.h"
#include "symbols/symbolize.h"
#include "view.h"

/* Members of a structure in a copy of it, for -T; NULL name ends. */
struct kgtp_member {
	const char *name; /* "a.b" */
	struct field field;
};

struct kgtp_type {
	const char *name; /* "struct list_head" */
	uint64_t size;
	struct kgtp_member *members;
	size_t n;
};

struct kgtp_view {
	struct fault_view *view;
	struct kgtp kgtp;
	struct symbolizer symbols;
	struct kgtp_type type; /* of -T */
};

enum kgtp_key {
	KGTP_KEY_ID,
	KGTP_KEY_CPU,
	KGTP_KEY_TRACEPOINT,
	KGTP_KEY_PID,
	KGTP_KEY_SYMBOL,
	KGTP_KEY_PAGE_FAULT,
	KGTP_KEY_TS,
	KGTP_KEYS
};

extern const struct key kgtp_keys[KGTP_KEYS];

/* For struct fault_view_ops: leaves struct kgtp_view in v->data. */
enum status kgtp_view_open(struct fault_view *v);

/* Where a frame was collected: address of its tracepoint, else of its registers. */
bool kgtp_view_address(const struct kgtp_view *k, const struct kgtp_frame *f, uint64_t *ret);
/* "kretprobe": what collected a frame; "step": a step behind a hit; NULL: unknown. */
const char *kgtp_view_probe(const struct kgtp_view *k, const struct kgtp_frame *f);
/* "handle_mm_fault+0x0", NULL: nothing is known there. */
const char *kgtp_view_symbol(struct kgtp_view *k, uint64_t address);
/*
 * Whether a tracepoint at an address is in a function that handles page faults. False: it
 * cannot be told. is_exact: the address is that of the tracepoint, not of registers.
 */
bool kgtp_view_page_fault(struct kgtp_view *k, uint64_t address, bool is_exact, bool *ret);

/* "$clock" */
const char *kgtp_view_clock(const struct kgtp_frame *f);
/* "head-lost,hole", NULL: none. */
const char *kgtp_view_defects(struct dump *d, const struct kgtp_frame *f);

bool kgtp_view_keeps(struct kgtp_view *k, const struct kgtp_frame *f);

/* What is missing or uncertain, as warnings. False: the frames are not complete. */
bool kgtp_view_warn(struct kgtp_view *k);

/* A counter that only rises from 0, and is below it. */
bool kgtp_view_damaged(const struct kgtp *k, enum kgtp_setting counter);

/* -w: all frames as a GDB trace file; else the one that KGTP has written. */
enum status kgtp_view_save(struct kgtp_view *k);

/* ST_USAGE: there is no such structure or union in the debug information. */
enum status kgtp_type_open(struct dump *d, const char *name, struct kgtp_type *ret);

#endif
