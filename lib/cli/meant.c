// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/meant.h"

#include <strings.h>

#include "cli/filter_forms.h"
#include "util/units.h"

/* The word of a known set of the key that a word is, in any case; NULL: none. */
static const char *choice_of(const struct key *key, const char *word)
{
	for (const char *const *c = key->choices; c && *c; c++)
		if (!strcasecmp(word, *c))
			return *c;
	return NULL;
}

/* Whether a word of any kind may be among the values of a key; what begins with a slash is a path. */
static bool may_have(const struct key *key, const char *word)
{
	static const enum column_id paths[] = { COLUMN_file,  COLUMN_dir,    COLUMN_mount,
						COLUMN_memcg, COLUMN_cgroup, COLUMN_vma_file };

	if (!(key->use & KEY_FILTERS) || !key_is_text(key) || key->choices || key->is_set)
		return false;
	return ANY_OF(i, sizeof(paths) / sizeof(*paths), key->column == paths[i]) || *word != '/';
}

/* What names a process by its pid: a key, or of rows a column. */
static const char *process_column(const struct key_set *set)
{
	static const enum column_id ids[] = { COLUMN_pid, COLUMN_tgid, COLUMN_used_by };

	for (size_t k = 0; k < sizeof(ids) / sizeof(*ids); k++) {
		for (size_t i = 0; i < set->n; i++)
			if (set->keys[i].use & KEY_FILTERS && set->keys[i].column == ids[k])
				return column_catalogue[ids[k]].name;
		for (size_t i = 0; set->filters_rows && i < set->ncolumns; i++)
			if (set->columns[i].id == ids[k])
				return column_catalogue[ids[k]].name;
	}
	return NULL;
}

/* Whether rows have users, by whose names they can be chosen although these are no key. */
static bool has_users(const struct key_set *set)
{
	return !ANY_OF(i, set->n, set->keys[i].column == COLUMN_used_by) && set->filters_rows &&
	       ANY_OF(i, set->ncolumns, set->columns[i].id == COLUMN_used_by);
}

/* "file, dir or memcg": n of them. */
static void add_keys(struct strbuf *s, const struct key_set *set, const char *word, size_t n)
{
	size_t found = 0;

	for (size_t i = 0; i < set->n; i++) {
		if (!may_have(&set->keys[i], word))
			continue;
		strbuf_add(s, "%s%s",
			   !found	    ? ""
			   : found + 1 == n ? " or "
					    : ", ",
			   key_name(&set->keys[i]));
		found++;
	}
	if (found < n)
		strbuf_add(s, " or used_by");
}

static void add_kept(struct strbuf *s, const char *noun, const char *key, const char *value)
{
	strbuf_add(s, "; %s-f ", noun);
	filter_add_typed(s, key, value);
	strbuf_add(s, " keeps what has it");
}

static void add_part(struct strbuf *s, const struct key_set *set, const char *noun,
		     const char *word)
{
	const struct key *only = NULL;
	size_t n = *word != '/' && has_users(set);

	for (size_t i = 0; i < set->n; i++) {
		if (!may_have(&set->keys[i], word))
			continue;
		only = &set->keys[i];
		n++;
	}
	if (!only || strlen(word) > MEANT_BYTES || strpbrk(word, "*?[,= "))
		return;
	strbuf_add(s, "; %s-f %s=*%s* keeps what has it", noun, n > 1 ? "KEY" : key_name(only),
		   word);
	if (n < 2)
		return;
	strbuf_add(s, ", KEY is ");
	add_keys(s, set, word, n);
}

/* "pfn:0x100": of one page, which no view has rows of. */
static bool is_address(const char *word)
{
	static const char *const spaces[] = { "pfn:", "phys:", "page:", "virt:", "user:" };

	return strlen(word) <= MEANT_BYTES && ANY_OF(i, sizeof(spaces) / sizeof(*spaces),
						     !strncmp(word, spaces[i], strlen(spaces[i])));
}

void meant_text(const struct command_spec *usage, const struct view *view, const char *word,
		char buf[MEANT_TEXT])
{
	const struct command_spec *rows = usage->rows_of ?: usage;
	const struct key_set set = view_keys(rows, usage->rows_of ? rows->views[0] : view);
	char noun[64] = "";
	const char *process = process_column(&set);
	struct strbuf s = strbuf_in(buf, MEANT_TEXT);
	uint64_t number;

	if (is_address(word)) {
		strbuf_add(&s, "; memowner %s shows what it is", word);
		return;
	}
	if (usage->rows_of)
		snprintf(noun, sizeof(noun), "%s ", rows->help[0]);
	for (size_t i = 0; i < set.n; i++) {
		const struct key *key = &set.keys[i];
		const char *choice = key->use & KEY_FILTERS ? choice_of(key, word) : NULL;

		if (choice) {
			add_kept(&s, noun, key_name(key), choice);
			return;
		}
	}
	if (!units_parse(word, &number))
		add_part(&s, &set, noun, word);
	else if (process)
		add_kept(&s, noun, process, word);
}
