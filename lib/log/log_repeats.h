/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a text has twice: the output of dmesg and then the file of syslog, or a mail that quotes a report and another that
 * quotes it again. The clock goes back there, and lines have the stamp and the words of earlier ones.
 */
#pragma once

#include "log/kernel_log.h"

/*
 * Keeps of two copies the one that has more, with the dates of both. Of records that all have a stamp of the kernel's
 * clock.
 */
void log_drop_repeats(struct dump *d, struct kernel_log *log);
