// SPDX-License-Identifier: GPL-2.0-or-later
#include "symbols/symbolize.h"

#include <string.h>

static void find_image(struct symbolizer *s)
{
	struct dump *d = s->dump;

	if (dump_symbol(d, "_stext", &s->start) != ST_OK ||
	    dump_symbol(d, "_end", &s->end) != ST_OK)
		s->start = s->end = 0;
	if (dump_symbol(d, "_sinittext", &s->init_start) != ST_OK ||
	    dump_symbol(d, "_einittext", &s->init_end) != ST_OK)
		s->init_start = s->init_end = 0;
}

static enum frame_label label_of(const struct symbolizer *s, const struct frame *f)
{
	if (f->module)
		return LABEL_NONE;
	if (f->addr >= s->init_start && f->addr < s->init_end)
		return LABEL_INIT;
	if (f->symbol || !s->end || (f->addr >= s->start && f->addr < s->end))
		return LABEL_NONE;
	return s->knows_modules ? LABEL_GONE : LABEL_UNKNOWN;
}

void symbolizer_open(struct dump *d, struct symbolizer *ret)
{
	enum status st;

	memset(ret, 0, sizeof(*ret));
	ret->dump = d;
	hash_u64_init(&ret->cache, d->arena, sizeof(struct frame));
	ret->has_kallsyms = kallsyms_open(d, &ret->kallsyms) == ST_OK;
	if (!ret->has_kallsyms)
		decoder_trace(d, "decide symbols from vmlinux: %s", d->error);
	find_image(ret);
	st = modules_open(d, &ret->modules);
	ret->knows_modules = st == ST_OK || st == ST_ABSENT;
	if (st != ST_OK && st != ST_ABSENT) {
		decoder_trace(d, "decide modules end early: %s", d->error);
		ret->problem = arena_strdup(d->arena, d->error);
	}
}

static enum status look_up(struct symbolizer *s, uint64_t addr, struct frame *f, struct symbol *sym)
{
	struct dump *d = s->dump;
	struct module *mod = modules_find(&s->modules, addr);

	if (s->lines)
		f->source = lines_of_call(s->lines, addr, mod);
	if (mod) {
		f->module = mod->name;
		return modules_lookup(&s->modules, mod, addr, sym);
	}
	if (s->has_kallsyms)
		return kallsyms_lookup(&s->kallsyms, addr, sym);
	return d->ops->closest(d->priv, addr, sym);
}

const struct frame *symbolize(struct symbolizer *s, uint64_t addr)
{
	struct symbol sym = { 0 };
	struct frame *f;
	bool is_new;

	f = hash_u64_get(&s->cache, addr, &is_new);
	if (!f || !is_new)
		return f;
	f->addr = addr;
	if (look_up(s, addr, f, &sym) == ST_OK && sym.address <= addr) {
		f->symbol = sym.name;
		f->offset = addr - sym.address;
		f->size = sym.size;
	}
	f->label = label_of(s, f);
	s->has_gone |= f->label == LABEL_GONE;
	return f;
}
