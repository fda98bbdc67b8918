// SPDX-License-Identifier: GPL-2.0-or-later
#include "mute.h"

#include "util/not_used.h"

static FILE *stream;
static unsigned long lines;

static ssize_t swallow(void *cookie NOT_USED, const char *buf, size_t size)
{
	for (size_t i = 0; i < size; i++)
		lines += buf[i] == '\n';
	return size;
}

FILE *mute_stream(void)
{
	static const cookie_io_functions_t functions = { .write = swallow };

	if (!stream)
		stream = fopencookie(NULL, "w", functions);
	return stream ? stream : stderr;
}

unsigned long mute_lines(void)
{
	if (stream)
		fflush(stream);
	return lines;
}

void mute_reset(void)
{
	if (stream)
		fflush(stream);
	lines = 0;
}

void mute_close(void)
{
	if (stream)
		fclose(stream);
	stream = NULL;
}
