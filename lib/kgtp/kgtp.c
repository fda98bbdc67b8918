// SPDX-License-Identifier: GPL-2.0-or-later
#include "kgtp/kgtp.h"

#define FILE_MAGIC "\x7fTRACE0\n"
#define MAX_FILE (1ULL << 32) /* bytes */

static const struct {
	enum kgtp_symbol symbol;
	unsigned int size;
	const char *name;
} settings[KGTP_SETTINGS] = {
	[KGTP_SET_NEWEST] = { KGTP_RB_COUNT, 8, "gtp_rb_count" },
	[KGTP_SET_CREATED] = { KGTP_CREATED, 4, "gtp_frame_create" },
	[KGTP_SET_DISCARDED] = { KGTP_DISCARDED, 4, "gtp_rb_discard_page_number" },
	[KGTP_SET_CIRCULAR] = { KGTP_CIRCULAR, 4, "gtp_circular" },
	[KGTP_SET_START] = { KGTP_START, 4, "gtp_start" },
	[KGTP_SET_DISCONNECTED] = { KGTP_DISCONNECTED, 4, "gtp_disconnected_tracing" },
	[KGTP_SET_PIPE_PID] = { KGTP_PIPE_PID, 4, "gtp_gtpframe_pipe_pid" },
};

static void read_settings(struct kgtp *k)
{
	struct dump *d = k->dump;

	for (size_t i = 0; i < KGTP_SETTINGS; i++) {
		uint64_t addr = k->symbols.address[settings[i].symbol];
		uint8_t buf[8] = { 0 };

		k->known[i] = addr && dump_try(d, addr, buf, settings[i].size) == ST_OK;
		k->settings[i] = settings[i].size == 8 ? (int64_t)le64(buf) : (int32_t)le32(buf);
		if (k->known[i])
			decoder_trace(d, "value %s %ld", settings[i].name, k->settings[i]);
		else
			decoder_trace(d, "value %s unknown", settings[i].name);
	}
}

/* The buffer counts only if it starts as every trace file does. */
static void find_file(struct kgtp *k)
{
	struct dump *d = k->dump;
	uint64_t at = k->symbols.address[KGTP_FILE], size = k->symbols.address[KGTP_FILE_SIZE];
	uint8_t magic[sizeof(FILE_MAGIC) - 1];

	if (!at || !size || dump_u64(d, at, &at, "gtp_frame_file") != ST_OK ||
	    dump_u64(d, size, &size, "gtp_frame_file_size") != ST_OK || !at || size < sizeof(magic))
		return;
	if (size > MAX_FILE || dump_try(d, at, magic, sizeof(magic)) != ST_OK ||
	    memcmp(magic, FILE_MAGIC, sizeof(magic))) {
		decoder_trace(d, "decide gtp_frame_file is no trace file");
		return;
	}
	k->file = at;
	k->file_size = size;
	decoder_trace(d, "decide gtp_frame_file is a GDB trace file of %lu bytes", size);
}

static enum status read_frames(struct kgtp *k)
{
	struct kgtp_frame_source source = {
		.rings = &k->rings,
		.regs = &k->regs,
		.variables = &k->variables,
		.tracepoints = &k->tracepoints,
		.has_newest = k->known[KGTP_SET_NEWEST],
		.newest = k->settings[KGTP_SET_NEWEST],
		.circular = k->known[KGTP_SET_CIRCULAR] && k->settings[KGTP_SET_CIRCULAR],
	};
	enum status st;

	kgtp_reader_init(&k->reader, k->dump, k->regs.size);
	st = kgtp_frames_read(&k->reader, &source, &k->frames);
	k->stopped = st == ST_STOPPED;
	decoder_trace(k->dump, "decide %zu frames, %zu damaged", k->frames.n, k->frames.damaged);
	return k->stopped ? ST_OK : st;
}

enum status kgtp_open(struct dump *d, struct kgtp *ret)
{
	enum status st;

	*ret = (struct kgtp){ .dump = d };
	st = kgtp_symbols_find(d, &ret->modules, &ret->symbols);
	if (st != ST_OK)
		return st;
	read_settings(ret);
	find_file(ret);
	return kgtp_registers_open(d, &ret->regs) ?:
		kgtp_rings_read(d, &ret->symbols, &ret->rings) ?:
		kgtp_variables_read(d, &ret->symbols, &ret->variables) ?:
		kgtp_tracepoints_read(d, &ret->symbols, &ret->tracepoints) ?: read_frames(ret);
}

const struct kgtp_tracepoint *kgtp_tracepoint_of(const struct kgtp *k, const struct kgtp_frame *f)
{
	return kgtp_tracepoint_find(&k->tracepoints, f->number, f->has_regs, f->pc);
}

/* arch/x86/mm/fault.c, arch/arm64/mm/fault.c, mm/memory.c and what it calls, old and new. */
static const char *const handlers[] = {
	"do_page_fault",
	"__do_page_fault",
	"do_user_addr_fault",
	"do_kern_addr_fault",
	"do_mem_abort",
	"do_translation_fault",
	"handle_mm_fault",
	"__handle_mm_fault",
	"handle_pte_fault",
	"do_anonymous_page",
	"do_fault",
	"__do_fault",
	"do_read_fault",
	"do_cow_fault",
	"do_shared_fault",
	"do_wp_page",
	"do_swap_page",
	"do_numa_page",
	"do_huge_pmd_anonymous_page",
	"do_huge_pmd_wp_page",
	"hugetlb_fault",
	"hugetlb_no_page",
	"hugetlb_wp",
	"filemap_fault",
	"filemap_map_pages",
	"shmem_fault",
	"handle_userfault",
};

bool kgtp_handles_faults(const char *function)
{
	return ANY_OF(i, ARRAY_SIZE(handlers), !strcmp(function, handlers[i]));
}
