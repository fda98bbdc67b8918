// SPDX-License-Identifier: GPL-2.0-or-later
#include "log/limit_line.h"

#include <stdio.h>
#include <string.h>

#include "util/units.h"

/* Which range it was, that of vmalloc() or that of modules, the line does not say. */
#define NO_ADDRESSES "a range of kernel addresses had no room for an area"

static const struct {
	const char *start, *end; /* of the line; a number may be between them */
	const char *what, *sysctl;
	bool goes_on; /* more comes behind the end */
} lines[LIMIT_LINES] = {
	/* get_empty_filp() of fs/file_table.c */
	{ "VFS: file-max limit ", " reached", "open files reached their limit", "fs.file-max" },
	/* nf_conntrack_alloc() */
	{ "nf_conntrack: nf_conntrack: table full, dropping packet", "",
	  "the table of connections was full and packets were dropped",
	  "net.netfilter.nf_conntrack_max" },
	{ "nf_conntrack: table full, dropping packet", "",
	  "the table of connections was full and packets were dropped",
	  "net.netfilter.nf_conntrack_max" },
	/* tcp_check_oom() of net/ipv4/tcp.c */
	{ "TCP: out of memory -- consider tuning tcp_mem", "",
	  "TCP sockets had more memory than they may", "net.ipv4.tcp_mem" },
	{ "TCP: too many orphaned sockets", "", "TCP had too many orphaned sockets",
	  "net.ipv4.tcp_max_orphans" },
	/* neigh_alloc() of net/core/neighbour.c */
	{ "neighbour: arp_cache: neighbor table overflow!", "", "the table of neighbours was full",
	  "net.ipv4.neigh.default.gc_thresh3" },
	{ "neighbour: ndisc_cache: neighbor table overflow!", "",
	  "the table of neighbours was full", "net.ipv6.neigh.default.gc_thresh3" },
	/* alloc_vmap_area() of mm/vmalloc.c, before and since "modify the alloc_vmap_area() error message" */
	{ "vmap allocation for size ", " failed: use vmalloc=<size> to increase size", NO_ADDRESSES,
	  NULL, true },
	{ "vmalloc_node_range for size ", " failed: Address range restricted to 0x", NO_ADDRESSES,
	  NULL, true },
};

/* What looks like one inside of another line has other text behind it. */
static bool is_line(const char *text, size_t i, struct log_number *value)
{
	const char *rest = log_after(text, lines[i].start), *behind;
	uint64_t n;

	*value = (struct log_number){ 0 };
	if (!rest || !*lines[i].end)
		return rest && !*rest;
	behind = log_take_decimal(rest, &n);
	behind = behind ? log_after(behind, lines[i].end) : NULL;
	if (!behind || (*behind && !lines[i].goes_on))
		return false;
	*value = (struct log_number){ true, n };
	return true;
}

void limit_lines_read(const struct kernel_log *log, struct limit_lines *ret)
{
	memset(ret, 0, sizeof(*ret));
	for (size_t i = 0; i < LIMIT_LINES; i++) {
		struct limit_line *l = &ret->of[i];
		struct log_number value;

		l->what = lines[i].what;
		l->sysctl = lines[i].sysctl;
		for (size_t j = 0; j < log->n; j++) {
			if (!log->records[j].text || !is_line(log->records[j].text, i, &value))
				continue;
			if (!l->n++)
				l->first = &log->records[j];
			l->value = value;
			l->last = &log->records[j];
		}
	}
}

const char *limit_line_text(char buf[LIMIT_TEXT], const struct limit_line *l)
{
	const char *value = !l->value.known ? ""
			    : l->sysctl	    ? COUNT_TEXT(l->value.value)
					    : SIZE_TEXT(l->value.value);

	snprintf(buf, LIMIT_TEXT, "%s%s%s", l->sysctl ?: "", l->sysctl && *value ? " " : "", value);
	return buf;
}
