// SPDX-License-Identifier: GPL-2.0-or-later
/* Cgroups beside each other with processes of the same names: sessions of users, two releases of one service, tenants. */
#include "cgroup/cgroup.h"
#include "memowner/groups.h"
#include "memowner/summary.h"
#include "oom/oom_report.h"

#define TEXT 640
#define BY_CGROUP "memowner processes -g cgroup -n 5"
#define FEW 3u	      /* cgroups that are told each, names that are told each */
#define MOST_DEEP 16u /* of a path: those further down are of the one there */
#define SAME 2u	      /* a cgroup is one of them with half of the names */
#define NAMES 64u     /* one with more is of many things */
#define GROWN 2u      /* what has more than that many times what it has beside it is what differs */
#define NO_MORE 125u  /* percent: what has up to that does not */

/* A cgroup with all that is below it. */
struct unit {
	const char *path;
	struct unit_name *names;
	uint64_t nnames, sum; /* of hashes of names: of the same names it is the same */
	uint64_t processes, pages, swap, first_ns, of_init;
	struct process_parent {
		int32_t tgid;
		uint64_t votes; /* Boyer and Moore's */
	} parent;
};

/* Processes of a name there. */
struct unit_name {
	struct unit_name *next;
	const char *comm;
	uint64_t pages;
};

/* Cgroups below one parent that have the same names. */
struct alike {
	const struct unit *first;
	uint64_t units, pages;
};

/* Those that are told. */
struct found {
	const struct unit *like;
	size_t parent;	       /* bytes of their parent's path */
	uint64_t units, whole; /* whole: with all of the names */
	uint64_t processes, pages, swap, most, first_ns, of_init;
	struct largest largest, names;
};

static size_t parent_bytes(const char *path)
{
	return (size_t)(strrchr(path, '/') - path);
}

static void add_parents(struct unit *u, const struct process_group *g)
{
	for (uint64_t i = 0; i < g->processes; i++) {
		const int32_t of = g->members[i][1];

		u->of_init += of == 1;
		if (of && of == u->parent.tgid)
			u->parent.votes++;
		else if (u->parent.votes)
			u->parent.votes--;
		else if (of)
			u->parent = (struct process_parent){ of, 1 };
	}
}

static void add_to_unit(struct summary *s, struct hash_bytes *units, const char *path, size_t bytes,
			const struct process_group *g)
{
	bool is_new;
	struct unit *u = hash_bytes_get(units, path, bytes, &is_new)->value;
	struct unit_name *name;

	if (is_new)
		u->path = dump_text(s->dump, "%.*s", (int)bytes, path);
	for (name = u->names; name && strcmp(name->comm, g->comm) != 0;)
		name = name->next;
	if (!name && u->nnames++ < NAMES) {
		name = arena_alloc(s->dump->arena, sizeof(*name));
		*name = (struct unit_name){ .next = u->names, .comm = g->comm };
		u->names = name;
		u->sum += hash_bytes_of(g->comm, strlen(g->comm));
	}
	if (name)
		name->pages += g->anon;
	u->processes += g->processes;
	u->pages += g->anon;
	u->swap += g->swap;
	u->first_ns = u->first_ns && u->first_ns < g->first_ns ? u->first_ns : g->first_ns;
	add_parents(u, g);
}

/* Each cgroup of a path has them, and the root is no one's sibling. */
static void add_group(struct summary *s, struct hash_bytes *units, const struct process_group *g)
{
	const char *path = g->cgroup;
	unsigned int depth = 0;

	for (size_t at = 1; path && *path == '/' && path[1] && depth < MOST_DEEP; at++) {
		if (path[at] && path[at] != '/')
			continue;
		add_to_unit(s, units, path, at, g);
		depth++;
		if (!path[at])
			break;
	}
}

/* Those with the same names that have most. */
static const struct unit *find_alike(struct summary *s, const struct hash_bytes *units)
{
	const struct alike *most = NULL;
	struct hash_bytes alikes;
	char key[512];

	hash_bytes_init(&alikes, s->dump->arena, sizeof(struct alike));
	hash_bytes_for_each(const struct unit, u, units) {
		const size_t parent = parent_bytes(u->path);
		struct alike *a;
		int n;

		if (u->nnames < 2 || u->nnames > NAMES)
			continue;
		n = snprintf(key, sizeof(key), "%016llx %llu %.*s", (unsigned long long)u->sum,
			     (unsigned long long)u->nnames, (int)(parent < 400 ? parent : 400),
			     u->path);
		a = hash_bytes_get(&alikes, key, (size_t)n, NULL)->value;
		a->first = a->first ?: u;
		a->units++;
		a->pages += u->pages + u->swap;
		if (a->units > 1 && (!most || a->pages > most->pages))
			most = a;
	}
	return most ? most->first : NULL;
}

static const struct unit_name *name_in(const struct unit *u, const char *comm)
{
	const struct unit_name *name = u->names;

	while (name && strcmp(name->comm, comm) != 0)
		name = name->next;
	return name;
}

/* One that has just begun lacks some, and another has one more. */
static bool is_like(const struct unit *u, const struct unit *like)
{
	const size_t parent = parent_bytes(like->path);
	uint64_t same = 0;

	if (parent_bytes(u->path) != parent || strncmp(u->path, like->path, parent) != 0)
		return false;
	for (const struct unit_name *name = like->names; name; name = name->next)
		same += name_in(u, name->comm) != NULL;
	return same >= 2 && same * SAME >= like->nnames && same * SAME >= u->nnames;
}

/* Of the names that are the same; how many of them it has. */
static uint64_t add_names(struct hash_bytes *names, const struct unit *u, const struct unit *like)
{
	uint64_t n = 0;

	for (const struct unit_name *name = u->names; name; name = name->next) {
		struct unit_name *sum;

		if (!name_in(like, name->comm))
			continue;
		sum = hash_bytes_get(names, name->comm, strlen(name->comm) + 1, NULL)->value;
		sum->comm = name->comm;
		sum->pages += name->pages;
		n++;
	}
	return n;
}

/* Neither one cgroup nor one name has so much that it is what is to be told. */
static bool sum_up(struct summary *s, const struct hash_bytes *units, struct hash_bytes *names,
		   struct text_lists *paths, struct found *f)
{
	hash_bytes_for_each(const struct unit, u, units) {
		const uint64_t all = u->pages + u->swap;

		if (!is_like(u, f->like))
			continue;
		/* Of one that is at its limit the sum with those beside it is no answer. */
		if (s->limit_path && cgroup_is_below(s->limit_path, u->path))
			return false;
		text_lists_add(paths, "%s", u->path);
		f->whole += add_names(names, u, f->like) == f->like->nnames;
		largest_add(&f->largest, all, u);
		f->units++;
		f->processes += u->processes;
		f->pages += u->pages;
		f->swap += u->swap;
		f->of_init += u->of_init;
		f->most = all > f->most ? all : f->most;
		f->first_ns = f->first_ns && f->first_ns < u->first_ns ? f->first_ns : u->first_ns;
	}
	hash_bytes_for_each(const struct unit_name, name, names)
		largest_add(&f->names, name->pages, name);
	return f->units > 1 && f->most * 3 <= (f->pages + f->swap) * 2 &&
	       f->names.of[0].size * 2 < f->pages + f->swap &&
	       summary_reaches(s, LIMIT_HOLDER, f->pages + f->swap);
}

/* "file-index 115.7M, sound-mix 81.0M, desk-panel 69.6M and 2 more" */
static void add_words(const struct summary *s, const struct found *f, struct strbuf *b)
{
	const uint64_t nnames = f->like->nnames;

	for (unsigned int i = 0; i < f->names.n && i < FEW; i++) {
		const struct unit_name *name = f->names.of[i].item;

		strbuf_add(b, "%s%s %s", i ? ", " : "", name->comm, summary_size(s, name->pages));
	}
	if (nnames > FEW)
		strbuf_add(b, " and %s more", COUNT_TEXT(nnames - FEW));
}

static struct statement *row_of(const struct summary *s, const char *path, size_t bytes)
{
	struct statement *row = s->first[SECTION_HOLDER];

	while (row && (strcmp(row->by, "cgroup") || !row->name || row->is_removed ||
		       strlen(row->name) != bytes || memcmp(row->name, path, bytes) != 0))
		row = row->next;
	return row;
}

static struct maybe_u64 age_of(const struct summary *s, uint64_t start_ns)
{
	struct maybe_u64 age = { 0 };

	age.known = age_at_panic(&s->report->info, start_ns, &age.n);
	return age;
}

/* "; /release-42 187.3M, started 21.6s before the end by deploy-ctl (178)" */
static void add_unit(struct summary *s, const struct unit *u, struct strbuf *b)
{
	const struct statement *row = row_of(s, u->path, strlen(u->path));
	const struct maybe_u64 age = age_of(s, u->first_ns);
	const char *parent = u->parent.tgid > 1 && u->parent.votes * 2 > u->processes
				     ? summary_process_name(s, u->parent.tgid)
				     : NULL;

	strbuf_add(b, "; %s %s", u->path,
		   summary_size(s, row && row->pages.known ? row->pages.n : u->pages));
	if (age.known)
		strbuf_add(b, ", its first process started %s before the end", TIME_TEXT(age.n));
	if (parent)
		strbuf_add(b, "%schildren of %s", age.known ? ", " : ": ", parent);
}

/* Of all of them what is charged, or else anonymous memory. */
static bool sum_charges(const struct summary *s, const struct found *f, uint64_t *pages,
			uint64_t *swapped)
{
	*pages = *swapped = 0;
	for (unsigned int i = 0; i < f->largest.n; i++) {
		const struct unit *u = f->largest.of[i].item;
		const struct statement *row = row_of(s, u->path, strlen(u->path));

		if (!row || !row->pages.known)
			return false;
		*pages += row->pages.n;
		*swapped += row->swapped.known ? row->swapped.n : 0;
	}
	return f->units == f->largest.n;
}

/* "the same 5 names in each" */
static const char *names_text(const struct summary *s, const struct found *f)
{
	struct strbuf b = STRBUF_OF(64);

	strbuf_add(&b, "the same %s in ", COUNT_OF(f->like->nnames, "name"));
	if (f->whole < f->units)
		strbuf_add(&b, "%s of them", COUNT_TEXT(f->whole));
	else
		strbuf_add(&b, "%s", f->units == 2 ? "both" : "each");
	return dump_strdup(s->dump, b.buf);
}

/* Those that stand below one that has hardly anything else are told by that one. */
static void tell_above(struct summary *s, const struct found *f, struct statement *row)
{
	const char *names = names_text(s, f);
	struct strbuf b = STRBUF_OF(TEXT);

	strbuf_add(&b, "%s in %s below it, %s: ", PLURAL_TEXT(f->processes, "process", "processes"),
		   COUNT_OF(f->units, "cgroup"), names);
	add_words(s, f, &b);
	strbuf_add(&b, "; none of these cgroups has more than %s", summary_size(s, f->most));
	if (f->of_init * 2 > f->processes)
		strbuf_add(&b,
			   "; %s of the processes are children of init (1), which started them or "
			   "took them in",
			   COUNT_TEXT(f->of_init));
	row->brief = dump_strdup(s->dump, b.buf);
	row->remark = dump_text(s->dump, "%s, in %s below it %s", row->remark ?: "",
				COUNT_OF(f->units, "cgroup"), names);
	row->command = BY_CGROUP;
}

static struct statement *tell_beside(struct summary *s, const struct found *f)
{
	struct arena *a = s->dump->arena;
	struct strbuf name = STRBUF_OF(TEXT), b = STRBUF_OF(TEXT), brief = STRBUF_OF(TEXT);
	uint64_t pages, swapped;
	const bool is_charged = sum_charges(s, f, &pages, &swapped);
	struct statement *row;

	for (unsigned int i = 0; i < f->largest.n && i < FEW; i++) {
		const struct unit *u = f->largest.of[i].item;

		strbuf_add(&name, "%s%s", !i ? "" : i + 1 == f->units ? " and " : ", ", u->path);
	}
	if (f->units > FEW)
		strbuf_add(&name, " and %s more", COUNT_TEXT(f->units - FEW));
	strbuf_add(&b, "%s%s", is_charged ? "" : "anon of processes, ", names_text(s, f));
	strbuf_add(&brief, "%s: ", b.buf);
	add_words(s, f, &brief);
	for (unsigned int i = 0; i < f->largest.n && f->units <= FEW; i++)
		add_unit(s, f->largest.of[i].item, &brief);
	SUMMARY_ADD(
		s, .section = SECTION_HOLDER, .by = "cgroups", .name = arena_strdup(a, name.buf),
		.pages = { 0, true }, .remark = arena_strdup(a, b.buf),
		.cgroup = f->parent ? arena_text(a, "%.*s", (int)f->parent, f->like->path) : "/",
		.oldest = age_of(s, f->first_ns), .processes = { f->processes, true },
		.command = BY_CGROUP);
	row = s->last[SECTION_HOLDER];
	summary_set_swapped(s, row, is_charged ? pages : f->pages, is_charged ? swapped : f->swap);
	row->brief = arena_strdup(a, brief.buf);
	return row;
}

/* Of two that come near each other: what each has here, and at most in a cgroup beside its own with the same names. */
struct compared {
	const char *comm;
	uint64_t here, there;
};

struct comparing {
	struct compared all[CLAIMS_TOLD];
	unsigned int n;
	uint64_t twins;
	const struct unit *twin; /* the last of them */
};

static const char *comm_of(const struct claim *c)
{
	return c->victim && c->victim->has_comm				  ? c->victim->comm
	       : c->row && c->row->section == SECTION_GROUP && !c->nparts ? c->row->comm
									  : NULL;
}

/* What was killed may not have been started again. */
static bool is_compared(const struct comparing *x, const char *comm)
{
	return ANY_OF(i, x->n, !strcmp(x->all[i].comm, comm));
}

static bool has_all(const struct unit *u, const struct unit *of, const struct comparing *x)
{
	for (const struct unit_name *name = of->names; name; name = name->next)
		if (!name_in(u, name->comm) && !(x && is_compared(x, name->comm)))
			return false;
	return true;
}

static bool is_twin(const struct unit *u, const struct unit *of, const struct comparing *x)
{
	const size_t parent = parent_bytes(of->path);

	return u != of && parent_bytes(u->path) == parent && !strncmp(u->path, of->path, parent) &&
	       u->nnames > 1 && u->nnames <= NAMES && has_all(u, of, NULL) && has_all(of, u, x) &&
	       !ANY_OF(i, x->n, !name_in(u, x->all[i].comm));
}

static void find_twins(const struct summary *s, const struct unit *of, struct comparing *x)
{
	hash_bytes_for_each(const struct unit, u, &s->groups->units) {
		if (!is_twin(u, of, x))
			continue;
		x->twins++;
		x->twin = u;
		for (unsigned int i = 0; i < x->n; i++) {
			const uint64_t pages = name_in(u, x->all[i].comm)->pages;

			x->all[i].there = pages > x->all[i].there ? pages : x->all[i].there;
		}
	}
}

/* The deepest that has all of them: the cgroup at its limit, or one that a process is in. */
static void compare(const struct summary *s, const char *path, struct comparing *x)
{
	for (size_t n = strlen(path); n > 1 && !x->twins; n--) {
		const struct unit *of = !path[n] || path[n] == '/'
						? hash_bytes_find(&s->groups->units, path, n)
						: NULL;

		if (of && of->nnames <= NAMES)
			find_twins(s, of, x);
	}
}

const char *summary_twins_text(const struct claims *c, const struct claim *lead[], unsigned int *n)
{
	const struct summary *s = c->s;
	const char *path = c->of_limit ? s->limit_path : lead[0]->row ? lead[0]->row->cgroup : NULL;
	struct comparing x = { .n = *n };
	struct strbuf b = STRBUF_OF(TEXT);
	unsigned int grown = 0, of = 0;

	for (unsigned int i = 0; i < x.n; i++) {
		x.all[i] = (struct compared){ comm_of(lead[i]), lead[i]->pages, 0 };
		if (!x.all[i].comm)
			return NULL;
	}
	if (!s->groups || !s->groups->units.value_size || !path || !x.n || s->tasks_missing ||
	    s->groups->lacks_cgroups)
		return NULL;
	compare(s, path, &x);
	for (unsigned int i = 0; i < x.n && x.twins; i++) {
		const struct compared *y = &x.all[i];

		if (y->here > GROWN * y->there && y->here - y->there >= c->least) {
			grown++;
			of = i;
		} else if (y->here * 100 > y->there * NO_MORE) {
			return NULL;
		}
	}
	if (grown != 1)
		return NULL;
	strbuf_add(&b, "%s%s, with processes of the same names, %s ",
		   x.n > 1 ? "inferred, as " : "",
		   x.twins == 1 ? dump_text(s->dump, "%s beside it", summary_last_of(x.twin->path))
				: dump_text(s->dump, "%s beside it", COUNT_OF(x.twins, "cgroup")),
		   x.twins == 1 ? "has" : "have at most");
	strbuf_add(&b, "%s in %s", summary_size(s, x.all[of].there), x.all[of].comm);
	for (unsigned int i = 0; i < x.n; i++)
		if (i != of)
			strbuf_add(&b, ", but %s in %s, which %s %s here",
				   summary_size(s, x.all[i].there), x.all[i].comm,
				   lead[i]->victim ? "had" : "has", summary_size(s, x.all[i].here));
	if (x.n > 1 && claim_steady_text(s, lead[!of]))
		strbuf_add(&b, "; %s", claim_steady_text(s, lead[!of]));
	lead[0] = lead[of];
	*n = 1;
	return dump_strdup(s->dump, b.buf);
}

void summary_alike_cgroups(struct summary *s)
{
	struct found f = { .largest = { .room = LARGEST_ROOM }, .names = { .room = FEW } };
	struct hash_bytes *units = &s->groups->units, names;
	struct text_lists paths;
	struct statement *above, *row;

	hash_bytes_init(units, s->dump->arena, sizeof(struct unit));
	hash_bytes_init(&names, s->dump->arena, sizeof(struct unit_name));
	text_lists_init(&paths, s->dump->arena);
	hash_bytes_for_each(const struct process_group, g, &s->groups->groups)
		add_group(s, units, g);
	f.like = find_alike(s, units);
	if (!f.like || !sum_up(s, units, &names, &paths, &f))
		return;
	f.parent = parent_bytes(f.like->path);
	above = row_of(s, f.like->path, f.parent);
	row = above && above->pages.known && (f.pages + f.swap) * 100 >= above->pages.n * CLAIM_SAME
		      ? above
		      : NULL;
	if (row)
		tell_above(s, &f, row);
	else
		row = tell_beside(s, &f);
	row->alike = text_lists_end(&paths, 0, true);
}
