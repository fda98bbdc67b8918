// SPDX-License-Identifier: GPL-2.0-or-later
#include "collect/in_fault.h"

#include "collect/places.h"
#include "collect/waits.h"

enum status fault_finder_open(struct dump *d, struct fault_finder *ret)
{
	ret->dump = d;
	return task_frames_open(d, &ret->at)
		       ?: vmas_open(d, &ret->vmas) ?: vm_faults_open(d, &ret->vmas, &ret->faults);
}

/* What handles a fault whether an exception or the kernel itself asks for the page. */
static bool is_handler(const char *name)
{
	static const char *const functions[] = { "handle_mm_fault", "__handle_mm_fault",
						 "hugetlb_fault" };

	return FUNCTION_FIND(functions, name);
}

/* What an exception calls (arch/x86/mm/fault.c, arch/arm64/mm/fault.c). */
static bool is_exception(const char *name)
{
	static const char *const functions[] = {
		"do_user_addr_fault", "exc_page_fault",	      "handle_page_fault",
		"do_page_fault",      "__do_page_fault",      "do_async_page_fault",
		"do_mem_abort",	      "do_translation_fault",
	};

	return FUNCTION_FIND(functions, name);
}

/* Before it returns, the handler of the exception runs signals and gives up the CPU. */
static bool is_leaving(const char *name, const char *callee)
{
	static const char *const handlers[] = { "exc_page_fault", "do_page_fault" };
	static const char *const exits[] = {
		"irqentry_exit", "exit_to_user_mode", "prepare_exit_to_user", "arch_do_signal",
		"do_signal",	 "schedule",	      "preempt_schedule"
	};

	if (!FUNCTION_FIND(handlers, name))
		return false;
	return ANY_OF(i, ARRAY_SIZE(exits), !strncmp(callee, exits[i], strlen(exits[i])));
}

/* The frames of the innermost fault: from first to last. */
struct fault_frames {
	unsigned int first, last;
	bool has_handler; /* handle_mm_fault() was reached */
	bool is_exception;
};

static bool find_frames(struct fault_finder *f, struct fault_frames *ret)
{
	const struct unwind *w = &f->at.frames;
	unsigned int i = 0;

	for (; i < w->n; i++) {
		const char *name = task_frames_name(&f->at, i);

		if (is_handler(name))
			break;
		if (is_exception(name) && !(i && is_leaving(name, task_frames_name(&f->at, i - 1))))
			break;
	}
	if (i == w->n)
		return false;
	*ret = (struct fault_frames){ .first = i };
	for (; i < w->n && (i == ret->first || !w->f[i].regs); i++) {
		const char *name = task_frames_name(&f->at, i);

		if (!is_handler(name) && !is_exception(name))
			break;
		ret->has_handler |= is_handler(name);
		ret->is_exception |= is_exception(name);
		ret->last = i;
	}
	return true;
}

static void find_mode(const struct unwind *w, const struct fault_frames *frames,
		      struct in_fault *ret)
{
	if (!frames->is_exception) {
		ret->mode = MODE_GUP;
		return;
	}
	for (unsigned int i = frames->last + 1; i < w->n; i++) {
		if (!w->f[i].regs)
			continue;
		ret->regs = w->f[i].regs;
		ret->mode = MODE_KERNEL;
		return;
	}
	if (w->end == UNWIND_TO_USER) {
		ret->regs = w->user_regs;
		ret->mode = MODE_USER;
	}
}

/* In the frames of the handlers alone: what is below them may be of a fault before. */
static void find_vm_fault(struct fault_finder *f, uint64_t mm, const struct fault_frames *frames,
			  struct in_fault *ret)
{
	const struct task_stack *s = &f->at.stack;
	struct vm_fault fault;

	for (unsigned int i = frames->first; i <= frames->last; i++) {
		const struct unwind_frame *frame = &f->at.frames.f[i];

		if (!is_handler(task_frames_name(&f->at, i)) || frame->sp < s->base ||
		    frame->end <= frame->sp || frame->end > s->base + s->size)
			continue;
		if (vm_fault_find(&f->faults, mm, s->bytes + (frame->sp - s->base),
				  frame->end - frame->sp, &fault) != ST_OK)
			continue;
		ret->has_flags = ret->has_vma = true;
		ret->flags = fault.flags;
		ret->vma = fault.vma;
		ret->address = fault.address;
		ret->source = fault.is_page ? ADDRESS_PAGE : ADDRESS_VM_FAULT;
		return;
	}
}

/*
 * Handlers keep the address in registers, which the functions that they call save.  Where
 * struct vm_fault does not tell it, or only its page, the frames have it if they have
 * exactly one user address that is in a VMA and, if known, in that page.
 */
static void derive_address(struct fault_finder *f, uint64_t mm, const struct fault_frames *frames,
			   struct in_fault *ret)
{
	uint64_t low = dump_page_size(f->dump) - 1, found = 0, word;
	uint64_t end = f->at.frames.f[frames->last].end;
	struct vma vma, of_found;

	for (uint64_t at = f->at.frames.f[0].sp; at < end; at += 8) {
		if (!task_stack_word(&f->at.stack, at, &word) || word <= low || word >> 56 ||
		    word == found)
			continue;
		if (ret->source == ADDRESS_PAGE ? (word & ~low) != ret->address || !(word & low)
						: vma_find(&f->vmas, mm, word, &vma) != ST_OK)
			continue;
		if (found)
			return;
		found = word;
		of_found = vma;
	}
	if (!found)
		return;
	if (ret->source == ADDRESS_UNKNOWN) {
		ret->vma = of_found;
		ret->has_vma = true;
	}
	ret->address = found;
	ret->source = ADDRESS_STACK;
}

enum status fault_find(struct fault_finder *f, const struct task *task, struct in_fault *ret)
{
	return task_frames_read(&f->at, task->address) ?: fault_of_frames(f, task, ret);
}

enum status fault_of_frames(struct fault_finder *f, const struct task *task, struct in_fault *ret)
{
	struct in_fault fault = { 0 };
	struct fault_frames frames;

	if (!find_frames(f, &frames))
		return dump_absent(f->dump, "no page fault");
	find_mode(&f->at.frames, &frames, &fault);
	find_vm_fault(f, task->mm, &frames, &fault);
	if (fault.source != ADDRESS_VM_FAULT && task->mm && fault.mode != MODE_GUP)
		derive_address(f, task->mm, &frames, &fault);
	fault.has_handler = frames.has_handler;
	*ret = fault;
	return ST_OK;
}

enum status task_frames_open(struct dump *d, struct task_frames *ret)
{
	ret->dump = d;
	symbolizer_open(d, &ret->symbols);
	return task_stacks_open(d, &ret->stacks)
		       ?: unwinder_open(d, ret->stacks.is_arm64, &ret->symbols.modules,
					&ret->unwinder);
}

enum status task_frames_read(struct task_frames *f, uint64_t task)
{
	enum status st = task_stack_read(&f->stacks, task, &f->stack);

	if (st == ST_OK) {
		st = unwind(&f->unwinder, &f->stack, &f->frames);
		if (st == ST_ABSENT)
			st = ST_UNKNOWN;
	}
	if (st != ST_OK) {
		f->frames.n = 0;
		f->frames.lacks_inner = false;
		f->frames.end = UNWIND_TO_END;
	}
	return st;
}

/* A return address may be that of the next function's start. */
const char *task_frames_name(struct task_frames *f, unsigned int i)
{
	const struct unwind_frame *frame = &f->frames.f[i];
	const struct frame *s = symbolize(&f->symbols, frame->regs ? frame->ip : frame->ip - 1);

	return s && s->symbol ? s->symbol : "";
}

/* Behind a call that does not return, as of do_group_exit(), there may be another function: as %pB of the kernel. */
static const struct frame *frame_of_call(struct task_frames *f, uint64_t ip)
{
	const struct frame *found = symbolize(&f->symbols, ip);
	const struct frame *call = symbolize(&f->symbols, ip - 1);
	struct frame *ret;

	if (!call->symbol || call->offset + 1 == found->offset)
		return found;
	ret = dump_alloc(f->dump, sizeof(*ret));
	*ret = *call;
	ret->addr = ip;
	ret->offset++;
	ret->source = found->source;
	return ret;
}

/* Lines are those of the call before an address; an exception is at its address itself. */
const struct frame *task_frames_at(struct task_frames *f, unsigned int i)
{
	const struct unwind_frame *at = &f->frames.f[i];
	const struct module *mod;
	const struct frame *found;
	struct frame *ret;

	if (!at->regs)
		return frame_of_call(f, at->ip);
	found = symbolize(&f->symbols, at->ip);
	mod = modules_find(&f->symbols.modules, at->ip);
	if (!found || !f->symbols.lines)
		return found;
	ret = dump_alloc(f->dump, sizeof(*ret));
	*ret = *found;
	ret->source = lines_of_call(f->symbols.lines, at->ip + 1, mod);
	return ret;
}

/* How the kernel left a CPU, or came to it from an interrupt. */
static bool is_switch(const char *name)
{
	return wait_is_scheduler(name) || !strncmp(name, "__switch_to", strlen("__switch_to")) ||
	       !strncmp(name, "sysvec_", strlen("sysvec_")) ||
	       !strncmp(name, "asm_sysvec_", strlen("asm_sysvec_"));
}

/* The innermost function of a module says most; of the kernel's own the one that gave up the CPU. */
static unsigned int title_of(const struct stack *s)
{
	for (unsigned int i = 0; i < s->n; i++)
		if (s->frames[i]->module && s->frames[i]->symbol)
			return i;
	for (unsigned int i = 0; i < s->n; i++)
		if (s->frames[i]->symbol && !is_switch(s->frames[i]->symbol))
			return i;
	return 0;
}

const struct stack *task_frames_stack(struct task_frames *f)
{
	const struct unwind *w = &f->frames;
	struct stack *stack = dump_alloc(f->dump, sizeof(*stack));

	stack->frames = dump_alloc(f->dump, w->n * sizeof(*stack->frames));
	for (unsigned int i = 0; i < w->n; i++)
		stack->frames[i] = task_frames_at(f, i);
	stack->n = w->n;
	stack->title = title_of(stack);
	return stack;
}

static const struct layout_row rows[] = {
	FIELD_ROW("struct vm_area_struct", OPTIONAL, "6.4 to 6.14, CONFIG_PER_VMA_LOCK", "vm_lock"),
	FIELD_ROW("struct vma_lock", OPTIONAL, "6.4 to 6.14, CONFIG_PER_VMA_LOCK", "lock"),
	FIELD_ROW("struct vm_area_struct", OPTIONAL, "6.15, CONFIG_PER_VMA_LOCK", "vm_refcnt"),
	FIELD_ROW("struct mm_struct", OPTIONAL, "6.15, CONFIG_PER_VMA_LOCK",
		  "vma_writer_wait.task"),
};

/* Of vm_refcnt: a writer waits for the readers to go, who count one each (VMA_LOCK_OFFSET, a macro). */
#define HAS_WRITER 0x40000000U

enum status fault_locks_open(struct dump *d, const struct field *mmap_lock, struct fault_locks *ret)
{
	struct field f[ARRAY_SIZE(rows)];
	enum status st = layout_resolve(d, rows, ARRAY_SIZE(rows), f);

	if (st == ST_OK && f[2].present != f[3].present)
		st = dump_unknown(d, "who waits for vm_refcnt of a VMA");
	return RESULT(st, ret,
		      (struct fault_locks){ d, *mmap_lock, f[0], f[1], f[2], f[3],
					    !f[0].present && !f[2].present });
}

enum status fault_lock_writer(const struct fault_locks *l, uint64_t mm, uint64_t *ret)
{
	*ret = 0;
	return l->vma_writer.present
		       ? dump_u64(l->dump, mm + l->vma_writer.offset, ret, "vma_writer_wait")
		       : ST_OK;
}

/* What gives the lock back, if at all, before it waits (mm/filemap.c, mm/memory.c, fs/userfaultfd.c, drivers). */
static bool may_give_back(const char *name)
{
	static const char *const functions[] = {
		"__do_fault",
		"filemap_fault",
		"shmem_fault",
		"hugetlb_fault",
		"__folio_lock_or_retry",
		"__lock_page_or_retry",
		"folio_wait_bit_common",
		"wait_on_page_bit_common",
	};

	return FUNCTION_FIND(functions, name);
}

/* A fault that may be tried again has its lock in what neither waits for a page nor runs a driver. */
static bool has_lock(struct task_frames *at, uint64_t flags)
{
	static const char *const handlers[] = { "handle_mm_fault", "__handle_mm_fault" };
	bool gives_back = false, has = false;

	for (unsigned int i = 0; i < at->frames.n; i++) {
		const char *name = task_frames_name(at, i);
		enum place place = place_of(name);

		if (FUNCTION_FIND(handlers, name))
			break;
		/* It gives it back the second time, too. */
		if (is_function(name, "handle_userfault"))
			return false;
		gives_back |= may_give_back(name);
		has |= place == PLACE_ALLOCATOR || place == PLACE_CHARGE;
	}
	if (!(flags & VM_FAULT_ALLOW_RETRY) || flags & (VM_FAULT_RETRY_NOWAIT | VM_FAULT_TRIED))
		return true;
	return has && !gives_back;
}

static enum status find_vma_lock(const struct fault_locks *l, const struct in_fault *fault,
				 struct fault_lock *ret)
{
	uint64_t lock = 0;
	uint32_t count;
	enum status st = ST_OK;

	if (l->vma_count.present) {
		st = dump_u32(l->dump, fault->vma.address + l->vma_count.offset, &count,
			      "vm_refcnt of a VMA");
		if (st == ST_OK && count & HAS_WRITER)
			lock = fault->vma.mm + l->vma_writer.offset;
	} else if (l->vma_lock.present && l->vma_rwsem.present) {
		st = dump_u64(l->dump, fault->vma.address + l->vma_lock.offset, &lock,
			      "lock of a VMA");
		lock += l->vma_rwsem.offset;
	}
	if (st == ST_OK && lock) {
		ret->lock = lock;
		ret->vma_start = fault->vma.start;
	}
	return st;
}

/*
 * While a file system makes a page writable, the flags do not tell which of the two it has (do_page_mkwrite()): it
 * has one to the end.
 */
enum status fault_lock_find(struct fault_locks *l, struct task_frames *at,
			    const struct in_fault *fault, struct fault_lock *ret)
{
	struct fault_lock found = { .mmap_lock = fault->vma.mm + l->mmap_lock.offset };
	bool either = fault->flags & VM_FAULT_MKWRITE && !l->only_mmap_lock;
	enum status st = ST_OK;

	if (!fault->has_flags || at->frames.lacks_inner)
		return dump_absent(l->dump, "no struct vm_fault of the page fault is known");
	if (either)
		found.mmap_lock = 0;
	if (either || (fault->flags & VM_FAULT_VMA_LOCK && has_lock(at, fault->flags)))
		st = find_vma_lock(l, fault, &found);
	else if (!(fault->flags & VM_FAULT_VMA_LOCK) && has_lock(at, fault->flags))
		found.lock = found.mmap_lock;
	return RESULT(st, ret, found);
}

/* "kcompactd0 (37) beyond kcompactd, sh (5)": the outermost function that is known. */
void cut_stacks_add(struct cut_stacks *c, const struct task *t, struct task_frames *at)
{
	unsigned int i = at->frames.end == UNWIND_CUT ? at->frames.n : 0;
	const char *last = "";

	while (i && !*last)
		last = task_frames_name(at, --i);
	c->n++;
	if (c->named == CUT_STACKS)
		return;
	c->named++;
	c->names = dump_text(at->dump, "%s%s%s (%d)%s%s", c->names ?: "", c->names ? ", " : "",
			     t->comm, t->pid, *last ? " beyond " : "", last);
}
