/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Settings of /proc/sys/vm, and which of them are not as the kernel makes them. */
#pragma once

#include "dump/gap.h"
#include "util/maybe.h"

struct vm_setting {
	const char *name;      /* "vm.swappiness" */
	const char *value;     /* as its file shows it; NULL: unknown */
	enum availability why; /* it is unknown */
	const char *standard;  /* what it is without a user's setting; NULL: unknown */
	bool has_changed;      /* changed is known */
	bool changed;
	struct maybe_u64 kept; /* bytes that it keeps from processes */
	const char *remark;    /* what it is for; NULL: unknown */
	bool is_minor;	       /* its default is unknown, and it keeps little or nothing */
};

struct vm_settings {
	struct vm_setting *all; /* in the order of their names */
	size_t n, room;
	uint64_t tick_ns;	 /* of a jiffy; 0: unknown */
	size_t unread;		 /* of these: the value is not in this dump */
	size_t unknown;		 /* the same: how its file shows it, or whether its page was lost */
	const char *unknown_why; /* of the first of these */
	size_t contradicted;	 /* the same, by vm_settings_check() */
	size_t corrupt;		 /* the same, and no value that its file takes */
	const char *corrupt_why; /* of the first of these */
	struct gaps gaps;
};

/* What was found before an error is in ret. */
enum status vm_settings_collect(struct dump *d, struct vm_settings *ret);

/* Puts settings of fs.* and kernel.* that are known, and parameters of boot, behind those of vm.*. */
enum status settings_add(struct dump *d, struct vm_settings *to);

/* Of these the limits of net.*, and parameters that the command line has. */
void settings_add_given(struct dump *d, struct vm_settings *to);

/* Of two files of which writing one sets the other to 0 and that are not, one is damaged: neither is told. */
void vm_settings_check(struct vm_settings *s);

/* NULL: it was not found. */
static inline struct vm_setting *vm_settings_find(const struct vm_settings *s, const char *name)
{
	return FIND_IN(s->all, s->n, !strcmp(found->name, name));
}

/* The value of one; NULL: unknown. */
static inline const char *vm_settings_value(const struct vm_settings *s, const char *name)
{
	const struct vm_setting *of = vm_settings_find(s, name);

	return of ? of->value : NULL;
}
