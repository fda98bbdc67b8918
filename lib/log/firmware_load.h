/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Firmware that a driver asked for and did not get (drivers/base/firmware_loader/main.c, 3.7). */
#pragma once

#include "log/kernel_log.h"

/*
 * The last line on a driver, by its name, its device's, or the folder of the file: "iwlwifi 0000:03:00.0: Direct firmware
 * load for iwlwifi-9.ucode failed with error -2"; NULL: there is none.
 */
const struct kernel_record *firmware_load_failed(const struct kernel_log *log, const char *name);
