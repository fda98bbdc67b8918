/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Rings of KGTP in the memory of a test: the code of the sample module fills them. */
#pragma once

#include <string.h>

#include "kgtp/ring.h"
#include "kgtp/frame.h"
#include "stub.h"
#include "test.h"

typedef uint32_t u32;
typedef uint64_t u64;
typedef int64_t s64;
typedef uint32_t spinlock_t;
#define PAGE_SIZE 4096UL
#include "../../scripts/sample/guest/kgtpfix/ring.h"

#define PAGES 6
#define REGS 168
#define BASE 0xffff888000000000ULL /* a kernel address for a pointer of this program */

static _Alignas(4096) char memory[PAGES][4096];
static char source[80000];
static unsigned int absent; /* a page that is not in the dump; PAGES: none */

/* The pages stand at addresses of user space: a dump shows them as memory of a kernel. */
static uint64_t kernel_address(const void *p)
{
	return (uint64_t)((const char *)p - memory[0]) + BASE;
}

static enum status read_pages(void *priv NOT_USED, uint64_t addr, void *buf, size_t len)
{
	size_t at = addr - BASE;

	if (addr < BASE || at + len > sizeof(memory) || at / 4096 == absent)
		return ST_UNREADABLE;
	memcpy(buf, (const char *)memory + at, len);
	return ST_OK;
}

static const struct dump_ops page_ops = { .read = read_pages };

struct world {
	struct ring_state state;
	struct gtp_rb_s rb;
	struct stub stub;
	struct kgtp_ring ring;
	struct kgtp_rings rings;
	struct kgtp_reader reader;
	struct kgtp_frames frames;
	struct kgtp_registers regs;
	struct kgtp_variables variables;
	struct kgtp_tracepoints tracepoints;
	u64 page_count;
};

static struct world w;

static void start(bool circular)
{
	char *pages[PAGES];

	memset(&w, 0, sizeof(w));
	memset(memory, 0, sizeof(memory));
	absent = PAGES;
	for (size_t i = 0; i < sizeof(source); i++)
		source[i] = i * 7 + i / 251;
	for (unsigned int i = 0; i < PAGES; i++)
		pages[i] = memory[i];
	ring_setup(&w.rb, 0, pages, PAGES);
	w.state.circular = circular;
	w.page_count = PAGES;
	w.regs.size = REGS;
	w.regs.n = 1;
	w.regs.r[0].field = (struct field){ true, KIND_INT, 128, 8, 0, 0 };
	w.variables.known[KGTP_VAR_CPU] = 2;
	w.variables.known[KGTP_VAR_CLOCK] = 5;
	w.variables.known[KGTP_VAR_COOKED_CLOCK] = 6;
	w.variables.known[KGTP_VAR_XTIME_SEC] = 18;
	w.variables.known[KGTP_VAR_XTIME_NSEC] = 19;
	w.variables.known[KGTP_VAR_PID] = 26;
}

/* Pointers in the pages become those of the dump. */
static void move_pointers(void)
{
	for (unsigned int i = 0; i < PAGES; i++)
		for (unsigned int at = 0; at < 4096; at += 4) {
			u64 v;

			if (at > 4088)
				break;
			memcpy(&v, memory[i] + at, 8);
			if (v < (uint64_t)memory[0] || v > (uint64_t)memory[PAGES])
				continue;
			v = kernel_address((void *)v);
			memcpy(memory[i] + at, &v, 8);
		}
}

static uint64_t moved(const void *p)
{
	return p ? kernel_address(p) : 0;
}

static void look(void)
{
	struct kgtp_frame_source from = {
		.rings = &w.rings,
		.regs = &w.regs,
		.variables = &w.variables,
		.tracepoints = &w.tracepoints,
		.has_newest = true,
		.newest = w.state.count,
		.circular = w.state.circular,
	};

	move_pointers();
	stub_open(&w.stub);
	w.stub.dump.ops = &page_ops;
	w.ring.w = moved(w.rb.w);
	w.ring.r = moved(w.rb.r);
	w.ring.prev_w = moved(w.rb.prev_w);
	w.ring.prev_frame = moved(w.rb.prev_frame);
	w.ring.lock_known = true;
	w.ring.locked = w.rb.lock;
	CHECK(kgtp_chain_read(&w.stub.dump, w.page_count, &w.ring) == ST_OK);
	w.rings.rings = &w.ring;
	w.rings.n = 1;
	kgtp_reader_init(&w.reader, &w.stub.dump, REGS);
	CHECK(kgtp_frames_read(&w.reader, &from, &w.frames) == ST_OK);
}

static void end(void)
{
	stub_close(&w.stub);
}

/* A frame of registers, a variable and memory of that size; what found room. */
static size_t write_frame(u64 number, size_t size)
{
	char regs[REGS];
	u64 id = ring_head(&w.state, &w.rb, number), pc = 0xffffffff81000000ULL + number;

	if (!id)
		return 0;
	memset(regs, number, sizeof(regs));
	memcpy(regs + 128, &pc, 8);
	if (!ring_regs(&w.state, &w.rb, id, regs, REGS) ||
	    !ring_var(&w.state, &w.rb, id, 5, id * 1000) ||
	    !ring_var(&w.state, &w.rb, id, 26, -(s64)number))
		return 0;
	return ring_mem(&w.state, &w.rb, id, 0xffff999900000000ULL + number, source + number, size);
}

static inline void check_content(const struct kgtp_frame *f, u64 number, size_t size)
{
	struct kgtp_content c = { 0 };

	CHECK(kgtp_frame_content(&w.reader, f, &c) == ST_OK);
	CHECK(c.has_regs && c.regs[0] == (uint8_t)number);
	CHECK(c.nvariables == 2 && c.variables[0].number == 5 && c.variables[1].number == 26 &&
	      c.variables[1].value == -(s64)number);
	CHECK(c.nmemory == (size != 0));
	if (!size || c.nmemory != 1)
		return;
	CHECK(c.memory[0].address == 0xffff999900000000ULL + number);
	CHECK(c.memory[0].size == size);
	CHECK(c.memory[0].size == size && !memcmp(c.memory[0].bytes, source + number, size));
}
