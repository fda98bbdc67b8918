// SPDX-License-Identifier: GPL-2.0-or-later
#include "files/userfault.h"

static const struct layout_row rows[] = {
	FINDS(struct userfaults, task, "struct userfaultfd_wait_queue", REQUIRED, "4.3",
	      "wq.private"),
	FINDS(struct userfaults, ctx, "struct userfaultfd_wait_queue", REQUIRED, "4.3", "ctx"),
	FINDS(struct userfaults, mm, "struct userfaultfd_ctx", REQUIRED, "4.3", "mm"),
	FINDS(struct userfaults, file_private, "struct file", REQUIRED, "all", "private_data"),
};

enum status userfaults_open(struct dump *d, struct userfaults *ret)
{
	*ret = (struct userfaults){ .dump = d };
	return dump_built_with(d, "CONFIG_USERFAULTFD", "userfaultfd_fops",
			       "struct userfaultfd_wait_queue")
		       ?: STRUCTS_OPEN(d, rows, ret);
}

static struct userfault *keep(struct userfaults *u, uint64_t ctx, uint64_t mm)
{
	struct userfault *f = u->first;

	while (f && f->ctx != ctx)
		f = f->next;
	if (f)
		return f;
	f = dump_alloc(u->dump, sizeof(*f));
	*f = (struct userfault){ .next = u->first, .ctx = ctx, .mm = mm };
	u->first = f;
	return f;
}

enum status userfault_find(struct userfaults *u, uint64_t task, const struct task_stack *s,
			   uint64_t from, uint64_t to, const struct hash_u64 *mms,
			   struct userfault **ret)
{
	uint64_t word, ctx;
	uint8_t mm[8];

	for (uint64_t at = from & ~7ULL; at < to; at += 8) {
		uint64_t entry = at - u->task.offset;

		if (!task_stack_word(s, at, &word) || word != task ||
		    !task_stack_word(s, entry + u->ctx.offset, &ctx) || !ctx || ctx & 7 ||
		    dump_try(u->dump, ctx + u->mm.offset, mm, sizeof(mm)) != ST_OK ||
		    !hash_u64_has(mms, le64(mm)))
			continue;
		*ret = keep(u, ctx, le64(mm));
		return ST_OK;
	}
	return dump_absent(u->dump, "no wait for a userfaultfd on the stack");
}

struct users {
	struct userfaults *of;
	uint64_t operations; /* address of userfaultfd_fops */
};

static enum status add_user(void *arg, uint64_t file, uint64_t operations,
			    const struct file_user *user)
{
	struct users *u = arg;
	struct dump *d = u->of->dump;
	uint64_t ctx;

	if (operations != u->operations)
		return ST_OK;
	if (dump_u64(d, file + u->of->file_private.offset, &ctx, "file of a userfaultfd") !=
	    ST_OK) {
		u->of->why_no_users = u->of->why_no_users ?: dump_why(d);
		return ST_OK;
	}
	for (struct userfault *f = u->of->first; f; f = f->next)
		if (f->ctx == ctx)
			file_users_add(d->arena, &f->users, user);
	return ST_OK;
}

void userfaults_read_users(struct userfaults *u)
{
	struct open_files *files = dump_alloc(u->dump, sizeof(*files));
	struct users users = { .of = u };
	enum status st = dump_symbol(u->dump, "userfaultfd_fops", &users.operations)
				 ?: open_files_visit(files, u->dump, add_user, &users);

	if (st != ST_OK)
		u->why_no_users = dump_why(u->dump);
	else
		u->why_no_users = u->why_no_users ?: files->problem;
	u->users_complete = st == ST_OK && files->complete && !u->why_no_users;
}
