// SPDX-License-Identifier: GPL-2.0-or-later
#include "net/sock_protocols.h"

#include "dump/layout.h"
#include "kernel/list.h"
#include "kernel/percpu.h"
#include "util/utf8.h"

#define MAX_PAGES (1LL << 40) /* 4 PiB */
#define SK_MEM_QUANTUM 4096   /* bytes that a counter of memory counts before per_cpu_fw_alloc */

static const struct layout_row rows[PROTO_FIELDS] = {
	[PROTO_NODE] = { "struct proto", { "node" }, REQUIRED, "all" },
	[PROTO_NAME] = { "struct proto", { "name" }, REQUIRED, "all" },
	[PROTO_ALLOCATED] = { "struct proto", { "memory_allocated" }, REQUIRED, "all" },
	/* The commits that brought it also made the counter one of pages: include/net/sock.h. */
	[PROTO_RESERVE] = { "struct proto", { "per_cpu_fw_alloc" }, OPTIONAL, "6.1; not in 5.10" },
};

struct walk {
	struct dump *dump;
	struct field f[PROTO_FIELDS];
	struct percpu cpus;
	enum status (*visit)(void *arg, const struct sock_protocol *p);
	void *arg;
};

static enum status read_memory(struct walk *w, struct sock_protocol *p)
{
	struct dump *d = w->dump;
	const struct field *f = &w->f[PROTO_RESERVE];
	uint64_t unit = f->present ? dump_page_size(d) : SK_MEM_QUANTUM, pages, percpu = 0;
	int64_t reserve = 0;
	enum status st = dump_u64(d, p->counter, &pages, "memory_allocated");

	if (st == ST_OK && f->present)
		st = dump_u64(d, p->address + f->offset, &percpu, "proto");
	for (unsigned int i = 0; st == ST_OK && f->present && percpu && i < w->cpus.n; i++) {
		uint32_t n;

		st = dump_u32(d, percpu + w->cpus.offset[i], &n, "per_cpu_fw_alloc");
		reserve += st == ST_OK ? (int32_t)n : 0;
	}
	/* Below 0 where one CPU has released what another has not added (proto_memory_allocated()). */
	if (st == ST_OK && ((int64_t)pages > MAX_PAGES || (int64_t)pages < -MAX_PAGES))
		st = dump_corrupt(d, "%s accounts %ld pages", p->name, pages);
	if (st != ST_OK)
		return st;
	p->has_memory = true;
	p->allocated_bytes = (int64_t)pages * (int64_t)unit;
	p->reserve_bytes = reserve * (int64_t)unit;
	return ST_OK;
}

static enum status visit_protocol(struct walk *w, uint64_t node)
{
	struct dump *d = w->dump;
	struct sock_protocol p = { .address = node - w->f[PROTO_NODE].offset };
	enum status st = dump_read(d, p.address + w->f[PROTO_NAME].offset, p.name,
				   sizeof(p.name) - 1, "proto")
				 ?: dump_u64(d, p.address + w->f[PROTO_ALLOCATED].offset,
					     &p.counter, "proto");

	if (st != ST_OK)
		return st;
	printable(p.name);
	if (p.counter)
		read_memory(w, &p);
	return w->visit(w->arg, &p);
}

enum status sock_protocols_walk(struct dump *d,
				enum status (*visit)(void *arg, const struct sock_protocol *p),
				void *arg)
{
	struct walk w = { .dump = d, .visit = visit, .arg = arg };
	struct list_nodes list;
	uint64_t head, node;
	enum status st;

	if (!dump_has_symbol(d, "proto_list"))
		return dump_absent(d, "this kernel has no network");
	st = layout_resolve(d, rows, PROTO_FIELDS, w.f) ?: percpu_open(d, &w.cpus) ?:
		dump_symbol(d, "proto_list", &head);
	list = list_of(d, head, "proto_list");
	while (st == ST_OK && list_next(&list, &node))
		st = visit_protocol(&w, node);
	return st ?: list_end(&list);
}
