/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Who waits for a userfaultfd (fs/userfaultfd.c), and the processes that have it open. A task in handle_userfault() has
 * a struct userfaultfd_wait_queue on its stack, which names the task and the userfaultfd_ctx; so does the struct file.
 */
#pragma once

#include "files/open_files.h"

struct userfault {
	struct userfault *next;
	uint64_t ctx, mm; /* addresses: of its userfaultfd_ctx, of the mm_struct that it is of */
	struct file_users users; /* processes that have it open */
};

struct userfaults {
	struct dump *dump;
	struct field task, ctx, mm, file_private;
	struct userfault *first; /* that a task waits for */
	bool users_complete;
	const char *why_no_users; /* NULL, or what is missing of them */
};

enum status userfaults_open(struct dump *d, struct userfaults *ret);

/* What a task waits for by its stack from..to; mms: of every process. ST_ABSENT: nothing was found there. */
enum status userfault_find(struct userfaults *u, uint64_t task, const struct task_stack *s,
			   uint64_t from, uint64_t to, const struct hash_u64 *mms,
			   struct userfault **ret);

/* Fills users of all that were found. */
void userfaults_read_users(struct userfaults *u);
