/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What tools, mails and web pages put into the words of a log, and loggers write in another way: each is taken out
 * in place. Text only: nothing here reads the dump.
 */
#pragma once

#include <stdbool.h>

/* Blanks at the end. */
void log_drop_blanks(char *text);

/* At the end, where a table was copied: a mail breaks lines at blanks alone. */
void log_drop_tabs(char *line);

/* The last word, which may be a part of one. */
void log_drop_word(char *line);

/* The colours of a terminal are none of the words. */
void log_drop_colours(char *line);

/* "\x0a" of /dev/kmsg, which escapes what is not printed, and the backslash. */
void log_unescape_bytes(char *text);

/* rsyslog writes a newline inside of a record as "#012", a tab as "#011", syslog-ng "\x0a" and "\x09", values of JSON "\n". */
void log_unescape_lines(char *line);

/* "[  249.512662]<TAB>": a table has it where the kernel has a blank. */
void log_untab_stamp(char *line);

/* Entities and tags that a web page has in the lines. */
void log_drop_markup(char *line);

/* A line of hexdump -C, xxd or od: an offset, and bytes. */
bool log_is_hex(const char *line);

/* What follows "> > " of a mail, which quotes each line so. */
char *log_behind_quotes(char *line);

/* "...", "[...]": lines that are left out of a mail. */
bool log_is_ellipsis(const char *text);

/* "box" and "box.example.com"; what the first lines have before a machine knows its name is any. */
bool log_is_same_host(const char *a, const char *b);

/* How often a mail quotes a line, whatever blanks are between the signs. */
unsigned int log_quotes(const char *line);
