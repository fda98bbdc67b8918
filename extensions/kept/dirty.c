// SPDX-License-Identifier: GPL-2.0-or-later
/* A disk that does not keep up, and the page cache that waits to be written. */
#include "cgroup/io_throttle.h"
#include "collect/stuck_words.h"
#include "collect/vm_settings.h"
#include "kernel/sysctl.h"
#include "memory/stuck_rows.h"
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

/*
 * The file with which one cannot be believed, as both are 0: somebody set both so, or they are in damaged memory. NULL: there is
 * none.
 */
static const char *both_zero(const struct vm_settings *all, const struct vm_setting *of)
{
	const char *other = sysctl_excluded(of->name);
	const char *value = other ? vm_settings_value(all, other) : NULL;

	return value && !strcmp(value, "0") && of->value && !strcmp(of->value, "0") ? other : NULL;
}

/* A limit that nothing says: what may be damaged is no cause. Whether it is so. */
static bool tell_doubt(struct summary *s, const struct vm_settings *all,
		       const struct vm_setting *of)
{
	const char *other = both_zero(all, of);

	if (!of->value)
		summary_unknown(s, "limit of dirty pages", of->why, "%s is unknown", of->name);
	/* The share is told of. */
	else if (other && strstr(of->name, "_ratio"))
		summary_unknown(s, "limit of dirty pages", CORRUPT,
				"%s and %s are both 0, set so or in memory that is damaged",
				of->name, other);
	return !of->value || other;
}

/* "vm.dirty_ratio is 90 in place of 20, vm.dirty_background_ratio 85 in place of 10", of those that are not as the kernel sets them. */
static void add_settings(struct summary *s, struct strbuf *b)
{
	static const char *const names[] = { "vm.dirty_ratio", "vm.dirty_bytes",
					     "vm.dirty_background_ratio",
					     "vm.dirty_background_bytes" };
	struct vm_settings settings = { 0 };
	unsigned int told = 0;

	if (vm_settings_collect(s->dump, &settings) != ST_OK)
		settings.n = 0;
	for (size_t k = 0; k < ARRAY_SIZE(names); k++) {
		const struct vm_setting *of = vm_settings_find(&settings, names[k]);

		if (!of || tell_doubt(s, &settings, of) || !of->has_changed || !of->changed)
			continue;
		strbuf_add(b, "%s%s%s %s%s%s", told ? ", " : "; ", names[k], told ? "" : " is",
			   of->value, of->standard ? " in place of " : "", of->standard ?: "");
		told++;
	}
	s->dump->error[0] = '\0';
}

/* Where it is much: pages of files that are to be written, and those that are being written. */
static void add_dirty(struct summary *s, struct strbuf *b)
{
	struct counters *c = dump_alloc(s->dump, sizeof(*c));
	/* NR_WRITEBACK counts pages that go to swap as well (__folio_start_writeback()). */
	const char *to = s->swap.known && !s->swap.pages ? "" : ", of files or to swap";
	int64_t dirty, written;
	enum status st = counters_open(s->dump, c)
				 ?: counter_read(c, "NR_FILE_DIRTY", &dirty)
				 ?: counter_read(c, "NR_WRITEBACK", &written);

	if (st == ST_OK && summary_reaches(s, LIMIT_SHOWN, (uint64_t)(dirty + written))) {
		if (dirty)
			strbuf_add(b, "; %s of pages of files are dirty, %s are being written%s",
				   summary_size(s, (uint64_t)dirty),
				   summary_size(s, (uint64_t)written), written ? to : "");
		else
			strbuf_add(b, "; %s of pages are being written%s",
				   summary_size(s, (uint64_t)written), *to ? to : ", of files");
		strbuf_add(b, "%s%s", s->throttled.writes ? ": " : "", s->throttled.writes ?: "");
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

static void add_held(struct summary *s, const struct stuck_disk *k, struct strbuf *b)
{
	const enum status st = held_bios_words(s->dump, k, &s->limited_cgroup, b);

	if (st != ST_OK && st != ST_STOPPED && st != ST_ABSENT)
		summary_unknown(s, "whose limit holds requests back", availability_of(st), "%s",
				dump_why(s->dump));
	s->dump->error[0] = '\0';
	if (k->requests.held[IO_WRITE].n)
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
	if (held_bios(k)) {
		strbuf_add(b, ": ");
		add_held(s, k, b);
	}
	return true;
}
