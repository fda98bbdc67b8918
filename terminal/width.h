/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

/* Columns of the terminal that a file descriptor is; 0: it is none. */
unsigned int terminal_columns(int fd);
