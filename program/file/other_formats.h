/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Files that are no ELF and no kdump, by their first bytes: what they are, and what makes a dump of
 * them.
 */
#pragma once

#include "file/input.h"

/* ST_UNKNOWN, with the message. */
enum status other_format(struct dump *d, const struct input *in);
