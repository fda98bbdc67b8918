// SPDX-License-Identifier: GPL-2.0-or-later
#include "holders/way_root.h"

#include <stdbool.h>
#include <string.h>

#define ARROW " -> "
#define LIST "list of "
#define PRIVATE " and its private " /* behind the name of a device */

const char *way_root(const char *way, const char *module, size_t *len)
{
	const char *step = way;
	const size_t n = strlen(module ? module : "");

	for (const char *end = strstr(step, ARROW); n && end; end = strstr(step, ARROW)) {
		const char *of = step;

		while ((of = strchr(of, '[')) && of < end &&
		       (strncmp(of + 1, module, n) || of[n + 1] != ']'))
			of++;
		if (of && of < end) {
			const char *private = strstr(step, PRIVATE);

			step += strncmp(step, LIST, strlen(LIST)) ? 0 : strlen(LIST);
			*len = (size_t)((private && private < end ? private : end) - step);
			return step;
		}
		step = end + strlen(ARROW);
	}
	step = strstr(way, ARROW);
	*len = step ? (size_t)(step - way) : strlen(way);
	return way;
}
