// SPDX-License-Identifier: GPL-2.0-or-later
/* Free objects, references to tags and tracks in slabs of every form. */
#include <string.h>

#include "alloctag/page_tag.h"
#include "mm/slub.h"
#include "mm/slub_track.h"
#include "stub.h"
#include "test.h"

#define BASE 0xffff888000100000ULL
#define VECTOR 0xffff888000200000ULL
#define SIZE 64
#define OBJECTS 8

static uint64_t memory[OBJECTS * SIZE / 8], vector[64];

static const struct stub_memory parts[] = {
	{ BASE, memory, sizeof(memory) },
	{ VECTOR, vector, sizeof(vector) },
	{ 0 },
};

static struct slab_cache cache;
static struct slab slab;
static struct slabs slabs;

static void open_slab(struct stub *s)
{
	static uint8_t exts[65536];

	memset(memory, 0, sizeof(memory));
	memset(vector, 0, sizeof(vector));
	*s = (struct stub){ .memory = parts };
	stub_open(s);
	cache = (struct slab_cache){ .address = 1, .size = SIZE, .bytes = 56, .offset = 16 };
	slab = (struct slab){ .cache = &cache, .address = BASE, .objects = OBJECTS };
	slabs = (struct slabs){ .dump = &s->dump, .exts = exts };
	hash_u64_init(&slabs.sheaves, &s->arena, 1);
}

static uint64_t word_at(unsigned int i)
{
	return BASE + i * SIZE + cache.pad + cache.offset;
}

/* Object i is followed by object next, or by none. */
static void link(unsigned int i, int next, bool swab)
{
	uint64_t at = word_at(i), v = next < 0 ? 0 : BASE + next * SIZE + cache.pad;

	if (cache.random)
		v ^= cache.random ^ (swab ? __builtin_bswap64(at) : at);
	memory[(at - BASE) / 8] = v;
}

static enum status walk(unsigned int first, uint64_t *ret)
{
	static uint64_t bits[SLAB_FREE_WORDS];
	enum status st;

	slab.freelist = slab_object(&slab, first);
	st = slab_free_objects(&slabs, &slab, bits);
	*ret = bits[0];
	return st;
}

static void test_free_lists(void)
{
	static const struct {
		uint64_t random;
		bool swab;
		uint32_t pad;
	} forms[] = { { 0, false, 0 },
		      { 0x123456789abcdef0, true, 0 },
		      { 0x123456789abcdef0, false, 0 },
		      { 0, false, 8 } };
	struct stub s;
	uint64_t bits;

	for (size_t i = 0; i < sizeof(forms) / sizeof(forms[0]); i++) {
		open_slab(&s);
		cache.random = forms[i].random;
		cache.pad = forms[i].pad;
		link(5, 2, forms[i].swab);
		link(2, 7, forms[i].swab);
		link(7, -1, forms[i].swab);
		CHECK(walk(5, &bits) == ST_OK);
		CHECK(bits == (1 << 5 | 1 << 2 | 1 << 7));
		stub_close(&s);
	}
}

static void test_broken_lists(void)
{
	struct stub s;
	uint64_t bits;

	open_slab(&s);
	link(1, 2, false);
	link(2, 1, false);
	CHECK(walk(1, &bits) == ST_CORRUPT); /* in circles */
	CHECK(bits == (1 << 1 | 1 << 2));
	memory[(word_at(2) - BASE) / 8] = BASE + 3 * SIZE + 8;
	CHECK(walk(1, &bits) == ST_CORRUPT); /* into an object */
	memory[(word_at(2) - BASE) / 8] = BASE + OBJECTS * SIZE;
	CHECK(walk(1, &bits) == ST_CORRUPT); /* behind the slab */
	cache.random = 77;
	CHECK(walk(1, &bits) == ST_CORRUPT); /* nothing that was mixed */
	slab.freelist = 0;
	cache.random = 0;
	CHECK(slab_free_objects(&slabs, &slab, (uint64_t[SLAB_FREE_WORDS]){ 0 }) == ST_OK);
	stub_close(&s);
}

static void test_sheaves(void)
{
	struct stub s;
	uint64_t bits;
	bool is_new;

	open_slab(&s);
	link(0, -1, false);
	hash_u64_get(&slabs.sheaves, slab_object(&slab, 4), &is_new);
	hash_u64_get(&slabs.sheaves, slab_object(&slab, 4) + 8, &is_new);
	CHECK(walk(0, &bits) == ST_OK);
	CHECK(bits == (1 | 1 << 4));
	stub_close(&s);
}

/* A struct per object, a stride of its own, one or two pointers, or in the object. */
static void test_tags(void)
{
	static const struct {
		uint64_t exts;
		uint32_t stride, tag;
	} forms[] = {
		{ VECTOR, 16, 8 }, { VECTOR, 8, 0 }, { VECTOR + 8, 16, 0 }, { BASE + 48, SIZE, 8 }
	};
	struct stub s;
	uint64_t tag;

	for (size_t i = 0; i < sizeof(forms) / sizeof(forms[0]); i++) {
		open_slab(&s);
		slab.exts = forms[i].exts;
		slab.stride = forms[i].stride;
		slab.tag = forms[i].tag;
		for (unsigned int o = 0; o < OBJECTS; o++) {
			uint64_t at = slab.exts + o * slab.stride + slab.tag;

			if (at >= VECTOR)
				vector[(at - VECTOR) / 8] = 0x1000 + o;
			else
				memory[(at - BASE) / 8] = 0x1000 + o;
		}
		/* From the first on, as the context reads them, and one alone. */
		CHECK(slab_tag(&slabs, &slab, 3, &tag) == ST_OK && tag == 0x1003);
		for (unsigned int o = 0; o < OBJECTS; o++)
			CHECK(slab_tag(&slabs, &slab, o, &tag) == ST_OK && tag == 0x1000 + o);
		stub_close(&s);
	}
	open_slab(&s);
	CHECK(slab_tag(&slabs, &slab, 0, &tag) == ST_ABSENT);
	slab.exts = VECTOR + sizeof(vector);
	slab.stride = 8;
	CHECK(slab_tag(&slabs, &slab, 0, &tag) == ST_UNREADABLE);
	stub_close(&s);
}

static void test_index(void)
{
	struct stub s;
	uint32_t i;

	open_slab(&s);
	CHECK(slab_index(&slab, BASE + 3 * SIZE + 60, &i) == ST_OK && i == 3);
	CHECK(slab_index(&slab, BASE - 1, &i) == ST_ABSENT);
	CHECK(slab_index(&slab, BASE + OBJECTS * SIZE, &i) == ST_ABSENT);
	stub_close(&s);
}

static const struct stub_member old_track[] = {
	{ "struct track", "addr", FIELD(0, 8) },  { "struct track", "addrs", FIELD(8, 16) },
	{ "struct track", "cpu", FIELD(24, 4) },  { "struct track", "pid", FIELD(28, 4) },
	{ "struct track", "when", FIELD(32, 8) }, { 0 }
};
static const struct stub_number old_size[] = { { "struct track", 40 }, { 0 } };

static void test_tracks(void)
{
	struct slub_tracks t;
	struct slub_track track;
	struct stub s;

	open_slab(&s);
	s.members = old_track;
	s.sizes = old_size;
	CHECK(slub_tracks_open(&s.dump, &t) == ST_OK);
	CHECK(slub_track_at(&t, &slab, 0, false, &track) ==
	      ST_ABSENT); /* no tracks in this cache */
	cache.has_tracks = true;
	cache.size = 128;
	cache.bytes = 8;
	cache.info = 16;
	slab.objects = 4;
	CHECK(slub_track_at(&t, &slab, 1, false, &track) == ST_ABSENT); /* never */
	memory[(128 + 16) / 8] = 0xffffffff81000010;
	memory[(128 + 24) / 8] = 0xffffffff81000020;
	memory[(128 + 32) / 8] = UINT64_MAX;
	memory[(128 + 40) / 8] = 42ULL << 32;
	CHECK(slub_track_at(&t, &slab, 1, false, &track) == ST_OK);
	CHECK(track.pid == 42 && track.n == 1 && track.frames[0] == 0xffffffff81000020);
	CHECK(!track.has_age); /* nobody knows how long a jiffy is */
	cache.info = 49;
	CHECK(slub_track_at(&t, &slab, 1, true, &track) == ST_CORRUPT); /* out of the slot */
	stub_close(&s);
}

TESTS({ "free lists, plain and mixed", test_free_lists }, { "broken ones", test_broken_lists },
      { "sheaves", test_sheaves }, { "references to tags", test_tags }, { "objects", test_index },
      { "tracks with frames of their own", test_tracks })
