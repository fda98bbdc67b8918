// SPDX-License-Identifier: GPL-2.0-or-later
/* What has more than was asked for: words that a filter leaves out, and tells. */
#include <strings.h>

#include "cli/filter_seen.h"

void filter_add_word(const struct filter_seen *seen, const char **words, unsigned int *n,
		     const char *word)
{
	for (unsigned int i = 0; i < *n && i < FILTER_KNOWN; i++)
		if (!strcmp(words[i], word))
			return;
	if (*n < FILTER_KNOWN)
		words[*n] = dump_strdup(seen->dump, word);
	if (*n <= FILTER_KNOWN)
		++*n;
}

void filter_seen_wider(const struct filter *f, const char *word)
{
	filter_add_word(f->seen, f->seen->wider_words, &f->seen->nwider_words, word);
}

static bool is_behind(const char *word, const char *text)
{
	return !strncasecmp(text, word, strlen(word));
}

const struct filter_forms filter_forms_behind = { is_behind, "of " };

#define KMALLOC "kmalloc-"

/* kmalloc-cg-1k and kmalloc-rcl-1k of __GFP_ACCOUNT and __GFP_RECLAIMABLE, kmalloc-rnd-01-1k of some callers (6.6). */
static bool is_same_size(const char *word, const char *text)
{
	const size_t n = strlen(KMALLOC);

	return !strncmp(word, KMALLOC, n) && !strncmp(text, KMALLOC, n) &&
	       !strcmp(strrchr(word, '-'), strrchr(text, '-'));
}

const struct filter_forms filter_forms_kmalloc = { is_same_size, "for this size: " };

/* "UNIX-STREAM" of "UNIX": who asks for the one may mean the other. */
static void see_form(const struct filter *f, const char *text)
{
	for (const struct alternative *a = f->first; a && f->forms; a = a->next) {
		const char *word = word_of(a);

		if (!word || strlen(word) < PART_BYTES || !strcasecmp(word, text) ||
		    !f->forms->is_form(word, text))
			continue;
		f->seen->is_wider = true;
		filter_seen_wider(f, text);
		return;
	}
}

/* "/system.slice/cron.service" of "/system.slice": who asks for a path may mean what is below it, too. */
static void see_below(const struct filter *f, const char *text)
{
	for (const struct alternative *a = f->first; a; a = a->next) {
		const char *word = word_of(a);
		const size_t n = word ? strlen(word) : 0;

		if (!n || strncmp(text, word, n) != 0 ||
		    text[n - (n == 1 && *word == '/')] != '/' || !text[n])
			continue;
		f->seen->is_wider = f->seen->has_below = true;
		filter_seen_wider(f, dump_text(f->seen->dump, "'%s%s'", word,
					       word[n - 1] == '/' ? "*" : "/*"));
		return;
	}
}

void filter_see_wider(const struct filter *f, const char *text)
{
	see_form(f, text);
	see_below(f, text);
}
