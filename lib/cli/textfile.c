// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/textfile.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

static enum status cannot(struct dump *d, const char *what, const char *path)
{
	/* What text_source_open() makes of a device or a pipe. */
	if (errno == EINVAL)
		return dump_usage(
			d,
			"cannot %s '%s': it is a pipe or a device: save its text in a file "
			"first",
			what, path);
	if (errno == ENOENT && !strcmp(path, "-"))
		return dump_usage(
			d,
			"cannot %s '-': it is no name of standard input here: save that in a file first",
			what);
	return dump_usage(d, "cannot %s the file '%s': %s", what, path, strerror(errno));
}

struct lines_of {
	struct dump *dump;
	const char *path;
	struct text_source source;
	bool is_open;
	char buf[TEXT_SOURCE_BYTES];
	size_t at, have;
	size_t len; /* of the line */
	bool ends;  /* with a newline */
	char line[TEXTFILE_LINE];
};

/* Whether the text ended where it was to end. */
static enum status check_end(struct lines_of *f)
{
	switch (f->source.problem) {
	case TEXT_OK:
		return ST_OK;
	case TEXT_ERRNO:
		return cannot(f->dump, "read", f->path);
	case TEXT_CUT:
		return dump_usage(f->dump, "the file '%s' is truncated: its gzip data end early",
				  f->path);
	default:
		return dump_usage(f->dump,
				  "the file '%s' is damaged: its gzip data are not correct",
				  f->path);
	}
}

/* Into f->line, without its end, as far as it has room.  false: there is no other. */
static bool next_piece(struct lines_of *f)
{
	const char *end = NULL;

	f->len = 0;
	while (!end && f->len < TEXTFILE_LINE - 1) {
		size_t n, room = TEXTFILE_LINE - 1 - f->len;

		if (f->at == f->have) {
			f->at = 0;
			f->have = text_source_read(&f->source, f->buf, sizeof(f->buf));
			if (!f->have)
				break;
		}
		n = f->have - f->at < room ? f->have - f->at : room;
		end = memchr(f->buf + f->at, '\n', n);
		n = end ? (size_t)(end - f->buf) - f->at : n;
		memcpy(f->line + f->len, f->buf + f->at, n);
		f->len += n;
		f->at += n + (end != NULL);
	}
	f->line[f->len] = '\0';
	f->ends = end != NULL;
	return end || f->len;
}

/* What a kernel, QEMU or makedumpfile wrote: ELF of ET_CORE, kdump, and makedumpfile -F. */
static bool is_dump(const struct lines_of *f)
{
	static const char core[] = "\177ELF", kdump[] = "KDUMP   ", flat[] = "makedumpfile";
	const unsigned int type_at = 16;
	const char *p = f->line;

	return (f->len > type_at + 1 && !memcmp(p, core, sizeof(core) - 1) &&
		(p[type_at] == ET_CORE || p[type_at + 1] == ET_CORE)) ||
	       (f->len > sizeof(kdump) && !memcmp(p, kdump, sizeof(kdump) - 1)) ||
	       (f->len > sizeof(flat) && !memcmp(p, flat, sizeof(flat) - 1));
}

/* The same of a text: one that is too long, or no text, is refused. ST_ABSENT: there is no other. */
static enum status next_line(struct lines_of *f)
{
	bool has_more = next_piece(f);

	if (strlen(f->line) != f->len)
		return dump_usage(f->dump, "the file '%s' has bytes of 0: it is no text%s", f->path,
				  is_dump(f) ? " but a dump, of which a view prints one with -j"
					     : "");
	if (!f->ends && f->len == TEXTFILE_LINE - 1)
		return dump_usage(f->dump, "the file '%s' has a line that is too long", f->path);
	if (!f->ends && check_end(f) != ST_OK)
		return ST_USAGE;
	/* As a mail, or an editor of another system, ends it. */
	if (f->ends && f->len && f->line[f->len - 1] == '\r')
		f->line[--f->len] = '\0';
	return has_more ? ST_OK : ST_ABSENT;
}

static void close_source(void *arg)
{
	struct lines_of *f = arg;

	if (f->is_open)
		text_source_close(&f->source);
	f->is_open = false;
}

/* What is no text as it stands; gzip's was read through. */
static const struct {
	const char *begins, *what;
} ENCODED[] = {
	{ "\xff\xfe", "UTF-16: save it as UTF-8, as iconv -f UTF-16 does" },
	{ "\xfe\xff", "UTF-16: save it as UTF-8, as iconv -f UTF-16 does" },
	{ "\xfd"
	  "7zXZ",
	  "compressed by xz: uncompress it first" },
	{ "\x28\xb5\x2f\xfd", "compressed by zstd: uncompress it first" },
	{ "BZh91AY&SY", "compressed by bzip2: uncompress it first" },
};

#define UNITS_LOOKED_AT 64 /* of 16 bits */
#define UNITS_TO_TELL 8

/* Without a mark: of letters of ASCII one byte of each unit, always the same one, is 0. */
static bool is_utf16(const struct lines_of *f)
{
	size_t n = f->have / 2 < UNITS_LOOKED_AT ? f->have / 2 : UNITS_LOOKED_AT;
	size_t zero[2] = { 0 };

	for (size_t i = 0; i < 2 * n; i++)
		zero[i & 1] += !f->buf[i];
	/* A sign of another script may be among them, as a quotation mark. */
	return n >= UNITS_TO_TELL && (!zero[0] || !zero[1]) && zero[0] + zero[1] >= n - n / 8;
}

/* Reads the first bytes, which next_piece() begins with. */
static enum status check_begin(struct lines_of *f)
{
	f->have = text_source_read(&f->source, f->buf, sizeof(f->buf));
	for (size_t i = 0; i < ARRAY_SIZE(ENCODED); i++) {
		size_t n = strlen(ENCODED[i].begins);

		if (f->have >= n && !memcmp(f->buf, ENCODED[i].begins, n))
			return dump_usage(f->dump, "the file '%s' is %s", f->path, ENCODED[i].what);
	}
	if (is_utf16(f))
		return dump_usage(
			f->dump,
			"the file '%s' is UTF-16 without a mark: save it as UTF-8, as iconv -f "
			"UTF-16%s does",
			f->path, f->buf[0] ? "LE" : "BE");
	if (f->have >= strlen(TEXTFILE_MARK) &&
	    !memcmp(f->buf, TEXTFILE_MARK, strlen(TEXTFILE_MARK)))
		f->at = strlen(TEXTFILE_MARK);
	return ST_OK;
}

static enum status open_lines(struct dump *d, const char *path, struct lines_of **ret)
{
	struct lines_of *f = dump_alloc(d, sizeof(*f));

	f->dump = d;
	f->path = path;
	arena_at_reset(d->arena, close_source, f);
	if (text_source_open(&f->source, path) != TEXT_OK)
		return cannot(d, "read", path);
	f->is_open = true;
	*ret = f;
	return check_begin(f);
}

enum status textfile_read(struct dump *d, const char *path,
			  enum status (*visit)(void *arg, char *line), void *arg)
{
	bool is_cut;

	return textfile_read_cut(d, path, visit, arg, &is_cut);
}

enum status textfile_read_cut(struct dump *d, const char *path,
			      enum status (*visit)(void *arg, char *line), void *arg, bool *is_cut)
{
	struct lines_of *f;
	unsigned long n = 0;
	enum status st = open_lines(d, path, &f);

	if (st != ST_OK)
		return st;
	while ((st = next_line(f)) == ST_OK) {
		*is_cut = !f->ends;
		st = !(++n & 1023) && dump_stopped(d) ? ST_STOPPED : visit(arg, f->line);
		if (st != ST_OK)
			break;
	}
	close_source(f);
	return st == ST_ABSENT ? ST_OK : st;
}

enum status textfile_read_any(struct dump *d, const char *path,
			      enum status (*visit)(void *arg, char *line, size_t len, bool ends),
			      void *arg)
{
	struct lines_of *f;
	unsigned long n = 0;
	enum status st = open_lines(d, path, &f);

	if (st != ST_OK)
		return st;
	while (st == ST_OK && next_piece(f))
		st = !(++n & 1023) && dump_stopped(d) ? ST_STOPPED
						      : visit(arg, f->line, f->len, f->ends);
	st = st ?: check_end(f);
	close_source(f);
	return st;
}

void textfile_start(const char *line, char *buf, size_t size)
{
	snprintf(buf, size, "%s", line);
	for (; *buf; buf++)
		if (*buf < ' ' || *buf > '~')
			*buf = '?';
}

struct output {
	FILE *file; /* NULL: it is not open */
	const char *path;
	int error;
};

/* Of a command that was ended before it had put all. */
static void remove_output(void *arg)
{
	struct output *o = arg;

	if (!o->file)
		return;
	fclose(o->file);
	unlink(o->path);
}

static bool write_file(void *priv, const char *s, size_t n)
{
	struct output *o = priv;

	if (fwrite(s, 1, n, o->file) == n)
		return true;
	o->error = errno;
	return false;
}

/* What the path names is not ours. */
static enum status taken(struct dump *d, const char *path)
{
	struct stat st;

	if (!stat(path, &st) && S_ISDIR(st.st_mode))
		return dump_usage(d, "cannot write '%s': it is a directory", path);
	return dump_usage(d, "the file '%s' is there and not overwritten: choose another name",
			  path);
}

enum status textfile_write(struct dump *d, const char *path,
			   enum status (*put)(void *arg, struct sink *sink), void *arg)
{
	struct sink *sink = dump_alloc(d, sizeof(*sink));
	struct output *o = dump_alloc(d, sizeof(*o));
	enum status st;

	if (!strcmp(path, "-"))
		return dump_usage(d, "'-' is no name of a file here: ./- is one");
	o->path = dump_strdup(d, path);
	arena_at_reset(d->arena, remove_output, o);
	o->file = fopen(path, "wxe");
	if (!o->file && errno == EEXIST)
		return taken(d, path);
	if (!o->file)
		return cannot(d, "write", path);
	sink_init(sink, write_file, o);
	st = put(arg, sink);
	sink_flush(sink);
	if (fclose(o->file) && !o->error)
		o->error = errno;
	o->file = NULL;
	if (o->error) {
		errno = o->error;
		st = cannot(d, "write", path);
	}
	if (st != ST_OK)
		unlink(path);
	return st;
}

#define GZIP_WINDOW (15 + 16) /* of inflateInit2(): the header is gzip's */

/* A pipe could keep us waiting, a device never end. */
static int open_regular(const char *path)
{
	int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	struct stat st;

	if (fd < 0)
		return -1;
	if (!fstat(fd, &st) && S_ISREG(st.st_mode))
		return fd;
	close(fd);
	errno = S_ISDIR(st.st_mode) ? EISDIR : EINVAL;
	return -1;
}

enum text_problem text_source_open(struct text_source *s, const char *path)
{
	unsigned char magic[2];

	*s = (struct text_source){ .fd = open_regular(path) };
	if (s->fd < 0)
		return TEXT_ERRNO;
	s->gzip = pread(s->fd, magic, 2, 0) == 2 && magic[0] == 0x1f && magic[1] == 0x8b;
	if (s->gzip && inflateInit2(&s->z, GZIP_WINDOW) != Z_OK) {
		close(s->fd);
		errno = ENOMEM;
		return TEXT_ERRNO;
	}
	return TEXT_OK;
}

/* Bytes of the file as it is. */
static size_t read_file(struct text_source *s, void *buf, size_t size)
{
	ssize_t n;

	do
		n = read(s->fd, buf, size);
	while (n < 0 && errno == EINTR);
	if (n < 0)
		s->problem = TEXT_ERRNO;
	return n < 0 ? 0 : n;
}

/* Compressed bytes for inflate(); false: there are no more. */
static bool refill(struct text_source *s)
{
	if (s->z.avail_in)
		return true;
	s->z.next_in = s->in;
	s->z.avail_in = read_file(s, s->in, sizeof(s->in));
	if (!s->z.avail_in && s->inside && s->problem == TEXT_OK)
		s->problem = TEXT_CUT;
	return s->z.avail_in;
}

static size_t inflate_some(struct text_source *s, void *buf, size_t size)
{
	s->z.next_out = buf;
	s->z.avail_out = size;
	while (s->z.avail_out == size && refill(s)) {
		int ret;

		s->inside = true;
		ret = inflate(&s->z, Z_NO_FLUSH);
		if (ret == Z_STREAM_END) {
			/* The file may have another member behind it. */
			s->inside = false;
			ret = inflateReset(&s->z);
		}
		if (ret != Z_OK && ret != Z_BUF_ERROR) {
			s->problem = TEXT_DAMAGED;
			break;
		}
	}
	return size - s->z.avail_out;
}

size_t text_source_read(struct text_source *s, void *buf, size_t size)
{
	if (s->problem != TEXT_OK)
		return 0;
	return s->gzip ? inflate_some(s, buf, size) : read_file(s, buf, size);
}

void text_source_close(struct text_source *s)
{
	if (s->gzip)
		inflateEnd(&s->z);
	close(s->fd);
}

bool text_source_begins(const char *path, char byte)
{
	struct text_source s;
	char first;
	bool begins;

	if (text_source_open(&s, path) != TEXT_OK)
		return false;
	begins = text_source_read(&s, &first, 1) == 1 && first == byte;
	text_source_close(&s);
	return begins;
}
