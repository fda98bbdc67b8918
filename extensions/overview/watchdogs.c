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

struct search {
	struct dump *dump;
	uint64_t operations;
	struct file_users *users;
};

static enum status add(void *arg, uint64_t file NOT_USED, uint64_t operations,
		       const struct file_user *user)
{
	struct search *x = arg;

	if (dump_stopped(x->dump))
		return ST_STOPPED;
	if (operations == x->operations && !user->is_device)
		file_users_add(x->dump->arena, x->users, user);
	return ST_OK;
}

enum status summary_watchdog_feeders(struct dump *d, struct watchdog_feeders *ret)
{
	struct watchdog_feeders found = { { 0 } };
	struct search x = { .dump = d, .users = &found.users };
	struct open_files *files = dump_alloc(d, sizeof(*files));
	enum status st = module_object_symbol(d, "watchdog", "watchdog_fops", &x.operations)
				 ?: open_files_visit(files, d, add, &x);

	if (st == ST_OK && !files->complete)
		found.problem = files->problem;
	return RESULT(st, ret, found);
}

/* Drivers that are not of the core have operations of their own: that none is open is not told. */
const char *summary_watchdogs(struct dump *d)
{
	struct watchdog_feeders f = { { 0 } };
	struct strbuf b = STRBUF_OF(256);

	if (d->log_file || summary_watchdog_feeders(d, &f) != ST_OK)
		f.users.kept = 0;
	d->error[0] = '\0';
	for (unsigned int i = 0; i < f.users.kept && i < TOLD; i++)
		strbuf_add(&b, "%s%s (%d)", i ? ", " : "; a watchdog device is open in ",
			   f.users.all[i]->comm, f.users.all[i]->tgid);
	if (b.len && f.users.n > TOLD)
		strbuf_add(&b, " and %u more", f.users.n - TOLD);
	if (b.len && f.problem)
		strbuf_add(&b, ", and perhaps others");
	return dump_strdup(d, b.buf);
}
