// SPDX-License-Identifier: GPL-2.0-or-later
/* Commands to type next, filled in for this dump. */
#include <ctype.h>

#include "cgroup/cgroup.h"
#include "case.h"
#include "claim_kinds.h"
#include "graph/graph.h"
#include "net/local_ports.h"
#include "summary.h"
#include "verdict_words.h"

#define ROWS 3
#define MAX_PATH 256 /* in a command to type */
#define FILTER_CALLER "pageowner -f caller="
#define OPEN_FILES "memowner processes -s open_files -n 5 -o pid,comm,open_files,open_kinds"

/* "leaky_rx_refill" of "leaky_rx_refill [leaky]"; false: not a name that a filter takes as it is. */
static bool plain_name(const char *text, char *buf, size_t size)
{
	size_t n = 0;

	for (; text && (isalnum((unsigned char)text[n]) || text[n] == '_' || text[n] == '.'); n++)
		;
	if (!n || n >= size || !strncmp(text, "0x", 2) || (text[n] && strncmp(text + n, " [", 2)))
		return false;
	memcpy(buf, text, n);
	buf[n] = '\0';
	return true;
}

/* The columns to add, of what this kernel records. */
static const char *columns_of(const struct summary *s)
{
	static const char *const texts[2][2] = { { "", " -o +ages" },
						 { " -o +comm", " -o +comm,+ages" } };

	return texts[s->has_comm][s->has_ages];
}

/* A pattern stands in quotes, for a shell; crash takes double ones alone, around a whole word. */
static const char *quoted(struct summary *s, const char *command)
{
	const char *word = strrchr(command, ' ');

	return word && strchr(word, '*') ? arena_text(s->dump->arena, "%.*s\"%s\"",
						      (int)(word + 1 - command), command, word + 1)
					 : command;
}

static const struct {
	const char *command, *words;
} briefs[] = {
#define BRIEF(command, words) { command, words },
#include "briefs.def"
#undef BRIEF
};

/* What it shows, in a few words; NULL: its name says it. */
static const char *brief_of(const struct summary *s, const char *command)
{
	for (size_t i = 0; i < ARRAY_SIZE(briefs); i++)
		if (!strncmp(command, briefs[i].command, strlen(briefs[i].command)))
			return briefs[i].words;
	return s->brief_of ? s->brief_of(s->dump, command) : NULL;
}

/* Of v1 the cgroup that memory is charged to: on the default hierarchy processes are in another one. */
static const char *cgroup_words(const struct summary *s, const char *text)
{
	static const struct {
		const char *v2, *v1;
	} texts[] = {
		{ "memowner processes -n 5 -f cgroup=", "memowner processes -n 5 -f memcg=" },
		{ "memowner processes -g cgroup -n 5 -f cgroup=",
		  "memowner processes -g memcg -n 5 -f memcg=" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(texts); i++)
		if (!strcmp(text, texts[i].v2) && cgroups_memory_is_v1(s->dump))
			return texts[i].v1;
	return text;
}

/* Whether one of a row has all that a command without options shows. */
static bool is_told(const char *told, const char *command)
{
	const size_t n = strlen(command);

	return !strncmp(told, command, n) &&
	       (!told[n] || (told[n] == ' ' && !strchr(command, '-')));
}

/* Each command once. */
static bool add(struct summary *s, const char *text, const char *value)
{
	const char *command =
		quoted(s, arena_text(s->dump->arena, "%s%s%s", cgroup_words(s, text), value ?: "",
				     !strcmp(text, FILTER_CALLER) ? columns_of(s) : ""));

	for (const struct statement *row = s->first[SECTION_NEXT]; row; row = row->next)
		if (is_told(row->command, command))
			return false;
	SUMMARY_ADD(s, .section = SECTION_NEXT, .command = command, .remark = brief_of(s, command));
	return true;
}

static bool is_plain(const char *path)
{
	return *path == '/' && path[1] && strlen(path) < MAX_PATH &&
	       strspn(path, PLAIN_PATH) == strlen(path);
}

/* The cgroup that reached its limit, as a filter takes it; NULL: none is known. */
static const char *cgroup_of(const struct summary *s)
{
	const char *path = s->verdict == VERDICT_HIGH || throttled_is_limit(s) ? s->limit_path
									       : s->full_path;

	if (!path && s->last_report && s->ran_out_in_cgroup)
		path = s->last_report->oom_memcg;

	return path && is_plain(path) ? path : NULL;
}

/* Whether a row of a section has that cgroup: then a filter of it keeps some. */
static bool has_cgroup(const struct summary *s, enum section section, const char *path)
{
	for (const struct statement *row = s->first[section]; path && row; row = row->next) {
		const char *of = section == SECTION_OWNER
					 ? (!strcmp(row->by, "cgroup") ? row->name : NULL)
					 : row->cgroup;

		if (of && !strcmp(of, path))
			return true;
	}
	return false;
}

/* The same with those below it, as a filter takes it; NULL: no row has one of them. */
static const char *limited_by(const struct summary *s, enum section section, const char *path)
{
	bool has_it = false, has_below = false;

	for (const struct statement *row = s->first[section]; path && row; row = row->next) {
		const char *of = section == SECTION_GROUP ? row->cgroup : row->charged;

		has_it |= of && !strcmp(of, path);
		has_below |= of && strcmp(of, path) && cgroup_is_below(of, path);
	}
	return has_below ? arena_text(s->dump->arena, "%s%s", path, has_it ? "*" : "/*")
	       : has_it	 ? path
			 : NULL;
}

/* Whether most pages in use are of a class. */
static bool is_of(const struct summary *s, enum page_class class)
{
	return s->has_classes && s->main_class == class;
}

/* Who uses up the fullest limit of other things than memory, of a cgroup those below it too; NULL: none is, or no command tells. */
static const char *limit_command(struct summary *s)
{
	const struct used_limits *used = s->of_case ? &s->of_case->used : NULL;
	const struct used_limit *l = used && used->n ? &used->all[0] : NULL;

	if (!l || s->verdict != VERDICT_NOT_SHORT)
		return NULL;
	switch (l->counts) {
	case LIMIT_COUNTS_FILES:
	case LIMIT_COUNTS_INOTIFY:
		return OPEN_FILES;
	case LIMIT_COUNTS_THREADS:
		if (!l->cgroup)
			return "faults -g comm -s threads -n 5";
		return is_plain(l->cgroup)
			       ? arena_text(s->dump->arena,
					    "memowner processes -g comm -n 5 -f cgroup=%s*",
					    l->cgroup)
			       : NULL;
	case LIMIT_COUNTS_PORTS:
		return arena_text(
			s->dump->arena,
			"memowner sockets -g used_by,socket_state -n 5 -f remote_address=%s",
			l->ports->remote);
	case LIMIT_COUNTS_OTHER:
		if (l->tgid && l->noun && !strcmp(l->noun, "descriptors"))
			return arena_text(s->dump->arena,
					  "memowner processes -f pid=%d "
					  "-o +descriptors,resource_limits,open_kinds",
					  l->tgid);
	}
	return NULL;
}

#define THREADS \
	"memowner stuck -a -g function,waits_for -n 5 -f " /* of one, or of many of a name */

/* What it has them for who has most of them: what its threads do, which files they are; NULL: no command tells. */
static const char *limit_detail(const struct summary *s)
{
	const struct used_limits *used = s->of_case ? &s->of_case->used : NULL;
	const struct limit_user *of = used && used->n && s->of_case->limit_users[0].n
					      ? &s->of_case->limit_users[0].all[0]
					      : NULL;
	struct arena *a = s->dump->arena;

	if (!of || s->verdict != VERDICT_NOT_SHORT)
		return NULL;
	if (used->all[0].counts == LIMIT_COUNTS_FILES && of->processes == 1)
		return arena_text(a, "memowner files -g dir,used_by -n 5 -f used_by=%d", of->tgid);
	if (used->all[0].counts == LIMIT_COUNTS_THREADS && of->processes == 1)
		return arena_text(a, THREADS "tgid=%d", of->tgid);
	return used->all[0].counts == LIMIT_COUNTS_THREADS && *of->comm &&
			       strspn(of->comm, PLAIN_COMM) == strlen(of->comm)
		       ? arena_text(a, THREADS "comm=%s", of->comm)
		       : NULL;
}

static bool is_of_many(const struct summary *s)
{
	const struct statement *most = s->first[SECTION_GROUP];

	return most && most->processes.known && most->processes.n >= MANY_PROCESSES &&
	       s->ram_pages && most->pages.known && summary_reaches(s, LIMIT_HOLDER, most->pages.n);
}

/* Whether the cgroup whose limit ended the machine has more processes than a list shows. */
static bool limit_has_many(const struct summary *s)
{
	for (const struct statement *row = s->first[SECTION_HOLDER]; row; row = row->next)
		if (s->limit_path && !strcmp(row->by, "cgroup") && row->name &&
		    !strcmp(row->name, s->limit_path))
			return row->processes.known && row->processes.n >= MANY_PROCESSES;
	return false;
}

/* What shows most of the cgroup at its limit, where it is memory of the kernel that a process holds; NULL: it is not. */
static const char *held_command(const struct summary *s)
{
	for (const struct statement *row = s->first[SECTION_HOLDER]; row; row = row->next)
		if ((!strcmp(row->by, "held") || !strcmp(row->by, "sockets")) && row->command &&
		    row->pages.known && row->pages.n > s->limit_pages / 2 &&
		    row->pages.n <= s->limit_pages)
			return row->command;
	return NULL;
}

static const char *command_of(const struct statement *of)
{
	/* Of a parameter of boot the figure is in no view. */
	if (of->section == SECTION_HOLDER && of->by && !strcmp(of->by, "boot"))
		return "memowner case";
	return (of->section == SECTION_HOLDER || of->section == SECTION_CACHE ||
		of->section == SECTION_CANDIDATE) &&
			       of->command && strcmp(of->command, "memowner caches") != 0
		       ? of->command
		       : NULL;
}

/* The view that has what the first of those with most has; a list of all caches has it among others. */
static const char *most_command(const struct summary *s)
{
	const struct statement *most = s->first[SECTION_MOST];
	const char *command = most && most->of ? command_of(most->of) : NULL;

	/* Of a process that has several kinds the one it has most of. */
	for (unsigned int i = 0; most && i < CLAIM_PARTS && most->more[i] && !command; i++)
		command = command_of(most->more[i]);
	return command;
}

/* The processes of the cgroup that has most, as a filter takes it; NULL: no cgroup has. */
static const char *most_members(const struct summary *s)
{
	const struct statement *of = s->first[SECTION_MOST] ? s->first[SECTION_MOST]->of : NULL;

	return of && of->section == SECTION_HOLDER && !strcmp(of->by, "cgroup") && of->name &&
			       is_plain(of->name)
		       ? limited_by(s, SECTION_GROUP, of->name)
		       : NULL;
}

static bool is_below_root(const char *cgroup)
{
	return cgroup && strcmp(cgroup, "/") != 0;
}

/* Whether the settings of a cgroup tell more of who has most: what it was granted, or that it has no limit. */
static bool is_of_cgroups(const struct summary *s)
{
	return s->has_cgroups && ANY_NEXT(most, s->first[SECTION_MOST],
					  most->of && (is_below_root(most->of->cgroup) ||
						       is_below_root(most->of->charged) ||
						       !strcmp(most->of->by ?: "", "cgroup")));
}

/* Whether memory.min or memory.low of its cgroup is why most of it stayed. */
static bool is_protected(const struct summary *s)
{
	return s->has_cgroups && ANY_NEXT(most, s->first[SECTION_MOST],
					  most->of && (most->of->protection ||
						       summary_protection(s, most->of->charged)));
}

/* The cgroup that has most, if page cache or shared memory may be most of that; NULL: it is another. */
static const char *cached_in(const struct summary *s)
{
	const struct statement *of = s->first[SECTION_MOST] ? s->first[SECTION_MOST]->of : NULL;

	return of && of->section == SECTION_HOLDER && !strcmp(of->by, "cgroup") && of->name &&
			       s->classes && (is_of(s, CLASS_FILE) || is_of(s, CLASS_SHMEM)) &&
			       is_below_root(of->name) && is_plain(of->name) &&
			       of->pages.n > s->classes[s->main_class] / 2
		       ? of->name
		       : NULL;
}

/* Whether a slab cache may be most of what the cgroup at its limit has: then its processes have little. */
static bool is_of_objects(const struct summary *s)
{
	return s->limit_pages && ANY_NEXT(row, s->first[SECTION_CACHE],
					  row->kept_by && row->pages.n > s->limit_pages / 2 &&
						  row->pages.n <= s->limit_pages);
}

/* Whether the first of those with most is of processes. */
static bool is_of_processes(const struct summary *s)
{
	const struct statement *of = s->first[SECTION_MOST] ? s->first[SECTION_MOST]->of : NULL;

	return of && of->section == SECTION_GROUP;
}

/* The same, or it may be: what a cgroup has, or anonymous memory whose processes are unknown. */
static bool may_be_of_processes(const struct summary *s)
{
	const struct statement *most = s->first[SECTION_MOST], *of = most ? most->of : NULL;

	if (!of)
		return !most || (is_of(s, CLASS_ANON) &&
				 !(s->classes && s->unmapped_anon > s->classes[CLASS_ANON] / 2));
	return is_of_processes(s) || of->pid.known || !strcmp(of->by ?: "", "cgroup");
}

/* The processes that have most: whose children they are, and of which program (a star of their name is a number); NULL: none have. */
static const char *family_command(const struct summary *s)
{
	const struct statement *of = s->first[SECTION_MOST] ? s->first[SECTION_MOST]->of : NULL;
	const char *comm = of && of->section == SECTION_GROUP ? of->comm : NULL;
	const size_t n = comm ? strspn(comm, PLAIN_COMM) : 0;

	if (!n || (comm[n] && strcmp(comm + n, "*") != 0))
		return NULL;
	/* Each has a parent of its own: their nearest ancestor is told. */
	return arena_text(s->dump->arena,
			  of->children_of && strstr(of->children_of, ", which descend from ")
				  ? "memowner processes -g executable,cgroup -f comm=%s"
			  : of->processes.known && of->processes.n >= MANY_PROCESSES
				  ? "memowner processes -g ppid,executable -f comm=%s"
				  : "memowner processes -o +ppid,executable -f comm=%s",
			  comm);
}

/* Whether the process that has most reads a core dump: how it was started says why. */
static bool is_of_core(const struct summary *s)
{
	const struct statement *most = s->first[SECTION_MOST];

	return s->core_pattern && most && most->of && most->of->core_of;
}

/* Whose memory of a kind a command shows: of what no root leads to, if that is more, by a likeness; NULL: unknown. */
static const char *module_of(const struct summary *s, enum node_kind kind)
{
	const bool is_lost = s->lost_pages > s->inferred_module_pages;

	if (!s->next_graph || (is_lost ? s->lost_kind : s->inferred_kind) != kind)
		return NULL;
	return is_lost ? summary_lost_keeper(s) : s->inferred_module;
}

void summary_next(struct summary *s)
{
	char caller[256], function[256], module[256], order[16];
	bool has_caller = s->has_owner && plain_name(s->next_caller, caller, sizeof(caller));
	bool has_function = s->has_sites &&
			    plain_name(s->next_function, function, sizeof(function));
	bool has_module = has_function && plain_name(s->next_module, module, sizeof(module));
	bool is_anon = is_of(s, CLASS_ANON) && s->has_tasks && !s->orphan_anon;
	/* Of memory of processes every caller is the page fault. */
	bool is_caller_first = has_caller && !is_anon;
	bool is_of_zones = s->has_report && s->has_zones && !s->ran_out_in_cgroup &&
			   s->verdict != VERDICT_NOT_SHORT;
	/* The OOM killer runs for small orders, too. */
	unsigned int failed = s->verdict == VERDICT_NO_BLOCK && s->ran_out && s->ran_out->order > 0
				      ? (unsigned int)s->ran_out->order
				      : s->failed_order;
	bool is_cgroup = summary_is_of_limit(s);
	/* A victim gave back what the report has. */
	bool is_freed = verdict_is_out(s->verdict) && s->free.known &&
			summary_reaches(s, LIMIT_PLENTY, s->free.n);
	/* It has the table, and a list of the processes of the dump lacks some. */
	const bool is_of_table = s->table.is_beside && is_of_processes(s);
	const char *objects_of = module_of(s, NODE_OBJECT), *pages_of = module_of(s, NODE_DIRECT);
	const char *cgroup = is_cgroup ? cgroup_of(s) : NULL;
	const char *files_of = limited_by(s, SECTION_FILE, cgroup)
				       ?: limited_by(s, SECTION_HOLDER, cgroup);
	const bool is_mixed = ANY_NEXT(row, s->first[SECTION_FILE],
				       row->is_mixed && cgroup &&
					       cgroup_is_below(row->charged, cgroup));
	const char *processes_of = limited_by(s, SECTION_GROUP, cgroup);
	const char *holder = s->ran_out_in_cgroup && s->has_cgroups ? "memowner cgroups"
								    : s->next_holder;
	bool is_percpu = s->classes && s->ram_pages &&
			 limit_of_class(CLASS_PERCPU,
					units_tenths(s->classes[CLASS_PERCPU], s->ram_pages));
	/* It explains most of what there is most of. */
	bool is_held = s->next_holder && !is_cgroup && s->has_classes && s->classes &&
		       s->main_class < PAGE_CLASSES &&
		       s->next_holder_pages > s->classes[s->main_class] / 2;
	const char *limited = limit_command(s), *detail = limit_detail(s);
	const struct statement *panic = s->first[SECTION_PANIC];
	const char *held_in = is_cgroup ? held_command(s) : NULL;
	const char *most = !is_cgroup ? most_command(s) : NULL;
	const char *members = !is_cgroup ? most_members(s) : NULL;
	const char *family = !is_cgroup ? family_command(s) : NULL;
	const char *does = !is_cgroup ? summary_does_command(s) : NULL;
	/* Who has the other ends of their connections. */
	const char *peer = family ? s->first[SECTION_MOST]->of->peer_of : NULL;
	/* What is charged to it has a command: that leads to who has it, and the list of cgroups does not. */
	const bool is_charged = held_in || files_of || processes_of;
	const bool is_kernel = is_cgroup && s->has_caches && is_of_objects(s);
	const char *cached = !is_cgroup ? cached_in(s) : NULL;
	const bool has_why = ANY_NEXT(row, s->first[SECTION_MOST], row->fate_why);
	const bool is_short = s->verdict != VERDICT_NOT_SHORT;
	/* Whose lists of pointers lead to pages that no process maps. */
	const bool is_pinned = s->unmapped_anon && is_short && !s->orphan_anon;
	const bool is_unmapped = is_pinned && s->classes &&
				 s->unmapped_anon > s->classes[CLASS_ANON] / 2;
	const bool has_pins = ANY_NEXT(row, s->first[SECTION_CANDIDATE],
				       row->memory == CLAIM_PINNED);
	const char *limit_of = s->limited_cgroup && is_plain(s->limited_cgroup) ? s->limited_cgroup
										: NULL;
	const bool has_most = is_short && s->verdict != VERDICT_COMMIT;
	/* What ended the kernel, who has the memory, who waits for it; then what is always there. */
	const struct {
		bool possible;
		const char *text, *value;
	} commands[] = {
		{ s->is_oops, "faults -x", NULL },
		{ s->next_object, s->next_object, NULL },
		{ panic && panic->command, panic ? panic->command : NULL, NULL },
		/* Who was on a CPU, and who waited for it. */
		{ s->starved.spinning, "memowner stuck -a -o +stack -f waits_for=running", NULL },
		{ s->is_stalled && s->has_tasks, "faults -f state=R", NULL },
		{ limited && !s->is_stalled && !s->is_hung && !s->is_stuck, limited, NULL },
		{ !is_short && (s->busy_cpu || s->waits_for_cpu) && s->has_tasks,
		  "faults -f state=R", NULL },
		/* Its own frames are the circle. */
		{ s->self_waiter, "memowner stuck -o +stack -f pid=", s->self_waiter },
		{ (s->is_stalled && s->is_stuck) || s->is_hung, "memowner stuck", NULL },
		{ s->is_hung && !is_short && limit_of, "memowner cgroups -f memcg=", limit_of },
		{ s->is_stalled || s->is_hung, "memowner story", NULL },
		{ s->is_stuck && (s->deadlocked || !is_short), "memowner stuck", NULL },
		{ !is_short && limit_of, "memowner cgroups -f memcg=", limit_of },
		{ s->waiting > 1 && !is_short, "faults -b", NULL },
		{ limited, limited, NULL },
		{ detail, detail, NULL },
		{ limited, "memowner story", NULL },
		{ is_freed || is_of_table, "memowner log", NULL },
		{ is_freed && s->has_classes, "memowner classes", NULL },
		{ has_why, "memowner stuck", NULL },
		{ is_cgroup && !is_charged && s->has_cgroups, "memowner cgroups", NULL },
		{ held_in, held_in, NULL },
		{ is_kernel, "memowner caches -n 5", NULL },
		{ is_kernel && s->has_cgroups, "memowner cgroups", NULL },
		{ is_cgroup && has_cgroup(s, SECTION_OWNER, cgroup),
		  "pageowner -g caller -f memcg=", cgroup },
		{ processes_of && is_of_processes(s),
		  "memowner processes -n 5 -f cgroup=", processes_of },
		{ is_cgroup && s->throttled.files && cgroup && s->first[SECTION_MOST] &&
			  !s->first[SECTION_MOST]->of,
		  "memowner files -g dir -n 5 -f memcg=", cgroup },
		{ files_of && is_mixed, "memowner files -f most_memcg=", files_of },
		{ files_of && !is_mixed, "memowner files -f memcg=", files_of },
		{ is_cgroup && !files_of && s->has_files, "memowner files", NULL },
		{ processes_of && strchr(processes_of, '*') && limit_has_many(s),
		  "memowner processes -g cgroup -n 5 -f cgroup=", processes_of },
		{ processes_of, "memowner processes -n 5 -f cgroup=", processes_of },
		{ is_cgroup && s->stuck_cause, "memowner stuck", NULL },
		{ is_charged && s->has_cgroups, "memowner cgroups", NULL },
		{ s->verdict == VERDICT_COMMIT, "memowner case -f setting=vm.overcommit*", NULL },
		{ s->verdict == VERDICT_COMMIT && s->has_tasks,
		  "memowner processes -s data_bytes -n 5 -o comm,pid,data_bytes,rss_bytes", NULL },
		{ is_short && family && is_of_core(s), "memowner case -f setting=kernel.core*",
		  NULL },
		{ most && s->verdict == VERDICT_ZONE, most, NULL },
		{ s->idle_pools && !is_cgroup && s->verdict != VERDICT_NOT_SHORT, "memowner pools",
		  NULL },
		{ (s->verdict == VERDICT_ZONE || s->verdict == VERDICT_KEPT) && s->has_zones,
		  "memowner zones", NULL },
		{ s->verdict == VERDICT_KEPT, "memowner case -f setting=vm.min_free_kbytes", NULL },
		{ s->verdict == VERDICT_ZONE && s->has_nodes, "memowner classes -g node", NULL },
		{ s->has_zones && failed, "memowner fragmentation ", order },
		/* What splits blocks is no memory of processes. */
		{ failed && s->next_graph, "memowner holders", NULL },
		{ failed && pages_of, "memowner pages -g holder -f holder=", pages_of },
		{ is_short && is_protected(s),
		  "memowner cgroups -o +min_limit,low_limit,protected_by", NULL },
		{ is_short && cached, "memowner files -f memcg=", cached },
		{ most && is_short, most, NULL },
		{ s->orphans_by,
		  "memowner objects -g cache,holder -f holder=", s->inferred_module },
		{ s->orphan_anon, "memowner processes -a -n 5", NULL },
		{ is_pinned && (has_pins || !s->knows_pins), "memowner holders", NULL },
		{ is_pinned && s->memcgs, "memowner cgroups -s unmapped_anon_bytes -n 5", NULL },
		{ is_anon && members, "memowner processes -n 5 -f cgroup=", members },
		{ is_anon && !processes_of && !members && family, family, NULL },
		{ peer, "memowner sockets -g peer_used_by,socket_state -n 5 -f used_by=", peer },
		{ is_anon && is_short && s->is_stuck && s->stuck_cause, "memowner stuck", NULL },
		{ is_anon && is_of_many(s), "memowner processes -g comm -n 5", NULL },
		{ is_anon && is_short && does, does, NULL },
		{ is_anon && is_short && !processes_of && !members && !family && !is_unmapped,
		  "memowner processes -n 5", NULL },
		{ is_anon && is_short && is_of_cgroups(s), "memowner cgroups", NULL },
		{ s->has_namespaces, "memowner caches -f cache=net_namespace", NULL },
		{ s->has_namespaces && s->has_namespace_users && s->has_tasks, OPEN_FILES, NULL },
		{ s->has_removed && is_percpu, "memowner cgroups -f memcg_state=dying", NULL },
		{ s->empty_cgroups && is_short, "memowner cgroups", NULL },
		/* Of a machine that was not short, and died, slab that is as ever says nothing. */
		{ is_of(s, CLASS_SLAB) && s->has_caches && !s->next_objects &&
			  (is_short || !s->first[SECTION_PANIC] ||
			   summary_reaches(s, LIMIT_HOLDER, s->classes[CLASS_SLAB])),
		  "memowner caches", NULL },
		{ is_caller_first, FILTER_CALLER, caller },
		/* Who has works is told: why they are not done is asked next. */
		{ s->has_backlog, "memowner stuck", NULL },
		/* Of areas of vmalloc the caller is known, not who keeps them. */
		{ is_held && !is_of(s, CLASS_VMALLOC), s->next_holder, NULL },
		{ s->next_graph || (is_held && is_of(s, CLASS_VMALLOC)), "memowner holders", NULL },
		{ objects_of, "memowner objects -g cache,type -f holder=", objects_of },
		{ pages_of, "memowner holders -n 0 -f module=", pages_of },
		{ is_held, s->next_holder, NULL },
		{ s->next_objects, "memowner objects -g holder,type -f cache=", s->next_objects },
		{ (s->has_files || s->next_mount) &&
			  (is_of(s, CLASS_SHMEM) || is_of(s, CLASS_FILE)),
		  "memowner files", NULL },
		{ s->is_stuck, "memowner stuck", NULL },
		{ s->has_files, "memowner files", NULL },
		{ s->next_mount, s->next_mount, NULL },
		{ holder && !limited, holder, NULL },
		{ is_of(s, CLASS_ZSMALLOC) && s->has_tasks && !(s->swap.known && !s->swap.pages),
		  "memowner processes -s swap_bytes -n 5", NULL },
		{ has_module, "allocprof -f module=", module },
		/* Where one zone or block ran out it has been proposed. */
		{ is_of_zones && s->has_nodes, "memowner zones", NULL },
		{ is_of_zones && s->has_nodes, "memowner classes -g node", NULL },
		{ is_short && is_of_cgroups(s), "memowner cgroups", NULL },
		{ s->is_pressed, "memowner pressure -f resource=memory", NULL },
		{ s->has_owner && s->next_tgid, "pageowner -g caller -f tgid=", s->next_tgid },
		{ has_caller && !is_caller_first, FILTER_CALLER, caller },
		{ has_function && !has_module, "allocprof -f function=", function },
		{ s->has_unaccepted, "memowner sockets -s rx_queue -o +rx_queue,peer_used_by",
		  NULL },
		{ s->has_full, "memowner filesystems", NULL },
		{ s->has_full_swap, "memowner processes -s swap_bytes -n 5", NULL },
		{ s->waits_for_cpu, "memowner pressure -f resource=cpu", NULL },
		{ s->no_swap, "memowner cgroups -o +swap_max_limit", NULL },
		{ s->has_dirty, "memowner files -f class=file -s dirty_pages -o +dirty_pages",
		  NULL },
		{ s->stuck_cause, "memowner stuck", NULL },
		{ (s->is_stuck || s->is_hung) && !is_short, "memowner stuck -o +stack", NULL },
		/* Of what is in no process no list of processes tells. */
		{ s->last_report || !is_short || !may_be_of_processes(s), "memowner story", NULL },
		{ has_most && s->has_classes && s->has_tasks && !processes_of && !family &&
			  may_be_of_processes(s),
		  "memowner processes -n 5", NULL },
		{ s->has_classes && is_short, "memowner classes", NULL },
		{ s->has_caches && is_short && !is_of(s, CLASS_SLAB), "memowner caches", NULL },
		{ s->waiting && is_short && !is_cgroup, "faults -b", NULL },
		{ !s->has_classes && s->has_tasks, "faults -s rss_bytes -n 5", NULL },
	};
	unsigned int rows = 0;

	if (s->dump->log_file) {
		add(s, s->last_report ? "memowner log -L " : "memowner story -L ", s->in->opts.log);
		return;
	}
	snprintf(order, sizeof(order), "%u", failed);
	for (size_t i = 0; i < ARRAY_SIZE(commands) && rows < ROWS; i++)
		if (commands[i].possible)
			rows += add(s, commands[i].text, commands[i].value);
}
