/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the views of faults share. */
#pragma once

#include "cgroup/memcg_counts.h"
#include "cli/rows.h"

struct fault_view {
	struct dump *dump;
	struct sink *out;
	struct cmdline *in;
	struct report report; /* its meta line is written after open() */
	void *data;	      /* of the view: from its open() to its show() */
};

/* A view is a pair of these; -D runs the first alone. */
struct fault_view_ops {
	struct view view; /* the first: a pointer to it is one to all */
	/* Arguments and pairs of options, before anything is written; NULL: none. */
	enum status (*check)(struct fault_view *v);
	/* Finds what the rows come from.  A status but ST_OK: no data, dump->error says why. */
	enum status (*open)(struct fault_view *v);
	/* Shows the rows and ends the report. */
	enum status (*show)(struct fault_view *v);
};

/* Faults per 1,000 seconds of life, null where the start or the panic is not known. */
struct cell fault_rate(const struct fault_view *v, uint64_t faults, uint64_t start_ns);

extern const struct fault_view_ops fault_tasks, fault_system, fault_event_list, fault_event_records,
	fault_event_timeline, fault_blocked, fault_fatal;
extern const struct fault_view_ops kgtp_frames_view, kgtp_frame_view, kgtp_tracepoints_view,
	kgtp_variables_view;

/* faults -v -g memcg. */

extern const struct view system_memcg_view;

/* Shows the rows and ends the report. */
enum status system_memcg_show(struct fault_view *v, const struct memcg_tree *e);
