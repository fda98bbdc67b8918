// SPDX-License-Identifier: GPL-2.0-or-later
#include <string.h>

#include "allocprof/allocinfo.h"
#include "tasks/unwind.h"
#include "vm/vm_fault.h"
#include "kernel/dump_info.h"
#include "alloctag/codetag.h"
#include "zones/vmstat.h"
#include "stackdepot/stackdepot_stats.h"
#include "stackdepot/stackdepot_verify.h"
#include "fuzz.h"
#include "util/json.h"
#include "util/json_read.h"
#include "kernel/kallsyms.h"
#include "pages/kernel_map.h"
#include "modules/module_sections.h"
#include "modules/module.h"
#include "kernel/gfp_flags.h"
#include "pages/pageblock.h"
#include "pages/page_flags.h"
#include "tasks/task_index.h"
#include "classes/page_class.h"
#include "page_owner/page_owner.h"
#include "pages/page_type.h"
#include "pages/pgtable.h"
#include "alloctag/percpu_tag.h"
#include "log/log_buf.h"
#include "log/printk.h"
#include "kernel/rodata.h"
#include "slab/slub.h"
#include "stackdepot/stackdepot.h"
#include "page_owner/page_owner_stacks.h"
#include "symbols/symbolize.h"
#include "tasks/task.h"
#include "zones/zones.h"

/* A length that is right and a string that ends: what every result must be. */
static void use_text(const char *s)
{
	static volatile size_t length;

	length = s ? strlen(s) : 0;
	(void)length;
}

void fuzz_stackdepot(struct dump *d, struct sink *out NOT_USED, uint32_t seed)
{
	struct depot depot;
	struct depot_stack s;
	struct stack_list list;

	stack_list_open(d, &list);
	if (depot_open(d, &depot) != ST_OK)
		return;
	for (unsigned int i = 0; i < 64; i++)
		if (depot_fetch(&depot, seed + i * 0x20003, &s) == ST_OK && s.n > DEPOT_MAX_FRAMES)
			__builtin_trap();
}

void fuzz_depothealth(struct dump *d, struct sink *out NOT_USED, uint32_t seed NOT_USED)
{
	struct depot_stats health;
	struct depot depot;

	if (depot_open(d, &depot) == ST_OK)
		depot_stats_read(&depot, &health);
}

static bool is_even(void *arg NOT_USED, uint64_t address)
{
	return !(address & 1);
}

static enum status count_defect(void *arg, const struct depot_defect *defect)
{
	unsigned int *n = arg;

	return defect->what && ++*n < 100000 ? ST_OK : ST_STOPPED;
}

void fuzz_depotverify(struct dump *d, struct sink *out NOT_USED, uint32_t seed)
{
	unsigned int defects = 0;
	const struct depot_verifier with = { seed & 1 ? is_even : NULL, count_defect, &defects };
	struct depot_checks checks;
	struct depot depot;

	if (depot_open(d, &depot) == ST_OK)
		depot_verify(&depot, &with, &checks);
}

void fuzz_pagetable(struct dump *d, struct sink *out NOT_USED, uint32_t seed)
{
	static const unsigned int bits[] = { 36, 39, 42, 47, 48, 52, 57 };
	struct page_tables t = { .top = seed & ~0xfffU };
	struct depot depot;
	uint64_t phys;

	d->arch = seed & 1 ? "aarch64" : "x86_64";
	d->page_shift = seed & 1 ? 12 + (seed >> 1 & 3) % 3 * 2 : 12;
	for (size_t i = 0; i < sizeof(bits) / sizeof(bits[0]); i++) {
		page_tables_set(d, &t, bits[i]);
		for (uint64_t addr = seed; addr >> 62 != 1; addr += 1ULL << 57)
			if (page_tables_walk(d, &t, addr, &phys) == ST_OK && (phys ^ addr) & 0xfff)
				__builtin_trap();
	}
	d->linear_only = true;
	if (kernel_map_open(d) == ST_OK)
		depot_open(d, &depot);
}

static enum status count(void *arg, const struct owner_page *p NOT_USED)
{
	return ++*(unsigned int *)arg < 100000 ? ST_OK : ST_STOPPED;
}

void fuzz_pageclass(struct dump *d, struct sink *out NOT_USED, uint32_t seed)
{
	static struct page_classes classes;
	struct ram_range range = { 0, 1 << 16 };
	struct ram ram = {
		.ranges = &range, .n = 1, .pages = 1 << 16, .derived = seed & 1 ? "derived" : NULL
	};
	struct page_types states;
	struct counters counters;
	struct task_owners owners;
	struct memmap memmap;
	struct page_info info;
	int64_t count;

	if (task_owners_open(d, &owners) == ST_OK)
		use_text(task_liveness_name(task_owners_find(&owners, seed, seed)));
	if (counters_open(d, &counters) == ST_OK &&
	    counter_read(&counters, "nr_zspages", &count) == ST_OK && count < 0)
		__builtin_trap();
	if (memmap_open(d, &memmap) != ST_OK || page_types_open(d, &memmap, &states) != ST_OK ||
	    page_classes_open(d, &states, &ram, &classes) != ST_OK)
		return;
	if (classes.vmalloc.n + classes.kstack.n > 1 << 17)
		__builtin_trap();
	for (uint64_t pfn = seed & 0xffff; pfn < (seed & 0xffff) + 256; pfn++)
		if (page_type_at(&states, pfn, &info) == ST_OK)
			use_text(page_class_name(
				page_class_at(&classes, &info, pfn, pfn % 4, seed)));
}

static void count_alike(void *arg, const struct owner_run *run)
{
	*(unsigned int *)arg += run->pages;
}

/* Runs have the pages that are visited one by one without them. */
static void scan_both_ways(struct page_owner *po, uint32_t seed)
{
	unsigned int n = 0, in_runs = 0;
	const struct owner_visitor visitor = { count, .alike = count_alike, .arg = &in_runs };
	struct scan_stats c, of_runs;

	if (page_owner_scan(po, seed % 3, &c, count, &n) != ST_OK)
		return;
	if (c.scanned != c.live + c.freed + c.empty + c.undecodable)
		__builtin_trap();
	if (page_owner_scan_runs(po, seed % 3, &of_runs, &visitor) != ST_OK || in_runs != n ||
	    of_runs.live != c.live || of_runs.scanned != c.scanned)
		__builtin_trap();
}

void fuzz_pageowner(struct dump *d, struct sink *out NOT_USED, uint32_t seed)
{
	enum availability why;
	struct owner_record r;
	struct page_types states;
	struct page_owner po;
	struct page_info info;
	uint64_t pfn;

	if (page_owner_open(d, &po, &why) != ST_OK)
		return;
	if (page_owner_look_up(&po, seed, &r) == ST_OK)
		use_text(r.comm);
	memmap_page_to_pfn(&po.ext.memmap, seed, 1 << 20, &pfn);
	if (page_types_open(d, &po.ext.memmap, &states) == ST_OK)
		for (pfn = seed & 0xffff; pfn < (seed & 0xffff) + 256; pfn++)
			if (page_type_at(&states, pfn, &info) == ST_OK && info.head > pfn)
				__builtin_trap();
	/* Hostile RAM is endless, as real RAM may be: some of it will do. */
	for (size_t i = 0; i < po.ram.n; i++)
		if (po.ram.ranges[i].end - po.ram.ranges[i].start > 5000)
			po.ram.ranges[i].end = po.ram.ranges[i].start + 5000;
	if (po.ram.n > 100)
		po.ram.n = 100;
	scan_both_ways(&po, seed);
}

void fuzz_codetag(struct dump *d, struct sink *out NOT_USED, uint32_t seed NOT_USED)
{
	struct codetags tags;
	enum availability why;

	if (codetags_open(d, &tags, &why) != ST_OK)
		return;
	for (size_t i = 0; i < tags.n; i++) {
		use_text(tags.sites[i].file);
		use_text(tags.sites[i].function);
		use_text(tags.sites[i].module);
	}
}

void fuzz_allocinfo(struct dump *d, struct sink *out NOT_USED, uint32_t seed)
{
	char line[512], *next = line;
	struct site s;

	if (dump_string(d, seed, line, sizeof(line), "text") != ST_OK)
		return;
	while (next) {
		char *end = strchr(next, '\n');

		if (end)
			*end = '\0';
		if (allocinfo_parse(next, &s) == ALLOCINFO_SITE) {
			if (!*s.file || !*s.function || !*s.module)
				__builtin_trap();
			use_text(s.file);
			use_text(s.function);
			use_text(s.module);
		}
		next = end ? end + 1 : NULL;
	}
}

void fuzz_kallsyms(struct dump *d, struct sink *out NOT_USED, uint32_t seed)
{
	struct kallsyms k;
	struct symbol sym;

	if (kallsyms_open(d, &k) != ST_OK)
		return;
	for (unsigned int i = 0; i < 64; i++)
		if (kallsyms_lookup(&k, 0xffffffff81000000 + (seed + i * 0x10001) % 0x1000000,
				    &sym) == ST_OK)
			use_text(sym.name);
}

void fuzz_modules(struct dump *d, struct sink *out NOT_USED, uint32_t seed)
{
	struct symbolizer s;
	char buf[256];

	struct module_sections sections = { 0 };
	struct buildid id = { 0 };
	char id_text[BUILDID_TEXT];

	symbolizer_open(d, &s);
	for (struct module *m = s.modules.first; m; m = m->next) {
		use_text(m->name);
		if (module_sections_read(d, m->address, &sections) != ST_OK)
			sections.n = 0;
		for (unsigned int i = 0; i < sections.n; i++) {
			uint64_t at = sections.sections[i].address;

			use_text(sections.sections[i].name);
			if (buildid_in_notes(d, at, at + 256, &id) == ST_OK)
				use_text(buildid_text(&id, id_text));
		}
		if (m->nranges)
			use_text(frame_text(
				symbolize(&s, m->ranges[0].base + seed % m->ranges[0].size), buf,
				sizeof(buf)));
	}
}

static enum status see(void *arg, const struct log_record *r)
{
	use_text(r->text);
	return ++*(unsigned int *)arg < 10000 ? ST_OK : ST_STOPPED;
}

void fuzz_printklog(struct dump *d, struct sink *out NOT_USED, uint32_t seed)
{
	unsigned int n = 0;
	bool is_panic, is_whole;
	uint64_t ns;

	if (seed & 1) {
		log_buf_walk(d, see, &n);
		return;
	}
	printk_walk(d, see, &n);
	printk_panic_time(d, &ns, &is_panic, &is_whole);
}

static enum status see_task(void *arg, const struct task *t)
{
	use_text(t->comm);
	return ++*(unsigned int *)arg < 100000 ? ST_OK : ST_STOPPED;
}

void fuzz_tasks(struct dump *d, struct sink *out NOT_USED, uint32_t seed NOT_USED)
{
	struct vm_event *events;
	unsigned int n = 0;
	struct tasks t;
	size_t nevents;

	if (tasks_open(d, &t) == ST_OK)
		tasks_walk(&t, see_task, &n);
	vm_events_read(d, &events, &nevents);
}

void fuzz_names(struct dump *d, struct sink *out NOT_USED, uint32_t seed)
{
	struct zones zones;
	struct names n;

	static const struct rodata_part part = { "P", "a" };
	char text[PAGEFLAGS_TEXT];
	struct pageflags flags;
	struct pageblocks blocks;
	struct memmap memmap;
	const char *found;
	unsigned int type;

	/* All of a hostile range takes its time. */
	if (!(seed & 63) && rodata_find(d, &part, &found, 1) == ST_OK)
		use_text(found);
	if (pageflags_open(d, &flags) == ST_OK &&
	    pageflags_text(&flags, (uint64_t)seed << 32 | seed, text) >= sizeof(text))
		__builtin_trap();
	names_open(d, &n);
	use_text(names_gfp(&n, seed));
	use_text(names_gfp_migratetype(&n, seed));
	use_text(names_migrate_reason(&n, seed & 31));
	if (zones_open(d, &zones) != ST_OK)
		return;
	if (zones_find(&zones, seed))
		use_text(zones_find(&zones, seed)->name);
	if (memmap_open(d, &memmap) == ST_OK &&
	    pageblocks_open(d, &memmap, &zones, &blocks) == ST_OK &&
	    pageblocks_type(&blocks, seed, &type) == ST_OK)
		use_text(names_migratetype(&n, type));
}

static bool see_member(void *arg, const struct json_member *m)
{
	int64_t n;

	use_text(m->name);
	use_text(m->text);
	if (json_whole(m, &n) && m->kind != JSON_IS_NUMBER)
		__builtin_trap();
	if (m->kind == JSON_IS_NEST)
		json_read(m->text, see_member, arg);
	return true;
}

/* Random bytes, and a line of a program with some of them in it. */
static void read_json(const char *text)
{
	static const char line[] = "{\"record\":\"row\",\"bytes\":-12,\"name\":\"a\\u0022\\n\","
				   "\"list\":[{\"a\":null},true,1.5e3,[]]}";
	char copy[sizeof(line) + 256];
	size_t at = (unsigned char)text[0] % sizeof(line);

	snprintf(copy, sizeof(copy), "%s", text);
	json_read(copy, see_member, NULL);
	snprintf(copy, sizeof(copy), "%.*s%.3s%s", (int)at, line, text, line + at);
	json_read(copy, see_member, NULL);
}

void fuzz_json(struct dump *d, struct sink *out, uint32_t seed)
{
	char text[256];
	struct json j;

	if (dump_string(d, seed, text, sizeof(text), "text") != ST_OK)
		return;
	json_open_line(&j, out, "row");
	json_text(&j, text, text);
	json_close_line(&j);
	read_json(text);
}

static enum status see_percpu(void *arg, const struct percpu_object *o)
{
	unsigned int *n = arg;

	if (!o->tag || o->bytes & 3)
		__builtin_trap();
	return ++*n > 100000 ? ST_STOPPED : ST_OK;
}

void fuzz_slabs(struct dump *d, struct sink *out NOT_USED, uint32_t seed)
{
	uint64_t bits[SLAB_FREE_WORDS], tag;
	struct slub_tracks tracks;
	struct slub_track track;
	struct memmap memmap;
	struct slabs slabs;
	struct slab slab;
	unsigned int n = 0;

	percpu_objects_walk(d, see_percpu, &n);
	if (memmap_open(d, &memmap) != ST_OK || slabs_open(d, &memmap, &slabs) != ST_OK ||
	    slub_tracks_open(d, &tracks) != ST_OK)
		return;
	for (unsigned int i = 0; i < 16; i++) {
		if (slab_at(&slabs, (seed & 0xffff) + i, &slab) != ST_OK)
			continue;
		slab_free_objects(&slabs, &slab, bits);
		use_text(slab.cache->name);
		for (uint32_t o = 0; o < slab.objects && o < 64; o++) {
			slab_tag(&slabs, &slab, o, &tag);
			if (slub_track_at(&tracks, &slab, o, o & 1, &track) == ST_OK &&
			    track.n > TRACK_FRAMES)
				__builtin_trap();
		}
	}
}

#define FUZZ_FIELD(o, s, at, bits)             \
	{                                      \
		true, KIND_INT, o, s, at, bits \
	}

/* Bytes of a stack under bytes of ORC tables: frames rise, and each has its bounds. */
static void use_frames(struct dump *d, uint8_t *bytes, size_t n, uint32_t seed, struct unwind *w)
{
	struct unwinder u = {
		.dump = d,
		.by_frame_pointer = seed >> 20 & 1,
		.end = UINT64_MAX,
		.regs_size = 168,
		.ip = FUZZ_FIELD(128, 8, 0, 0),
		.sp = FUZZ_FIELD(152, 8, 0, 0),
		.bp = FUZZ_FIELD(32, 8, 0, 0),
		.cs = FUZZ_FIELD(136, 2, 0, 0),
		.orc = { .dump = d,
			 .entry_size = 6,
			 .ips = 0xffffffff81000000,
			 .entries = 0xffffffff81100000,
			 .n = 1 + seed % 5000,
			 .end = UINT64_MAX,
			 .renumbered = seed >> 9 & 1,
			 .f = { [ORC_SP_OFFSET] = FUZZ_FIELD(0, 2, 0, 0),
				[ORC_BP_OFFSET] = FUZZ_FIELD(2, 2, 0, 0),
				[ORC_SP_REG] = FUZZ_FIELD(4, 4, 0, 4),
				[ORC_BP_REG] = FUZZ_FIELD(4, 4, 4, 4),
				[ORC_TYPE] = FUZZ_FIELD(4, 4, 8, 2 + (seed >> 10 & 1)) } },
	};
	struct task_stack s = {
		.base = 0xffffc90000000000, .size = n, .bytes = bytes, .on_cpu = !(seed >> 11 & 15)
	};

	u.orc.rules = dump_alloc(d, sizeof(*u.orc.rules));
	if (!u.orc.rules)
		return;
	hash_u64_init(u.orc.rules, d->arena, sizeof(struct orc_rule));
	s.sp = s.base + (seed & 0xff8);
	s.ip = 0xffffffff81000000 + (seed >> 4);
	s.bp = s.base + (seed >> 16 & 0xff8);
	if (unwind(&u, &s, w) != ST_OK)
		return;
	if (!w->n || w->n > UNWIND_FRAMES)
		__builtin_trap();
	for (unsigned int i = 1; i < w->n; i++)
		if (w->f[i].sp <= w->f[i - 1].sp || w->f[i - 1].end > w->f[i].sp)
			__builtin_trap();
}

void fuzz_stacks(struct dump *d, struct sink *out NOT_USED, uint32_t seed)
{
	static uint8_t bytes[4096];
	static struct unwind w;
	uint64_t mm = 0xffff888000000000 + (seed & 0xfff8);
	struct vm_faults faults;
	struct vm_fault fault;
	struct vmas vmas;
	struct vma vma;
	const char *name;

	if (dump_try(d, 0xffffc90000000000 + (seed & 0xffff00), bytes, sizeof(bytes)) != ST_OK)
		return;
	use_frames(d, bytes, sizeof(bytes), seed, &w);
	if (vmas_open(d, &vmas) != ST_OK || vm_faults_open(d, &vmas, &faults) != ST_OK)
		return;
	vm_fault_find(&faults, mm, bytes, sizeof(bytes) / 8, &fault);
	if (vma_find(&vmas, mm, seed, &vma) != ST_OK && vma_read(&vmas, mm + 0x1000, &vma) != ST_OK)
		return;
	if (vma_name(&vmas, &vma, &name) == ST_OK && name)
		use_text(name);
}
