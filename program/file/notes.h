/* SPDX-License-Identifier: GPL-2.0-or-later */
/* ELF notes of a dump: VMCOREINFO is the description of the note of that name. */
#pragma once

#include "file/input.h"
#include "file/vmcore.h"

/* No kernel writes more: its VMCOREINFO is one page, of up to 64 KiB. */
#define NOTES_MOST_VMCOREINFO (128 * 1024)

/*
 * Looks through bytes of notes at an offset of a file.  Text in d->arena, ended by a zero byte.
 * ST_ABSENT: there is no such note; ST_UNREADABLE: they are not in the file.
 */
enum status notes_vmcoreinfo(struct dump *d, const struct input *in, uint64_t at, uint64_t bytes,
			     const char **ret, size_t *ret_bytes);

/* Adds the notes NT_PRSTATUS among them to those of a dump. */
void notes_cpus(struct dump *d, const struct input *in, uint64_t at, uint64_t bytes,
		struct cpu_notes *ret);

/* The text itself at an offset. */
enum status notes_text(struct dump *d, const struct input *in, uint64_t at, uint64_t bytes,
		       const char **ret, size_t *ret_bytes);
