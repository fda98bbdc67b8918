/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Frames: what a tracepoint collected at one hit. Ids come from one counter for all CPUs, so
 * they put the frames of all rings in order; they are no time.
 */
#pragma once

#include "kgtp/entry.h"
#include "kgtp/tracepoint.h"
#include "kgtp/variable.h"

/*
 * Registers of a frame: a raw struct pt_regs of the kernel that the dump is of, so its own
 * debug information says where each is.
 */

#define KGTP_REGISTERS 34

struct kgtp_register {
	const char *name;
	struct field field;	 /* in struct pt_regs */
	unsigned int trace_size; /* bytes in a GDB trace file; 0: it is not in one */
};

struct kgtp_registers {
	uint32_t size;				/* of struct pt_regs */
	struct kgtp_register r[KGTP_REGISTERS]; /* in the order of a GDB trace file */
	unsigned int n;
	unsigned int pc;	 /* index */
	unsigned int trace_size; /* of all in a GDB trace file */
};

/* ST_UNKNOWN: a struct pt_regs or an architecture that this build does not know. */
enum status kgtp_registers_open(struct dump *d, struct kgtp_registers *ret);

/* What is not certain of a frame. */
enum kgtp_defect {
	KGTP_HEAD_LOST = 1 << 0,      /* only the tail is left: its head was overwritten or read */
	KGTP_IN_PROGRESS = 1 << 1,    /* the ring is locked: it was being written */
	KGTP_RING_FULL = 1 << 2,      /* the ring was full: its end may be missing */
	KGTP_TAIL_LOST = 1 << 3,      /* what goes on is of another frame */
	KGTP_BAD_BYTES = 1 << 4,      /* bytes in it are no entry and were passed over */
	KGTP_HOLE = 1 << 5,	      /* a page in it cannot be read or reached */
	KGTP_BAD_LINK = 1 << 6,	      /* its head does not point back to the head before it */
	KGTP_BAD_ID = 1 << 7,	      /* its id is not above the one before, or was never given */
	KGTP_BAD_TRACEPOINT = 1 << 8, /* the list of tracepoints is whole and has no such number */
	KGTP_READ_FAULT = 1 << 9, /* a fault stopped its tracepoint, perhaps in its last range */
	KGTP_DEFECTS = 10
};

struct kgtp_frame {
	uint64_t id;	 /* 0: lost with the head */
	uint64_t number; /* of the tracepoint; only with a head */
	const struct kgtp_ring *ring;
	struct kgtp_place start; /* of its first entry */
	size_t last_page;	 /* that it has an entry in */
	unsigned int defects;
	unsigned int pieces; /* of memory, joined */
	uint64_t bytes;	     /* of memory */
	unsigned int variables;
	bool has_regs;
	uint64_t pc;
	bool has_time;
	uint64_t time_ns;
	enum kgtp_known_variable clock; /* that time_ns is of */
	bool has_pid;
	int64_t pid;
	bool has_room; /* a page ended in it that had room for a part of the memory behind */
	bool is_step;  /* of while-stepping: it has $step_id */
};

struct kgtp_frames {
	struct kgtp_frame *f; /* by id; those without one first */
	size_t n;
	size_t damaged; /* frames with a defect that is no plain loss of a ring that went on */
};

struct kgtp_frame_source {
	const struct kgtp_rings *rings;
	const struct kgtp_registers *regs;
	const struct kgtp_variables *variables;
	const struct kgtp_tracepoints *tracepoints;
	bool has_newest; /* the next is known */
	uint64_t newest; /* id that was given last */
	bool circular;
};

/* ST_STOPPED with *ret filled with what was read until then. */
enum status kgtp_frames_read(struct kgtp_reader *r, const struct kgtp_frame_source *source,
			     struct kgtp_frames *ret);

/* A word for a defect, as it stands in lists: "head-lost"; and what it means. */
const char *kgtp_defect_name(enum kgtp_defect one);
const char *kgtp_defect_meaning(enum kgtp_defect one);

/* Memory of consecutive addresses that a frame has, joined from its pieces. */
struct kgtp_memory {
	uint64_t address;
	uint8_t *bytes;
	size_t size;
	unsigned int pieces; /* entries that it was in */
	bool unsure;	     /* its end may be half written */
};

struct kgtp_collected {
	uint32_t number;
	int64_t value;
	bool unsure;
};

struct kgtp_room {
	size_t bytes, memory, variables;
};

/* All that a frame has. */
struct kgtp_content {
	bool has_regs, regs_unsure;
	uint8_t *regs;		    /* struct pt_regs */
	struct kgtp_memory *memory; /* in the order in which it was collected */
	size_t nmemory;
	struct kgtp_collected *variables;
	size_t nvariables;
	size_t unwritten; /* bytes that were allocated for it and not written */
	uint8_t *bytes;	  /* of all memory */
	struct kgtp_room room;
};

/* Reads one frame once more. ret is zeroed or from a call before: its memory is used again. */
enum status kgtp_frame_content(struct kgtp_reader *r, const struct kgtp_frame *f,
			       struct kgtp_content *ret);
