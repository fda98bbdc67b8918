// SPDX-License-Identifier: GPL-2.0-or-later
#include "vm/address.h"

#include <ctype.h>
#include <strings.h>

#include "dump/pointer.h"
#include "tasks/task.h"
#include "pages/kernel_map.h"
#include "vm/vma.h"
#include "util/units.h"

/* What is mapped where, for an address that is not, as that of another boot: KASLR moves the kernel and the direct map. */
static const char *at_this_boot(struct dump *d, uint64_t addr)
{
	struct kernel_map m;
	const char *ret = "";

	if (!(addr >> 63))
		return "; an address of a process is user:PID:X";
	if (kernel_map_find(d, &m) == ST_OK && m.image_end &&
	    (addr < m.direct_start || addr >= m.direct_end))
		ret = dump_text(
			d, "; at this boot the direct map is 0x%lx-0x%lx, the kernel 0x%lx-0x%lx",
			m.direct_start, m.direct_end - 1, m.image_start, m.image_end - 1);
	d->error[0] = '\0';
	return ret;
}

/* The kernel's page tables know best; where there are none of ours, crash does. */
static enum status from_virt(struct dump *d, uint64_t addr, uint64_t *ret)
{
	struct page_tables tables;
	uint64_t phys;

	if (page_tables_open(d, &tables) == ST_OK) {
		enum status st = page_tables_walk(d, &tables, addr, &phys);
		const char *why = st == ST_OK ? NULL : dump_why(d);

		/* What is taken out of the direct map is still the page there. */
		if (st == ST_ABSENT && direct_map_phys(d, addr, &phys) == ST_OK)
			st = ST_OK;
		if (st != ST_OK)
			return dump_fail(d, st, "%s%s", why ? why : "",
					 st == ST_ABSENT ? at_this_boot(d, addr) : "");
	} else {
		const char *why = dump_why(d);
		enum status st = d->ops->virt_to_phys ? dump_phys(d, addr, &phys) : ST_UNREADABLE;

		if (st == ST_ABSENT)
			return dump_fail(d, st, "%#lx is not a mapped kernel address", addr);
		if (st != ST_OK)
			return dump_fail(d, st, "%#lx: %s", addr, why);
	}
	*ret = phys >> d->page_shift;
	return ST_OK;
}

/* mm_struct.pgd is the top table of the process, in the direct map. */
static enum status tables_of(struct dump *d, int32_t pid, struct page_tables *ret, uint64_t *mm)
{
	static const struct layout_row row = { "struct mm_struct", { "pgd" }, REQUIRED, "all" };
	struct tasks tasks;
	struct task task;
	struct field pgd;
	uint64_t top;
	enum status st = page_tables_open(d, ret) ?: tasks_open(d, &tasks) ?:
		layout_resolve(d, &row, 1, &pgd) ?: tasks_find(&tasks, pid, &task);

	if (st == ST_OK && !task.mm)
		st = dump_absent(d, "pid %d has no user memory", pid);
	st = st ?: dump_u64(d, task.mm + pgd.offset, &top, "mm_struct");
	st = st ?: dump_pointer_phys(d, top, "the first page table of the process", &ret->top);
	return RESULT(st, mm, task.mm);
}

/* What its tables keep in place of the page; a type behind those of swap is of another use (swapops.h). */
static enum status fail_kept(struct dump *d, int32_t pid, uint64_t addr,
			     const struct page_tables *tables, uint64_t entry)
{
	uint64_t type, areas;
	const char *what;

	if (!page_tables_swap_type(tables, entry, &type) ||
	    dump_value(d, "nr_swapfiles", &areas) != ST_OK)
		what = "in swap, migrates, or has another use";
	else
		what = type < areas ? "in swap" : "not in swap: its page migrates, or is a marker";
	return dump_absent(d, "0x%lx of pid %d is not resident but %s (entry %#lx)", addr, pid,
			   what, entry);
}

/* Nothing is mapped at an address of a process: its page is in swap, or not there, or nothing can be. */
static enum status fail_unmapped(struct dump *d, int32_t pid, uint64_t mm, uint64_t addr,
				 const struct page_tables *tables)
{
	struct vmas *vmas;
	const char *why;
	uint64_t entry;
	struct vma vma;
	enum status st = page_tables_kept(d, tables, addr, &entry);

	if (st != ST_OK)
		return st;
	if (entry)
		return fail_kept(d, pid, addr, tables, entry);
	vmas = dump_alloc(d, sizeof(*vmas));
	st = vmas_open(d, vmas);
	if (st == ST_OK)
		st = vma_find(vmas, mm, addr, &vma);
	else if (st == ST_ABSENT)
		st = ST_UNKNOWN;
	if (st == ST_OK)
		return dump_absent(d,
				   "0x%lx of pid %d is not resident: no page in the VMA %#lx-%#lx",
				   addr, pid, vma.start, vma.end);
	if (st == ST_ABSENT)
		return dump_absent(d, "0x%lx is not mapped: pid %d has no VMA there", addr, pid);
	why = dump_why(d);
	return dump_fail(d, st, "no page is mapped at 0x%lx of pid %d, a VMA is unknown: %s", addr,
			 pid, why);
}

static enum status from_user(struct dump *d, int32_t pid, uint64_t addr, uint64_t *ret)
{
	struct page_tables tables;
	uint64_t phys, mm;
	enum status st = tables_of(d, pid, &tables, &mm);

	if (st == ST_OK && addr >> tables.sign_bit)
		st = dump_absent(d, "%#lx is no user address", addr);
	if (st != ST_OK)
		return st;
	st = page_tables_walk(d, &tables, addr, &phys);
	if (st == ST_ABSENT)
		return fail_unmapped(d, pid, mm, addr, &tables);
	return RESULT(st, ret, phys >> d->page_shift);
}

/* "PID:X" */
static bool parse_user(const char *text, struct address *ret)
{
	const char *colon = strchr(text, ':');
	char pid[12];
	uint64_t v;

	if (!colon || (size_t)(colon - text) >= sizeof(pid))
		return false;
	memcpy(pid, text, colon - text);
	pid[colon - text] = '\0';
	if (!units_parse(pid, &v) || !v || v > INT32_MAX)
		return false;
	ret->pid = v;
	return units_parse_hex(colon + 1, &ret->value);
}

/* "N" or "N-M", both included; pages is 0 where M is before N. */
static bool parse_pfns(const char *text, struct address *ret)
{
	const char *dash = strchr(text, '-');
	char first[24];
	uint64_t last;

	ret->pages = 1;
	if (!dash)
		return units_parse(text, &ret->value);
	if ((size_t)(dash - text) >= sizeof(first))
		return false;
	memcpy(first, text, dash - text);
	first[dash - text] = '\0';
	if (!units_parse(first, &ret->value) || !units_parse(dash + 1, &last))
		return false;
	/* All that there can be are one less. */
	ret->pages = last < ret->value ? 0 : last - ret->value;
	ret->pages += last >= ret->value && ret->pages != UINT64_MAX;
	return true;
}

/* Hexadecimal; a decimal number that has too many digits for that is one of the kernel, as tools print it. */
static bool parse_number(const char *text, uint64_t *ret)
{
	return units_parse_hex(text, ret) || (units_parse(text, ret) && *ret >> 56 == 0xff);
}

static bool parse_value(const char *text, enum address_kind kind, struct address *ret)
{
	ret->kind = kind;
	ret->pages = 1;
	switch (kind) {
	case ADDRESS_PFN:
		return parse_pfns(text, ret);
	case ADDRESS_USER:
		return parse_user(text, ret);
	default:
		return parse_number(text, &ret->value);
	}
}

/* A bare number is hexadecimal, as in crash; what is typed without a letter may be meant otherwise. */
static enum status ambiguous(struct dump *d, const char *text, uint64_t value)
{
	char decimal[48] = "";

	if (value > 9 && strspn(text, "0123456789") == strlen(text))
		snprintf(decimal, sizeof(decimal), "pfn:%s (decimal), ", text);
	return dump_usage(d, "'%s' can be %spfn:0x%lx or phys:%lx: say which", text, decimal, value,
			  value);
}

bool address_is_name(const char *text)
{
	size_t n = strspn(text,
			  "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.");

	return n && !text[n] && (text[0] < '0' || text[0] > '9') && text[0] != '-';
}

/* By the word before the colon; ADDRESS_KERNEL: it is none. */
static enum address_kind kind_of(const char *text, const char *colon)
{
	static const char *const kinds[ADDRESS_KERNEL] = {
		[ADDRESS_PFN] = "pfn",	 [ADDRESS_PHYS] = "phys", [ADDRESS_PAGE] = "page",
		[ADDRESS_VIRT] = "virt", [ADDRESS_USER] = "user",
	};
	size_t kind = 0;

	while (kind < ARRAY_SIZE(kinds) && (strlen(kinds[kind]) != (size_t)(colon - text) ||
					    strncasecmp(kinds[kind], text, colon - text)))
		kind++;
	return (enum address_kind)kind;
}

bool address_is_form(const char *text)
{
	const char *colon = strchr(text, ':');
	uint64_t value;

	if (colon)
		return kind_of(text, colon) != ADDRESS_KERNEL;
	/* "cafe" may be a name, all digits of an address are none. */
	return (isdigit((unsigned char)*text) || strlen(text) == 16) && parse_number(text, &value);
}

bool address_is_kind(const char *word)
{
	return kind_of(word, word + strlen(word)) != ADDRESS_KERNEL;
}

bool address_may_be_decimal(const struct dump *d, const char *text, uint64_t *ret)
{
	const char *colon = strchr(text, ':');

	return colon && kind_of(text, colon) == ADDRESS_PHYS && colon[1] &&
	       !colon[1 + strspn(colon + 1, "0123456789")] && units_parse(colon + 1, ret) && *ret &&
	       !(*ret & (dump_page_size(d) - 1));
}

/* "pfn:0x1000-1003": who writes one end as hexadecimal may mean both. */
static bool ends_in_decimal(const char *text)
{
	const char *dash = strchr(text, '-');

	return dash && strstr(text, ":0x") && strncasecmp(dash + 1, "0x", 2) != 0;
}

enum status address_parse(struct dump *d, const char *text, struct address *ret)
{
	const char *colon = strchr(text, ':');
	enum address_kind kind = colon ? kind_of(text, colon) : ADDRESS_KERNEL;
	bool is_value = parse_value(colon ? colon + 1 : text, kind, ret);
	uint64_t hex;

	if (!is_value && kind == ADDRESS_PFN && units_parse_hex(colon + 1, &hex))
		return dump_usage(d, "'%s': hexadecimal has 0x: pfn:0x%lx", text, hex);
	if ((colon && kind == ADDRESS_KERNEL) || !is_value)
		return dump_usage(
			d,
			"'%s' is no address: pfn:N, pfn:N-M, phys:X, page:X, virt:X or user:PID:X",
			text);
	if (!ret->pages)
		return dump_usage(d, "the range '%s' ends before it starts%s", text,
				  ends_in_decimal(text) ? ": its end is decimal, hexadecimal has 0x"
							: "");
	/* Kernel addresses have the high bit set. */
	return kind != ADDRESS_KERNEL || ret->value >> 63 ? ST_OK : ambiguous(d, text, ret->value);
}

enum status address_to_pfn(struct dump *d, struct memmap *m, uint64_t end,
			   const struct address *address, uint64_t *ret)
{
	enum status st;

	switch (address->kind) {
	case ADDRESS_PFN:
		*ret = address->value;
		return ST_OK;
	case ADDRESS_PHYS:
		*ret = address->value >> d->page_shift;
		return ST_OK;
	case ADDRESS_PAGE:
		return memmap_page_to_pfn(m, address->value, end, ret);
	case ADDRESS_VIRT:
		return from_virt(d, address->value, ret);
	case ADDRESS_USER:
		return from_user(d, address->pid, address->value, ret);
	default:
		st = memmap_page_to_pfn(m, address->value, end, ret);
		return st == ST_ABSENT ? from_virt(d, address->value, ret) : st;
	}
}

bool address_is_byte(struct memmap *m, const struct address *address, uint64_t end)
{
	uint64_t pfn;

	if (address->kind == ADDRESS_KERNEL)
		return memmap_page_to_pfn(m, address->value, end, &pfn) != ST_OK;
	return address->kind != ADDRESS_PFN && address->kind != ADDRESS_PAGE;
}
