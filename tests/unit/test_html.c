// SPDX-License-Identifier: GPL-2.0-or-later
/* The page of "memowner -H": its size, whatever the dump makes the commands print. */
#include <stdlib.h>
#include <unistd.h>

#include "extensions/memowner/html.h"
#include "stub.h"
#include "test.h"

#define LIMIT (2 << 20)
#define LINES 20000

/* Each answer: a meta line, rows, a summary line with a warning of that many bytes. */
struct answer {
	char fill;
	size_t row, warning;
};

static void put_filled(struct sink *sink, const char *start, char fill, size_t n)
{
	sink_text(sink, start);
	while (n--)
		sink_write(sink, &fill, 1);
	sink_text(sink, "\"}\n");
}

static enum status answer(void *arg, const char *line, struct sink *sink, const char **problem)
{
	const struct answer *a = arg;

	(void)line;
	(void)problem;
	put_filled(sink, "{\"record\":\"meta\",\"kernel\":\"", a->fill, 100);
	for (unsigned int i = 0; i < LINES; i++)
		put_filled(sink, "{\"record\":\"row\",\"name\":\"", a->fill, a->row);
	put_filled(sink, "{\"record\":\"summary\",\"warnings\":\"", a->fill, a->warning);
	return ST_OK;
}

/* The page that has these answers; the caller frees it. */
static char *page_of(struct answer a, size_t *size)
{
	char dir[] = "/tmp/page.XXXXXX", path[64], *page = calloc(1, 3 * LIMIT);
	struct stub s = { 0 };
	bool stopped = true;
	FILE *f;

	stub_open(&s);
	CHECK(page && mkdtemp(dir));
	snprintf(path, sizeof(path), "%s/page", dir);
	CHECK(html_write(&s.dump, path, answer, &a, &stopped) == ST_OK && !stopped);
	f = fopen(path, "r");
	*size = f && page ? fread(page, 1, 3 * LIMIT - 1, f) : 0;
	if (f)
		fclose(f);
	unlink(path);
	rmdir(dir);
	stub_close(&s);
	return page;
}

static void full_parts_stay_below_the_limit(void)
{
	size_t size;
	char *page = page_of((struct answer){ 'x', 100, 1000 }, &size);

	CHECK(size > LIMIT * 9 / 10 && size < LIMIT);
	CHECK(strstr(page, "\"warnings\":\"x") && strstr(page, "\"rows_left_out\":1"));
	free(page);
}

static void markup_counts_as_it_is_written(void)
{
	size_t size;
	char *page = page_of((struct answer){ '<', 100, 1000 }, &size);

	CHECK(size > LIMIT * 9 / 10 && size < LIMIT);
	CHECK(strstr(page, "\\u003c\\u003c"));
	free(page);
}

static void long_warnings_are_left_out(void)
{
	size_t size;
	char *page = page_of((struct answer){ 'x', 100, 200000 }, &size);

	CHECK(size < LIMIT && strstr(page, "{\"record\":\"meta\""));
	CHECK(!strstr(page, "{\"record\":\"summary\""));
	free(page);
}

TESTS({ "parts that are full have room below 2 MiB", full_parts_stay_below_the_limit },
      { "a < is counted as the six bytes that stand for it", markup_counts_as_it_is_written },
      { "warnings without room are left out", long_warnings_are_left_out })
