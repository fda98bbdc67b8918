// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/filter_seen.h"

#include <ctype.h>
#include <fnmatch.h>
#include <strings.h>

#include "cli/filter_forms.h"
#include "util/likeness.h"
#include "util/units.h"

#define VALUES_TOLD 60 /* bytes of what was typed */
/* Of "%.*s%s". */
#define TOLD_OF(text) VALUES_TOLD, text, strlen(text) > VALUES_TOLD ? "..." : ""
#define DIGITS "0123456789"

/* Whether a text was measured before: most come again, and to measure is slow. */
static bool is_measured(struct filter_seen *seen, const char *text)
{
	uint32_t hash = 2166136261U; /* as Fowler, Noll and Vo */

	for (const char *p = text; *p; p++)
		hash = (hash ^ (unsigned char)*p) * 16777619U;
	if (seen->measured[hash % FILTER_MEASURED] == hash)
		return true;
	seen->measured[hash % FILTER_MEASURED] = hash;
	return false;
}

/* Another path to the same name, as a container has it ("/../a.service"), or where it is mounted; a '/' may be behind it. */
static bool ends_alike(const char *word, const char *text)
{
	const char *name = strrchr(text, '/');
	size_t n = strlen(word), len;

	while (n && word[n - 1] == '/')
		n--;
	name = name ? name + 1 : text;
	len = strlen(name);
	return strchr(word, '/') && len && len <= n && !strncmp(word + n - len, name, len) &&
	       (len == n || word[n - len - 1] == '/');
}

/* A pattern, or a regular expression, that has a text in another case; a word has what is most like it. */
static bool meets_folded(const struct alternative *a, const char *text)
{
	if (a->glob)
		return !word_of(a) && !fnmatch(a->glob, text, FNM_CASEFOLD);
	return a->folded && !regexec(a->folded, text, 0, NULL, 0);
}

/* Whether a pattern begins later in a text: "postgres*" in "/system.slice/postgres.service". */
static bool is_inside(const struct alternative *a, const char *text)
{
	char pattern[VALUES_TOLD + 2];

	return a->glob && !word_of(a) && *a->glob != '*' && *a->glob != '/' &&
	       (size_t)snprintf(pattern, sizeof(pattern), "*%s", a->glob) < sizeof(pattern) &&
	       !fnmatch(pattern, text, 0);
}

/* Of a pattern or a regular expression, what it is in another case; of a word, what is most like it. */
static void measure_one(struct dump *d, struct alternative *a, const char *text)
{
	const char *word = word_of(a);
	unsigned int distance;

	if (!a->nearest && meets_folded(a, text))
		a->nearest = dump_strdup(d, text);
	a->has_inside |= is_inside(a, text);
	if (!word)
		return;
	distance = likeness_distance(word, text);
	if ((likeness_is_near(word, distance) || ends_alike(word, text)) &&
	    (!a->nearest || distance < a->distance)) {
		a->nearest = dump_strdup(d, text);
		a->distance = distance;
	}
}

static void measure(const struct filter *f, const char *text)
{
	for (struct alternative *a = f->first; a; a = a->next)
		if (!a->met)
			measure_one(f->seen->dump, a, text);
}

void filter_seen_met(const struct filter *f, struct alternative *a)
{
	a->met = true;
	f->seen->met = true;
	f->seen->whole_met |= a->is_whole;
}

void filter_seen_path(const struct filter *f, struct alternative *a, const char *text)
{
	size_t n;

	if (!a->regex || (a->has_below && a->elsewhere) || strpbrk(a->typed, "^$*+?()[]{}|\\"))
		return;
	n = strlen(a->typed);
	/* "/tmp/" is what "/tmp" may have been meant by. */
	if (!strncmp(text, a->typed, n) || (!strncmp(text, a->typed, n - 1) && !text[n - 1]))
		a->has_below = true;
	else if (!a->elsewhere)
		a->elsewhere = dump_strdup(f->seen->dump, text);
}

bool filter_seen_open(const struct filter *f)
{
	const struct alternative *a = f->first;

	while (a && (a->met || a->is_whole))
		a = a->next;
	return a != NULL;
}

/* The root has all but itself below it; a name that is none of a path may stand anywhere in one. */
static bool is_below(const char *word, const char *text)
{
	size_t n = word ? strlen(word) : 0;

	if (n && *word == '/')
		return !strncmp(word, text, n) && text[n - (n == 1)] == '/' && text[1];
	for (const char *p = *text == '/' && n ? text : NULL; p; p = strchr(p + 1, '/'))
		if (!strncmp(p + 1, word, n) && p[n + 1] == '/')
			return true;
	return false;
}

/* Whether a path ends with a word. */
static bool ends_with(const char *path, const char *word)
{
	const char *name = path ? strrchr(path, '/') : NULL;

	return name && !strcmp(name + 1, word);
}

/* "192.0.2.1:22" has two words. */
static void compare_address(struct alternative *a, const char *word, const char *text)
{
	const char *colon = strrchr(text, ':');
	const size_t n = colon ? (size_t)(colon - text) : 0;

	if (!n || !word || !colon[1] || colon[1 + strspn(colon + 1, "0123456789")])
		return;
	a->has_port |= !strcmp(colon + 1, word);
	a->has_host |= strlen(word) == n && !strncmp(text, word, n);
}

void filter_seen_text(const struct filter *f, const char *text)
{
	struct filter_seen *seen = f->seen;

	seen->asked = true;
	filter_see_wider(f, text);
	if (!filter_seen_open(f) || !*text || is_measured(seen, text))
		return;
	for (struct alternative *a = f->first; a; a = a->next) {
		const char *word = word_of(a);

		a->has_below |= is_below(word, text);
		compare_address(a, word, text);
		a->parts += word && strlen(word) >= PART_BYTES && strstr(text, word);
	}
	if (seen->nknown <= FILTER_KNOWN)
		filter_add_word(seen, seen->known, &seen->nknown, text);
	measure(f, text);
}

void filter_seen_near(const struct filter *f, const char *text)
{
	if (*text && !is_measured(f->seen, text))
		measure(f, text);
}

void filter_seen_span(struct filter_seen *seen, uint64_t first, uint64_t last)
{
	if (!seen->has_numbers || first < seen->low)
		seen->low = first;
	if (!seen->has_numbers || last > seen->high)
		seen->high = last;
	seen->has_numbers = true;
}

/* "8s" of a column of times is 8s to the nanosecond, where "8.0s" is all that is printed so. */
static void add_exact(const struct filter_seen *seen, const struct alternative *a, struct strbuf *s)
{
	char printed[UNITS_BYTES];
	uint64_t low, high;

	if (seen->is_hex || a->low != a->high || a->low < seen->low || a->low > seen->high)
		return;
	number_range_text(seen->quantity, a->low, printed);
	if (number_range_parse(seen->quantity, printed, strlen(printed), &low, &high) && low < high)
		strbuf_add(s, "; it is exact: %s is all that is printed so", printed);
}

/* Of a range that nothing is in: what is nearest on both sides. */
static void add_beside(const struct filter_seen *seen, const struct alternative *a,
		       struct strbuf *s)
{
	const enum range_kind kind = seen->is_hex ? RANGE_HEX : seen->quantity;
	char below[UNITS_BYTES], above[UNITS_BYTES];

	if (!a->below.known || !a->above.known || a->low == a->high)
		return;
	number_range_text(kind, a->below.n, below);
	number_range_text(kind, a->above.n, above);
	strbuf_add(s, "; the nearest are %s and %s", below, above);
}

/* What there is instead. */
static void add_known(const struct filter *f, const struct alternative *a, struct strbuf *s)
{
	const struct filter_seen *seen = f->seen;
	const char *word = word_of(a);
	const char *names[FILTER_KNOWN];
	char low[UNITS_BYTES], high[UNITS_BYTES];

	if (seen->has_numbers) {
		number_range_text(seen->is_hex ? RANGE_HEX : seen->quantity, seen->low, low);
		number_range_text(seen->is_hex ? RANGE_HEX : seen->quantity, seen->high, high);
		strbuf_add(s, strcmp(low, high) ? "; it is from %s to %s" : "; it is %s", low,
			   high);
		add_exact(seen, a, s);
		add_beside(seen, a, s);
	} else if (!seen->has_choices && a->has_below && !ends_with(a->nearest, word)) {
		strbuf_add(s, "; '%s%s/*' is what is below it", *word == '/' ? "" : "*/",
			   strcmp(word, "/") ? word : "");
	} else if (a->has_port || a->has_host) {
		strbuf_add(s,
			   a->has_port ? "; '*:%s' is what has that port"
				       : "; '%s:*' is what has that address",
			   word);
	} else if (a->nearest && !seen->has_choices) {
		strbuf_add(s, "; the nearest is '%s'", a->nearest);
		if (a->parts > 1)
			strbuf_add(s, ", '*%s*' is what has it in its name", word);
	} else if (a->has_inside && !seen->has_choices) {
		strbuf_add(s, "; '*%s' is what has it in its name", a->glob);
	} else if (a->parts && !seen->has_choices) {
		strbuf_add(s, "; '*%s*' is what has it in its name", word);
	} else if (!seen->asked) {
		strbuf_add(s, "; of all there is none ('-'%s%s)", seen->why ? ", " : "",
			   seen->why ?: "");
	} else if (seen->nknown && seen->nknown <= FILTER_KNOWN) {
		memcpy(names, seen->known, sizeof(names));
		likeness_order(word, names, seen->nknown);
		for (unsigned int i = 0; i < seen->nknown; i++)
			strbuf_add(s, "%s%.*s%s", i ? ", " : "; known are: ", TOLD_OF(names[i]));
	}
}

/* A value that is no text is a number, or some from low to high. */
static bool names_it(const struct alternative *a, const char *name)
{
	uint64_t n;

	if (alternative_meets(a, name))
		return true;
	return !a->glob && !a->regex && !a->is_whole && !a->unknown && units_parse(name, &n) &&
	       n >= a->low && n <= a->high;
}

/* What is asked for may be a name that something else has taken the place of. False: none is. */
static bool add_others(const struct filter *f, const struct alternative *a, struct strbuf *s)
{
	struct other_names others = { 0 };
	const char *folded = NULL;
	unsigned int n = 0;

	if (!f->seen->other_names)
		return false;
	f->seen->other_names(f->seen->dump, &others);
	for (const struct other_name *o = others.first; o; o = o->next) {
		if (!folded && meets_folded(a, o->name))
			folded = o->name;
		if (!names_it(a, o->name) || n++ >= FILTER_KNOWN)
			continue;
		if (o->text)
			strbuf_add(s, "; %s", o->text);
		else if (o->holder)
			strbuf_add(s, "; '%s' %s '%s'", o->name, others.how, o->holder);
		else
			strbuf_add(s, "; '%s' %s an unknown one", o->name, others.how);
	}
	if (n > FILTER_KNOWN)
		strbuf_add(s, "; so are %u more", n - FILTER_KNOWN);
	else if (!n && folded)
		strbuf_add(s, "; in another case it is '%s'", folded);
	else if (!n && others.unknown)
		strbuf_add(s, "; %s", others.unknown);
	return n > 0;
}

/* The n-th value that nothing has met; NULL: there are fewer. */
static const struct alternative *unmet_value(const struct filter *f, unsigned int n)
{
	for (const struct alternative *a = f->first; a; a = a->next)
		if (!a->met && !a->is_whole && !n--)
			return a;
	return NULL;
}

static void add_key(struct strbuf *s, const struct filter *f, const char *value)
{
	strbuf_add(s, "%s %s=%.*s%s: ", f->exclude ? "-X" : "-f", f->name, TOLD_OF(value));
}

/* 67451 of "67,451", which is two numbers here; 0: it is nothing of the kind. */
static uint64_t without_commas(const char *values)
{
	char digits[UNITS_BYTES];
	size_t n = strspn(values, DIGITS), len = 0;
	uint64_t v;

	while (n && n <= 3 && len + n < sizeof(digits)) {
		memcpy(digits + len, values, n);
		len += n;
		values += n;
		n = *values == ',' ? strspn(++values, DIGITS) : 0;
		if (n && n != 3)
			return 0;
	}
	digits[len] = '\0';
	return len > 3 && !*values && units_parse(digits, &v) ? v : 0;
}

/* "; -f tgid=83 or -f ppid=83 keeps what has it there" */
static void add_columns(const struct filter *f, const struct alternative *a, struct strbuf *s)
{
	/* What keeps all there tells nothing. */
	if (!a->other[0] || !a->typed[strspn(a->typed, "*?")])
		return;
	for (size_t i = 0; i < ARRAY_SIZE(a->other) && a->other[i]; i++)
		strbuf_add(s, "%s-%c %s=%.*s%s", i ? " or " : "; ", f->exclude ? 'X' : 'f',
			   a->other[i], TOLD_OF(a->typed));
	strbuf_add(s, " %s what has it there", f->exclude ? "leaves out" : "keeps");
}

bool filter_unmet(const struct filter *f, unsigned int n, bool first, char *buf, size_t size)
{
	const struct filter_seen *seen = f->seen;
	const struct alternative *a = unmet_value(f, n);
	const char *what = first ? "was read" : "the filters before it keep";
	bool has_known = seen->asked || seen->has_numbers;
	uint64_t hex, one = n || seen->met ? 0 : without_commas(seen->values);
	struct strbuf s = strbuf_in(buf, size);

	/*
	 * To leave out a range of numbers that has none is no mistake, nor is a word that is known beside one that is
	 * met.
	 */
	if (!a || n > FILTER_KNOWN || seen->whole_met ||
	    (seen->has_choices && (f->exclude || (first && seen->met))) ||
	    (seen->has_numbers && f->exclude) ||
	    (!has_known && !seen->has_unknown && !seen->has_none))
		return false;
	if (!has_known && seen->has_unknown) {
		add_key(&s, f, seen->values);
		strbuf_add(&s, "it is unknown of all that %s", what);
		return !n;
	}
	if (n == FILTER_KNOWN) {
		while (unmet_value(f, ++n))
			;
		add_key(&s, f, seen->values);
		strbuf_add(&s, "nothing that %s has %u more of these values", what,
			   n - FILTER_KNOWN);
		return true;
	}
	add_key(&s, f, a->typed);
	strbuf_add(&s, "nothing that %s has it", seen->in_doubt ? "is known" : what);
	/* What the view knows of that name says more than where else it is. */
	if (!add_others(f, a, &s)) {
		add_columns(f, a, &s);
		if (!a->other[0] || a->parts || (seen->nknown && seen->nknown <= FILTER_KNOWN))
			add_known(f, a, &s);
	}
	filter_add_form(f, a, &s);
	if (a->regex && !a->elsewhere && seen->nknown && *seen->known[0] == '/' &&
	    filter_is_folder(a->typed))
		strbuf_add(&s, "; between slashes it is a regular expression, '%.*s' is the path",
			   (int)strlen(a->typed) - 1, a->typed);
	if (seen->only)
		strbuf_add(&s, "; rows are %s", seen->only);
	if (seen->hint && !n)
		strbuf_add(&s, "; %s", seen->hint);
	if (seen->member && seen->has_numbers && seen->type != JSON_PID)
		strbuf_add(&s, "; it is asked of each %s, not of groups", seen->member);
	if (seen->has_none && !strcasecmp(a->typed, "none"))
		strbuf_add(&s, "; '-' is what has none");
	if (f->flags && !f->flags->n)
		strbuf_add(&s, "; printed words alone are compared: names of flags are unknown");
	else if (f->flags && a->glob && !strncmp(a->glob, "GFP_", 4) && !seen->wider)
		strbuf_add(&s, "; it is a word: one flag, as __GFP_IO, is found inside of words");
	if (seen->is_hex && a->low == a->high && a->low >> 63)
		strbuf_add(&s, "; memowner %s tells what it is in", a->typed);
	if (f->name && !strncasecmp(f->name, "stack", strlen("stack")) &&
	    units_parse_hex(a->typed, &hex))
		strbuf_add(&s, "; a stack by its number is -f handle=%s", a->typed);
	if (one && seen->has_numbers)
		strbuf_add(&s, "; a comma is between values: %lu is one", one);
	return true;
}

#define DOUBT_BYTES (1ULL << 20) /* less is no memory that is missed */

bool filter_in_doubt(const struct filter *f, char *buf, size_t size)
{
	const struct filter_seen *seen = f->seen;
	char n[UNITS_PLURAL];

	if (!seen->in_doubt)
		return false;
	units_plural(n, seen->in_doubt, seen->one, seen->many);
	snprintf(buf, size, "%s is %s of %s, which %s", seen->column,
		 seen->has_cut ? "not known in full" : "unknown", n,
		 f->exclude ? "-X keeps" : "-f leaves out");
	/* Else it changes nothing of what the rows say. */
	if (!f->exclude && seen->doubt_bytes >= DOUBT_BYTES &&
	    seen->doubt_bytes >= seen->kept_bytes / 10)
		snprintf(buf + strlen(buf), size - strlen(buf), ": %s %s",
			 seen->in_doubt == 1 ? "it has" : "they have",
			 SIZE_TEXT(seen->doubt_bytes));
	return true;
}

/* A value that may be the path of a folder, and texts elsewhere that have its name in them. */
static bool add_folder(const struct filter *f, struct strbuf *s)
{
	for (const struct alternative *a = f->first; a && f->seen->has_paths; a = a->next) {
		if (!a->regex || !a->elsewhere)
			continue;
		add_key(s, f, a->typed);
		strbuf_add(s,
			   "between slashes it is a regular expression, which '%.*s%s' meets%s; "
			   "'%.*s' is the path, '%s*' what is below it",
			   TOLD_OF(a->elsewhere), a->has_below ? " too" : "",
			   (int)strlen(a->typed) - 1, a->typed, a->typed);
		return true;
	}
	return false;
}

bool filter_wider(const struct filter *f, char *buf, size_t size)
{
	const struct filter_seen *seen = f->seen;
	struct strbuf s = strbuf_in(buf, size);
	char n[UNITS_PLURAL];

	/* Where nothing has the path itself that is told, with what is below it. */
	if (!seen->wider || (seen->has_below && !seen->met))
		return add_folder(f, &s);
	units_plural(n, seen->wider, seen->one, seen->many);
	strbuf_add(&s, "%s %s=%.*s%s %s %s%s ", f->exclude ? "-X" : "-f", f->name,
		   TOLD_OF(seen->values), f->exclude ? "keeps" : "leaves out",
		   seen->wider_is_least ? "at least " : "", n);
	if (seen->has_below)
		strbuf_add(&s, "below %s: ", f->first->next ? "these" : "it");
	else if (f->forms)
		strbuf_add(&s, "%s", f->forms->which);
	else
		strbuf_add(&s, "that %s all flags of %s %s: ", seen->wider == 1 ? "has" : "have",
			   f->first->next ? "one of these" : "it",
			   isdigit((unsigned char)*(f->first->glob ?: "")) ? "and more"
									   : "in another word");
	for (unsigned int i = 0; i < seen->nwider_words && i < FILTER_KNOWN; i++)
		strbuf_add(&s, "%s%.*s%s", i ? ", " : "", TOLD_OF(seen->wider_words[i]));
	if (seen->nwider_words > FILTER_KNOWN)
		strbuf_add(&s, " and others");
	return true;
}

#define PATH_BYTES 4096 /* of a longer one the whole text must match */

/* A path that a deleted file had: what is shown of it has the word behind it. */
static bool meets_deleted(const struct alternative *a, const char *text)
{
	size_t len = strlen(text), end = strlen(" (deleted)");
	char path[PATH_BYTES];

	if (*a->glob != '/' || *text != '/' || len <= end || len - end >= sizeof(path) ||
	    strcmp(text + len - end, " (deleted)") != 0)
		return false;
	memcpy(path, text, len - end);
	path[len - end] = '\0';
	return !strcmp(a->glob, path) || !fnmatch(a->glob, path, a->any_case ? FNM_CASEFOLD : 0);
}

/* A name that was typed in brackets, which text may have or not. */
static bool meets_brackets(const struct alternative *a, const char *text)
{
	const size_t n = strlen(a->glob) - 2;
	const char *name = a->glob + 1;

	if (*text == '[' && strlen(text) == n + 2 && text[n + 1] == ']')
		text++;
	else if (strlen(text) != n)
		return false;
	return !(a->any_case ? strncasecmp(text, name, n) : strncmp(text, name, n));
}

/* What is shown is taken as it is, whatever a glob would make of its brackets. */
bool alternative_meets(const struct alternative *a, const char *text)
{
	/* As in parse_text(). */
	text += *text == '~' && text[1];
	if (a->is_whole)
		return !strcmp(a->typed, text);
	if (is_in_brackets(a->glob))
		return meets_brackets(a, text);
	/* No pattern is needed for the bracket that a value begins with. */
	if (a->glob && *a->glob == '[' && *text == '[' &&
	    !fnmatch(a->glob + 1, text + 1, a->any_case ? FNM_CASEFOLD : 0))
		return true;
	if (a->glob && a->any_case)
		return !strcasecmp(a->glob, text) || !fnmatch(a->glob, text, FNM_CASEFOLD) ||
		       meets_deleted(a, text);
	if (a->glob)
		return !strcmp(a->glob, text) || !fnmatch(a->glob, text, 0) ||
		       meets_deleted(a, text);
	return a->regex && !regexec(a->regex, text, 0, NULL, 0);
}

bool filter_verdict_add(struct filter_verdict *v, const struct filter *f, bool keeps, bool unknown)
{
	bool wider = !unknown && f->seen->is_wider;

	f->seen->is_wider = false;
	if (keeps && unknown && f->exclude && !v->kept)
		v->kept = f;
	if (wider && keeps == f->exclude && !v->wider) {
		v->wider = f;
		return true;
	}
	if (keeps)
		return true;
	/* -X of what is unknown, "-X KEY=-", is what was asked for. */
	v->refused = !unknown || f->exclude;
	if (!v->open)
		v->open = f;
	return !v->refused;
}

bool filter_verdict_leaves_out(const struct filter_verdict *v)
{
	return v->refused || v->open || (v->wider && !v->wider->exclude);
}

bool filter_verdict_keeps(const struct filter_verdict *v, uint64_t n, const char *one,
			  const char *many)
{
	const struct filter *f = v->open ?: v->kept;
	const struct filter *of = f ?: v->wider;

	if (v->refused || !of)
		return !v->refused;
	of->seen->one = one;
	of->seen->many = many;
	/* What two filters leave out is left out by none alone. */
	if (v->wider && !f)
		v->wider->seen->wider += n;
	else if (!v->wider || v->wider->exclude)
		f->seen->in_doubt += n;
	return !filter_verdict_leaves_out(v);
}

void filter_verdict_size(const struct filters *f, const struct filter_verdict *v, uint64_t bytes)
{
	const struct filter *of = v->open ?: v->kept;

	if (!v->refused && of)
		of->seen->doubt_bytes += bytes;
	if (v->refused || filter_verdict_leaves_out(v))
		return;
	for (unsigned int i = 0; i < f->n; i++)
		f->filters[i].seen->kept_bytes += bytes;
	for (unsigned int i = 0; i < f->nrows; i++)
		f->rows[i].seen->kept_bytes += bytes;
}

static void add_doubt(const struct filter *f, unsigned int nfilters, uint64_t n, const char *one,
		      const char *many)
{
	for (; nfilters--; f++) {
		f->seen->in_doubt += n;
		f->seen->one = one;
		f->seen->many = many;
	}
}

void filters_not_kept(const struct filters *f, uint64_t n, const char *one, const char *many)
{
	if (!n)
		return;
	add_doubt(f->filters, f->n, n, one, many);
	add_doubt(f->rows, f->nrows, n, one, many);
}
