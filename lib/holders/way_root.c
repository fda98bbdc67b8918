// SPDX-License-Identifier: GPL-2.0-or-later
#include "holders/way_root.h"

#include <string.h>

#define ARROW " -> "
#define LIST "list of "
#define PRIVATE " and its private " /* behind the name of a device */
#define ITEM " of configfs item "   /* a name that an administrator gave */

const char *way_root(const char *way, const char *module, size_t *len)
{
	const char *step = way;
	const size_t n = strlen(module ? module : "");

	for (const char *end = strstr(step, ARROW); n && end; end = strstr(step, ARROW)) {
		const char *of = step;

		while ((of = strchr(of, '[')) && of < end &&
		       (strncmp(of + 1, module, n) || of[n + 1] != ']'))
			of++;
		if (of && of < end) {
			const char *private = strstr(step, PRIVATE), *item = strstr(step, ITEM);

			step += strncmp(step, LIST, strlen(LIST)) ? 0 : strlen(LIST);
			end = private && private < end ? private : end;
			end = item && item < end ? item : end;
			*len = (size_t)(end - step);
			return step;
		}
		step = end + strlen(ARROW);
	}
	step = strstr(way, ARROW);
	*len = step ? (size_t)(step - way) : strlen(way);
	return way;
}

/* What objects of a cache are, which a reader may not know. */
static const struct {
	const char *cache, *words;
} listed[] = {
	{ "skbuff_head_cache", "network packets (struct sk_buff)" },
	{ "skbuff_fclone_cache", "network packets (struct sk_buff)" },
	{ "filp", "open files (struct file)" },
	{ "dentry", "names of files (struct dentry)" },
	{ "xfrm_state", "states of IPsec (struct xfrm_state)" },
};

/* Bytes up to what stands behind a step of a way. */
static size_t step_bytes(const char *step)
{
	const char *end = strstr(step, ARROW);
	const size_t n = end ? (size_t)(end - step) : strlen(step), comma = strcspn(step, ",;");

	return comma < n ? comma : n;
}

static bool has_word(const char *step, size_t n, const char *word)
{
	const char *at = strstr(step, word);

	return at && at < step + n;
}

/* Queues of the kernel by the name of their variable. */
static const struct {
	const char *start, *words;
} queues[] = {
	/* kernel/audit.c: what kauditd could not send, what it is to send again, and what it has not tried to send yet. */
	{ "audit_hold_queue" ARROW, "audit records that no audit daemon has taken" },
	{ "audit_retry_queue" ARROW, "audit records that no audit daemon has taken" },
	{ "audit_queue" ARROW, "audit records that were not sent yet" },
};

bool way_list_text(const char *way, struct strbuf *b)
{
	static const char of[] = " of device ", packet[] = ARROW "struct sk_buff ";
	const char *list = NULL, *device = strstr(way, of), *item = strstr(way, ITEM);
	size_t n;

	for (size_t i = 0; i < sizeof(queues) / sizeof(*queues); i++)
		if (!strncmp(way, queues[i].start, strlen(queues[i].start))) {
			strbuf_add(b, "%s", queues[i].words);
			return true;
		}

	/* What an administrator called them says more than the list that they have. */
	if (item) {
		item += strlen(" of ");
		n = strstr(item, ARROW) ? (size_t)(strstr(item, ARROW) - item) : strlen(item);
		strbuf_add(b, "%.*s", (int)n, item);
		return true;
	}
	for (const char *at = strstr(way, ARROW LIST); at; at = strstr(at + 1, ARROW LIST))
		list = at + strlen(ARROW LIST);
	if (!list && strstr(way, packet)) {
		strbuf_add(b, "network packets (struct sk_buff)");
		/* What a queue discipline has is to be sent. */
		if (device && !strncmp(way, "struct Qdisc ", strlen("struct Qdisc ")))
			strbuf_add(b, " to be sent, in the queue%.*s",
				   (int)strcspn(device + strlen(of), " ,;") + (int)strlen(of),
				   device);
		return true;
	}
	if (!list)
		return false;
	n = step_bytes(list);
	/* Of a cache of everything what has work or a timer says something. */
	if (!strncmp(list, "kmalloc", strlen("kmalloc")) && !has_word(list, n, " with "))
		return false;
	strbuf_add(b, "a list of ");
	for (size_t i = 0; i < sizeof(listed) / sizeof(*listed); i++)
		if (strlen(listed[i].cache) == n && !strncmp(list, listed[i].cache, n)) {
			strbuf_add(b, "%s", listed[i].words);
			n = 0;
		}
	strbuf_add(b, "%.*s", (int)n, list);
	if (device && device < list)
		strbuf_add(b, "%.*s", (int)strcspn(device + strlen(of), " ,;") + (int)strlen(of),
			   device);
	return true;
}
