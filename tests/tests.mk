# SPDX-License-Identifier: GPL-2.0-or-later
# Included by the Makefile: synthetic kernels, unit tests, fuzzers, bats.

# NAME is tests/kernels/NAME.c, NAME-CASE the same with -DCASE_CASE.
CASES := $(addprefix broken-,handle size room free no_pool wild_pool pages ram_loop wild_ram moved offset no_allocated no_model no_index off no_section) \
	$(addprefix tags_6_12-,no_counters torn_range loop off_at_boot off_later) \
	$(addprefix tags_6_17-,torn_tree outside unsupported never failed debug stale) \
	$(addprefix v6_1-,5_19 pools migrated) $(addprefix v6_9-,static array offline types_6_10 types_6_11) \
	$(addprefix tasks_6_12-,loop self cached) vendor_plus_1-hole v4_19-owner_0 $(addprefix v5_10-,loop flat flat_elsewhere holed types) $(addprefix v6_17-,never types_7_1) \
	$(addprefix raw-,old fields cgroup isolate vendor silent flat) \
	$(addprefix slabexts_6_10-,nomemcg top_byte inside hardened off_later off_loop toggled loop astray wild inuse none cache room handle absent wild_ref \
		chunk_wild chunk_pages chunk_loop) \
	$(addprefix slabexts_6_18-,nomemcg hardened loop barn_loop barn_huge) $(addprefix slabexts_7_0-,later vectors nomemcg stride_0 stride_huge) \
	$(addprefix slabexts_7_3-,vectors uncharged nomemcg no_codetag) $(addprefix pagerefs_6_13-,beyond mask) \
	$(addprefix tracks_5_10-,inside swabbed mixed)
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

UNIT := $(patsubst tests/unit/%.c,$(BUILD)/unit/%,$(wildcard tests/unit/test_*.c))
SANITIZE ?= -fsanitize=address,undefined -fno-sanitize-recover=undefined

# lib/ and the views once more, with the sanitizers.
TESTED := $(LIB_SOURCES) $(wildcard extensions/*/*.c)
UNIT_FLAGS = -std=gnu11 -D_GNU_SOURCE $(WARN) -g -O1 $(SANITIZE) -Ilib -I. -Iextensions -Itests/unit -MMD -MP
$(BUILD)/unit/%.o: %.c $(BUILD)/flags
	$(Q)mkdir -p $(@D) && $(CC) $(UNIT_FLAGS) -c -o $@ $<

$(BUILD)/unit/lib.a: $(TESTED:%.c=$(BUILD)/unit/%.o) $(BUILD)/unit/tests/unit/stub.o
	$(call say,AR,$@)
	$(Q)rm -f $@ && ar rcs $@ $^

$(BUILD)/unit/%: tests/unit/%.c tests/unit/test.h $(BUILD)/unit/lib.a
	$(call say,CC,$<)
	$(Q)$(CC) $(UNIT_FLAGS) -o $@ $< $(BUILD)/unit/lib.a $(LIBS)

check-unit: $(UNIT)
	@status=0; for t in $(UNIT); do echo "# $$t"; $$t || status=1; done; exit $$status

BATS = CRASH='$(CRASH)' CRASH_INC='$(CRASH_INC)' BUILD='$(abspath $(BUILD))' bats --tap --print-output-on-failure

check-meta: all $(BUILD)/document $(KERNEL_FILES)
	$(BATS) tests/meta.bats

check-synthetic: all $(BUILD)/document $(KERNEL_FILES) $(BUILD)/tools/pty
	$(BATS) tests/generations.bats tests/synthetic.bats tests/validate.bats tests/tags.bats tests/synthetic_tags.bats

FUZZ := stackdepot pageowner pageclass codetag allocinfo kallsyms modules printklog tasks depothealth pagetable names slabs json saved filter
FUZZ_SECONDS ?= 4
FUZZ_CC ?= clang
FUZZ_FLAGS = -std=gnu11 -D_GNU_SOURCE $(WARN) -g -O1 -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=undefined \
	-Ilib -I. -Iextensions -Itests/fuzz

# lib/ and the views once, then each target.
$(BUILD)/fuzz/%.o: %.c $(BUILD)/flags
	$(Q)mkdir -p $(@D) && $(FUZZ_CC) $(subst =fuzzer,=fuzzer-no-link,$(FUZZ_FLAGS)) -MMD -MP -c -o $@ $<

$(BUILD)/fuzz/lib.a: $(TESTED:%.c=$(BUILD)/fuzz/%.o)
	$(call say,AR,$@)
	$(Q)rm -f $@ && ar rcs $@ $^

$(BUILD)/fuzz/%: tests/fuzz/fuzz.c tests/fuzz/targets.c tests/fuzz/texts.c $(wildcard tests/fuzz/*.h tests/fuzz/*.inc) $(BUILD)/fuzz/lib.a
	$(call say,FUZZ,$@)
	$(Q)$(FUZZ_CC) $(FUZZ_FLAGS) -DTARGET=fuzz_$* -o $@ $(filter %.c,$^) $(BUILD)/fuzz/lib.a $(LIBS)

check-fuzz: $(FUZZ:%=$(BUILD)/fuzz/%)
	@scripts/run-fuzzers $(BUILD)/fuzz $(FUZZ_SECONDS) $(FUZZ)

SAMPLES := $(patsubst samples/vmcores/%/SHA256SUMS,%,$(wildcard samples/vmcores/*/SHA256SUMS))

# A sample is stored packed: unpacked, checked against its sums, it is ready.
define unpack
	$(call say,UNPACK,$*)
	$(Q)rm -rf $(@D) && mkdir -p $(@D)
	$(Q)cd $(<D) && sha256sum --quiet --strict -c SHA256SUMS
	$(Q)xz -dc -T0 $(<D)/vmcore.xz > $(@D)/vmcore
	$(Q)from=$(<D); [ -e $$from/vmlinux.xz ] || from=samples/vmcores/$$(sed -n 's/^like=//p' $(<D)/meta); \
		xz -dc -T0 $$from/vmlinux.xz > $(@D)/vmlinux && xz -dc $$from/truth.tar.xz | tar xf - -C $(@D) \
		&& if [ -e $$from/leaky.ko.xz ]; then xz -dc $$from/leaky.ko.xz > $(@D)/leaky.ko; fi
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

samples: $(MADE:%=$(BUILD)/made/%/SHA256SUMS)

samples-ready: $(SAMPLES:%=$(BUILD)/samples/%/ready)

$(BUILD)/tools/%: tests/tools/%.c
	$(call say,CC,$<)
	$(Q)mkdir -p $(@D) && $(CC) -std=gnu11 -D_GNU_SOURCE $(WARN) -g -O1 -o $@ $< $(if $(filter %/pty,$@),-lutil)

# Each sample that this crash opens, in each mode that it opens it in.
check-samples: all $(BUILD)/document $(BUILD)/probe.so samples-ready $(KERNEL_FILES) $(BUILD)/tools/kdump $(BUILD)/tools/pty
	@status=0; export CRASH='$(CRASH)' BUILD='$(abspath $(BUILD))'; \
		for s in $(SAMPLES); do tests/run-sample $$s || status=1; done; \
		[ -z "$$(tests/modes samples/vmcores/6.12-oom/meta '$(CRASH)')" ] || \
		SAMPLE=6.12-oom $(BATS) tests/damage.bats || status=1; exit $$status

# Kernels with data, against their truth, in every crash; writes doc/kernels.md.
WITH_DATA := $(filter-out %-no-owner %-tags-off %-tags-never debian-cloud,$(MADE))
check-matrix: all $(BUILD)/probe.so $(KERNEL_FILES) $(BUILD)/tools/kdump $(BUILD)/tools/pty $(SAMPLES:%=$(BUILD)/samples/%/ready) \
	$(WITH_DATA:%=$(BUILD)/samples/%/ready)
	@scripts/check-matrix $(SAMPLES) $(WITH_DATA)

# Every fork of a decoder is held by a test: each is broken on purpose.
check-mutants: all $(KERNEL_FILES) $(BUILD)/tools/pty
	@CRASH='$(CRASH)' scripts/check-mutants

check-made: all $(MADE:%=$(BUILD)/samples/%/ready)
	$(BATS) tests/nodata.bats

$(BUILD)/kernels/huge-%/ram: tests/kernels/huge.c $(KERNEL_HEADERS)
	$(call make-kernel,-DPAGES='($*UL << 20)')

$(BUILD)/bench.so: $(BUILD)/tests/bench/bench.o $(BUILD)/single/bench.o $(call views_of,pageowner) $(LIB) $(PORT)
	$(Q)$(link)

$(BUILD)/probe.so: $(BUILD)/tests/probe/probe.o $(BUILD)/single/probe.o $(call views_of,pageowner) $(LIB) $(PORT)
	$(Q)$(link)

bench: $(BUILD)/bench.so $(BUILD)/tools/fill samples-ready
	@CRASH='$(CRASH)' scripts/bench $(abspath $(BUILD))
