// SPDX-License-Identifier: GPL-2.0-or-later
#include "pages/pgtable.h"

#define ADDRESS_MASK 0x000ffffffffff000ULL

#define X86_PRESENT 1
#define X86_LARGE 0x80 /* maps memory itself, above the last level */
/*
 * Of a process: a page, but not for the CPU; its address is inverted (L1TF).  In an entry of the kernel
 * the bit means "global", and one that is not present maps nothing: KFENCE and set_memory_np() take
 * X86_PRESENT away alone.
 */
#define X86_PROT_NONE 0x100

#define ARM64_VALID 1
#define ARM64_TABLE 2			   /* or a page at the last level; else a block */
#define ARM64_ADDRESS_48 0xfffffffff000ULL /* bits 47 and down */
#define ARM64_ADDRESS_50 0x3fffffffff000ULL

struct table_format {
	const char *arch;
	const char *top; /* symbol of the kernel's own top table */
	/* Addresses that tables translate, most common first; 0 ends. */
	unsigned int va_bits[8];
	unsigned int sign_bits; /* of them, how many are the sign */
	/*
	 * Lowest bit of the number of the swap area in an entry that is not present, up to bit 63: since
	 * bcd11afa7ade (4.19) on x86_64.  0: it has moved since, as on arm64.
	 */
	unsigned int swap_type;
	/* Lowest bit of the place in that area, inverted, in such an entry: the bits below may change by fork(). */
	unsigned int swap_place;
	/*
	 * False: the entry maps nothing.  *leaf: memory, not a table.  Low bits of *address, as far
	 * as a table or the memory reaches, are undefined.  kernel: it is of the kernel's half.
	 */
	bool (*entry)(const struct page_tables *t, uint64_t entry, unsigned int level, bool kernel,
		      uint64_t *address, bool *leaf);
};

static bool x86_entry(const struct page_tables *t, uint64_t entry, unsigned int level, bool kernel,
		      uint64_t *address, bool *leaf)
{
	if (!(entry & X86_PRESENT) && (kernel || !(entry & X86_PROT_NONE)))
		return false;
	*address = (entry & X86_PRESENT ? entry : ~entry) & ADDRESS_MASK & ~t->encryption;
	*leaf = level == 1 || (entry & X86_LARGE && level <= 3);
	return true;
}

/*
 * Bits of a descriptor that are an output address (Arm Architecture Reference Manual, VMSAv8-64
 * descriptor formats; PTE_ADDR_HIGH in arch/arm64/include/asm/pgtable-hwdef.h).  With pages of 64
 * KiB bits 15 to 12 are bits 51 to 48 of the address (FEAT_LPA) or zero.  With smaller ones and
 * FEAT_LPA2 bits 9 and 8, else the shareability, are bits 51 and 50: the kernel uses FEAT_LPA2 just
 * where addresses of these pages have 52 bits.
 */
static uint64_t arm64_address(const struct page_tables *t, uint64_t entry)
{
	if (t->shift == 16)
		return (entry & ARM64_ADDRESS_48 & ~0xffffULL) | (entry >> 12 & 0xf) << 48;
	if (t->va_bits == 52)
		return (entry & ARM64_ADDRESS_50) | (entry >> 8 & 3) << 50;
	return entry & ARM64_ADDRESS_48;
}

static bool arm64_entry(const struct page_tables *t, uint64_t entry, unsigned int level,
			bool kernel NOT_USED, uint64_t *address, bool *leaf)
{
	if (!(entry & ARM64_VALID) || (level == 1 && !(entry & ARM64_TABLE)))
		return false;
	*address = arm64_address(t, entry);
	*leaf = level == 1 || !(entry & ARM64_TABLE);
	return true;
}

static const struct table_format formats[] = {
	{ "x86_64", "init_top_pgt", { 48, 57 }, 1, 59, 9, x86_entry },
	{ "aarch64", "swapper_pg_dir", { 48, 47, 39, 42, 36, 52 }, 0, 0, 0, arm64_entry },
};

/* Where the walk down the tables of an address has come to. */
struct step {
	enum { STEP_TABLE, STEP_MEMORY, STEP_NOTHING } kind;
	uint64_t address;   /* of the table of that level, or of the memory */
	unsigned int level; /* of a table; 1: the last, whose entries are pages */
	unsigned int span;  /* log2 of the bytes that the entry read last maps */
	uint64_t entry;
};

static bool is_kernel(const struct page_tables *t, uint64_t addr)
{
	return addr >> t->sign_bit;
}

static uint64_t index_of(const struct page_tables *t, uint64_t addr, unsigned int span)
{
	return (addr & (~0ULL >> (64 - t->va_bits))) >> span & ((1ULL << (t->shift - 3)) - 1);
}

/* From a table to what its entry for addr says. */
static enum status step_down(struct dump *d, const struct page_tables *t, uint64_t addr,
			     struct step *s)
{
	unsigned int per_level = t->shift - 3;
	uint64_t index, address;
	bool leaf;

	s->span = t->shift + (s->level - 1) * per_level;
	index = index_of(t, addr, s->span);
	if (dump_ask(d, read_phys, s->address + index * 8, &s->entry, 8) != ST_OK)
		return dump_unreadable(d, "a page table of 0x%lx is not in this dump", addr);
	if (!t->format->entry(t, s->entry, s->level, is_kernel(t, addr), &address, &leaf)) {
		s->kind = STEP_NOTHING;
		return ST_OK;
	}
	s->kind = leaf ? STEP_MEMORY : STEP_TABLE;
	s->address = address & ~((1ULL << (leaf ? s->span : t->shift)) - 1);
	s->level--;
	return ST_OK;
}

/* Down to the table of a level, 0: to the end; or to where addr is mapped, or not, above it. */
static enum status descend(struct dump *d, const struct page_tables *t, uint64_t addr,
			   unsigned int level, struct step *ret)
{
	enum status st = ST_OK;

	*ret = (struct step){ STEP_TABLE, t->top, t->levels, t->shift, 0 };
	while (st == ST_OK && ret->kind == STEP_TABLE && ret->level > level)
		st = step_down(d, t, addr, ret);
	return st;
}

enum status page_tables_find(struct dump *d, const struct page_tables *t, uint64_t addr,
			     uint64_t *ret, unsigned int *span)
{
	uint64_t sign = addr >> t->sign_bit;
	struct step s;
	enum status st;

	if (sign && sign != UINT64_MAX >> t->sign_bit)
		return dump_absent(d, "%#lx is no address: it is not canonical", addr);
	st = descend(d, t, addr, 0, &s);
	if (st != ST_OK)
		return st;
	if (s.kind == STEP_NOTHING)
		return dump_absent(d, "0x%lx is not mapped", addr);
	*ret = s.address | (addr & ((1ULL << s.span) - 1));
	*span = s.span;
	return ST_OK;
}

enum status page_tables_kept(struct dump *d, const struct page_tables *t, uint64_t addr,
			     uint64_t *ret)
{
	struct step s;

	return RESULT(descend(d, t, addr, 0, &s), ret, s.kind == STEP_NOTHING ? s.entry : 0);
}

bool page_tables_swap_type(const struct page_tables *t, uint64_t entry, uint64_t *ret)
{
	if (!t->format->swap_type)
		return false;
	*ret = entry >> t->format->swap_type;
	return true;
}

bool page_tables_swap_place(const struct page_tables *t, uint64_t entry, uint64_t *ret)
{
	unsigned int bits = t->format->swap_type - t->format->swap_place;

	if (!t->format->swap_type)
		return false;
	*ret = ~entry >> t->format->swap_place & ((1ULL << bits) - 1);
	return true;
}

enum status page_tables_walk(struct dump *d, const struct page_tables *t, uint64_t addr,
			     uint64_t *ret)
{
	unsigned int span;

	return page_tables_find(d, t, addr, ret, &span);
}

/* Entries of a table that are read at once. */
#define BATCH 64

struct visitor {
	enum status (*visit)(void *arg, uint64_t phys);
	enum status (*kept)(void *arg, uint64_t entry); /* NULL: of what is mapped alone */
	void *arg;
	unsigned int *span; /* NULL, or set before each visit */
};

static void set_span(const struct visitor *v, unsigned int span)
{
	if (v->span)
		*v->span = span;
}

/* *addr moves behind what was visited: at most a batch of entries. */
static enum status visit_batch(struct dump *d, const struct page_tables *t, uint64_t table,
			       uint64_t *addr, uint64_t end, const struct visitor *v)
{
	uint64_t entries[BATCH], index = index_of(t, *addr, t->shift), phys;
	uint64_t n = BATCH - index % BATCH;
	enum status st = ST_OK;
	bool leaf, kernel = is_kernel(t, *addr);

	if (n > (end - *addr) >> t->shift)
		n = (end - *addr) >> t->shift;
	if (dump_ask(d, read_phys, table + index * 8, entries, n * 8) != ST_OK)
		return dump_unreadable(d, "a page table of 0x%lx is not in this dump", *addr);
	set_span(v, t->shift);
	for (uint64_t i = 0; st == ST_OK && i < n; i++)
		if (t->format->entry(t, entries[i], 1, kernel, &phys, &leaf))
			st = v->visit(v->arg, phys & ~((1ULL << t->shift) - 1));
		else if (v->kept && entries[i])
			st = v->kept(v->arg, entries[i]);
	*addr += n << t->shift;
	return st;
}

/* From an address that nothing maps to the last one of the entries behind it that map nothing either. */
static uint64_t end_of_gap(struct dump *d, const struct page_tables *t, const struct step *s,
			   uint64_t addr)
{
	uint64_t entries[BATCH], address, index = index_of(t, addr, s->span);
	uint64_t left = (1ULL << (t->va_bits - s->span)) - index; /* the top table may have two */
	uint64_t n = BATCH - index % BATCH, i = 1;
	bool leaf, kernel = is_kernel(t, addr);

	if (s->level == t->levels && n > left)
		n = left;

	if (dump_ask(d, read_phys, s->address + index * 8, entries, n * 8) != ST_OK)
		n = 1;
	while (i < n && !t->format->entry(t, entries[i], s->level, kernel, &address, &leaf))
		i++;
	return (addr | ((1ULL << s->span) - 1)) + ((i - 1) << s->span);
}

static enum status visit_range(struct dump *d, const struct page_tables *t, uint64_t start,
			       uint64_t end, const struct visitor *v)
{
	uint64_t addr = start;
	struct step s;
	enum status st = ST_OK;

	while (st == ST_OK && addr < end) {
		if (dump_stopped(d))
			return dump_fail(d, ST_STOPPED, "interrupted");
		st = descend(d, t, addr, 1, &s);
		if (st != ST_OK)
			return st;
		if (s.kind == STEP_TABLE) {
			st = visit_batch(d, t, s.address, &addr, end, v);
		} else if (s.kind == STEP_MEMORY) {
			set_span(v, s.span);
			st = v->visit(v->arg, s.address | (addr & ((1ULL << s.span) - 1)));
			addr += 1ULL << t->shift;
		} else {
			addr = end_of_gap(d, t, &s, addr) + 1;
			if (!addr)
				break;
		}
	}
	return st;
}

enum status page_tables_range(struct dump *d, const struct page_tables *t, uint64_t start,
			      uint64_t end, enum status (*visit)(void *arg, uint64_t phys),
			      void *arg)
{
	return visit_range(d, t, start, end, &(struct visitor){ visit, NULL, arg, NULL });
}

enum status page_tables_entries(struct dump *d, const struct page_tables *t, uint64_t start,
				uint64_t end, enum status (*visit)(void *arg, uint64_t phys),
				enum status (*kept)(void *arg, uint64_t entry), void *arg,
				unsigned int *span)
{
	return visit_range(d, t, start, end, &(struct visitor){ visit, kept, arg, span });
}

struct each {
	struct dump *dump;
	const struct page_tables *t;
	enum status (*visit)(void *arg, uint64_t table);
	void *arg;
};

/* The entries of a table of a level from one on; the level below each falls to 1, so this ends. */
static enum status visit_below(const struct each *e, uint64_t table, unsigned int level,
			       uint64_t from)
{
	const unsigned int per_level = e->t->shift - 3;
	/* Of the top table as many as there are bits left: the top one of arm64 may have two. */
	const unsigned int bits = level == e->t->levels
					  ? e->t->va_bits - e->t->shift - (level - 1) * per_level
					  : per_level;
	const uint64_t per_table = 1ULL << bits;
	uint64_t entries[BATCH], below;
	enum status st = ST_OK, missing = ST_OK;
	bool leaf;

	for (uint64_t i = from; i < per_table && st == ST_OK; i++) {
		if ((i == from || !(i % BATCH)) &&
		    dump_ask(e->dump, read_phys, table + (i - i % BATCH) * 8, entries,
			     sizeof(entries)) != ST_OK)
			return dump_unreadable(e->dump,
					       "the page table at %#lx is not in this dump", table);
		if (!e->t->format->entry(e->t, entries[i % BATCH], level, true, &below, &leaf) ||
		    leaf)
			continue;
		below &= ~((1ULL << e->t->shift) - 1);
		st = e->visit(e->arg, below);
		if (st == ST_OK && level > 2)
			st = visit_below(e, below, level - 1, 0);
		missing = st == ST_UNREADABLE ? st : missing;
		st = st == ST_ABSENT || st == ST_UNREADABLE ? ST_OK : st;
	}
	return st == ST_OK ? missing : st;
}

enum status page_tables_each(struct dump *d, const struct page_tables *t,
			     enum status (*visit)(void *arg, uint64_t table), void *arg)
{
	const struct each e = { d, t, visit, arg };
	/* Where one top table has both halves, the upper one is the kernel's. */
	const uint64_t half = 1ULL << (t->shift - 3) >> 1;

	return visit_below(&e, t->top, t->levels, t->format->sign_bits ? half : 0);
}

static bool maps_the_image(struct dump *d, const struct page_tables *t, uint64_t start)
{
	uint64_t walked, known;

	return page_tables_walk(d, t, start, &walked) == ST_OK &&
	       dump_ask(d, virt_to_phys, start, &known) == ST_OK && walked == known;
}

enum status page_tables_set(struct dump *d, struct page_tables *t, unsigned int va_bits)
{
	unsigned int per_level = d->page_shift - 3;

	t->format = NULL;
	for (size_t i = 0; d->arch && i < ARRAY_SIZE(formats); i++)
		if (!strcmp(formats[i].arch, d->arch))
			t->format = &formats[i];
	if (!t->format || d->page_shift < 12 || d->page_shift > 16)
		return dump_absent(d, "no page tables of a known architecture");
	t->shift = d->page_shift;
	t->va_bits = va_bits;
	t->levels = (va_bits - t->shift + per_level - 1) / per_level;
	t->sign_bit = va_bits - t->format->sign_bits;
	return ST_OK;
}

/* The bit of memory encryption (AMD SME): VMCOREINFO has it since 5.0, where no type of the symbol is known. */
static uint64_t encryption_mask(struct dump *d)
{
	uint64_t mask = 0;
	int64_t number = 0;

	if (dump_has_symbol(d, "sme_me_mask") && dump_value(d, "sme_me_mask", &mask) == ST_OK)
		return mask;
	if (d->ops->vmcoreinfo)
		dump_ask(d, vmcoreinfo, "NUMBER(sme_mask)", &number);
	return number;
}

enum status image_begins(struct dump *d, uint64_t *ret)
{
	return dump_symbol(d, "_text", ret) == ST_OK ? ST_OK : dump_symbol(d, "_stext", ret);
}

/* What every kernel maps of itself: e2a073dde921 (5.11) leaves out what arm64 has before _stext, 6.9 maps it again. */
static enum status mapped_text(struct dump *d, uint64_t *ret)
{
	return dump_symbol(d, "_stext", ret) == ST_OK ? ST_OK : dump_symbol(d, "_text", ret);
}

enum status page_tables_open(struct dump *d, struct page_tables *ret)
{
	struct page_tables t = { 0 };
	uint64_t top, start;
	enum status st = page_tables_set(d, &t, 48);

	if (st == ST_OK && (!d->ops->read_phys || !d->ops->virt_to_phys))
		st = dump_absent(d, "no physical memory to read");
	st = st ?: dump_symbol(d, t.format->top, &top) ?:
			dump_ask(d, virt_to_phys, top, &t.top) ?:
			mapped_text(d, &start);
	if (st != ST_OK)
		return st;
	t.encryption = encryption_mask(d);
	for (const unsigned int *bits = t.format->va_bits; *bits; bits++) {
		page_tables_set(d, &t, *bits);
		if (!maps_the_image(d, &t, start))
			continue;
		*ret = t;
		return ST_OK;
	}
	return dump_fail(d, ST_UNKNOWN, "%s does not map the kernel", t.format->top);
}
