// SPDX-License-Identifier: GPL-2.0-or-later
/* Writes a scan into a file. */

#include "cli/textfile.h"
#include "view.h"

struct save {
	struct owner_view *v;
	struct owner_groups groups;
	uint64_t records;
};

/* Escapes a field of a line. */
static void put_escaped(struct sink *out, const char *text)
{
	for (; *text; text++) {
		unsigned char c = *text;

		if (c < 0x20 || c == '\\' || c == 0x7f)
			sink_printf(out, "\\x%02x", c);
		else
			sink_write(out, text, 1);
	}
}

static void put_number(struct sink *out, uint64_t word)
{
	if (word == VALUE_UNKNOWN)
		sink_text(out, "\t-");
	else
		sink_printf(out, "\t%lu", word);
}

static void put_head(struct save *s, struct sink *out)
{
	const struct scan_stats *c = &s->groups.cov;
	const struct report *r = &s->v->report;
	const char *release = kernel_release(s->v->dump);

	sink_printf(out, "crash-memowner scan 1\nkernel\t%s\npage_size\t%lu\n", release ?: "-",
		    dump_page_size(s->v->dump));
	if (r->info.has_panic_time)
		sink_printf(out, "panic_ns\t%lu%s%s%s\n", r->info.panic_ns,
			    r->info.end_note ? "\t" : "",
			    r->info.end_note ? r->info.panic_source : "",
			    r->info.may_have_panic ? "\tlost" : "");
	for (size_t i = 0; i < SCAN_STATS; i++)
		sink_printf(out, "coverage\t%s\t%lu\n", scan_stat_names[i].name, scan_stat(c, i));
	/* What shares are not of. */
	sink_printf(out, "coverage\tcapture\t%lu\ncoverage\toffline\t%lu\n",
		    s->v->owner.ram.capture, s->v->owner.ram.offline);
	if (!c->ram_name || !s->v->owner.ram.derived)
		return;
	sink_text(out, "derived\t");
	put_escaped(out, c->ram_name);
	sink_text(out, "\t");
	put_escaped(out, s->v->owner.ram.derived);
	sink_text(out, "\n");
}

/* Each stack and each gfp mask before the first record that has it. */
static void put_new(struct save *s, struct sink *out, const struct owner_group *g,
		    struct hash_u64 *gfps)
{
	struct owner_view *v = s->v;
	struct cached_stack *k = stack_cache_get(&v->stacks, g->keys[0]);
	const struct stack *stack = stack_cache_frames(&v->stacks, k);
	const char *gfp = names_gfp(&v->names, g->keys[2]);
	const char *label;
	char text[640];

	if (hash_u64_add(gfps, g->keys[2]) && gfp)
		sink_printf(out, "gfp\t0x%lx\t%s\n", g->keys[2], gfp);
	if (k->printed)
		return;
	k->printed = true;
	sink_printf(out, "stack\t0x%lx\t%u", g->keys[0], stack ? stack->cut : 0);
	for (unsigned int i = 0; stack && i < stack->n; i++) {
		sink_text(out, "\t");
		put_escaped(out, frame_text(stack->frames[i], text, sizeof(text)));
		label = frame_label_name(stack->frames[i]->label);
		if (label)
			sink_printf(out, " <%s>", label);
	}
	sink_text(out, "\n");
}

static void put_group(struct save *s, struct sink *out, const struct owner_group *g)
{
	bool has_time = s->v->owner.f[OWNER_TS].present && g->has_time;

	sink_printf(out, "pages\t0x%lx\t%lu\t0x%lx", g->keys[0], g->keys[1], g->keys[2]);
	put_number(out, g->keys[3]);
	sink_text(out, "\t");
	put_escaped(out, g->keys[4] == VALUE_UNKNOWN ? "-" : (const char *)(uintptr_t)g->keys[4]);
	put_number(out, g->pages);
	put_number(out, g->allocs);
	put_number(out, has_time ? g->ts_min : VALUE_UNKNOWN);
	put_number(out, has_time ? g->ts_max : VALUE_UNKNOWN);
	sink_text(out, "\n");
}

static enum status put_scan(void *arg, struct sink *out)
{
	struct save *s = arg;
	struct hash_u64 gfps;

	hash_u64_init(&gfps, s->v->dump->arena, 0);
	put_head(s, out);
	for (struct hash_bytes_entry *e = s->groups.groups.first; e; e = e->next) {
		put_new(s, out, e->value, &gfps);
		put_group(s, out, e->value);
		s->records++;
	}
	for (const struct dump_gap *gap = s->v->dump->gaps; gap; gap = gap->next) {
		sink_text(out, "lacks\t");
		put_escaped(out, gap->part);
		sink_text(out, "\t");
		put_escaped(out, gap->reason);
		sink_text(out, "\n");
	}
	sink_printf(out, "end\t%lu\n", s->records);
	return ST_OK;
}

static enum status show(void *arg)
{
	static const enum owner_key keys[] = { KEY_STACK, KEY_ORDER, KEY_GFP, KEY_TGID, KEY_COMM };
	struct owner_view *v = arg;
	struct save *s = dump_alloc(v->dump, sizeof(*s));
	enum status st;

	s->v = v;
	owner_groups_init(v, &s->groups);
	for (size_t i = 0; i < ARRAY_SIZE(keys); i++)
		s->groups.keys[s->groups.nkeys++] = keys[i];
	st = owner_groups_scan(&s->groups)
		     ?: textfile_write(v->dump, v->in->opts.save, put_scan, s);
	if (st != ST_OK)
		return st;
	sink_printf(v->out, "%s in %s saved to %s\n", COUNT_OF(s->groups.cov.live, "live page"),
		    COUNT_OF(s->records, "record"), v->in->opts.save);
	owner_view_end(v, &s->groups.cov, NULL);
	return ST_OK;
}

const struct view owner_save_view = { "save", "-w FILE", .columns = NULL, .show = show };
