// SPDX-License-Identifier: GPL-2.0-or-later
#include "alloctag/codetag.h"

#include <ctype.h>

#include "alloctag/state.h"
#include "alloctag/unloaded.h"
#include "dump/read_window.h"
#include "kernel/rodata.h"
#include "kernel/static_key.h"
#include "kernel/xarray.h"
#include "util/hash_u64.h"

#define MAX_SITES 1000000 /* a kernel and its modules have some 10,000 */
#define MAX_TAG_BYTES 256 /* of struct alloc_tag, which has 40 to 56 */
#define MAX_STRING 256	  /* a path in the source tree, or a function */

enum { T_IDR, T_TAG_SIZE, CM_MOD, CM_START, CM_STOP, C_BYTES, C_CALLS, T_FIELDS };

static const struct layout_row rows[T_FIELDS] = {
	[T_IDR] = { "struct codetag_type", { "mod_idr.idr_rt.xa_head" }, REQUIRED, "6.10" },
	[T_TAG_SIZE] = { "struct codetag_type", { "desc.tag_size" }, REQUIRED, "6.10" },
	[CM_MOD] = { "struct codetag_module", { "mod" }, REQUIRED, "6.10" },
	[CM_START] = { "struct codetag_module", { "range.start" }, REQUIRED, "6.10" },
	[CM_STOP] = { "struct codetag_module", { "range.stop" }, REQUIRED, "6.10" },
	[C_BYTES] = { "struct alloc_tag_counters", { "bytes" }, REQUIRED, "6.10" },
	[C_CALLS] = { "struct alloc_tag_counters", { "calls" }, REQUIRED, "6.10" },
};

/* With addresses of texts. */
struct tag {
	uint64_t counters, flags, line, module, function, file;
};

struct tag_layout {
	struct structure tag;
};

static const struct layout_row tag_rows[] = {
	STRUCTURE(struct tag_layout, tag, "struct alloc_tag"),
	READS(struct tag, counters, REQUIRED, "6.10", "counters"),
	READS(struct tag, flags, REQUIRED, "6.10", "ct.flags"),
	READS(struct tag, line, REQUIRED, "6.10", "ct.lineno"),
	READS(struct tag, module, REQUIRED, "6.10", "ct.modname"),
	READS(struct tag, function, REQUIRED, "6.10", "ct.function"),
	READS(struct tag, file, REQUIRED, "6.10", "ct.filename"),
};

struct walk {
	struct dump *dump;
	struct field f[T_FIELDS];
	struct tag_layout layout;
	uint64_t tag_size;
	struct read_window window;
	struct hash_u64 strings; /* const char * by address */
	struct codetags *tags;
	size_t room;
	bool has_vmlinux;     /* the tree has them */
	struct hash_u64 seen; /* struct counted by its start */
	struct unloaded_tags unloaded;
	bool is_unloaded;    /* whose tags are being added */
	bool is_stale;	     /* and their counters were freed with the module */
	enum status problem; /* what tags->problem is about */
};

/* File and function names repeat: each is read once. */
static const char *string_at(struct walk *w, uint64_t addr)
{
	char buf[MAX_STRING];
	const char **s;
	bool is_new;

	if (!addr)
		return NULL;
	s = hash_u64_get(&w->strings, addr, &is_new);
	if (is_new && dump_string(w->dump, addr, buf, sizeof(buf), "codetag name") == ST_OK)
		*s = dump_strdup(w->dump, buf);
	return *s;
}

/* The strings of an unloaded module were freed with it: another module may have the memory. */
static const char *name_at(struct walk *w, uint64_t addr)
{
	if (w->is_unloaded && modules_find(&w->unloaded.modules, addr))
		return NULL;
	return string_at(w, addr);
}

static enum status add_site(struct walk *w, uint64_t addr, const struct tag *tag)
{
	struct site *s = &w->tags->sites[w->tags->n];

	if (w->tags->n == w->room)
		return dump_corrupt(w->dump, "the alloc tags moved while being counted");
	s->tag = addr;
	s->counters = tag->counters;
	s->flags = tag->flags;
	s->line = tag->line;
	s->in_module = tag->module != 0;
	s->module = s->in_module ? name_at(w, tag->module) : "vmlinux";
	s->function = name_at(w, tag->function);
	s->file = name_at(w, tag->file);
	s->loaded = !w->is_unloaded;
	s->unloaded = w->is_unloaded;
	s->readable = !w->is_stale;
	w->tags->unnamed += s->loaded && !s->function && !s->file;
	w->tags->stale += w->is_stale;
	w->tags->unloaded += w->is_unloaded;
	w->tags->n++;
	return ST_OK;
}

static enum status read_range(struct walk *w, uint64_t cmod, uint64_t *start, uint64_t *stop)
{
	enum status st = dump_u64(w->dump, cmod + w->f[CM_START].offset, start, "codetag_module")
				 ?: dump_u64(w->dump, cmod + w->f[CM_STOP].offset, stop,
					     "codetag_module");

	if (st != ST_OK)
		return st;
	if (*stop < *start || (*stop - *start) % w->tag_size ||
	    (*stop - *start) / w->tag_size > MAX_SITES)
		return dump_corrupt(w->dump, "alloc tags from %#lx to %#lx", *start, *stop);
	return ST_OK;
}

/* Keeps the first problem of a module for a warning: tags of other modules are read. */
static enum status keep_problem(struct walk *w, enum status st)
{
	if (st != ST_UNREADABLE && st != ST_CORRUPT)
		return st;
	if (!w->tags->problem)
		w->tags->problem = dump_why(w->dump);
	w->problem = st;
	return ST_OK;
}

static enum status count_range(struct walk *w, uint64_t start, uint64_t stop)
{
	w->room += (stop - start) / w->tag_size;
	if (w->room > MAX_SITES)
		return dump_corrupt(w->dump, "more than %d alloc tags", MAX_SITES);
	return ST_OK;
}

/* The tags of vmlinux or of a module that is loaded. */
struct counted {
	uint64_t stop;
	bool added;
};

static enum status count_loaded(struct walk *w, uint64_t start, uint64_t stop)
{
	struct counted *c = hash_u64_get(&w->seen, start, NULL);

	c->stop = stop;
	return count_range(w, start, stop);
}

static enum status count_module(struct walk *w, uint64_t index, uint64_t cmod)
{
	uint64_t start, stop, mod;
	enum status st = read_range(w, cmod, &start, &stop)
				 ?: dump_u64(w->dump, cmod + w->f[CM_MOD].offset, &mod,
					     "codetag_module");

	if (st != ST_OK)
		return keep_problem(w, st);
	decoder_trace(w->dump, "value  codetag_module %lu: %lu tags from %#lx", index,
		      (stop - start) / w->tag_size, start);
	w->has_vmlinux |= start == w->tags->vmlinux_start;
	w->tags->modules += mod != 0;
	return count_loaded(w, start, stop);
}

static enum status add_range(struct walk *w, uint64_t start, uint64_t stop)
{
	enum status st = ST_OK;

	read_window_table(&w->window, stop);
	for (; st == ST_OK && start < stop; start += w->tag_size) {
		const uint8_t *raw = read_window_at(&w->window, start, w->tag_size);
		struct tag tag;

		if (raw)
			st = struct_decode(&w->layout.tag, start, raw, &tag);
		/* Of a module that is gone only tags in use have counters. */
		if (w->is_unloaded && raw && !tag.counters)
			continue;
		st = raw ? add_site(w, start, &tag)
			 : keep_problem(w,
					dump_unreadable(w->dump,
							"the alloc tag at %#lx is not in this dump",
							start));
	}
	return keep_problem(w, st);
}

static enum status add_loaded(struct walk *w, uint64_t start)
{
	struct counted *c = hash_u64_get(&w->seen, start, NULL);

	if (c->added)
		return ST_OK;
	c->added = true;
	return add_range(w, start, c->stop);
}

static enum status add_module(struct walk *w, uint64_t cmod)
{
	uint64_t start, stop;
	enum status st = read_range(w, cmod, &start, &stop);

	/* What cannot be read was told when the tags were counted. */
	if (st == ST_UNREADABLE || st == ST_CORRUPT)
		return ST_OK;
	return st ?: add_loaded(w, start);
}

static enum status count_by_symbols(void *arg, uint64_t start, uint64_t stop)
{
	struct walk *w = arg;

	if (hash_u64_has(&w->seen, start))
		return ST_OK;
	if ((stop - start) % w->tag_size)
		return dump_corrupt(w->dump, "alloc tags from %#lx to %#lx", start, stop);
	w->tags->modules++;
	return count_loaded(w, start, stop);
}

/* Modules that the tree does not reach. All loaded modules being known, no tags are missing. */
static enum status find_behind(struct walk *w)
{
	const char *problem = w->tags->problem;
	enum status st = module_tags_walk(w->dump, count_by_symbols, w);

	decoder_trace(w->dump, "decide tags of modules by their symbols: %s", problem);
	if (st == ST_OK)
		w->tags->problem = NULL;
	return st == ST_STOPPED ? st : ST_OK;
}

/*
 * The tags of vmlinux, by its symbols, should the tree be damaged
 * (include/asm-generic/codetag.lds.h).
 */
static void find_vmlinux(struct walk *w)
{
	if (dump_symbol(w->dump, "__start_alloc_tags", &w->tags->vmlinux_start) != ST_OK ||
	    dump_symbol(w->dump, "__stop_alloc_tags", &w->tags->vmlinux_stop) != ST_OK ||
	    w->tags->vmlinux_stop < w->tags->vmlinux_start ||
	    (w->tags->vmlinux_stop - w->tags->vmlinux_start) % w->tag_size)
		w->tags->vmlinux_start = w->tags->vmlinux_stop = 0;
}

/* CPU by CPU, so that the counters of one are read in a row. */
static enum status sum_counters(struct walk *w)
{
	struct codetags *tags = w->tags;
	size_t span = layout_span(&w->f[C_BYTES], 2);
	struct percpu cpus;
	enum status st = percpu_open(w->dump, &cpus);

	if (st == ST_OK && span > 64)
		st = dump_unknown(w->dump, "alloc_tag_counters");
	if (st != ST_OK)
		return st;
	tags->cpus = cpus.n;
	for (unsigned int cpu = 0; cpu < cpus.n; cpu++) {
		read_window_table(&w->window, 0);
		for (size_t i = 0; i < tags->n; i++) {
			struct site *s = &tags->sites[i];
			const uint8_t *raw;

			if (!s->counters || !s->readable)
				continue;
			raw = read_window_at(&w->window, s->counters + cpus.offset[cpu], span);
			s->readable = raw;
			if (!raw)
				continue;
			/* One CPU allocates, another frees: only the sum means something. */
			s->bytes += field_get(&w->f[C_BYTES], raw);
			s->calls += field_get(&w->f[C_CALLS], raw);
			if (!(i & 65535) && dump_stopped(w->dump))
				return ST_STOPPED;
		}
	}
	for (size_t i = 0; i < tags->n; i++)
		tags->unreadable += !tags->sites[i].readable;
	/* Counters of stale sites were not read. */
	tags->unreadable -= tags->stale;
	return ST_OK;
}

static enum status count_unloaded(struct walk *w)
{
	enum status st = unloaded_tags_open(w->dump, &w->unloaded);

	w->tags->lists_unloaded = st != ST_ABSENT;
	if (st == ST_ABSENT)
		return ST_OK;
	if (st != ST_OK) {
		w->unloaded.n = 0;
		return keep_problem(w, st == ST_UNKNOWN ? ST_CORRUPT : st);
	}
	for (size_t i = 0; st == ST_OK && i < w->unloaded.n; i++) {
		struct tag_range *r = &w->unloaded.ranges[i];

		/* What is behind the last whole one is padding. */
		r->stop -= (r->stop - r->start) % w->tag_size;
		st = count_range(w, r->start, r->stop);
	}
	return st;
}

static enum status add_unloaded(struct walk *w)
{
	enum status st = ST_OK;

	if (!w->unloaded.n)
		return ST_OK;
	w->is_unloaded = true;
	w->is_stale = !w->unloaded.keeps_counters;
	for (size_t i = 0; st == ST_OK && i < w->unloaded.n; i++)
		st = add_range(w, w->unloaded.ranges[i].start, w->unloaded.ranges[i].stop);
	return st;
}

static enum status read_tags(struct walk *w, uint64_t cttype)
{
	struct dump *d = w->dump;
	struct xa_entries x;
	uint64_t head, index, cmod;
	enum status st = dump_u64(d, cttype + w->f[T_IDR].offset, &head, "codetag_type")
				 ?: dump_u64(d, cttype + w->f[T_TAG_SIZE].offset, &w->tag_size,
					     "codetag_type");

	if (st != ST_OK)
		return st;
	if (w->tag_size < w->layout.tag.end || w->tag_size > MAX_TAG_BYTES)
		return dump_corrupt(d, "alloc tags of %lu bytes", w->tag_size);
	find_vmlinux(w);
	for (xa_begin(&x, d, head); st == ST_OK && xa_next(&x, &index, &cmod);)
		st = count_module(w, index, cmod);
	st = keep_problem(w, st ?: xa_end(&x));
	if (st == ST_OK && !w->has_vmlinux)
		st = count_loaded(w, w->tags->vmlinux_start, w->tags->vmlinux_stop);
	if (st == ST_OK && w->tags->problem)
		st = find_behind(w);
	st = st ?: count_unloaded(w);
	if (st != ST_OK)
		return st;
	w->tags->sites = dump_alloc(d, w->room * sizeof(*w->tags->sites));
	st = ST_OK;
	if (!w->has_vmlinux)
		st = add_loaded(w, w->tags->vmlinux_start);
	for (xa_begin(&x, d, head); st == ST_OK && xa_next(&x, &index, &cmod);)
		st = add_module(w, cmod);
	st = st ?: xa_end(&x);
	if (st == ST_UNREADABLE || st == ST_CORRUPT)
		st = ST_OK;
	for (struct hash_u64_entry *e = w->seen.first; st == ST_OK && e; e = e->next)
		st = add_loaded(w, e->key);
	st = st ?: add_unloaded(w);
	if (st == ST_OK && !w->tags->n && w->tags->problem)
		return dump_fail(d, w->problem, "%s", w->tags->problem);
	return st ?: sum_counters(w);
}

static enum status find_type(struct dump *d, uint64_t *ret, enum availability *why)
{
	enum status st;

	*why = NOT_BUILT;
	/* Its types are in kernels without it. */
	if (!dump_has_symbol(d, "alloc_tag_cttype") &&
	    !dump_has_symbol(d, "mem_alloc_profiling_key"))
		return dump_absent(
			d,
			"this kernel was built without memory allocation profiling (CONFIG_MEM_ALLOC_PROFILING)");
	st = dump_value(d, "alloc_tag_cttype", ret);
	*why = OFF_AT_BOOT;
	/* NULL if it was not supported at boot (6.17 and later), an error number if it failed. */
	if (st == ST_OK && (!*ret || *ret > -4096ULL)) {
		struct codetag_state state;

		codetag_state_read(d, &state);
		return dump_absent(d, "%s", codetag_reason(&state));
	}
	return st;
}

/*
 * The flag is a macro, which debug information does not have: the kernel has it if it
 * prints it. Before, flags are always 0.
 */
static bool find_flag(struct dump *d, const struct codetags *tags)
{
	static const struct rodata_part mark = { " accurate:no", " accurate:no" };
	const char *text;

	return ANY_OF(i, tags->n, tags->sites[i].flags & SITE_INACCURATE) ||
	       (rodata_find(d, &mark, &text, 1) == ST_OK && text);
}

bool codetags_have_flag(struct dump *d, const struct codetags *tags)
{
	if (!tags->flag)
		return false;
	if (!tags->flag->is_known)
		*tags->flag = (struct codetag_flag){ true, find_flag(d, tags) };
	return tags->flag->has;
}

enum status codetags_open(struct dump *d, struct codetags *ret, enum availability *why)
{
	struct codetags tags = { 0 };
	struct walk w = { .dump = d, .tags = &tags };
	uint64_t cttype;
	enum status st = find_type(d, &cttype, why);

	if (st == ST_ABSENT)
		return st;
	st = st ?: layout_resolve(d, rows, T_FIELDS, w.f) ?: STRUCTS_OPEN(d, tag_rows, &w.layout);
	tags.bytes = w.f[C_BYTES];
	tags.calls = w.f[C_CALLS];
	st = st ?: static_key_read(d, "mem_alloc_profiling_key", &tags.on);
	if (st == ST_OK)
		read_window_init(&w.window, d);
	hash_u64_init(&w.strings, d->arena, sizeof(const char *));
	hash_u64_init(&w.seen, d->arena, sizeof(struct counted));
	st = st ?: read_tags(&w, cttype);
	tags.flag = dump_alloc(d, sizeof(*tags.flag));
	*why = availability_of(st);
	return RESULT(st, ret, tags);
}

enum { START, STOP, BOUNDS };

enum status module_tags_walk(struct dump *d,
			     enum status (*visit)(void *arg, uint64_t start, uint64_t stop),
			     void *arg)
{
	static const char *const names[BOUNDS] = { "__start_alloc_tags", "__stop_alloc_tags" };
	struct modules modules;
	enum status st = modules_open(d, &modules);
	bool whole = st == ST_OK;

	for (struct module *m = modules.first; m; m = m->next) {
		uint64_t bounds[BOUNDS];

		st = modules_symbols(&modules, m, names, BOUNDS, bounds);
		if (st == ST_OK && bounds[START] && bounds[STOP])
			st = bounds[START] < bounds[STOP] ? visit(arg, bounds[START], bounds[STOP])
							  : ST_OK;
		else
			whole = false;
		if (st == ST_STOPPED)
			return st;
		whole &= st == ST_OK;
	}
	return whole ? ST_OK : dump_unreadable(d, "the alloc tags of some modules are unknown");
}

#define MAX_TEXT 256	 /* a path in the source tree, or a function */
#define MAX_LINE 1000000 /* of a source file */

/* A name of source or of a module: nothing that cannot be printed, and no spaces. */
static const char *read_name(struct dump *d, uint64_t addr)
{
	char text[MAX_TEXT];

	if (!addr || dump_string(d, addr, text, sizeof(text), "name of an alloc tag") != ST_OK ||
	    !*text)
		return NULL;
	for (const char *p = text; *p; p++)
		if (!isgraph((unsigned char)*p))
			return NULL;
	return dump_strdup(d, text);
}

enum status tag_read(struct dump *d, uint64_t tag, struct site *ret)
{
	struct site site = { .tag = tag, .in_module = true };
	struct tag_layout layout;
	struct tag t;
	enum status st = STRUCTS_OPEN(d, tag_rows, &layout) ?: struct_read(&layout.tag, tag, &t);

	if (st != ST_OK)
		return st;
	site.line = t.line;
	site.module = read_name(d, t.module);
	site.function = read_name(d, t.function);
	site.file = read_name(d, t.file);
	if (!site.line || site.line > MAX_LINE || !site.function || !site.file ||
	    !strchr(site.file, '.'))
		return dump_corrupt(d, "%#lx is no alloc tag", tag);
	*ret = site;
	return ST_OK;
}
