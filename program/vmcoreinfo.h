/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Lines "KEY=VALUE" of VMCOREINFO (Documentation/admin-guide/kdump/vmcoreinfo.rst).  NUMBER(phys_base) is
 * decimal and may be negative; SYMBOL() and KERNELOFFSET are hexadecimal.
 */
#pragma once

#include "dump/dump.h"

struct vmcoreinfo {
	const char *text;
	size_t bytes;
};

/* At most size - 1 bytes; ST_ABSENT: no such key, or there is no room. */
enum status vmcoreinfo_text(const struct vmcoreinfo *v, const char *key, char *buf, size_t size);
enum status vmcoreinfo_number(const struct vmcoreinfo *v, const char *key, int64_t *ret);
enum status vmcoreinfo_hex(const struct vmcoreinfo *v, const char *key, uint64_t *ret);
enum status vmcoreinfo_symbol(const struct vmcoreinfo *v, const char *name, uint64_t *ret);
