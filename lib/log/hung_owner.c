// SPDX-License-Identifier: GPL-2.0-or-later
#include "log/hung_owner.h"

#include <string.h>

#include "util/array.h"

/* The article, as in the line. */
static const struct {
	const char *lock, *text;
} locks[] = { { "mutex", "a mutex" },
	      { "semaphore", "a semaphore" },
	      { "rw-semaphore", "an rw-semaphore" } };

/* "hsmd:327", up to what is behind it: a name may have a colon too. NULL: it is none. */
static const char *take_task(const char *text, const char *end, char *comm, struct log_number *pid)
{
	const char *colon = NULL;

	for (const char *p = text; p < end; p++)
		if (*p == ':')
			colon = p;
	text = colon && colon - text <= LOCK_COMM ? text : NULL;
	end = text ? log_take_decimal(colon + 1, &pid->value) : NULL;
	if (!end)
		return NULL;
	log_copy(comm, LOCK_COMM + 1, text, colon - text);
	pid->known = true;
	return end;
}

/* " <writer> blocked on an rw-semaphore ..." of it what is behind the kind of lock. */
static const char *behind_lock(const char *text, struct hung_owner *ret)
{
	const char *p = log_find(text, " blocked on ");

	for (size_t i = 0; p && i < ARRAY_SIZE(locks); i++) {
		const char *rest = log_after(p, locks[i].text);

		if (!rest || (*rest != ' ' && *rest != ','))
			continue;
		ret->lock = locks[i].lock;
		return rest;
	}
	return NULL;
}

/* In front of " blocked on ". */
static const char *end_of_task(const char *task, const char *at)
{
	static const char *const words[] = { " is", " <reader>", " <writer>" };

	for (size_t i = 0; i < ARRAY_SIZE(words); i++) {
		const size_t n = strlen(words[i]);

		if ((size_t)(at - task) > n && !strncmp(at - n, words[i], n))
			return at - n;
	}
	return at;
}

bool hung_owner_line(const char *line, uint64_t *waiter, struct hung_owner *ret)
{
	const char *task = log_after(line, "INFO: task "), *rest, *at, *end;
	struct hung_owner o = { .lock = NULL };
	struct log_number pid = { 0 };
	char comm[LOCK_COMM + 1];

	rest = task ? behind_lock(task, &o) : NULL;
	at = rest ? end_of_task(task, strstr(task, " blocked on ")) : NULL;
	if (!at || take_task(task, at, comm, &pid) != at)
		return false;
	*waiter = pid.value;
	end = log_after(rest, " likely last held ");
	o.is_last = end != NULL;
	end = end ? log_after(end, "by task ") : log_after(rest, " likely owned by task ");
	if (end) {
		const char *stop = strstr(end, " <") ?: end + strlen(end);

		rest = take_task(end, stop, o.comm, &o.pid);
		if (!rest)
			return false;
		o.is_reader = log_after(rest, " <reader>") != NULL;
	} else if (*rest != ',' || !strstr(rest, " not found")) {
		return false;
	}
	*ret = o;
	return true;
}

void hung_owner_text(const struct hung_owner *o, struct strbuf *b)
{
	for (size_t i = 0; i < ARRAY_SIZE(locks); i++)
		if (!strcmp(o->lock, locks[i].lock))
			strbuf_add(b, "%s", locks[i].text);
	if (!o->pid.known)
		strbuf_add(b, ", of which the kernel did not find the owner");
	else
		strbuf_add(b, " likely %s by %s (%lu)%s, as the kernel says",
			   o->is_last ? "held last" : "owned", o->comm, o->pid.value,
			   o->is_reader ? ", a reader" : "");
}
