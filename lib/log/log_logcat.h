/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Lines of Android's logcat, "11-20 10:20:30.123     0     0 W CPU     : 0 PID: 12": the kernel's are of process 0, and
 * what stands before their first colon is their tag (logd's LogKlog.cpp). Text only.
 */
#pragma once

#include <stdbool.h>

/*
 * Writes such a line as syslog has it, in place: "Nov 20 10:20:30.123 kernel: CPU: 0 PID: 12", of a program with its
 * tag and a host. False: it is another line, and as it was.
 */
bool log_logcat_line(char *line);
