/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Events on file systems that are frozen. */
#pragma once

#include "collect/stuck.h"

struct story;

/* Of each that a thread waits for: since when it was frozen at the latest, and which processes started about then. */
void story_add_frozen(struct story *st, const struct stuck *all);
