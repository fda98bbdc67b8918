// SPDX-License-Identifier: GPL-2.0-or-later
#include "live_text.h"

#include <stdlib.h>

#include "cli/textfile.h"
#include "symbols/allocators.h"
#include "view.h"

#define STACK_DEPTH 16	  /* PAGE_OWNER_STACK_DEPTH in mm/page_owner.c, all kernels */
#define STACK_BYTES 32768 /* of the text of a stack */
#define COMM_BYTES 17	  /* TASK_COMM_LEN, and the end */
#define HEAD_BYTES 1024	  /* the kernel's text of a record above its stack */
#define MAX_ORDER 20	  /* as in lib/page_owner */
#define BEGIN_RECORDS 256 /* that were printed in the same moment as what stood above them */

static const char head_start[] = "Page allocated via order ";
static const char pages_start[] = "nr_base_pages: ";

bool live_text_frame(struct dump *d, char *text, struct frame *f)
{
	char *open, *plus, *slash;
	uint64_t v;

	open = strstr(text, " [");
	if (open) {
		size_t len = strlen(open);

		if (len < 4 || open[len - 1] != ']')
			return false;
		open[len - 1] = *open = '\0';
		f->module = dump_strdup(d, open + 2);
	}
	if (units_parse(text, &v)) {
		f->addr = v;
		return true;
	}
	plus = strrchr(text, '+');
	slash = plus ? strchr(plus, '/') : NULL;
	if (slash)
		*slash = '\0';
	if (!plus || plus == text || !units_parse(plus + 1, &f->offset) ||
	    (slash && !units_parse(slash + 1, &f->size)))
		return false;
	*plus = '\0';
	f->symbol = dump_strdup(d, text);
	f->allocates = allocators_has(f->symbol);
	return true;
}

/* What distinguishes records: all but times and page. Texts are interned. */
struct identity {
	uint32_t stack, gfp_mask;
	int32_t pid, tgid;
	uint64_t order;
	const char *comm, *migratetype, *block;
};

enum place { BETWEEN, IN_HEAD, BEHIND_HEAD, IN_STACK };

struct live_text {
	struct owner_view *v;
	struct saved_scan *scan;
	unsigned long line;
	enum place place;
	char head[HEAD_BYTES]; /* a line; the name of a task may have line feeds */
	char stack[STACK_BYTES];
	size_t stack_bytes;
	unsigned int frames;
	bool has_pages;
	bool is_cut; /* the last line was not all there */
	uint64_t pages, ts, pfn;
	bool has_ts;
	struct identity record;
	struct hash_bytes stacks;  /* uint32_t, number of a stack by its text */
	struct hash_bytes records; /* struct saved_pages * by struct identity */
	uint32_t nstacks;
};

static bool starts(const char *text, const char *with)
{
	return !strncmp(text, with, strlen(with));
}

enum saved_kind live_text_kind(const char *line)
{
	if (starts(line, head_start))
		return SCAN_PAGE_OWNER;
	return *line == ' ' && (strchr(line, '+') || starts(line, " 0x")) ? SCAN_SHOW_STACKS
									  : SCAN_SAVED;
}

struct live_text *live_text_open(struct owner_view *v, struct saved_scan *scan)
{
	struct live_text *t = dump_alloc(v->dump, sizeof(*t));

	t->v = v;
	t->scan = scan;
	hash_bytes_init(&t->stacks, v->dump->arena, sizeof(uint32_t));
	hash_bytes_init(&t->records, v->dump->arena, sizeof(struct saved_pages *));
	return t;
}

static enum status wrong(struct live_text *t, const char *line, const char *why)
{
	char start[41];

	textfile_start(line, start, sizeof(start));
	return dump_usage(t->v->dump, "line %lu of the file '%s': %s: '%s'", t->line, t->scan->path,
			  why, start);
}

/* Digits behind a text, which *at is moved behind; false: another text, or no number. */
static bool take(const char **at, const char *text, uint64_t max, uint64_t *ret)
{
	const char *p = *at;
	uint64_t value;
	char *end;
	bool hex;

	if (!starts(p, text))
		return false;
	p += strlen(text);
	hex = starts(p, "0x");
	if (*p < '0' || *p > '9')
		return false;
	value = strtoull(p, &end, hex ? 16 : 10);
	if (value > max)
		return false;
	*ret = value;
	*at = end;
	return true;
}

/* A pid of a corrupt record may be negative. */
static bool take_pid(const char **at, const char *text, int32_t *ret)
{
	char *end;
	long value;

	if (!starts(*at, text))
		return false;
	value = strtol(*at + strlen(text), &end, 10);
	if (end == *at + strlen(text) || value < INT32_MIN || value > INT32_MAX)
		return false;
	*ret = value;
	*at = end;
	return true;
}

/* "(GFP_KERNEL|__GFP_COMP)" */
static bool take_gfp(struct live_text *t, const char **at)
{
	const char *end = **at == '(' ? strchr(*at, ')') : NULL;
	const char **text;
	bool is_new;

	if (!end)
		return false;
	text = hash_u64_get(&t->v->names.gfp_texts, t->record.gfp_mask, &is_new);
	if (is_new)
		*text = memcpy(dump_alloc(t->v->dump, end - *at), *at + 1, end - *at - 1);
	*at = end + 1;
	return true;
}

/* " (COMM)": the name may have parentheses, what follows it has none. */
static bool take_comm(struct live_text *t, const char **at)
{
	const char *end = strrchr(*at, ')');
	char comm[COMM_BYTES];
	size_t n;

	if (!starts(*at, " (") || !end || (size_t)(end - *at - 2) >= sizeof(comm))
		return false;
	n = end - *at - 2;
	memcpy(comm, *at + 2, n);
	comm[n] = '\0';
	t->record.comm = intern(&t->v->texts, comm);
	*at = end + 1;
	return true;
}

/* What every record of a file has, or none. */
static bool same(struct live_text *t, bool *of_file, bool here)
{
	if (!t->scan->nrecords)
		*of_file = here;
	return *of_file == here;
}

static bool parse_head(struct live_text *t, const char *line)
{
	const char *at = line;
	uint64_t mask, ts;
	bool pid, tgid, comm = false;

	memset(&t->record, 0, sizeof(t->record));
	if (!take(&at, head_start, MAX_ORDER, &t->record.order) ||
	    !take(&at, ", mask ", UINT32_MAX, &mask))
		return false;
	t->record.gfp_mask = mask;
	if (!take_gfp(t, &at))
		return false;
	pid = take_pid(&at, ", pid ", &t->record.pid);
	tgid = take_pid(&at, ", tgid ", &t->record.tgid);
	if (tgid)
		comm = take_comm(t, &at);
	t->has_ts = take(&at, ", ts ", UINT64_MAX, &t->ts) && starts(at, " ns");
	at += t->has_ts ? strlen(" ns") : 0;
	if (t->has_ts && take(&at, ", free_ts ", UINT64_MAX, &ts) && starts(at, " ns"))
		at += strlen(" ns");
	return !*at && tgid == comm && same(t, &t->scan->has_pid, pid) &&
	       same(t, &t->scan->has_task, tgid) && same(t, &t->scan->has_time, t->has_ts);
}

/* Of "name rest" the name. */
static const char *word(struct live_text *t, const char *text)
{
	char name[64];
	size_t n = strcspn(text, " ");

	if (!n || n >= sizeof(name))
		return NULL;
	memcpy(name, text, n);
	name[n] = '\0';
	return intern(&t->v->texts, name);
}

/* "PFN 0x100 type Unmovable Block 0 type Unmovable Flags ..." */
static bool parse_page(struct live_text *t, const char *line)
{
	const char *type, *block;

	if (!take(&line, "PFN ", UINT64_MAX >> 1, &t->pfn) || !starts(line, " type "))
		return false;
	type = line + strlen(" type ");
	line = strstr(type, " Block ");
	block = line ? strstr(line, " type ") : NULL;
	if (!block || !strstr(block, " Flags "))
		return false;
	t->record.migratetype = word(t, type);
	t->record.block = word(t, block + strlen(" type "));
	return t->record.migratetype && t->record.block;
}

/* The frames of a stack from its text, a frame a line. */
static enum status name_frames(struct live_text *t, struct stack *ret)
{
	struct dump *d = t->v->dump;
	struct frame *frames = dump_alloc(d, (t->frames + 1) * sizeof(*frames));
	char *text = dump_strdup(d, t->stack), *rest = text;

	ret->frames = dump_alloc(d, (t->frames + 1) * sizeof(*ret->frames));
	for (unsigned int i = 0; i < t->frames; i++) {
		if (!live_text_frame(d, strsep(&rest, "\n"), &frames[i]))
			return wrong(t, t->stack, "a call stack has a frame that is none");
		/* The kernel that printed it had no text there. */
		if (!frames[i].symbol)
			frames[i].label = LABEL_GONE;
		ret->frames[i] = &frames[i];
	}
	ret->n = t->frames;
	ret->cut = t->frames >= STACK_DEPTH ? STACK_DEPTH : 0;
	return ST_OK;
}

static enum status find_stack(struct live_text *t, uint32_t *ret)
{
	struct cached_stack *k;
	bool is_new;
	uint32_t *number = hash_bytes_get(&t->stacks, t->stack, t->stack_bytes, &is_new)->value;

	if (!is_new) {
		*ret = *number;
		return ST_OK;
	}
	if (t->nstacks == UINT32_MAX)
		return wrong(t, "", "too many call stacks");
	*ret = *number = ++t->nstacks;
	k = hash_u64_get(&t->v->stacks.cache, t->nstacks, &is_new);
	k->record.handle = t->nstacks;
	k->decoded = k->named = true;
	return name_frames(t, &k->stack);
}

static struct saved_pages *new_record(struct live_text *t)
{
	const struct identity *r = &t->record;
	struct saved_pages *p = dump_alloc(t->v->dump, sizeof(*p));

	*p = (struct saved_pages){ .handle = r->stack, .gfp_mask = r->gfp_mask, .order = r->order };
	p->has_tgid = p->has_comm = t->scan->has_task;
	p->has_time = t->has_ts;
	p->pid = r->pid;
	p->tgid = r->tgid;
	if (r->comm)
		strcpy(p->comm, r->comm);
	p->migratetype = r->migratetype;
	p->block_migratetype = r->block;
	p->ts_min = UINT64_MAX;
	*t->scan->last = p;
	t->scan->last = &p->next;
	return p;
}

/* Keeps the oldest records, in no order. */
static void note_oldest(struct saved_scan *s, uint64_t pfn, uint64_t ts)
{
	struct text_mark *newest = s->oldest;

	if (!ts)
		return;
	if (s->noldest < TEXT_MARKS) {
		s->oldest[s->noldest++] = (struct text_mark){ pfn, ts };
		return;
	}
	for (unsigned int i = 1; i < TEXT_MARKS; i++) {
		if (s->oldest[i].ts > newest->ts)
			newest = &s->oldest[i];
	}
	if (ts < newest->ts)
		*newest = (struct text_mark){ pfn, ts };
}

static void note_place(struct live_text *t)
{
	struct saved_scan *s = t->scan;

	if (!s->nrecords)
		s->first_pfn = t->pfn;
	s->rises = (s->rises || !s->nrecords) && t->pfn >= s->end_pfn;
	s->end_pfn = t->pfn + (1ULL << t->record.order);
	if (t->ts > s->newest_ts)
		s->newest_ts = t->ts;
	if (s->nrecords < BEGIN_RECORDS)
		s->begin_ts = s->newest_ts;
	note_oldest(s, t->pfn, t->ts);
}

/* The end of a record. */
static enum status add_record(struct live_text *t)
{
	struct saved_pages **slot, *p;
	bool is_new;
	enum status st = find_stack(t, &t->record.stack);

	if (st != ST_OK)
		return st;
	slot = hash_bytes_get(&t->records, &t->record, sizeof(t->record), &is_new)->value;
	if (is_new)
		*slot = new_record(t);
	p = *slot;
	if (!t->has_pages)
		t->pages = 1ULL << t->record.order;
	if (__builtin_add_overflow(t->scan->cov.live, t->pages, &t->scan->cov.live) ||
	    t->scan->cov.live > UINT64_MAX >> 20)
		return wrong(t, "", "the sum of pages is too large");
	p->pages += t->pages;
	p->allocs++;
	p->ts_min = t->ts < p->ts_min ? t->ts : p->ts_min;
	p->ts_max = t->ts > p->ts_max ? t->ts : p->ts_max;
	note_place(t);
	t->scan->nrecords++;
	t->place = BETWEEN;
	t->stack_bytes = t->frames = 0;
	t->has_pages = false;
	return ST_OK;
}

static enum status add_frame(struct live_text *t, const char *line)
{
	size_t n = strlen(line + 1);

	if (t->frames == DEPOT_MAX_FRAMES || t->stack_bytes + n + 2 > sizeof(t->stack))
		return wrong(t, line, "a call stack is too long");
	memcpy(t->stack + t->stack_bytes, line + 1, n);
	t->stack_bytes += n;
	t->stack[t->stack_bytes++] = '\n';
	t->stack[t->stack_bytes] = '\0';
	t->frames++;
	t->place = IN_STACK;
	return ST_OK;
}

/* Lines behind the frames that no view has. */
static bool is_remark(const char *line)
{
	static const char *const remarks[] = {
		"Page has been migrated, last migrate reason: ", "Slab cache page", "Charged ",
		"handle: ", /* 7.3, in the print mode stack_handle */
	};

	return ANY_OF(i, ARRAY_SIZE(remarks), starts(line, remarks[i]));
}

/* A head, whole or up to a line feed in the name of the task. */
static enum status add_head(struct live_text *t, const char *line)
{
	size_t used = t->place == IN_HEAD ? strlen(t->head) : 0;
	size_t n = strlen(line);

	if (used + n + 2 > sizeof(t->head))
		return wrong(t, line, "the first line of a record is too long");
	if (used)
		t->head[used++] = '\n';
	memcpy(t->head + used, line, n + 1);
	if (parse_head(t, t->head)) {
		t->place = BEHIND_HEAD;
		return ST_OK;
	}
	if (!strstr(t->head, ", tgid ") || strstr(t->head, " ns"))
		return wrong(t, line, "no first line of a page_owner record");
	t->place = IN_HEAD;
	return ST_OK;
}

static enum status line_of_record(struct live_text *t, const char *line)
{
	if (t->place == BETWEEN && !*line)
		return ST_OK;
	if (t->place == BETWEEN || t->place == IN_HEAD)
		return add_head(t, line);
	if (t->place == BEHIND_HEAD) {
		t->place = IN_STACK;
		return parse_page(t, line) ? ST_OK
					   : wrong(t, line, "no line with the PFN of a record");
	}
	if (*line == ' ')
		return add_frame(t, line);
	if (*line)
		return is_remark(line) ? ST_OK : wrong(t, line, "no line of a page_owner record");
	if (!t->frames)
		return wrong(t, line, "the record has no call stack");
	return add_record(t);
}

static enum status line_of_stacks(struct live_text *t, const char *line)
{
	if (*line == ' ' && !t->has_pages)
		return add_frame(t, line);
	if (t->place == BETWEEN)
		return *line ? wrong(t, line, "no call stack of show_stacks") : ST_OK;
	if (!*line)
		return t->has_pages
			       ? add_record(t)
			       : wrong(t, line,
				       t->scan->nrecords
					       ? "no number of pages behind a call stack"
					       : "no number of pages behind a call stack" LIVE_TEXT_CUT_IN_FRONT);
	if (starts(line, "handle: ") && !t->has_pages)
		return ST_OK;
	if (t->has_pages || !take(&line, pages_start, UINT64_MAX >> 20, &t->pages) || *line)
		return wrong(t, line, "no line of show_stacks");
	t->has_pages = true;
	return ST_OK;
}

enum status live_text_line(struct live_text *t, unsigned long number, char *line)
{
	t->line = number;
	return t->scan->kind == SCAN_PAGE_OWNER ? line_of_record(t, line) : line_of_stacks(t, line);
}

void live_text_part(struct live_text *t, unsigned long number)
{
	t->line = number;
	t->is_cut = true;
}

/* All of show_stacks but the empty line that it ends with, which a copy of it may lack. */
static bool is_whole_stack(const struct live_text *t)
{
	return t->scan->kind == SCAN_SHOW_STACKS && t->has_pages && !t->is_cut;
}

enum status live_text_end(struct live_text *t)
{
	if (is_whole_stack(t))
		return add_record(t);
	if (t->place == BETWEEN && !t->is_cut)
		return ST_OK;
	t->scan->cut_line = t->line;
	if (t->scan->nrecords)
		return ST_OK;
	return dump_usage(
		t->v->dump,
		"the file '%s' ends inside of its first record, at line %lu: it is truncated",
		t->scan->path, t->line);
}
