/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Whom the filters of memowner stuck may mean beside its rows. */
#pragma once

#include "collect/stuck.h"
#include "pageowner/view.h"

/* Behind the rows: that the filters keep threads which have none, or leave out others of a process that they name. */
void stuck_warn_of_others(struct owner_view *v, const struct stuck *x);

/* Of -f age: how many it leaves out whose AGE may be too short, as they run to try again. (stuck_age.c) */
void stuck_warn_of_age(struct owner_view *v, const struct stuck *x);
