// SPDX-License-Identifier: GPL-2.0-or-later
/* Devices that objects are, or have inside: their struct device names the type of all devices. */
#include "graph/holders.h"
#include "util/printable.h"

#define DEVICE_NAME 64
#define DEVICE_BYTES 8192u /* of an object that are looked at */

struct devices {
	uint64_t type;	/* device_ktype; 0: unknown */
	uint64_t least; /* bytes of a struct device */
	struct field of_type, name;
	uint8_t bytes[DEVICE_BYTES];
};

static struct devices *open_devices(struct holders *h)
{
	struct dump *d = h->graph.dump;
	struct devices *x = dump_alloc(d, sizeof(*x));

	if (dump_symbol(d, "device_ktype", &x->type) != ST_OK ||
	    dump_ask(d, member, "struct device", "kobj.ktype", &x->of_type) != ST_OK ||
	    dump_ask(d, member, "struct device", "kobj.name", &x->name) != ST_OK ||
	    dump_ask(d, type_size, "struct device", &x->least) != ST_OK || !x->of_type.present ||
	    !x->name.present)
		x->type = 0;
	return x;
}

/* The name of a struct device whose member kobj.ktype is at a byte of an object. */
static const char *name_at(const struct holders *h, uint64_t object, uint32_t at)
{
	const struct devices *x = h->devices;
	struct dump *d = h->graph.dump;
	char name[DEVICE_NAME];
	uint64_t text;

	if (at < x->of_type.offset ||
	    dump_u64(d, object + at - x->of_type.offset + x->name.offset, &text, "device") !=
		    ST_OK ||
	    !text || dump_string(d, text, name, sizeof(name), "name of a device") != ST_OK)
		return NULL;
	printable(name);
	return *name ? arena_strdup(d->arena, name) : NULL;
}

const char *holder_device_name(struct holders *h, uint32_t node)
{
	const struct span *s = graph_span_of(&h->graph, node);
	uint64_t object = span_address(s, node);
	uint32_t bytes = s->stride < DEVICE_BYTES ? s->stride : DEVICE_BYTES;

	if (!h->devices)
		h->devices = open_devices(h);
	if (s->kind != NODE_OBJECT || !h->devices->type || bytes < h->devices->least ||
	    dump_try(h->graph.dump, object, h->devices->bytes, bytes) != ST_OK)
		return NULL;
	for (uint32_t i = 0; i + 8 <= bytes; i += 8)
		if (le64(h->devices->bytes + i) == h->devices->type)
			return name_at(h, object, i);
	return NULL;
}
