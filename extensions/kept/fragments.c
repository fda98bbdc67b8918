// SPDX-License-Identifier: GPL-2.0-or-later
/* Fragments of IP packets that wait for the others: packets of no socket and no process. */
#include "collect/net_namespaces.h"
#include "memowner/summary.h"
#include "net/fragments.h"

/* "the initial network namespace", "the network namespace of web (5) and 2 more" */
static const char *net_text(struct summary *s, const struct net_namespace *n)
{
	const struct file_user *first = n->users.n ? n->users.all[0] : NULL;

	if (n->is_initial)
		return "the initial network namespace";
	if (!first)
		return "a network namespace in which no process is known";
	return dump_text(
		s->dump, "the network namespace of %s%s",
		SUMMARY_TASK(((struct maybe_u64){ (uint64_t)first->tgid, true }), first->comm),
		n->users.n > 1 ? dump_text(s->dump, " and %s more", COUNT_TEXT(n->users.n - 1))
			       : "");
}

static void put_fragments(struct summary *s, const struct net_namespace *n, bool is_ipv6,
			  const struct fragments *f)
{
	struct arena *a = s->dump->arena;
	const char *family = is_ipv6 ? "ipv6.ip6frag" : "ipv4.ipfrag";
	struct strbuf b = STRBUF_OF(256);
	struct statement *row;

	strbuf_add(&b, "parts of %s, of at most %s (net.%s_high_thresh)",
		   COUNT_OF(f->queues, "packet"), SIZE_TEXT((int64_t)f->most), family);
	row = summary_holder(s, "fragments",
			     arena_text(a, "%s fragments that wait for the others, in %s",
					is_ipv6 ? "IPv6" : "IP", net_text(s, n)),
			     f->bytes >> s->dump->page_shift, NULL, arena_strdup(a, b.buf));
	if (row)
		row->release = arena_text(
			a, "a lower net.%s_high_thresh%s", family,
			f->timeout_ns ? arena_text(a, ", or their timeout of %s (net.%s_time)",
						   TIME_TEXT(f->timeout_ns), family)
				      : "");
}

enum status summary_fragments(struct summary *s)
{
	const uint64_t pages = s->classes[CLASS_SLAB] + s->classes[CLASS_DIRECT] +
			       s->classes[CLASS_PAGE_POOL];
	struct first_problem problem = { 0 };
	struct net_namespaces nets;
	struct fragments_of of;
	enum status st;

	if (!summary_may_hold(s, pages))
		return ST_OK;
	st = fragments_open(s->dump, &of) ?: net_namespaces_read(s->dump, &nets);
	if (st != ST_OK)
		return st;
	hash_u64_for_each(const struct net_namespace, n, &nets.all) {
		for (unsigned int v6 = 0; v6 < 2; v6++) {
			struct fragments f;

			st = fragments_read(&of, n->address, v6, &f);
			if (st == ST_OK)
				put_fragments(s, n, v6, &f);
			else if (st != ST_ABSENT)
				first_problem_keep(s->dump, &problem, st);
		}
	}
	return first_problem_end(s->dump, &problem);
}
