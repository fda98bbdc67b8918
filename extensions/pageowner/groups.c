// SPDX-License-Identifier: GPL-2.0-or-later
#include "groups.h"

#include "memory.h"
#include "scan_read.h"

void owner_groups_init(struct owner_view *v, struct owner_groups *ret)
{
	const struct cmdline *in = v->in;

	*ret = (struct owner_groups){ .v = v };
	for (size_t i = 0; i < in->ngroups; i++)
		if (in->groups[i] != KEY_CALLEE)
			ret->keys[ret->nkeys++] = in->groups[i];
	hash_bytes_init(&ret->groups, v->dump->arena, sizeof(struct owner_group));
	hash_bytes_init(&ret->pairs, v->dump->arena, 0);
	hash_u64_init(&ret->early_known, v->dump->arena, sizeof(bool));
	owner_select_init(v, &ret->select);
}

enum { PAIR_STACK, PAIR_TASK };

/* Whether the pair of group and value is new. */
static bool is_new_pair(struct owner_groups *g, const struct owner_group *group, uint64_t kind,
			uint64_t word)
{
	uint64_t key[3] = { (uintptr_t)group, kind, word };
	bool is_new;

	hash_bytes_get(&g->pairs, key, sizeof(key), &is_new);
	return is_new;
}

/* Of its first page. */
static void begin_group(struct owner_groups *g, struct owner_group *group,
			const struct hash_bytes_entry *e, struct page_facts *f)
{
	struct dump *d = g->v->dump;

	group->keys = (const uint64_t *)(const void *)e->key;
	group->handle = f->handle;
	group->one_stack = true;
	if (g->count_ages)
		group->ages = dump_alloc(d, AGES * sizeof(*group->ages));
	if (g->nextras)
		group->extras = dump_alloc(d, g->nextras * sizeof(*group->extras));
	for (size_t i = 0; i < g->nextras; i++)
		group->extras[i] = owner_value(f, g->extras[i]);
}

struct owner_group *owner_group_of(struct owner_groups *g, struct page_facts *f)
{
	const size_t bytes = g->nkeys * sizeof(uint64_t);
	uint64_t words[GROUP_KEYS] = { 0 };
	struct hash_bytes_entry *e;
	bool is_new;

	for (size_t i = 0; i < g->nkeys; i++)
		words[i] = owner_value(f, g->keys[i]);
	/* Neighbours often have the same owner. */
	if (g->last && !memcmp(g->last->keys, words, bytes))
		return g->last;
	e = hash_bytes_get(&g->groups, words, bytes, &is_new);
	g->last = e->value;
	if (is_new)
		begin_group(g, g->last, e, f);
	return g->last;
}

void owner_group_time(struct owner_groups *g, struct owner_group *group, struct page_facts *f)
{
	uint64_t step;

	if (!g->v->owner.f[f->page->allocated ? OWNER_TS : OWNER_FREE_TS].present)
		return;
	if (!group->has_time || f->ts_min < group->ts_min)
		group->ts_min = f->ts_min;
	if (!group->has_time || f->ts_max > group->ts_max)
		group->ts_max = f->ts_max;
	group->has_time = true;
	if (!g->count_ages)
		return;
	step = owner_value(f, KEY_AGE);
	if (step < AGES)
		group->ages[step] += f->pages;
}

static void add_to_group(struct owner_groups *g, struct owner_group *group, struct page_facts *f)
{
	group->pages += f->pages;
	group->allocs += f->allocs;
	group->orders |= 1ULL << f->page->order;
	group->one_stack &= f->handle == group->handle;
	owner_group_time(g, group, f);
	for (size_t i = 0; i < g->nextras; i++)
		if (group->extras[i] != VALUE_UNKNOWN &&
		    group->extras[i] != owner_value(f, g->extras[i])) {
			group->extras[i] = VALUE_UNKNOWN;
			group->several |= 1U << i;
		}
	if (g->v->holders) {
		uint16_t confidence;

		owner_page_holder(f, &confidence);
		group->walks += f->pages * confidence;
	}
	if (g->count_stacks)
		group->stacks += is_new_pair(g, group, PAIR_STACK, f->handle);
	if (g->count_tasks)
		group->tasks += is_new_pair(
			g, group, PAIR_TASK,
			owner_value(f, g->v->owner.f[OWNER_TGID].present ? KEY_TGID : KEY_PID));
}

/*
 * What is known of the handles of pages seen last, by a few of their bits: on uncompressed memory
 * the two look-ups in hash tables of some MiB, a dozen lines of cache each time, cost more than
 * reading the record. The handles of a set stand in one line; all sets have 512 KiB.
 */
#define RECENT_BITS 13
#define RECENT_WAYS 4
#define LINE_BYTES 64 /* of a cache line */

struct recent {
	uint32_t handle;
	bool known, decoded; /* handle is set; it has a stack */
	/* Of live pages with it; NULL: not known, or not by stack alone. */
	struct owner_group *group;
};

struct recent_set {
	struct recent ways[RECENT_WAYS];
};

struct scan {
	struct owner_groups *groups;
	uint64_t bad;  /* pages whose stack was not found */
	bool by_stack; /* pages of a handle have one group */
	struct recent_set *recent;
	unsigned int turn; /* the way that is given up next */
	struct recent *last;
	uint32_t soon[2]; /* handles that runs have soon */
};

/* Sets begin with a line. */
static struct recent_set *make_recent(struct dump *d)
{
	char *p = dump_alloc(d, (sizeof(struct recent_set) << RECENT_BITS) + LINE_BYTES - 1);

	return (void *)(p + (-(uintptr_t)p & (LINE_BYTES - 1)));
}

static bool is_early(struct owner_groups *g, uint32_t handle)
{
	bool is_new, *known = hash_u64_get(&g->early_known, handle, &is_new);

	if (is_new)
		*known = stack_is_early(owner_stack(g->v, handle));
	return *known;
}

static void add_to(struct owner_groups *g, struct owner_group **group, struct page_facts *f)
{
	if (g->without_early && is_early(g, f->handle)) {
		g->early += f->pages;
		return;
	}
	if (!owner_selects(&g->select, f))
		return;
	if (!*group)
		*group = owner_group_of(g, f);
	add_to_group(g, *group, f);
}

static enum status add_fact(void *arg, struct page_facts *f)
{
	struct owner_group *group = NULL;

	add_to(arg, &group, f);
	return ST_OK;
}

static struct recent *set_of(const struct scan *s, uint32_t handle)
{
	/* Fibonacci hashing, as in hash_u64.c. */
	return s->recent[handle * 0x9e3779b9u >> (32 - RECENT_BITS)].ways;
}

static struct recent *recent_of(struct scan *s, uint32_t handle)
{
	struct recent *r = set_of(s, handle);
	unsigned int way = RECENT_WAYS;
	struct cached_stack *stack;

	/* Neighbours often have the same; what took its place since has another. */
	if (s->last && s->last->handle == handle)
		return s->last;
	/* Without a branch, which would be guessed wrong: the way is any. */
	for (unsigned int i = 0; i < RECENT_WAYS; i++)
		way = ((r[i].handle == handle) & r[i].known) ? i : way;
	if (way < RECENT_WAYS)
		return s->last = r + way;
	stack = stack_cache_get(&s->groups->v->stacks, handle);
	r += s->turn++ % RECENT_WAYS;
	*r = (struct recent){ .handle = handle, .known = true, .decoded = stack->decoded };
	return s->last = r;
}

/* What add_to() does with each page behind one, if the scan is plain. */
static void add_alike(void *arg, const struct owner_run *run)
{
	struct scan *s = arg;
	struct owner_groups *g = s->groups;
	struct owner_group *group = s->last->group;

	if (!s->last->decoded)
		s->bad += run->pages;
	g->select.of += run->pages;
	g->select.kept += run->pages;
	group->pages += run->pages;
	group->allocs += run->pages;
	if (!group->has_time)
		return;
	group->ts_min = run->ts_min < group->ts_min ? run->ts_min : group->ts_min;
	group->ts_max = run->ts_max > group->ts_max ? run->ts_max : group->ts_max;
}

/* Groups of some thousand stacks are more than the caches have: of this handle the set, of one before it the group. */
static void fetch_group(void *arg, uint32_t handle)
{
	struct scan *s = arg;
	const struct recent *r = set_of(s, s->soon[0]);

	for (unsigned int i = 0; i < RECENT_WAYS; i++)
		if (r[i].handle == s->soon[0] && r[i].group) {
			__builtin_prefetch(&r[i].group->pages, 1);
			__builtin_prefetch(&r[i].group->has_time, 1);
		}
	s->soon[0] = s->soon[1];
	s->soon[1] = handle;
	__builtin_prefetch(set_of(s, handle));
}

/* Whether of live pages nothing is asked but their stack. */
static bool is_plain(const struct scan *s)
{
	const struct owner_groups *g = s->groups;

	return s->by_stack && owner_select_scope(&g->select) == SCAN_LIVE && g->select.live &&
	       !g->select.filters->n && !g->without_early && !g->nextras && !g->count_stacks &&
	       !g->count_tasks && !g->count_ages;
}

static enum status add_page(void *arg, const struct owner_page *p)
{
	struct scan *s = arg;
	struct recent *r = recent_of(s, p->handle);
	struct page_facts f;

	if (p->allocated && !r->decoded)
		s->bad++;
	page_facts_init(s->groups->v, p, &f);
	/* The stack of a free page is that of its free. */
	if (!s->by_stack || !p->allocated)
		return add_fact(s->groups, &f);
	add_to(s->groups, &r->group, &f);
	return ST_OK;
}

struct state_scan {
	struct owner_groups *groups;
	struct memory_gaps gaps;
	uint64_t visited;
};

/* A page that is in use, as its struct page tells. */
static enum status add_state(void *arg, const struct owner_page *p)
{
	struct state_scan *s = arg;
	struct owner_view *v = s->groups->v;
	enum page_class class = CLASS_UNKNOWN;
	struct page_facts f;

	s->visited++;
	page_facts_init(v, p, &f);
	if (!memory_class(v, p, &f.info, &class)) {
		s->gaps.unreadable++;
		return ST_OK;
	}
	f.has_info = INFO_KNOWN;
	s->gaps.unknown += class == CLASS_UNKNOWN;
	return class == CLASS_BUDDY || class == CLASS_PCP || class == CLASS_FREE
		       ? ST_OK
		       : add_fact(s->groups, &f);
}

void owner_groups_count(struct owner_groups *g)
{
	uint64_t kept = 0;

	hash_bytes_for_each(const struct owner_group, group, &g->groups)
		if (owner_selects_group(&g->select, group->pages << g->v->page_shift))
			kept += group->pages;
	g->select.kept = kept;
}

enum status owner_groups_by_state(struct owner_groups *g, struct memory_gaps *gaps,
				  uint64_t *visited)
{
	struct state_scan s = { .groups = g };
	struct scan_stats none;
	enum status st;

	/* No record says that a page is allocated. */
	g->select.free = true;
	g->count_stacks = g->count_tasks = g->count_ages = false;
	st = memory_scan(g->v, &none, add_state, &s);
	owner_groups_count(g);
	*gaps = s.gaps;
	*visited = s.visited;
	return st;
}

enum status owner_groups_scan(struct owner_groups *g)
{
	struct scan s = { .groups = g };
	struct owner_visitor visitor = { .page = add_page, .arg = &s };
	enum status st;

	if (!g->nkeys)
		g->keys[g->nkeys++] = KEY_STACK;
	if (g->v->saved) {
		st = owner_saved_scan(g->v, &g->cov, add_fact, g);
		owner_groups_count(g);
		return st;
	}
	s.by_stack = g->nkeys == 1 && g->keys[0] == KEY_STACK;
	visitor.alike = is_plain(&s) ? add_alike : NULL;
	visitor.soon = fetch_group;
	s.recent = make_recent(g->v->dump);
	st = page_owner_scan_runs(&g->v->owner, owner_select_scope(&g->select), &g->cov, &visitor);
	g->cov.live -= s.bad;
	g->cov.undecodable += s.bad;
	owner_groups_count(g);
	return st;
}

struct cell owner_group_key(const void *group, void *groups, unsigned int key)
{
	const struct owner_groups *of = groups;
	const struct owner_group *g = group;
	struct cell cell = owner_key_cell(of->v, of->keys, of->nkeys, g->keys, key);

	return cell.kind != CELL_NULL
		       ? cell
		       : owner_key_cell(of->v, of->extras, of->nextras, g->extras, key);
}

struct cell owner_group_bytes(const void *group, void *groups)
{
	const struct owner_group *g = group;

	return cell_uint(g->pages << ((struct owner_groups *)groups)->v->page_shift);
}

static struct cell age(struct owner_groups *of, const struct owner_group *g, uint64_t ts)
{
	return cell_if(g->has_time, report_age(&of->v->report, ts));
}

struct cell owner_group_oldest(const void *group, void *groups)
{
	return age(groups, group, ((const struct owner_group *)group)->ts_min);
}

struct cell owner_group_youngest(const void *group, void *groups)
{
	return age(groups, group, ((const struct owner_group *)group)->ts_max);
}

static uint32_t handle_of(const struct owner_group *g)
{
	return g->one_stack ? g->handle : 0;
}

/* Those of a text are numbers of ours. */
struct cell owner_group_handle(const void *group, void *groups)
{
	uint32_t handle = handle_of(group);

	return cell_if(handle && owner_has_handles(((struct owner_groups *)groups)->v),
		       cell_hex(handle));
}

struct cell owner_group_stack(const void *group, void *groups)
{
	return cell_stack(owner_stack(((struct owner_groups *)groups)->v, handle_of(group)));
}

void owner_groups_rows(struct owner_groups *g, struct table *t)
{
	hash_bytes_for_each(const struct owner_group, group, &g->groups)
		if (owner_selects_group(&g->select, group->pages << g->v->page_shift))
			row_add(t, group, g);
}

void owner_keys_show(struct table *t, const size_t *keys, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (keys[i] != KEY_STACK)
			table_show(t, owner_keys[keys[i]].column);
}

static void add_label(struct owner_view *v, struct owner_path *path, const char *label)
{
	if (path->n < PATH_LABELS)
		path->labels[path->n++] = intern(&v->texts, label);
}

static void add_key(struct owner_view *v, enum owner_key key, uint64_t word,
		    struct owner_path *path)
{
	struct cell cell = owner_value_cell(v, key, word);
	char text[256];

	if (cell_words(&cell))
		snprintf(text, sizeof(text), "%s", cell_words(&cell));
	else if (cell.kind == CELL_UINT || cell.kind == CELL_INT)
		snprintf(text, sizeof(text), "%s %ld", key_name(&owner_keys[key]), cell.i);
	else
		snprintf(text, sizeof(text), "%s unknown", key_name(&owner_keys[key]));
	add_label(v, path, text);
}

static void add_frames(struct owner_view *v, const struct stack *stack, bool callee,
		       struct owner_path *path)
{
	char text[640], cut[32];

	snprintf(cut, sizeof(cut), "[truncated at %u]", stack->cut);
	if (stack->cut && !callee)
		add_label(v, path, cut);
	for (unsigned int i = 0; i < stack->n; i++)
		add_label(v, path,
			  function_text(stack->frames[callee ? i : stack->n - 1 - i], text,
					sizeof(text)));
	if (stack->cut && callee)
		add_label(v, path, cut);
}

static void fill_path(struct owner_groups *g, const struct owner_group *group, bool callee,
		      struct owner_path *path)
{
	const struct stack *stack = owner_stack(g->v, group->handle);

	path->group = group;
	path->n = 0;
	for (size_t i = 0; i < g->nkeys; i++)
		if (g->keys[i] != KEY_STACK)
			add_key(g->v, g->keys[i], group->keys[i], path);
	if (stack && stack->n)
		add_frames(g->v, stack, callee, path);
	else
		add_label(g->v, path, "[no stack]");
}

static bool has_stack_key(const struct owner_groups *g)
{
	return ANY_OF(i, g->nkeys, g->keys[i] == KEY_STACK);
}

enum status owner_paths_open(void *owner_view, enum availability *why)
{
	struct owner_view *v = owner_view;
	struct owner_groups g;
	enum status st = owner_view_open(v, why);

	if (st != ST_OK)
		return st;
	owner_groups_init(v, &g);
	if (g.nkeys == GROUP_KEYS && !has_stack_key(&g))
		return dump_usage(v->dump, "-g takes at most %d keys beside the stack",
				  GROUP_KEYS - 1);
	return ST_OK;
}

enum status owner_paths(struct owner_groups *g, bool callee,
			void (*visit)(void *arg, const struct owner_path *path), void *arg)
{
	struct owner_path *path = dump_alloc(g->v->dump, sizeof(*path));
	enum status st;

	if (!has_stack_key(g))
		g->keys[g->nkeys++] = KEY_STACK;
	st = owner_groups_scan(g);
	if (st != ST_OK && st != ST_STOPPED)
		return st;
	hash_bytes_for_each(const struct owner_group, group, &g->groups) {
		if (!owner_selects_group(&g->select, group->pages << g->v->page_shift))
			continue;
		fill_path(g, group, callee, path);
		visit(arg, path);
	}
	return st;
}
