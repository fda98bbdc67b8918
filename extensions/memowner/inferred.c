// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Who may keep pages straight from the page allocator, or objects of the largest cache, of which there is no
 * record: the roots that the graph of pointers leads to, and modules that are no part of the kernel's source,
 * as drivers that are one may, too; network namespaces without a process, whose sockets, tables and devices are in
 * many caches.  The graph reads all memory of the kernel, so it is not asked where something recorded the owners, nor
 * where that is much.
 */
#include "case.h"
#include "claims.h"
#include "collect/net_namespaces.h"
#include "holders/alike.h"
#include "holders/types.h"
#include "lost_size.h"
#include "pageowner/holders.h"
#include "pass.h"
#include "verdict_words.h"

#define ROWS 3 /* of candidates */
#define ROOTS 5
#define MOST_PERCENT \
	80 /* of direct pages, of the largest cache: where roots have them modules are no candidates */

static bool is_large(const struct summary *s, bool is_reclaimable)
{
	const struct slab_use *u = s->largest_cache;

	return u && u->cache && u->cache->is_reclaimable == is_reclaimable &&
	       !u->cache->has_tracks && !s->tells_objects &&
	       summary_reaches(s, LIMIT_HOLDER, u->pages);
}

/* Of a cache that the kernel cannot shrink: it can have any number of dentries without a leak. */
static bool lacks_object_owners(const struct summary *s)
{
	return is_large(s, false);
}

/* What it can shrink was not reclaimed when memory ran out: something may keep it. */
static bool may_be_kept(const struct summary *s)
{
	return s->ran_out && !s->has_owner && !s->has_sites && is_large(s, true);
}

uint64_t summary_pages_of_nobody(const struct summary *s)
{
	const uint64_t direct = s->classes[CLASS_DIRECT];

	return direct > s->counted_pages ? direct - s->counted_pages : 0;
}

/* A request for a block of pages failed: few pages that cannot be moved are enough for that. */
static bool lacks_block(const struct summary *s)
{
	return s->ran_out && s->ran_out->has_order && s->ran_out->order > 0;
}

/* Much was free at the end, and none of it in one piece: a page of each block is enough. */
static bool splits_blocks(const struct summary *s)
{
	return s->has_classes && s->classes &&
	       summary_reaches(s, LIMIT_OTHER_FREE, s->classes[CLASS_BUDDY]);
}

static bool lacks_page_owners(const struct summary *s)
{
	const uint64_t pages = summary_pages_of_nobody(s);

	return limit_of_class(CLASS_DIRECT, units_tenths(pages, s->ram_pages)) ||
	       (lacks_block(s) &&
		summary_reaches(s, splits_blocks(s) ? LIMIT_SHOWN : LIMIT_HOLDER, pages));
}

/* Of kmalloc of more than two pages, if no cache has more: it has no objects, and where the kernel marks it is no class direct. */
static uint64_t large_pages(const struct summary *s)
{
	const struct slab_use *u = s->largest_cache;

	return u && u->kind == SLAB_USE_LARGE && summary_reaches(s, LIMIT_HOLDER, u->pages)
		       ? u->pages
		       : 0;
}

bool summary_lacks_owners(const struct summary *s)
{
	return s->classes && s->has_classes && !s->has_owner && !s->has_sites && s->ram_pages &&
	       (lacks_page_owners(s) || lacks_object_owners(s) || large_pages(s));
}

/* Objects of the largest cache, or direct pages: whether roots have most of them. */
bool summary_has_roots(const struct summary *s, enum page_class class)
{
	const uint64_t part = class == CLASS_SLAB ? s->inferred_object_pages : s->inferred_pages;
	const uint64_t all = class == CLASS_SLAB ? s->largest_cache->pages
						 : s->classes[CLASS_DIRECT] + large_pages(s);

	return part && part * 100 >= all * MOST_PERCENT;
}

/* The caller of vmalloc is known, and not where the areas are kept; of known ones it is. */
static bool lacks_area_holders(const struct summary *s, uint64_t known)
{
	const uint64_t areas = s->classes && s->has_classes ? s->classes[CLASS_VMALLOC] : 0;

	return areas > known && !s->has_owner && !s->has_sites && s->ram_pages &&
	       limit_of_class(CLASS_VMALLOC, units_tenths(areas - known, s->ram_pages));
}

bool summary_has_many_pointers(const struct summary *s, uint64_t *ret)
{
	static const enum page_class read[] = { CLASS_DIRECT, CLASS_PAGE_POOL, CLASS_SLAB,
						CLASS_VMALLOC };
	uint64_t pages = 0;

	for (size_t i = 0; i < ARRAY_SIZE(read); i++)
		pages += s->classes[read[i]];
	*ret = pages;
	return pages << s->dump->page_shift > limit(LIMIT_GRAPH) << 20;
}

/* The first screen is to be there at once. */
static void put_not_asked(struct summary *s, const char *why)
{
	summary_unknown(s, "owners by pointers", availability_of(ST_NOMEM),
			"not looked for: %s; memowner holders looks for them", why);
}

static void put(struct summary *s, struct holders *h, const struct holder *holder)
{
	const char *module = graph_owner_name(&h->graph, holder->owner);
	const char *way = holder_way(h, holder);
	uint64_t pages = holder->bytes >> s->dump->page_shift;
	const bool is_of_module = holder->owner && holder->owner < OWNER_SHARED;

	SUMMARY_ADD(
		s, .section = SECTION_CANDIDATE, .by = "root", .name = holder_name(h, holder),
		.pages = { pages, true }, .bytes = { holder->bytes, true },
		/* What is in no root may be what ways of a root lead through that is not in the dump. */
		.confidence = { holder->walks / holder->bytes * 1000 / WALK_WHOLE,
				holder->kind != HOLDER_MEET || !holders_lack(h) },
		.module = is_of_module ? module : NULL,
		.keeper = is_of_module ? NULL : summary_neighbours(s, way),
		.brief = holder_way_brief(s->dump->arena, way),
		.remark = holder->kind == HOLDER_STACK
				  ? dump_text(s->dump,
					      "%s; words of this stack alone lead there, which "
					      "may be left over",
					      way)
				  : way);
	if (!holder->owner || !module || s->inferred_module)
		return;
	s->inferred_module = module;
	s->inferred_module_pages = pages;
	s->inferred_kind = graph_span_of(&h->graph, holder->part)->kind;
	/* Bare pages have none. */
	if (strstr(way, "kmalloc-") && !types_of_module(s->dump, module))
		summary_none(s, dump_text(s->dump, "structures of %s", module),
			     types_missing_text(s->dump, module));
}

/* What no root leads to is lost, or known by what is not followed. */
static void put_lost(struct summary *s, struct holders *h)
{
	const struct holder_part *lost = &h->sums.lost;
	uint64_t pages = lost->bytes >> s->dump->page_shift;
	const char *text, *device, *driver;
	struct alike alike;

	if (holders_lack(h) || !summary_reaches(s, LIMIT_HOLDER, pages))
		return;
	alike_find(h, &alike);
	text = alike_text(h, &alike);
	device = summary_frame_device(s, &alike, &h->graph.modules, &driver);
	if (device)
		text = dump_text(s->dump, "%s; one of them is that of %s%s%s", text, device,
				 driver ? ", a device of module " : "", driver ?: "");
	s->lost_pages = pages;
	s->lost_kind = graph_span_of(&h->graph, lost->node)->kind;
	s->lost_order = s->lost_kind == NODE_DIRECT ? lost_order(s->dump, alike.size) : 0;
	if (summary_asked_for_lost(s, summary_asked_in(s)))
		text = dump_text(s->dump, "%s; %s asked for one of that size when memory ran out",
				 text, summary_asked_in(s));
	SUMMARY_ADD(s, .section = SECTION_CANDIDATE, .by = "root", .name = "none",
		    .pages = { pages, true }, .bytes = { lost->bytes, true },
		    .owner = alike.owner == OWNER_NOBODY ? driver
							 : graph_owner_name(&h->graph, alike.owner),
		    .kept_by = alike.owner == OWNER_NOBODY && driver ? device : NULL,
		    .remark = text);
}

/* What pages were not read may lead to what the rows have as well. */
static void put_gaps(struct summary *s, const struct holders *h)
{
	const struct graph_sources *of = &h->sources;
	const char *name = s->first[SECTION_CANDIDATE] ? "other owners by pointers"
						       : "owners by pointers";

	if (of->problem)
		summary_unknown(s, name, NOT_IN_DUMP, "roots are missing: %s", of->problem);
	else if (holders_lack(h))
		summary_unknown(s, name, NOT_IN_DUMP, "pages with pointers are not in this dump");
}

/* Of a module less is worth a row, if there is room; what vmlinux has of objects that it can shrink is none. */
static bool is_told(const struct summary *s, const struct holder *row, bool of_modules)
{
	bool is_of_module = row->owner && row->owner < OWNER_SHARED;

	return summary_reaches(s, is_of_module ? LIMIT_SHOWN : LIMIT_HOLDER,
			       row->bytes >> s->dump->page_shift) &&
	       (is_of_module || !of_modules);
}

/* What the allocator of per-CPU memory keeps has a row by its caller: what leads there is the allocator's own list. */
static bool is_of_chunks(const struct summary *s, struct holders *h, const struct holder *holder)
{
	const uint64_t pages = holder->bytes >> s->dump->page_shift;

	return graph_span_of(&h->graph, holder->part)->kind == NODE_AREA &&
	       ANY_NEXT(row, s->first[SECTION_HOLDER],
			claim_is_of_chunks(row->name ?: "") && pages <= row->pages.n * 11 / 10 &&
				pages >= row->pages.n * 9 / 10);
}

bool summary_is_of_exception(const struct summary *s)
{
	return s->is_oops && !s->ran_out;
}

enum status summary_inferred(struct summary *s)
{
	struct owner_view *v = s->view;
	struct largest largest = { .room = ROOTS };
	const uint32_t most = (uint32_t)limit(LIMIT_POINTERS) * 1000;
	bool of_modules, has_more;
	struct holders *h;
	uint64_t with_pointers;
	enum status st;

	of_modules = !summary_lacks_owners(s) && !lacks_area_holders(s, s->map_areas);
	/* The command of its own has all pointers. */
	if (!of_modules || may_be_kept(s) || lacks_area_holders(s, 0))
		s->next_graph = "memowner holders";
	if (of_modules && !may_be_kept(s))
		return ST_OK;
	if ((lacks_object_owners(s) || of_modules) && s->largest_cache->cache->name)
		s->next_objects = s->largest_cache->cache->name;
	if (summary_has_many_pointers(s, &with_pointers)) {
		put_not_asked(s, dump_text(s->dump, "%s may have pointers",
					   SIZE_TEXT(with_pointers << s->dump->page_shift)));
		return ST_OK;
	}
	st = owner_holders_open(v) ?: owner_holders_find_few(v, most, &has_more, &h);
	if (st == ST_NOMEM && has_more) {
		put_not_asked(s, dump_text(s->dump,
					   "more than %s pointers lead to memory of the kernel",
					   COUNT_TEXT(most)));
		return ST_OK;
	}
	if (st != ST_OK)
		return st;
	st = holders_find_types(h);
	if (st == ST_STOPPED)
		return st;
	if (st != ST_OK)
		summary_unknown(s, "structures on the ways", availability_of(st), "%s",
				s->dump->error);
	hash_u64_for_each(const struct holder, holder, &h->rows) {
		const uint64_t pages = holder->part_bytes >> s->dump->page_shift;

		if (holder->owner == OWNER_SHARED)
			;
		else if (graph_span_of(&h->graph, holder->part)->kind == NODE_DIRECT)
			s->inferred_pages += pages;
		else if (s->next_objects && holder->owner != OWNER_NOBODY &&
			 !strcmp(holder_group_name(h, holder->part), s->next_objects))
			s->inferred_object_pages += pages;
		if (is_told(s, holder, of_modules))
			largest_add(&largest, holder->bytes, holder);
	}
	for (unsigned int i = 0; i < largest.n; i++)
		if (!is_of_chunks(s, h, largest.of[i].item))
			put(s, h, largest.of[i].item);
	if (summary_is_of_exception(s))
		s->next_graph = s->next_objects = NULL;
	else
		put_lost(s, h);
	put_gaps(s, h);
	return ST_OK;
}

/* Of a module, who has a file open whose file_operations are its own. */
struct served {
	const char *module;
	struct file_users users;
};

struct servers {
	struct dump *dump;
	struct modules modules;
	struct hash_u64 all; /* of struct served by address of struct module */
	bool is_complete;
};

static enum status add_served(void *arg, uint64_t file NOT_USED, uint64_t operations,
			      const struct file_user *user)
{
	struct servers *x = arg;
	const struct module *m = operations ? modules_find(&x->modules, operations) : NULL;
	struct served *served;

	if (!m)
		return ST_OK;
	served = hash_u64_get(&x->all, m->address, NULL);
	served->module = m->name;
	file_users_add(x->dump->arena, &served->users, user);
	return ST_OK;
}

static void find_servers(struct summary *s, struct servers *x)
{
	struct dump *d = s->dump;
	struct open_files *o = dump_alloc(d, sizeof(*o));
	enum status st;

	x->dump = d;
	hash_u64_init(&x->all, d->arena, sizeof(struct served));
	st = modules_open(d, &x->modules) ?: open_files_visit(o, d, add_served, x);
	if (st == ST_OK && !o->complete)
		st = dump_unreadable(d, "%s", o->problem);
	x->is_complete = st == ST_OK;
	summary_failed(s, "who has files of modules out of tree open", st);
}

/* "; files of it are open in 150(compositor)", or nothing. */
static const char *served_text(struct summary *s, const struct servers *x, const char *module)
{
	struct strbuf b = STRBUF_OF(USERS_TOLD * 64 + TEXT_LIST_TAIL);

	hash_u64_for_each(const struct served, served, &x->all)
		if (!strcmp(served->module, module))
			text_list_short(
				file_users_list(&served->users, x->is_complete, &s->view->lists),
				USERS_TOLD, &b);
	return *b.buf ? dump_text(s->dump, "; files of it are open in %s", b.buf) : "";
}

/* The memory of which nothing says who has it; NULL: roots have most of it. */
static const char *lacking(const struct summary *s)
{
	uint64_t large, left, of_nobody;

	if (!summary_lacks_owners(s))
		return NULL;
	if (s->next_objects)
		return summary_has_roots(s, CLASS_SLAB) ? NULL : s->next_objects;
	if (summary_has_roots(s, CLASS_DIRECT))
		return NULL;
	large = large_pages(s);
	of_nobody = summary_pages_of_nobody(s) + large;
	left = s->classes[CLASS_DIRECT] + large - s->inferred_pages;
	/* The row of these has that size. */
	if (s->lost_pages * 100 >= (left < of_nobody ? left : of_nobody) * MOST_PERCENT)
		return dump_text(s->dump, "the %s that no root leads to",
				 SIZE_TEXT(s->lost_pages << s->dump->page_shift));
	return dump_text(s->dump, "%s of direct pages%s",
			 SIZE_TEXT((left < of_nobody ? left : of_nobody) << s->dump->page_shift),
			 large ? " and large kmalloc" : "");
}

/* Whether a function "avf_write [avfilt]" is of a module. */
static bool is_function_of(const char *function, const char *module)
{
	const char *of = strchr(function, '[');
	size_t len = strlen(module);

	return of && !strncmp(of + 1, module, len) && of[len + 1] == ']';
}

/* The function of a module out of tree that asked for memory when it ran out, by the log; NULL: none did. */
const char *summary_asked_in(const struct summary *s)
{
	for (const struct tainting_module *m = s->of_case ? s->of_case->modules.first : NULL;
	     s->ran_out && m; m = m->next)
		if (tainting_module_is_foreign(m) && is_function_of(s->ran_out->asked_in, m->name))
			return s->ran_out->asked_in;
	return NULL;
}

/* What pointers, or the kernel's own record of a caller, say of a module is no guess: its row is there. */
static bool tells_module(const struct summary *s, const char *module)
{
	return ANY_NEXT(row, s->first[SECTION_CANDIDATE],
			row->pages.known && row->module && !strcmp(row->module, module)) ||
	       ANY_NEXT(row, s->first[SECTION_HOLDER],
			row->pages.known && is_function_of(row->name ?: "", module));
}

/* One that asked for more at the end says more than that others are loaded, one that has such memory most of all. */
enum status summary_candidates(struct summary *s)
{
	const struct summary_case *c = s->of_case;
	const char *lacks = lacking(s);
	struct servers servers = { 0 };
	const char *asked, *alike;
	const bool device = ANY_NEXT(row, s->first[SECTION_CANDIDATE], row->owner && row->kept_by);
	unsigned int n = 0;

	if (!lacks && s->lost_pages && s->lost_kind == NODE_COPIES)
		lacks = dump_text(s->dump, "the %s of per-CPU memory that no root leads to",
				  SIZE_TEXT(s->lost_pages << s->dump->page_shift));
	if (!lacks && s->has_unused_files)
		lacks = "deleted files that no process has";
	if (!lacks && s->orphan_anon)
		lacks = dump_text(s->dump, "%s of anonymous memory that no process has",
				  SIZE_TEXT(s->orphan_anon << s->dump->page_shift));
	if (!lacks)
		lacks = s->pinned_inodes;
	if (!lacks || summary_is_of_exception(s) || !c || !c->has_modules)
		return ST_OK;
	if (s->has_unused_files)
		find_servers(s, &servers);
	alike = summary_alike_module(s);
	asked = alike ? NULL : summary_asked_in(s);
	for (const struct tainting_module *m = c->modules.first; m && n < ROWS; m = m->next) {
		if (!tainting_module_is_foreign(m) ||
		    (s->inferred_module && !strcmp(s->inferred_module, m->name)) ||
		    tells_module(s, m->name) || (asked && !is_function_of(asked, m->name)) ||
		    (alike && strcmp(alike, m->name) != 0))
			continue;
		n++;
		SUMMARY_ADD(s, .section = SECTION_CANDIDATE, .by = "module", .name = m->name,
			    .order = { s->lost_order, summary_asked_for_lost(s, asked) },
			    .remark = dump_text(
				    s->dump,
				    "not of the kernel's source (%s)%s%s; no "
				    "record says who has %s%s",
				    m->letters,
				    device  ? "; the lost frames have the address of its device"
				    : alike ? "; what it keeps begins so, too"
				    : asked ? "; memory ran out in "
					    : "",
				    summary_asked_words(s, asked) ?: "", lacks,
				    served_text(s, &servers, m->name)));
	}
	return ST_OK;
}

#define NET_CACHE "net_namespace"

static uint64_t cache_pages(const struct pass *p)
{
	for (const struct hash_bytes_entry *e = p->caches ? p->caches->uses.first : NULL; e;
	     e = e->next) {
		const struct slab_use *u = (const struct slab_use *)e->value;

		if (u->cache && !strcmp(slab_use_name(u) ?: "", NET_CACHE))
			return u->pages;
	}
	return 0;
}

/* "660 of them are mounted, one at /run/netns/job-0001"; NULL: none is, or it is unknown. */
static const char *namespace_mounts(struct summary *s, const struct net_namespaces *n)
{
	struct net_mounts m = { 0 };
	enum status st = net_namespaces_mounted(s->dump, n, &m);

	if (st != ST_ABSENT)
		summary_failed(s, "mounts of network namespaces", st);
	if (st != ST_OK || !m.n)
		return NULL;
	return dump_text(s->dump, "%s%s of them %s mounted%s%s", n->no_inode ? "at least " : "",
			 COUNT_TEXT(m.n), m.n == 1 ? "is" : "are", m.path ? ", one at " : "",
			 m.path ?: "");
}

/* "files of 416 of them are open in cnid (108)"; NULL: none is, or it is unknown. */
static const char *namespace_users(struct summary *s, const struct net_namespaces *n)
{
	struct open_files *o = dump_alloc(s->dump, sizeof(*o));
	struct strbuf b = STRBUF_OF(USERS_TOLD * 64 + TEXT_LIST_TAIL);
	struct file_users all = { 0 };
	struct hash_u64 inodes;
	uint64_t open = 0;
	enum status st;

	hash_u64_init(&inodes, s->dump->arena, 0);
	hash_u64_for_each(const struct net_namespace, ns, &n->all)
		if (ns->inode && !ns->users.n)
			hash_u64_add(&inodes, ns->inode);
	st = inodes.first ? open_files_open(s->dump, o) ?: open_files_read(o, &inodes) : ST_OK;
	summary_failed(s, "users of network namespaces", st);
	if (n->no_inode)
		summary_unknown(s, "users of network namespaces", NOT_IN_DUMP,
				"the files of %s are unknown: they are not in this dump",
				COUNT_OF(n->no_inode, "namespace"));
	for (const struct hash_u64_entry *e = inodes.first; e && st == ST_OK; e = e->next) {
		const struct file_users *users = open_files_find(o, e->key);

		open += users != NULL;
		if (users)
			file_users_add_all(s->dump->arena, &all, users);
	}
	if (!open)
		return NULL;
	s->has_namespace_users = true;
	summary_user_names(file_users_list(&all, o->complete, &s->view->lists), &b);
	return dump_text(s->dump, "files of %s%s of them are open in %s",
			 n->no_inode ? "at least " : "", COUNT_TEXT(open), b.buf);
}

#define FEW 3 /* namespaces with processes: who makes them for others is in the newest */

/* "processes of 1 more: sandboxd (160)"; NULL: in many more processes live, in none, or it is unknown. */
static const char *namespace_others(struct summary *s, const struct net_namespaces *n)
{
	struct strbuf b = STRBUF_OF(USERS_TOLD * 64 + TEXT_LIST_TAIL);
	struct file_users all = { 0 };
	uint64_t others = 0;

	hash_u64_for_each(const struct net_namespace, ns, &n->all) {
		if (!ns->users.n || ns->is_initial)
			continue;
		others++;
		file_users_add_all(s->dump->arena, &all, &ns->users);
	}
	if (!others || others > FEW || n->problem)
		return NULL;
	summary_user_names(file_users_list(&all, true, &s->view->lists), &b);
	return dump_text(s->dump, "processes in %s others: %s",
			 others == 1 ? "one of the" : COUNT_TEXT(others), b.buf);
}

static const char *namespace_keepers(struct summary *s, const struct net_namespaces *n,
				     const char *mounts)
{
	const char *texts[] = { mounts, namespace_users(s, n), namespace_others(s, n) };
	struct strbuf b = STRBUF_OF(1024);

	for (size_t i = 0; i < ARRAY_SIZE(texts); i++)
		if (texts[i])
			strbuf_add(&b, "%s%s", strbuf_between(&b, "; "), texts[i]);
	return b.len ? dump_strdup(s->dump, b.buf) : NULL;
}

enum status summary_namespaces(struct summary *s)
{
	struct net_namespaces n;
	const char *mounts;
	uint64_t pages;
	enum status st;

	if (!summary_may_hold(s, s->classes[CLASS_SLAB]))
		return ST_OK;
	st = net_namespaces_read(s->dump, &n);
	if (st != ST_OK)
		return st;
	if (n.n < limit(LIMIT_NAMESPACES))
		return ST_OK;
	if (n.problem)
		summary_unknown(s, "network namespaces without a process", NOT_IN_DUMP, "%s",
				n.problem);
	if (n.empty.known && n.empty.n < limit(LIMIT_NAMESPACES))
		return ST_OK;
	mounts = namespace_mounts(s, &n);
	pages = cache_pages(s->pass);
	s->has_namespaces = pages;
	SUMMARY_ADD(
		s, .section = SECTION_CANDIDATE, .by = "kernel", .name = "network namespaces",
		.kept_by = namespace_keepers(s, &n, mounts),
		.brief = dump_text(s->dump, "%s network namespaces", COUNT_TEXT(n.n)),
		.remark = dump_text(
			s->dump,
			"%s, in %s of them no process lives%s%s; %s%s%ssockets, tables and devices "
			"of each are in kmalloc and other caches",
			COUNT_TEXT(n.n),
			n.empty.known ? COUNT_TEXT(n.empty.n) : "an unknown number",
			mounts ? ", " : "", mounts ?: "", pages ? "at least " : "",
			pages ? LEAST_TEXT(pages << s->dump->page_shift) : "",
			pages ? " (cache " NET_CACHE "), " : ""));
	return ST_OK;
}
