/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Text of a dump as text of an HTML page: no byte of it is markup. */
#pragma once

#include "util/sink.h"

/* In UTF-8; a byte that is part of no character becomes U+0080..U+00FF, a control character '?'. */
void html_text(struct sink *sink, const char *text, size_t n);

/* Bytes that it writes. */
size_t html_bytes(const char *text, size_t n);
