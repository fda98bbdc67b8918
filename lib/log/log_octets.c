// SPDX-License-Identifier: GPL-2.0-or-later
#include "log/log_octets.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "util/arena.h"

#define MOST 8192     /* bytes of a frame: what daemons of syslog take by default */
#define MOST_DIGITS 4 /* of MOST */
#define LEVEL_DIGITS 3
#define DIGITS "0123456789"

struct log_octets {
	struct arena *arena;
	char last[MOST + MOST_DIGITS + 1]; /* the frame that the part before ended in */
	size_t used;			   /* bytes of it; 0: none */
	char *whole;			   /* that frame and the part behind it */
	size_t room;
	char *at, *end;
	char first; /* byte at at, where the end of the frame before it stands */
	bool ends;
};

struct log_octets *log_octets_open(struct arena *a)
{
	struct log_octets *o = arena_alloc(a, sizeof(*o));

	o->arena = a;
	return o;
}

/* Bytes of "125 " before "<4>1 ", or before "<4>Nov" of the older form; 0: no frame begins there. */
static size_t head_of(const char *p, size_t *count)
{
	const size_t digits = strspn(p, DIGITS);
	const char *level = p + digits + 1;
	size_t n;

	if (!digits || digits > MOST_DIGITS || *p == '0' || p[digits] != ' ' || *level != '<')
		return 0;
	n = strspn(level + 1, DIGITS);
	if (!n || n > LEVEL_DIGITS || level[n + 1] != '>')
		return 0;
	level += n + 2;
	if (strncmp(level, "1 ", 2) != 0 && !isupper((unsigned char)*level))
		return 0;
	*count = strtoul(p, NULL, 10);
	return digits + 1;
}

bool log_octets_begin(struct log_octets *o, char *line, size_t len, bool ends)
{
	const size_t used = o->used, room = used + len + 1;
	size_t count;

	o->used = 0;
	if (strlen(line) != len || (!used && !head_of(line, &count)))
		return false;
	if (used && room > o->room) {
		o->whole = arena_alloc(o->arena, room);
		o->room = room;
	}
	if (used) {
		memcpy(o->whole, o->last, used);
		memcpy(o->whole + used, line, len + 1);
	}
	o->at = used ? o->whole : line;
	o->end = o->at + used + len;
	o->first = *o->at;
	o->ends = ends;
	return true;
}

char *log_octets_next(struct log_octets *o)
{
	char *frame = o->at;
	size_t count, other, head, left;

	if (frame == o->end)
		return NULL;
	*frame = o->first;
	left = (size_t)(o->end - frame);
	head = head_of(frame, &count);
	if (head && count > left - head && !o->ends && left < sizeof(o->last)) {
		memcpy(o->last, frame, left);
		o->last[left] = '\0';
		o->used = left;
		o->at = o->end;
		return NULL;
	}
	/* A count that no other frame is behind is not true: what is there is one. */
	if (!head || count >= left - head || !head_of(frame + head + count, &other))
		count = left - head;
	o->at = frame + head + count;
	o->first = *o->at;
	*o->at = '\0';
	return frame + head;
}

char *log_octets_end(struct log_octets *o)
{
	size_t count;

	return o->used ? o->last + head_of(o->last, &count) : NULL;
}
