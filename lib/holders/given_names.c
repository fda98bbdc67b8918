// SPDX-License-Identifier: GPL-2.0-or-later
/* Names that an administrator gave to what objects are: the network device of a queue, items of configfs inside of them. */
#include "holders/steps.h"
#include "holders/types.h"
#include "util/strbuf.h"
#include "util/utf8.h"

#define NAME 64
#define LONG_NAME 256 /* NAME_MAX, and its end */
#define LEVELS 3
#define ITEMS 4u      /* of a list; of more a number */
#define BYTES 16384u  /* of an object that are looked at */
#define LIST_TEXT 320 /* of their names */

/* From a structure by pointers to the one that has the name as an array of characters, which is the last member. */
static const struct given {
	const char *type;
	struct {
		const char *type, *member;
	} steps[LEVELS];
} givens[] = {
	/* include/net/sch_generic.h, include/linux/netdevice.h */
	{ "struct Qdisc",
	  { { "struct Qdisc", "dev_queue" },
	    { "struct netdev_queue", "dev" },
	    { "struct net_device", "name" } } },
};

static const char *name_of(struct dump *d, const struct given *of, uint64_t at)
{
	char name[NAME];
	struct field f;

	for (unsigned int i = 0; i < LEVELS; i++) {
		if (dump_ask(d, member, of->steps[i].type, of->steps[i].member, &f) != ST_OK ||
		    !f.present)
			return NULL;
		if (i + 1 < LEVELS &&
		    (dump_u64(d, at + f.offset, &at, of->steps[i].type) != ST_OK || !at))
			return NULL;
	}
	if (dump_string(d, at + f.offset, name, sizeof(name), "name of a device") != ST_OK)
		return NULL;
	printable(name);
	return *name ? dump_strdup(d, name) : NULL;
}

const char *holder_device_of(struct dump *d, const char *type, uint64_t at)
{
	const struct given *of = FIND_IN(givens, ARRAY_SIZE(givens), !strcmp(type, found->type));

	return of ? name_of(d, of, at) : NULL;
}

const char *holder_typed_device(struct holders *h, uint32_t node)
{
	const struct span *s = graph_span_of(&h->graph, node);
	unsigned int fit;
	uint16_t number = h->types && s->kind == NODE_OBJECT ? holder_step_type(h, node, &fit) : 0;
	const struct graph_type *t = number ? &h->types->types[number - 1] : NULL;

	return t && !t->is_array && t->t.name
		       ? holder_device_of(h->graph.dump, t->t.name, span_address(s, node))
		       : NULL;
}

/* struct config_item (include/linux/configfs.h): a name of less than 20 bytes is inside of it, another one elsewhere. */
struct items {
	struct field name, buf, parent, dentry;
	struct field file; /* the name of a dentry */
	uint8_t bytes[BYTES];
};

/* Of config_item_set_name(), where it is too long: the directory of the item has the same one. */
static const char *long_name(struct dump *d, const struct items *x, uint64_t name, uint64_t dentry)
{
	char text[LONG_NAME], file[LONG_NAME];
	uint64_t at;
	const bool has = name && dentry && x->dentry.present && x->file.present &&
			 dump_u64(d, dentry + x->file.offset, &at, "struct dentry") == ST_OK &&
			 at && dump_string(d, name, text, sizeof(text), "name") == ST_OK &&
			 strlen(text) >= x->buf.size &&
			 dump_string(d, at, file, sizeof(file), "name") == ST_OK &&
			 !strcmp(text, file);

	d->error[0] = '\0';
	if (!has)
		return NULL;
	printable(text);
	return dump_strdup(d, text);
}

/* The item that a directory of configfs is, and none of the groups that it has inside: its parent is elsewhere. */
static const char *item_in(struct dump *d, struct items *x, uint64_t object, uint32_t bytes)
{
	const uint32_t size = x->buf.offset + x->buf.size;

	if (dump_try(d, object, x->bytes, bytes) != ST_OK)
		return NULL;
	for (uint32_t at = 0; at + size <= bytes && at + x->parent.offset + 8 <= bytes; at += 8) {
		const char *name = (const char *)x->bytes + at + x->buf.offset, *other;
		const uint64_t parent = le64(x->bytes + at + x->parent.offset);
		const uint64_t pointer = le64(x->bytes + at + x->name.offset);
		char text[NAME];

		if (!parent || (parent >= object && parent < object + bytes))
			continue;
		if (pointer != object + at + x->buf.offset) {
			other = at + x->dentry.offset + 8 <= bytes
					? long_name(d, x, pointer,
						    le64(x->bytes + at + x->dentry.offset))
					: NULL;
			if (other)
				return other;
			continue;
		}
		if (!*name || !memchr(name, 0, x->buf.size) || x->buf.size > sizeof(text))
			continue;
		memcpy(text, name, x->buf.size);
		printable(text);
		return dump_strdup(d, text);
	}
	return NULL;
}

static bool open_items(struct dump *d, struct items *x)
{
	static const char type[] = "struct config_item";

	if (dump_ask(d, member, type, "ci_dentry", &x->dentry) != ST_OK ||
	    dump_ask(d, member, "struct dentry", "d_name.name", &x->file) != ST_OK)
		x->file.present = false;
	return dump_ask(d, member, type, "ci_name", &x->name) == ST_OK && x->name.present &&
	       dump_ask(d, member, type, "ci_namebuf", &x->buf) == ST_OK && x->buf.present &&
	       dump_ask(d, member, type, "ci_parent", &x->parent) == ST_OK && x->parent.present &&
	       x->buf.size;
}

const char *holder_item_names(struct holders *h, uint32_t node)
{
	const struct graph *g = &h->graph;
	const struct span *like = graph_span_of(g, node);
	struct strbuf b = STRBUF_OF(LIST_TEXT);
	struct items *x;
	unsigned int n = 0;

	if (like->kind != NODE_OBJECT || like->stride > BYTES || !graph_module(g, g->tags[node]))
		return NULL;
	x = dump_alloc(g->dump, sizeof(*x));
	if (!open_items(g->dump, x))
		return NULL;
	for (uint32_t i = 0; i < g->nodes; i++) {
		const struct span *s;
		const char *name;

		if (g->tags[i] != g->tags[node] || graph_is_dead(g, i))
			continue;
		s = graph_span_of(g, i);
		if (s->kind != NODE_OBJECT || s->group != like->group)
			continue;
		name = item_in(g->dump, x, span_address(s, i), s->stride);
		if (name && n++ < ITEMS)
			strbuf_add(&b, "%sconfigfs item %s", strbuf_between(&b, ", "), name);
	}
	if (n > ITEMS)
		strbuf_add(&b, " and %u more", n - ITEMS);
	return n ? arena_strdup(g->arena, b.buf) : NULL;
}
