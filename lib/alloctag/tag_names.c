// SPDX-License-Identifier: GPL-2.0-or-later
#include "alloctag/tag_names.h"

#define OFF ", or another's: profiling was turned off"

enum status tag_names_open(struct dump *d, struct memmap *memmap, struct tag_names *ret)
{
	enum availability why;

	ret->dump = d;
	hash_u64_init(&ret->texts, d->arena, 2 * sizeof(const char *));
	special_handles_open(d, &ret->special);
	return codetags_open(d, &ret->tags, &why) ?:
		page_types_open(d, memmap, &ret->states) ?: page_tags_open(d, &ret->pages) ?:
		site_index_open(d, &ret->tags, &ret->sites);
}

/* A live allocation of page_owner; the class of its page need not be known. */
static enum tag_validity validity_of(struct tag_names *n, uint64_t tag, uint64_t pfn,
				     const struct page_info *info, uint32_t handle,
				     const struct stack *stack)
{
	if (n->tags.on)
		return TAG_REF_VALID;
	return tag_validity_page(site_named(&n->sites, tag),
				 special_handle(&n->special, handle) ? NULL : stack, pfn, info,
				 info->state == PAGE_TYPE_HUGETLB ? CLASS_HUGETLB : CLASS_DIRECT);
}

static const char *text_of(struct tag_names *n, uint64_t tag, enum tag_validity validity)
{
	struct site unknown = site_unnamed(&n->sites, tag);
	const struct site *s;
	const char **texts, **text;
	char buf[256];

	texts = validity == TAG_REF_STALE || tag <= TAG_EMPTY ? NULL
							      : hash_u64_get(&n->texts, tag, NULL);
	if (!texts)
		return NULL;
	text = &texts[validity];
	if (!*text) {
		s = site_named(&n->sites, tag);
		site_name(s ? s : &unknown, buf, sizeof(buf));
		if (validity == TAG_REF_UNKNOWN && strlen(buf) + sizeof(OFF) <= sizeof(buf))
			strcat(buf, OFF);
		*text = dump_strdup(n->dump, buf);
	}
	return *text;
}

static const char *text_of_page(struct tag_names *n, uint64_t pfn, uint32_t handle,
				const struct stack *stack, bool sure)
{
	struct page_info info;
	enum tag_validity validity;
	uint64_t tag;

	if (page_type_at(&n->states, pfn, &info) != ST_OK ||
	    page_tags_at(&n->pages, pfn, &info, &tag) != ST_OK || tag <= TAG_EMPTY)
		return NULL;
	validity = validity_of(n, tag, pfn, &info, handle, stack);
	return sure && validity == TAG_REF_UNKNOWN ? NULL : text_of(n, tag, validity);
}

const char *tag_names_page(struct tag_names *n, uint64_t pfn, uint32_t handle,
			   const struct stack *stack)
{
	return text_of_page(n, pfn, handle, stack, false);
}

const char *tag_names_sure(struct tag_names *n, uint64_t pfn, uint32_t handle,
			   const struct stack *stack)
{
	return text_of_page(n, pfn, handle, stack, true);
}

const char *tag_names_object(struct tag_names *n, uint64_t tag)
{
	return text_of(n, tag, n->tags.on ? TAG_REF_VALID : TAG_REF_UNKNOWN);
}

const struct site *tag_names_object_site(struct tag_names *n, uint64_t tag)
{
	return n->tags.on && tag > TAG_EMPTY ? site_named(&n->sites, tag) : NULL;
}

bool tag_names_knows(struct tag_names *n, uint64_t tag)
{
	return site_named(&n->sites, tag);
}

static bool in_module(const struct frame *f, const struct site *s)
{
	return s->in_module ? f->module && s->module && !strcmp(f->module, s->module) : !f->module;
}

/* Also as a compiler's copy of it: "f.isra.0". */
static bool is_function(const struct frame *f, const struct site *s)
{
	size_t len = strlen(s->function);

	return f->symbol && in_module(f, s) && !strncmp(f->symbol, s->function, len) &&
	       (!f->symbol[len] || f->symbol[len] == '.');
}

enum tag_validity tag_validity_stack(const struct site *s, const struct stack *stack)
{
	bool elsewhere = true;

	if (!s || !s->function || !stack || !stack->n)
		return TAG_REF_UNKNOWN;
	for (unsigned int i = 0; i < stack->n; i++) {
		if (is_function(stack->frames[i], s))
			return TAG_REF_VALID;
		/* A frame without a symbol may be the function of the site. */
		elsewhere &= stack->frames[i]->symbol && !in_module(stack->frames[i], s);
	}
	/*
	 * A function may be inlined into another, but a module's code, whatever became of it, is in
	 * the module's text.  Nothing of the kind holds for vmlinux, which every stack is in.
	 */
	return elsewhere && s->in_module && s->loaded && !stack->cut ? TAG_REF_STALE
								     : TAG_REF_UNKNOWN;
}

/* Pages of slabs are charged in alloc_slab_page() and there alone; KFENCE marks its own as such. */
static bool is_slabs(const struct site *s)
{
	return !strcmp(s->function, "alloc_slab_page");
}

static bool is_kfence(const struct site *s)
{
	return s->file && strstr(s->file, "mm/kfence/");
}

/* zsmalloc has pages that it allocated, and pages that migration allocated as targets. */
static bool is_zsmallocs(const struct site *s)
{
	return !s->in_module || !s->module || !strcmp(s->module, "zsmalloc");
}

enum tag_validity tag_validity_page(const struct site *s, const struct stack *stack, uint64_t pfn,
				    const struct page_info *info, enum page_class class)
{
	if (class >= CLASS_BUDDY)
		return TAG_REF_STALE;
	/* The first page alone has the reference; huge pages can be put together of many. */
	if (info->head != pfn && class != CLASS_HUGETLB)
		return TAG_REF_STALE;
	if (s && s->function && is_slabs(s))
		return info->state == PAGE_TYPE_SLAB ? TAG_REF_VALID : TAG_REF_STALE;
	if (s && s->function && info->state == PAGE_TYPE_SLAB && !is_kfence(s))
		return TAG_REF_STALE;
	if (s && info->state == PAGE_TYPE_ZSMALLOC && !is_zsmallocs(s))
		return TAG_REF_STALE;
	return tag_validity_stack(s, stack);
}
