/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Words that can follow the first ones of a command line, by the tables of the commands: names,
 * options, views (-t), keys (-f, -X, -g), columns (-o, -s).
 */
#pragma once

#include "dump/commands.h"

/*
 * word is the beginning of a word behind the n words of argv; each that it can become is given to
 * add().  Whether files are meant, too.
 */
bool complete_word(const struct command *const *commands, int n, char **argv, const char *word,
		   void (*add)(void *arg, const char *word), void *arg);
