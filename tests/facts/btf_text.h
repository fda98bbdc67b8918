/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What facts are asked of BTF beside lib/btf. */
#pragma once

#include "btf/btf.h"

/* The next type behind after (0: the first) of that kind and name; 0: none. */
uint32_t btf_find(const struct btf *b, enum btf_kind kind, const char *name, uint32_t after);

/* Bytes of a type; 0: it has none, or they do not fit. */
uint64_t btf_size(const struct btf *b, uint32_t id);

/* As C writes it without a name, "struct page *[8]"; cut to size. */
void btf_spell(const struct btf *b, uint32_t id, char *buf, size_t size);
