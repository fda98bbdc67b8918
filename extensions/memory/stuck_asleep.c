// SPDX-License-Identifier: GPL-2.0-or-later
#include "stuck_asleep.h"

#include "collect/stuck_victims.h"
#include "collect/stuck_words.h"

#define NAMED 3u  /* threads: of more their number says enough */
#define ALIKE 64u /* kinds of sleepers: of a machine that hangs nearly all sleep in a few */

/* What a function waits for whose name, or whose module, begins so: by subsystem of the kernel. */
static const struct {
	const char *prefix, *what;
} subsystems[] = {
	{ "autofs", "an automount" },
	{ "nfs", "an NFS server" },
	{ "rpc_", "an RPC server, as of NFS" },
	{ "nlm", "a lock manager of NFS" },
	{ "cifs", "an SMB server" },
	{ "smb", "an SMB server" },
	{ "ceph", "servers of Ceph" },
	{ "rbd", "servers of Ceph" },
	{ "p9_", "a 9P server" },
	{ "v9fs", "a 9P server" },
	{ "afs_", "an AFS server" },
	{ "dlm", "the lock manager of a cluster" },
	{ "ocfs2", "the lock manager of a cluster" },
	{ "gfs2", "the lock manager of a cluster" },
	{ "drbd", "the other node of DRBD" },
	{ "iscsi", "an iSCSI target" },
	{ "nvme", "an NVMe controller" },
	{ "scsi", "a SCSI device" },
	{ "ata_", "an ATA device" },
	{ "md_", "an array of disks" },
	{ "raid", "an array of disks" },
	{ "dm_", "the device mapper" },
	{ "mmc_", "an MMC card" },
	{ "usb", "a USB device" },
	{ "i2c", "a device on I2C" },
	{ "tpm", "the TPM" },
	{ "ipmi", "the management controller" },
	{ "drm", "a graphics device" },
	{ "ib_", "an RDMA device" },
	{ "virtio", "the hypervisor" },
	{ "virtnet", "the hypervisor" },
	{ "vmbus", "the hypervisor" },
	{ "hv_", "the hypervisor" },
	{ "xenbus", "the hypervisor" },
	{ "_request_firmware", "firmware" },
	{ "fw_", "firmware" },
	{ "call_usermodehelper", "a program that the kernel started" },
	{ "__request_module", "modprobe" },
	{ "wait_rcu", "a grace period of RCU" },
	{ "__wait_rcu", "a grace period of RCU" },
	{ "synchronize_rcu", "a grace period of RCU" },
	{ "synchronize_srcu", "a grace period of SRCU" },
	{ "__synchronize_srcu", "a grace period of SRCU" },
	{ "jbd2", "a journal" },
	{ "xlog", "a log of XFS" },
	{ "xfs_log", "a log of XFS" },
	{ "btrfs", "a transaction of Btrfs, or its I/O" },
	{ "coredump", "the dump of a core" },
	{ "wait_for_device_probe", "drivers that look for their devices" },
	{ "vhost", "a vhost worker" },
	{ "pipe_", "the other end of a pipe" },
	{ "anon_pipe", "the other end of a pipe" },
	{ "wait_for_partner", "who opens the other end of a FIFO" },
	{ "fifo_open", "who opens the other end of a FIFO" },
	{ "unix_wait_for_peer", "who reads a unix socket" },
	{ "sock_alloc_send_pskb", "who reads a socket" },
	{ "sk_stream_wait_memory", "who reads a connection" },
	{ "__tty", "who reads a terminal" },
	{ "n_tty_write", "who reads a terminal" },
	{ "tty_", "who reads a terminal" },
	{ "do_msgsnd", "who reads a message queue" },
};

static const char *subsystem_of(const struct frame *f)
{
	for (size_t i = 0; f && f->symbol && i < ARRAY_SIZE(subsystems); i++) {
		const size_t n = strlen(subsystems[i].prefix);

		if (!strncmp(f->symbol, subsystems[i].prefix, n) ||
		    (f->module && !strncmp(f->module, subsystems[i].prefix, n)))
			return subsystems[i].what;
	}
	return NULL;
}

static bool is_told_by_others(const struct stuck_task *s)
{
	return (s->holder && s->holder != s) || s->peer || s->remote || s->datagram ||
	       s->peer_is_own || s->frozen || s->disk || s->is_traced || s->is_deadlocked ||
	       s->stands_for_victim || s->drain || s->where == PLACE_RECLAIM || s->thread ||
	       stuck_is_on_kthread(s);
}

/* Where it sleeps: the first function that is no wait of the kernel's own. */
static const struct frame *place(const struct stuck_task *s)
{
	return s->caller ?: s->function;
}

/* An address alone, as 0 of a stack that is lost, does not say whether work is waited for. */
static bool has_place(const struct stuck_task *s)
{
	const struct frame *f = place(s);

	return f && (f->symbol || f->module);
}

/* Asleep so long that it hangs, unless it waits for work. */
static bool sleeps(const struct stuck_task *s, const struct dump_info *info, uint64_t least,
		   uint64_t *age)
{
	if (s->on_cpu || !s->has_frames || !has_place(s) || !s->has_since || s->is_at_rest ||
	    stuck_is_frozen(s) || is_told_by_others(s))
		return false;
	if (s->task.state != 'D' && (s->task.state != 'S' || !s->task.mm))
		return false;
	return age_at_panic(info, s->since_ns, age) && *age >= least;
}

static bool is_text(const char *a, const char *b)
{
	return a == b || (a && b && !strcmp(a, b));
}

static bool is_alike(const struct stuck_task *a, const struct stuck_task *b)
{
	if (a->task.state != b->task.state || !a->task.mm != !b->task.mm ||
	    a->is_on_lock != b->is_on_lock)
		return false;
	if (a->is_on_lock)
		return a->has_lock == b->has_lock && a->lock.lock == b->lock.lock;
	return is_text(a->waits_for, b->waits_for) && is_text(place(a)->symbol, place(b)->symbol);
}

struct sleepers {
	const struct stuck_task *named[NAMED];
	size_t n;
	uint64_t longest;
};

/* What cannot be interrupted hangs; a process says more than a thread of the kernel. */
static unsigned int weight(const struct stuck_task *s)
{
	return (s->task.state == 'D' ? 2 : 0) + (s->task.mm ? 1 : 0);
}

static bool is_before(const struct sleepers *a, const struct sleepers *b)
{
	const unsigned int of_a = weight(a->named[0]), of_b = b->n ? weight(b->named[0]) : 0;

	if (!b->n || of_a != of_b)
		return !b->n || of_a > of_b;
	return a->n != b->n ? a->n > b->n : a->longest > b->longest;
}

/* The one that has slept longest comes first: the others may wait for it. */
static void add(struct sleepers *k, const struct stuck_task *s, uint64_t age)
{
	if (!k->n || age > k->longest) {
		memmove(&k->named[1], k->named, (NAMED - 1) * sizeof(*k->named));
		k->named[0] = s;
		k->longest = age;
	} else if (k->n < NAMED) {
		k->named[k->n] = s;
	}
	k->n++;
}

static void add_names(const struct stuck *x, const struct sleepers *k, struct strbuf *b)
{
	const size_t shown = k->n < NAMED ? k->n : NAMED;

	for (size_t i = 0; i < shown; i++)
		strbuf_add(b, "%s%s (%d)",
			   !i				     ? ""
			   : i + 1 == shown && k->n == shown ? " and "
							     : ", ",
			   k->named[i]->task.comm, k->named[i]->task.pid);
	if (k->n > shown)
		strbuf_add(b, " and %s%s", stuck_is_part(x) ? "at least " : "",
			   COUNT_OF(k->n - shown, "more thread"));
}

static void add_place(const struct stuck_task *s, struct strbuf *b)
{
	const struct frame *at = place(s), *of = s->module_frame;
	const char *what = subsystem_of(at) ?: subsystem_of(of);
	char text[640];

	strbuf_add(b, "%s", frame_place(at, text, sizeof(text)));
	if (of && of != at && (!at->module || strcmp(at->module, of->module) != 0))
		strbuf_add(b, ", called by %s", function_text(of, text, sizeof(text)));
	if (s->system_call)
		strbuf_add(b, ", system call %s", s->system_call);
	if (what)
		strbuf_add(b, ", as for %s", what);
}

/* "tar (5) waits for i_rwsem of /srv (vda), who has it is unknown, and so do 2 more threads, for up to 1.1min" */
static void add_wait(const struct stuck *x, const struct dump_info *info,
		     const struct stuck_task *s, size_t more, uint64_t longest, struct strbuf *b)
{
	stuck_task_words(s, b);
	if (s->is_on_lock && !s->holder && s->lock.by == LOCK_OWNER_UNKNOWN)
		strbuf_add(b, ", who has it is unknown");
	if (s->system_call)
		strbuf_add(b, ", in system call %s", s->system_call);
	if (more)
		strbuf_add(b, ", and so %s %s%s", more == 1 ? "does" : "do",
			   stuck_is_part(x) ? "at least " : "", COUNT_OF(more, "more thread"));
	strbuf_add(b, ", for %s%s", age_bound(info, more), TIME_TEXT(longest));
}

bool stuck_asleep_words(const struct stuck *x, const struct dump_info *info, uint64_t least,
			struct strbuf *b)
{
	struct sleepers all[ALIKE] = { 0 }, *most = &all[0];
	const struct stuck_task *first;
	uint64_t age;

	stuck_for_each(s, x) {
		struct sleepers *k = all;

		if (!sleeps(s, info, least, &age))
			continue;
		while (k < all + ALIKE && k->n && !is_alike(k->named[0], s))
			k++;
		if (k < all + ALIKE)
			add(k, s, age);
	}
	for (struct sleepers *k = all; k < all + ALIKE && k->n; k++)
		if (is_before(k, most))
			most = k;
	if (!most->n)
		return false;
	first = most->named[0];
	if (strcmp(first->waits_for ?: "", "other") != 0) {
		add_wait(x, info, first, most->n - 1, most->longest, b);
		return true;
	}
	add_names(x, most, b);
	strbuf_add(b, " %s slept for %s%s in ", most->n > 1 ? "have" : "has",
		   age_bound(info, most->n > 1), TIME_TEXT(most->longest));
	add_place(first, b);
	return true;
}
