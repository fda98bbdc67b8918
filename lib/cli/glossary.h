/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Lists of names with an explanation each: columns, keys and the terms of a command. */
#pragma once

#include "util/sink.h"

#define GLOSSARY_WIDTH 80 /* columns of text: the terminal of a crash session */

/* A list of terms ends with a name of NULL. */
struct term {
	const char *name;
	const char *help;
};

/* One name with its explanation, wrapped at GLOSSARY_WIDTH; further lines are indented. */
void glossary_entry(struct sink *out, const char *name, const char *help);

/* An empty line, the title and the terms; terms NULL: nothing. */
void glossary_print(struct sink *out, const char *title, const struct term *terms);
