/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#define MEMOWNER_VERSION "2.0.0"
