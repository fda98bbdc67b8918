/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Names that may have any byte: of a thread (comm) by prctl(), of a file.  They are shown in one
 * form, in text, in JSON and as values of filters: a control character is '?'.
 */
#pragma once

static inline char printable_char(char c)
{
	return (unsigned char)c < 0x20 || c == 0x7f ? '?' : c;
}

static inline void printable(char *text)
{
	for (; *text; text++)
		*text = printable_char(*text);
}
