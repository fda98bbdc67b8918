/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A word where an order is expected. */
#pragma once

#include "dump/dump.h"

/* ST_USAGE: what an order is, and what else the word may have been meant for. orders: 0: unknown. */
enum status order_refuse(struct dump *d, const char *word, unsigned int orders, bool takes_filters);
