// SPDX-License-Identifier: GPL-2.0-or-later
/* Watches of inotify and marks of fanotify: the inodes that they keep, to 6.9 and since. */
#include "files/watches.h"
#include "stub.h"
#include "test.h"

#define AT(i) (0xffff888000100000ULL + (i)*0x1000)
#define GROUP AT(1)
#define WATCH(i) AT(10 + (i))
#define CONNECTOR(i) AT(20 + (i))
#define INODE(i) AT(30 + (i))
#define OTHER AT(40) /* a watch of another group */
#define SUPER AT(50)
#define QUEUE (GROUP + 0x100) /* of events of the group */
#define EVENT(i) AT(60 + (i))
#define LINK 8 /* of an event */
#define WATCHES 3
#define MARKS 8	 /* of an inode */
#define G_LIST 8 /* of a mark */
#define OBJ_LIST 24
#define OF_INODE 1
#define OF_MOUNT 2

struct links {
	uint64_t next, prev;
};
static uint64_t file[1];
static struct links group, queue;
static struct links events[2]; /* each at another place of what it is in */
static struct mark {
	uint64_t connector;
	struct links link;
	uint64_t next, pprev;
	uint32_t flags, unused;
} marks[WATCHES + 1];
static struct {
	uint32_t type, unused;
	uint64_t object, first;
} connectors[WATCHES];
static struct {
	uint64_t super, connector;
} inodes[WATCHES];

#define MARK(i, at)                             \
	{                                       \
		at, &marks[i], sizeof(marks[i]) \
	}
static const struct stub_memory memory[] = {
	{ AT(0), file, sizeof(file) },
	{ GROUP, &group, sizeof(group) },
	{ QUEUE, &queue, sizeof(queue) },
	{ EVENT(0) + LINK, &events[0], sizeof(events[0]) },
	{ EVENT(1) + LINK, &events[1], sizeof(events[1]) },
	MARK(0, WATCH(0)),
	MARK(1, WATCH(1)),
	MARK(2, WATCH(2)),
	MARK(3, OTHER),
	{ CONNECTOR(0), &connectors[0], sizeof(connectors[0]) },
	{ CONNECTOR(1), &connectors[1], sizeof(connectors[1]) },
	{ CONNECTOR(2), &connectors[2], sizeof(connectors[2]) },
	{ INODE(0), &inodes[0], sizeof(inodes[0]) },
	{ INODE(1), &inodes[1], sizeof(inodes[1]) },
	{ INODE(2), &inodes[2], sizeof(inodes[2]) },
	{ 0 },
};
static const struct stub_symbol symbols[] = { { "inotify_fops", AT(90), { 0 } },
					      { "fanotify_fops", AT(91), { 0 } },
					      { 0 } };
static const struct stub_member members[] = {
	{ "struct file", "private_data", KINDED(KIND_POINTER, 0, 8) },
	{ "struct fsnotify_group", "marks_list", FIELD(0, 16) },
	{ "struct fsnotify_group", "notification_list", FIELD(QUEUE - GROUP, 16) },
	{ "struct fsnotify_event", "list", FIELD(LINK, 16) },
	{ "struct fsnotify_mark", "connector", KINDED(KIND_POINTER, 0, 8) },
	{ "struct fsnotify_mark", "g_list", FIELD(G_LIST, 16) },
	{ "struct fsnotify_mark", "obj_list", FIELD(OBJ_LIST, 16) },
	{ "struct fsnotify_mark", "flags", FIELD(40, 4) },
	{ "struct inode", "i_sb", KINDED(KIND_POINTER, 0, 8) },
	{ "struct inode", "i_fsnotify_marks", KINDED(KIND_POINTER, MARKS, 8) },
	{ "struct fsnotify_mark_connector", "type", FIELD(0, 4) },
	{ "struct fsnotify_mark_connector", "obj", KINDED(KIND_POINTER, 8, 8) },
	{ "struct fsnotify_mark_connector", "list.first", KINDED(KIND_POINTER, 16, 8) },
	{ 0 },
};
static const struct stub_number sizes[] = { { "struct fsnotify_mark", 48 },
					    { "struct inotify_inode_mark", 56 },
					    { "struct fanotify_event", 40 },
					    { "struct fsnotify_mark_connector", 24 },
					    { 0 } };
static const struct stub_number enumerators[] = { { "FSNOTIFY_OBJ_TYPE_INODE", OF_INODE }, { 0 } };

struct seen {
	unsigned int n, pins, alone, events, others;
	uint64_t inode[WATCHES], super[WATCHES];
};

static enum status see(void *arg, const struct watch *watch)
{
	struct seen *s = arg;

	if (s->n < WATCHES) {
		s->inode[s->n] = watch->inode;
		s->super[s->n] = watch->super;
	}
	s->n++;
	s->pins += watch->pins;
	s->alone += watch->is_alone;
	return ST_OK;
}

/* Three watches of one group, each of another inode, which the second shares with another group. */
static void fill(bool leads_to_member)
{
	uint64_t from = GROUP;

	for (unsigned int i = 0; i < WATCHES; i++) {
		marks[i] = (struct mark){ .connector = CONNECTOR(i) };
		marks[i].link.prev = from;
		from = WATCH(i) + G_LIST;
		marks[i].link.next = i + 1 < WATCHES ? WATCH(i + 1) + G_LIST : GROUP;
		connectors[i].type = OF_INODE;
		connectors[i].object = INODE(i) + (leads_to_member ? MARKS : 0);
		connectors[i].first = WATCH(i) + OBJ_LIST;
		inodes[i].super = SUPER + i;
		inodes[i].connector = CONNECTOR(i);
	}
	group = (struct links){ WATCH(0) + G_LIST, from };
	marks[1].next = OTHER + OBJ_LIST;
	file[0] = GROUP;
	queue = (struct links){ EVENT(0) + LINK, EVENT(1) + LINK };
	events[0] = (struct links){ EVENT(1) + LINK, QUEUE };
	events[1] = (struct links){ QUEUE, EVENT(0) + LINK };
}

static void see_event(void *arg, uint64_t event)
{
	struct seen *s = arg;

	if (event == EVENT(s->events))
		s->events++;
	else
		s->others++;
}

static enum status walk(struct seen *seen)
{
	STUB(s, .memory = memory, .symbols = symbols, .members = members, .sizes = sizes,
	     .enumerators = enumerators);
	struct watches w;
	uint64_t at;
	enum status st;

	memset(seen, 0, sizeof(*seen));
	st = watches_find(&s.dump, &w);
	CHECK(st == ST_OK && watch_kind_of(&w, AT(90)) == WATCH_INOTIFY);
	CHECK(watch_kind_of(&w, AT(91)) == WATCH_FANOTIFY && watch_kind_of(&w, 0) == WATCH_KINDS);
	CHECK(w.bytes[WATCH_INOTIFY] == 56 && w.bytes[WATCH_FANOTIFY] == 48);
	st = st ?: watches_of_file(&w, AT(0), &at);
	CHECK(st == ST_OK && at == GROUP);
	st = st ?: watches_walk(&w, at, see, seen);
	st = st ?: watch_events_walk(&w, at, see_event, seen);
	return st;
}

static void inodes_are_found(void)
{
	struct seen seen;

	for (unsigned int to_member = 0; to_member < 2; to_member++) {
		fill(to_member);
		CHECK(walk(&seen) == ST_OK && seen.n == WATCHES && seen.pins == WATCHES);
		CHECK(seen.inode[0] == INODE(0) && seen.inode[2] == INODE(2));
		CHECK(seen.super[1] == SUPER + 1 && seen.alone == 2);
	}
}

static void what_keeps_no_inode(void)
{
	struct seen seen;

	fill(false);
	connectors[0].type = OF_MOUNT;
	marks[1].flags = 0x200; /* FSNOTIFY_MARK_FLAG_NO_IREF */
	marks[2].connector = 0;
	CHECK(walk(&seen) == ST_OK && seen.n == WATCHES && !seen.pins);
	CHECK(!seen.inode[0] && seen.inode[1] == INODE(1) && !seen.inode[2]);
}

static void events_that_were_not_read(void)
{
	struct seen seen;

	fill(false);
	CHECK(walk(&seen) == ST_OK && seen.events == 2);
	queue = (struct links){ QUEUE, QUEUE };
	CHECK(walk(&seen) == ST_OK && !seen.events);
	fill(false);
	events[0].next = AT(80); /* the other is found from the end */
	CHECK(walk(&seen) == ST_UNREADABLE && seen.events + seen.others == 2);
}

static void what_is_damaged(void)
{
	struct seen seen;

	fill(false);
	inodes[1].connector = AT(80); /* is of another */
	CHECK(walk(&seen) == ST_CORRUPT && seen.n == 2 && seen.pins == 2);
	fill(true);
	marks[0].link.next = AT(80); /* the others are found from the end */
	CHECK(walk(&seen) == ST_UNREADABLE && seen.n == WATCHES);
}

static void a_kernel_without_them_says_so(void)
{
	struct stub s = { .members = members };
	struct watches w;

	stub_open(&s);
	CHECK(watches_find(&s.dump, &w) == ST_ABSENT);
	stub_close(&s);
	STUB_OPEN(s, .symbols = symbols, .members = members, .sizes = sizes);
	CHECK(watches_find(&s.dump, &w) == ST_UNKNOWN); /* which type is an inode's */
	stub_close(&s);
	/* Types say that it has them, whatever the names of variables are. */
	STUB_OPEN(s, .members = members, .sizes = sizes, .enumerators = enumerators);
	CHECK(watches_find(&s.dump, &w) == ST_UNKNOWN);
	stub_close(&s);
}

TESTS({ "inodes are found", inodes_are_found }, { "what keeps no inode", what_keeps_no_inode },
      { "events that were not read", events_that_were_not_read },
      { "what is damaged", what_is_damaged },
      { "a kernel without them says so", a_kernel_without_them_says_so })
