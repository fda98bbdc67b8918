/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Names one behind the other, of which those that repeat, or take turns, are told once. */
#pragma once

#include <stdbool.h>

#define TURNS_MOST 4u /* names that take turns */

struct turns {
	/* The newest first; NULL: one that is like no other. */
	const char *last[TURNS_MOST + 1];
	unsigned int n; /* of these */
	/* Names take turns: how many, and which of last is next; 0: none do. */
	unsigned int period, turn;
};

/* Whether a name is the newest once more, or goes on with a few that take turns. */
bool turns_repeat(struct turns *t, const char *name);

void turns_add(struct turns *t, const char *name);
