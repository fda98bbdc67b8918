// SPDX-License-Identifier: GPL-2.0-or-later
#include "holders/armed.h"
#include "pages/kernel_map.h"

#define ARMED_BYTES TEXT_BYTES /* of an object that are looked at */

/* Of a node: it was not asked for, nothing is inside, or its kinds and functions are more than have a number. */
enum { FOUND_UNASKED, FOUND_NONE, FOUND_MANY, FOUND_NUMBER };

/* Members, by their place in the structure. */
enum { FUNCTION, ENTRY, STATE, BASE, EXPIRES, MEMBERS };

struct armed_objects {
	struct field timer[MEMBERS], hrtimer[MEMBERS], work[MEMBERS];
	struct field timer_of, work_of; /* of struct delayed_work */
	uint64_t delayed;		/* delayed_work_timer_fn; 0: unknown */
	int64_t waits;			/* bit of work->data; 0: unknown */
	uint16_t *found;	  /* by node: FOUND_*, or that and the number of what is inside */
	struct hash_u64 distinct; /* of struct armed, by function and kind */
	const struct armed **by_number;
	uint64_t text, text_end; /* where functions of modules are, at most */
	uint8_t bytes[ARMED_BYTES];
};

static struct field member(struct dump *d, const char *type, const char *name)
{
	struct field ret;

	return dump_ask(d, member, type, name, &ret) == ST_OK ? ret : (struct field){ 0 };
}

static void note(void *arg, uint32_t node, const uint8_t *bytes, uint32_t n);

void armed_open(struct holders *h)
{
	struct dump *d = h->graph.dump;
	struct armed_objects *x = dump_alloc(d, sizeof(*x));

	hash_u64_init(&x->distinct, d->arena, sizeof(struct armed));
	x->timer[FUNCTION] = member(d, "struct timer_list", "function");
	x->timer[ENTRY] = member(d, "struct timer_list", "entry");
	x->timer[EXPIRES] = member(d, "struct timer_list", "expires");
	x->hrtimer[FUNCTION] = member(d, "struct hrtimer", "function");
	x->hrtimer[BASE] = member(d, "struct hrtimer", "base");
	x->hrtimer[STATE] = member(d, "struct hrtimer", "state");
	/* A bool in 7.3. */
	if (!x->hrtimer[STATE].present)
		x->hrtimer[STATE] = member(d, "struct hrtimer", "is_queued");
	x->work[FUNCTION] = member(d, "struct work_struct", "func");
	x->work[ENTRY] = member(d, "struct work_struct", "entry");
	x->work[STATE] = member(d, "struct work_struct", "data");
	x->timer_of = member(d, "struct delayed_work", "timer");
	x->work_of = member(d, "struct delayed_work", "work");
	if (!dump_has_symbol(d, "delayed_work_timer_fn") ||
	    dump_symbol(d, "delayed_work_timer_fn", &x->delayed) != ST_OK)
		x->delayed = 0;
	x->waits = dump_enumerator_or(d, "WORK_STRUCT_PENDING", 0);
	h->armed = x;
	h->graph.names_text = note;
	h->graph.arg = h;
}

/* An object of a module that is looked at. */
struct object {
	const struct holders *h;
	const struct armed_objects *x;
	uint64_t address;
	const uint8_t *words;
	uint32_t bytes;
	uint16_t owner;
};

/* The word of a member of what begins at a byte; 0: it is not in the object. */
static uint64_t word(const struct object *o, uint64_t at, const struct field *f)
{
	at += f->offset;
	return f->present && at % 8 == 0 && at + 8 <= o->bytes ? le64(o->words + at) : 0;
}

static bool is_function(const struct object *o, uint64_t address)
{
	const struct span *to;
	uint32_t node, place;

	return address >= o->x->text && address < o->x->text_end &&
	       graph_find((struct graph *)&o->h->graph, address, &to, &node, &place) &&
	       to->kind == NODE_TEXT && to->group == o->owner;
}

/*
 * What is in front of a timer that is armed leads to it; a worker with its work is alike, but has an address there, and a
 * list that is empty, as a network device's of link events before its destructor, has nothing in front but itself.
 */
static bool is_armed(const struct object *o, uint64_t at)
{
	const struct field *entry = &o->x->timer[ENTRY];
	const struct field before = { .present = entry->present, .offset = entry->offset + 8 };
	const uint64_t self = o->address + at + entry->offset;
	uint64_t pprev = word(o, at, &before), back;

	return pprev && pprev != self &&
	       word(o, at, &o->x->timer[EXPIRES]) < kernel_half(o->h->graph.dump) &&
	       dump_u64(o->h->graph.dump, pprev, &back, "timer") == ST_OK && back == self;
}

static uint64_t find_timer(const struct object *o, uint64_t at)
{
	uint64_t function = word(o, at, &o->x->timer[FUNCTION]);

	return is_function(o, function) && is_armed(o, at) ? function : 0;
}

/* Its base is per-CPU memory of the kernel. */
static uint64_t find_hrtimer(const struct object *o, uint64_t at)
{
	const struct field *state = &o->x->hrtimer[STATE];
	uint64_t function = word(o, at, &o->x->hrtimer[FUNCTION]);
	const struct span *to;
	uint32_t node, place;

	if (!state->present || at + state->offset >= o->bytes || !o->words[at + state->offset] ||
	    !is_function(o, function))
		return 0;
	return graph_find((struct graph *)&o->h->graph, word(o, at, &o->x->hrtimer[BASE]), &to,
			  &node, &place) &&
			       to->kind == NODE_PERCPU && !to->group
		       ? function
		       : 0;
}

/* Until its timer expires. */
static uint64_t find_delayed(const struct object *o, uint64_t at)
{
	const struct armed_objects *x = o->x;
	uint64_t function = word(o, at + x->work_of.offset, &x->work[FUNCTION]);

	if (!x->timer_of.present || !x->work_of.present || !x->delayed ||
	    word(o, at + x->timer_of.offset, &x->timer[FUNCTION]) != x->delayed)
		return 0;
	return is_function(o, function) && is_armed(o, at + x->timer_of.offset) ? function : 0;
}

/* The entry is in a list of work. */
static uint64_t find_work(const struct object *o, uint64_t at)
{
	const struct armed_objects *x = o->x;
	uint64_t function = word(o, at, &x->work[FUNCTION]), next = word(o, at, &x->work[ENTRY]);
	const struct span *to;
	uint32_t node, place;

	return word(o, at, &x->work[STATE]) & (uint64_t)x->waits && is_function(o, function) &&
			       next != o->address + at + x->work[ENTRY].offset &&
			       graph_find((struct graph *)&o->h->graph, next, &to, &node, &place)
		       ? function
		       : 0;
}

/* Where the function stands in what a finder looks for. */
static uint64_t function_place(const struct armed_objects *x, enum armed_kind kind)
{
	switch (kind) {
	case ARMED_TIMER:
		return x->timer[FUNCTION].offset;
	case ARMED_HRTIMER:
		return x->hrtimer[FUNCTION].offset;
	case ARMED_DELAYED:
		return x->work_of.offset + x->work[FUNCTION].offset;
	default:
		return x->work[FUNCTION].offset;
	}
}

/* Most objects have no address of a function: only around one a structure is looked for. */
static void find(const struct object *o, struct armed *ret)
{
	static uint64_t (*const finders[])(const struct object *o, uint64_t at) = {
		[ARMED_TIMER] = find_timer,
		[ARMED_HRTIMER] = find_hrtimer,
		[ARMED_DELAYED] = find_delayed,
		[ARMED_WORK] = find_work,
	};

	uint64_t functions[ARMED_BYTES / 8];
	size_t n = 0;

	for (uint64_t at = 0; at < o->bytes; at += 8)
		if (is_function(o, le64(o->words + at)))
			functions[n++] = at;
	for (enum armed_kind kind = ARMED_TIMER; n && kind <= ARMED_WORK; kind++) {
		const uint64_t place = function_place(o->x, kind);

		for (size_t i = 0; i < n; i++) {
			ret->function = functions[i] < place
						? 0
						: finders[kind](o, functions[i] - place);
			if (!ret->function)
				continue;
			ret->kind = kind;
			return;
		}
	}
}

static uint16_t number_of(struct armed_objects *x, const struct armed *armed, struct arena *arena)
{
	bool is_new;
	struct armed *to = hash_u64_get(&x->distinct, armed->function << 3 | armed->kind, &is_new);

	if (!is_new)
		return to->number;
	*to = *armed;
	if (x->distinct.n > UINT16_MAX - FOUND_NUMBER)
		return 0;
	to->number = (uint16_t)x->distinct.n;
	x->by_number = arena_more(arena, x->by_number, to->number - 1u, sizeof(*x->by_number));
	x->by_number[to->number - 1] = to;
	return to->number;
}

/* Before the first object is looked at. */
static void start(struct armed_objects *x, const struct graph *g)
{
	x->found = arena_alloc(g->dump->arena, g->nodes * sizeof(*x->found) + 1);
	x->text = UINT64_MAX;
	for (uint32_t i = 0; i < g->spans.n; i++) {
		const struct span *s = graph_span(g, i);
		const uint64_t end = s->start + (uint64_t)s->stride * s->count;

		if (s->kind != NODE_TEXT)
			continue;
		x->text = s->start < x->text ? s->start : x->text;
		x->text_end = end > x->text_end ? end : x->text_end;
	}
}

/* Nothing is found where it is no object of a module, or cannot be read. */
static void look(const struct holders *h, uint32_t node, struct armed *ret)
{
	struct armed_objects *x = h->armed;
	const struct span *s = graph_span_of(&h->graph, node);
	const struct object o = { h,
				  x,
				  span_address(s, node),
				  x->bytes,
				  s->stride < ARMED_BYTES ? s->stride & ~7u : ARMED_BYTES,
				  h->graph.tags[node] };

	if (s->kind == NODE_OBJECT && graph_module(&h->graph, o.owner) &&
	    dump_try(h->graph.dump, o.address, x->bytes, o.bytes) == ST_OK)
		find(&o, ret);
}

static void keep(const struct holders *h, uint32_t node, struct armed *found)
{
	struct armed_objects *x = h->armed;

	x->found[node] = FOUND_NONE;
	if (!found->kind)
		return;
	found->number = number_of(x, found, h->graph.dump->arena);
	x->found[node] = found->number ? found->number - 1 + FOUND_NUMBER : FOUND_MANY;
}

static void note(void *arg, uint32_t node, const uint8_t *bytes, uint32_t n)
{
	const struct holders *h = arg;
	struct armed_objects *x = h->armed;
	const struct object o = { h,	 x, span_address(graph_span_of(&h->graph, node), node),
				  bytes, n, h->graph.tags[node] };
	struct armed found = { 0 };

	if (!x->found)
		start(x, &h->graph);
	find(&o, &found);
	keep(h, node, &found);
}

const struct armed *armed_of(const struct holders *h, uint32_t node)
{
	static const struct armed none;
	struct armed_objects *x = h->armed;
	struct armed found = { 0 };

	if (!x->found)
		start(x, &h->graph);
	if (node >= h->graph.nodes || x->found[node] == FOUND_NONE)
		return &none;
	if (x->found[node] >= FOUND_NUMBER)
		return x->by_number[x->found[node] - FOUND_NUMBER];
	look(h, node, &found);
	keep(h, node, &found);
	if (!found.kind)
		return &none;
	return hash_u64_find(&x->distinct, found.function << 3 | found.kind);
}

const char *armed_text(struct holders *h, uint32_t node)
{
	const struct armed *armed = armed_of(h, node);

	return armed->kind ? arena_text(h->graph.arena, "%s %s", armed_words[armed->kind],
					holder_symbol_name(h, armed->function, h->graph.tags[node]))
			   : NULL;
}
