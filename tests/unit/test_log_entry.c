// SPDX-License-Identifier: GPL-2.0-or-later
/* Records that loggers write as objects, as fields in lines, or in pieces. */
#include "log/log_json.h"
#include "log_text.h"
#include "test.h"

#define HEAD "a invoked oom-killer: gfp_mask=0xcc0(GFP_KERNEL), order=0, oom_score_adj=0"
#define COUNTERS \
	"active_anon:664 inactive_anon:7451 isolated_anon:0\n free:346 free_pcp:718 free_cma:0"

/* Objects of journalctl -o json and of containers are lines of a log. */
static void json(void)
{
	static const struct {
		const char *line;
		enum log_json kind;
		const char *text;
	} lines[] = {
		{ "{\"_SOURCE_MONOTONIC_TIMESTAMP\": \"12345678\", \"_TRANSPORT\": \"kernel\", "
		  "\"_HOSTNAME\":\"box\",\"PRIORITY\":4,\"MESSAGE\" : \"a \\\"b\\\" \\u003cc\\\\\\nd\"}",
		  LOG_JSON_LINE, "[   12.345678] box kernel: a \"b\" <c\\\nd" },
		{ "{\"_TRANSPORT\":\"kernel\",\"MESSAGE\":\"a\"}", LOG_JSON_LINE, "<4>a" },
		{ "{\"_TRANSPORT\":\"stdout\",\"MESSAGE\":\"a\"}", LOG_JSON_OTHER, NULL },
		{ "{\"log\":\"[   12.345678] a\\n\",\"stream\":\"stdout\"}", LOG_JSON_LINE,
		  "[   12.345678] a" },
		{ "{\"log\":\"[   12.345678] a\\n\",\"stre", LOG_JSON_NONE, NULL },
		{ "{\"log\":\"a", LOG_JSON_NONE, NULL },
		{ "{\"log\":\"a\\", LOG_JSON_NONE, NULL },
		{ "{\"log\":{\"a\":1}}", LOG_JSON_NONE, NULL },
		{ "{\"log\":5}", LOG_JSON_LINE, "5" },
		{ "{\"log\":\"[   12.345678] a\",\"attrs\":{\"tag\":\"}\",\"b\":[{}]}}",
		  LOG_JSON_LINE, "[   12.345678] a" },
		{ "{\"MESSAGE\":[ 97, 60,0,255 ],\"_TRANSPORT\":\"kernel\"}", LOG_JSON_LINE,
		  "<4>a<?\xff" },
		{ "{\"MESSAGE\":[256],\"_TRANSPORT\":\"kernel\"}", LOG_JSON_OTHER, NULL },
		{ "{\"MESSAGE\":[],\"_TRANSPORT\":\"kernel\"}", LOG_JSON_OTHER, NULL },
		{ "{\"MESSAGE\":null,\"_TRANSPORT\":\"kernel\"}", LOG_JSON_OTHER, NULL },
		{ "{\"MESSAGE\":[\"a\",\"b\"],\"_TRANSPORT\":\"kernel\"}", LOG_JSON_OTHER, NULL },
		{ "{\"MESSAGE\":\"a\",\"_TRANSPORT\":\"kernel\",\"X\":[\"a\",\"b]\"]}",
		  LOG_JSON_LINE, "<4>a" },
		{ "{\"log\":[[[[", LOG_JSON_NONE, NULL },
		{ "data: {\"_TRANSPORT\":\"kernel\",\"MESSAGE\":\"a\"}", LOG_JSON_LINE, "<4>a" },
		{ "\x1e{\"_TRANSPORT\":\"kernel\",\"MESSAGE\":\"a\"}", LOG_JSON_LINE, "<4>a" },
		{ "{\"pri\": 4,\"time\":   12.345678,\"msg\": \"a\"}", LOG_JSON_LINE,
		  "<4>[12.345678] a" },
		{ "{\"pri\":4,\"time\":12.34567,\"msg\":\"a\"}", LOG_JSON_LINE,
		  "<4>[12.345670] a" },
		{ "{\"pri\":4,\"time\":12,\"msg\":\"a\"}", LOG_JSON_LINE, "<4>[12.000000] a" },
		{ "[{\"_TRANSPORT\":\"kernel\",\"MESSAGE\":\"a\"},", LOG_JSON_LINE, "<4>a" },
		{ "{\"_TRANSPORT\":\"kernel\",\"MESSAGE\":\"a\"}]", LOG_JSON_LINE, "<4>a" },
		{ "{\"ts\":1,\"line\":\"[   12.345678] a\\r\"}", LOG_JSON_LINE,
		  "[   12.345678] a" },
		{ "[\"[   12.345678] a \\\"b\\\"\\r\"]", LOG_JSON_LINE, "[   12.345678] a \"b\"" },
		/* Of those who ship logs, and of clouds. */
		{ "{\"@timestamp\":\"2026\",\"message\":\"[   12.345678] a\",\"host\":{\"name\":\"b\"}}",
		  LOG_JSON_LINE, "[   12.345678] a" },
		{ "{\"insertId\":\"7\",\"textPayload\":\"[   12.345678] a\\\\r\\\\n\"},",
		  LOG_JSON_LINE, "[   12.345678] a" },
		{ "    \"textPayload\": \"[   12.345678] a\\\\r\\\\n\",", LOG_JSON_LINE,
		  "[   12.345678] a" },
		{ "    \"insertId\": \"7\",", LOG_JSON_OTHER, NULL },
		{ "    \"textPayload\": [ 1 ]", LOG_JSON_OTHER, NULL },
		{ "    \"a\": \"b\" c", LOG_JSON_NONE, NULL },
		{ "{\"jsonPayload\":{\"MESSAGE\":\"a\",\"SYSLOG_IDENTIFIER\":\"kernel\"},\"t\":1}",
		  LOG_JSON_LINE, "<4>a" },
		{ "{\"jsonPayload\":{\"MESSAGE\":\"a\",\"SYSLOG_IDENTIFIER\":\"kubelet\"}}",
		  LOG_JSON_OTHER, NULL },
		{ "{\"jsonPayload\":{\"MESSAGE\":\"a\"", LOG_JSON_NONE, NULL },
		{ "{\"jsonPayload\":5,\"message\":\"a\"}", LOG_JSON_LINE, "a" },
		{ "{\"_index\":\"x\",\"_source\":{\"message\":\"[   12.345678] a\",\"log\":{\"offset\":1}}}",
		  LOG_JSON_LINE, "[   12.345678] a" },
		{ "{\"preview\":false,\"result\":{\"_raw\":\"[   12.345678] a\"}}", LOG_JSON_LINE,
		  "[   12.345678] a" },
		/* Values in quotes that begin with a stamp of the kernel. */
		{ "    \"[    1.250000] a \\\"b\\\"\",", LOG_JSON_LINE, "[    1.250000] a \"b\"" },
		{ "- {\"dt\": \"1\", \"msg\": \"[    1.250000] a\\\\x2d\"}", LOG_JSON_LINE,
		  "[    1.250000] a\\x2d" },
		{ "1,\"\",\"[    1.250000] a\\x2d \"\"b\"\"\",web", LOG_JSON_LINE,
		  "[    1.250000] a\\x2d \"b\"" },
		{ "\"[    1.250000] a", LOG_JSON_NONE, NULL },
		{ "\"[    1.250000] a\" b", LOG_JSON_NONE, NULL },
		{ "\"[a] b\"", LOG_JSON_NONE, NULL },
		{ "[    1.250000] a: \"[    1.250000] b\"", LOG_JSON_NONE, NULL },
		{ "Nov 23 04:42:26 web app[1]: \"[    1.250000] b\"", LOG_JSON_NONE, NULL },
		{ "{}", LOG_JSON_NONE, NULL },
		{ "{", LOG_JSON_NONE, NULL },
		{ "[   12.345678] {\"log\":\"a\"}", LOG_JSON_NONE, NULL },
	};

	for (size_t i = 0; i < ARRAY_SIZE(lines); i++) {
		char line[256];

		strcpy(line, lines[i].line);
		CHECK(log_json_line(line) == lines[i].kind);
		CHECK_TEXT(line, lines[i].text ? lines[i].text : lines[i].line);
	}
	/* A time of who ships it, before a line of syslog that has its own, or none. */
	CHECK(read_text("2026-11-23T04:42:26.123456789Z stdout F Nov 23 04:42:26 box kernel: " HEAD
			"\n2026-11-23T04:42:26.123456790Z stdout F Nov 23 04:42:26 box kernel: "
			"Mem-Info:\n") == ST_OK);
	CHECK_TEXT(record(0), HEAD);
	CHECK(read_text("2026-11-23T04:42:26.000Z Nov 23 04:42:26 box kernel: " HEAD "\n") ==
	      ST_OK);
	CHECK_TEXT(record(0), HEAD);
	/* What is not read is not taken for words of the kernel. */
	CHECK(read_text("    _TRANSPORT=kernel\n    MESSAGE=" HEAD) == ST_ABSENT);
}

/* The two records that each form below has. */
static void check_records(void)
{
	CHECK(file.log.n == 2 && !file.log.is_cut);
	CHECK_TEXT(record(0), HEAD);
	CHECK_TEXT(record(1), COUNTERS);
	CHECK(reports.n == 1 && reports.reports[0].has_mem_info && !file.has_no_times);
	CHECK(file.log.records[1].ts_ns == 12345679000);
}

/* journalctl -o export: a field with a newline is in bytes behind its length. */
static void export(void)
{
	static const char text[] =
		"__CURSOR=s=1\n__MONOTONIC_TIMESTAMP=12345678\n_HOSTNAME=box\n_TRANSPORT=kernel\nMESSAGE=" HEAD
		"\n\n"
		"__CURSOR=s=2\n_TRANSPORT=stdout\n_HOSTNAME=box\nMESSAGE=Out of memory: Killed process 1 (init)\n\n"
		"__CURSOR=s=3\n__MONOTONIC_TIMESTAMP=99\n_SOURCE_MONOTONIC_TIMESTAMP=12345679\n_HOSTNAME=box\n"
		"COREDUMP\n\x0a\0\0\0\0\0\0\0MESSAGE=\n\n\n"
		"MESSAGE\n\x54\0\0\0\0\0\0\0" COUNTERS "\n_TRANSPORT=kernel\n\n";

	_Static_assert(sizeof(COUNTERS) - 1 == 0x54, "the length that is in the text");
	CHECK(read_bytes(text, sizeof(text) - 1) == ST_OK);
	check_records();
	/* The last record, which the end of the file ends, and one whose bytes are not all there. */
	CHECK(read_bytes(text, sizeof(text) - 2) == ST_OK);
	check_records();
	CHECK(read_bytes(text, sizeof(text) - 40) == ST_OK && file.log.n == 1);
}

static void verbose(void)
{
	static const char text[] =
		"Mon 2026-11-23 04:42:26.123456 UTC [s=1;i=1;b=2;m=3;t=4;x=5]\n"
		"    _TRANSPORT=kernel\n    _HOSTNAME=box\n    _SOURCE_MONOTONIC_TIMESTAMP=12345678\n    MESSAGE=" HEAD
		"\n"
		"Mon 2026-11-23 04:42:26.123456 UTC [s=1;i=2;b=2;m=3;t=4;x=5]\n"
		"    _TRANSPORT=syslog\n    _HOSTNAME=box\n    MESSAGE=Killed process 1 (init)\n"
		"Mon 2026-11-23 04:42:26.123456 UTC [s=1;i=3;b=2;m=3;t=4;x=5]\n"
		"    _TRANSPORT=kernel\n    _HOSTNAME=box\n"
		"    MESSAGE=active_anon:664 inactive_anon:7451 isolated_anon:0\n"
		"             free:346 free_pcp:718 free_cma:0\n"
		"    _SOURCE_MONOTONIC_TIMESTAMP=12345679\n";

	CHECK(read_text(text) == ST_OK);
	check_records();
}

/* journalctl -o json-pretty, dmesg -J */
static void objects(void)
{
	CHECK(read_text(
		      "{\n\t\"_TRANSPORT\" : \"kernel\",\n\t\"_HOSTNAME\" : \"box\",\n"
		      "\t\"__MONOTONIC_TIMESTAMP\" : \"12345678\",\n\t\"MESSAGE\" : \"" HEAD
		      "\"\n}\n"
		      "{\n\t\"_TRANSPORT\" : \"syslog\",\n\t\"MESSAGE\" : \"Killed process 1 (init)\"\n}\n"
		      "{\n\t\"_TRANSPORT\" : \"kernel\",\n\t\"_HOSTNAME\" : \"box\",\n"
		      "\t\"__MONOTONIC_TIMESTAMP\" : \"12345679\",\n\t\"MESSAGE\" : \"active_anon:664 "
		      "inactive_anon:7451 isolated_anon:0\\n free:346 free_pcp:718 free_cma:0\"\n}\n") ==
	      ST_OK);
	check_records();
	CHECK(read_text(
		      "{\n   \"dmesg\": [\n      {\n         \"pri\": 4,\n         \"time\":    12.345678,\n"
		      "         \"msg\": \"" HEAD "\"\n      },{\n         \"pri\": 12,\n"
		      "         \"time\":    12.345678,\n         \"msg\": \"Killed process 1 (init)\"\n"
		      "      },{\n         \"pri\": 4,\n         \"time\":    12.345679,\n"
		      "         \"msg\": \"active_anon:664 inactive_anon:7451 isolated_anon:0\\n free:346 "
		      "free_pcp:718 free_cma:0\"\n      }\n   ]\n}\n") == ST_OK);
	check_records();
	/* A brace in a mail. */
	CHECK(read_text("{\n[   12.345678] " HEAD
			"\n[   12.345679] active_anon:664 inactive_anon:7451 "
			"isolated_anon:0\n[   12.345679]  free:346 free_pcp:718 free_cma:0\n") ==
	      ST_OK);
	check_records();
}

/* The runtime of a container cuts long lines, netconsole what is longer than a packet. */
static void pieces(void)
{
	CHECK(read_text(
		      "2026-11-23T04:42:26.1Z stdout P [   12.345678] a invoked oom-killer: gfp_ma\n"
		      "2026-11-23T04:42:26.1Z stdout P sk=0xcc0(GFP_KERNEL)\n"
		      "2026-11-23T04:42:26.1Z stdout F , order=0, oom_score_adj=0\n"
		      "2026-11-23T04:42:26.1Z stdout F [   12.345679] active_anon:664 inactive_anon:7451 "
		      "isolated_anon:0\n2026-11-23T04:42:26.1Z stdout F [   12.345679]  free:346 "
		      "free_pcp:718 free_cma:0\n") == ST_OK);
	check_records();
	CHECK(read_text(
		      "6.12,4,1,12345678,-,ncfrag=0/79;a invoked oom-killer: gfp_mask=0xcc0(GFP\n"
		      "6.12,4,1,12345678,-,ncfrag=40/79;_KERNEL), order=0, oom_score_adj=0     \n"
		      "6.12,4,2,12345679,-;active_anon:664 inactive_anon:7451 isolated_anon:0\\x0a free:346 "
		      "free_pcp:718 free_cma:0\n") == ST_OK);
	check_records();
	/* A piece is lost, or the record that it was of. */
	CHECK(read_text(
		      "4,0,12345678,-;x\n4,1,12345678,-,ncfrag=0/79;a invoked oom-killer: gfp_mask=0xcc0(GFP\n"
		      "4,1,12345678,-,ncfrag=50/79;EL), order=0, oom_score_adj=0          \n"
		      "4,2,12345679,-;Killed process 1 (init) total-vm:8kB, anon-rss:4kB, file-rss:0kB\n") ==
	      ST_OK);
	CHECK(file.log.is_cut && reports.n == 1 && !reports.reports[0].has_head);
}

/* Lines of a log in one line of JSON: escaped in a string, or each in one; it comes in parts. */
static void lines_in_one(void)
{
	static const char *const texts[] = {
		"{\"stdout\": \"[   12.345678] " HEAD "\\n[   12.345679] active_anon:664 "
		"inactive_anon:7451 isolated_anon:0\\n free:346 free_pcp:718 free_cma:0"
		"\\n[   12.345680] a \\\"b\\\"\\n[   12.345681] c\\n\", \"rc\": 0}\n",
		"{\"Output\": \"[   12.345678] " HEAD "\\r\\n[   12.345679] active_anon:664 "
		"inactive_anon:7451 isolated_anon:0\\n free:346 free_pcp:718 free_cma:0"
		"\\r\\n[   12.345680] a \\\"b\\\"\\r\\n[   12.345681] c\\r\\n\"}\n",
		"{\"values\": [[\"1764338591000000000\", \"[   12.345678] " HEAD
		"\"], [\"1764338591000000001\",\"[   12.345679] active_anon:664 "
		"inactive_anon:7451 isolated_anon:0\\n free:346 free_pcp:718 free_cma:0\"],"
		"[\"1764338591000000002\",\"[   12.345680] a \\\"b\\\"\"],"
		"[\"1764338591000000003\",\"[   12.345681] c\"]]}\n",
	};

	for (size_t i = 0; i < ARRAY_SIZE(texts); i++) {
		CHECK(read_text(texts[i]) == ST_OK);
		CHECK(file.log.n == 4 && !file.log.is_cut && reports.n == 1 &&
		      reports.reports[0].has_mem_info);
		CHECK_TEXT(record(0), HEAD);
		CHECK_TEXT(record(1), COUNTERS);
		CHECK_TEXT(record(2), "a \"b\"");
		CHECK_TEXT(record(3), "c");
	}
	/* Parts that end anywhere behind the first three lines. */
	for (size_t at = strlen(texts[0]); texts[0][at] != 'b'; at--) {
		char first[512], second[512];
		struct log_reader *r = log_reader_open(&stub.dump, false);

		snprintf(first, sizeof(first), "%.*s", (int)at, texts[0]);
		snprintf(second, sizeof(second), "%s", texts[0] + at);
		log_reader_line(r, first, strlen(first), false);
		log_reader_line(r, second, strlen(second), true);
		CHECK(log_reader_end(r, &file) == ST_OK && file.log.n == 4 && !file.log.is_cut);
		CHECK_TEXT(record(2), "a \"b\"");
		CHECK_TEXT(record(3), "c");
	}
}

TESTS({ "lines of JSON", json }, { "many lines of a log in one of JSON", lines_in_one },
      { "journalctl -o export", export }, { "journalctl -o verbose", verbose },
      { "objects of several lines", objects }, { "pieces of a line", pieces })
