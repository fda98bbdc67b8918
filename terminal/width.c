// SPDX-License-Identifier: GPL-2.0-or-later
#include "terminal/width.h"

#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

unsigned int terminal_columns(int fd)
{
	const char *text = getenv("COLUMNS");
	struct winsize size;
	long columns;

	if (fd < 0 || !isatty(fd))
		return 0;
	if (!ioctl(fd, TIOCGWINSZ, &size) && size.ws_col)
		return size.ws_col;
	columns = text ? strtol(text, NULL, 10) : 0;
	return columns > 0 && columns < 10000 ? columns : 80;
}
