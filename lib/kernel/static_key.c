// SPDX-License-Identifier: GPL-2.0-or-later
#include "kernel/static_key.h"

#include "dump/layout.h"

static const struct layout_row enabled_row = {
	"struct static_key", { "enabled.counter" }, REQUIRED, "all"
};

enum status static_key_read(struct dump *d, const char *name, bool *ret)
{
	struct field f;
	uint64_t addr;
	uint32_t enabled;
	enum status st = dump_symbol(d, name, &addr) ?: layout_resolve(d, &enabled_row, 1, &f) ?:
		dump_u32(d, addr + f.offset, &enabled, name) ?:
		dump_check(d, addr + f.offset, &enabled, sizeof(enabled), name);

	if (st != ST_OK)
		return st;
	/* static_key_enable() writes 1, or -1 while it patches the code (static_key_count()). */
	*ret = enabled != 0;
	decoder_trace(d, "value  %s = %u", name, enabled);
	return ST_OK;
}
