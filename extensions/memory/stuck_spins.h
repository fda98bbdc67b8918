/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Threads on CPUs that spin for a lock, and who likely has it: the first screen tells the same (overview/spinning.c). */
#pragma once

#include "collect/stuck.h"

/* "linkmux_tx (188), linkstat (266) were on CPUs and spun for locks": who has these no frame tells; false: none did. */
bool stuck_spin_words(const struct stuck *x, struct strbuf *b);

/*
 * "acqd (163), on a CPU in pxacq_wait_ready [pxacq], likely has the lock that acqd-status (165) spun for, by the same module":
 * who has a spin lock does not sleep, and in a driver out of tree it was the only other one on a CPU. false: there is none.
 */
bool stuck_spin_owner_words(const struct stuck *x, const struct stuck_task *s, struct strbuf *b);
