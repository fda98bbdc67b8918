/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a watchdog said of CPUs, whose tasks sleep on nothing: rows have no word of it. */
#pragma once

#include "pageowner/view.h"

/* "by the log CPU 0 was stuck for 26 s in hbamon (186): a soft lockup, 21ms before the panic": a line for each of two. */
void stuck_put_stalls(const struct owner_view *v);
