// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Buffers of DMA-BUF, areas of CMA and sockets as of 7.3, beside the files of files_7_3.c: devices.h
 * has them. CASE_6_12: debugfs_list, one range for an area, no packets of UDP between two queues, and each
 * socket is charged. CASE_5_10: db_list, fragments of packets in a struct bio_vec, type and protocol of a
 * socket in bits as up to 5.5, and CPUs account no memory
 * in advance. CASE_loop: the list of buffers and a chain of TCP connections loop, a queue has more
 * packets than it counts. CASE_torn: a buffer, the bitmap of an area and a packet are not in the dump;
 * packets are between two queues of UDP.
 */
#define RELEASE "7.3.0-devices"
/* Buffers of packets are in RAM that has struct pages. */
#define FIRST_PFN 0x1000
#define FIRST_PAGES 0x20
#if defined(CASE_6_12) || defined(CASE_5_10)
#define FILE_MEMBERS        \
	const void *f_op;   \
	void *private_data; \
	s64 f_count;
#else
#define FILE_MEMBERS        \
	const void *f_op;   \
	void *private_data; \
	struct {            \
		s64 refcnt; \
	} f_ref;
#endif
extern struct file frame_file, log_file, metrics_file, local_file;
#define DEVICE_FILES [4] = DIRECT(&frame_file), DIRECT(&log_file), DIRECT(&metrics_file), DIRECT(&local_file)
#include "files_7_3.c"
#include "devices.h"
