// SPDX-License-Identifier: GPL-2.0-or-later
#include "collect/bpf.h"
#include "bpf/seccomp_users.h"
#include "noun.h"

#define ROW struct bpf_object

static const char *const kinds[] = {
	[BPF_MAP] = "map", [BPF_PROGRAM] = "program", [BPF_SECCOMP] = "seccomp", NULL
};

CAN_HAVE(is_map, ROW, void, r->kind == BPF_MAP)
CAN_HAVE(is_program, ROW, void, r->kind == BPF_PROGRAM)
CAN_HAVE(has_code, ROW, void, r->kind != BPF_MAP)
CAN_HAVE(has_id, ROW, void, r->kind != BPF_SECCOMP)
CAN_HAVE(is_seccomp, ROW, void, r->kind == BPF_SECCOMP)
CELL_FROM(id_cell, ROW, cell_if(r->kind != BPF_SECCOMP, cell_uint(r->id)))
CELL_FROM(found_cell, ROW, cell_if(r->kind != BPF_SECCOMP, cell_uint(r->holders.found)))
CELL_FROM(address_cell, ROW, cell_if(r->kind != BPF_SECCOMP, cell_hex(r->address)))
CELL_FROM(programs_cell, ROW, cell_if(r->kind == BPF_SECCOMP, cell_uint(r->programs)))
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
	{ COLUMN_jited_bytes, IN_JSON, .can_have = has_code, UINT_MAYBE(ROW, jited) },
	{ COLUMN_original_bytes, IN_JSON, "0: it does not keep them", .can_have = is_seccomp,
	  UINT_MAYBE(ROW, original) },
	{ COLUMN_bpf_programs, IN_JSON, .can_have = is_seccomp, CELL_BY(programs_cell) },
	{ COLUMN_bpf_kind, IN_BOTH | KNOWN, "seccomp: filters that the same processes have",
	  NAME_OF(ROW, kind, kinds) },
	{ COLUMN_bpf_id, IN_BOTH, .can_have = has_id, CELL_BY(id_cell) },
	{ COLUMN_bpf_type, IN_BOTH, .can_have = has_id, TEXT_OF(ROW, type) },
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
	{ COLUMN_bpf_references, IN_JSON, .can_have = has_id, UINT_MAYBE(ROW, references) },
	{ COLUMN_found_references, IN_JSON, .can_have = has_id, CELL_BY(found_cell) },
	{ COLUMN_attached_to, IN_BOTH, .can_have = has_id, LIST_OF(ROW, attached) },
	{ COLUMN_pinned_at, IN_BOTH, .can_have = has_id, LIST_OF(ROW, pinned) },
	{ COLUMN_opened_by, IN_JSON, "of the map or program itself", .can_have = has_id,
	  LIST_OF(ROW, opened_by) },
	{ COLUMN_used_by, IN_BOTH, "that have it open, or a program that uses it, or its link",
	  LIST_OF(ROW, used_by) },
	{ COLUMN_address, IN_JSON, "of the struct bpf_map or bpf_prog", .can_have = has_id,
	  CELL_BY(address_cell) },
	BASIS(derived),
};

static const struct key keys[] = {
	{ COLUMN_bpf_kind, "map, program or seccomp", KEY_FILTERS, .choices = kinds },
	{ COLUMN_bpf_type, "type of the map or program", KEY_FILTERS },
	{ COLUMN_name, "name of the map or program", KEY_FILTERS },
	{ COLUMN_memcg, "path of the cgroup that is charged", KEY_FILTERS },
	{ COLUMN_used_by, "processes that hold the map or program", KEY_FILTERS },
	{ COLUMN_bytes, "bytes of the map or program", KEY_FILTERS },
};

struct bpf_view {
	struct bpf_objects objects;
	struct seccomp_users seccomp;
	struct bpf_object *all; /* objects, and a row for the filters of each set of processes */
	size_t n;
};

static void add_filters(struct bpf_view *b, struct owner_view *v, const struct seccomp_user *u)
{
	b->all[b->n++] = (struct bpf_object){
		.kind = BPF_SECCOMP,
		.bytes = { u->programs, true },
		.jited = { u->jited, true },
		.original = { u->original, true },
		.programs = u->n,
		.name = dump_text(v->dump, "%s of %s", COUNT_OF(u->n, "filter"),
				  COUNT_OF(u->threads, "thread")),
		.used_by = file_users_list(&u->users, !b->seccomp.problem, &v->lists),
	};
}

static void join_rows(struct bpf_view *b, struct owner_view *v, enum status st)
{
	const char *problem = st == ST_ABSENT ? NULL
			      : st == ST_OK   ? b->seccomp.problem
					      : dump_why(v->dump);
	const struct gap gap = GAP_WHY("filters of seccomp may be missing: %s", problem);
	struct gap *gaps = dump_alloc(v->dump, (b->objects.gaps.n + 1) * sizeof(*gaps));

	b->all = dump_alloc(v->dump, (b->objects.n + b->seccomp.n + 1) * sizeof(*b->all));
	for (size_t i = 0; i < b->objects.n; i++)
		b->all[b->n++] = b->objects.all[i];
	for (size_t i = 0; i < b->seccomp.n; i++)
		add_filters(b, v, &b->seccomp.all[i]);
	for (size_t i = 0; i < b->objects.gaps.n; i++)
		gaps[i] = b->objects.gaps.rows[i];
	gaps[b->objects.gaps.n] = gap;
	b->objects.gaps = gaps_copy(v->dump, gaps, b->objects.gaps.n + 1);
}

static enum status open_view(void *arg, enum availability *why)
{
	struct owner_view *v = arg;
	struct bpf_view *b = v->own = dump_alloc(v->dump, sizeof(*b));
	enum status st;

	owner_view_init(v);
	v->owner.dump = v->dump;
	st = bpf_collect(v->dump, &b->objects);
	if (st == ST_OK)
		join_rows(b, v, seccomp_users_collect(v->dump, &b->seccomp));
	v->collected = (struct collected){ COLLECTED_ARRAY(b->all, b->n), .gaps = b->objects.gaps,
					   .is_partial = b->objects.is_partial };
	*why = st == ST_ABSENT ? NOT_BUILT : availability_of(st);
	return st;
}

static void put_sum(void *arg)
{
	struct owner_view *v = arg;
	const struct bpf_view *x = v->own;
	const struct bpf_objects *b = &x->objects;
	const bool is_part = b->unsized || !b->all_maps;

	sink_printf(v->out,
		    "%s%s with %s%s, %s\n"
		    "%s of seccomp, %s with their machine code (JIT) and instructions as given\n"
		    "in no row: machine code of other programs, filters of sockets; areas of all: "
		    "memowner vmalloc -f caller=bpf_*\n",
		    v->report.rows_shown ? "\n" : "", COUNT_OF(b->nmaps, "map"),
		    is_part ? LEAST_TEXT(b->map_bytes) : SIZE_TEXT(b->map_bytes),
		    is_part ? " at least" : "", COUNT_OF(b->n - b->nmaps, "program"),
		    COUNT_OF(x->seccomp.filters, "filter"), SIZE_TEXT(x->seccomp.bytes));
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
	"  map, pinned files, and the processes that have it open. Filters of seccomp",
	"  have no ID: a row is those that the same processes have. Filters of sockets",
	"  are in no row, machine code (JIT) is in jited_bytes.",
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
	.strips_counts = true,
};

static const struct view diff_view = { BASELINE_OF(baseline, "name", "names"), NO_KEYS };

static const struct view *const views[] = { &view, &diff_view };

static const struct command_option options[] = { RANKED_ROWS("bytes=1M..", "bytes", "+memcg"), DIFF,
						 LAST_OPTIONS };

OWNER_NOUN(bpf)
