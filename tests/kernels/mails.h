/* SPDX-License-Identifier: GPL-2.0-or-later */
/* CASE_small of files_7_3.c: six deleted files of /spool, a page each. */
#ifdef CASE_small
#define MAIL(i) [i] = { .vfs_inode = INODE(NODE(mails[i]), REG, 0, spool_sb, 100 + i, MAIL_LINKS, 0, 4096, ALIASES(trace_name), 1, { 0 }) }
extern struct shmem_inode_info mails[6];
struct shmem_inode_info mails[6] = { MAIL(0), MAIL(1), MAIL(2), MAIL(3), MAIL(4), MAIL(5) };
#endif
