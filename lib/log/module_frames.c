// SPDX-License-Identifier: GPL-2.0-or-later
#include "log/module_frames.h"

#include <stdio.h>
#include <string.h>

#include "log/log_text.h"
#include "util/array.h"

#define LINKED "Modules linked in:"

void module_frames_add(struct module_frames *m, const char *frame)
{
	const char *open = strstr(frame, " [");

	m->is_whole |= log_after(frame, "</IRQ>") != NULL;
	if (m->is_whole || *frame == '<' || *frame == '?' || m->n == MODULE_FRAMES || !open ||
	    !strstr(frame, "+0x") || !strchr(open, ']'))
		return;
	log_copy(m->frames[m->n++], MODULE_FRAME_BYTES, frame, strlen(frame));
}

/* "Workqueue: NAME FUNCTION [MODULE]", print_worker_info() of kernel/workqueue.c; the name is of who made the workqueue. */
static bool take_work(struct module_frames *m, const char *line)
{
	const char *p = log_after(line, "Workqueue: "), *open = p ? strrchr(p, '[') : NULL;
	const char *function = open > p && open[-1] == ' ' ? open - 1 : NULL;

	if (!function || *m->work || !strchr(open, ']'))
		return p != NULL;
	while (function > p && function[-1] != ' ')
		function--;
	if (function > p)
		log_copy(m->work, sizeof(m->work), function, strcspn(function, "]") + 1);
	return true;
}

/* Flags as module_flags() of kernel/module prints them: O is TAINT_OOT_MODULE. */
bool module_frames_line(struct module_frames *m, const char *line)
{
	const char *p = log_after(line, LINKED);

	if (!p)
		return take_work(m, line);
	while (*p) {
		size_t len, flags;

		p += strspn(p, " ");
		len = strcspn(p, " (");
		flags = p[len] == '(' ? strcspn(p + len, ")") : 0;
		if (flags && memchr(p + len, 'O', flags) && m->nout < MODULE_FRAMES)
			log_copy(m->out_of_tree[m->nout++], MODULE_NAME_BYTES, p, len);
		p += len;
		p += strcspn(p, " ");
	}
	return true;
}

static bool is_of(const char *frame, const char *module)
{
	const char *open = strstr(frame, " [");
	const size_t len = strlen(module);

	/* "[module(O)]", as 5.x and earlier have in some traces, and a build ID that may follow the name. */
	return open && !strncmp(open + 2, module, len) && strchr("]( ", open[2 + len]) &&
	       open[2 + len];
}

static bool is_out_of_tree(const struct module_frames *m, const char *frame)
{
	return ANY_OF(k, m->nout, is_of(frame, m->out_of_tree[k]));
}

const char *module_frames_first(const struct module_frames *m)
{
	for (unsigned int i = 0; i < m->n; i++)
		if (is_out_of_tree(m, m->frames[i]))
			return m->frames[i];
	return *m->work && (!m->n || is_out_of_tree(m, m->work)) ? m->work
	       : m->n						 ? m->frames[0]
								 : NULL;
}

void frame_name(const char *frame, char *to, size_t size)
{
	const char *module = strstr(frame, " [");

	snprintf(to, size, "%.*s%s", (int)strcspn(frame, "+ "), frame, module ?: "");
}
