// SPDX-License-Identifier: GPL-2.0-or-later
#include "kgtp/frame.h"

#include <stdlib.h>

#include "dump/layout.h"

#define NSEC 1000000000

struct builder {
	struct kgtp_reader *reader;
	const struct kgtp_frame_source *source;
	struct kgtp_frames frames;
	const struct kgtp_ring *ring;
	struct kgtp_frame *now;	     /* NULL: none is open */
	uint64_t last_head, last_id; /* of this ring; 0: none yet */
	uint64_t id_before;	     /* the good id before last_id */
	size_t last_frame;	     /* index of the frame that has last_id */
	bool lost;		     /* bytes or pages were passed over since the last entry */
	bool hole;		     /* pages were */
	bool again;		     /* the last entry was MEM: the next may go on */
	uint64_t next_memory;	     /* address behind that MEM */
	size_t left;		     /* room that PAGE_END left in the page before; 0: none */
	size_t memory_page;	     /* that the last MEM is in */
	bool cuts;		     /* a value was cut where a page ends */
	bool has_sec;
	uint64_t sec;
	enum status st;
};

static const struct {
	const char *name, *meaning;
} defects[KGTP_DEFECTS] = {
	{ "head-lost", "its head is not in the ring any more: this is its tail" },
	{ "in-progress", "the ring is locked: it was being written, its end may be missing" },
	{ "ring-full", "the ring was full: its end may be missing" },
	{ "tail-lost", "where it would go on there is another frame, or bytes of none" },
	{ "bad-bytes", "bytes in it are no entry and were passed over" },
	{ "hole", "a page in it cannot be read or reached" },
	{ "bad-link", "its head and the one before it, or the ring, do not point to each other" },
	{ "bad-id", "its id is not above the id before it, or was never given" },
	{ "bad-tracepoint", "the list of tracepoints has none of its number" },
	{ "read-fault",
	  "a fault stopped its tracepoint: its last range may have bytes never read" },
};

static size_t defect_index(enum kgtp_defect one)
{
	size_t i = 0;

	while (i + 1 < KGTP_DEFECTS && !(one >> i & 1))
		i++;
	return i;
}

const char *kgtp_defect_name(enum kgtp_defect one)
{
	return defects[defect_index(one)].name;
}

const char *kgtp_defect_meaning(enum kgtp_defect one)
{
	return defects[defect_index(one)].meaning;
}

static bool open_frame(struct builder *b, const struct kgtp_entry *e, unsigned int flags)
{
	struct kgtp_frames *all = &b->frames;

	all->f = arena_more(b->reader->dump->arena, all->f, all->n, sizeof(*all->f));
	b->now = &all->f[all->n++];
	memset(b->now, 0, sizeof(*b->now));
	b->now->ring = b->ring;
	b->now->start = (struct kgtp_place){ e->page, e->offset };
	b->now->last_page = e->page;
	b->now->defects = flags | (e->unsure ? KGTP_IN_PROGRESS : 0);
	b->again = b->has_sec = false;
	return true;
}

/* An id that was given, and above the one before it in this ring. */
static bool is_id(const struct builder *b, uint64_t id)
{
	return id > b->last_id && (!b->source->has_newest || id <= b->source->newest);
}

/*
 * The frame that is open has another id than the one before. One that was never given says
 * nothing of those behind it. Where two disagree and either could be the wrong one, both are
 * marked, and the lower one is what the next must exceed: it marks no more than these two.
 */
static void take_id(struct builder *b, uint64_t id)
{
	bool given = id && (!b->source->has_newest || id <= b->source->newest);

	b->now->id = id;
	if (!is_id(b, id))
		b->now->defects |= KGTP_BAD_ID;
	if (!given || id <= b->id_before)
		return;
	if (id > b->last_id)
		b->id_before = b->last_id;
	else
		b->frames.f[b->last_frame].defects |= KGTP_BAD_ID;
	b->last_id = id;
	b->last_frame = b->frames.n - 1;
}

/* Whether a list of tracepoints that is whole has none of a number. */
static bool is_of_none(const struct kgtp_tracepoints *all, uint64_t number)
{
	return !ANY_OF(i, all->n, all->t[i].number == number) && all->known && !all->problem &&
	       all->n;
}

/*
 * Head of no frame: bytes of the frame that is open. Two of its words are wrong; of one wrong
 * word a real head has the mark. Sets *cuts if the open frame may go on in it.
 */
static bool is_no_head(const struct builder *b, const struct kgtp_entry *e, bool *cuts)
{
	unsigned int wrong = !is_id(b, e->id);

	wrong += b->last_head && !b->lost && e->previous != b->last_head;
	wrong += is_of_none(b->source->tracepoints, e->number);
	/* At the start of a page it stands where PAGE_BEGIN would; the first has no link to check. */
	*cuts = wrong > 1 || (wrong && (e->offset == KGTP_WORD || !b->last_head));
	return wrong > 1;
}

static bool see_head(struct builder *b, const struct kgtp_entry *e)
{
	/* Bytes of an older frame may stand where a head was not written yet. */
	bool fresh = !e->unsure || (is_id(b, e->id) && e->previous == b->last_head);

	bool cuts, no_head = is_no_head(b, e, &cuts);

	if (b->now && (b->lost || (cuts && fresh)))
		b->now->defects |= KGTP_TAIL_LOST;
	if (!open_frame(b, e, 0))
		return false;
	if (!fresh) {
		b->now->defects |= KGTP_HEAD_LOST;
		return true;
	}
	b->now->number = e->number;
	if (is_of_none(b->source->tracepoints, e->number))
		b->now->defects |= KGTP_BAD_TRACEPOINT;
	if (!no_head)
		take_id(b, e->id);
	else
		b->now->id = e->id;
	if (no_head && !is_id(b, e->id))
		b->now->defects |= KGTP_BAD_ID;
	/* Behind what was passed over there may have been other heads. */
	if (b->last_head && !b->lost && e->previous != b->last_head)
		b->now->defects |= KGTP_BAD_LINK;
	b->lost = b->hole = false;
	if (!no_head)
		b->last_head = e->address;
	return true;
}

static bool see_page_begin(struct builder *b, const struct kgtp_entry *e)
{
	unsigned int hole = b->hole ? KGTP_HOLE : 0;

	/* A tail without a head is of the frame that the next page goes on with. */
	if (b->now && !b->now->id && !b->lost && is_id(b, e->id))
		take_id(b, e->id);
	b->lost = b->hole = false;
	if (b->now && b->now->id == e->id) {
		b->now->last_page = e->page;
		b->now->defects |= hole;
		return true;
	}
	if (b->now)
		b->now->defects |= KGTP_TAIL_LOST;
	/* Of that one the next head has the address, which is not known. */
	b->last_head = 0;
	if (!open_frame(b, e, KGTP_HEAD_LOST | hole))
		return false;
	take_id(b, e->id);
	return true;
}

static void see_memory(struct builder *b, const struct kgtp_entry *e)
{
	if (!e->size)
		return;
	if (!b->again || b->next_memory != e->memory)
		b->now->pieces++;
	else if (b->memory_page != e->page)
		b->cuts = true;
	b->now->bytes += e->size;
	b->again = true;
	b->memory_page = e->page;
	b->next_memory = e->memory + e->size;
}

static void set_time(struct builder *b, enum kgtp_known_variable clock, uint64_t ns)
{
	/* $clock is what the log of the kernel has, too: it goes before the others. */
	if (b->now->has_time && b->now->clock < clock)
		return;
	b->now->has_time = true;
	b->now->time_ns = ns;
	b->now->clock = clock;
}

static void see_variable(struct builder *b, const struct kgtp_entry *e)
{
	const uint32_t *known = b->source->variables->known;

	b->now->variables++;
	if (e->number == known[KGTP_VAR_CLOCK]) {
		set_time(b, KGTP_VAR_CLOCK, e->value);
	} else if (e->number == known[KGTP_VAR_COOKED_CLOCK]) {
		set_time(b, KGTP_VAR_COOKED_CLOCK, e->value);
	} else if (e->number == known[KGTP_VAR_XTIME_SEC]) {
		b->has_sec = true;
		b->sec = e->value;
	} else if (e->number == known[KGTP_VAR_XTIME_NSEC] && b->has_sec) {
		set_time(b, KGTP_VAR_XTIME_SEC, b->sec * NSEC + (uint64_t)e->value);
	} else if (e->number == known[KGTP_VAR_STEP_ID]) {
		b->now->is_step = true;
	} else if (e->number == known[KGTP_VAR_PID]) {
		b->now->has_pid = true;
		b->now->pid = e->value;
	}
}

static void see_regs(struct builder *b, const struct kgtp_entry *e)
{
	const struct kgtp_registers *regs = b->source->regs;

	b->now->has_regs = true;
	b->now->pc = field_get(&regs->r[regs->pc].field, e->data);
}

static bool see_loss(struct builder *b, const struct kgtp_entry *e)
{
	/* Without a frame that is open they are a row of their own, or nothing would have the mark. */
	if (e->kind == KGTP_BAD && !b->now && !open_frame(b, e, KGTP_HEAD_LOST))
		return false;
	if (e->kind == KGTP_BAD)
		b->now->defects |= KGTP_BAD_BYTES;
	b->lost = true;
	b->hole |= e->kind == KGTP_MISSING;
	b->again = false;
	return true;
}

/* REG, MEM and VAR belong to the frame that is open; without one, to one whose head is lost. */
static bool see_body(struct builder *b, const struct kgtp_entry *e)
{
	/* Only PAGE_BEGIN names the frame of a page. */
	if (b->lost && b->now) {
		b->now->defects |= KGTP_TAIL_LOST;
		b->now = NULL;
	}
	b->lost = b->hole = false;
	if (!b->now && !open_frame(b, e, KGTP_HEAD_LOST))
		return false;
	if (e->unsure)
		b->now->defects |= KGTP_IN_PROGRESS;
	if (e->kind == KGTP_MEM) {
		see_memory(b, e);
		return true;
	}
	b->again = false;
	if (e->kind == KGTP_REG)
		see_regs(b, e);
	else if (e->kind == KGTP_VAR)
		see_variable(b, e);
	return true;
}

/* At the start of a page behind another, a body without PAGE_BEGIN is of no known frame. */
static void check_page(struct builder *b, const struct kgtp_entry *e)
{
	if (e->page && e->offset == KGTP_WORD && e->kind != KGTP_PAGE_BEGIN &&
	    e->kind != KGTP_HEAD && e->kind != KGTP_MISSING)
		b->lost = true;
}

/*
 * PAGE_END stands where the next entry has no room: before one that has, entries are missing.
 * From 2014-08 on KGTP cuts memory so that it fills the page.
 */
static void check_room(struct builder *b, const struct kgtp_entry *e)
{
	size_t left = b->left;

	if (e->kind == KGTP_CLOSED)
		b->left = e->size;
	if (!left || e->kind == KGTP_PAGE_BEGIN)
		return;
	b->left = 0;
	if (e->kind == KGTP_MEM && b->now && left >= KGTP_MEM_HEAD && left < e->takes)
		b->now->has_room = true;
	if (!e->takes || left < e->takes)
		return;
	if (e->kind == KGTP_HEAD)
		b->lost = true;
	else if (b->now)
		b->now->defects |= KGTP_BAD_BYTES;
}

static bool see(void *arg, const struct kgtp_entry *e)
{
	struct builder *b = arg;

	check_page(b, e);
	check_room(b, e);
	switch (e->kind) {
	case KGTP_HEAD:
		return see_head(b, e);
	case KGTP_PAGE_BEGIN:
		return see_page_begin(b, e);
	case KGTP_BAD:
	case KGTP_MISSING:
		return see_loss(b, e);
	case KGTP_WRITING:
		if (b->now)
			b->now->defects |= KGTP_IN_PROGRESS;
		return b->now || open_frame(b, e, KGTP_HEAD_LOST);
	case KGTP_CLOSED:
		return true;
	default:
		return see_body(b, e);
	}
}

/* Whether a frame behind one, on the last page too, is of the same tracepoint. */
static bool has_later(const struct builder *b, const struct kgtp_frame *f)
{
	for (size_t i = f - b->frames.f + 1; i < b->frames.n; i++)
		if (b->frames.f[i].number == f->number)
			return true;
	return false;
}

/*
 * A tracepoint that finds no room stops: the last frame of each may be the one that had
 * none. It ends on the last page, where smaller frames of others may have followed.
 */
static void mark_full(struct builder *b, size_t first)
{
	for (size_t i = b->frames.n; i > first; i--) {
		struct kgtp_frame *f = &b->frames.f[i - 1];

		if (f->last_page != b->ring->n - 1)
			break;
		if (!has_later(b, f))
			f->defects |= KGTP_RING_FULL;
	}
}

/*
 * A fault of a read stops the tracepoint, and the frame has no more: on each CPU it may be the
 * last one. A frame without a head may be of any tracepoint.
 */
static void mark_faults(struct builder *b, size_t first)
{
	const struct kgtp_tracepoints *all = b->source->tracepoints;

	for (size_t i = 0; i < all->n; i++) {
		bool found = !all->t[i].stopped || strcmp(all->t[i].stopped, "efault") != 0;

		for (size_t k = b->frames.n; !found && k > first; k--) {
			struct kgtp_frame *f = &b->frames.f[k - 1];

			found = !(f->defects & KGTP_HEAD_LOST) && f->number == all->t[i].number;
			if (found || f->defects & KGTP_HEAD_LOST)
				f->defects |= KGTP_READ_FAULT;
		}
	}
}

static enum status read_ring(struct builder *b, const struct kgtp_ring *ring)
{
	struct dump *d = b->reader->dump;
	size_t first;
	enum status st;

	b->ring = ring;
	b->now = NULL;
	b->last_head = b->last_id = b->id_before = 0;
	b->lost = b->hole = b->again = false;
	b->left = 0;
	first = b->frames.n;
	st = kgtp_entries_walk(b->reader, ring, kgtp_entries_start(d, ring), see, b) ?: b->st;
	mark_faults(b, first);
	if (!b->now)
		return st;
	if (b->lost)
		b->now->defects |= KGTP_TAIL_LOST;
	if (ring->full && !b->source->circular)
		mark_full(b, first);
	if (ring->locked)
		b->now->defects |= KGTP_IN_PROGRESS;
	else if (b->last_head && !b->lost && b->last_head != ring->prev_frame)
		b->now->defects |= KGTP_BAD_LINK;
	return st;
}

ORDER_BY(by_id, struct kgtp_frame,
	 COMPARE(x->id, y->id) ?: COMPARE(x->ring->cpu, y->ring->cpu) ?:
			COMPARE(x->start.page, y->start.page) ?:
			COMPARE(x->start.offset, y->start.offset))

/* Memory that began a page would have been cut to fill the one before. */
static void check_cuts(struct kgtp_frames *all)
{
	for (size_t i = 0; i < all->n; i++)
		if (all->f[i].has_room)
			all->f[i].defects |= KGTP_BAD_BYTES;
}

/* The counter is one for all CPUs: an id that is there twice is wrong at least once. */
static void check_ids(struct kgtp_frames *all)
{
	for (size_t i = 0; i < all->n; i++) {
		struct kgtp_frame *f = &all->f[i];

		if (f->id && i + 1 < all->n && f[1].id == f->id) {
			f->defects |= KGTP_BAD_ID;
			f[1].defects |= KGTP_BAD_ID;
		}
	}
	for (size_t i = 0; i < all->n; i++)
		all->damaged += (all->f[i].defects &
				 ~(KGTP_HEAD_LOST | KGTP_IN_PROGRESS | KGTP_RING_FULL)) != 0;
}

enum status kgtp_frames_read(struct kgtp_reader *r, const struct kgtp_frame_source *source,
			     struct kgtp_frames *ret)
{
	struct builder b = { .reader = r, .source = source };
	enum status st = ST_OK;

	for (size_t i = 0; st == ST_OK && i < source->rings->n; i++)
		if (source->rings->rings[i].state == KGTP_RING_OK)
			st = read_ring(&b, &source->rings->rings[i]);
	if (st != ST_OK && st != ST_STOPPED)
		return st;
	if (b.frames.n)
		qsort(b.frames.f, b.frames.n, sizeof(*b.frames.f), by_id);
	if (b.cuts)
		check_cuts(&b.frames);
	check_ids(&b.frames);
	*ret = b.frames;
	return st;
}

#define ARM64_GENERAL 31

struct row {
	const char *names[2]; /* of the member, newest first */
	const char *name;
	unsigned int trace_size;
};

/* The order and the widths are those of GDB's packet of registers (amd64). */
static const struct row x86_64_rows[] = {
	{ { "ax", "rax" }, "rax", 8 },
	{ { "bx", "rbx" }, "rbx", 8 },
	{ { "cx", "rcx" }, "rcx", 8 },
	{ { "dx", "rdx" }, "rdx", 8 },
	{ { "si", "rsi" }, "rsi", 8 },
	{ { "di", "rdi" }, "rdi", 8 },
	{ { "bp", "rbp" }, "rbp", 8 },
	{ { "sp", "rsp" }, "rsp", 8 },
	{ { "r8" }, "r8", 8 },
	{ { "r9" }, "r9", 8 },
	{ { "r10" }, "r10", 8 },
	{ { "r11" }, "r11", 8 },
	{ { "r12" }, "r12", 8 },
	{ { "r13" }, "r13", 8 },
	{ { "r14" }, "r14", 8 },
	{ { "r15" }, "r15", 8 },
	{ { "ip", "rip" }, "rip", 8 },
	{ { "flags", "eflags" }, "eflags", 4 },
	{ { "cs" }, "cs", 4 },
	{ { "ss" }, "ss", 4 },
	{ { "orig_ax", "orig_rax" }, "orig_rax", 0 },
};
#define X86_64_PC 16

static const struct row arm64_rows[] = {
	{ { "sp" }, "sp", 8 },
	{ { "pc" }, "pc", 8 },
	{ { "pstate" }, "cpsr", 4 },
};

static enum status add(struct dump *d, const struct row *row, struct kgtp_registers *regs)
{
	struct kgtp_register *r = &regs->r[regs->n++];
	struct layout_row wanted = {
		"struct pt_regs", { row->names[0], row->names[1] }, REQUIRED, "asm/ptrace.h"
	};
	enum status st = layout_resolve(d, &wanted, 1, &r->field);

	if (st != ST_OK)
		return st;
	if (r->field.size > 8 || r->field.offset + r->field.size > regs->size)
		return dump_unknown(d, "%s of struct pt_regs", row->name);
	r->name = row->name;
	r->trace_size = row->trace_size;
	regs->trace_size += row->trace_size;
	return ST_OK;
}

static enum status add_all(struct dump *d, const struct row *rows, size_t n,
			   struct kgtp_registers *regs)
{
	enum status st = ST_OK;

	for (size_t i = 0; st == ST_OK && i < n; i++)
		st = add(d, &rows[i], regs);
	return st;
}

/* x0 to x30 are one array. */
static enum status add_arm64(struct dump *d, struct kgtp_registers *regs)
{
	struct layout_row wanted = { "struct pt_regs", { "regs" }, REQUIRED, "asm/ptrace.h" };
	struct field all;
	enum status st = layout_resolve(d, &wanted, 1, &all);

	if (st != ST_OK)
		return st;
	if (all.size != ARM64_GENERAL * 8 || all.offset + all.size > regs->size)
		return dump_unknown(d, "regs of struct pt_regs");
	for (unsigned int i = 0; i < ARM64_GENERAL; i++) {
		regs->r[i].name = dump_text(d, "x%u", i);
		regs->r[i].field = (struct field){
			.present = true, .kind = KIND_INT, .offset = all.offset + 8 * i, .size = 8
		};
		regs->r[i].trace_size = 8;
	}
	regs->n = ARM64_GENERAL;
	regs->trace_size = ARM64_GENERAL * 8;
	regs->pc = ARM64_GENERAL + 1;
	return add_all(d, arm64_rows, ARRAY_SIZE(arm64_rows), regs);
}

enum status kgtp_registers_open(struct dump *d, struct kgtp_registers *ret)
{
	struct kgtp_registers regs = { 0 };
	uint64_t size;
	enum status st;

	if (dump_ask(d, type_size, "struct pt_regs", &size) != ST_OK || size > dump_page_size(d))
		return dump_unknown(d, "no size of struct pt_regs");
	regs.size = size;
	if (d->arch && !strcmp(d->arch, "aarch64")) {
		st = add_arm64(d, &regs);
	} else if (d->arch && !strcmp(d->arch, "x86_64")) {
		regs.pc = X86_64_PC;
		st = add_all(d, x86_64_rows, ARRAY_SIZE(x86_64_rows), &regs);
	} else {
		st = dump_fail(d, ST_UNKNOWN, "registers of this architecture are not known");
	}
	return RESULT(st, ret, regs);
}
