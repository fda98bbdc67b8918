// SPDX-License-Identifier: GPL-2.0-or-later
#include "tasks/orc.h"

#include "dump/layout.h"

#define MAX_ENTRIES 16000000ULL /* a kernel has some million */
#define CENSUS 512		/* entries that tell how registers are numbered */
#define ENTRY_BYTES 16		/* struct orc_entry has 6 */

static const struct layout_row rows[ORC_FIELDS] = {
	[ORC_SP_OFFSET] = FIELD_ROW("struct orc_entry", REQUIRED, "4.14", "sp_offset"),
	[ORC_BP_OFFSET] = FIELD_ROW("struct orc_entry", REQUIRED, "4.14", "bp_offset"),
	[ORC_SP_REG] = FIELD_ROW("struct orc_entry", REQUIRED_BITS, "4.14", "sp_reg"),
	[ORC_BP_REG] = FIELD_ROW("struct orc_entry", REQUIRED_BITS, "4.14", "bp_reg"),
	[ORC_TYPE] = FIELD_ROW("struct orc_entry", REQUIRED_BITS, "4.14; three bits since 6.4",
			       "type"),
	[ORC_END] = FIELD_ROW("struct orc_entry", OPTIONAL_BITS, "4.18 to 6.3", "end"),
	[ORC_MOD_NUM] = FIELD_ROW("struct module", OPTIONAL, "4.14", "arch.num_orcs"),
	[ORC_MOD_IPS] = FIELD_ROW("struct module", OPTIONAL, "4.14", "arch.orc_unwind_ip"),
	[ORC_MOD_ENTRIES] = FIELD_ROW("struct module", OPTIONAL, "4.14", "arch.orc_unwind"),
};

/* Numbers of registers are macros: not in the debug information. */
struct numbering {
	unsigned int sp, bp, prev_sp;
	unsigned int bp_indirect; /* 0: not known */
};

static const struct numbering numberings[] = {
	{ .sp = 5, .bp = 4, .prev_sp = 1, .bp_indirect = 8 },
	{ .sp = 3, .bp = 4, .prev_sp = 8, .bp_indirect = 10 }, /* 7.3 */
};

/*
 * No part of the tables is a page of zeros, or of ones, which would be read as rules of other text: such a page is not
 * in the dump.
 */
static enum status read_table(struct dump *d, uint64_t addr, uint8_t *buf, size_t len,
			      const char *what)
{
	enum status st = dump_read(d, addr, buf, len, what);

	for (size_t done = 0, part; st == ST_OK && done < len; done += part) {
		part = dump_page_size(d) - ((addr + done) & (dump_page_size(d) - 1));
		part = part < len - done ? part : len - done;
		if (dump_check(d, addr + done, buf + done, part, what) != ST_OK)
			st = ST_UNREADABLE;
	}
	return st;
}

/*
 * Nearly every rule goes from sp: the number that most entries have is its number.
 * What had the number of the other means di, which only entry code has.
 */
static enum status take_census(struct orc *o)
{
	struct dump *d = o->dump;
	uint64_t n = o->n < CENSUS ? o->n : CENSUS, first = (o->n - n) / 2, count[2] = { 0 };
	uint64_t read = 0;
	uint8_t entry[ENTRY_BYTES] = { 0 };
	enum status st = ST_OK;

	/* Some may not be in this dump: the others tell it. */
	for (uint64_t i = 0; i < n; i++) {
		unsigned int reg;

		st = read_table(d, o->entries + (first + i) * o->entry_size, entry, o->entry_size,
				"orc_entry");
		if (st != ST_OK && st != ST_UNREADABLE)
			return st;
		if (st != ST_OK)
			continue;
		reg = field_get(&o->f[ORC_SP_REG], entry);
		count[0] += reg == numberings[0].sp;
		count[1] += reg == numberings[1].sp;
		read++;
	}
	if (!read)
		return st;
	if (count[0] < read / 2 && count[1] < read / 2)
		return dump_unknown(d, "registers of struct orc_entry");
	o->renumbered = count[1] > count[0];
	decoder_trace(d, "decide orc_entry: sp is register %u in %lu of %lu entries",
		      numberings[o->renumbered].sp, count[o->renumbered], read);
	return ST_OK;
}

/* A bit field is declared in a type that reaches beyond the packed entry. */
static bool fits(const struct orc *o)
{
	for (unsigned int i = 0; i < ORC_MOD_NUM; i++) {
		const struct field *f = &o->f[i];
		uint64_t bits = f->bit_size ? f->bit_offset + f->bit_size : f->size * 8;

		if (f->present &&
		    (f->offset + f->size > ENTRY_BYTES || f->offset * 8 + bits > o->entry_size * 8))
			return false;
	}
	return true;
}

enum status orc_open(struct dump *d, const struct modules *modules, struct orc *ret)
{
	struct orc o = { .dump = d, .modules = modules };
	uint64_t ips_end, entries_end;
	enum status st = dump_has_both(d, "__start_orc_unwind_ip", "struct orc_entry");

	if (st == ST_ABSENT)
		dump_fail(d, st, "a kernel without CONFIG_UNWINDER_ORC");
	st = st ?: layout_resolve(d, rows, ORC_FIELDS, o.f) ?:
			dump_symbol(d, "__start_orc_unwind_ip", &o.ips) ?:
			dump_symbol(d, "__stop_orc_unwind_ip", &ips_end) ?:
			dump_symbol(d, "__start_orc_unwind", &o.entries) ?:
			dump_symbol(d, "__stop_orc_unwind", &entries_end) ?:
			dump_symbol(d, "_stext", &o.start) ?: dump_symbol(d, "_end", &o.end);
	if (st == ST_OK && (dump_ask(d, type_size, "struct orc_entry", &o.entry_size) != ST_OK ||
			    !o.entry_size || o.entry_size > ENTRY_BYTES || !fits(&o)))
		st = dump_unknown(d, "struct orc_entry");
	if (st != ST_OK)
		return st;
	o.n = (ips_end - o.ips) / 4;
	if (ips_end <= o.ips || o.n > MAX_ENTRIES || entries_end - o.entries != o.n * o.entry_size)
		return dump_corrupt(d, "the ORC tables have %lu addresses and %lu bytes", o.n,
				    entries_end - o.entries);
	o.rules = dump_alloc(d, sizeof(*o.rules));
	hash_u64_init(o.rules, d->arena, sizeof(struct orc_rule));
	return RESULT(take_census(&o), ret, o);
}

/* The tables that cover an address. */
struct orc_tables {
	uint64_t ips, entries, n;
};

static enum status tables_of(const struct orc *o, uint64_t ip, struct orc_tables *ret)
{
	struct dump *d = o->dump;
	const struct module *mod;
	uint8_t raw[4];
	uint32_t n = 0;
	enum status st;

	if (ip >= o->start && ip < o->end) {
		*ret = (struct orc_tables){ o->ips, o->entries, o->n };
		return ST_OK;
	}
	mod = o->modules ? modules_find(o->modules, ip) : NULL;
	if (!mod || !o->f[ORC_MOD_NUM].present || !o->f[ORC_MOD_IPS].present ||
	    !o->f[ORC_MOD_ENTRIES].present)
		return dump_absent(d, "no ORC table covers %#lx", ip);
	st = read_table(d, mod->address + o->f[ORC_MOD_NUM].offset, raw, sizeof(raw), "module") ?:
		dump_u64(d, mod->address + o->f[ORC_MOD_IPS].offset, &ret->ips, "module") ?:
		dump_u64(d, mod->address + o->f[ORC_MOD_ENTRIES].offset, &ret->entries, "module");
	n = st == ST_OK ? le32(raw) : 0;
	if (st == ST_OK && (!n || n > MAX_ENTRIES))
		st = dump_absent(d, "module %s has no ORC table", mod->name);
	ret->n = n;
	return st;
}

/* The last entry at or below ip: the table is in order of its addresses. */
static enum status search(const struct orc *o, const struct orc_tables *t, uint64_t ip,
			  uint64_t *ret)
{
	uint64_t first = 0, end = t->n;

	while (first < end) {
		uint64_t mid = first + (end - first) / 2, at = t->ips + mid * 4;
		uint8_t raw[4];
		enum status st = read_table(o->dump, at, raw, sizeof(raw), "orc_unwind_ip");

		if (st != ST_OK)
			return st;
		if (at + (uint64_t)(int64_t)(int32_t)le32(raw) <= ip)
			first = mid + 1;
		else
			end = mid;
	}
	if (!first)
		return dump_absent(o->dump, "no ORC table covers %#lx", ip);
	*ret = first - 1;
	return ST_OK;
}

/* Up to 6.3 the kinds were CALL, REGS, PARTIAL and a bit for the end. */
static enum orc_kind kind_of(const struct orc *o, const uint8_t *entry)
{
	static const enum orc_kind two_bits[] = { ORC_KIND_CALL, ORC_KIND_REGS,
						  ORC_KIND_PARTIAL_REGS, ORC_KIND_UNDEFINED };
	static const enum orc_kind three_bits[] = {
		ORC_KIND_UNDEFINED,    ORC_KIND_END,	   ORC_KIND_CALL,      ORC_KIND_REGS,
		ORC_KIND_PARTIAL_REGS, ORC_KIND_UNDEFINED, ORC_KIND_UNDEFINED, ORC_KIND_UNDEFINED,
	};
	uint64_t type = field_get(&o->f[ORC_TYPE], entry);

	if (o->f[ORC_TYPE].bit_size == 3)
		return three_bits[type & 7];
	if (!field_get(&o->f[ORC_SP_REG], entry))
		return field_get(&o->f[ORC_END], entry) ? ORC_KIND_END : ORC_KIND_UNDEFINED;
	return two_bits[type & 3];
}

static enum orc_base base_of(const struct orc *o, unsigned int reg)
{
	const struct numbering *n = &numberings[o->renumbered];

	if (reg == n->sp)
		return ORC_BASE_SP;
	if (reg == n->bp)
		return ORC_BASE_BP;
	if (n->bp_indirect && reg == n->bp_indirect)
		return ORC_BASE_BP_INDIRECT;
	return reg == n->prev_sp ? ORC_BASE_PREV_SP : ORC_BASE_NONE;
}

static enum status look_up(const struct orc *o, uint64_t ip, struct orc_rule *ret)
{
	struct orc_tables t;
	uint8_t entry[ENTRY_BYTES] = { 0 };
	uint64_t i = 0;
	unsigned int bp;
	enum status st = tables_of(o, ip, &t) ?: search(o, &t, ip, &i) ?:
			read_table(o->dump, t.entries + i * o->entry_size, entry, o->entry_size,
				"orc_entry");

	if (st != ST_OK)
		return st;
	bp = field_get(&o->f[ORC_BP_REG], entry);
	*ret = (struct orc_rule){
		.kind = kind_of(o, entry),
		.sp = base_of(o, field_get(&o->f[ORC_SP_REG], entry)),
		.bp = bp ? base_of(o, bp) : ORC_BASE_SAME,
		.sp_offset = field_get_signed(&o->f[ORC_SP_OFFSET], entry),
		.bp_offset = field_get_signed(&o->f[ORC_BP_OFFSET], entry),
	};
	return ST_OK;
}

/*
 * Threads that sleep in one function have the same frames; each search reads some pages of the
 * table, more than crash keeps uncompressed.
 */
enum status orc_find(const struct orc *o, uint64_t ip, struct orc_rule *ret)
{
	struct orc_rule *found;
	enum status st;

	if (hash_u64_has(o->rules, ip)) {
		found = hash_u64_get(o->rules, ip, NULL);
		*ret = *found;
		return ST_OK;
	}
	st = look_up(o, ip, ret);
	if (st != ST_OK)
		return st;
	found = hash_u64_get(o->rules, ip, NULL);
	*found = *ret;
	return ST_OK;
}
