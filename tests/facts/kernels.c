// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * kernels -t TABLE       what every decoder says of every kernel of the table
 * kernels -n TABLE       members and enumerators that a decoder asks for and none of them has
 * kernels -u TABLE [NAME TYPES]...   the table with those kernels, of TYPES.btf and TYPES.symbols,
 *                        or of a table of one kernel, TYPES with .facts at its end
 * kernels -a TABLE       which views answer on each kernel of it, and why others do not
 * kernels -v TABLE TYPES NAME        which views answer on that kernel, and why others do not
 * kernels -x IMAGE OUT   OUT.btf and OUT.symbols, the types and names of symbols of an unpacked image
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "facts.h"
#include "image.h"

static struct facts_table table;

static bool read_table(struct arena *arena, const char *path)
{
	size_t size;
	char *text = facts_file(arena, path, &size);
	unsigned int line = text ? facts_table_read(&table, arena, text) : 0;

	if (!text || line)
		fprintf(stderr, "%s: line %u is not as the table has them\n", path, line);
	return text && !line;
}

static enum status no_symbol(void *priv NOT_USED, const char *name NOT_USED, uint64_t *ret NOT_USED)
{
	return ST_ABSENT;
}

/* The facts of TYPES.btf and TYPES.symbols. */
static bool read_types(struct dump *d, const char *name, const char *types, struct facts *ret)
{
	char path[4096], *btf, *symbols;
	size_t size, n;

	snprintf(path, sizeof(path), "%s.btf", types);
	btf = facts_file(d->arena, path, &size);
	snprintf(path, sizeof(path), "%s.symbols", types);
	symbols = facts_file(d->arena, path, &n);
	if (!btf || facts_of_btf(d, btf, size, ret) != ST_OK) {
		fprintf(stderr, "%s: %s\n", types, btf ? d->error : "no types there");
		return false;
	}
	if (symbols) {
		symbols[n] = '\0';
		facts_add_symbols(ret, symbols);
	}
	ret->name = name;
	if (ret->assumed)
		facts_assume(ret, &table);
	return true;
}

/* A table of one kernel, made by other means. */
static bool read_other_table(struct arena *arena, const char *name, const char *path,
			     struct facts *ret)
{
	struct facts_table *other = arena_alloc(arena, sizeof(*other));
	size_t size;
	char *text = facts_file(arena, path, &size);

	if (!other || !text || facts_table_read(other, arena, text) || other->n != 1)
		return false;
	*ret = other->kernels[0];
	ret->name = name;
	return true;
}

static int update(int n, char **args)
{
	static const struct dump_ops ops = { .symbol = no_symbol };
	static struct facts added[TABLE_KERNELS];
	struct facts *all[2 * TABLE_KERNELS];
	struct facts_names names;
	struct arena arena = { 0 };
	unsigned int kernels = 0, n_added = 0;
	struct dump d;

	dump_init(&d, &ops, NULL, &arena);
	if (!read_table(&arena, args[0]))
		return 1;
	facts_names_open(&names, &arena);
	facts_names_of_table(&table, &names);
	for (int i = 1; i + 1 < n && n_added < TABLE_KERNELS; i += 2, n_added++)
		if (!(strstr(args[i + 1], ".facts")
			      ? read_other_table(&arena, args[i], args[i + 1], &added[n_added])
			      : read_types(&d, args[i], args[i + 1], &added[n_added])))
			return 1;
	for (unsigned int k = 0; k < table.n; k++) {
		bool replaced = false;

		for (unsigned int i = 0; i < n_added; i++)
			replaced |= !strcmp(added[i].name, table.kernels[k].name);
		if (!replaced)
			all[kernels++] = &table.kernels[k];
	}
	for (unsigned int i = 0; i < n_added; i++)
		all[kernels++] = &added[i];
	for (unsigned int k = 0; k < kernels; k++)
		facts_ask(all[k], &names);
	for (const struct hash_bytes_entry *e = names.untyped.first; e; e = e->next)
		fprintf(stderr,
			"the type of the variable %s is to be added to program/types/globals.c and to variables[] of tests/facts/blank.c\n",
			(const char *)e->key);
	facts_write(all, kernels, &names, &arena, stdout);
	arena_reset(&arena);
	return 0;
}

static int show_views(const char *path, const char *types, const char *name)
{
	static const struct dump_ops ops = { .symbol = no_symbol };
	struct arena arena = { 0 };
	struct facts facts;
	struct dump d;
	bool good;

	dump_init(&d, &ops, NULL, &arena);
	good = read_table(&arena, path) && read_types(&d, name, types, &facts);
	if (good)
		facts_views(&facts, stdout);
	arena_reset(&arena);
	return !good;
}

static int run_table(const char *path, void (*run)(struct facts_table *t, FILE *out))
{
	struct arena arena = { 0 };

	if (!read_table(&arena, path))
		return 1;
	run(&table, stdout);
	arena_reset(&arena);
	return 0;
}

static void show_all_views(struct facts_table *t, FILE *out)
{
	for (unsigned int k = 0; k < t->n; k++)
		facts_views(&t->kernels[k], out);
}

static void put_name(void *arg, const char *name)
{
	fprintf(arg, "%s\n", name);
}

static FILE *created(const char *out, const char *suffix)
{
	char path[4096];

	snprintf(path, sizeof(path), "%s.%s", out, suffix);
	return fopen(path, "w");
}

static int extract(const char *path, const char *out)
{
	struct arena arena = { 0 };
	const uint8_t *btf;
	size_t size, btf_size;
	char *bytes = facts_file(&arena, path, &size);
	FILE *types, *symbols;
	bool good;

	if (!bytes || !image_btf(&arena, (uint8_t *)bytes, size, &btf, &btf_size)) {
		fprintf(stderr, "%s: no BTF of a kernel\n", path);
		return 1;
	}
	types = created(out, "btf");
	symbols = created(out, "symbols");
	good = types && symbols && fwrite(btf, btf_size, 1, types) == 1;
	if (good)
		image_symbols((uint8_t *)bytes, size, *btf == 0xeb, put_name, symbols);
	if (types && fclose(types))
		good = false;
	if (symbols && fclose(symbols))
		good = false;
	arena_reset(&arena);
	return !good;
}

int main(int argc, char **argv)
{
	if (argc == 3 && !strcmp(argv[1], "-t"))
		return run_table(argv[2], facts_refused);
	if (argc == 3 && !strcmp(argv[1], "-a"))
		return run_table(argv[2], show_all_views);
	if (argc == 3 && !strcmp(argv[1], "-n"))
		return run_table(argv[2], facts_unanswered);
	if (argc >= 3 && !strcmp(argv[1], "-u"))
		return update(argc - 2, argv + 2);
	if (argc == 5 && !strcmp(argv[1], "-v"))
		return show_views(argv[2], argv[3], argv[4]);
	if (argc == 4 && !strcmp(argv[1], "-x"))
		return extract(argv[2], argv[3]);
	fprintf(stderr,
		"usage: kernels -t|-n|-a TABLE, -u TABLE NAME TYPES..., -v TABLE TYPES NAME, -x IMAGE OUT\n");
	return 2;
}
