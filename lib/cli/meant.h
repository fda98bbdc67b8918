/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the argument of a noun that takes none can have been meant for, before a row is known. */
#pragma once

#include "cli/cmdline.h"

#define MEANT_BYTES 64 /* of a word that may have been meant for a filter */
#define MEANT_TEXT (MEANT_BYTES + 320)

/*
 * "; -f kind=cma keeps what has it" of a known value, else a part of a text, with the keys that it may be
 * of; of a noun that takes no -f that of another; "": nothing.
 */
void meant_text(const struct command_spec *usage, const struct view *view, const char *word,
		char buf[MEANT_TEXT]);
