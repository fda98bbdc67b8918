// SPDX-License-Identifier: GPL-2.0-or-later
/* Memory that no root leads to and that begins as a frame of Ethernet does: whose device has one of its addresses. */
#include "holders/alike.h"
#include "holders/content.h"
#include "memowner/summary.h"
#include "memowner/verdict_words.h"
#include "net/net_devices.h"

#define ADDRESS 6u

struct search {
	struct summary *s;
	struct alike of;
	struct net_device found;
	unsigned int n; /* devices that have one of the addresses */
};

/* Bytes from a place on, which nearly all have, are an address of one station: that of loopback is zero, a group's is odd. */
static bool has_address(const struct alike *a, unsigned int from, const uint8_t *address)
{
	static const uint8_t none[ADDRESS];

	return (a->same >> from & 0x3f) == 0x3f && !(address[0] & 1) &&
	       memcmp(address, none, ADDRESS) != 0 && !memcmp(a->start + from, address, ADDRESS);
}

static enum status visit(void *arg, const struct net_device *device)
{
	struct search *x = arg;
	uint8_t address[ADDRESS];
	enum status st;

	if (!device->hardware)
		return ST_OK;
	st = dump_try(x->s->dump, device->hardware, address, sizeof(address));
	if (st == ST_OK &&
	    (has_address(&x->of, 0, address) || has_address(&x->of, ADDRESS, address))) {
		x->found = *device;
		x->n++;
	}
	return st;
}

const char *summary_frame_device(struct summary *s, const struct alike *of,
				 const struct modules *modules, const char **driver)
{
	struct search x = { .s = s, .of = *of };
	const struct module *module;
	enum status st;

	*driver = NULL;
	if (!content_ethernet(s->dump->arena, of->start, of->same, of->n))
		return NULL;
	st = net_devices_walk(s->dump, visit, &x);
	if (st != ST_OK && st != ST_ABSENT)
		dump_lacks(s->dump, "whose addresses lost frames have", st, "%s",
			   dump_why(s->dump));
	s->dump->error[0] = '\0';
	if (x.n != 1)
		return NULL;
	module = modules_find(modules, x.found.operations);
	*driver = module ? module->name : NULL;
	return dump_strdup(s->dump, x.found.name);
}

const char *summary_alike_module(const struct summary *s)
{
	for (const struct statement *row = s->first[SECTION_CANDIDATE]; row; row = row->next)
		if (row->owner)
			return row->owner;
	return NULL;
}

const char *summary_lost_keeper(const struct summary *s)
{
	return ANY_NEXT(row, s->first[SECTION_CANDIDATE], row->owner && row->kept_by)
		       ? NULL
		       : summary_alike_module(s);
}
