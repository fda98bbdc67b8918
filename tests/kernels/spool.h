/* SPDX-License-Identifier: GPL-2.0-or-later */
/* CASE_rings of files_7_3.c: what else are files of /spool are rings of io_setup(), which have a link. */
#ifdef CASE_rings
#define CASE_small
#define SPOOL "aio"
#define MAIL_LINKS 1
#else
#define SPOOL "tmpfs"
#define MAIL_LINKS 0
#endif
