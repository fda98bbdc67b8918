/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Lines of JSON that loggers write around those of a log: an object of journalctl -o json or of the json-file
 * of containers; a value in quotes of a list, of YAML or of CSV. Text only.
 */
#pragma once

#include <stdbool.h>

enum log_json {
	LOG_JSON_NONE,	/* another line, which stays as it is */
	LOG_JSON_OTHER, /* of journalctl, but none of the kernel */
	LOG_JSON_LINE	/* the line is what was inside */
};

/*
 * The object in a line is replaced by the words in it, which are shorter: a record of the kernel in the form of
 * journalctl -o short-monotonic, or what the container wrote.
 */
enum log_json log_json_line(char *line);

/* "    },", "{": what stands around members that have a line each; of a log that has none the line is its own. */
bool log_json_is_frame(const char *line);

/* Whether a text begins with a stamp of the kernel. */
bool log_json_has_stamp(const char *text);

/* What is within the quotes of a string, which end there: escapes become what they stand for, ends of lines at its end none. */
void log_json_unescape(char *begin, char *end);

/* Whether a line is a string of a list that begins with a stamp of the kernel: no object has it as a member. */
bool log_json_is_item(const char *line);
