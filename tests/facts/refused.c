// SPDX-License-Identifier: GPL-2.0-or-later
/* Which decoder refuses which kernel, and with what words. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "facts.h"
#include "opens.h"

struct refusal {
	unsigned int n;
	unsigned short kernels[TABLE_KERNELS];
};

static int by_text(const void *a, const void *b)
{
	const struct hash_bytes_entry *const *x = a, *const *y = b;

	return strcmp((const char *)(*x)->key, (const char *)(*y)->key);
}

static void run_all(struct facts_table *t, struct hash_bytes *refusals)
{
	const struct open_function *f;
	char text[DUMP_ERROR + 64];
	bool is_new;

	for (unsigned int k = 0; k < t->n; k++) {
		for (unsigned int i = 0; (f = open_nth(&t->kernels[k], i)); i++) {
			struct hash_bytes_entry *e;
			struct refusal *r;
			struct blank b = { 0 };
			const char *said;

			blank_open(&b, &t->kernels[k]);
			said = open_run(f, &b);
			blank_close(&b);
			if (!strcmp(said, "ok"))
				continue;
			snprintf(text, sizeof(text), "%s: %s", f->name, said);
			e = hash_bytes_get(refusals, text, strlen(text) + 1, &is_new);
			if (!e)
				continue;
			r = e->value;
			r->kernels[r->n++] = k;
		}
	}
}

static void print(struct facts_table *t, const struct hash_bytes_entry *e, FILE *out)
{
	const struct refusal *r = e->value;

	fprintf(out, "%s\n", (const char *)e->key);
	if (r->n == t->n) {
		fprintf(out, "\tall\n");
		return;
	}
	for (unsigned int i = 0; i < r->n; i++)
		fprintf(out, "\t%s\n", t->kernels[r->kernels[i]].name);
}

/* "struct x member": a kernel that no function which names it is asked of may have it all the same. */
static bool table_has(struct facts_table *t, const char *key)
{
	const char *member = strrchr(key, ' ');
	const char *type = arena_text(t->arena, "%.*s", (int)(member - key), key);

	for (unsigned int k = 0; k < t->n; k++) {
		const struct fact_type *of = t->kernels[k].type(&t->kernels[k], type, 0);

		for (size_t i = 0; of && i < of->n; i++)
			if (!strcmp(of->facts[i].name, member + 1))
				return true;
	}
	return false;
}

void facts_unanswered(struct facts_table *t, FILE *out)
{
	const struct open_function *f;
	struct hash_bytes questions;
	struct hash_bytes_entry **sorted;
	size_t n = 0;

	hash_bytes_init(&questions, t->arena, sizeof(struct question));
	for (unsigned int k = 0; k < t->n; k++) {
		for (unsigned int i = 0; (f = open_nth(&t->kernels[k], i)); i++) {
			struct blank b = { .questions = &questions };

			blank_open(&b, &t->kernels[k]);
			open_run(f, &b);
			blank_close(&b);
		}
	}
	sorted = calloc(questions.n + 1, sizeof(struct hash_bytes_entry *));
	for (struct hash_bytes_entry *e = questions.first; sorted && e; e = e->next) {
		const struct question *q = e->value;

		if (q->answered ? q->is_bit_field && !q->bits : !table_has(t, (const char *)e->key))
			sorted[n++] = e;
	}
	if (n)
		qsort(sorted, n, sizeof(*sorted), by_text);
	for (size_t i = 0; i < n; i++) {
		const struct question *q = sorted[i]->value;

		fprintf(out, "%s%s\n", q->answered ? "bit field " : "",
			(const char *)sorted[i]->key);
	}
	free(sorted);
}

void facts_refused(struct facts_table *t, FILE *out)
{
	struct hash_bytes_entry **sorted;
	struct hash_bytes refusals;
	size_t n = 0;

	hash_bytes_init(&refusals, t->arena, sizeof(struct refusal));
	run_all(t, &refusals);
	sorted = calloc(refusals.n + 1, sizeof(struct hash_bytes_entry *));
	for (struct hash_bytes_entry *e = refusals.first; sorted && e; e = e->next)
		sorted[n++] = e;
	if (n)
		qsort(sorted, n, sizeof(*sorted), by_text);
	for (size_t i = 0; i < n; i++)
		print(t, sorted[i], out);
	free(sorted);
}
