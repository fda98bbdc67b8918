// SPDX-License-Identifier: GPL-2.0-or-later
#include "file/input.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void close_input(void *arg)
{
	close(*(int *)arg);
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
		return dump_fail(d, ST_USAGE, "%s: is a directory", path);
	if (!S_ISREG(sb.st_mode) && !S_ISBLK(sb.st_mode))
		return dump_fail(d, ST_USAGE, "%s: is no file", path);
	/* st_size of a disk is 0. */
	size = lseek(*fd, 0, SEEK_END);
	if (size < 0)
		return dump_fail(d, ST_USAGE, "%s: %s", path, strerror(errno));
	*ret = (struct input){ path, *fd, size };
	return ST_OK;
}

bool input_read(const struct input *in, uint64_t at, void *buf, size_t len)
{
	char *to = buf;

	if (at > in->size || len > in->size - at)
		return false;
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

enum status window_open(struct dump *d, const struct input *in, size_t room, struct window *ret)
{
	*ret = (struct window){ .input = in, .bytes = dump_alloc(d, room), .room = room };
	return ret->bytes ? ST_OK : ST_NOMEM;
}

const uint8_t *window_at(struct window *w, uint64_t at, size_t len)
{
	uint64_t size = w->input->size;
	size_t want = len;

	if (at > size || len > size - at || len > w->room)
		return NULL;
	if (at >= w->start && at < w->end && len <= w->end - at)
		return w->bytes + (at - w->start);
	/* On from where the last bytes were: more of that kind will follow. */
	if (at >= w->start && at <= w->end + w->room)
		want = w->room < size - at ? w->room : size - at;
	w->start = w->end = at;
	if (!input_read(w->input, at, w->bytes, want)) {
		/* Shorter than it was: these bytes may be there nevertheless. */
		want = len;
		if (!input_read(w->input, at, w->bytes, want))
			return NULL;
	}
	w->end = at + want;
	return w->bytes + (at - w->start);
}
