// SPDX-License-Identifier: GPL-2.0-or-later
#include "file/raw_file.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* Within which a program that writes it, or copies it, has written some of it. */
#define RECENT_S 60

static void close_file(void *arg)
{
	int fd = *(int *)arg;

	if (fd >= 0)
		close(fd);
}

enum status raw_file_open(struct dump *d, const char *path, struct raw_file *ret)
{
	int *fd = dump_alloc(d, sizeof(*fd));
	struct stat sb;
	off_t size;

	*fd = -1;
	arena_at_reset(d->arena, close_file, fd);
	/* A FIFO without a writer would not open. */
	*fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (*fd < 0)
		return dump_fail(d, ST_USAGE, "%s: %s", path, strerror(errno));
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
	*ret = (struct raw_file){ path, *fd, size, time(NULL) - sb.st_mtime < RECENT_S };
	return ST_OK;
}

bool raw_file_read(const struct raw_file *f, uint64_t at, void *buf, size_t len)
{
	char *to = buf;

	if (at > f->size || len > f->size - at)
		return false;
	while (len) {
		ssize_t n = pread(f->fd, to, len, at);

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
