// SPDX-License-Identifier: GPL-2.0-or-later
#include "case.h"

#include "log/log_file.h"
#include "screen.h"
#include "summary.h"
#include "symbols/namelist.h"

#define ROW struct summary_case
#define TAINTED_BY 1024
#define LIMITS_TEXT 2048
#define USER_TEXT 96
#define USERS_TEXT 640
#define MUCH_LESS 10 /* what has less than a tenth of the first is none that uses it up */

enum { VMLINUX_SAME, VMLINUX_UNPROVEN, VMLINUX_NONE };

const char *const vmlinux_words[] = {
	[VMLINUX_SAME] = "this_build",
	[VMLINUX_UNPROVEN] = "unproven",
	[VMLINUX_NONE] = "none",
	NULL,
};

static const char *const thp_words[] = { "always", "madvise", "never", NULL };
static const char *const ends[] = { "panic", "dump", "log", NULL };

static const struct view_column columns[] = {
	{ COLUMN_host, IN_JSON, TEXT_OF(ROW, machine.host) },
	{ COLUMN_kernel, IN_JSON, TEXT_OF(ROW, kernel) },
	{ COLUMN_build, IN_JSON, TEXT_OF(ROW, machine.build) },
	{ COLUMN_cpus, IN_JSON, UINT_MAYBE(ROW, cpus) },
	{ COLUMN_present_cpus, IN_JSON, UINT_MAYBE(ROW, present_cpus) },
	{ COLUMN_online_cpus, IN_JSON, UINT_MAYBE(ROW, online_cpus) },
	{ COLUMN_end, IN_JSON, .choices = ends, TEXT_OF(ROW, end) },
	{ COLUMN_end_utc_s, IN_JSON, UINT_MAYBE(ROW, machine.end_utc_s) },
	{ COLUMN_uptime_ns, IN_JSON, UINT_MAYBE(ROW, uptime_ns) },
	{ COLUMN_taint, IN_JSON, TEXT_OF(ROW, taint) },
	{ COLUMN_tainted_by, IN_JSON, TEXT_OF(ROW, tainted_by) },
	{ COLUMN_vmlinux, IN_JSON, .choices = vmlinux_words, TEXT_OF(ROW, vmlinux) },
	{ COLUMN_command_line, IN_JSON, TEXT_OF(ROW, machine.command_line) },
	{ COLUMN_overcommit, IN_JSON, UINT_MAYBE(ROW, commit.mode) },
	{ COLUMN_commit_limit_bytes, IN_JSON, PAGES_MAYBE(ROW, commit.limit) },
	{ COLUMN_committed_bytes, IN_JSON, PAGES_MAYBE(ROW, commit.committed) },
	{ COLUMN_limits_used, IN_JSON, TEXT_OF(ROW, limits) },
	{ COLUMN_thp_enabled, IN_JSON, .choices = thp_words, TEXT_OF(ROW, thp.enabled) },
	{ COLUMN_khugepaged, IN_JSON, TEXT_OF(ROW, thp.state) },
	{ COLUMN_collapsed_huge_pages, IN_JSON, UINT_MAYBE(ROW, thp.collapsed) },
	{ COLUMN_khugepaged_scans, IN_JSON, UINT_MAYBE(ROW, thp.scans) },
	BASIS(derived),
};

const struct view case_view = { "summary-case", "", COLUMNS_OF(columns) };
const struct view case_record_view = { "case-case", "", COLUMNS_OF(columns) };

/* Another build than the kernel's is not used by the program, and refused by the commands. */
static const char *vmlinux_of(struct dump *d)
{
	const char *path = d->ops->object ? dump_ask(d, object, NULL, 0) : NULL;
	bool is_proven = false;
	enum status st;

	if (!path)
		return vmlinux_words[VMLINUX_NONE];
	st = namelist_compare(d, dump_strdup(d, path), &is_proven);
	if (st == ST_UNKNOWN || st == ST_UNREADABLE)
		return NULL;
	return vmlinux_words[st == ST_OK && is_proven ? VMLINUX_SAME : VMLINUX_UNPROVEN];
}

static const char *modules_text(struct dump *d, const struct tainting_modules *m)
{
	struct strbuf b = STRBUF_OF(TAINTED_BY);

	for (const struct tainting_module *t = m->first; t; t = t->next)
		strbuf_add(&b, "%s%s %s", strbuf_between(&b, ", "), t->name, t->letters);
	/* Without all modules "none" is not known. */
	return m->problem && !m->first ? NULL : dump_strdup(d, b.buf);
}

/* add_taint_module() (kernel/module/main.c) sets both: without the bit of a loaded module the mask is damaged. */
static bool contradicts_modules(struct dump *d, const struct summary_case *c)
{
	for (const struct tainting_module *t = c->modules.first; t; t = t->next)
		if (t->mask & ~c->machine.taint.n) {
			dump_lacks(d, "taint", ST_CORRUPT, "tainted_mask is %#lx, and %s has %s",
				   c->machine.taint.n, t->name, t->letters);
			return true;
		}
	return false;
}

static void read_taint(struct dump *d, struct summary_case *c)
{
	const uint64_t mask = c->machine.taint.n;
	struct taint_letters letters;
	char text[TAINT_LETTERS + 1];
	enum status st;

	if (!c->machine.taint.known)
		return;
	st = taint_letters_read(d, &letters);
	if (st != ST_OK && mask)
		dump_lacks(d, "taint", st, "%s", d->error);
	if (st != ST_OK) {
		c->taint = c->tainted_by = mask ? NULL : "";
		d->error[0] = '\0';
		return;
	}
	st = tainting_modules_read(d, &letters, &c->modules);
	if (!contradicts_modules(d, c))
		c->taint = dump_strdup(d, taint_text(&letters, mask, text));
	c->has_modules = st == ST_OK;
	if (st == ST_OK)
		c->tainted_by = modules_text(d, &c->modules);
	/* What is none has no module that is unknown. */
	if (st == ST_ABSENT || (c->taint && !mask))
		c->tainted_by = "";
}

/* What the lines of a log say of it: the rest is unknown. */
static void read_log_case(struct dump *d, const struct log_file *f, const struct report *r,
			  struct summary_case *ret)
{
	*ret = (struct summary_case){
		.of_log = true,
		.boot = f->boots - f->later_boots,
		.later_boots = f->later_boots,
		.boot_word = log_file_part(f),
		.boot_why = f->asked_part ? "as asked" : log_file_why(f),
		.kernel = f->release,
		.machine = { .host = f->host, .build = f->build, .command_line = f->command_line },
		.cpus = { f->cpus, f->has_cpus },
		.taint = f->taint,
		.tainted_by = f->taint && !*f->taint ? "" : NULL,
	};
	ret->log_end = log_file_date_text(d, f->log.n ? f->log.records[f->log.n - 1].date_s : 0);
	ret->uptime_ns.known = time_of_panic(&r->info, &ret->uptime_ns.n);
	if ((r->info.has_panic_time || r->info.has_seconds) && !r->info.may_have_panic)
		ret->end = r->info.end_note ? "log" : "panic";
}

static const char *limits_text(struct dump *d, const struct used_limits *l)
{
	struct strbuf b = STRBUF_OF(LIMITS_TEXT);

	for (unsigned int i = 0; i < l->n; i++) {
		strbuf_add(&b, "%s", strbuf_between(&b, "; "));
		used_limit_text(&l->all[i], &b);
	}
	if (l->more)
		strbuf_add(&b, "; %u more", l->more);
	return l->partial && !l->n ? NULL : dump_strdup(d, b.buf);
}

/* Of those that are known the largest: one that is not may have more. */
static bool may_be_another(const struct used_limit *l, const struct limit_users *u)
{
	return u->problem && u->all[0].n < l->used / 2;
}

/* "chatgw (174) has at least 3,612 of them", "120 are processes crawler"; NULL: unknown. */
static const char *most_of(struct dump *d, const struct used_limit *l, const struct limit_users *u)
{
	const struct limit_user *of = &u->all[0];
	const char *at_least = u->problem ? "at least " : "";
	struct strbuf b = STRBUF_OF(USER_TEXT);

	if (!u->n || may_be_another(l, u))
		return NULL;
	if (of->processes > 1 && of->processes == of->n && l->counts != LIMIT_COUNTS_PORTS) {
		strbuf_add(&b, "%s%s are processes %s", at_least, COUNT_TEXT(of->n), of->comm);
	} else {
		limit_user_text(of, &b);
		strbuf_add(&b, " %s %s%s of them", of->processes > 1 ? "have" : "has", at_least,
			   COUNT_TEXT(of->n));
	}
	return dump_strdup(d, b.buf);
}

/* Who uses them up. What cannot be read is unknown, and why is told. */
static void read_limit_users(struct dump *d, struct summary_case *ret)
{
	for (unsigned int i = 0; i < ret->used.n; i++) {
		struct used_limit *l = &ret->used.all[i];
		struct limit_users *u = &ret->limit_users[i];
		enum status st = limit_users_find(d, l, u);

		if (st != ST_OK && st != ST_ABSENT && st != ST_STOPPED)
			u->problem = dump_why(d);
		if (u->problem)
			dump_lacks(d, dump_text(d, "whose %s %s counts", l->noun, l->setting),
				   st == ST_OK ? ST_UNREADABLE : st, "%s", u->problem);
		l->by = most_of(d, l, u);
	}
}

void case_end(struct dump *d, struct summary_case *ret)
{
	if (d->log_file)
		return;
	used_limits_add_ports(d, &ret->used);
	read_limit_users(d, ret);
	ret->limits = limits_text(d, &ret->used);
	d->error[0] = '\0';
}

void case_begin(struct dump *d, const struct report *r, struct summary_case *ret)
{
	struct percpu cpus;
	unsigned int present, online;

	if (d->log_file) {
		read_log_case(d, d->log_file, r, ret);
		return;
	}
	*ret = (struct summary_case){ .arch = d->arch, .page_shift = d->page_shift };
	machine_read(d, &r->info, &ret->machine);
	ret->kernel = r->info.kernel ?: kernel_release(d);
	if (percpu_open(d, &cpus) == ST_OK)
		ret->cpus = (struct maybe_u64){ cpus.n, true };
	if (cpus_in(d, CPUS_PRESENT, &present) == ST_OK)
		ret->present_cpus = (struct maybe_u64){ present, true };
	ret->uptime_ns.known = time_of_panic(&r->info, &ret->uptime_ns.n);
	ret->end_is_assumed = end_is_assumed(&r->info);
	ret->end = r->info.has_panic_time && !r->info.may_have_panic ? end_name(&r->info) : NULL;
	/* A panic stops the other CPUs, and takes them out of the mask (stop_this_cpu()). */
	if (ret->end && strcmp(ret->end, "panic") != 0 && cpus_in(d, CPUS_ONLINE, &online) == ST_OK)
		ret->online_cpus = (struct maybe_u64){ online, true };
	read_taint(d, ret);
	ret->vmlinux = vmlinux_of(d);
	ret->has_no_types = d->ops->unknown_types && d->ops->unknown_types(d->priv);
	commit_collect(d, &ret->commit);
	used_limits_collect(d, limit(LIMIT_USED), &ret->used);
	ret->has_thp = khugepaged_read(d, &ret->thp) == ST_OK;
	d->error[0] = '\0';
}

void case_read(struct dump *d, const struct report *r, struct summary_case *ret)
{
	case_begin(d, r, ret);
	case_end(d, ret);
}

/* As with maxcpus=, or where one was taken offline. */
static bool is_partly_online(const struct summary_case *c)
{
	const struct maybe_u64 *n = c->present_cpus.known ? &c->present_cpus : &c->cpus;

	return n->known && c->online_cpus.known && c->online_cpus.n != n->n;
}

void case_add_cpus(const struct summary_case *c, struct strbuf *b)
{
	const struct maybe_u64 *all = &c->cpus, *present = &c->present_cpus;

	if (!c->of_log && !present->known)
		strbuf_add(b, "%s", COUNT_OF(all->n, "possible CPU"));
	else
		strbuf_add(b, "%s", COUNT_OF(present->known ? present->n : all->n, "CPU"));
	if (present->known && all->known && present->n != all->n)
		strbuf_add(b, " of %lu possible", all->n);
	if (is_partly_online(c))
		strbuf_add(b, ", %lu online", c->online_cpus.n);
}

void case_machine_text(const struct summary_case *c, char buf[CASE_LINE])
{
	struct strbuf b = strbuf_in(buf, CASE_LINE);

	/* What no one has named is "(none)": init_uts_ns. */
	if (c->machine.host && !strcmp(c->machine.host, "(none)"))
		strbuf_add(&b, "host name not set");
	else
		strbuf_add(&b, "host %s", c->machine.host ?: "unknown");
	strbuf_add(&b, ", Linux %s", c->kernel ?: "of an unknown release");
	if (c->cpus.known || c->present_cpus.known) {
		strbuf_add(&b, ", ");
		case_add_cpus(c, &b);
	}
	/* Without one, types are those of the dump; one of another build is not used. */
	if (!c->of_log && (!c->vmlinux || c->vmlinux == vmlinux_words[VMLINUX_UNPROVEN]))
		strbuf_add(&b, "; vmlinux unproven");
	if (c->of_log)
		strbuf_add(&b, "; by its log alone");
	if (c->later_boots)
		strbuf_add(&b, ": %s %u of %u, %s", c->boot_word, c->boot, c->boot + c->later_boots,
			   c->boot_why);
}

/* unknown: what stands there if it is not known what the end was, "end ". */
static void add_end(const struct summary_case *c, const char *unknown, struct strbuf *b)
{
	char utc[UTC_TEXT];

	if (c->of_log) {
		const bool is_panic = c->end && strcmp(c->end, "log") != 0;

		if (!c->end && (c->log_end || c->uptime_ns.known))
			strbuf_add(b, "the log ends");
		else if (!c->end)
			strbuf_add(b, "%sat an unknown time", unknown);
		else
			strbuf_add(b, "%s", is_panic ? c->end : "the log ends");
		if (c->uptime_ns.known)
			strbuf_add(b, " %s after boot", TIME_TEXT(c->uptime_ns.n));
		if (c->log_end)
			strbuf_add(b, "%s %s", c->uptime_ns.known || is_panic ? "," : "",
				   c->log_end);
		return;
	}
	strbuf_add(b, "%s%s%s", c->end ?: unknown, c->end ? " " : "",
		   c->machine.end_utc_s.known ? utc_text(c->machine.end_utc_s.n, utc)
					      : "at an unknown time");
	if (c->uptime_ns.known)
		strbuf_add(
			b, "%s, %s after boot%s",
			c->end_is_assumed && c->machine.end_utc_s.known ? " or later" : "",
			TIME_TEXT(c->uptime_ns.n),
			c->end_is_assumed
				? " or more: the newest record of the log is of then, and ages are up to it"
				: "");
}

static void add_taint(const struct summary_case *c, struct strbuf *b)
{
	add_end(c, "end ", b);
	if (!c->taint)
		strbuf_add(b, "; taint unknown");
	else if (!*c->taint)
		strbuf_add(b, "; not tainted");
	else
		strbuf_add(b, "; taint %s", c->taint);
}

/* ", 36.6s after boot": ", up 36.6s" */
static void shorten_uptime(struct strbuf *b)
{
	static const char behind[] = " after boot", front[] = "up ";
	char *end = strstr(b->buf, behind), *at = end;

	while (at && at > b->buf && at[-1] != ' ')
		at--;
	if (!at || at == b->buf)
		return;
	memmove(at + strlen(front), at, (size_t)(end - at));
	memcpy(at, front, strlen(front));
	memmove(end + strlen(front), end + strlen(behind),
		b->len - (size_t)(end - b->buf) - strlen(behind) + 1);
	b->len -= strlen(behind) - strlen(front);
}

#define MORE_TEXT 16 /* " and 12 more)" */

void case_end_brief(const struct summary_case *c, size_t room, char buf[CASE_LINE])
{
	struct strbuf b = strbuf_in(buf, CASE_LINE);
	unsigned int left = 0, told = 0;

	add_taint(c, &b);
	shorten_uptime(&b);
	for (const struct tainting_module *t = c->modules.first; t; t = t->next)
		left++;
	for (const struct tainting_module *t = c->modules.first; t; t = t->next, left--) {
		const size_t len = b.len + 2 + strlen(t->name);

		/* The first one has its place, whatever it takes. */
		if (told && len + (left > 1 ? MORE_TEXT : 1) > room)
			break;
		strbuf_add(&b, "%s%s", told++ ? ", " : " (", t->name);
	}
	if (told && left)
		strbuf_add(&b, " and %u more", left);
	if (told)
		strbuf_add(&b, ")");
}

void case_end_text(const struct summary_case *c, char buf[CASE_LINE])
{
	struct strbuf b = strbuf_in(buf, CASE_LINE);

	add_taint(c, &b);
	if (c->tainted_by && *c->tainted_by)
		strbuf_add(&b, " (%.300s)", c->tainted_by);
}

static const char *or_unknown(const char *text)
{
	return text ?: "unknown";
}

static const char *vmlinux_text(const struct summary_case *c)
{
	static const struct {
		const char *word, *text;
	} texts[] = {
		{ "this_build", "of this kernel, by its build ID" },
		{ "unproven", "whether it is of this kernel is unknown: a build ID is missing" },
		{ "none", "none: types are those of the dump" },
	};

	if (c->vmlinux == vmlinux_words[VMLINUX_NONE] && c->has_no_types)
		return "none, and no types were found in the dump";
	for (size_t i = 0; c->vmlinux && i < ARRAY_SIZE(texts); i++)
		if (!strcmp(c->vmlinux, texts[i].word))
			return texts[i].text;
	return "unknown";
}

static const char *size_or_unknown(const struct summary_case *c, const struct maybe_u64 *pages,
				   char buf[UNITS_BYTES])
{
	return pages->known ? units_size(buf, pages->n << c->page_shift) : "unknown";
}

/* "705.3M of a limit of 278.0M, which vm.overcommit_memory=0 does not enforce" */
static void add_commit(const struct summary_case *of, struct strbuf *b)
{
	const struct commit *c = &of->commit;
	char committed[UNITS_BYTES], limit[UNITS_BYTES];

	strbuf_add(b, "%s", size_or_unknown(of, &c->committed, committed));
	if (!c->limit.known)
		strbuf_add(b, "; the limit is unknown");
	else
		strbuf_add(b, " of a limit of %s", size_or_unknown(of, &c->limit, limit));
	if (!c->mode.known)
		strbuf_add(b, "; whether it is enforced is unknown");
	else
		strbuf_add(b, ", which vm.overcommit_memory=%lu %s", c->mode.n,
			   c->mode.n == COMMIT_NEVER ? "enforces"
						     : "does not enforce; what was mapped with "
						       "MAP_NORESERVE is not in it");
}

/* "always; khugepaged is asleep, 3 huge pages collapsed, 12 full scans" */
static void put_thp(const struct screen *sc, const struct summary_case *c)
{
	const struct khugepaged *thp = &c->thp;
	struct strbuf b = STRBUF_OF(160);

	strbuf_add(&b, "%s", or_unknown(thp->enabled));
	if (!thp->state)
		strbuf_add(&b, "; what khugepaged does is unknown");
	else
		strbuf_add(&b, "; khugepaged %s",
			   !strcmp(thp->state, "none") ? "was not started"
			   : *thp->state == 'a'	       ? "is asleep"
						       : thp->state);
	if (thp->collapsed.known)
		strbuf_add(&b, ", %s collapsed", COUNT_OF(thp->collapsed.n, "huge page"));
	if (thp->scans.known)
		strbuf_add(&b, ", %s", COUNT_OF(thp->scans.n, "full scan"));
	screen_put(sc, "THP", b.buf);
}

static void put_cpus(const struct screen *sc, const struct summary_case *c)
{
	const struct maybe_u64 *n = c->present_cpus.known ? &c->present_cpus : &c->cpus;
	struct strbuf b = STRBUF_OF(96);

	if (n->known)
		strbuf_add(&b, "%lu", n->n);
	else
		strbuf_add(&b, "unknown");
	if (c->cpus.known && n->n != c->cpus.n)
		strbuf_add(&b, " of %lu possible", c->cpus.n);
	if (is_partly_online(c))
		strbuf_add(&b, ", %lu online", c->online_cpus.n);
	screen_put(sc, "CPUs", b.buf);
}

void case_put(const struct screen *sc, const struct summary_case *c)
{
	char text[CASE_LINE];
	struct strbuf b = STRBUF(text);

	screen_put(sc, "host", or_unknown(c->machine.host));
	screen_put(sc, "kernel", or_unknown(c->kernel));
	screen_put(sc, "build", or_unknown(c->machine.build));
	screen_put(sc, "machine", or_unknown(c->arch));
	put_cpus(sc, c);
	add_end(c, "", &b);
	screen_put(sc, "end", text);
	screen_put(sc, "vmlinux", vmlinux_text(c));
	screen_put(sc, "taint", c->taint && !*c->taint ? "none" : or_unknown(c->taint));
	if (!c->taint || *c->taint)
		screen_put(sc, "modules",
			   c->tainted_by && !*c->tainted_by ? "none that is loaded taints it"
							    : or_unknown(c->tainted_by));
	screen_put(sc, "booted", or_unknown(c->machine.command_line));
	b = strbuf_in(text, sizeof(text));
	add_commit(c, &b);
	screen_put(sc, "promised", text);
	screen_put(sc, "limits",
		   c->limits && !*c->limits
			   ? "none of mappings, address space, neighbours (but those that have no "
			     "limit), threads, PIDs (also of cgroups), files or local ports is "
			     "nearly used"
			   : or_unknown(c->limits));
	if (c->has_thp)
		put_thp(sc, c);
	sink_text(sc->out, "\n");
}

enum status summary_read_case(struct summary *s)
{
	struct summary_case *c = dump_alloc(s->dump, sizeof(*c));

	case_begin(s->dump, s->report, c);
	s->of_case = c;
	return ST_OK;
}

enum status summary_read_limits(struct summary *s)
{
	/* That of the summary alone. */
	case_end(s->dump, (struct summary_case *)s->of_case);
	return ST_OK;
}

/* "3,612 open files", "3,000 threads"; of processes with one thread each their number has been told. */
static void add_number(const struct used_limit *l, const struct limit_user *of,
		       const char *at_least, struct strbuf *b)
{
	if (l->counts == LIMIT_COUNTS_FILES)
		strbuf_add(b, ": %s%s", at_least, COUNT_OF(of->n, "open file"));
	else if (l->counts == LIMIT_COUNTS_INOTIFY)
		strbuf_add(b, ": %s%s", at_least, COUNT_OF(of->n, "inotify instance"));
	else if (l->counts == LIMIT_COUNTS_PORTS)
		strbuf_add(b, ": %s%s", at_least, COUNT_OF(of->n, "connection"));
	else if (of->n != of->processes || *at_least)
		strbuf_add(b, ": %s%s", at_least, COUNT_OF(of->n, "thread"));
	if (of->kinds)
		strbuf_add(b, " (%s)", of->kinds);
}

/* "chatgw (174): 3,612 open files (2,408 sockets, 1,204 eventfds); init (1): 3 open files (3 other files)" */
static const char *users_text(struct dump *d, const struct used_limit *l,
			      const struct limit_users *u)
{
	const bool is_doubtful = may_be_another(l, u);
	struct strbuf b = STRBUF_OF(USERS_TEXT);

	for (unsigned int i = 0; i < u->n; i++) {
		if (i && (is_doubtful || u->all[i].n < u->all[0].n / MUCH_LESS))
			break;
		strbuf_add(&b, "%s", strbuf_between(&b, "; "));
		limit_user_text(&u->all[i], &b);
		if (is_doubtful)
			strbuf_add(&b, " %s most", u->all[i].processes > 1 ? "have" : "has");
		add_number(l, &u->all[i], u->problem ? "at least " : "", &b);
	}
	return dump_strdup(d, b.buf);
}

void summary_limits(struct summary *s)
{
	const struct summary_case *c = s->of_case;

	for (unsigned int i = 0; c && i < c->used.n; i++) {
		const struct used_limit *l = &c->used.all[i];
		const struct limit_users *u = &c->limit_users[i];
		const bool is_user = !may_be_another(l, u);

		if (!u->n)
			continue;
		SUMMARY_ADD(s, .section = SECTION_LIMIT, .name = l->setting, .cgroup = l->cgroup,
			    .pid = { (uint64_t)u->all[0].tgid, is_user },
			    .comm = is_user ? u->all[0].comm : NULL, .of_known = !is_user,
			    .processes = { u->all[0].processes, is_user && u->all[0].processes },
			    .count = { u->all[0].n, is_user },
			    .remark = dump_text(s->dump,
						"%s; in all %s%s of a limit of %s are used",
						users_text(s->dump, l, u), l->noun ? "" : "bytes: ",
						COUNT_TEXT(l->used), COUNT_TEXT(l->limit)));
	}
}

void summary_limit(const struct statement *row, struct strbuf *b)
{
	strbuf_add(b, "%s", row->name);
	if (row->cgroup)
		strbuf_add(b, " of %.200s", row->cgroup);
	strbuf_add(b, "%s%s",
		   row->of_known ? ": who uses it is unknown; of those that are known "
				 : " is used by ",
		   row->remark);
}
