// SPDX-License-Identifier: GPL-2.0-or-later
#include "collect/stuck_disks.h"

#include <stdlib.h>

#include "collect/stuck.h"
#include "util/strbuf.h"

static void note(const char **why, struct dump *d, enum status st)
{
	if (st != ST_OK && st != ST_ABSENT && st != ST_STOPPED && !*why)
		*why = dump_why(d);
}

static void open_disks(struct stuck_disks *x, struct dump *d)
{
	enum status st;

	x->is_open = true;
	hash_u64_init(&x->by_disk, d->arena, sizeof(struct stuck_disk));
	st = disks_open(d, &x->disks) ?: disk_waits_open(d, &x->disks, &x->waits) ?:
		disks_read(&x->disks);
	note(&x->why, d, st);
	x->why = x->why ?: x->disks.problem;
}

static struct stuck_disk *stuck_disk_of(struct stuck_disks *x, const struct disk *disk)
{
	bool is_new;
	struct stuck_disk *k = hash_u64_get(&x->by_disk, disk->address, &is_new);

	if (is_new) {
		k->disk = disk;
		k->next = x->first;
		x->first = k;
	}
	return k;
}

/* lib/wait_bit.c, fs/buffer.c: the entry is in the first of them, or in its caller, where that is inline. */
static const char *const buffer_waits[] = { "out_of_line_wait_on_bit", "__wait_on_buffer" };

/* The outermost frame may have no end. */
static struct disk_wait_frames frames_of(struct task_frames *at)
{
	const struct unwind *w = &at->frames;
	struct disk_wait_frames ret = { .from = w->f[0].sp };

	for (unsigned int i = 0; i < w->n; i++) {
		const char *name = task_frames_name(at, i);

		if (w->f[i].end > ret.to)
			ret.to = w->f[i].end;
		if (wait_of_sleeper(name) == WAIT_PAGE_LOCK)
			ret.page_to = ret.to;
		if (FUNCTION_FIND(buffer_waits, name))
			ret.buffer_to = ret.to;
	}
	return ret;
}

void stuck_disk_find(struct stuck_disks *x, struct dump *d, struct task_frames *at, bool page_lock,
		     struct stuck_task *s)
{
	struct disk_wait_frames frames;
	const struct disk *disk;
	struct stuck_disk *k;

	if (!x->is_open)
		open_disks(x, d);
	if (!at->frames.n || !x->disks.first || !x->waits.dump)
		return;
	frames = frames_of(at);
	if (disk_wait_find(&x->waits, s->task.address, &at->stack, &frames, &disk,
			   &s->disk_source) != ST_OK)
		return;
	k = stuck_disk_of(x, disk);
	s->disk = k;
	s->disk_is_inferred = page_lock || s->disk_source == DISK_WAIT_STACK;
	k->inferred += s->disk_is_inferred;
	k->waiting += !s->disk_is_inferred;
}

bool stuck_disk_is_kept(const struct stuck_disk *k)
{
	return k->requests.all_old ||
	       (k->has_mapped && (k->mapped.bios || (k->mapped.has_flags && k->waiting)));
}

static enum status read_requests(struct stuck_disks *x, struct dump *d)
{
	enum status st = all_requests_open(d, &x->requests);

	if (st == ST_OK)
		st = all_requests_read(&x->requests, &x->disks);
	note(&x->why_no_requests, d, st);
	x->why_no_requests = x->why_no_requests ?: x->requests.problem;
	if (st != ST_OK)
		return st == ST_STOPPED ? st : ST_OK;
	for (const struct disk *disk = x->disks.first; disk; disk = disk->next) {
		const struct disk_requests *r = all_requests_of(&x->requests, disk);

		if (r && (r->all_old || hash_u64_has(&x->by_disk, disk->address))) {
			struct stuck_disk *k = stuck_disk_of(x, disk);

			k->requests = *r;
			k->has_requests = !x->why_no_requests;
		}
	}
	return ST_OK;
}

/*
 * Whether a disk stands or is slow. Where requests are in flight, the oldest of them was accounted: what is older than that
 * says nothing, as where iostats are off.
 */
static void read_idle(struct stuck_disks *x, struct dump *d)
{
	struct disk_account account;
	const enum status st = disk_account_open(d, &account);
	uint64_t age;

	for (struct stuck_disk *k = x->first; st == ST_OK && k; k = k->next)
		if (k->requests.all_old && !k->requests.untimed &&
		    disk_account_age(&account, k->disk, &age) == ST_OK && age >= DISK_OLD_NS &&
		    age <= k->requests.oldest_ns + 2 * account.jiffies.tick_ns)
			k->idle_ns = age;
	d->error[0] = '\0';
}

/* Those that bios wait for, too, though no thread was found to. */
static void read_mapped(struct stuck_disks *x, struct dump *d)
{
	struct mapped_devices all;
	enum status st = mapped_devices_open(d, &all);

	/* Without its types: of disks that no thread waits for that is no gap. */
	for (struct stuck_disk *k = x->first; st != ST_OK && st != ST_ABSENT && k; k = k->next) {
		k->is_mapped = disk_is_mapped(&all, k->disk);
		if (k->is_mapped)
			note(&x->why_no_mapped, d, st);
	}
	for (const struct disk *disk = x->disks.first; st == ST_OK && disk && !dump_stopped(d);
	     disk = disk->next) {
		struct mapped_device mapped;
		struct stuck_disk *k;

		if (!disk_is_mapped(&all, disk))
			continue;
		st = mapped_device_read(&all, &x->disks, disk, &mapped);
		note(&x->why_no_mapped, d, st);
		if (st == ST_OK && !mapped.bios && !hash_u64_has(&x->by_disk, disk->address))
			continue;
		k = stuck_disk_of(x, disk);
		k->is_mapped = true;
		k->has_mapped = st == ST_OK;
		if (st == ST_OK)
			k->mapped = mapped;
		st = ST_OK;
	}
}

static void read_nbds(struct stuck_disks *x, struct dump *d)
{
	struct nbds all;
	enum status st = nbds_open(d, &all);

	for (struct stuck_disk *k = x->first; st != ST_ABSENT && k; k = k->next) {
		enum status of = st;

		k->is_nbd = disk_is_nbd(&all, k->disk);
		if (!k->is_nbd)
			continue;
		of = of ?: nbd_read(&all, k->disk, &k->nbd);
		note(&x->why_no_nbds, d, of);
		k->has_nbd = of == ST_OK;
	}
}

static void read_modules(struct stuck_disks *x, struct dump *d)
{
	struct modules modules;

	if (!x->first || modules_open(d, &modules) == ST_ABSENT)
		return;
	for (struct stuck_disk *k = x->first; k; k = k->next)
		for (const struct module *m = modules.first; m && k->disk->owner; m = m->next)
			if (m->address == k->disk->owner)
				k->module = m->name;
}

/* Without it, or its types, the driver of all SCSI disks is told. */
static void read_hosts(struct stuck_disks *x, struct dump *d)
{
	struct scsi_hosts hosts;

	if (x->first && scsi_hosts_open(d, &hosts) == ST_OK)
		for (struct stuck_disk *k = x->first; k; k = k->next)
			if (disk_is_scsi(&hosts, k->disk) &&
			    scsi_host_read(&hosts, k->disk, &k->host) != ST_OK)
				k->host = (struct scsi_host){ 0 };
	d->error[0] = '\0';
}

/* What an administrator calls it. */
static void read_mounts(struct stuck_disks *x, struct dump *d)
{
	for (struct stuck_disk *k = x->first; k; k = k->next)
		if ((k->waiting || stuck_disk_is_kept(k)) &&
		    super_of_disk(d, k->disk->name, &k->mount) != ST_OK)
			k->mount = NULL;
	d->error[0] = '\0';
}

static int compare_names(const void *a, const void *b)
{
	return strcmp((*(struct stuck_disk *const *)a)->disk->name,
		      (*(struct stuck_disk *const *)b)->disk->name);
}

/* In the order of their names: a hash has none. */
static void sort(struct stuck_disks *x, struct dump *d)
{
	struct stuck_disk **all = dump_alloc(d, x->by_disk.n * sizeof(*all)), **last = &x->first;
	size_t n = 0;

	for (struct stuck_disk *k = x->first; k; k = k->next)
		all[n++] = k;
	qsort(all, n, sizeof(*all), compare_names);
	for (size_t i = 0; i < n; i++) {
		*last = all[i];
		last = &all[i]->next;
	}
	*last = NULL;
}

enum status stuck_disks_read(struct stuck_disks *x, struct dump *d)
{
	enum status st = x->is_open && x->disks.first ? read_requests(x, d) : ST_ABSENT;

	if (st != ST_OK)
		return st == ST_STOPPED ? st : ST_OK;
	read_idle(x, d);
	read_mapped(x, d);
	read_nbds(x, d);
	read_modules(x, d);
	read_hosts(x, d);
	read_mounts(x, d);
	sort(x, d);
	return dump_stopped(d) ? ST_STOPPED : ST_OK;
}

/* Of these the requests are with the host (drivers/block/, drivers/scsi/). */
static const char *const paravirtual[] = { "virtio_blk", "virtio_scsi", "xen_blkfront",
					   "hv_storvsc", "vmw_pvscsi" };

static const char *served_elsewhere(const char *driver)
{
	return ANY_OF(i, ARRAY_SIZE(paravirtual), !strcmp(driver, paravirtual[i]))
		       ? ", which the hypervisor serves"
		       : "";
}

void stuck_disk_name(const struct stuck_disk *k, struct strbuf *b)
{
	strbuf_add(b, "%s", k->disk->name);
	if (k->has_mapped && k->mapped.name)
		strbuf_add(b, " (%s)", k->mapped.name);
	else if (k->host.driver)
		strbuf_add(b, " of SCSI host%lu, driver %s%s", k->host.number.n, k->host.driver,
			   served_elsewhere(k->host.driver));
	else if (k->module)
		strbuf_add(b, ", driver %s%s", k->module, served_elsewhere(k->module));
	if (k->mount)
		strbuf_add(b, ", mounted as %s", k->mount);
}
