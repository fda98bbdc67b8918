/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the commands say of themselves, as "help" of crash shows it. */
#pragma once

#include "dump/commands.h"

/* All of one command: name, synopsis, description. */
void help_command(struct sink *s, const struct command *c);
/* What the words behind "help" name: a command, a noun, or a command and its noun; NULL: nothing. */
const struct command *help_find(const struct command *const *commands, int argc, char **argv);
/* The nouns of the commands, as help_list() has commands. */
void help_nouns(struct sink *s, const struct command *const *commands, unsigned int indent);
/* A line for each, behind that many blanks. */
void help_list(struct sink *s, const struct command *const *commands, unsigned int indent);

/* Whether a command has an option of that letter. */
bool help_is_option(int letter);

/* "X: no such command", and the one that can have been meant. */
void help_unknown(char *buf, size_t size, const struct command *const *commands, const char *name);

/* Whether a command, or one view of memowner, takes the text of a log in place of a dump. */
bool help_takes_log(const struct command *const *commands, const char *word);
/* The command, or the view that is the first word of its arguments: "classes" of "memowner -n 2 classes". */
const char *help_view(const struct command *const *commands, int argc, char **argv);

/* Options of commands that have a word, and may stand before the command, by their letter: --redact. */
void help_shorten(int argc, char **argv);
