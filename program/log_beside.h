/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The log that kdump wrote beside a dump, for who has a dump that cannot be read, or not all of it. */
#pragma once

#include "util/arena.h"

/* "its log is in DIR/vmcore-dmesg.txt: memowner --log DIR/vmcore-dmesg.txt"; NULL: none is there. */
const char *log_beside(struct arena *a, const char *path);
