/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Threads that wait for each other. */
#pragma once

#include "collect/stuck.h"

/* By the holders of all threads: whether this one waits for one that waits for it. */
void stuck_find_circle(struct stuck_task *s);
