// SPDX-License-Identifier: GPL-2.0-or-later
/* Processes that map the huge pages of the pool that the summary has. */
#include "huge_users.h"

#include "util/strbuf.h"
#include "util/units.h"

#define TOLD 2 /* processes */
#define TEXT 256

struct huge_user {
	const char *comm;
	int32_t pid;
	uint64_t pages;
};

void huge_users_open(struct summary *s, struct huge_users *ret)
{
	*ret = (struct huge_users){ .s = s };
	if (!s->huge)
		return;
	hash_u64_init(&ret->mms, s->dump->arena, sizeof(struct huge_user));
	ret->wanted = mm_structs_open(s->dump, &ret->types) == ST_OK;
}

void huge_users_add(struct huge_users *u, const struct task *t)
{
	struct mm_struct mm;
	struct huge_user *user;
	bool is_new;

	if (!u->wanted || !t->mm || t->pid != t->tgid)
		return;
	user = hash_u64_get(&u->mms, t->mm, &is_new);
	if (!is_new)
		return;
	if (mm_struct_read(&u->types, t->mm, &mm) != ST_OK || !mm.has_hugetlb) {
		u->unread++;
		return;
	}
	*user = (struct huge_user){ arena_strdup(u->s->dump->arena, t->comm), t->pid, mm.hugetlb };
}

/* "90 of 100 are free; mapped by postgres (312) 18.0M, qemu (9) 2.0M" */
void huge_users_end(struct huge_users *u)
{
	struct summary *s = u->s;
	struct largest largest = { .room = TOLD };
	char text[TEXT], task[SUMMARY_TASK];
	struct strbuf b = STRBUF(text);
	unsigned int n = 0;

	if (!u->wanted)
		return;
	for (const struct hash_u64_entry *e = u->mms.first; e; e = e->next) {
		const struct huge_user *user = (const void *)e->value;

		n += user->pages != 0;
		if (user->pages)
			largest_add(&largest, user->pages, user);
	}
	strbuf_add(&b, "%s", s->huge->remark);
	for (unsigned int i = 0; i < largest.n; i++) {
		const struct huge_user *user = largest.of[i].item;

		strbuf_add(&b, "%s %s %s", i ? "," : "; mapped by",
			   summary_task((struct maybe_u64){ (uint64_t)user->pid, true }, user->comm,
					task),
			   SIZE_TEXT((int64_t)(user->pages << s->dump->page_shift)));
	}
	if (n > largest.n)
		strbuf_add(&b, " and %u more", n - largest.n);
	/* A file of hugetlbfs keeps its pages without a process. */
	else if (!n && !u->unread)
		strbuf_add(&b, "; no process maps the others");
	s->huge->remark = arena_strdup(s->dump->arena, text);
}
