// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/known_names.h"

#include <stdio.h>
#include <string.h>

#define ROOM_FOR_MORE 48 /* bytes of " ... and N more (-o help)" */

void known_names_init(struct known_names *k, const char *word, size_t len)
{
	memset(k, 0, sizeof(*k));
	if (len < sizeof(k->word))
		memcpy(k->word, word, len);
	k->told = strbuf_in(k->text, sizeof(k->text));
}

void known_names_also(struct known_names *k, const char *name)
{
	unsigned int distance;

	if (!name || !*k->word || strlen(name) >= LIKENESS_BYTES)
		return;
	distance = likeness_distance(k->word, name);
	if (!likeness_is_near(k->word, distance) || (k->is_near && distance >= k->distance))
		return;
	k->is_near = true;
	k->distance = distance;
	snprintf(k->hint, sizeof(k->hint), ", the nearest is %s", name);
}

void known_names_add(struct known_names *k, const char *name)
{
	known_names_also(k, name);
	if (k->more || k->told.len + strlen(name) + 1 + ROOM_FOR_MORE > sizeof(k->text))
		k->more++;
	else
		strbuf_add(&k->told, "%s%s", strbuf_between(&k->told, " "), name);
}

const char *known_names_hint(const struct known_names *k)
{
	return k->hint;
}

const char *known_names_text(struct known_names *k, const char *help)
{
	if (k->more)
		strbuf_add(&k->told, " ... and %zu more", k->more);
	if (k->more && help)
		strbuf_add(&k->told, " (%s%s%s)", k->call ?: "", k->call && *k->call ? " " : "",
			   help);
	k->more = 0;
	return k->text;
}
