// SPDX-License-Identifier: GPL-2.0-or-later
/* What file systems and disks found wrong, by lines as kernels print them. */
#include "log/disk_error.h"

#include <string.h>

#include "log_records.h"
#include "test.h"

static struct disk_errors read_lines(const char *const *lines, size_t n)
{
	struct kernel_record records[LOG_RECORDS];
	const struct kernel_log log = log_of(records, lines, n);
	struct disk_errors e;

	disk_errors_read(&log, &e);
	return e;
}

static void the_first_error_is_told_with_its_device(void)
{
	static const char *const lines[] = {
		"EXT4-fs (vda): mounted filesystem with ordered data mode. Quota mode: none.",
		"EXT4-fs error (device vda): ext4_map_blocks:637: inode #26: block 8000: comm a: lblock 0",
		"Kernel panic - not syncing: EXT4-fs (device vda): panic forced after error",
	};
	const struct disk_errors e = read_lines(lines, 3);

	CHECK(e.n == 1 && e.is_fs && e.first == e.last && e.first->ts_ns == 2);
	CHECK_TEXT(e.device, "vda");
	CHECK_TEXT(e.text, lines[1]);
}

static void each_form_has_its_device(void)
{
	static const struct {
		const char *line, *device;
		bool is_fs;
	} forms[] = {
		{ "XFS (dm-3): Corruption detected. Unmount and run xfs_repair", "dm-3", true },
		{ "XFS (sdb1): metadata I/O error in \"xlog_iodone\" at daddr 0x4 len 64 error 5",
		  "sdb1", true },
		{ "BTRFS error (device sda1): bdev /dev/sda1 errs: wr 1, rd 0, flush 0", "sda1",
		  true },
		{ "BTRFS error (device sda1: state EA): parent transid verify failed", "sda1",
		  true },
		{ "I/O error, dev vdb, sector 2048 op 0x1:(WRITE) flags 0x800 phys_seg 1 prio class 2",
		  "vdb", false },
		{ "blk_update_request: I/O error, dev sda, sector 8 op 0x0:(READ) flags 0x0", "sda",
		  false },
		{ "print_req_error: critical medium error, dev sdc, sector 99", "sdc", false },
		{ "Buffer I/O error on dev dm-0, logical block 5, lost async page write", "dm-0",
		  false },
		{ "JBD2: Detected IO errors while flushing file data on vda-8", "vda-8", true },
	};

	for (size_t i = 0; i < sizeof(forms) / sizeof(forms[0]); i++) {
		const struct disk_errors e = read_lines(&forms[i].line, 1);

		CHECK(e.n == 1 && e.is_fs == forms[i].is_fs);
		CHECK_TEXT(e.device, forms[i].device);
	}
}

static void what_is_no_error_is_none(void)
{
	static const char *const lines[] = {
		"XFS (vda): Mounting V5 Filesystem",
		"BTRFS info (device sda1): using free space tree",
		"EXT4-fs (vda): errors=remount-ro",
		"app says: EXT4-fs error (device vda)",
		"",
	};

	CHECK(!read_lines(lines, 5).n);
}

static void a_name_without_an_end_is_unknown(void)
{
	char line[300] = "EXT4-fs error (device ";
	const char *lines[] = { line };

	memset(line + strlen(line), 'x', sizeof(line) - strlen(line) - 1);
	CHECK_TEXT(read_lines(lines, 1).device, "");
	CHECK(strlen(read_lines(lines, 1).text) < DISK_ERROR_TEXT);
}

TESTS({ "disk errors: the first, its device", the_first_error_is_told_with_its_device },
      { "disk errors: forms", each_form_has_its_device },
      { "disk errors: other lines", what_is_no_error_is_none },
      { "disk errors: damage", a_name_without_an_end_is_unknown })
