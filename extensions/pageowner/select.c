// SPDX-License-Identifier: GPL-2.0-or-later
#include "select.h"

#include "cli/filter_forms.h"
#include "cli/filter_seen.h"
#include "pages/hugetlb.h"
#include "view.h"

/* Of a filter, for one value. */
struct answer {
	bool keeps, unknown;
	bool is_wider; /* of flags */
};

void owner_select_init(struct owner_view *v, struct owner_select *ret)
{
	const struct cmdline *in = v->in;
	bool all = in->opts.all;

	*ret = (struct owner_select){ .filters = &in->filters };
	for (unsigned int i = 0; i < in->filters.n; i++)
		hash_u64_init(&ret->known[i], v->dump->arena, sizeof(struct answer));
	/* Free pages are selected only by state=free. */
	for (size_t i = 0; i < in->ngroups; i++)
		all |= in->groups[i] == KEY_STATE;
	ret->live = true;
	ret->free = all;
	for (unsigned int i = 0; i < in->filters.n; i++) {
		const struct filter *f = &in->filters.filters[i];

		if (f->key != KEY_STATE)
			continue;
		if (!f->exclude)
			ret->free = true;
		ret->live &= filter_keeps_text(f, "live");
	}
	for (unsigned int i = 0; i < in->filters.n; i++)
		if (in->filters.filters[i].key == KEY_STATE)
			ret->free &= filter_keeps_text(&in->filters.filters[i], "free");
}

static struct answer answer_to_unknown(const struct filter *f)
{
	return (struct answer){ .keeps = filter_keeps_unknown(f), .unknown = true };
}

static struct answer answer_to_list(const struct filter *f, const struct text_list *list)
{
	return (struct answer){ filter_keeps_list(f, list), text_list_is_cut(list) };
}

/* Of a stack that the kernel truncated what is not met may be in the frames that are lost. */
static struct answer answer_to_stack(const struct filter *f, const struct stack *stack)
{
	const bool keeps = filter_keeps_stack(f, stack),
		   in_doubt = stack->cut && keeps == f->exclude;

	f->seen->has_cut |= in_doubt;
	return (struct answer){ keeps, in_doubt };
}

/* A word, or a stack that has no record: where a page has none of a kind, a word says so. */
static struct answer answer_to_text(struct owner_view *v, const struct filter *f, uint64_t word)
{
	bool is_known = word != VALUE_UNKNOWN;
	const struct stack *stack = is_known && f->key == KEY_STACK ? owner_stack(v, word) : NULL;
	struct cell cell;

	f->seen->is_wider = false;
	if (!is_known || (f->key == KEY_STACK && !stack))
		return answer_to_unknown(f);
	if (f->key == KEY_STACK)
		return answer_to_stack(f, stack);
	if (f->key == KEY_MAPPER)
		return answer_to_list(f, (const struct text_list *)(uintptr_t)word);
	cell = owner_value_cell(v, f->key, word);
	if (cell.kind != CELL_TEXT)
		return answer_to_unknown(f);
	if (f->key == KEY_CALLER)
		return (struct answer){ filter_keeps_function(f, cell.text), false };
	if (f->key == KEY_GFP)
		return (struct answer){ .keeps = filter_keeps_flags(f, cell.text, &word),
					.is_wider = f->seen->is_wider };
	return (struct answer){ .keeps = filter_keeps_text(f, cell.text),
				.is_wider = f->seen->is_wider };
}

static struct answer ask(struct owner_select *s, unsigned int i, struct page_facts *fact)
{
	const struct filter *f = &s->filters->filters[i];
	uint64_t word = owner_measure(fact, f->key);
	struct answer *known;
	bool is_new;

	if (key_is_text(&owner_keys[f->key])) {
		known = hash_u64_get(&s->known[i], word, &is_new);
		if (is_new)
			*known = answer_to_text(fact->v, f, word);
		f->seen->is_wider = known->is_wider;
		return *known;
	}
	if (word == VALUE_UNKNOWN)
		return answer_to_unknown(f);
	if (f->key == KEY_PHYS)
		return (struct answer){
			filter_keeps_span(f, word, word + dump_page_size(fact->v->dump) - 1), false
		};
	return (struct answer){ filter_keeps_number(f, word), false };
}

bool owner_keeps(struct owner_select *s, struct page_facts *fact)
{
	struct filter_verdict verdict = { 0 };

	for (unsigned int i = 0; i < s->filters->n; i++) {
		const struct filter *f = &s->filters->filters[i];
		struct answer answer;

		if (owner_keys[f->key].use & KEY_OF_GROUP)
			continue;
		answer = ask(s, i, fact);
		if (!filter_verdict_add(&verdict, f, answer.keeps, answer.unknown))
			return false;
	}
	return filter_verdict_keeps(&verdict, fact->pages, "page", "pages");
}

bool owner_keeps_zone(const struct filters *f, const struct zone *zone)
{
	for (unsigned int i = 0; i < f->n; i++) {
		const struct filter *filter = &f->filters[i];
		bool is_node = filter->key == KEY_NODE;

		if (!is_node && filter->key != KEY_ZONE)
			continue;
		if (!zone     ? !filter_keeps_unknown(filter)
		    : is_node ? !filter_keeps_number(filter, zone->node)
			      : !filter_keeps_text(filter, zone->name))
			return false;
	}
	return true;
}

bool owner_has_early(const struct owner_view *v)
{
	const struct special_handles *s = v->classes ? &v->classes->special : NULL;

	return v->of_pages && s && (s->handles[SPECIAL_EARLY] || s->unreadable[SPECIAL_EARLY]);
}

static const char *const not_in_use = "is of pages that are not in use";
static const char *const not_recorded = "is of pages without a record of page_owner";

static void tell_class(struct owner_view *v, const struct filter *f, enum page_class class)
{
	bool is_free = class == CLASS_BUDDY || class == CLASS_PCP || class == CLASS_FREE;
	const char *name = page_class_name(class);

	if (!filter_names(f, name))
		return;
	if (class == CLASS_EARLY && owner_has_early(v))
		report_warn(&v->report,
			    "early: these pages are direct here, where no record of page_owner is "
			    "read; memowner classes tells them apart");
	else if (class >= CLASS_OFFLINE && filter_lacks(f, name) && (is_free || !v->groups_pages))
		report_warn(&v->report, "class %s %s: memowner classes has them", name,
			    is_free ? not_in_use : not_recorded);
}

/* A page that is asked for by its place may be none of the view's. */
static void tell_place(struct owner_view *v, const struct filter *f)
{
	if ((f->key == KEY_PFN || f->key == KEY_PHYS) && !f->exclude && filter_lacks(f, NULL))
		report_warn(&v->report, "%s: memowner ADDR, as pfn:1000, has any page",
			    v->of_pages ? "pages here are those in use"
					: "not every page is in this view");
}

/* Whether filters by class leave out all of one. */
static bool refuses_class(const struct filters *filters, const char *name)
{
	for (unsigned int i = 0; i < filters->n; i++) {
		const struct filter *f = &filters->filters[i];

		if (f->key == KEY_CLASS && filter_names(f, name) == f->exclude)
			return true;
	}
	return false;
}

/* A module may have its memory in slabs and in areas alone. */
static void tell_holder(struct owner_view *v, const struct filter *f)
{
	static const char *const others[] = { "slab", "vmalloc" };
	bool has_others = false;

	for (size_t i = 0; i < ARRAY_SIZE(others); i++) {
		const char *word = dump_text(v->dump, "[%s]", others[i]);

		has_others |= !filter_names(f, word) && !refuses_class(&v->in->filters, others[i]);
	}
	if (has_others)
		report_warn(&v->report, "holder is known of pages of class direct alone: memowner "
					"holders has memory in slabs and vmalloc too");
}

/* A slab is of no cgroup where its objects are charged one by one: a cgroup may have nearly all of its memory there. */
static void tell_objects(struct owner_view *v, const struct filter *f)
{
	struct strbuf typed = STRBUF_OF(512);

	if (f->exclude || !v->memcgs.has_vectors || filter_names(f, MEMCG_BY_OBJECT))
		return;
	filter_add_typed(&typed, f->name, f->seen->values);
	report_warn(&v->report,
		    "slabs are of no cgroup, each of their objects is (" MEMCG_BY_OBJECT
		    "): memowner objects -f %s has these, memowner cgroups all that is charged",
		    typed.buf);
}

static enum status add_used(void *arg, const struct hugetlb_pool *pool)
{
	*(uint64_t *)arg += (pool->total - pool->free) << pool->order;
	return ST_OK;
}

/* Pages of hugetlbfs have entries of other levels, which the walk of page tables passes. */
static void tell_huge(struct owner_view *v)
{
	uint64_t pages = 0;

	if (report_part(&v->report, "mapper of huge pages",
			hugetlb_walk(v->dump, add_used, &pages)) == ST_OK &&
	    pages)
		report_warn(&v->report,
			    "mapper is unknown of the %s of huge pages (hugetlb) that are in use: "
			    "processes -o +hugetlb_bytes and files -f class=hugetlb have them",
			    SIZE_TEXT(pages << v->page_shift));
	v->dump->error[0] = '\0';
}

static bool keeps_memcg(const struct filters *filters, size_t key, const char *path)
{
	return !ANY_OF(i, filters->n,
		       filters->filters[i].key == key &&
			       !filter_keeps_text(&filters->filters[i], path));
}

/* A service that is started again has the path of the cgroup that was removed. */
static const char *memcg_text(struct owner_view *v, const struct memcg_path *m)
{
	if (m->cgroups == 1)
		return dump_text(v->dump, "the cgroup %s was removed, its pages stay", m->path);
	return dump_text(v->dump, "pages of %u cgroups with the path %s%s are added up", m->cgroups,
			 m->path,
			 m->removed ? dump_text(v->dump, ", %u of them removed,", m->removed) : "");
}

void owner_tell_memcgs(struct owner_view *v, size_t key)
{
	bool filters = cmdline_filters_by(v->in, key);
	const struct memcg_path *first = NULL;
	struct hash_bytes met;
	unsigned int more = 0;

	hash_bytes_init(&met, v->dump->arena, sizeof(struct memcg_path));
	memcgs_met(&v->memcgs, &met);
	hash_bytes_for_each(const struct memcg_path, m, &met) {
		if ((m->cgroups < 2 && !(filters && m->removed)) ||
		    !keeps_memcg(&v->in->filters, key, m->path))
			continue;
		more += first != NULL;
		first = first ?: m;
	}
	if (!first)
		return;
	report_warn(
		&v->report, "%s: memowner cgroups has each%s", memcg_text(v, first),
		more ? dump_text(v->dump, "; the same is true of %s", COUNT_OF(more, "other path"))
		     : "");
}

void owner_tell_classes(struct owner_view *v)
{
	if (v->has_memcgs &&
	    (cmdline_filters_by(v->in, KEY_MEMCG) || cmdline_groups_by(v->in, KEY_MEMCG)))
		owner_tell_memcgs(v, KEY_MEMCG);
	if (v->mappers && !refuses_class(&v->in->filters, "hugetlb"))
		tell_huge(v);
	for (unsigned int i = 0; i < v->in->filters.n; i++) {
		const struct filter *f = &v->in->filters.filters[i];

		tell_place(v, f);
		if (f->key == KEY_MEMCG && v->has_memcgs)
			tell_objects(v, f);
		if (f->key == KEY_HOLDER)
			tell_holder(v, f);
		for (enum page_class c = 0; f->key == KEY_CLASS && c < PAGE_CLASSES; c++)
			if (page_class_name(c))
				tell_class(v, f, c);
	}
}

bool owner_selects_group(const struct owner_select *s, uint64_t bytes)
{
	return !ANY_OF(i, s->filters->n,
		       owner_keys[s->filters->filters[i].key].use & KEY_OF_GROUP &&
			       !filter_keeps_number(&s->filters->filters[i], bytes));
}
