// SPDX-License-Identifier: GPL-2.0-or-later
/* Why memory was not freed: tasks that waited for it, kswapd that gave up, what memory.min protects. */
#include "cgroup/memcg_state.h"
#include "summary.h"
#include "verdict_words.h"
#include "zones/reclaim.h"

#define TEXT 160 /* the longest sentence with its numbers has 80 */

static void add(struct summary *s, const char *name, struct maybe_u64 pages, const char *text)
{
	SUMMARY_ADD(s, .section = SECTION_RECLAIM, .name = name, .pages = pages,
		    .remark = dump_strdup(s->dump, text));
}

/* Where memory is short and no report of the log says that it ran out, how far tasks waited is the question. */
static bool is_question(struct summary *s)
{
	uint64_t available;

	if (s->ran_out || !s->free.known)
		return false;
	return limit_of_free(units_tenths(s->free.n, s->ram_pages)) ||
	       (verdict_available(s, &available, NULL) &&
		limit_of_free(units_tenths(available, s->ram_pages)));
}

/* Of all memory that the machine has: a cgroup that waited most may be a bystander then. */
static bool is_short(struct summary *s)
{
	const char *older;

	return is_question(s) || (!s->ran_out_in_cgroup && summary_report_of_end(s, &older));
}

/* "; PSI io some avg10 100.00": what tasks wait for instead, where hardly any waits for memory itself. */
static const char *add_others(struct summary *s, const struct pressure *p)
{
	static const struct {
		const char *name, *state;
	} others[] = { { "io", "PSI_IO_SOME" }, { "cpu", "PSI_CPU_SOME" } };
	const struct pressure_line *memory = pressure_of(p, NULL, "PSI_MEM_SOME");
	struct strbuf b = STRBUF_OF(TEXT);

	for (size_t i = 0; pressure_avg10(memory) < limit(LIMIT_PRESSURE) && i < ARRAY_SIZE(others);
	     i++) {
		const struct pressure_line *l = pressure_of(p, NULL, others[i].state);

		if (l && pressure_is_of_end(l) && pressure_avg10(l) >= limit(LIMIT_PRESSURE_ALL))
			strbuf_add(&b, "%s%s some avg10 %lu.%02lu", b.len ? ", " : "; PSI ",
				   others[i].name, pressure_avg10(l) / 100,
				   pressure_avg10(l) % 100);
	}
	return dump_strdup(s->dump, b.buf);
}

/* "PSI memory some avg60 1.91 of the machine, whose tasks waited 2.4s since boot" */
static void add_machine(struct summary *s, enum status st, const struct pressure *p)
{
	const struct pressure_line *l;
	const struct psi_figures *f;
	bool is_old;

	if (st == ST_ABSENT)
		add(s, "pressure", (struct maybe_u64){ 0 },
		    p->is_off ? "PSI is off" : "this kernel has no PSI");
	l = st == ST_OK ? pressure_of(p, NULL, "PSI_MEM_SOME") : NULL;
	if (!l)
		return;
	f = pressure_told(l);
	is_old = l->age_ns > PRESSURE_OLD_NS;
	add(s, "pressure", (struct maybe_u64){ 0 },
	    dump_text(
		    s->dump,
		    "PSI memory some avg60 %lu.%02lu of the machine, whose tasks waited %s since boot%s%s%s%s",
		    f->avg[1] / 100, f->avg[1] % 100, TIME_TEXT(f->total_ns),
		    is_old ? ", as the kernel summed it up last " : "",
		    is_old ? TIME_TEXT(l->age_ns) : "", is_old ? " before the end" : "",
		    add_others(s, p)));
}

/* The share of ten seconds in which some task of the machine waited; NULL: unknown, or old. */
static const struct pressure_line *some_of_machine(const struct pressure *p)
{
	const struct pressure_line *l = pressure_of(p, NULL, "PSI_MEM_SOME");

	return l && pressure_is_of_end(l) ? l : NULL;
}

/*
 * "PSI memory some avg10 99.87, full avg10 9.81 of the machine": all of a small cgroup may wait where the tasks of others run.
 * False: the cgroup waited longer, or it is one whose limit is what was short.
 */
static bool add_whole(struct summary *s, const struct pressure *p, const struct pressure_line *most)
{
	const struct pressure_line *some = some_of_machine(p);
	const struct pressure_line *full = pressure_of(p, NULL, "PSI_MEM_FULL");

	if (!some || !full || most->is_system || s->ran_out_in_cgroup ||
	    !pressure_is_of_end(full) || pressure_avg10(some) < pressure_avg10(most))
		return false;
	add(s, "pressure", (struct maybe_u64){ 0 },
	    dump_text(s->dump,
		      "PSI memory some avg10 %lu.%02lu, full avg10 %lu.%02lu of the machine",
		      pressure_avg10(some) / 100, pressure_avg10(some) % 100,
		      pressure_avg10(full) / 100, pressure_avg10(full) % 100));
	return true;
}

/* "PSI memory full avg10 32.87 of /web, as of 45.7s before the end" */
static void add_pressure(struct summary *s)
{
	const struct pressure_line *most = NULL;
	const struct pressure *p;
	size_t undated = 0;
	enum status st = summary_pressure(s, &p);

	summary_failed(s, "pressure", st);
	for (const struct pressure_line *l = p->lines; st == ST_OK && l < p->lines + p->n; l++)
		undated += !l->has_age && !strcmp(psi_kinds[l->kind].enumerator, "PSI_MEM_FULL");
	if (undated || p->unread || p->tree_ends)
		summary_unknown(s, "pressure of some cgroups", NOT_IN_DUMP, "%s",
				p->tree_ends
					?: undated ? "when the kernel summed it up is unknown"
						   : gap_text(s->dump, p->gaps.rows));
	if (st == ST_OK)
		most = pressure_most(p, limit(LIMIT_PRESSURE), !s->ran_out_in_cgroup, is_short(s));
	if (!most) {
		if (is_question(s))
			add_machine(s, st, p);
		return;
	}
	if (!add_whole(s, p, most))
		add(s, "pressure", (struct maybe_u64){ 0 },
		    dump_text(s->dump, "PSI memory full avg10 %lu.%02lu of %s%s%s%s",
			      pressure_avg10(most) / 100, pressure_avg10(most) % 100,
			      most->is_system ? "the machine" : (most->cgroup ?: "a cgroup"),
			      pressure_is_of_end(most) ? "" : ", as of ",
			      pressure_is_of_end(most) ? "" : TIME_TEXT(most->age_ns),
			      pressure_is_of_end(most) ? "" : " before the end"));
	s->is_pressed = true;
	s->is_all_pressed = most->is_system && pressure_is_of_end(most);
}

static void add_kswapd(struct summary *s)
{
	struct node_reclaims nodes;
	char text[TEXT];
	enum status st = reclaim_open(s->dump, &nodes);

	summary_failed(s, "kswapd", st);
	for (size_t i = 0; st == ST_OK && i < nodes.n; i++) {
		if (nodes.nodes[i].failures < RECLAIM_RETRIES)
			continue;
		snprintf(text, sizeof(text),
			 "kswapd of node %u gave up: %u runs in a row freed nothing",
			 nodes.nodes[i].node, nodes.nodes[i].failures);
		add(s, "kswapd", (struct maybe_u64){ 0 }, text);
	}
}

/* What cgroups right below the root have, as far as their memory.min goes. */
static void add_protected(struct summary *s)
{
	struct memcg_states states;
	struct memcg_state root;
	char text[TEXT];
	uint64_t at, pages;
	enum status st;

	if (!s->has_cgroups || !s->ram_pages)
		return;
	st = memcg_states_open(s->dump, &states) ?: dump_value(s->dump, "root_mem_cgroup", &at) ?:
		memcg_state_read(&states, at, &root);
	summary_failed(s, "memory.min", st);
	pages = st == ST_OK && root.has[MEMCG_CHILDREN_MIN] ? root.value[MEMCG_CHILDREN_MIN] : 0;
	if (pages > s->ram_pages || units_tenths(pages, s->ram_pages) < limit(LIMIT_PROTECTED))
		return;
	snprintf(text, sizeof(text), "memory.min of cgroups protects %s from reclaim",
		 summary_size(s, pages));
	add(s, "memory.min", (struct maybe_u64){ pages, true }, text);
}

enum status summary_reclaim(struct summary *s)
{
	add_kswapd(s);
	add_pressure(s);
	add_protected(s);
	return ST_OK;
}
