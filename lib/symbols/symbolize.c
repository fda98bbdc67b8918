// SPDX-License-Identifier: GPL-2.0-or-later
#include "symbols/symbolize.h"

#include "symbols/allocators.h"

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

/* The text of a module's init: where it was, though the kernel freed it. */
struct init_text {
	uint64_t start;
};

#define INIT_BYTES (64 << 10) /* more than the init text of any module */

/* A kernel without modules has no addresses of them. */
static void miss_inits(struct symbolizer *s, enum status st)
{
	if (st == ST_OK || st == ST_ABSENT || (st == ST_UNKNOWN && !s->modules.n))
		return;
	s->inits_missing = true;
	if (st != ST_STOPPED)
		dump_lacks(s->dump, "modules of some functions", st, "%s", s->dump->error);
}

/*
 * Known are those of all modules, or none: of a module that was unloaded nothing is left that tells
 * where its init was.
 */
static void find_inits(struct symbolizer *s)
{
	struct dump *d = s->dump;
	char name[MODULE_NAME];
	struct init_text *inits;
	enum status st;
	size_t n = 0;

	s->tried_inits = true;
	st = modules_last_unloaded(d, name);
	miss_inits(s, st);
	if (st != ST_ABSENT)
		return;
	inits = dump_alloc(d, (s->modules.n + 1) * sizeof(*inits));
	for (const struct module *m = s->modules.first; m; m = m->next) {
		struct module_sections sections;

		st = module_sections_read(d, m->address, &sections);
		miss_inits(s, st);
		if (st != ST_OK)
			return;
		if (!module_section_find(&sections, ".init.text", &inits[n++].start))
			inits[n - 1].start = 0;
	}
	s->inits = inits;
}

/* The module in whose init an address was; NULL: none, or more than one. */
static const struct module *module_of_init(struct symbolizer *s, uint64_t addr)
{
	const struct module *found = NULL;
	size_t i = 0;

	if (!s->tried_inits)
		find_inits(s);
	for (const struct module *m = s->modules.first; s->inits && m; m = m->next, i++) {
		if (!s->inits[i].start || addr - s->inits[i].start >= INIT_BYTES)
			continue;
		if (found)
			return NULL;
		found = m;
	}
	return found;
}

/*
 * Modules are where a relative call reaches them: arm64 has them on both sides of the image, within 4 GiB
 * by ADRP (arch/arm64/kernel/module.c), x86_64 above it up to MODULES_END (asm/pgtable_64_types.h).
 */
#define REACH (4ULL << 30)
#define X86_MODULES_END 0xffffffffff000000ULL

static bool may_be_of_module(const struct symbolizer *s, uint64_t addr)
{
	if (s->dump->arch && !strcmp(s->dump->arch, "x86_64"))
		return addr >= s->end && addr < X86_MODULES_END;
	return addr < s->start ? s->start - addr <= REACH : addr - s->end <= REACH;
}

static bool has_own_image(const struct symbolizer *s)
{
	for (const struct module *m = s->modules.first; m; m = m->next)
		for (unsigned int i = 0; i < m->nranges; i++)
			if (s->start - m->ranges[i].base < m->ranges[i].size ||
			    m->ranges[i].base - s->start < s->end - s->start)
				return false;
	return true;
}

/* Of the image: symbolize() finds no module there, and text that is. */
static bool is_of_image(const struct symbolizer *s, uint64_t addr)
{
	return s->has_own_image && addr >= s->start && addr < s->end;
}

static enum frame_label label_of(const struct symbolizer *s, const struct frame *f)
{
	if (f->module)
		return LABEL_NONE;
	if (f->addr >= s->init_start && f->addr < s->init_end)
		return LABEL_INIT;
	if (f->symbol || !s->end || (f->addr >= s->start && f->addr < s->end) ||
	    !may_be_of_module(s, f->addr))
		return LABEL_NONE;
	return s->knows_modules ? LABEL_GONE : LABEL_UNKNOWN;
}

void symbolizer_open(struct dump *d, struct symbolizer *ret)
{
	enum status st;

	*ret = (struct symbolizer){ .dump = d };
	hash_u64_init(&ret->cache, d->arena, sizeof(struct frame));
	ret->has_kallsyms = kallsyms_open(d, &ret->kallsyms) == ST_OK;
	if (!ret->has_kallsyms)
		decoder_trace(d, "decide symbols from vmlinux: %s", d->error);
	find_image(ret);
	st = modules_open(d, &ret->modules);
	ret->has_own_image = has_own_image(ret);
	ret->knows_modules = st == ST_OK || st == ST_ABSENT;
	if (st != ST_OK && st != ST_ABSENT) {
		decoder_trace(d, "decide modules end early: %s", d->error);
		ret->problem = dump_why(d);
		/* Where no type is known each answer says so. */
		if (!dump_has_no_types(d))
			dump_lacks(d, "names of some modules", st, "%s", d->error);
	}
}

static enum status look_up(struct symbolizer *s, uint64_t addr, struct frame *f, struct symbol *sym)
{
	struct module *mod = modules_find(&s->modules, addr);

	if (s->lines)
		f->source = lines_of_call(s->lines, addr, mod);
	if (mod) {
		f->module = mod->name;
		return modules_lookup(&s->modules, mod, addr, sym);
	}
	/* A vmlinux may have a name that is damaged there. */
	if (s->has_kallsyms) {
		enum status st = kallsyms_lookup(&s->kallsyms, addr, sym);

		if (st != ST_CORRUPT)
			return st;
	}
	return dump_ask(s->dump, closest, addr, sym);
}

const struct frame *symbolize(struct symbolizer *s, uint64_t addr)
{
	struct symbol sym = { 0 };
	bool is_new;
	struct frame *f = hash_u64_get(&s->cache, addr, &is_new);

	if (!is_new)
		return f;
	f->addr = addr;
	if (look_up(s, addr, f, &sym) == ST_OK && sym.address <= addr) {
		f->symbol = sym.name;
		f->offset = addr - sym.address;
		f->size = sym.size;
		f->allocates = allocators_has(sym.name);
	}
	f->label = label_of(s, f);
	if (f->label == LABEL_GONE) {
		const struct module *m = module_of_init(s, addr);

		f->module = m ? m->name : NULL;
		f->label = m ? LABEL_INIT : s->inits_missing ? LABEL_UNKNOWN : LABEL_GONE;
	}
	s->has_gone |= f->label == LABEL_GONE;
	return f;
}

const struct stack *symbolize_stack(struct symbolizer *s, const uint64_t *addrs, unsigned int n)
{
	struct stack *stack = dump_alloc(s->dump, sizeof(*stack));

	stack->frames = dump_alloc(s->dump, n * sizeof(*stack->frames));
	stack->n = n;
	for (unsigned int i = 0; i < n; i++)
		stack->frames[i] = symbolize(s, addrs[i]);
	return stack;
}

enum status stack_cache_open(struct dump *d, struct stack_cache *ret)
{
	enum status st;

	*ret = (struct stack_cache){ .dump = d };
	hash_u64_init(&ret->cache, d->arena, sizeof(struct cached_stack));
	st = depot_open(d, &ret->depot);
	if (st == ST_OK)
		symbolizer_open(d, &ret->symbols);
	return st;
}

void stack_cache_with_lines(struct stack_cache *s, const char *dir)
{
	lines_open(s->dump, dir, &s->lines);
	s->symbols.lines = &s->lines;
	/* Opens the debug file of vmlinux for the trace of -D; no frame has the address 0. */
	if (s->dump->tracing)
		lines_of_call(&s->lines, 0, NULL);
}

static void name_frames(struct stack_cache *s, const struct depot_stack *record, struct stack *ret)
{
	ret->n = record->n;
	ret->cut = s->depth_limit && record->n >= s->depth_limit ? s->depth_limit : 0;
	ret->frames = dump_alloc(s->dump, record->n * sizeof(*ret->frames));
	for (unsigned int i = 0; i < record->n; i++) {
		ret->frames[i] = symbolize(&s->symbols, record->frames[i]);
	}
}

bool stack_cache_owner(struct stack_cache *s, uint32_t handle, struct stack_owner *ret)
{
	uint64_t addrs[DEPOT_MAX_FRAMES];
	const struct frame *frames[DEPOT_MAX_FRAMES];
	struct stack told = { .frames = frames };
	unsigned int n;

	*ret = (struct stack_owner){ 0 };
	if (depot_fetch_into(&s->depot, handle, addrs, &n) != ST_OK)
		return false;
	/* Behind the caller a frame of the image tells nothing more. */
	for (unsigned int i = 0; i < n; i++) {
		if (ret->caller && is_of_image(&s->symbols, addrs[i]))
			continue;
		frames[told.n++] = symbolize(&s->symbols, addrs[i]);
		if (!ret->caller && !frames[told.n - 1]->allocates)
			ret->caller = frames[told.n - 1];
	}
	ret->module = stack_module(&told);
	return true;
}

struct cached_stack *stack_cache_get(struct stack_cache *s, uint32_t handle)
{
	bool is_new;
	struct cached_stack *k = hash_u64_get(&s->cache, handle, &is_new);

	if (is_new)
		k->decoded = depot_fetch(&s->depot, handle, &k->record) == ST_OK;
	return k;
}

struct cached_stack *stack_cache_add(struct stack_cache *s, const struct depot_stack *record)
{
	struct cached_stack *k = hash_u64_get(&s->cache, record->handle, NULL);

	if (!k->decoded) {
		k->record = *record;
		k->decoded = depot_frames(&s->depot, &k->record) == ST_OK;
	}
	return k;
}

const struct stack *stack_cache_frames(struct stack_cache *s, struct cached_stack *k)
{
	if (!k || !k->decoded)
		return NULL;
	if (!k->named)
		name_frames(s, &k->record, &k->stack);
	k->named = true;
	return &k->stack;
}
