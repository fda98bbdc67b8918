// SPDX-License-Identifier: GPL-2.0-or-later
#include "order_word.h"

#include <ctype.h>
#include <strings.h>

/* Names of zones and migrate types, as the kernel prints them. */
static const char *const zone_names[] = { "DMA",     "DMA32",  "Normal", "HighMem",
					  "Movable", "Device", NULL };
static const char *const type_names[] = { "Unmovable", "Movable", "Reclaimable", "HighAtomic",
					  "CMA",       "Isolate", NULL };

static const char *among(const char *const *names, const char *word)
{
	for (; *names; names++)
		if (!strcasecmp(*names, word))
			return *names;
	return NULL;
}

/* What is asked of the view in another way. */
static const char *meant(struct dump *d, const char *word, bool takes_filters)
{
	const char *zone = among(zone_names, word), *type = among(type_names, word);

	if (!strncasecmp(word, "GFP_", 4) || !strncasecmp(word, "__GFP_", 6)) {
		char *flag = dump_strdup(d, word);

		for (char *p = flag; *p; p++)
			*p = (char)toupper((unsigned char)*p);
		return takes_filters ? "" : dump_text(d, "; an order stands before it: 0 %s", flag);
	}
	if (!takes_filters)
		return zone || type || !strncasecmp(word, "node", 4)
			       ? "; zones, nodes and migrate types are all told without it"
			       : "";
	if (type)
		return dump_text(d, "; -f block_migratetype=%s keeps what has it", type);
	return zone ? dump_text(d, "; -f zone=%s keeps what has it", zone) : "";
}

enum status order_refuse(struct dump *d, const char *word, unsigned int orders, bool takes_filters)
{
	const char *hint = meant(d, word, takes_filters);

	if (!orders)
		return dump_usage(d, "an order is a number, not '%s'%s", word, hint);
	return dump_usage(d, "an order is a number from 0 to %u, not '%s'%s", orders - 1, word,
			  hint);
}
