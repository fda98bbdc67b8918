// SPDX-License-Identifier: GPL-2.0-or-later
#include "tasks/unwind.h"

#define ARM64_FP 29	  /* x29 */
#define MAX_PADDING 32	  /* TOP_OF_KERNEL_STACK_PADDING, arch/x86/include/asm/thread_info.h */
#define FRED_PADDING 16	  /* the same of 6.9 and later with CONFIG_X86_FRED; else 0 */
#define MAX_FUNCTION 4096 /* bytes of a function in which calls are looked for */
#define MAX_JUMPS 3	  /* tail calls in a row */

static const struct layout_row rows[] = {
	FINDS(struct unwinder, ip, "struct pt_regs", REQUIRED, "all", "ip", "pc"),
	FINDS(struct unwinder, sp, "struct pt_regs", REQUIRED, "all", "sp"),
	FINDS(struct unwinder, bp, "struct pt_regs", OPTIONAL, "x86", "bp"),
	FINDS(struct unwinder, cs, "struct pt_regs", OPTIONAL, "x86", "cs"),
	FINDS(struct unwinder, stackframe, "struct pt_regs", OPTIONAL, "arm64", "stackframe"),
	FINDS(struct unwinder, array, "struct pt_regs", OPTIONAL, "arm64", "regs"),
};

/* CONFIG_UNWINDER_GUESS has neither: what its stacks hold does not tell which frames are. */
static const struct fork forks[] = {
	{ .form = "ORC",
	  .since = "4.14: x86/unwind: Add the ORC unwinder",
	  .symbol = "__start_orc_unwind_ip" },
	{ .form = "frame pointers",
	  .since = "CONFIG_UNWINDER_FRAME_POINTER",
	  .members = { { "struct unwind_state", "orig_sp" } } },
};

static enum status open_x86(struct dump *d, const struct modules *modules, struct unwinder *u)
{
	enum status st = dump_has_both(d, forks[0].symbol, "struct orc_entry");

	if (st == ST_UNKNOWN)
		return st;
	switch (fork_find(d, "frames of a stack", forks, ARRAY_SIZE(forks))) {
	case 0:
		st = orc_open(d, modules, &u->orc);
		u->start = u->orc.start;
		u->end = u->orc.end;
		return st;
	case 1:
		u->by_frame_pointer = true;
		u->modules = modules;
		return dump_symbol(d, "_stext", &u->start) ?: dump_symbol(d, "_etext", &u->end);
	}
	return dump_absent(
		d, "a kernel with neither CONFIG_UNWINDER_ORC nor CONFIG_UNWINDER_FRAME_POINTER");
}

enum status unwinder_open(struct dump *d, bool is_arm64, const struct modules *modules,
			  struct unwinder *ret)
{
	struct unwinder u = { .dump = d, .is_arm64 = is_arm64 };
	enum status st = STRUCTS_OPEN(d, rows, &u);

	if (st == ST_OK &&
	    (is_arm64 ? !u.stackframe.present || !u.array.present : !u.bp.present || !u.cs.present))
		st = dump_unknown(d, "struct pt_regs");
	if (st == ST_OK && dump_ask(d, type_size, "struct pt_regs", &u.regs_size) != ST_OK)
		st = dump_unknown(d, "no size of struct pt_regs");
	if (st == ST_OK && !is_arm64)
		st = open_x86(d, modules, &u);
	/* What is missing here is no reason: the message stays that of what was needed. */
	if (st != ST_OK)
		return st;
	if (dump_symbol(d, "__x86_indirect_thunk_rax", &u.thunks) != ST_OK)
		u.thunks = 0;
	if (dump_symbol(d, "_etext", &u.etext) != ST_OK ||
	    dump_symbol(d, "_sinittext", &u.init_start) != ST_OK ||
	    dump_symbol(d, "_einittext", &u.init_end) != ST_OK)
		u.etext = 0;
	return RESULT(st, ret, u);
}

/* Where an unwinding stands. */
struct cursor {
	const struct unwinder *u;
	const struct task_stack *s;
	uint64_t ip, sp, bp;
	bool has_bp, is_exact; /* ip is the instruction itself, not the one behind a call */
	bool unreadable;       /* text, ORC or stack that the frames rest on is not in this dump */
};

static bool add_frame(struct unwind *w, const struct cursor *c, uint64_t regs)
{
	if (w->n == UNWIND_FRAMES)
		return false;
	w->f[w->n++] = (struct unwind_frame){ .ip = c->ip, .sp = c->sp, .regs = regs };
	return true;
}

static bool regs_word(const struct cursor *c, uint64_t regs, const struct field *field,
		      uint64_t *ret)
{
	uint64_t word, at = regs + field->offset;

	if (!task_stack_word(c->s, at & ~7ULL, &word))
		return false;
	/* cs is two bytes of a word with more in it since 6.9. */
	word >>= (at & 7) * 8;
	*ret = field->size < 8 ? word & ((1ULL << field->size * 8) - 1) : word;
	return true;
}

/*
 * The return address of a frame: in the half of the addresses that is the kernel's. A stack that was used up to here has no
 * page of zeros.
 */
static bool pop_ip(struct cursor *c, uint64_t at)
{
	if (!task_stack_word(c->s, at, &c->ip))
		return false;
	c->unreadable |= dump_check(c->u->dump, at, &c->ip, sizeof(c->ip), "stack") != ST_OK;
	return c->ip >> 63;
}

/* The stack pointer of the caller. */
static bool find_cfa(const struct cursor *c, const struct orc_rule *rule, uint64_t *ret)
{
	if (rule->sp == ORC_BASE_BP_INDIRECT)
		return c->has_bp && task_stack_word(c->s, c->bp + rule->sp_offset, ret);
	*ret = (rule->sp == ORC_BASE_SP ? c->sp : c->bp) + rule->sp_offset;
	return rule->sp == ORC_BASE_SP || (rule->sp == ORC_BASE_BP && c->has_bp);
}

/* The caller's frame pointer, where the function saved it. */
static bool restore_bp(struct cursor *c, const struct orc_rule *rule, uint64_t cfa)
{
	uint64_t at = (rule->bp == ORC_BASE_PREV_SP ? cfa : c->bp) + rule->bp_offset;

	switch (rule->bp) {
	case ORC_BASE_SAME:
		return true;
	case ORC_BASE_PREV_SP:
		c->has_bp = task_stack_word(c->s, at, &c->bp);
		return c->has_bp;
	case ORC_BASE_BP:
		return c->has_bp && task_stack_word(c->s, at, &c->bp);
	default:
		return false;
	}
}

/* The entry from user space has its registers at the top of the stack; FRED pads them. */
static bool is_at_top(const struct cursor *c, uint64_t regs)
{
	uint64_t end = regs + c->u->regs_size, top = c->s->base + c->s->size;

	return end <= top && top - end <= MAX_PADDING;
}

/* To what an exception interrupted, in the kernel or in user space. */
static bool leave_regs(struct cursor *c, uint64_t regs, struct unwind *w)
{
	uint64_t cs, sp = c->sp;

	if (!regs_word(c, regs, &c->u->cs, &cs) || !regs_word(c, regs, &c->u->ip, &c->ip) ||
	    !regs_word(c, regs, &c->u->sp, &c->sp) || !regs_word(c, regs, &c->u->bp, &c->bp))
		return false;
	w->f[w->n - 1].end = regs;
	if ((cs & 3) == 3) {
		if (!is_at_top(c, regs))
			return false;
		w->user_regs = regs;
		w->end = UNWIND_TO_USER;
		return false;
	}
	/* Those of a kernel thread were never used: copy_thread() leaves them empty. */
	if (c->u->by_frame_pointer && is_at_top(c, regs)) {
		w->end = UNWIND_TO_END;
		return false;
	}
	c->has_bp = c->is_exact = true;
	return c->sp > sp && c->sp >= regs && add_frame(w, c, regs);
}

/* The rule of the last function goes on to the end of the image: data has one, too. */
static bool is_data(const struct unwinder *u, uint64_t ip)
{
	return u->etext && ip >= u->etext && ip < u->orc.end &&
	       (ip < u->init_start || ip >= u->init_end);
}

static bool is_text(const struct unwinder *u, uint64_t ip)
{
	return (ip >= u->start && ip < u->end) ||
	       (u->etext && ip >= u->init_start && ip < u->init_end) ||
	       (u->modules && modules_find(u->modules, ip));
}

/*
 * A call of an address that is no text faults on its fetch, with nothing pushed but the return
 * address; null_orc_entry of arch/x86/kernel/unwind_orc.c is the same for address 0.
 */
static bool leave_no_text(struct cursor *c, struct unwind *w)
{
	struct orc_rule rule;
	uint64_t ip;

	if (!c->is_exact || !task_stack_word(c->s, c->sp, &ip) ||
	    (c->u->by_frame_pointer ? !is_text(c->u, ip)
				    : orc_find(&c->u->orc, ip - 1, &rule) != ST_OK))
		return false;
	c->ip = ip;
	c->sp += 8;
	c->is_exact = false;
	w->f[w->n - 1].end = c->sp;
	return add_frame(w, c, 0);
}

/* One frame outward; false: w->end says why there is none. */
static bool step_orc(struct cursor *c, struct unwind *w)
{
	struct orc_rule rule;
	uint64_t cfa;
	enum status st = orc_find(&c->u->orc, c->is_exact ? c->ip : c->ip - 1, &rule);

	c->unreadable |= st == ST_UNREADABLE;
	if (st != ST_OK || is_data(c->u, c->ip))
		return leave_no_text(c, w);
	if (rule.kind == ORC_KIND_END)
		w->end = UNWIND_TO_END;
	if ((rule.kind != ORC_KIND_CALL && rule.kind != ORC_KIND_REGS) || !find_cfa(c, &rule, &cfa))
		return false;
	if (rule.kind == ORC_KIND_REGS)
		return leave_regs(c, cfa, w);
	if (cfa <= c->sp || !pop_ip(c, cfa - 8) || !restore_bp(c, &rule, cfa))
		return false;
	w->f[w->n - 1].end = cfa;
	c->sp = cfa;
	c->is_exact = false;
	return add_frame(w, c, 0);
}

static bool is_behind_last(const struct cursor *c, uint64_t regs)
{
	uint64_t padding = c->s->base + c->s->size - (regs + c->u->regs_size);

	return !padding || padding == FRED_PADDING;
}

/*
 * Whether the frame at fp is the last, with the registers of a system call or of a kernel thread
 * behind it, to which no frame pointer leads. A function that aligns its stack has its return
 * address twice (is_last_aligned_frame() in arch/x86/kernel/unwind_frame.c).
 */
static bool is_last(const struct cursor *c, uint64_t fp, uint64_t *regs)
{
	uint64_t behind = fp + 16, ip, again;

	if (!is_behind_last(c, behind) &&
	    (!is_behind_last(c, behind + 8) || !task_stack_word(c->s, fp + 8, &ip) ||
	     !task_stack_word(c->s, fp + 16, &again) || ip != again))
		return false;
	*regs = is_behind_last(c, behind) ? behind : behind + 8;
	return true;
}

/*
 * The caller's frame pointer is where that of the function points, its return address behind it. The
 * entry of an exception leaves one that is odd, and 1 above the registers (ENCODE_FRAME_POINTER).
 */
static bool step_frame_pointer(struct cursor *c, struct unwind *w)
{
	uint64_t fp = c->bp, regs;

	if (c->is_exact && !is_text(c->u, c->ip))
		return leave_no_text(c, w);
	if (fp & 1)
		return (fp & ~1ULL) >= c->sp && leave_regs(c, fp & ~1ULL, w);
	if (fp < c->sp || fp & 7 || !task_stack_word(c->s, fp + 8, &c->ip) ||
	    !task_stack_word(c->s, fp, &c->bp) || !is_text(c->u, c->ip))
		return false;
	w->f[w->n - 1].end = fp + 16;
	c->sp = fp + 16;
	c->is_exact = false;
	if (!add_frame(w, c, 0))
		return false;
	return is_last(c, fp, &regs) ? leave_regs(c, regs, w) : true;
}

/* Names of the code that enters the kernel, which a record of struct pt_regs follows; those behind: up to 5.12. */
static const char *const from_kernel[] = { "el1h_64_sync", "el1h_64_irq", "el1_sync", "el1_irq",
					   NULL };
static const char *const from_user[] = { "el0t_64_sync",  "el0t_64_irq",     "el0t_32_sync",
					 "el0t_32_irq",	  "el0_sync",	     "el0_irq",
					 "el0_irq_naked", "el0_sync_compat", NULL };
static const char *const start[] = { "ret_from_fork", NULL };

static bool is_entry(struct dump *d, uint64_t ip, const char *const *names)
{
	struct symbol sym;

	if (dump_ask(d, closest, ip - 1, &sym) != ST_OK)
		return false;
	while (*names && strcmp(sym.name, *names))
		names++;
	return *names;
}

/* The record of an entry is in its struct pt_regs (arch/arm64/kernel/entry.S). */
static bool step_arm64(struct cursor *c, struct unwind *w)
{
	struct dump *d = c->u->dump;
	uint64_t regs = c->bp - c->u->stackframe.offset, sp = c->sp, fp;

	w->f[w->n - 1].end = c->bp ?: c->sp + 16;
	if (is_entry(d, c->ip, from_user)) {
		w->user_regs = regs;
		w->end = UNWIND_TO_USER;
		return false;
	}
	if (is_entry(d, c->ip, start)) {
		w->end = UNWIND_TO_END;
		return false;
	}
	if (is_entry(d, c->ip, from_kernel)) {
		fp = regs + c->u->array.offset + ARM64_FP * 8;
		if (!regs_word(c, regs, &c->u->ip, &c->ip) ||
		    !regs_word(c, regs, &c->u->sp, &c->sp) || !task_stack_word(c->s, fp, &c->bp))
			return false;
		c->is_exact = true;
		return c->sp > sp && add_frame(w, c, regs);
	}
	fp = c->bp;
	if (!task_stack_word(c->s, fp + 8, &c->ip) || !task_stack_word(c->s, fp, &c->bp))
		return false;
	c->ip |= ARM64_PAC;
	c->sp = fp;
	c->is_exact = false;
	/* Up to 5.13 a kernel thread began without a record of its own. */
	return (c->bp > fp || (!c->bp && is_entry(d, c->ip, start))) && add_frame(w, c, 0);
}

static void walk(struct cursor *c, struct unwind *w)
{
	w->end = UNWIND_CUT;
	w->user_regs = 0;
	w->n = 0;
	if (add_frame(w, c, 0))
		while (c->u->is_arm64		? step_arm64(c, w)
		       : c->u->by_frame_pointer ? step_frame_pointer(c, w)
						: step_orc(c, w))
			;
}

static bool read_text(struct cursor *c, uint64_t at, void *buf, size_t len)
{
	enum status st = dump_try(c->u->dump, at, buf, len);

	c->unreadable |= st == ST_UNREADABLE;
	return st == ST_OK;
}

/* No function has a page of zeros, or of ones. */
static bool is_text_lost(struct cursor *c, uint64_t at, const uint8_t *text, size_t len)
{
	const uint64_t page = dump_page_size(c->u->dump);
	bool lost = false;

	for (size_t done = 0, part; done < len && !lost; done += part) {
		part = page - ((at + done) & (page - 1));
		part = part < len - done ? part : len - done;
		lost = dump_check(c->u->dump, at + done, text + done, part, "text") != ST_OK;
	}
	c->unreadable |= lost;
	return lost;
}

/* What the call before a return address calls; 0: a register or memory says it. */
static bool call_before(struct cursor *c, uint64_t ip, uint64_t *target)
{
	uint8_t b[7];

	if (!read_text(c, ip - sizeof(b), b, sizeof(b)) ||
	    is_text_lost(c, ip - sizeof(b), b, sizeof(b)))
		return false;
	*target = 0;
	if (b[2] == 0xe8) {
		*target = ip + (uint64_t)(int64_t)(int32_t)le32(b + 3);
		return true;
	}
	/* ff /2 of 2, 3, 6 or 7 bytes */
	return (b[5] == 0xff && (b[6] & 0x38) == 0x10) || (b[4] == 0xff && (b[5] & 0x38) == 0x10) ||
	       (b[1] == 0xff && (b[2] & 0x38) == 0x10) || (b[0] == 0xff && (b[1] & 0x38) == 0x10);
}

static bool is_same_function(const struct symbol *called, const struct symbol *function)
{
	/* "function.cold" is a part of "function". */
	return called->address == function->address ||
	       !strncmp(function->name, called->name, strcspn(function->name, "."));
}

/*
 * What jumps on to an address that its text does not tell. At the first thunk another symbol may end, such as
 * __softirqentry_text_end, and be the one that is found there.
 */
static bool is_indirect(const struct unwinder *u, const struct symbol *s)
{
	return (u->thunks && s->address == u->thunks) || strstr(s->name, "__x86_indirect_") ||
	       !strncmp(s->name, "__SCT__", 7);
}

/* Whether a function ends in a jump to another, as compilers make a call in its last line. */
static bool jumps_to(struct cursor *c, const struct symbol *from, const struct symbol *to,
		     unsigned int depth)
{
	struct dump *d = c->u->dump;
	uint8_t text[MAX_FUNCTION];

	if (!read_text(c, from->address, text, sizeof(text)) ||
	    is_text_lost(c, from->address, text,
			 from->size < sizeof(text) ? from->size : sizeof(text)))
		return false;
	for (size_t i = 0; i + 5 <= sizeof(text); i++) {
		uint64_t at = from->address + i;
		struct symbol here, target;

		/* jmp *%reg: to any. */
		if (text[i] == 0xff && (text[i + 1] & 0xf8) == 0xe0)
			return dump_ask(d, closest, at, &here) == ST_OK &&
			       here.address == from->address;
		/* jmp, or a jcc of six bytes; those of two stay inside. */
		if (text[i] != 0xe9 && (!i || text[i - 1] != 0x0f || (text[i] & 0xf0) != 0x80))
			continue;
		if (dump_ask(d, closest, at, &here) != ST_OK || here.address != from->address)
			return false;
		at += 5 + (uint64_t)(int64_t)(int32_t)le32(text + i + 1);
		if (dump_ask(d, closest, at, &target) != ST_OK || target.address != at)
			continue;
		if (is_indirect(c->u, &target) || is_same_function(&target, to) ||
		    (depth + 1 < MAX_JUMPS && jumps_to(c, &target, to, depth + 1)))
			return true;
	}
	return false;
}

/* Whether the call of one frame is to the function of the frame before. */
static bool is_called(struct cursor *c, const struct unwind_frame *caller,
		      const struct unwind_frame *f)
{
	struct dump *d = c->u->dump;
	uint64_t target;
	struct symbol function, called;

	if (f->regs || caller->regs)
		return true;
	if (!call_before(c, caller->ip, &target))
		return false;
	if (!target)
		return true;
	if (dump_ask(d, closest, target, &called) != ST_OK ||
	    dump_ask(d, closest, f->ip - 1, &function) != ST_OK)
		return true; /* of a module */
	if (is_indirect(c->u, &called))
		return true;
	return is_same_function(&called, &function) || jumps_to(c, &called, &function, 0);
}

static bool follows(struct cursor *c, const struct unwind *w)
{
	uint64_t target;

	if (w->end == UNWIND_CUT || w->n < 2 || !call_before(c, w->f[0].ip, &target))
		return false;
	for (unsigned int i = 1; i < w->n; i++)
		if (!is_called(c, &w->f[i], &w->f[i - 1]))
			return false;
	return true;
}

/* Of a task on a CPU. unreadable: what its registers lead to is not in this dump. */
static enum status unwind_running(const struct unwinder *u, const struct task_stack *s,
				  bool unreadable, struct unwind *ret)
{
	struct dump *d = u->dump;

	for (uint64_t at = s->base; !u->is_arm64 && at < s->base + s->size; at += 8) {
		struct cursor c = { .u = u, .s = s, .sp = at + 8 };

		if (dump_stopped(d))
			return ST_STOPPED;
		if (!task_stack_word(s, at, &c.ip) || c.ip < u->start || c.ip >= u->end)
			continue;
		/* The frame of the function that returns there begins with the frame pointer of its caller. */
		if (u->by_frame_pointer && !task_stack_word(s, at - 8, &c.bp))
			continue;
		walk(&c, ret);
		if (follows(&c, ret)) {
			ret->lacks_inner = unreadable;
			return ST_OK;
		}
		unreadable |= c.unreadable;
	}
	return dump_absent(d, "the frames of a task on a CPU are not known");
}

#define SYSVEC_MOST 512 /* bytes of the frames between an interrupt and the change of stacks */

/* The registers that an interrupt found: its struct pt_regs is where it left the stack, of which they have the end. */
static bool find_interrupted(struct cursor *c)
{
	const struct unwinder *u = c->u;
	uint64_t cs, ip, sp, bp, end;

	for (uint64_t at = c->s->irq_sp; at < c->s->irq_sp + SYSVEC_MOST; at += 8) {
		end = at + u->regs_size;
		if (!regs_word(c, at, &u->cs, &cs) || !regs_word(c, at, &u->ip, &ip) ||
		    !regs_word(c, at, &u->sp, &sp) || !regs_word(c, at, &u->bp, &bp))
			return false;
		if (!cs || cs & 3 || sp < end || sp - end > MAX_PADDING || !is_text(u, ip))
			continue;
		c->ip = ip;
		c->sp = sp;
		c->bp = bp;
		return true;
	}
	return false;
}

/* By the registers of its CPU: what they lead to is all of it, or nothing. */
static bool unwind_registers(const struct unwinder *u, const struct task_stack *s,
			     struct unwind *ret, bool *unreadable)
{
	struct cursor c = { .u = u,
			    .s = s,
			    .ip = s->ip,
			    .sp = s->sp,
			    .bp = s->bp,
			    .has_bp = true,
			    .is_exact = true };

	if (!s->has_registers && (!s->irq_sp || !find_interrupted(&c)))
		return false;
	walk(&c, ret);
	*unreadable = c.unreadable;
	return ret->end != UNWIND_CUT;
}

enum status unwind(const struct unwinder *u, const struct task_stack *s, struct unwind *ret)
{
	struct cursor c = { .u = u, .s = s, .ip = s->ip, .sp = s->sp, .bp = s->bp, .has_bp = true };
	bool unreadable = false;

	ret->lacks_inner = false;
	if (s->on_cpu && unwind_registers(u, s, ret, &unreadable))
		return ST_OK;
	if (s->on_cpu)
		return unwind_running(u, s, unreadable, ret);
	walk(&c, ret);
	return ST_OK;
}
