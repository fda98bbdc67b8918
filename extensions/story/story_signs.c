// SPDX-License-Identifier: GPL-2.0-or-later
/* What single lines of the log say: of disks and file systems, of the hardware, of swap, servers and devices. */
#include "log/disk_error.h"
#include "log/hardware_error.h"
#include "log/log_file.h"
#include "log/log_sign.h"
#include "memowner/summary.h"
#include "story.h"

/* rec: the first of n such lines, or the last one. */
static void add(struct story *st, const struct kernel_record *rec, const char *text, unsigned int n)
{
	struct strbuf b = STRBUF_OF(STORY_TEXT);

	strbuf_add(&b, "the log has %s", text);
	if (n > 1)
		strbuf_add(&b, ", one of %s such lines", COUNT_TEXT(n));
	STORY_ADD(st, .kind = EVENT_WARNING, .ts = { rec->ts_ns, !st->has_no_times },
		  .log_date = log_file_date_text(st->s->dump, rec->date_s), .text = b.buf,
		  .command = "memowner", .basis = "recorded");
}

static const char *named(struct story *st, const char *kind, const char *text)
{
	return arena_text(st->s->dump->arena, "%s: %s", kind, text);
}

void story_add_signs(struct story *st)
{
	struct dump *d = st->s->dump;
	struct disk_errors *disks = dump_alloc(d, sizeof(*disks));
	struct hardware_errors *hardware = dump_alloc(d, sizeof(*hardware));
	struct log_signs *signs = dump_alloc(d, sizeof(*signs));
	struct kernel_log log;

	/* That it cannot be read is told by those who read its reports. */
	if (kernel_log_read(d, &log) != ST_OK)
		return;
	disk_errors_read(&log, disks);
	hardware_errors_read(&log, hardware);
	log_signs_read(&log, signs);
	if (disks->n)
		add(st, disks->first,
		    named(st, disks->is_fs ? "an error of a file system" : "an error of a disk",
			  disks->text),
		    disks->n);
	if (hardware->n)
		add(st, hardware->last, named(st, "an error of the hardware", hardware->text),
		    hardware->n);
	for (int kind = 0; kind < SIGN_KINDS; kind++)
		if (signs->of[kind].n)
			add(st, signs->of[kind].last,
			    named(st, log_sign_words(kind), signs->of[kind].text),
			    signs->of[kind].n);
}
