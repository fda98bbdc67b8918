// SPDX-License-Identifier: GPL-2.0-or-later
/* Disks whose driver is a module that has much memory by pointers, and where they are mounted: what an administrator calls it. */
#include "memowner/summary.h"

#include "files/disks.h"
#include "files/super_list.h"

#define DISKS 3u /* of a module that are told; of more a number */
#define TEXT 400

struct served {
	struct summary *s;
	struct modules modules;
	struct disks disks;
	uint64_t md; /* operations of disks of md; 0: none are known */
	struct field personality, owner, private, of_private, setting, stripes, width;
};

static bool ask(struct dump *d, const char *type, const char *name, struct field *ret)
{
	return dump_ask(d, member, type, name, ret) == ST_OK && ret->present;
}

/* Arrays of md: the driver of the disk is md_mod, that of the level another module (drivers/md/md.h, raid5.h). */
static void open_arrays(struct served *x)
{
	struct dump *d = x->s->dump;

	if (module_object_symbol(d, "md_mod", "md_fops", &x->md) != ST_OK ||
	    !ask(d, "struct mddev", "pers", &x->personality) ||
	    (!ask(d, "struct md_personality", "owner", &x->owner) &&
	     !ask(d, "struct md_personality", "head.owner", &x->owner)))
		x->md = 0;
	if (!ask(d, "struct mddev", "private", &x->private) ||
	    !ask(d, "struct r5conf", "mddev", &x->of_private) ||
	    !ask(d, "struct r5conf", "min_nr_stripes", &x->setting) ||
	    !ask(d, "struct r5conf", "max_nr_stripes", &x->stripes) ||
	    !ask(d, "struct r5conf", "pool_size", &x->width))
		x->private.present = false;
}

static uint64_t driver_of(struct served *x, const struct disk *disk)
{
	uint64_t personality, owner;

	if (!x->md || disk->operations != x->md)
		return disk->owner;
	return dump_u64(x->s->dump, disk->own + x->personality.offset, &personality, "mddev") ==
				       ST_OK &&
			       personality &&
			       dump_u64(x->s->dump, personality + x->owner.offset, &owner,
					"md_personality") == ST_OK
		       ? owner
		       : 0;
}

/* ", whose stripe_cache_size is 16384: stripes of 4 pages, 256.0M": of RAID 4, 5 and 6; each has a page for each disk. */
static void add_stripes(struct served *x, const struct disk *disk, const char *module,
			struct strbuf *b)
{
	struct dump *d = x->s->dump;
	uint64_t conf, of;
	uint32_t setting, stripes, width;

	if (strcmp(module, "raid456") != 0 || disk->operations != x->md || !x->md ||
	    !x->private.present ||
	    dump_u64(d, disk->own + x->private.offset, &conf, "mddev") != ST_OK ||
	    dump_u64(d, conf + x->of_private.offset, &of, "r5conf") != ST_OK || of != disk->own ||
	    dump_u32(d, conf + x->setting.offset, &setting, "r5conf") != ST_OK ||
	    dump_u32(d, conf + x->stripes.offset, &stripes, "r5conf") != ST_OK ||
	    dump_u32(d, conf + x->width.offset, &width, "r5conf") != ST_OK ||
	    (uint64_t)stripes * width > x->s->ram_pages)
		return;
	strbuf_add(b, ", whose stripe_cache_size is %u: %s of %u pages, %s", setting,
		   COUNT_OF(stripes, "stripe"), width,
		   SIZE_TEXT(((uint64_t)stripes * width) << d->page_shift));
}

static const char *disks_of(struct served *x, const char *name, const char **command)
{
	struct strbuf b = STRBUF_OF(TEXT);
	const struct module *m = x->modules.first;
	unsigned int n = 0;
	const char *mount;

	while (m && strcmp(m->name, name) != 0)
		m = m->next;
	for (const struct disk *disk = m ? x->disks.first : NULL; disk; disk = disk->next) {
		if (driver_of(x, disk) != m->address || n++ >= DISKS)
			continue;
		strbuf_add(&b, "%s of device %s", n > 1 ? " and" : "the driver", disk->name);
		if (super_of_disk(x->s->dump, disk->name, &mount) == ST_OK && mount) {
			strbuf_add(&b, ", mounted as %s", mount);
			*command = "memowner filesystems";
		}
		add_stripes(x, disk, name, &b);
	}
	if (n > DISKS)
		strbuf_add(&b, " and %u more", n - DISKS);
	return n ? dump_strdup(x->s->dump, b.buf) : NULL;
}

/* Not of a driver that has its memory for something else: what it serves is no claim that it is why. */
enum status summary_served(struct summary *s)
{
	struct served *x = NULL;

	for (struct statement *row = s->first[SECTION_CANDIDATE]; row; row = row->next) {
		enum status st = ST_OK;

		if (!row->module || row->kept_by || !row->pages.known ||
		    !summary_reaches(s, LIMIT_HOLDER, row->pages.n))
			continue;
		if (!x) {
			x = dump_alloc(s->dump, sizeof(*x));
			x->s = s;
			st = modules_open(s->dump, &x->modules) ?: disks_open(s->dump, &x->disks)
							       ?: disks_read(&x->disks);
			open_arrays(x);
		}
		if (st != ST_OK)
			return st;
		row->kept_by = disks_of(x, row->module, &row->command);
	}
	s->dump->error[0] = '\0';
	return ST_OK;
}
