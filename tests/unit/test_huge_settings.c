// SPDX-License-Identifier: GPL-2.0-or-later
/* Settings of huge pages are those of the default size, which need not be the first. */
#include "pages/huge_settings.h"
#include "stub.h"
#include "test.h"

#define AT(i) (0x10000ULL + (uint64_t)(i)*0x1000)

static struct {
	uint64_t persistent, overcommit;
	uint32_t order, unused;
} hstates[2] = { { 3, 5, 9, 0 }, { 40, 7, 18, 0 } };
static uint32_t sizes_n = 2, standard = 1;
static const struct stub_memory memory[] = {
	{ AT(0), hstates, sizeof(hstates) }, { AT(1), &sizes_n, 4 }, { AT(2), &standard, 4 }, { 0 }
};
static const struct stub_symbol symbols[] = { { "hstates", AT(0), FIELD(0, 48) },
					      { "hugetlb_max_hstate", AT(1), FIELD(0, 4) },
					      { "default_hstate_idx", AT(2), FIELD(0, 4) },
					      { "hugetlb_sysctl_handler", AT(5), FIELD(0, 8) },
					      { "hugetlb_overcommit_handler", AT(6), FIELD(0, 8) },
					      { 0 } };
static const struct stub_member members[] = {
	{ "struct hstate", "max_huge_pages", FIELD(0, 8) },
	{ "struct hstate", "nr_overcommit_huge_pages", FIELD(8, 8) },
	{ "struct hstate", "order", FIELD(16, 4) },
	{ 0 },
};
static const struct stub_number sizes[] = { { "struct hstate", 24 }, { 0 } };

static char text[256];
static enum status last;

/* "vm.nr_hugepages=40:10485760K ...", "-": unknown. */
static void add(void *unused NOT_USED, const struct huge_setting *s)
{
	size_t len = strlen(text);

	last = s->status;
	if (s->status == ST_OK)
		snprintf(text + len, sizeof(text) - len, "%s=%lu:%luK ", s->name, s->value,
			 s->bytes >> 10);
	else
		snprintf(text + len, sizeof(text) - len, "%s=- ", s->name);
}

static const char *told(struct stub s)
{
	*text = '\0';
	last = ST_OK;
	stub_open(&s);
	huge_settings_walk(&s.dump, add, NULL);
	stub_close(&s);
	return text;
}

static const struct stub all = { memory, symbols, members, sizes, NULL };

/* Without CONFIG_NUMA there is no nr_hugepages_mempolicy. What may be taken is not kept. */
static void default_size(void)
{
	CHECK_TEXT(told(all), "vm.nr_hugepages=40:41943040K vm.nr_overcommit_hugepages=7:0K ");
	standard = 0;
	CHECK_TEXT(told(all), "vm.nr_hugepages=3:6144K vm.nr_overcommit_hugepages=5:0K ");
	standard = 1;
}

#define UNKNOWN "vm.nr_hugepages=- vm.nr_overcommit_hugepages=- "

static void unknown(void)
{
	struct stub no_array = all;

	no_array.memory = memory + 1;
	standard = 2;
	CHECK_TEXT(told(all), UNKNOWN);
	CHECK(last == ST_CORRUPT);
	standard = 1;
	CHECK_TEXT(told(no_array), UNKNOWN);
	CHECK(last == ST_UNREADABLE);
	hstates[1].order = 60;
	CHECK_TEXT(told(all), "vm.nr_hugepages=- vm.nr_overcommit_hugepages=7:0K ");
	hstates[1].order = 18;
}

static void none(void)
{
	sizes_n = 0;
	CHECK_TEXT(told(all), "");
	sizes_n = 2;
}

TESTS({ "of the default size", default_size }, { "values that are unknown", unknown },
      { "a machine without huge pages", none })
