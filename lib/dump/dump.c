// SPDX-License-Identifier: GPL-2.0-or-later
#include "dump/dump.h"

void dump_init(struct dump *d, const struct dump_ops *ops, void *priv, struct arena *arena)
{
	*d = (struct dump){ .ops = ops, .priv = priv, .arena = arena, .page_shift = 12 };
	d->last_trace = &d->trace;
}

void dump_beside(const struct dump *d, struct arena *arena, struct dump *ret)
{
	dump_init(ret, d->ops, d->priv, arena);
	ret->page_shift = d->page_shift;
	ret->arch = d->arch;
	ret->linear_only = d->linear_only;
	ret->load_module = d->load_module;
	ret->module_types = d->module_types;
}

/* Where no types are known that is why a layout is not, whatever member was asked for first. */
bool dump_has_no_types(const struct dump *d)
{
	return d->ops && d->ops->unknown_types && d->ops->unknown_types(d->priv);
}

static const char *unknown_types(const struct dump *d, enum status st)
{
	return st == ST_UNKNOWN && d->ops && d->ops->unknown_types ? d->ops->unknown_types(d->priv)
								   : NULL;
}

enum status dump_fail(struct dump *d, enum status st, const char *fmt, ...)
{
	const char *why = unknown_types(d, st);
	va_list ap;

	va_start(ap, fmt);
	if (why)
		snprintf(d->error, sizeof(d->error), "%s", why);
	else
		vsnprintf(d->error, sizeof(d->error), fmt, ap);
	va_end(ap);
	if (d->asking)
		snprintf(d->asking->error, sizeof(d->asking->error), "%s", d->error);
	return st;
}

enum status dump_no_memory(struct dump *d NOT_USED)
{
	arena_fail(0);
}

struct guarded {
	struct dump *dump;
	enum status (*fn)(struct dump *d, void *arg);
	void *arg;
	enum status st;
};

static void call(void *arg)
{
	struct guarded *g = arg;

	g->st = g->fn(g->dump, g->arg);
}

enum status dump_guard(struct dump *d, enum status (*fn)(struct dump *d, void *arg), void *arg)
{
	struct guarded g = { d, fn, arg, ST_OK };
	size_t bytes;

	if (arena_try(call, &g, &bytes))
		return g.st;
	return bytes ? dump_fail(d, ST_NOMEM, "out of memory (%zu bytes more)", bytes)
		     : dump_fail(d, ST_NOMEM, "out of memory");
}

void dump_lacks(struct dump *d, const char *part, enum status st, const char *fmt, ...)
{
	struct dump_gap **at = &d->gaps, *gap;
	char buf[DUMP_ERROR];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(buf, sizeof(buf), fmt, ap);
	va_end(ap);
	if (d->asking)
		dump_lacks(d->asking, part, st, "%s", buf);
	for (; *at; at = &(*at)->next)
		if (!strcmp((*at)->part, part))
			return;
	gap = arena_alloc(d->arena, sizeof(*gap));
	*gap = (struct dump_gap){ NULL, part, dump_strdup(d, buf),
				  st == ST_ABSENT ? ST_UNKNOWN : st };
	if (gap->reason)
		*at = gap;
}

void dump_remark(struct dump *d, const char *fmt, ...)
{
	char text[DUMP_ERROR];
	va_list ap;

	if (!d->ops->remark)
		return;
	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	dump_ask(d, remark, text);
}

const char *dump_load_module(struct dump *d, const char *name)
{
	return d->load_module ? dump_text(d, ": %s %s", d->load_module, name) : "";
}

void decoder_trace(struct dump *d, const char *fmt, ...)
{
	char text[512];
	struct trace_line *n;
	va_list ap;

	if (!d->tracing)
		return;
	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	n = arena_alloc(d->arena, sizeof(*n) + strlen(text) + 1);
	strcpy(n->text, text);
	*d->last_trace = n;
	d->last_trace = &n->next;
}

/* Through the page tables, page by page. */
static enum status read_translated(struct dump *d, uint64_t addr, void *buf, size_t len)
{
	while (len) {
		size_t room = dump_page_size(d) - (addr & (dump_page_size(d) - 1));
		size_t part = len < room ? len : room;
		uint64_t phys;

		if (d->translate(d, addr, &phys) != ST_OK ||
		    dump_ask(d, read_phys, phys, buf, part) != ST_OK)
			return ST_UNREADABLE;
		addr += part;
		buf = (char *)buf + part;
		len -= part;
	}
	return ST_OK;
}

enum status dump_phys(struct dump *d, uint64_t addr, uint64_t *ret)
{
	enum status st = d->translate ? d->translate(d, addr, ret) : ST_ABSENT;

	return st == ST_ABSENT ? dump_ask(d, virt_to_phys, addr, ret) : st;
}

enum status dump_try(struct dump *d, uint64_t addr, void *buf, size_t len)
{
	uint64_t phys;
	enum status where = d->translate ? d->translate(d, addr, &phys) : ST_ABSENT;

	if (where == ST_ABSENT)
		return dump_ask(d, read, addr, buf, len);
	return where == ST_OK ? read_translated(d, addr, buf, len) : where;
}

enum status dump_read(struct dump *d, uint64_t addr, void *buf, size_t len, const char *what)
{
	if (!len || addr + len < addr)
		return dump_corrupt(d, "%s: impossible range %#lx + %zu", what, addr, len);
	if (dump_try(d, addr, buf, len) != ST_OK)
		return dump_unreadable(d, "%s at %#lx is not in this dump", what, addr);
	return ST_OK;
}

static bool is_blank(const uint8_t *b, size_t len)
{
	return (*b == 0 || *b == 0xff) && !memcmp(b, b + 1, len - 1);
}

/* Whether the page of an address is full of zeros, or of ones. */
static bool dump_is_blank(struct dump *d, uint64_t addr)
{
	uint64_t page = addr & ~(dump_page_size(d) - 1);
	uint8_t part[1 << 12], first = 0;

	for (uint64_t at = 0; at < dump_page_size(d); at += sizeof(part)) {
		if (dump_try(d, page + at, part, sizeof(part)) != ST_OK ||
		    !is_blank(part, sizeof(part)) || (at && *part != first))
			return false;
		first = *part;
	}
	return true;
}

enum status dump_check(struct dump *d, uint64_t addr, const void *copy, size_t len,
		       const char *what)
{
	if (!is_blank(copy, len) || !dump_is_blank(d, addr))
		return ST_OK;
	return dump_corrupt(d, "%s at %#lx: each byte of its page is %#x", what, addr,
			    *(const uint8_t *)copy);
}

enum status dump_u32(struct dump *d, uint64_t addr, uint32_t *ret, const char *what)
{
	uint8_t b[4];

	return RESULT(dump_read(d, addr, b, sizeof(b), what), ret, le32(b));
}

enum status dump_u64(struct dump *d, uint64_t addr, uint64_t *ret, const char *what)
{
	uint8_t b[8];

	return RESULT(dump_read(d, addr, b, sizeof(b), what), ret, le64(b));
}

enum status dump_string(struct dump *d, uint64_t addr, char *buf, size_t size, const char *what)
{
	size_t done = 0;

	/* Page by page: what follows the string may not be in the dump. */
	while (done < size) {
		size_t room = dump_page_size(d) - ((addr + done) & (dump_page_size(d) - 1));
		size_t len = size - done < room ? size - done : room;
		enum status st = dump_read(d, addr + done, buf + done, len, what);

		if (st != ST_OK)
			return st;
		if (memchr(buf + done, '\0', len))
			return done ? ST_OK : dump_check(d, addr, buf, 1, what);
		done += len;
	}
	return dump_corrupt(d, "%s at %#lx does not end within %zu bytes", what, addr, size);
}

/*
 * A reader of the dump that does not find out how far KASLR moved the kernel follows
 * pointers to something else, and all of it may look like an empty machine.
 * init_mm.pgd points to the kernel's own page tables (mm/init-mm.c): a pointer of the
 * dump, as the kernel was moved, to a symbol, as vmlinux was. ST_UNREADABLE: its page is full of zeros, or of ones.
 */
static enum status check_tables(struct dump *d, char *what, size_t size)
{
	static const char *const names[] = { "init_top_pgt", "swapper_pg_dir" };
	struct field pgd;
	uint64_t addr, tables;
	uint8_t raw[8];
	bool is_lost;

	if (dump_ask(d, symbol, "init_mm", &addr) != ST_OK ||
	    dump_ask(d, member, "struct mm_struct", "pgd", &pgd) != ST_OK ||
	    dump_try(d, addr + pgd.offset, raw, sizeof(raw)) != ST_OK)
		return ST_ABSENT;
	is_lost = is_blank(raw, sizeof(raw)) && dump_is_blank(d, addr + pgd.offset);
	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		if (dump_ask(d, symbol, names[i], &tables) != ST_OK)
			continue;
		snprintf(what, size, "init_mm.pgd is %#lx, not %#lx", le64(raw), tables);
		return le64(raw) == tables ? ST_OK : is_lost ? ST_UNREADABLE : ST_CORRUPT;
	}
	return ST_ABSENT;
}

/* Where init_mm is not in the dump: what every kernel says of itself. */
static enum status check_banner(struct dump *d, char *what, size_t size)
{
	static const char start[] = "Linux version ";
	char raw[sizeof(start) - 1];
	uint64_t addr;

	if (dump_ask(d, symbol, "linux_banner", &addr) != ST_OK ||
	    dump_try(d, addr, raw, sizeof(raw)) != ST_OK)
		return ST_ABSENT;
	/* crash may be told to read pages that are missing as zeros. */
	if (!*raw && !d->ops->places_symbols)
		return ST_ABSENT;
	snprintf(what, size, "linux_banner at %#lx is none", addr);
	return memcmp(raw, start, sizeof(raw)) ? ST_CORRUPT : ST_OK;
}

enum status dump_symbols_fit(struct dump *d)
{
	char what[128] = "", of_banner[128];

	if (d->symbols != SYMBOLS_FIT) {
		enum status st = check_tables(d, what, sizeof(what));

		if (st == ST_ABSENT)
			st = check_banner(d, what, sizeof(what));
		/* One page that is damaged says nothing of others: the banner does. */
		else if (st == ST_UNREADABLE)
			st = check_banner(d, of_banner, sizeof(of_banner)) == ST_OK ? ST_OK
										    : ST_CORRUPT;
		d->symbols = st == ST_CORRUPT ? SYMBOLS_DISAGREE : SYMBOLS_FIT;
	}
	if (d->symbols == SYMBOLS_FIT)
		return ST_OK;
	if (d->ops->places_symbols)
		return dump_corrupt(
			d,
			"the kernel's image is damaged in this dump, or VMCOREINFO leads "
			"elsewhere: %s",
			what);
	return dump_corrupt(
		d,
		"symbols of vmlinux do not fit this dump: they were not moved as KASLR moved the kernel, or it is another kernel's");
}

enum status dump_symbol(struct dump *d, const char *name, uint64_t *ret)
{
	enum status st = dump_ask(d, symbol, name, ret);

	if (st == ST_UNREADABLE)
		return dump_fail(d, st, "the address of %s is unknown: symbols are missing", name);
	if (st != ST_OK)
		return dump_unknown(d, "this kernel has no symbol %s", name);
	st = dump_symbols_fit(d);
	if (st != ST_OK)
		return st;
	decoder_trace(d, "symbol %s %#lx", name, *ret);
	return ST_OK;
}

bool dump_has_symbol(struct dump *d, const char *name)
{
	uint64_t addr;

	return dump_ask(d, symbol, name, &addr) != ST_ABSENT;
}

bool dump_knows_symbol(struct dump *d, const char *name)
{
	uint64_t addr;

	return dump_ask(d, symbol, name, &addr) == ST_OK;
}

uint64_t dump_type_bytes(struct dump *d, const char *type)
{
	uint64_t bytes;

	return dump_ask(d, type_size, type, &bytes) == ST_OK ? bytes : 0;
}

bool dump_lacks_type(struct dump *d, const char *type)
{
	struct field next;
	uint64_t bytes;

	if (d->ops->loses_types && d->ops->loses_types(d->priv))
		return false;
	/* VMCOREINFO alone has sizes of some types, and no member but those of the log. */
	return dump_ask(d, type_size, type, &bytes) != ST_OK &&
	       dump_ask(d, member, "struct list_head", "next", &next) == ST_OK;
}

enum status dump_has_both(struct dump *d, const char *name, const char *type)
{
	uint64_t bytes;

	if (dump_has_symbol(d, name))
		return ST_OK;
	if (dump_ask(d, type_size, type, &bytes) == ST_OK)
		return dump_unknown(d, "this kernel has %s, and no symbol %s", type, name);
	return dump_absent(d, "this kernel has no %s", name);
}

enum status dump_built_with(struct dump *d, const char *option, const char *name, const char *type)
{
	enum status st = dump_has_both(d, name, type);

	return st == ST_ABSENT ? dump_fail(d, st, "this kernel was built without %s", option) : st;
}

enum status dump_value(struct dump *d, const char *name, uint64_t *ret)
{
	struct field f;
	uint8_t b[8];
	uint64_t addr;
	enum status st = dump_symbol(d, name, &addr);

	if (st != ST_OK)
		return st;
	st = dump_ask(d, variable, name, &f);
	if (st != ST_OK)
		return dump_unknown(d, "no debug information for variable %s", name);
	if ((f.kind != KIND_INT && f.kind != KIND_POINTER) || f.size > 8 || (f.size & (f.size - 1)))
		return dump_fail(d, ST_UNKNOWN, "variable %s is not a number or pointer", name);
	st = dump_read(d, addr, b, f.size, name) ?: dump_check(d, addr, b, f.size, name);
	if (st != ST_OK)
		return st;
	*ret = le_bytes(b, f.size);
	decoder_trace(d, "value  %s = %#lx", name, *ret);
	return ST_OK;
}

static enum status read_symbol(struct dump *d, const char *name, void *buf, size_t bytes)
{
	uint64_t at;

	return dump_symbol(d, name, &at) ?: dump_read(d, at, buf, bytes, name)
					 ?: dump_check(d, at, buf, bytes, name);
}

enum status dump_symbol_u32(struct dump *d, const char *name, uint32_t *ret)
{
	uint8_t b[4];

	return RESULT(read_symbol(d, name, b, sizeof(b)), ret, le32(b));
}

enum status dump_symbol_u64(struct dump *d, const char *name, uint64_t *ret)
{
	uint8_t b[8];

	return RESULT(read_symbol(d, name, b, sizeof(b)), ret, le64(b));
}

int64_t dump_enumerator_or(struct dump *d, const char *name, int64_t none)
{
	int64_t v;

	return dump_ask(d, enumerator, name, &v) == ST_OK && v >= 0 ? v : none;
}

uint64_t dump_enumerator_bit(struct dump *d, const char *name)
{
	int64_t bit = dump_enumerator_or(d, name, 64);

	return bit < 64 ? 1ULL << bit : 0;
}

enum status dump_enumerator(struct dump *d, const char *name, int64_t *ret)
{
	int64_t v = dump_enumerator_or(d, name, -1);

	if (v < 0)
		return dump_unknown(d, "no enumerator %s", name);
	*ret = v;
	return ST_OK;
}

void dump_expects(struct dump *d, const char *part, const char *name, const char *instead)
{
	int64_t v;

	if (dump_ask(d, enumerator, name, &v) != ST_OK &&
	    (!instead || dump_ask(d, enumerator, instead, &v) != ST_OK))
		dump_lacks(d, part, ST_UNKNOWN, "unknown layout: no enumerator %s", name);
}

enum status first_problem_keep(struct dump *d, struct first_problem *p, enum status st)
{
	if (st == ST_STOPPED)
		return st;
	if (st != ST_OK && p->status == ST_OK) {
		p->status = st;
		p->text = dump_why(d);
	}
	return ST_OK;
}

enum status first_problem_end(struct dump *d, const struct first_problem *p)
{
	return p->status == ST_OK ? ST_OK : dump_fail(d, p->status, "%s", p->text ? p->text : "");
}
