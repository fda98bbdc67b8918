// SPDX-License-Identifier: GPL-2.0-or-later
/* What keeps a disk, in words: nothing of one that is only busy, and what is unknown is not told as known. */
#include "collect/stuck_words.h"
#include "test.h"

#define SECOND 1000000000ULL

static struct disk disks[] = { { .name = "bbud0" }, { .name = "dm-0" }, { .name = "nbd0" } };

static const char *words(const struct stuck *x, const struct stuck_disk *k)
{
	static char buf[1024];
	struct strbuf b = { .buf = buf, .size = sizeof(buf) };

	*buf = '\0';
	return stuck_disk_words(x, k, &b) ? buf : "-";
}

static void requests(void)
{
	struct stuck x = { .has_requests = true };
	struct stuck_disk k = {
		.disk = &disks[0], .module = "raidbbu", .waiting = 3, .has_requests = true
	};

	/* Busy: all of them are young. */
	k.requests = (struct disk_requests){ .n = 32, .oldest_ns = 9 * SECOND };
	CHECK_TEXT(words(&x, &k), "-");
	k.requests.all_old = 7;
	k.requests.old[DISK_WRITE] = 6;
	k.requests.old[DISK_FLUSH] = 1;
	k.requests.oldest_ns = 66 * SECOND;
	CHECK_TEXT(
		words(&x, &k),
		"bbud0, driver raidbbu: 6 writes, 1 flush not completed, the oldest started 1.1min ago; "
		"3 threads wait for it");
	/* It stands. */
	k.idle_ns = 60 * SECOND;
	CHECK(strstr(words(&x, &k), "started 1.1min ago, and for the last 1.0min no read or write "
				    "was started or completed; 3 threads"));
	k.idle_ns = 0;
	k.mount = "/srv (ext4)";
	CHECK(strstr(words(&x, &k), "bbud0, driver raidbbu, mounted as /srv (ext4): 6 writes"));
	k.mount = NULL;
	/* All SCSI disks are of one driver: that of the host has the requests. */
	k.host = (struct scsi_host){ "megaraid_sas", { 2, true } };
	k.module = "sd_mod";
	CHECK(strstr(words(&x, &k), "bbud0 of SCSI host2, driver megaraid_sas: 6 writes"));
	k.host.driver = "virtio_scsi";
	CHECK(strstr(words(&x, &k),
		     "SCSI host2, driver virtio_scsi, which the hypervisor serves: 6 writes"));
	k.host = (struct scsi_host){ 0 };
	CHECK(strstr(words(&x, &k), "bbud0, driver sd_mod: 6 writes"));
	k.module = "raidbbu";
	x.has_requests = false;
	x.cut.n = 1;
	k.inferred = 1;
	CHECK_TEXT(
		words(&x, &k),
		"bbud0, driver raidbbu: at least 6 writes, 1 flush not completed, the oldest started "
		"1.1min ago; at least 3 threads wait for it, and maybe 1 more thread, as its stack "
		"suggests");
	/* Not all disks are known: a thread that waits for one of no name may wait for this. */
	x.cut.n = 0;
	CHECK(strstr(words(&x, &k), "; 3 threads wait for it"));
	x.lacks_disks = true;
	CHECK(strstr(words(&x, &k), "; at least 3 threads wait for it"));
}

static void suspended(void)
{
	struct stuck_disk below = { .disk = &disks[0], .has_requests = true };
	struct stuck_disk k = { .next = &below,
				.disk = &disks[1],
				.module = "dm_mod",
				.is_mapped = true,
				.has_mapped = true,
				.mapped = { .name = "vg0-data", .bios_complete = true } };
	struct stuck x = { .disks = &k, .has_requests = true };

	CHECK_TEXT(words(&x, &k), "-");
	/* Its flags alone: only where threads wait, and no certainty. */
	k.mapped.has_flags = true;
	CHECK_TEXT(words(&x, &k), "-");
	k.waiting = 1;
	CHECK_TEXT(
		words(&x, &k),
		"dm-0 (vg0-data) may be suspended: its flags say so, though no bio waits for it; "
		"1 thread waits for it");
	k.mapped.bios = 2;
	CHECK_TEXT(
		words(&x, &k),
		"dm-0 (vg0-data) is suspended, by whom is not recorded: 2 bios wait for it; 1 thread "
		"waits for it");
	k.mapped.has_flags = false;
	k.mapped.bios_complete = false;
	CHECK_TEXT(
		words(&x, &k),
		"dm-0 (vg0-data): at least 2 bios wait as for a disk that is suspended, which its flags "
		"do not say; 1 thread waits for it");

	/* Not suspended, on a disk that is kept. */
	k.mapped.bios = 0;
	k.mapped.below[0] = &disks[0];
	k.mapped.nbelow = 1;
	below.requests = (struct disk_requests){ .all_old = 1,
						 .old = { [DISK_READ] = 1 },
						 .oldest_ns = 20 * SECOND };
	CHECK_TEXT(
		words(&x, &below),
		"bbud0: 1 read not completed, the oldest started 20.0s ago; on it lies dm-0 (vg0-data), "
		"which 1 thread waits for");
}

static void servers(void)
{
	const struct file_user blockd = { .tgid = 7, .comm = "blockd" };
	const struct file_user tierd = { .tgid = 8, .comm = "tierd" };
	const struct file_user *users[] = { &blockd };
	struct stuck_task tasks[2] = {
		{ .next = &tasks[1],
		  .task = { .pid = 7, .tgid = 7, .mm = 1, .state = 'S', .comm = "blockd" },
		  .peer = &tierd,
		  .peer_by = "unix socket" },
		{ .task = { .pid = 8, .tgid = 8, .mm = 2, .state = 'T', .comm = "tierd" } },
	};
	struct stuck x = { .others = tasks, .has_requests = true };
	struct stuck_disk k = { .disk = &disks[2], .is_nbd = true };

	k.requests = (struct disk_requests){ .all_old = 1,
					     .old = { [DISK_READ] = 1 },
					     .oldest_ns = 20 * SECOND };
	CHECK_TEXT(
		words(&x, &k),
		"nbd0: 1 read not completed, the oldest started 20.0s ago; its server is unknown");
	k.servers = (struct file_users){ .all = users, .kept = 1, .n = 1 };
	CHECK_TEXT(
		words(&x, &k),
		"nbd0: 1 read not completed, the oldest started 20.0s ago; its server blockd (7), which "
		"waits on a unix socket for tierd (8), which is stopped");
	k.servers = (struct file_users){ 0 };
	k.remote = "10.0.0.1:10809";
	CHECK_TEXT(words(&x, &k),
		   "nbd0: 1 read not completed, the oldest started 20.0s ago; its server is at "
		   "10.0.0.1:10809");
}

TESTS({ "requests that are not completed", requests },
      { "suspended, or on a disk that is kept", suspended }, { "the server of nbd", servers })
