// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/filter_forms.h"

#include <strings.h>

#include "cli/filter_seen.h"
#include "util/units.h"

static bool has_column(const struct key_set *set, const char *name)
{
	return column_find(set->columns, set->ncolumns, name, strlen(name)) < set->ncolumns;
}

static bool is_word(const char *word, const char *name, size_t len)
{
	return strlen(word) == len && !strncasecmp(word, name, len);
}

/* What ss, netstat and lsof call the two ends of a socket. */
static const char *address_hint(const char *name, size_t len)
{
	static const char *const ports[] = { "port", "lport", "rport", "sport", "dport" };
	static const char *const own[] = { "addr", "ip", "src", "laddr" };
	static const char *const others[] = { "dst", "peer", "raddr", "daddr", "foreign" };

	if (ANY_OF(i, ARRAY_SIZE(ports), is_word(ports[i], name, len)))
		return ", local_address and remote_address take a port as '*:22'";
	if (ANY_OF(i, ARRAY_SIZE(own), is_word(own[i], name, len)))
		return ", local_address and remote_address take '192.0.2.1:*'";
	return ANY_OF(i, ARRAY_SIZE(others), is_word(others[i], name, len))
		       ? ", remote_address takes '192.0.2.1:*', peer_used_by a process"
		       : "";
}

/* systemd and engines of containers make a cgroup for each; without the default hierarchy memcg alone is known. */
static const char *cgroup_hint(const struct key_set *set, unsigned int use, const char *name,
			       size_t len)
{
	static const char *const made_for[] = { "service", "container", "unit", "pod" };

	if (!ANY_OF(i, ARRAY_SIZE(made_for), is_word(made_for[i], name, len)))
		return "";
	for (size_t i = 0; i < set->n; i++)
		if (set->keys[i].use & use && set->keys[i].column == COLUMN_cgroup)
			return ", cgroup is the path of a service or container";
	for (size_t i = 0; i < set->n; i++)
		if (set->keys[i].use & use && set->keys[i].column == COLUMN_memcg)
			return ", memcg is the path of a service or container";
	return "";
}

/* Rows that have no process of their own have users or members. */
const char *filter_hint_of_word(const struct key_set *set, unsigned int use, const char *name,
				size_t len)
{
	static const enum column_id processes[] = { COLUMN_pid, COLUMN_tgid, COLUMN_comm };
	const char *cgroup = cgroup_hint(set, use, name, len);

	if (*cgroup || !(use & KEY_FILTERS) || !set->filters_rows)
		return cgroup;
	if (has_column(set, "uid") && column_rank(COLUMN_user, name, len) < COLUMN_RANKS)
		return ", uid takes the number of a user";
	for (size_t i = 0; i < ARRAY_SIZE(processes); i++)
		if (column_rank(processes[i], name, len) < COLUMN_RANKS)
			return has_column(set, "used_by")
				       ? ", used_by takes the pid or the name of a process"
			       : has_column(set, "tgid") ? ", tgid takes the pid of a process"
							 : "";
	return has_column(set, "local_address") ? address_hint(name, len) : "";
}

const char *filter_hint_of_number(const char *value, size_t len)
{
	if (memchr(value, '|', len))
		return "; a comma is between values";
	/* "-5" is a balance, and where that is none no number. */
	return memchr(value + 1, '-', len - 1) || memchr(value, ':', len) ||
			       memchr(value, '<', len) || memchr(value, '>', len)
		       ? "; a range is FROM.., ..TO or FROM..TO"
		       : "";
}

/* What names have seldom: a comm may have "(", a path a "$". */
static bool is_like_regex(const char *word)
{
	const size_t n = strlen(word);

	return *word == '^' || (n && word[n - 1] == '$') || strstr(word, ".*") ||
	       strstr(word, ".+") || (strchr(word, '|') && strchr(word, '('));
}

bool filter_is_folder(const char *typed)
{
	const size_t n = strlen(typed);

	return n > 2 && *typed == '/' && typed[n - 1] == '/' && !strpbrk(typed, "\\*+?[](){}|^$");
}

/* What the kernel prints as a decimal number, as page_owner does its handles, and rows as a hexadecimal one. */
static void add_decimal(const struct filter *f, const struct alternative *a, struct strbuf *s)
{
	const struct filter_seen *seen = f->seen;
	uint64_t v;

	if (seen->is_hex && seen->has_numbers && a->typed[strspn(a->typed, "0123456789")] == '\0' &&
	    units_parse(a->typed, &v) && v != a->low && v >= seen->low && v <= seen->high)
		strbuf_add(s, "; decimal %s is %#lx", a->typed, v);
}

void filter_add_form(const struct filter *f, const struct alternative *a, struct strbuf *s)
{
	const char *word = f->is_flags ? NULL : a->glob;

	if (f->seen->before)
		strbuf_add(s, "; all filters must hold: -f %s=%.60s,%.60s keeps what has either",
			   f->name, f->seen->before, f->seen->values);
	if (!word)
		return add_decimal(f, a, s);
	/* The slash behind it is easily forgotten. */
	if (is_like_regex(word + (*word == '/'))) {
		strbuf_add(s, "; a regular expression stands between slashes, as in /^web|db$/");
		return;
	}
	if (!strchr(word, '|'))
		return;
	strbuf_add(s, "; a comma is between values: %s=", f->name);
	for (; *word && s->len < FILTER_UNMET / 2; word++)
		strbuf_add(s, "%c", *word == '|' ? ',' : *word);
	strbuf_add(s, "%s", *word ? "..." : "");
}

void filter_add_typed(struct strbuf *s, const char *name, const char *value)
{
	const char *quote = strpbrk(value, " \t|!<>()[]{}*?&;#~'") ? "\"" : "";

	strbuf_add(s, "%s%s=%s%s", quote, name, value, quote);
}

enum status filter_hint_of_choice(struct dump *d, const struct key_set *set, const struct key *key,
				  const char *value)
{
	const char *why = dump_strdup(d, dump_why(d));
	struct strbuf typed = STRBUF_OF(256);

	for (size_t i = 0; key->choices && i < set->n; i++) {
		const struct key *other = &set->keys[i];

		if (other->column == key->column || !(other->use & KEY_FILTERS))
			continue;
		for (const char *const *c = other->choices; c && *c; c++)
			if (!strcasecmp(*c, value)) {
				filter_add_typed(&typed, key_name(other), *c);
				return dump_usage(d, "%s; -f %s keeps what has it there", why,
						  typed.buf);
			}
	}
	return key->elsewhere ? dump_usage(d, "%s; %s", why, key->elsewhere) : ST_USAGE;
}

static bool has_met(const struct filter *f)
{
	return f->exclude && (f->seen->met || f->seen->has_numbers);
}

bool filters_exclude_all(const struct filters *f)
{
	return ANY_OF(i, f->n, has_met(&f->filters[i])) ||
	       ANY_OF(i, f->nrows, has_met(&f->rows[i]));
}
