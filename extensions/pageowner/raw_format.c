// SPDX-License-Identifier: GPL-2.0-or-later
#include "raw_format.h"

#include <string.h>

#include "kernel/rodata.h"
#include "util/digits.h"

#define CGROUP_NAME 79 /* characters that the kernel's buffer has room for */

/* What a conversion prints. */
enum value {
	VALUE_TEXT, /* no value: only the text of the step */
	VALUE_ORDER,
	VALUE_GFP_MASK,
	VALUE_GFP,
	VALUE_PID,
	VALUE_TGID,
	VALUE_COMM,
	VALUE_TS,
	VALUE_FREE_TS,
	VALUE_PFN,
	VALUE_PFN_HEX,
	VALUE_TYPE,
	VALUE_BLOCK,
	VALUE_BLOCK_TYPE,
	VALUE_FLAGS_HEX,
	VALUE_FLAG_NAMES,
	VALUE_FLAGS,
	VALUE_REASON,
	VALUE_BY_OBJECT,
	VALUE_OFFLINE,
	VALUE_CGROUP,
};

/* Text, then a value, then the next step. */
struct format_step {
	const char *text;
	enum value value;
	const struct format_step *next;
};

/* A conversion is recognized by the text around it. */
static const struct {
	const char *before, *conversion, *after;
	enum value value;
	int member; /* of struct page_owner, or -1 */
} conversions[] = {
	{ "order ", "%u", "", VALUE_ORDER, OWNER_ORDER },
	{ "mask ", "%#x", "(", VALUE_GFP_MASK, OWNER_GFP },
	{ "(", "%pGg", ")", VALUE_GFP, OWNER_GFP },
	{ ", pid ", "%d", "", VALUE_PID, OWNER_PID },
	{ ", tgid ", "%d", "", VALUE_TGID, OWNER_TGID },
	{ "(", "%s", ")", VALUE_COMM, OWNER_COMM },
	{ ", ts ", "%llu", " ns", VALUE_TS, OWNER_TS },
	{ ", free_ts ", "%llu", " ns", VALUE_FREE_TS, OWNER_FREE_TS },
	{ "PFN ", "%lu", " ", VALUE_PFN, -1 },
	{ "PFN 0x", "%lx", " ", VALUE_PFN_HEX, -1 },
	{ " type ", "%s", " Block ", VALUE_TYPE, -1 },
	{ " Block ", "%lu", " ", VALUE_BLOCK, -1 },
	{ " type ", "%s", " Flags ", VALUE_BLOCK_TYPE, -1 },
	{ " Flags ", "%#lx", "(", VALUE_FLAGS_HEX, -1 },
	{ "(", "%pGp", ")", VALUE_FLAG_NAMES, -1 },
	{ " Flags ", "%pGp", "", VALUE_FLAGS, -1 },
	{ " reason: ", "%s", "\n", VALUE_REASON, OWNER_REASON },
	{ "Charged ", "%s", "to ", VALUE_BY_OBJECT, -1 },
	{ "to ", "%s", "memcg ", VALUE_OFFLINE, -1 },
	{ "memcg ", "%s", "\n", VALUE_CGROUP, -1 },
};

#define NCONVERSIONS (sizeof(conversions) / sizeof(conversions[0]))

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
	char *copy = arena_strdup(d->arena, format);
	const char *at = format;

	*ret = NULL;
	decoder_trace(d, "decide page_owner prints %.*s", (int)strcspn(format, "\n"), format);
	while (copy) {
		const char *percent = strchr(at, '%');
		struct format_step *step = dump_alloc(d, sizeof(*step));
		size_t i = percent ? find_conversion(t->owner, format, percent) : 0;

		if (!step)
			return ST_NOMEM;
		if (i == NCONVERSIONS)
			return dump_fail(d, ST_UNKNOWN, "unknown layout: page_owner prints %.*s",
					 (int)strcspn(format, "\n"), format);
		step->text = copy + (at - format);
		*ret = step;
		ret = &step->next;
		if (!percent)
			return ST_OK;
		copy[percent - format] = '\0';
		step->value = conversions[i].value;
		at = percent + strlen(conversions[i].conversion);
	}
	return dump_no_memory(d);
}

static enum status open_formats(struct owner_text *t)
{
	const char *formats[OWNER_TEXTS];
	struct dump *d = t->dump;
	enum status st = rodata_find(d, parts, formats, OWNER_TEXTS);

	if (st == ST_ABSENT)
		return dump_fail(d, ST_UNKNOWN, "unknown layout: no symbol __start_rodata");
	for (unsigned int i = 0; st == ST_OK && i < OWNER_TEXTS; i++)
		if (formats[i])
			st = compile(t, formats[i], &t->formats[i]);
	for (unsigned int i = TEXT_HEAD; st == ST_OK && i <= TEXT_MIGRATED; i++)
		if (!formats[i])
			st = dump_fail(d, ST_UNKNOWN,
				       "unknown layout: the kernel has no text \"%s\"",
				       parts[i].part);
	if (st == ST_OK && formats[TEXT_CHARGED] && !t->memcgs)
		st = dump_fail(d, ST_UNKNOWN, "unknown layout: struct mem_cgroup");
	return st;
}

enum status owner_text_open(struct dump *d, struct page_owner *owner, const struct zones *zones,
			    struct names *names, struct memcgs *memcgs, struct owner_text *ret)
{
	struct owner_text t = { .dump = d, .owner = owner, .names = names, .memcgs = memcgs };
	enum status st = open_formats(&t);

	if (st == ST_OK && (!names->gfp.n || !names->nmigratetypes || !names->nmigrate_reasons))
		st = dump_fail(
			d, ST_UNREADABLE,
			"the kernel's names of gfp flags or migrate types are not in this dump");
	if (st == ST_OK)
		st = pageflags_open(d, &t.flags);
	if (st == ST_OK)
		st = pageblocks_open(d, &owner->ext.memmap, zones, &t.blocks);
	if (st == ST_OK) {
		/* Without CONFIG_KALLSYMS the kernel prints no names. */
		t.named = dump_has_symbol(d, "kallsyms_token_index");
		t.size = dump_page_size(d);
		t.buf = dump_alloc(d, t.size);
		st = t.buf ? ST_OK : ST_NOMEM;
	}
	if (st == ST_OK)
		*ret = t;
	return st;
}

static void put(struct owner_text *t, const char *text, size_t n)
{
	/* As snprintf(), which needs room for a zero byte. */
	if (n >= t->size - t->used) {
		t->overflow = true;
		return;
	}
	memcpy(t->buf + t->used, text, n);
	t->used += n;
}

static void put_text(struct owner_text *t, const char *text)
{
	put(t, text, strlen(text));
}

static void put_unsigned(struct owner_text *t, uint64_t v)
{
	char digits[DIGITS_BYTES];

	put(t, digits, digits_decimal(digits, v));
}

static void put_signed(struct owner_text *t, int64_t v)
{
	char digits[DIGITS_BYTES];

	put(t, digits, digits_signed(digits, v));
}

static void put_hex(struct owner_text *t, const char *before, uint64_t v)
{
	char digits[DIGITS_BYTES];

	put_text(t, before);
	put(t, digits, digits_hex(digits, v));
}

/* A record and the state of its page. */
struct subject {
	const struct owner_record *r;
	const struct page_info *page;
	unsigned int block_type;
	struct memcg_charge charge;
};

/* The kernel's table has no such name: the text that it printed is unknown. */
static const char *name(enum status *st, const char *text)
{
	if (!text)
		*st = ST_CORRUPT;
	return text ? text : "";
}

static void put_names_of_flags(struct owner_text *t, uint64_t flags)
{
	char text[PAGEFLAGS_TEXT];

	put(t, text, pageflags_text(&t->flags, flags, text));
}

static enum status put_value(struct owner_text *t, enum value value, const struct subject *s)
{
	const struct owner_record *r = s->r;
	unsigned long long flags = s->page->flags, pfn = r->page.pfn;
	enum status st = ST_OK;

	switch (value) {
	case VALUE_TEXT:
		break;
	case VALUE_ORDER:
		put_unsigned(t, r->page.order);
		break;
	case VALUE_GFP_MASK:
		put_hex(t, "0x", r->gfp_mask);
		break;
	case VALUE_GFP:
		put_text(t, name(&st, names_gfp(t->names, r->gfp_mask)));
		break;
	case VALUE_PID:
		put_signed(t, r->pid);
		break;
	case VALUE_TGID:
		put_signed(t, r->tgid);
		break;
	case VALUE_COMM:
		put_text(t, r->raw_comm);
		break;
	case VALUE_TS:
		put_unsigned(t, r->page.ts_ns);
		break;
	case VALUE_FREE_TS:
		put_unsigned(t, r->free_ts_ns);
		break;
	case VALUE_PFN:
		put_unsigned(t, pfn);
		break;
	case VALUE_PFN_HEX:
		put_hex(t, "", pfn);
		break;
	case VALUE_TYPE:
		put_text(t, name(&st, names_gfp_migratetype(t->names, r->gfp_mask)));
		break;
	case VALUE_BLOCK:
		put_unsigned(t, pfn >> t->blocks.order);
		break;
	case VALUE_BLOCK_TYPE:
		put_text(t, name(&st, names_migratetype(t->names, s->block_type)));
		break;
	case VALUE_FLAGS_HEX:
		put_hex(t, "0x", flags);
		break;
	case VALUE_FLAG_NAMES:
		put_names_of_flags(t, flags);
		break;
	case VALUE_FLAGS:
		put_hex(t, "0x", flags);
		put_text(t, "(");
		put_names_of_flags(t, flags);
		put_text(t, ")");
		break;
	case VALUE_REASON:
		put_text(t, name(&st, names_migrate_reason(t->names, r->last_migrate_reason)));
		break;
	case VALUE_BY_OBJECT:
		put_text(t, s->charge.by_object ? "(via objcg) " : "");
		break;
	case VALUE_OFFLINE:
		put_text(t, s->charge.online ? "" : "offline ");
		break;
	case VALUE_CGROUP:
		put(t, s->charge.name, strnlen(s->charge.name, CGROUP_NAME));
		break;
	}
	return st;
}

static enum status put_format(struct owner_text *t, enum owner_text_part format,
			      const struct subject *s)
{
	enum status st = ST_OK;

	for (const struct format_step *step = t->formats[format]; step && st == ST_OK;
	     step = step->next) {
		put_text(t, step->text);
		st = put_value(t, step->value, s);
	}
	return st;
}

/* "%pS", indented by one: a bare address where there is no name (lib/vsprintf.c). */
static void put_stack(struct owner_text *t, const struct stack *stack)
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

enum status owner_text_write(struct owner_text *t, const struct owner_record *r,
			     const struct page_info *page, const struct stack *stack)
{
	struct subject s = { .r = r, .page = page };
	enum status st = pageblocks_type(&t->blocks, r->page.pfn, &s.block_type);

	t->used = 0;
	t->overflow = false;
	if (st == ST_OK)
		st = put_format(t, TEXT_HEAD, &s);
	if (st == ST_OK)
		st = put_format(t, TEXT_PAGE, &s);
	if (st != ST_OK)
		return st;
	put_stack(t, stack);
	if (r->last_migrate_reason != t->owner->never_migrated)
		st = put_format(t, TEXT_MIGRATED, &s);
	if (st == ST_OK)
		st = put_memcg(t, &s);
	put_text(t, "\n");
	/* The kernel's read() fails too when a record is longer than a page. */
	return st == ST_OK && t->overflow ? ST_CORRUPT : st;
}
