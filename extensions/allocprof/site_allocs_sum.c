// SPDX-License-Identifier: GPL-2.0-or-later
#include "site_allocs_sum.h"

#include "util/units.h"

void site_allocs_sum_page(struct site_allocs_sum *s, bool has_order, uint64_t bytes, bool vmalloc)
{
	s->pages++;
	s->page_bytes += bytes;
	s->unordered += !has_order;
	s->vmalloc_pages += vmalloc;
}

void site_allocs_sum_object(struct site_allocs_sum *s, uint64_t bytes, bool helper)
{
	s->objects++;
	s->object_bytes += bytes;
	s->helpers += helper;
}

void site_allocs_sum_percpu(struct site_allocs_sum *s, uint64_t bytes)
{
	s->percpu++;
	s->percpu_bytes += bytes;
}

/* Bytes as the kernel counts them; one copy of per-CPU memory where its factor is unknown. */
static uint64_t counted_bytes(const struct site_allocs_sum *s)
{
	return s->page_bytes + s->object_bytes +
	       s->percpu_bytes * (s->percpu_factor ? s->percpu_factor : 1);
}

/* Why the sums differ, the surest reason first; NULL: they do not. */
static const char *cause(const struct site_allocs_sum *s, const struct tag_view *v,
			 const struct site *site, uint64_t bytes)
{
	uint64_t calls = s->pages + s->objects + s->percpu;

	if (!site->readable)
		return "the counters of this tag are unknown";
	if (bytes == (uint64_t)site->bytes && calls == site->calls)
		return NULL;
	if (s->partial)
		return "interrupted before the scan ended";
	if (s->unreadable || s->bad_slabs || s->percpu_missing)
		return "some pages, slabs or per-CPU chunks are corrupt or not in this dump";
	if (calls == site->calls && s->unordered)
		return "only page_owner records the order of pages that are not compound, after it started";
	if (v->tags->has_flag && site->flags & SITE_INACCURATE)
		return "the kernel had no memory for some references (accurate: no)";
	if (!v->tags->on || s->stale)
		return "profiling was turned off: memory freed since is still counted";
	if (calls < site->calls)
		return "allocations without a reference: made before page_ext or the slab's vector "
		       "existed, or in progress at the panic";
	if (calls == site->calls)
		return (int64_t)bytes < site->bytes
			       ? "the site counted bytes that no reference accounts for"
			       : "references account for more bytes than the site counted";
	return "references that are not counted yet: allocations in progress at the panic";
}

static void put_json(const struct site_allocs_sum *s, struct tag_view *v, const struct site *site,
		     uint64_t bytes, const char *why)
{
	struct json j;

	json_open_line(&j, v->out, "total");
	json_text(&j, "file", site->file);
	if (site->file)
		json_uint(&j, "line", site->line);
	else
		json_null(&j, "line");
	json_text(&j, "function", site->function);
	json_text(&j, "module",
		  site->module || !site->function || site->in_module ? site->module : "vmlinux");
	json_hex(&j, "tag", site->tag);
	json_uint(&j, "pages", s->pages);
	json_uint(&j, "vmalloc_pages", s->vmalloc_pages);
	json_uint(&j, "objects", s->objects);
	json_uint(&j, "vmalloc_helpers", s->helpers);
	json_uint(&j, "percpu", s->percpu);
	json_uint(&j, "bytes", bytes);
	json_uint(&j, "calls", s->pages + s->objects + s->percpu);
	if (site->readable) {
		json_int(&j, "counted_bytes", site->bytes);
		json_uint(&j, "counted_calls", site->calls);
	} else {
		json_null(&j, "counted_bytes");
		json_null(&j, "counted_calls");
	}
	json_uint(&j, "unsure", s->unsure);
	json_uint(&j, "stale", s->stale);
	json_text(&j, "cause", why);
	json_text(&j, "basis", "derived");
	json_close_line(&j);
}

static void put_count(struct sink *out, const char *before, uint64_t n, const char *one,
		      const char *many)
{
	sink_printf(out, "%s%s", before, PLURAL_TEXT(n, one, many));
}

static void put_text(const struct site_allocs_sum *s, struct tag_view *v, const struct site *site,
		     uint64_t bytes, const char *why)
{
	char name[256], n[UNITS_PLURAL], size[UNITS_BYTES];
	uint64_t calls = s->pages + s->objects + s->percpu;

	sink_printf(v->out, "%s\n", site_name(site, name, sizeof(name)));
	units_size(size, bytes);
	put_count(v->out, "found    ", calls, "allocation", "allocations");
	sink_printf(v->out, ", %s:", size);
	put_count(v->out, " ", s->pages, "page", "pages");
	if (s->vmalloc_pages)
		put_count(v->out, " (", s->vmalloc_pages, "of vmalloc)", "of vmalloc)");
	put_count(v->out, ", ", s->objects, "object", "objects");
	if (s->helpers)
		put_count(v->out, " (", s->helpers, "of vmalloc)", "of vmalloc)");
	put_count(v->out, ", ", s->percpu, "per CPU\n", "per CPU\n");
	if (s->unsure)
		put_count(v->out, "unsure   ", s->unsure,
			  "of them: its memory may have been allocated again since\n",
			  "of them: their memory may have been allocated again since\n");
	if (s->stale)
		put_count(v->out, "skipped  ", s->stale,
			  "stale reference: freed while profiling was off\n",
			  "stale references: freed while profiling was off\n");
	if (!site->readable) {
		sink_printf(v->out, "counted  unknown: %s\n", why);
		return;
	}
	units_plural(n, site->calls, "allocation", "allocations");
	sink_printf(
		v->out, "counted  %s, %s%s\n", n, site->bytes < 0 ? "-" : "",
		units_size(size, site->bytes < 0 ? -(uint64_t)site->bytes : (uint64_t)site->bytes));
	if (!why) {
		sink_text(v->out, v->tags->on ? "the same to the byte\n"
					      : "the same to the byte: neither has changed since "
						"profiling was turned off\n");
		return;
	}
	sink_printf(v->out, "differ   by %ld allocations, %ld bytes: %s\n", site->calls - calls,
		    site->bytes - bytes, why);
}

void site_allocs_sum_put(const struct site_allocs_sum *s, struct tag_view *v,
			 const struct site *site)
{
	uint64_t bytes = counted_bytes(s);
	const char *why = cause(s, v, site, bytes);

	if (v->in->opts.json)
		put_json(s, v, site, bytes, why);
	else
		put_text(s, v, site, bytes, why);
}
