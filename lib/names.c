// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdio.h>
#include <string.h>

#include "bytes.h"
#include "layout.h"
#include "names.h"

#define MAX_NAME 64
#define MAX_TEXT 512

/* __GFP_MOVABLE and __GFP_RECLAIMABLE are the migrate type (include/linux/gfp.h, all releases). */
#define GFP_MOVABLE_MASK 0x18
#define GFP_MOVABLE_SHIFT 3

static const char *name_at(struct dump *d, uint64_t addr)
{
	char buf[MAX_NAME];

	if (dump_string(d, addr, buf, sizeof(buf), "a name") != DUMP_OK)
		return NULL;
	return arena_strdup(d->arena, buf);
}

/* gfpflag_names: struct trace_print_flags until a name is NULL (mm/debug.c). */
static void open_gfp(struct names *n)
{
	static const struct layout_row rows[] = {
		{ "struct trace_print_flags", { "mask" }, REQUIRED, "all" },
		{ "struct trace_print_flags", { "name" }, REQUIRED, "all" },
	};
	struct dump *d = n->dump;
	struct field f[2];
	uint64_t addr, size;
	uint8_t raw[32];

	if (layout_resolve(d, rows, 2, f) != DUMP_OK ||
	    d->ops->type_size(d->priv, "struct trace_print_flags", &size) != DUMP_OK ||
	    size > sizeof(raw) || layout_span(f, 2) > size ||
	    dump_symbol(d, "gfpflag_names", &addr) != DUMP_OK) {
		dump_note(d, "decide no names of gfp flags: %s", d->error);
		return;
	}
	for (; n->ngfp < NAMES_FLAGS; n->ngfp++, addr += size) {
		struct flag_name *flag = &n->gfp[n->ngfp];

		if (dump_read(d, addr, raw, size, "gfpflag_names") != DUMP_OK ||
		    !field_get(&f[1], raw))
			return;
		flag->mask = field_get(&f[0], raw);
		flag->name = name_at(d, field_get(&f[1], raw));
		if (!flag->name)
			return;
	}
}

/* An array of pointers to names; returns how many there are. */
static unsigned int open_array(struct dump *d, const char *variable, const char **names)
{
	uint8_t raw[NAMES_TYPES * 8];
	struct field var;
	uint64_t addr;

	if (dump_symbol(d, variable, &addr) != DUMP_OK ||
	    d->ops->variable(d->priv, variable, &var) != DUMP_OK || var.kind != KIND_ARRAY ||
	    var.size > sizeof(raw) || dump_read(d, addr, raw, var.size, variable) != DUMP_OK) {
		dump_note(d, "decide no %s: %s", variable, d->error);
		return 0;
	}
	for (unsigned int i = 0; i < var.size / 8; i++)
		names[i] = name_at(d, le64(raw + i * 8));
	return var.size / 8;
}

void names_open(struct dump *d, struct names *ret)
{
	uint64_t disabled;

	memset(ret, 0, sizeof(*ret));
	ret->dump = d;
	map_init(&ret->gfp_texts, d->arena, sizeof(const char *));
	open_gfp(ret);
	if (dump_has_symbol(d, "page_group_by_mobility_disabled") &&
	    dump_value(d, "page_group_by_mobility_disabled", &disabled) == DUMP_OK)
		ret->no_mobility = disabled;
	ret->nmigratetypes = open_array(d, "migratetype_names", ret->migratetypes);
	ret->nmigrate_reasons = open_array(d, "migrate_reason_names", ret->migrate_reasons);
}

static const char *gfp_text(struct names *n, uint64_t mask)
{
	char buf[MAX_TEXT];
	size_t at = 0;

	buf[0] = '\0';
	/* Greedy, and compound names come first: format_flags() in lib/vsprintf.c. */
	for (unsigned int i = 0; mask && i < n->ngfp; i++) {
		if ((mask & n->gfp[i].mask) != n->gfp[i].mask)
			continue;
		mask &= ~n->gfp[i].mask;
		if (at < sizeof(buf))
			at += snprintf(buf + at, sizeof(buf) - at, "%s%s", at ? "|" : "",
				       n->gfp[i].name);
	}
	if (mask && at < sizeof(buf))
		snprintf(buf + at, sizeof(buf) - at, "%s0x%llx", at ? "|" : "",
			 (unsigned long long)mask);
	return arena_strdup(n->dump->arena, buf);
}

const char *names_gfp(struct names *n, uint32_t mask)
{
	const char **text;
	bool is_new;

	if (!n->ngfp)
		return NULL;
	text = map_get(&n->gfp_texts, mask, &is_new);
	if (!text)
		return NULL;
	if (is_new)
		*text = gfp_text(n, mask);
	return *text;
}

const char *names_gfp_migratetype(const struct names *n, uint32_t mask)
{
	unsigned int type = n->no_mobility ? 0 : (mask & GFP_MOVABLE_MASK) >> GFP_MOVABLE_SHIFT;

	return type < n->nmigratetypes ? n->migratetypes[type] : NULL;
}

const char *names_migrate_reason(const struct names *n, int reason)
{
	return reason >= 0 && (unsigned int)reason < n->nmigrate_reasons
		       ? n->migrate_reasons[reason]
		       : NULL;
}
