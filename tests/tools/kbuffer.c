// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * kbuffer FORMAT... < PAGES
 *
 * A second decoder of page faults, for tests: kbuffer and tep of libtraceevent. FORMAT is what
 * tracefs has in events/exceptions/EVENT/format. PAGES are lines of tests/probe with the bytes
 * of a sub-buffer each:
 *
 *	page INSTANCE BUFFER CPU READ HEX
 *
 * READ is the number of bytes behind the header that a reader has taken. Each event is a line:
 *
 *	INSTANCE BUFFER CPU TIME PID MODE ADDRESS IP ERROR_CODE
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <traceevent/event-parse.h>
#include <traceevent/kbuffer.h>

#define MODE_AT strlen("page_fault_")

struct page {
	char instance[64], buffer[16];
	unsigned int cpu, read;
	unsigned char *data;
	size_t size;
};

static void fail(const char *what, const char *of)
{
	fprintf(stderr, "kbuffer: %s: %s\n", of, what);
	exit(1);
}

static void add_format(struct tep_handle *tep, const char *path)
{
	FILE *f = fopen(path, "r");
	char text[8192];
	size_t n = f ? fread(text, 1, sizeof(text), f) : 0;

	if (!n || n == sizeof(text) || tep_parse_event(tep, text, n, "exceptions"))
		fail("no format of an event", path);
	fclose(f);
}

static unsigned char digit(char c)
{
	const char *digits = "0123456789abcdef", *at = strchr(digits, c);

	if (!c || !at)
		fail("not hexadecimal", "a page");
	return at - digits;
}

/* The bytes of a page stay where its text was. */
static void parse(char *line, struct page *p)
{
	int at = 0;
	size_t digits;

	line[strcspn(line, "\n")] = '\0';
	if (sscanf(line, "page %63s %15s %u %u %n", p->instance, p->buffer, &p->cpu, &p->read,
		   &at) != 4 ||
	    !at)
		fail("no page", line);
	digits = strlen(line + at);
	p->data = (unsigned char *)line + at;
	p->size = digits / 2;
	for (size_t i = 0; i < p->size; i++)
		p->data[i] = digit(line[at + 2 * i]) << 4 | digit(line[at + 2 * i + 1]);
}

static unsigned long long value(struct tep_event *event, struct tep_record *record,
				const char *field)
{
	unsigned long long v;

	if (tep_get_field_val(NULL, event, field, record, &v, 0))
		fail("no such field", field);
	return v;
}

static void show(struct tep_handle *tep, const struct page *p, struct tep_record *record)
{
	struct tep_event *event = tep_find_event_by_record(tep, record);

	/* Another event. */
	if (!event)
		return;
	printf("%s %s %u %llu %d %s 0x%llx 0x%llx 0x%llx\n", p->instance, p->buffer, p->cpu,
	       record->ts, tep_data_pid(tep, record), event->name + MODE_AT,
	       value(event, record, "address"), value(event, record, "ip"),
	       value(event, record, "error_code"));
}

static void decode(struct tep_handle *tep, struct kbuffer *kbuf, const struct page *p)
{
	int before = -1, start;

	if (p->size < 4096 || kbuffer_load_subbuffer(kbuf, p->data))
		fail("no sub-buffer", p->instance);
	/* It does not ask how long a sub-buffer is. */
	start = kbuffer_start_of_data(kbuf);
	if (kbuffer_subbuffer_size(kbuf) < 0 ||
	    (size_t)kbuffer_subbuffer_size(kbuf) > p->size - start)
		fail("more is committed than there is room for", p->instance);
	for (;;) {
		struct tep_record record = { .cpu = p->cpu };
		int at;

		record.data = kbuffer_read_event(kbuf, &record.ts);
		if (!record.data)
			break;
		record.size = kbuffer_event_size(kbuf);
		at = kbuffer_curr_offset(kbuf);
		/* A wrong length makes it go back, for ever. */
		if (at <= before)
			fail("records do not follow each other", p->instance);
		before = at;
		if (at - start >= (int)p->read)
			show(tep, p, &record);
		if (!kbuffer_next_event(kbuf, NULL))
			break;
	}
}

int main(int argc, char **argv)
{
	struct tep_handle *tep = tep_alloc();
	struct kbuffer *kbuf = kbuffer_alloc(KBUFFER_LSIZE_8, KBUFFER_ENDIAN_LITTLE);
	char *line = NULL;
	size_t room = 0;

	if (!tep || !kbuf)
		fail("no memory", "libtraceevent");
	tep_set_long_size(tep, 8);
	tep_set_file_bigendian(tep, TEP_LITTLE_ENDIAN);
	tep_set_local_bigendian(tep, TEP_LITTLE_ENDIAN);
	for (int i = 1; i < argc; i++)
		add_format(tep, argv[i]);
	while (getline(&line, &room, stdin) > 0) {
		struct page p;

		parse(line, &p);
		decode(tep, kbuf, &p);
	}
	free(line);
	kbuffer_free(kbuf);
	tep_free(tep);
	return 0;
}
