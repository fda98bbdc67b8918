// SPDX-License-Identifier: GPL-2.0-or-later
#include "mm/special_handles.h"

void blind_handles_open(struct dump *d, struct blind_handles *ret)
{
	static const char *const names[BLIND_HANDLES] = {
		[BLIND_FAILURE] = "failure_handle",
		[BLIND_DUMMY] = "dummy_handle",
		[BLIND_EARLY] = "early_handle",
	};

	*ret = (struct blind_handles){ 0 };
	for (unsigned int i = 0; i < BLIND_HANDLES; i++) {
		uint64_t handle;

		if (!dump_has_symbol(d, names[i]) || dump_value(d, names[i], &handle) != DUMP_OK)
			continue;
		ret->known[i] = true;
		ret->handles[i] = handle;
	}
	d->error[0] = '\0';
}

bool blind_handle(const struct blind_handles *b, uint32_t handle)
{
	for (unsigned int i = 0; i < BLIND_HANDLES; i++)
		if (blind_handle_is(b, i, handle))
			return true;
	return !handle;
}
