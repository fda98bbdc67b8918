// SPDX-License-Identifier: GPL-2.0-or-later
/* Links of BPF programs by link_idr, of kernels with CONFIG_CGROUP_BPF and without. */
#include "bpf/bpf_prog.h"
#include "stub.h"
#include "test.h"

#define AT(i) (0xffff888000100000ULL + (i)*0x1000)

static struct {
	uint64_t unused, head;
} no_progs, links;
static struct link {
	uint32_t id, type;
	uint64_t prog, references, cgroup;
} link;

static const struct stub_memory memory[] = {
	{ AT(0), &no_progs, sizeof(no_progs) },
	{ AT(1), &links, sizeof(links) },
	{ AT(2), &link, sizeof(link) },
	{ 0 },
};
static const struct stub_symbol symbols[] = {
	{ "prog_idr", AT(0), FIELD(0, 16) },
	{ "link_idr", AT(1), FIELD(0, 16) },
	{ 0 },
};
#define LINK(STRUCT, NAME, PART)                                                                   \
	{                                                                                          \
		STRUCT, NAME, FIELD(offsetof(struct link, PART), sizeof(((struct link *)0)->PART)) \
	}
#define MEMBERS                                                                                    \
	{ "struct bpf_prog", "pages", FIELD(0, 2) }, { "struct bpf_prog", "type", FIELD(4, 4) },   \
		{ "struct bpf_prog", "aux", FIELD(8, 8) },                                         \
		{ "struct bpf_prog_aux", "id", FIELD(0, 4) },                                      \
		{ "struct bpf_prog_aux", "used_maps", FIELD(8, 8) },                               \
		{ "struct bpf_prog_aux", "used_map_cnt", FIELD(16, 4) },                           \
		LINK("struct bpf_link", "id", id), LINK("struct bpf_link", "type", type),          \
		LINK("struct bpf_link", "prog", prog), { "struct xa_node", "shift", FIELD(0, 1) }, \
		{ "struct xa_node", "slots", KINDED(KIND_ARRAY, 8, 512) },                         \
	{                                                                                          \
		"struct idr", "idr_rt.xa_head", KINDED(KIND_POINTER, 8, 8)                         \
	}
static const struct stub_member with_cgroups[] = {
	MEMBERS,
	LINK("struct bpf_cgroup_link", "cgroup", cgroup),
	{ 0 },
};
static const struct stub_member without_cgroups[] = { MEMBERS, { 0 } };
static const struct stub_number sizes[] = {
	{ "struct bpf_prog", 64 },
	{ "struct bpf_prog_aux", 64 },
	{ "struct bpf_link", sizeof(struct link) },
	{ "struct bpf_cgroup_link", sizeof(struct link) },
	{ "struct xa_node", 520 },
	{ "struct idr", sizeof(links) },
	{ 0 },
};
#define CGROUP 3
static const struct stub_number enumerators[] = { { "BPF_LINK_TYPE_CGROUP", CGROUP }, { 0 } };

static struct seen {
	unsigned int n;
	uint64_t cgroup;
	bool gap; /* part of the answer is unknown */
} seen;

static enum status walk(const struct stub_member *members, const struct stub_number *enums)
{
	STUB(s, .memory = memory, .symbols = symbols, .members = members, .sizes = sizes,
	     .enumerators = enums);
	struct bpf_progs p = { 0 };
	struct bpf_link l;
	struct xa_entries x;
	enum status st;

	seen = (struct seen){ 0 };
	st = bpf_progs_open(&s.dump, &p);
	xa_begin(&x, &s.dump, p.links);
	while (st == ST_OK && bpf_links_next(&p, &x, &l)) {
		seen.n++;
		seen.cgroup = l.cgroup;
	}
	st = st ?: xa_end(&x);
	for (const struct dump_gap *g = s.dump.gaps; g; g = g->next)
		seen.gap = seen.gap || !strcmp(g->part, "cgroups of BPF links");
	return st;
}

static void a_link_has_its_cgroup(void)
{
	links.head = AT(2);
	link = (struct link){ .type = CGROUP, .cgroup = AT(9) };
	CHECK(walk(with_cgroups, enumerators) == ST_OK);
	CHECK(seen.n == 1 && seen.cgroup == AT(9) && !seen.gap);
	link.type = 2;
	CHECK(walk(with_cgroups, enumerators) == ST_OK && seen.n == 1 && !seen.cgroup);
}

/* Such a kernel has neither the structure nor a link of the type. */
static void without_cgroups_none_is_missing(void)
{
	static const struct stub_number none[] = { { 0 } };

	links.head = 0;
	CHECK(walk(without_cgroups, enumerators) == ST_OK && !seen.n && !seen.gap);
	CHECK(walk(without_cgroups, none) == ST_OK && !seen.n && !seen.gap);
	links.head = AT(2);
	link = (struct link){ .type = 2 };
	CHECK(walk(without_cgroups, enumerators) == ST_OK && seen.n == 1 && !seen.gap);
	CHECK(walk(without_cgroups, none) == ST_OK && seen.n == 1 && seen.gap);
	link.type = CGROUP;
	CHECK(walk(without_cgroups, enumerators) == ST_OK && seen.n == 1 && seen.gap);
}

TESTS({ "a link of a cgroup has the cgroup, another has none", a_link_has_its_cgroup },
      { "no structure of it: unknown where a link may be of a cgroup, else none is missing",
	without_cgroups_none_is_missing })
