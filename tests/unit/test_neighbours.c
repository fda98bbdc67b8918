// SPDX-License-Identifier: GPL-2.0-or-later
/* How many entries a table of neighbours has, by the root that leads to its memory. */
#include "memowner/summary.h"
#include "memowner/verdict_words.h"
#include "stub.h"
#include "test.h"

#define TABLE 0x1000

static uint32_t counts[2]; /* entries, gc_entries */
static const struct stub_member members[] = { { "struct neigh_table", "entries", FIELD(0, 4) },
					      { "struct neigh_table", "gc_entries", FIELD(4, 4) },
					      { 0 } };
static const struct stub_symbol symbols[] = { { "arp_tbl", TABLE, FIELD(0, 8) }, { 0 } };
static const struct stub_memory memory[] = { { TABLE, counts, sizeof(counts) }, { 0 } };

static const char *told(const char *root, uint32_t entries, uint32_t collected)
{
	static char ret[256];
	STUB(stub, .memory = memory, .members = members, .symbols = symbols);
	struct summary s = { .dump = &stub.dump };
	const char *text;

	counts[0] = entries;
	counts[1] = collected;
	text = summary_neighbours(&s, root);
	snprintf(ret, sizeof(ret), "%s", text ?: "none");
	return ret;
}

static void neighbours(void)
{
	CHECK_TEXT(
		told("arp_tbl -> kmalloc-64", 534771, 0),
		"534,771 IPv4 neighbours (ARP), which gc_thresh3 does not limit (permanent, or learned "
		"elsewhere)");
	CHECK_TEXT(
		told("arp_tbl", 1000, 400),
		"1,000 IPv4 neighbours (ARP), 600 of which gc_thresh3 does not limit (permanent, or "
		"learned elsewhere)");
	CHECK_TEXT(told("arp_tbl", 1000, 1000), "1,000 IPv4 neighbours (ARP)");
	/* Another root; a counter that is damaged; a table that this kernel does not have. */
	CHECK_TEXT(told("arp_tbl_of_drv -> x", 1000, 400), "none");
	CHECK_TEXT(told("arp_tbl", 0xffffffff, 0), "none");
	CHECK_TEXT(told("nd_tbl", 1000, 400), "none");
}

TESTS({ "neighbours", neighbours })
