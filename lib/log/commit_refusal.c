// SPDX-License-Identifier: GPL-2.0-or-later
#include "log/commit_refusal.h"

#include <string.h>

#include "util/units.h"

#define FUNCTION "__vm_enough_memory"

/* What stands behind the name, in each form. */
static const char *const tails[] = {
	", not enough memory for the allocation", /* 6.7 */
	" not enough memory for the allocation",  /* 6.10, behind ", bytes: 4096" */
	", no enough memory for the allocation",  /* 6.2 */
};

/* A name may have anything in it: what is known stands at the end. */
static size_t length_without(const char *text, size_t len, const char *tail)
{
	const size_t n = strlen(tail);

	return len > n && !memcmp(text + len - n, tail, n) ? len - n : 0;
}

/* "1218, comm: a.out, bytes: 1073741824 not enough memory for the allocation" */
static bool take(const char *text, struct commit_refused *ret)
{
	static const char bytes[] = ", bytes: ";
	struct commit_refused r = { 0 };
	const char *name, *end;
	size_t len = 0;

	name = log_take_decimal(text, &r.pid.value);
	name = name ? log_after(name, ", comm: ") : NULL;
	if (!name)
		return false;
	r.pid.known = true;
	for (size_t i = 0; i < ARRAY_SIZE(tails) && !len; i++)
		len = length_without(name, strlen(name), tails[i]);
	if (!len)
		return false;
	for (end = name + len - 1; end > name && *end >= '0' && *end <= '9';)
		end--;
	if ((size_t)(end + 1 - name) >= strlen(bytes) &&
	    !memcmp(end + 1 - strlen(bytes), bytes, strlen(bytes)) &&
	    log_take_decimal(end + 1, &r.bytes.value)) {
		r.bytes.known = true;
		len = (size_t)(end + 1 - name) - strlen(bytes);
	}
	if (!len || len > REFUSED_COMM)
		return false;
	log_copy(r.comm, sizeof(r.comm), name, len);
	*ret = r;
	return true;
}

static bool is_same(const struct commit_refused *a, const struct commit_refused *b)
{
	return a->pid.value == b->pid.value && !strcmp(a->comm, b->comm);
}

/* The newest comes to the front. */
static void keep(struct commit_refusals *all, struct commit_refused *r)
{
	unsigned int i = 0;

	while (i < all->kept && !is_same(&all->all[i], r))
		i++;
	r->n = 1;
	if (i < all->kept) {
		const struct commit_refused *before = &all->all[i];

		r->n += before->n;
		r->is_largest = before->is_largest || before->bytes.known != r->bytes.known ||
				before->bytes.value != r->bytes.value;
		if (before->bytes.known &&
		    (!r->bytes.known || r->bytes.value < before->bytes.value))
			r->bytes = before->bytes;
	} else if (all->kept < REFUSED_KEPT) {
		all->kept++;
	} else {
		all->has_more = true;
		i--;
	}
	memmove(&all->all[1], &all->all[0], i * sizeof(*r));
	all->all[0] = *r;
}

void commit_refusals_read(const struct kernel_log *log, struct commit_refusals *ret)
{
	memset(ret, 0, sizeof(*ret));
	for (size_t i = 0; i < log->n; i++) {
		const char *text = log->records[i].text, *of;
		struct commit_refused r;
		uint64_t suppressed;

		if (!text)
			continue;
		if (log_take_suppressed(text, FUNCTION, &suppressed))
			ret->suppressed += suppressed;
		of = log_after(text, FUNCTION ": pid: ");
		if (!of || !take(of, &r))
			continue;
		r.last = &log->records[i];
		ret->n++;
		keep(ret, &r);
	}
}

void commit_refusals_text(const struct commit_refusals *r, unsigned int processes, struct strbuf *b)
{
	for (unsigned int i = 0; i < r->kept && i < processes; i++) {
		const struct commit_refused *of = &r->all[i];

		strbuf_add(b, "%s%s (%lu)", i ? ", " : "", of->comm, of->pid.value);
		if (of->bytes.known && of->is_largest)
			strbuf_add(b, " up to");
		if (of->bytes.known)
			strbuf_add(b, " %s", SIZE_TEXT(of->bytes.value));
		if (of->n > 1)
			strbuf_add(b, " %s times", COUNT_TEXT(of->n));
	}
	if (r->has_more || r->kept > processes)
		strbuf_add(b, " and others");
}
