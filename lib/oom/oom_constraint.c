// SPDX-License-Identifier: GPL-2.0-or-later
#include "oom/oom_line.h"

#include "util/array.h"

#define CONSTRAINT_CHARS "ABCDEFGHIJKLMNOPQRSTUVWXYZ_"
#define LINE "oom-kill:constraint="

/* ",oom_memcg=/box": mem_cgroup_print_oom_context() has it for a cgroup, and ",global_oom" else. */
bool oom_line_names_cgroup(const char *text)
{
	return log_after(text, LINE) && log_find(text, ",oom_memcg=") &&
	       !log_find(text, ",global_oom");
}

/*
 * dump_header() has counters of a cgroup in a report of that alone. Where the line ends before it tells of whom memory ran
 * out, they do: whatever constraint it has, as that of a program of BPF.
 */
static bool is_cut_of_cgroup(const char *text, const struct oom_report *r)
{
	return r->scope == OOM_SCOPE_MEMCG && (r->memory.usage_kib.known || r->has_stats) &&
	       !log_find(text, ",oom_memcg=") && !log_find(text, ",global_oom");
}

static size_t common(const char *a, size_t a_len, const char *b, size_t b_len)
{
	const size_t least = a_len < b_len ? a_len : b_len;
	size_t first = 0, last = 0;

	while (first < least && a[first] == b[first])
		first++;
	while (last < least - first && a[a_len - last - 1] == b[b_len - last - 1])
		last++;
	return first + last;
}

#define DAMAGED 2 /* characters at one place */

/* Whether it is a name of the kernel that lost characters at one place, or has a few others there. */
static bool is_damaged(const char *text, size_t len)
{
	static const char *const names[] = { "CONSTRAINT_NONE", "CONSTRAINT_CPUSET",
					     "CONSTRAINT_MEMORY_POLICY", "CONSTRAINT_MEMCG" };
	bool is_near = false;

	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		const size_t whole = strlen(names[i]), most = len > whole ? len : whole,
			     same = common(text, len, names[i], whole);

		if (same == len && len == whole)
			return false;
		is_near |= (len < whole && same == len) || same + DAMAGED >= most;
	}
	return is_near;
}

/*
 * Counters of a cgroup are printed for CONSTRAINT_MEMCG alone, see is_memcg_oom() in mm/oom_kill.c.
 * Up to 4.20 no line has the constraint.
 */
void oom_ran_out_in_cgroup(struct oom_report *r)
{
	r->scope = OOM_SCOPE_MEMCG;
	if (r->constraint[0])
		return;
	strcpy(r->constraint, "CONSTRAINT_MEMCG");
	r->constraint_derived = true;
}

/* Without its constraint the line tells of whom memory ran out. */
static void take_scope(const char *text, struct oom_report *r)
{
	if (oom_line_names_cgroup(text))
		oom_ran_out_in_cgroup(r);
	else if (r->scope == OOM_SCOPE_UNKNOWN && log_find(text, ",global_oom") &&
		 !log_find(text, ",oom_memcg="))
		r->scope = OOM_SCOPE_GLOBAL;
}

/*
 * Up to 5.1 the constraint of a cgroup was printed before it was set, as CONSTRAINT_NONE ("mm/oom_kill.c: fix
 * uninitialized oc->constraint", 5.2); a program of BPF gives a name of its own.
 */
bool oom_line_constraint(const char *text, struct oom_report *r)
{
	const char *p = log_after(text, LINE);
	size_t len;

	if (!p)
		return false;
	r->constraint_derived = false;
	len = strspn(p, CONSTRAINT_CHARS);
	if (p[len] != ',' || is_damaged(p, len)) {
		take_scope(text, r);
		return true;
	}
	if (len < sizeof(r->constraint))
		log_copy(r->constraint, sizeof(r->constraint), p, len);
	/* constrained_alloc(): memory of a cgroup ran out with this one only. */
	if (!strcmp(r->constraint, "CONSTRAINT_MEMCG") || !is_cut_of_cgroup(text, r))
		r->scope = strcmp(r->constraint, "CONSTRAINT_MEMCG") ? OOM_SCOPE_GLOBAL
								     : OOM_SCOPE_MEMCG;
	if (r->scope == OOM_SCOPE_GLOBAL && !oom_line_names_cgroup(text))
		return true;
	r->scope = OOM_SCOPE_MEMCG;
	if (!strcmp(r->constraint, "CONSTRAINT_NONE")) {
		strcpy(r->constraint, "CONSTRAINT_MEMCG");
		r->constraint_derived = true;
	}
	return true;
}

/* Whether a line that is cut may be of the cgroup that the counters before it are of. */
static bool may_name(const char *text, const char *path)
{
	const char *named = log_find(text, ",oom_memcg=");
	const size_t len = strlen(path), rest = named ? strlen(named) : 0;

	if (!named)
		return !log_find(text, ",global_oom");
	return !strncmp(named, path, rest < len ? rest : len) && (rest <= len || named[len] == ',');
}

void oom_line_ends(const char *text, struct oom_report *r)
{
	char path[sizeof(r->oom_memcg)];

	strcpy(path, r->oom_memcg);
	oom_line_victim(text, r);
	if (!*r->oom_memcg && r->has_stats && r->scope == OOM_SCOPE_MEMCG && may_name(text, path))
		strcpy(r->oom_memcg, path);
}

/*
 * Nothing ends the path in the line of the limit, which may be cut: the counters have it with an end. Up to 5.2 those of
 * each cgroup below follow: of such a path the line of the cgroup itself may be lost as well.
 */
static bool may_be_below(const char *path, bool has_counters, const char *limit)
{
	const size_t len = strlen(limit);

	return has_counters && len && !strncmp(path, limit, len) && path[len] == '/';
}

bool oom_line_memcg(const char *text, struct oom_report *r)
{
	const char *path = log_after(text, "Memory cgroup stats for "),
		   *counters = path ? strstr(path, ": cache:") : NULL;
	size_t len = path ? strlen(path) : 0;
	const bool is_first = !r->has_stats;

	if (!path)
		return false;
	r->has_stats = true;
	if (counters)
		len = (size_t)(counters - path) + 1;
	if (len > 1 && path[len - 1] == ':')
		len--;
	else
		len = 0;
	if (!is_first || (strlen(r->oom_memcg) == len && !strncmp(r->oom_memcg, path, len)))
		return true;
	if (may_be_below(path, counters, r->oom_memcg))
		len = 0;
	r->oom_memcg[0] = '\0';
	if (len && len < sizeof(r->oom_memcg))
		log_copy(r->oom_memcg, sizeof(r->oom_memcg), path, len);
	return true;
}
