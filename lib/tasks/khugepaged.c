// SPDX-License-Identifier: GPL-2.0-or-later
#include "tasks/khugepaged.h"

#include "dump/layout.h"

/* enabled_show() in mm/huge_memory.c, by the bits that the kernel's own enumerators number. */
static const char *enabled_word(struct dump *d)
{
	int64_t always = dump_enumerator_or(d, "TRANSPARENT_HUGEPAGE_FLAG", -1);
	int64_t asked = dump_enumerator_or(d, "TRANSPARENT_HUGEPAGE_REQ_MADV_FLAG", -1);
	uint64_t flags;

	if (always < 0 || asked < 0 || always > 63 || asked > 63 ||
	    dump_value(d, "transparent_hugepage_flags", &flags) != ST_OK)
		return NULL;
	return flags >> always & 1 ? "always" : flags >> asked & 1 ? "madvise" : "never";
}

/* The thread is there while any process may get huge pages (start_stop_khugepaged()). */
static const char *state_word(struct dump *d)
{
	/* 5.14: sched: Change task_struct::state */
	static const struct layout_row row = FIELD_ROW("struct task_struct", OPTIONAL, "5.14, all",
						       "__state", "state");
	struct field state;
	uint64_t task;
	uint32_t word;

	if (dump_value(d, "khugepaged_thread", &task) != ST_OK)
		return NULL;
	if (!task)
		return "none";
	if (layout_resolve(d, &row, 1, &state) != ST_OK || !state.present ||
	    dump_u32(d, task + state.offset, &word, "task_struct") != ST_OK)
		return NULL;
	return word ? "asleep" : "runs";
}

static struct maybe_u64 number(struct dump *d, const char *name)
{
	struct maybe_u64 ret = { 0 };

	ret.known = dump_value(d, name, &ret.n) == ST_OK;
	return ret;
}

enum status khugepaged_read(struct dump *d, struct khugepaged *ret)
{
	uint64_t variable;
	enum status st = dump_ask(d, symbol, "transparent_hugepage_flags", &variable);

	if (st != ST_OK)
		return st;
	*ret = (struct khugepaged){ .enabled = enabled_word(d),
				    .state = state_word(d),
				    .collapsed = number(d, "khugepaged_pages_collapsed"),
				    .scans = number(d, "khugepaged_full_scans") };
	return ST_OK;
}
