/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What records of a log say of the machine: its kernel, its command line, its CPUs, the size of its pages. */
#pragma once

#include "log/log_file.h"

/* changes: of the release and the taint so far, over all records of a file. */
void log_facts_take(struct dump *d, const char *text, unsigned int *changes, struct log_file *f);

/* A text that is kept, without what cannot be printed. */
const char *log_facts_text(struct dump *d, const char *text, size_t len);

/*
 * Whether a text of len bytes is what another one is without one of its characters or some in a row, or with one that is
 * another: not a digit for a digit, and not without a flavour as "-cloud".
 */
bool log_facts_is_damaged(const char *text, size_t len, const char *whole);
/* The same of one sign, a digit too: which another release has as well. */
bool log_facts_has_other_digit(const char *text, const char *whole);
