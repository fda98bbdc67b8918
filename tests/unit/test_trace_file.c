// SPDX-License-Identifier: GPL-2.0-or-later
/* The trace file of faults -k -w: what its status says. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kgtp/trace_file.h"
#include "stub.h"
#include "test.h"

/* The line "status" of a trace file. */
static bool says_stop(struct kgtp *k, const char *reason)
{
	struct kgtp_trace_file file = { .kgtp = k };
	struct text *out = calloc(1, sizeof(*out));
	char line[64];
	bool ret;

	text_open(out);
	CHECK(kgtp_trace_file_put(&file, &out->sink) == ST_OK);
	snprintf(line, sizeof(line), "\nstatus 0;%s:0;tframes:0;", reason);
	ret = strstr(text_get(out), line);
	free(out);
	return ret;
}

static void a_trace_file_says_why_tracing_stopped(void)
{
	struct kgtp_tracepoint points[] = {
		{ .number = 1, .type = "kprobe", .stopped = "normal" },
		{ .number = 2, .type = "kprobe", .stopped = "normal" }
	};
	STUB(s);
	struct kgtp k = { .tracepoints = { .t = points, .n = 2, .known = true } };

	k.dump = &s.dump;
	k.known[KGTP_SET_START] = true;
	/* Tracing was off, and no tracepoint stopped by itself: the user did. */
	CHECK(says_stop(&k, "tstop"));
	k.settings[KGTP_SET_START] = 1;
	CHECK(says_stop(&k, "tunknown"));
	points[1].stopped = "frame_full";
	CHECK(says_stop(&k, "tfull"));
	k.settings[KGTP_SET_START] = 0;
	points[1].stopped = "efault";
	CHECK(says_stop(&k, "tunknown"));
	points[1].stopped = "normal";
	k.tracepoints.problem = "gtp_list loops";
	CHECK(says_stop(&k, "tunknown"));
	/* Who was probed at the return is told from the entry. */
	CHECK_TEXT(kgtp_tracepoint_probe(&points[0]), "kprobe");
	points[0].kretprobe = true;
	CHECK_TEXT(kgtp_tracepoint_probe(&points[0]), "kretprobe");
}

TESTS({ "a trace file says why tracing stopped", a_trace_file_says_why_tracing_stopped })
