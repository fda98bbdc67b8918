// SPDX-License-Identifier: GPL-2.0-or-later
#include "collect/bpf.h"

#include "cgroup/memcg.h"
#include "files/inode.h"

#define MAX_OBJECTS 4096 /* of one list of texts */

/* Short texts of an object, to be made a list. */
struct note {
	struct note *next;
	const char *text;
};

struct notes {
	struct note *first, **last;
	size_t n;
};

/* A map, a program or a link by its address. */
struct entry {
	struct bpf_object object;
	bool is_link;
	uint64_t target; /* of a link: its program; of a program: nothing */
	struct bpf_prog prog;
	struct notes pins, attached;
};

struct search {
	struct dump *dump;
	struct bpf_objects *ret;
	struct bpf_maps maps;
	struct bpf_progs progs;
	struct memcgs memcgs;
	bool has_memcgs;
	struct cgroups cgroups;
	bool has_cgroups;
	struct hash_u64 entries; /* of struct entry by address of map, program, link */
	struct hash_u64 files;	 /* struct file that were seen */
	struct field private;	 /* of struct file */
	uint64_t operations[4];	 /* f_op of their files */
	struct open_files open;
	struct text_lists lists;
	uint64_t nmaps, nprogs, untyped;
	const char *maps_problem, *progs_problem, *links_problem, *pins_problem, *cgroups_problem,
		*users_problem, *size_problem, *memcgs_problem;
};

static void add_note(struct search *x, struct notes *n, const char *text)
{
	struct note *note = dump_alloc(x->dump, sizeof(*note));

	note->text = text;
	if (!n->last)
		n->last = &n->first;
	*n->last = note;
	n->last = &note->next;
	n->n++;
}

static struct entry *add_entry(struct search *x, uint64_t address)
{
	return hash_u64_get(&x->entries, address, NULL);
}

static struct entry *find(struct search *x, uint64_t address)
{
	return (struct entry *)(uintptr_t)hash_u64_find(&x->entries, address);
}

static const char *name_of(struct dump *d, const char *name)
{
	return name[0] ? dump_strdup(d, name) : NULL;
}

static void add_map(struct search *x, const struct bpf_map *map)
{
	struct bpf_objects *ret = x->ret;
	struct bpf_object *o = &add_entry(x, map->address)->object;

	*o = (struct bpf_object){ .kind = BPF_MAP,
				  .address = map->address,
				  .id = map->id,
				  .type = map->type_name,
				  .name = name_of(x->dump, map->name),
				  .bytes = map->bytes,
				  .key_bytes = map->key_bytes,
				  .value_bytes = map->value_bytes,
				  .max_entries = map->max_entries,
				  .flags = map->flags,
				  .references = { map->references, map->has_references } };
	if (x->has_memcgs && map->has_memcg)
		o->memcg = map->memcg ? memcgs_path(&x->memcgs, map->memcg) : MEMCG_NOT_CHARGED;
	x->nmaps++;
	x->untyped += !map->type_name;
	ret->map_bytes += map->bytes.known ? map->bytes.n : 0;
	if (!map->bytes.known && !ret->unsized++)
		x->size_problem = map->problem;
}

static void add_prog(struct search *x, const struct bpf_prog *prog)
{
	struct entry *e = add_entry(x, prog->address);

	e->prog = *prog;
	e->object = (struct bpf_object){ .kind = BPF_PROGRAM,
					 .address = prog->address,
					 .id = prog->id,
					 .type = prog->type_name,
					 .name = name_of(x->dump, prog->name),
					 .bytes = { prog->pages << x->dump->page_shift, true },
					 .jited = { prog->jited, prog->has_jited },
					 .load_time = { prog->load_time, prog->has_load_time },
					 .uid = { prog->uid, prog->has_uid },
					 .references = { prog->references, prog->has_references } };
	x->nprogs++;
	x->untyped += !prog->type_name;
}

static const char *cgroup_path(struct search *x, uint64_t cgroup)
{
	return dump_text(x->dump, "cgroup %s",
			 (x->has_cgroups ? cgroups_path(&x->cgroups, cgroup) : NULL) ?: "?");
}

static void add_link(struct search *x, const struct bpf_link *link)
{
	struct entry *e = add_entry(x, link->address), *prog = find(x, link->prog);
	const char *text = link->cgroup ? cgroup_path(x, link->cgroup)
					: dump_text(x->dump, "link %s", link->type_name ?: "?");

	x->untyped += !link->type_name;
	e->is_link = true;
	e->target = link->prog;
	e->object.references = (struct maybe_u64){ link->references, link->has_references };
	if (!prog)
		return;
	prog->object.holders.found++;
	add_note(x, &prog->attached, text);
}

static enum status add_attached(void *arg, uint64_t prog, uint64_t cgroup)
{
	struct search *x = arg;
	struct entry *e = find(x, prog);

	if (!e)
		return ST_OK;
	e->object.holders.found++;
	add_note(x, &e->attached, cgroup_path(x, cgroup));
	return ST_OK;
}

static enum status add_pin(void *arg, const struct fs_file *file)
{
	struct search *x = arg;
	struct entry *e = find(x, file->object);

	if (!e)
		return ST_OK;
	e->object.holders.found++;
	add_note(x, &e->pins, file->path ?: "?");
	if (e->is_link && find(x, e->target))
		add_note(x, &find(x, e->target)->pins, file->path ?: "?");
	return ST_OK;
}

/* Map i of a program; NULL: it is not known. */
static struct entry *used(struct search *x, const struct entry *prog, uint32_t i)
{
	return find(x, prog->prog.used[i]);
}

static void use_maps(struct search *x, const struct entry *prog)
{
	for (uint32_t i = 0; i < prog->prog.nmaps; i++) {
		struct entry *e = used(x, prog, i);

		if (!e)
			continue;
		e->object.holders.found++;
		add_note(x, &e->attached, dump_text(x->dump, "program %u", prog->object.id));
	}
}

/* Who has a file of an object has what it refers to as well. */
static void add_users(struct search *x, struct entry *e, const struct file_user *user)
{
	struct arena *arena = x->dump->arena;

	if (e->is_link)
		e = find(x, e->target);
	if (!e)
		return;
	file_users_add(arena, &e->object.holders.users, user);
	for (uint32_t i = 0; i < e->prog.nmaps; i++)
		if (used(x, e, i))
			file_users_add(arena, &used(x, e, i)->object.holders.users, user);
}

static enum status visit_file(void *arg, uint64_t file, uint64_t operations,
			      const struct file_user *user)
{
	struct search *x = arg;
	struct entry *e;
	uint64_t object;
	bool is_new = false;

	for (size_t i = 0; i < ARRAY_SIZE(x->operations) && !is_new; i++)
		is_new = operations && x->operations[i] == operations;
	if (!is_new)
		return ST_OK;
	if (dump_u64(x->dump, file + x->private.offset, &object, "struct file") != ST_OK) {
		x->users_problem = x->users_problem ?: dump_why(x->dump);
		return ST_OK;
	}
	e = find(x, object);
	if (!e)
		return ST_OK;
	hash_u64_get(&x->files, file, &is_new);
	e->object.holders.files += is_new;
	e->object.holders.found += is_new;
	e->object.holders.alone += is_new;
	if (e->is_link)
		file_users_add(x->dump->arena, &e->object.holders.users, user);
	else
		file_users_add(x->dump->arena, &e->object.holders.opened, user);
	add_users(x, e, user);
	return ST_OK;
}

static enum status read_users(struct search *x)
{
	static const char *const symbols[] = { "bpf_map_fops", "bpf_prog_fops", "bpf_link_fops",
					       "bpf_link_fops_poll" };
	struct dump *d = x->dump;
	enum status st = ST_OK;

	if (dump_ask(d, member, "struct file", "private_data", &x->private) != ST_OK)
		st = dump_unknown(d, "struct file has no private_data");
	for (size_t i = 0; st == ST_OK && i < ARRAY_SIZE(symbols); i++)
		if (dump_ask(d, symbol, symbols[i], &x->operations[i]) != ST_OK)
			x->operations[i] = 0;
	/* Of links there may be none; those that can be polled are of 6.12. */
	if (st == ST_OK && (!x->operations[0] || !x->operations[1] ||
			    (!x->progs.no_links.text && !x->operations[2])))
		st = dump_fail(d, ST_UNKNOWN,
			       "no symbol bpf_map_fops, bpf_prog_fops or bpf_link_fops");
	st = st ?: open_files_visit(&x->open, d, visit_file, x);
	if (st == ST_OK && !x->open.complete)
		x->users_problem = x->users_problem ?: x->open.problem;
	return st;
}

static enum status keep(struct search *x, const char **problem, enum status st)
{
	if (st != ST_OK && st != ST_ABSENT && st != ST_STOPPED && !*problem)
		*problem = dump_why(x->dump);
	return st == ST_STOPPED ? st : ST_OK;
}

static enum status find_maps(struct search *x)
{
	struct xa_entries e;
	struct bpf_map map;

	for (xa_begin(&e, x->dump, x->maps.idr); bpf_maps_next(&x->maps, &e, &map);)
		add_map(x, &map);
	return keep(x, &x->maps_problem, xa_end(&e));
}

static enum status find_progs(struct search *x)
{
	struct xa_entries e;
	struct bpf_prog prog;

	for (xa_begin(&e, x->dump, x->progs.idr); bpf_progs_next(&x->progs, &e, &prog);)
		add_prog(x, &prog);
	hash_u64_for_each(struct entry, of, &x->entries)
		use_maps(x, of);
	return keep(x, &x->progs_problem, xa_end(&e));
}

static enum status find_links(struct search *x)
{
	struct xa_entries e;
	struct bpf_link link;

	if (x->progs.no_links.text) {
		x->links_problem = x->progs.no_links.status == ST_ABSENT ? NULL
									 : x->progs.no_links.text;
		return ST_OK;
	}
	for (xa_begin(&e, x->dump, x->progs.links); bpf_links_next(&x->progs, &e, &link);)
		add_link(x, &link);
	return keep(x, &x->links_problem, xa_end(&e));
}

static enum status find_all(struct search *x)
{
	return find_maps(x) ?: find_progs(x) ?: find_links(x) ?:
		keep(x, &x->cgroups_problem, bpf_cgroups_walk(x->dump, add_attached, x)) ?:
		keep(x, &x->pins_problem, fs_files_walk(x->dump, "bpf_fs_type", add_pin, x)) ?:
		keep(x, &x->users_problem, read_users(x));
}

static bool is_alone(const struct entry *e)
{
	const struct bpf_holders *h = &e->object.holders;

	return h->users.n == 1 && e->object.references.known && e->object.references.n == h->alone;
}

/* Links first, then the programs that they keep, then the maps of these. */
static void find_alone(struct search *x)
{
	struct entry *to;

	if (x->users_problem || x->links_problem || x->progs_problem)
		return;
	hash_u64_for_each(struct entry, entry, &x->entries) {
		to = entry->is_link && is_alone(entry) ? find(x, entry->target) : NULL;
		if (to)
			to->object.holders.alone++;
	}
	hash_u64_for_each(struct entry, entry, &x->entries) {
		for (uint32_t i = 0; is_alone(entry) && i < entry->prog.nmaps; i++)
			if (used(x, entry, i))
				used(x, entry, i)->object.holders.alone++;
	}
	hash_u64_for_each(struct entry, entry, &x->entries)
		entry->object.is_alone = !entry->is_link && is_alone(entry);
}

static const struct text_list *notes_list(struct search *x, const struct notes *n, bool complete)
{
	uint64_t told = 0;

	for (const struct note *note = n->first; note && told < MAX_OBJECTS; note = note->next) {
		text_lists_add(&x->lists, "%s", note->text);
		told++;
	}
	return text_lists_end(&x->lists, n->n - told, complete);
}

static void put_object(struct search *x, struct entry *e, struct bpf_object *ret)
{
	const bool is_map = e->object.kind == BPF_MAP, users = !x->users_problem;

	*ret = e->object;
	ret->opened_by = file_users_list(&e->object.holders.opened, users, &x->lists);
	ret->used_by = file_users_list(&e->object.holders.users,
				       users && !x->progs_problem && !x->links_problem, &x->lists);
	ret->pinned = notes_list(x, &e->pins, !x->pins_problem);
	ret->attached = notes_list(x, &e->attached,
				   is_map ? !x->progs_problem
					  : !x->links_problem && !x->cgroups_problem);
}

static void put_all(struct search *x)
{
	struct bpf_objects *ret = x->ret;

	ret->all = dump_alloc(x->dump, (x->nmaps + x->nprogs) * sizeof(*ret->all));
	hash_u64_for_each(struct entry, entry, &x->entries)
		if (!entry->is_link)
			put_object(x, entry, &ret->all[ret->n++]);
	ret->nmaps = x->nmaps;
	ret->all_maps = !x->maps_problem && !ret->is_partial;
}

static void put_gaps(struct search *x)
{
	const struct gap gaps[] = {
		GAP_WHY("some BPF maps are missing: %s", x->maps_problem),
		GAP_WHY("some BPF programs are missing: %s", x->progs_problem),
		{ "the memory of %s is unknown: %s", x->ret->unsized, "BPF map", "BPF maps",
		  x->size_problem, .keeps_sizes = true },
		{ "the type of %s is an enumerator that has no name here", x->untyped, "BPF object",
		  "BPF objects", .keeps_sizes = true },
		GAP_WHY("links of programs may be missing: %s", x->links_problem),
		GAP_WHY("cgroups that programs are attached to may be missing: %s",
			x->cgroups_problem),
		GAP_WHY("cgroups that are charged are unknown: %s", x->memcgs_problem),
		GAP_WHY("pinned paths may be missing: %s", x->pins_problem),
		GAP_WHY("processes that hold maps and programs may be missing: %s",
			x->users_problem),
		{ "of %s the first are named, the others counted", x->lists.cut, "list of users",
		  "lists of users", .keeps_sizes = true },
	};

	x->ret->gaps = GAPS_OF(x->dump, gaps);
	x->ret->problem = x->maps_problem ?: x->progs_problem ?: x->links_problem;
	x->ret->problem = x->ret->problem ?: x->users_problem;
}

enum status bpf_collect(struct dump *d, struct bpf_objects *ret)
{
	struct search *x = dump_alloc(d, sizeof(*x));
	enum status st;

	memset(ret, 0, sizeof(*ret));
	x->dump = d;
	x->ret = ret;
	hash_u64_init(&x->entries, d->arena, sizeof(struct entry));
	hash_u64_init(&x->files, d->arena, 0);
	text_lists_init(&x->lists, d->arena);
	st = bpf_maps_open(d, &x->maps) ?: bpf_progs_open(d, &x->progs);
	if (st != ST_OK)
		return st;
	st = memcgs_open(d, &x->memcgs);
	x->has_memcgs = st == ST_OK;
	keep(x, &x->memcgs_problem, st);
	st = cgroups_open(d, &x->cgroups);
	x->has_cgroups = st == ST_OK;
	keep(x, &x->cgroups_problem, st);
	st = find_all(x);
	ret->is_partial = st == ST_STOPPED;
	find_alone(x);
	put_all(x);
	put_gaps(x);
	return ST_OK;
}
