// SPDX-License-Identifier: GPL-2.0-or-later
#include "tasks/posix_timers.h"

#include "kernel/list.h"
#include "kernel/object_bytes.h"

static const struct layout_row rows[] = {
	/* 6.12: "posix-timers: Make signal_struct:: Posix_timers a hlist"; before a list_head. */
	FINDS(struct posix_timers, heads, "struct signal_struct", REQUIRED, "all", "posix_timers"),
	FINDS(struct posix_timers, sigqueue, "struct k_itimer", REQUIRED, "all", "sigq"),
};

enum status posix_timers_find(struct dump *d, struct posix_timers *ret)
{
	uint64_t signal = 0;
	enum status st = dump_built_with(d, "CONFIG_POSIX_TIMERS", "exit_itimers",
					 "struct k_itimer");

	*ret = (struct posix_timers){ .dump = d };
	st = st ?: STRUCTS_OPEN(d, rows, ret)
			   ?: object_bytes(d, "struct k_itimer", "posix_timers_cache", &ret->bytes);
	/* 6.13: a part of the timer; before a pointer to one that it has from the start. */
	if (st == ST_OK && ret->sigqueue.size == sizeof(uint64_t))
		st = object_bytes(d, "struct sigqueue", "sigqueue_cachep", &signal);
	ret->bytes += signal;
	return st;
}

enum status posix_timers_count(const struct posix_timers *t, uint64_t signal, uint64_t *ret)
{
	const uint64_t head = signal + t->heads.offset;
	struct list_nodes list = t->heads.size == sizeof(uint64_t)
					 ? hlist_of(t->dump, head, "POSIX timers")
					 : list_of(t->dump, head, "POSIX timers");
	uint64_t node;

	while (list_next(&list, &node))
		;
	*ret = list.n;
	return list_end(&list);
}
