/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The registers of CPUs, where the dump has them: a note NT_PRSTATUS of each, which the kernel wrote when it began to dump
 * (crash_save_cpu() in kernel/crash_core.c), or QEMU for it.
 */
#pragma once

#include "dump/dump.h"

struct cpu_registers {
	uint64_t ip, sp, bp;
	bool irqs_off; /* maskable interrupts: IF of x86, I of arm64, where nothing else masks them */
};

/* Of note i; ST_ABSENT: there are no more; ST_UNKNOWN: it is of another machine. */
enum status cpu_registers_read(struct dump *d, unsigned int i, bool is_arm64,
			       struct cpu_registers *ret);
