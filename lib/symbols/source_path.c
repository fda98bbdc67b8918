// SPDX-License-Identifier: GPL-2.0-or-later
#include "symbols/source_path.h"

#include <string.h>

struct path {
	char *buf;
	size_t len;
	bool absolute;
};

/* Where the last component begins. */
static size_t last_component(const struct path *p)
{
	size_t at = p->len;

	while (at && p->buf[at - 1] != '/')
		at--;
	return at;
}

static void drop_last(struct path *p)
{
	p->len = last_component(p);
	/* The slash before it too, but for the root's. */
	if (p->len > (p->absolute ? 1 : 0))
		p->len--;
}

static bool ends_in_parent(const struct path *p)
{
	size_t at = last_component(p);

	return p->len - at == 2 && p->buf[at] == '.' && p->buf[at + 1] == '.';
}

static bool append(struct path *p, const char *name, size_t len)
{
	if (p->len + len + 2 > SOURCE_PATH_BYTES)
		return false;
	if (p->len && p->buf[p->len - 1] != '/')
		p->buf[p->len++] = '/';
	for (size_t i = 0; i < len; i++) {
		unsigned char c = name[i];

		p->buf[p->len++] = c < 0x20 || c == 0x7f ? '?' : c;
	}
	return true;
}

static bool add(struct path *p, const char *text)
{
	while (*text) {
		size_t len = strcspn(text, "/");

		if (len == 2 && !memcmp(text, "..", 2)) {
			if (p->len > (p->absolute ? 1 : 0) && !ends_in_parent(p))
				drop_last(p);
			else if (!p->absolute && !append(p, text, len))
				return false;
		} else if (len && !(len == 1 && *text == '.') && !append(p, text, len)) {
			return false;
		}
		text += len + strspn(text + len, "/");
	}
	return true;
}

bool source_path(const char *dir, const char *name, char buf[static SOURCE_PATH_BYTES])
{
	struct path p = { .buf = buf };

	if (*name == '/')
		dir = NULL;
	p.absolute = dir ? *dir == '/' : *name == '/';
	if (p.absolute)
		buf[p.len++] = '/';
	if ((dir && !add(&p, dir)) || !add(&p, name))
		return false;
	buf[p.len] = '\0';
	return true;
}

const char *source_below(const char *path, const char *dir)
{
	size_t len = dir ? strlen(dir) : 0;

	if (!len || strncmp(path, dir, len))
		return path;
	if (dir[len - 1] == '/')
		return path[len] ? path + len : path;
	return path[len] == '/' && path[len + 1] ? path + len + 1 : path;
}

bool source_root(const char *path, char buf[static SOURCE_PATH_BYTES])
{
	static const char tail[] = "/init/main.c";
	size_t len = strlen(path);

	if (len < strlen(tail) || len >= SOURCE_PATH_BYTES ||
	    strcmp(path + len - strlen(tail), tail))
		return false;
	len -= strlen(tail);
	memcpy(buf, path, len);
	buf[len] = '\0';
	return true;
}
