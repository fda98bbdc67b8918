// SPDX-License-Identifier: GPL-2.0-or-later
/* A disk that does not keep up, and the page cache that waits to be written. */
#include "cgroup/io_throttle.h"
#include "collect/limit_users.h"
#include "collect/stuck_words.h"
#include "collect/vm_settings.h"
#include "memowner/summary.h"
#include "memowner/verdict_words.h"
#include "zones/vmstat.h"

/* The disk whose requests are old, for which the holder of the lock waits that most threads wait on. */
static bool is_first(const struct summary *s, const struct stuck_task *lock)
{
	const struct stuck_task *holder = lock && !s->last_report ? lock->holder : NULL;

	return holder && holder->task.state == 'D' && holder->disk && !holder->disk_is_inferred &&
	       holder->disk->requests.all_old;
}

/* "vm.dirty_ratio is 90 in place of 20, vm.dirty_background_ratio 85 in place of 10", of those that are not as the kernel sets them. */
static void add_settings(struct summary *s, struct strbuf *b)
{
	static const char *const names[] = { "vm.dirty_ratio", "vm.dirty_bytes",
					     "vm.dirty_background_ratio",
					     "vm.dirty_background_bytes" };
	struct vm_settings settings = { 0 };
	unsigned int told = 0;

	if (vm_settings_collect(s->dump, &settings) == ST_OK)
		for (size_t k = 0; k < ARRAY_SIZE(names); k++)
			for (size_t i = 0; i < settings.n; i++) {
				const struct vm_setting *of = &settings.all[i];

				if (strcmp(of->name, names[k]) || !of->has_changed ||
				    !of->changed || !of->value)
					continue;
				strbuf_add(b, "%s%s%s %s%s%s", told ? ", " : "; ", names[k],
					   told ? "" : " is", of->value,
					   of->standard ? " in place of " : "", of->standard ?: "");
				told++;
			}
	s->dump->error[0] = '\0';
}

/* Where it is much: pages of files that are to be written, and those that are being written. */
static void add_dirty(struct summary *s, struct strbuf *b)
{
	struct counters *c = dump_alloc(s->dump, sizeof(*c));
	int64_t dirty, written;
	enum status st = counters_open(s->dump, c)
				 ?: counter_read(c, "NR_FILE_DIRTY", &dirty)
				 ?: counter_read(c, "NR_WRITEBACK", &written);

	if (st == ST_OK && summary_reaches(s, LIMIT_SHOWN, (uint64_t)(dirty + written))) {
		if (dirty)
			strbuf_add(b, "; %s of pages of files are dirty, %s are being written",
				   summary_size(s, (uint64_t)dirty),
				   summary_size(s, (uint64_t)written));
		else
			strbuf_add(b, "; %s of pages of files are being written",
				   summary_size(s, (uint64_t)written));
		add_settings(s, b);
		s->has_dirty = true;
	} else if (st != ST_OK && st != ST_STOPPED) {
		summary_unknown(s, "pages that wait to be written", availability_of(st), "%s",
				dump_why(s->dump));
	}
	s->dump->error[0] = '\0';
}

void summary_add_disks(struct summary *s, const struct stuck *all, const struct stuck_task *lock,
		       bool first, struct strbuf *b)
{
	const size_t before = b->len;

	if (first != is_first(s, lock))
		return;
	stuck_disks_words(all, b);
	if (b->len == before)
		return;
	add_dirty(s, b);
	if (first)
		s->stuck_cause = dump_strdup(s->dump, b->buf);
}

bool summary_is_of_disk(const struct stuck *all, size_t n)
{
	const struct stuck_disk *of = NULL;
	size_t kept = 0;

	for (const struct stuck_disk *k = all->disks; k; k = k->next)
		if (stuck_disk_is_kept(k)) {
			of = k;
			kept++;
		}
	return n > 1 && kept == 1 && of->waiting == n && !of->inferred;
}

#define USERS_NAMED 3u /* processes of a cgroup: of more their number says enough */

/* ", in which scan-archive (118) is": who runs in it, which need not be who wrote. */
static void add_who_is_in(struct dump *d, const char *cgroup, struct strbuf *b)
{
	const struct used_limit l = { .cgroup = cgroup, .counts = LIMIT_COUNTS_THREADS };
	struct limit_users u;
	enum status st = limit_users_find(d, &l, &u);

	for (unsigned int i = 0; st == ST_OK && !u.problem && i < u.n && i < USERS_NAMED; i++) {
		strbuf_add(b, "%s", i ? ", " : ", in which ");
		limit_user_text(&u.all[i], b);
	}
	if (st == ST_OK && !u.problem && u.n)
		strbuf_add(b, " %s", u.n == 1 && u.all[0].processes == 1 ? "is" : "are");
}

/* Whose limit it is that holds bios back at a disk. */
static void add_limit(struct summary *s, const struct disk *disk, struct strbuf *b)
{
	struct io_throttle t;
	enum status st = io_throttle_find(s->dump, disk->queue, &t);

	if (st == ST_OK && t.groups) {
		if (t.groups > 1 || t.partial)
			strbuf_add(b, "limits of %s%s, most for ", t.partial ? "at least " : "",
				   COUNT_OF(t.groups, "cgroup"));
		io_throttle_text(&t, b);
		if (t.most)
			add_who_is_in(s->dump, t.most, b);
	} else {
		strbuf_add(b, "limits of cgroups (io.max or blkio.throttle)");
	}
	if (st != ST_OK && st != ST_STOPPED && st != ST_ABSENT) {
		summary_unknown(s, "whose limit holds requests back", availability_of(st), "%s",
				dump_why(s->dump));
	}
	s->dump->error[0] = '\0';
}

static void add_held(struct summary *s, const struct stuck_disk *k, struct strbuf *b)
{
	const uint64_t reads = k->requests.held[0].n, writes = k->requests.held[1].n;

	strbuf_add(b, ": ");
	if (reads)
		strbuf_add(b, "%s", COUNT_OF(reads, "read"));
	if (writes)
		strbuf_add(b, "%s%s", reads ? " and " : "", COUNT_OF(writes, "write"));
	strbuf_add(b, " %s there for ", reads + writes == 1 ? "waits" : "wait");
	add_limit(s, k->disk, b);
	if (writes)
		add_dirty(s, b);
}

/* A driver without blk-mq has no requests. */
bool summary_add_idle_disk(struct summary *s, const struct stuck_task *t, struct strbuf *b)
{
	const struct stuck_disk *k = t->disk_is_inferred ? NULL : t->disk;

	if (!k || !k->has_requests || !k->requests.is_counted || k->requests.n)
		return false;
	strbuf_add(b, "; no request is in flight at %s, for which %s (%d) waits", k->disk->name,
		   t->task.comm, t->task.pid);
	if (k->requests.held_is_unknown)
		strbuf_add(b, ": whether limits of cgroups hold some back there is unknown");
	if (k->requests.held[0].known && k->requests.held[0].n + k->requests.held[1].n)
		add_held(s, k, b);
	return true;
}
