// SPDX-License-Identifier: GPL-2.0-or-later
#include "redact.h"

#include <ctype.h>

#include "cli/columns.h"
#include "classes/page_class.h"
#include "collect/stuck.h"
#include "files/cached_file.h"

#define MIN_DIGITS 9   /* of an address: sizes and flags have fewer */
#define REGISTER 16    /* digits of one, of which none need be a letter */
#define MAX_NAME 4096  /* of a path */
#define MAX_LEARNT 256 /* of a name that is looked for; a longer path is found by its form */
#define PSEUDONYM 32
#define DELETED " (deleted)"
#define DELETED_BYTES (sizeof(DELETED) - 1) /* without its end */

struct pseudonym {
	char text[PSEUDONYM];
	bool is_learnt; /* it is looked for in texts */
	bool is_word;	/* which our own sentences may have: alone it names no process */
};

static const char *const words[REDACT_KINDS] = {
	[REDACT_HOST] = "host",	      [REDACT_COMMAND] = "cmd",	 [REDACT_PATH] = "/path",
	[REDACT_PART] = "name",	      [REDACT_ADDRESS] = "addr", [REDACT_DEVICE] = "dev",
	[REDACT_LINE] = "[left out]", [REDACT_BPF] = "bpf",
};

/* What the columns of views, and keys of JSON, have. */
static const struct {
	const char *column;
	enum redact_kind kind;
} names[] = {
	{ "host", REDACT_HOST },
	{ "comm", REDACT_COMMAND },
	{ "victim_comm", REDACT_COMMAND },
	{ "command_line", REDACT_LINE },
	{ "cgroup", REDACT_PATH },
	{ "memcg", REDACT_PATH },
	{ "file", REDACT_PATH },
	{ "path", REDACT_PATH },
	{ "mount", REDACT_PATH },
	{ "dir", REDACT_PATH },
	{ "vma_file", REDACT_PATH },
	{ "local_address", REDACT_ADDRESS },
	{ "remote_address", REDACT_ADDRESS },
};

/* "swapper/0", "kworker/1:2H": idle tasks and workers of the kernel by their form, the latter also where they ended. */
static bool is_of_kernel(const char *name, size_t n)
{
	static const char *const forms[] = { "swapper/", "kworker/" };

	for (size_t i = 0; i < ARRAY_SIZE(forms); i++) {
		const size_t len = strlen(forms[i]);

		if (n > len && !memcmp(name, forms[i], len) &&
		    (isdigit((unsigned char)name[len]) || name[len] == 'u'))
			return true;
	}
	return n == strlen("swapper") && !memcmp(name, "swapper", n);
}

/* Words that name nothing: of kernels without a host name, the root of cgroups. */
static bool has_no_name(const char *name, size_t n)
{
	static const char *const none[] = { "(none)", "/", "-", "" };

	return ANY_OF(i, ARRAY_SIZE(none), strlen(none[i]) == n && !memcmp(none[i], name, n));
}

/* "/proc/slabinfo", "/proc/sys/vm/swappiness": a file of the kernel that is on each machine, and in our own sentences. */
static bool is_kernel_file(const char *path, size_t n)
{
	static const char *const kernel[] = { "/sys/kernel/mm/", "/sys/kernel/slab/" };
	static const char proc[] = "/proc/", fs[] = "/proc/fs/";

	if (ANY_OF(i, ARRAY_SIZE(kernel),
		   n > strlen(kernel[i]) && !memcmp(path, kernel[i], strlen(kernel[i]))))
		return true;
	/* Those of a process have its number, those of file systems the name of a device. */
	return n >= sizeof(proc) && !memcmp(path, proc, sizeof(proc) - 1) &&
	       islower((unsigned char)path[sizeof(proc) - 1]) &&
	       (n < sizeof(fs) || memcmp(path, fs, sizeof(fs) - 1) != 0);
}

void redact_open(struct dump *d, struct redact *ret)
{
	*ret = (struct redact){ .dump = d };
	hash_bytes_init(&ret->names, d->arena, sizeof(struct pseudonym));
	hash_bytes_init(&ret->threads, d->arena, 0);
	hash_bytes_init(&ret->processes, d->arena, 0);
}

static struct pseudonym *pseudonym(struct redact *r, enum redact_kind kind, const char *name,
				   size_t n)
{
	bool is_new;
	struct pseudonym *p = hash_bytes_get(&r->names, name, n, &is_new)->value;

	if (!is_new)
		return p;
	snprintf(p->text, sizeof(p->text), "%s-%lu", words[kind], ++r->n);
	return p;
}

/* A thread of the kernel has the name, and no process that is known. */
static bool is_of_thread(const struct redact *r, const char *name, size_t n)
{
	return is_of_kernel(name, n) ||
	       (hash_bytes_find(&r->threads, name, n) && !hash_bytes_find(&r->processes, name, n));
}

static bool has_letter(const char *name, size_t n)
{
	while (n && !isalpha((unsigned char)name[n - 1]))
		n--;
	return n;
}

/* Where a word may begin or end: not inside of another. */
static bool is_inside(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

static bool has_word(const char *text, const char *name, size_t n)
{
	const char *at = text, *end = text + strlen(text);

	while ((at = memmem(at, end - at, name, n)) != NULL) {
		if ((at == text || !is_inside(at[-1])) && !is_inside(at[n]))
			return true;
		at++;
	}
	return false;
}

/* Words that we write: what columns are called and what explains them, nouns, places, types of BPF maps. */
static bool is_own_word(const char *name, size_t n)
{
#define NOUN(name) #name,
#define COMMAND(name) #name,
	static const char *const others[] = {
#include "nouns.def"
#include "commands.def"
		"array",   "hash",    "held", "Linux",	 "MemTotal",
		"missing", "process", "PSI",  "unknown", "work"
	};
#undef NOUN
#undef COMMAND
	static const char *const *const choices[] = { place_names, stuck_waits, page_class_names,
						      file_kind_names, basis_words };

	for (size_t i = 0; i < n; i++)
		if (!isalpha((unsigned char)name[i]) && name[i] != '_')
			return false;
	for (size_t i = 1; i < COLUMN_IDS; i++)
		if ((column_catalogue[i].help && has_word(column_catalogue[i].help, name, n)) ||
		    (column_catalogue[i].name && has_word(column_catalogue[i].name, name, n)))
			return true;
	for (size_t i = 0; i < ARRAY_SIZE(choices); i++)
		for (const char *const *choice = choices[i]; *choice; choice++)
			if (has_word(*choice, name, n))
				return true;
	return ANY_OF(i, ARRAY_SIZE(others), has_word(others[i], name, n));
}

/* A name that is looked for in every text from then on. */
static void redact_learn(struct redact *r, enum redact_kind kind, const char *name, size_t n)
{
	struct pseudonym *p;

	if (n > DELETED_BYTES && !memcmp(name + n - DELETED_BYTES, DELETED, DELETED_BYTES))
		n -= DELETED_BYTES;
	if (n < 2 || n > MAX_NAME || has_no_name(name, n) || !has_letter(name, n) ||
	    (kind == REDACT_COMMAND && is_of_kernel(name, n)))
		return;
	if (kind == REDACT_LINE) {
		r->line = arena_text(r->dump->arena, "%.*s", (int)n, name);
		return;
	}
	p = pseudonym(r, kind, name, n);
	if (!p->is_learnt)
		p->is_word = is_own_word(name, n);
	p->is_learnt = true;
	if (n > r->longest)
		r->longest = n < MAX_LEARNT ? n : MAX_LEARNT;
}

static bool is_path_char(char c)
{
	return (unsigned char)c > ' ' && !strchr(",;\"'<>|)]", c);
}

/* Bytes of an address at the start of text: of memory, or of the network; 0: there is none. */
static size_t address_at(const char *text, size_t n)
{
	size_t at = n > 2 && text[0] == '0' && (text[1] | 0x20) == 'x' ? 2 : 0, digits, dots = 0;
	bool has_letter = at;

	for (digits = at; digits < n && isxdigit((unsigned char)text[digits]); digits++)
		has_letter |= !isdigit((unsigned char)text[digits]);
	if ((digits - at >= REGISTER || (digits - at >= MIN_DIGITS && has_letter)) &&
	    (digits == n || !is_inside(text[digits])))
		return digits;
	for (at = 0; at < n && (isdigit((unsigned char)text[at]) || text[at] == '.'); at++)
		dots += text[at] == '.' && at && text[at - 1] != '.';
	if (dots == 3 && at && text[at - 1] != '.' && (at == n || !is_inside(text[at])))
		return at;
	/* Of IPv6, colons and hexadecimal digits. */
	for (at = dots = 0; at < n && (isxdigit((unsigned char)text[at]) || text[at] == ':'); at++)
		dots += text[at] == ':';
	return dots > 2 && at > 3 && (at == n || !is_inside(text[at])) ? at : 0;
}

/* "[  337.614278] run invoked oom-killer": a line of the log, in which no word is ours. */
static bool is_of_log(const char *all, size_t at)
{
	const char *line = memrchr(all, '\n', at);

	line = line ? line + 1 : all;
	return line[0] == '[' && (line[1] == ' ' || isdigit((unsigned char)line[1]));
}

static bool begins(const char *text, size_t n, const char *with)
{
	return n >= strlen(with) && !memcmp(text, with, strlen(with));
}

static bool ends(const char *all, size_t at, const char *with)
{
	return at >= strlen(with) && !memcmp(all + at - strlen(with), with, strlen(with));
}

/* "13 processes waits", "has 37.2M in waits", "the first of 13 waits in /shop", "task    156 waits" */
static bool is_behind_count(const char *all, size_t at, size_t end, size_t n)
{
	const char *word = ends(all, at, " processes ") ? " processes "
			   : ends(all, at, " in ")	? " in "
							: " ";
	const bool is_alone = word[1] == '\0';
	size_t digits = at > strlen(word) && ends(all, at, word) ? at - strlen(word) : 0;

	if (word[1] == 'i')
		return digits > 1 && strchr("BKMGT", all[digits - 1]) &&
		       isdigit((unsigned char)all[digits - 2]);
	if (!digits || !isdigit((unsigned char)all[digits - 1]))
		return false;
	return !is_alone || end == n || all[end] == '\n' || begins(all + end, n - end, " in /");
}

/* "waits (156)", "waits (pid 156)", "156(waits)" */
static bool is_of_task(const char *all, size_t at, size_t end, size_t n)
{
	static const char *const behind[] = { " (pid ", " asked for memory",
					      " invoked the OOM killer" };

	if (is_of_log(all, at))
		return true;
	if (at > 1 && all[at - 1] == '(' && isdigit((unsigned char)all[at - 2]))
		return true;
	if (begins(all + end, n - end, " (") && end + 2 < n && isdigit((unsigned char)all[end + 2]))
		return true;
	return is_behind_count(all, at, end, n) ||
	       ANY_OF(i, ARRAY_SIZE(behind), begins(all + end, n - end, behind[i]));
}

/* "order=0", in the log "free:1024kB": what is before a value names none. */
static bool is_key(const char *all, size_t at, size_t end, size_t n, const struct pseudonym *p)
{
	for (size_t i = at; i < end; i++)
		if (!isalpha((unsigned char)all[i]) && all[i] != '_')
			return false;
	if (end < n && all[end] == '=')
		return true;
	/* A host has a port behind it. */
	return end + 1 < n && all[end] == ':' && isdigit((unsigned char)all[end + 1]) &&
	       strncmp(p->text, words[REDACT_HOST], strlen(words[REDACT_HOST])) &&
	       is_of_log(all, at);
}

/* The longest name that was learnt at a place of a text. */
static size_t name_at(struct redact *r, const char *all, size_t at, size_t end, const char **ret)
{
	const char *text = all + at;
	const size_t n = end - at;
	size_t line = r->line ? strlen(r->line) : 0;

	if (line && n >= line && !memcmp(text, r->line, line)) {
		*ret = words[REDACT_LINE];
		return line;
	}
	for (size_t len = n < r->longest ? n : r->longest; len; len--) {
		const struct pseudonym *p;

		if (len < n && is_inside(text[len]) && is_inside(text[len - 1]))
			continue;
		p = hash_bytes_find(&r->names, text, len);
		if (!p || !p->is_learnt || is_of_thread(r, text, len) ||
		    is_key(all, at, at + len, end, p) ||
		    (p->is_word && !is_of_task(all, at, at + len, end)))
			continue;
		*ret = p->text;
		return len;
	}
	return 0;
}

/* "</TASK>", as a trace of the kernel names its stacks; text begins at the slash. */
static bool is_stack_end(const char *text, size_t n, bool has_bracket)
{
	size_t len = 1;

	while (len < n && (isupper((unsigned char)text[len]) || strchr("_#", text[len])))
		len++;
	return has_bracket && len > 1 && len < n && text[len] == '>';
}

static size_t path_at(struct redact *r, const char *text, size_t n, const char **ret)
{
	size_t len = 0;

	while (len < n && is_path_char(text[len]))
		len++;
	while (len > 1 && strchr(".:(", text[len - 1]))
		len--;
	if (*text != '/' || len < 2)
		return 0;
	*ret = is_kernel_file(text, len) ? arena_text(r->dump->arena, "%.*s", (int)len, text)
					 : pseudonym(r, REDACT_PATH, text, len)->text;
	return len;
}

/* "of device tun0", "configfs item lun0": the name that is at a place of a text. */
static size_t device_at(struct redact *r, const char *all, size_t at, size_t end, const char **ret)
{
	static const char *const before[] = { " of device ", "configfs item " };
	size_t len = at;

	if (!ANY_OF(i, ARRAY_SIZE(before),
		    at >= strlen(before[i]) &&
			    !memcmp(all + at - strlen(before[i]), before[i], strlen(before[i]))))
		return 0;
	while (len < end && is_path_char(all[len]))
		len++;
	if (len > at)
		*ret = pseudonym(r, REDACT_DEVICE, all + at, len - at)->text;
	return len - at;
}

const char *redact_text(struct redact *r, const char *text, size_t n)
{
	size_t size = 2 * n + PSEUDONYM, len;
	char *buf;
	struct strbuf b;

	/* The shortest name, of one byte, becomes a pseudonym. */
	size = n * PSEUDONYM / 2 + size;
	buf = dump_alloc(r->dump, size);
	b = strbuf_in(buf, size);
	for (size_t at = 0; at < n; at += len) {
		const char *word = NULL;
		bool starts = !at || !is_inside(text[at - 1]) || !is_inside(text[at]);

		len = device_at(r, text, at, n, &word);
		if (!len && starts)
			len = name_at(r, text, at, n, &word);
		if (!len && text[at] == '/' && (!at || !is_inside(text[at - 1])) &&
		    !is_stack_end(text + at, n - at, at && text[at - 1] == '<'))
			len = path_at(r, text + at, n - at, &word);
		if (!len && starts) {
			len = address_at(text + at, n - at);
			word = len ? pseudonym(r, REDACT_ADDRESS, text + at, len)->text : NULL;
		}
		if (!len) {
			len = 1;
			strbuf_add(&b, "%c", text[at]);
		} else {
			strbuf_add(&b, "%s", word);
		}
	}
	return buf;
}

static bool kind_of(const char *column, size_t n, enum redact_kind *ret)
{
	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (strlen(names[i].column) == n && !memcmp(names[i].column, column, n)) {
			*ret = names[i].kind;
			return true;
		}
	return false;
}

/* Alone in a column a name of BPF is one although it is a word of ours; NULL: it is none. */
static const char *bpf_name(struct redact *r, const char *column, size_t ncolumn, const char *name,
			    size_t n)
{
	const struct pseudonym *p = ncolumn == strlen("name") && !memcmp(column, "name", ncolumn)
					    ? hash_bytes_find(&r->names, name, n)
					    : NULL;

	return p && !strncmp(p->text, words[REDACT_BPF], strlen(words[REDACT_BPF])) ? p->text
										    : NULL;
}

const char *redact_cell(struct redact *r, const char *column, const char *text)
{
	enum redact_kind kind;
	size_t n = strlen(text);

	if (bpf_name(r, column, strlen(column), text, n))
		return bpf_name(r, column, strlen(column), text, n);
	/* "[not charged]", "[several]": words of ours. Files of sources have no slash in front. */
	if (!kind_of(column, strlen(column), &kind) || *text == '[' ||
	    (kind == REDACT_PATH && *text != '/'))
		return redact_text(r, text, n);
	if (has_no_name(text, n) || (kind == REDACT_COMMAND && is_of_thread(r, text, n)))
		return text;
	/* What stands behind a path is no part of it. */
	if (n > DELETED_BYTES && !strcmp(text + n - DELETED_BYTES, DELETED))
		return arena_text(r->dump->arena, "%s" DELETED,
				  pseudonym(r, kind, text, n - DELETED_BYTES)->text);
	return pseudonym(r, kind, text, n)->text;
}

/* The next "key":"value" of a line; false: there is none. */
static bool next_value(const char **at, const char *end, const char **key, size_t *nkey,
		       const char **value, size_t *nvalue)
{
	for (const char *p = *at; p && p < end; p++) {
		const char *colon;

		if (*p != '"')
			continue;
		*key = p + 1;
		colon = memchr(*key, '"', end - *key);
		if (!colon)
			return false;
		*nkey = colon - *key;
		p = colon;
		if (end - p < 3 || p[1] != ':' || p[2] != '"')
			continue;
		*value = p + 3;
		for (p = *value; p < end && *p != '"'; p++)
			p += *p == '\\' && p + 1 < end;
		if (p >= end)
			return false;
		*nvalue = p - *value;
		*at = p + 1;
		return true;
	}
	return false;
}

/* "[  514]     0   514   28714   19 0 ... name": what is behind the numbers. A line of a driver, "[drm] x", is none. */
static void learn_table(struct redact *r, const char *text, size_t n)
{
	size_t at = 1, from;

	while (at < n && text[at] == ' ')
		at++;
	for (from = at; at < n && isdigit((unsigned char)text[at]); at++)
		;
	if (at == from || at == n || text[at++] != ']')
		return;
	for (from = at; at < n; from = at) {
		while (at < n && text[at] == ' ')
			at++;
		from = at;
		at += at < n && text[at] == '-';
		while (at < n && isdigit((unsigned char)text[at]))
			at++;
		if (at == n || text[at] != ' ')
			break;
	}
	if (from < n && !isdigit((unsigned char)text[from]))
		redact_learn(r, REDACT_COMMAND, text + from, n - from);
}

/* Bytes of the name behind "Comm: ", which may have blanks: taint follows. */
static size_t comm_bytes(const char *text, size_t n)
{
	static const char *const ends[] = { " Not tainted", " Tainted: ", " Kdump: " };
	size_t ret = n;

	for (size_t i = 0; i < ARRAY_SIZE(ends); i++) {
		const char *end = memmem(text, ret, ends[i], strlen(ends[i]));

		ret = end ? (size_t)(end - text) : ret;
	}
	return ret < n ? ret : strcspn(text, " \"");
}

/* "Comm: x", "x invoked oom-killer:", "Killed process 5 (x)", and the names of the table of tasks. */
static void learn_message(struct redact *r, const char *text, size_t n)
{
	static const char invoked[] = " invoked oom-killer:", comm[] = "Comm: ",
			  killed[] = "Killed process ", task[] = "task=";
	const char *end = text + n, *at;
	char name[64], open, close;

	at = memmem(text, n, invoked, sizeof(invoked) - 1);
	if (at)
		redact_learn(r, REDACT_COMMAND, text, at - text);
	at = memmem(text, n, comm, sizeof(comm) - 1);
	if (at) {
		at += sizeof(comm) - 1;
		redact_learn(r, REDACT_COMMAND, at, comm_bytes(at, end - at));
	}
	at = memmem(text, n, task, sizeof(task) - 1);
	if (at) {
		at += sizeof(task) - 1;
		redact_learn(r, REDACT_COMMAND, at, strcspn(at, ",\""));
	}
	at = memmem(text, n, killed, sizeof(killed) - 1);
	if (at && sscanf(at + sizeof(killed) - 1, "%*u %c%63[^)]%c", &open, name, &close) == 3)
		redact_learn(r, REDACT_COMMAND, name, strlen(name));
	if (n && *text == '[')
		learn_table(r, text, n);
}

static void learn_value(struct redact *r, enum redact_kind kind, const char *value, size_t n)
{
	const char *slash = kind == REDACT_PATH ? memrchr(value, '/', n) : NULL;

	if (kind == REDACT_PATH && is_kernel_file(value, n))
		return;
	redact_learn(r, kind, value, n);
	/* A cgroup is told by its last name too. */
	if (slash)
		redact_learn(r, REDACT_PART, slash + 1, value + n - slash - 1);
}

void redact_learn_record(struct redact *r, const char *line, size_t n)
{
	static const char thread[] = "\"kthread\":true", process[] = "\"kthread\":false",
			  message[] = "message", map[] = "\"bpf_kind\":\"map\"",
			  program[] = "\"bpf_kind\":\"program\"", own[] = "name";
	const bool is_thread = memmem(line, n, thread, sizeof(thread) - 1);
	const bool is_process = memmem(line, n, process, sizeof(process) - 1);
	/* The rows of filters of seccomp have a sentence of ours. */
	const bool is_bpf = memmem(line, n, map, sizeof(map) - 1) ||
			    memmem(line, n, program, sizeof(program) - 1);
	const char *at = line, *key, *value;
	size_t nkey, nvalue;
	enum redact_kind kind;

	while (next_value(&at, line + n, &key, &nkey, &value, &nvalue)) {
		const bool is_comm = nkey == strlen("comm") && !memcmp(key, "comm", nkey);

		if (is_comm && (is_thread || is_process))
			hash_bytes_get(is_thread ? &r->threads : &r->processes, value, nvalue,
				       NULL);
		if (is_thread)
			continue;
		if (kind_of(key, nkey, &kind) && *value != '[')
			learn_value(r, kind, value, nvalue);
		else if (is_bpf && nkey == sizeof(own) - 1 && !memcmp(key, own, nkey))
			redact_learn(r, REDACT_BPF, value, nvalue);
		else if (nkey == sizeof(message) - 1 && !memcmp(key, message, nkey))
			learn_message(r, value, nvalue);
	}
}

const char *redact_record(struct redact *r, const char *line, size_t n)
{
	size_t size = n * PSEUDONYM + 1, nkey, nvalue;
	const char *at = line, *from = line, *key, *value;
	char *buf = dump_alloc(r->dump, size);
	enum redact_kind kind;
	struct strbuf b = strbuf_in(buf, size);

	while (next_value(&at, line + n, &key, &nkey, &value, &nvalue)) {
		if (!kind_of(key, nkey, &kind) || has_no_name(value, nvalue) ||
		    (kind == REDACT_COMMAND && is_of_thread(r, value, nvalue)))
			continue;
		strbuf_add(&b, "%.*s%s", (int)(value - from), from,
			   pseudonym(r, kind, value, nvalue)->text);
		from = value + nvalue;
	}
	strbuf_add(&b, "%.*s", (int)(line + n - from), from);
	return buf;
}
