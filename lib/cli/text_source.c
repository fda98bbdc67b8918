// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/text_source.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

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

	memset(s, 0, sizeof(*s));
	s->fd = open_regular(path);
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
