// SPDX-License-Identifier: GPL-2.0-or-later
/* Pseudonyms of a report that is sent (extensions/page/redact.c). */
#include "extensions/page/redact.h"
#include "stub.h"
#include "test.h"

static struct stub stub;
static struct redact redact;

static void begin(void)
{
	STUB_OPEN(stub);
	redact_open(&stub.dump, &redact);
}

static const char *text(const char *s)
{
	return redact_text(&redact, s, strlen(s));
}

static void learn(const char *line)
{
	redact_learn_record(&redact, line, strlen(line));
}

static void names_are_found_as_words(void)
{
	begin();
	learn("{\"record\":\"row\",\"pid\":5,\"comm\":\"web\",\"cgroup\":\"/shop/web.service\"}");
	learn("{\"record\":\"row\",\"comm\":\"kworker/0:1\",\"kthread\":true}");
	CHECK_TEXT(text("web (5) of web.service"), "cmd-1 (5) of name-3");
	CHECK_TEXT(text("cobweb webs web_x 5(web)"), "cobweb webs web_x 5(cmd-1)");
	CHECK_TEXT(text("in /shop/web.service, 9M"), "in /path-2, 9M");
	CHECK_TEXT(text("kworker/0:1"), "kworker/0:1");
}

/* A name that is a word of ours is one of a task alone: "has (7)", and not in a sentence. */
static void words_of_sentences_stay(void)
{
	begin();
	learn("{\"record\":\"row\",\"pid\":5,\"comm\":\"maps\"}");
	learn("{\"record\":\"row\",\"pid\":6,\"comm\":\"stuck\"}");
	CHECK_TEXT(text("maps (5) and 39 maps: 5(maps), memowner stuck"),
		   "cmd-1 (5) and 39 maps: 5(cmd-1), memowner stuck");
	CHECK_TEXT(redact_cell(&redact, "comm", "maps"), "cmd-1");
	CHECK_TEXT(
		text("13 processes maps of it, has 37.2M in maps; the first of 13 maps in /a; maps (pid 5)"),
		"13 processes cmd-1 of it, has 37.2M in cmd-1; the first of 13 cmd-1 in /path-3; "
		"cmd-1 (pid 5)");
	CHECK_TEXT(text("  task        234 maps\n  maps asked for memory; 5 maps are told"),
		   "  task        234 cmd-1\n  cmd-1 asked for memory; 5 maps are told");
	/* /usr/share/zoneinfo/UTC is a file that many have open. */
	learn("{\"record\":\"row\",\"cgroup\":\"/usr/UTC\",\"file\":\"/a/RAM\",\"comm\":\"Linux\"}");
	CHECK_TEXT(text("Linux 6.12, 04:42:26 UTC, 9M of RAM; Linux (7)"),
		   "Linux 6.12, 04:42:26 UTC, 9M of RAM; cmd-8 (7)");
	/* A line of the log has no sentence of ours. */
	CHECK_TEXT(text("[337.670085] [    431]     0   431     1731 maps"),
		   "[337.670085] [    431]     0   431     1731 cmd-1");
}

static void forms_are_found(void)
{
	begin();
	CHECK_TEXT(text("of /home/eve/run.sh, 5M"), "of /path-1, 5M");
	CHECK_TEXT(text("of /home/eve/run.sh"), "of /path-1");
	CHECK_TEXT(text("kmalloc-1k of device gate-eve7, and of device gate-eve7"),
		   "kmalloc-1k of device dev-2, and of device dev-2");
	CHECK_TEXT(text("configfs item gate-eve7, of configfs item gate-eve7"),
		   "configfs item dev-2, of configfs item dev-2");
	CHECK_TEXT(text("R13: 00007ffe4201dfbd at 0xffff888000000000"), "R13: addr-3 at addr-4");
	CHECK_TEXT(text("10.0.2.15:22 and 10.0.2.15"), "addr-5:22 and addr-5");
	CHECK_TEXT(text("fe80::5054:ff:fe12:3456"), "addr-6");
	/* Figures, functions and times are none. */
	CHECK_TEXT(text("6.12.107 04:42:26 0x140cca f+0x5d/0x80 12,345 1/2"),
		   "6.12.107 04:42:26 0x140cca f+0x5d/0x80 12,345 1/2");
}

static void cells_are_known_by_their_columns(void)
{
	begin();
	CHECK_TEXT(redact_cell(&redact, "comm", "a b"), "cmd-1");
	CHECK_TEXT(redact_cell(&redact, "comm", "a b"), "cmd-1");
	CHECK_TEXT(redact_cell(&redact, "file", "/spool/x y (deleted)"), "/path-2 (deleted)");
	CHECK_TEXT(redact_cell(&redact, "file", "mm/slub.c"), "mm/slub.c");
	CHECK_TEXT(redact_cell(&redact, "memcg", "/"), "/");
	CHECK_TEXT(redact_cell(&redact, "memcg", "[several]"), "[several]");
	CHECK_TEXT(redact_cell(&redact, "caller", "leaky_rx_refill"), "leaky_rx_refill");
}

static void records_keep_their_keys(void)
{
	static const char line[] =
		"{\"record\":\"row\",\"comm\":\"a\\\"b\",\"tgid\":5,\"module\":\"x\"}";

	begin();
	CHECK_TEXT(redact_record(&redact, line, sizeof(line) - 1),
		   "{\"record\":\"row\",\"comm\":\"cmd-1\",\"tgid\":5,\"module\":\"x\"}");
	CHECK_TEXT(redact_record(&redact, "{\"comm\":\"un", 11), "{\"comm\":\"un");
}

static void the_log_has_names_of_its_own(void)
{
	begin();
	learn("{\"record\":\"line\",\"message\":\"eater invoked oom-killer: gfp_mask=0x1\"}");
	learn("{\"record\":\"line\",\"message\":\"Killed process 9 (old one) total-vm:1kB\"}");
	learn("{\"record\":\"line\",\"message\":\"[    514]     0   514    28714       19 0 gone-er\"}");
	CHECK_TEXT(text("eater, old one, gone-er"), "cmd-1, cmd-2, cmd-3");
}

static void words_of_the_kernel_stay(void)
{
	static const char *const lines[] = {
		"[  pid  ]   uid  tgid total_vm      rss pgtables_bytes swapents oom_score_adj name",
		"[drm] Initialized virtio_gpu for the device",
		"Hardware name: QEMU Standard PC, for the device",
		"</TASK> <IRQ> </IRQ>",
	};

	begin();
	for (size_t i = 0; i < ARRAY_SIZE(lines); i++)
		learn(arena_text(stub.dump.arena, "{\"record\":\"line\",\"message\":\"%s\"}",
				 lines[i]));
	for (size_t i = 0; i < ARRAY_SIZE(lines); i++)
		CHECK_TEXT(text(lines[i]), lines[i]);
	CHECK_TEXT(text("</home/eve>"), "</path-1>");
	/* A name may have blanks. */
	learn("{\"record\":\"line\",\"message\":\"[    514]     0   514    28714       19 -1000 old one\"}");
	learn("{\"record\":\"line\",\"message\":\"CPU: 0 PID: 5 Comm: Web Content Not tainted 6.12\"}");
	CHECK_TEXT(text("old one, Web Content"), "cmd-2, cmd-3");
}

/* Their names are those of the kernel's functions; a process may have taken one, or ended before the dump. */
static void threads_of_the_kernel_stay(void)
{
	begin();
	learn("{\"record\":\"row\",\"comm\":\"kswapd0\"}");
	learn("{\"record\":\"row\",\"comm\":\"kworker/u8:3\"}");
	learn("{\"record\":\"row\",\"comm\":\"taken\",\"kthread\":false}");
	learn("{\"record\":\"row\",\"comm\":\"taken\",\"kthread\":true}");
	learn("{\"record\":\"row\",\"comm\":\"kswapd0\",\"kthread\":true}");
	learn("{\"record\":\"line\",\"message\":\"CPU: 0 PID: 0 Comm: swapper/0 Not tainted 6.12\"}");
	CHECK_TEXT(redact_cell(&redact, "comm", "kswapd0"), "kswapd0");
	CHECK_TEXT(redact_cell(&redact, "comm", "kworker/u8:3"), "kworker/u8:3");
	CHECK_TEXT(redact_cell(&redact, "comm", "kworker/shop"), "cmd-3");
	CHECK_TEXT(redact_cell(&redact, "comm", "taken"), "cmd-2");
	CHECK_TEXT(text("kswapd0 (38) and Comm: swapper/0"), "kswapd0 (38) and Comm: swapper/0");
	CHECK_TEXT(redact_record(&redact, "{\"comm\":\"kswapd0\"}", 18), "{\"comm\":\"kswapd0\"}");
}

/* A file may be called as what a thread waits for, a process as a column or a field of the log. */
static void words_of_answers_stay(void)
{
	begin();
	learn("{\"record\":\"row\",\"file\":\"/bin/work\",\"cgroup\":\"/modules/order\"}");
	learn("{\"record\":\"row\",\"comm\":\"mount\"}");
	learn("{\"record\":\"row\",\"comm\":\"boost\"}");
	learn("{\"record\":\"row\",\"host\":\"shop\"}");
	CHECK_TEXT(redact_cell(&redact, "waits_for", "work"), "work");
	CHECK_TEXT(text("memowner files -g mount,deleted -n 20"),
		   "memowner files -g mount,deleted -n 20");
	CHECK_TEXT(text("mount (5)"), "cmd-5 (5)");
	CHECK_TEXT(
		text("[   12.345678] x invoked oom-killer: gfp_mask=0x1(GFP_KERNEL), order=0, y=order"),
		"[   12.345678] x invoked oom-killer: gfp_mask=0x1(GFP_KERNEL), order=0, y=name-4");
	CHECK_TEXT(text("[   12.345678] Node 0 DMA free:4kB boost:0kB, boost, shop:80"),
		   "[   12.345678] Node 0 DMA free:4kB boost:0kB, cmd-6, host-7:80");
	CHECK_TEXT(redact_cell(&redact, "file", "/bin/work"), "/path-1");
}

/* Who loads a map names it; what is pinned has a path. */
static void bpf_has_names(void)
{
	begin();
	learn("{\"record\":\"row\",\"bpf_kind\":\"map\",\"bpf_type\":\"hash\",\"name\":\"flowtab\",\"pinned_at\":[\"/sys/fs/bpf/shop/flows\"]}");
	learn("{\"record\":\"row\",\"bpf_kind\":\"program\",\"name\":\"hash\"}");
	learn("{\"record\":\"row\",\"name\":\"zram0\"}");
	learn("{\"record\":\"row\",\"bpf_kind\":\"seccomp\",\"name\":\"34 filters of 5 threads\"}");
	CHECK_TEXT(text("BPF map flowtab (hash), pinned at /sys/fs/bpf/shop/flows"),
		   "BPF map bpf-1 (hash), pinned at /path-3");
	CHECK_TEXT(redact_cell(&redact, "name", "flowtab"), "bpf-1");
	CHECK_TEXT(redact_cell(&redact, "name", "hash"), "bpf-2");
	CHECK_TEXT(redact_cell(&redact, "name", "zram0"), "zram0");
	CHECK_TEXT(redact_cell(&redact, "name", "34 filters of 5 threads"),
		   "34 filters of 5 threads");
	CHECK_TEXT(redact_cell(&redact, "bpf_type", "hash"), "hash");
}

/* Each machine has them, and sentences of ours: that a process has one open is no secret of it. */
static void files_of_the_kernel_stay(void)
{
	begin();
	learn("{\"record\":\"row\",\"file\":\"/proc/meminfo\"}");
	CHECK_TEXT(text("as /proc/slabinfo counts them; /proc/meminfo, /proc/sys/vm/swappiness."),
		   "as /proc/slabinfo counts them; /proc/meminfo, /proc/sys/vm/swappiness.");
	CHECK_TEXT(text("/sys/kernel/mm/transparent_hugepage/enabled"),
		   "/sys/kernel/mm/transparent_hugepage/enabled");
	CHECK_TEXT(text("/proc/514/maps /proc/fs/jbd2/eve1-8 /sys/kernel/config/eve /process"),
		   "/path-1 /path-2 /path-3 /path-4");
}

TESTS({ "threads of the kernel", threads_of_the_kernel_stay },
      { "words of answers", words_of_answers_stay },
      { "names of BPF maps and programs", bpf_has_names },
      { "files of the kernel", files_of_the_kernel_stay },
      { "a name that is a word of sentences", words_of_sentences_stay },
      { "words of the kernel's own text stay", words_of_the_kernel_stay },
      { "a name is found where it is a word", names_are_found_as_words },
      { "paths and addresses are found by their form", forms_are_found },
      { "cells by their columns", cells_are_known_by_their_columns },
      { "records keep what is no name", records_keep_their_keys },
      { "names that the log alone has", the_log_has_names_of_its_own })
