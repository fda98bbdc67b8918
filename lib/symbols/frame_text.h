/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A frame of a stack as lines of text. */
#ifndef MEMOWNER_SYMBOLS_FRAME_TEXT_H
#define MEMOWNER_SYMBOLS_FRAME_TEXT_H

#include "util/sink.h"
#include "symbols/symbolize.h"

/*
 * One line, "    symbol+0x1f [module]"; with a known source also the place, and lines
 * before it for the functions put in line there, innermost first.
 */
void frame_put(const struct frame *f, struct sink *sink);

#endif
