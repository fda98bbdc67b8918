// SPDX-License-Identifier: GPL-2.0-or-later
/* Reads a saved scan. The file is as untrusted as a dump. */
#include "scan_read.h"

#include <stdlib.h>

#include "cli/textfile.h"
#include "live_text.h"
#include "view.h"

#define FIELDS (DEPOT_MAX_FRAMES + 8)
#define MAX_RECORDS 20000000 /* of a file that -d reads */

struct reader {
	struct owner_view *v;
	struct saved_scan *scan;
	unsigned long line;
	uint64_t records;
	bool started, ended;
	bool is_cut; /* the line that was read is the last one, and may not be all there */
	struct live_text *text; /* NULL: it is no text of a live kernel */
	char *fields[FIELDS];
	size_t n;
};

static enum status wrong(struct reader *r, const char *what)
{
	return dump_usage(r->v->dump, "the file '%s' is not a saved scan: line %lu: %s",
			  r->scan->path, r->line, what);
}

/* Splits a line at its tabs; false: too many fields. */
static bool split(struct reader *r, char *line)
{
	char *rest = line, *field;

	r->n = 0;
	while ((field = strsep(&rest, "\t"))) {
		if (r->n == FIELDS)
			return false;
		r->fields[r->n++] = field;
	}
	return true;
}

static bool unescape(char *text)
{
	char *to = text, *end;

	for (; *text; text++) {
		char hex[3] = { 0 };

		if (*text != '\\') {
			*to++ = *text;
			continue;
		}
		if (text[1] != 'x' || !text[2] || !text[3])
			return false;
		memcpy(hex, text + 2, 2);
		*to = (char)strtoul(hex, &end, 16);
		if (*end || !*to++)
			return false;
		text += 3;
	}
	*to = '\0';
	return true;
}

/* Field i; "-" sets *known to false and leaves *ret unchanged. */
static bool number(struct reader *r, size_t i, uint64_t max, uint64_t *ret, bool *known)
{
	if (known) {
		*known = strcmp(r->fields[i], "-");
		if (!*known)
			return true;
	}
	return units_parse(r->fields[i], ret) && *ret <= max;
}

/* " <init>" at the end */
static void take_label(char *text, struct frame *f)
{
	for (enum frame_label label = LABEL_INIT; label < FRAME_LABELS; label++) {
		const char *name = frame_label_name(label);
		size_t len = strlen(text), n = strlen(name) + strlen(" <>");

		if (len > n && !strncmp(text + len - n, " <", 2) && text[len - 1] == '>' &&
		    !strncmp(text + len - n + 2, name, strlen(name))) {
			text[len - n] = '\0';
			f->label = label;
			return;
		}
	}
}

/* A frame of a text, with escapes and a label. */
static bool parse_frame(struct reader *r, char *text, struct frame *f)
{
	if (!unescape(text))
		return false;
	take_label(text, f);
	return live_text_frame(r->v->dump, text, f);
}

static enum status add_stack(struct reader *r)
{
	struct dump *d = r->v->dump;
	struct cached_stack *k;
	struct frame *frames;
	uint64_t handle, cut;
	bool is_new;

	if (r->n < 3 || !number(r, 1, UINT32_MAX, &handle, NULL) ||
	    !number(r, 2, DEPOT_MAX_FRAMES, &cut, NULL))
		return wrong(r, "no stack");
	k = hash_u64_get(&r->v->stacks.cache, handle, &is_new);
	frames = dump_alloc(d, r->n * sizeof(*frames));
	if (!is_new)
		return wrong(r, "duplicate handle");
	k->decoded = k->named = true;
	k->record.handle = handle;
	k->stack.cut = cut;
	k->stack.n = r->n - 3;
	k->stack.frames = dump_alloc(d, r->n * sizeof(*k->stack.frames));
	for (unsigned int i = 0; i < k->stack.n; i++) {
		if (!parse_frame(r, r->fields[3 + i], &frames[i]))
			return wrong(r, "no frame");
		k->stack.frames[i] = &frames[i];
	}
	return ST_OK;
}

static bool parse_pages(struct reader *r, struct saved_pages *p)
{
	uint64_t handle, order, mask, tgid = 0;
	bool has_max;

	if (r->n != 10 || !number(r, 1, UINT32_MAX, &handle, NULL) ||
	    !number(r, 2, 20, &order, NULL) || !number(r, 3, UINT32_MAX, &mask, NULL) ||
	    !number(r, 4, INT32_MAX, &tgid, &p->has_tgid) ||
	    !number(r, 6, UINT64_MAX >> 20, &p->pages, NULL) ||
	    !number(r, 7, UINT64_MAX >> 20, &p->allocs, NULL) ||
	    !number(r, 8, UINT64_MAX, &p->ts_min, &p->has_time) ||
	    !number(r, 9, UINT64_MAX, &p->ts_max, &has_max) || has_max != p->has_time ||
	    !unescape(r->fields[5]) || strlen(r->fields[5]) >= sizeof(p->comm))
		return false;
	p->handle = handle;
	p->order = order;
	p->gfp_mask = mask;
	p->tgid = tgid;
	p->has_comm = strcmp(r->fields[5], "-");
	strcpy(p->comm, r->fields[5]);
	return true;
}

static enum status add_pages(struct reader *r)
{
	struct saved_pages *p = dump_alloc(r->v->dump, sizeof(*p));

	if (!parse_pages(r, p))
		return wrong(r, "no record of pages");
	if (!hash_u64_has(&r->v->stacks.cache, p->handle))
		return wrong(r, "a handle without its stack");
	if (r->records++ == MAX_RECORDS)
		return wrong(r, "too many records");
	*r->scan->last = p;
	r->scan->last = &p->next;
	return ST_OK;
}

static enum status add_gfp(struct reader *r)
{
	const char **text;
	uint64_t mask;

	if (r->n != 3 || !number(r, 1, UINT32_MAX, &mask, NULL))
		return wrong(r, "no gfp mask");
	text = hash_u64_get(&r->v->names.gfp_texts, mask, NULL);
	*text = dump_strdup(r->v->dump, r->fields[2]);
	return ST_OK;
}

static enum status add_coverage(struct reader *r)
{
	uint64_t v;

	if (r->n != 3 || !number(r, 2, UINT64_MAX >> 20, &v, NULL))
		return wrong(r, "no coverage");
	for (size_t i = 0; i < SCAN_STATS; i++)
		if (!strcmp(scan_stat_names[i].name, r->fields[1]))
			scan_stat_set(&r->scan->cov, i, v);
	if (!strcmp(r->fields[1], "capture")) {
		r->scan->capture = v;
		r->scan->has_capture = true;
	}
	if (!strcmp(r->fields[1], "offline"))
		r->scan->offline = v;
	return ST_OK;
}

static enum status add_kernel(struct reader *r)
{
	r->scan->kernel = r->n > 1 ? dump_strdup(r->v->dump, r->fields[1]) : NULL;
	return ST_OK;
}

static enum status add_derived(struct reader *r)
{
	if (r->n != 3 || !unescape(r->fields[1]) || !unescape(r->fields[2]))
		return wrong(r, "no word of what stands for System RAM");
	r->scan->cov.ram_name = dump_strdup(r->v->dump, r->fields[1]);
	r->scan->derived = dump_strdup(r->v->dump, r->fields[2]);
	return ST_OK;
}

/* What was unknown when it was written, as modules of functions. */
static enum status add_lacks(struct reader *r)
{
	struct dump *d = r->v->dump;
	struct dump_gap *gap = dump_alloc(d, sizeof(*gap));

	if (r->n != 3 || !unescape(r->fields[1]) || !unescape(r->fields[2]))
		return wrong(r, "no word of what is unknown");
	*gap = (struct dump_gap){ .next = r->scan->lacks,
				  .part = dump_strdup(d, r->fields[1]),
				  .reason = dump_strdup(d, r->fields[2]),
				  .why = ST_UNKNOWN };
	r->scan->lacks = gap;
	return ST_OK;
}

static enum status add_page_size(struct reader *r)
{
	uint64_t v;

	if (r->n != 2 || !number(r, 1, 1 << 20, &v, NULL) || v < 4096 || v & (v - 1))
		return wrong(r, "no size of pages");
	r->v->page_shift = __builtin_ctzll(v);
	return ST_OK;
}

static enum status add_panic(struct reader *r)
{
	struct dump_info *info = &r->v->report.info;
	uint64_t ns;

	if (r->n < 2 || r->n > 4 || !number(r, 1, UINT64_MAX, &ns, NULL) ||
	    (r->n == 4 && strcmp(r->fields[3], "lost")))
		return wrong(r, "no time");
	info->has_panic_time = true;
	info->panic_ns = ns;
	if (r->n > 2 && !dump_info_end(info, ns, r->fields[2], r->n == 4))
		return wrong(r, "no source of a time");
	return ST_OK;
}

static enum status add_end(struct reader *r)
{
	uint64_t v;

	if (r->n != 2 || !number(r, 1, UINT64_MAX, &v, NULL) || v != r->records)
		return wrong(r, "the number of records differs from the saved number");
	r->ended = true;
	return ST_OK;
}

static const struct {
	const char *name;
	enum status (*add)(struct reader *r);
} records[] = {
	{ "end", add_end },	   { "kernel", add_kernel },	 { "page_size", add_page_size },
	{ "panic_ns", add_panic }, { "coverage", add_coverage }, { "gfp", add_gfp },
	{ "stack", add_stack },	   { "pages", add_pages },	 { "derived", add_derived },
	{ "lacks", add_lacks },
};

/* Which file it is; a text may have empty lines before the first record. */
static enum status read_first(struct reader *r, char *line)
{
	if (!*line)
		return ST_OK;
	r->started = true;
	r->scan->kind = live_text_kind(line);
	if (r->scan->kind != SCAN_SAVED) {
		r->text = live_text_open(r->v, r->scan);
		return live_text_line(r->text, r->line, line);
	}
	if (!strcmp(line, "crash-memowner scan 1"))
		return ST_OK;
	return wrong(r, "neither 'crash-memowner scan 1' nor a line of page_owner or "
			"show_stacks" LIVE_TEXT_CUT_IN_FRONT);
}

static enum status read_line(void *arg, char *line)
{
	struct reader *r = arg;

	r->line++;
	if (!r->started)
		return read_first(r, line);
	if (r->text && r->is_cut)
		live_text_part(r->text, r->line);
	else if (r->text)
		return live_text_line(r->text, r->line, line);
	if (r->text)
		return ST_OK;
	if (r->ended)
		return wrong(r, "text after the end record");
	if (!split(r, line))
		return wrong(r, "too many fields");
	for (size_t i = 0; i < ARRAY_SIZE(records); i++)
		if (!strcmp(records[i].name, r->fields[0]))
			return records[i].add(r);
	return wrong(r, "unknown record");
}

/* The file is complete, and its records add up to its coverage. */
static enum status check_sums(struct reader *r)
{
	const struct scan_stats *c = &r->scan->cov;
	uint64_t pages = 0;

	for (const struct saved_pages *p = r->scan->first; p; p = p->next)
		if (__builtin_add_overflow(pages, p->pages, &pages))
			return wrong(r, "too many pages");
	if (!r->ended)
		return wrong(r, "no end record");
	if (pages != c->live + c->undecodable && pages != c->live)
		return wrong(r, "the sum of pages differs from the coverage");
	if (c->scanned > c->ram_pages || c->live > c->scanned || r->scan->capture > c->ram_pages ||
	    r->scan->offline > c->ram_pages)
		return wrong(r, "more pages than System RAM has");
	return ST_OK;
}

const char *owner_saved_name(const struct owner_view *v)
{
	static const char *const names[] = {
		[SCAN_SAVED] = "the saved scan",
		[SCAN_PAGE_OWNER] = "the text of page_owner",
		[SCAN_SHOW_STACKS] = "the text of show_stacks",
	};

	return names[v->saved->kind];
}

bool owner_saved_has_base(const struct owner_view *v)
{
	return !v->saved || v->saved->has_capture;
}

void owner_saved_cut(struct owner_view *v, const struct saved_scan *text)
{
	if (!text->cut_line)
		return;
	report_warn(&v->report,
		    "%s ends inside of a record, at line %lu: it was cut, and what stood behind is "
		    "missing",
		    text->path, text->cut_line);
	v->has_gaps = true;
}

enum status owner_saved_open(struct owner_view *v, const char *path)
{
	struct saved_scan *scan = dump_alloc(v->dump, sizeof(*scan));
	struct reader *r = dump_alloc(v->dump, sizeof(*r));
	enum status st;

	scan->path = path;
	scan->last = &scan->first;
	*r = (struct reader){ .v = v, .scan = scan };
	v->page_shift = v->dump->page_shift;
	v->report.info.has_panic_time = false;
	v->report.info.panic_source = NULL;
	v->report.info.end_note = NULL;
	v->report.info.may_have_panic = false;
	v->stacks.dump = v->dump;
	hash_u64_init(&v->stacks.cache, v->dump->arena, sizeof(struct cached_stack));
	v->names.dump = v->dump;
	/* The text of each mask is in the file: the flags of this dump do not apply. */
	v->names.gfp.n = 1;
	v->names.gfp.flags[0].mask = UINT64_MAX;
	v->names.gfp.flags[0].name = "";
	hash_u64_init(&v->names.gfp_texts, v->dump->arena, sizeof(const char *));
	st = textfile_read_cut(v->dump, path, read_line, r, &r->is_cut);
	if (st == ST_OK && !r->started)
		st = wrong(r, "the file is empty");
	if (st == ST_OK)
		st = r->text ? live_text_end(r->text) : check_sums(r);
	if (st != ST_OK)
		return st;
	v->saved = scan;
	v->owner.ram.pages = scan->cov.ram_pages;
	v->owner.ram.derived = scan->derived;
	v->owner.ram.offline = scan->offline;
	v->owner.ram.capture = scan->capture;
	v->report.info.kernel = scan->kernel; /* a text does not tell which it is of */
	v->report.info.page_size = 1ULL << v->page_shift;
	for (const struct saved_pages *p = scan->first; p; p = p->next) {
		v->owner.f[OWNER_PID].present |= scan->has_pid;
		v->owner.f[OWNER_TGID].present |= p->has_tgid;
		v->owner.f[OWNER_COMM].present |= p->has_comm;
		v->owner.f[OWNER_TS].present |= p->has_time;
	}
	return ST_OK;
}

enum status owner_saved_scan(struct owner_view *v, struct scan_stats *cov,
			     enum status (*visit)(void *arg, struct page_facts *fact), void *arg)
{
	*cov = v->saved->cov;
	for (const struct saved_pages *p = v->saved->first; p; p = p->next) {
		struct owner_page page = { .allocated = true,
					   .order = p->order,
					   .handle = p->handle };
		struct page_facts f = {
			.v = v,
			.page = &page,
			.handle = p->handle,
			.saved = p,
			.pages = p->pages,
			.allocs = p->allocs,
			.ts_ns = p->ts_min,
			.ts_min = p->ts_min,
			.ts_max = p->ts_max,
			.has_record = true,
			.record = { page, p->gfp_mask, .pid = p->pid, .tgid = p->tgid },
		};
		enum status st;

		strcpy(f.record.comm, p->comm);
		st = dump_stopped(v->dump) ? ST_STOPPED : visit(arg, &f);
		if (st != ST_OK)
			return st;
	}
	return ST_OK;
}
