# SPDX-License-Identifier: GPL-2.0-or-later
# Included by the Makefile: synthetic kernels, unit tests, fuzzers, bats.

# NAME is tests/kernels/NAME.c, NAME-CASE the same with -DCASE_CASE.
CASES := $(addprefix broken-,handle size room free no_pool wild_pool pages ram_loop wild_ram moved offset no_allocated no_model no_index off no_section) \
	$(addprefix tags_6_12-,unnamed no_counters torn_range loop off_at_boot off_later) \
	$(addprefix tags_6_17-,torn_tree outside unsupported never cut failed debug stale) \
	$(addprefix v6_1-,5_19 pools migrated) $(addprefix v6_9-,static array offline stale neighbours types_6_10 types_6_11) \
	$(addprefix tasks_6_12-,loop self cached victim reaped given_up zombie) vendor_plus_1-hole v4_19-owner_0 v4_19-unused $(addprefix v5_10-,loop flat flat_elsewhere holed types) $(addprefix v6_17-,never types_7_1) \
	$(addprefix raw-,old fields cgroup control isolate markup vendor silent flat) \
	$(addprefix slabexts_6_10-,nodes tiny kfence kfence_off kfence_used batchcount counted partial caches nomemcg top_byte inside hardened off_later off_loop toggled loop astray wild inuse none cache room handle absent wild_ref nowhere \
		chunk_wild chunk_pages chunk_loop) \
	$(addprefix slabexts_6_18-,nomemcg hardened loop barn_loop barn_huge) $(addprefix slabexts_7_0-,later vectors nomemcg stride_0 stride_huge) \
	$(addprefix slabexts_7_3-,nodes vectors uncharged nomemcg no_codetag) $(addprefix pagerefs_6_13-,beyond mask) \
	ring_5_4-perf $(addprefix ring_6_12-,order corrupt beyond missed no_head moving broken loop short disagree commit off never taken dumped outside mono fields) \
	$(addprefix depots_6_9-,4_19 5_15 6_1 6_8 6_17 vendor handle size unlinked bucket loop wild text prev free end pool twin hole table) \
	$(addprefix memcg_6_12-,torn loop v1 spread count many moved) $(addprefix tracks_5_10-,inside swabbed mixed) $(addprefix files_7_3-,6_12 chain maps swap fds torn alone names absent small spill ramfs mlocked nets astray events events_5_6 full segments rings) $(addprefix devices_7_3-,6_12 5_10 shared loop torn queue) $(addprefix zones_6_13-,5_10 4_19 unnamed 6_1 inlined loop astray torn blocks endless foreign swapoff zspages) \
	$(addprefix oops_6_12-,rodata user gp double stack oom panicked cut torn between init signal exited forged memcg fake lost quiet gone 5_4 4_19) \
	$(addprefix kgtp-,locked torn wild stale taken empty file simple ftrace gprs unnamed nowhere unset renumbered shifted \
		overwritten counters zeros pointer step)
CASES += memcg_5_4-v1 memcg_6_1-freed memcg_6_12-renamed memcg_4_18-flat tasks_6_12-v1 tasks_6_12-off
KERNELS := $(patsubst tests/kernels/%.c,%,$(filter-out %/broken.c,$(wildcard tests/kernels/*.c))) $(CASES)
KERNEL_FLAGS := -g -O0 -ffreestanding -fno-pie -no-pie -mcmodel=kernel -mno-red-zone \
	-fno-asynchronous-unwind-tables -fno-stack-protector -fcf-protection=none -w
KERNEL_FILES := $(KERNELS:%=$(BUILD)/kernels/%/ram)
KERNEL_HEADERS := $(wildcard tests/kernels/*.h) tests/kernels/kernel.lds

# vmlinux is the name list, ram the memory: the objects at physical 16 MiB.
define make-kernel
	$(call say,KERNEL,$(@D))
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) $(KERNEL_FLAGS) $(1) -c -o $(@D)/kernel.o $<
	$(Q)ld -T tests/kernels/kernel.lds --no-warn-rwx-segments -o $(@D)/vmlinux $(@D)/kernel.o
	$(Q)objcopy -O binary -j .text -j .rodata -j .data -j .heap $(@D)/vmlinux $(@D)/image
	$(Q)rm -f $@ && truncate -s 32M $@ && dd if=$(@D)/image of=$@ bs=1M seek=16 conv=notrunc status=none
endef

$(BUILD)/kernels/%/ram: tests/kernels/$$(firstword $$(subst -, ,$$*)).c $(KERNEL_HEADERS)
	$(call make-kernel,$(patsubst %,-DCASE_%,$(word 2,$(subst -, ,$*))))

# lib/ and the views once more, with the sanitizers, by clang where there is one: unit tests and
# fuzzers share these objects.
SAN_CC := $(or $(SAN_CC),$(shell command -v clang || echo $(CC)))
SANITIZE ?= -fsanitize=address,undefined$(if $(findstring clang,$(SAN_CC)),$(comma)fuzzer-no-link) \
	-fno-sanitize-recover=undefined
comma := ,
# Eighty programs of the same archive: lld links each in a third of the time.
SAN_LD := $(if $(shell command -v ld.lld),-fuse-ld=lld)
TESTED := $(LIB_SOURCES) $(wildcard extensions/*/*.c) crash/types.c crash/page_cache.c $(wildcard terminal/*.c) \
	$(filter-out program/main.c,$(PROGRAM_SOURCES))
SAN_FLAGS = -std=gnu11 -D_GNU_SOURCE $(WARN) $(filter -Werror,$(CFLAGS)) -g1 $(SANITIZE) -Ilib -I. -Iextensions -Iprogram \
	-Itests/unit -Itests/fuzz -Itests/facts -MMD -MP

# What runs a million times, by a fuzzer or a unit test, is optimized. All else is compiled in a third
# of the time without.
HOT := $(addprefix lib/,$(addsuffix /%,alloctag btf dump kernel kgtp log page_owner stackdepot symbols trace util)) \
	$(addprefix program/,$(addsuffix /%,file names types)) tests/fuzz/% tests/facts/% extensions/pageowner/scan_read.c extensions/allocprof/allocinfo.c extensions/page/html.c \
	tests/unit/test_html.c tests/unit/test_kgtp.c
san-level = $(if $(filter $(HOT),$(1)),-O1,-O0)

$(BUILD)/san/flags: $(if $(KEEP),,FORCE)
	@mkdir -p $(@D)
	@echo '$(SAN_CC) $(SAN_FLAGS) $(HOT)' | cmp -s - $@ || echo '$(SAN_CC) $(SAN_FLAGS) $(HOT)' > $@

$(BUILD)/san/%.o: %.c $(BUILD)/san/flags | $$(@D)/.
	$(call say,SAN,$<)
	$(Q)$(SAN_CC) $(SAN_FLAGS) $(call san-level,$<) $(if $(filter crash/port.c,$<),-isystem $(CRASH_INC)) -c -o $@ $<

$(BUILD)/san/program/file/codec.o $(BUILD)/san/tests/unit/test_vmcore.o $(BUILD)/san/tests/unit/test_other_formats.o $(BUILD)/san/tests/fuzz/dump_files.o: private SAN_FLAGS += $(CODEC_FLAGS)

$(BUILD)/san/lib.a: $(TESTED:%.c=$(BUILD)/san/%.o)
	$(call say,AR,$@)
	$(Q)rm -f $@ && ar rcs $@ $^

# The program with the sanitizers, for whole dumps that are damaged.
$(BUILD)/san/memowner: $(BUILD)/san/program/main.o $(patsubst %.c,$(BUILD)/san/%.o,$(wildcard extensions/*.c)) $(BUILD)/san/lib.a
	$(call say,LD,$@)
	$(Q)$(SAN_CC) $(subst $(comma)fuzzer-no-link,,$(SAN_FLAGS)) $(SAN_LD) -o $@ $(filter %.o,$^) $(filter %.a,$^) $(LIBS) $(CODEC_LIBS)

# Damage that a seed chooses, after what every sample says whole, and dumps that were cut off.
# SEED is the first one, else the time of day.
DAMAGE_SECONDS ?= 60
CUT := 6.12-kdump 7.3-oom 6.12-faults 6.1-stock-outside
DAMAGED := 6.12-oom 6.12-kdump 6.12-hog-frames
sample-files = $(foreach s,$(1),$(BUILD)/samples/$(s)/vmcore,$(BUILD)/samples/$(s)/vmlinux)
check-damage: $(BUILD)/san/memowner $(BUILD)/tools/asked samples-ready
	$(Q)tests/tools/damaged -p san/memowner -n 0 $(BUILD) $(BUILD)/damaged $(call sample-files,$(SAMPLES))
	$(Q)tests/tools/damaged -r -p san/memowner -k vmlinux_swap -f 503 -n 1 $(BUILD) $(BUILD)/damaged $(call sample-files,6.12-oom)
	$(Q)tests/tools/damaged -p san/memowner -c 30,60,90,96 $(BUILD) $(BUILD)/damaged $(call sample-files,$(CUT))
	$(Q)tests/tools/damaged -p san/memowner -k blank -f 5 -n 16 $(BUILD) $(BUILD)/damaged $(call sample-files,6.12-oom)
	$(Q)tests/tools/damaged -p san/memowner -n 1000000 -f $${SEED:-$$(date +%s)} -t $(DAMAGE_SECONDS) $(BUILD) $(BUILD)/damaged $(call sample-files,$(DAMAGED))

UNIT := $(patsubst tests/unit/%.c,$(BUILD)/unit/%,$(wildcard tests/unit/test_*.c))

$(UNIT): $(BUILD)/unit/%: $(BUILD)/san/tests/unit/%.o $(BUILD)/san/tests/unit/stub.o $(BUILD)/san/lib.a | $$(@D)/.
	$(call say,LD,$@)
	$(Q)$(SAN_CC) $(SAN_FLAGS) $(SAN_LD) -o $@ $(filter %.o,$^) $(filter %.a,$^) $(LIBS) $(CODEC_LIBS)

# What decoders say of kernels of which there are facts alone (tests/facts/README.md).
FACTS := $(filter-out tests/facts/kernels.c,$(wildcard tests/facts/*.c))

$(BUILD)/unit/test_kernels $(BUILD)/unit/test_releases: $(FACTS:%.c=$(BUILD)/san/%.o)

# private: what it needs, the flags of all other files, is not compiled with it.
$(BUILD)/tests/facts/%.o: private FLAGS += -Itests/facts -Iprogram
$(BUILD)/kernels/kernels: $(patsubst %.c,$(BUILD)/%.o,$(wildcard tests/facts/*.c)) $(BUILD)/program/types/globals.o $(LIB)
	$(call say,LD,$@)
	$(Q)mkdir -p $(@D) && $(CC) -o $@ $^ $(LDFLAGS) $(LIBS)

# Which views answer on a vmlinuz, a vmlinux or a BTF; without KERNEL on the images of Debian.
kernels: $(BUILD)/kernels/kernels
	$(Q)PROGRAM=$< scripts/kernels $(KERNEL)

# What decoders say of them now, to be looked at with git diff.
kernels-expected: $(BUILD)/kernels/kernels
	$(Q){ head -n 1 tests/facts/refused; $< -t tests/facts/kernels.facts.xz; } > $(BUILD)/refused
	$(Q)mv $(BUILD)/refused tests/facts/refused
	$(Q)$< -n tests/facts/kernels.facts.xz | awk -F' -- ' 'NR == FNR { why[$$1] = $$2; next } \
		FNR == 1 { print licence } { print $$0 (why[$$0] ? " -- " why[$$0] : "") }' \
		licence="$$(head -n 1 tests/facts/unanswered)" tests/facts/unanswered - > $(BUILD)/unanswered
	$(Q)mv $(BUILD)/unanswered tests/facts/unanswered

check-unit: $(UNIT:%=%.run)

$(UNIT:%=%.run): %.run: %
	@mkdir -p $(BUILD)/tap; echo "# $(<F)"; $< > $(BUILD)/tap/$(<F).tap 2>&1; status=$$?; cat $(BUILD)/tap/$(<F).tap; exit $$status

# Tests in crash. A run of a bats file leaves its TAP in build/tap/VERSION OF CRASH/, so that
# make -j runs files side by side.
# Make of a test is none of this one's jobs, and builds with the same flags.
in-tests = env -u MAKEFLAGS -u MFLAGS -u MAKELEVEL CC='$(CC)' CFLAGS='$(CFLAGS)' CRASH='$(CRASH)' \
	CRASH_INC='$(CRASH_INC)' BUILD='$(abspath $(BUILD))'
SYNTHETIC := graph object_types basis baseline validate synthetic summary keys html faults processes synthetic_tags slabs cgroups files devices generations tags kgtp abi rings program_files program_damage program requests asked screen misfits filters memory_groups log_file log_lost log_damaged log_texts story

BATS_RUNS := $(SYNTHETIC:%=bats-%) bats-meta bats-scripts

$(BATS_RUNS): bats-%: tests/%.bats all $(BUILD)/document $(KERNEL_FILES) $(BUILD)/tools/pty $(BUILD)/tools/kbuffer $(BUILD)/tools/pages $(BUILD)/probe.so
	@$(in-tests) tests/run-bats $<

bats-program_damage: $(foreach s,6.12-oom 6.1-oom 6.12-kdump,$(BUILD)/samples/$(s)/ready) $(BUILD)/tools/asked
bats-program: samples-ready $(BUILD)/tools/dialog
bats-basis bats-baseline bats-requests bats-asked bats-screen bats-misfits bats-filters bats-memory_groups bats-log_file bats-log_lost bats-log_damaged bats-log_texts bats-story: samples-ready
bats-graph: samples-ready $(BUILD)/tools/graph_truth $(BUILD)/tested
bats-object_types: samples-ready $(BUILD)/tools/type_truth
bats-scripts: $(BUILD)/bench.so $(BUILD)/tested $(BUILD)/tools/fill $(BUILD)/tools/pack $(BUILD)/tools/floor $(BUILD)/tools/floor_walk $(BUILD)/tools/spent

check-meta: bats-meta

check-synthetic: $(SYNTHETIC:%=bats-%)

# A program of each name in tests/fuzz/fuzz.h, all the same one.
FUZZ := $(shell sed -n '/define FUZZ_TARGETS/,/[^\\]$$/s/.*X(\([a-z]*\)).*/\1/p' tests/fuzz/fuzz.h)
FUZZ_SECONDS ?= 1
FUZZERS := $(FUZZ:%=$(BUILD)/fuzz/%)

$(BUILD)/fuzz/all: $(patsubst %.c,$(BUILD)/san/%.o,$(wildcard tests/fuzz/*.c)) $(BUILD)/san/lib.a
	$(call say,LD,$@)
	$(Q)mkdir -p $(@D) && $(SAN_CC) $(subst fuzzer-no-link,fuzzer,$(SAN_FLAGS)) $(SAN_LD) -o $@ $^ $(LIBS) $(CODEC_LIBS)

$(FUZZERS): $(BUILD)/fuzz/all
	$(Q)ln -sf all $@

check-fuzz: $(FUZZ:%=check-fuzz-%)

$(FUZZ:%=check-fuzz-%): check-fuzz-%: $(BUILD)/fuzz/%
	@mkdir -p $(BUILD)/tap; scripts/run-fuzzers $(BUILD)/fuzz $(FUZZ_SECONDS) $* > $(BUILD)/tap/fuzz-$*.tap; status=$$?; \
		cat $(BUILD)/tap/fuzz-$*.tap; exit $$status

SAMPLES := $(patsubst samples/vmcores/%/SHA256SUMS,%,$(wildcard samples/vmcores/*/SHA256SUMS))

# A sample is stored packed: unpacked, checked against its sums, it is ready.
define unpack
	$(call say,UNPACK,$*)
	$(Q)rm -rf $(@D) && mkdir -p $(@D)
	$(Q)cd $(<D) && sha256sum --quiet --strict -c SHA256SUMS
	$(Q)xz -dc -T0 $(<D)/vmcore.xz > $(@D)/vmcore
	$(Q)from=$(<D); [ -e $$from/truth.tar.xz ] || from=$(<D)/../$$(sed -n 's/^like=//p' $(<D)/meta); \
		list=$$from; [ -e $$from/vmlinux.xz ] || list=samples/vmcores/$$(sed -n 's/^vmlinux=//p' $(<D)/meta); \
		xz -dc -T0 $$list/vmlinux.xz > $(@D)/vmlinux && xz -dc $$from/truth.tar.xz | tar xf - -C $(@D) \
		&& for m in leaky kgtpfix framegrab; do [ ! -e $$from/$$m.ko.xz ] || xz -dc $$from/$$m.ko.xz > $(@D)/$$m.ko; done
	$(Q)[ ! -e $(<D)-before/SHA256SUMS ] || $(MAKE) -s $(@D)-before/ready
	$(Q)cp $(<D)/meta $(@D)/ && touch $@
endef

$(BUILD)/samples/%/ready: samples/vmcores/%/SHA256SUMS
	$(unpack)

$(BUILD)/samples/%/ready: $(BUILD)/made/%/SHA256SUMS
	$(unpack)

# Dumps that are made when asked for, one for each case that is not in the repository.
MADE := $(filter-out $(SAMPLES),$(notdir $(wildcard scripts/sample/cases/*)))

$(BUILD)/made/%/SHA256SUMS: scripts/sample/cases/%
	XZ_LEVEL=-1 scripts/make-sample $* $(abspath $(BUILD))/made

# Those, and those of them that nobody has made yet: what ./check all cannot run.
made-dumps:
	@printf '%s\n' $(MADE)
missing-dumps:
	@printf '%s\n' $(foreach name,$(MADE),$(if $(wildcard $(BUILD)/samples/$(name)/ready $(BUILD)/made/$(name)/SHA256SUMS),,$(name)))

samples: $(MADE:%=$(BUILD)/made/%/SHA256SUMS)

samples-ready: $(SAMPLES:%=$(BUILD)/samples/%/ready)

# All memory of a dump by the program's reader alone, and what no reader can do without.
$(BUILD)/tests/tools/pages.o $(BUILD)/tests/tools/floor.o: private FLAGS += -Iprogram
$(BUILD)/tools/pages $(BUILD)/tools/floor: $(BUILD)/tools/%: $(BUILD)/tests/tools/%.o $(filter $(BUILD)/program/file/%,$(PROGRAM)) $(LIB)
	$(call say,LD,$@)
	$(Q)mkdir -p $(@D) && $(CC) -o $@ $^ $(LDFLAGS) $(LIBS) $(CODEC_LIBS)

# What the program's door says of types, symbols and addresses.
$(BUILD)/tests/tools/asked.o: private FLAGS += -Iprogram
$(BUILD)/tools/asked: $(BUILD)/tests/tools/asked.o $(LIB) \
		$(filter-out $(BUILD)/program/shell/% $(patsubst %,$(BUILD)/program/%.o,arguments main session usage),$(PROGRAM))
	$(call say,LD,$@)
	$(Q)mkdir -p $(@D) && $(CC) -o $@ $^ $(LDFLAGS) $(LIBS) $(CODEC_LIBS)

# What the graph of pointers says, beside what page_owner recorded, and beside caches that are named by their structure.
$(BUILD)/tests/tools/graph_truth.o $(BUILD)/tests/tools/type_truth.o: private FLAGS += -Iprogram
$(BUILD)/tools/graph_truth $(BUILD)/tools/type_truth: $(BUILD)/tools/%: $(BUILD)/tests/tools/%.o $(LIB) \
		$(filter-out $(BUILD)/program/shell/% $(patsubst %,$(BUILD)/program/%.o,arguments main session usage),$(PROGRAM))
	$(call say,LD,$@)
	$(Q)mkdir -p $(@D) && $(CC) -o $@ $^ $(LDFLAGS) $(LIBS) $(CODEC_LIBS)

$(BUILD)/tools/%: tests/tools/%.c
	$(call say,CC,$<)
	$(Q)mkdir -p $(@D) && $(CC) -std=gnu11 -D_GNU_SOURCE $(WARN) $(filter -Werror,$(CFLAGS)) -g -O1 -o $@ $< $(if $(filter %/pty %/dialog,$@),-lutil) $(if $(filter %/kbuffer,$@),-ltraceevent) $(if $(filter %/pack,$@),-lz)

# Each sample that this crash opens, in each mode that it opens it in: a target for each bats file
# that may be about it, so that make -j runs them side by side; tests/run-sample knows which are.
# What takes longest stands first: at the end, no processor waits for another.
LONGEST := views sample dropped context schema damage holed lines trace allocprof
OF_SAMPLES := $(patsubst tests/%.bats,%,$(shell grep -l '[$$]SAMPLE' tests/*.bats))
OF_SAMPLES := $(filter $(OF_SAMPLES),$(LONGEST)) $(filter-out $(LONGEST),$(OF_SAMPLES))
SAMPLE_RUNS := $(foreach f,$(OF_SAMPLES),$(SAMPLES:%=run-%@$(f)))
READY := all $(BUILD)/document $(BUILD)/probe.so $(BUILD)/blind.so $(BUILD)/tested $(BUILD)/asked.so $(BUILD)/tools/asked $(KERNEL_FILES) $(BUILD)/tools/kdump $(BUILD)/tools/kbuffer $(BUILD)/tools/pty

$(SAMPLE_RUNS): run-%: $(READY) samples-ready
	@$(in-tests) ASKED='$(filter $@,$(MAKECMDGOALS))' tests/run-sample $(subst @, ,$*)

# Those that are for this sample, as its truth tells when make comes to them.
RUNS = $(filter $(foreach s,$(SAMPLES),$(patsubst %,run-$s@%,$(shell BRIEF='$(BRIEF)' BUILD='$(abspath $(BUILD))' tests/run-sample $s -l))),$(SAMPLE_RUNS))

check-samples: $$(RUNS)

# Every view through crash and through the program, on every dump that is there.
check-doors: $(READY) samples-ready
	$(Q)CRASH='$(CRASH)' scripts/same-answers crash $(BUILD)/memowner

# Shares of every class of pages dropped by chance, with each of these seeds: minutes for each.
SEEDS ?= 1
check-dropped: $(READY) samples-ready
	$(Q)for s in 6.1-oom 6.12-oom 6.12-kdump 7.3-oom; do SEEDS='$(SEEDS)' $(in-tests) tests/run-sample $$s dropped || exit; done

# What another crash may change: how it is asked, and the answers, which must be those in $(CRASH).
OTHER_SAMPLES := 6.1-oom 6.12-oom 7.3-oom
# If BRIEF those in the newest kernel that it opens.
ifneq ($(and $(BRIEF),$(REFERENCE)),)
OTHER_SAMPLES := $(lastword $(foreach s,$(OTHER_SAMPLES),$(if $(shell tests/modes samples/vmcores/$s/meta '$(CRASH)'),$s)))
endif
check-in-other: bats-generations bats-abi $(OTHER_SAMPLES:%=run-%@same)

$(OTHERS:%=other@%): other@%: $(READY) samples-ready
	@+REFERENCE='$(CRASH)' $(MAKE) -s check-in-other CRASH='$*' OTHERS=

# Programs of the guests of scripts/sample; its module is for a kernel.
$(BUILD)/guest/%: scripts/sample/guest/%.c
	$(Q)mkdir -p $(@D) && $(CC) -O2 -g $(WARN) $(filter -Werror,$(CFLAGS)) -std=gnu11 -o $@ $< -pthread
GUEST := $(patsubst scripts/sample/guest/%.c,$(BUILD)/guest/%,$(wildcard scripts/sample/guest/*.c))

# Every target that is compiled: ./check has no warning in any.
compiled: $(READY) $(BUILD)/bench.so $(patsubst tests/tools/%.c,$(BUILD)/tools/%,$(filter-out tests/tools/document%,$(wildcard tests/tools/*.c))) \
	$(GUEST) $(UNIT) $(FUZZERS) $(BUILD)/san/memowner samples-ready $(patsubst %.c,$(BUILD)/san/%.o,$(wildcard extensions/*.c) $(filter-out crash/single.c crash/types.c crash/page_cache.c,$(wildcard crash/*.c)))

# Everything that ./check runs; what takes longest first.
checked: $$(RUNS) $(OTHERS:%=other@%) lint check-scripts check-synthetic check-meta check-fuzz check-unit

# The loop of a developer: no fuzzers, one dump in its quickest mode, no test with the tag "slow".
QUICK := bats-generations bats-tags bats-synthetic bats-synthetic_tags
check-quick: export QUICK := 1
check-quick: check-unit run-6.12-oom@sample run-6.12-oom@pages $(QUICK) check-meta

# Scripts that no other test runs, in a short form.
check-scripts: bats-scripts

# Kernels with data, against their truth, in every crash; writes doc/kernels.md.
STOCK := $(strip $(foreach name,$(MADE),$(if $(findstring -stock-,$(name)),$(name))))
HOGS := $(strip $(foreach name,$(MADE),$(if $(findstring -hog-,$(name)),$(name))))
WITH_DATA := $(filter-out $(HOGS) $(STOCK) %-depot-users 6.12-bare %-no-owner %-tags-off %-tags-never %-faults %-kgtp %-kgtp-circular %-kgtp-file $(addprefix %-fatal-,null rodata exec user stack init bug),$(MADE))
check-matrix: $(READY) $(SAMPLES:%=$(BUILD)/samples/%/ready) \
	$(WITH_DATA:%=$(BUILD)/samples/%/ready)
	@scripts/check-matrix $(SAMPLES) $(WITH_DATA)

# Every fork of a decoder is held by a test: each is broken on purpose.
check-mutants: all $(KERNEL_FILES) $(BUILD)/tools/pty $(BUILD)/tools/kbuffer $(BUILD)/probe.so
	@CRASH='$(CRASH)' MUTANT_SECONDS='$(MUTANT_SECONDS)' MUTANT_TREES='$(MUTANT_TREES)' scripts/check-mutants

# Of the dumps that are there, those that have a bats file of their own.
check-made-here: all $(BUILD)/probe.so $(BUILD)/asked.so $(BUILD)/tools/asked $(BUILD)/tools/kbuffer $(BUILD)/tools/graph_truth
	@status=0; for sample in $(filter 6.12-bare %-faults %-depot-users $(HOGS) $(STOCK),$(patsubst $(BUILD)/made/%/SHA256SUMS,%,$(wildcard $(MADE:%=$(BUILD)/made/%/SHA256SUMS)))); do \
		$(MAKE) -s $(BUILD)/samples/$$sample/ready && $(in-tests) tests/run-sample $$sample || status=1; done; exit $$status

check-made: all $(BUILD)/probe.so $(BUILD)/asked.so $(BUILD)/tools/asked $(BUILD)/tools/kbuffer $(BUILD)/tools/graph_truth $(MADE:%=$(BUILD)/samples/%/ready)
	@status=0; for file in nodata.bats fatal.bats kgtp_made.bats; do $(in-tests) tests/run-bats tests/$$file || status=1; done; \
		for sample in $(filter 6.12-bare %-faults %-depot-users,$(MADE)) $(HOGS) $(STOCK); do $(in-tests) tests/run-sample $$sample || status=1; done; \
		$(in-tests) tests/run-sample 5.10-owner scans || status=1; exit $$status

$(BUILD)/kernels/huge-%/ram: tests/kernels/huge.c $(KERNEL_HEADERS)
	$(call make-kernel,-DPAGES='($*UL << 18)')

$(BUILD)/bench.so: $(BUILD)/tests/bench/bench.o $(BUILD)/single/bench.o $(EVERY) $(LIB) $(PORT)
	$(Q)$(link)

$(BUILD)/probe.so: $(BUILD)/tests/probe/probe.o $(BUILD)/single/probe.o $(call views_of,pageowner) $(LIB) $(PORT)
	$(Q)$(link)

# Every command, without the types that a test hides.
$(BUILD)/blind.so: $(BUILD)/tests/probe/blind.o $(BUILD)/single/blind.o $(EVERY) $(LIB) $(PORT)
	$(Q)$(link)

# Every command, and what it asks of types.
$(BUILD)/asked.so: $(BUILD)/tests/probe/asked.o $(BUILD)/single/asked.o $(EVERY) $(LIB) $(PORT)
	$(Q)$(link)

# The program with the commands that tests add to crash.
$(BUILD)/tested: $(PROGRAM) $(TERMINAL) $(BUILD)/tests/probe/commands.o $(BUILD)/tests/probe/probe.o $(BUILD)/tests/probe/blind.o $(BUILD)/tests/probe/poke.o $(BUILD)/tests/probe/once.o \
		$(EVERY) $(LIB)
	$(call say,LD,$@)
	$(Q)$(CC) -o $@ $(filter %.o,$^) $(LDFLAGS) $(LIBS) $(CODEC_LIBS) $(READLINE)

bench: $(BUILD)/bench.so $(BUILD)/memowner $(BUILD)/tested $(BUILD)/tools/fill $(BUILD)/tools/pack $(BUILD)/tools/floor $(BUILD)/tools/floor_walk $(BUILD)/tools/spent samples-ready
	@CRASH='$(CRASH)' DUMPS='$(DUMPS)' scripts/bench $(abspath $(BUILD)) $(if $(GIBS),'$(GIBS)')
	@scripts/bench-first $(abspath $(BUILD)) $(DUMPS)

bench-first: $(BUILD)/memowner $(BUILD)/tools/spent samples-ready
	@scripts/bench-first $(abspath $(BUILD)) $(DUMPS)

# Behind all variables. To .SECONDARY a target that is neither phony nor a file is an intermediate one,
# which make leaves for the end.
.PHONY: made-dumps missing-dumps check-made-here kernels kernels-expected bench bench-first check-damage check-doors check-dropped check-in-other check-made check-matrix check-meta check-mutants check-quick check-scripts check-synthetic \
	check-unit check-fuzz compiled checked samples samples-ready $(UNIT:%=%.run) $(FUZZ:%=check-fuzz-%) $(BATS_RUNS) $(SAMPLE_RUNS) \
	$(OTHERS:%=other@%)
