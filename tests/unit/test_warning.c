// SPDX-License-Identifier: GPL-2.0-or-later
/* What the kernel complained of, and which function of a module had it do so. */
#include "log/warning.h"

#include <stdlib.h>

#include "log/oops.h"
#include "log_text.h"
#include "test.h"

static struct log_warnings found;

static bool skip(const char *function)
{
	return !strcmp(function, "__get_free_pages");
}

static const char *told(const char *text, unsigned int i)
{
	static char ret[1024];
	struct strbuf b = STRBUF_OF(1024);

	CHECK(read_text(text) == ST_OK);
	log_warnings_read(&file.log, &found);
	if (i >= found.n)
		return "none";
	log_warning_text(&found.all[i], skip, &b);
	snprintf(ret, sizeof(ret), "%s", b.buf);
	return ret;
}

#define CUT "[   17.100000] ------------[ cut here ]------------\n"
#define PANIC "[   17.200000] Kernel panic - not syncing: kernel: panic_on_warn set ...\n"

/* 7.3, of a driver: the function that warns is the kernel's. */
static const char refcount[] = CUT
	"[   17.100000] refcount_t: underflow; use-after-free.\n"
	"[   17.100000] WARNING: lib/refcount.c:28 at refcount_warn_saturate+0x59/0x90, CPU#0: tsn-ctl/119\n"
	"[   17.100000] Modules linked in: bonding tsn_sess(OE) qemu_fw_cfg\n"
	"[   17.100000] CPU: 0 UID: 0 PID: 119 Comm: tsn-ctl Tainted: G           OE       7.3.4\n"
	"[   17.100000] RIP: 0010:refcount_warn_saturate+0x59/0x90\n"
	"[   17.100000] Call Trace:\n"
	"[   17.100000]  <TASK>\n"
	"[   17.100000]  ? left_over+0x1/0x20 [other]\n"
	"[   17.100000]  bond_release+0x4b/0x60 [bonding]\n"
	"[   17.100000]  tsn_release+0x4b/0x60 [tsn_sess]\n"
	"[   17.100000]  __fput+0xe6/0x2b0\n"
	"[   17.100000]  </TASK>\n";

static void of_refcount(void)
{
	char text[4096];

	snprintf(text, sizeof(text), "%s%s", refcount, PANIC);
	CHECK_TEXT(told(text, 0),
		   "refcount_t: underflow; use-after-free (WARNING at lib/refcount.c:28 "
		   "refcount_warn_saturate), called by tsn_release [tsn_sess], task tsn-ctl (119)");
	CHECK(found.n == 1 && found.newest == &found.last[0] && found.newest->times == 1);
	/* Twice the same is one; a warning behind the panic is none. */
	snprintf(text, sizeof(text),
		 "%s[   17.150000] ---[ end trace 0000000000000000 ]---\n%s%s%s", refcount,
		 refcount, PANIC, refcount);
	told(text, 0);
	CHECK(found.n == 1 && found.all[0].times == 2 && found.all[0].first != found.all[0].last);
}

/* One place, two tasks hours apart: each has its own time, and its own caller. */
static void of_others(void)
{
	static const char text[] = CUT
		"[   17.100000] WARNING: CPU: 0 PID: 1 at mm/slub.c:100 check_tag+0x1/0x20\n"
		"[   17.100000] CPU: 0 PID: 1 Comm: init Not tainted 6.10.0\n[   17.100000] Call Trace:\n"
		"[   17.100000]  first_open+0x1/0x20\n[   17.100000] ---[ end trace 0000000000000000 ]---\n"
		"[ 9000.000000] ------------[ cut here ]------------\n"
		"[ 9000.000000] WARNING: CPU: 1 PID: 70 at mm/slub.c:100 check_tag+0x1/0x20\n"
		"[ 9000.000000] CPU: 1 PID: 70 Comm: loader Not tainted 6.10.0\n[ 9000.000000] Call Trace:\n"
		"[ 9000.000000]  late_open+0x1/0x20\n[ 9000.000000] ---[ end trace 0000000000000000 ]---\n";
	struct strbuf b = STRBUF_OF(1024);

	CHECK_TEXT(told(text, 0),
		   "WARNING at mm/slub.c:100 check_tag, called by first_open, task init (1), "
		   "the first of 2 times");
	CHECK(found.n == 1 && found.all[0].first->ts_ns == 17100000000 &&
	      found.all[0].last->ts_ns == 9000000000000);
	log_warning_text(found.newest, skip, &b);
	CHECK_TEXT(b.buf, "WARNING at mm/slub.c:100 check_tag, called by late_open, "
			  "task loader (70), the last of 2 times");
}

/* 6.1, of the kernel itself: the allocator asked for nothing. */
static void of_kernel(void)
{
	static const char text[] = CUT
		"[   33.700000] WARNING: CPU: 1 PID: 109 at mm/page_alloc.c:5634 __alloc_pages+0x2a9/0x330\n"
		"[   33.700000] Modules linked in: dummy qemu_fw_cfg\n"
		"[   33.700000] CPU: 1 PID: 109 Comm: evpn-sync Not tainted 6.1.0-50-cloud-amd64 #1\n"
		"[   33.700000] Call Trace:\n"
		"[   33.700000]  <TASK>\n"
		"[   33.700000]  __get_free_pages+0xd/0x40\n"
		"[   33.700000]  neigh_hash_alloc+0x61/0xc0\n"
		"[   33.700000] ---[ end trace 0000000000000000 ]---\n"
		"[   33.800000] other+0x1/0x2 [later]\n";

	CHECK_TEXT(told(text, 0), "WARNING at mm/page_alloc.c:5634 __alloc_pages, called by "
				  "neigh_hash_alloc, task evpn-sync (109)");
}

static void others(void)
{
	static const struct {
		const char *text, *told;
	} cases[] = {
		{ "[    1.000000] BUG: KASAN: slab-use-after-free in poll_it+0x12/0x30 [drv]\n"
		  "[    1.000000] Write of size 8 at addr ffff888007a4c010 by task a poll/123\n"
		  "[    1.000000] Call Trace:\n[    1.000000]  <TASK>\n[    1.000000]  dump_stack_lvl+0x5d/0x80\n"
		  "[    1.000000]  print_report+0x1/0x2\n[    1.000000]  kasan_report+0x1/0x2\n"
		  "[    1.000000]  poll_it+0x12/0x30 [drv]\n",
		  "KASAN: slab-use-after-free in poll_it [drv], task a poll (123)" },
		{ "[    1.000000] UBSAN: shift-out-of-bounds in drivers/net/foo.c:12:34\n"
		  "[    1.000000] shift exponent 64 is too large\n"
		  "[    1.000000] CPU: 1 PID: 9 Comm: eth Not tainted 6.1\n[    1.000000] Call Trace:\n"
		  "[    1.000000]  dump_stack+0x1/0x2\n[    1.000000]  ubsan_epilogue+0x1/0x2\n"
		  "[    1.000000]  foo_rx+0x1/0x2 [foo]\n",
		  "UBSAN: shift-out-of-bounds in drivers/net/foo.c:12:34, called by foo_rx [foo], "
		  "task eth (9)" },
		{ "[    1.000000] BUG: scheduling while atomic: dd/77/0x00000002\n"
		  "[    1.000000] Modules linked in: drv(O)\n[    1.000000] CPU: 1 PID: 77 Comm: dd Not tainted 6.1\n"
		  "[    1.000000] Call Trace:\n[    1.000000]  __schedule_bug+0x1/0x2\n[    1.000000]  __schedule+0x1/0x2\n"
		  "[    1.000000]  msleep+0x1/0x2\n[    1.000000]  drv_ioctl+0x1/0x2 [drv]\n",
		  "scheduling while atomic: dd/77/0x00000002, called by drv_ioctl [drv], task dd (77)" },
		{ "[    1.000000] BUG kmalloc-64 (Tainted: G    B): Poison overwritten\n",
		  "BUG kmalloc-64 (Tainted: G    B): Poison overwritten" },
		/* Behind an interrupt no frame had it called. */
		{ "[    1.000000] WARNING: CPU: 1 PID: 9 at net/core/dev.c:1 f+0x1/0x2\n"
		  "[    1.000000] Call Trace:\n[    1.000000]  <IRQ>\n[    1.000000]  net_rx+0x1/0x2\n[    1.000000]  </IRQ>\n"
		  "[    1.000000]  <TASK>\n[    1.000000]  busy+0x1/0x2 [innocent]\n",
		  "WARNING at net/core/dev.c:1 f, called by net_rx" },
		/* An oops, and what only begins so. */
		{ "[    1.000000] BUG: kernel NULL pointer dereference, address: 0000000000000008\n",
		  "none" },
		{ "[    1.000000] WARNING: this is no report of the kernel\n", "none" },
		{ CUT
		  "[    1.000000] kernel BUG at mm/slub.c:547!\n[    1.000000] a\n[    1.000000] b\n[    1.000000] c\n[    1.000000] d\n"
		  "[    1.000000] WARNING: CPU: 1 PID: 9 at a.c:1 f+0x1/0x2\n",
		  "WARNING at a.c:1 f" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		CHECK_TEXT(told(cases[i].text, 0), cases[i].told);
}

/* More than are kept: the newest is. */
static void many(void)
{
	char text[8192] = "";
	size_t len = 0;

	for (unsigned int i = 0; i < WARNINGS + 3; i++)
		len += (size_t)snprintf(text + len, sizeof(text) - len,
					"[%5u.000000] WARNING: CPU: 1 PID: 9 at a.c:%u f+0x1/0x2\n",
					i + 1, i);
	told(text, 0);
	CHECK(found.n == WARNINGS && found.more == 3);
	CHECK_TEXT(found.newest->at, "a.c:10 f");
}

/* With BUG() the kernel says why before its mark. */
static void bug(void)
{
	static const char *const lines[] = {
		"list_del corruption. next->prev should be ffff888004a4c010, but was ffff888004a4c090",
		"------------[ cut here ]------------",
		"kernel BUG at lib/list_debug.c:62!",
		"CPU: 1 PID: 9 Comm: dd Tainted: G 6.1",
		"RIP: 0010:__list_del_entry_valid.cold+0x1/0x2",
		"Call Trace:",
		" drv_free+0x1/0x20 [drv]",
		"---[ end trace 0 ]---",
		"Kernel panic - not syncing: Fatal exception",
	};
	struct oops_log *log = calloc(1, sizeof(*log));

	for (size_t i = 0; i < ARRAY_SIZE(lines); i++)
		oops_log_line(log, i, lines[i]);
	CHECK(oops_is_fatal(log));
	CHECK_TEXT(log->oops.said, lines[0]);
	CHECK_TEXT(module_frames_first(&log->oops.modules), "drv_free+0x1/0x20 [drv]");
	memset(log, 0, sizeof(*log));
	oops_log_line(log, 0, lines[0]);
	oops_log_line(log, 1, "eth0: link up");
	oops_log_line(log, 2, lines[2]);
	CHECK_TEXT(log->oops.said, "");
	/* A panic of a driver's own. */
	memset(log, 0, sizeof(*log));
	oops_log_line(log, 0, "Kernel panic - not syncing: drv: no heartbeat");
	oops_log_line(log, 0, "CPU: 1 PID: 9 Comm: dd Tainted: G 6.1");
	oops_log_line(log, 0, " panic+0x1/0x2");
	oops_log_line(log, 0, " ? old+0x1/0x2 [other]");
	oops_log_line(log, 0, " drv_dead+0x1/0x2 [drv]");
	CHECK_TEXT(module_frames_first(&log->panic_modules), "drv_dead+0x1/0x2 [drv]");
	free(log);
}

TESTS({ "a counter of references", of_refcount }, { "of other tasks", of_others },
      { "of the kernel", of_kernel }, { "of other kinds", others }, { "more than are kept", many },
      { "a BUG() and a panic", bug })
