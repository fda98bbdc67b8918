// SPDX-License-Identifier: GPL-2.0-or-later
#include "shell/prompt.h"

#include <stdlib.h>

#include "shell/interrupt.h"
#include "shell/line_reader.h"

void prompt_run(struct shell *s)
{
	char *line;

	line_reader_open(s->commands);
	while (!s->ended && (line = line_reader_next("memowner> "))) {
		interrupt_hold();
		shell_line(s, line);
		interrupt_release();
		free(line);
	}
	line_reader_close();
}
