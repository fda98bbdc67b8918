// SPDX-License-Identifier: GPL-2.0-or-later
#include "log/stall.h"

#include <ctype.h>
#include <string.h>

#include "util/array.h"

/* Between its first line and the task: a line of each CPU, of RCU's own thread with its stack, the NMI. */
#define TASK_LINES 48

static bool take_number(struct log_number *n, const char *text)
{
	return text && (n->known = log_take_decimal(text, &n->value));
}

/* "1-....": a CPU with flags behind it, not the range of "CPUs 0-1". */
static const char *take_cpu(struct cpu_stall *s, const char *text)
{
	struct log_number cpu = { 0 };
	const char *p = log_take_decimal(text, &cpu.value);

	if (!p || p[0] != '-' || !p[1] || isdigit((unsigned char)p[1]) || !p[2] || !p[3])
		return NULL;
	cpu.known = true;
	if (!s->cpu.known)
		s->cpu = cpu;
	else
		s->more++;
	return p;
}

/* "{ 1-.... P45 3-...D } 5252 jiffies s: 45 root: 0x2/." */
static void take_expedited(struct cpu_stall *s, const char *p)
{
	for (; *p && *p != '}'; p += strcspn(p, " "), p += strspn(p, " "))
		take_cpu(s, p);
	if (*p)
		take_number(&s->jiffies, p + 1 + strspn(p + 1, " "));
}

static bool take_rcu(struct cpu_stall *s, const char *line)
{
	static const char *const heads[] = { " self-detected stall on CPU",
					     " detected stalls on CPUs/tasks:",
					     " detected expedited stalls on CPUs/tasks: { " };
	const char *p = log_after(line, "INFO: rcu_");

	for (size_t i = 0; p && i < sizeof(heads) / sizeof(heads[0]); i++) {
		const char *rest = log_find(p, heads[i]);

		if (!rest)
			continue;
		*s = (struct cpu_stall){ .kind = STALL_RCU,
					 .is_open = i < 2,
					 .task_lines = TASK_LINES };
		if (i == 2)
			take_expedited(s, rest);
		return true;
	}
	return false;
}

/* Of RCU: a line for each CPU, then "(detected by 0, t=5252 jiffies, g=..." or "(t=5252 jiffies g=...". */
static void take_more(struct cpu_stall *s, const char *line)
{
	const char *end = strstr(line, " jiffies"), *p = end;

	if (take_cpu(s, line) || *line != '(' || !end)
		return;
	while (p > line && isdigit((unsigned char)p[-1]))
		p--;
	take_number(&s->jiffies, p);
	s->is_open = false;
}

/* "RIP: 0010:spin+0x9/0x20 [drv]"; arm64: "pc : spin+0x9/0x20". */
static const char *place_of(const char *line)
{
	const char *at = log_after(line, "RIP: 0010:") ?: log_after(line, "pc : ");

	return at && strstr(at, "+0x") ? at : NULL;
}

/*
 * The first CPU's backtrace, "CPU: 1 PID: 114 Comm: poll", and "RIP: 0033:" behind it; of no CPU a task that was preempted
 * in a section of readers: "Tasks blocked on level-0 rcu_node (CPUs 0-1): P45", later "task:poll state:R ... pid:   45".
 */
static void take_rcu_task(struct cpu_stall *s, const char *line)
{
	const char *of = log_after(line, "CPU: "), *blocked, *name = log_after(line, "task:");
	const char *pid = name ? log_find(name, " pid:") : NULL;
	uint64_t number;

	s->task_lines--;
	/* "All QSes seen": no CPU is late, but one whose timers stand keeps RCU's own thread from running. */
	if (!s->cpu.known && !s->pid.known &&
	    take_number(&s->cpu, log_find(line, "NMI backtrace for cpu "))) {
		s->is_open = false;
		s->task_lines = TASK_LINES;
	} else if (s->cpu.known && s->pid.known) {
		s->in_user = log_after(line, "RIP: 0033:") != NULL;
		s->has_place = !s->in_user && place_of(line);
		if (s->in_user || s->has_place)
			s->task_lines = 0;
	} else if (s->cpu.known) {
		if (of && log_take_decimal(of, &number) && number == s->cpu.value)
			log_take_task(&s->cpu, &s->pid, s->comm, line);
	} else if (!s->pid.known) {
		blocked = log_find(line, "Tasks blocked on level-");
		take_number(&s->pid, blocked ? log_find(blocked, ": P") : NULL);
	} else if (pid && log_take_decimal(pid + strspn(pid, " "), &number) &&
		   number == s->pid.value) {
		log_copy(s->comm, sizeof(s->comm), name, strcspn(name, " "));
		s->task_lines = 0;
	}
}

/* "comm:115]": the first that ends so, as a name may have colons; another line may stand behind it, and be taken for none. */
static void take_name_and_pid(struct cpu_stall *s, const char *comm)
{
	const char *pid = comm;
	uint64_t number;

	while ((pid = strchr(pid, ':')) && (size_t)(pid - comm) < sizeof(s->comm)) {
		const char *end = log_take_figure(++pid, &number);

		if (!end || *end != ']')
			continue;
		s->pid = (struct log_number){ true, number };
		log_copy(s->comm, sizeof(s->comm), comm, (size_t)(pid - 1 - comm));
		return;
	}
}

/* "BUG: soft lockup - CPU#1 stuck for 22s! [comm:115]" */
static bool take_soft(struct cpu_stall *s, const char *line)
{
	const char *cpu = log_find(line, "BUG: soft lockup - CPU#");
	const char *comm = cpu ? log_find(cpu, "s! [") : NULL;

	if (!cpu)
		return false;
	*s = (struct cpu_stall){ .kind = STALL_SOFT, .has_place = true };
	take_number(&s->cpu, cpu);
	take_number(&s->seconds, log_find(cpu, " stuck for "));
	if (comm)
		take_name_and_pid(s, comm);
	return true;
}

/*
 * What the CPU itself ran, once: of RCU in the backtrace of its task. Of its stack behind that the first function of a
 * module, if that is none; a frame with "? " in front of it may be left over, and another task's stack is not of it.
 */
static void take_place(struct cpu_stall *s, const char *line)
{
	const char *at = place_of(line), *p = line + strspn(line, " \t"), *module = strstr(p, " [");

	if (!s->place[0]) {
		if (at && s->has_place)
			log_copy(s->place, sizeof(s->place), at, strlen(at));
		return;
	}
	s->has_place &= !log_after(line, "CPU: ") && !log_after(line, "Sending NMI");
	s->is_behind_irq |= s->has_place && log_after(p, "</IRQ>") != NULL;
	if (at && s->is_behind_irq)
		p = at;
	if (!s->has_place || !module || *p == '?' || strcspn(p, " ") != (size_t)(module - p) ||
	    !strstr(p, "+0x") || strstr(p, "+0x") > module)
		return;
	if (s->is_behind_irq && !s->interrupted[0])
		log_copy(s->interrupted, sizeof(s->interrupted), p, strlen(p));
	else if (!s->is_behind_irq && !strchr(s->place, '[') && !s->caller[0])
		log_copy(s->caller, sizeof(s->caller), p, strlen(p));
}

void stall_line(struct cpu_stall *s, const char *line)
{
	const char *rest = log_after(line, "rcu: ") ?: line;
	const char *hard = log_find(line, "atchdog detected hard LOCKUP on cpu ");

	if (hard) {
		*s = (struct cpu_stall){ .kind = STALL_HARD };
		take_number(&s->cpu, hard);
	} else if (!take_rcu(s, rest) && !take_soft(s, line)) {
		if (s->task_lines)
			take_rcu_task(s, rest + strspn(rest, " \t"));
		take_place(s, line);
		if (s->is_open)
			take_more(s, rest + strspn(rest, " \t"));
	}
}

void stall_gap(struct cpu_stall *s)
{
	s->is_open = s->has_place = false;
	s->task_lines = 0;
}

bool stall_is_fatal(const struct cpu_stall *s, const char *panic)
{
	static const char *const texts[] = {
		[STALL_RCU] = "RCU Stall",
		[STALL_SOFT] = "softlockup: ",
		[STALL_HARD] = "Hard LOCKUP",
	};

	return s->kind && s->cpu.known && log_after(panic, texts[s->kind]);
}

bool stall_spins_in(const char *function)
{
	static const char *const waits[] = { "spin_lock_slowpath", "read_lock_slowpath",
					     "write_lock_slowpath" };

	return ANY_OF(i, ARRAY_SIZE(waits), strstr(function, waits[i]));
}

bool stall_is_spinning(const struct cpu_stall *s)
{
	return stall_spins_in(s->place);
}
