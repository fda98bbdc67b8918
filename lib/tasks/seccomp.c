// SPDX-License-Identifier: GPL-2.0-or-later
#include "tasks/seccomp.h"

#define INSTRUCTION 8 /* bytes of struct sock_filter, include/uapi/linux/filter.h */

struct task {
	uint64_t filter;
};

struct prog {
	uint64_t pages;
	uint32_t jited;
	uint64_t original;
};

struct original {
	uint32_t len;
};

static const struct layout_row rows[] = {
	STRUCTURE(struct seccomp_filters, task, "struct task_struct"),
	POINTS(struct task, filter, REQUIRED, "3.5", "seccomp.filter"),
	STRUCTURE(struct seccomp_filters, filter, "struct seccomp_filter"),
	POINTS(struct seccomp_filter, prev, REQUIRED, "3.5", "prev"),
	POINTS(struct seccomp_filter, prog, REQUIRED, "3.16", "prog"),
	STRUCTURE(struct seccomp_filters, prog, "struct bpf_prog"),
	READS(struct prog, pages, REQUIRED, "all", "pages"),
	READS(struct prog, jited, OPTIONAL, "4.13", "jited_len"),
	POINTS(struct prog, original, OPTIONAL, "3.15", "orig_prog"),
	STRUCTURE(struct seccomp_filters, original, "struct sock_fprog_kern"),
	READS(struct original, len, OPTIONAL, "3.15", "len"),
};

enum status seccomp_filters_open(struct dump *d, struct seccomp_filters *ret)
{
	enum status st = dump_built_with(d, "CONFIG_SECCOMP_FILTER", "get_seccomp_filter",
					 "struct seccomp_filter");

	*ret = (struct seccomp_filters){ .dump = d };
	st = st ?: STRUCTS_OPEN(d, rows, ret);
	ret->dump = d;
	if (st == ST_OK && dump_ask(d, type_size, "struct seccomp_filter", &ret->bytes) != ST_OK)
		st = dump_unknown(d, "struct seccomp_filter");
	return st;
}

enum status seccomp_of_task(const struct seccomp_filters *s, uint64_t task, uint64_t *ret)
{
	struct task t = { 0 };
	enum status st = struct_read(&s->task, task, &t);

	return RESULT(st, ret, t.filter);
}

enum status seccomp_filter_read(const struct seccomp_filters *s, uint64_t address,
				struct seccomp_filter *ret)
{
	struct seccomp_filter f = { .address = address };
	struct prog p = { 0 };
	struct original o = { 0 };
	enum status st = struct_read(&s->filter, address, &f);

	if (st == ST_OK && f.prog)
		st = struct_read(&s->prog, f.prog, &p);
	if (st == ST_OK && p.original)
		st = struct_read(&s->original, p.original, &o);
	f.pages = p.pages;
	f.jited = p.jited;
	f.original = (uint64_t)o.len * INSTRUCTION;
	return RESULT(st, ret, f);
}
