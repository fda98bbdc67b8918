// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Who has a watchdog device open, by the operations of its file (watchdog_fops of drivers/watchdog/watchdog_dev.c, the
 * same for all drivers of the core): if that one does not get on, the device takes the machine for one that does not.
 */
#include "files/open_files.h"
#include "memowner/summary.h"
#include "memowner/verdict_words.h"
#include "modules/module_sections.h"

#define TOLD 3u

struct feeders {
	struct dump *dump;
	uint64_t operations;
	struct file_users users;
};

static enum status add(void *arg, uint64_t file NOT_USED, uint64_t operations,
		       const struct file_user *user)
{
	struct feeders *x = arg;

	if (dump_stopped(x->dump))
		return ST_STOPPED;
	if (operations == x->operations && !user->is_device)
		file_users_add(x->dump->arena, &x->users, user);
	return ST_OK;
}

/* Drivers that are not of the core have operations of their own: that none is open is not told. */
const char *summary_watchdogs(struct dump *d)
{
	struct open_files *files = dump_alloc(d, sizeof(*files));
	struct feeders x = { .dump = d };
	struct strbuf b = STRBUF_OF(256);

	if (d->log_file ||
	    module_object_symbol(d, "watchdog", "watchdog_fops", &x.operations) != ST_OK ||
	    open_files_visit(files, d, add, &x) != ST_OK)
		x.users.n = 0;
	d->error[0] = '\0';
	for (unsigned int i = 0; i < x.users.kept && i < TOLD; i++)
		strbuf_add(&b, "%s%s (%d)", i ? ", " : "; a watchdog device is open in ",
			   x.users.all[i]->comm, x.users.all[i]->tgid);
	if (b.len && x.users.n > TOLD)
		strbuf_add(&b, " and %u more", x.users.n - TOLD);
	return dump_strdup(d, b.buf);
}
