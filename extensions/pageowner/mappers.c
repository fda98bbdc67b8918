// SPDX-License-Identifier: GPL-2.0-or-later
#include "mappers.h"

#include "util/units.h"

#define SHOWN 8 /* mappings on a terminal: in a file all are */
#define FIRST_ROOM 16

static enum status name_task(void *arg, const struct task *t)
{
	struct mappers *m = arg;
	struct mapper_name *name;
	bool is_new;

	if (!t->mm || t->is_kthread)
		return ST_OK;
	name = hash_u64_get(&m->names, t->mm, &is_new);
	/* The leader has the name of its process. */
	if (!is_new && (t->pid != t->tgid || name->process.tgid != t->tgid))
		return ST_OK;
	name->process.tgid = t->tgid;
	name->is_leader = t->pid == t->tgid;
	memcpy(name->process.comm, t->comm, sizeof(name->process.comm));
	return ST_OK;
}

enum status mappers_open(struct dump *d, struct memmap *memmap, struct page_types *types,
			 struct mappers *ret)
{
	struct tasks tasks;
	enum status st;

	*ret = (struct mappers){ .dump = d };
	text_lists_init(&ret->lists, d->arena);
	hash_u64_init(&ret->names, d->arena, sizeof(struct mapper_name));
	st = rmap_open(d, memmap, types, &ret->rmap) ?: tasks_open(d, &tasks);
	if (st != ST_OK)
		return st;
	st = tasks_walk(&tasks, name_task, ret);
	if (st == ST_STOPPED)
		return st;
	if (st != ST_OK)
		ret->problem = dump_why(d);
	return ST_OK;
}

struct search {
	struct mappers *m;
	struct page_mappers *p;
};

static void make_room(struct mappers *m, size_t n)
{
	struct rmap_user *users;

	if (n < m->room)
		return;
	m->room = m->room ? 4 * m->room : FIRST_ROOM;
	users = dump_alloc(m->dump, m->room * sizeof(*users));
	if (n)
		memcpy(users, m->users, n * sizeof(*users));
	m->users = users;
}

static void take_process(struct mappers *m, struct page_mappers *p, const struct mapper_name *name)
{
	p->processes++;
	if (m->problem && !name->is_leader)
		p->unnamed++;
	else if (name->process.tgid)
		file_users_add(m->dump->arena, &m->named, &name->process);
	else
		p->taskless++;
}

static enum status take(void *arg, const struct rmap_user *user)
{
	struct search *s = arg;
	struct page_mappers *p = s->p;
	struct mapper_name *name = hash_u64_get(&s->m->names, user->mm, NULL);

	if (name->asked != s->m->asked)
		take_process(s->m, p, name);
	name->asked = s->m->asked;
	if (p->mappings < MAPPERS_KEPT) {
		make_room(s->m, p->mappings);
		s->m->users[p->mappings] = *user;
	}
	p->mappings++;
	return ST_OK;
}

enum status mappers_find(struct mappers *m, uint64_t pfn, struct page_mappers *ret)
{
	struct search s = { m, ret };

	*ret = (struct page_mappers){ 0 };
	m->asked++;
	m->named.n = m->named.kept = 0;
	ret->st = rmap_walk(&m->rmap, pfn, take, &s);
	if (ret->st == ST_STOPPED || ret->st == ST_ABSENT)
		return ret->st;
	m->unknown += ret->st != ST_OK;
	ret->users = m->users;
	return ST_OK;
}

/* "55(postgres)"; of an mm_struct without a task its address; NULL: the task may be missing. */
static const char *mappers_name(struct mappers *m, uint64_t mm, char *buf, size_t size)
{
	const struct mapper_name *name = hash_u64_find(&m->names, mm);

	if (m->problem && (!name || !name->is_leader))
		return NULL;
	if (name && name->process.tgid)
		snprintf(buf, size, "%d(%s)", name->process.tgid, name->process.comm);
	else
		snprintf(buf, size, "mm_struct 0x%lx", mm);
	return buf;
}

const char *mappers_text(struct mappers *m, const struct page_mappers *p, char *buf, size_t size)
{
	if (p->st != ST_OK)
		return NULL;
	if (!p->mappings)
		return "[not mapped]";
	if (p->processes == 1)
		return mappers_name(m, p->users[0].mm, buf, size);
	snprintf(buf, size, "%zu processes", p->processes);
	return buf;
}

static void add_taskless(struct mappers *m, uint64_t mm)
{
	struct mapper_name *name = hash_u64_get(&m->names, mm, NULL);

	if (!name->process.tgid && name->listed != m->asked)
		text_lists_add(&m->lists, "mm_struct 0x%lx", mm);
	name->listed = m->asked;
}

const struct text_list *mappers_list_of(struct mappers *m, const char *word)
{
	text_lists_add(&m->lists, "%s", word);
	return text_lists_end(&m->lists, 0, true);
}

const struct text_list *mappers_list(struct mappers *m, const struct page_mappers *p)
{
	const struct file_users *u = &m->named;
	bool is_complete = p->st == ST_OK && !p->unnamed;
	char buf[64];

	if (!u->kept && !is_complete)
		return NULL;
	if (p->processes != 1 && p->st == ST_OK)
		text_lists_add(&m->lists, "%s", mappers_text(m, p, buf, sizeof(buf)));
	for (unsigned int i = 0; i < u->kept; i++)
		text_lists_add(&m->lists, "%d(%s)", u->all[i]->tgid, u->all[i]->comm);
	for (size_t i = 0; p->taskless && i < p->mappings && i < MAPPERS_KEPT; i++)
		add_taskless(m, p->users[i].mm);
	return text_lists_end(&m->lists, u->n - u->kept, is_complete);
}

static void put_user(struct mappers *m, const struct rmap_user *user, const char *before,
		     struct sink *out)
{
	char buf[64];
	const char *name = mappers_name(m, user->mm, buf, sizeof(buf));

	sink_printf(out, "%s%s at 0x%lx", before, name ?: "an unknown process", user->address);
}

void mappers_put(struct mappers *m, const struct page_mappers *p, struct sink *out)
{
	size_t most = out->columns ? SHOWN : MAPPERS_KEPT;

	sink_text(out, "  mapped by ");
	for (size_t i = 0; i < p->mappings && i < most; i++)
		put_user(m, &p->users[i], i ? ", " : "", out);
	if (p->mappings > most)
		sink_printf(out, ", and %zu more", p->mappings - most);
	if (p->mappings > SHOWN)
		sink_printf(out, "; %s", PLURAL_TEXT(p->processes, "process", "processes"));
	if (p->st != ST_OK)
		sink_printf(out, "%sunknown: %s", p->mappings ? "; the rest is " : "",
			    m->dump->error);
	else if (!p->mappings)
		sink_text(out, "no process");
}
