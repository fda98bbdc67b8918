// SPDX-License-Identifier: GPL-2.0-or-later
#include "alloctag/tag_validity.h"

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
