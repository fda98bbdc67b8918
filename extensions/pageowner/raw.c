// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The kernel's own page_owner file, record by record, written with the very formats that this kernel
 * prints it with (read_page_owner() and print_page_owner() in mm/page_owner.c): they are in its
 * read-only data. A format with a value that we do not know is refused.
 */

#include "kernel/rodata.h"
#include "pages/page_flags.h"
#include "util/digits.h"
#include "view.h"

enum owner_text_part { TEXT_HEAD, TEXT_PAGE, TEXT_MIGRATED, TEXT_SLAB, TEXT_CHARGED, OWNER_TEXTS };

struct format_step;

/* Of as many stacks their text is kept, and of no longer ones: most records have a stack of one before. */
#define KEPT_STACKS 256
#define KEPT_BYTES 2048

struct kept_stack {
	const struct stack *stack; /* NULL: none yet */
	size_t n;
	char text[KEPT_BYTES];
};

struct owner_text {
	struct dump *dump;
	struct page_owner *owner;
	struct names *names;
	struct memcgs *memcgs; /* NULL: the kernel prints no cgroup */
	struct pageblocks blocks;
	struct pageflags flags;
	const struct format_step *formats[OWNER_TEXTS]; /* NULL: it is not printed */
	char *buf;					/* the record that was written last */
	size_t used, size;				/* size: of a page, as the kernel has it */
	bool overflow;
	bool named; /* the kernel knows names of functions */
	struct kept_stack *kept;
};

#define CGROUP_NAME 79 /* characters that the kernel's buffer has room for */

/* A record and the state of its page. */
struct subject {
	const struct owner_record *r;
	const struct page_info *page;
	unsigned int block_type;
	struct memcg_charge charge;
};

/* What a conversion prints; false: the kernel's table has no such name, the text is unknown. */
typedef bool put_value(struct owner_text *t, const struct subject *s);

/* Text, then a value, then the next step. */
struct format_step {
	const char *text;
	put_value *value; /* NULL: none */
	const struct format_step *next;
};

static bool put(struct owner_text *t, const char *text, size_t n)
{
	/* As snprintf(), which needs room for a zero byte. */
	t->overflow |= n >= t->size - t->used;
	if (n >= t->size - t->used)
		return true;
	/* cppcheck-suppress uninitvar ; it takes text as read before the argument n, which writes it */
	memcpy(t->buf + t->used, text, n);
	t->used += n;
	return true;
}

static bool put_text(struct owner_text *t, const char *text)
{
	return text && put(t, text, strlen(text));
}

static bool put_unsigned(struct owner_text *t, uint64_t v)
{
	char digits[DIGITS_BYTES];

	return put(t, digits, digits_decimal(digits, v));
}

static bool put_signed(struct owner_text *t, int64_t v)
{
	char digits[DIGITS_BYTES];

	return put(t, digits, digits_signed(digits, v));
}

static bool put_hex(struct owner_text *t, const char *before, uint64_t v)
{
	char digits[DIGITS_BYTES];

	return put_text(t, before) && put(t, digits, digits_hex(digits, v));
}

static bool put_names(struct owner_text *t, uint64_t flags)
{
	char text[PAGEFLAGS_TEXT];

	return put(t, text, pageflags_text(&t->flags, flags, text));
}

#define VALUE(NAME, PUT)                                                        \
	static bool NAME##_value(struct owner_text *t, const struct subject *s) \
	{                                                                       \
		return PUT;                                                     \
	}

VALUE(order, put_unsigned(t, s->r->page.order))
VALUE(gfp_mask, put_hex(t, "0x", s->r->gfp_mask))
VALUE(gfp, put_text(t, names_gfp(t->names, s->r->gfp_mask)))
VALUE(pid, put_signed(t, s->r->pid))
VALUE(tgid, put_signed(t, s->r->tgid))
VALUE(comm, put_text(t, s->r->raw_comm))
VALUE(ts, put_unsigned(t, s->r->page.ts_ns))
VALUE(free_ts, put_unsigned(t, s->r->free_ts_ns))
VALUE(pfn, put_unsigned(t, s->r->page.pfn))
VALUE(pfn_hex, put_hex(t, "", s->r->page.pfn))
VALUE(type, put_text(t, names_gfp_migratetype(t->names, s->r->gfp_mask)))
VALUE(block, put_unsigned(t, s->r->page.pfn >> t->blocks.order))
VALUE(block_type, put_text(t, names_migratetype(t->names, s->block_type)))
VALUE(flags_hex, put_hex(t, "0x", s->page->flags))
VALUE(flag_names, put_names(t, s->page->flags))
VALUE(flags,
      flags_hex_value(t, s) && put_text(t, "(") && flag_names_value(t, s) && put_text(t, ")"))
VALUE(reason, put_text(t, names_migrate_reason(t->names, s->r->last_migrate_reason)))
VALUE(by_object, put_text(t, s->charge.by_object ? "(via objcg) " : ""))
VALUE(offline, put_text(t, s->charge.online ? "" : "offline "))
VALUE(cgroup, put(t, s->charge.name, strnlen(s->charge.name, CGROUP_NAME)))

/* A conversion is recognized by the text around it. */
static const struct {
	const char *before, *conversion, *after;
	put_value *value;
	int member; /* of struct page_owner, or -1 */
} conversions[] = {
	{ "order ", "%u", "", order_value, OWNER_ORDER },
	{ "mask ", "%#x", "(", gfp_mask_value, OWNER_GFP },
	{ "(", "%pGg", ")", gfp_value, OWNER_GFP },
	{ ", pid ", "%d", "", pid_value, OWNER_PID },
	{ ", tgid ", "%d", "", tgid_value, OWNER_TGID },
	{ "(", "%s", ")", comm_value, OWNER_COMM },
	{ ", ts ", "%llu", " ns", ts_value, OWNER_TS },
	{ ", free_ts ", "%llu", " ns", free_ts_value, OWNER_FREE_TS },
	{ "PFN ", "%lu", " ", pfn_value, -1 },
	{ "PFN 0x", "%lx", " ", pfn_hex_value, -1 },
	{ " type ", "%s", " Block ", type_value, -1 },
	{ " Block ", "%lu", " ", block_value, -1 },
	{ " type ", "%s", " Flags ", block_type_value, -1 },
	{ " Flags ", "%#lx", "(", flags_hex_value, -1 },
	{ "(", "%pGp", ")", flag_names_value, -1 },
	{ " Flags ", "%pGp", "", flags_value, -1 },
	{ " reason: ", "%s", "\n", reason_value, OWNER_REASON },
	{ "Charged ", "%s", "to ", by_object_value, -1 },
	{ "to ", "%s", "memcg ", offline_value, -1 },
	{ "memcg ", "%s", "\n", cgroup_value, -1 },
};

#define NCONVERSIONS ARRAY_SIZE(conversions)

static const struct rodata_part parts[OWNER_TEXTS] = {
	[TEXT_HEAD] = { "Page ", "Page allocated via order " },
	[TEXT_PAGE] = { "PFN ", " type %s Block %lu type %s Flags " },
	[TEXT_MIGRATED] = { "Page ", "Page has been migrated, last migrate reason: " },
	[TEXT_SLAB] = { "Slab ", "Slab cache page\n" },
	[TEXT_CHARGED] = { "Charged ", "Charged %sto %smemcg " },
};

static bool starts(const char *s, const char *with)
{
	return !strncmp(s, with, strlen(with));
}

static bool ends(const char *s, const char *at, const char *with)
{
	size_t n = strlen(with);

	return (size_t)(at - s) >= n && !memcmp(at - n, with, n);
}

/* The conversion at a '%' of a format, or NCONVERSIONS. */
static size_t find_conversion(const struct page_owner *owner, const char *format, const char *at)
{
	size_t i;

	for (i = 0; i < NCONVERSIONS; i++) {
		const char *conversion = conversions[i].conversion;
		int member = conversions[i].member;

		if (starts(at, conversion) && ends(format, at, conversions[i].before) &&
		    starts(at + strlen(conversion), conversions[i].after) &&
		    (member < 0 || owner->f[member].present))
			break;
	}
	return i;
}

/* Splits format into steps, in place. */
static enum status compile(struct owner_text *t, const char *format, const struct format_step **ret)
{
	struct dump *d = t->dump;
	char *copy = dump_strdup(d, format);
	const char *at = format;

	*ret = NULL;
	decoder_trace(d, "decide page_owner prints %.*s", (int)strcspn(format, "\n"), format);
	for (;;) {
		const char *percent = strchr(at, '%');
		struct format_step *step = dump_alloc(d, sizeof(*step));
		size_t i = percent ? find_conversion(t->owner, format, percent) : 0;

		if (i == NCONVERSIONS)
			return dump_unknown(d, "page_owner prints %.*s", (int)strcspn(format, "\n"),
					    format);
		step->text = copy + (at - format);
		*ret = step;
		ret = &step->next;
		if (!percent)
			return ST_OK;
		copy[percent - format] = '\0';
		step->value = conversions[i].value;
		at = percent + strlen(conversions[i].conversion);
	}
}

static enum status open_formats(struct owner_text *t)
{
	const char *formats[OWNER_TEXTS];
	struct dump *d = t->dump;
	enum status st = rodata_find(d, parts, formats, OWNER_TEXTS);

	if (st == ST_ABSENT)
		return dump_unknown(d, "no symbol __start_rodata");
	for (unsigned int i = 0; st == ST_OK && i < OWNER_TEXTS; i++)
		if (formats[i])
			st = compile(t, formats[i], &t->formats[i]);
	for (unsigned int i = TEXT_HEAD; st == ST_OK && i <= TEXT_MIGRATED; i++)
		if (!formats[i])
			st = dump_unknown(d, "the kernel has no text \"%s\"", parts[i].part);
	if (st == ST_OK && formats[TEXT_CHARGED] && !t->memcgs)
		st = dump_unknown(d, "struct mem_cgroup");
	return st;
}

static enum status open_text(struct dump *d, struct page_owner *owner, const struct zones *zones,
			     struct names *names, struct memcgs *memcgs, struct owner_text *ret)
{
	struct owner_text t = { .dump = d, .owner = owner, .names = names, .memcgs = memcgs };
	enum status st = open_formats(&t);

	if (st == ST_OK && (!names->gfp.n || !names->nmigratetypes || !names->nmigrate_reasons))
		st = dump_unreadable(
			d, "the kernel's names of gfp flags or migrate types are not in this dump");
	st = st ?: pageflags_open(d, &t.flags) ?:
			pageblocks_open(d, &owner->ext.memmap, zones, &t.blocks);
	if (st == ST_OK) {
		/* Without CONFIG_KALLSYMS the kernel prints no names. */
		t.named = dump_has_symbol(d, "kallsyms_token_index");
		t.size = dump_page_size(d);
		t.buf = dump_alloc(d, t.size);
		t.kept = dump_alloc(d, KEPT_STACKS * sizeof(*t.kept));
		*ret = t;
	}
	return st;
}

static enum status put_format(struct owner_text *t, enum owner_text_part format,
			      const struct subject *s)
{
	bool known = true;

	for (const struct format_step *step = t->formats[format]; step && known;
	     step = step->next) {
		put_text(t, step->text);
		known = !step->value || step->value(t, s);
	}
	return known ? ST_OK : ST_CORRUPT;
}

/* "%pS", indented by one: a bare address where there is no name (lib/vsprintf.c). */
static void put_frames(struct owner_text *t, const struct stack *stack)
{
	for (unsigned int i = 0; i < stack->n; i++) {
		const struct frame *f = stack->frames[i];

		if (!f->symbol || !t->named) {
			put_hex(t, " 0x", f->addr);
			put_text(t, "\n");
			continue;
		}
		put_text(t, " ");
		put_text(t, f->symbol);
		put_hex(t, "+0x", f->offset);
		if (f->size)
			put_hex(t, "/0x", f->size);
		if (f->module) {
			put_text(t, " [");
			put_text(t, f->module);
			put_text(t, "]");
		}
		put_text(t, "\n");
	}
}

static void put_stack(struct owner_text *t, const struct stack *stack)
{
	struct kept_stack *k = &t->kept[(uintptr_t)stack / sizeof(*stack) % KEPT_STACKS];
	size_t start = t->used, n;

	if (k->stack == stack) {
		put(t, k->text, k->n);
		return;
	}
	put_frames(t, stack);
	n = t->used - start;
	if (t->overflow || n > sizeof(k->text))
		return;
	memcpy(k->text, t->buf + start, n);
	k->n = n;
	k->stack = stack;
}

/* In tail pages the member of the cgroup has another meaning. */
static enum status put_memcg(struct owner_text *t, struct subject *s)
{
	enum status st;

	if (!t->formats[TEXT_CHARGED] || s->page->head != s->r->page.pfn)
		return ST_OK;
	if (memcgs_is_vector(s->page->memcg))
		return put_format(t, TEXT_SLAB, s);
	st = memcgs_charge(t->memcgs, s->page->memcg, &s->charge);
	if (st == ST_ABSENT)
		return ST_OK;
	return st == ST_OK ? put_format(t, TEXT_CHARGED, s) : st;
}

/*
 * To t->buf. Anything but ST_OK: the kernel, or this dump, has no text of it.
 */
static enum status write_record(struct owner_text *t, const struct owner_record *r,
				const struct page_info *page, const struct stack *stack)
{
	struct subject s = { .r = r, .page = page };
	enum status st = pageblocks_type(&t->blocks, r->page.pfn, &s.block_type);

	t->used = 0;
	t->overflow = false;
	st = st ?: put_format(t, TEXT_HEAD, &s) ?: put_format(t, TEXT_PAGE, &s);
	if (st != ST_OK)
		return st;
	put_stack(t, stack);
	if (r->last_migrate_reason != t->owner->never_migrated)
		st = put_format(t, TEXT_MIGRATED, &s);
	st = st ?: put_memcg(t, &s);
	put_text(t, "\n");
	/* The kernel's read() fails too when a record is longer than a page. */
	return st == ST_OK && t->overflow ? ST_CORRUPT : st;
}

struct raw {
	struct owner_view *v;
	struct scan_stats cov;
	uint64_t shown;
	uint64_t untold; /* records whose text cannot be known */
	struct owner_select select;
};

static enum status open_view(void *arg, enum availability *why)
{
	struct owner_view *v = arg;
	struct dump *d = v->dump;
	struct owner_text *text = dump_alloc(d, sizeof(*text));
	enum status st = owner_view_open(v, why);

	if (st != ST_OK)
		return st;
	*why = UNKNOWN_LAYOUT;
	v->has_memcgs = memcgs_open(d, &v->memcgs) == ST_OK;
	st = page_types_open(d, &v->owner.ext.memmap, &v->states);
	v->has_states = st == ST_OK;
	if (st == ST_OK)
		st = open_text(d, &v->owner, &v->zones, &v->names,
			       v->has_memcgs ? &v->memcgs : NULL, text);
	if (st != ST_ABSENT)
		*why = availability_of(st);
	v->own = text;
	return st;
}

/*
 * Prints one record of an allocation, in pfn order.  ST_ABSENT: its page is free, or not all that
 * the kernel's file has of it is in this dump (counted in raw->untold); ST_STOPPED: the output is
 * closed.
 */
static enum status put_record(struct raw *raw, const struct owner_record *r, struct cached_stack *k)
{
	struct owner_view *v = raw->v;
	struct owner_text *text = v->own;
	const struct stack *stack = stack_cache_frames(&v->stacks, k);
	struct page_info page;
	enum status st = page_type_at(&v->states, r->page.pfn, &page);

	/* A page in the free lists of the allocator is free, even with a live record. */
	if (st == ST_OK && page.state == PAGE_TYPE_BUDDY)
		return ST_ABSENT;
	if (!stack)
		st = ST_CORRUPT;
	st = st ?: write_record(text, r, &page, stack);
	if (st != ST_OK) {
		raw->untold++;
		return ST_ABSENT;
	}
	sink_write(v->out, text->buf, text->used);
	return v->out->closed ? ST_STOPPED : ST_OK;
}

static enum status add_page(void *arg, const struct owner_page *p)
{
	struct raw *raw = arg;
	struct owner_view *v = raw->v;
	struct cached_stack *k;
	struct owner_record r;
	struct page_facts f;
	enum status st;

	/*
	 * Up to 5.3 the kernel does not look whether the page is a first one: others have no
	 * record.
	 */
	if (!p->head)
		return ST_OK;
	page_facts_init(v, p, &f);
	if (!owner_selects(&raw->select, &f))
		return ST_OK;
	k = stack_cache_get(&v->stacks, p->handle);
	page_owner_decode(&v->owner, p, &r);
	st = put_record(raw, &r, k);
	if (st == ST_ABSENT)
		return ST_OK;
	if (st == ST_OK && ++raw->shown == v->in->opts.rows && v->in->opts.has_rows)
		return ST_STOPPED;
	return st;
}

/* The output has the kernel's text alone: what it lacks is told beside it. */
static void remark(const struct raw *raw)
{
	struct dump *d = raw->v->dump;
	char n[UNITS_PLURAL];

	if (raw->untold)
		dump_remark(d, "left out: %s with a part that is not in this dump, or is corrupt",
			    units_plural(n, raw->untold, "record", "records"));
	if (raw->cov.undecodable)
		dump_remark(
			d, "left out: %s",
			units_plural(n, raw->cov.undecodable, "corrupt record", "corrupt records"));
	report_left_out(&raw->v->report, &raw->cov);
}

static enum status show(void *arg)
{
	struct owner_view *v = arg;
	struct raw raw = { .v = v };
	enum status st;

	owner_select_init(v, &raw.select);
	st = page_owner_scan(&v->owner, SCAN_LIVE, &raw.cov, add_page, &raw);
	if (st == ST_OK || st == ST_STOPPED)
		remark(&raw);
	return st == ST_STOPPED && !v->dump->interrupted ? ST_OK : st;
}

/* No columns: it prints the kernel's text and nothing else. */
const struct view owner_raw_view = {
	"raw", "-t raw", .columns = NULL, .bare = true, .open = open_view, .show = show,
};
