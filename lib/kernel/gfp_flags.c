// SPDX-License-Identifier: GPL-2.0-or-later
#include "kernel/gfp_flags.h"

/* The table has two flags by their other names. */
static const struct {
	const char *name, *also, *bit;
} flags[GFP_FLAGS] = {
	[GFP_BIT_DMA] = { "__GFP_DMA", "GFP_DMA", "___GFP_DMA_BIT" },
	[GFP_BIT_HIGHMEM] = { "__GFP_HIGHMEM", NULL, "___GFP_HIGHMEM_BIT" },
	[GFP_BIT_DMA32] = { "__GFP_DMA32", "GFP_DMA32", "___GFP_DMA32_BIT" },
	[GFP_BIT_MOVABLE] = { "__GFP_MOVABLE", NULL, "___GFP_MOVABLE_BIT" },
	[GFP_BIT_RECLAIMABLE] = { "__GFP_RECLAIMABLE", NULL, "___GFP_RECLAIMABLE_BIT" },
	[GFP_BIT_HIGH] = { "__GFP_HIGH", NULL, "___GFP_HIGH_BIT" },
	[GFP_BIT_IO] = { "__GFP_IO", NULL, "___GFP_IO_BIT" },
	[GFP_BIT_FS] = { "__GFP_FS", NULL, "___GFP_FS_BIT" },
	[GFP_BIT_DIRECT_RECLAIM] = { "__GFP_DIRECT_RECLAIM", NULL, "___GFP_DIRECT_RECLAIM_BIT" },
	[GFP_BIT_KSWAPD_RECLAIM] = { "__GFP_KSWAPD_RECLAIM", NULL, "___GFP_KSWAPD_RECLAIM_BIT" },
	[GFP_BIT_MEMALLOC] = { "__GFP_MEMALLOC", NULL, "___GFP_MEMALLOC_BIT" },
	[GFP_BIT_NOMEMALLOC] = { "__GFP_NOMEMALLOC", NULL, "___GFP_NOMEMALLOC_BIT" },
	[GFP_BIT_HARDWALL] = { "__GFP_HARDWALL", NULL, "___GFP_HARDWALL_BIT" },
	[GFP_BIT_THISNODE] = { "__GFP_THISNODE", NULL, "___GFP_THISNODE_BIT" },
	[GFP_BIT_ATOMIC] = { "__GFP_ATOMIC", NULL, NULL },
};

/* A flag is one bit of gfp_t; names of several, such as GFP_KERNEL, are none. */
static bool is_flag(uint64_t mask)
{
	return mask && mask <= UINT32_MAX && !(mask & (mask - 1));
}

static uint32_t by_name(const struct flag_names *names, enum gfp_flag flag)
{
	for (unsigned int i = 0; i < names->n; i++) {
		const char *name = names->flags[i].name;

		if (is_flag(names->flags[i].mask) &&
		    (!strcmp(name, flags[flag].name) ||
		     (flags[flag].also && !strcmp(name, flags[flag].also))))
			return names->flags[i].mask;
	}
	return 0;
}

static uint32_t by_enumerator(struct dump *d, enum gfp_flag flag)
{
	return flags[flag].bit ? (uint32_t)dump_enumerator_bit(d, flags[flag].bit) : 0;
}

void gfp_flags_open(struct dump *d, const struct flag_names *names, struct gfp_flags *ret)
{
	struct gfp_flags g = { 0 };
	uint32_t doubted = 0;

	for (unsigned int i = 0; i < names->n; i++)
		if (is_flag(names->flags[i].mask))
			g.named |= names->flags[i].mask;
	for (enum gfp_flag i = 0; i < GFP_FLAGS; i++) {
		uint32_t named = by_name(names, i), counted = by_enumerator(d, i);

		/* Two witnesses that do not agree are none. */
		if (!named || !counted || named == counted)
			g.bit[i] = named | counted;
		else
			doubted |= named | counted;
		g.named |= g.bit[i];
		decoder_trace(d, "decide bit of %s as %#x", flags[i].name, g.bit[i]);
	}
	g.named &= ~doubted;
	*ret = g;
}

enum gfp_state gfp_state(const struct gfp_flags *g, uint32_t mask, enum gfp_flag flag)
{
	if (g->bit[flag])
		return mask & g->bit[flag] ? GFP_SET : GFP_CLEAR;
	return mask & ~g->named ? GFP_UNKNOWN : GFP_CLEAR;
}

const char *gfp_flag_name(enum gfp_flag flag)
{
	return flags[flag].name;
}

uint32_t gfp_kernel(const struct gfp_flags *g)
{
	static const enum gfp_flag parts[] = { GFP_BIT_DIRECT_RECLAIM, GFP_BIT_KSWAPD_RECLAIM,
					       GFP_BIT_IO, GFP_BIT_FS };
	uint32_t mask = 0;

	for (size_t i = 0; i < ARRAY_SIZE(parts); i++) {
		if (!g->bit[parts[i]])
			return 0;
		mask |= g->bit[parts[i]];
	}
	return mask;
}

#define MAX_NAME 64 /* of a mask or a type; the longest has some 20 */

static const char *name_at(struct dump *d, uint64_t addr)
{
	char buf[MAX_NAME];

	if (dump_string(d, addr, buf, sizeof(buf), "a name") != ST_OK)
		return NULL;
	return dump_strdup(d, buf);
}

/* An array of pointers to names; returns how many there are. */
static unsigned int open_array(struct dump *d, const char *variable, const char **names)
{
	uint8_t raw[NAMES_TYPES * 8];
	struct field var;
	uint64_t addr;

	if (dump_symbol(d, variable, &addr) != ST_OK ||
	    dump_ask(d, variable, variable, &var) != ST_OK || var.kind != KIND_ARRAY ||
	    var.size > sizeof(raw) || dump_read(d, addr, raw, var.size, variable) != ST_OK) {
		decoder_trace(d, "decide no %s: %s", variable, d->error);
		return 0;
	}
	for (unsigned int i = 0; i < var.size / 8; i++)
		names[i] = name_at(d, le64(raw + i * 8));
	return var.size / 8;
}

void names_open(struct dump *d, struct names *ret)
{
	uint64_t disabled;

	*ret = (struct names){ .dump = d };
	hash_u64_init(&ret->gfp_texts, d->arena, sizeof(const char *));
	if (flag_names_open(d, "gfpflag_names", &ret->gfp) != ST_OK)
		decoder_trace(d, "decide no names of gfp flags: %s", d->error);
	gfp_flags_open(d, &ret->gfp, &ret->flags);
	if (dump_has_symbol(d, "page_group_by_mobility_disabled") &&
	    dump_value(d, "page_group_by_mobility_disabled", &disabled) == ST_OK)
		ret->no_mobility = disabled;
	ret->nmigratetypes = open_array(d, "migratetype_names", ret->migratetypes);
	ret->nmigrate_reasons = open_array(d, "migrate_reason_names", ret->migrate_reasons);
}

const char *names_gfp(struct names *n, uint32_t mask)
{
	char buf[FLAG_TEXT];
	const char **text;
	bool is_new;

	if (!n->gfp.n) {
		dump_lacks(n->dump, "names of gfp flags", ST_UNKNOWN,
			   "the kernel's table gfpflag_names was not found");
		return NULL;
	}
	text = hash_u64_get(&n->gfp_texts, mask, &is_new);
	if (is_new) {
		flag_names_text(&n->gfp, mask, buf, sizeof(buf));
		*text = dump_strdup(n->dump, buf);
	}
	return *text;
}

const char *names_gfp_word(struct names *n, uint32_t mask)
{
	const char *text = names_gfp(n, mask);

	return text && !*text ? "0" : text;
}

/* gfp_migratetype() in include/linux/gfp.h, all releases. */
bool names_gfp_type(const struct names *n, uint32_t mask, unsigned int *ret)
{
	enum gfp_state movable = gfp_state(&n->flags, mask, GFP_BIT_MOVABLE);
	enum gfp_state reclaimable = gfp_state(&n->flags, mask, GFP_BIT_RECLAIMABLE);

	if (!n->no_mobility && (movable == GFP_UNKNOWN || reclaimable == GFP_UNKNOWN))
		return false;
	*ret = n->no_mobility ? 0 : (movable == GFP_SET) + 2 * (reclaimable == GFP_SET);
	return true;
}

const char *names_gfp_migratetype(const struct names *n, uint32_t mask)
{
	unsigned int type;

	return names_gfp_type(n, mask, &type) ? names_migratetype(n, type) : NULL;
}

const char *names_migratetype(const struct names *n, unsigned int type)
{
	if (!n->nmigratetypes)
		dump_lacks(n->dump, "names of migrate types", ST_UNKNOWN,
			   "the kernel's table migratetype_names was not found");
	return type < n->nmigratetypes ? n->migratetypes[type] : NULL;
}

const char *names_migrate_reason(const struct names *n, int reason)
{
	if (!n->nmigrate_reasons)
		dump_lacks(n->dump, "names of reasons of migration", ST_UNKNOWN,
			   "the kernel's table migrate_reason_names was not found");
	return reason >= 0 && (unsigned int)reason < n->nmigrate_reasons
		       ? n->migrate_reasons[reason]
		       : NULL;
}
