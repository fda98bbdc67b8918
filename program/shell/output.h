/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where the output of a command goes: standard output, a file, a program that reads it. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct output {
	int fd;
	bool on_screen; /* of a terminal, a pager before it or not */
	bool closed;	/* its reader is gone, or it cannot be written: no more comes */
	int error;	/* errno, where that is no fault of the reader; 0 */
	FILE *program;	/* that reads it; NULL */
	bool is_file;	/* to be closed */
};

/* A reader that goes away ends no program: what is written then fails. */
void output_begin(void);

void output_standard(struct output *o);
/* False: errno says why. */
bool output_file(struct output *o, const char *path, bool append);
/* A command line of sh. */
bool output_program(struct output *o, const char *command);
/* $PAGER, else less; standard output where that is no terminal. */
void output_pager(struct output *o);

/* For struct sink: priv is the output. */
bool output_write(void *priv, const char *s, size_t n);

/* Columns of its terminal; 0: it is none. */
unsigned int output_columns(const struct output *o);

/* Waits for the program that reads it. */
void output_close(struct output *o);
