// SPDX-License-Identifier: GPL-2.0-or-later
#include "collect/in_fault.h"

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
	for (size_t i = 0; i < ARRAY_SIZE(exits); i++)
		if (!strncmp(callee, exits[i], strlen(exits[i])))
			return true;
	return false;
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

static void find_wait(struct fault_finder *f, const struct task *task,
		      const struct fault_frames *frames, struct in_fault *ret)
{
	bool takes_page = false;

	for (unsigned int i = 0; i <= frames->last; i++) {
		const char *name = task_frames_name(&f->at, i);
		bool is_sleeper = !ret->function && !wait_is_scheduler(name);
		enum wait_kind kind = is_sleeper ? wait_of_sleeper(name)
						 : wait_of_frame(name, &takes_page);

		/* Without handle_mm_fault() there is no other lock that a fault may wait for. */
		if (kind == WAIT_LOCK && !frames->has_handler)
			kind = WAIT_MMAP_LOCK;
		if (kind > ret->waits_for)
			ret->waits_for = kind;
		if (is_sleeper)
			ret->function = symbolize(&f->at.symbols, f->at.frames.f[i].ip);
	}
	if (f->at.frames.lacks_inner) {
		/* Frames inside of reclaim may be of the OOM killer; inside of that there is nothing else. */
		if (ret->waits_for != WAIT_OOM_KILLER)
			ret->waits_for = WAIT_NONE;
		ret->function = NULL;
		return;
	}
	if (ret->waits_for >= WAIT_RECLAIM && ret->waits_for <= WAIT_OOM_KILLER)
		return;
	if (f->at.stack.on_cpu)
		ret->waits_for = WAIT_RUNNING;
	else if (task->state == 'R')
		ret->waits_for = WAIT_CPU;
	else if (ret->waits_for == WAIT_NONE)
		ret->waits_for = WAIT_OTHER;
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
		return dump_fail(f->dump, ST_ABSENT, "no page fault");
	find_mode(&f->at.frames, &frames, &fault);
	find_vm_fault(f, task->mm, &frames, &fault);
	if (fault.source != ADDRESS_VM_FAULT && task->mm && fault.mode != MODE_GUP)
		derive_address(f, task->mm, &frames, &fault);
	find_wait(f, task, &frames, &fault);
	*ret = fault;
	return ST_OK;
}
