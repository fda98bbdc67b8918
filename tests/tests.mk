# SPDX-License-Identifier: GPL-2.0-or-later
# Included by the Makefile: made-up kernels, unit tests, fuzzers, bats.

BROKEN := handle size free no_pool wild_pool pages ram_loop no_index off no_section
KERNELS := $(patsubst tests/kernels/%.c,%,$(filter-out %/broken.c,$(wildcard tests/kernels/*.c))) \
	$(BROKEN:%=broken_%)
KERNEL_FLAGS := -g -O0 -ffreestanding -fno-pie -no-pie -mcmodel=kernel -mno-red-zone \
	-fno-asynchronous-unwind-tables -fno-stack-protector -fcf-protection=none -w
KERNEL_FILES := $(KERNELS:%=$(BUILD)/kernels/%/ram)
KERNEL_HEADERS := $(wildcard tests/kernels/*.h) tests/kernels/kernel.lds

# vmlinux is the name list, ram the memory: the objects at physical 16 MiB.
define make-kernel
	$(call say,FAKE,$(@D))
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) $(KERNEL_FLAGS) $(1) -c -o $(@D)/kernel.o $<
	$(Q)ld -T tests/kernels/kernel.lds --no-warn-rwx-segments -o $(@D)/vmlinux $(@D)/kernel.o
	$(Q)objcopy -O binary -j .text -j .rodata -j .data $(@D)/vmlinux $(@D)/image
	$(Q)rm -f $@ && truncate -s 32M $@ && dd if=$(@D)/image of=$@ bs=1M seek=16 conv=notrunc status=none
endef

$(BUILD)/kernels/broken_%/ram: tests/kernels/broken.c $(KERNEL_HEADERS)
	$(call make-kernel,-DCASE_$*)

$(BUILD)/kernels/%/ram: tests/kernels/%.c $(KERNEL_HEADERS)
	$(call make-kernel)

BATS = CRASH='$(CRASH)' BUILD='$(abspath $(BUILD))' bats --print-output-on-failure

check-fake: all $(KERNEL_FILES)
	$(BATS) tests/fake.bats
