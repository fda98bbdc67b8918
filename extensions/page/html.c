// SPDX-License-Identifier: GPL-2.0-or-later
#include "html.h"

#include "cgroup/cgroup.h"
#include "cli/textfile.h"
#include "largest.h"
#include "redact.h"
#include "util/sink.h"

#define LINE_BYTES 262144 /* of a record; a longer one is left out and counted */
#define FRAME_BYTES 9000  /* of the meta and summary lines of an answer */
#define TEXT_BYTES 12000  /* of the lines of an answer that are no table */
#define LOG_BYTES 40000	  /* the same of the log: a report has a line for each process */
#define BELOW_BYTES 3000  /* of sums below the rows, where these took all room */
#define LABEL 10	  /* columns of a label of the first screen, as screen.c has it */

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

#define SECTIONS ARRAY_SIZE(sections)
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
	bool is_shown[SECTIONS];
	struct quiet *first, **last; /* sections without a table */
};

/* An answer that becomes part of the page, line by line. */
struct embed {
	struct sink *page, *own;
	struct sink_page state;
	struct redact *redact;
	bool is_json, is_summary, is_learning;
	bool has_table;
	bool in_pre;	  /* lines of text follow each other */
	bool is_labelled; /* the line before has a label */
	bool is_long;	  /* a line had no room */
	size_t left;	  /* bytes for rows; of text its bytes */
	size_t frame;	  /* bytes for meta and summary lines */
	uint64_t dropped; /* records */
	bool too_long;	  /* the line that is being read */
	size_t used;
	char line[LINE_BYTES];
};

/* JSON has < in strings only, where it may be written as a number: no tag ends the script. */
#define LESS_THAN "\\u003c"

static void put_json(struct sink *page, const char *s, size_t n)
{
	for (size_t from = 0; from < n;) {
		const char *lt = memchr(s + from, '<', n - from);
		size_t end = lt ? (size_t)(lt - s) : n;

		sink_write(page, s + from, end - from);
		if (lt)
			sink_text(page, LESS_THAN);
		from = end + (lt != NULL);
	}
}

static bool is_record(const struct embed *e, const char *record)
{
	static const char start[] = "{\"record\":\"";
	size_t n = strlen(record);

	return e->used > sizeof(start) - 1 + n && !memcmp(e->line, start, sizeof(start) - 1) &&
	       !memcmp(e->line + sizeof(start) - 1, record, n);
}

static size_t json_bytes(const struct embed *e)
{
	size_t n = e->used;

	for (size_t i = 0; i < e->used; i++)
		n += e->line[i] == '<' ? sizeof(LESS_THAN) - 2 : 0;
	return n;
}

/* Meta and summary lines have bytes of their own, which no row takes. */
static void end_record(struct embed *e)
{
	bool frame = is_record(e, "meta\"") || is_record(e, "summary\"");
	size_t *left = frame ? &e->frame : &e->left, n = json_bytes(e);

	if (e->too_long || n > *left) {
		e->dropped += !frame;
		*left = 0; /* what follows is smaller: no gaps in a ranking */
	} else {
		put_json(e->page, e->line, e->used);
		*left -= n;
	}
}

static void end_text(struct embed *e)
{
	if (e->in_pre)
		sink_text(e->page, "</pre>\n");
	e->in_pre = false;
}

static void put_paragraph(struct embed *e, const char *class, const char *text, size_t n)
{
	end_text(e);
	sink_printf(e->page, "<p class=\"%s\">", class);
	html_text(e->page, text, n);
	sink_text(e->page, "</p>\n");
}

/* "verdict   memory ran out": a label and what stands behind it, on the first screen. */
static bool put_labelled(struct embed *e, const char *text, size_t n)
{
	size_t label = LABEL;
	const char *class;

	if (!e->is_summary || n <= LABEL || text[LABEL] == ' ' || text[LABEL - 1] != ' ')
		return false;
	while (label && text[label - 1] == ' ')
		label--;
	/* Two words at most: "next boot"; none: more of the line before. */
	if (label ? text[0] == ' ' || memmem(text, label, "  ", 2) : !e->is_labelled)
		return false;
	class = label == 7 && !memcmp(text, "verdict", 7) ? "said verdict" : "said";
	end_text(e);
	sink_printf(e->page, "<p class=\"%s\"><span class=label>", class);
	html_text(e->page, text, label);
	sink_text(e->page, "</span> <span>");
	html_text(e->page, text + LABEL, n - LABEL);
	sink_text(e->page, "</span></p>\n");
	return true;
}

static void put_text(struct embed *e)
{
	static const char warning[] = "warning: ", of_filter[] = "warning: -f ";
	size_t n = e->used && e->line[e->used - 1] == '\n' ? e->used - 1 : e->used;
	size_t bytes = n + 64;

	/* As it is written it is not shorter. */
	if (!e->too_long && bytes <= e->left)
		bytes = html_bytes(e->line, n) + 64;
	if (e->too_long || bytes > e->left) {
		e->is_long = true;
		e->left = 0;
		return;
	}
	e->left -= bytes;
	/* What a filter did not find: the page has chosen it, and not its reader. */
	if (n > sizeof(of_filter) - 1 && !memcmp(e->line, of_filter, sizeof(of_filter) - 1))
		return;
	if (n > sizeof(warning) - 1 && !memcmp(e->line, warning, sizeof(warning) - 1)) {
		put_paragraph(e, "note", e->line, n);
		return;
	}
	e->is_labelled = put_labelled(e, e->line, n);
	if (e->is_labelled || (!n && !e->in_pre))
		return;
	if (!e->in_pre)
		sink_text(e->page, "<pre class=text>");
	e->in_pre = true;
	html_text(e->page, e->line, n);
	sink_text(e->page, "\n");
}

/* The line with pseudonyms; what has no room then is left out. */
static void reword(struct embed *e)
{
	size_t n = e->used && e->line[e->used - 1] == '\n' ? e->used - 1 : e->used;
	const char *text = e->is_json ? redact_record(e->redact, e->line, n)
				      : redact_text(e->redact, e->line, n);
	size_t len = strlen(text);

	e->too_long |= len + 1 > sizeof(e->line);
	if (e->too_long)
		return;
	memcpy(e->line, text, len);
	e->line[len] = '\n';
	e->used = len + 1;
}

static void end_line(struct embed *e)
{
	if (e->redact && !e->is_learning && !e->too_long)
		reword(e);
	if (e->is_learning)
		redact_learn_record(e->redact, e->line, e->used);
	else if (e->is_json)
		end_record(e);
	else
		put_text(e);
	e->used = 0;
	e->too_long = false;
}

static bool embed_write(void *arg, const char *s, size_t n)
{
	struct embed *e = arg;

	if (e->own->page && e->own->page->is_markup) {
		end_text(e);
		e->has_table = true;
		sink_write(e->page, s, n);
		return !e->page->closed;
	}
	for (const char *end; n; n -= end - s, s = end) {
		size_t room = sizeof(e->line) - e->used, len;

		end = memchr(s, '\n', n);
		end = end ? end + 1 : s + n;
		len = end - s;
		e->too_long |= len > room;
		len = len < room ? len : room;
		memcpy(e->line + e->used, s, len);
		e->used += len;
		if (end[-1] == '\n')
			end_line(e);
	}
	return !e->page->closed;
}

static const char *cell_word(void *arg, const char *column, const char *text)
{
	return redact_cell(arg, column, text);
}

static struct embed *embed_new(struct html *h, struct sink *page)
{
	struct embed *e = h->embed;
	struct sink *own = e->own;

	memset(e, 0, offsetof(struct embed, line));
	e->page = page;
	e->own = own;
	e->frame = FRAME_BYTES;
	e->redact = h->redact;
	e->state.word = h->redact ? cell_word : NULL;
	e->state.arg = h->redact;
	sink_init(e->own, embed_write, e);
	return e;
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

/* A JSON string, for messages of ours; one may have text of the dump. */
static void put_string(struct sink *page, const char *s)
{
	sink_text(page, "\"");
	for (; *s; s++) {
		unsigned char c = *s;

		if (c < 0x20 || c >= 0x7f || strchr("\"\\<>&", c))
			sink_printf(page, "\\u%04x", c);
		else
			sink_write(page, s, 1);
	}
	sink_text(page, "\"");
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
		put_string(page, problem);
		sink_text(page, "}\n");
	}
	sink_printf(page, "{\"record\":\"embedded\",\"rows_left_out\":%lu}\n</script>\n",
		    e->dropped);
}

/* A section whose answer has no table. */
struct quiet {
	struct quiet *next;
	size_t i;
	const char *html; /* what it says */
	size_t n;
};

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

/* Whom a section is of; NULL: this dump has none such, and it is left out. */
static const char *subject_of(struct html *h, const char *at)
{
	struct dump *d = h->dump;

	if (at[1] == 's')
		return d->told_mount;
	if (at[1] == 'c')
		return cgroups_memory_is_v1(d) ? "memcg" : "cgroup";
	if (!h->has_process && !names_other(d))
		page_find_process(d, d->told_tgid, &h->process);
	h->has_process = true;
	return h->process.tgid ? arena_text(d->arena, "%d", h->process.tgid) : NULL;
}

/* Whether it is of one among many, and has nothing to say where that has none. */
static bool is_of_one(size_t i)
{
	const char *at = strchr(sections[i].line, '%');

	return at && at[1] != 'c';
}

static const char *title_of(struct html *h, size_t i)
{
	const struct page_process *p = &h->process;
	const char *title = sections[i].title, *at = strstr(title, "%s");

	if (!at)
		return title;
	title = arena_text(h->dump->arena, *p->comm ? "%.*s%s (%d)" : "%.*sprocess %s%d",
			   (int)(at - title), title, p->comm, p->tgid);
	return h->redact ? redact_text(h->redact, title, strlen(title)) : title;
}

/* NULL: it is of something that is not there. */
static const char *line_of(struct html *h, size_t i)
{
	const char *line = sections[i].line, *at = strchr(line, '%'), *subject;

	if (!at)
		return line;
	subject = subject_of(h, at);
	return subject ? arena_text(h->dump->arena, "%.*s%s%s", (int)(at - line), line, subject,
				    at + 2)
		       : NULL;
}

/* The answer of a section in h->kept; whether it has a table. */
static bool ask_section(struct html *h, size_t i)
{
	struct sink *to = &h->kept->sink;
	struct embed *e = embed_new(h, to);
	const char *problem;

	h->kept->n = 0;
	sink_init(to, keep, h->kept);
	e->left = strcmp(sections[i].name, "log") ? TEXT_BYTES : LOG_BYTES;
	e->is_summary = !i;
	e->state.room = sections[i].bytes;
	e->state.below_room = BELOW_BYTES;
	e->own->page = &e->state;
	problem = ask(h, e, line_of(h, i));
	if (e->used)
		end_line(e);
	end_text(e);
	if (problem)
		put_paragraph(e, "soft", h->redact ? "no data" : problem,
			      h->redact ? 7 : strlen(problem));
	if (e->state.left_out > e->state.told)
		sink_printf(to, "<p class=soft>%lu more rows had no room in this page</p>\n",
			    e->state.left_out - e->state.told);
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

static void put_head(struct html *h, struct sink *page, const char *tag, size_t i)
{
	const char *line = line_of(h, i);

	sink_printf(page, "<%s id=\"%s\">", tag, sections[i].name);
	put_title(h, page, i);
	sink_printf(page, "</%s>\n<p class=\"soft mono\">", tag);
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
	return sections[i].lines && lines >= sections[i].lines;
}

static void put_section(struct html *h, struct sink *page, size_t i)
{
	struct quiet *q;

	const bool has_table = ask_section(h, i);

	if (!has_table && is_of_one(i))
		return;
	if (!has_table && i && !says_much(h, i)) {
		q = dump_alloc(h->dump, sizeof(*q) + h->kept->n);
		memcpy(q + 1, h->kept->html, h->kept->n);
		*q = (struct quiet){ NULL, i, (const char *)(q + 1), h->kept->n };
		*h->last = q;
		h->last = &q->next;
		return;
	}
	h->is_shown[i] = true;
	sink_text(page, "<section>");
	put_head(h, page, "h2", i);
	if (sections[i].intro)
		sink_printf(page, "<p class=soft>%s</p>\n", sections[i].intro);
	sink_write(page, h->kept->html, h->kept->n);
	sink_text(page, "</section>\n");
}

/* Those that have nothing to show, with what they say of it. */
static void put_quiet(struct html *h, struct sink *page)
{
	if (!h->first)
		return;
	sink_text(page, "<section><h2 id=none>Nothing to show</h2>\n");
	for (const struct quiet *q = h->first; q; q = q->next) {
		put_head(h, page, "h3", q->i);
		if (q->n)
			sink_write(page, q->html, q->n);
		else
			sink_text(page, "<p>The answer has no row.</p>\n");
	}
	sink_text(page, "</section>\n");
}

static void put_nav(struct html *h, struct sink *page)
{
	sink_text(page, "<nav aria-label=\"Sections\">\n");
	for (size_t i = 0; i < SECTIONS; i++)
		if (h->is_shown[i]) {
			sink_printf(page, "<a href=\"#%s\">", sections[i].name);
			put_title(h, page, i);
			sink_text(page, "</a>\n");
		}
	if (h->first)
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
		"pageowner -g comm -j -n 0",
	};

	for (size_t i = 0; i < ARRAY_SIZE(lines) && !*h->stopped; i++) {
		struct embed *e = embed_new(h, page);

		e->is_json = e->is_learning = true;
		ask(h, e, lines[i]);
	}
}

static enum status put_page(void *arg, struct sink *page)
{
	struct html *h = arg;
	const char *from = put_until(page, html_page_start, SECTIONS_MARK);

	if (h->redact) {
		learn(h, page);
		sink_text(page, "<p class=note>Host, commands, paths, cgroups and addresses are "
				"pseudonyms: one name has one in this report.</p>\n");
	}
	for (size_t i = 0; i < SECTIONS && !*h->stopped; i++) {
		if (line_of(h, i))
			put_section(h, page, i);
	}
	put_quiet(h, page);
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
	struct html h = { .dump = d, .run = run, .arg = arg, .stopped = stopped };

	*stopped = false;
	h.last = &h.first;
	h.embed = dump_alloc(d, sizeof(*h.embed));
	h.kept = dump_alloc(d, sizeof(*h.kept));
	h.embed->own = dump_alloc(d, sizeof(*h.embed->own));
	if (q->redact) {
		redact_open(d, &redact);
		h.redact = &redact;
	}
	return textfile_write(d, q->path, put_page, &h);
}
