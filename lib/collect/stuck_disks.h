/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which disk a thread waits for, and what keeps that disk: old requests, a suspension, the server of an nbd. */
#pragma once

#include "collect/in_fault.h"
#include "files/disk_requests.h"
#include "files/disk_wait.h"
#include "files/mapped_device.h"
#include "files/nbd.h"
#include "files/open_files.h"

struct stuck_task;
struct strbuf;

struct stuck_disk {
	struct stuck_disk *next;
	const struct disk *disk;
	const char *module; /* of its driver; NULL: it is built in, or unknown */
	struct scsi_host
		host; /* of a SCSI disk, whose driver has its requests; driver NULL: unknown */
	const char *
		mount; /* "/srv (ext4)": of one that is waited for, or kept; NULL: nowhere, or unknown */
	size_t waiting;	 /* threads that wait for it */
	size_t inferred; /* others, which may */
	bool has_requests;
	struct disk_requests requests; /* 0: none, or unknown */
	uint64_t
		idle_ns; /* before the end no read or write was started or completed; 0: one was, or unknown */
	bool is_mapped, has_mapped; /* a disk of the device mapper; the next is known */
	struct mapped_device mapped;
	bool is_nbd, has_nbd;
	struct nbd nbd;
	/* The processes at the other end of its sockets, by stuck_find_peers(). */
	struct file_users servers;
	bool servers_complete;
	const char *remote; /* the end of a socket that no process here has; NULL: none */
};

/* Zero before the first thread that waits for a disk. */
struct stuck_disks {
	bool is_open;
	struct disks disks;
	struct disk_waits waits;
	const char *why; /* NULL, or why disks are not all known */
	struct all_requests requests;
	const char *why_no_requests, *why_no_mapped, *why_no_nbds;
	struct stuck_disk *first; /* that a thread waits for, or are kept, or below these */
	struct hash_u64 by_disk;  /* of struct stuck_disk by address of the gendisk */
};

/* Of a thread in state D with these frames; page_lock: it waits for a page to be unlocked, for which I/O may be the reason. */
void stuck_disk_find(struct stuck_disks *x, struct dump *d, struct task_frames *at, bool page_lock,
		     struct stuck_task *s);

/* What keeps disks, once all threads were looked at; ST_STOPPED. */
enum status stuck_disks_read(struct stuck_disks *x, struct dump *d);

/* Whether something is known that keeps it: a disk that is only busy is not. */
bool stuck_disk_is_kept(const struct stuck_disk *k);

/* "sda of SCSI host2, driver megaraid_sas, mounted as /srv (ext4)" */
void stuck_disk_name(const struct stuck_disk *k, struct strbuf *b);
