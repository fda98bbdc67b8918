// SPDX-License-Identifier: GPL-2.0-or-later
#include "bpf/bpf_names.h"

#include <ctype.h>

static const char *lower(struct dump *d, const char *name)
{
	char *text = arena_strdup(d->arena, name);

	for (char *c = text; *c; c++)
		*c = (char)tolower((unsigned char)*c);
	return text;
}

void bpf_names_open(struct dump *d, const char *prefix, const char *const *names, size_t n,
		    struct bpf_names *ret)
{
	memset(ret, 0, sizeof(*ret));
	for (size_t i = 0; i < n; i++) {
		int64_t value;

		if (dump_ask(d, enumerator, arena_text(d->arena, "%s%s", prefix, names[i]),
			     &value) == ST_OK &&
		    value >= 0 && value < BPF_NAMES && !ret->of[value])
			ret->of[value] = lower(d, names[i]);
	}
}
