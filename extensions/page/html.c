// SPDX-License-Identifier: GPL-2.0-or-later
#include "html.h"

#include <ctype.h>

#include "asked.h"
#include "choice.h"
#include "cgroup/cgroup.h"
#include "cli/textfile.h"
#include "embed.h"
#include "fold.h"
#include "largest.h"
#include "util/units.h"

#define TEXT_BYTES 12000 /* of the lines of an answer that are no table */
#define LOG_BYTES 40000	 /* the same of the log: a report has a line for each process */
#define OPEN_STACKS 3	 /* of threads that wait */
#define BELOW_BYTES 3000 /* of sums below the rows, where these took all room */

const struct view html_view = { "html", "-H FILE", .columns = NULL };

/* page.html: what is before the sections and the data, and what is behind them. */
extern const char html_page_start[], html_page_end[];
__asm__(".pushsection .rodata\n"
	".global html_page_start\n.hidden html_page_start\n"
	"html_page_start:\n.incbin \"extensions/page/page.html\"\n.byte 0\n"
	".global html_page_end\n.hidden html_page_end\nhtml_page_end:\n"
	".popsection\n");

#define NAV_MARK "<!-- nav -->\n"
#define SECTIONS_MARK "<!-- sections -->\n"
#define DATA_MARK "<!-- data -->\n"

#include "sections.def"

/* Of PAGE_NAMED_NAME, where another section has groups of these threads. */
#define NAMED_FEW "memowner stuck -a -f tgid=%l -n 6" WAITS

/* What the charts are made of: JSON Lines, and folded stacks. */
static const struct {
	const char *name, *line; /* name: by which the script finds it */
	size_t bytes;
} parts[] = {
	{ "memory", "memowner classes -j -n 1", 10000 },
	{ "groups",
	  "pageowner -g class,module,caller,comm,tgid,owner -j -n 700 "
	  "-o bytes,class,module,caller,comm,tgid,owner,ages",
	  130000 },
	{ "folded", "pageowner -t folded", 130000 },
};

#define SECTIONS (ARRAY_SIZE(sections) + PAGE_ASKED)
_Static_assert(SECTIONS <= PAGE_SECTIONS, "each section says what is told in it");
#define STORY 1		  /* index: behind it stands what the summary proposes */
#define KEPT_BYTES 400000 /* of a section: its rows, its lines, and what is not counted of both */

struct kept {
	struct sink sink;
	size_t n;
	char html[KEPT_BYTES];
};

struct html {
	struct dump *dump;
	html_runner run;
	void *arg;
	bool *stopped;
	struct embed *embed;
	struct kept *kept;
	struct redact *redact;	     /* NULL: names are as they are */
	bool has_process;	     /* it has been searched */
	struct page_process process; /* that has more of the page */
	size_t n, first_own,
		own; /* sections; of them those of commands that the summary proposes */
	struct page_section sections[SECTIONS];
	bool is_linked[SECTIONS]; /* from the list of all: a title stands above it */
	struct page_asked asked;
	struct page_named named;
	struct page_said said;
	struct page_told *told;
	struct page_choice choice;
	struct quiets quiets;	 /* sections without a table */
	bool is_open, is_folded; /* a section is not closed yet; the one that is told */
	struct fold fold;	 /* what is in it */
	const char *group;	 /* its own; NULL: none */
};

static struct embed *embed_new(struct html *h, struct sink *page)
{
	embed_begin(h->embed, page, h->redact);
	return h->embed;
}

/* Why there is no answer; NULL: there is one. */
static const char *ask(struct html *h, struct embed *e, const char *line)
{
	const char *problem = NULL;
	enum status st = h->run(h->arg, line, e->own, &problem);

	sink_flush(e->own);
	if (st == ST_STOPPED)
		*h->stopped = true;
	return st == ST_OK || st == ST_STOPPED ? NULL : problem;
}

static void put_part(struct html *h, struct sink *page, size_t i)
{
	struct embed *e = embed_new(h, page);
	const char *problem;

	e->is_json = true;
	e->left = parts[i].bytes;
	sink_printf(page,
		    "<script type=\"application/x-ndjson\" data-part=\"%s\" data-line=\"%s\">\n",
		    parts[i].name, parts[i].line);
	problem = ask(h, e, parts[i].line);
	if (problem) {
		sink_text(page, "{\"record\":\"problem\",\"text\":");
		embed_string(page, problem);
		sink_text(page, "}\n");
	}
	sink_printf(page, "{\"record\":\"embedded\",\"rows_left_out\":%lu}\n</script>\n",
		    e->dropped);
}

static bool keep(void *arg, const char *s, size_t n)
{
	struct kept *k = arg;

	if (n > KEPT_BYTES - k->n)
		return false;
	memcpy(k->html + k->n, s, n);
	k->n += n;
	return true;
}

/* What is no process: the one that has most is not shown in its place. */
static bool names_other(const struct dump *d)
{
	return d->told_tgid == DUMP_TOLD_OTHER || (!d->told_tgid && d->told_mount);
}

/* What has most where memory is not what the summary is about is less than whom it names. */
static int32_t largest_of(const struct html *h)
{
	const struct task_names *a = &h->named.names;
	const int32_t told = h->dump->told_tgid;

	return a->n && !ANY_OF(i, a->n, a->all[i].tgid == told) ? a->all[0].tgid : told;
}

/* Whom a section is of; NULL: this dump has none such, and it is left out. */
static const char *subject_of(struct html *h, const char *at)
{
	struct dump *d = h->dump;

	if (at[1] == 's')
		return d->told_mount;
	if (at[1] == 'c')
		return cgroups_memory_is_v1(d) ? "memcg" : "cgroup";
	if (at[1] == 'l')
		return page_named_tgids(&h->named);
	if (!h->has_process && !names_other(d))
		page_find_process(d, largest_of(h), &h->process);
	h->has_process = true;
	return h->process.tgid ? arena_text(d->arena, "%d", h->process.tgid) : NULL;
}

/* Whether it is of one among many, and has nothing to say where that has none. */
static bool is_of_one(const struct html *h, size_t i)
{
	const char *line = h->sections[i].line, *at = strchr(line, '%');

	return at && at[1] != 'c' && !page_exclusion(line);
}

static const char *title_of(struct html *h, size_t i)
{
	const struct page_process *p = &h->process;
	const char *title = h->sections[i].title, *at = strstr(title, "%s");
	const bool is_of_all = strstr(h->sections[i].line, "%l") != NULL;

	if (page_exclusion(h->sections[i].line) && h->named.names.n &&
	    strncmp(title, "Other ", 6) != 0)
		return arena_text(h->dump->arena, "Other %c%s", tolower((unsigned char)*title),
				  title + 1);
	if (!at && strncmp(h->sections[i].name, PAGE_ASKED_NAME, strlen(PAGE_ASKED_NAME)) != 0)
		return title;
	title = !at ? title
		: is_of_all
			? arena_text(h->dump->arena, "%.*s%s%s", (int)(at - title), title,
				     page_named_words(&h->named), at + 2)
			: arena_text(h->dump->arena, *p->comm ? "%.*s%s (%d)" : "%.*sprocess %s%d",
				     (int)(at - title), title, p->comm, p->tgid);
	return h->redact ? redact_text(h->redact, title, strlen(title)) : title;
}

/* NULL: it is of something that is not there. */
static const char *line_of(struct html *h, size_t i)
{
	const char *line = h->sections[i].line, *at = strchr(line, '%'), *subject;

	if (!at)
		return line;
	subject = subject_of(h, at);
	if (!subject && (at = page_exclusion(line)) != NULL)
		return arena_text(h->dump->arena, "%.*s%s", (int)(at - line), line,
				  strchr(at, '%') + 2);
	return subject ? arena_text(h->dump->arena, "%.*s%s%s", (int)(at - line), line, subject,
				    at + 2)
		       : NULL;
}

static void said(void *arg, const char *label, const char *text)
{
	struct html *h = arg;

	page_named_take(&h->named, label, text);
	page_choice_take(&h->choice, label, text);
	/* The page has all rows. */
	if (strcmp(label, "not shown") != 0)
		embed_said(h->embed, label, text);
}

static void proposed(void *arg, const char *command, const char *words)
{
	struct html *h = arg;

	page_asked_add(&h->asked, command, words);
}

/* The answer of a section in h->kept; whether it has a table. */
static bool ask_section(struct html *h, size_t i)
{
	struct sink *to = &h->kept->sink;
	struct embed *e = embed_new(h, to);
	const char *problem;

	h->kept->n = 0;
	sink_init(to, keep, h->kept);
	e->left = strcmp(h->sections[i].name, "log") ? TEXT_BYTES : LOG_BYTES;
	e->state.room = h->sections[i].bytes;
	e->state.below_room = BELOW_BYTES;
	e->state.is_part = h->sections[i].is_part;
	e->said = i ? &h->said : NULL;
	e->told = h->told;
	h->told->is_taken = i == STORY;
	e->section = i;
	if (!i) {
		e->state.said = said;
		e->state.proposed = proposed;
		e->state.screen = h;
	}
	if (h->sections[i].is_open && page_asked_is_stuck(h->sections[i].line))
		e->state.open_stacks = OPEN_STACKS;
	fold_begin(&h->fold);
	e->state.names = &h->fold.names;
	e->own->page = &e->state;
	problem = ask(h, e, line_of(h, i));
	if (e->used)
		embed_end_line(e);
	embed_end_said(e);
	if (problem)
		embed_paragraph(e, "soft", h->redact ? "no data" : problem,
				h->redact ? 7 : strlen(problem));
	if (e->state.left_out > e->state.told)
		sink_printf(
			to, "<p class=soft>%s had no room in this page</p>\n",
			PLURAL_TEXT(e->state.left_out - e->state.told, "more row", "more rows"));
	if (e->is_long)
		sink_text(to, "<p class=soft>more lines had no room in this page</p>\n");
	sink_flush(to);
	return e->has_table;
}

static void put_title(struct html *h, struct sink *page, size_t i)
{
	const char *title = title_of(h, i);

	html_text(page, title, strlen(title));
}

/* What stands above its section: of several behind each other the title of all. */
static void put_link_title(struct html *h, struct sink *page, size_t i)
{
	if (page_group(&h->sections[i]))
		sink_text(page, page_group(&h->sections[i]));
	else
		put_title(h, page, i);
}

static void put_head(struct html *h, struct sink *page, const char *tag, size_t i)
{
	const char *line = line_of(h, i);

	sink_printf(page, "<%s id=\"%s\">", tag, h->sections[i].name);
	put_title(h, page, i);
	sink_printf(page, "</%s>", tag);
	if (h->is_folded)
		fold_put_line(&h->fold, page, h->embed->state.rows);
	sink_text(page, h->is_folded ? "</summary>\n" : "\n");
	sink_text(page, "<p class=\"soft mono\">");
	if (h->redact)
		line = redact_text(h->redact, line, strlen(line));
	html_text(page, line, strlen(line));
	sink_text(page, "</p>\n");
}

/* Whether a text is as long as one that has something to say. */
static bool says_much(const struct html *h, size_t i)
{
	unsigned int lines = 0;

	for (size_t at = 0; at < h->kept->n; at++)
		lines += h->kept->html[at] == '\n';
	return h->sections[i].lines && lines >= h->sections[i].lines;
}

static void put_link(struct html *h, struct sink *page, size_t i, bool is_first)
{
	sink_printf(page, "%s<a href=\"#%s\">",
		    is_first ? "<p class=said><span class=label>read on</span> <span>" : ", ",
		    h->sections[i].name);
	put_link_title(h, page, i);
	sink_text(page, "</a>");
}

static size_t section_named(const struct html *h, const char *name)
{
	size_t i = 0;

	while (i < h->n && strcmp(h->sections[i].name, name) != 0)
		i++;
	return i;
}

/* Of what those do whom the first screen names; h->n: there is none. */
static size_t named_section(const struct html *h)
{
	return h->named.names.n ? section_named(h, PAGE_NAMED_NAME) : h->n;
}

/* Of a command on threads that wait: these stand in one section, whichever of them are asked for. */
static bool page_has_waits(const struct html *h, const char *command)
{
	return page_asked_is_stuck(command) && !strstr(command, " -g ") &&
	       (!strstr(command, " -a ") || page_named_answers(&h->named, command));
}

/* The section that has what the first screen proposes: one of its own, where no other has it. */
static size_t section_of(struct html *h, size_t n)
{
	const char *command = h->asked.all[n].command;
	/* Behind those of commands before it, whose titles say what they alone are of. */
	size_t i = h->first_own + h->own;

	if (page_asked_is(command, h->sections[STORY].line))
		return STORY;
	if (page_has_waits(h, command))
		return named_section(h) < h->n ? named_section(h)
					       : section_named(h, PAGE_STUCK_NAME);
	while (i < h->n && !page_asked_is(command, h->sections[i].line) &&
	       !page_asked_takes(command, h->sections[i].line))
		i++;
	/* Of those of the file system that is named another section tells more. */
	if (i < h->n && !strcmp(h->sections[i].name, "files") && h->dump->told_mount)
		return section_named(h, "told_files");
	if (i < h->n && page_asked_takes(command, h->sections[i].line))
		h->sections[i].line = arena_text(h->dump->arena, "%s -n 15", command);
	if (i < h->n)
		h->sections[i].line = page_asked_few(h->dump->arena, h->sections[i].line);
	/* What is named first stands in front of what is named behind it. */
	if (i < h->n && !n && i == h->first_own)
		h->first_own++;
	if (i < h->n)
		return i;
	i = h->first_own + h->own++;
	memmove(&h->sections[i + 1], &h->sections[i], (h->n++ - i) * sizeof(h->sections[0]));
	h->sections[i] = page_asked_section(&h->asked, n);
	return i;
}

/* Where the page has what the first screen proposes, each section once. */
static void put_asked(struct html *h, struct sink *page)
{
	const char *linked[PAGE_ASKED + 1];
	size_t n = 0, i;

	for (size_t k = 0; k < h->asked.n; k++) {
		const char *name;

		i = section_of(h, k);
		name = h->sections[i].name;
		/* All that wait are asked for: those that are named, and the others. */
		if (page_has_waits(h, h->asked.all[k].command) &&
		    !strstr(h->asked.all[k].command, " -a "))
			h->sections[section_named(h, PAGE_STUCK_NAME)].is_open = true;
		if (ANY_OF(l, n, !strcmp(linked[l], name)))
			continue;
		h->sections[i].is_open = true;
		put_link(h, page, i, n == 0);
		linked[n++] = name;
		if (page_named_are_many(h->asked.all[k].command) && named_section(h) < h->n)
			h->sections[named_section(h)].line = NAMED_FEW;
	}
	if (named_section(h) < h->n && h->sections[named_section(h)].is_open &&
	    !ANY_OF(l, n, !strcmp(linked[l], PAGE_NAMED_NAME))) {
		put_link(h, page, named_section(h), !n);
		linked[n++] = PAGE_NAMED_NAME;
	}
	if (n)
		sink_text(page, "</span></p>\n");
	/* The stack of who panicked the kernel, if it leads nowhere, stands behind what does. */
	i = section_named(h, "exception");
	if (n && i < h->n && !ANY_OF(l, n, !strcmp(linked[l], h->sections[i].name)))
		h->sections[i].is_open = false;
}

static void close_section(struct html *h, struct sink *page)
{
	if (h->is_open)
		sink_text(page, h->is_folded ? "</details></section>\n" : "</section>\n");
	h->is_open = h->is_folded = false;
}

/* Its title, below that of its group. */
static void open_section(struct html *h, struct sink *page, size_t i)
{
	const char *group = page_group(&h->sections[i]);
	const bool is_same = h->is_open && group && group == h->group;

	if (!is_same) {
		close_section(h, page);
		h->is_folded = !h->sections[i].is_open;
		sink_text(page,
			  h->is_folded ? "<section class=fold><details><summary>" : "<section>");
		h->group = group;
	}
	if (group && !is_same)
		sink_printf(page, "<h2 id=\"of-%s\">%s</h2>\n", h->sections[i].name, group);
	h->is_open = h->said.is_shown[i] = true;
	h->is_linked[i] = !is_same;
	put_head(h, page, group ? "h3" : "h2", i);
}

static void put_section(struct html *h, struct sink *page, size_t i)
{
	const bool has_table = ask_section(h, i);

	if (!has_table && (h->sections[i].is_rare || is_of_one(h, i)))
		return;
	if (!has_table && i && !says_much(h, i)) {
		quiets_add(h->dump, &h->quiets, i, h->kept->html, h->kept->n);
		return;
	}
	open_section(h, page, i);
	if (h->sections[i].intro)
		sink_printf(page, "<p class=soft>%s</p>\n", h->sections[i].intro);
	sink_write(page, h->kept->html, h->kept->n);
	if (!i) {
		page_named_find(&h->named);
		h->n = page_choice_apply(&h->choice, h->sections, h->n, &h->named.names);
		put_asked(h, page);
	}
}

static void put_quiet_head(void *arg, struct sink *page, size_t i)
{
	put_head(arg, page, "h3", i);
}

static void put_quiet_title(void *arg, struct sink *page, size_t i)
{
	put_title(arg, page, i);
}

static void put_nav(struct html *h, struct sink *page)
{
	sink_text(page, "<nav aria-label=\"Sections\">\n");
	for (size_t k = 0; k < 2 * h->n; k++) {
		const size_t i = k % h->n;

		/* In the order of the page. */
		if (h->is_linked[i] && h->sections[i].is_open == (k < h->n)) {
			sink_printf(page, "<a href=\"#%s\">", h->sections[i].name);
			put_link_title(h, page, i);
			sink_text(page, "</a>\n");
		}
	}
	if (quiets_have(&h->quiets, true))
		sink_text(page, "<a href=\"#absent\">Not there</a>\n");
	if (quiets_have(&h->quiets, false))
		sink_text(page, "<a href=\"#none\">Nothing to show</a>\n");
	sink_text(page, "</nav>\n");
}

/* What is before a mark of page.html; returns what is behind it. */
static const char *put_until(struct sink *page, const char *from, const char *mark)
{
	const char *at = strstr(from, mark);

	sink_write(page, from, at - from);
	return at + strlen(mark);
}

/* All names that the dump has of what the page may tell. */
static void learn(struct html *h, struct sink *page)
{
	static const char *const lines[] = {
		"memowner -j",
		"faults -j -n 0",
		"memowner processes -j -n 0",
		"memowner cgroups -j -n 0",
		"memowner files -j -n 0",
		"memowner log -j",
		"memowner pools -j -n 0",
		"memowner bpf -j -n 0",
		"pageowner -g comm -j -n 0",
	};

	for (size_t i = 0; i < ARRAY_SIZE(lines) && !*h->stopped; i++) {
		struct embed *e = embed_new(h, page);

		e->is_json = e->is_learning = true;
		ask(h, e, lines[i]);
	}
}

/* Those to which the first screen leads, which the first of them tells; or the others. */
static void put_sections(struct html *h, struct sink *page, bool is_open)
{
	for (size_t i = 0; i < h->n && !*h->stopped; i++)
		if (h->sections[i].is_open == is_open && line_of(h, i))
			put_section(h, page, i);
	close_section(h, page);
}

#define FOLDED                                                                                   \
	"<p class=soft>The rest of the machine, to which the summary does not lead: each title " \
	"opens.</p>\n"

static enum status put_page(void *arg, struct sink *page)
{
	struct html *h = arg;
	const char *from = put_until(page, html_page_start, SECTIONS_MARK);

	if (h->redact) {
		learn(h, page);
		sink_text(page, "<p class=note>Host, commands, paths, cgroups and addresses are "
				"pseudonyms: one name has one in this report.</p>\n");
	}
	put_sections(h, page, true);
	sink_text(page, FOLDED);
	put_sections(h, page, false);
	quiets_put(&h->quiets, page, put_quiet_title, put_quiet_head, h);
	if (*h->stopped)
		sink_text(
			page,
			"<p class=note>The report was interrupted: what follows is missing.</p>\n");
	from = put_until(page, from, NAV_MARK);
	put_nav(h, page);
	from = put_until(page, from, DATA_MARK);
	for (size_t i = 0; i < ARRAY_SIZE(parts) && !*h->stopped; i++)
		put_part(h, page, i);
	sink_text(page, from);
	return ST_OK;
}

enum status html_write(struct dump *d, const struct html_request *q, html_runner run, void *arg,
		       bool *stopped)
{
	struct redact redact;
	struct html h = { .dump = d,
			  .run = run,
			  .arg = arg,
			  .stopped = stopped,
			  .n = ARRAY_SIZE(sections),
			  .first_own = STORY + 1,
			  .asked.dump = d,
			  .named.dump = d };

	*stopped = false;
	memcpy(h.sections, sections, sizeof(sections));
	hash_bytes_init(&h.said.lines, d->arena, sizeof(size_t));
	h.embed = dump_alloc(d, sizeof(*h.embed));
	h.kept = dump_alloc(d, sizeof(*h.kept));
	h.told = dump_alloc(d, sizeof(*h.told));
	h.told->text = STRBUF(h.told->room);
	h.embed->own = dump_alloc(d, sizeof(*h.embed->own));
	if (q->redact) {
		redact_open(d, &redact);
		h.redact = &redact;
	}
	return textfile_write(d, q->path, put_page, &h);
}
