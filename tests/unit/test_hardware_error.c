// SPDX-License-Identifier: GPL-2.0-or-later
/* Errors of the hardware, by lines as kernels print them. */
#include "log/hardware_error.h"

#include <string.h>

#include "log_records.h"
#include "test.h"

static struct hardware_errors read_lines(const char *const *lines, size_t n)
{
	struct kernel_record records[LOG_RECORDS];
	const struct kernel_log log = log_of(records, lines, n);
	struct hardware_errors e;

	hardware_errors_read(&log, &e);
	return e;
}

static void a_machine_check_has_its_reason(void)
{
	static const char *const lines[] = {
		"mce: [Hardware Error]: Machine check events logged",
		"mce: [Hardware Error]: CPU 0: Machine Check: 0 Bank 5: be00000000800400",
		"mce: [Hardware Error]: CPU 3: Machine Check Exception: 5 Bank 5: be00000000800400",
		"mce: [Hardware Error]: TSC 1f2a7d4c8e3 ADDR 12345000 MISC 8c",
		"mce: [Hardware Error]: Machine check: Processor context corrupt",
	};
	const struct hardware_errors e = read_lines(lines, 5);

	CHECK(e.n == 1 && e.last->ts_ns == 3 && !e.is_nmi);
	CHECK(e.address.known && e.address.value == 0x12345000 && !e.pfn.known);
	CHECK_TEXT(e.text, "CPU 3: Machine Check Exception: 5 Bank 5: be00000000800400");
	CHECK_TEXT(e.reason, "Machine check: Processor context corrupt");
	/* What was corrected, or found later, is none. */
	CHECK(!read_lines(lines, 2).n);
}

static void a_reason_without_its_error_is_none(void)
{
	static const char *const lines[] = {
		"mce: [Hardware Error]: Machine check: Processor context corrupt",
		"{1}[Hardware Error]: event severity: corrected",
		"{1}[Hardware Error]:   section_type: memory error",
	};
	const struct hardware_errors e = read_lines(lines, 3);

	CHECK(!e.n && !*e.text && !*e.reason);
}

/* BERT prints what the firmware kept of the boot before: without the number that errors of this one have. */
static void an_error_of_the_boot_before_is_none(void)
{
	static const char *const lines[] = {
		"BERT: Error records from previous boot:",
		"[Hardware Error]: event severity: fatal",
		"[Hardware Error]:  Error 0, type: fatal",
		"[Hardware Error]:   section_type: memory error",
		"{1}[Hardware Error]: event severity: fatal",
		"{1}[Hardware Error]:   section_type: PCIe error",
	};
	const struct hardware_errors e = read_lines(lines, 6);

	CHECK(!read_lines(lines, 4).n);
	CHECK(e.n == 1);
	CHECK_TEXT(e.reason, "section_type: PCIe error");
}

static void others_of_the_kernel_itself(void)
{
	static const char *const all[] = {
		"MCE: Killing postgres:1234 due to hardware memory corruption fault at 7f3a12345000",
		"pcieport 0000:00:02.0: AER: Uncorrectable (Non-Fatal) error message received from 0000:01:00.0",
		"pcieport 0000:00:02.0: AER: Multiple Uncorrected (Fatal) error received: 0000:01:00.0",
	};

	for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++)
		CHECK(read_lines(&all[i], 1).n == 1);
	CHECK(hardware_error_is_panic("GHES: Fatal hardware error"));
	CHECK(hardware_error_is_panic(
		"Timeout: Monarch CPU did not finish machine check processing"));
	CHECK(!hardware_error_is_panic("Timeout: "));
}

static void a_page_has_its_number(void)
{
	static const char *const lines[] = {
		"mce: [Hardware Error]: CPU 3: Machine Check Exception: 5 Bank 5: be00000000800400",
		"mce: [Hardware Error]: TSC 1f2a7d4c8e3 ADDR 12345000 MISC 8c",
		"Memory failure: 0x12345: Sending SIGBUS to postgres:1234 due to hardware memory corruption",
		"Memory failure: 0x6789a: recovery action for dirty LRU page: Recovered",
	};
	const struct hardware_errors e = read_lines(lines, 4);

	CHECK(e.n == 2 && !e.address.known && e.pfn.known && e.pfn.value == 0x6789a);
}

static void each_form_is_known(void)
{
	static const struct {
		const char *line, *text;
		bool is_nmi;
	} forms[] = {
		{ "{12}[Hardware Error]: event severity: fatal", "event severity: fatal", false },
		{ "Uhhuh. NMI received for unknown reason 21 on CPU 0.",
		  "Uhhuh. NMI received for unknown reason 21 on CPU 0", true },
		{ "NMI: PCI system error (SERR) for reason a1 on CPU 0.",
		  "NMI: PCI system error (SERR) for reason a1 on CPU 0", false },
		{ "pcieport 0000:00:1c.0: AER: Uncorrected (Fatal) error received: 0000:01:00.0",
		  "AER: Uncorrected (Fatal) error received: 0000:01:00.0", false },
		{ "EDAC MC0: 1 UE memory read error on CPU_SrcID#0_Ha#0_Chan#1_DIMM#0",
		  "EDAC MC0: 1 UE memory read error on CPU_SrcID#0_Ha#0_Chan#1_DIMM#0", false },
		{ "Memory failure: 0x12345: recovery action for dirty LRU page: Recovered",
		  "Memory failure: 0x12345: recovery action for dirty LRU page: Recovered", false },
	};

	for (size_t i = 0; i < ARRAY_SIZE(forms); i++) {
		const struct hardware_errors e = read_lines(&forms[i].line, 1);

		CHECK(e.n == 1 && e.is_nmi == forms[i].is_nmi);
		CHECK_TEXT(e.text, forms[i].text);
	}
	CHECK(hardware_error_is_panic("Fatal machine check"));
	CHECK(!hardware_error_is_panic("sysrq triggered crash"));
}

TESTS({ "an error of the boot before", an_error_of_the_boot_before_is_none },
      { "others of the kernel", others_of_the_kernel_itself },
      { "a machine check has its reason", a_machine_check_has_its_reason },
      { "a reason without its error is none", a_reason_without_its_error_is_none },
      { "a page has its number", a_page_has_its_number },
      { "each form is known", each_form_is_known })
