// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/row_times.h"

#include "cli/report.h"

#define PARTS 10

struct times {
	uint64_t n[PARTS];
};

void rows_set_span(const struct report *r, struct table *t)
{
	const struct cell span = report_age(r, 0);

	t->span_ns = span.kind == CELL_UINT ? span.u : 0;
}

/* What began before boot, as a file of a disk, is in the first part. */
static unsigned int part_of(uint64_t age, uint64_t span)
{
	const uint64_t at = age < span ? span - age : 0;
	const unsigned int part = (unsigned int)((unsigned __int128)at * PARTS / span);

	return part < PARTS ? part : PARTS - 1;
}

void row_times_add(const struct table *t, struct cell *sum, const struct cell *age)
{
	struct times *times;

	if (age->kind == CELL_NULL || !t->span_ns)
		return;
	if (!sum->record)
		sum->record = dump_alloc(t->dump, sizeof(*times));
	times = (struct times *)sum->record;
	times->n[part_of(age->u, t->span_ns)]++;
}

static char mark_of(uint64_t n)
{
	return !n ? '_' : n < 10 ? (char)('0' + n) : n < 100 ? '+' : n < 1000 ? '#' : '@';
}

struct cell row_times_cell(const struct table *t, const struct cell *sum)
{
	const struct times *times = sum->record;
	char text[PARTS + 1] = { 0 };

	if (!times)
		return cell_text(NULL);
	for (unsigned int i = 0; i < PARTS; i++)
		text[i] = mark_of(times->n[i]);
	return cell_text(dump_strdup(t->dump, text));
}
