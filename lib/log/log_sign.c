// SPDX-License-Identifier: GPL-2.0-or-later
#include "log/log_sign.h"

#include <string.h>

#include "log/log_text.h"

/* How a line begins, and what it has in it behind that; start "": what it has may stand anywhere. */
static const struct {
	const char *start, *has;
	enum sign_kind kind;
} lines[] = {
	{ "BUG: Bad page state in process ", "pfn:", SIGN_IMPOSSIBLE },
	{ "BUG: Bad page map in process ", "pte:", SIGN_IMPOSSIBLE },
	{ "BUG: Bad rss-counter state ", "", SIGN_IMPOSSIBLE },
	{ "BUG: Bad page cache in process ", "pfn:", SIGN_IMPOSSIBLE },
	/* Before it the function that met the entry: swap_info_get(), get_swap_device(). */
	{ "", ": Bad swap file entry ", SIGN_IMPOSSIBLE },
	{ "", ": Bad swap offset entry ", SIGN_IMPOSSIBLE },
	{ "", ": Unused swap file entry ", SIGN_IMPOSSIBLE },
	{ "", ": Unused swap offset entry ", SIGN_IMPOSSIBLE },
	{ "Write-error on swap-device (", "", SIGN_SWAP },
	{ "Read-error on swap-device", "", SIGN_SWAP },
	{ "Write error ", "on dio swapfile (", SIGN_SWAP },
	{ "", ": swiotlb buffer is full (sz: ", SIGN_BOUNCE },
	{ "percpu: allocation failed, size=", "", SIGN_PERCPU },
	{ "page_pool_release_retry() stalled pool shutdown", " inflight ", SIGN_PAGE_POOL },
	{ "XFS", "possible memory allocation deadlock ", SIGN_RETRY },
	{ "Huh VM_FAULT_OOM leaked out to the #PF handler", "", SIGN_FAULT },
	{ "nfs: server ", " not responding", SIGN_SERVER },
	{ "NFS: server ", " not responding", SIGN_SERVER },
	{ "lockd: server ", " not responding", SIGN_SERVER },
	{ "CIFS: VFS: ", " has not responded in ", SIGN_SERVER },
	{ "CIFS VFS: Server ", " has not responded in ", SIGN_SERVER },
	{ "ceph: mds", " hung", SIGN_SERVER },
	{ "block nbd", ": Possible stuck request ", SIGN_DEVICE },
	{ "NETDEV WATCHDOG: ", "timed out", SIGN_DEVICE },
	{ "", ": Detected Hardware Unit Hang", SIGN_DEVICE },
	{ "", "Detected Tx Unit Hang", SIGN_DEVICE },
	{ "ena ", "Keep alive watchdog timeout", SIGN_DEVICE },
	{ "mlx5_core ", "health compromised", SIGN_DEVICE },
	{ "nvme ", " timeout, ", SIGN_DEVICE },
	{ "nvme ", "controller is down", SIGN_DEVICE },
	{ "nvme ", ": Device not ready; aborting ", SIGN_DEVICE },
	{ "nvme ", ": Reconnecting in ", SIGN_DEVICE },
	/* drivers/scsi/scsi_transport_iscsi.c, scsi_transport_fc.c: before it the name of the connection or port. */
	{ "", ": detected conn error (", SIGN_DEVICE },
	{ "", ": session recovery timed out after ", SIGN_DEVICE },
	{ "", ": blocked FC remote port time out", SIGN_DEVICE },
	{ "sd ", "rejecting I/O to offline device", SIGN_DEVICE },
	{ "scsi ", "rejecting I/O to offline device", SIGN_DEVICE },
	{ "ata", ": exception Emask ", SIGN_DEVICE },
	{ "megaraid_sas ", "FW in FAULT state", SIGN_DEVICE },
	{ "mpt2sas_cm", ": fault_state(", SIGN_DEVICE },
	{ "mpt3sas_cm", ": fault_state(", SIGN_DEVICE },
	{ "hpsa ", "ontroller lockup detected", SIGN_DEVICE },
	{ "md/", ": Disk failure on ", SIGN_DEVICE },
	{ "device-mapper: multipath: ", "Failing path ", SIGN_DEVICE },
	{ "xhci_hcd ", "HC died; cleaning up", SIGN_DEVICE },
	{ "NVRM: Xid (", "", SIGN_DEVICE },
	{ "i915 ", "GPU HANG: ecode ", SIGN_DEVICE },
	{ "", " timeout, signaled seq=", SIGN_DEVICE },
	{ "DMAR: [", "fault addr ", SIGN_DEVICE },
	{ "", "AMD-Vi: Event logged [", SIGN_DEVICE },
	{ "pcieport ", ": DPC: containment event, ", SIGN_DEVICE },
	{ "device-mapper: thin: ", "switching pool to out-of-", SIGN_POOL },
	{ "device-mapper: thin: ", "switching pool to read-only", SIGN_POOL },
	{ "device-mapper: thin: ", "switching pool to fail", SIGN_POOL },
	{ "device-mapper: snapshots: Invalidating snapshot: ", "", SIGN_POOL },
	{ "BUG: workqueue lockup - pool ", " stuck for ", SIGN_WORKERS },
	{ "unregister_netdevice: waiting for ", " to become free", SIGN_NETDEV },
	{ "TCP: ", "ossible SYN flooding on port ", SIGN_LISTEN },
	{ "sched: RT throttling activated", "", SIGN_REALTIME },
	{ "audit: backlog limit exceeded", "", SIGN_AUDIT },
	{ "audit: audit_backlog=", " > audit_backlog_limit=", SIGN_AUDIT },
	{ "audit: kauditd hold queue overflow", "", SIGN_AUDIT },
	{ "virtio_balloon ", "Out of puff!", SIGN_BALLOON },
	{ "", "temperature is above threshold, cpu clock is throttled", SIGN_HEAT },
	{ "", "temperature above threshold, cpu clock throttled", SIGN_HEAT },
};

static const char *const words[SIGN_KINDS] = {
	[SIGN_IMPOSSIBLE] = "state of pages or of swap that cannot be",
	[SIGN_SWAP] = "an error of a swap device",
	[SIGN_BOUNCE] = "bounce buffers (swiotlb) that were used up",
	[SIGN_PERCPU] = "per-CPU memory that was refused",
	[SIGN_PAGE_POOL] = "pages of a network driver's pool that were not given back",
	[SIGN_RETRY] = "memory that XFS asked for again and again",
	[SIGN_FAULT] = "a page fault that got no memory and was tried again",
	[SIGN_SERVER] = "a server of files that does not answer",
	[SIGN_DEVICE] = "an error of a device",
	[SIGN_POOL] = "a pool of disks that takes no more",
	[SIGN_WORKERS] = "a worker pool that does not get on",
	[SIGN_NETDEV] = "a network device that is not given back",
	[SIGN_LISTEN] = "a socket whose queue of new connections was full",
	[SIGN_REALTIME] = "threads of real-time policies that used up their time",
	[SIGN_AUDIT] = "records of the audit that its queue did not take",
	[SIGN_BALLOON] = "a balloon for which no page was free",
	[SIGN_HEAT] = "a CPU that was slowed down for its temperature",
};

const char *log_sign_words(enum sign_kind kind)
{
	return words[kind];
}

/* How a line names what it is on; how it ends that tells that the trouble is over. */
static const struct {
	enum sign_kind kind;
	const char *before, *end;
} ends[] = {
	{ SIGN_SERVER, ": server ", " OK" },
	{ SIGN_SERVER, "ceph: mds", " came back" },
	{ SIGN_POOL, "device-mapper: thin: ", " switching pool to write mode" },
};

/* "nfs: server filer1 OK": the end of what the last line on it says. */
static void take_back(struct log_signs *all, const char *text)
{
	for (size_t i = 0; i < ARRAY_SIZE(ends); i++) {
		struct log_sign *sign = &all->of[ends[i].kind];
		const char *name = log_find(text, ends[i].before);
		const char *last = log_find(sign->text, ends[i].before);
		const char *end = name ? strchr(name, ' ') : NULL;

		if (end && last && !strcmp(end, ends[i].end) &&
		    !strncmp(name, last, (size_t)(end + 1 - name)))
			sign->n = 0;
	}
}

static bool is_line(size_t i, const char *text)
{
	const char *after = log_after(text, lines[i].start);

	return after && strstr(after, lines[i].has);
}

static void take(const struct kernel_record *rec, struct log_signs *ret)
{
	for (size_t i = 0; i < ARRAY_SIZE(lines); i++) {
		struct log_sign *sign = &ret->of[lines[i].kind];

		if (!is_line(i, rec->text))
			continue;
		if (!sign->n++) {
			sign->first = rec;
			sign->row = i;
			sign->is_mixed = false;
		}
		sign->is_mixed |= sign->row != i;
		sign->last = rec;
		log_copy(sign->text, sizeof(sign->text), rec->text, strlen(rec->text));
		return;
	}
	take_back(ret, rec->text);
}

void log_signs_read(const struct kernel_log *log, struct log_signs *ret)
{
	memset(ret, 0, sizeof(*ret));
	for (size_t i = 0; i < log->n; i++)
		if (log->records[i].text)
			take(&log->records[i], ret);
}
