/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where output goes: crash's output, or a buffer of a test. */
#ifndef MEMOWNER_UTIL_SINK_H
#define MEMOWNER_UTIL_SINK_H

#include <stdbool.h>
#include <stddef.h>

#define SINK_BYTES 32768

struct sink {
	/* False once the reader is gone; nothing is written from then on. */
	bool (*write)(void *priv, const char *s, size_t n);
	void *priv;
	bool closed;
	bool is_terminal; /* control characters would move its cursor; set by the owner */
	size_t used;
	char buf[SINK_BYTES]; /* crash's output files are unbuffered */
};

void sink_init(struct sink *s, bool (*write)(void *priv, const char *s, size_t n), void *priv);
void sink_write(struct sink *s, const char *text, size_t n);
void sink_text(struct sink *s, const char *text);
__attribute__((format(printf, 2, 3))) void sink_printf(struct sink *s, const char *fmt, ...);

/* Text of the dump: byte for byte, but control characters in lines are ? on a terminal. */
void sink_raw(struct sink *s, const char *text, size_t n);

/* What was written has arrived only after this. */
void sink_flush(struct sink *s);

#endif
