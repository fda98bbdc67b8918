// SPDX-License-Identifier: GPL-2.0-or-later
#include "bpf/bpf_prog.h"

#include "bpf/bpf_idr.h"

#define MAX_POINTERS 8192 /* MAX_USED_MAPS is 64, BPF_MAX_SUBPROGS 256 */

/* Of a function of a program. */
struct function {
	uint32_t jited;
};

static const struct layout_row rows[] = {
	STRUCTURE(struct bpf_progs, prog, "struct bpf_prog"),
	READS(struct bpf_prog, pages, REQUIRED, "all", "pages"),
	READS(struct bpf_prog, type, REQUIRED, "all", "type"),
	READS_IF(struct bpf_prog, jited, has_jited, OPTIONAL, "4.13", "jited_len"),
	READS(struct bpf_prog, aux, REQUIRED, "all", "aux"),
	STRUCTURE(struct bpf_progs, aux, "struct bpf_prog_aux"),
	READS(struct bpf_prog, id, REQUIRED, "4.13", "id"),
	READS(struct bpf_prog, name, OPTIONAL, "4.15", "name"),
	READS_IF(struct bpf_prog, load_time, has_load_time, OPTIONAL, "4.15", "load_time"),
	READS_IF(struct bpf_prog, references, has_references, OPTIONAL, "all", "refcnt.counter"),
	READS(struct bpf_prog, user, OPTIONAL, "all", "user"),
	READS(struct bpf_prog, maps, REQUIRED, "all", "used_maps"),
	READS(struct bpf_prog, nmaps, REQUIRED, "all", "used_map_cnt"),
	READS(struct bpf_prog, functions, OPTIONAL, "4.16", "func"),
	READS(struct bpf_prog, nfunctions, OPTIONAL, "4.16", "func_cnt"),
	STRUCTURE(struct bpf_progs, user, "struct user_struct"),
	READS_IF(struct bpf_prog, uid, has_uid, OPTIONAL, "all", "uid.val"),
	STRUCTURE(struct bpf_progs, function, "struct bpf_prog"),
	READS(struct function, jited, OPTIONAL, "4.13", "jited_len"),
	STRUCTURE(struct bpf_progs, link, "struct bpf_link"),
	READS(struct bpf_link, id, OPTIONAL, "5.8", "id"),
	READS(struct bpf_link, type, OPTIONAL, "5.8", "type"),
	READS(struct bpf_link, prog, OPTIONAL, "5.7", "prog"),
	READS_IF(struct bpf_link, references, has_references, OPTIONAL, "5.7", "refcnt.counter"),
	STRUCTURE(struct bpf_progs, of_cgroup, "struct bpf_cgroup_link"),
	READS(struct bpf_link, cgroup, OPTIONAL, "5.7", "cgroup"),
};

/* enum bpf_prog_type */
static const char *const types[] = {
	"SOCKET_FILTER",
	"KPROBE",
	"SCHED_CLS",
	"SCHED_ACT",
	"TRACEPOINT",
	"XDP",
	"PERF_EVENT",
	"CGROUP_SKB",
	"CGROUP_SOCK",
	"LWT_IN",
	"LWT_OUT",
	"LWT_XMIT",
	"SOCK_OPS",
	"SK_SKB",
	"CGROUP_DEVICE",
	"SK_MSG",
	"RAW_TRACEPOINT",
	"CGROUP_SOCK_ADDR",
	"LWT_SEG6LOCAL",
	"LIRC_MODE2",
	"SK_REUSEPORT",
	"FLOW_DISSECTOR",
	"CGROUP_SYSCTL",
	"RAW_TRACEPOINT_WRITABLE",
	"CGROUP_SOCKOPT",
	"TRACING",
	"STRUCT_OPS",
	"EXT",
	"LSM",
	"SK_LOOKUP",
	"SYSCALL",
	"NETFILTER",
};

/* enum bpf_link_type */
static const char *const link_types[] = {
	"RAW_TRACEPOINT", "TRACING",	"CGROUP",    "ITER", "NETNS",	     "XDP",    "PERF_EVENT",
	"KPROBE_MULTI",	  "STRUCT_OPS", "NETFILTER", "TCX",  "UPROBE_MULTI", "NETKIT", "SOCKMAP",
};

/* 5.8: bpf: Allocate ID for bpf_link */
static enum status open_links(struct dump *d, struct bpf_progs *p)
{
	enum status st = dump_has_both(d, "link_idr", "struct bpf_link");

	if (st == ST_OK && !(STRUCT_HAS(&p->link, struct bpf_link, id) &&
			     STRUCT_HAS(&p->link, struct bpf_link, prog)))
		st = dump_fail(d, ST_UNKNOWN, "unknown layout: struct bpf_link");
	st = st ?: bpf_idr_open(d, "link_idr", &p->links);
	if (st != ST_OK)
		return st;
	if (dump_ask(d, enumerator, "BPF_LINK_TYPE_CGROUP", &p->cgroup_link) != ST_OK)
		p->cgroup_link = -1;
	if (p->cgroup_link < 0 || !STRUCT_HAS(&p->of_cgroup, struct bpf_link, cgroup))
		dump_lacks(d, "cgroups of BPF links", ST_UNKNOWN,
			   "unknown layout: struct bpf_cgroup_link");
	return ST_OK;
}

enum status bpf_progs_open(struct dump *d, struct bpf_progs *ret)
{
	struct bpf_progs p = { .dump = d, .cgroup_link = -1 };
	enum status st = STRUCTS_OPEN(d, rows, &p) ?: bpf_idr_open(d, "prog_idr", &p.idr);

	if (st != ST_OK)
		return st;
	if (!STRUCT_HAS(&p.aux, struct bpf_prog, user) ||
	    !STRUCT_HAS(&p.user, struct bpf_prog, uid))
		dump_lacks(d, "users that loaded BPF programs", ST_UNKNOWN,
			   "unknown layout: struct user_struct");
	p.links_status = open_links(d, &p);
	if (p.links_status != ST_OK)
		p.links_problem = dump_why(d);
	bpf_names_open(d, "BPF_PROG_TYPE_", types, ARRAY_SIZE(types), &p.types);
	bpf_names_open(d, "BPF_LINK_TYPE_", link_types, ARRAY_SIZE(link_types), &p.link_types);
	*ret = p;
	return ST_OK;
}

static enum status read_pointers(struct dump *d, uint64_t array, uint32_t n,
				 enum status (*visit)(void *arg, uint64_t pointer), void *arg)
{
	enum status st = ST_OK;

	if (n > MAX_POINTERS)
		return dump_fail(d, ST_CORRUPT, "a BPF program has %u maps or functions", n);
	for (uint32_t i = 0; i < n && st == ST_OK; i++) {
		uint64_t pointer = 0;

		st = dump_u64(d, array + i * 8ULL, &pointer, "array of a BPF program")
			     ?: visit(arg, pointer);
	}
	return st;
}

struct maps_visit {
	void (*visit)(void *arg, uint64_t map);
	void *arg;
};

static enum status visit_used(void *arg, uint64_t map)
{
	const struct maps_visit *v = arg;

	v->visit(v->arg, map);
	return ST_OK;
}

enum status bpf_prog_maps(const struct bpf_progs *p, const struct bpf_prog *prog,
			  void (*visit)(void *arg, uint64_t map), void *arg)
{
	struct maps_visit v = { visit, arg };

	return read_pointers(p->dump, prog->maps, prog->nmaps, visit_used, &v);
}

struct functions {
	const struct bpf_progs *p;
	uint64_t bytes;
};

static enum status add_function(void *arg, uint64_t prog)
{
	struct functions *f = arg;
	struct function function = { 0 };
	enum status st = struct_read(&f->p->function, prog, &function);

	f->bytes += function.jited;
	return st;
}

/* As bpf_prog_get_info_by_fd() in kernel/bpf/syscall.c sums it up. */
static void sum_functions(const struct bpf_progs *p, struct bpf_prog *prog)
{
	struct functions f = { .p = p };

	if (!prog->nfunctions || !prog->has_jited)
		return;
	prog->has_jited = read_pointers(p->dump, prog->functions, prog->nfunctions, add_function,
					&f) == ST_OK;
	prog->jited = f.bytes;
}

struct walk {
	const struct bpf_progs *p;
	enum status (*visit)(void *arg, const struct bpf_prog *prog);
	enum status (*visit_link)(void *arg, const struct bpf_link *link);
	void *arg;
};

static enum status check_id(struct dump *d, const char *what, uint64_t address, uint32_t has,
			    uint64_t id)
{
	if (has == id)
		return ST_OK;
	return dump_fail(d, ST_CORRUPT, "the %s at %#lx has ID %u, not %lu", what, address, has,
			 id);
}

static enum status visit_prog(void *arg, uint64_t id, uint64_t address)
{
	struct walk *w = arg;
	const struct bpf_progs *p = w->p;
	struct bpf_prog prog = { .address = address };
	enum status st = struct_read(&p->prog, address, &prog) ?:
		struct_read(&p->aux, prog.aux, &prog) ?:
		check_id(p->dump, "BPF program", address, prog.id, id);

	if (st != ST_OK)
		return st;
	prog.has_uid = prog.user && struct_read(&p->user, prog.user, &prog) == ST_OK &&
		       prog.has_uid;
	sum_functions(p, &prog);
	prog.type_name = bpf_name(&p->types, prog.type);
	return w->visit(w->arg, &prog);
}

enum status bpf_progs_walk(const struct bpf_progs *p,
			   enum status (*visit)(void *arg, const struct bpf_prog *prog), void *arg)
{
	struct walk w = { .p = p, .visit = visit, .arg = arg };

	return bpf_idr_walk(p->dump, p->idr, visit_prog, &w);
}

static enum status visit_link(void *arg, uint64_t id, uint64_t address)
{
	struct walk *w = arg;
	const struct bpf_progs *p = w->p;
	struct bpf_link link = { .address = address };
	enum status st = struct_read(&p->link, address, &link)
				 ?: check_id(p->dump, "BPF link", address, link.id, id);

	if (st == ST_OK && link.type == p->cgroup_link)
		st = struct_read(&p->of_cgroup, address, &link);
	if (st != ST_OK)
		return st;
	link.type_name = bpf_name(&p->link_types, link.type);
	return w->visit_link(w->arg, &link);
}

enum status bpf_links_walk(const struct bpf_progs *p,
			   enum status (*visit)(void *arg, const struct bpf_link *link), void *arg)
{
	struct walk w = { .p = p, .visit_link = visit, .arg = arg };

	if (p->links_status != ST_OK)
		return dump_fail(p->dump, p->links_status, "%s", p->links_problem);
	return bpf_idr_walk(p->dump, p->links, visit_link, &w);
}
