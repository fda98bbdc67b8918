/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Of a log alone: what programs said that they, or the kernel, killed. A row of what the log tells for each program. */
#pragma once

#include "summary.h"

void summary_add_user_kills(struct summary *s);
