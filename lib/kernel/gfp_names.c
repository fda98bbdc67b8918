// SPDX-License-Identifier: GPL-2.0-or-later
#include "kernel/gfp_names.h"

#define MAX_NAME 64 /* of a mask or a type; the longest has some 20 */

static const char *name_at(struct dump *d, uint64_t addr)
{
	char buf[MAX_NAME];

	if (dump_string(d, addr, buf, sizeof(buf), "a name") != ST_OK)
		return NULL;
	return arena_strdup(d->arena, buf);
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

	memset(ret, 0, sizeof(*ret));
	ret->dump = d;
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
		*text = arena_strdup(n->dump->arena, buf);
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
