// SPDX-License-Identifier: GPL-2.0-or-later
#include "log_source.h"

#include <elf.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/textfile.h"
#include "log/slab_failure.h"
#include "log/log_file.h"
#include "log/log_fold.h"
#include "log/log_parts.h"
#include "log/log_prefix.h"
#include "log/log_width.h"
#include "oom/oom_tasks.h"
#include "util/not_used.h"
#include "util/quoted.h"
#include "util/strbuf.h"
#include "util/units.h"

/* Pages of 4 KiB, of 8 KiB as on sparc64 and alpha, up to 256 KiB of powerpc 44x and hexagon. */
#define LEAST_SHIFT 12
#define MOST_SHIFT 18

#define INDENT_MOST 64 /* bytes: what is further in is none */
#define INDENT_LEAST 2 /* the kernel itself has one blank before some lines */

/* Blanks before all lines that have words. */
struct indent {
	char blanks[INDENT_MOST];
	size_t len;
	bool is_known;
};

struct source {
	struct log_reader *reader;
	struct log_parts *parts;
	struct log_window *window;
	struct log_width width;
	struct user_kills kills;
	struct quoted quoted; /* of the lines that were read */
	char *decoded;	      /* QUOTED_TEXT bytes; NULL: they are no mail as it is sent */
	size_t decoded_len;
	size_t strip; /* bytes before each line, which are taken off */
	struct indent indent;
	const struct log_order
		*order; /* of its parts, which are given in the other one; NULL: as they stand */
	size_t lines;
	unsigned int part;
	struct log_tail tail; /* of the lines that were read */
	const char *behind;   /* what each of them ends with, which is taken off; NULL: nothing */
	struct log_fold fold; /* of the lines that were read */
	const struct log_fold
		*by;  /* of all of them, by which they are put together again; NULL: they are not */
	char *joined; /* LOG_FOLD_TEXT bytes */
	size_t used, last; /* bytes in it; of the last line of these */
	bool ends;
};

static void read_line(void *arg, char *line, size_t len, bool ends)
{
	struct source *s = arg;

	log_reader_line(s->reader, line, len, ends);
}

static void read_in_order(void *arg, char *line, size_t len, bool ends)
{
	struct source *s = arg;

	log_window_line(s->window, line, len, ends);
}

/* As pstore's files have it above each part. */
static void begin_part(struct source *s)
{
	char line[sizeof("Panic#1 Part64")];

	if (!s->order || s->part == s->order->n || s->lines++ != s->order->parts[s->part].line)
		return;
	snprintf(line, sizeof(line), "Panic#1 Part%u", ++s->part);
	log_parts_line(s->parts, line, strlen(line), true);
}

#define ROW 512 /* bytes of a row of a table, with all before it */

/* An editor, or a mail, made tabs of the blanks of a table. */
static size_t expand_row(const char *line, size_t len, char to[ROW])
{
	const char *row = memrchr(line, '[', len);
	/* One before the row, behind a stamp, is no part of it. */
	const size_t n = row && memchr(row, '\t', len - (row - line))
				 ? log_expand_tabs(line, len, to, ROW)
				 : 0;

	row = n ? memrchr(to, '[', n) : NULL;
	return row && (oom_tasks_is_row(row) || oom_tasks_is_header(row)) ? n : 0;
}

static void take_whole(struct source *s, char *line, size_t len, bool ends)
{
	char blanks[ROW];
	const size_t expanded = expand_row(line, len, blanks);
	const char *row;

	if (expanded) {
		line = blanks;
		len = expanded;
	}
	row = memrchr(line, '[', len);
	log_width_line(&s->width, line, len,
		       (row && oom_tasks_is_row(row)) || log_has_fixed_width(line));
	user_kills_line(&s->kills, line);
	begin_part(s);
	log_parts_line(s->parts, line, len, ends);
}

static void give_joined(struct source *s)
{
	if (s->used)
		take_whole(s, s->joined, s->used, s->ends);
	s->used = 0;
}

/* Of lines that were broken at one width. */
static void join(struct source *s, const char *line, size_t len, bool ends)
{
	const bool goes_on = s->used && s->used + len < LOG_FOLD_TEXT &&
			     log_fold_goes_on(s->by, s->by->longest, s->joined + s->used - s->last,
					      s->last, line);

	if (!goes_on)
		give_joined(s);
	if (len >= LOG_FOLD_TEXT)
		len = LOG_FOLD_TEXT - 1;
	memcpy(s->joined + s->used, line, len);
	s->used += len;
	s->joined[s->used] = '\0';
	s->last = len;
	s->ends = ends;
}

static void take_indent(struct indent *in, const char *line)
{
	const size_t n = strspn(line, " \t");
	size_t same = 0;

	if (!line[n])
		return;
	if (!in->is_known) {
		in->len = n < INDENT_MOST ? n : INDENT_MOST;
		memcpy(in->blanks, line, in->len);
		in->is_known = true;
	}
	while (same < in->len && line[same] == in->blanks[same])
		same++;
	in->len = same;
}

static enum status take_text(struct source *s, char *line, size_t len, bool ends)
{
	const size_t blanks = s->strip < len ? s->strip : len;

	take_indent(&s->indent, line);
	line += blanks;
	len -= blanks;
	if (s->behind) {
		len = log_tail_skip(s->behind, line, len);
		line[len] = '\0';
	} else {
		log_tail_line(&s->tail, line, len);
	}
	if (s->by) {
		join(s, line, len, ends);
		return ST_OK;
	}
	log_fold_line(&s->fold, line, len);
	take_whole(s, line, len, ends);
	return ST_OK;
}

static enum status give_decoded(struct source *s, bool ends)
{
	const size_t len = s->decoded_len;

	s->decoded_len = 0;
	s->decoded[len] = '\0';
	return take_text(s, s->decoded, len, ends);
}

/* Of a mail as it is sent. */
static enum status decode(struct source *s, char *line, size_t len, bool ends)
{
	const bool goes_on = quoted_decode(line, &len);

	if (len >= QUOTED_TEXT - s->decoded_len)
		len = QUOTED_TEXT - s->decoded_len - 1;
	memcpy(s->decoded + s->decoded_len, line, len);
	s->decoded_len += len;
	return goes_on ? ST_OK : give_decoded(s, ends);
}

static enum status take(void *arg, char *line, size_t len, bool ends)
{
	struct source *s = arg;

	len -= len && line[len - 1] == '\r';
	line[len] = '\0';
	if (s->decoded)
		return decode(s, line, len, ends);
	quoted_line(&s->quoted, line, len);
	return take_text(s, line, len, ends);
}

/* The line of a victim has in KiB what its row of the table has in pages; 0: not by any size of a page. */
static unsigned int shift_of_victim(const struct oom_tasks *t, const struct oom_report *r)
{
	if (r->kind != OOM_REPORT_OOM || !r->victim.pid.known || !r->victim.total_vm_kib.known)
		return 0;
	hash_u64_for_each(const struct oom_task, row, &t->rows) {
		int64_t pages = row->value[OOM_TASK_TOTAL_VM];

		/* The first thread may have exited, and the line has the pid of another. */
		if ((row->value[OOM_TASK_TGID] != (int64_t)r->victim.pid.value &&
		     !(t->has[OOM_TASK_PID] &&
		       row->value[OOM_TASK_PID] == (int64_t)r->victim.pid.value)) ||
		    pages <= 0 || pages > INT64_MAX >> 10)
			continue;
		for (unsigned int shift = LEAST_SHIFT; shift <= MOST_SHIFT; shift++)
			if ((uint64_t)pages << (shift - 10) == r->victim.total_vm_kib.value)
				return shift;
	}
	return 0;
}

/* The newest table may be of a report without a victim, and have a thread that is left of an older one. */
static unsigned int shift_of_victims(struct dump *d, const struct log_file *f,
				     const struct oom_reports *all)
{
	struct oom_tasks *t = dump_alloc(d, sizeof(*t));
	unsigned int shift = 0;

	if (oom_tasks_read(d, &f->log, t) != ST_OK || !t->has[OOM_TASK_TOTAL_VM])
		return 0;
	for (unsigned int i = all->n; i-- && !shift;)
		shift = shift_of_victim(t, &all->reports[i]);
	return shift;
}

/* "4.18.0-477.el8.x86_64", "6.1.0-9-amd64": processors of which the kernel has pages of 4 KiB alone; 0: it may be another. */
static unsigned int shift_of_release(const char *release)
{
	static const char *const names[] = { "x86_64", "amd64", "i386", "i586", "i686", "s390x" };

	return release && ANY_OF(i, ARRAY_SIZE(names), strstr(release, names[i])) ? 12 : 0;
}

/* The pages that a report counts are those of which the kernel told the size when it booted; 0: unknown, or other ones. */
static unsigned int shift_of_boot(const struct log_file *f, const struct oom_reports *all)
{
	const struct log_number ram = all->n ? all->reports[all->n - 1].mem.ram
					     : (struct log_number){ 0 };

	for (unsigned int shift = LEAST_SHIFT; f->from_start && ram.known && shift <= MOST_SHIFT;
	     shift++)
		if (ram.value && ram.value < UINT32_MAX &&
		    ram.value << (shift - 10) == f->boot_ram_kib)
			return shift;
	return 0;
}

/* By the counters of the newest report, else by what the log says of the processor. */
static unsigned int page_shift_of(struct dump *d, const struct log_file *f,
				  const struct oom_reports *all)
{
	for (unsigned int i = all->n; i--;) {
		const struct log_number kib = mem_info_page_kib(&all->reports[i].mem);

		for (unsigned int shift = LEAST_SHIFT; kib.known && shift <= MOST_SHIFT; shift++)
			if (kib.value << 10 == 1ULL << shift)
				return shift;
	}
	return f->page_shift ?: shift_of_boot(f, all) ?: shift_of_victims(d, f, all) ?: shift_of_release(f->release);
}

/* Words of a report or a panic in lines whose form is unknown: who has it cannot be denied. */
static bool is_understood(const struct log_file *f, const struct oom_reports *all)
{
	struct slab_failures slabs;

	if (all->n || !f->is_bare || f->from_start)
		return true;
	slab_failures_read(&f->log, &slabs);
	return slabs.n || ANY_OF(i, f->log.n,
				 f->log.records[i].text && log_after(f->log.records[i].text,
								     "Kernel panic - not syncing"));
}

/* A pipe cannot be read twice. */
static bool is_stream(const char *path)
{
	struct stat sb;

	return !strcmp(path, "-") ||
	       (stat(path, &sb) == 0 && !S_ISREG(sb.st_mode) && !S_ISDIR(sb.st_mode));
}

/* A kdump, plain or flattened, an ELF core. */
static bool is_dump(const char *path)
{
	Elf64_Ehdr elf;
	const void *first = &elf;
	FILE *f = fopen(path, "re");
	bool ret = f && fread(&elf, sizeof(elf), 1, f) == 1 &&
		   (!memcmp(first, "KDUMP   ", 8) || !memcmp(first, "makedumpfile", 12) ||
		    (!memcmp(first, ELFMAG, SELFMAG) && elf.e_type == ET_CORE));

	if (f)
		fclose(f);
	return ret;
}

/* Of programs, where the kernel has no line: the last of each; "": none. */
static const char *last_kills(struct dump *d, const struct user_kills *all)
{
	struct strbuf b = STRBUF_OF(1024);

	for (int kind = 0; kind < USER_KILL_KINDS; kind++) {
		const struct user_kill *kill = &all->of[kind];

		if (!kill->n)
			continue;
		strbuf_add(&b, "; a program logged: %s", kill->text);
		if (kill->n > 1)
			strbuf_add(&b, ", and %s before it", COUNT_OF(kill->n - 1, "such line"));
	}
	return dump_strdup(d, b.buf);
}

/* A file, or one of its parts: "FILE:2". */
struct log_name {
	const char *path;
	unsigned int part;	       /* 0: whichever tells most */
	const struct log_order *order; /* NULL: as the parts stand */
	const struct log_fold *fold;   /* NULL: its lines were not broken at a width */
	bool is_quoted;		       /* it is a mail as it is sent */
	size_t indent;		       /* bytes before each line */
	const char *tail;	       /* NULL: a tool has nothing behind each line */
};

/* A file whose own name ends so is meant first. */
static struct log_name name_of(struct dump *d, const char *path)
{
	const char *colon = strrchr(path, ':');
	struct stat sb;
	uint64_t part;
	char *file;

	if (!colon || stat(path, &sb) == 0)
		return (struct log_name){ .path = path };
	file = dump_strdup(d, path);
	file[colon - path] = '\0';
	colon = log_take_decimal(colon + 1, &part);
	if (!colon || *colon || !part || part > UINT32_MAX || stat(file, &sb) != 0)
		return (struct log_name){ .path = path };
	return (struct log_name){ .path = file, .part = (unsigned int)part };
}

const char *log_source_others(const struct dump *d)
{
	const struct log_file *f = d->log_file;
	const struct {
		unsigned int n;
		const char *one, *many;
	} others[] = {
		{ f->other_reports, "report", "reports" },
		{ f->other_panics, "panic", "panics" },
		{ f->other_lockups, "line of CPUs that were stuck",
		  "lines of CPUs that were stuck" },
	};
	struct strbuf b = STRBUF_OF(256);
	unsigned int left = 0, told = 0;

	for (size_t i = 0; i < ARRAY_SIZE(others); i++)
		left += others[i].n > 0;
	strbuf_add(&b, "FILE:N is %s N of it", log_file_part(f));
	for (size_t i = 0; i < ARRAY_SIZE(others); i++) {
		if (!others[i].n)
			continue;
		told++;
		strbuf_add(&b, "%s%s",
			   told == 1	  ? ", the others have "
			   : told == left ? " and "
					  : ", ",
			   PLURAL_TEXT(others[i].n, others[i].one, others[i].many));
	}
	return dump_strdup(d, b.buf);
}

static enum status take_order(void *arg, char *line, NOT_USED size_t len, NOT_USED bool ends)
{
	log_order_line(arg, line);
	return ST_OK;
}

/* "6.1..." of a line that ends where all were cut. */
static void mark_release(struct dump *d, struct log_file *f)
{
	for (size_t i = 0; f->cut_at && f->release_ends && f->release && i < f->log.n; i++) {
		const struct kernel_record *rec = &f->log.records[i];
		const char *release = rec->text ? log_after(rec->text, "Linux version ") : NULL;

		if (rec->line_bytes != f->cut_at || !release || strcmp(release, f->release) != 0)
			continue;
		f->release = dump_text(d, "%s...", f->release);
		return;
	}
}

static enum status read_log(struct dump *d, struct log_name *name, bool takes_bare,
			    struct log_file *f, struct oom_reports *all)
{
	struct source *s = dump_alloc(d, sizeof(*s));
	const char *path = name->path;
	enum status st;

	s->reader = log_reader_open(d, takes_bare);
	log_reader_part(s->reader, name->part);
	s->order = name->order;
	s->by = name->fold;
	s->behind = name->tail;
	s->strip = name->indent;
	s->decoded = name->is_quoted ? dump_alloc(d, QUOTED_TEXT) : NULL;
	s->joined = s->by ? dump_alloc(d, LOG_FOLD_TEXT) : NULL;
	s->window = log_window_open(d->arena, (struct log_parts_to){ read_line, s });
	s->parts = log_parts_open(d->arena, (struct log_parts_to){ read_in_order, s });
	st = textfile_read_any(d, path, take, s);

	/* The command line is right: what is in the file is not. */
	if (st == ST_USAGE)
		return ST_UNREADABLE;
	if (st != ST_OK)
		return st;
	if (s->decoded_len)
		give_decoded(s, false);
	give_joined(s);
	log_parts_end(s->parts);
	log_window_end(s->window);
	if (!s->decoded && quoted_is(&s->quoted)) {
		name->is_quoted = true;
		return read_log(d, name, takes_bare, f, all);
	}
	if (!s->strip && s->indent.len >= INDENT_LEAST) {
		name->indent = s->indent.len;
		return read_log(d, name, takes_bare, f, all);
	}
	if (!s->behind && log_tail_mark(&s->tail)) {
		name->tail = log_tail_mark(&s->tail);
		return read_log(d, name, takes_bare, f, all);
	}
	if (!s->by && log_fold_width(&s->fold)) {
		name->fold = &s->fold;
		return read_log(d, name, takes_bare, f, all);
	}
	if (log_reader_end(s->reader, f) != ST_OK) {
		const char *why = dump_strdup(d, d->error), *said = last_kills(d, &s->kills);

		return dump_unreadable(d, "'%s': %s%s", path, why, said);
	}
	f->kills = s->kills;
	f->cut_at = log_width_cut(&s->width);
	f->broken_at = log_width_broken(&s->width);
	mark_release(d, f);
	oom_reports_read(d, &f->log, all);
	return ST_OK;
}

static bool has_report(const struct oom_reports *all)
{
	return ANY_OF(i, all->n, all->reports[i].kind != OOM_REPORT_MEM_INFO);
}

/* A text whose clock goes back may have the parts of pstore, the newest first. */
static bool is_reversed(struct dump *d, struct log_name *name)
{
	struct log_order *order = dump_alloc(d, sizeof(*order));

	if (textfile_read_any(d, name->path, take_order, order) != ST_OK ||
	    !log_order_is_reversed(order))
		return false;
	name->order = order;
	return true;
}

enum status log_source_open(struct dump *d, const char *file)
{
	struct log_name name = name_of(d, file);
	const char *path = name.path;
	struct log_file *f = dump_alloc(d, sizeof(*f));
	struct oom_reports all;
	bool takes_bare;
	enum status st;

	dump_forget(d);
	if (is_stream(path))
		return dump_unreadable(
			d,
			"'%s': a log is read from a regular file: save it in one, which may be of gzip",
			path);
	if (is_dump(path))
		return dump_unreadable(d, "'%s': a dump, no log: memowner %s", path, path);
	st = read_log(d, &name, false, f, &all);
	/* A mail may have a report without stamps, and other lines with them, of which one alone is no report. */
	takes_bare = st == ST_OK && f->left_bare && !has_report(&all);
	if (takes_bare)
		st = read_log(d, &name, true, f, &all);
	if (st != ST_OK)
		return st;
	/* Lines that are put together are not those that are counted there. */
	if ((f->clock_goes_back || f->clock_jumps) && !name.part && !name.fold &&
	    is_reversed(d, &name))
		st = read_log(d, &name, takes_bare, f, &all);
	if (st != ST_OK)
		return st;
	if (f->boots < name.part)
		return dump_unreadable(d,
				       "'%s': it has %u boots or parts, and number %u is asked for",
				       path, f->boots, name.part);
	if (f->hosts)
		return dump_unreadable(d, "'%s': lines of several hosts, as %s: give those of one",
				       path, f->hosts);
	if (!is_understood(f, &all))
		return dump_unreadable(d, "'%s': the form of its lines is unknown", path);
	d->log_file = f;
	d->page_shift = page_shift_of(d, f, &all);
	return ST_OK;
}
