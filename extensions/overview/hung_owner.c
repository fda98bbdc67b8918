// SPDX-License-Identifier: GPL-2.0-or-later
/* Who has the lock that hung tasks of a log wait for, as the kernel says: a dump has the locks themselves. */
#include "log/standstill.h"
#include "memowner/summary.h"
#include "memowner/verdict_words.h"

const char *summary_hung_owner(struct summary *s)
{
	struct standstills *all = dump_alloc(s->dump, sizeof(*all));
	struct strbuf b = STRBUF_OF(256);
	const struct hung_owner *owner;
	struct kernel_log log;
	unsigned int n;

	if (!s->dump->log_file || kernel_log_read(s->dump, &log) != ST_OK)
		return NULL;
	standstills_read(&log, all);
	owner = standstills_owner(all, &n);
	if (!owner)
		return NULL;
	strbuf_add(&b, "%s%s %s blocked on ", all->more ? "at least " : "",
		   PLURAL_TEXT(n, "task", "tasks"), n == 1 ? "is" : "are");
	hung_owner_text(owner, &b);
	return dump_strdup(s->dump, b.buf);
}

void summary_add_hung_owner(struct summary *s)
{
	const char *text = s->is_hung ? NULL : summary_hung_owner(s);

	if (text)
		SUMMARY_ADD(s, .section = SECTION_STUCK, .remark = text);
}
