/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The process that takes records of the audit from the kernel (kernel/audit.c, auditd_conn: 4.11 and later). */
#pragma once

#include "dump/dump.h"

/* Its pid. ST_ABSENT: none has said that it is; ST_UNKNOWN: this kernel has no audit, or another layout (with its reason, as of what cannot be read). */
enum status audit_daemon_pid(struct dump *d, int32_t *ret);
