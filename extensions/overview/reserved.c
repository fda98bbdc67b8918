// SPDX-License-Identifier: GPL-2.0-or-later
/* What the memory is that the page allocator never had. */
#include "memowner/summary.h"
#include "memowner/verdict_words.h"
#include "zones/system_ram.h"

const char *summary_reserved_words(const struct summary *s, uint64_t pages)
{
	static const char unknown[] = "never given to the page allocator";
	struct strbuf b = STRBUF_OF(256);
	struct boot_memory boot;

	if (s->dump->log_file)
		return unknown;
	boot_memory_read(s->dump, s->ram_pages, &boot);
	/* The struct pages are elsewhere where memory that was added has its own (memmap_on_memory). */
	if (!boot.image || !boot.memmap || boot.image + boot.memmap + boot.capture > pages)
		return unknown;
	/* One line of 80 columns. */
	strbuf_add(&b, "of boot: image %s, memmap %s", summary_size(s, boot.image),
		   summary_size(s, boot.memmap));
	if (boot.capture)
		strbuf_add(&b, ", crashkernel %s", summary_size(s, boot.capture));
	return dump_strdup(s->dump, b.buf);
}
