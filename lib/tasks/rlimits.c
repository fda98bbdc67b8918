// SPDX-License-Identifier: GPL-2.0-or-later
#include "tasks/rlimits.h"

#define RLIMITS 16	/* RLIM_NLIMITS, 2.6.25 to 7.3 */
#define RLIMIT_BYTES 16 /* of struct rlimit */

static const struct layout_row rows[] = {
	FINDS(struct rlimits, rlim, "struct signal_struct", OPTIONAL, "all", "rlim"),
};

/*
 * By the names that /proc/PID/limits has of them (lnames, fs/proc/base.c), and by their numbers in
 * include/uapi/asm-generic/resource.h, which alpha, mips and sparc change.
 */
static const struct {
	const char *name;
	unsigned int generic;
} rlimits[TASK_LIMITS] = {
	[TASK_LIMIT_AS] = { "Max address space", 9 },
	[TASK_LIMIT_DATA] = { "Max data size", 2 },
	[TASK_LIMIT_NOFILE] = { "Max open files", 7 },
	[TASK_LIMIT_MEMLOCK] = { "Max locked memory", 8 },
	[TASK_LIMIT_NPROC] = { "Max processes", 6 },
};

/* By the kernel's own table. */
static enum status read_numbers(struct dump *d, unsigned int *ret)
{
	struct field name;
	uint64_t table, bytes, text;
	char found[32];
	unsigned int has = 0;
	enum status st = dump_symbol(d, "lnames", &table);

	st = st ?: dump_ask(d, member, "struct limit_names", "name", &name) ?:
		dump_ask(d, type_size, "struct limit_names", &bytes);
	for (unsigned int i = 0; st == ST_OK && i < RLIMITS; i++) {
		st = dump_u64(d, table + i * bytes + name.offset, &text, "limit_names")
			     ?: dump_string(d, text, found, sizeof(found), "limit_names");
		for (unsigned int k = 0; st == ST_OK && k < TASK_LIMITS; k++)
			if (!strcmp(found, rlimits[k].name)) {
				ret[k] = i;
				has |= 1U << k;
			}
	}
	return st == ST_OK && has != (1U << TASK_LIMITS) - 1 ? ST_UNKNOWN : st;
}

enum status rlimits_open(struct dump *d, struct rlimits *ret)
{
	bool is_generic = d->arch && (!strcmp(d->arch, "x86_64") || !strcmp(d->arch, "aarch64"));
	enum status st;

	*ret = (struct rlimits){ .dump = d };
	st = STRUCTS_OPEN(d, rows, ret);
	if (st != ST_OK)
		return st;
	if (!ret->rlim.present)
		return ST_ABSENT;
	if (ret->rlim.size < RLIMIT_BYTES * RLIMITS)
		return dump_unknown(d, "signal_struct.rlim");
	if (read_numbers(d, ret->numbers) == ST_OK)
		return ST_OK;
	if (!is_generic)
		return dump_fail(d, ST_UNKNOWN,
				 "the numbers of RLIMIT_AS and its like are those of the "
				 "architecture: lnames, which has them, cannot be read");
	for (unsigned int k = 0; k < TASK_LIMITS; k++)
		ret->numbers[k] = rlimits[k].generic;
	return ST_OK;
}

enum status rlimit_read(const struct rlimits *r, const struct task *t, enum task_limit which,
			uint64_t *ret)
{
	return dump_u64(r->dump,
			t->signal + r->rlim.offset + (uint64_t)RLIMIT_BYTES * r->numbers[which],
			ret, "rlimit");
}
