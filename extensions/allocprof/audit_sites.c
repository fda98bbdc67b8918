// SPDX-License-Identifier: GPL-2.0-or-later
#include "audit_sites.h"

#include "util/json.h"
#include "util/largest.h"
#include "util/units.h"

/* Bytes that a site counted and no reference has. */
static int64_t left_over(const struct site *s, const struct site_refs *f, uint64_t factor)
{
	return s->bytes - (int64_t)(f->bytes + f->percpu * (factor ? factor : 1));
}

bool site_refs_ordered(const struct codetags *tags, const struct site_refs *found, uint64_t factor)
{
	for (size_t i = 0; i < tags->n; i++)
		if (found[i].unordered > found[i].left &&
		    (!tags->sites[i].readable || left_over(&tags->sites[i], &found[i], factor)))
			return false;
	return true;
}

static const char *cause(const struct codetags *tags, const struct site_refs *f, bool complete)
{
	if (!complete)
		return "some references are not in this dump";
	if (f->left)
		return "the size of freed memory is unknown";
	if (!tags->on && !f->unordered)
		return "references of slabs freed since profiling was turned off are gone";
	return f->unordered ? "the order of its pages is unknown" : "no reference found";
}

uint64_t site_refs_put(const struct codetags *tags, const struct site_refs *found, uint64_t factor,
		       bool complete, uint64_t rows, bool json, struct sink *out)
{
	char name[256], size[UNITS_BYTES];
	uint64_t n = 0;

	for (size_t i = 0; i < tags->n; i++) {
		const struct site *s = &tags->sites[i];
		const struct site_refs *f = &found[i];
		int64_t left = left_over(s, f, factor);
		struct json j;

		if (!s->readable || (s->calls == f->calls && !left) || (n++ >= rows && rows))
			continue;
		site_name(s, name, sizeof(name));
		units_size(size, left < 0 ? -(uint64_t)left : (uint64_t)left);
		if (!json) {
			sink_printf(out, "%s:\n  counted less found: calls %ld, size %s%s; %s\n",
				    name, s->calls - f->calls, left < 0 ? "-" : "", size,
				    cause(tags, f, complete));
			continue;
		}
		json_open_line(&j, out, "site");
		json_text(&j, "site", name);
		json_hex(&j, "tag", s->tag);
		json_uint(&j, "bytes", f->bytes + f->percpu);
		json_uint(&j, "calls", f->calls);
		json_int(&j, "counted_bytes", s->bytes);
		json_uint(&j, "counted_calls", s->calls);
		json_uint(&j, "unordered", f->unordered);
		json_text(&j, "basis", "derived");
		json_close_line(&j);
	}
	if (rows && n > rows && !json)
		sink_printf(out, "... %s (-n 0 shows all)\n",
			    PLURAL_TEXT(n - rows, "more site", "more sites"));
	return n;
}

#define UNLISTED_SHOWN 12

struct unlisted_sum {
	uint64_t bytes, calls;
};

void unlisted_tags_init(struct unlisted_tags *s, struct arena *arena)
{
	s->n = s->bytes = 0;
	hash_u64_init(&s->tags, arena, sizeof(struct unlisted_sum));
}

void unlisted_tags_add(struct unlisted_tags *s, uint64_t tag, uint64_t bytes)
{
	struct unlisted_sum *sum;
	bool is_new;

	s->n++;
	s->bytes += bytes;
	sum = hash_u64_get(&s->tags, tag, &is_new);
	sum->calls++;
	sum->bytes += bytes;
}

void unlisted_tags_put(struct unlisted_tags *s, struct site_index *sites, struct sink *out)
{
	struct largest largest = { .room = UNLISTED_SHOWN };
	char name[256];

	if (!s->n)
		return;
	sink_printf(out, "references to tags that %s: %s in %s\n",
		    sites->tags->problem ? "are in no list of this dump"
					 : "the kernel does not list",
		    SIZE_TEXT(s->bytes), PLURAL_TEXT(s->n, "allocation", "allocations"));
	for (const struct hash_u64_entry *e = s->tags.first; e; e = e->next)
		largest_add(&largest, ((const struct unlisted_sum *)e->value)->bytes, e);
	for (unsigned int i = 0; i < largest.n; i++) {
		const struct hash_u64_entry *e = largest.of[i].item;
		const struct unlisted_sum *sum = (const struct unlisted_sum *)e->value;
		const struct site *site = site_named(sites, e->key);

		sink_printf(out, "  %s in %s: 0x%lx%s%s\n", SIZE_TEXT(sum->bytes),
			    PLURAL_TEXT(sum->calls, "allocation", "allocations"), e->key,
			    site ? "\n    " : "", site ? site_name(site, name, sizeof(name)) : "");
	}
}
