/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the views of faults -e share: the page-fault events of the trace buffers, one by one. */
#ifndef MEMOWNER_FAULTS_EVENTS_H
#define MEMOWNER_FAULTS_EVENTS_H

#include "vm/vma.h"
#include "symbols/symbolize.h"
#include "trace/event_reader.h"
#include "util/hash_bytes.h"
#include "view.h"

/* What events can be filtered by, and grouped by where it says so. */
enum event_key {
	EVENT_PID,
	EVENT_COMM,
	EVENT_CPU,
	EVENT_INSTANCE,
	EVENT_BUFFER,
	EVENT_AGE,
	EVENT_TS,
	EVENT_MARK,
	/* Those above are of every event, those below of page faults. */
	EVENT_MODE,
	EVENT_COMMON = EVENT_MODE,
	EVENT_ADDRESS,
	EVENT_IP,
	EVENT_IP_SYMBOL,
	EVENT_INSTRUCTION,
	EVENT_ERROR_CODE,
	EVENT_ERROR,
	EVENT_VMA,
	EVENT_KEYS
};

extern const struct key event_keys[EVENT_KEYS];

struct fault_events {
	struct fault_view *view;
	struct event_reader reader;
	const struct trace_field *address[READER_EVENTS], *ip[READER_EVENTS], *code[READER_EVENTS];
	bool is_user[READER_EVENTS];
	struct symbolizer symbols;
	struct hash_u64 ips;	/* const char * by address */
	struct hash_u64 errors; /* const char * by error code */
	struct hash_bytes texts;
	/* Memory of the tasks that live at the panic, opened when a file is asked for. */
	bool vmas_tried, has_vmas;
	struct vmas vmas;
	struct hash_u64 spaces; /* struct task_space by pid */
	const char *vma_problem;
	uint64_t kept; /* events that passed the filters */
};

struct fault_event {
	struct event_record record;
	struct fault_events *events;
	bool is_user;
	uint64_t address, ip, code;
	const char *comm; /* NULL: unknown */
};

/* For struct fault_view_ops: leaves struct fault_events in v->data. */
enum status fault_events_open(struct fault_view *v);

/* The next event that the filters keep; false: there is none, or the user stopped it. */
bool fault_events_next(struct fault_events *e, struct fault_event *ret);

/* Of one event; NULL: unknown. All live as long as the command. */
const char *fault_event_symbol(const struct fault_event *ev);	   /* of ip, in the kernel */
const char *fault_event_instruction(const struct fault_event *ev); /* the same, or ip */
const char *fault_event_error(const struct fault_event *ev);
/* Name of the mapping that has the address, of the task as it is at the panic. */
const char *fault_event_vma(const struct fault_event *ev);
const char *fault_event_mode(const struct fault_event *ev);

/* Views that stand for that of -e: with -g, and with "SYSTEM:EVENT". */
extern const struct view fault_event_ranking;
enum status fault_event_ranking_show(struct fault_view *v);

/* Whether filters of the common keys keep an event of any kind. */
bool event_kept(const struct fault_view *v, const struct event_record *rec, const char *comm);

/* Seconds to the panic, "-1.234567", in their order; NULL: unknown. */
const struct ranked_text *event_to_panic(const struct fault_view *v,
					 const struct event_record *rec);

/* Clocks of the events in a table. */
struct event_clocks {
	const struct trace_buffer_of *of; /* of the first event; NULL: there was none yet */
	bool mixed;			  /* another event has another clock */
	uint64_t unknown;		  /* events whose time to the panic is unknown */
};

void event_clocks_add(const struct fault_view *v, struct event_clocks *c,
		      const struct event_record *rec);

/*
 * Sorts the table by -s.  Times of more than one clock are compared by the time to the panic, which
 * the rows must have then; a warning says so.
 */
enum status events_sort(struct fault_view *v, const struct event_clocks *c);

/* Time from the record to the panic; false: they are not on one clock. Negative: after it. */
bool event_age(const struct fault_view *v, const struct event_record *rec, int64_t *ns);

#endif
