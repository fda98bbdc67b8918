/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A log of one record, the panic's, ten seconds after boot, and jiffies of 4 ms: what
 * tells how long ago something was (5.10 and later).
 */
#include "printktypes.h"
#ifdef LOG_TEXT
#define PANIC LOG_TEXT
#else
#define PANIC "Kernel panic - not syncing: synthetic"
#endif
/* Of record 0: DESC0_ID() and 1. */
#define ID 0xfffffffeUL
static struct prb_desc log_descs[2] = { { 2UL << 62 | ID, { 0, 64 } } };
static struct printk_info log_infos[2] = { { 0, 10000000000, sizeof(PANIC) - 1 } };
static struct {
	u64 id;
	char text[56];
} log_data[2] = { { ID, PANIC } };
static struct printk_ringbuffer log_ring = {
	{ 1, DIRECT(log_descs), DIRECT(log_infos), ID, ID },
	{ 7, DIRECT(log_data), 64, 0 },
};
struct printk_ringbuffer *prb = DIRECT(&log_ring);

#define JIFFIES 0x100001000UL
u64 jiffies_64 = JIFFIES;
struct clocksource {
	u32 mult, shift;
};
struct clocksource clocksource_jiffies = { 4000000 << 8, 8 };
/* Ticks before the panic. */
#define AGO(ticks) (JIFFIES - (ticks))
