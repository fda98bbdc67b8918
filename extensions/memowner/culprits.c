// SPDX-License-Identifier: GPL-2.0-or-later
/* The screen: who has most of the memory, of all sections that name a user of it. */

#include "dying.h"
#include "screen.h"

#include "cgroup/cgroup.h"
#include "summary.h"

#define TEXT 2048
#define LABEL 10    /* columns in front of the second line of a row */
#define MOST_DEEP 2 /* columns that a row stands behind the one that has all of it */
#define LEAST 5	    /* that are shown though they have little */

static const enum section sections[] = { SECTION_OWNER, SECTION_HOLDER, SECTION_FILE,
					 SECTION_CACHE, SECTION_GROUP,	SECTION_CANDIDATE };

/* Everything that no module and no cgroup has is of these. */
static bool says_nothing(const struct statement *row)
{
	return row->section == SECTION_OWNER && row->name &&
	       ((!strcmp(row->by, "module") && !strcmp(row->name, "vmlinux")) ||
		(!strcmp(row->by, "cgroup") && !strcmp(row->name, "/")));
}

/* A module that may have something has no size. */
static bool has_size(const struct statement *row)
{
	return row->section != SECTION_CANDIDATE || row->pages.known;
}

static uint64_t ram_of(const struct statement *row)
{
	return row->pages.known ? row->pages.n : 0;
}

/* What is free when it is deleted, or ends: that in swap as well. */
static uint64_t pages_of(const struct statement *row)
{
	return ram_of(row) + (row->swapped.known ? row->swapped.n : 0);
}

/* Groups of processes are by another key. */
static bool is_cgroup(const struct statement *row)
{
	return row->by && row->section != SECTION_GROUP && !strcmp(row->by, "cgroup");
}

/* The cgroup that is charged; NULL: unknown, or several. */
static const char *cgroup_of(const struct statement *row)
{
	return is_cgroup(row) ? row->name : row->charged ?: row->cgroup;
}

/* A record of page_owner names a user however little it has: it is one of the largest of all. */
static bool is_large(const struct summary *s, const struct statement *row)
{
	return row->is_named || row->section == SECTION_OWNER || row->section == SECTION_FILE ||
	       !s->ram_pages || summary_reaches_of(s, LIMIT_HOLDER, pages_of(row), cgroup_of(row));
}

/* Whether its row of the kernel's own counters, which has the limit, tells the same of a cgroup. */
static bool is_told(const struct summary *s, const struct statement *row)
{
	if (row->section != SECTION_OWNER || strcmp(row->by, "cgroup") || !row->name)
		return false;
	return ANY_NEXT(h, s->first[SECTION_HOLDER],
			!strcmp(h->by, "cgroup") && h->name && !strcmp(h->name, row->name));
}

static bool is_user(const struct summary *s, const struct statement *row)
{
	return has_size(row) && !says_nothing(row) && !is_told(s, row) && !row->is_locked;
}

static bool reaches(const struct summary *s, enum limit which, const struct statement *row)
{
	return summary_reaches_of(s, which, pages_of(row), cgroup_of(row));
}

/* Whether it is a cgroup below the one whose limit ended the machine. */
static bool is_inside(const struct summary *s, const struct statement *row)
{
	return is_cgroup(row) && summary_is_limited(s, row->name) &&
	       strcmp(row->name, s->limit_path) != 0;
}

/* The process that locked most of what is charged to a cgroup: the charge only says who read it first; NULL: none. */
static const struct statement *locker_of(const struct summary *s, const struct statement *cgroup)
{
	const struct statement *h = s->has_lockers ? s->first[SECTION_HOLDER] : NULL;

	while (h && (strcmp(h->by, "held") || !h->charged || !cgroup->name ||
		     !cgroup_is_below(h->charged, cgroup->name) ||
		     pages_of(h) <= pages_of(cgroup) / 2 || pages_of(h) > pages_of(cgroup)))
		h = h->next;
	return h;
}

/* Behind what is charged to that one: it says what fills it, a cgroup only where. */
static uint64_t rank_of(const struct summary *s, const struct statement *row)
{
	const struct statement *locker = is_cgroup(row) ? locker_of(s, row) : NULL;
	const uint64_t pages = locker ? pages_of(locker) - 1 : pages_of(row);
	const uint64_t rank = summary_rank(s, pages, cgroup_of(row));

	return is_inside(s, row) ? rank >> 1 : rank;
}

static void find(const struct summary *s, bool large, struct largest *ret)
{
	for (size_t i = 0; i < ARRAY_SIZE(sections); i++)
		for (const struct statement *row = s->first[sections[i]]; row; row = row->next)
			if (is_user(s, row) && is_large(s, row) == large &&
			    (large ||
			     summary_reaches_of(s, LIMIT_SHOWN, ram_of(row), cgroup_of(row))))
				largest_add(ret, rank_of(s, row), row);
}

#define LONG 40 /* columns of a path that takes a line of its own */

/* Its last component, where no other row of a cgroup ends so. */
static const char *short_name(const struct summary *s, const struct statement *row)
{
	const char *last = summary_last_of(row->name);

	if (strlen(row->name) < LONG || last - row->name <= 4)
		return row->name;
	for (const struct statement *h = s->first[SECTION_HOLDER]; h; h = h->next)
		if (h != row && !strcmp(h->by, "cgroup") && h->name &&
		    !strcmp(summary_last_of(h->name), last))
			return row->name;
	return dump_text(s->dump, ".../%s", last);
}

/* Whether a service is named as its command. */
static bool is_named_as(const char *service, const char *comm)
{
	size_t n = strlen(comm);

	return !strncmp(service, comm, n) && (!service[n] || service[n] == '.');
}

void summary_group_name(const struct statement *row, struct strbuf *b)
{
	if (row->processes.n > 1)
		strbuf_add(b, "%s processes %s", COUNT_TEXT(row->processes.n), row->comm);
	else
		strbuf_add(b, "%s", SUMMARY_TASK(row->pid, row->comm));
}

bool summary_is_named_as(const char *cgroup, const char *comm)
{
	return cgroup && comm && is_named_as(summary_last_of(cgroup), comm);
}

const char *summary_service(const char *cgroup, const char *comm)
{
	const char *of = cgroup ? summary_last_of(cgroup) : NULL;

	return of && *of && strcmp(of, "/") != 0 && !is_named_as(of, comm) ? of : NULL;
}

static void group_text(const struct summary *s, const struct statement *row, bool is_most,
		       struct strbuf *b)
{
	const char *of = summary_service(row->cgroup, row->comm);

	summary_group_name(row, b);
	/* A name may end with a blank: "starman worker ". */
	while (row->children_of && b->len && b->buf[b->len - 1] == ' ')
		b->buf[--b->len] = '\0';
	if (row->children_of)
		strbuf_add(b, ", %s", row->children_of);
	if (of)
		strbuf_add(b, "%s in %.200s", row->children_of ? "," : "", of);
	strbuf_add(b, "%s, %s", summary_was_killed(s, row) ? ", which was killed" : "",
		   row->remark ?: "anon");
	if (row->is_elsewhere)
		strbuf_add(b, ", hardly any of it in what ran out");
	/* The line of the holder has it. */
	if (!is_most && row->most_pid.known && row->most_pages > row->pages.n / 2)
		strbuf_add(b, ", %s of it in %s", summary_size(s, row->most_pages),
			   SUMMARY_TASK(row->most_pid, row->comm));
	if (row->swapped.known && row->swapped.n)
		strbuf_add(b, ", in swap %s", summary_size(s, row->swapped.n));
	if (row->locked.n)
		strbuf_add(b, ", mlocked %s", SIZE_TEXT((int64_t)row->locked.n));
	summary_fate(row, "; ", !is_most, b);
}

static void owner_text(const struct statement *row, struct strbuf *b)
{
	bool is_process = !strcmp(row->by, "process");
	const char *what = row->owner ?: row->remark;

	strbuf_add(b, "%s",
		   is_process  ? SUMMARY_TASK(row->pid, row->comm)
		   : row->name ?: "unknown");
	if (what || is_process)
		strbuf_add(b, ", %s", what ?: "live or dead: unknown");
}

const char *summary_protection(const struct summary *s, const char *cgroup)
{
	for (const struct statement *h = s->first[SECTION_HOLDER]; cgroup && h; h = h->next)
		if (is_cgroup(h) && h->name && !strcmp(h->name, cgroup))
			return h->protection;
	return NULL;
}

static void file_text(const struct summary *s, const struct statement *row, bool is_most,
		      struct strbuf *b)
{
	const char *protection = summary_protection(s, row->charged);

	strbuf_add(b, "%.1000s", row->called ?: row->name ?: "an unknown file");
	if (row->swapped.known && row->swapped.n)
		strbuf_add(b, ", in swap %s", summary_size(s, row->swapped.n));
	if (summary_is_limited(s, row->charged))
		strbuf_add(b, ", %scharged to %.200s", row->is_mixed ? "most of it " : "",
			   summary_last_of(row->charged));
	if (is_most)
		return;
	if (protection)
		strbuf_add(b, ", %s", protection);
	summary_users(row, b);
	summary_fate(row, ", ", false, b);
}

/* Processes as elsewhere on the screen, "hog (123)"; of a tmpfs that is mounted nowhere why that may be. */
static const char *name_of(const struct summary *s, const struct statement *row)
{
	struct strbuf b = STRBUF_OF(TEXT / 4);

	if (!strcmp(row->name, "[tmpfs, not mounted]"))
		return row->called ? "the kernel's own tmpfs"
				   : "a tmpfs that is mounted nowhere, as memfds have it";
	if (!row->used_by || !row->used_by->n || strncmp(row->name, row->used_by->text, 3) != 0)
		return row->name;
	summary_user_names(row->used_by, &b);
	return dump_strdup(s->dump, b.buf);
}

static const char *unnamed(const struct statement *row)
{
	return is_cgroup(row) || row->section == SECTION_CACHE ? "of unknown name"
							       : "an unknown device";
}

void summary_user(const struct summary *s, const struct statement *row, bool is_most,
		  struct strbuf *b)
{
	if (row->section == SECTION_OWNER)
		owner_text(row, b);
	else if (row->section == SECTION_GROUP)
		group_text(s, row, is_most, b);
	else if (row->section == SECTION_FILE)
		file_text(s, row, is_most, b);
	else if (row->section == SECTION_CANDIDATE)
		strbuf_add(b, "%.600s, %s%s", row->brief ?: row->remark,
			   row->confidence.known ? "confidence of the owner " : "low confidence",
			   row->confidence.known ? dump_text(s->dump, "%s%%",
							     PERCENT_TEXT(row->confidence.n, 1000))
						 : "");
	else
		strbuf_add(
			b, "%.600s%s%s%.300s",
			!row->name	 ? row->called ?: unnamed(row)
			      : is_cgroup(row) ? short_name(s, row)
					 : name_of(s, row),
			is_inside(s, row) && short_name(s, row) != row->name
				? dump_text(s->dump, ", in %.200s", summary_last_of(s->limit_path))
				: "",
			!row->remark			? ""
			: row->section == SECTION_CACHE ? " "
							: ": ",
			row->remark ?: "");
	/* The line of the holder says it. */
	if (is_most && row->keeper)
		strbuf_add(b, ", of %.200s", row->keeper);
	else if (row->kept_by && !is_most)
		strbuf_add(b, ": %.600s%s", row->kept_by,
			   row->is_idle ? ", which the kernel can free" : "");
	for (char *p = b->buf; *p; p++)
		if ((unsigned char)*p < 0x20 || *p == 0x7f)
			*p = '?';
}

const char *summary_user_kind(const struct statement *row)
{
	return row->section == SECTION_FILE    ? "file"
	       : row->section == SECTION_CACHE ? "cache"
	       : row->section == SECTION_GROUP ? "process"
					       : row->by;
}

/* In the order of the screen. */
struct nested {
	unsigned int n;
	const struct statement *rows[LARGEST_ROOM];
	unsigned int depth[LARGEST_ROOM];
};

/*
 * Whether all that a row tells is told by another one as well: of a cgroup what is charged to it or to those below,
 * of a file system what a process keeps of it.
 */
static bool contains(const struct summary *s, const struct statement *outer,
		     const struct statement *row)
{
	const char *cgroup = cgroup_of(row);

	if (row->section == SECTION_CACHE && is_cgroup(outer) && !summary_charges_caches(s, outer))
		return false;
	if (outer == row || !outer->name || outer->section != SECTION_HOLDER ||
	    ram_of(outer) < ram_of(row))
		return false;
	if (row->within && !is_cgroup(outer))
		return !strcmp(outer->name, row->within) && strcmp(outer->by, "held") != 0;
	if (outer->alike && !is_cgroup(outer))
		return summary_is_of_these(outer->alike, cgroup);
	/* The pages of a group are those of its cgroup; of two cgroups one may have all of the other. */
	return is_cgroup(outer) && cgroup && cgroup_is_below(cgroup, outer->name) &&
	       !(is_cgroup(row) && !strcmp(row->name, outer->name));
}

/* The smallest of those that are shown; NULL: none has it. */
static const struct statement *outer_of(const struct summary *s, const struct largest *of,
					const struct statement *row)
{
	const struct statement *found = NULL;

	for (unsigned int i = 0; i < of->n; i++) {
		const struct statement *outer = of->of[i].item;

		if (contains(s, outer, row) && (!found || contains(s, found, outer)))
			found = outer;
	}
	return found;
}

/* Whether it is what fills the cgroup at its limit, that itself, or one above it. */
static bool leads_to_limit(const struct summary *s, const struct statement *row)
{
	return summary_is_limited(s, cgroup_of(row)) ||
	       (s->limit_path && !s->limit_is_over && is_cgroup(row) && row->name &&
		cgroup_is_below(s->limit_path, row->name));
}

static uint64_t rank_within(const struct summary *s, const struct largest *from, unsigned int i,
			    bool is_nested)
{
	const struct statement *row = from->of[i].item;
	const uint64_t rank = is_nested ? pages_of(row) : from->of[i].size;

	return (is_nested || (is_cgroup(row) && !is_inside(s, row))) && leads_to_limit(s, row)
		       ? rank | 1ULL << 63
		       : rank;
}

/* Rows behind the one that has all of theirs, what leads to the limit that was reached first, else the largest. */
static void add_nested(const struct summary *s, const struct largest *from,
		       const struct statement *outer, unsigned int depth, struct nested *ret)
{
	struct largest inner = { .room = LARGEST_ROOM };

	for (unsigned int i = 0; i < from->n; i++)
		if (outer_of(s, from, from->of[i].item) == outer)
			largest_add(&inner, rank_within(s, from, i, outer), from->of[i].item);
	for (unsigned int i = 0; i < inner.n && ret->n < LARGEST_ROOM; i++) {
		ret->rows[ret->n] = inner.of[i].item;
		ret->depth[ret->n++] = depth;
		add_nested(s, from, inner.of[i].item, depth + 1, ret);
	}
}

/* The rows, and which columns are known of one of them. */
struct users {
	struct largest of;
	bool has_oldest, has_growth;
};

static void add_times(const struct users *u, const char *oldest, const char *growth,
		      struct strbuf *b)
{
	if (u->has_oldest)
		strbuf_add(b, " %7s", oldest);
	if (u->has_growth)
		strbuf_add(b, "  %-9s", growth);
}

static bool is_part(const struct statement *most, const struct statement *row)
{
	return most->of == row || ANY_OF(i, CLAIM_PARTS, row && most->more[i] == row);
}

static bool is_most(const struct summary *s, const struct statement *row)
{
	return ANY_NEXT(most, s->first[SECTION_MOST], is_part(most, row));
}

static void put(const struct screen *sc, const struct users *u, const struct statement *row,
		unsigned int depth)
{
	const int indent = depth < MOST_DEEP ? (int)depth : MOST_DEEP;
	const struct summary *s = sc->s;
	char share[UNITS_BYTES + 1] = "-";
	struct strbuf line = STRBUF_OF(160), b = STRBUF_OF(TEXT);

	/* A log has it in its words. */
	if (!s->dump->log_file && summary_is_least(s, row))
		strbuf_add(&b, "at least: ");
	if (!is_most(s, row) || !claim_add_lost(row, &b))
		summary_user(s, row, is_most(s, row), &b);
	if (s->ram_pages && row->pages.known)
		snprintf(share, sizeof(share), "%s%%", PERCENT_TEXT(row->pages.n, s->ram_pages));
	strbuf_add(&line, "%c %*s%-*s %6s %6s", row->section == SECTION_CANDIDATE ? '~' : ' ',
		   indent, "", 9 - indent, summary_user_kind(row),
		   row->bytes.known ? SIZE_TEXT(row->bytes.n) : "-", share);
	add_times(u, row->oldest.known ? TIME_TEXT(row->oldest.n) : "-", row->growth ?: "-", &line);
	strbuf_add(&line, " ");
	screen_put_behind(sc, LABEL, line.buf, b.buf);
}

/* "~framegrab: not of the kernel's source (OE), low confidence" */
static void put_candidates(const struct screen *sc)
{
	char text[TEXT];

	for (const struct statement *row = sc->s->first[SECTION_CANDIDATE]; row; row = row->next) {
		if (has_size(row))
			continue;
		snprintf(text, sizeof(text), "~%.64s: %.500s; %s", row->name, row->remark,
			 summary_doubt(row));
		screen_put(sc, "", text);
	}
}

unsigned int summary_large_users(const struct summary *s)
{
	unsigned int n = 0;

	for (size_t i = 0; i < ARRAY_SIZE(sections); i++)
		for (const struct statement *row = s->first[sections[i]]; row; row = row->next)
			n += is_user(s, row) && reaches(s, LIMIT_HOLDER, row);
	return n;
}

/* Of little room it takes that of the smallest which has less to say. */
static void keep(const struct summary *s, const struct statement *row, struct largest *ret)
{
	unsigned int at = ret->n;

	if (!ret->room || ANY_OF(i, ret->n, ret->of[i].item == row))
		return;
	while (at && ret->n == ret->room && is_most(s, ret->of[at - 1].item))
		at--;
	if (ret->n == ret->room && !at)
		return;
	if (ret->n == ret->room)
		memmove(&ret->of[at - 1], &ret->of[at], (--ret->n - (at - 1)) * sizeof(*ret->of));
	largest_add(ret, rank_of(s, row), row);
}

void summary_users_of_most(const struct summary *s, unsigned int room, struct largest *ret)
{
	struct largest small = { .room = LEAST };

	*ret = (struct largest){ .room = room };
	find(s, true, ret);
	find(s, false, &small);
	for (unsigned int i = 0; i < small.n && ret->n < LEAST && ret->n < room; i++)
		ret->of[ret->n++] = small.of[i];
	for (const struct statement *most = s->first[SECTION_MOST]; most; most = most->next)
		for (unsigned int i = 0; i <= CLAIM_PARTS; i++) {
			const struct statement *row = i ? most->more[i - 1] : most->of;

			if (row && is_user(s, row))
				keep(s, row, ret);
		}
}

/* Objects alike, each reached in the same way: one line says it. */
static bool is_again(const struct statement *before, const struct statement *row)
{
	return row->section == SECTION_CANDIDATE && before->section == SECTION_CANDIDATE &&
	       row->remark && before->remark && row->pages.n == before->pages.n &&
	       !strcmp(row->remark, before->remark);
}

/* A log has what there was at its report, which may be long before its end. */
static const char *at_report_text(const struct summary *s)
{
	const struct dump_info *info = &s->report->info;
	char text[AGE_TEXT];
	uint64_t age;

	if (!s->dump->log_file || !s->last_report ||
	    !age_at_panic(info, s->last_report->ts_ns, &age) || age < RECOVERED_NS ||
	    !age_text(info, s->last_report->ts_ns, text))
		return "";
	return dump_text(s->dump, "; at the report, %s", text);
}

void screen_put_culprits(const struct screen *sc)
{
	struct strbuf head = STRBUF_OF(160);
	struct nested nested = { 0 };
	struct users u = { 0 };
	bool is_nested = false, has_swap = false;

	summary_users_of_most(sc->s, sc->extent.culprits, &u.of);
	for (unsigned int i = 0; i < u.of.n; i++) {
		const struct statement *row = u.of.of[i].item;

		u.has_oldest |= row->oldest.known;
		u.has_growth |= row->growth != NULL;
		is_nested |= outer_of(sc->s, &u.of, row) != NULL;
		has_swap |= row->swapped.known && row->swapped.n;
	}
	strbuf_add(&head, "%-10s  %6s %6s", "users", "SIZE", "RAM%");
	add_times(&u, "OLDEST", "GROWTH", &head);
	if (u.of.n)
		sink_printf(sc->out, "%s  NAME (%s%s%s%s%s)\n", head.buf,
			    has_swap ? "by SIZE + swap" : "rows overlap",
			    is_nested && !u.has_growth && !sc->s->first[SECTION_CANDIDATE] &&
					    !summary_users_are_part(sc->s)
				    ? "; indented: in row above"
				    : "",
			    sc->s->first[SECTION_CANDIDATE] ? "; ~: inferred" : "",
			    summary_users_are_part(sc->s) ? "; of what is known" : "",
			    at_report_text(sc->s));
	add_nested(sc->s, &u.of, NULL, 0, &nested);
	for (unsigned int i = 0; i < nested.n; i++)
		if (!i || !is_again(nested.rows[i - 1], nested.rows[i]))
			put(sc, &u, nested.rows[i], nested.depth[i]);
	put_candidates(sc);
}

/* An age before the panic as a time; none: what is known else. */
static uint64_t time_at(struct maybe_u64 age, uint64_t panic_ns, uint64_t none)
{
	return age.known && age.n <= panic_ns ? panic_ns - age.n : none;
}

bool summary_growth(const struct summary *s, const struct statement *row, struct maybe_u64 *at,
		    struct strbuf *b)
{
	const struct dump_info *info = &s->report->info;
	const uint64_t panic = info->panic_ns;
	char span[UNITS_BYTES], ago[UNITS_BYTES];
	const char *name = summary_name(s, row);
	uint64_t start, end, first, last;

	if (!row->growth || !strcmp(row->growth, "mixed") || !name)
		return false;
	/* The span is of whole steps: its ends are not beyond the first and the last allocation. */
	start = row->span_start.n;
	end = row->span_end.known ? row->span_end.n : panic;
	first = time_at(row->oldest, panic, start);
	last = time_at(row->youngest, panic, end);
	start = first > start && first <= end ? first : start;
	end = last < end && last >= start ? last : end;
	units_time(span, end - start);
	units_time(ago, panic - end);
	*at = (struct maybe_u64){ end, true };
	strbuf_add(b, "%s%% of %s ", PERCENT_TEXT(row->span_pages.n, row->pages.n), name);
	if (start == end)
		strbuf_add(b, "has one time stamp, %s before the %s", ago, age_end(info));
	else if (end == panic)
		strbuf_add(b, "was allocated within %s up to the %s", span, age_end(info));
	else
		strbuf_add(b, "was allocated within %s that ended %s before the %s", span, ago,
			   age_end(info));
	return true;
}

void screen_put_growth(const struct screen *sc)
{
	const struct statement *row = sc->s->first[SECTION_OWNER];
	struct maybe_u64 at;
	struct strbuf b = STRBUF_OF(TEXT);

	if (row && summary_growth(sc->s, row, &at, &b))
		screen_put(sc, "growth", b.buf);
}
