// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/spill.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define SHARED ((uint64_t)16 << 20) /* bytes that small pieces share */
#define SMALL (SHARED / 16)
#define UNIT ((uint64_t)64 << 10) /* a multiple of the page of any host */

/* A part of the file that is mapped. */
struct extent {
	struct spill *spill;
	void *at;
	uint64_t offset, bytes;
};

static void close_file(void *arg)
{
	struct spill *s = arg;

	if (s->fd >= 0)
		close(s->fd);
	s->fd = -1;
}

/* Gives its space on the disk back, too. */
static void release(void *arg)
{
	struct extent *e = arg;

	if (!e->at)
		return;
	munmap(e->at, e->bytes);
	fallocate(e->spill->fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, (off_t)e->offset,
		  (off_t)e->bytes);
	e->spill->used -= e->bytes;
}

void spill_init(struct spill *ret, struct arena *arena, uint64_t limit)
{
	*ret = (struct spill){ .arena = arena, .fd = -1, .limit = limit };
	/* Asked for first, called last. */
	arena_at_reset(arena, close_file, ret);
}

static void *fail(struct spill *s, int error)
{
	if (!s->problem)
		s->problem = strerror(error);
	return NULL;
}

static int open_in(const char *dir)
{
	return open(dir, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
}

static bool open_file(struct spill *s)
{
	const char *dir = getenv("TMPDIR");

	if (s->fd < 0)
		s->fd = open_in(dir && *dir ? dir : "/var/tmp");
	/* A rescue system may have no other. */
	if (s->fd < 0 && !(dir && *dir))
		s->fd = open_in("/tmp");
	return s->fd >= 0;
}

static void *map(struct spill *s, struct arena *arena, uint64_t bytes)
{
	struct extent *e = arena_alloc(arena, sizeof(*e));
	int error;

	arena_at_reset(arena, release, e);
	bytes = (bytes + UNIT - 1) & ~(UNIT - 1);
	if (bytes > s->limit - s->used)
		return fail(s, EDQUOT);
	if (!open_file(s))
		return fail(s, errno);
	error = posix_fallocate(s->fd, (off_t)s->end, (off_t)bytes);
	if (error)
		return fail(s, error);
	*e = (struct extent){
		s, mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, s->fd, (off_t)s->end),
		s->end, bytes
	};
	if (e->at == MAP_FAILED) {
		e->at = NULL;
		return fail(s, errno);
	}
	s->end += bytes;
	s->used += bytes;
	return e->at;
}

void *spill_alloc(struct spill *s, struct arena *arena, uint64_t bytes)
{
	void *ret;

	if (bytes > s->limit)
		return fail(s, EDQUOT);
	if (bytes > SMALL)
		return map(s, arena, bytes);
	bytes = (bytes + 15) & ~(uint64_t)15;
	if (bytes > s->left) {
		s->left = 0;
		s->at = map(s, s->arena, SHARED);
		if (!s->at)
			return NULL;
		s->left = SHARED;
	}
	ret = s->at;
	s->at += bytes;
	s->left -= bytes;
	return ret;
}
