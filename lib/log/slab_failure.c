// SPDX-License-Identifier: GPL-2.0-or-later
#include "log/slab_failure.h"

#include <string.h>

#include "util/units.h"

/* A failure whose lines are not all there yet. */
struct reading {
	struct slab_failure f;
	bool is_open, has_cache, is_slab, is_mixed;
	bool has_nodes, has_bad_node;
	uint64_t newest_node;
};

static bool take(const char *text, const char *name, struct log_number *to)
{
	const char *at = log_find(text, name), *end;
	struct log_number n = { true, 0 };

	end = at ? log_take_decimal(at, &n.value) : NULL;
	/* A number at the end of a line that was cut may be shorter. */
	if (!end || (*end && *end != ','))
		return false;
	*to = n;
	return true;
}

/* "0x820(GFP_ATOMIC)"; up to 4.5 the number alone */
static void take_gfp(const char *text, struct slab_failure *f)
{
	const char *end = log_take_hex(text, &f->gfp_mask.value);
	size_t len = end && *end == '(' ? strcspn(end + 1, ")") : 0;

	f->gfp_mask.known = end && *end == '(' && f->gfp_mask.value <= UINT32_MAX;
	if (len && end[1 + len] == ')' && len < sizeof(f->gfp) && !memchr(end + 1, ' ', len))
		log_copy(f->gfp, sizeof(f->gfp), end + 1, len);
}

/*
 * "SLUB: Unable to allocate memory on node -1, gfp=0x820(GFP_ATOMIC)"; since 6.10 "... memory on CPU 1 (of node 0) on
 * node -1, gfp="
 */
static bool take_head(const char *text, struct reading *r)
{
	const char *p = log_after(text, "SLUB: ") ?: log_after(text, "SLAB: ");
	const char *gfp = log_find(text, ", gfp="), *node;

	p = p ? log_after(p, "Unable to allocate memory on ") : NULL;
	if (!p)
		return false;
	*r = (struct reading){ .is_open = true, .is_slab = log_after(text, "SLAB: ") != NULL };
	node = log_find(p, ") on node ") ?: log_after(p, "node ");
	if (gfp && node)
		r->f.node.known = log_take_decimal(node, &r->f.node.value) != NULL;
	if (gfp)
		take_gfp(gfp, &r->f);
	return true;
}

/* "cache: a, object size: 480, buffer size: 544, default order: 1, min order: 0"; of SLAB "..., order: 0" */
static bool take_cache(const char *text, struct reading *r)
{
	const char *name = log_after(text, "cache: "), *end = name;

	if (!name)
		return false;
	while (end && log_find(end, ", object size: "))
		end = log_find(end, ", object size: ");
	if (r->has_cache || end == name) {
		/* Of two failures: which line is of which is unknown. */
		r->is_mixed |= r->has_cache;
		return true;
	}
	r->has_cache = true;
	log_copy(r->f.cache, sizeof(r->f.cache), name,
		 (size_t)(end - strlen(", object size: ") - name));
	take(end - strlen("size: "), "size: ", &r->f.object_size);
	if (!take(end, ", min order: ", &r->f.order) && r->is_slab)
		take(end, ", order: ", &r->f.order);
	return true;
}

/* "node 0: slabs: 15, objs: 225, free: 0"; of SLAB what is in use of what there is, which is not taken */
static bool take_node(const char *text, struct reading *r)
{
	const char *node = log_after(text, "node "), *p;
	struct log_number slabs = { 0 }, objects = { 0 }, free = { 0 };
	uint64_t number;

	p = node ? log_take_decimal(node, &number) : NULL;
	if (!p || !log_after(p, ": slabs: "))
		return false;
	if (!r->has_cache || r->is_slab || !take(p, ": slabs: ", &slabs) ||
	    !take(p, ", objs: ", &objects) || !take(p, ", free: ", &free) ||
	    (r->has_nodes && number <= r->newest_node)) {
		r->has_bad_node = true;
		return true;
	}
	r->has_nodes = true;
	r->newest_node = number;
	r->f.slabs.value += slabs.value;
	r->f.objects.value += objects.value;
	r->f.free.value += free.value;
	return true;
}

static bool is_same(const struct slab_failure *a, const struct slab_failure *b)
{
	return *a->cache && !strcmp(a->cache, b->cache) && a->gfp_mask.known == b->gfp_mask.known &&
	       a->gfp_mask.value == b->gfp_mask.value && a->order.known == b->order.known &&
	       a->order.value == b->order.value;
}

static void end_of(struct slab_failures *all, struct reading *r)
{
	struct slab_failure *f = &r->f;
	unsigned int i = 0;

	if (!r->is_open)
		return;
	r->is_open = false;
	if (r->is_mixed) {
		f->cache[0] = '\0';
		f->object_size = f->order = (struct log_number){ 0 };
	}
	f->slabs.known = f->objects.known = f->free.known = r->has_nodes && !r->has_bad_node &&
							    !r->is_mixed;
	all->n++;
	f->n = 1;
	while (i < all->kept && !is_same(&all->all[i], f))
		i++;
	if (i < all->kept) {
		f->n += all->all[i].n;
	} else if (all->kept < SLAB_FAILURES_KEPT) {
		all->kept++;
	} else {
		all->has_more = true;
		i--;
	}
	memmove(&all->all[1], &all->all[0], i * sizeof(*f));
	all->all[0] = *f;
}

static bool is_of(const struct reading *r, const struct kernel_record *rec)
{
	return !rec->has_caller || !r->f.last->has_caller || rec->caller == r->f.last->caller;
}

void slab_failures_read(const struct kernel_log *log, struct slab_failures *ret)
{
	struct reading r = { .is_open = false };

	memset(ret, 0, sizeof(*ret));
	for (size_t i = 0; i < log->n; i++) {
		const struct kernel_record *rec = &log->records[i];
		const char *text = rec->text;
		struct reading next;

		if (!text) {
			end_of(ret, &r);
			continue;
		}
		if (take_head(text, &next)) {
			/* One that lacks its lines yet, without a caller: they may be of either. */
			next.is_mixed = r.is_open && !r.has_cache && !rec->has_caller;
			r.is_mixed |= next.is_mixed;
			end_of(ret, &r);
			r = next;
			r.f.last = rec;
			continue;
		}
		text += strspn(text, " \t");
		if (!r.is_open || !is_of(&r, rec) || take_cache(text, &r) || take_node(text, &r) ||
		    strstr(text, " debugging increased min order, use "))
			continue;
		/* Without callers another line ends it. */
		if (!rec->has_caller && r.has_cache)
			end_of(ret, &r);
	}
	end_of(ret, &r);
}

void slab_failures_text(const struct slab_failures *f, unsigned int caches, struct strbuf *b)
{
	for (unsigned int i = 0; i < f->kept && i < caches; i++) {
		const struct slab_failure *of = &f->all[i];

		strbuf_add(b, "%s%s", i ? ", " : "", *of->cache ? of->cache : "an unknown cache");
		if (of->order.known)
			strbuf_add(b, " (order %lu%s%s)", of->order.value, *of->gfp ? ", " : "",
				   of->gfp);
		if (of->n > 1)
			strbuf_add(b, " %s times", COUNT_TEXT(of->n));
	}
	if (f->has_more || f->kept > caches)
		strbuf_add(b, " and others");
}
