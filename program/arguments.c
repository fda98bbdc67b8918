// SPDX-License-Identifier: GPL-2.0-or-later
#include "arguments.h"

#include <elf.h>
#include <fcntl.h>
#include <getopt.h>
#include <unistd.h>

#include "dump/commands.h"
#include "shell/help.h"

enum { LONG_VMLINUX = 256, LONG_MODULES, LONG_COMPLETE, LONG_INFO, LONG_LOG };

static const struct option long_options[] = {
	{ "vmlinux", required_argument, NULL, LONG_VMLINUX },
	{ "modules", required_argument, NULL, LONG_MODULES },
	{ "log", required_argument, NULL, LONG_LOG },
	{ "input", required_argument, NULL, 'i' },
	{ "prompt", no_argument, NULL, 'p' },
	{ "help", no_argument, NULL, 'h' },
	{ "version", no_argument, NULL, 'V' },
	{ "complete", no_argument, NULL, LONG_COMPLETE },
	{ "info", no_argument, NULL, LONG_INFO },
	{ 0 },
};

__attribute__((format(printf, 1, 2))) static bool wrong(const char *fmt, ...)
{
	va_list ap;

	fprintf(stderr, "memowner: ");
	va_start(ap, fmt);
	vfprintf(stderr, fmt, ap);
	va_end(ap);
	fputc('\n', stderr);
	return false;
}

/* What an ELF file that is no core is. */
enum executable { NO_EXECUTABLE, PROGRAM, VMLINUX };

/* An address is one as long as there is no file of that name. */
static bool names_command(const char *word)
{
	return !strcmp(word, "help") || command_find(port_commands, word) ||
	       command_of_noun(port_commands, word) ||
	       (command_of_argument(port_commands, word) && access(word, F_OK));
}

/* The dump may be a file called "files": as long as there is none. */
static bool is_dump(const struct arguments *a, const char *word)
{
	return !a->request.n && a->what != SHOW_HELP && command_of_noun(port_commands, word) &&
	       !access(word, F_OK);
}

static bool read_at(int fd, uint64_t at, void *buf, size_t n)
{
	return pread(fd, buf, n, (off_t)at) == (ssize_t)n;
}

/* Whether a segment is in the half of the addresses that is the kernel's; debug files have all of them. */
static bool is_kernel(int fd, const Elf64_Ehdr *eh)
{
	bool ret = false;

	for (unsigned int i = 0; i < eh->e_phnum && !ret; i++) {
		Elf64_Phdr ph;

		ret = eh->e_phentsize == sizeof(ph) &&
		      read_at(fd, eh->e_phoff + i * sizeof(ph), &ph, sizeof(ph)) &&
		      ph.p_type == PT_LOAD && ph.p_vaddr >> 63;
	}
	return ret;
}

/* Of 64 bits, little-endian, as this program reads dumps of. */
static enum executable executable_kind(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	enum executable ret = NO_EXECUTABLE;
	Elf64_Ehdr eh;

	if (fd >= 0 && read_at(fd, 0, &eh, sizeof(eh)) && !memcmp(eh.e_ident, ELFMAG, SELFMAG) &&
	    (eh.e_type == ET_EXEC || eh.e_type == ET_DYN))
		ret = eh.e_ident[EI_CLASS] == ELFCLASS64 && is_kernel(fd, &eh) ? VMLINUX : PROGRAM;
	if (fd >= 0)
		close(fd);
	return ret;
}

/* A second word that is no file is more likely a command that was misspelt. */
static bool add_file(struct arguments *a, const char *word)
{
	enum executable kind = executable_kind(word);
	char text[256];

	if (kind == PROGRAM)
		return wrong("%s is no dump and no vmlinux, but another ELF program or library",
			     word);
	if (kind == VMLINUX && !a->request.vmlinux) {
		a->request.vmlinux = word;
		return true;
	}
	if (a->request.n && access(word, F_OK)) {
		help_unknown(text, sizeof(text), port_commands, word);
		return wrong("%s, and no such file", text);
	}
	if (a->request.n == ARGUMENTS_FILES)
		return wrong("more than %d files", ARGUMENTS_FILES);
	a->files[a->request.n++] = word;
	return true;
}

/* Behind "--": what is there under a command's name is the dump, as long as there is none. */
static bool is_file_word(const struct arguments *a, const char *word)
{
	return !names_command(word) || (!a->request.n && !access(word, F_OK));
}

static bool set_text(const char **member, const char *option, const char *value)
{
	if (*member)
		return wrong("%s is given twice: %s and %s", option, *member, value);
	*member = value;
	return true;
}

static bool set_vmlinux(struct arguments *a, const char *path)
{
	if (executable_kind(path) == PROGRAM)
		return wrong("%s is no vmlinux, but another ELF program or library", path);
	return set_text(&a->request.vmlinux, "--vmlinux", path);
}

static bool set_what(struct arguments *a, int what)
{
	if (a->what != RUN_COMMAND && a->what != (unsigned int)what)
		return wrong("more than one of -i, -p, --info, --help and --version");
	a->what = what;
	return true;
}

static bool set_option(struct arguments *a, int c, char **argv)
{
	switch (c) {
	case 'i':
		return set_text(&a->input, "-i", optarg) && set_what(a, RUN_FILE);
	case 'p':
		return set_what(a, RUN_PROMPT);
	case 'h':
		return set_what(a, SHOW_HELP);
	case 'V':
		return set_what(a, SHOW_VERSION);
	case LONG_VMLINUX:
		return set_vmlinux(a, optarg);
	case LONG_MODULES:
		return set_text(&a->request.modules, "--modules", optarg);
	case 'L': /* as commands have it */
	case LONG_LOG:
		return set_text(&a->log, "--log", optarg);
	case LONG_INFO:
		return set_what(a, SHOW_FILE);
	case LONG_COMPLETE:
		return set_what(a, SHOW_WORDS);
	case ':':
		return wrong("%s needs a value", argv[optind - 1]);
	default:
		if (optopt && optopt < LONG_VMLINUX && help_is_option(optopt))
			return wrong("-%c is an option of commands and stands behind the dump: "
				     "memowner VMCORE -%c",
				     optopt, optopt);
		return optopt && optopt < LONG_VMLINUX
			       ? wrong("unknown option -%c; memowner --help lists them", optopt)
			       : wrong("unknown option %s; memowner --help lists them",
				       argv[optind - 1]);
	}
}

/* "memowner log -L FILE" as it is typed in crash: without a dump, as with --log. */
static void find_log(struct arguments *a)
{
	if (a->log || a->what != RUN_COMMAND || !a->argc ||
	    !help_takes_log(port_commands, a->argv[0]))
		return;
	for (int i = 1; i < a->argc - 1 && !a->log; i++)
		if (!strcmp(a->argv[i], "-L") || !strcmp(a->argv[i], "--log"))
			a->log = a->argv[i + 1];
}

/* Before a command it is as if it stood behind it. */
static void pass_log(struct arguments *a)
{
	static char summary[] = "memowner", option[] = "-L";
	static char *words[ARGUMENTS_WORDS + 4];
	int n = 0;

	for (int i = 1; i < a->argc - 1; i++)
		if (!strcmp(a->argv[i], "-L") || !strcmp(a->argv[i], "--log"))
			return;
	words[n++] = a->argc ? a->argv[0] : summary;
	words[n++] = option;
	words[n++] = (char *)a->log;
	for (int i = 1; i < a->argc; i++)
		words[n++] = a->argv[i];
	a->argc = n;
	a->argv = words;
}

static bool check_log(struct arguments *a)
{
	const char *command = a->argc ? help_view(port_commands, a->argc, a->argv) : NULL;

	if (a->what != RUN_COMMAND)
		return wrong("--log cannot be combined with -i, -p or --info");
	if (a->request.n)
		return wrong("--log %s is read without a dump, and %s is given", a->log,
			     a->request.files[0]);
	if (command && !help_takes_log(port_commands, command))
		return wrong("%s needs a dump: of a log there are memowner, log and story",
			     command);
	if (a->argc > ARGUMENTS_WORDS)
		return wrong("more than %d words", ARGUMENTS_WORDS);
	pass_log(a);
	return true;
}

static bool check(struct arguments *a, bool separated)
{
	if (a->what == SHOW_VERSION || a->what == SHOW_WORDS)
		return true;
	if (a->argc && !names_command(a->argv[0])) {
		char text[256];

		help_unknown(text, sizeof(text), port_commands, a->argv[0]);
		return wrong("%s", text);
	}
	if (separated && !a->argc)
		return wrong("no command behind --");
	if (a->what == SHOW_HELP)
		return true;
	find_log(a);
	if (a->log)
		return check_log(a);
	if (a->argc && a->what != RUN_COMMAND)
		return wrong("a command cannot be combined with %s", a->what == RUN_FILE ? "-i"
								     : a->what == SHOW_FILE
									     ? "--info"
									     : "-p");
	if (!a->request.n && a->request.vmlinux)
		return wrong("%s is no dump but a vmlinux, and no VMCORE is given",
			     a->request.vmlinux);
	if (!a->request.n && a->argc)
		return wrong("no VMCORE before %s", a->argv[0]);
	if (!a->request.n)
		return wrong("no VMCORE is given; memowner --help has the details");
	return true;
}

/* "help" needs no dump, wherever it stands. */
static void take_help(struct arguments *a)
{
	if (a->what == RUN_COMMAND && a->argc && !strcmp(a->argv[0], "help"))
		a->what = SHOW_HELP;
	/* "memowner files -n 3 -h" */
	for (int i = 1; a->what == RUN_COMMAND && !a->request.n && i < a->argc; i++) {
		if (strcmp(a->argv[i], "-h") && strcmp(a->argv[i], "--help"))
			continue;
		a->what = SHOW_HELP;
		for (a->argc = 1; a->argv[a->argc][0] != '-'; a->argc++)
			;
	}
	if (a->what == SHOW_HELP && a->argc && !strcmp(a->argv[0], "help")) {
		a->argc--;
		a->argv++;
	}
}

/* "memowner VMCORE -j" is "memowner VMCORE memowner -j", so with --log FILE; word begins with the option. */
static bool is_of_summary(const struct arguments *a, int c, const char *word)
{
	return c == '?' && (a->request.n || a->log) && optopt && optopt < LONG_VMLINUX &&
	       word[0] == '-' && word[1] == optopt && help_is_option(optopt);
}

bool arguments_parse(int argc, char **argv, struct arguments *ret)
{
	static char summary[] = "memowner";
	bool separated = false;
	int c, at = 1;

	*ret = (struct arguments){ .request.files = ret->files };
	opterr = 0;
	/* Of the summary it may stand first behind the dump, as its letter may. */
	help_shorten(argc, argv);
	while (!ret->argc && (c = getopt_long(argc, argv, "-:hi:L:pV", long_options, NULL)) != -1) {
		if (c == 1 && (ret->what == SHOW_HELP || names_command(optarg)) &&
		    (ret->log || !is_dump(ret, optarg))) {
			ret->argc = argc - optind + 1;
			ret->argv = argv + optind - 1;
		} else if (at > 1 && is_of_summary(ret, c, argv[at])) {
			/* In place of a word that was taken. */
			argv[at - 1] = summary;
			ret->argc = argc - at + 1;
			ret->argv = argv + at - 1;
		} else if (c == 1 ? !add_file(ret, optarg) : !set_option(ret, c, argv)) {
			return false;
		}
		if (ret->what == SHOW_WORDS)
			break;
		at = optind;
	}
	if (!ret->argc) {
		separated = optind > 1 && !strcmp(argv[optind - 1], "--");
		/* Before the dump it ends the options, as everywhere: a name may begin with "-". */
		if (separated && !ret->request.n) {
			separated = false;
			for (; optind < argc && is_file_word(ret, argv[optind]); optind++)
				if (!add_file(ret, argv[optind]))
					return false;
		}
		ret->argc = argc - optind;
		ret->argv = argv + optind;
	}
	take_help(ret);
	return check(ret, separated);
}
