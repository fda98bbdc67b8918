// SPDX-License-Identifier: GPL-2.0-or-later
#include "vm/address_kind.h"

#include "tasks/task.h"
#include "tasks/task_stack.h"
#include "pages/kernel_map.h"
#include "vm/vmalloc.h"

#define MAX_ERRNO 4095 /* include/linux/err.h */

struct search {
	struct dump *dump;
	uint64_t addr, stack_size;
	struct address_info *ret;
};

/* Bits of an address that a process can have: half of what the tables map on x86. */
static bool user_bits(struct dump *d, unsigned int *ret)
{
	if (!d->map || !d->arch)
		return false;
	*ret = d->map->tables.va_bits - !strcmp(d->arch, "x86_64");
	return *ret > 32 && *ret < 64;
}

/* By the address alone; false: it needs a look at what is there. */
static bool by_number(struct dump *d, uint64_t addr, struct address_info *ret)
{
	unsigned int bits;

	if (addr < dump_page_size(d))
		ret->kind = AT_NULL_PAGE;
	else if (addr >= -(uint64_t)MAX_ERRNO)
		ret->kind = AT_ERROR_POINTER;
	else if (!user_bits(d, &bits))
		ret->problem = "the layout of the kernel's addresses is unknown";
	else if (!(addr >> bits))
		ret->kind = AT_USER;
	else if (addr < ~0ULL << bits)
		ret->kind = AT_NON_CANONICAL;
	else
		return false;
	return true;
}

static enum status try_stack(void *arg, const struct task *task)
{
	struct search *s = arg;
	uint64_t guard = dump_page_size(s->dump);

	if (!task->stack || task->stack < guard || s->addr < task->stack - guard ||
	    s->addr - (task->stack - guard) >= s->stack_size + guard)
		return ST_OK;
	s->ret->kind = s->addr < task->stack ? AT_STACK_GUARD : AT_STACK;
	s->ret->pid = task->pid;
	s->ret->comm = dump_strdup(s->dump, task->comm);
	s->ret->start = task->stack;
	s->ret->size = s->stack_size;
	return ST_STOPPED;
}

/* A task that is missing may be the one. */
static void by_stack(struct search *s)
{
	struct tasks tasks;
	enum status st = tasks_open(s->dump, &tasks);

	tasks.identity_only = true;
	s->stack_size = thread_size(s->dump);
	if (st == ST_OK && s->stack_size)
		st = tasks_walk(&tasks, try_stack, s);
	if (s->ret->kind == AT_UNKNOWN && st != ST_OK)
		s->ret->problem = "tasks are missing, of which one may have its stack there";
}

static bool is_between(struct dump *d, uint64_t addr, const char *start, const char *end)
{
	uint64_t from, to;

	return dump_has_symbol(d, start) && dump_has_symbol(d, end) &&
	       dump_symbol(d, start, &from) == ST_OK && dump_symbol(d, end, &to) == ST_OK &&
	       addr >= from && addr < to;
}

static bool by_range(struct dump *d, uint64_t addr, struct address_info *ret)
{
	const struct kernel_map *map = d->map;

	if (addr >= map->image_start && addr < map->image_end)
		ret->kind = is_between(d, addr, "_stext", "_etext")		    ? AT_TEXT
			    : is_between(d, addr, "__start_rodata", "__end_rodata") ? AT_RODATA
										    : AT_DATA;
	else if (addr >= map->direct_start && addr < map->direct_end)
		ret->kind = AT_DIRECT_MAP;
	else
		return false;
	return true;
}

static enum status try_area(void *arg, const struct vm_area *area)
{
	struct search *s = arg;

	if (s->addr < area->address || s->addr - area->address >= area->size)
		return ST_OK;
	s->ret->kind = area->is_lazy ? AT_FREED : AT_VMALLOC;
	s->ret->start = area->address;
	s->ret->size = area->size;
	return ST_STOPPED;
}

static void by_area(struct search *s)
{
	struct vm_layout layout;
	enum status st = vm_layout_open(s->dump, &layout);

	layout.visits_ram = true;
	st = st ?: vm_areas_walk(&layout, try_area, s);
	if (s->ret->kind != AT_UNKNOWN)
		return;
	if (st == ST_OK && !s->ret->problem)
		s->ret->kind = AT_KERNEL;
	else if (!s->ret->problem)
		s->ret->problem = "vmalloc areas are missing, of which one may be there";
}

enum status address_classify(struct dump *d, uint64_t addr, struct address_info *ret)
{
	struct address_info info = { .kind = AT_UNKNOWN };
	struct search s = { .dump = d, .addr = addr, .ret = &info };

	if (!d->map)
		kernel_map_open(d);
	if (!by_number(d, addr, &info) && !by_range(d, addr, &info)) {
		by_stack(&s);
		if (info.kind == AT_UNKNOWN)
			by_area(&s);
	}
	if (info.kind != AT_UNKNOWN)
		info.problem = NULL;
	*ret = info;
	return ST_OK;
}

static const struct {
	const char *name, *text;
} kinds[AT_KINDS] = {
	[AT_UNKNOWN] = { NULL, "unknown" },
	[AT_NULL_PAGE] = { "null_page",
			   "the first page: NULL, or a member of a structure at NULL" },
	[AT_USER] = { "user", "user space" },
	[AT_NON_CANONICAL] = { "non_canonical", "not canonical: no pointer" },
	[AT_ERROR_POINTER] = { "error_pointer", "an error pointer (ERR_PTR)" },
	[AT_STACK_GUARD] = { "stack_guard", "guard page below a stack" },
	[AT_STACK] = { "stack", "stack of a task" },
	[AT_TEXT] = { "text", "text of the kernel" },
	[AT_RODATA] = { "rodata", "read-only data of the kernel" },
	[AT_DATA] = { "data", "data of the kernel" },
	[AT_DIRECT_MAP] = { "direct_map", "direct map of RAM" },
	[AT_VMALLOC] = { "vmalloc", "vmalloc area" },
	[AT_FREED] = { "vmalloc_freed", "vmalloc area that was freed" },
	[AT_KERNEL] = { "kernel", "kernel space, where nothing is mapped that is known" },
};

const char *address_kind_name(enum address_place kind)
{
	return kinds[kind].name;
}

const char *address_kind_text(enum address_place kind)
{
	return kinds[kind].text;
}
