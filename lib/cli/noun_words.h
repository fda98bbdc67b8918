/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Words that a user knows from /proc or from other tools, for nouns of memowner. */
#pragma once

/* "caches" of "slabinfo"; NULL: it is none of them. */
const char *noun_of_word(const char *word);

/* The number of "task:460", "pid:460" or "tgid:460", as other tools name a process; NULL: it is none of these. */
const char *process_of_word(const char *word);
