/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Who has a lock of a file: one of flock(), an OFD lock and a lease belong to a struct file, which all processes have
 * that inherited it, a POSIX lock belongs to a table of file descriptors (files_struct), which processes can share.
 */
#pragma once

#include "collect/stuck.h"

/*
 * Fills holder, processes, threads and complete of the locks from first on, where the owner is found. all: every thread;
 * is_whole: none is missing; *why: NULL, or why owners may be missing. ST_STOPPED.
 */
enum status stuck_owners_find(struct dump *d, struct stuck_file_lock *first, struct stuck_task *all,
			      bool is_whole, const char **why);
