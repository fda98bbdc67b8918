// SPDX-License-Identifier: GPL-2.0-or-later
#include "file/input.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "file/flat_index.h"

static void close_input(void *arg)
{
	close(*(int *)arg);
}

static enum status find_flat(struct dump *d, const struct input *file, struct input *ret)
{
	char magic[sizeof(FLAT_SIGNATURE)];
	bool ended = true;
	enum status st;

	*ret = *file;
	if (!input_read(file, 0, magic, sizeof(magic)) ||
	    memcmp(magic, FLAT_SIGNATURE, sizeof(magic)))
		return ST_OK;
	st = flat_index_open(d, file, &ret->flat, &ret->size, &ended);
	ret->is_cut = !ended;
	return st;
}

enum status input_open(struct dump *d, const char *path, struct input *ret)
{
	int *fd = dump_alloc(d, sizeof(*fd));
	struct stat sb;
	off_t size;

	if (!fd)
		return ST_NOMEM;
	/* A FIFO without a writer would not open. */
	*fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (*fd < 0)
		return dump_fail(d, ST_USAGE, "%s: %s", path, strerror(errno));
	if (!arena_at_reset(d->arena, close_input, fd)) {
		close(*fd);
		return dump_no_memory(d);
	}
	if (fstat(*fd, &sb))
		return dump_fail(d, ST_USAGE, "%s: %s", path, strerror(errno));
	if (S_ISDIR(sb.st_mode))
		return dump_fail(d, ST_USAGE, "%s: a directory; give the dump in it", path);
	if (!S_ISREG(sb.st_mode) && !S_ISBLK(sb.st_mode))
		return dump_fail(d, ST_USAGE, "%s: a device or a pipe; give a file", path);
	/* st_size of a disk is 0. */
	size = lseek(*fd, 0, SEEK_END);
	if (size < 0)
		return dump_fail(d, ST_USAGE, "%s: %s", path, strerror(errno));
	return find_flat(d, &(struct input){ path, *fd, size, size, NULL, false }, ret);
}

static bool read_file(const struct input *in, uint64_t at, void *buf, size_t len)
{
	char *to = buf;

	while (len) {
		ssize_t n = pread(in->fd, to, len, at);

		if (n < 0 && errno == EINTR)
			continue;
		/* 0: it is shorter than it was. */
		if (n <= 0)
			return false;
		to += n;
		at += n;
		len -= n;
	}
	return true;
}

static bool read_flat(const struct input *in, uint64_t at, char *buf, size_t len, bool table)
{
	while (len) {
		struct flat_run run = flat_index_at(in->flat, at);
		size_t part = len < run.bytes ? len : run.bytes;

		if (run.is_gap && !table)
			return false;
		if (run.is_gap)
			memset(buf, 0, part);
		else if (!read_file(in, run.at, buf, part))
			return false;
		at += part;
		buf += part;
		len -= part;
	}
	return true;
}

static bool read_either(const struct input *in, uint64_t at, void *buf, size_t len, bool table)
{
	if (at > in->size || len > in->size - at)
		return false;
	return in->flat ? read_flat(in, at, buf, len, table) : read_file(in, at, buf, len);
}

bool input_read(const struct input *in, uint64_t at, void *buf, size_t len)
{
	return read_either(in, at, buf, len, false);
}

bool input_read_table(const struct input *in, uint64_t at, void *buf, size_t len)
{
	return read_either(in, at, buf, len, true);
}
