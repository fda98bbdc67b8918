/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is known of the files of a dump, in lines "name value", for memowner --info. */
#pragma once

#include "file/vmcore.h"
#include "util/sink.h"

/* Looks for VMCOREINFO in memory where no note has it: up to a second for each GiB of it. */
void vmcore_describe(struct dump *d, struct vmcore *v, struct sink *s);
