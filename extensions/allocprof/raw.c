// SPDX-License-Identifier: GPL-2.0-or-later
/* The kernel's own /proc/allocinfo: alloc_tag_to_text() in lib/alloc_tag.c, mm/ from 7.3. */
#include "kernel/rodata.h"
#include "sites.h"

#define LINE 1024

/* No columns: it prints the kernel's text and nothing else. */
const struct view site_raw_view = { "raw", "-t raw", .columns = NULL, .bare = true };

/* The kernel's format strings, in its read-only data. */
enum { VERSION, HEADER, NUMBERS, MARK, PARTS };

/* Kernels with the flag print this mark. */
static const struct rodata_part parts[PARTS] = {
	[VERSION] = { "allocinfo - version: ", "allocinfo - version: " },
	[HEADER] = { "#     <size>", "#     <size>  <calls> <tag info>" },
	[NUMBERS] = { "%12lli", "%12lli %8llu " },
	[MARK] = { " accurate:no", " accurate:no" },
};

static enum status find_text(struct dump *d, bool has_mark, const char **text)
{
	enum status st = rodata_find(d, parts, text, has_mark ? PARTS : MARK);

	if (st != ST_OK)
		return st;
	for (unsigned int i = 0; i < (has_mark ? PARTS : MARK); i++)
		if (!text[i])
			return dump_unknown(d,
					    "this kernel has no text '%s' of "
					    "/proc/allocinfo",
					    parts[i].part);
	if (!has_mark)
		text[MARK] = "";
	return ST_OK;
}

/* False: a line that is longer than any that the kernel prints. */
static bool put_site(struct site_view *v, const struct site *s, bool is_module, const char *mark)
{
	struct strbuf b = STRBUF_OF(LINE);

	strbuf_add(&b, "%12li %8lu %s:%u", s->bytes, s->calls, s->file, s->line);
	if (is_module)
		strbuf_add(&b, " [%s]", s->module);
	strbuf_add(&b, " func:%s%s \n", s->function, s->flags & SITE_INACCURATE ? mark : "");
	if (!b.cut)
		sink_write(v->out, b.buf, b.len);
	return !b.cut;
}

enum status site_raw(struct site_view *v)
{
	const struct opts *o = &v->in->opts;
	const char *text[PARTS];
	uint64_t shown = 0, untold = 0;
	char n[UNITS_PLURAL];
	enum status st = find_text(v->dump, codetags_have_flag(v->dump, &v->tags), text);

	if (st != ST_OK) {
		report_no_data(&v->report, availability_of(st));
		return ST_OK;
	}
	sink_printf(v->out, "%s%s", text[VERSION], text[HEADER]);
	for (size_t i = 0; i < v->tags.n && !v->out->closed; i++) {
		const struct site *s = &v->tags.sites[i];

		/* The kernel does not list sites of unloaded modules. */
		if (!s->loaded)
			continue;
		/* A site that is not in this dump has no text. */
		if (!s->readable || !s->file || !s->function || !s->module) {
			untold++;
			continue;
		}
		if (!site_view_keeps(v, s))
			continue;
		if (!put_site(v, s, s->in_module, text[MARK])) {
			untold++;
			continue;
		}
		if (++shown == o->rows && o->has_rows)
			break;
	}
	if (untold)
		dump_remark(v->dump, "left out: %s with a part that is not in this dump",
			    units_plural(n, untold, "site", "sites"));
	if (v->tags.problem)
		dump_remark(v->dump, "some alloc tags may be missing: %s", v->tags.problem);
	report_left_out(&v->report, NULL);
	return v->dump->interrupted ? ST_STOPPED : ST_OK;
}
