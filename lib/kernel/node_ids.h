/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How many numbers of NUMA nodes there are: arrays by node are as long. */
#pragma once

#include "dump/dump.h"

/* 1: a kernel without NUMA. */
enum status node_ids_read(struct dump *d, uint64_t *ret);
