/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the parts of "memowner zones" share: each zone at the panic, and the request. */
#pragma once

#include "oom/oom_report.h"
#include "buddy/pcp_lists.h"
#include "zones/reclaim.h"
#include "zones/vmstat.h"
#include "buddy/watermark.h"
#include "pageowner/view.h"

/* The figures of an answer. */
struct zone_figures {
	const char *result; /* NULL: the zone is not asked */
	bool known, has_usable, has_largest;
	int64_t usable, limit, reserve;
	int32_t largest;
};

/* A zone at the panic; what is not known says so. */
struct zone_now {
	const struct zone *zone;
	bool has_state, has_shown, has_counted, has_pcp, has_free;
	struct zone_state state;
	struct counters shown;	 /* as the allocator takes them */
	struct counters counted; /* with what CPUs had not added yet */
	uint64_t pcp;
	uint64_t *pcp_blocks;  /* of each list of CPUs; NULL: a list is not known */
	struct zone_free free; /* if has_free */
	uint64_t listed;       /* free pages, if has_listed */
	bool has_listed, has_reserve, has_deferred, deferred;
	struct zone_figures figures;
};

/* In which order the allocator tries the zones; enum of zone_lists.c says whose list it is. */
struct zone_order {
	struct memory_node *nodes;
	size_t n;			/* of them; 0: there is no request, or problem */
	const struct memory_node *node; /* that the request prefers; NULL: it is unknown */
	unsigned int source;
	const char *why;     /* why the node is unknown */
	const char *problem; /* why the order is unknown; NULL: it is not */
	bool has_list;
	struct zonelist list; /* of that node */
};

struct zones_view {
	struct owner_view *v;
	struct names names;
	struct zones zones;
	struct zone_now *now;	 /* of each */
	struct zone_now **tried; /* the same: zones of the zonelist in its order, then the others */
	struct memmap memmap;
	struct page_types pages;
	struct zone_states states;
	struct pcp_lists pcp;
	bool has_pcp;			 /* else no list of a CPU is known */
	bool has_states;		 /* else no struct zone is known well enough */
	struct counter_reader *counters; /* NULL: unknown */
	struct alloc_kernel kernel;
	bool has_kernel;
	const char *kernel_problem;
	/* The newest report of the log that memory ran out, or that an allocation failed. */
	const struct oom_report *report; /* NULL: none was found */
	unsigned int older;		 /* reports before it */
	/* Nodes that its task may use: of the report, else of the task; "": unknown. */
	char mems_allowed[OOM_NODES];
	const char *log_problem; /* why a report may be missing; NULL: none is */
	bool may_miss_newest;	 /* a part of the log is unknown, perhaps the newest */
	bool is_partial;	 /* something besides the zones is unknown, and a warning says so */
	bool has_request;
	bool is_asked; /* of a zone: a request, of the command line or of the log, and a rule */
	const char *request_problem; /* why it is not known; NULL: it is, or there is none */
	bool is_of_report;	     /* it is that of the report; else the arguments name it */
	unsigned int order;
	uint32_t gfp;
	struct zone_order zonelist;
};

/* Whether an argument of -z or -b is an order, or meant as one: it is no address. */
bool zones_claim_order(const char *argument);

/*
 * The nodes of the report's task. check_panic_on_oom() panics before the kernel prints them; the task that
 * panics is still in the call that failed: its nodes are those of the request.
 */
void zone_mems_allowed(struct zones_view *z);

/* zone_answer.other of a zone that the cpuset leaves out. */
extern const char zone_not_in_cpuset[];

/* Finds the report. */
void zone_log_read(struct zones_view *z);

/* The report in text; in JSON records "report" and, of each zone of its Mem-Info, "logged". */
extern const struct view zone_log_view;
void zone_log_put(struct zones_view *z);

/* Reads what the arguments ask for, [ORDER [GFP]], else what the report has. ST_USAGE. */
enum status zone_request_parse(struct zones_view *z);

/* Whether zones were asked: there is a request, and no limit of a cgroup refused it before. */
bool zone_request_asks(const struct zones_view *z);

/* What a zone makes of the request, by every rule that this kernel may have. */
struct zone_answer {
	bool is_asked;	   /* there is a request, and a rule */
	const char *other; /* why it is not asked, or its answer not known; NULL: by verdict */
	struct watermark_verdict verdict;
	struct alloc_request request;
};

struct zone_figures zone_figures_of(const struct zone_answer *a);

/* At the panic. */
void zone_request_check(const struct zones_view *z, const struct zone_now *now,
			struct zone_answer *ret);
/* At the report, by the figures of the log. */
void zone_request_check_logged(const struct zones_view *z, const struct mem_zone *logged,
			       struct zone_answer *ret);

/* The zone of the dump that a zone of the log is; NULL: there is none. */
const struct zone_now *zone_of_log(const struct zones_view *z, const struct mem_zone *logged);

/* Reads the zonelist of the request, and sorts z->tried. */
void zone_lists_read(struct zones_view *z);

/* In text lines, in JSON records "zonelist". */
extern const struct view zone_lists_view;
void zone_lists_put(struct zones_view *z);

/*
 * Text: the request, and of each zone whether it serves the request, with the figures; the zonelist
 * in JSON as well.
 */
void zone_answers_put(struct zones_view *z);

/* Free blocks by order and migrate type: a table in text, records in JSON. */
extern const struct view zone_blocks_view;
void zone_blocks_put(struct zones_view *z);

/* Blocks on the lists of CPUs by order and migrate type: the same. */
extern const struct view zone_pcp_view;
/* Of enum migratetype: its name, else its number. */
const char *zone_type_name(const struct zones_view *z, unsigned int type);
/* Fills now->pcp_blocks. */
void zone_pcp_read(struct zones_view *z, struct zone_now *now);
void zone_pcp_put(struct zones_view *z);

/* Reclaim and compaction by node, and swap. */
extern const struct view zone_nodes_view;
void zone_nodes_put(struct zones_view *z);

/* A counter by its name in /proc/vmstat; unknown is null. */
static inline struct cell zone_counter_cell(bool known, const struct counters *c, const char *name)
{
	int64_t n = 0;

	known = known && counter_read(c, name, &n) == ST_OK;
	return cell_if(known, cell_uint(n));
}
