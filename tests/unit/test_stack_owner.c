// SPDX-License-Identifier: GPL-2.0-or-later
/* What the stack behind a handle is counted for, without keeping it. */
#include "stub.h"
#include "symbols/symbolize.h"
#include "test.h"

#define TEXT 0xffffffff81000000ULL
#define TEXT_END 0xffffffff82000000ULL
#define MOD_TEXT 0xffffffffc0000000ULL
#define HEAD 0x1000ULL
#define MODULE 0x2000ULL
#define POOLS 0x3000ULL
#define USED 0x4000ULL
#define POOL 0x10000ULL
#define DEEP 40 /* frames: more than are read with a header */

struct record {
	uint32_t size, handle;
	uint64_t frames[DEEP];
};

static struct {
	uint32_t state, pad;
	uint64_t next, prev;
	char name[56];
	struct {
		uint64_t base;
		uint32_t size, pad;
	} mem[1];
} module = { .next = HEAD, .name = "leaky", .mem = { { MOD_TEXT, 0x1000, 0 } } };
static const uint64_t list_head[2] = { MODULE + 8, MODULE + 8 };
static const uint64_t pools[2] = { POOL, 0 };
static const uint32_t pools_num = 1;

/* The offset is in units of 16 bytes: a record each 512. */
#define HANDLE(i) (1U | (uint32_t)((i)*32) << 17)
enum { OF_IMAGE, OF_MODULE, DEEP_STACK, RECORDS };
static struct {
	struct record r;
	uint8_t pad[512 - sizeof(struct record)];
} records[RECORDS];

static const struct stub_symbol symbols[] = {
	{ .name = "_stext", .addr = TEXT },
	{ .name = "_end", .addr = TEXT_END },
	{ .name = "modules", .addr = HEAD },
	{ "stack_pools", POOLS, KINDED(KIND_ARRAY, 0, sizeof(pools)) },
	{ "pools_num", USED, FIELD(0, 4) },
	{ 0 },
};
static const struct stub_member members[] = {
	{ "struct module", "state", FIELD(0, 4) },
	{ "struct module", "list", KINDED(KIND_STRUCT, 8, 16) },
	{ "struct module", "name", KINDED(KIND_ARRAY, 24, 56) },
	{ "struct module", "mem", KINDED(KIND_ARRAY, 80, 16) },
	{ "struct module_memory", "base", FIELD(0, 8) },
	{ "struct module_memory", "size", FIELD(8, 4) },
	{ "union handle_parts", "pool_index_plus_1", BITS(0, 4, 0, 17) },
	{ "union handle_parts", "offset", BITS(0, 4, 17, 10) },
	{ "struct stack_record", "size", FIELD(0, 4) },
	{ "struct stack_record", "handle", FIELD(4, 4) },
	{ "struct stack_record", "entries", KINDED(KIND_ARRAY, 8, 0) },
	{ 0 },
};
static const struct stub_number sizes[] = { { "struct module_memory", 16 },
					    { "union handle_parts", 4 },
					    { 0 } };
static const struct stub_number enumerators[] = { { "MODULE_STATE_UNFORMED", 3 }, { 0 } };
static const struct stub_memory memory[] = {
	{ HEAD, list_head, sizeof(list_head) },
	{ MODULE, &module, sizeof(module) },
	{ POOLS, pools, sizeof(pools) },
	{ USED, &pools_num, sizeof(pools_num) },
	/* Of the last record nothing behind its frames is in the dump. */
	{ POOL, records, sizeof(records) - sizeof(records[0].pad) },
	{ 0 },
};

static void lay(unsigned int i, unsigned int n, uint64_t second)
{
	records[i].r = (struct record){ .size = n, .handle = HANDLE(i) };
	for (unsigned int k = 0; k < n; k++)
		records[i].r.frames[k] = TEXT + 0x100 * i + k;
	records[i].r.frames[1] = second;
}

static void open_cache(struct stub *s, struct stack_cache *c)
{
	*s = (struct stub){ .memory = memory,
			    .symbols = symbols,
			    .members = members,
			    .sizes = sizes,
			    .enumerators = enumerators };
	lay(OF_IMAGE, 3, TEXT + 0x1010);
	lay(OF_MODULE, 3, MOD_TEXT + 0x1a0);
	lay(DEEP_STACK, DEEP, TEXT + 1);
	records[DEEP_STACK].r.frames[DEEP - 1] = MOD_TEXT + 0x20;
	stub_open(s);
	CHECK(stack_cache_open(&s->dump, c) == ST_OK);
}

static void callers_and_modules(void)
{
	struct stack_owner owner;
	struct stack_cache c;
	struct stub s;

	open_cache(&s, &c);
	CHECK(stack_cache_owner(&c, HANDLE(OF_IMAGE), &owner));
	CHECK_TEXT(owner.module, "vmlinux");
	CHECK(owner.caller && owner.caller->addr == TEXT);
	CHECK(stack_cache_owner(&c, HANDLE(OF_MODULE), &owner));
	CHECK_TEXT(owner.module, "leaky");
	CHECK(owner.caller && owner.caller->addr == TEXT + 0x100);
	CHECK(stack_cache_owner(&c, HANDLE(DEEP_STACK), &owner));
	CHECK_TEXT(owner.module, "leaky");
	/* No frame of the image was looked up behind a caller. */
	CHECK(c.symbols.cache.n == 3 + 2);
	CHECK(!stack_cache_owner(&c, HANDLE(RECORDS), &owner));
	CHECK(!owner.caller && !owner.module);
	stub_close(&s);
}

/* A list of modules that is damaged may say so. */
static void a_module_within_the_image(void)
{
	struct stack_owner owner;
	struct stack_cache c;
	struct stub s;

	module.mem[0].base = TEXT + 0x1000;
	open_cache(&s, &c);
	CHECK(stack_cache_owner(&c, HANDLE(OF_IMAGE), &owner));
	CHECK_TEXT(owner.module, "leaky");
	stub_close(&s);
	module.mem[0].base = MOD_TEXT;
}

/* Each record's own, whichever was read last. */
static void frames_of_a_record_before(void)
{
	struct depot_stack first, second;
	struct stack_cache c;
	struct stub s;

	open_cache(&s, &c);
	CHECK(depot_find(&c.depot, HANDLE(OF_MODULE), &first) == ST_OK);
	CHECK(depot_find(&c.depot, HANDLE(OF_IMAGE), &second) == ST_OK);
	CHECK(depot_frames(&c.depot, &first) == ST_OK && first.frames[1] == MOD_TEXT + 0x1a0);
	CHECK(depot_frames(&c.depot, &second) == ST_OK && second.frames[1] == TEXT + 0x1010);
	CHECK(depot_frames(&c.depot, &first) == ST_OK && first.frames[1] == MOD_TEXT + 0x1a0);
	stub_close(&s);
}

TESTS({ "owner of a stack: caller and module", callers_and_modules },
      { "owner of a stack: a module within the image", a_module_within_the_image },
      { "stack depot: frames of a record that was found before another",
	frames_of_a_record_before })
