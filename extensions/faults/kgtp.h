/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the views of faults -k share: the frames that KGTP collected. */
#pragma once

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

/* Where a frame was collected: at its tracepoint (is_exact), else where its registers were. */
struct kgtp_spot {
	uint64_t address;
	bool known, is_exact;
};

struct kgtp_spot kgtp_view_spot(const struct kgtp_view *k, const struct kgtp_frame *f);
struct cell kgtp_address_cell(struct kgtp_spot spot);
/* "handle_mm_fault+0x0" */
struct cell kgtp_symbol_cell(struct kgtp_view *k, struct kgtp_spot spot);
/* Whether the function there handles page faults. */
struct cell kgtp_page_fault_cell(struct kgtp_view *k, struct kgtp_spot spot);

/* "kretprobe": what collected a frame; "step": a step behind a hit; NULL: unknown. */
const char *kgtp_view_probe(const struct kgtp_view *k, const struct kgtp_frame *f);

/* Ends the report, with warnings on what is missing or uncertain; complete: all else is there. */
enum status kgtp_view_end(struct kgtp_view *k, bool complete);

/* A counter that only rises from 0, and is below it. */
bool kgtp_view_damaged(const struct kgtp *k, enum kgtp_setting counter);

/* -w: all frames as a GDB trace file; else the one that KGTP has written. */
enum status kgtp_view_save(struct kgtp_view *k);

/* ST_USAGE: there is no such structure or union in the debug information. */
enum status kgtp_type_open(struct dump *d, const char *name, struct kgtp_type *ret);
