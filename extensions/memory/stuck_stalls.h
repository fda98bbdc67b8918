/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What rows have no word of: what watchdogs said of CPUs, and what their times are not. */
#pragma once

#include "collect/stuck.h"
#include "pageowner/view.h"

/* "by the log CPU 0 was stuck for 26 s in hbamon (186): a soft lockup, 21ms before the panic": a line for each of two. */
void stuck_put_stalls(const struct owner_view *v);

/* What AGE is not of threads that wait for a server of RPC; nothing where none does. */
void stuck_put_resent(const struct owner_view *v, const struct stuck *x);
