/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The kernel log of 3.11 to 5.9: records of any length one behind the other in log_buf, the newest
 * over the oldest (kernel/printk/printk.c, struct printk_log).
 */
#pragma once

#include "log/printk.h"

/*
 * As printk_walk(). A record says where the next one begins: where one is damaged or not in this
 * dump, the newest are found again by records that lead to the end of the log, and behind them the
 * older ones are visited; the status then says what is wrong with those between. If the newest
 * are not found, none is visited.
 */
enum status log_buf_walk(struct dump *d,
			 enum status (*visit)(void *arg, const struct log_record *r), void *arg);
