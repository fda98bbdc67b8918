// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What objects have inside: devices, as their struct device names the type of all devices, and work that waits in a
 * workqueue.
 */
#include "holders/steps.h"
#include "tasks/task.h"
#include "util/utf8.h"

#define DEVICE_NAME 64
#define DEVICE_BYTES 8192u /* of an object that are looked at */
#define NEAR_NODES 64u	   /* behind one whose work may run already */

struct devices {
	uint64_t type;	/* device_ktype; 0: unknown */
	uint64_t least; /* bytes of a struct device */
	struct field of_type, name;
	struct field release, size, data; /* of memory that a device frees when its driver goes */
	struct field of_net;		  /* the device of a struct net_device */
	uint32_t net_private;		  /* where netdev_priv() is in it; 0: unknown */
	struct field work, entry, func, workqueue; /* of work, and of a pool_workqueue */
	int64_t waits, queued; /* bits: work waits; the word leads to a pool_workqueue */
	int64_t shift;	       /* bits below that address */
	bool knows_work;
	struct kthread_names names;
	uint8_t bytes[DEVICE_BYTES];
};

static struct field member(struct dump *d, const char *type, const char *name)
{
	struct field ret;

	return dump_ask(d, member, type, name, &ret) == ST_OK ? ret : (struct field){ 0 };
}

/* WORK_STRUCT_PWQ_SHIFT is where the address begins; kernels without it have that behind all flags. */
static bool find_work(struct dump *d, struct devices *x)
{
	return x->work.present && x->entry.present && x->func.present && x->workqueue.present &&
	       dump_ask(d, enumerator, "WORK_STRUCT_PENDING", &x->waits) == ST_OK &&
	       dump_ask(d, enumerator, "WORK_STRUCT_PWQ", &x->queued) == ST_OK &&
	       (dump_ask(d, enumerator, "WORK_STRUCT_PWQ_SHIFT", &x->shift) == ST_OK ||
		dump_ask(d, enumerator, "WORK_STRUCT_FLAG_BITS", &x->shift) == ST_OK) &&
	       x->shift > 0 && x->shift < 32;
}

/*
 * 13cabc47f8ae (6.12) made it a member.  Before it stands behind the structure, aligned to NETDEV_ALIGN, which is
 * no type: where a whole cache line ends the structure, nothing is between them.
 */
#define CACHE_LINE 64u

uint32_t net_private_offset(struct dump *d)
{
	struct field priv = member(d, "struct net_device", "priv");
	uint64_t bytes;

	if (priv.present)
		return priv.offset;
	if (dump_ask(d, type_size, "struct net_device", &bytes) != ST_OK || bytes % CACHE_LINE ||
	    bytes > DEVICE_BYTES)
		return 0;
	return (uint32_t)bytes;
}

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
	x->release = member(d, "struct devres_node", "release");
	x->size = member(d, "struct devres_node", "size");
	x->data = member(d, "struct devres", "data");
	x->of_net = member(d, "struct net_device", "dev");
	x->net_private = net_private_offset(d);
	x->work = member(d, "struct work_struct", "data");
	x->entry = member(d, "struct work_struct", "entry");
	x->func = member(d, "struct work_struct", "func");
	x->workqueue = member(d, "struct pool_workqueue", "wq");
	x->knows_work = find_work(d, x);
	kthread_names_open(d, &x->names);
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
	return *name ? dump_strdup(d, name) : NULL;
}

/* Where an object has a device, in bytes of h->devices; false: nowhere. */
static bool find_device(struct holders *h, uint32_t node, uint32_t *at)
{
	const struct span *s = graph_span_of(&h->graph, node);
	uint64_t object = span_address(s, node);
	uint32_t bytes = s->stride < DEVICE_BYTES ? s->stride : DEVICE_BYTES;

	if (!h->devices)
		h->devices = open_devices(h);
	if (s->kind != NODE_OBJECT || !h->devices->type || bytes < h->devices->least ||
	    dump_try(h->graph.dump, object, h->devices->bytes, bytes) != ST_OK)
		return false;
	for (*at = 0; *at + 8 <= bytes; *at += 8)
		if (le64(h->devices->bytes + *at) == h->devices->type)
			return true;
	return false;
}

const char *holder_device_name(struct holders *h, uint32_t node)
{
	uint32_t at;

	return find_device(h, node, &at)
		       ? name_at(h, span_address(graph_span_of(&h->graph, node), node), at)
		       : NULL;
}

uint32_t holder_net_private(struct holders *h, uint32_t node)
{
	const struct devices *x;
	uint32_t at;

	if (!find_device(h, node, &at))
		return 0;
	x = h->devices;
	return x->of_net.present && at == x->of_net.offset + x->of_type.offset ? x->net_private : 0;
}

bool holder_is_devres(struct holders *h, uint32_t node, uint64_t *bytes, uint32_t *at)
{
	const struct span *s = graph_span_of(&h->graph, node);
	uint64_t object = span_address(s, node), release;
	const struct devices *x = h->devices;
	const struct frame *f;

	if (!x || s->kind != NODE_OBJECT || !x->release.present ||
	    s->stride < x->release.offset + 8 || s->stride < x->data.offset ||
	    dump_u64(h->graph.dump, object + x->release.offset, &release, "devres") != ST_OK)
		return false;
	if (!x->size.present || !x->data.present ||
	    dump_u64(h->graph.dump, object + x->size.offset, bytes, "devres") != ST_OK ||
	    *bytes > s->stride - x->data.offset)
		*bytes = 0;
	*at = x->data.offset;
	f = symbolize(h->symbols, release);
	return f->symbol && !f->offset;
}

static bool is_function(struct holders *h, uint64_t word)
{
	const struct span *to;
	uint32_t node, place;

	return graph_find(&h->graph, word, &to, &node, &place) && to->kind == NODE_TEXT;
}

/*
 * Flags are in the low bits of a word that leads to a pool_workqueue, which is aligned for that.  Only work that waits
 * has the address there, only a worker that is not done with it leads to the next.
 */
static const char *queue_at(struct holders *h, const uint8_t *work)
{
	struct devices *x = h->devices;
	struct dump *d = h->graph.dump;
	uint64_t data = le64(work + x->work.offset), pool = data >> x->shift << x->shift, workqueue;
	char name[KTHREAD_NAME];
	const struct span *to;
	uint32_t node, place, variable;

	if (!(data & (uint64_t)x->waits) || !(data & (uint64_t)x->queued) ||
	    !is_function(h, le64(work + x->func.offset)) ||
	    !graph_find(&h->graph, pool, &to, &node, &place) ||
	    !graph_find(&h->graph, le64(work + x->entry.offset), &to, &node, &place) ||
	    dump_u64(d, pool + x->workqueue.offset, &workqueue, "pool_workqueue") != ST_OK ||
	    !graph_find(&h->graph, workqueue, &to, &node, &place) ||
	    !kthread_workqueue(&x->names, workqueue, name))
		return NULL;
	printable(name);
	variable = holders_variable(h, node, false);
	if (variable == ROOT_NONE)
		return dump_strdup(d, name);
	to = graph_span_of(&h->graph, variable);
	return to->kind != NODE_STATIC ? dump_strdup(d, name)
				       : dump_text(d, "%s, which is %s", name,
						   holder_symbol_name(h, to->start, to->group));
}

static const char *queue_of(struct holders *h, const struct span *s, uint32_t node)
{
	struct devices *x = h->devices;
	uint32_t bytes = s->stride < DEVICE_BYTES ? s->stride : DEVICE_BYTES;
	uint32_t end = x->func.offset + 8;
	const char *name = NULL;

	if (dump_try(h->graph.dump, span_address(s, node), x->bytes, bytes) != ST_OK)
		return NULL;
	for (uint32_t i = 0; i + end <= bytes && !name; i += 8)
		name = queue_at(h, x->bytes + i);
	return name;
}

const char *holder_queue_name(struct holders *h, uint32_t node)
{
	const struct graph *g = &h->graph;
	const struct span *s = graph_span_of(g, node);
	const char *ret = NULL;

	if (!h->devices)
		h->devices = open_devices(h);
	if (s->kind != NODE_OBJECT || !h->devices->knows_work || !graph_module(g, g->tags[node]))
		return NULL;
	for (uint32_t i = node; i < g->nodes && i - node < NEAR_NODES; i++) {
		const struct span *of = graph_span_of(g, i);
		const char *name = g->tags[i] == g->tags[node] && of->kind == s->kind &&
						   of->group == s->group && !graph_is_dead(g, i)
					   ? queue_of(h, of, i)
					   : NULL;

		if (name && ret && strcmp(name, ret) != 0)
			return NULL;
		ret = name ?: ret;
	}
	return ret;
}
