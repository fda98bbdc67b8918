/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Pages of the dump that were read, kept for the commands of a session: they read the same structures,
 * and crash itself keeps few pages, so that it uncompresses most of them once more. 20 MiB at most:
 * a scan of 4 Mi pages takes 14 MiB, gdb up to 30 for the types that are asked for, and 64 MiB are what
 * a command may take. Then a page that is read takes the memory of another one.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

/* A page of the address space TYPE of crash's readmem(). NULL: it is not kept. */
const void *page_cache_find(uint64_t page, int type, size_t page_size);

/*
 * Where the caller writes that page, and calls page_cache_keep() if it could. NULL: there is no memory.
 * Another page may be lost. The page is PAGE_SIZE bytes.
 */
void *page_cache_room(uint64_t page, int type, size_t page_size);
void page_cache_keep(uint64_t page, int type, size_t page_size);

/* Before each command. FLAGS: what crash was told of reading; after a change no page is kept. */
void page_cache_check(unsigned long flags);

/* Frees all pages. */
void page_cache_close(void);
