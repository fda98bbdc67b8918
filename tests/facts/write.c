// SPDX-License-Identifier: GPL-2.0-or-later
/* Writes the table: what decoders ask for of any kernel, of each kernel. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "facts.h"
#include "opens.h"

struct block {
	uint64_t kernels[TABLE_KERNELS / 64];
};

static int by_key(const void *a, const void *b)
{
	const struct hash_bytes_entry *const *x = a, *const *y = b;

	return strcmp((const char *)(*x)->key, (const char *)(*y)->key);
}

/* Numbers of a name in order: its release, "rhel8.10-4.18.0-553" by 4.18 first. */
static int compare_releases(const char *a, const char *b)
{
	a = strchr(a, '-');
	b = strchr(b, '-');
	while (a && b && !isdigit((unsigned char)a[1]))
		a = strchr(a + 1, '-');
	while (a && b && !isdigit((unsigned char)b[1]))
		b = strchr(b + 1, '-');
	return a && b ? strverscmp(a + 1, b + 1) : 0;
}

static int by_release(const void *a, const void *b)
{
	const struct facts *const *x = a, *const *y = b;
	int order = compare_releases((*x)->name, (*y)->name);

	return order ? order : strcmp((*x)->name, (*y)->name);
}

static const struct hash_bytes_entry **sorted(const struct hash_bytes *h)
{
	const struct hash_bytes_entry **ret = calloc(h->n + 1, sizeof(*ret));
	size_t n = 0;

	for (const struct hash_bytes_entry *e = h->first; ret && e; e = e->next)
		ret[n++] = e;
	if (n)
		qsort(ret, n, sizeof(*ret), by_key);
	return ret;
}

static void want(struct hash_bytes *h, const char *name)
{
	bool is_new;

	hash_bytes_get(h, name, strlen(name) + 1, &is_new);
}

void facts_ask(struct facts *f, struct facts_names *names)
{
	const struct open_function *open;

	for (unsigned int i = 0; (open = open_nth(f, i)); i++) {
		struct blank b = { .types = &names->types,
				   .symbols = &names->symbols,
				   .enumerators = &names->enumerators,
				   .signatures = &names->signatures,
				   .untyped = &names->untyped };

		blank_open(&b, f);
		open_run(open, &b);
		blank_close(&b);
	}
}

void facts_names_open(struct facts_names *names, struct arena *arena)
{
	hash_bytes_init(&names->types, arena, sizeof(bool));
	hash_bytes_init(&names->symbols, arena, sizeof(bool));
	hash_bytes_init(&names->enumerators, arena, sizeof(bool));
	hash_bytes_init(&names->signatures, arena, sizeof(bool));
	hash_bytes_init(&names->untyped, arena, sizeof(bool));
}

/* What the table has is kept, whether it is asked for now or not. */
void facts_names_of_table(const struct facts_table *t, struct facts_names *names)
{
	for (const struct hash_bytes_entry *e = t->types.first; e; e = e->next) {
		const char *name = (const char *)e->key;

		if (!strncmp(name, "signature ", 10))
			want(&names->signatures, name + 10);
		else if (strchr(name, ' '))
			want(&names->types, name);
		else
			want(&names->enumerators, name);
	}
	for (const struct hash_bytes_entry *e = t->symbols.first; e; e = e->next)
		want(&names->symbols, (const char *)e->key);
}

static void put(struct hash_bytes *blocks, const char *text, unsigned int k)
{
	bool is_new;
	struct hash_bytes_entry *e = hash_bytes_get(blocks, text, strlen(text) + 1, &is_new);

	if (e)
		((struct block *)e->value)->kernels[k / 64] |= 1ULL << k % 64;
}

/* "\1" stands for the set of kernels until it is known. */
static void put_type(struct hash_bytes *blocks, const struct fact_type *t, unsigned int nth,
		     unsigned int k)
{
	bool is_enum = !strncmp(t->name, "enum ", 5);
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	if (!out)
		return;
	fprintf(out, "%s", t->name);
	if (nth)
		fprintf(out, "#%u", nth);
	fprintf(out, "\t%llu\t\1\n", (unsigned long long)t->bytes);
	for (size_t i = 0; i < t->n; i++) {
		const struct fact *f = &t->facts[i];

		if (is_enum)
			fprintf(out, "\t%s\t%lld\n", f->name, (long long)f->value);
		else if (f->bits)
			fprintf(out, "\t%s\tb%u:%u\t%u\t%s%s%s\n", f->name, f->bit_offset, f->bits,
				f->bytes, f->type, *f->behind ? "\t" : "", f->behind);
		else
			fprintf(out, "\t%s\t%u\t%u\t%s%s%s\n", f->name, f->bit_offset / 8, f->bytes,
				f->type, *f->behind ? "\t" : "", f->behind);
	}
	if (!fclose(out))
		put(blocks, text, k);
	free(text);
}

static void put_kernel(struct hash_bytes *blocks, struct facts *f, const struct facts_names *names,
		       unsigned int k)
{
	char text[1024];

	for (const struct hash_bytes_entry *e = names->types.first; e; e = e->next) {
		const struct fact_type *t;

		for (unsigned int nth = 0; (t = f->type(f, (const char *)e->key, nth)); nth++)
			put_type(blocks, t, nth, k);
	}
	for (const struct hash_bytes_entry *e = names->enumerators.first; e; e = e->next) {
		int64_t value;

		if (!f->enumerator(f, (const char *)e->key, &value))
			continue;
		snprintf(text, sizeof(text), "enum\t0\t\1\n\t%s\t%lld\n", (const char *)e->key,
			 (long long)value);
		put(blocks, text, k);
	}
	for (const struct hash_bytes_entry *e = names->signatures.first; e; e = e->next) {
		const char *signature = f->signature ? f->signature(f, (const char *)e->key) : NULL;

		if (!signature)
			continue;
		snprintf(text, sizeof(text), "signature %s\t\1\t%s\n", (const char *)e->key,
			 signature);
		put(blocks, text, k);
	}
	for (const struct hash_bytes_entry *e = names->symbols.first; e; e = e->next) {
		if (!f->symbol(f, (const char *)e->key))
			continue;
		snprintf(text, sizeof(text), "symbol %s\t\1\n", (const char *)e->key);
		put(blocks, text, k);
	}
}

static bool in_block(const struct block *b, unsigned int k)
{
	return b->kernels[k / 64] >> k % 64 & 1;
}

static void print_set(const struct block *b, unsigned int n, FILE *out)
{
	char between = '@';

	for (unsigned int k = 0; k < n; k++) {
		unsigned int last = k;

		if (!in_block(b, k))
			continue;
		while (last + 1 < n && in_block(b, last + 1))
			last++;
		fprintf(out, last > k ? "%c%u-%u" : "%c%u", between, k, last);
		between = ',';
		k = last;
	}
}

void facts_write(struct facts **kernels, unsigned int n, const struct facts_names *names,
		 struct arena *arena, FILE *out)
{
	const struct hash_bytes_entry **order;
	struct hash_bytes blocks;

	hash_bytes_init(&blocks, arena, sizeof(struct block));
	qsort(kernels, n, sizeof(*kernels), by_release);
	for (unsigned int k = 0; k < n; k++) {
		fprintf(out, "kernel %u %s %s %s %s\n", k, kernels[k]->name, kernels[k]->arch,
			kernels[k]->by_order ? "order" : "btf",
			kernels[k]->assumed ? "assumed" : "symbols");
		put_kernel(&blocks, kernels[k], names, k);
	}
	order = sorted(&blocks);
	for (size_t i = 0; order && order[i]; i++) {
		const char *text = (const char *)order[i]->key, *mark = strchr(text, '\1');

		fwrite(text, mark - text, 1, out);
		print_set(order[i]->value, n, out);
		fputs(mark + 1, out);
	}
	free(order);
}
