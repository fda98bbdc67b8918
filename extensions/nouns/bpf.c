// SPDX-License-Identifier: GPL-2.0-or-later
#include "collect/bpf.h"
#include "noun.h"

#define ROW struct bpf_object

static const char *const kinds[] = { [BPF_MAP] = "map", [BPF_PROGRAM] = "program", NULL };

CAN_HAVE(is_map, ROW, void, r->kind == BPF_MAP)
CAN_HAVE(is_program, ROW, void, r->kind == BPF_PROGRAM)
CELL_FROM(key_cell, ROW, cell_if(r->kind == BPF_MAP, cell_uint(r->key_bytes)))
CELL_FROM(value_cell, ROW, cell_if(r->kind == BPF_MAP, cell_uint(r->value_bytes)))
CELL_FROM(entries_cell, ROW, cell_if(r->kind == BPF_MAP, cell_uint(r->max_entries)))
CELL_FROM(flags_cell, ROW, cell_if(r->kind == BPF_MAP, cell_hex(r->flags)))
CELL_WITH(age_cell, ROW, struct owner_view,
	  r->load_time.known ? report_age(&v->report, r->load_time.n) : cell_text(NULL))

static const struct view_column columns[] = {
	{ COLUMN_bytes, IN_BOTH,
	  "of a map with its elements, as far as the kernel counts them; of a program in pages, "
	  "without its machine code",
	  UINT_MAYBE(ROW, bytes) },
	{ COLUMN_jited_bytes, IN_JSON, .can_have = is_program, UINT_MAYBE(ROW, jited) },
	{ COLUMN_bpf_kind, IN_BOTH | KNOWN, NAME_OF(ROW, kind, kinds) },
	{ COLUMN_bpf_id, IN_BOTH | KNOWN, UINT_OF(ROW, id) },
	{ COLUMN_bpf_type, IN_BOTH, TEXT_OF(ROW, type) },
	{ COLUMN_name, IN_BOTH | OR_NONE, "null: none was given", TEXT_OF(ROW, name) },
	{ COLUMN_key_bytes, IN_JSON, .can_have = is_map, CELL_BY(key_cell) },
	{ COLUMN_value_bytes, IN_JSON, .can_have = is_map, CELL_BY(value_cell) },
	{ COLUMN_max_entries, IN_BOTH, .can_have = is_map, CELL_BY(entries_cell) },
	{ COLUMN_map_flags, IN_JSON, .can_have = is_map, CELL_BY(flags_cell) },
	{ COLUMN_memcg, IN_JSON, "[not charged]: the root", .can_have = is_map,
	  TEXT_OF(ROW, memcg) },
	{ COLUMN_uid, IN_JSON, "who loaded the program", .can_have = is_program,
	  UINT_MAYBE(ROW, uid) },
	{ COLUMN_load_age_ns, IN_BOTH, .can_have = is_program, CELL_BY(age_cell) },
	{ COLUMN_bpf_references, IN_JSON, UINT_MAYBE(ROW, references) },
	{ COLUMN_found_references, IN_JSON | KNOWN, UINT_OF(ROW, holders.found) },
	{ COLUMN_attached_to, IN_BOTH, LIST_OF(ROW, attached) },
	{ COLUMN_pinned_at, IN_BOTH, LIST_OF(ROW, pinned) },
	{ COLUMN_opened_by, IN_JSON, "of the map or program itself", LIST_OF(ROW, opened_by) },
	{ COLUMN_used_by, IN_BOTH, "that have it open, or a program that uses it, or its link",
	  LIST_OF(ROW, used_by) },
	{ COLUMN_address, IN_JSON | KNOWN, "of the struct bpf_map or bpf_prog",
	  HEX_OF(ROW, address) },
	BASIS(derived),
};

static const struct key keys[] = {
	{ COLUMN_bpf_kind, "map or program", KEY_FILTERS, .choices = kinds },
	{ COLUMN_bpf_type, "type of the map or program", KEY_FILTERS },
	{ COLUMN_name, "name of the map or program", KEY_FILTERS },
	{ COLUMN_memcg, "path of the cgroup that is charged", KEY_FILTERS },
	{ COLUMN_used_by, "processes that hold the map or program", KEY_FILTERS },
	{ COLUMN_bytes, "bytes of the map or program", KEY_FILTERS },
};

static enum status open_view(void *arg, enum availability *why)
{
	struct owner_view *v = arg;
	struct bpf_objects *b = v->own = dump_alloc(v->dump, sizeof(*b));
	enum status st;

	owner_view_init(v);
	v->owner.dump = v->dump;
	st = bpf_collect(v->dump, b);
	v->collected = (struct collected){ COLLECTED_ARRAY(b->all, b->n), .gaps = b->gaps,
					   .is_partial = b->is_partial };
	*why = st == ST_ABSENT ? NOT_BUILT : availability_of(st);
	return st;
}

static void put_sum(void *arg)
{
	struct owner_view *v = arg;
	const struct bpf_objects *b = v->own;
	const bool is_part = b->unsized || !b->all_maps;

	sink_printf(v->out,
		    "%s%s with %s%s, %s\n"
		    "in no row: machine code (JIT), programs without an ID; areas of all: "
		    "memowner vmalloc -f caller=bpf_*\n",
		    v->report.rows_shown ? "\n" : "", PLURAL_TEXT(b->nmaps, "map", "maps"),
		    is_part ? LEAST_TEXT(b->map_bytes) : SIZE_TEXT(b->map_bytes),
		    is_part ? " at least" : "",
		    PLURAL_TEXT(b->n - b->nmaps, "program", "programs"));
}

static const struct view view = {
	"bpf",
	"",
	COLUMNS_OF(columns),
	KEYS_OF(keys),
	ROWS_ARE("object", "objects", "bytes,bpf_kind,bpf_id", 20),
	.open = open_view,
	.show = owner_collected_show,
	.put_text = put_sum,
};

static char *help[] = {
	"memowner bpf",
	"BPF maps and programs by memory",
	"",
	"  Type and size of each, what a program is attached to, the programs that use a",
	"  map, pinned files, and the processes that have it open. Rows are what has an",
	"  ID: classic BPF (filters of sockets, seccomp) has none. Machine code (JIT) is",
	"  in no row either, but in areas: memowner vmalloc -f caller=bpf_*.",
	"EXAMPLES",
	"  All; maps of a megabyte or more:",
	"    memowner bpf",
	"    memowner bpf -f bpf_kind=map -f bytes=1M..",
	NULL
};

static const struct baseline baseline = {
	.by = { { COLUMN_bpf_kind, COLUMN_bpf_type, COLUMN_name },
		{ COLUMN_bpf_kind, COLUMN_bpf_type } },
	.amounts = { { COLUMN_bytes } },
	.counts = { { COLUMN_NONE, BASELINE_ROWS } },
	.many = "objects",
};

static const struct view diff_view = { BASELINE_OF(baseline, "name", "names"), NO_KEYS };

static const struct view *const views[] = { &view, &diff_view };

static const struct command_option options[] = { RANKED_ROWS("bytes=1M..", "bytes", "+memcg"), DIFF,
						 LAST_OPTIONS };

OWNER_NOUN(bpf)
