// SPDX-License-Identifier: GPL-2.0-or-later
#include "keys.h"

#include "holders.h"
#include "scan_read.h"
#include "symbols/allocators.h"

const char *const owner_life_choices[] = { "live", "dead", NULL };
const char *const owner_state_choices[] = { "live", "free", NULL };

#define BOTH (KEY_FILTERS | KEY_GROUPS)

/*
 * RECORD and its like: the use of keys that only a record of page_owner tells; INFERRED: of those that no
 * table of records has.
 */
#define KEYS(RECORD, RECORD_FILTERS, RECORD_GROUPS, INFERRED)                                     \
	{                                                                                         \
		[KEY_STACK] = { COLUMN_stack,                                                     \
				"call stack; a filter matches when "                              \
				"a function, module or address of it does",                       \
				RECORD },                                                         \
		[KEY_CALLER] = { COLUMN_caller,                                                   \
				 "first function that is not part of the kernel's allocators",    \
				 RECORD },                                                        \
		[KEY_MODULE] = { COLUMN_module,                                                   \
				 "first module of the stack, vmlinux without one; "               \
				 "[gone]: text of no module",                                     \
				 RECORD },                                                        \
		[KEY_PID] = { COLUMN_pid, "pid of the thread that allocated", RECORD },           \
		[KEY_TGID] = { COLUMN_tgid, "pid of its process", RECORD },                       \
		[KEY_COMM] = { COLUMN_comm, "name of the thread at that time", RECORD },          \
		[KEY_ORDER] = { COLUMN_order, "order of the allocation: 2^order pages", RECORD }, \
		[KEY_GFP] = { COLUMN_gfp,                                                         \
			      "gfp flags of the allocation: one of them, a word (GFP_KERNEL is "  \
			      "not GFP_KERNEL_ACCOUNT) or the mask",                              \
			      RECORD },                                                           \
		[KEY_MIGRATETYPE] = { COLUMN_migratetype,                                         \
				      "migrate type that the allocation asked for", RECORD,       \
				      .is_set = true },                                           \
		[KEY_BLOCK_MIGRATETYPE] = { COLUMN_block_migratetype,                             \
					    "migrate type of the pageblock at the panic", BOTH,   \
					    .is_set = true },                                     \
		[KEY_NODE] = { COLUMN_node, "NUMA node", BOTH, .is_set = true },                  \
		[KEY_ZONE] = { COLUMN_zone, "memory zone", BOTH, .is_set = true },                \
		[KEY_MEMCG] = { COLUMN_memcg, "path of the cgroup that the page is charged to",   \
				BOTH },                                                           \
		[KEY_CLASS] = { COLUMN_class,                                                     \
				"current use of the page; -g help explains each class", BOTH,     \
				.choices = page_class_names + 1, .elsewhere = PAGE_CACHE_HINT },  \
		[KEY_CACHE] = { COLUMN_cache,                                                     \
				"slab cache of the page: its stack filled the slab, "             \
				"the objects may be of "                                          \
				"others; [CLASS]: no slab page",                                  \
				BOTH, .other_names = cache_other_names,                           \
				.forms = &filter_forms_kmalloc },                                 \
		[KEY_FILE] = { COLUMN_file,                                                       \
			       "file of a page of page cache or shared memory, "                  \
			       "by its path; [CLASS]: of "                                        \
			       "another class",                                                   \
			       BOTH },                                                            \
		[KEY_MAPPER] = { COLUMN_mapper,                                                   \
				 "process that maps the page, by its page table: "                \
				 "tgid(comm); N processes, which -f asks each; "                  \
				 "[not mapped]; [CLASS]: no page of a process",                   \
				 BOTH },                                                          \
		[KEY_HOLDER] = { COLUMN_holder,                                                   \
				 "what keeps the page by the pointers in the dump, inferred: "    \
				 "module, vmlinux, several, unknown, none; [CLASS]: of another "  \
				 "class than direct",                                             \
				 INFERRED },                                                      \
		[KEY_AGE] = { COLUMN_age, "age at the panic; -g age groups it in steps", RECORD,  \
			      .quantity = RANGE_TIME, .also = COLUMN_age_ns },                    \
		[KEY_OWNER] = { COLUMN_owner,                                                     \
				"whether the process that allocated "                             \
				"still existed at the panic",                                     \
				RECORD, .choices = owner_life_choices },                          \
		[KEY_STATE] = { COLUMN_state,                                                     \
				"live: allocated pages (default); "                               \
				"free: freed pages, whose stack, pid, tgid, handle, ts and age "  \
				"are then those of the last free",                                \
				RECORD, .choices = owner_state_choices },                         \
		[KEY_CALLEE] = { COLUMN_callee,                                                   \
				 "root a tree at the innermost function (with -t tree)",          \
				 RECORD_GROUPS },                                                 \
		[KEY_PFN] = { COLUMN_pfn,                                                         \
			      "page frame number, decimal or "                                    \
			      "0x1f, as rows print it",                                           \
			      KEY_FILTERS },                                                      \
		[KEY_PHYS] = { COLUMN_phys, "physical address, hexadecimal", KEY_FILTERS },       \
		[KEY_TS] = { COLUMN_ts_ns,                                                        \
			     "time of the allocation, on the clock of the kernel log",            \
			     RECORD_FILTERS },                                                    \
		[KEY_HANDLE] = { COLUMN_handle, "stack depot handle, hexadecimal",                \
				 RECORD_FILTERS },                                                \
		[KEY_SIZE] = { COLUMN_bytes, "bytes of a whole group", KEY_OF_GROUP },            \
	}

const struct key owner_keys[OWNER_KEYS] = KEYS(BOTH, KEY_FILTERS, KEY_GROUPS, 0);
const struct key owner_page_keys[OWNER_KEYS] = KEYS(0, 0, 0, BOTH);

void page_facts_init(struct owner_view *v, const struct owner_page *page, struct page_facts *ret)
{
	ret->v = v;
	ret->page = page;
	ret->handle = page->handle;
	ret->ts_ns = page->ts_ns;
	ret->saved = NULL;
	ret->has_record = false;
	ret->has_info = INFO_UNTRIED;
	if (!page->allocated && page->raw) {
		page_owner_decode(&v->owner, page, &ret->record);
		ret->has_record = true;
		ret->handle = ret->record.free_handle;
		ret->ts_ns = ret->record.free_ts_ns;
	}
	ret->pages = 1;
	ret->allocs = page->head;
	ret->ts_min = ret->ts_max = ret->ts_ns;
}

const struct owner_record *page_facts_record(struct page_facts *f)
{
	if (!f->has_record)
		page_owner_decode(&f->v->owner, f->page, &f->record);
	f->has_record = true;
	return &f->record;
}

const struct page_info *page_facts_info(struct page_facts *f)
{
	if (f->has_info == INFO_UNTRIED)
		f->has_info = f->v->has_states && page_type_at(&f->v->states, f->page->pfn,
							       &f->info) == ST_OK
				      ? INFO_KNOWN
				      : INFO_UNKNOWN;
	return f->has_info == INFO_KNOWN ? &f->info : NULL;
}

static uint64_t text_word(struct owner_view *v, const char *text)
{
	text = intern(&v->texts, text);
	return text ? (uint64_t)(uintptr_t)text : VALUE_UNKNOWN;
}

uint64_t owner_caller_word(struct owner_view *v, const struct frame *caller)
{
	char name[640];

	return text_word(v, caller ? function_text(caller, name, sizeof(name)) : NULL);
}

void owner_stack_values(struct owner_view *v, const struct stack *stack, struct stack_values *ret)
{
	ret->module = text_word(v, stack ? stack_module(stack) : NULL);
	ret->caller = owner_caller_word(v, stack ? stack_caller(stack) : NULL);
}

void owner_site_values(struct owner_view *v, const struct site *site, struct stack_values *ret)
{
	const char *function = site ? site->function : NULL, *module = site ? site->module : NULL;
	char name[640];

	ret->module = text_word(v, module);
	ret->caller = VALUE_UNKNOWN;
	/* A function of the kernel's allocators that has a site of its own calls for somebody else. */
	if (!function || !module || allocators_has(function))
		return;
	snprintf(name, sizeof(name), site->in_module ? "%s [%s]" : "%s", function, module);
	ret->caller = text_word(v, name);
}

/* Caller and module of a stack, computed once for each. */
static const struct stack_values *words_of(struct page_facts *f)
{
	struct owner_view *v = f->v;
	bool is_new;
	struct stack_values *w = hash_u64_get(&v->stack_values, f->handle, &is_new);

	if (is_new)
		owner_stack_values(v, owner_stack(v, f->handle), w);
	return w;
}

/* A value of each key by the facts of a page. */
#define WORD(KEY, EXPRESSION)                            \
	static uint64_t KEY##_word(struct page_facts *f) \
	{                                                \
		return EXPRESSION;                       \
	}

/* What an allocation records of its task, a free of its own; unknown where this kernel does not. */
static uint64_t number_of(struct page_facts *f, enum owner_field field, int64_t allocated,
			  enum owner_field free_field, int64_t freed)
{
	bool is_live = f->page->allocated;

	if (!f->v->owner.f[is_live ? field : free_field].present)
		return VALUE_UNKNOWN;
	return (uint64_t)(is_live ? allocated : freed);
}

static bool has_time(const struct page_facts *f)
{
	return f->v->owner.f[f->page->allocated ? OWNER_TS : OWNER_FREE_TS].present;
}

static uint64_t age_of(struct page_facts *f)
{
	uint64_t age;

	return has_time(f) && age_at_panic(&f->v->report.info, f->ts_ns, &age) ? age
									       : VALUE_UNKNOWN;
}

static uint64_t pid_word(struct page_facts *f)
{
	const struct owner_record *r = page_facts_record(f);

	return number_of(f, OWNER_PID, r->pid, OWNER_FREE_PID, r->free_pid);
}

static uint64_t tgid_word(struct page_facts *f)
{
	const struct owner_record *r = page_facts_record(f);

	return number_of(f, OWNER_TGID, r->tgid, OWNER_FREE_TGID, r->free_tgid);
}

static uint64_t age_word(struct page_facts *f)
{
	uint64_t age = age_of(f);

	return age == VALUE_UNKNOWN ? age : ages_step(age);
}

static const struct zone *zone_of(struct page_facts *f)
{
	return zones_find(&f->v->zones, f->page->pfn);
}

WORD(stack, f->handle)
WORD(caller, words_of(f)->caller)
WORD(module, words_of(f)->module)
/* The kernel does not record the name of the task that freed. */
WORD(comm, f->page->allocated && f->v->owner.f[OWNER_COMM].present
		   ? text_word(f->v, page_facts_record(f)->comm)
		   : VALUE_UNKNOWN)
WORD(order, f->page->order)
WORD(gfp, page_facts_record(f)->gfp_mask)
WORD(migratetype, text_word(f->v, f->saved ? f->saved->migratetype
					   : names_gfp_migratetype(&f->v->names,
								   page_facts_record(f)->gfp_mask)))
WORD(node, zone_of(f) ? zone_of(f)->node : VALUE_UNKNOWN)
WORD(zone, text_word(f->v, zone_of(f) ? zone_of(f)->name : NULL))
WORD(state, text_word(f->v, f->page->allocated ? "live" : "free"))
WORD(pfn, f->page->pfn)
WORD(phys, f->page->pfn << f->v->dump->page_shift)
WORD(ts, has_time(f) ? f->ts_ns : VALUE_UNKNOWN)

static uint64_t block_word(struct page_facts *f)
{
	struct owner_view *v = f->v;
	unsigned int type;

	if (f->saved)
		return text_word(v, f->saved->block_migratetype);
	if (!v->has_blocks || pageblocks_type(&v->blocks, f->page->pfn, &type) != ST_OK)
		return VALUE_UNKNOWN;
	return text_word(v, names_migratetype(&v->names, type));
}

static uint64_t memcg_word(struct page_facts *f)
{
	const struct page_info *info = f->v->has_memcgs ? page_facts_info(f) : NULL;

	return text_word(f->v, info ? memcgs_charged_to(&f->v->memcgs, info->memcg) : NULL);
}

/* No record of the page was read: what only a record tells is unknown. */
static bool has_no_record(const struct page_facts *f)
{
	return !f->v->saved && !f->page->allocated && !f->page->raw;
}

static uint64_t class_word(struct page_facts *f)
{
	struct owner_view *v = f->v;
	const struct page_info *info = v->classes ? page_facts_info(f) : NULL;
	enum page_record record = f->page->allocated ? RECORD_LIVE
				  : f->page->unknown ? RECORD_UNKNOWN
				  : has_no_record(f) ? RECORD_NONE
						     : RECORD_FREE;

	if (!info)
		return VALUE_UNKNOWN;
	return text_word(v, page_class_name(page_class_at(v->classes, info, f->page->pfn, record,
							  f->page->handle)));
}

/* "[anon]" of what the key of one class of pages is asked for. */
static uint64_t other_class_word(struct page_facts *f)
{
	uint64_t class = class_word(f);
	char text[64];

	if (class == VALUE_UNKNOWN)
		return VALUE_UNKNOWN;
	snprintf(text, sizeof(text), "[%s]", (const char *)(uintptr_t) class);
	return text_word(f->v, text);
}

/* The name of the cache of the slab, or the class of what is no slab. */
static uint64_t cache_word(struct page_facts *f)
{
	struct owner_view *v = f->v;
	const struct page_info *info = v->slabs ? page_facts_info(f) : NULL;
	const struct slab_cache *cache;

	if (!info)
		return VALUE_UNKNOWN;
	if (info->state == PAGE_TYPE_SLAB)
		return slab_cache_at(v->slabs, info->head, &cache) == ST_OK
			       ? text_word(v, cache->name)
			       : VALUE_UNKNOWN;
	if (info->state == PAGE_TYPE_LARGE_KMALLOC)
		return text_word(v, "[large kmalloc]");
	return other_class_word(f);
}

/* Pages that are no longer in a file have a class, but no address_space. */
static uint64_t file_word(struct page_facts *f)
{
	struct owner_view *v = f->v;
	const struct page_info *info = v->files ? page_facts_info(f) : NULL;
	struct cached_file *file;

	if (!info)
		return VALUE_UNKNOWN;
	if (!info->mapping)
		return other_class_word(f);
	file = cached_file_at(v->files, info->mapping);
	return text_word(v, file ? cached_file_name(v->files, file) : NULL);
}

/* By the page tables, so that it may be another process than the one that allocated. */
static uint64_t mapper_word(struct page_facts *f)
{
	struct owner_view *v = f->v;
	const struct page_info *info = v->mappers ? page_facts_info(f) : NULL;
	struct page_mappers found;
	char buf[64];

	if (!info)
		return VALUE_UNKNOWN;
	if (info->state != PAGE_TYPE_ANON && info->state != PAGE_TYPE_FILE)
		return other_class_word(f);
	if (mappers_find(v->mappers, f->page->pfn, &found) != ST_OK)
		return VALUE_UNKNOWN;
	return text_word(v, mappers_text(v->mappers, &found, buf, sizeof(buf)));
}

/* The same for a filter, which may ask for one of several: the address of a list. */
static uint64_t mapper_list_word(struct page_facts *f)
{
	struct owner_view *v = f->v;
	const struct page_info *info = v->mappers ? page_facts_info(f) : NULL;
	const struct text_list *list;
	struct page_mappers found;
	uint64_t word;

	if (!info)
		return VALUE_UNKNOWN;
	if (info->state != PAGE_TYPE_ANON && info->state != PAGE_TYPE_FILE) {
		word = other_class_word(f);
		return word == VALUE_UNKNOWN ? word
					     : (uint64_t)(uintptr_t)mappers_list_of(
						       v->mappers, (const char *)(uintptr_t)word);
	}
	if (mappers_find(v->mappers, f->page->pfn, &found) != ST_OK)
		return VALUE_UNKNOWN;
	list = mappers_list(v->mappers, &found);
	return list ? (uint64_t)(uintptr_t)list : VALUE_UNKNOWN;
}

const char *owner_page_holder(struct page_facts *f, uint16_t *confidence)
{
	struct owner_view *v = f->v;
	const struct page_info *info = v->holders ? page_facts_info(f) : NULL;

	*confidence = 0;
	if (!info || info->state == PAGE_TYPE_SLAB)
		return NULL;
	return holders_word(v->holders, v->slabs->linear + (f->page->pfn << v->page_shift),
			    confidence);
}

/* Of direct pages: objects have theirs, and pages of processes other users. */
static uint64_t holder_word(struct page_facts *f)
{
	uint16_t confidence;
	const char *word = owner_page_holder(f, &confidence);

	if (!f->v->holders || !page_facts_info(f))
		return VALUE_UNKNOWN;
	return word ? text_word(f->v, word) : other_class_word(f);
}

/* By tgid; before 5.18 the kernel recorded only the pid, and the process of a thread is unknown. */
static uint64_t owner_life_word(struct page_facts *f)
{
	uint64_t tgid = tgid_word(f);

	if (!f->v->owners || tgid == VALUE_UNKNOWN)
		return VALUE_UNKNOWN;
	return text_word(
		f->v, task_liveness_name(task_owners_find(f->v->owners, (int32_t)tgid, f->ts_ns)));
}

#define IN_RECORDS (SCAN_SAVED | SCAN_PAGE_OWNER)
#define IN_ALL (IN_RECORDS | SCAN_SHOW_STACKS)
#define UNREAD (SCAN_SHOW_STACKS << 1) /* a text may have it, and it is not read from there */

static const struct {
	uint64_t (*word)(struct page_facts *f);	   /* NULL: unknown */
	uint64_t (*measure)(struct page_facts *f); /* NULL: the value */
	enum owner_field needs;			   /* OWNER_FIELDS: every kernel has it */
	unsigned int saved;			   /* the kinds of files that have it */
	bool of_page;				   /* it needs no record of page_owner */
} sources[OWNER_KEYS] = {
	[KEY_STACK] = { stack_word, NULL, OWNER_FIELDS, IN_ALL },
	[KEY_CALLER] = { caller_word, NULL, OWNER_FIELDS, IN_ALL },
	[KEY_MODULE] = { module_word, NULL, OWNER_FIELDS, IN_ALL },
	[KEY_PID] = { pid_word, NULL, OWNER_PID, SCAN_PAGE_OWNER },
	[KEY_TGID] = { tgid_word, NULL, OWNER_TGID, IN_RECORDS },
	[KEY_COMM] = { comm_word, NULL, OWNER_COMM, IN_RECORDS },
	[KEY_ORDER] = { order_word, NULL, OWNER_FIELDS, IN_RECORDS },
	[KEY_GFP] = { gfp_word, NULL, OWNER_FIELDS, IN_RECORDS },
	[KEY_MIGRATETYPE] = { migratetype_word, NULL, OWNER_FIELDS, SCAN_PAGE_OWNER },
	[KEY_BLOCK_MIGRATETYPE] = { block_word, NULL, OWNER_FIELDS, SCAN_PAGE_OWNER, true },
	[KEY_NODE] = { node_word, NULL, OWNER_FIELDS, UNREAD, true },
	[KEY_ZONE] = { zone_word, NULL, OWNER_FIELDS, UNREAD, true },
	[KEY_MEMCG] = { memcg_word, NULL, OWNER_FIELDS, UNREAD, true },
	[KEY_CLASS] = { class_word, NULL, OWNER_FIELDS, 0, true },
	[KEY_CACHE] = { cache_word, NULL, OWNER_FIELDS, 0, true },
	[KEY_FILE] = { file_word, NULL, OWNER_FIELDS, 0, true },
	[KEY_MAPPER] = { mapper_word, mapper_list_word, OWNER_FIELDS, 0, true },
	[KEY_HOLDER] = { holder_word, NULL, OWNER_FIELDS, 0, true },
	[KEY_AGE] = { age_word, age_of, OWNER_TS, 0 },
	[KEY_OWNER] = { owner_life_word, NULL, OWNER_TGID, 0 },
	[KEY_STATE] = { state_word, NULL, OWNER_FIELDS, 0 },
	[KEY_CALLEE] = { NULL, NULL, OWNER_FIELDS, IN_ALL },
	[KEY_PFN] = { pfn_word, NULL, OWNER_FIELDS, UNREAD, true },
	[KEY_PHYS] = { phys_word, NULL, OWNER_FIELDS, UNREAD, true },
	[KEY_TS] = { ts_word, NULL, OWNER_TS, UNREAD },
	[KEY_HANDLE] = { stack_word, NULL, OWNER_FIELDS, UNREAD },
	[KEY_SIZE] = { NULL, NULL, OWNER_FIELDS, IN_ALL },
};

uint64_t owner_value(struct page_facts *f, enum owner_key key)
{
	if ((f->saved && !(sources[key].saved & f->v->saved->kind)) ||
	    (has_no_record(f) && !sources[key].of_page))
		return VALUE_UNKNOWN;
	return sources[key].word ? sources[key].word(f) : VALUE_UNKNOWN;
}

uint64_t owner_measure(struct page_facts *f, enum owner_key key)
{
	bool has = sources[key].of_page || !has_no_record(f);

	return has && sources[key].measure ? sources[key].measure(f) : owner_value(f, key);
}

bool owner_key_is_of_page(enum owner_key key)
{
	return sources[key].of_page;
}

/* A page frame number is that of the record; whether a task lives no record says. */
static bool is_derived(enum owner_key key)
{
	return key == KEY_OWNER || (sources[key].of_page && key != KEY_PFN && key != KEY_PHYS);
}

static bool rests_on(const struct cmdline *in, enum owner_key key)
{
	return cmdline_groups_by(in, key) || cmdline_filters_by(in, key) ||
	       table_needs(&in->table, owner_keys[key].column);
}

const char *owner_basis(struct owner_view *v)
{
	bool derived = v->shows_types || v->shows_sites;

	if (v->basis)
		return v->basis;
	for (enum owner_key key = 0; key < OWNER_KEYS; key++)
		derived |= is_derived(key) && rests_on(v->in, key);
	v->basis = derived ? "derived" : "recorded";
	return v->basis;
}

struct cell owner_value_cell(struct owner_view *v, enum owner_key key, uint64_t word)
{
	if (word == VALUE_UNKNOWN)
		return (struct cell){ .kind = CELL_NULL };
	if (key == KEY_GFP)
		return cell_text(names_gfp_word(&v->names, word));
	if (key == KEY_AGE)
		return ages_cell(word);
	if (key_is_text(&owner_keys[key]))
		return cell_text((const char *)(uintptr_t)word);
	/* A corrupt record may have a negative one. */
	return key == KEY_PID || key == KEY_TGID ? cell_int((int64_t)word) : cell_uint(word);
}

struct cell owner_fact_cell(const void *facts, void *view NOT_USED, unsigned int key)
{
	struct page_facts *f = (struct page_facts *)facts;

	return owner_value_cell(f->v, key, owner_value(f, key));
}

struct cell owner_key_cell(struct owner_view *v, const size_t *keys, size_t n,
			   const uint64_t *words, enum owner_key key)
{
	for (size_t i = 0; words && i < n; i++)
		if (keys[i] == key)
			return owner_value_cell(v, key, words[i]);
	return (struct cell){ .kind = CELL_NULL };
}

enum status owner_key_check(struct owner_view *v, enum owner_key key)
{
	enum owner_field needs = sources[key].needs;
	const char *name = key_name(&owner_keys[key]);
	bool has = needs == OWNER_FIELDS || v->owner.f[needs].present;

	if (v->saved && v->saved->kind != SCAN_SAVED && has && sources[key].saved & UNREAD)
		return dump_usage(v->dump, "%s: not read from the text '%s', even where it has it",
				  name, v->saved->path);
	if (v->saved && v->saved->kind != SCAN_SAVED)
		return has && sources[key].saved & v->saved->kind
			       ? ST_OK
			       : dump_usage(v->dump, "%s: not in the file '%s'", name,
					    v->saved->path);
	if (v->saved && !(sources[key].saved & SCAN_SAVED))
		return dump_usage(v->dump, "%s: not part of a saved scan", name);
	if (!has && !v->has_owner && v->owner_problem)
		return dump_usage(v->dump, "%s: not recorded by this kernel: %s", name,
				  v->owner_problem);
	return has ? ST_OK : dump_usage(v->dump, "%s: not recorded by this kernel", name);
}

/* Whether the kernel was told to merge no caches. */
static bool merges_none(struct dump *d)
{
	uint64_t variable;
	uint8_t nomerge; /* a bool, whose type BTF does not have */

	return dump_symbol(d, "slab_nomerge", &variable) == ST_OK &&
	       dump_read(d, variable, &nomerge, sizeof(nomerge), "slab_nomerge") == ST_OK &&
	       nomerge;
}

void cache_other_names(struct dump *d, struct other_names *ret)
{
	struct slab_alias *found;
	enum status st = slab_aliases_read(d, &found);

	ret->how = "is merged into";
	if (st != ST_OK && !merges_none(d))
		ret->unknown =
			"it may be merged into another cache: the names of those are unknown";
	for (const struct slab_alias *a = found; a; a = a->next) {
		struct other_name *o;

		/* A link of its own name is no other one. */
		if (a->server && !strcmp(a->server, a->name))
			continue;
		o = dump_alloc(d, sizeof(*o));
		*o = (struct other_name){ .next = ret->first,
					  .name = a->name,
					  .holder = a->server };
		ret->first = o;
	}
}

void object_other_names(struct dump *d, struct other_names *ret)
{
	static struct other_name large = {
		.name = "[large kmalloc]",
		.text = "[large kmalloc] is pages without objects, which memowner caches has",
	};

	cache_other_names(d, ret);
	large.next = ret->first;
	ret->first = &large;
}
