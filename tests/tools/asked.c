// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * asked VMCORE [VMLINUX [FOLDER OF MODULES]] < QUESTIONS: the lines of QUESTIONS that the program's door
 * answers in another way, as "LINE, here: ANSWER".  QUESTIONS is what tests/probe/asked.c wrote, with the answers of crash.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "door.h"

#define LINE_BYTES 70000

static void put_field(enum status st, const struct field *f, char *ret, size_t size)
{
	if (st == ST_OK)
		snprintf(ret, size, "kind %d at %u size %u bits %u+%u", f->kind, f->offset, f->size,
			 f->bit_offset, f->bit_size);
}

/* What tests/probe/asked.c wrote of symbols. */
static void answer_name(struct dump *d, char **word, char *ret, size_t size)
{
	uint64_t addr = strtoull(word[1], NULL, 0), found;
	struct symbol symbol = { 0 };
	enum status st;

	if (!strcmp(word[0], "symbol")) {
		st = d->ops->symbol(d->priv, word[1], &found);
	} else if (!strcmp(word[0], "phys")) {
		st = d->ops->virt_to_phys(d->priv, addr, &found);
	} else {
		st = d->ops->closest(d->priv, addr, &symbol);
		found = symbol.address;
	}
	if (st == ST_OK)
		snprintf(ret, size, "%#llx", (unsigned long long)found);
}

/* And of memory: a sum of the bytes. */
static void answer_read(struct dump *d, char **word, char *ret, size_t size)
{
	uint64_t addr = strtoull(word[1], NULL, 0), sum = 0;
	size_t len = strtoul(word[2], NULL, 10);
	uint8_t *buf = malloc(len + 1);
	enum status st = ST_ABSENT;

	if (buf)
		st = !strcmp(word[0], "read") ? d->ops->read(d->priv, addr, buf, len)
					      : d->ops->read_phys(d->priv, addr, buf, len);
	for (size_t i = 0; st == ST_OK && i < len; i++)
		sum = (sum ^ buf[i]) * 0x100000001b3ULL;
	if (st == ST_OK)
		snprintf(ret, size, "%#llx", (unsigned long long)sum);
	free(buf);
}

static void answer(struct dump *d, char **word, char *ret, size_t size)
{
	struct field f;
	uint64_t bytes;
	int64_t value;

	snprintf(ret, size, "absent");
	if (!strcmp(word[0], "variable"))
		put_field(d->ops->variable(d->priv, word[1], &f), &f, ret, size);
	else if (!strcmp(word[0], "member"))
		put_field(d->ops->member(d->priv, word[1], word[2], &f), &f, ret, size);
	else if (!strcmp(word[0], "bits"))
		put_field(d->ops->bits(d->priv, word[1], word[2], &f), &f, ret, size);
	else if (!strcmp(word[0], "size") && d->ops->type_size(d->priv, word[1], &bytes) == ST_OK)
		snprintf(ret, size, "%llu", (unsigned long long)bytes);
	else if (!strcmp(word[0], "enumerator") &&
		 d->ops->enumerator(d->priv, word[1], &value) == ST_OK)
		snprintf(ret, size, "%lld", (long long)value);
	else if (!strcmp(word[0], "enumerates"))
		snprintf(ret, size, "%d", d->ops->enumerates(d->priv, word[1], word[2]));
	else if (!strcmp(word[0], "symbol") || !strcmp(word[0], "closest") ||
		 !strcmp(word[0], "phys"))
		answer_name(d, word, ret, size);
	else if (!strcmp(word[0], "read") || !strcmp(word[0], "read_phys"))
		answer_read(d, word, ret, size);
	else if (!strcmp(word[0], "text")) {
		size_t room = strtoul(word[2], NULL, 10);

		if (d->ops->type_text(d->priv, word[1], ret, room < size ? room : size) != ST_OK)
			snprintf(ret, size, "absent");
		for (char *p = ret; (p = strchr(p, '\n'));)
			*p = '|';
	}
}

int main(int argc, char **argv)
{
	static char line[LINE_BYTES], copy[LINE_BYTES], here[LINE_BYTES];
	static const struct door_user nobody;
	static struct arena arena, own;
	const char *file = argc > 1 ? argv[1] : "";
	struct door_request r = { .files = &file,
				  .n = 1,
				  .vmlinux = argc > 2 ? argv[2] : NULL,
				  .modules = argc > 3 ? argv[3] : NULL };
	struct dump session, d;
	struct door *door;

	dump_init(&session, NULL, NULL, &arena);
	if (door_open(&session, &r, &nobody, &door) != ST_OK || door_missing(door)) {
		fprintf(stderr, "asked: %s\n", session.error);
		return 1;
	}
	door_dump(door, &d, &own);
	while (fgets(line, sizeof(line), stdin)) {
		char *rest = copy, *word[4];

		line[strcspn(line, "\n")] = '\0';
		strcpy(copy, line);
		for (int i = 0; i < 4; i++)
			word[i] = i < 3 ? strsep(&rest, "\t") : rest;
		if (!word[3])
			return 2;
		answer(&d, word, here, sizeof(here));
		if (strcmp(here, word[3]))
			printf("%s, here: %s\n", line, here);
	}
	arena_reset(&own);
	arena_reset(&arena);
	return 0;
}
