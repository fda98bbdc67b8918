// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A command for the tests of samples: what no view shows as a whole.  Lines of
 * "class NAME PAGES" for every page of System RAM, "owned NAME PAGES" for those that
 * page_owner calls live, "life NAME PAGES" for these by whether their process is alive, "counter NAME N".
 * With the argument "stacks": "PID function+offset" of each frame of each task that is on no CPU,
 * as /proc/PID/stack has them, then "PID user|end|cut", and "stack PID PFN" of its outermost page.  With arguments user:PID:X: "vma PID START-END PERMS OFFSET NAME" of the VMA that has X.
 * With the argument "rings": "event NUMBER NAME" of the events of page faults, and for tests/tools/kbuffer
 * "page INSTANCE BUFFER CPU READ HEX" of each sub-buffer that has committed records.
 */
#include <string.h>

#include "zones/vmstat.h"
#include "pages/kernel_map.h"
#include "tasks/task_index.h"
#include "tasks/task_stack.h"
#include "tasks/unwind.h"
#include "vm/address.h"
#include "vm/vma.h"
#include "symbols/symbolize.h"
#include "trace/trace_event.h"
#include "trace/trace_stream.h"
#include "classes/page_class.h"
#include "page_owner/page_owner.h"
#include "dump/commands.h"

static char *help[] = { "memowner_probe", "classes and counters, for tests", "", NULL };

static const char *const counters[] = {
	"nr_free_pages",
	"nr_zspages",
	"nr_slab_reclaimable",
	"nr_slab_unreclaimable",
	"nr_anon_pages",
	"nr_file_pages",
	"nr_shmem",
	"nr_page_table_pages",
	"nr_kernel_stack",
	"nr_swapcached",
	"nr_vmalloc",
	"nr_sec_page_table_pages",
};

struct probe {
	struct dump *dump;
	struct page_owner owner;
	struct page_types states;
	struct page_classes classes;
	struct task_owners owners;
	uint64_t owned[PAGE_CLASSES], all[PAGE_CLASSES], life[3], unreadable;
};

static enum status add_page(void *arg, const struct owner_page *page)
{
	struct probe *p = arg;
	struct owner_record r;
	struct page_info info;

	if (page_type_at(&p->states, page->pfn, &info) != ST_OK) {
		p->unreadable++;
		return ST_OK;
	}
	/* Without the handle nothing is of before page_owner. */
	p->all[page_class_at(&p->classes, &info, page->pfn,
			     page->allocated ? RECORD_LIVE : RECORD_NONE, 0)]++;
	if (!page->allocated)
		return ST_OK;
	p->owned[page_class_at(&p->classes, &info, page->pfn, RECORD_LIVE, page->handle)]++;
	page_owner_decode(&p->owner, page, &r);
	p->life[task_owners_find(&p->owners, r.tgid, page->ts_ns)]++;
	return ST_OK;
}

static const char *named(const char *name)
{
	return name ? name : "-";
}

/* Counters that are variables of their own: of long, of atomic_long_t, of int. */
static void show_variables(struct dump *d, struct sink *out)
{
	uint64_t addr, v;

	if (dump_symbol(d, "nr_vmalloc_pages", &addr) == ST_OK &&
	    dump_u64(d, addr, &v, "nr_vmalloc_pages") == ST_OK)
		sink_printf(out, "counter nr_vmalloc %llu\n", (unsigned long long)v);
	if (dump_value(d, "pcpu_nr_populated", &v) == ST_OK)
		sink_printf(out, "counter pcpu_nr_populated %llu\n", (unsigned long long)v);
	if (dump_value(d, "pcpu_nr_units", &v) == ST_OK)
		sink_printf(out, "counter pcpu_nr_units %llu\n", (unsigned long long)v);
}

static void show(struct probe *p, struct sink *out)
{
	struct counters c;
	enum status st = counters_open(p->dump, &c);

	for (unsigned int i = 0; i < PAGE_CLASSES; i++) {
		sink_printf(out, "class %s %llu\n", named(page_class_name(i)),
			    (unsigned long long)p->all[i]);
		sink_printf(out, "owned %s %llu\n", named(page_class_name(i)),
			    (unsigned long long)p->owned[i]);
	}
	for (unsigned int i = 0; i < 3; i++)
		sink_printf(out, "life %s %llu\n", named(task_liveness_name(i)),
			    (unsigned long long)p->life[i]);
	sink_printf(out, "unreadable - %llu\nram - %llu\n", (unsigned long long)p->unreadable,
		    (unsigned long long)p->owner.ram.pages);
	if (p->classes.problem)
		sink_printf(out, "problem %s\n", p->classes.problem);
	if (st != ST_OK)
		sink_printf(out, "problem %s\n", p->dump->error);
	show_variables(p->dump, out);
	for (size_t i = 0; st == ST_OK && i < sizeof(counters) / sizeof(counters[0]); i++) {
		int64_t v;

		if (counter_read(&c, counters[i], &v) == ST_OK)
			sink_printf(out, "counter %s %lld\n", counters[i], (long long)v);
	}
}

static enum status show_vma(struct dump *d, struct sink *out, struct tasks *tasks,
			    struct vmas *vmas, const char *arg)
{
	char perms[VMA_PERMS_BYTES];
	struct address a;
	struct task task;
	struct vma vma;
	const char *name;
	enum status st = address_parse(d, arg, &a);

	if (st == ST_OK)
		st = tasks_find(tasks, a.pid, &task);
	if (st == ST_OK)
		st = vma_find(vmas, task.mm, a.value, &vma);
	if (st == ST_OK)
		st = vma_name(vmas, &vma, &name);
	if (st != ST_OK) {
		sink_printf(out, "vma %d none: %s\n", a.pid, d->error);
		return ST_OK;
	}
	vma_perms(&vma, perms);
	sink_printf(out, "vma %d %08llx-%08llx %s %08llx%s%s\n", a.pid,
		    (unsigned long long)vma.start, (unsigned long long)vma.end, perms,
		    (unsigned long long)(vma.file ? vma.pgoff << d->page_shift : 0),
		    name ? " " : "", name ? name : "");
	return ST_OK;
}

static enum status show_vmas(struct dump *d, struct sink *out, int argc, char **argv)
{
	struct tasks tasks;
	struct vmas vmas;
	enum status st = tasks_open(d, &tasks);

	if (st == ST_OK)
		st = vmas_open(d, &vmas);
	tasks.identity_only = false;
	for (int i = 1; i < argc && st == ST_OK; i++)
		st = show_vma(d, out, &tasks, &vmas, argv[i]);
	return st;
}

struct stack_probe {
	struct dump *dump;
	struct sink *out;
	struct symbolizer sym;
	struct task_stacks stacks;
	struct unwinder unwinder;
	struct unwind w;
};

static enum status translate(struct dump *d, uint64_t addr, uint64_t *ret)
{
	return d->translate ? d->translate(d, addr, ret) : d->ops->virt_to_phys(d->priv, addr, ret);
}

static enum status show_stack(void *arg, const struct task *task)
{
	static const char *const ends[] = { "cut", "user", "end" };
	struct stack_probe *p = arg;
	struct task_stack s;
	uint64_t phys;
	enum status st = task_stack_read(&p->stacks, task->address, &s);

	if (st == ST_OK)
		st = unwind(&p->unwinder, &s, &p->w);
	if (st != ST_OK) {
		sink_printf(p->out, "frame %d none: %s\n", task->pid, p->dump->error);
		return ST_OK;
	}
	if (translate(p->dump, s.base + s.size - 1, &phys) == ST_OK)
		sink_printf(p->out, "stack %d %llu\n", task->pid,
			    (unsigned long long)(phys >> p->dump->page_shift));
	for (unsigned int i = 0; i < p->w.n; i++) {
		const struct frame *f = symbolize(&p->sym, p->w.f[i].ip);

		sink_printf(p->out, "frame %d %s+0x%llx%s\n", task->pid,
			    f && f->symbol ? f->symbol : "?", f ? (unsigned long long)f->offset : 0,
			    p->w.f[i].regs ? " regs" : "");
	}
	sink_printf(p->out, "frame %d %s%s\n", task->pid, ends[p->w.end],
		    s.on_cpu ? " on_cpu" : "");
	return ST_OK;
}

static enum status show_stacks(struct dump *d, struct sink *out)
{
	struct stack_probe *p = dump_alloc(d, sizeof(*p));
	struct tasks tasks;
	enum status st = tasks_open(d, &tasks);

	if (st != ST_OK)
		return st;
	p->dump = d;
	p->out = out;
	tasks.identity_only = true;
	symbolizer_open(d, &p->sym);
	st = task_stacks_open(d, &p->stacks);
	if (st == ST_OK)
		st = unwinder_open(d, p->stacks.is_arm64, &p->sym.modules, &p->unwinder);
	return st == ST_OK ? tasks_walk(&tasks, show_stack, p) : st;
}

static enum status show_page(struct dump *d, struct sink *out, const struct trace_ring *ring,
			     const struct ring_place *place)
{
	const struct ring_buffer *b = &ring->buffer->ring;
	struct buffer_page page;
	uint8_t *data = dump_alloc(d, b->subbuf);
	bool is_reader = place == ring->ring.places;
	enum status st = struct_read(&b->layout->page, place->page, &page)
				 ?: dump_read(d, page.data, data, b->subbuf, "sub-buffer");

	if (st != ST_OK)
		return ST_OK;
	sink_printf(out, "page %s %s %u %llu ", ring->buffer->array->name,
		    ring->buffer->is_snapshot ? "snapshot" : "main", ring->cpu,
		    is_reader ? (unsigned long long)page.read : 0);
	for (uint32_t i = 0; i < b->subbuf; i++)
		sink_printf(out, "%02x", data[i]);
	sink_text(out, "\n");
	return ST_OK;
}

static enum status show_events(struct dump *d, struct sink *out)
{
	static const char *const names[] = { "page_fault_user", "page_fault_kernel" };
	struct trace_events events;
	struct trace_event event;
	enum status st = trace_events_open(d, &events);

	for (size_t i = 0; i < 2 && st == ST_OK; i++) {
		st = trace_events_find(&events, "exceptions", names[i], &event);
		if (st == ST_OK)
			sink_printf(out, "event %u %s\n", event.id, event.name);
	}
	return st;
}

static enum status show_rings(struct dump *d, struct sink *out)
{
	struct trace_arrays arrays;
	struct trace_stream stream;
	enum status st = show_events(d, out);

	if (st == ST_OK)
		st = trace_arrays_open(d, &arrays);
	if (st == ST_OK)
		st = trace_stream_open(d, &arrays, false, &stream);
	for (size_t i = 0; st == ST_OK && i < stream.nrings; i++) {
		const struct trace_ring *ring = stream.rings[i];

		for (size_t k = 0; st == ST_OK && ring->open && k < ring->ring.nplaces; k++)
			if (!ring->ring.places[k].past_commit)
				st = show_page(d, out, ring, &ring->ring.places[k]);
	}
	return st;
}

static enum status probe(struct dump *d, struct sink *out, int argc, char **argv)
{
	struct probe *p = dump_alloc(d, sizeof(*p));
	struct scan_stats cov;
	enum availability why;
	enum status st;

	p->dump = d;
	if (d->linear_only)
		kernel_map_open(d);
	if (argc > 1 && !strcmp(argv[1], "stacks"))
		return show_stacks(d, out);
	if (argc > 1 && !strcmp(argv[1], "rings"))
		return show_rings(d, out);
	if (argc > 1)
		return show_vmas(d, out, argc, argv);
	st = page_owner_open(d, &p->owner, &why);
	if (st != ST_OK)
		return st;
	st = page_types_open(d, &p->owner.ext.memmap, &p->states);
	if (st == ST_OK)
		st = page_classes_open(d, &p->states, &p->owner.ram, &p->classes);
	if (st == ST_OK)
		st = task_owners_open(d, &p->owners);
	if (st == ST_OK)
		st = page_owner_scan(&p->owner, SCAN_ALL, &cov, add_page, p);
	if (st != ST_OK)
		return st;
	show(p, out);
	return ST_OK;
}

extern const struct command probe_command;
const struct command probe_command = { .name = "memowner_probe", .run = probe, .help = help };
