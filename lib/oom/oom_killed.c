// SPDX-License-Identifier: GPL-2.0-or-later
/* Lines that tell of a victim: that it was killed, reaped, or is exiting already. */
#include "oom/oom_line.h"

#include <ctype.h>

/* "Out of memory: " and the like, the argument of oom_kill_process(); the text itself if there is none. */
static const char *behind_message(const char *text)
{
	static const char *const messages[] = {
		"Out of memory: ",
		"Out of memory (oom_kill_allocating_task): ",
		"Memory cgroup out of memory: ",
	};

	for (size_t i = 0; i < ARRAY_SIZE(messages); i++)
		if (log_after(text, messages[i]))
			return log_after(text, messages[i]);
	return text;
}

/* "5 (comm) total-vm:": the last mark ends the name, which may have another. */
static const char *take_victim(struct oom_victim *victim, const char *text, const char *mark)
{
	const char *comm, *end = NULL;
	uint64_t pid, uid = 0;
	bool has_uid = false;

	comm = log_take_figure(text, &pid);
	if (!comm || pid > INT32_MAX)
		return NULL;
	/* "5, UID 48, (comm)" of Red Hat's 2.6.32 */
	if (log_after(comm, ", UID ")) {
		comm = log_take_figure(log_after(comm, ", UID "), &uid);
		comm = comm ? log_after(comm, ", (") : NULL;
		has_uid = comm && uid <= UINT32_MAX;
	} else {
		comm = log_after(comm, " (");
	}
	if (!comm)
		return NULL;
	victim->pid = (struct log_number){ true, pid };
	victim->uid = (struct log_number){ has_uid, has_uid ? uid : 0 };
	for (const char *p = comm; (p = strstr(p, mark)); p++)
		end = p;
	if (!end || end - comm >= OOM_COMM)
		return NULL;
	victim->has_comm = true;
	log_copy(victim->comm, sizeof(victim->comm), comm, end - comm);
	return end + strlen(mark);
}

const char *oom_take_kib(const char *text, const char *name, struct log_number *to)
{
	uint64_t value;

	text = text ? log_after(text, name) : NULL;
	text = text ? log_take_figure(text, &value) : NULL;
	text = text ? log_after(text, "kB") : NULL;
	if (text)
		*to = (struct log_number){ true, value };
	return text;
}

static void take_figures(struct oom_victim *victim, const char *text)
{
	uint64_t uid;

	text = oom_take_kib(text, "", &victim->total_vm_kib);
	text = oom_take_kib(text, ", anon-rss:", &victim->anon_rss_kib);
	text = oom_take_kib(text, ", file-rss:", &victim->file_rss_kib);
	text = oom_take_kib(text, ", shmem-rss:", &victim->shmem_rss_kib);
	/* 5.3, 5.4 */
	text = text ? log_after(text, ", UID:") : NULL;
	text = text ? log_take_figure(text, &uid) : NULL;
	if (text && *text == ' ')
		victim->uid = (struct log_number){ true, uid };
	oom_take_kib(text, " pgtables:", &victim->pgtables_kib);
}

/* "Out of memory: Killed", "Out of memory: Killed process 42": whose line it is the words say, though no number is left. */
static bool is_cut_kill(const char *text)
{
	static const char killed[] = "Killed", words[] = "Killed process ";
	const char *message = behind_message(text), *number = log_after(message, words);
	const size_t len = strlen(message);

	if (message == text)
		return false;
	if (number)
		return !number[strspn(number, "0123456789")];
	return len >= strlen(killed) && !strncmp(message, words, len);
}

/* "0, total-vm:..." of RHEL 7.8 and 7.9: "Killed process 12 (a), UID 0, total-vm:1kB". */
static const char *behind_uid(const char *p, struct oom_victim *v)
{
	uint64_t uid = 0;

	p = p ? log_take_figure(p, &uid) : NULL;
	p = p ? log_after(p, ", total-vm:") : NULL;
	if (p && uid <= UINT32_MAX)
		v->uid = (struct log_number){ true, uid };
	return p;
}

/* "5 (a)", "5, UID 48, (a).": up to 2.6.34 nothing is behind the name; one with brackets may have been cut. */
static void take_name_alone(const char *p, struct oom_victim *v)
{
	const char *rest = take_victim(v, p, ")");

	v->has_comm = rest && (!*rest || !strcmp(rest, ".")) && !strpbrk(v->comm, "()");
}

bool oom_line_killed(const char *text, struct oom_victim *victim, bool *is_cut)
{
	const char *p = log_after(behind_message(text), "Killed process ");
	struct oom_victim v = { 0 };

	if (p)
		take_figures(&v, take_victim(&v, p, ") total-vm:")
					 ?: behind_uid(take_victim(&v, p, "), UID "), &v));
	if (p && v.pid.known && !v.has_comm)
		take_name_alone(p, &v);
	*is_cut = !v.pid.known && is_cut_kill(text);
	if (!v.pid.known && !*is_cut)
		return false;
	*victim = v;
	return true;
}

bool oom_line_reaped(const char *text, struct oom_victim *victim, struct log_number *left_kib)
{
	const char *p = log_after(text, "oom_reaper: reaped process ");
	struct oom_victim v = { 0 };

	p = p ? take_victim(&v, p, "), now anon-rss:") : NULL;
	if (!p)
		return false;
	oom_take_kib(p, "", left_kib);
	*victim = v;
	return true;
}

bool oom_line_exiting(const char *text, struct oom_victim *victim)
{
	const char *p = log_after(behind_message(text), "OOM victim ");
	struct oom_victim v = { 0 };

	if (!p || !take_victim(&v, p, ") is already exiting"))
		return false;
	*victim = v;
	return true;
}
