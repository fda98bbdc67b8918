// SPDX-License-Identifier: GPL-2.0-or-later
#include "dump/lack_words.h"

#include <string.h>

const char *availability_word(enum availability a)
{
	switch (a) {
	case NOT_BUILT:
		return WORD_NOT_THERE;
	case OFF_AT_BOOT:
	case OFF_LATER:
		return WORD_NOT_RECORDED;
	default:
		return WORD_UNKNOWN;
	}
}

bool lack_is_no_warning(const char *note)
{
	return !strncmp(note, WORD_NOT_RECORDED ": ", strlen(WORD_NOT_RECORDED ": ")) ||
	       !strncmp(note, WORD_NOT_THERE ": ", strlen(WORD_NOT_THERE ": "));
}
