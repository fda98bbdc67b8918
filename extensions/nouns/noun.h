/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What nouns have in common whose views are in extensions/pageowner. */
#ifndef MEMOWNER_NOUNS_NOUN_H
#define MEMOWNER_NOUNS_NOUN_H

#include "cli/command.h"
#include "pages/kernel_map.h"
#include "pageowner/view.h"

/* Behind the tables help[], views[] and options[] of the file; what is more of struct command_spec. */
#define OWNER_NOUN(name, ...)                                                                \
	static const struct command_spec usage = { NOUN_TABLES, .map = kernel_map_if_linear, \
						   ##__VA_ARGS__ };                          \
	NOUN_MAIN(name, struct owner_view)

#endif
