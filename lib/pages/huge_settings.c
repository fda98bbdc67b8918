// SPDX-License-Identifier: GPL-2.0-or-later
#include "pages/huge_settings.h"

#define MAX_ORDER 30		/* of a huge page: 22 is 16 GiB of 4 KiB pages */
#define MOST_PAGES (1ULL << 36) /* no memory has more */

/*
 * hugetlb_sysctl_handler_common(), hugetlb_overcommit_handler() in mm/hugetlb.c, later hugetlb_sysctl.c: each shows a
 * member of hstates[default_hstate_idx]. The handler is there where the file is: nr_hugepages_mempolicy with
 * CONFIG_NUMA alone.
 */
static const struct {
	const char *name, *handler, *member, *remark;
	bool keeps; /* and does not merely allow */
} files[] = {
	{ "vm.nr_hugepages", "hugetlb_sysctl_handler", "max_huge_pages",
	  "huge pages of the default size that hugetlbfs keeps", true },
	{ "vm.nr_hugepages_mempolicy", "hugetlb_mempolicy_sysctl_handler", "max_huge_pages",
	  "the same, set for the nodes of a policy", true },
	{ "vm.nr_overcommit_hugepages", "hugetlb_overcommit_handler", "nr_overcommit_huge_pages",
	  "huge pages that may be taken beside those, while memory is free", false },
};

/* The address of the hstate; ST_ABSENT: the kernel, or this machine, has none. */
static enum status find_default(struct dump *d, uint64_t *ret)
{
	uint64_t n = 0, at = 0, bytes = 0, states = 0;
	uint32_t i = 0; /* an int, of which BTF has no type */
	enum status st = dump_built_with(d, "CONFIG_HUGETLB_PAGE", "hugetlb_max_hstate",
					 "struct hstate")
				 ?: dump_value(d, "hugetlb_max_hstate", &n);

	if (st == ST_OK && !n)
		return dump_absent(d, "this machine has no huge pages");
	st = st ?: dump_symbol(d, "default_hstate_idx", &at)
		 ?: dump_u32(d, at, &i, "default_hstate_idx") ?: dump_symbol(d, "hstates", &states)
		 ?: dump_ask(d, type_size, "struct hstate", &bytes);
	if (st == ST_OK && i >= n)
		st = dump_corrupt(d, "default_hstate_idx is %u of %lu", i, n);
	return RESULT(st, ret, states + i * bytes);
}

static enum status read_member(struct dump *d, uint64_t hstate, const char *member, uint32_t bytes,
			       uint64_t *ret)
{
	struct field f;
	uint32_t word = 0;
	enum status st = dump_ask(d, member, "struct hstate", member, &f);

	if (st == ST_OK && f.size != bytes)
		st = dump_unknown(d, "struct hstate, %s", member);
	if (st == ST_OK && bytes == sizeof(word)) {
		st = dump_u32(d, hstate + f.offset, &word, member);
		return RESULT(st, ret, word);
	}
	return st ?: dump_u64(d, hstate + f.offset, ret, member)
		  ?: dump_check(d, hstate + f.offset, ret, sizeof(*ret), member);
}

void huge_settings_walk(struct dump *d, void (*visit)(void *arg, const struct huge_setting *s),
			void *arg)
{
	uint64_t hstate = 0, order = 0;
	const enum status found = find_default(d, &hstate);

	for (size_t i = 0; i < ARRAY_SIZE(files) && found != ST_ABSENT; i++) {
		struct huge_setting s = { .name = files[i].name, .remark = files[i].remark };

		if (!dump_has_symbol(d, files[i].handler))
			continue;
		s.status = found ?: read_member(d, hstate, files[i].member, 8, &s.value)
				 ?: read_member(d, hstate, "order", 4, &order);
		if (s.status == ST_OK && files[i].keeps &&
		    (order > MAX_ORDER || s.value > MOST_PAGES >> order))
			s.status = dump_corrupt(d, "%s: %lu of order %lu", s.name, s.value, order);
		if (s.status == ST_OK && files[i].keeps)
			s.bytes = s.value << order << d->page_shift;
		visit(arg, &s);
	}
}
