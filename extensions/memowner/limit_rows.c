// SPDX-License-Identifier: GPL-2.0-or-later
/* Who uses up a limit that refuses requests though memory is free, by name. */
#include "case.h"
#include "summary.h"
#include "util/strbuf.h"

#define TEXT 640
#define MUCH_LESS 10 /* what has less than a tenth of the first is none that uses it up */

/* "3,612 open files", "3,000 threads"; of processes with one thread each their number has been told. */
static void add_number(const struct used_limit *l, const struct limit_user *of,
		       const char *at_least, struct strbuf *b)
{
	if (l->counts == LIMIT_COUNTS_FILES)
		strbuf_add(b, ": %s%s", at_least, PLURAL_TEXT(of->n, "open file", "open files"));
	else if (of->n != of->processes || *at_least)
		strbuf_add(b, ": %s%s", at_least, PLURAL_TEXT(of->n, "thread", "threads"));
	if (of->kinds)
		strbuf_add(b, " (%s)", of->kinds);
}

/* "chatgw (174): 3,612 open files (2,408 sockets, 1,204 eventfds); init (1): 3 open files (3 other files)" */
static const char *users_text(struct dump *d, const struct used_limit *l,
			      const struct limit_users *u)
{
	struct strbuf b = STRBUF_OF(TEXT);

	for (unsigned int i = 0; i < u->n; i++) {
		if (i && u->all[i].n < u->all[0].n / MUCH_LESS)
			break;
		strbuf_add(&b, "%s", strbuf_between(&b, "; "));
		limit_user_text(&u->all[i], &b);
		add_number(l, &u->all[i], u->problem ? "at least " : "", &b);
	}
	return arena_strdup(d->arena, b.buf);
}

void summary_limits(struct summary *s)
{
	const struct summary_case *c = s->of_case;

	for (unsigned int i = 0; c && i < c->used.n; i++) {
		const struct used_limit *l = &c->used.all[i];
		const struct limit_users *u = &c->limit_users[i];

		if (!u->n)
			continue;
		SUMMARY_ADD(s, .section = SECTION_LIMIT, .name = l->setting, .cgroup = l->cgroup,
			    .pid = { (uint64_t)u->all[0].tgid, true }, .comm = u->all[0].comm,
			    .processes = { u->all[0].processes, u->all[0].processes != 0 },
			    .count = { u->all[0].n, true }, .remark = users_text(s->dump, l, u));
	}
}
