// SPDX-License-Identifier: GPL-2.0-or-later
#include "pools/kexec_image.h"

#include "dump/structure.h"

#define MAX_SEGMENTS 64 /* KEXEC_SEGMENT_MAX is 16 */

struct image {
	uint64_t n, segments;
};

struct segment {
	uint64_t bytes;
};

struct layout {
	struct structure image, segment;
};

static const struct layout_row rows[] = {
	STRUCTURE(struct layout, image, "struct kimage"),
	READS(struct image, n, REQUIRED, "all", "nr_segments"),
	PLACES(struct image, segments, REQUIRED, "all", "segment"),
	STRUCTURE(struct layout, segment, "struct kexec_segment"),
	READS(struct segment, bytes, REQUIRED, "all", "memsz"),
};

enum status kexec_image_pages(struct dump *d, uint64_t max, uint64_t *pages)
{
	struct layout l;
	struct image image;
	struct segment s;
	uint64_t at, bytes, n = 0;
	enum status st = dump_symbol_u64(d, "kexec_image", &at);

	*pages = 0;
	if (st != ST_OK || !at)
		return st;
	st = STRUCTS_OPEN(d, rows, &l)
		     ?: dump_ask(d, type_size, "struct kexec_segment", &bytes)
		     ?: struct_read(&l.image, at, &image);
	if (st == ST_OK && image.n > MAX_SEGMENTS)
		st = dump_corrupt(d, "kexec_image has %lu segments", image.n);
	for (uint64_t i = 0; st == ST_OK && i < image.n; i++) {
		st = struct_read(&l.segment, image.segments + i * bytes, &s);
		n += st == ST_OK ? s.bytes >> d->page_shift : 0;
		if (st == ST_OK && n > max)
			st = dump_corrupt(d, "a segment of kexec_image has %lu bytes", s.bytes);
	}
	*pages = st == ST_OK ? n : 0;
	return st;
}
