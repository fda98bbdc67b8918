/* SPDX-License-Identifier: GPL-2.0-or-later */
/* CASE_events of files_7_3.c: a queue of fanotify with events of five files, and one by file handle. */
struct fsnotify_group {
	struct list_head notification_list;
	u32 q_len, max_events;
};
struct fsnotify_event {
	u64 other;
	struct list_head list;
};
/* To 5.6 an event has its path itself. */
#ifdef CASE_events_5_6
#define EVENT_STRUCT fanotify_event
#define EVENT_LIST fse.list
struct EVENT_STRUCT {
	struct fsnotify_event fse;
	struct path path;
};
#else
#define EVENT_STRUCT fanotify_path_event
#define EVENT_LIST fae.fse.list
struct fanotify_event {
	struct fsnotify_event fse;
	u32 mask;
};
struct EVENT_STRUCT {
	struct fanotify_event fae;
	struct path path;
};
#endif
const u64 fanotify_fops = 1;
static struct dentry mail_names[5] = { { .d_inode = NODE(mails[0]) }, { .d_inode = NODE(mails[1]) },
	{ .d_inode = NODE(mails[2]) }, { .d_inode = NODE(mails[3]) }, { .d_inode = NODE(mails[4]) } };
extern struct EVENT_STRUCT mail_events[6];
extern struct fsnotify_group events_group;
#define EVENT_LINK(i) \
	(void *)((i) < 0 || (i) > 5 ? DIRECT(&events_group.notification_list) : DIRECT(&mail_events[i].EVENT_LIST))
#define EVENT(i, of) [i] = { .EVENT_LIST = { EVENT_LINK(i + 1), EVENT_LINK(i - 1) }, .path.dentry = of }
/* The last one is by file handle. */
struct EVENT_STRUCT mail_events[6] = { EVENT(0, DIRECT(&mail_names[0])), EVENT(1, DIRECT(&mail_names[1])),
	EVENT(2, DIRECT(&mail_names[2])), EVENT(3, DIRECT(&mail_names[3])), EVENT(4, DIRECT(&mail_names[4])),
	EVENT(5, (void *)0x1234) };
struct fsnotify_group events_group = { { EVENT_LINK(0), EVENT_LINK(5) }, 6, ~0U };
