// SPDX-License-Identifier: GPL-2.0-or-later
/* KGTP's rings as bytes: what was written comes back, what is damaged is marked. */
#include <stdlib.h>

#include "kgtp/variable.h"
#include "kgtp_ring.h"

static void frames_come_back(void)
{
	static const size_t sizes[] = { 0, 1, 30, 4048, 5000, 9000 };

	start(false);
	for (unsigned int i = 0; i < 6; i++)
		CHECK(write_frame(i + 1, sizes[i]) == sizes[i]);
	look();
	CHECK(w.ring.state == KGTP_RING_OK && !w.ring.problem && w.ring.closed == PAGES);
	CHECK(w.frames.n == 6 && w.frames.damaged == 0);
	for (unsigned int i = 0; i < w.frames.n; i++) {
		const struct kgtp_frame *f = &w.frames.f[i];

		CHECK(f->id == i + 1 && f->number == i + 1 && !f->defects);
		CHECK(f->bytes == sizes[i] && f->pieces == (sizes[i] != 0));
		CHECK(f->has_regs && f->pc == 0xffffffff81000000ULL + i + 1);
		CHECK(f->has_time && f->time_ns == f->id * 1000 && f->clock == KGTP_VAR_CLOCK);
		CHECK(f->has_pid && f->pid == -(int64_t)f->number);
		check_content(f, i + 1, sizes[i]);
	}
	end();
}

/* Every place in a page where a value may be cut, one of them with nothing left for it. */
static void values_are_cut_anywhere(void)
{
	unsigned int empty = 0;

	for (size_t before = 3400; before < 3860; before++) {
		struct kgtp_content c = { 0 };

		start(false);
		CHECK(write_frame(1, before) == before);
		empty += ring_room(&w.rb) == FID_SIZE + 24 + FID_SIZE + REGS + 2 * 20 + MEM_HEAD;
		CHECK(write_frame(2, 6000) == 6000);
		look();
		CHECK(w.frames.n == 2 && !w.frames.f[0].defects && !w.frames.f[1].defects);
		CHECK(w.frames.f[1].pieces == 1 && w.frames.f[1].bytes == 6000);
		check_content(&w.frames.f[1], 2, 6000);
		CHECK(kgtp_frame_content(&w.reader, &w.frames.f[1], &c) == ST_OK);
		end();
	}
	CHECK(empty > 0);
}

static void wrapped_ring_has_a_tail_of_pages(void)
{
	u64 first;

	start(true);
	/* Over six pages, of which the ring loses one by one. */
	CHECK(write_frame(1, 18000) == 18000);
	CHECK(write_frame(2, 100) == 100);
	CHECK(write_frame(3, 3000) == 3000);
	CHECK(write_frame(4, 3000) == 3000);
	look();
	CHECK(w.state.discarded >= 1);
	CHECK(w.frames.n == 4);
	first = w.frames.f[0].id;
	CHECK(first == 1 && w.frames.f[0].defects == KGTP_HEAD_LOST);
	CHECK(!w.frames.f[0].has_regs && w.frames.f[0].bytes > 2 * 4048 &&
	      w.frames.f[0].pieces == 1);
	for (unsigned int i = 1; i < w.frames.n; i++)
		CHECK(!w.frames.f[i].defects);
	CHECK(w.frames.damaged == 0);
	check_content(&w.frames.f[2], 3, 3000);
	end();
}

static void a_full_ring_cuts_its_last_frame(void)
{
	size_t written;

	start(false);
	CHECK(write_frame(1, 15000) == 15000);
	written = write_frame(2, 12000);
	CHECK(written && written < 12000);
	look();
	CHECK(w.ring.full && w.frames.n == 2);
	CHECK(!w.frames.f[0].defects && w.frames.f[1].defects == KGTP_RING_FULL);
	check_content(&w.frames.f[1], 2, written);
	end();
}

/* Frames of a tracepoint before its last one had room; a circular ring is never full. */
static void only_the_last_of_a_tracepoint_had_no_room(void)
{
	for (unsigned int circular = 0; circular < 2; circular++) {
		start(false);
		CHECK(write_frame(1, 22000) == 22000);
		for (unsigned int i = 0; i < 3; i++)
			write_frame(7, 10);
		while (ring_head(&w.state, &w.rb, 8))
			;
		w.state.circular = circular;
		look();
		CHECK(w.ring.full && w.frames.n > 5 && w.frames.f[1].number == 7);
		CHECK(w.frames.f[1].last_page == w.ring.n - 1);
		CHECK(!w.frames.f[1].defects && !w.frames.f[2].defects);
		CHECK(w.frames.f[3].defects == (circular ? 0 : KGTP_RING_FULL));
		CHECK(w.frames.f[w.frames.n - 1].defects == (circular ? 0 : KGTP_RING_FULL));
		end();
	}
}

/* An allocation that is not written begins a page: PAGE_BEGIN before it is. */
static void a_locked_ring_at_the_start_of_a_page(void)
{
	struct kgtp_content c = { 0 };
	char *p;

	start(false);
	ring_head(&w.state, &w.rb, 1);
	ring_mem(&w.state, &w.rb, 1, 0x1000, source, 4000);
	p = ring_alloc(&w.state, &w.rb, 60, 1);
	memset(p, 0xee, 60);
	w.rb.lock = 1;
	look();
	CHECK(w.ring.n == 2 && w.frames.n == 1);
	CHECK(w.frames.f[0].defects == KGTP_IN_PROGRESS && w.frames.f[0].last_page == 1);
	CHECK(kgtp_frame_content(&w.reader, &w.frames.f[0], &c) == ST_OK);
	CHECK(c.unwritten == 60 && c.nmemory == 1);
	end();
}

/* $clock is that of the log, whichever clock is collected first. */
static void clocks_of_a_frame(void)
{
	static const u32 order[2][2] = { { 5, 6 }, { 6, 5 } };

	for (unsigned int i = 0; i < 2; i++) {
		u64 id;

		start(false);
		id = ring_head(&w.state, &w.rb, 1);
		for (unsigned int k = 0; k < 2; k++)
			ring_var(&w.state, &w.rb, id, order[i][k], order[i][k] * 100);
		look();
		CHECK(w.frames.n == 1 && w.frames.f[0].has_time && w.frames.f[0].time_ns == 500 &&
		      w.frames.f[0].clock == KGTP_VAR_CLOCK);
		end();
	}
}

static void a_locked_ring_marks_its_last_frame(void)
{
	struct kgtp_content c = { 0 };
	char *p;

	start(false);
	write_frame(1, 100);
	ring_head(&w.state, &w.rb, 2);
	/* Allocated, not written. */
	p = ring_alloc(&w.state, &w.rb, 60, 2);
	memset(p, 0xee, 60);
	w.rb.lock = 1;
	look();
	CHECK(w.frames.n == 2 && !w.frames.f[0].defects);
	CHECK(w.frames.f[1].defects == KGTP_IN_PROGRESS && w.frames.f[1].id == 2);
	CHECK(kgtp_frame_content(&w.reader, &w.frames.f[1], &c) == ST_OK);
	CHECK(c.unwritten == 60 && !c.nmemory && !c.has_regs);
	end();
}

/* Where a head was allocated, that of an older frame may stand: it is no frame. */
static void an_old_head_in_a_locked_ring(void)
{
	char *p;

	start(false);
	write_frame(1, 100);
	p = ring_alloc(&w.state, &w.rb, FID_SIZE + 24, 0);
	ring_u32(p, FID_HEAD);
	ring_u64(p + FID_SIZE, 1);
	w.rb.lock = 1;
	look();
	CHECK(w.frames.n == 2 && w.frames.f[0].id == 0 &&
	      w.frames.f[0].defects == (KGTP_IN_PROGRESS | KGTP_HEAD_LOST));
	end();
}

static void a_reader_took_a_page(void)
{
	char *taken, *before, *behind;

	start(false);
	write_frame(1, 6000);
	write_frame(2, 6000);
	taken = ring_page(w.rb.r);
	before = ring_page(ring_link(taken, false));
	behind = ring_page(ring_link(taken, true));
	ring_link_pages(before, behind);
	w.rb.r = behind + WORD;
	look();
	CHECK(w.ring.closed == PAGES - 1 && !w.ring.problem);
	CHECK(w.frames.n == 2 && w.frames.f[0].defects == KGTP_HEAD_LOST && !w.frames.f[1].defects);
	end();
}

static void a_ring_that_starts_inside_of_a_page(void)
{
	char *second;

	start(false);
	write_frame(1, 100);
	second = w.rb.w;
	write_frame(2, 100);
	w.rb.r = second;
	look();
	CHECK(w.frames.n == 1 && w.frames.f[0].id == 2 && !w.frames.f[0].defects);
	end();
	/* In the body of a frame: its id is known once a page says it. */
	start(false);
	ring_head(&w.state, &w.rb, 1);
	second = w.rb.w;
	ring_mem(&w.state, &w.rb, 1, 0x1000, source, 5000);
	w.rb.r = second;
	look();
	CHECK(w.frames.n == 1 && w.frames.f[0].id == 1 && w.frames.f[0].defects == KGTP_HEAD_LOST &&
	      w.frames.f[0].bytes == 5000 && w.frames.f[0].pieces == 1);
	end();
}

static void bytes_that_are_no_entry(void)
{
	char *bad;

	start(false);
	write_frame(1, 100);
	ring_head(&w.state, &w.rb, 2);
	bad = w.rb.w;
	ring_mem(&w.state, &w.rb, 2, 0x1000, source, 9000);
	write_frame(3, 10);
	ring_u32(bad, 77);
	look();
	CHECK(w.frames.n == 3);
	CHECK(!w.frames.f[0].defects && !w.frames.f[2].defects);
	CHECK(w.frames.f[1].defects == KGTP_BAD_BYTES);
	CHECK(w.frames.f[1].bytes < 9000 && w.frames.damaged == 1);
	end();
}

static void a_size_that_leads_out_of_the_page(void)
{
	char *bad;

	start(false);
	ring_head(&w.state, &w.rb, 1);
	bad = w.rb.w;
	ring_mem(&w.state, &w.rb, 1, 0x1000, source, 100);
	ring_u64(bad + FID_SIZE + 8, ~0ULL);
	look();
	CHECK(w.frames.n == 1 && w.frames.f[0].bytes == 0);
	CHECK(w.frames.f[0].defects & KGTP_BAD_BYTES);
	end();
}

static void ids_and_links_that_cannot_be(void)
{
	char *head;

	start(false);
	write_frame(1, 10);
	head = w.rb.w;
	write_frame(2, 10);
	write_frame(3, 10);
	ring_u64(head + FID_SIZE, 1);
	look();
	CHECK(w.frames.n == 3);
	/* Both: which of them is right is not known. */
	CHECK(w.frames.f[0].defects == KGTP_BAD_ID && w.frames.f[1].defects == KGTP_BAD_ID);
	end();
	start(false);
	write_frame(1, 10);
	head = w.rb.w;
	write_frame(2, 10);
	ring_u64(head + FID_SIZE + 16, 4);
	look();
	CHECK(w.frames.f[1].defects == KGTP_BAD_LINK);
	end();
	start(false);
	write_frame(1, 10);
	w.state.count = 0;
	look();
	CHECK(w.frames.f[0].defects == KGTP_BAD_ID);
	end();
	/* Ids of a ring only rise. */
	start(false);
	write_frame(1, 10);
	head = w.rb.w;
	write_frame(2, 10);
	write_frame(3, 10);
	ring_u64(head + FID_SIZE, 9);
	w.state.count = 10;
	look();
	CHECK(w.frames.n == 3 && w.frames.f[1].id == 3 && w.frames.f[1].defects == KGTP_BAD_ID);
	end();
	/* One wrong id, never given or too high: those behind it are good. */
	for (unsigned int given = 0; given < 2; given++) {
		unsigned int bad = 0;

		start(false);
		write_frame(1, 10);
		head = w.rb.w;
		for (unsigned int i = 2; i < 12; i++)
			write_frame(i, 10);
		ring_u64(head + FID_SIZE, given ? 40 : 1ULL << 40);
		w.state.count = 50;
		look();
		for (size_t i = 0; i < w.frames.n; i++)
			bad += w.frames.f[i].defects != 0;
		CHECK(w.frames.n == 11 && bad == 1 + given);
		CHECK(w.frames.f[10].defects == KGTP_BAD_ID && !w.frames.f[9].defects);
		end();
	}
	/* The ring points to another frame as its newest. */
	start(false);
	write_frame(1, 10);
	head = w.rb.prev_frame;
	write_frame(2, 10);
	w.rb.prev_frame = head;
	look();
	CHECK(!w.frames.f[0].defects && w.frames.f[1].defects == KGTP_BAD_LINK);
	end();
	/* A page with a first entry that does not name the frame: it may be of any. */
	start(false);
	ring_head(&w.state, &w.rb, 1);
	ring_mem(&w.state, &w.rb, 1, 0x1000, source, 5000);
	head = (char *)memory[PAGES - 2] + WORD;
	ring_u32(head, 2);
	ring_u64(head + FID_SIZE, 0x5000);
	ring_u64(head + FID_SIZE + 8, (char *)w.rb.w - head - FID_SIZE - 16);
	look();
	CHECK(w.frames.n == 2 && !w.frames.f[0].id && w.frames.f[0].defects == KGTP_HEAD_LOST);
	CHECK(w.frames.f[1].id == 1 && w.frames.f[1].defects & KGTP_TAIL_LOST);
	end();
	/* PAGE_BEGIN inside of a page. */
	start(false);
	ring_head(&w.state, &w.rb, 1);
	head = w.rb.w;
	/* As long as two of them. */
	ring_mem(&w.state, &w.rb, 1, 0x1000, source, 4);
	for (unsigned int i = 0; i < 2; i++) {
		ring_u32(head + i * 12, 5);
		ring_u64(head + i * 12 + FID_SIZE, 1);
	}
	look();
	CHECK(w.frames.n == 1 && w.frames.f[0].defects & KGTP_BAD_BYTES);
	end();
}

static void a_page_that_is_not_in_the_dump(void)
{
	start(false);
	write_frame(1, 3000);
	write_frame(2, 9000);
	write_frame(3, 3000);
	/* The second page of the ring: it has the middle of the second frame. */
	absent = PAGES - 2;
	look();
	CHECK(w.ring.problem && w.ring.n >= 2 && w.frames.n >= 2);
	CHECK(w.frames.f[0].id == 1 && !w.frames.f[0].defects);
	for (unsigned int i = 1; i < w.frames.n; i++) {
		const struct kgtp_frame *f = &w.frames.f[i];

		if (f->id == 3)
			check_content(f, 3, 3000);
		else
			CHECK(f->defects & (KGTP_HOLE | KGTP_TAIL_LOST));
	}
	CHECK(w.frames.f[w.frames.n - 1].id == 3 && !w.frames.f[w.frames.n - 1].defects);
	end();
}

/* KGTP never gives 0: a page of zeros is no row of frames, and what it was of is marked. */
static void a_page_of_zeros(void)
{
	start(false);
	write_frame(1, 3000);
	write_frame(2, 9000);
	write_frame(3, 3000);
	memset(memory[PAGES - 2] + WORD, 0, 4096 - 2 * WORD);
	look();
	CHECK(w.frames.n == 3 && !w.frames.f[0].defects && !w.frames.f[2].defects);
	CHECK(w.frames.f[1].id == 2 && w.frames.f[1].defects == KGTP_BAD_BYTES);
	end();
	/* The oldest page: no frame is open to have the mark. */
	start(false);
	write_frame(1, 3000);
	write_frame(2, 9000);
	memset(memory[PAGES - 1] + WORD, 0, 4096 - 2 * WORD);
	look();
	CHECK(w.frames.n == 2 && w.frames.f[0].id == 0 && w.frames.f[1].id == 2);
	CHECK(w.frames.f[0].defects & KGTP_BAD_BYTES && w.frames.damaged >= 1);
	end();
}

/* An allocation that goes to a new page writes into it: it is never closed at its beginning. */
static void a_page_that_ends_where_it_begins(void)
{
	start(false);
	write_frame(1, 3000);
	write_frame(2, 9000);
	write_frame(3, 3000);
	ring_u32(memory[PAGES - 2] + WORD, FID_PAGE_END);
	look();
	CHECK(w.frames.n == 3 && !w.frames.f[0].defects && !w.frames.f[2].defects);
	CHECK(w.frames.f[1].defects == KGTP_BAD_BYTES);
	end();
}

/* What reads as a head and is none takes the place of what its frame went on with. */
static void a_bad_head_cuts_the_frame_before(void)
{
	char *memory_entry;

	/* PAGE_BEGIN becomes a head. */
	start(false);
	write_frame(1, 5000);
	write_frame(2, 10);
	ring_u32(memory[PAGES - 2] + WORD, FID_HEAD);
	look();
	CHECK(w.frames.n >= 2 && w.frames.f[0].defects & KGTP_TAIL_LOST);
	end();
	/* Memory becomes a head. */
	start(false);
	ring_head(&w.state, &w.rb, 1);
	memory_entry = w.rb.w;
	ring_mem(&w.state, &w.rb, 1, 0xffff999900000000ULL, source, 100);
	ring_u32(memory_entry, FID_HEAD);
	look();
	CHECK(w.frames.n == 2 && w.frames.f[0].id == 1 && w.frames.f[0].defects == KGTP_TAIL_LOST);
	end();
	/* A head with one wrong word is a head: the frame before has all. */
	start(false);
	write_frame(1, 10);
	memory_entry = w.rb.w;
	write_frame(2, 10);
	ring_u64(memory_entry + FID_SIZE + 16, 4);
	look();
	CHECK(w.frames.n == 2 && !w.frames.f[0].defects);
	end();
}

static void a_number_that_no_tracepoint_has(void)
{
	struct kgtp_tracepoint t[] = { { .number = 1 }, { .number = 2 } };

	for (unsigned int partly = 0; partly < 2; partly++) {
		start(false);
		w.tracepoints = (struct kgtp_tracepoints){
			.t = t, .n = 2, .known = true, .problem = partly ? "cut" : NULL
		};
		write_frame(1, 10);
		write_frame(2, 10);
		write_frame(77, 10);
		look();
		CHECK(w.frames.n == 3 && !w.frames.f[0].defects && !w.frames.f[1].defects);
		CHECK(w.frames.f[2].defects == (partly ? 0 : KGTP_BAD_TRACEPOINT));
		end();
	}
}

/* The fault stops its tracepoint: what it collected last may end in bytes that nobody read. */
static void a_read_fault_cuts_the_last_value(void)
{
	struct kgtp_tracepoint t[] = { { .number = 1, .stopped = "efault" },
				       { .number = 2, .stopped = "normal" } };
	struct kgtp_content c = { 0 };

	start(false);
	w.tracepoints = (struct kgtp_tracepoints){ .t = t, .n = 2, .known = true };
	write_frame(1, 10);
	write_frame(1, 5000);
	write_frame(2, 10);
	look();
	CHECK(w.frames.n == 3 && !w.frames.f[0].defects && !w.frames.f[2].defects);
	CHECK(w.frames.f[1].defects == KGTP_READ_FAULT && w.frames.damaged == 1);
	CHECK(kgtp_frame_content(&w.reader, &w.frames.f[1], &c) == ST_OK);
	CHECK(c.nmemory == 1 && c.memory[0].unsure);
	CHECK(kgtp_frame_content(&w.reader, &w.frames.f[0], &c) == ST_OK);
	CHECK(c.nmemory == 1 && !c.memory[0].unsure);
	end();
}

static void rings_that_are_no_rings(void)
{
	struct kgtp_ring ring;
	u64 v;

	start(false);
	write_frame(1, 9000);
	look();
	ring = w.ring;
	ring.w += 1;
	CHECK(kgtp_chain_read(&w.stub.dump, PAGES, &ring) == ST_OK &&
	      ring.state == KGTP_RING_CORRUPT);
	ring.w = ring.r - 8;
	CHECK(kgtp_chain_read(&w.stub.dump, PAGES, &ring) == ST_OK &&
	      ring.state == KGTP_RING_CORRUPT);
	ring = w.ring;
	ring.r = 0x1008;
	CHECK(kgtp_chain_read(&w.stub.dump, PAGES, &ring) == ST_OK &&
	      ring.state == KGTP_RING_CORRUPT);
	/* More pages than there are said to be. */
	ring = w.ring;
	ring.problem = NULL;
	CHECK(kgtp_chain_read(&w.stub.dump, 3, &ring) == ST_OK && ring.problem);
	/* The second page leads back to another than the first. */
	v = BASE + 8;
	memcpy(memory[PAGES - 2], &v, 8);
	ring = w.ring;
	ring.problem = NULL;
	CHECK(kgtp_chain_read(&w.stub.dump, PAGES, &ring) == ST_OK);
	CHECK_TEXT(ring.problem, "the links of two pages disagree");
	/* A page that leads to itself. */
	v = BASE + (PAGES - 1) * 4096 + 8;
	memcpy(memory[PAGES - 1] + 4088, &v, 8);
	ring = w.ring;
	ring.problem = NULL;
	CHECK(kgtp_chain_read(&w.stub.dump, PAGES, &ring) == ST_OK && ring.problem);
	memcpy(memory[PAGES - 1], &v, 8);
	ring = w.ring;
	CHECK(kgtp_chain_read(&w.stub.dump, PAGES, &ring) == ST_OK &&
	      ring.state == KGTP_RING_CORRUPT);
	end();
}

static void random_damage_ends(void)
{
	srand(1);
	for (unsigned int round = 0; round < 3000; round++) {
		struct kgtp_content c = { 0 };

		start(round & 1);
		for (unsigned int i = 1; i < 9; i++)
			write_frame(i, rand() % 5000);
		w.rb.lock = rand() & 1;
		for (int i = rand() % 8; i >= 0; i--)
			memory[rand() % PAGES][rand() % 4096] = rand();
		look();
		for (size_t i = 0; i < w.frames.n; i++) {
			CHECK(kgtp_frame_content(&w.reader, &w.frames.f[i], &c) == ST_OK);
			CHECK(c.nmemory == w.frames.f[i].pieces);
		}
		end();
	}
}

static void names_in_hex(void)
{
	char name[16];

	CHECK(hex_text_decode("636c6F636b", name) && !strcmp(name, "clock"));
	CHECK(!hex_text_decode("636", name) && !hex_text_decode("6z", name) &&
	      !hex_text_decode("00", name));
}

TESTS({ "frames come back as they were written", frames_come_back },
      { "values are cut anywhere in a page", values_are_cut_anywhere },
      { "a wrapped ring has the tail of a frame over pages", wrapped_ring_has_a_tail_of_pages },
      { "a full ring cuts its last frame", a_full_ring_cuts_its_last_frame },
      { "only the last of a tracepoint had no room", only_the_last_of_a_tracepoint_had_no_room },
      { "a locked ring at the start of a page", a_locked_ring_at_the_start_of_a_page },
      { "clocks of a frame", clocks_of_a_frame },
      { "a locked ring marks its last frame", a_locked_ring_marks_its_last_frame },
      { "an old head where one was allocated", an_old_head_in_a_locked_ring },
      { "a reader took a page", a_reader_took_a_page },
      { "a ring that starts inside of a page", a_ring_that_starts_inside_of_a_page },
      { "bytes that are no entry", bytes_that_are_no_entry },
      { "a size that leads out of the page", a_size_that_leads_out_of_the_page },
      { "ids and links that cannot be", ids_and_links_that_cannot_be },
      { "a page that is not in the dump", a_page_that_is_not_in_the_dump },
      { "a page of zeros", a_page_of_zeros },
      { "a page that ends where it begins", a_page_that_ends_where_it_begins },
      { "a bad head cuts the frame before", a_bad_head_cuts_the_frame_before },
      { "a number that no tracepoint has", a_number_that_no_tracepoint_has },
      { "a read fault cuts the last value", a_read_fault_cuts_the_last_value },
      { "rings that are no rings", rings_that_are_no_rings },
      { "random damage ends", random_damage_ends }, { "names in hex", names_in_hex })
