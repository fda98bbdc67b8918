# SPDX-License-Identifier: GPL-2.0-or-later
#
# Variables for the user:
#   CC CFLAGS LDFLAGS   compiler and its flags, added behind ours
#   CRASH_INC           folder with crash's defs.h
#   CRASH               crash that the tests run
#   DESTDIR EXTENSIONS  where install puts the shared objects
#   PREFIX              the program memowner goes to PREFIX/bin
#   MANDIR              where it puts the manual pages
#   READLINE=           without readline;  CODECS="deflate lzo2 zstd": those of compressed dumps
#   CODECS              how pages of a dump may be compressed, beside zlib and snappy: those of
#                       libdeflate (zlib, faster), lzo2, zstd that are installed; snappy is for tests
#   V=1                 show commands
# "make help" lists the targets.

CRASH_INC ?= $(firstword $(patsubst %/defs.h,%,$(wildcard /usr/include/crash/defs.h)) /usr/include/crash)
CRASH ?= crash
EXTENSIONS ?= $(firstword $(wildcard /usr/lib64/crash/extensions) /usr/lib/crash/extensions)
MANDIR ?= /usr/share/man
PREFIX ?= /usr/local
COMPLETIONS ?= $(PREFIX)/share/bash-completion/completions
CFLAGS ?= -O2 -g
BUILD ?= build
MAKEFLAGS += --no-builtin-rules

# memowner, the summary of the others, is in the object with every command only.
COMMANDS := $(shell sed -n 's/^COMMAND(\(.*\))$$/\1/p' extensions/commands.def)
SINGLE := $(filter-out memowner,$(COMMANDS))
OBJECTS := $(SINGLE:%=$(BUILD)/%.so) $(BUILD)/memowner.so

# As in the kernel, members that an initializer leaves out are 0: that is meant.
WARN := -Wall -Wextra -Wmissing-prototypes -Wstrict-prototypes -Wvla -Wshadow -Wno-missing-field-initializers
FLAGS = -std=gnu11 -D_GNU_SOURCE $(WARN) -fPIC -fvisibility=hidden -Ilib -I. -Iextensions -MMD -MP $(CFLAGS)

# Lines and functions put in line, for -l; texts that gzip compressed.
LIBS := -ldw -lelf -lz

LIB_SOURCES := $(wildcard lib/*/*.c)
LIB := $(LIB_SOURCES:%.c=$(BUILD)/%.o)
# The views of a command stand in the folder of its name, those of nouns in memory, the overview, the story and the page of -H in theirs.
views_of = $(patsubst %.c,$(BUILD)/%.o,$(wildcard extensions/$(1)/*.c))
# Every command, its views, and the nouns of memowner.
EVERY := $(COMMANDS:%=$(BUILD)/extensions/%.o) $(foreach c,$(COMMANDS) memory overview story page nouns kept,$(call views_of,$(c)))
# What both doors do on a terminal.
TERMINAL := $(patsubst %.c,$(BUILD)/%.o,$(wildcard terminal/*.c))
# What of the program's reader of files tells that a dump was cut off.
FILE_HEADERS := $(patsubst %,$(BUILD)/program/file/%.o,whole elf_memory kdump_part kdump_header block_set window notes input flat_index raw_file)
# What of its readers of types knows more than crash's gdb does.
MORE_TYPES := $(patsubst %.c,$(BUILD)/%.o,program/names/symbols.c $(wildcard program/types/*.c))
PORT := $(patsubst %.c,$(BUILD)/%.o,$(filter-out crash/single.c,$(wildcard crash/*.c))) $(TERMINAL) $(FILE_HEADERS) $(MORE_TYPES)

Q = $(if $(V),,@)
# Make says it itself: a process for each line is a hundredth of the build.
say = $(if $(V),,$(info $()  $(1)	$(2)))

.PHONY: FORCE all doc check check-unit check-synthetic check-samples check-meta check-fuzz check-made check-matrix check-mutants check-browser check-damage check-packages samples lint lint-format lint-shell lint-c bench man install install-extensions install-program uninstall program static dist deb rpm check-packages clean help
.DELETE_ON_ERROR:
.SECONDARY:

all: $(BUILD)/crash-header $(OBJECTS) $(BUILD)/memowner

# Without crash, and without its header.
program: $(BUILD)/memowner

# A sentence instead of the compiler's: what is missing and where it comes from.
$(BUILD)/crash-header:
	@test -r $(CRASH_INC)/defs.h || { echo "crash's header defs.h is missing: install the package crash" \
		"(Debian) or crash-devel (Fedora, RHEL, openSUSE), or set CRASH_INC; \"make program\" needs none" >&2; exit 1; }
	@mkdir -p $(@D) && touch $@

$(BUILD)/crash/port.o: | $(BUILD)/crash-header

$(BUILD)/headers:
	@echo '#include <zlib.h>' | $(CC) -E -o /dev/null - 2>/dev/null || { echo "zlib.h is missing: install the" \
		"package zlib1g-dev (Debian) or zlib-devel (Fedora, RHEL, openSUSE)" >&2; exit 1; }
	@echo '#include <elfutils/libdwfl.h>' | $(CC) -E -o /dev/null - 2>/dev/null || { echo "elfutils/libdwfl.h is" \
		"missing: install the package libdw-dev (Debian) or elfutils-devel (Fedora, RHEL)," \
		"libdw-devel (openSUSE)" >&2; exit 1; }
	@mkdir -p $(@D) && touch $@

# Other flags mean another build, but with KEEP=1: objects that are there are kept (tests/abi.bats, check-mutants).
$(BUILD)/flags: $(if $(KEEP),,FORCE)
	@mkdir -p $(@D)
	@echo '$(CC) $(FLAGS) $(LDFLAGS) $(CRASH_INC)' | cmp -s - $@ || \
		echo '$(CC) $(FLAGS) $(LDFLAGS) $(CRASH_INC)' > $@
# (Phony: to .SECONDARY below, a target that is no file would be up to date.)
FORCE:

# Behind | a folder that is made once; the compiler alone is run by no shell.
.SECONDEXPANSION:
$(BUILD)/%/.:
	@mkdir -p $@

$(BUILD)/%.o: %.c $(BUILD)/flags | $(BUILD)/headers $$(@D)/.
	$(call say,CC,$<)
	$(Q)$(CC) $(FLAGS) $(if $(filter crash/port.c,$<),-isystem $(CRASH_INC)) -c -o $@ $<

# The page of memowner -H is in it.
$(BUILD)/extensions/page/html.o: extensions/page/page.html

# The command table of an object with one command; pageowner.so has memowner as well.
$(BUILD)/single/%.o: crash/single.c $(BUILD)/flags | $$(@D)/.
	$(Q)$(CC) $(FLAGS) -DCOMMAND=$*_command $(if $(filter pageowner,$*),-DALSO=memowner_command) -c -o $@ $<

link = $(CC) -shared -Wl,-z,defs,--unresolved-symbols=ignore-all -o $@ $(filter %.o,$^) $(LDFLAGS) $(LIBS)

$(BUILD)/pageowner.so: $(BUILD)/single/pageowner.o $(EVERY) $(LIB) $(PORT)
	$(call say,LD,$@)
	$(Q)$(link)

$(filter-out %/pageowner.so,$(SINGLE:%=$(BUILD)/%.so)): $(BUILD)/%.so: $(BUILD)/extensions/%.o $(BUILD)/single/%.o $$(call views_of,$$*) $(LIB) $(PORT)
	$(call say,LD,$@)
	$(Q)$(link)

$(BUILD)/memowner.so: $(BUILD)/extensions/commands.o $(EVERY) $(LIB) $(PORT)
	$(call say,LD,$@)
	$(Q)$(link)

# The program: the same commands on a dump that is read without crash.
PROGRAM_SOURCES := $(wildcard program/*.c program/*/*.c)
PROGRAM := $(PROGRAM_SOURCES:%.c=$(BUILD)/%.o)
# make 4.3 and later keep the backslash of \# inside a function, earlier ones drop it.
hash := \#
# Editing, history and completion at its prompt; READLINE= leaves them out.
ifeq ($(origin READLINE),undefined)
READLINE := $(shell printf '$(hash)include <%s>\n' stdio.h readline/readline.h | $(CC) $(CFLAGS) -E -o /dev/null - 2> /dev/null && echo -lreadline)
endif
$(PROGRAM) $(BUILD)/crash/dump_file.o $(BUILD)/crash/other_types.o: private FLAGS += -Iprogram
$(BUILD)/program/shell/line_reader.o: private FLAGS += $(if $(READLINE),-DWITH_READLINE)
$(BUILD)/program/shell/line_reader.o $(BUILD)/memowner: $(BUILD)/readline
$(BUILD)/readline: $(if $(KEEP),,FORCE)
	@mkdir -p $(@D)
	@echo '$(READLINE)' | cmp -s - $@ || echo '$(READLINE)' > $@

# Libraries for compressed pages: each where its header is.
codec = $(shell echo '$(hash)include <$(2)>' | $(CC) $(CFLAGS) -E -o /dev/null - 2>/dev/null && echo $(1))
CODECS ?= $(call codec,deflate,libdeflate.h) $(call codec,lzo2,lzo/lzo1x.h) \
	$(call codec,snappy,snappy-c.h) $(call codec,zstd,zstd.h)
CODECS := $(CODECS)
have_deflate := LIBDEFLATE
have_lzo2 := LZO
have_snappy := SNAPPY
have_zstd := ZSTD
CODEC_FLAGS := $(foreach c,$(CODECS),-DHAVE_$(have_$(c)))
# and of the thread that uncompresses ahead.
CODEC_LIBS := $(CODECS:%=-l%) -pthread
PROGRAM_CODECS := $(filter-out -lsnappy,$(CODEC_LIBS))
$(BUILD)/program/file/codec.o: private FLAGS += $(CODEC_FLAGS)
$(BUILD)/program/file/codec.o $(BUILD)/san/program/file/codec.o $(BUILD)/memowner: $(BUILD)/codecs

$(BUILD)/codecs: $(if $(KEEP),,FORCE)
	@mkdir -p $(@D)
	@echo '$(CODECS)' | cmp -s - $@ || echo '$(CODECS)' > $@

$(BUILD)/memowner: $(PROGRAM) $(TERMINAL) $(BUILD)/extensions/commands.o $(EVERY) $(LIB)
	$(call say,LD,$@)
	$(Q)$(CC) -o $@ $(filter %.o,$^) $(LDFLAGS) $(LIBS) $(PROGRAM_CODECS) $(READLINE)

# For a rescue system without libraries.
STATIC_LIBS := $(LIBS) -llzma -lbz2 $(if $(READLINE),-ltinfo) -lm
static: $(BUILD)/memowner-static
$(BUILD)/memowner-static: $(BUILD)/memowner
	$(call say,LD,$@)
	$(Q)$(CC) -static -o $@ $(filter %.o,$(PROGRAM) $(TERMINAL) $(LIB)) $(BUILD)/extensions/commands.o $(EVERY) $(LDFLAGS) $(PROGRAM_CODECS) $(READLINE) $(STATIC_LIBS)

# What doc/ says of columns, from the commands themselves.
$(BUILD)/document: $(BUILD)/tests/tools/document.o $(BUILD)/tests/tools/document_output.o $(BUILD)/extensions/commands.o $(EVERY) $(LIB)
	$(call say,LD,$@)
	$(Q)$(CC) -o $@ $^ $(LDFLAGS) $(LIBS)

doc: $(BUILD)/document
	$(Q)$< doc

include tests/tests.mk

check: check-unit check-meta check-synthetic check-samples check-fuzz

# Synthetic kernels are laid out by hand, as tables are.
C_FILES = $(filter-out tests/kernels/%,$(wildcard lib/*/*.[ch] crash/*.[ch] terminal/*.[ch] program/*.[ch] program/*/*.[ch] extensions/*.c extensions/*/*.[ch] tests/*/*.[ch])) \
	$(wildcard scripts/sample/guest/*.c scripts/sample/guest/leaky/*.c)
SHELL_FILES = demo check .ci/run $(filter-out scripts/sample scripts/common.sh,$(wildcard scripts/*)) \
	$(addprefix scripts/sample/,initramfs kernel run-guest stage stock/run stock/userland stock/disk stock/driver) tests/modes tests/run-sample tests/run-bats

lint: lint-format lint-shell lint-c

lint-format:
	clang-format --dry-run -Werror $(C_FILES)

lint-shell:
	shellcheck -x $(SHELL_FILES)
	shellcheck -s sh scripts/sample/guest/init scripts/sample/guest/capture scripts/sample/guest/hog scripts/sample/guest/stuck scripts/sample/guest/own scripts/sample/stock/init scripts/sample/stock/truth

# What it found in a file is kept, for each tree of this user: only files that have changed, or a header of theirs, are
# read again. With -j each file is read by a process of its own, which takes a third less: one that reads all gets
# slower with each.
CPPCHECKED ?= $(or $(XDG_CACHE_HOME),$(or $(HOME),/var/tmp)/.cache)/crash-memowner/cppcheck
lint-c:
	$(Q)mkdir -p $(CPPCHECKED)
	flock $(CPPCHECKED) cppcheck -j 2 --quiet --std=c11 --error-exitcode=1 --inline-suppr --cppcheck-build-dir=$(CPPCHECKED) -Ilib -I. -Iprogram -Iextensions lib terminal extensions program

# Manual pages are the help texts of doc/commands.md, and packaging/memowner.1.
man:
	$(Q)scripts/manual $(BUILD)/man

install: install-extensions install-program

install-extensions: all man
	install -d $(DESTDIR)$(EXTENSIONS) $(DESTDIR)$(MANDIR)/man8
	install -m 755 $(OBJECTS) $(DESTDIR)$(EXTENSIONS)
	install -m 644 $(COMMANDS:%=$(BUILD)/man/%.8) $(DESTDIR)$(MANDIR)/man8

# Needs nothing of crash.
install-program: $(BUILD)/memowner man
	install -d $(DESTDIR)$(PREFIX)/bin $(DESTDIR)$(MANDIR)/man1 $(DESTDIR)$(COMPLETIONS)
	install -m 755 $(BUILD)/memowner $(DESTDIR)$(PREFIX)/bin
	install -m 644 $(BUILD)/man/memowner.1 $(DESTDIR)$(MANDIR)/man1
	install -m 644 packaging/memowner.bash $(DESTDIR)$(COMPLETIONS)/memowner

uninstall:
	rm -f $(OBJECTS:$(BUILD)/%=$(DESTDIR)$(EXTENSIONS)/%) $(COMMANDS:%=$(DESTDIR)$(MANDIR)/man8/%.8) \
		$(DESTDIR)$(PREFIX)/bin/memowner $(DESTDIR)$(MANDIR)/man1/memowner.1 $(DESTDIR)$(COMPLETIONS)/memowner

dist deb rpm:
	$(Q)scripts/package $@

check-browser:
	$(Q)scripts/check-browser

check-packages:
	$(Q)scripts/package static
	$(Q)scripts/package rpm
	$(Q)scripts/package deb
	$(Q)scripts/package deb -c

clean:
	rm -rf $(BUILD)

help:
	@echo "all            the extensions and the program memowner, in $(BUILD)/"
	@echo "program        the program alone: it needs nothing of crash"
	@echo "static         the program without shared libraries, for a rescue system: memowner-static"
	@echo "doc            tables and schemas of columns in doc/, from the code"
	@echo "./check        every test once, in minutes; ./check all: in every mode and crash, and all targets below, in hours"
	@echo "check          every test: check-unit check-meta check-synthetic check-samples check-fuzz"
	@echo "check-quick    unit tests, synthetic kernels, one dump: half a minute"
	@echo "check-unit     lib/ without crash"
	@echo "check-meta     layering, exported symbols, help texts, licences"
	@echo "check-synthetic small synthetic kernels in the real crash"
	@echo "check-samples  real dumps against what their kernels said"
	@echo "samples        dumps that are not in the repository: real kernels, an hour at first"
	@echo "check-damage   damaged dumps in the program with sanitizers, for DAMAGE_SECONDS"
	@echo "check-doors    every view as text and JSON through crash and the program, on every dump that is there"
	@echo "check-dropped  dumps with pages dropped by class; SEEDS='1 2 3' chooses them"
	@echo "check-matrix   every real kernel in every crash; writes doc/kernels.md"
	@echo "kernels        which views answer on KERNEL=vmlinuz, vmlinux or BTF, and why others do not; without it, on Debian's"
	@echo "kernels-expected  what decoders say of the kernels of tests/facts now, for git diff"
	@echo "check-mutants  breaks the forks of tests/mutants and names the test that sees it"
	@echo "check-made     why there is no data, on those"
	@echo "check-fuzz     each decoder on random bytes, for some seconds"
	@echo "lint           format of the code, shell scripts"
	@echo "bench          speed against reading the same bytes, beside its aims; bench-first: the first answer, of DUMPS too"
	@echo "man            manual pages, in $(BUILD)/man/"
	@echo "install        into $(EXTENSIONS), $(PREFIX)/bin and $(MANDIR)"
	@echo "install-extensions install-program  one of them"
	@echo "dist deb rpm   a tarball, packages, in $(BUILD)/"
	@echo "check-browser  the page of memowner -H in headless Chromium"
	@echo "check-packages packages by lintian and rpmlint; the .deb built and installed in chroots; the static program in an empty one"
	@echo "uninstall clean help"

-include $(shell find $(BUILD) -name '*.d' 2>/dev/null)
