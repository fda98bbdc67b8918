// SPDX-License-Identifier: GPL-2.0-or-later
#include "page_owner/page_owner_stacks.h"

#include "dump/layout.h"

#define MAX_NODES 4000000 /* stacks that have allocated pages: some thousands */

enum { N_RECORD, N_NEXT, N_FIELDS };

static const struct layout_row rows[N_FIELDS] = {
	[N_RECORD] = { "struct stack", { "stack_record" }, OPTIONAL, "6.9" },
	[N_NEXT] = { "struct stack", { "next" }, OPTIONAL, "6.9" },
};

enum status stack_list_open(struct dump *d, struct stack_list *ret)
{
	struct field f[N_FIELDS];
	uint64_t node;
	uint8_t raw[32];
	size_t span;
	enum status st;

	memset(ret, 0, sizeof(*ret));
	hash_u64_init(&ret->records, d->arena, 0);
	st = dump_has_both(d, "stack_list", "struct stack");
	if (st == ST_ABSENT)
		return ST_OK;
	if (st == ST_OK && !dump_has_symbol(d, "page_owner_inited"))
		st = dump_unknown(d, "this kernel has no symbol page_owner_inited");
	if (st != ST_OK)
		return st;
	st = layout_resolve(d, rows, N_FIELDS, f);
	span = layout_span(f, N_FIELDS);
	if (st == ST_OK && (!f[N_RECORD].present || !f[N_NEXT].present || span > sizeof(raw)))
		st = dump_unknown(d, "struct stack");
	if (st != ST_OK)
		return st;
	st = dump_value(d, "stack_list", &node);
	for (size_t n = 0; st == ST_OK && node; n++) {
		if (n == MAX_NODES)
			return dump_corrupt(d, "page_owner's stack_list loops");
		st = dump_read(d, node, raw, span, "page_owner's stack_list");
		if (st != ST_OK)
			break;
		/* No record is listed twice. */
		if (!hash_u64_add(&ret->records, field_get(&f[N_RECORD], raw)))
			return dump_corrupt(d, "page_owner's stack_list loops");
		node = field_get(&f[N_NEXT], raw);
	}
	ret->present = st == ST_OK && ret->records.n;
	return st;
}

bool stack_list_has(struct stack_list *l, uint64_t record)
{
	return l->present && hash_u64_has(&l->records, record);
}

/* Finds a record by its address: it stores its own handle. */
static enum status find_record(struct depot *depot, uint64_t record, struct depot_stack *ret)
{
	const struct field *f = &depot->f[DEPOT_HANDLE];
	uint8_t raw[8] = { 0 };
	enum status st = f->size <= sizeof(raw)
				 ? dump_try(depot->dump, record + f->offset, raw, f->size)
				 : ST_UNKNOWN;

	st = st ?: depot_find(depot, le32(raw), ret);
	return st == ST_OK && ret->record != record ? ST_CORRUPT : st;
}

static bool is_counted(const struct depot_stack *record)
{
	return record->has_count && record->count && record->count < DEPOT_COUNT_UNUSED / 2;
}

uint64_t stack_counted_pages(const struct depot_stack *record)
{
	return is_counted(record) ? record->count - 1 : 0;
}

static void add(struct stack_counts *c, struct depot *depot, uint64_t address)
{
	struct depot_stack record = { 0 };
	enum status st = find_record(depot, address, &record);
	uint64_t *pages;

	if (st != ST_OK || !is_counted(&record)) {
		*(st == ST_UNREADABLE ? &c->missing : &c->unsound) += 1;
		return;
	}
	if (record.count == 1)
		return;
	pages = hash_u64_get(&c->pages, record.handle, NULL);
	*pages = stack_counted_pages(&record);
	c->total += *pages;
}

enum status stack_counts_open(struct depot *depot, struct stack_counts *ret)
{
	struct dump *d = depot->dump;
	struct stack_list list;
	enum status st = stack_list_open(d, &list);

	memset(ret, 0, sizeof(*ret));
	hash_u64_init(&ret->pages, d->arena, sizeof(uint64_t));
	if (st == ST_OK && !list.present)
		st = dump_absent(d,
				 "this kernel does not count pages per stack (6.9 and later do)");
	for (struct hash_u64_entry *e = list.records.first; st == ST_OK && e; e = e->next) {
		ret->stacks++;
		add(ret, depot, e->key);
	}
	return st;
}

void special_handles_open(struct dump *d, struct special_handles *ret)
{
	static const char *const names[SPECIAL_HANDLES] = {
		[SPECIAL_FAILURE] = "failure_handle",
		[SPECIAL_DUMMY] = "dummy_handle",
		[SPECIAL_EARLY] = "early_handle",
	};

	*ret = (struct special_handles){ 0 };
	for (unsigned int i = 0; i < SPECIAL_HANDLES; i++) {
		uint64_t handle;

		/* They are of page_owner, which has all three (4.13). */
		if (dump_has_both(d, names[i], "struct page_owner") == ST_ABSENT)
			continue;
		ret->known[i] = dump_value(d, names[i], &handle) == ST_OK;
		ret->unreadable[i] = !ret->known[i];
		if (ret->known[i])
			ret->handles[i] = handle;
	}
	d->error[0] = '\0';
}

bool special_handle(const struct special_handles *b, uint32_t handle)
{
	return ANY_OF(i, SPECIAL_HANDLES, special_handle_is(b, i, handle)) || !handle;
}
