// SPDX-License-Identifier: GPL-2.0-or-later
/* What the memory is that the page allocator never had. */
#include "memowner/summary.h"
#include "memowner/verdict_words.h"
#include "zones/system_ram.h"
#include "pageowner/class_counters.h"
#include "pageowner/view.h"

/* "of boot: image 34.4M, memmap 6.0M", in one line of 80 columns; NULL: no more is known. */
static const char *words_on(const struct summary *s, const struct boot_memory *boot, uint64_t pages)
{
	struct strbuf b = STRBUF_OF(256);

	/* The struct pages are elsewhere where memory that was added has its own (memmap_on_memory). */
	if (boot->image + boot->memmap + boot->capture > pages)
		return NULL;
	strbuf_add(&b, "of boot: image %s, memmap %s", summary_size(s, boot->image),
		   summary_size(s, boot->memmap));
	if (boot->capture)
		strbuf_add(&b, ", crashkernel %s", summary_size(s, boot->capture));
	return dump_strdup(s->dump, b.buf);
}

/* Of a text of the log it is unknown. */
static const struct ram *ram_of(const struct summary *s)
{
	return s->dump->log_file || !s->view ? NULL : &s->view->owner.ram;
}

uint64_t summary_capture(const struct summary *s)
{
	return ram_of(s) ? ram_of(s)->capture : 0;
}

bool summary_has_share(const struct summary *s, const char *class)
{
	const struct ram none = { 0 }, *ram = ram_of(s) ?: &none;

	return (strcmp(class, page_class_names[CLASS_REMOVED]) != 0 ||
		class_has_share(CLASS_REMOVED, ram)) &&
	       (strcmp(class, page_class_names[CLASS_RESERVED]) != 0 ||
		class_has_share(CLASS_RESERVED, ram));
}

enum status summary_reserved(struct summary *s)
{
	struct boot_memory boot;
	enum status st;

	for (struct statement *row = s->first[SECTION_CLASS]; row; row = row->next) {
		if (strcmp(row->name, page_class_name(CLASS_RESERVED)) != 0)
			continue;
		st = boot_memory_read(s->dump, s->view->owner.ram.pages, &boot);
		if (st != ST_OK)
			return st;
		row->called = words_on(s, &boot, row->pages.n);
	}
	return ST_OK;
}
