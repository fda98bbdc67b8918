// SPDX-License-Identifier: GPL-2.0-or-later
/* Limits of net.*, and parameters that the command line alone has. */
#include "collect/vm_settings.h"
#include "stub.h"
#include "test.h"

#define AT(i) (0x10000ULL + (uint64_t)(i)*0x1000)

static uint32_t rmem_max = 212992;
static uint64_t tcp_mem[3] = { 5607, 7479, 11214 };
static uint64_t line_at = AT(3);
static char line[4096];
static const struct stub_memory memory[] = {
	{ AT(0), &rmem_max, sizeof(rmem_max) },
	{ AT(1), tcp_mem, sizeof(tcp_mem) },
	{ AT(2), &line_at, sizeof(line_at) },
	{ AT(3), line, sizeof(line) },
	{ 0 },
};
static const struct stub_symbol symbols[] = {
	{ "sysctl_rmem_max", AT(0), FIELD(0, 4) },    { "sysctl_tcp_mem", AT(1), FIELD(0, 24) },
	{ "sysctl_wmem_max", AT(9), FIELD(0, 4) }, /* not in the dump */
	{ "saved_command_line", AT(2), FIELD(0, 8) }, { 0 },
};
static const struct stub_member members[] = { { 0 } };
static const struct stub_number sizes[] = { { 0 } };
static struct vm_setting room[16];

/* "net.core.rmem_max=212992 ..." of the settings that were added. */
static const char *added(const char *given, struct vm_settings *to)
{
	static char text[512];
	struct stub s = { memory, symbols, members, sizes, NULL };
	size_t len = 0;

	snprintf(line, sizeof(line), "%s", given);
	*to = (struct vm_settings){ .all = room, .room = ARRAY_SIZE(room) };
	stub_open(&s);
	settings_add_given(&s.dump, to);
	for (size_t i = 0; i < to->n; i++)
		len += (size_t)snprintf(text + len, sizeof(text) - len, "%s%s=%s", len ? " " : "",
					to->all[i].name, to->all[i].value ?: "-");
	stub_close(&s);
	return text;
}

#define NET "net.core.rmem_max=212992 net.core.wmem_max=- net.ipv4.tcp_mem=5607 7479 11214"

static void limits_of_net(void)
{
	struct vm_settings to;

	CHECK_TEXT(added("console=ttyS0", &to), NET);
	CHECK(to.unread == 1 && to.all[0].is_minor && !to.all[0].changed);
}

/* Of a word as a whole, and of several the last. */
static void parameters(void)
{
	struct vm_settings to;

	CHECK_TEXT(added("isolcpus=1 mem=256M smem=3 mem swiotlb=4096 mem=512M", &to),
		   NET " isolcpus=1 mem=512M swiotlb=4096");
	CHECK(to.all[3].changed && to.all[3].has_changed && !to.all[3].is_minor);
}

static void no_room(void)
{
	struct vm_settings to = { .all = room, .room = 0 };
	struct stub s = { memory, symbols, members, sizes, NULL };

	stub_open(&s);
	settings_add_given(&s.dump, &to);
	CHECK(!to.n);
	stub_close(&s);
}

TESTS({ "limits of net.*", limits_of_net }, { "parameters of the command line", parameters },
      { "no room for more", no_room })
