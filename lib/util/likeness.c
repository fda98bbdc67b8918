// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/likeness.h"

#include <ctype.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#define FINE 256 /* steps between as near and one character less near */

static unsigned int least(unsigned int a, unsigned int b)
{
	return a < b ? a : b;
}

/* As Levenshtein counts, with one row of the table. */
static unsigned int edits(const char *a, size_t na, const char *b, size_t nb)
{
	unsigned int row[LIKENESS_BYTES + 1];

	for (size_t j = 0; j <= nb; j++)
		row[j] = j;
	for (size_t i = 1; i <= na; i++) {
		unsigned int corner = row[0];

		row[0] = i;
		for (size_t j = 1; j <= nb; j++) {
			unsigned int above = row[j];
			bool same = tolower((unsigned char)a[i - 1]) ==
				    tolower((unsigned char)b[j - 1]);

			row[j] = least(corner + !same, least(above, row[j - 1]) + 1);
			corner = above;
		}
	}
	return row[nb];
}

/* The most that is near. */
static unsigned int far(size_t typed)
{
	return 1 + typed / 4;
}

/* 2048 of "2k"; 0: it is no size. */
static uint64_t size_of(const char *text)
{
	static const char units[] = "kmg";
	const char *unit;
	uint64_t v = 0;
	size_t n = strspn(text, "0123456789");

	for (size_t i = 0; n < 10 && i < n; i++)
		v = 10 * v + (uint64_t)(text[i] - '0');
	unit = text[n] ? strchr(units, tolower((unsigned char)text[n])) : NULL;
	if (unit)
		return text[n + 1] ? 0 : v << 10 * (unit + 1 - units);
	return text[n] ? 0 : v;
}

/* Behind the same letters the same size: "kmalloc-2048" and "kmalloc-2k". */
static bool is_same_size(const char *typed, const char *known)
{
	while (*typed && *typed == *known && !isdigit((unsigned char)*typed)) {
		typed++;
		known++;
	}
	return size_of(typed) && size_of(typed) == size_of(known);
}

/* Whether letters were left out between the first ones and the last. */
static bool is_short_for(const char *typed, const char *known)
{
	size_t n = strlen(typed), m = strlen(known);

	if (n < 4 || m < n || strncasecmp(typed, known, 3) ||
	    strcasecmp(typed + n - 1, known + m - 1))
		return false;
	for (; *typed && *known; known++)
		if (tolower((unsigned char)*typed) == tolower((unsigned char)*known))
			typed++;
	return !*typed;
}

/* What is behind the last dot of a unit is not typed: "php-fpm" for "php7.4-fpm.service". */
static bool is_short_for_unit(const char *typed, const char *known)
{
	const char *dot = strrchr(known, '.');
	char name[LIKENESS_BYTES + 1];

	if (!dot || strchr(typed, '.') || (size_t)(dot - known) > LIKENESS_BYTES)
		return false;
	memcpy(name, known, (size_t)(dot - known));
	name[dot - known] = '\0';
	return is_short_for(typed, name);
}

/* A word behind it that says what it is: "dentry_cache" for "dentry". */
static bool has_more(const char *typed, const char *known)
{
	size_t n = strlen(known);

	return n > 3 && !strncasecmp(typed, known, n) && strchr("_-. ", typed[n]) && typed[n];
}

/* As a sentence has it: "leaky_rx_refill [leaky]", "nic-poll (101)". */
static bool has_remark(const char *typed, const char *known)
{
	size_t n = strlen(known);

	return n && !strncmp(typed, known, n) && typed[n] == ' ' &&
	       (typed[n + 1] == '[' || typed[n + 1] == '(');
}

/* The slash behind a folder: "mm/" for "mm". */
static bool is_folder_of(const char *typed, const char *known)
{
	size_t n = strlen(known);

	return n && !strncmp(typed, known, n) && !strcmp(typed + n, "/");
}

/* A few letters in the middle of a word are no part of it: "age" of "badness_pages". */
static bool is_part(const char *typed, size_t n, const char *known)
{
	for (const char *at = known; (at = strcasestr(at, typed)); at++)
		if (n > 3 || at == known || !isalnum((unsigned char)at[-1]))
			return true;
	return false;
}

unsigned int likeness_distance(const char *typed, const char *known)
{
	const char *name = strrchr(known, '/');
	size_t n = strnlen(typed, LIKENESS_BYTES), m, more;
	unsigned int changes;

	if (has_remark(typed, known) || is_folder_of(typed, known))
		return 1;
	if (name && !strchr(typed, '/'))
		known = name + 1;
	m = strnlen(known, LIKENESS_BYTES);
	/* A part of a name is near, the more of it the nearer. */
	if (n && is_part(typed, n, known)) {
		more = strlen(known) - n;
		/* What it begins with comes before what it is in. */
		return least((more + 1) / 2, far(n)) * FINE + least(more, FINE / 2 - 1) +
		       (strncasecmp(known, typed, n) ? FINE / 2 : 0);
	}
	if (is_same_size(typed, known))
		return 1;
	if (has_more(typed, known))
		return 2 * FINE; /* behind one letter that differs */
	if (is_short_for(typed, known) || is_short_for_unit(typed, known))
		return FINE + least(strlen(known) - n, FINE - 1);
	changes = edits(typed, n, known, m);
	/* Half of a short word is any word: "RAM%" is not "name". */
	if (changes * 2 >= n)
		changes += n;
	return changes ? changes * FINE + FINE - 1 : 0;
}

bool likeness_is_near(const char *typed, unsigned int distance)
{
	size_t n = strlen(typed);

	return n > 2 && distance / FINE <= far(n);
}

void likeness_order(const char *typed, const char **names, size_t n)
{
	for (size_t i = 1; typed && i < n; i++) {
		const char *name = names[i];
		unsigned int distance = likeness_distance(typed, name);
		size_t at = i;

		for (; at && likeness_distance(typed, names[at - 1]) > distance; at--)
			names[at] = names[at - 1];
		names[at] = name;
	}
}

const char *likeness_hint(char buf[LIKENESS_HINT], const char *word, size_t len, const char *names)
{
	char typed[LIKENESS_BYTES], name[LIKENESS_BYTES];
	unsigned int least = UINT_MAX;

	*buf = '\0';
	if (len >= sizeof(typed))
		return buf;
	memcpy(typed, word, len);
	typed[len] = '\0';
	for (size_t n; *names; names += n, names += strspn(names, ", ")) {
		unsigned int distance;

		n = strcspn(names, ", ");
		if (n >= sizeof(name))
			continue;
		memcpy(name, names, n);
		name[n] = '\0';
		distance = likeness_distance(typed, name);
		if (distance >= least || !likeness_is_near(typed, distance))
			continue;
		least = distance;
		snprintf(buf, LIKENESS_HINT, ", the nearest is %s", name);
	}
	return buf;
}

#define ROOM_FOR_MORE 48 /* bytes of " ... and N more (-o help)" */

void known_names_init(struct known_names *k, const char *word, size_t len)
{
	memset(k, 0, sizeof(*k));
	if (len < sizeof(k->word))
		memcpy(k->word, word, len);
	k->told = strbuf_in(k->text, sizeof(k->text));
}

void known_names_like(struct known_names *k, const char *form, const char *name)
{
	unsigned int distance;

	if (!name || !*k->word || strlen(name) >= LIKENESS_BYTES)
		return;
	distance = likeness_distance(k->word, form);
	if (!likeness_is_near(k->word, distance) || (k->is_near && distance >= k->distance))
		return;
	k->is_near = true;
	k->distance = distance;
	snprintf(k->hint, sizeof(k->hint), ", the nearest is %s", name);
}

void known_names_also(struct known_names *k, const char *name)
{
	known_names_like(k, name, name);
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
