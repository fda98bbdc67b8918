// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/textfile.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static enum status cannot(struct dump *d, const char *what, const char *path)
{
	return dump_fail(d, ST_USAGE, "cannot %s the file '%s': %s", what, path, strerror(errno));
}

static enum status read_lines(struct dump *d, const char *path, FILE *f,
			      enum status (*visit)(void *arg, char *line), void *arg)
{
	char *line = dump_alloc(d, TEXTFILE_LINE);
	unsigned long n = 0;
	enum status st = line ? ST_OK : ST_NOMEM;

	errno = 0;
	while (st == ST_OK && fgets(line, TEXTFILE_LINE, f)) {
		size_t len = strlen(line);

		if (!(++n & 1023) && dump_stopped(d))
			return ST_STOPPED;
		if ((!len || line[len - 1] != '\n') && !feof(f) && len < TEXTFILE_LINE - 1)
			return dump_fail(d, ST_USAGE, "the file '%s' has bytes of 0: it is no text",
					 path);
		if (len == TEXTFILE_LINE - 1)
			return dump_fail(d, ST_USAGE, "the file '%s' has a line that is too long",
					 path);
		if (len && line[len - 1] == '\n')
			line[len - 1] = '\0';
		st = visit(arg, line);
	}
	return st == ST_OK && ferror(f) ? cannot(d, "read", path) : st;
}

/* A pipe could keep us waiting, a device never end. */
static FILE *open_regular(const char *path)
{
	int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	struct stat st;
	FILE *f;

	if (fd < 0)
		return NULL;
	if (fstat(fd, &st) || !S_ISREG(st.st_mode)) {
		close(fd);
		errno = S_ISDIR(st.st_mode) ? EISDIR : EINVAL;
		return NULL;
	}
	f = fdopen(fd, "r");
	if (!f)
		close(fd);
	return f;
}

enum status textfile_read(struct dump *d, const char *path,
			  enum status (*visit)(void *arg, char *line), void *arg)
{
	FILE *f = open_regular(path);
	enum status st;

	if (!f)
		return cannot(d, "read", path);
	st = read_lines(d, path, f, visit, arg);
	fclose(f);
	return st;
}

struct output {
	FILE *file;
	int error;
};

static bool write_file(void *priv, const char *s, size_t n)
{
	struct output *o = priv;

	if (fwrite(s, 1, n, o->file) == n)
		return true;
	o->error = errno;
	return false;
}

enum status textfile_write(struct dump *d, const char *path,
			   enum status (*put)(void *arg, struct sink *sink), void *arg)
{
	struct sink *sink = dump_alloc(d, sizeof(*sink));
	struct output o = { 0 };
	enum status st;

	if (!sink)
		return ST_NOMEM;
	o.file = fopen(path, "wxe");
	if (!o.file)
		return cannot(d, "write", path);
	sink_init(sink, write_file, &o);
	st = put(arg, sink);
	sink_flush(sink);
	if (fclose(o.file) && !o.error)
		o.error = errno;
	if (o.error) {
		errno = o.error;
		st = cannot(d, "write", path);
	}
	if (st != ST_OK)
		unlink(path);
	return st;
}
