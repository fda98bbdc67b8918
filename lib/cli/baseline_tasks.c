// SPDX-License-Identifier: GPL-2.0-or-later
/* Texts that list processes: /proc/PID/status of each, and what ps prints with RSS and a command. */
#include <ctype.h>
#include <stdlib.h>

#include "cli/baseline_side.h"

#define COMM 16 /* TASK_COMM_LEN, with its end */
#define KB 1024
#define LAGS                                                                                            \
	"resident memory of a kernel that runs lacks what its threads, from 6.2 on its CPUs, have not " \
	"added to the counters yet: a small growth may be that"

#define STATUS_KEY 32
#define STATUS_ENDS 8
#define STATUS_PID 24

/* proc_pid_status() of fs/proc/array.c, one behind the other, each line with its file in front or not. */
struct status_text {
	char name[64];
	int64_t bytes;
	unsigned int parts; /* of three */
	unsigned long tgid;
	bool is_thread; /* of task/TID/status: its memory is that of its process */
	/* What tells whether there are others. */
	char key[STATUS_KEY];		    /* of the newest line */
	char ends[STATUS_ENDS][STATUS_KEY]; /* keys that processes end at, without the last */
	unsigned int nends;
	char first[STATUS_PID], last[STATUS_PID]; /* PIDs; "": none yet */
	bool rises, rises_by_name;		  /* each PID above the one before; as texts */
	struct hash_bytes parents;		  /* of each the newest child, PIDs as texts */
};

static char *behind_path(char *line)
{
	char *at = strstr(line, "/status:");

	return at && *line != 'N' ? at + strlen("/status:") : line;
}

static bool status_begins(const char *line)
{
	const char *at = strstr(line, "/status:");

	return !strncmp(at ? at + strlen("/status:") : line, "Name:\t", 6);
}

/* A thread, or the process that it is of. */
static size_t status_once(const char *line)
{
	const char *at = strstr(line, "/status:");

	return !strncmp(at ? at + strlen("/status:") : line, "Pid:\t", 5) ? strlen(line) : 0;
}

/* The key that a process ends at: all do at one, unless lines were chosen, and kernel threads lack some. */
static void end_block(struct status_text *t)
{
	if (!*t->key || t->nends == STATUS_ENDS || ANY_OF(i, t->nends, !strcmp(t->ends[i], t->key)))
		return;
	strcpy(t->ends[t->nends++], t->key);
}

/* The order that a text has: of the names of files, as a shell has them, or of numbers. */
static int by_order(const struct status_text *t, const char *a, const char *b)
{
	if (t->rises_by_name || strlen(a) == strlen(b))
		return strcmp(a, b);
	return strlen(a) < strlen(b) ? -1 : 1;
}

static void note_pid(struct status_text *t, const char *line)
{
	char pid[STATUS_PID];

	/* 0: it is not in the namespace, or there is none. */
	if (sscanf(line, "PPid: %23[0-9]", pid) == 1 && strcmp(pid, "0"))
		strcpy(hash_bytes_get(&t->parents, pid, strlen(pid) + 1, NULL)->value, t->last);
	if (sscanf(line, "Tgid: %23[0-9]", pid) != 1 || !strcmp(pid, t->last))
		return;
	t->rises &= strtoul(pid, NULL, 10) > strtoul(t->last, NULL, 10);
	t->rises_by_name &= strcmp(pid, t->last) > 0;
	strcpy(t->last, pid);
	if (!*t->first)
		strcpy(t->first, pid);
}

/* A parent beyond what is there in order: it has not exited meanwhile, it was cut off. */
static const char *lacks_parent(struct baseline_side *s, const struct status_text *t)
{
	for (const struct hash_bytes_entry *e = t->parents.first; e; e = e->next) {
		const char *pid = (const char *)e->key;

		if (by_order(t, pid, t->first) < 0 || by_order(t, pid, t->last) > 0)
			return dump_text(s->dump, "it has not process %s, the parent of %s", pid,
					 (const char *)e->value);
	}
	return NULL;
}

/*
 * What processes tell of others: none lacks lines that others end with, the parent of each is there, and in the order of
 * names the threads that a kernel begins with, up to 9, are not all at one end.
 */
static void status_end(struct baseline_side *s, struct baseline_side *now)
{
	const struct status_text *t = s->own;

	(void)now;
	if (!t)
		return;
	if (s->first && strstr(behind_path((char *)s->first), ":\t"))
		s->lacks = "it begins within a process";
	else if (t->nends && !ANY_OF(i, t->nends, !strcmp(t->ends[i], t->key)))
		s->lacks = dump_text(
			s->dump,
			"of its last process, %s (%s), it has no line behind %s, of others %s",
			t->name, t->last, t->key, t->ends[0]);
	else if (t->rises || t->rises_by_name)
		s->lacks = lacks_parent(s, t);
	if (!s->lacks && t->rises_by_name && !t->rises && *t->last < '8')
		s->lacks = dump_text(s->dump, "in the order of names it ends at PID %s", t->last);
}

static enum status status_line(struct baseline_side *s, char *line)
{
	static const struct {
		const char *name;
		enum column_id column;
	} parts[] = { { "VmRSS", COLUMN_rss_bytes },
		      { "VmPTE", COLUMN_pgtables_bytes },
		      { "VmSwap", COLUMN_swap_bytes } };
	struct status_text *t = s->own;
	char name[16];
	unsigned long kb, id;

	if (!t) {
		s->own = t = dump_alloc(s->dump, sizeof(*t));
		hash_bytes_init(&t->parents, s->dump->arena, STATUS_PID);
		t->rises = t->rises_by_name = true;
	}
	line = behind_path(line);
	if (!strncmp(line, "Name:\t", 6)) {
		end_block(t);
		snprintf(t->name, sizeof(t->name), "%s", line + 6);
		t->bytes = t->parts = 0;
		t->tgid = 0;
		t->is_thread = false;
	}
	if (sscanf(line, "Pid: %lu", &id) == 1)
		t->is_thread = t->tgid && t->tgid != id;
	sscanf(line, "Tgid: %lu", &t->tgid);
	if (strchr(line, ':'))
		snprintf(t->key, sizeof(t->key), "%.*s", (int)strcspn(line, ":"), line);
	note_pid(t, line);
	if (t->is_thread)
		return ST_OK;
	if (sscanf(line, "%15[^:]: %lu kB", name, &kb) != 2 || kb > INT64_MAX / KB / 4)
		return ST_OK;
	for (size_t i = 0; i < ARRAY_SIZE(parts); i++) {
		if (strcmp(parts[i].name, name))
			continue;
		/* A kernel thread has no memory of its own, and none of the three. */
		if (!t->parts && baseline_row(s) != ST_OK)
			return ST_USAGE;
		if (!t->parts++)
			baseline_put_text(s, COLUMN_comm, t->name);
		t->bytes += (int64_t)kb * KB;
		baseline_put(s, parts[i].column, cell_int((int64_t)kb * KB));
		if (t->parts == ARRAY_SIZE(parts))
			baseline_put(s, COLUMN_process_bytes, cell_int(t->bytes));
	}
	/* Behind them, and in none of them; since 4.4. */
	if (!strcmp(name, "HugetlbPages") && t->parts == ARRAY_SIZE(parts))
		baseline_put(s, COLUMN_hugetlb_bytes, cell_int((int64_t)kb * KB));
	return ST_OK;
}

const struct baseline_text baseline_proc_status = {
	.name = "/proc/PID/status of each process",
	.begins = status_begins,
	.once = status_once,
	.line = status_line,
	.must = "kthreadd", /* a container has none */
	.has_many = true,
	.end = status_end,
	.note = LAGS,
	.rests = "each process: where it was cut between two the text does not show it",
};

/* Which words of a line have RSS and the command, by the header. */
struct ps {
	unsigned int before, after; /* words on each side of the command */
	unsigned int rss; /* the word, from the front or, behind the command, from the end */
	bool rss_behind, has_itself;
};

static bool is_command(const char *word, size_t len)
{
	static const char *const names[] = { "COMMAND", "CMD", "COMM" };

	return ANY_OF(i, ARRAY_SIZE(names),
		      strlen(names[i]) == len && !strncmp(names[i], word, len));
}

/* A date of lstart has five words. */
static unsigned int words_of(const char *word, size_t len)
{
	return len == 7 && !strncmp(word, "STARTED", len) ? 5 : 1;
}

static bool ps_header(const char *line, struct ps *ret)
{
	struct ps ps = { 0 };
	bool has_rss = false, has_command = false;
	unsigned int rss_words = 0;

	for (const char *p = line + strspn(line, " "); *p; p += strspn(p, " ")) {
		size_t len = strcspn(p, " ");

		if (len == 3 && (!strncmp(p, "RSS", 3) || !strncmp(p, "RSZ", 3)) && !has_rss) {
			has_rss = true;
			ps.rss_behind = has_command;
			rss_words = has_command ? ps.after : ps.before;
		}
		if (!has_command && is_command(p, len))
			has_command = true;
		else if (has_command)
			ps.after += words_of(p, len);
		else
			ps.before += words_of(p, len);
		p += len;
	}
	ps.rss = ps.rss_behind ? ps.after - rss_words : rss_words;
	*ret = ps;
	return has_rss && has_command;
}

static bool ps_begins(const char *line)
{
	struct ps ps;

	return ps_header(line, &ps);
}

/* The word behind n others; NULL: there are fewer. */
static char *word_at(char *p, unsigned int n)
{
	p += strspn(p, " ");
	for (; n && *p; n--) {
		p += strcspn(p, " ");
		p += strspn(p, " ");
	}
	return *p ? p : NULL;
}

/* "|   \_ sshd": ps f draws the tree of processes in front of the command. */
static char *behind_tree(char *p)
{
	while (p && (!strncmp(p, "| ", 2) || !strncmp(p, "\\_ ", 3)))
		p = word_at(p, 1);
	return p;
}

/* Cuts the last n words off; the first of them. */
static char *cut_words(char *p, unsigned int n)
{
	char *end = p + strlen(p);

	for (; n && end > p; n--) {
		while (end > p && end[-1] == ' ')
			end--;
		while (end > p && end[-1] != ' ')
			end--;
	}
	if (end > p && *end)
		end[-1] = '\0';
	return end;
}

/* The name that a kernel gives to who executes the file of a word: "/usr/bin/dbus-daemon", "-bash", "nginx:" */
static void name_of(const char *word, char name[COMM])
{
	size_t len = strcspn(word, " ");
	const char *slash = memrchr(word, '/', len);

	if (slash) {
		len -= (size_t)(slash + 1 - word);
		word = slash + 1;
	} else if (*word == '-') {
		word++;
		len--;
	}
	if (len && word[len - 1] == ':')
		len--;
	snprintf(name, COMM, "%.*s", (int)len, word);
}

/* A script has the name of its file where it is executed, and of the interpreter where that is given it. */
static bool is_interpreter(const char *name)
{
	static const char *const names[] = {
		"python", "perl", "ruby", "bash", "sh", "dash", "node"
	};

	return ANY_OF(i, ARRAY_SIZE(names), !strncmp(name, names[i], strlen(names[i])));
}

/* kB; "310m" and "1.2g" are rounded, by that number of bytes. false: it is none. */
static bool rss_of(const char *word, uint64_t *kb, int64_t *rounded)
{
	static const char units[] = "kmgt";
	const char *unit;
	double n, last = KB; /* of the last digit */
	char *end;

	if (!isdigit((unsigned char)*word))
		return false;
	n = strtod(word, &end);
	for (const char *digit = memchr(word, '.', (size_t)(end - word)); digit && ++digit < end;)
		last /= 10;
	unit = *end ? strchr(units, tolower((unsigned char)*end)) : NULL;
	end += unit != NULL;
	for (const char *u = units; unit && u < unit; u++)
		n *= KB;
	for (const char *u = units; unit && u < unit; u++)
		last *= KB;
	*rounded = unit > units ? (int64_t)last : 0;
	if ((*end && *end != ' ') || n >= (double)INT64_MAX / KB)
		return false;
	*kb = (uint64_t)n;
	return true;
}

static size_t ps_once(const char *line)
{
	struct ps header;

	return ps_begins(line) && ps_header(line, &header) ? strlen(line) : 0;
}

static enum status ps_line(struct baseline_side *s, char *line)
{
	struct ps *ps = s->own, header;
	char *rest, *command, *rss, name[COMM];
	int64_t rounded = 0;
	uint64_t kb = 0;

	if (!ps) {
		s->own = ps = dump_alloc(s->dump, sizeof(*ps));
		return ps_header(line, ps) ? ST_OK : ST_ABSENT;
	}
	if (!word_at(line, 0) || ps_header(line, &header))
		return ST_OK;
	command = behind_tree(word_at(line, ps->before));
	rest = command ? cut_words(command, ps->after) : NULL;
	rss = !ps->rss_behind ? word_at(line, ps->rss)
	      : rest	      ? word_at(rest, ps->after - ps->rss)
			      : NULL;
	/* Of a thread (m, -L) */
	if (rss && rss[0] == '-' && (!rss[1] || rss[1] == ' '))
		return ST_OK;
	/* A line that has no command has not all of its words. */
	if (!rest || (ps->after && rest == command) || !rss || !rss_of(rss, &kb, &rounded)) {
		s->first_unread = s->unread++ ? s->first_unread : s->line;
		return ST_OK;
	}
	/* Without memory of its own: a kernel thread, or a zombie. */
	if (!kb)
		return ST_OK;
	if (baseline_row(s) != ST_OK)
		return ST_USAGE;
	s->rounded += rounded != 0;
	s->row->rounded = rounded;
	name_of(command, name);
	ps->has_itself |= !strcmp(name, "ps") || !strcmp(name, "busybox");
	baseline_put_text(s, COLUMN_comm, name);
	baseline_put(s, COLUMN_rss_bytes, cell_int((int64_t)kb * KB));
	command = word_at(command, 1);
	if (!is_interpreter(name) || !command || *command == '-')
		return ST_OK;
	name_of(command, name);
	baseline_put_text(s, COLUMN_alias_names, name);
	return ST_OK;
}

/* Which of the two names a script has follows from the processes now. */
static void ps_end(struct baseline_side *s, struct baseline_side *now)
{
	size_t name = baseline_index(now, COLUMN_comm),
	       script = baseline_index(s, COLUMN_alias_names);
	const struct ps *ps = s->own;
	struct hash_bytes names;

	if (ps && !ps->has_itself)
		s->lacks = "it has no line of ps, which lists itself";
	hash_bytes_init(&names, s->dump->arena, 1);
	for (const struct baseline_row *row = now->rows; row; row = row->next) {
		const char *text = cell_words(&row->cells[name]);

		if (text)
			hash_bytes_get(&names, text, strlen(text), NULL);
	}
	for (struct baseline_row *row = s->rows; row; row = row->next) {
		const char *text = cell_words(&row->cells[script]);

		if (text && hash_bytes_find(&names, text, strlen(text)))
			row->cells[name] = row->cells[script];
		row->cells[script] = cell_none();
	}
}

const struct baseline_text baseline_ps = {
	.name = "ps with RSS",
	.place = "sos_commands/process/ps_auxwwwm",
	.begins = ps_begins,
	.once = ps_once,
	.line = ps_line,
	.must = "kthreadd", /* a container, or a user, has none */
	.has_many = true,
	.end = ps_end,
	.rests = "each process: where lines were left out the text does not show it",
	.note = LAGS
	"; ps has command lines: names of processes follow from them, and one that has given "
	"itself another name is new, or gone",
};
