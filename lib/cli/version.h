/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef MEMOWNER_CLI_VERSION_H
#define MEMOWNER_CLI_VERSION_H

#define MEMOWNER_VERSION "2.0.0"

#endif
