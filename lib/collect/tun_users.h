/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Queues of tun and tap devices with packets, and the processes that have them open. */
#pragma once

#include "files/open_files.h"
#include "files/tun.h"

struct tun_user {
	struct tun_queue queue;
	struct file_users users;
};

struct tun_users {
	struct hash_u64 all; /* of struct tun_user by address of the tun_file */
	const char *problem; /* NULL, or why packets or processes may be missing */
	bool is_complete;    /* none has a queue open that is not in its users */
};

/* ST_ABSENT: built without, or the module is not loaded; ST_UNKNOWN; ST_STOPPED. */
enum status tun_users_collect(struct dump *d, struct tun_users *ret);
