/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Errors of the hardware that were not corrected, by their lines in the log: machine checks (arch/x86/kernel/cpu/mce/core.c),
 * records of the firmware (drivers/firmware/efi/cper.c), NMIs (arch/x86/kernel/nmi.c), PCIe (drivers/pci/pcie/aer.c),
 * memory controllers (drivers/edac), pages that failed (mm/memory-failure.c). 4.19 to 7.3. Text only.
 */
#pragma once

#include "log/kernel_log.h"
#include "log/log_text.h"

#define HARDWARE_ERROR_TEXT 192

struct hardware_errors {
	unsigned int n;
	const struct kernel_record *first, *last; /* NULL: none */
	/* Of the last: its line without what the kernel puts before each, and what it is, by a later line; "": none. */
	char text[HARDWARE_ERROR_TEXT], reason[HARDWARE_ERROR_TEXT];
	struct log_number address,
		pfn; /* where in memory it was, of physical addresses: one of them, or none */
	bool is_nmi; /* the last is an NMI that no part of the kernel had waited for */
};

/* "an error of the hardware" */
static inline const char *hardware_errors_words(const struct hardware_errors *e)
{
	return e->is_nmi ? "an NMI of unknown reason" : "an error of the hardware";
}

void hardware_errors_read(const struct kernel_log *log, struct hardware_errors *ret);

/* What the kernel says as it ends for an error of the hardware, or for an NMI. */
bool hardware_error_is_panic(const char *panic);
