// SPDX-License-Identifier: GPL-2.0-or-later
#include "oom/oom_line.h"

#include <ctype.h>

#define INVOKED " invoked oom-killer: gfp_mask="
#define GFP_CHARS "ABCDEFGHIJKLMNOPQRSTUVWXYZ_|0123456789xabcdef" /* "__GFP_ZERO|0x8000000" */
#define CONSTRAINT_CHARS "ABCDEFGHIJKLMNOPQRSTUVWXYZ_"
#define FAILURE "page allocation failure: order:"
#define FAILURE_OLD "page allocation failure. order:" /* up to 2.6.38 */

/* Text of at most size - 1 bytes that ends where another begins; one that is longer is unknown. */
static void take_text(char *to, size_t size, const char *from, size_t len)
{
	if (len < size)
		log_copy(to, size, from, len);
}

/* "(null)" or "0-1,3" of %*pbl, before a comma and another member; NULL: neither. */
static const char *take_nodes(char *to, const char *text)
{
	size_t len = strspn(text, "0123456789-,");

	if (log_after(text, "(null)"))
		len = strlen("(null)");
	while (len && text[len - 1] == ',')
		len--;
	/* A list that was cut. */
	if (!len || text[len - 1] != '-')
		take_text(to, OOM_NODES, text, len);
	return text + len;
}

/*
 * Whether a line ends within words that the kernel goes on with: one that a terminal cut, which may have the last
 * character of the line in its last column. Some kernels have two blanks.
 */
static bool ends_within(const char *text, const char *words)
{
	while (*text && (*text == *words || *text == ' ')) {
		words += *text == *words;
		text++;
	}
	return !*text || !text[1];
}

/* "GFP_NOWAIT|__GFP_COMP|0x8000000": each begins as one, or is a number. */
static bool has_gfp_words(const char *text, size_t len)
{
	for (const char *end = text + len; text < end; text += strcspn(text, "|)") + 1)
		if (!log_after(text, "GFP_") && !log_after(text, "__GFP_") &&
		    !log_after(text, "0x"))
			return false;
	return true;
}

/* "0x140dca(GFP_HIGHUSER_MOVABLE|__GFP_COMP)", up to 4.5 the number alone; names that are cut are unknown */
static const char *take_gfp(struct oom_report *r, const char *text)
{
	uint64_t mask;
	size_t len;

	text = log_take_hex(text, &mask);
	if (!text || mask > UINT32_MAX)
		return NULL;
	r->gfp_mask = (struct log_number){ true, mask };
	if (*text != '(')
		return text;
	len = strcspn(++text, ")");
	if (text[len] != ')')
		return strchr(text, ' ') ? NULL : text + len;
	/* Another text may stand in them, or a word lost its beginning: then the number tells. */
	if (strspn(text, GFP_CHARS) == len && has_gfp_words(text, len))
		take_text(r->gfp, sizeof(r->gfp), text, len);
	return text + len + 1;
}

static const char *take_signed(const char *text, int *ret)
{
	bool minus = text && *text == '-';
	uint64_t value;

	text = text ? log_take_figure(text + minus, &value) : NULL;
	if (!text || value > 10000)
		return NULL;
	*ret = minus ? -(int)value : (int)value;
	return text;
}

/* ", order=": some kernels have two blanks, or one before the comma too. */
static const char *take_member(const char *text, const char *name)
{
	text = log_after(text + strspn(text, " "), ", ");
	return text ? log_after(text + strspn(text, " "), name) : NULL;
}

/* Where the name of a task, which may be any bytes, ends; NULL: the text is not as long. */
static const char *behind_comm(const char *text, const char *mark)
{
	const char *end = strstr(text, mark);

	return end && end - text < OOM_COMM ? end : NULL;
}

/* Times that a text is in another before its end. */
static unsigned int occurrences(const char *text, const char *what)
{
	unsigned int n = 0;

	for (; (text = log_find(text, what)); n++)
		;
	return n;
}

/*
 * ",cpuset=/,mems_allowed=0" up to end. The name of a cgroup may have commas: where it looks
 * like more members, what is a member is unknown. False: that, or the nodes do not end there.
 */
static bool take_cpuset(struct oom_report *r, const char *text, const char *end)
{
	const char *name = log_after(text, ",cpuset="), *mems = log_find(text, ",mems_allowed=");

	if (!name || !mems || mems > end || occurrences(text, ",cpuset=") != 1 ||
	    occurrences(text, ",mems_allowed=") != 1)
		return false;
	take_text(r->cpuset, sizeof(r->cpuset), name, mems - strlen(",mems_allowed=") - name);
	return take_nodes(r->mems_allowed, mems) == end;
}

/* "12:", "04:42:26 ", "+ ", "kernel: ": what a tool has before a line, and the name is behind it. */
static bool has_prefix(const char *text, const char *end)
{
	size_t digits = strspn(text, "0123456789");
	const char *bracket = memchr(text, ']', end - text);

	return (digits && (text[digits] == ':' || text[digits] == '\t')) ||
	       (strchr("+-*#!|>\"'", *text) && text[1] == ' ') || log_after(text, "kernel:") ||
	       (bracket && bracket + 1 < end);
}

/* A number with nothing behind it may have been cut. */
static const char *take_order(struct oom_report *r, const char *text)
{
	const char *number = take_member(text, "order="), *rest = take_signed(number, &r->order);

	r->has_order = rest && *rest;
	if (rest)
		return rest;
	number = number ?: text;
	return ends_within(number, number == text ? ", order=" : "-") ? number + strlen(number)
								      : NULL;
}

/* ", oom_score_adj=0", up to 3.6 with the older number too, up to 2.6.35 with that alone, up to 2.6.29 as oomkilladj */
static const char *take_adj(const char *text)
{
	const char *old = take_member(text, "oom_adj=") ?: take_member(text, "oomkilladj="),
		   *p = old;
	int adj;

	p = p ? take_signed(p, &adj) : text;
	if (p && take_member(p, "oom_score_adj="))
		p = take_signed(take_member(p, "oom_score_adj="), &adj);
	else if (!old)
		p = NULL;
	if (!p && ends_within(text, ", oom_score_adj="))
		p = text + strlen(text);
	return p;
}

/* "oom-killer: gfp_mask=0x280d2, order=0": up to 2.6.18 it has no name of the task. */
static bool take_nameless(const char *text, struct oom_report *r)
{
	const char *p = log_after(text, &INVOKED[strlen(" invoked ")]);
	struct oom_report head = { .has_head = true, .has_order = true, .is_old = true };

	p = p ? take_gfp(&head, p) : NULL;
	p = p ? take_signed(take_member(p, "order="), &head.order) : NULL;
	if (!p || p[strspn(p, " ")])
		return false;
	*r = head;
	return true;
}

bool oom_line_invoked(const char *text, struct oom_report *r)
{
	const char *end = behind_comm(text, INVOKED), *p;
	struct oom_report head = { .has_head = true };

	if (!end)
		return take_nameless(text, r);
	p = take_gfp(&head, end + strlen(INVOKED));
	/* Of a line that ends there digits may be missing. */
	head.gfp_mask.known &= p && *p;
	/* Until 4.20 the nodes are in this line. */
	if (p && log_after(p, ", nodemask=")) {
		p = take_nodes(head.nodemask, log_after(p, ", nodemask="));
		if (!*p && !log_after(head.nodemask, "(null)"))
			head.nodemask[0] = '\0';
	}
	if (p && !log_find(p, "order=") && ends_within(p, ", nodemask="))
		p += strlen(p);
	p = p ? take_order(&head, p) : NULL;
	p = p && *p ? take_adj(p) : p;
	/* A mail leaves out what follows: " ..."; kernels of others have a line more in this record. */
	if (!p || (p[strspn(p, " .[]")] && p[strspn(p, " .[]")] != '\n') || has_prefix(text, end))
		return false;
	log_copy(head.comm, sizeof(head.comm), text, end - text);
	head.has_comm = true;
	/* Up to 3.6. */
	head.is_old = log_find(end, ", oom_adj=") || log_find(end, ", oomkilladj=");
	*r = head;
	return true;
}

/* The name of a cgroup may have blanks. */
bool oom_line_mems_allowed(const char *text, struct oom_report *r)
{
	const char *cpuset = log_after(text, r->comm), *mems, *end;

	cpuset = cpuset ? log_after(cpuset, " cpuset=") : NULL;
	mems = cpuset ? log_find(cpuset, " mems_allowed=") : NULL;
	if (!mems || occurrences(cpuset, " mems_allowed=") != 1)
		return false;
	if (*r->open_nodemask)
		strcpy(r->nodemask, r->open_nodemask);
	end = take_nodes(r->mems_allowed, mems);
	if (*end)
		r->mems_allowed[0] = '\0';
	else
		take_text(r->cpuset, sizeof(r->cpuset), cpuset,
			  mems - strlen(" mems_allowed=") - cpuset);
	return true;
}

/* Since 5.15; 5.13; before. */
static const char *const vmalloc_marks[] = { ": vmalloc error: size ", ": vmalloc size ",
					     ": vmalloc: allocation failure: ",
					     ": vmalloc: allocation failure, allocated " };

/* What was short by the words of some. */
static const char *vmalloc_why(const char *text)
{
	static const char *const words[][2] = {
		{ ", exceeds total pages,", "that is more than all RAM" },
		{ ", vm_struct allocation failed,",
		  "no range of addresses was free for it, or no memory to note one" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(words); i++)
		if (log_after(text, words[i][0]))
			return words[i][1];
	return NULL;
}

/* "8192, page order 0, failed to allocate pages": some have no order; ", mode:", NULL: it is no such line */
static const char *take_vmalloc(struct oom_report *r, const char *text)
{
	uint64_t bytes;
	const char *p = log_take_figure(text, &bytes), *mode = p ? strstr(p, ", mode:") : NULL,
		   *order = p ? log_find(p, " page order ") : NULL;

	if (!mode || !(*p == ',' || log_after(p, " bytes") || log_after(p, " of ") ||
		       log_after(p, " allocation failure: ")))
		return NULL;
	r->has_order = order && order < mode && take_signed(order, &r->order);
	r->vmalloc_why = vmalloc_why(p);
	/* "allocated 12288 of 20480 bytes" has the guard page with it. */
	r->vmalloc_bytes = (struct log_number){ !log_after(p, " of "), bytes };
	return mode;
}

static const char *find_vmalloc(const char *text, const char **end)
{
	for (size_t i = 0; i < ARRAY_SIZE(vmalloc_marks); i++) {
		*end = behind_comm(text, vmalloc_marks[i]);
		if (*end)
			return *end + strlen(vmalloc_marks[i]);
	}
	return NULL;
}

/* ", nodemask=(null),cpuset=/,mems_allowed=0" */
static bool take_failed(struct oom_report *r, const char *text)
{
	const char *nodes = log_after(text, ", nodemask="), *rest, *cpuset;

	if (!nodes)
		return ends_within(text, ", nodemask=");
	rest = take_nodes(r->nodemask, nodes);
	/* From 4.11 to 4.20 nothing is behind the nodes, but a line more: without it they may have been cut. */
	if (!*rest && isdigit((unsigned char)*r->nodemask)) {
		strcpy(r->open_nodemask, r->nodemask);
		r->nodemask[0] = '\0';
	}
	if (!*rest || take_cpuset(r, rest, rest + strlen(rest)))
		return true;
	r->cpuset[0] = r->mems_allowed[0] = '\0';
	cpuset = log_after(rest, ",cpuset=");
	return cpuset ? !strchr(cpuset, ' ')
		      : ends_within(rest, rest == nodes ? "(null)" : ",cpuset=");
}

/* Behind "NAME: page allocation failure: order:", and where the name ends: at the beginning if somebody took it away. */
static const char *find_failure(const char *text, const char **end)
{
	static const char *const marks[] = { ": " FAILURE, ": " FAILURE_OLD };

	*end = text;
	for (size_t i = 0; i < ARRAY_SIZE(marks); i++) {
		const char *at = behind_comm(text, marks[i]),
			   *bare = log_after(text, marks[i] + strlen(": "));

		if (bare)
			return bare;
		if (at) {
			*end = at;
			return at + strlen(marks[i]);
		}
	}
	return NULL;
}

bool oom_line_failure(const char *text, struct oom_report *r)
{
	const char *end, *p = find_failure(text, &end);
	struct oom_report head = { .has_head = true, .has_order = true };

	if (p) {
		p = take_signed(p, &head.order);
	} else {
		p = find_vmalloc(text, &end);
		p = p ? take_vmalloc(&head, p) : NULL;
	}
	p = p && !has_prefix(text, end) ? log_after(p, ", mode:") : NULL;
	p = p ? take_gfp(&head, p) : NULL;
	/* Up to 4.9 without the nodes. */
	if (!p || (*p && !take_failed(&head, p)))
		return false;
	log_copy(head.comm, sizeof(head.comm), text, end - text);
	head.has_comm = end != text;
	*r = head;
	return true;
}

/* ",pid=1,uid=0" at the end of the line; NULL: the end is not there. */
static const char *find_pid(const char *text, struct oom_victim *victim)
{
	const char *at = NULL, *p;
	uint64_t pid, uid;

	for (p = text; (p = strstr(p, ",pid=")); p++)
		at = p;
	if (!at)
		return NULL;
	p = log_take_figure(at + strlen(",pid="), &pid);
	p = p ? log_after(p, ",uid=") : NULL;
	if (!p || pid > INT32_MAX)
		return NULL;
	if (log_after(p, "-1")) {
		/* (uid_t)-1 printed as an int. */
		uid = UINT32_MAX;
		p += 2;
	} else {
		p = log_take_figure(p, &uid);
	}
	if (!p || *p)
		return NULL;
	victim->pid = (struct log_number){ true, pid };
	victim->uid = (struct log_number){ true, uid };
	return at;
}

static void take_cgroups(struct oom_report *r, const char *text, const char *task)
{
	bool is_memcg = r->scope == OOM_SCOPE_MEMCG;
	const char *of_task = log_find(text, ",task_memcg="),
		   *of_oom = log_find(text, ",oom_memcg=");

	if (occurrences(text, ",task_memcg=") != 1 ||
	    occurrences(text, ",oom_memcg=") != is_memcg ||
	    occurrences(text, ",global_oom") == is_memcg || of_task > task ||
	    (is_memcg && of_oom > of_task))
		return;
	take_text(r->task_memcg, sizeof(r->task_memcg), of_task, task - of_task);
	if (is_memcg)
		take_text(r->oom_memcg, sizeof(r->oom_memcg), of_oom,
			  of_task - strlen(",task_memcg=") - of_oom);
}

/* "oom-kill:constraint=CONSTRAINT_NONE,nodemask=0-1,cpuset=": without what follows, numbers may have been cut. */
static void take_nodemask(struct oom_report *r, const char *text)
{
	const char *p = log_after(text, "oom-kill:constraint=");

	r->nodemask[0] = '\0';
	p = p ? log_after(p + strspn(p, CONSTRAINT_CHARS), ",nodemask=") : NULL;
	if (p && !log_after(take_nodes(r->nodemask, p), ",cpuset=") && !log_after(p, "(null)"))
		r->nodemask[0] = '\0';
}

void oom_line_victim(const char *text, struct oom_report *r)
{
	const char *task = strstr(text, ",task="), *end, *comm, *cpuset = strstr(text, ",cpuset=");

	r->victim = (struct oom_victim){ 0 };
	take_nodemask(r, text);
	r->cpuset[0] = r->mems_allowed[0] = r->oom_memcg[0] = r->task_memcg[0] = '\0';
	end = find_pid(text, &r->victim);
	if (!end || !task || occurrences(text, ",task=") != 1)
		return;
	comm = task + strlen(",task=");
	if (comm <= end && end - comm < OOM_COMM) {
		r->victim.has_comm = true;
		log_copy(r->victim.comm, sizeof(r->victim.comm), comm, end - comm);
	}
	if (cpuset)
		take_cpuset(r, cpuset, task);
	take_cgroups(r, text, task);
}

bool oom_line_limit(const char *text, struct oom_report *r)
{
	const struct {
		const char *start;
		struct oom_limit *to;
	} limits[] = {
		{ "memory: usage ", &r->memory },
		{ "swap: usage ", &r->swap },
		{ "memory+swap: usage ", &r->memsw },
		{ "kmem: usage ", &r->kmem },
	};

	for (size_t i = 0; i < ARRAY_SIZE(limits); i++) {
		const char *p = log_after(text, limits[i].start);
		struct oom_limit limit = { 0 };

		if (!p)
			continue;
		p = oom_take_kib(p, "", &limit.usage_kib);
		p = oom_take_kib(p, ", limit ", &limit.limit_kib);
		p = p ? log_after(p, ", failcnt ") : NULL;
		limit.failcnt.known = p && log_take_figure(p, &limit.failcnt.value);
		*limits[i].to = limit;
		return true;
	}
	return false;
}

bool oom_line_limit_of(const char *text, struct oom_report *r)
{
	static const char limit[] = " killed as a result of limit of ";
	const char *task = log_after(text, "Task in "), *end = task ? strstr(task, limit) : NULL;

	if (!end)
		return false;
	/* The name of a cgroup may have the words in between; behind it a line may have lost its beginning. */
	if (occurrences(text, limit) == 1 && !strstr(end, ": usage ") &&
	    !strstr(end, "Memory cgroup ")) {
		take_text(r->task_memcg, sizeof(r->task_memcg), task, end - task);
		take_text(r->oom_memcg, sizeof(r->oom_memcg), end + strlen(limit),
			  strlen(end + strlen(limit)));
		oom_leave_cut_path(r);
	}
	return true;
}
