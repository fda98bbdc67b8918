// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The only file that knows crash.  It uses functions of crash and the members
 * of struct program_context that have stayed in place since 8.0; a crash whose
 * context has another size is refused when the extension is loaded.
 */
#include "defs.h"

#include <dlfcn.h>
#include <link.h>
#include <setjmp.h>

#include "dump_file.h"
#include "mute.h"
#include "other_types.h"
#include "page_cache.h"
#include "dump/commands.h"
#include "terminal/message.h"
#include "terminal/progress.h"
#include "terminal/width.h"

#define MAX_COMMANDS 8 /* of one extension; memowner.so has all five */

static struct arena arena;

/*
 * Runs a call into crash that may jump away or print.  crash jumps to its
 * prompt on a fatal error, say a page table that is not in the dump, unless it
 * is inside of "foreach"; then it jumps to foreach_loop_env.  Messages go to
 * pc->error_fp whatever the output is, if error_path has a name of its own.
 */
struct guard {
	jmp_buf saved_env;
	ulonglong saved_foreach;
	FILE *saved_fp;
	char *saved_path;
};

static void guard_enter(struct guard *g)
{
	static char path[] = "memowner";

	memcpy(&g->saved_env, &pc->foreach_loop_env, sizeof(g->saved_env));
	g->saved_foreach = pc->flags & IN_FOREACH;
	g->saved_fp = pc->error_fp;
	g->saved_path = pc->error_path;
	pc->error_fp = mute_stream();
	pc->error_path = path;
}

static void guard_leave(const struct guard *g)
{
	pc->error_fp = g->saved_fp;
	pc->error_path = g->saved_path;
	memcpy(&pc->foreach_loop_env, &g->saved_env, sizeof(g->saved_env));
	pc->flags &= ~IN_FOREACH;
	pc->flags |= g->saved_foreach;
}

static enum status read_dump(uint64_t addr, int type, void *buf, size_t len)
{
	struct guard g;
	volatile int ok = FALSE;

	guard_enter(&g);
	if (!setjmp(pc->foreach_loop_env)) {
		pc->flags |= IN_FOREACH;
		ok = readmem(addr, type, buf, len, "memowner", RETURN_ON_ERROR | QUIET);
	}
	guard_leave(&g);
	return ok ? ST_OK : ST_UNREADABLE;
}

/* Only of a page of which a part could be read: crash has a message for each that cannot. */
static void keep_page(uint64_t page, int type, const void *whole)
{
	void *room = page_cache_room(page, type, machdep->pagesize);

	if (!room)
		return;
	if (whole)
		memcpy(room, whole, machdep->pagesize);
	else if (read_dump(page, type, room, machdep->pagesize) != ST_OK)
		return;
	page_cache_keep(page, type, machdep->pagesize);
}

static enum status read_page(uint64_t page, size_t from, int type, void *buf, size_t len)
{
	const unsigned char *kept = page_cache_find(page, type, machdep->pagesize);
	enum status ret;

	if (kept) {
		memcpy(buf, kept + from, len);
		return ST_OK;
	}
	ret = read_dump(page + from, type, buf, len);
	if (ret == ST_OK)
		keep_page(page, type, len == machdep->pagesize ? buf : NULL);
	return ret;
}

static bool keeps_pages;

static enum status read_memory(uint64_t addr, int type, void *buf, size_t len)
{
	if (!keeps_pages)
		return read_dump(addr, type, buf, len);
	while (len) {
		size_t from = addr & (machdep->pagesize - 1), room = machdep->pagesize - from;
		size_t part = len < room ? len : room;
		enum status ret = read_page(addr - from, from, type, buf, part);

		if (ret != ST_OK)
			return ret;
		addr += part;
		buf = (char *)buf + part;
		len -= part;
	}
	return ST_OK;
}

static enum status port_read(void *priv NOT_USED, uint64_t addr, void *buf, size_t len)
{
	return read_memory(addr, KVADDR, buf, len);
}

static enum status port_read_phys(void *priv NOT_USED, uint64_t addr, void *buf, size_t len)
{
	return read_memory(addr, PHYSADDR, buf, len);
}

static enum status find_symbol(struct syment *(*search)(char *), const char *name, uint64_t *ret)
{
	char copy[256];
	struct syment *sp;

	if (strlen(name) >= sizeof(copy))
		return ST_ABSENT;
	strcpy(copy, name);
	sp = search(copy);
	if (!sp)
		return ST_ABSENT;
	*ret = sp->value;
	return ST_OK;
}

static enum status port_symbol(void *priv NOT_USED, const char *name, uint64_t *ret)
{
	return find_symbol(kernel_symbol_search, name, ret);
}

static bool ask_gdb(char *command, char *answer, size_t size)
{
	FILE *f = fmemopen(answer, size, "w");
	bool ok;

	if (!f)
		return false;
	ok = gdb_pass_through(command, f, GNU_RETURN_ON_ERROR);
	fclose(f);
	answer[size - 1] = '\0';
	return ok;
}

static long type_info(char *type, char *member, enum type_question question)
{
	static struct datatype_member *const requests[] = {
		[TYPE_SIZE] = STRUCT_SIZE_REQUEST,
		[MEMBER_PLACE] = NULL,
		[MEMBER_BYTES] = MEMBER_SIZE_REQUEST,
		[MEMBER_CODE] = MEMBER_TYPE_REQUEST,
	};

	return datatype_info(type, member, requests[question]);
}

static const char *member_type(char *type, char *member)
{
	long name = datatype_info(type, member, MEMBER_TYPE_NAME_REQUEST);

	return name > 0 ? (const char *)name : NULL;
}

/* Static data of a module has a symbol only in its object file, or in CONFIG_KALLSYMS_ALL. */
static enum status port_object_symbol(void *priv NOT_USED, const char *name, uint64_t *ret)
{
	return find_symbol(symbol_search, name, ret);
}

static enum status port_vmcoreinfo(void *priv NOT_USED, const char *key, int64_t *ret)
{
	char *text = pc->read_vmcoreinfo ? pc->read_vmcoreinfo(key) : NULL, *end;
	bool ok;

	if (!text)
		return ST_ABSENT;
	*ret = strtoll(text, &end, 10);
	ok = end != text;
	free(text);
	return ok ? ST_OK : ST_ABSENT;
}

static enum status port_vmcoreinfo_text(void *priv NOT_USED, const char *key, char *buf,
					size_t size)
{
	char *text = pc->read_vmcoreinfo ? pc->read_vmcoreinfo(key) : NULL;
	bool fits = text && strlen(text) < size;

	if (fits)
		strcpy(buf, text);
	free(text);
	return fits ? ST_OK : ST_ABSENT;
}

#define MAX_SYMBOL \
	(1UL << 30) /* bytes: the largest variables are bitmaps and the log, of some MiB */

static bool is_in(const struct syment *sp, uint64_t addr)
{
	ulong offset;
	const struct syment *at = value_search(addr, &offset);

	return at && at->value == sp->value;
}

/* Up to the next symbol, as value_search() goes on to it; 0: unknown. */
static uint64_t bytes_of(const struct syment *sp)
{
	uint64_t inside = 0, behind = 1;

	while (behind < MAX_SYMBOL && is_in(sp, sp->value + behind)) {
		inside = behind;
		behind *= 2;
	}
	while (behind < MAX_SYMBOL && behind - inside > 1) {
		const uint64_t middle = inside + (behind - inside) / 2;

		if (is_in(sp, sp->value + middle))
			inside = middle;
		else
			behind = middle;
	}
	return behind < MAX_SYMBOL ? behind : 0;
}

static enum status port_closest(void *priv NOT_USED, uint64_t addr, struct symbol *ret)
{
	struct syment *sp, *first = kernel_symbol_search("_stext"),
			   *end = kernel_symbol_search("_end");
	ulong offset;

	if ((first && addr < first->value) || (end && addr >= end->value))
		return ST_ABSENT;
	sp = value_search(addr, &offset);
	if (!sp)
		return ST_ABSENT;
	*ret = (struct symbol){ .name = sp->name, .address = sp->value, .size = bytes_of(sp) };
	return ST_OK;
}

static enum status port_virt_to_phys(void *priv NOT_USED, uint64_t addr, uint64_t *ret)
{
	struct guard g;
	physaddr_t phys = 0;
	/* What crash says of a page table that it cannot read leads back here. */
	volatile enum status found = ST_UNREADABLE;

	guard_enter(&g);
	if (!setjmp(pc->foreach_loop_env)) {
		pc->flags |= IN_FOREACH;
		found = kvtop(NULL, addr, &phys, 0) ? ST_OK : ST_ABSENT;
	}
	guard_leave(&g);
	*ret = phys;
	return found;
}

static const char *port_object(void *priv NOT_USED, const char *module, unsigned int i)
{
	const char *namelists[] = { pc->namelist_debug, pc->namelist };
	struct load_module *lm = NULL;
	char name[MAX_MOD_NAME];

	if (!module) {
		for (size_t n = 0; n < ARRAY_SIZE(namelists); n++)
			if (namelists[n] && !i--)
				return namelists[n];
		return NULL;
	}
	/* Only "mod -s" and "mod -S" leave one. */
	if (i || strlen(module) >= sizeof(name))
		return NULL;
	strcpy(name, module);
	return is_module_name(name, NULL, &lm) && lm && *lm->mod_namelist ? lm->mod_namelist : NULL;
}

/* SIGINT is blocked, so that a pending one can be seen. */
static bool port_stopped(void *priv NOT_USED)
{
	sigset_t pending;

	return ferror(fp) || (!sigpending(&pending) && sigismember(&pending, SIGINT));
}

static void port_progress(void *priv NOT_USED, uint64_t done, uint64_t total)
{
	progress_show(pc->curcmd, done, total);
}

/* Not error(): it prints into the file or pipe of a redirected output too. */
static void port_remark(void *priv NOT_USED, const char *text)
{
	fprintf(stderr, "%s: %s\n", pc->curcmd, text);
}

/* crash strips quotes only around a whole word, and takes some characters out of unquoted ones. */
static const char *port_misquoted(void *priv NOT_USED, const char *word, bool is_argument)
{
	if (strchr(word, '"'))
		return "crash takes double quotes around a whole word only, as in \"stack=/a b/\"";
	if (*word == '\'')
		return "crash takes single quotes for letters: words with | ! < > belong in double quotes, as in \"stack=/a|b/\"";
	if (is_argument && strpbrk(word, "|!<>'"))
		return "words with | ! < > belong in double quotes, as in \"stack=/a|b/\"";
	return NULL;
}

/* Lines that crash printed while we were reading; they are not in the output. */
static unsigned long port_muted(void *priv NOT_USED)
{
	return mute_lines();
}

static bool enumerator(char *name, int64_t *ret)
{
	long value;

	if (!enumerator_value(name, &value))
		return false;
	*ret = value;
	return true;
}

static const struct type_lookup lookup = {
	.info = type_info,
	.member_type = member_type,
	.enumerator = enumerator,
	.ask_gdb = ask_gdb,
};

static const uint8_t *port_cpu_note(void *priv NOT_USED, unsigned int i)
{
	return DISKDUMP_DUMPFILE() ? diskdump_get_prstatus_percpu((int)i)
				   : netdump_get_prstatus_percpu((int)i);
}

static const struct dump_ops ops = {
	.read = port_read,
	.read_phys = port_read_phys,
	.symbol = port_symbol,
	.object_symbol = port_object_symbol,
	.variable = types_variable,
	.type_size = types_type_size,
	.member = types_member,
	.bits = types_bits,
	.type_text = types_type_text,
	.enumerator = types_enumerator,
	.enumerates = types_enumerates,
	.vmcoreinfo = port_vmcoreinfo,
	.vmcoreinfo_text = port_vmcoreinfo_text,
	.cpu_note = port_cpu_note,
	.closest = port_closest,
	.virt_to_phys = port_virt_to_phys,
	.object = port_object,
	.muted = port_muted,
	.stopped = port_stopped,
	.progress = port_progress,
	.remark = port_remark,
	.misquoted = port_misquoted,
	.incomplete = dump_file_incomplete,
};

static struct dump_ops all_ops; /* these, and what other_types() adds */

static void interrupt_set(sigset_t *set)
{
	sigemptyset(set);
	sigaddset(set, SIGINT);
}

/*
 * From here to interrupt_release() Ctrl-C makes dump_ops.stopped true and does
 * nothing else: in the middle of a look-up of types it would make gdb say that
 * there is no such member, and anywhere else crash would jump to its prompt.
 */
static void interrupt_hold(void)
{
	sigset_t set;

	interrupt_set(&set);
	sigprocmask(SIG_BLOCK, &set, NULL);
}

/* One that has come meanwhile has done its work. */
static void interrupt_release(void)
{
	sigset_t set, pending;
	int sig;

	interrupt_set(&set);
	if (!sigpending(&pending) && sigismember(&pending, SIGINT))
		sigwait(&set, &sig);
	sigprocmask(SIG_UNBLOCK, &set, NULL);
}

/* A reader that went away is no error; a disk that is full is. */
static bool output_write(void *priv, const char *s, size_t n)
{
	int *error = priv;

	if (fp == pc->stdpipe || isatty(fileno(fp)))
		progress_stop();
	errno = 0;
	if (fwrite(s, 1, n, fp) == n && !ferror(fp))
		return true;
	if (errno && errno != EPIPE && !*error)
		*error = errno;
	return false;
}

/* Of the terminal that shows the output, crash's pager before it or not; 0: there is none. */
static unsigned int output_columns(void)
{
	return terminal_columns(fp == pc->stdpipe ? STDOUT_FILENO : fileno(fp));
}

static const char *architecture(void)
{
#if defined(ARM64)
	return "aarch64";
#elif defined(X86_64)
	return "x86_64";
#else
	return NULL;
#endif
}

/* On a terminal in as many lines as it needs; crash puts "COMMAND: " before it. */
static void put_error(unsigned int columns, const char *text)
{
	char message[MESSAGE_BYTES];

	message_wrap(message, columns, pc->curcmd, text);
	error(INFO, "%s\n", message + strlen(pc->curcmd) + 2);
}

/*
 * Pages are kept of a dump that is compressed; any other is as quick to read as they are. "set zero_excluded"
 * changes a flag of crash's diskdump.c: a crash without that variable is none whose pages can be kept.
 */
static void check_pages(void)
{
	ulong *const *flags = dlsym(RTLD_DEFAULT, "diskdump_flags");

	keeps_pages = (pc->flags & DISKDUMP) && flags && *flags;
	page_cache_check(keeps_pages ? **flags : 0);
}

static void open_dump(struct dump *d)
{
	check_pages();
	/* --minimal has neither "mod" nor "gdb": no type comes. */
	types_reset(!(pc->flags & MINIMAL_MODE));
	dump_init(d, &all_ops, NULL, &arena);
	d->priv = other_types(d, &ops, &lookup, &all_ops);
	d->page_shift = machdep->pageshift;
	d->arch = architecture();
	d->load_module = "mod -s";
	d->linear_only = pc->flags & MINIMAL_MODE;
	/* Of raw memory crash writes the headers of an ELF file, which has no memory. */
	if ((pc->flags & (DISKDUMP | KDUMP | NETDUMP)) && !(pc->flags2 & RAMDUMP))
		dump_file_check(d, pc->dumpfile);
}

static void run(const struct command *c)
{
	static struct sink out;
	struct dump d;
	enum status result;
	int write_error = 0;

	open_dump(&d);
	sink_init(&out, output_write, &write_error);
	out.columns = output_columns();
	result = command_start(c, &d, &out, argcnt, args);
	sink_flush(&out);
	fflush(fp);
	if (write_error)
		error(INFO, "cannot write all of the output: %s\n", strerror(write_error));
	if (result != ST_OK && result != ST_STOPPED)
		put_error(out.columns, d.error);
}

/*
 * Every command of ours starts here; crash has put its name into pc->curcmd.
 * crash may still jump to its prompt, when its output was closed: not before all
 * is as it was.
 */
static void dispatch(void)
{
	const struct command *volatile c = command_find(port_commands, pc->curcmd);
	jmp_buf prompt;
	volatile bool jumped = false;

	if (!c)
		return;
	if (ACTIVE()) {
		error(INFO, "%s reads a dump, not a live system\n", c->name);
		return;
	}
	mute_reset();
	progress_start();
	interrupt_hold();
	memcpy(&prompt, &pc->main_loop_env, sizeof(prompt));
	if (!setjmp(pc->main_loop_env))
		run(c);
	else
		jumped = true;
	memcpy(&pc->main_loop_env, &prompt, sizeof(prompt));
	progress_end();
	/* Before Ctrl-C can jump again: out of free() it would leave malloc's lock held. */
	arena_reset(&arena);
	interrupt_release();
	if (jumped)
		longjmp(pc->main_loop_env, 1);
}

static struct command_table_entry table[MAX_COMMANDS + 1];

/* Size of crash's own program_context, from its dynamic symbol table. */
static bool context_fits(void)
{
	const ElfW(Sym) * sym;
	Dl_info info;

	return dladdr1(pc, &info, (void **)&sym, RTLD_DL_SYMENT) && sym &&
	       sym->st_size == sizeof(*pc);
}

/* Loaded from .crashrc, the object is there before the dump is. */
static enum status ask_problem(struct dump *d, void *arg)
{
	const struct command *c = arg;

	return c->problem(d);
}

static void tell_problem(const struct command *c)
{
	struct dump d;

	if (!c || !c->problem || !pc->readmem || !(pc->flags & GDB_INIT) || ACTIVE())
		return;
	mute_reset();
	open_dump(&d);
	if (dump_file_incomplete(NULL))
		error(INFO, "%s\n", dump_file_incomplete(NULL));
	if (dump_guard(&d, ask_problem, (void *)c) != ST_OK)
		error(INFO, "%s\n", d.error);
	arena_reset(&arena);
}

static void __attribute__((constructor)) port_register(void)
{
	unsigned int n = 0;

	if (!context_fits()) {
		error(INFO,
		      "memowner: built for another crash than this one, whose context has another size\n");
		return;
	}
	for (const struct command *const *c = port_commands; *c && n < MAX_COMMANDS; c++, n++) {
		table[n].name = (char *)(*c)->name;
		table[n].func = dispatch;
		table[n].help_data = (*c)->help;
		table[n].flags = MINIMAL;
	}
	register_extension(table);
	tell_problem(*port_commands);
}

static void __attribute__((destructor)) port_unregister(void)
{
	arena_reset(&arena);
	page_cache_close();
	type_memo_close();
	mute_close();
}
