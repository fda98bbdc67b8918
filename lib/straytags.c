// SPDX-License-Identifier: GPL-2.0-or-later
#include "straytags.h"
#include "units.h"

#define STRAYS_SHOWN 12

struct stray {
	uint64_t bytes, calls;
	bool shown;
};

void stray_tags_init(struct stray_tags *s, struct arena *arena)
{
	s->n = s->bytes = 0;
	map_init(&s->tags, arena, sizeof(struct stray));
}

void stray_tags_add(struct stray_tags *s, uint64_t tag, uint64_t bytes)
{
	struct stray *stray;
	bool is_new;

	s->n++;
	s->bytes += bytes;
	stray = map_get(&s->tags, tag, &is_new);
	if (stray) {
		stray->calls++;
		stray->bytes += bytes;
	}
}

static struct map_entry *biggest(const struct stray_tags *s)
{
	struct map_entry *ret = NULL;

	for (struct map_entry *e = s->tags.first; e; e = e->next) {
		const struct stray *x = (const struct stray *)e->value;

		if (!x->shown && (!ret || x->bytes > ((struct stray *)ret->value)->bytes))
			ret = e;
	}
	return ret;
}

void stray_tags_put(struct stray_tags *s, struct site_index *sites, struct sink *out)
{
	char name[256], size[UNITS_BYTES];

	if (!s->n)
		return;
	units_size(size, s->bytes);
	sink_printf(out, "references to tags that are in no list, %s in %llu:\n", size,
		    (unsigned long long)s->n);
	for (unsigned int n = 0; n < STRAYS_SHOWN; n++) {
		struct map_entry *e = biggest(s);
		const struct site *site;
		struct stray *stray;

		if (!e)
			return;
		stray = (struct stray *)e->value;
		stray->shown = true;
		site = site_named(sites, e->key);
		units_size(size, stray->bytes);
		sink_printf(out, "  %s in %llu: 0x%llx%s%s\n", size,
			    (unsigned long long)stray->calls, (unsigned long long)e->key,
			    site ? "\n    " : "", site ? site_name(site, name, sizeof(name)) : "");
	}
}
