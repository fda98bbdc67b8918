// SPDX-License-Identifier: GPL-2.0-or-later
#include "bpf/bpf_prog.h"

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
		st = dump_unknown(d, "struct bpf_link");
	st = st ?: idr_open(d, "link_idr", &p->links);
	return RESULT(st, &p->cgroup_link, dump_enumerator_or(d, "BPF_LINK_TYPE_CGROUP", -1));
}

enum status bpf_progs_open(struct dump *d, struct bpf_progs *ret)
{
	struct bpf_progs p = { .dump = d, .cgroup_link = -1 };
	/* struct bpf_prog_aux is in a header that all include. */
	enum status st = dump_built_with(d, "CONFIG_BPF_SYSCALL", "prog_idr", "struct bpf_htab");

	st = st ?: STRUCTS_OPEN(d, rows, &p) ?: idr_open(d, "prog_idr", &p.idr);
	if (st != ST_OK)
		return st;
	if (!STRUCT_HAS(&p.aux, struct bpf_prog, user) ||
	    !STRUCT_HAS(&p.user, struct bpf_prog, uid))
		dump_lacks(d, "users that loaded BPF programs", ST_UNKNOWN,
			   "unknown layout: struct user_struct");
	p.no_links = problem_of_part(d, open_links(d, &p));
	bpf_names_open(d, "BPF_PROG_TYPE_", types, ARRAY_SIZE(types), &p.types);
	bpf_names_open(d, "BPF_LINK_TYPE_", link_types, ARRAY_SIZE(link_types), &p.link_types);
	*ret = p;
	return ST_OK;
}

/* An array of pointers; NULL: there is none. */
static enum status read_pointers(struct dump *d, uint64_t array, uint32_t n, uint64_t **ret)
{
	uint64_t *all;
	enum status st;

	*ret = NULL;
	if (n > MAX_POINTERS)
		return dump_corrupt(d, "a BPF program has %u maps or functions", n);
	if (!n)
		return ST_OK;
	all = dump_alloc(d, n * sizeof(*all));
	st = dump_read(d, array, all, n * sizeof(*all), "array of a BPF program");
	for (uint32_t i = 0; i < n; i++)
		all[i] = le64((uint8_t *)&all[i]);
	return RESULT(st, ret, all);
}

/* As bpf_prog_get_info_by_fd() in kernel/bpf/syscall.c sums it up. */
static void sum_functions(const struct bpf_progs *p, struct bpf_prog *prog)
{
	struct function function = { 0 };
	uint64_t *functions;
	enum status st;

	if (!prog->nfunctions || !prog->has_jited)
		return;
	prog->jited = 0;
	st = read_pointers(p->dump, prog->functions, prog->nfunctions, &functions);
	for (uint32_t i = 0; st == ST_OK && i < prog->nfunctions; i++) {
		st = struct_read(&p->function, functions[i], &function);
		prog->jited += function.jited;
	}
	prog->has_jited = st == ST_OK;
}

static enum status check_id(struct dump *d, const char *what, uint64_t address, uint32_t has,
			    uint64_t id)
{
	if (has == id)
		return ST_OK;
	return dump_corrupt(d, "the %s at %#lx has ID %u, not %lu", what, address, has, id);
}

bool bpf_progs_next(const struct bpf_progs *p, struct xa_entries *x, struct bpf_prog *ret)
{
	struct dump *d = p->dump;
	uint64_t id, address;

	while (xa_next(x, &id, &address)) {
		enum status st;

		*ret = (struct bpf_prog){ .address = address };
		st = struct_read(&p->prog, address, ret) ?: struct_read(&p->aux, ret->aux, ret) ?:
			check_id(d, "BPF program", address, ret->id, id);
		first_problem_keep(d, &x->problem, st);
		if (st != ST_OK)
			continue;
		ret->has_uid = ret->user && struct_read(&p->user, ret->user, ret) == ST_OK &&
			       ret->has_uid;
		sum_functions(p, ret);
		ret->type_name = bpf_name(&p->types, ret->type);
		st = read_pointers(d, ret->maps, ret->nmaps, &ret->used);
		first_problem_keep(d, &x->problem, st);
		ret->nmaps = ret->used ? ret->nmaps : 0;
		return true;
	}
	return false;
}

/* Of a kernel without CONFIG_CGROUP_BPF there is no such link, nor its structure. */
static enum status read_cgroup(const struct bpf_progs *p, struct bpf_link *ret)
{
	if (p->cgroup_link >= 0 && ret->type != p->cgroup_link)
		return ST_OK;
	if (p->cgroup_link >= 0 && STRUCT_HAS(&p->of_cgroup, struct bpf_link, cgroup))
		return struct_read(&p->of_cgroup, ret->address, ret);
	dump_lacks(p->dump, "cgroups of BPF links", ST_UNKNOWN,
		   "unknown layout: struct bpf_cgroup_link");
	return ST_OK;
}

bool bpf_links_next(const struct bpf_progs *p, struct xa_entries *x, struct bpf_link *ret)
{
	struct dump *d = p->dump;
	uint64_t id, address;

	while (xa_next(x, &id, &address)) {
		enum status st;

		*ret = (struct bpf_link){ .address = address };
		st = struct_read(&p->link, address, ret)
			     ?: check_id(d, "BPF link", address, ret->id, id);
		if (st == ST_OK)
			st = read_cgroup(p, ret);
		ret->type_name = bpf_name(&p->link_types, ret->type);
		first_problem_keep(d, &x->problem, st);
		if (st == ST_OK)
			return true;
	}
	return false;
}

#define HLIST_HEAD 8 /* bytes; a list_head has 16 */

/* A struct bpf_prog_list: prog or a link is 0. */
struct attached {
	uint64_t prog;
};

struct walk {
	struct dump *dump;
	struct structure attached;
	struct field bpf, progs, effective, node;
	uint64_t heads, stride; /* of cgroup_bpf.progs */
	struct cgroup_tree cgroups;
	enum status (*visit)(void *arg, uint64_t prog, uint64_t cgroup);
	void *arg;
};

static const struct layout_row bpf_cgroups_rows[] = {
	FINDS(struct walk, bpf, "struct cgroup", REQUIRED, "4.10", "bpf"),
	FINDS(struct walk, progs, "struct cgroup_bpf", OPTIONAL, "4.15", "progs"),
	FINDS(struct walk, effective, "struct cgroup_bpf", OPTIONAL, "all", "effective"),
	FINDS(struct walk, node, "struct bpf_prog_list", OPTIONAL, "4.15", "node"),
	STRUCTURE(struct walk, attached, "struct bpf_prog_list"),
	READS(struct attached, prog, OPTIONAL, "4.15", "prog"),
};

/* 6.0: bpf: replace list_head by hlist_head in struct cgroup_bpf */
static enum status walk_list(struct walk *w, uint64_t cgroup, uint64_t head)
{
	struct dump *d = w->dump;
	struct list_nodes l = w->stride == HLIST_HEAD ? hlist_of(d, head, "cgroup_bpf.progs")
						      : list_of(d, head, "cgroup_bpf.progs");
	uint64_t node;
	enum status st = ST_OK;

	while (st == ST_OK && list_next(&l, &node)) {
		struct attached a = { 0 };

		st = struct_read(&w->attached, node - w->node.offset, &a);
		if (st == ST_OK && a.prog)
			st = w->visit(w->arg, a.prog, cgroup);
	}
	return st ?: list_end(&l);
}

enum status bpf_cgroups_walk(struct dump *d,
			     enum status (*visit)(void *arg, uint64_t prog, uint64_t cgroup),
			     void *arg)
{
	struct walk *w = dump_alloc(d, sizeof(*w));
	uint64_t cgroup;
	enum status st = dump_has_both(d, "cgrp_dfl_root", "struct bpf_prog_list");

	if (st == ST_ABSENT)
		return dump_absent(d, "this kernel attaches no programs to cgroups");
	/* Each struct cgroup has one, without a member where the option is off. */
	if (dump_lacks_type(d, "struct cgroup_bpf"))
		return dump_absent(d, "this kernel was built without CONFIG_CGROUP_BPF");
	st = st ?: STRUCTS_OPEN(d, bpf_cgroups_rows, w);
	if (st != ST_OK)
		return st;
	w->dump = d;
	w->visit = visit;
	w->arg = arg;
	w->heads = w->effective.size / 8;
	w->stride = w->heads ? w->progs.size / w->heads : 0;
	if (!w->node.present || !w->stride || !STRUCT_HAS(&w->attached, struct attached, prog))
		return dump_unknown(d, "struct cgroup_bpf");
	for (cgroup_tree_begin(&w->cgroups, d); cgroup_tree_next(&w->cgroups, &cgroup);)
		for (uint64_t i = 0; i < w->heads; i++)
			first_problem_keep(d, &w->cgroups.problem,
					   walk_list(w, cgroup,
						     cgroup + w->bpf.offset + w->progs.offset +
							     i * w->stride));
	return cgroup_tree_end(&w->cgroups);
}
