// SPDX-License-Identifier: GPL-2.0-or-later
#include "shell/prompt.h"

#include <stdlib.h>

#include "shell/line_reader.h"

enum exit_status prompt_run(struct shell *s)
{
	char *line;

	line_reader_open(s->commands);
	while (!s->ended && (line = line_reader_next("memowner> "))) {
		s->status = EXIT_OK;
		shell_line(s, line);
		free(line);
	}
	line_reader_close();
	/* Ctrl-C ended a command, not the program. */
	return s->status == EXIT_INTERRUPTED ? EXIT_OK : s->status;
}
