/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the program ends with; of several commands the highest. */
#pragma once

enum exit_status {
	EXIT_OK,
	EXIT_FAILED, /* the dump cannot be read or has no answer, or the output cannot be written */
	EXIT_USAGE,
	EXIT_INTERRUPTED = 130, /* as a shell tells an end by SIGINT */
};
