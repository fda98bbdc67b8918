// SPDX-License-Identifier: GPL-2.0-or-later
#include "mappers.h"

#include "util/units.h"

static enum status name_task(void *arg, const struct task *t)
{
	struct mappers *m = arg;
	struct mapper_name *name;
	bool is_new;

	if (!t->mm || t->is_kthread)
		return ST_OK;
	name = hash_u64_get(&m->names, t->mm, &is_new);
	/* The leader has the name of its process. */
	if (!is_new && (t->pid != t->tgid || name->tgid != t->tgid))
		return ST_OK;
	name->tgid = t->tgid;
	name->is_leader = t->pid == t->tgid;
	memcpy(name->comm, t->comm, sizeof(name->comm));
	return ST_OK;
}

enum status mappers_open(struct dump *d, struct memmap *memmap, struct page_types *types,
			 struct mappers *ret)
{
	struct tasks tasks;
	enum status st;

	memset(ret, 0, sizeof(*ret));
	ret->dump = d;
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

static enum status take(void *arg, const struct rmap_user *user)
{
	struct search *s = arg;
	struct page_mappers *p = s->p;
	struct mapper_name *name;
	bool is_new;

	name = hash_u64_get(&s->m->names, user->mm, &is_new);
	p->processes += name->asked != s->m->asked;
	name->asked = s->m->asked;
	if (p->mappings < MAPPERS_SHOWN)
		p->users[p->mappings] = *user;
	p->mappings++;
	return ST_OK;
}

enum status mappers_find(struct mappers *m, uint64_t pfn, struct page_mappers *ret)
{
	struct search s = { m, ret };

	*ret = (struct page_mappers){ 0 };
	m->asked++;
	ret->st = rmap_walk(&m->rmap, pfn, take, &s);
	if (ret->st == ST_STOPPED || ret->st == ST_ABSENT)
		return ret->st;
	m->unknown += ret->st != ST_OK;
	return ST_OK;
}

const char *mappers_name(struct mappers *m, uint64_t mm, char *buf, size_t size)
{
	const struct mapper_name *name = hash_u64_find(&m->names, mm);

	if (m->problem && (!name || !name->is_leader))
		return NULL;
	if (name && name->tgid)
		snprintf(buf, size, "%d(%s)", name->tgid, name->comm);
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

static void put_user(struct mappers *m, const struct rmap_user *user, const char *before,
		     struct sink *out)
{
	char buf[64];
	const char *name = mappers_name(m, user->mm, buf, sizeof(buf));

	sink_printf(out, "%s%s at 0x%lx", before, name ? name : "an unknown process",
		    user->address);
}

void mappers_put(struct mappers *m, const struct page_mappers *p, struct sink *out)
{
	sink_text(out, "  mapped by ");
	for (size_t i = 0; i < p->mappings && i < MAPPERS_SHOWN; i++)
		put_user(m, &p->users[i], i ? ", " : "", out);
	if (p->mappings > MAPPERS_SHOWN)
		sink_printf(out, ", and %zu more; %s", p->mappings - MAPPERS_SHOWN,
			    PLURAL_TEXT(p->processes, "process", "processes"));
	if (p->st != ST_OK)
		sink_printf(out, "%sunknown: %s", p->mappings ? "; the rest is " : "",
			    m->dump->error);
	else if (!p->mappings)
		sink_text(out, "no process");
}
