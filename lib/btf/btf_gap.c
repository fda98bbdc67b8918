// SPDX-License-Identifier: GPL-2.0-or-later
#include "btf/btf_gap.h"

#define LEAST 12 /* bytes of a type */
#define BACK 4 /* types before the one that does not fit: the length of one may be what is wrong */
#define IN_STEP 32 /* types behind which a walk that began within one goes from one to the next */
#define SEARCHED 65536 /* bytes in which such a walk is looked for */
#define WITNESSES 64   /* functions whose prototypes tell */
#define ASKED 4096     /* of these at most */

struct bridge {
	const struct btf *b;
	uint32_t first;	      /* of the types that are lost, counted from 0 */
	uint32_t from, to;    /* where these are, and the next ones */
	const uint32_t *tail; /* where each of the next ones is */
	uint32_t ntail;
	uint32_t *targets; /* of functions, counted from first on */
	uint32_t ntargets;
};

static uint32_t word(const struct btf *b, uint32_t at)
{
	const uint32_t v = le32(b->types + at);

	return b->big_endian ? __builtin_bswap32(v) : v;
}

/* Bytes behind the first twelve, of each element and of the type itself. */
static const struct {
	uint8_t each, fixed;
} tails[BTF_KINDS] = {
	[BTF_INT] = { .fixed = 4 },	 [BTF_ARRAY] = { .fixed = 12 },
	[BTF_STRUCT] = { .each = 12 },	 [BTF_UNION] = { .each = 12 },
	[BTF_ENUM] = { .each = 8 },	 [BTF_FUNC_PROTO] = { .each = 8 },
	[BTF_VAR] = { .fixed = 4 },	 [BTF_DATASEC] = { .each = 12 },
	[BTF_DECL_TAG] = { .fixed = 4 }, [BTF_ENUM64] = { .each = 12 },
};

uint32_t btf_length(const struct btf *b, uint32_t at)
{
	uint32_t info, kind;
	uint64_t bytes;

	if (b->type_bytes - at < LEAST)
		return 0;
	info = word(b, at + 4);
	kind = info >> 24 & 0x1f;
	if (!kind || kind >= BTF_KINDS)
		return 0;
	bytes = LEAST + tails[kind].fixed + (uint64_t)(info & 0xffff) * tails[kind].each;
	return bytes <= b->type_bytes - at ? bytes : 0;
}

static unsigned int kind_at(const struct btf *b, uint32_t at)
{
	return word(b, at + 4) >> 24 & 0x1f;
}

/* How many types are from there to the end, or to *misfit (0: all fit); put into ret unless that is NULL. */
static uint32_t walk(const struct btf *b, uint32_t at, uint32_t *ret, uint32_t *misfit)
{
	uint32_t n = 0, len;

	*misfit = 0;
	for (; at < b->type_bytes; at += len, n++) {
		len = btf_length(b, at);
		if (!len) {
			*misfit = at;
			break;
		}
		if (ret)
			ret[n] = at;
	}
	return n;
}

/* Where types go on behind what does not fit. */
static bool find_next(struct bridge *x, uint32_t bad)
{
	const struct btf *b = x->b;
	const uint32_t end = b->type_bytes - bad < SEARCHED ? b->type_bytes : bad + SEARCHED;
	uint32_t misfit;

	for (uint32_t at = bad + 4; at < end; at += 4) {
		if (walk(b, at, NULL, &misfit) <= IN_STEP)
			continue;
		/* In step up to a second damage, as each start before that is: what is between is lost, too. */
		if (misfit) {
			at = misfit;
			continue;
		}
		x->to = at;
		for (unsigned int i = 0; i < IN_STEP; i++)
			x->to += btf_length(b, x->to);
		return true;
	}
	return false;
}

static void add_target(struct bridge *x, uint32_t at)
{
	const struct btf *b = x->b;

	if (kind_at(b, at) == BTF_FUNC && word(b, at + 8) >= b->first + x->first &&
	    x->ntargets < ASKED)
		x->targets[x->ntargets++] = word(b, at + 8) - b->first - x->first;
}

/* Whether that many lost types fit what functions refer to. */
static bool fits(const struct bridge *x, uint32_t lost)
{
	uint32_t seen = 0;

	for (uint32_t i = 0; i < x->ntargets; i++) {
		const uint32_t at = x->targets[i] - lost;

		if (x->targets[i] < lost)
			continue;
		if (at >= x->ntail || kind_at(x->b, x->tail[at]) != BTF_FUNC_PROTO)
			return false;
		seen++;
	}
	return seen >= WITNESSES;
}

/* 0: none, or more than one number fits. */
static uint32_t count_lost(struct bridge *x)
{
	const uint32_t most = (x->to - x->from) / LEAST;
	uint32_t ret = 0;

	for (uint32_t i = 0; i < x->first; i++)
		add_target(x, x->b->at[i]);
	/* The last ones are of prototypes that are behind all others. */
	for (uint32_t i = x->ntail; i--;)
		add_target(x, x->tail[i]);
	for (uint32_t lost = 1; lost <= most; lost++) {
		if (!fits(x, lost))
			continue;
		if (ret)
			return 0;
		ret = lost;
	}
	return ret;
}

bool btf_bridge(struct dump *d, struct btf *b, uint32_t *n, uint32_t *at)
{
	struct bridge x = { .b = b, .first = *n > BACK ? *n - BACK : 0 };
	struct arena *meanwhile = arena_within(d->arena);
	uint32_t *tail = arena_alloc(meanwhile, (b->type_bytes / LEAST + 1) * sizeof(*tail));
	uint32_t lost = 0, misfit;

	x.from = x.first ? b->at[x.first] : 0;
	x.targets = arena_alloc(meanwhile, ASKED * sizeof(*x.targets));
	if (!b->base && !b->lost && find_next(&x, *at)) {
		x.ntail = walk(b, x.to, tail, &misfit);
		x.tail = tail;
		lost = count_lost(&x);
	}
	arena_reset(meanwhile);
	if (!lost)
		return false;
	for (uint32_t i = 0; i < lost; i++)
		b->at[x.first + i] = BTF_LOST;
	b->lost = lost;
	*n = x.first + lost;
	*at = x.to;
	return true;
}
