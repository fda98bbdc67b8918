// SPDX-License-Identifier: GPL-2.0-or-later
/* Single lines that tell what went wrong, as kernels print them. */
#include "log/log_sign.h"

#include <string.h>

#include "log_records.h"
#include "test.h"

static struct log_signs read_lines(const char *const *lines, size_t n)
{
	struct kernel_record records[LOG_RECORDS];
	const struct kernel_log log = log_of(records, lines, n);
	struct log_signs all;

	log_signs_read(&log, &all);
	return all;
}

static void each_is_of_its_kind(void)
{
	static const struct {
		const char *line;
		enum sign_kind kind;
	} lines[] = {
		{ "BUG: Bad page state in process kswapd0  pfn:12345", SIGN_IMPOSSIBLE },
		{ "BUG: Bad page cache in process cp  pfn:12345", SIGN_IMPOSSIBLE },
		{ "get_swap_device: Bad swap file entry 3fffffffffff", SIGN_IMPOSSIBLE },
		{ "_swap_info_get: Unused swap offset entry 00012345", SIGN_IMPOSSIBLE },
		{ "Write-error on swap-device (254:16:8)", SIGN_SWAP },
		{ "Read-error on swap-device", SIGN_SWAP },
		{ "Write error -5 on dio swapfile (4096)", SIGN_SWAP },
		{ "pcieport 0000:00:02.0: DPC: containment event, status:0x1f01 source:0x0000",
		  SIGN_DEVICE },
		{ "nvme 0000:01:00.0: AMD-Vi: Event logged [IO_PAGE_FAULT domain=0x000e address=0x1000 flags=0x0000]",
		  SIGN_DEVICE },
		{ "virtio_blk virtio1: swiotlb buffer is full (sz: 65536 bytes), total 32768 (slots), used 9 (slots)",
		  SIGN_BOUNCE },
		{ "percpu: allocation failed, size=65536 align=8 atomic=0, alloc from reserved chunk failed",
		  SIGN_PERCPU },
		{ "page_pool_release_retry() stalled pool shutdown 512 inflight 60 sec",
		  SIGN_PAGE_POOL },
		{ "XFS (dm-0): possible memory allocation deadlock size 65552 in kmem_alloc (mode:0x240)",
		  SIGN_RETRY },
		{ "XFS: kworker/0:1(123) possible memory allocation deadlock size 65552 in kmem_realloc (mode:0x2400240)",
		  SIGN_RETRY },
		{ "Huh VM_FAULT_OOM leaked out to the #PF handler. Retrying PF", SIGN_FAULT },
		{ "nfs: server filer1 not responding, still trying", SIGN_SERVER },
		{ "NETDEV WATCHDOG: eth0 (e1000): transmit queue 0 timed out", SIGN_DEVICE },
		{ "nvme nvme0: I/O 12 QID 3 timeout, aborting", SIGN_DEVICE },
		{ "e1000e 0000:00:1f.6 eno1: Detected Hardware Unit Hang:", SIGN_DEVICE },
		{ " session4: session recovery timed out after 120 secs", SIGN_DEVICE },
		{ " connection4:0: detected conn error (1022)", SIGN_DEVICE },
		{ " rport-7:0-0: blocked FC remote port time out: removing target and saving binding",
		  SIGN_DEVICE },
		{ "md/raid1:md0: Disk failure on sdb1, disabling device.", SIGN_DEVICE },
		{ "NVRM: Xid (PCI:0000:3b:00): 79, GPU has fallen off the bus.", SIGN_DEVICE },
		{ "ceph: mds0 hung", SIGN_SERVER },
		{ "unregister_netdevice: waiting for lo to become free. Usage count = 1",
		  SIGN_NETDEV },
		{ "TCP: request_sock_TCP: Possible SYN flooding on port 0.0.0.0:443. Sending cookies.",
		  SIGN_LISTEN },
		{ "sched: RT throttling activated", SIGN_REALTIME },
		{ "audit: audit_backlog=65 > audit_backlog_limit=64", SIGN_AUDIT },
		{ "virtio_balloon virtio3: Out of puff! Can't get 1 pages", SIGN_BALLOON },
		{ "mce: CPU3: Core temperature is above threshold, cpu clock is throttled (total events = 1)",
		  SIGN_HEAT },
		{ "device-mapper: thin: 253:2: switching pool to out-of-data-space (queue IO) mode",
		  SIGN_POOL },
		{ "device-mapper: snapshots: Invalidating snapshot: Unable to allocate exception.",
		  SIGN_POOL },
		{ "BUG: workqueue lockup - pool cpus=1 node=0 flags=0x0 nice=0 stuck for 33s!",
		  SIGN_WORKERS },
	};

	for (size_t i = 0; i < ARRAY_SIZE(lines); i++) {
		const struct log_signs all = read_lines(&lines[i].line, 1);

		for (int kind = 0; kind < SIGN_KINDS; kind++)
			CHECK(all.of[kind].n == ((enum sign_kind)kind == lines[i].kind));
	}
}

static void the_first_of_another_kind(void)
{
	static const char *const lines[] = {
		" session4: session recovery timed out after 120 secs",
		"sd 6:0:0:0: rejecting I/O to offline device",
		"sd 6:0:0:0: rejecting I/O to offline device",
	};
	struct log_signs all = read_lines(lines, 3);

	CHECK(all.of[SIGN_DEVICE].n == 3 && all.of[SIGN_DEVICE].is_mixed);
	all = read_lines(&lines[1], 2);
	CHECK(all.of[SIGN_DEVICE].n == 2 && !all.of[SIGN_DEVICE].is_mixed);
}

static void a_pool_may_get_room(void)
{
	static const char *const lines[] = {
		"device-mapper: thin: 253:2: reached low water mark for data device: sending event.",
		"device-mapper: thin: 253:2: switching pool to out-of-data-space (queue IO) mode",
		"device-mapper: thin: 253:4: switching pool to write mode",
		"device-mapper: thin: 253:2: switching pool to write mode",
	};
	struct log_signs all = read_lines(lines, 3);

	CHECK(all.of[SIGN_POOL].n == 1 && !strcmp(all.of[SIGN_POOL].text, lines[1]));
	all = read_lines(lines, 4);
	CHECK(!all.of[SIGN_POOL].n);
}

static void a_server_may_answer_again(void)
{
	static const char *const lines[] = {
		"nfs: server filer1 not responding, still trying",
		"nfs: server filer12 OK",
		"nfs: server filer1 OK",
		"nfs: server filer2 not responding, still trying",
	};
	struct log_signs all = read_lines(lines, 2);

	CHECK(all.of[SIGN_SERVER].n == 1);
	CHECK(!read_lines(lines, 3).of[SIGN_SERVER].n);
	all = read_lines(lines, 4);
	CHECK(all.of[SIGN_SERVER].n == 1 && all.of[SIGN_SERVER].first->ts_ns == 4);
	CHECK_TEXT(all.of[SIGN_SERVER].text, lines[3]);
}

static void what_is_alike_is_none(void)
{
	static const char *const lines[] = {
		"nvme nvme0: 2/0/0 default/read/poll queues",
		"mpt3sas_cm0: LSISAS3008: FWVersion(16.00.01.00)",
		"a server of files: Write-error on swap-device (254:16:8)",
		"nfs: server filer1 OK",
	};
	const struct log_signs all = read_lines(lines, 4);

	for (int kind = 0; kind < SIGN_KINDS; kind++)
		CHECK(!all.of[kind].n);
}

TESTS({ "a pool of disks", a_pool_may_get_room }, { "each is of its kind", each_is_of_its_kind },
      { "the first of another kind", the_first_of_another_kind },
      { "a server may answer again", a_server_may_answer_again },
      { "what is alike is none", what_is_alike_is_none })
