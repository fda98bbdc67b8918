/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Tracepoints: the list gtp_list of struct gtp_entry, newest first. Several may share a
 * number. The struct starts with a union of kernel structs, so only debug information of
 * KGTP tells where its members are.
 */
#pragma once

#include "kgtp/symbols.h"

struct kgtp_source {
	struct kgtp_source *next;
	const char *text; /* as GDB sent it: "at:0:f:68616e..." */
};

struct kgtp_tracepoint {
	uint64_t number, address;
	const char *type;    /* "kprobe"; NULL: unknown */
	const char *stopped; /* why it stopped, "normal": it did not; NULL: unknown */
	bool kretprobe;
	bool user_regs; /* $current: registers are those of user space */
	bool disabled;
	int64_t pass;
	const char *name; /* the place as the user named it; NULL: not recorded */
	struct kgtp_source *source, *actions;
};

struct kgtp_tracepoints {
	struct kgtp_tracepoint *t;
	size_t n;
	bool known;	     /* the list could be read, at least in part */
	const char *problem; /* why all or some are missing; NULL: none are */
};

/* ST_STOPPED; whatever else is wrong is the problem. */
enum status kgtp_tracepoints_read(struct dump *d, const struct kgtp_symbols *s,
				  struct kgtp_tracepoints *ret);

/* "kprobe", "kretprobe" and so on; NULL: unknown. */
static inline const char *kgtp_tracepoint_probe(const struct kgtp_tracepoint *t)
{
	return t->kretprobe ? "kretprobe" : t->type;
}

/*
 * The tracepoint of a frame: of several with its number the one at that address, if has_pc.
 * NULL: it is not in the list, or cannot be told.
 */
const struct kgtp_tracepoint *kgtp_tracepoint_find(const struct kgtp_tracepoints *all,
						   uint64_t number, bool has_pc, uint64_t pc);
