// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdlib.h>

#include "view.h"

/* A line per stack, "root;...;leaf BYTES": what flame graph tools read. */

struct folded {
	struct owner_view *v;
	struct hash_bytes lines; /* of the bytes, by the labels */
};

static void add_path(void *arg, const struct owner_path *path)
{
	struct folded *f = arg;
	struct hash_bytes_entry *e;

	e = hash_bytes_get(&f->lines, path->labels, path->n * sizeof(path->labels[0]), NULL);
	*(uint64_t *)e->value += path->group->pages << f->v->page_shift;
}

static uint64_t bytes_of(const struct hash_bytes_entry *e)
{
	return *(const uint64_t *)e->value;
}

/* By their labels, the outermost first; a path comes before those that it begins. */
static int compare_labels(const struct hash_bytes_entry *a, const struct hash_bytes_entry *b)
{
	size_t n = a->key_size < b->key_size ? a->key_size : b->key_size;
	const char *p, *q;

	for (size_t at = 0; at < n; at += sizeof(p)) {
		int order;

		memcpy(&p, (const char *)a->key + at, sizeof(p));
		memcpy(&q, (const char *)b->key + at, sizeof(q));
		order = strcmp(p, q);
		if (order)
			return order;
	}
	return a->key_size < b->key_size ? -1 : a->key_size > b->key_size;
}

/* The biggest first; of equals by their labels, so that two runs print the same. */
static int compare(const void *x, const void *y)
{
	const struct hash_bytes_entry *const *a = x, *const *b = y;

	if (bytes_of(*a) != bytes_of(*b))
		return bytes_of(*a) > bytes_of(*b) ? -1 : 1;
	return compare_labels(*a, *b);
}

/* A label has no semicolon: it separates labels. */
static void put_label(struct sink *out, const char *label)
{
	for (; *label; label++) {
		char c = *label == ';'					  ? ':'
			 : (unsigned char)*label < 0x20 || *label == 0x7f ? '?'
									  : *label;

		sink_write(out, &c, 1);
	}
}

static void put_line(struct folded *f, const struct hash_bytes_entry *e)
{
	const char *labels[PATH_LABELS];

	memcpy(labels, e->key, e->key_size);
	for (size_t i = 0; i < e->key_size / sizeof(labels[0]); i++) {
		if (i)
			sink_text(f->v->out, ";");
		put_label(f->v->out, labels[i]);
	}
	sink_printf(f->v->out, " %lu\n", bytes_of(e));
}

static enum status show(void *arg)
{
	struct owner_view *v = arg;
	struct folded f = { .v = v };
	struct owner_groups groups;
	struct hash_bytes_entry **lines;
	size_t n = 0, shown;
	enum status st;

	hash_bytes_init(&f.lines, v->dump->arena, sizeof(uint64_t));
	owner_groups_init(v, &groups);
	st = owner_paths(&groups, false, add_path, &f);
	if (st != ST_OK && st != ST_STOPPED)
		return st;
	lines = dump_alloc(v->dump, (f.lines.n + 1) * sizeof(*lines));
	for (struct hash_bytes_entry *e = f.lines.first; e; e = e->next)
		lines[n++] = e;
	qsort(lines, n, sizeof(*lines), compare);
	shown = opts_rows(&v->in->opts, 0, n);
	for (size_t i = 0; i < shown; i++)
		put_line(&f, lines[i]);
	report_left_out(&v->report, &groups.cov);
	return st;
}

const struct view owner_folded_view = {
	"folded",    "-t folded", .has_groups = true, .bare = true, .open = owner_paths_open,
	.show = show
};
