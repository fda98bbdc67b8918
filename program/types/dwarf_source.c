// SPDX-License-Identifier: GPL-2.0-or-later
#include <elfutils/libdwfl.h>
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "types/dwarf_graph.h"
#include "types/index_file.h"
#include "util/elf_cut.h"

/* libdwfl finds a file of debug information that stands beside vmlinux or under its build ID. */
static const Dwfl_Callbacks callbacks = {
	.find_elf = dwfl_build_id_find_elf,
	.find_debuginfo = dwfl_standard_find_debuginfo,
	.section_address = dwfl_offline_section_address,
};

static void end(void *arg)
{
	dwfl_end(*(Dwfl **)arg);
}

static enum status open_dwarf(struct dump *d, const char *path, Dwarf **ret)
{
	Dwfl **kept = dump_alloc(d, sizeof(*kept)), *dwfl;
	Dwfl_Module *module;
	const char *cut;
	GElf_Addr bias;
	int fd;

	arena_at_reset(d->arena, end, kept);
	*kept = dwfl = dwfl_begin(&callbacks);
	if (!dwfl)
		return dump_no_memory(d);
	/* Not to wait for what is no file. */
	fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (fd < 0)
		return dump_fail(d, ST_USAGE, "%s: %s", path, strerror(errno));
	cut = elf_cut(fd);
	module = dwfl_report_offline(dwfl, path, path, fd);
	if (!module)
		close(fd);
	else
		dwfl_report_end(dwfl, NULL, NULL);
	*ret = module ? dwfl_module_getdwarf(module, &bias) : NULL;
	if (*ret)
		return ST_OK;
	if (cut)
		return dump_fail(d, ST_CORRUPT, "%s was cut off: it ends before %s", path, cut);
	if (!module)
		return dump_fail(d, ST_USAGE, "%s: %s: it is not used", path, dwfl_errmsg(-1));
	return dump_fail(d, ST_ABSENT,
			 "%s has no debug information: its package of that is missing", path);
}

static enum status index_names(struct dump *d, const char *path, struct dwarf_graph *w)
{
	struct index_file file;
	bool is_kept = index_file_name(w, &file);

	if (is_kept && index_file_read(&file, &w->graph.names))
		return ST_OK;
	dwarf_graph_index(w);
	if (d->interrupted)
		return ST_STOPPED;
	if (w->graph.names.failed)
		return dump_no_memory(d);
	if (!w->graph.names.n)
		return dump_fail(d, ST_ABSENT, "%s has debug information of no type", path);
	if (is_kept)
		index_file_write(&file, &w->graph.names);
	return ST_OK;
}

enum status types_of_dwarf(struct dump *d, const char *path, Dwarf *dwarf, struct type_source *ret)
{
	struct dwarf_graph *w = dump_alloc(d, sizeof(*w));
	enum status st;

	dwarf_graph_open(w, d, dwarf);
	st = index_names(d, path, w);
	if (st == ST_OK)
		type_graph_source(&w->graph, arena_strdup(d->arena, path), ret);
	return st;
}

enum status types_from_dwarf(struct dump *d, const char *path, struct type_source *ret)
{
	Dwarf *dwarf = NULL;
	return open_dwarf(d, path, &dwarf) ?: types_of_dwarf(d, path, dwarf, ret);
}
