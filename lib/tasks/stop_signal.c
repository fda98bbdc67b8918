// SPDX-License-Identifier: GPL-2.0-or-later
#include "tasks/stop_signal.h"

#define STOP_SIGNAL 0xffffU /* JOBCTL_STOP_SIGMASK (include/linux/sched/jobctl.h) */
#define SENDER_BYTES 8u	    /* a pid and a uid */
#define SIGINFO \
	48u /* struct kernel_siginfo (4.20); all of it is set, what is not of a sender to 0 */

/* Clocks of CPUs differ from that of the kernel by less; no machine uses up its PIDs in it. */
#define CLOCKS_NS 1000000000ULL

/* si_code of include/uapi/asm-generic/siginfo.h. */
enum { CODE_USER = 0, CODE_KERNEL = 0x80, CODE_QUEUE = -1, CODE_TKILL = -6 };

struct stopped {
	uint64_t jobctl, pid;
};

struct stopped_pid {
	uint32_t level; /* of its PID namespace; 0: the first */
};

static const struct layout_row rows[] = {
	STRUCTURE(struct stop_signals, task, "struct task_struct"),
	READS(struct stopped, jobctl, OPTIONAL, "3.0", "jobctl"),
	POINTS(struct stopped, pid, OPTIONAL, "4.19", "thread_pid"),
	STRUCTURE(struct stop_signals, pid, "struct pid"),
	READS(struct stopped_pid, level, OPTIONAL, "2.6.24", "level"),
	FINDS(struct stop_signals, info, "struct sigqueue", OPTIONAL, "all", "info"),
	FINDS(struct stop_signals, number, "struct sigqueue", OPTIONAL, "all", "info.si_signo"),
	FINDS(struct stop_signals, code, "struct sigqueue", OPTIONAL, "all", "info.si_code"),
	FINDS(struct stop_signals, sender, "struct sigqueue", OPTIONAL, "all",
	      "info._sifields._kill._pid"),
};

enum status stop_signals_open(struct dump *d, struct stop_signals *ret)
{
	struct stop_signals x = { .dump = d };
	enum status st = STRUCTS_OPEN(d, rows, &x);

	return RESULT(st, ret, x);
}

static bool is_sent(int32_t code)
{
	return code == CODE_USER || code == CODE_QUEUE || code == CODE_TKILL;
}

/* Whether SIGINFO bytes are a siginfo of that signal. */
static bool is_siginfo(const struct stop_signals *x, const uint8_t *b, struct stop_signal *s)
{
	const uint32_t sender = x->sender.offset - x->info.offset;
	const int32_t code = (int32_t)le32(b + x->code.offset - x->info.offset);
	uint32_t known[] = { x->number.offset - x->info.offset, x->code.offset - x->info.offset };

	if (le32(b + known[0]) != (uint32_t)s->number || (!is_sent(code) && code != CODE_KERNEL))
		return false;
	for (uint32_t i = 0; i < SIGINFO; i += 4) {
		const bool is_of_sender = is_sent(code) && i - sender < SENDER_BYTES;

		if (i != known[0] && i != known[1] && !is_of_sender && le32(b + i))
			return false;
	}
	s->sender = is_sent(code) ? (int32_t)le32(b + sender) : 0;
	s->by = is_sent(code) ? STOP_SENDER_PROCESS : STOP_SENDER_KERNEL;
	return !is_sent(code) || s->sender > 0;
}

/* Where there are two that differ, one is left from before. */
static void find_sender(const struct stop_signals *x, const struct task_stack *s,
			struct stop_signal *ret)
{
	const uint64_t end = s->base + s->size;
	struct stop_signal found = *ret;

	for (uint64_t at = (s->sp + 7) & ~7ULL; at >= s->base && at + SIGINFO <= end; at += 8) {
		struct stop_signal one = *ret;

		if (!is_siginfo(x, s->bytes + (at - s->base), &one))
			continue;
		if (found.by && (found.by != one.by || found.sender != one.sender))
			return;
		found = one;
	}
	*ret = found;
}

static bool is_in_first_namespace(const struct stop_signals *x, uint64_t pid)
{
	struct stopped_pid p = { .level = 1 };

	return pid && struct_has_all(&x->pid) && struct_read(&x->pid, pid, &p) == ST_OK && !p.level;
}

enum status stop_signal_of(const struct stop_signals *x, uint64_t task, const struct task_stack *s,
			   struct stop_signal *ret)
{
	struct stop_signal found = { 0 };
	struct stopped stopped = { 0 };
	enum status st = struct_read(&x->task, task, &stopped);
	const bool is_known = x->info.present && x->number.present && x->code.present &&
			      x->sender.present && x->info.size >= SIGINFO;

	if (st != ST_OK)
		return st;
	found.number = (int32_t)(stopped.jobctl & STOP_SIGNAL);
	if (found.number && s && !s->on_cpu && is_known)
		find_sender(x, s, &found);
	/* A PID of a namespace of its own is that of another process here. */
	if (found.by == STOP_SENDER_PROCESS && !is_in_first_namespace(x, stopped.pid))
		found.by = STOP_SENDER_UNKNOWN;
	*ret = found;
	return ST_OK;
}

bool stop_signal_may_be_of(uint64_t start_ns, uint64_t stopped_ns)
{
	return start_ns <= stopped_ns + CLOCKS_NS;
}

const char *stop_signal_name(int32_t number)
{
	/* Of x86 and arm64 (include/uapi/asm-generic/signal.h). */
	static const struct {
		int32_t number;
		const char *name;
	} names[] = { { 19, "SIGSTOP" }, { 20, "SIGTSTP" }, { 21, "SIGTTIN" }, { 22, "SIGTTOU" } };

	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (names[i].number == number)
			return names[i].name;
	return NULL;
}
