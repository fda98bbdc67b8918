// SPDX-License-Identifier: GPL-2.0-or-later
#include "tasks/audit_daemon.h"

enum status audit_daemon_pid(struct dump *d, int32_t *ret)
{
	struct field pid, numbers;
	uint64_t at, connection;
	uint32_t nr = 0;
	enum status st;

	if (dump_symbol(d, "auditd_conn", &at) != ST_OK ||
	    dump_ask(d, member, "struct auditd_connection", "pid", &pid) != ST_OK || !pid.present ||
	    dump_ask(d, member, "struct pid", "numbers", &numbers) != ST_OK || !numbers.present)
		return dump_fail(d, ST_UNKNOWN,
				 "this kernel has no auditd_conn, or another layout of it");
	st = dump_u64(d, at, &connection, "auditd_conn");
	if (st == ST_OK && !connection)
		return ST_ABSENT;
	/* Of struct upid the number is the first member, and of a struct pid the first upid is that of the first namespace. */
	st = st ?: dump_u64(d, connection + pid.offset, &at, "struct auditd_connection")
		     ?: dump_u32(d, at + numbers.offset, &nr, "struct pid");
	if (st == ST_OK && (!nr || nr > INT32_MAX))
		st = dump_corrupt(d, "the audit daemon has pid %u", nr);
	if (st == ST_OK)
		*ret = (int32_t)nr;
	return st;
}
