// SPDX-License-Identifier: GPL-2.0-or-later
/* Firmware that a driver did not get, by lines as kernels print them. */
#include "log/firmware_load.h"

#include "log_records.h"
#include "test.h"

static bool has(const char *line, const char *name)
{
	const char *const lines[] = { line };
	struct kernel_record records[LOG_RECORDS];
	const struct kernel_log log = log_of(records, lines, 1);

	return firmware_load_failed(&log, name);
}

static void whose_it_is(void)
{
	static const char platform[] = "platform wlink: Direct firmware load for "
				       "wlink/wl2100.bin failed with error -2";
	static const char pci[] = "iwlwifi 0000:03:00.0: Direct firmware load for "
				  "iwlwifi-9.ucode failed with error -2";

	CHECK(has(platform, "wlink") && has(pci, "iwlwifi"));
	CHECK(has("usb 1-1: Direct firmware load for rtlwifi/a.bin failed with error -2",
		  "rtlwifi"));
	/* A part of a name; another driver; a load that did not fail. */
	CHECK(!has(platform, "wlin") && !has(platform, "link") && !has(pci, "wlink"));
	CHECK(!has(pci, "error") && !has("wlink: no firmware yet", "wlink"));
}

TESTS({ "whose it is", whose_it_is })
