// SPDX-License-Identifier: GPL-2.0-or-later
#include "files/disk_requests.h"

#include "kernel/machine.h"

#define MAX_QUEUES 8192	     /* hardware queues of one set: a kernel has as many CPUs */
#define MAX_TAGS 10240	     /* BLK_MQ_MAX_DEPTH */
#define MAX_REQUESTS 1000000 /* of all disks */
#define REQ_OP_MASK 0xff     /* (1 << REQ_OP_BITS) - 1, the same from 4.8 to 7.3 */

struct raw_queue {
	uint64_t set; /* 0: not of blk-mq */
	uint64_t throttle;
};

struct raw_set {
	uint64_t tags;
	uint32_t queues;
};

struct raw_tags {
	uint32_t n;
	uint64_t requests;
};

struct raw_request {
	uint64_t queue, start_ns, issue_ns;
	uint32_t flags, state;
	int32_t tag;
};

static const struct layout_row rows[] = {
	STRUCTURE(struct all_requests, queue, "struct request_queue"),
	READS(struct raw_queue, set, REQUIRED, "all", "tag_set"),
	POINTS(struct raw_queue, throttle, OPTIONAL, "CONFIG_BLK_DEV_THROTTLING", "td"),
	FINDS(struct all_requests, throttled, "struct throtl_data", OPTIONAL,
	      "CONFIG_BLK_DEV_THROTTLING", "nr_queued"),
	STRUCTURE(struct all_requests, set, "struct blk_mq_tag_set"),
	READS(struct raw_set, tags, REQUIRED, "all", "tags"),
	READS(struct raw_set, queues, REQUIRED, "all", "nr_hw_queues"),
	STRUCTURE(struct all_requests, tags, "struct blk_mq_tags"),
	READS(struct raw_tags, n, REQUIRED, "all", "nr_tags"),
	READS(struct raw_tags, requests, REQUIRED, "all", "rqs"),
	STRUCTURE(struct all_requests, request, "struct request"),
	READS(struct raw_request, queue, REQUIRED, "all", "q"),
	READS(struct raw_request, flags, REQUIRED, "all", "cmd_flags"),
	READS(struct raw_request, tag, REQUIRED, "all", "tag"),
	READS(struct raw_request, state, REQUIRED, "4.17", "state"),
	READS(struct raw_request, start_ns, REQUIRED, "4.18", "start_time_ns"),
	READS(struct raw_request, issue_ns, OPTIONAL, "4.18", "io_start_time_ns"),
};

enum status all_requests_open(struct dump *d, struct all_requests *ret)
{
	static const char *const names[DISK_OPERATIONS] = {
		[DISK_READ] = "REQ_OP_READ",
		[DISK_WRITE] = "REQ_OP_WRITE",
		[DISK_FLUSH] = "REQ_OP_FLUSH",
	};
	enum status st;

	*ret = (struct all_requests){ .dump = d, .raw = dump_alloc(d, MAX_TAGS * 8) };
	hash_u64_init(&ret->by_queue, d->arena, sizeof(struct disk_requests));
	hash_u64_init(&ret->seen, d->arena, 0);
	st = STRUCTS_OPEN(d, rows, ret) ?:
		dump_enumerator(d, "MQ_RQ_IN_FLIGHT", &ret->in_flight) ?:
		tick_read(d, &ret->now_ns);
	for (size_t i = 0; st == ST_OK && i < DISK_OTHER; i++)
		st = dump_enumerator(d, names[i], &ret->operations[i]);
	return st;
}

static void add(struct all_requests *x, const struct raw_request *r)
{
	struct disk_requests *of = hash_u64_get(&x->by_queue, r->queue, NULL);
	const uint64_t since = r->issue_ns ?: r->start_ns;
	unsigned int op = 0;
	uint64_t age;

	of->n++;
	if (!since) {
		of->untimed++;
		return;
	}
	/* Started behind the last tick. */
	if (since > x->now_ns)
		return;
	age = x->now_ns - since;
	of->oldest_ns = age > of->oldest_ns ? age : of->oldest_ns;
	if (age < DISK_OLD_NS)
		return;
	while (op < DISK_OTHER && x->operations[op] != (r->flags & REQ_OP_MASK))
		op++;
	of->old[op]++;
	of->all_old++;
}

/* What had a tag before is still in the array: its own tag and its state tell. */
static enum status add_request(struct all_requests *x, uint64_t address, unsigned int tag)
{
	struct raw_request r = { 0 };
	enum status st = struct_read(&x->request, address, &r);

	if (st == ST_OK && r.tag == (int32_t)tag && (int64_t)r.state == x->in_flight &&
	    hash_u64_has(&x->by_queue, r.queue))
		add(x, &r);
	return st;
}

static enum status read_tags(struct all_requests *x, uint64_t address)
{
	struct dump *d = x->dump;
	struct first_problem problem = { 0 };
	struct raw_tags tags;
	enum status st = struct_read(&x->tags, address, &tags);

	if (st != ST_OK)
		return st;
	if (tags.n > MAX_TAGS)
		return dump_corrupt(d, "blk_mq_tags at %#lx: %u tags", address, tags.n);
	st = dump_read(d, tags.requests, x->raw, tags.n * 8, "requests by tag");
	for (unsigned int i = 0; st == ST_OK && i < tags.n; i++) {
		if (!le64(x->raw + 8 * i))
			continue;
		if (x->n++ == MAX_REQUESTS)
			return dump_fail(d, ST_UNKNOWN, "more than %u requests are not read",
					 MAX_REQUESTS);
		st = first_problem_keep(d, &problem, add_request(x, le64(x->raw + 8 * i), i));
	}
	return st ?: first_problem_end(d, &problem);
}

static enum status read_set(struct all_requests *x, uint64_t address)
{
	struct dump *d = x->dump;
	struct first_problem problem = { 0 };
	struct raw_set set;
	enum status st = struct_read(&x->set, address, &set);

	if (st != ST_OK)
		return st;
	if (set.queues > MAX_QUEUES)
		return dump_corrupt(d, "blk_mq_tag_set at %#lx: %u queues", address, set.queues);
	for (unsigned int i = 0; st == ST_OK && i < set.queues; i++) {
		uint64_t tags = 0;

		st = dump_u64(d, set.tags + 8 * i, &tags, "tags of a disk");
		if (st == ST_OK && tags && hash_u64_add(&x->seen, tags))
			st = read_tags(x, tags);
		st = dump_stopped(d) ? ST_STOPPED : first_problem_keep(d, &problem, st);
	}
	return st ?: first_problem_end(d, &problem);
}

/* struct throtl_data of block/blk-throttle.c: without CONFIG_BLK_DEV_THROTTLING there is none. */
static void read_held(const struct all_requests *x, uint64_t throttle, struct disk_requests *of)
{
	uint32_t n[2];

	if (!throttle)
		return;
	of->held_is_unknown = x->throttled.size != sizeof(n) ||
			      dump_try(x->dump, throttle + x->throttled.offset, n, sizeof(n)) !=
				      ST_OK;
	for (size_t i = 0; i < 2 && !of->held_is_unknown; i++)
		of->held[i] = (struct maybe_u64){ n[i], true };
}

enum status all_requests_read(struct all_requests *x, const struct disks *disks)
{
	struct dump *d = x->dump;
	struct first_problem problem = { 0 };
	enum status st = ST_OK;

	for (const struct disk *k = disks->first; k; k = k->next)
		if (k->queue)
			hash_u64_get(&x->by_queue, k->queue, NULL);
	for (const struct disk *k = disks->first; k && st == ST_OK; k = k->next) {
		struct raw_queue queue = { 0 };

		if (!k->queue)
			continue;
		st = struct_read(&x->queue, k->queue, &queue);
		if (st == ST_OK && queue.set) {
			struct disk_requests *of = hash_u64_get(&x->by_queue, k->queue, NULL);

			of->is_counted = true;
			read_held(x, queue.throttle, of);
			st = read_set(x, queue.set);
		}
		st = first_problem_keep(d, &problem, st);
	}
	x->problem = problem.text;
	return st;
}

const struct disk_requests *all_requests_of(const struct all_requests *x, const struct disk *disk)
{
	return disk->queue ? hash_u64_find(&x->by_queue, disk->queue) : NULL;
}

/* 0d02129e76ed "block: merge struct block_device and struct hd_struct" (5.11). */
static const struct layout_row account_rows[] = {
	FINDS(struct disk_account, device, "struct gendisk", REQUIRED, "all", "part0"),
	FINDS(struct disk_account, stamp, "struct block_device", OPTIONAL, "5.11", "bd_stamp"),
	FINDS(struct disk_account, old_stamp, "struct hd_struct", OPTIONAL, "to 5.10", "stamp"),
};

enum status disk_account_open(struct dump *d, struct disk_account *ret)
{
	enum status st;

	*ret = (struct disk_account){ .dump = d };
	st = STRUCTS_OPEN(d, account_rows, ret);
	if (st != ST_OK)
		return st;
	jiffies_open(d, &ret->jiffies);
	if (!ret->stamp.present && !ret->old_stamp.present)
		return dump_fail(d, ST_UNKNOWN, "neither block_device nor hd_struct has a stamp");
	return ret->jiffies.tick_ns ? ST_OK
				    : dump_fail(d, ST_UNKNOWN, "how long a jiffy is is unknown");
}

enum status disk_account_age(const struct disk_account *x, const struct disk *disk, uint64_t *ns)
{
	uint64_t at = disk->address + x->device.offset, stamp, age;
	enum status st = x->stamp.present ? dump_u64(x->dump, at, &at, "gendisk") : ST_OK;

	at += x->stamp.present ? x->stamp.offset : x->old_stamp.offset;
	st = st ?: dump_u64(x->dump, at, &stamp, "block_device");
	if (st == ST_OK && !jiffies_age(&x->jiffies, stamp, &age))
		st = dump_corrupt(x->dump, "%s: its stamp %#lx is later than the panic", disk->name,
				  stamp);
	return RESULT(st, ns, age);
}
