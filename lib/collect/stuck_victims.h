/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Of the threads of a victim of the OOM killer, the one that stands for its process. */
#pragma once

#include "collect/stuck.h"

/*
 * Where the first thread has exited (a zombie until the last thread is gone), others still have the memory:
 * the first of these stands for the victim.
 */
void stuck_choose_victims(struct dump *d, struct stuck_task *first);
