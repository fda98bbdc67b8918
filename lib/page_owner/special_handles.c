// SPDX-License-Identifier: GPL-2.0-or-later
#include "page_owner/special_handles.h"

void special_handles_open(struct dump *d, struct special_handles *ret)
{
	static const char *const names[SPECIAL_HANDLES] = {
		[SPECIAL_FAILURE] = "failure_handle",
		[SPECIAL_DUMMY] = "dummy_handle",
		[SPECIAL_EARLY] = "early_handle",
	};

	*ret = (struct special_handles){ 0 };
	for (unsigned int i = 0; i < SPECIAL_HANDLES; i++) {
		uint64_t handle;

		/* They are of page_owner, which has all three (4.13). */
		if (dump_has_both(d, names[i], "struct page_owner") == ST_ABSENT)
			continue;
		ret->known[i] = dump_value(d, names[i], &handle) == ST_OK;
		ret->unreadable[i] = !ret->known[i];
		if (!ret->known[i])
			continue;
		ret->handles[i] = handle;
	}
	d->error[0] = '\0';
}

bool special_handle(const struct special_handles *b, uint32_t handle)
{
	for (unsigned int i = 0; i < SPECIAL_HANDLES; i++)
		if (special_handle_is(b, i, handle))
			return true;
	return !handle;
}
