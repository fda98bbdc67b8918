// SPDX-License-Identifier: GPL-2.0-or-later
/* Symbols of an image whose kallsyms is written over in places. */
#include "names/symbols.h"

#include <string.h>

#include "kallsyms_image.h"
#include "fuzz.h"

#define CHANGES 24

static struct kallsyms_image image;
static uint32_t missing; /* bits: pages that are not in the dump */

static enum status read_image(void *priv NOT_USED, uint64_t addr, void *buf, size_t len)
{
	if (addr < IMAGE_AT || len > IMAGE_BYTES || addr - IMAGE_AT > IMAGE_BYTES - len)
		return ST_UNREADABLE;
	for (uint64_t page = (addr - IMAGE_AT) >> 12; page <= (addr - IMAGE_AT + len - 1) >> 12;
	     page++)
		if (missing >> page & 1)
			return ST_UNREADABLE;
	memcpy(buf, image.bytes + (addr - IMAGE_AT), len);
	return ST_OK;
}

/* What VMCOREINFO has. */
static enum status find_known(void *priv NOT_USED, const char *name, uint64_t *ret)
{
	const struct kallsyms_places *p = &image.places;
	const struct {
		const char *name;
		uint64_t addr;
	} known[] = { { "_stext", IMAGE_AT },
		      { "init_uts_ns", IMAGE_AT + GAP * (image.n - 2) },
		      { "kallsyms_names", p->names },
		      { "kallsyms_num_syms", p->num_syms },
		      { "kallsyms_token_table", p->token_table },
		      { "kallsyms_token_index", p->token_index },
		      { "kallsyms_offsets", p->offsets },
		      { "kallsyms_relative_base", p->relative_base } };

	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
		if (known[i].addr && (i < 2 || !image.is_old) && !strcmp(known[i].name, name)) {
			*ret = known[i].addr;
			return ST_OK;
		}
	return ST_ABSENT;
}

static void use(struct symbols *s)
{
	struct symbol found;
	uint64_t addr;

	for (uint32_t i = 0; i < image.n; i += 7) {
		uint64_t asked = IMAGE_AT + GAP * i + 1;
		char name[16];

		image_name(&image, i, name);
		symbols_find(s, name, &addr);
		if (symbols_closest(s, asked, &found) == ST_OK &&
		    (!found.name || !*found.name || found.address > asked))
			__builtin_trap();
		addr = symbols_above(s, asked);
		if (addr && addr <= asked)
			__builtin_trap();
	}
}

/* seed: the form of the tables; the input: where a byte of them is changed, and to what. */
void fuzz_symbols(struct dump *d, struct sink *out NOT_USED, uint32_t seed)
{
	static const struct dump_ops of_image = { .read = read_image, .symbol = find_known };
	struct symbols *s = NULL;
	uint8_t change[CHANGES][4];
	struct dump own;

	image = (struct kallsyms_image){ .n = 2000 + seed % 500,
					 .is_old = seed >> 9 & 1,
					 .marker_bytes = seed >> 10 & seed >> 9 & 1 ? 8 : 4,
					 .encoding = (seed >> 11 & 3) % 3 };
	if (image.is_old && image.encoding == KALLSYMS_SELF)
		image.encoding = KALLSYMS_PLAIN;
	kallsyms_image_make(&image);
	missing = seed >> 13 & 1 ? 1u << (seed >> 14 & 31) : 0;
	if (d->ops->read(d->priv, 0, change, sizeof(change)) != ST_OK)
		return;
	for (size_t i = 0; i < CHANGES && (change[i][3] & 1); i++)
		image.bytes[(change[i][0] | change[i][1] << 8 | change[i][3] >> 7 << 16) %
			    image.at] = change[i][2];
	dump_init(&own, &of_image, NULL, d->arena);
	if (symbols_from_kallsyms(&own, IMAGE_AT, IMAGE_AT + IMAGE_BYTES, &s) == ST_OK)
		use(s);
}
