/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Objects that the kernel has until it calls a function of a module: an armed timer or work that waits is inside of them.
 * An object whose module alone has a function there is kept by that.
 */
#pragma once

#include "holders/holders.h"

struct armed {
	enum armed_kind {
		ARMED_NONE,
		ARMED_TIMER,
		ARMED_HRTIMER,
		ARMED_DELAYED,
		ARMED_WORK,
		ARMED_KINDS
	} kind;
	uint64_t function;
	uint16_t number; /* of the kind and function, from 1 on; 0: of none, or of too many */
};

/* Before the nodes of the graph are there: what their words say is noted as they are read. */
void armed_open(struct holders *h);

/* What is inside of an object; lives as long as the command. */
const struct armed *armed_of(const struct holders *h, uint32_t node);

/* "armed timer" (holder_names.c) */
extern const char *const armed_words[ARMED_KINDS];

/* "armed timer tick_expire [tickd]"; NULL: nothing is inside. */
const char *armed_text(struct holders *h, uint32_t node);

/* What stands in front of it, or of another symbol that objects have: " with " or " naming ". */
const char *armed_joint(const char *symbol); /* holder_names.c */
