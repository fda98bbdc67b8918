// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdio.h>
#include <string.h>

#include "address.h"
#include "units.h"

/* As in crash, addresses are hexadecimal with or without 0x. */
static bool parse_hex(const char *text, uint64_t *ret)
{
	char prefixed[32];

	if (strlen(text) > 18)
		return false;
	snprintf(prefixed, sizeof(prefixed), "%s%s", strncmp(text, "0x", 2) ? "0x" : "", text);
	return units_parse(prefixed, ret);
}

static enum status from_virt(struct dump *d, uint64_t addr, uint64_t *ret)
{
	uint64_t phys;

	if (!d->ops->virt_to_phys || d->ops->virt_to_phys(d->priv, addr, &phys) != DUMP_OK)
		return dump_fail(d, DUMP_ABSENT, "%#llx is not a mapped kernel address",
				 (unsigned long long)addr);
	*ret = phys >> d->page_shift;
	return DUMP_OK;
}

enum status address_parse(struct dump *d, const char *text, struct address *ret)
{
	static const char *const kinds[] = {
		[ADDRESS_PFN] = "pfn",
		[ADDRESS_PHYS] = "phys",
		[ADDRESS_PAGE] = "page",
		[ADDRESS_VIRT] = "virt",
	};
	const char *colon = strchr(text, ':'), *value = colon ? colon + 1 : text;
	size_t n = sizeof(kinds) / sizeof(kinds[0]), kind = 0;

	while (colon && kind < n &&
	       (strlen(kinds[kind]) != (size_t)(colon - text) ||
		strncmp(kinds[kind], text, colon - text)))
		kind++;
	if (kind == n || !(colon && kind == ADDRESS_PFN ? units_parse(value, &ret->value)
							: parse_hex(value, &ret->value)))
		return dump_fail(d, DUMP_USAGE,
				 "'%s' is no address: pfn:N, phys:X, page:X or virt:X", text);
	ret->kind = kind;
	if (colon)
		return DUMP_OK;
	/* Kernel addresses have the high bits set. */
	ret->kind = ADDRESS_KERNEL;
	if (ret->value >> 48)
		return DUMP_OK;
	return dump_fail(d, DUMP_USAGE, "'%s' can be pfn:0x%llx or phys:%llx: say which", text,
			 (unsigned long long)ret->value, (unsigned long long)ret->value);
}

enum status address_to_pfn(struct dump *d, struct sections *s, uint64_t end,
			   const struct address *address, uint64_t *ret)
{
	switch (address->kind) {
	case ADDRESS_PFN:
		*ret = address->value;
		return DUMP_OK;
	case ADDRESS_PHYS:
		*ret = address->value >> d->page_shift;
		return DUMP_OK;
	case ADDRESS_PAGE:
		return sections_page_to_pfn(s, address->value, end, ret);
	case ADDRESS_VIRT:
		return from_virt(d, address->value, ret);
	default:
		if (sections_page_to_pfn(s, address->value, end, ret) == DUMP_OK)
			return DUMP_OK;
		return from_virt(d, address->value, ret);
	}
}
