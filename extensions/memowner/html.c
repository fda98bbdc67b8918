// SPDX-License-Identifier: GPL-2.0-or-later
#include "html.h"

#include <string.h>

#include "cli/textfile.h"

#define LINE_BYTES 262144 /* of a record; a longer one is left out and counted */
#define FRAME_BYTES 9000  /* of the meta and summary lines of an answer */

const struct view html_view = { "html", "-H FILE", .columns = NULL };

/* page.html: what is before the data, and what is behind them. */
extern const char html_page_start[], html_page_end[];
__asm__(".pushsection .rodata\n"
	".global html_page_start\n.hidden html_page_start\n"
	"html_page_start:\n.incbin \"extensions/memowner/page.html\"\n.byte 0\n"
	".global html_page_end\n.hidden html_page_end\nhtml_page_end:\n"
	".popsection\n");

#define DATA_MARK "<!-- data -->\n"

/*
 * The answers, and the bytes that the rows of each may take: together, with FRAME_BYTES for each
 * and the page itself, below 2 MiB.  Rows stand in the order of their size, so that the ones
 * without room are the smallest.
 */
static const struct {
	const char *name; /* by which the script finds it */
	const char *line;
	size_t bytes;
} parts[] = {
	{ "summary", "memowner -j", 80000 },
	{ "memory", "memowner classes -j -n 100", 40000 },
	{ "groups",
	  "pageowner -g class,module,caller,comm,tgid,owner -j -n 2000 "
	  "-o pages,bytes,allocs,age_max_ns,age_min_ns,class,module,caller,comm,tgid,owner,ages",
	  380000 },
	{ "stacks",
	  "pageowner -t top -j -n 1000 -o rank,pages,bytes,allocs,age_max_ns,age_min_ns,handle,stack",
	  600000 },
	{ "sites", "allocprof -s size -j -n 1000", 160000 },
	{ "caches", "memowner caches -j -n 300", 100000 },
	{ "files", "memowner files -j -n 150", 90000 },
	{ "processes", "memowner processes -j -n 150", 110000 },
	{ "cgroups",
	  "memowner cgroups -j -n 200 -o usage_bytes,max_limit,anon_bytes,page_cache_bytes,"
	  "shmem_bytes,kernel_bytes,swap_usage_bytes,oom_kills,processes,memcg_state,memcg",
	  50000 },
	{ "vmalloc", "memowner vmalloc -j -n 150", 50000 },
	{ "zones", "memowner zones -j", 100000 },
	{ "fragmentation", "memowner fragmentation -j -n 20", 60000 },
	{ "tasks", "faults -s rss_bytes -j -n 300", 110000 },
};

struct embed {
	struct sink *page;
	size_t left;	  /* bytes for rows */
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
static void end_line(struct embed *e)
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
	e->used = 0;
	e->too_long = false;
}

static bool embed_write(void *arg, const char *s, size_t n)
{
	struct embed *e = arg;

	for (size_t i = 0; i < n; i++) {
		if (e->used < sizeof(e->line))
			e->line[e->used++] = s[i];
		else
			e->too_long = true;
		if (s[i] == '\n')
			end_line(e);
	}
	return !e->page->closed;
}

/* A JSON string, for the attributes and messages of ours; the message may have text of the dump. */
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

struct html {
	struct dump *dump;
	html_runner run;
	void *arg;
	bool *stopped;
};

static enum status put_part(struct html *h, struct sink *page, size_t i)
{
	struct embed *e = dump_alloc(h->dump, sizeof(*e));
	struct sink *sink = dump_alloc(h->dump, sizeof(*sink));
	const char *problem = NULL;
	enum status st;

	*e = (struct embed){ .page = page, .left = parts[i].bytes, .frame = FRAME_BYTES };
	sink_init(sink, embed_write, e);
	sink_printf(page,
		    "<script type=\"application/x-ndjson\" data-part=\"%s\" data-line=\"%s\">\n",
		    parts[i].name, parts[i].line);
	st = h->run(h->arg, parts[i].line, sink, &problem);
	sink_flush(sink);
	if (st == ST_STOPPED)
		*h->stopped = true;
	else if (st != ST_OK && problem) {
		sink_text(page, "{\"record\":\"problem\",\"text\":");
		put_string(page, problem);
		sink_text(page, "}\n");
	}
	sink_printf(page, "{\"record\":\"embedded\",\"rows_left_out\":%llu}\n</script>\n",
		    (unsigned long long)e->dropped);
	return ST_OK;
}

static enum status put_page(void *arg, struct sink *page)
{
	struct html *h = arg;
	const char *mark = strstr(html_page_start, DATA_MARK);
	enum status st = ST_OK;

	sink_write(page, html_page_start, mark - html_page_start);
	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]) && st == ST_OK && !*h->stopped; i++)
		st = put_part(h, page, i);
	sink_text(page, mark + strlen(DATA_MARK));
	return st;
}

enum status html_write(struct dump *d, const char *path, html_runner run, void *arg, bool *stopped)
{
	struct html h = { d, run, arg, stopped };

	*stopped = false;
	return textfile_write(d, path, put_page, &h);
}
