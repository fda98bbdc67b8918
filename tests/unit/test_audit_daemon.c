// SPDX-License-Identifier: GPL-2.0-or-later
/* The process that takes records of the audit. */
#include "stub.h"
#include "tasks/audit_daemon.h"
#include "test.h"

#define AT(i) (0xffff888000100000ULL + (i)*0x1000)

static uint64_t connection_at;
static struct {
	uint64_t pid, net;
} connection = { .pid = AT(2) };
static struct {
	uint64_t count, level;
	uint32_t nr, pad;
} pid = { .nr = 298 };

static const struct stub_memory memory[] = { { AT(0), &connection_at, sizeof(connection_at) },
					     { AT(1), &connection, sizeof(connection) },
					     { AT(2), &pid, sizeof(pid) },
					     { 0 } };
static const struct stub_symbol symbols[] = { { "auditd_conn", AT(0), { 0 } }, { 0 } };
static const struct stub_member members[] = {
	{ "struct auditd_connection", "pid", KINDED(KIND_POINTER, 0, 8) },
	{ "struct pid", "numbers", KINDED(KIND_ARRAY, 16, 0) },
	{ 0 }
};

static enum status daemon_of(uint64_t at, const struct stub_member *of, int32_t *ret)
{
	STUB(s, .memory = memory, .symbols = symbols, .members = of);

	connection_at = at;
	return audit_daemon_pid(&s.dump, ret);
}

static void is_known_or_not(void)
{
	int32_t got = 0;

	CHECK(daemon_of(AT(1), members, &got) == ST_OK && got == 298);
	got = 0;
	CHECK(daemon_of(0, members, &got) == ST_ABSENT && !got);
	CHECK(daemon_of(AT(7), members, &got) == ST_UNREADABLE && !got);
	/* Another layout: that there is none is no claim. */
	CHECK(daemon_of(AT(1), members + 1, &got) == ST_UNKNOWN && !got);
	pid.nr = 0;
	CHECK(daemon_of(AT(1), members, &got) == ST_CORRUPT && !got);
	pid.nr = 298;
}

TESTS({ "is known or not", is_known_or_not })
